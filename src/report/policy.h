/* SPDX-License-Identifier: MIT */
/* A policy that was read from a result, and its pictures. */
#ifndef REPORT_POLICY_H
#define REPORT_POLICY_H

#include "report/states.h"

typedef struct report_decision {
    uint32_t state, memory, next;
    const char *action; /* shown; "#2" if it has no name */
} report_decision;
BASE_VEC(report_decision_vec, report_decision);

/* What runs begin with. */
typedef struct report_start {
    uint32_t state, memory;
} report_start;

typedef struct report_sheet {
    report_page *page;
    report_states states;
    report_decision_vec decisions; /* in the order of the result, */
    report_decision_vec sorted;    /* and by state and memory */
    base_u32_vec memories;         /* that have decisions */
    report_value policy, chain;
    report_start *starts;
    size_t start_count;
    double memory_count;
    size_t met; /* states that the policy, the chain and the run speak of: the first ones */
    bool uses_memory;
    bool names_matter; /* some action without a name is not the first of its state */
} report_sheet;

/* What it does there; NULL: nothing is decided. */
const report_decision *report_policy_find(const report_sheet *sheet, uint32_t state,
                                          uint32_t memory);
/* What it is for, as the heading of a picture. */
const char *report_policy_heading(const report_sheet *sheet);
/* The box of a picture, which the player knows by its id; a wide one is scrolled, not made
 * small. */
void report_policy_box(report_page *page, bool is_wide);
/* A member that is a small number; 0: it is not there. */
uint32_t report_small(report_page *page, report_value object, const char *name);

/* False: states are no places. */
bool report_policy_grid(const report_sheet *sheet);
/* False: there is no chain, it is too large, or its picture is, and folded. */
bool report_policy_graph(report_sheet *sheet);

#endif
