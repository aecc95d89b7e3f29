/* SPDX-License-Identifier: MIT */
/*
 * Collects the states in a result's policy, chain and sample, identified by their names, with the labels and
 * coordinates that the result contains. The result must have passed report_check_shape.
 */
#ifndef REPORT_STATES_H
#define REPORT_STATES_H

#include "base/intern.h"
#include "base/json_read.h"
#include "base/vec.h"
#include "drawing/draw_grid.h"

typedef struct report_state {
    const char *name;   /* "x=0, y=1", a key, or "state 3"; escaped, in the arena */
    const char *labels; /* "g, s"; "" if none are known */
    drawing_position at;
    bool has_place;
} report_state;
BASE_VEC(report_state_vec, report_state);

typedef struct report_states {
    base_intern names;
    report_state_vec items;
    base_arena arena;
} report_states;

void report_states_init(report_states *states);
void report_states_fini(report_states *states);

/* Adds the state that an object of the result identifies, and sets *number. */
opac_status report_states_add(report_states *states, base_json_value object, uint32_t *number,
                              opac_error *error);

#endif
