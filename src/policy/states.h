/* SPDX-License-Identifier: MIT */
/*
 * Finding the states of a model that a JSON text speaks of: by the values of
 * the variables, {"values": {"x": 1, "done": false}}; by number, {"state": 3},
 * when the model has no variables. Where several states have the same values,
 * the number says which.
 */
#ifndef POLICY_STATES_H
#define POLICY_STATES_H

#include "base/bitset.h"
#include "base/json_read.h"
#include "base/slots.h"
#include "model/model.h"

typedef struct policy_states {
    const opac_model *model;
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
opac_status policy_states_init(policy_states *states, const opac_model *model, opac_error *error);
void policy_states_fini(policy_states *states);

/* The state of an object with the members "state" and "values". */
opac_status policy_states_read(policy_states *states, base_json_value object, uint32_t *state,
                               opac_error *error);

#endif
