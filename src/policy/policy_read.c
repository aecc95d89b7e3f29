/* SPDX-License-Identifier: MIT */
/*
 * Reading policies: omegapac.policy/1, see docs/formats/policy.md. Everything
 * that is there is checked against the model: what does not fit is an error.
 *
 * The text is held in memory, and once more with its decisions blanked out; of
 * the decisions one at a time is parsed.
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

/* A member that is a text, or null, or not there: then *text stays. */
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
                           "schema: this program reads \"%s\", and this is \"%s\"", schema, shown)
               : base_fail(error, OPAC_ERROR_SYNTAX,
                           "schema: this is no policy, expected \"%s\", got \"%s\"", schema, shown);
}

/* ---- what it is for ---- */

/* An error inside a text that is a value: its place is said in words. */
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
                         "direction: expected \"max\" or \"min\", got \"%s\"",
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

/* Whose policy it is must be known: a state's number, or key, means nothing to others. */
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
                         "the policy is a simulator's, and knows states by their keys: it says "
                         "nothing about a model");
    if (!is_simulator && model == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the policy is a model's, and needs it: it knows nothing of a "
                         "simulator's states");
    return OPAC_OK;
}

/* What is said of the model is for people; but by number alone, states are told only in the same
 * one. */
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
                         "model.states: the policy is for a model of %llu states, this one has "
                         "%u, and without variables a state is known by its number alone",
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
        TRY_OR(done, base_fail(error, OPAC_ERROR_SYNTAX, "there is none in the text"));
    TRY_OR(done, opac_hoa_reader_next(reader, &second, error));
    if (second != NULL)
        TRY_OR(done, base_fail(error, OPAC_ERROR_SYNTAX, "there are several in the text"));
    /* Its states could not be told apart by how they are reached, and would be numbered anyhow. */
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

/* Unknown propositions are no mistake: without meanings, a policy runs by its decisions. */
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
            return base_fail(
                error, OPAC_ERROR_ARGUMENT, "propositions[%zu]: '%s' is '%s' in the automaton", i,
                opac_text_show(name, strlen(name), shown, sizeof shown),
                opac_text_show(automaton->propositions[i], strlen(automaton->propositions[i]),
                               meant, sizeof meant));
    }
    if (count != known)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "propositions: there are %zu, but the automaton has %zu", count, known);
    return OPAC_OK;
}

/* A meaning that the model cannot make out is a mistake: so all are tried. */
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
    TRY(base_json_optional(object, "", &member, error)); /* is it an object? */
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

/* They are read apart; here the array is empty. */
static opac_status check_list(base_json_value root, const char *name, opac_error *error)
{
    base_json_value list;
    size_t count = 0;
    TRY(base_json_member(root, name, &list, error));
    TRY(base_json_length(list, &count, error));
    if (count > 0)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "%s: this name is read without escapes only", name);
    return OPAC_OK;
}

/* What becomes a policy, and the pieces of its text. */
typedef struct policy_reading {
    policy_splitter seen_split; /* the states of a simulator, */
    char *without;              /* and the text without them; owned; NULL: it has none */
    policy_splitter split;      /* the decisions */
    base_json *document;        /* all the rest */
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
    return policy_read_simulator_states(&r->seen_split, root, &r->states, r->policy, error);
}

static opac_status read_all(policy_reading *r, const opac_model *model, opac_error *error)
{
    base_json_value root = base_json_root(r->document);
    TRY(check_schema(root, error));
    TRY(check_type(root, model, error));
    TRY(model != NULL ? read_of_model(r, root, error) : read_of_simulator(r, root, error));
    TRY(policy_read_memory(root, &r->states, r->policy, error));
    TRY(check_list(root, "decisions", error));
    return policy_read_decisions(&r->split, &r->states, r->policy, error);
}

static opac_status parse_rest(const policy_splitter *split, base_json **document, opac_error *error)
{
    size_t length;
    char *rest = policy_splitter_without_items(split, &length);
    if (rest == NULL)
        return base_fail_memory(error);
    opac_status status = base_json_parse(rest, length, document, error);
    base_free(rest);
    return status;
}

/* The states are taken out first, if they are looked for, and then the decisions. */
static opac_status take_apart(policy_reading *r, const char *text, size_t length, bool has_states,
                              opac_error *error)
{
    if (has_states) {
        policy_splitter_init(&r->seen_split, text, length, "states");
        r->without = policy_splitter_without_items(&r->seen_split, &length);
        if (r->without == NULL)
            return base_fail_memory(error);
        text = r->without;
    }
    policy_splitter_init(&r->split, text, length, "decisions");
    return parse_rest(&r->split, &r->document, error);
}

opac_status opac_policy_parse(const char *text, size_t length, const opac_model *model,
                              opac_policy **policy, opac_error *error)
{
    policy_reading r = {.without = NULL};
    opac_error local = {0};
    error = error != NULL ? error : &local;
    opac_status status;
    TRY_OR(done, take_apart(&r, text, length, model == NULL, error));
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

/* Passes blanks and then the word; NULL when it is not there. */
static const char *pass(const char *at, const char *end, const char *word)
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
    const char *at = pass(text, end, "{");
    at = pass(at, end, "\"schema\"");
    at = pass(at, end, ":");
    at = pass(at, end, "\"omegapac.policy/");
    return at != NULL;
}
