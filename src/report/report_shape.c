/* SPDX-License-Identifier: MIT */
/*
 * Tables of the members on whose type the script of the page relies. Members that the script only displays need no
 * entry.
 *
 * Paths: "a.b" is a member, "a.*" each member of an object, "a[]" each item of an array.
 */
#include "report/report_shape.h"

#include <string.h>

#include "result/result_read.h"

typedef enum type {
    OBJECT,
    ARRAY,
    TEXT,
    NUMBER,
    FLAG,
    SMALL, /* an unsigned 32-bit integer */
    SCALAR /* a text, number or boolean */
} type;

/* Paths of one type, separated by blanks. A NULL ends a list of rules. */
typedef struct rule {
    type wanted;
    const char *paths;
} rule;

static const rule rules[] = {
    {OBJECT, "certificate chain.edges[] findings[] forecast model results[] "
             "stats.trial summary.value"},
    {ARRAY, "chain.initial guarantee.assumes properties summary.steps"},
    {TEXT,
     "arguments[] call guarantee.T_check guarantee.end guarantee.exceeded guarantee.statement "
     "guarantee.refuted.by inputs.certificate inputs.formula inputs.model inputs.name "
     "inputs.simulator policy.digest policy.objective policy.path "
     "stats.trial.source"},
    {NUMBER, "chain.edges[].probability guarantee.confidence guarantee.error inputs.actions "
             "inputs.branching inputs.states params.at_least params.delta params.epsilon "
             "params.target policy.memory.count stats.candidates stats.known stats.pairs_seen "
             "stats.steps stats.trial.episodes stats.trial.wins "
             "summary.holds summary.judged summary.no summary.optimum summary.runs "
             "summary.undecided summary.within summary.yes trace[].known "
             "trace[].lower trace[].step trace[].truth trace[].upper trace[].value truth.optimum "
             "truth.policy"},
    {FLAG,
     "guarantee.T_found_is_bound guarantee.bracket guarantee.holds params.T_auto params.exact "
     "truth.contradicts"},
    {0, NULL}};

/* Members of a result, and of each item of the results of check. */
static const rule found_rules[] = {
    {OBJECT, "result.bracket result.upper_bound"},
    {ARRAY, "result.assumes"},
    {TEXT, "automaton inputs.objective result.answer result.bound result.direction result.exact "
           "result.kind result.reason result.statement result.verdict"},
    {NUMBER,
     "result.bracket.episodes result.bracket.least_steps result.bracket.most_steps "
     "result.bracket.target result.bracket.visits "
     "result.c result.confidence result.error result.error_with_slack result.initial[].lower "
     "result.initial[].upper result.lower result.optimum_upper result.rules.*.C "
     "result.rules.*.c result.rules.*.error result.rules.*.k result.rules.*.samples "
     "result.upper result.value stats.milliseconds stats.seconds"},
    {FLAG, "result.conforms result.holds result.is_bound result.one_policy result.precise"},
    {0, NULL}};

/* Lists of objects that identify states, and the members of these objects. */
static const char *const state_lists[] = {
    "policy.decisions", "policy.memory.start", "policy.states", "chain.nodes", "sample", "states"};
static const rule state_rules[] = {{TEXT, "action key key_hex labels[]"},
                                   {SMALL, "choice memory next"},
                                   {SCALAR, "state values.*"},
                                   {0, NULL}};

static opac_status check_type(base_json_value value, type wanted, opac_error *error)
{
    const char *text;
    base_json_value member;
    uint64_t number;
    size_t length;
    bool flag;
    base_json_kind kind = base_json_kind_of(value);
    switch (wanted) {
    case OBJECT:
        return base_json_optional(value, "", &member, error);
    case ARRAY:
        return base_json_length(value, &length, error);
    case TEXT:
        return base_json_string(value, &text, NULL, error);
    case FLAG:
        return base_json_bool(value, &flag, error);
    case SMALL:
        return base_json_uint64(value, 0, UINT32_MAX, &number, error);
    case SCALAR:
        if (kind == BASE_JSON_STRING || kind == BASE_JSON_BOOL)
            return OPAC_OK;
        break;
    case NUMBER:
        break;
    }
    return base_json_number_text(value, &text, error);
}

static opac_status check_rest(base_json_value value, const char *path, type wanted,
                              opac_error *error);

/* Checks one member. A member that is null counts as absent. */
static opac_status check_member(base_json_value value, const char *path, type wanted,
                                opac_error *error)
{
    if (!base_json_is_there(value) || base_json_kind_of(value) == BASE_JSON_NULL)
        return OPAC_OK;
    return check_rest(value, path, wanted, error);
}

static opac_status check_items(base_json_value array, const char *path, type wanted,
                               opac_error *error)
{
    size_t length;
    TRY(base_json_length(array, &length, error));
    for (size_t i = 0; i < length; i++) {
        base_json_value item;
        TRY(base_json_at(array, i, &item, error));
        TRY(check_rest(item, path, wanted, error));
    }
    return OPAC_OK;
}

/* `path` is the rest of the path after the value, such as ".b.c", "[].b" or ".*.b", ended by a blank or NUL. */
static opac_status check_rest(base_json_value value, const char *path, type wanted,
                              opac_error *error)
{
    char name[32];
    base_json_value member = {0};
    if (*path == '\0' || *path == ' ')
        return check_type(value, wanted, error);
    if (*path == '[')
        return check_items(value, path + 2, wanted, error);
    path += *path == '.';
    size_t length = strcspn(path, ".[ ");
    if (*path == '*') {
        TRY(check_type(value, OBJECT, error));
        while (base_json_next(value, &member))
            TRY(check_member(member, path + length, wanted, error));
        return OPAC_OK;
    }
    memcpy(name, path, length);
    name[length] = '\0';
    TRY(base_json_optional(value, name, &member, error));
    return check_member(member, path + length, wanted, error);
}

static opac_status check_all(base_json_value object, const rule *list, opac_error *error)
{
    for (; list->paths != NULL; list++)
        for (const char *path = list->paths; path != NULL; path = strchr(path, ' ')) {
            path += *path == ' ';
            TRY(check_rest(object, path, list->wanted, error));
        }
    return OPAC_OK;
}

/* Applies the rules to each item, if the value is a list. */
static opac_status check_each(base_json_value list, const rule *each, opac_error *error)
{
    for (size_t i = 0; i < result_count(list); i++)
        TRY(check_all(result_item(list, i), each, error));
    return OPAC_OK;
}

opac_status report_check_shape(base_json_value result, opac_error *error)
{
    TRY(check_all(result, rules, error));
    TRY(check_all(result, found_rules, error));
    TRY(check_each(result_get(result, "results"), found_rules, error));
    for (size_t i = 0; i < sizeof state_lists / sizeof *state_lists; i++) {
        if (i > 0) /* for a large policy the member is the number of decisions */
            TRY(check_rest(result, state_lists[i], ARRAY, error));
        TRY(check_each(result_get(result, state_lists[i]), state_rules, error));
    }
    return OPAC_OK;
}
