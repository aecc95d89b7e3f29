/* SPDX-License-Identifier: MIT */
/*
 * Reads the decisions. Each one is parsed as a JSON text of its own, so that a million of them take no more
 * memory than the policy itself. Decisions in the format of opac_policy_write are read by policy_scan.h, in
 * a tenth of the time. Errors have the line of the decision.
 */
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/text.h"
#include "policy/policy_read.h"
#include "policy/policy_scan.h"

enum {
    MAX_LISTED = 120 /* bytes of names in a message */
};

typedef struct decision_reader {
    opac_policy *policy;
    policy_states *states;
    policy_entry_vec entries;
} decision_reader;

/* ---- choices ---- */

/* Unknown action: lists the actions of the state. */
static opac_status fail_action(const opac_policy *policy, uint32_t state, const char *action,
                               opac_error *error)
{
    base_text list = {0};
    char shown[OPAC_SHOWN_SIZE];
    uint32_t count = policy_domain_choices(&policy->domain, state);
    for (uint32_t a = 0; a < count; a++) {
        const char *name = opac_policy_action_name(policy, state, a);
        if (list.length > MAX_LISTED) {
            base_text_format(&list, ", and %u more", (unsigned)(count - a));
            break;
        }
        base_text_format(&list, "%s'%s'", a > 0 ? ", " : "",
                         opac_text_show(name, strlen(name), shown, sizeof shown));
    }
    opac_status status = base_text_check(&list, error);
    opac_text_show(action, strlen(action), shown, sizeof shown);
    if (status == OPAC_OK)
        status =
            base_fail(error, OPAC_ERROR_ARGUMENT, "action: the state has no action '%s', it has %s",
                      shown, base_text_get(&list));
    base_text_fini(&list);
    return status;
}

/* Finds an action by its number in the state. If a name is given, too, it must be the name of that action. */
static opac_status find_by_number(const opac_policy *policy, uint32_t state, base_json_value number,
                                  const char *action, uint32_t *choice, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], meant[OPAC_SHOWN_SIZE];
    uint64_t given = 0;
    uint32_t count = policy_domain_choices(&policy->domain, state);
    TRY(base_json_uint64(number, 0, count - 1, &given, error));
    *choice = (uint32_t)given;
    const char *name = opac_policy_action_name(policy, state, *choice);
    if (action == NULL || strcmp(name, action) == 0)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "action: found '%s', but the action of choice %u of the state is '%s'",
                     opac_text_show(action, strlen(action), shown, sizeof shown), (unsigned)given,
                     opac_text_show(name, strlen(name), meant, sizeof meant));
}

/* The number of actions with a name (NULL: any), and the last of them. */
static uint32_t count_called(const opac_policy *policy, uint32_t state, const char *action,
                             uint32_t *choice)
{
    uint32_t found = 0, count = policy_domain_choices(&policy->domain, state);
    for (uint32_t a = 0; a < count; a++)
        if (action == NULL || strcmp(opac_policy_action_name(policy, state, a), action) == 0) {
            *choice = a;
            found++;
        }
    return found;
}

/* Reads the action of a decision, given by its number or by a name that only one action has. */
static opac_status read_choice(const opac_policy *policy, base_json_value object, uint32_t state,
                               uint32_t *choice, opac_error *error)
{
    base_json_value name, number;
    const char *action = NULL;
    char shown[OPAC_SHOWN_SIZE];
    TRY(base_json_optional(object, "action", &name, error));
    TRY(base_json_optional(object, "choice", &number, error));
    if (base_json_is_there(name))
        TRY(base_json_string(name, &action, NULL, error));
    uint32_t found = count_called(policy, state, action, choice);
    if (found == 0)
        return fail_action(policy, state, action, error);
    if (base_json_is_there(number))
        return find_by_number(policy, state, number, action, choice, error);
    if (found == 1)
        return OPAC_OK;
    if (action == NULL)
        return base_fail(error, OPAC_ERROR_SYNTAX, "member 'action' or 'choice' is missing");
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "action: the state has %u actions '%s'; add 'choice' to select one",
                     (unsigned)found, opac_text_show(action, strlen(action), shown, sizeof shown));
}

/* ---- decisions ---- */

static opac_status read_memory(const decision_reader *reader, base_json_value object,
                               const char *name, uint32_t *memory, opac_error *error)
{
    base_json_value member;
    uint64_t value = 0;
    TRY(base_json_member(object, name, &member, error));
    TRY(base_json_uint64(member, 0, reader->policy->memory_count - 1, &value, error));
    *memory = (uint32_t)value;
    return OPAC_OK;
}

static opac_status read_decision(decision_reader *reader, base_json_value object, opac_error *error)
{
    static const char *const names[] = {"memory", "state", "values", "action", "choice", "next"};
    static const char *const of_simulator[] = {"memory", "state",  "key", "key_hex",
                                               "action", "choice", "next"};
    policy_decision decision = {0};
    uint32_t state = 0;
    TRY(opac_policy_has_keys(reader->policy)
            ? base_json_only(object, of_simulator, sizeof of_simulator / sizeof *of_simulator,
                             error)
            : base_json_only(object, names, sizeof names / sizeof *names, error));
    TRY(read_memory(reader, object, "memory", &decision.memory, error));
    TRY(policy_states_read(reader->states, object, &state, error));
    TRY(read_choice(reader->policy, object, state, &decision.action, error));
    TRY(read_memory(reader, object, "next", &decision.next, error));
    return policy_entry_add(&reader->entries, state, decision, error);
}

static opac_status read_item(decision_reader *reader, const policy_splitter *splitter,
                             opac_error *error)
{
    base_json *document;
    TRY(base_json_parse(splitter->text + splitter->item, splitter->item_length, &document, error));
    if (error != NULL)
        error->line = error->column = 0;
    opac_status status = read_decision(reader, base_json_root(document), error);
    base_json_free(document);
    return status;
}

/* Reads the next item if policy_scan_decision accepts it. */
static opac_status scan_item(decision_reader *reader, policy_splitter *splitter, bool *taken,
                             opac_error *error)
{
    const char *text;
    size_t length;
    policy_scanned found;
    *taken = policy_splitter_peek(splitter, &text, &length) &&
             policy_scan_decision(reader->policy, text, length, &found) &&
             policy_splitter_accept(splitter, found.length);
    return *taken ? policy_entry_add(&reader->entries, found.state, found.decision, error)
                  : OPAC_OK;
}

/* Reads the next item; *taken is false if there is none. */
static opac_status read_next(decision_reader *reader, policy_splitter *splitter, bool *taken,
                             opac_error *error)
{
    TRY(scan_item(reader, splitter, taken, error));
    if (*taken)
        return OPAC_OK;
    *taken = policy_splitter_next(splitter);
    return *taken ? read_item(reader, splitter, error) : OPAC_OK;
}

/* A second decision for a state and memory value; a second pass over the items finds its place. */
static opac_status fail_twice(const decision_reader *reader, policy_splitter *splitter,
                              uint32_t index, opac_error *error)
{
    const policy_entry *entry = &reader->entries.items[index];
    uint32_t first = 0;
    while (reader->entries.items[first].state != entry->state ||
           reader->entries.items[first].decision.memory != entry->decision.memory)
        first++;
    splitter->at = splitter->begin;
    splitter->at_end = false;
    for (uint32_t i = 0; i <= index; i++)
        policy_splitter_next(splitter);
    opac_status status = base_fail(error, OPAC_ERROR_ARGUMENT,
                                   "there already is a decision for memory %u in this state, "
                                   "decisions[%u]",
                                   (unsigned)entry->decision.memory, (unsigned)first);
    return policy_read_fail_item(splitter, "decisions", index, status, error);
}

opac_status policy_read_decisions(policy_splitter *splitter, policy_states *states,
                                  opac_policy *policy, opac_error *error)
{
    decision_reader reader = {.policy = policy, .states = states};
    opac_error local = {0};
    opac_status status = OPAC_OK;
    uint32_t twice = UINT32_MAX;
    bool taken = true;
    error = error != NULL ? error : &local;
    for (size_t index = 0; status == OPAC_OK && taken; index++) {
        status = read_next(&reader, splitter, &taken, error);
        if (status != OPAC_OK)
            status = policy_read_fail_item(splitter, "decisions", index, status, error);
    }
    if (status == OPAC_OK)
        status = policy_set_decisions(policy, &reader.entries, &twice, error);
    if (twice < reader.entries.count)
        status = fail_twice(&reader, splitter, twice, error);
    policy_entry_vec_fini(&reader.entries);
    return status;
}
