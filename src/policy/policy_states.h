/* SPDX-License-Identifier: MIT */
/*
 * Finding the states of a model that a JSON text speaks of: by the values of
 * the variables, {"values": {"x": 1, "done": false}}; by number, {"state": 3},
 * when the model has no variables. Where several states have the same values,
 * the number says which.
 *
 * Or the states of a simulator: by their key, {"key": "2,1"} or {"key_hex": "00ff"}, or by their
 * number in the file's own list.
 */
#ifndef POLICY_STATES_H
#define POLICY_STATES_H

#include "base/json_read.h"
#include "base/slots.h"
#include "policy/domain.h"

typedef struct policy_states {
    const policy_domain *domain; /* borrowed; there may be more states later */
    unsigned char *bytes;        /* of a key; scratch */
    size_t bytes_capacity;
    bool is_indexed;   /* what follows is filled */
    base_slots slots;  /* rows of values ► states, the first of several with the same */
    base_bitset twice; /* of these, those that are not alone */
    uint64_t *row;     /* scratch */
    const char *where; /* before each message about what was read: "memory.start[0]: " */
} policy_states;

/*
 * The first state that is not the one of the given number costs a pass over all
 * of them, and 11 to 21 bytes for each.
 */
opac_status policy_states_init(policy_states *states, const policy_domain *domain,
                               opac_error *error);
void policy_states_fini(policy_states *states);

/* The key in an object; *key NULL: it has none. Borrowed until the next call. */
opac_status policy_states_key(policy_states *states, base_json_value object, const void **key,
                              size_t *length, opac_error *error);

/* The state of an object with the members "state" and "values", or "state" and a key. */
opac_status policy_states_read(policy_states *states, base_json_value object, uint32_t *state,
                               opac_error *error);

#endif
