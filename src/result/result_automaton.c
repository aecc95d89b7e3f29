/* SPDX-License-Identifier: MIT */
/* The results of translate and convert for automata. They have no text: the commands write HOA or
 * drawings instead. */
#include <math.h>

#include "result/document.h"
#include "result/members.h"

/* Properties of an automaton whose computation may fail. */
typedef struct description {
    const opac_automaton *automaton;
    uint32_t live_states;
    bool is_limit_deterministic;
} description;

static opac_status describe(const opac_automaton *automaton, description *d, opac_error *error)
{
    *d = (description){.automaton = automaton};
    if (automaton == NULL)
        return OPAC_OK;
    TRY(opac_automaton_live_states(automaton, &d->live_states, error));
    return opac_automaton_is_limit_deterministic(automaton, &d->is_limit_deterministic, error);
}

static void put_found(opac_json *json, const description *d)
{
    const opac_automaton *automaton = d->automaton;
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    result_put_uint(json, "states", opac_automaton_states(automaton));
    result_put_uint(json, "live_states", d->live_states);
    result_put_uint(json, "edges", opac_automaton_edges(automaton));
    result_put_uint(json, "marks", opac_automaton_marks(automaton));
    result_put_written(json, "acceptance", automaton, opac_automaton_write_acceptance);
    result_put_written(json, "acceptance_name", automaton, opac_automaton_write_acceptance_name);
    opac_json_key(json, "propositions");
    opac_json_begin_array(json);
    for (size_t i = 0; i < opac_automaton_proposition_count(automaton); i++)
        opac_json_string(json, opac_automaton_proposition(automaton, i));
    opac_json_end_array(json);
    result_put_bool(json, "deterministic", opac_automaton_is_deterministic(automaton));
    result_put_bool(json, "complete", opac_automaton_is_complete(automaton));
    result_put_bool(json, "limit_deterministic", d->is_limit_deterministic);
    opac_json_end_object(json);
}

static void put_stats(opac_json *json, double seconds, const opac_result_source *source)
{
    if (!result_has_times(source))
        return;
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_double(json, "milliseconds", round(seconds * 1e6) / 1e3);
    opac_json_end_object(json);
}

/* ---- translate ---- */

static void put_formula(opac_json *json, const opac_translate_answer *answer)
{
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    opac_json_key(json, "formula");
    opac_json_bytes(json, answer->text, answer->length);
    if (answer->file != NULL) {
        result_put_text(json, "file", answer->file);
        result_put_uint(json, "line", answer->line);
    }
    opac_json_end_object(json);
}

static void put_simplified(opac_json *json, const opac_translate_answer *answer)
{
    opac_output *text = result_open_text(json);
    if (text == NULL)
        return;
    opac_formula_write(answer->formula, answer->style, text);
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    result_close_text(json, "formula", text);
    opac_json_end_object(json);
}

opac_status opac_result_of_translate(const opac_translate_answer *answer,
                                     const opac_result_source *source, opac_result **result,
                                     opac_error *error)
{
    description d;
    opac_json json;
    TRY(describe(answer->automaton, &d, error));
    TRY(result_begin("translate", source, result, &json, error));
    put_formula(&json, answer);
    result_put_params(*result, &json);
    if (answer->automaton != NULL)
        put_found(&json, &d);
    else
        put_simplified(&json, answer);
    put_stats(&json, answer->seconds, source);
    if (answer->automaton != NULL)
        result_put_automaton(&json, answer->automaton);
    return result_end(result, &json, error);
}

/* ---- convert ---- */

opac_status opac_result_of_convert(const opac_automaton *automaton, const char *name,
                                   double seconds, const opac_result_source *source,
                                   opac_result **result, opac_error *error)
{
    description d;
    opac_json json;
    TRY(describe(automaton, &d, error));
    TRY(result_begin("convert", source, result, &json, error));
    opac_json_key(&json, "inputs");
    opac_json_begin_object(&json);
    result_put_text(&json, "automaton", name);
    opac_json_end_object(&json);
    result_put_params(*result, &json);
    put_found(&json, &d);
    put_stats(&json, seconds, source);
    result_put_automaton(&json, automaton);
    return result_end(result, &json, error);
}
