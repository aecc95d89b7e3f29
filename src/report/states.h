/* SPDX-License-Identifier: MIT */
/*
 * The states that a result speaks of, in its policy, its chain and its sample, known by how they
 * are named; with what holds in them and where they are, as far as the result says it.
 */
#ifndef REPORT_STATES_H
#define REPORT_STATES_H

#include "base/intern.h"
#include "base/vec.h"
#include "drawing/grid.h"
#include "report/sections.h"

typedef struct report_state {
    const char *place;  /* its name: "x=0, y=1", a key, or "state 3"; shown, and in the arena */
    const char *labels; /* "g, s"; "": none that is known */
    drawing_place at;
    bool has_place;
} report_state;
BASE_VEC(report_state_vec, report_state);

typedef struct report_states {
    base_intern names;
    report_state_vec items;
} report_states;

void report_states_init(report_states *states);
void report_states_fini(report_states *states);

/* The number of the state that an object of the result is about. */
uint32_t report_states_meet(report_states *states, report_page *page, report_value object);

#endif
