/* SPDX-License-Identifier: MIT */
/* The result of env check: whether a simulator conforms. Findings are printed one by one as they occur. */
#include <inttypes.h>
#include <string.h>

#include <omegapac/text.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

/* ---- findings ---- */

void opac_finding_write_json(const opac_finding *finding, opac_json *json)
{
    opac_json_begin_object(json);
    result_put_text(json, "kind", opac_finding_kind_name(finding->kind));
    result_put_text(json, "check", finding->check);
    result_put_text(json, "text", finding->text);
    if (finding->line != NULL)
        result_put_text(json, "line", finding->line);
    opac_json_end_object(json);
}

static void write_finding(const char *kind, const char *check, const char *text, const char *line,
                          opac_output *out)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_output_print(out, "%-8s ", opac_text_show(kind, strlen(kind), shown, sizeof shown));
    opac_output_print(out, "%-16s ", opac_text_show(check, strlen(check), shown, sizeof shown));
    result_show_path(out, text);
    opac_output_text(out, "\n");
    if (line == NULL)
        return;
    opac_output_print(out, "%-8s %-16s it wrote: ", "", "");
    result_show_path(out, line);
    opac_output_text(out, "\n");
}

void opac_finding_write(const opac_finding *finding, opac_output *out)
{
    write_finding(opac_finding_kind_name(finding->kind), finding->check, finding->text,
                  finding->line, out);
}

/* ---- JSON ---- */

static void put_verdict(const opac_conformance *outcome, const opac_result_source *source,
                        opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    result_put_bool(json, "conforms", outcome->conforms);
    result_put_uint(json, "errors", outcome->errors);
    result_put_uint(json, "warnings", outcome->warnings);
    opac_json_end_object(json);
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_uint(json, "episodes", outcome->episodes);
    result_put_uint(json, "steps", outcome->steps);
    result_put_uint(json, "states", outcome->states);
    if (result_has_times(source))
        result_put_seconds(json, "simulator_seconds", outcome->seconds);
    opac_json_end_object(json);
}

opac_status opac_result_of_env_check(const opac_conformance *outcome, const char *findings,
                                     const opac_result_source *source, opac_result **result,
                                     opac_error *error)
{
    opac_json json;
    base_json *list;
    TRY(base_json_parse(findings, strlen(findings), &list, error));
    opac_status status = result_begin("env check", source, result, &json, error);
    if (status == OPAC_OK) {
        opac_json_key(&json, "inputs");
        opac_json_begin_object(&json);
        result_put_text(&json, "simulator", source == NULL ? NULL : source->model);
        opac_json_end_object(&json);
        result_put_params(*result, &json);
        opac_json_key(&json, "findings");
        result_put_value(&json, base_json_root(list));
        put_verdict(outcome, source, &json);
        status = result_end(result, &json, error);
    }
    base_json_free(list);
    return status;
}

/* ---- text ---- */

static const char *text_or_none(base_json_value object, const char *name)
{
    const char *text = result_get_text(object, name);
    return text != NULL ? text : "";
}

static void write_count(uint64_t count, const char *noun, opac_output *out)
{
    opac_output_text(out, " (");
    result_show_count(out, count, noun);
    opac_output_text(out, ")");
}

void result_text_of_env_check(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value findings = result_get(result, "findings"), found = result_get(result, "result");
    bool conforms = result_get_bool(found, "conforms");
    uint64_t warnings = result_get_uint(found, "warnings");
    (void)extras;
    for (size_t i = 0; i < result_count(findings); i++) {
        base_json_value finding = result_item(findings, i);
        write_finding(text_or_none(finding, "kind"), text_or_none(finding, "check"),
                      text_or_none(finding, "text"), result_get_text(finding, "line"), out);
    }
    opac_output_print(out, "Result: %s", conforms ? "conforms" : "does not conform");
    if (!conforms)
        write_count(result_get_uint(found, "errors"), "error", out);
    else if (warnings > 0)
        write_count(warnings, "warning", out);
    opac_output_text(out, "\n");
}
