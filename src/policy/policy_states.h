/* SPDX-License-Identifier: MIT */
/*
 * Finds the states that a policy file refers to. A state of a model is given by the values of its
 * variables, {"values": {"x": 1, "done": false}}, or by its number, {"state": 3}, if the model has no
 * variables. If several states have the same values, the number selects one.
 *
 * A state of a simulator is given by its key, {"key": "2,1"} or {"key_hex": "00ff"}, or by its number in the
 * list of the file.
 */
#ifndef POLICY_STATES_H
#define POLICY_STATES_H

#include "base/json_read.h"
#include "base/slots.h"
#include "policy/domain.h"

typedef struct policy_states {
    const policy_domain *domain; /* borrowed; states may be added to it later */
    unsigned char *bytes;        /* scratch for a key */
    size_t bytes_capacity;
    bool is_indexed;     /* the next two members are filled */
    base_slots slots;    /* row of values ► the first state with it */
    base_bitset repeats; /* the states in slots whose row another state has, too */
    uint64_t *row;       /* scratch */
    const char *where;   /* prefix of messages: "memory.start[0]: " */
} policy_states;

/*
 * The index is built when a state is first given by values without its correct number. That takes one pass
 * over all states, and 11 to 21 bytes for each.
 */
opac_status policy_states_init(policy_states *states, const policy_domain *domain,
                               opac_error *error);
void policy_states_fini(policy_states *states);

/* The key in an object, borrowed until the next call; *key is NULL if there is none. */
opac_status policy_states_key(policy_states *states, base_json_value object, const void **key,
                              size_t *length, opac_error *error);

/* The state of an object with the members "state" and "values", or "state" and a key. */
opac_status policy_states_read(policy_states *states, base_json_value object, uint32_t *state,
                               opac_error *error);

#endif
