/* SPDX-License-Identifier: MIT */
/*
 * Reads policy files (omegapac.policy/1, docs/formats/policy.md), and checks all members against the model.
 *
 * Memory: the text, a copy of it without the decisions, and the parsed form of that copy. Decisions are
 * parsed one at a time.
 */
#include "policy/policy_read.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/text.h"
#include "model/propositions.h"

static const char schema[] = "omegapac.policy/1";
static const char family[] = "omegapac.policy/";

/* ---- texts ---- */

static opac_status copy_string(const char *text, size_t length, char **copy, opac_error *error)
{
    *copy = base_copy_text(text, length);
    return *copy != NULL ? OPAC_OK : base_fail_memory(error);
}

/* Reads an optional string. *text is unchanged if the member is missing or null. */
static opac_status read_text(base_json_value root, const char *name, const char **text,
                             size_t *length, opac_error *error)
{
    base_json_value member;
    TRY(base_json_optional(root, name, &member, error));
    if (!base_json_is_there(member) || base_json_kind_of(member) == BASE_JSON_NULL)
        return OPAC_OK;
    return base_json_string(member, text, length, error);
}

static opac_status check_schema(base_json_value root, opac_error *error)
{
    base_json_value member;
    const char *text = "";
    size_t length = 0;
    char shown[OPAC_SHOWN_SIZE];
    TRY(base_json_member(root, "schema", &member, error));
    TRY(base_json_string(member, &text, &length, error));
    if (strcmp(text, schema) == 0)
        return OPAC_OK;
    opac_text_show(text, length, shown, sizeof shown);
    return strncmp(text, family, strlen(family)) == 0
               ? base_fail(error, OPAC_ERROR_UNSUPPORTED,
                           "schema: unsupported version \"%s\", expected \"%s\"", shown, schema)
               : base_fail(error, OPAC_ERROR_SYNTAX,
                           "schema: not a policy, expected \"%s\", found \"%s\"", schema, shown);
}

/* ---- the objective ---- */

/* Adds the name of a member to an error in the text that is its value; the place in that text becomes a
 * part of the message. */
static opac_status fail_inside(const char *name, opac_status status, opac_error *error)
{
    char message[OPAC_MESSAGE_SIZE];
    if (error == NULL || status == OPAC_ERROR_MEMORY)
        return status;
    if (error->line > 0)
        snprintf(message, sizeof message, "%.40s: line %u, column %u: %.*s", name,
                 (unsigned)error->line, (unsigned)error->column, OPAC_MESSAGE_SIZE - 96,
                 error->message);
    else
        snprintf(message, sizeof message, "%.40s: %.*s", name, OPAC_MESSAGE_SIZE - 96,
                 error->message);
    return base_fail(error, status, "%s", message);
}

static opac_status read_formula(base_json_value root, opac_policy *policy, opac_error *error)
{
    const char *text = NULL;
    size_t length = 0;
    opac_formula *formula;
    TRY(read_text(root, "formula", &text, &length, error));
    if (text == NULL)
        return OPAC_OK;
    opac_status status = opac_formula_parse(text, NULL, &formula, error);
    if (status != OPAC_OK)
        return fail_inside("formula", status, error);
    opac_formula_free(formula);
    return copy_string(text, length, &policy->formula, error);
}

static opac_status read_objective(base_json_value root, opac_policy *policy, opac_error *error)
{
    const char *objective = "", *direction = "max";
    size_t length = 0, ignored;
    char shown[OPAC_SHOWN_SIZE];
    TRY(read_text(root, "objective", &objective, &length, error));
    TRY(copy_string(objective, length, &policy->objective, error));
    TRY(read_formula(root, policy, error));
    TRY(read_text(root, "direction", &direction, &ignored, error));
    policy->complement = strcmp(direction, "min") == 0;
    if (!policy->complement && strcmp(direction, "max") != 0)
        return base_fail(error, OPAC_ERROR_SYNTAX,
                         "direction: expected \"max\" or \"min\", found \"%s\"",
                         opac_text_show(direction, strlen(direction), shown, sizeof shown));
    return OPAC_OK;
}

/* ---- the model ---- */

static opac_status check_variables(base_json_value object, opac_error *error)
{
    base_json_value variables, item;
    size_t count = 0;
    const char *text;
    TRY(base_json_optional(object, "variables", &variables, error));
    if (base_json_is_there(variables))
        TRY(base_json_length(variables, &count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(base_json_at(variables, i, &item, error));
        TRY(base_json_string(item, &text, NULL, error));
    }
    return OPAC_OK;
}

/* Fails if the policy is for a model and there is none, or vice versa: the numbers and keys of states would
 * have no meaning. */
static opac_status check_type(base_json_value root, const opac_model *model, opac_error *error)
{
    base_json_value object;
    const char *type = "";
    TRY(base_json_optional(root, "model", &object, error));
    if (base_json_is_there(object))
        TRY(read_text(object, "type", &type, NULL, error));
    bool is_simulator = strcmp(type, "simulator") == 0;
    if (is_simulator && model != NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "this is the policy of a simulator, whose states have keys: it cannot be "
                         "used with a model");
    if (!is_simulator && model == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "this is the policy of a model: it cannot be used with a simulator or "
                         "without its model");
    return OPAC_OK;
}

/* The member model is informative, except that states without variables are identified by their numbers, so
 * the number of states must be the same. */
static opac_status check_model(base_json_value root, const opac_model *model, opac_error *error)
{
    static const char *const names[] = {"type", "states", "variables"};
    base_json_value object, states;
    const char *type;
    uint64_t count = opac_model_states(model);
    TRY(base_json_optional(root, "model", &object, error));
    if (!base_json_is_there(object))
        return OPAC_OK;
    TRY(base_json_only(object, names, sizeof names / sizeof *names, error));
    TRY(read_text(object, "type", &type, NULL, error));
    TRY(check_variables(object, error));
    TRY(base_json_optional(object, "states", &states, error));
    if (base_json_is_there(states))
        TRY(base_json_uint64(states, 1, UINT64_MAX, &count, error));
    if (model->layout.count == 0 && count != opac_model_states(model))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "model.states: the policy is for a model with %llu states, but this model "
                         "has %u, and without variables states are identified by number",
                         (unsigned long long)count, (unsigned)opac_model_states(model));
    return OPAC_OK;
}

/* ---- the automaton ---- */

static opac_status parse_automaton(const char *text, size_t length, opac_automaton **automaton,
                                   opac_error *error)
{
    opac_hoa_reader *reader = NULL;
    opac_automaton *second = NULL;
    opac_status status;
    TRY_OR(done, opac_hoa_reader_new(text, length, NULL, NULL, &reader, error));
    TRY_OR(done, opac_hoa_reader_next(reader, automaton, error));
    if (*automaton == NULL)
        TRY_OR(done, base_fail(error, OPAC_ERROR_SYNTAX, "the text contains no automaton"));
    TRY_OR(done, opac_hoa_reader_next(reader, &second, error));
    if (second != NULL)
        TRY_OR(done, base_fail(error, OPAC_ERROR_SYNTAX, "the text contains several automata"));
    /* HOA order numbers states by how they are reached, which needs an initial state. */
    if (*automaton != NULL && (*automaton)->state_count > 0 && (*automaton)->initial_count == 0)
        TRY_OR(done, base_fail(error, OPAC_ERROR_SYNTAX, "it has no initial state"));
done:
    opac_automaton_free(second);
    opac_hoa_reader_free(reader);
    return status;
}

static opac_status evaluate(const void *context, const char *proposition, uint64_t *bits,
                            opac_error *error)
{
    const opac_policy *policy = context;
    return policy_definitions_evaluate(&policy->definitions, policy->domain.model, proposition,
                                       bits, error);
}

/* Unknown propositions are not an error: the policy then has no letters, and uses its decisions only. */
static opac_status find_letters(opac_policy *policy, opac_error *error)
{
    const opac_automaton *automaton = policy->automaton;
    const char *const *names = (const char *const *)automaton->propositions;
    uint32_t states = opac_model_states(policy->domain.model);
    opac_error ignored;
    policy->letters = base_alloc(states, sizeof *policy->letters);
    if (policy->letters == NULL)
        return base_fail_memory(error);
    opac_status status = model_make_letters(states, names, automaton->proposition_count, evaluate,
                                            policy, policy->letters, &ignored);
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    if (status != OPAC_OK) {
        base_free(policy->letters);
        policy->letters = NULL;
    }
    return OPAC_OK;
}

static opac_status check_propositions(base_json_value root, const opac_policy *policy,
                                      opac_error *error)
{
    const opac_automaton *automaton = policy->automaton;
    base_json_value list, item;
    size_t count = 0, known = automaton != NULL ? automaton->proposition_count : 0;
    char shown[OPAC_SHOWN_SIZE], meant[OPAC_SHOWN_SIZE];
    TRY(base_json_optional(root, "propositions", &list, error));
    if (!base_json_is_there(list))
        return OPAC_OK;
    TRY(base_json_length(list, &count, error));
    for (size_t i = 0; i < count; i++) {
        const char *name;
        TRY(base_json_at(list, i, &item, error));
        TRY(base_json_string(item, &name, NULL, error));
        if (i < known && strcmp(name, automaton->propositions[i]) != 0)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "propositions[%zu]: found '%s', but the automaton has '%s'", i,
                             opac_text_show(name, strlen(name), shown, sizeof shown),
                             opac_text_show(automaton->propositions[i],
                                            strlen(automaton->propositions[i]), meant,
                                            sizeof meant));
    }
    if (count != known)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "propositions: found %zu, but the automaton has %zu", count, known);
    return OPAC_OK;
}

/* Adds a definition; fails if the model cannot evaluate it. */
static opac_status read_definition(base_json_value member, uint64_t *bits, opac_policy *policy,
                                   opac_error *error)
{
    char where[OPAC_SHOWN_SIZE + 16], shown[OPAC_SHOWN_SIZE];
    const char *expression;
    TRY(base_json_string(member, &expression, NULL, error));
    opac_status status = opac_model_evaluate(policy->domain.model, expression, bits, error);
    if (status == OPAC_OK)
        return policy_definitions_add(&policy->definitions, member.key, expression, error);
    snprintf(where, sizeof where, "meanings.%s",
             opac_text_show(member.key, strlen(member.key), shown, sizeof shown));
    return fail_inside(where, status, error);
}

static opac_status read_definitions(base_json_value root, opac_policy *policy, opac_error *error)
{
    base_json_value object, member = {0};
    opac_status status = OPAC_OK;
    TRY(base_json_optional(root, "meanings", &object, error));
    if (!base_json_is_there(object))
        return OPAC_OK;
    TRY(base_json_optional(object, "", &member, error)); /* fails if it is not an object */
    uint64_t *bits = base_alloc(opac_model_states(policy->domain.model) / 64 + 1, sizeof *bits);
    if (bits == NULL)
        return base_fail_memory(error);
    member = (base_json_value){0};
    while (status == OPAC_OK && base_json_next(object, &member))
        status = read_definition(member, bits, policy, error);
    base_free(bits);
    return status;
}

static opac_status read_automaton(base_json_value root, opac_policy *policy, opac_error *error)
{
    const char *text = NULL;
    size_t length = 0;
    TRY(read_text(root, "automaton", &text, &length, error));
    if (text != NULL) {
        opac_status status = parse_automaton(text, length, &policy->automaton, error);
        if (status != OPAC_OK)
            return fail_inside("automaton", status, error);
        if (policy->domain.model != NULL)
            TRY(find_letters(policy, error));
    }
    return check_propositions(root, policy, error);
}

/* ---- the whole ---- */

/* Checks that the items of the list were split off: here the array must be empty. */
static opac_status check_list(base_json_value root, const char *name, opac_error *error)
{
    base_json_value list;
    size_t count = 0;
    TRY(base_json_member(root, name, &list, error));
    TRY(base_json_length(list, &count, error));
    if (count > 0)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "%s: the name of this member must be written without escapes", name);
    return OPAC_OK;
}

/* The state of the reader. */
typedef struct policy_reading {
    policy_splitter states_splitter; /* the states of a simulator */
    char *without;                   /* the text without them; owned; NULL for a model */
    policy_splitter splitter;        /* the decisions */
    base_json *document;             /* all other members */
    policy_states states;
    opac_policy *policy;
} policy_reading;

static opac_status read_of_model(policy_reading *r, base_json_value root, opac_error *error)
{
    static const char *const names[] = {"schema", "objective",    "formula",  "direction",
                                        "model",  "propositions", "meanings", "automaton",
                                        "memory", "decisions"};
    opac_policy *policy = r->policy;
    TRY(base_json_only(root, names, sizeof names / sizeof *names, error));
    TRY(read_objective(root, policy, error));
    TRY(check_model(root, policy->domain.model, error));
    TRY(read_definitions(root, policy, error));
    return read_automaton(root, policy, error);
}

static opac_status read_of_simulator(policy_reading *r, base_json_value root, opac_error *error)
{
    static const char *const names[] = {"schema", "objective",    "formula",   "direction",
                                        "model",  "propositions", "automaton", "states",
                                        "memory", "decisions"};
    TRY(base_json_only(root, names, sizeof names / sizeof *names, error));
    TRY(read_objective(root, r->policy, error));
    TRY(read_automaton(root, r->policy, error));
    TRY(check_list(root, "states", error));
    return policy_read_simulator_states(&r->states_splitter, root, &r->states, r->policy, error);
}

static opac_status read_all(policy_reading *r, const opac_model *model, opac_error *error)
{
    base_json_value root = base_json_root(r->document);
    TRY(check_schema(root, error));
    TRY(check_type(root, model, error));
    TRY(model != NULL ? read_of_model(r, root, error) : read_of_simulator(r, root, error));
    TRY(policy_read_memory(root, &r->states, r->policy, error));
    TRY(check_list(root, "decisions", error));
    return policy_read_decisions(&r->splitter, &r->states, r->policy, error);
}

static opac_status parse_rest(const policy_splitter *splitter, base_json **document,
                              opac_error *error)
{
    size_t length;
    char *rest = policy_splitter_without_items(splitter, &length);
    if (rest == NULL)
        return base_fail_memory(error);
    opac_status status = base_json_parse(rest, length, document, error);
    base_free(rest);
    return status;
}

/* Splits off the states, if has_states, and then the decisions. */
static opac_status split_text(policy_reading *r, const char *text, size_t length, bool has_states,
                              opac_error *error)
{
    if (has_states) {
        policy_splitter_init(&r->states_splitter, text, length, "states");
        r->without = policy_splitter_without_items(&r->states_splitter, &length);
        if (r->without == NULL)
            return base_fail_memory(error);
        text = r->without;
    }
    policy_splitter_init(&r->splitter, text, length, "decisions");
    return parse_rest(&r->splitter, &r->document, error);
}

opac_status opac_policy_parse(const char *text, size_t length, const opac_model *model,
                              opac_policy **policy, opac_error *error)
{
    policy_reading r = {.without = NULL};
    opac_error local = {0};
    error = error != NULL ? error : &local;
    opac_status status;
    TRY_OR(done, split_text(&r, text, length, model == NULL, error));
    TRY_OR(done, policy_new(model, &r.policy, error));
    TRY_OR(done, policy_states_init(&r.states, &r.policy->domain, error));
    status = read_all(&r, model, error);
done:
    policy_states_fini(&r.states);
    base_json_free(r.document);
    base_free(r.without);
    if (status == OPAC_OK)
        *policy = r.policy;
    else
        opac_policy_free(r.policy);
    return status;
}

/* ---- files ---- */

opac_status opac_policy_read(const char *path, const opac_model *model, opac_policy **policy,
                             opac_error *error)
{
    base_text text = {0};
    opac_status status = base_text_read_file(&text, path, NULL, error);
    if (status == OPAC_OK)
        status = opac_policy_parse(base_text_get(&text), text.length, model, policy, error);
    base_text_fini(&text);
    return status;
}

/* Skips blanks and then the word; NULL if the word does not follow. */
static const char *skip_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    while (at != NULL && at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
        at++;
    bool found = at != NULL && (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
    return found ? at + length : NULL;
}

bool opac_policy_is_file(const char *text, size_t length)
{
    const char *end = text + length;
    const char *at = skip_word(text, end, "{");
    at = skip_word(at, end, "\"schema\"");
    at = skip_word(at, end, ":");
    at = skip_word(at, end, "\"omegapac.policy/");
    return at != NULL;
}
