/* SPDX-License-Identifier: MIT */
#include "report/report_automaton.h"

#include <string.h>

#include <omegapac/automaton.h>
#include <omegapac/drawing.h>

#include "result/members.h"

enum {
    MOST_STATES = 12, /* of an automaton with a picture */
    MOST_EDGES = 60,
    MOST_TEXT = 1024 * 1024 /* bytes of HOA that are read */
};

static opac_status describe(const opac_automaton *automaton, opac_json *json, opac_error *error)
{
    bool is_limit = false, is_deterministic = opac_automaton_is_deterministic(automaton);
    if (!is_deterministic)
        TRY(opac_automaton_is_limit_deterministic(automaton, &is_limit, error));
    result_put_text(json, "kind",
                    is_deterministic ? "deterministic"
                    : is_limit       ? "limit-deterministic"
                                     : "nondeterministic");
    result_put_uint(json, "states", opac_automaton_states(automaton));
    result_put_written(json, "name", automaton, opac_automaton_write_acceptance_name);
    result_put_written(json, "acceptance", automaton, opac_automaton_write_acceptance);
    return OPAC_OK;
}

static opac_status read(const char *hoa, opac_automaton **automaton, opac_error *error)
{
    opac_hoa_reader *reader = NULL;
    *automaton = NULL;
    TRY(opac_hoa_reader_new(hoa, strlen(hoa), NULL, NULL, &reader, error));
    opac_status status = opac_hoa_reader_next(reader, automaton, error);
    opac_hoa_reader_free(reader);
    if (status == OPAC_OK && *automaton == NULL)
        return base_fail(error, OPAC_ERROR_SYNTAX, "the text contains no automaton");
    return status;
}

static opac_status show(const char *hoa, opac_json *json, opac_output *picture, opac_error *error)
{
    opac_automaton *automaton;
    opac_error why = {0};
    opac_status status = read(hoa, &automaton, &why);
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    if (status != OPAC_OK) {
        result_put_text(json, "error", why.message);
        return OPAC_OK;
    }
    status = describe(automaton, json, error);
    if (status == OPAC_OK && opac_automaton_states(automaton) <= MOST_STATES &&
        opac_automaton_edges(automaton) <= MOST_EDGES)
        status = opac_automaton_write_svg(automaton, MOST_STATES, NULL, picture, error);
    opac_automaton_free(automaton);
    return status;
}

opac_status report_automaton(const char *hoa, opac_json *json, opac_output *picture,
                             opac_error *error)
{
    opac_status status = OPAC_OK;
    if (hoa == NULL) {
        opac_json_null(json);
        return OPAC_OK;
    }
    opac_json_begin_object(json);
    if (strlen(hoa) > MOST_TEXT)
        result_put_bool(json, "large", true);
    else
        status = show(hoa, json, picture, error);
    opac_json_end_object(json);
    return status;
}
