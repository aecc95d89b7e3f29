/* SPDX-License-Identifier: MIT */
/*
 * Reads the states of a policy for a simulator, each as a JSON text of its own:
 *
 *     {"state": 0, "key": "2,1", "labels": ["goal"], "actions": ["north", "south"]}
 *
 * They become the domain of the policy. Its initial states are those with an entry in memory.start, so these
 * entries are read here, and again with the memory.
 */
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "policy/policy_read.h"

opac_status policy_read_fail_item(const policy_splitter *splitter, const char *name, size_t index,
                                  opac_status status, opac_error *error)
{
    char message[OPAC_MESSAGE_SIZE];
    if (error == NULL || status == OPAC_ERROR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s[%zu]: %.*s", name, index, OPAC_MESSAGE_SIZE - 48,
             error->message);
    base_fail_at(error, status, error->line, error->column, "%s", message);
    policy_splitter_locate(splitter, error);
    return status;
}

typedef struct seen_reader {
    opac_policy *policy;
    policy_states *states;
    base_u64_vec letters;
} seen_reader;

/* ---- a state ---- */

static opac_status read_label(const seen_reader *reader, base_json_value item, uint64_t *letter,
                              opac_error *error)
{
    const opac_automaton *automaton = reader->policy->automaton;
    uint32_t count = automaton != NULL ? automaton->proposition_count : 0, i = 0;
    char shown[OPAC_SHOWN_SIZE];
    const char *name;
    TRY(base_json_string(item, &name, NULL, error));
    while (i < count && strcmp(automaton->propositions[i], name) != 0)
        i++;
    if (i == count)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "labels: '%s' is not a proposition of the automaton",
                         opac_text_show(name, strlen(name), shown, sizeof shown));
    *letter |= UINT64_C(1) << i;
    return OPAC_OK;
}

static opac_status read_labels(const seen_reader *reader, base_json_value object, uint64_t *letter,
                               opac_error *error)
{
    base_json_value list, item;
    size_t count = 0;
    TRY(base_json_optional(object, "labels", &list, error));
    if (base_json_is_there(list))
        TRY(base_json_length(list, &count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(base_json_at(list, i, &item, error));
        TRY(read_label(reader, item, letter, error));
    }
    return OPAC_OK;
}

/* Reads the actions, given as a number or as a list of names. */
static opac_status read_actions(const seen_reader *reader, base_json_value object,
                                opac_error *error)
{
    policy_domain *domain = &reader->policy->domain;
    base_json_value actions, item;
    const char *name = "";
    uint64_t number = 0;
    size_t count = 0;
    TRY(base_json_member(object, "actions", &actions, error));
    bool is_number = base_json_kind_of(actions) == BASE_JSON_NUMBER;
    TRY(is_number ? base_json_uint64(actions, 0, POLICY_MAX_UNNAMED_ACTIONS, &number, error)
                  : base_json_length(actions, &count, error));
    for (uint64_t a = 0; a < number; a++)
        TRY(policy_domain_add_action(domain, "", error));
    for (size_t a = 0; a < count; a++) {
        TRY(base_json_at(actions, a, &item, error));
        TRY(base_json_string(item, &name, NULL, error));
        TRY(policy_domain_add_action(domain, name, error));
    }
    return OPAC_OK;
}

/* The number of a state, if given, must be its index in the list. */
static opac_status check_number(base_json_value object, uint64_t index, opac_error *error)
{
    base_json_value member;
    uint64_t number = index;
    TRY(base_json_optional(object, "state", &member, error));
    if (base_json_is_there(member))
        TRY(base_json_uint64(member, 0, UINT64_MAX, &number, error));
    if (number != index)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "state: found %llu, but the index in the list is %llu",
                         (unsigned long long)number, (unsigned long long)index);
    return OPAC_OK;
}

static opac_status read_state(seen_reader *reader, base_json_value object, opac_error *error)
{
    static const char *const names[] = {"state", "key", "key_hex", "labels", "actions"};
    policy_domain *domain = &reader->policy->domain;
    char shown[OPAC_SHOWN_SIZE];
    uint64_t letter = 0;
    uint32_t state;
    const void *key = NULL;
    size_t length;
    bool is_new = false;
    TRY(base_json_only(object, names, sizeof names / sizeof *names, error));
    TRY(check_number(object, policy_domain_states(domain), error));
    TRY(policy_states_key(reader->states, object, &key, &length, error));
    if (key == NULL)
        return base_fail(error, OPAC_ERROR_SYNTAX, "member 'key' is missing");
    TRY(read_labels(reader, object, &letter, error));
    TRY(policy_domain_add(domain, key, length, &state, &is_new, error));
    if (!is_new)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "key: '%s' is the key of states[%u] already",
                         opac_text_show(key, length, shown, sizeof shown), (unsigned)state);
    TRY(base_u64_vec_push(&reader->letters, letter, error));
    return read_actions(reader, object, error);
}

/* ---- all states ---- */

static opac_status read_item(seen_reader *reader, const policy_splitter *splitter,
                             opac_error *error)
{
    base_json *document;
    TRY(base_json_parse(splitter->text + splitter->item, splitter->item_length, &document, error));
    error->line = error->column = 0;
    opac_status status = read_state(reader, base_json_root(document), error);
    base_json_free(document);
    return status;
}

static opac_status read_states(seen_reader *reader, policy_splitter *splitter, opac_error *error)
{
    for (size_t i = 0; policy_splitter_next(splitter); i++) {
        opac_status status = read_item(reader, splitter, error);
        if (status != OPAC_OK)
            return policy_read_fail_item(splitter, "states", i, status, error);
    }
    return OPAC_OK;
}

static opac_status read_starts(seen_reader *reader, base_json_value root, opac_error *error)
{
    base_json_value memory, list, entry;
    base_bitset initial = {0};
    char where[48];
    uint32_t state;
    size_t count = 0;
    opac_status status;
    TRY(base_json_member(root, "memory", &memory, error));
    TRY(base_json_member(memory, "start", &list, error));
    TRY(base_json_length(list, &count, error));
    if (count == 0)
        return base_fail(error, OPAC_ERROR_SYNTAX, "memory.start: expected at least one entry");
    TRY(base_bitset_init(&initial, policy_domain_states(&reader->policy->domain), error));
    reader->states->where = where;
    for (size_t i = 0; i < count; i++) {
        snprintf(where, sizeof where, "memory.start[%zu]: ", i);
        TRY_OR(done, base_json_at(list, i, &entry, error));
        TRY_OR(done, policy_states_read(reader->states, entry, &state, error));
        base_bitset_add(&initial, state);
    }
    status = policy_domain_set_initial(&reader->policy->domain, &initial, error);
done:
    reader->states->where = "";
    base_bitset_fini(&initial);
    return status;
}

static opac_status check_count(const seen_reader *reader, base_json_value root, opac_error *error)
{
    static const char *const names[] = {"type", "states"};
    base_json_value object, member;
    uint64_t count = policy_domain_states(&reader->policy->domain), given = count;
    TRY(base_json_member(root, "model", &object, error));
    TRY(base_json_only(object, names, sizeof names / sizeof *names, error));
    TRY(base_json_optional(object, "states", &member, error));
    if (base_json_is_there(member))
        TRY(base_json_uint64(member, 1, UINT64_MAX, &given, error));
    if (given != count)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "model.states: found %llu, but the list has %llu states",
                         (unsigned long long)given, (unsigned long long)count);
    return OPAC_OK;
}

opac_status policy_read_simulator_states(policy_splitter *splitter, base_json_value root,
                                         policy_states *states, opac_policy *policy,
                                         opac_error *error)
{
    seen_reader reader = {.policy = policy, .states = states};
    opac_status status = read_states(&reader, splitter, error);
    policy->letters = reader.letters.items;
    TRY(status);
    TRY(check_count(&reader, root, error));
    return read_starts(&reader, root, error);
}
