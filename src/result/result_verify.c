/* SPDX-License-Identifier: MIT */
/* The result of verify: whether the checker accepts a certificate of learn. */
#include <inttypes.h>

#include <omegapac/number.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

/* ---- JSON ---- */

static void put_shown(const opac_verification *found, opac_json *json)
{
    result_put_text(json, "statement", found->statement);
    result_put_double(json, "lower", found->lower);
    result_put_double(json, "upper", found->upper);
    result_put_double(json, "confidence", found->confidence);
    result_put_bool(json, "least", found->is_least);
    opac_json_key(json, "assumes");
    opac_json_begin_array(json);
    for (size_t i = 0; found->assumes[i] != NULL; i++)
        opac_json_string(json, found->assumes[i]);
    opac_json_end_array(json);
    result_put_text(json, "objective", found->objective);
    result_put_text(json, "model", found->model);
    result_put_text(json, "constants", found->constants);
}

static void put_stats(const opac_verification *found, opac_json *json)
{
    result_put_uint(json, "states", found->states);
    result_put_uint(json, "rows", found->pairs);
    if (found->recurrence_time == 0)
        result_put_uint(json, "complete", found->complete);
    result_put_uint(json, "samples", found->visits);
    result_put_uint(json, "nodes", found->nodes);
    result_put_uint(json, "winning", found->winning);
    if (found->episodes > 0 || found->recurrence_time > 0) {
        result_put_uint(json, "episodes", found->episodes);
        result_put_uint(json, "wins", found->wins);
    }
}

opac_status opac_result_of_verify(const opac_verification *verification, const char *certificate,
                                  const opac_result_source *source, opac_result **result,
                                  opac_error *error)
{
    opac_json json;
    TRY(result_begin("verify", source, result, &json, error));
    opac_json_key(&json, "inputs");
    opac_json_begin_object(&json);
    result_put_text(&json, "certificate", certificate);
    result_put_name(&json, source);
    opac_json_end_object(&json);
    result_put_params(*result, &json);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    result_put_bool(&json, "holds", verification->holds);
    if (verification->holds)
        put_shown(verification, &json);
    else
        result_put_text(&json, "reason", verification->reason);
    opac_json_end_object(&json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    if (verification->holds)
        put_stats(verification, &json);
    opac_json_end_object(&json);
    return result_end(result, &json, error);
}

/* ---- text ---- */

static void write_interval(opac_output *out, base_json_value found)
{
    char lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    opac_output_print(out, "[%s, %s]",
                      result_format_number(result_get_double(found, "lower"), lower),
                      result_format_number(result_get_double(found, "upper"), upper));
}

/* The system that the certificate names, and whether it was compared with MODEL. */
static void write_model(opac_output *out, base_json_value found, const char *given)
{
    const char *named = result_get_text(found, "model");
    const char *constants = result_get_text(found, "constants");
    if (given == NULL && named == NULL)
        return;
    result_line_key(out, "model");
    result_show_path(out, given != NULL ? given : named);
    if (constants != NULL) {
        opac_output_text(out, ", ");
        result_show(out, constants);
    }
    opac_output_text(out, given != NULL ? "\n" : " (not compared: no MODEL is given)\n");
    if (given != NULL) {
        result_line_key(out, "");
        opac_output_text(out, "has the digest that the certificate names\n");
    }
}

static void write_checked(opac_output *out, base_json_value stats)
{
    result_line_key(out, "checked");
    result_show_count(out, result_get_uint(stats, "states"), "state");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(stats, "rows"), "row");
    if (base_json_is_there(result_get(stats, "complete")))
        opac_output_print(out, " (%" PRIu64 " complete)", result_get_uint(stats, "complete"));
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(stats, "samples"), "sample");
    opac_output_text(out, "\n");
    result_line_key(out, "");
    result_show_count(out, result_get_uint(stats, "nodes"), "product state");
    opac_output_print(out, " (%" PRIu64 " winning)\n", result_get_uint(stats, "winning"));
    if (result_get_uint(stats, "episodes") > 0) {
        result_line_key(out, "");
        result_show_count(out, result_get_uint(stats, "episodes"), "episode");
        opac_output_print(out, " of the trial (%" PRIu64 " won)\n", result_get_uint(stats, "wins"));
    }
}

void result_text_of_verify(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value found = result_get(result, "result"), assumes = result_get(found, "assumes");
    (void)extras;
    if (!result_get_bool(found, "holds")) {
        opac_output_text(out, "Result: refused\n\n");
        result_line_wrapped(out, "reason", result_get_text(found, "reason"));
        return;
    }
    opac_output_text(out, "Result: holds ");
    write_interval(out, found);
    opac_output_text(out, "\n\n");
    result_line_wrapped(out, "proved", result_get_text(found, "statement"));
    for (size_t i = 0; i < result_count(assumes); i++)
        result_line_wrapped(out, i == 0 ? "assumes" : "", result_item_text(assumes, i));
    if (result_get_text(found, "objective") != NULL)
        result_line_shown(out, "objective", result_get_text(found, "objective"));
    write_model(out, found, result_get_text(result, "inputs.model"));
    write_checked(out, result_get(result, "stats"));
}
