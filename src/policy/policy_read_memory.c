/* SPDX-License-Identifier: MIT */
/*
 * Reads the member memory of a policy file: the number of memory values, and the initial memory of each
 * initial state. Each initial state, and no other state, must have exactly one entry.
 */
#include "policy/policy_read.h"

#include <stdio.h>

#include <omegapac/text.h>

#include "base/alloc.h"

static opac_status read_count(base_json_value memory, opac_policy *policy, opac_error *error)
{
    base_json_value member;
    uint64_t count = 1;
    TRY(base_json_member(memory, "count", &member, error));
    TRY(base_json_uint64(member, 1, UINT32_MAX, &count, error));
    policy->memory_count = (uint32_t)count;
    if (policy->automaton == NULL)
        return OPAC_OK;
    uint32_t states = policy->automaton->state_count;
    if (count != (states > 0 ? states : 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "memory.count: found %u, but the automaton has %u states", (unsigned)count,
                         (unsigned)states);
    return OPAC_OK;
}

/* An error about an entry of memory.start, or about the list if where is NULL: the state, and a predicate. */
static opac_status fail_start(const opac_policy *policy, const char *where, uint32_t state,
                              const char *what, opac_error *error)
{
    const opac_model *model = policy->domain.model;
    opac_output *words = NULL;
    char shown[OPAC_SHOWN_SIZE];
    size_t length = 0;
    TRY(opac_output_open_memory(&words, error));
    if (model == NULL || model->layout.count == 0)
        opac_output_print(words, "state %u", (unsigned)state);
    else
        opac_model_write_state(model, state, words);
    const char *text = opac_output_bytes(words, &length);
    opac_status status = text == NULL
                             ? base_fail_memory(error)
                             : base_fail(error, OPAC_ERROR_ARGUMENT, "%s%s %s",
                                         where != NULL ? where : "memory.start: ",
                                         opac_text_show(text, length, shown, sizeof shown), what);
    opac_output_free(words);
    return status;
}

static opac_status read_entry(opac_policy *policy, policy_states *states, base_json_value entry,
                              base_bitset *seen, opac_error *error)
{
    static const char *const names[] = {"state", "values", "memory"};
    static const char *const of_simulator[] = {"state", "key", "key_hex", "memory"};
    base_json_value member;
    uint32_t state = 0;
    uint64_t memory = 0;
    TRY(states->domain->model != NULL
            ? base_json_only(entry, names, sizeof names / sizeof *names, error)
            : base_json_only(entry, of_simulator, sizeof of_simulator / sizeof *of_simulator,
                             error));
    TRY(policy_states_read(states, entry, &state, error));
    TRY(base_json_member(entry, "memory", &member, error));
    TRY(base_json_uint64(member, 0, policy->memory_count - 1, &memory, error));
    size_t at = policy_domain_find_initial(states->domain, state);
    if (at == seen->size)
        return fail_start(policy, states->where, state, "is not an initial state of the model",
                          error);
    if (base_bitset_has(seen, at))
        return fail_start(policy, states->where, state, "has an entry already", error);
    base_bitset_add(seen, at);
    policy->start[at] = (uint32_t)memory;
    return OPAC_OK;
}

static opac_status read_starts(base_json_value memory, policy_states *states, base_bitset *seen,
                               opac_policy *policy, opac_error *error)
{
    base_json_value list, entry;
    char where[48];
    const base_u32_vec *initial = policy_domain_initial(states->domain);
    size_t count = 0;
    opac_status status = OPAC_OK;
    TRY(base_json_member(memory, "start", &list, error));
    TRY(base_json_length(list, &count, error));
    states->where = where;
    for (size_t i = 0; i < count; i++) {
        snprintf(where, sizeof where, "memory.start[%zu]: ", i);
        TRY_OR(done, base_json_at(list, i, &entry, error));
        TRY_OR(done, read_entry(policy, states, entry, seen, error));
    }
    for (size_t i = 0; i < initial->count; i++)
        if (!base_bitset_has(seen, i))
            TRY_OR(done, fail_start(policy, NULL, initial->items[i],
                                    "is an initial state of the model, but has no entry", error));
done:
    states->where = "";
    return status;
}

opac_status policy_read_memory(base_json_value root, policy_states *states, opac_policy *policy,
                               opac_error *error)
{
    static const char *const names[] = {"count", "start"};
    base_json_value memory;
    base_bitset seen = {0};
    size_t initial = policy_domain_initial(states->domain)->count;
    TRY(base_json_member(root, "memory", &memory, error));
    TRY(base_json_only(memory, names, sizeof names / sizeof *names, error));
    TRY(read_count(memory, policy, error));
    policy->start = base_alloc_zeroed(initial, sizeof *policy->start);
    if (policy->start == NULL)
        return base_fail_memory(error);
    TRY(base_bitset_init(&seen, initial, error));
    opac_status status = read_starts(memory, states, &seen, policy, error);
    base_bitset_fini(&seen);
    return status;
}
