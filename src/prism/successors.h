/* SPDX-License-Identifier: MIT */
/*
 * The choices of states, as rows of successors that have no numbers yet.
 *
 *     choices        ├──┤──┼──┤     each has the branches up to its end
 *     rows           │  │  │  │     words each, with a probability beside it
 *
 * A batch holds the choices of some states that follow one another; the
 * explorer looks all their successors up at once (prism_states.h).
 */
#ifndef PRISM_SUCCESSORS_H
#define PRISM_SUCCESSORS_H

#include "prism/code_form.h"
#include "prism/plan.h"

typedef struct prism_choice {
    uint32_t action;  /* of the program */
    uint32_t command; /* in the plan; of the first part */
    size_t end;       /* of its branches */
} prism_choice;

BASE_VEC(prism_choice_vec, prism_choice);

typedef struct prism_batch {
    base_u64_vec rows;
    base_double_vec probabilities;
    base_double_vec low;   /* what probabilities lack, where choices are averaged */
    prism_ratio_vec exact; /* only with options->exact */
    prism_choice_vec choices;
    size_t count; /* of branches */
} prism_batch;

void prism_batch_fini(prism_batch *batch);

typedef struct prism_state {
    uint64_t visit; /* another one for each call of prism_successors */
    const int64_t *values;
    const uint64_t *row; /* not in the batch */
} prism_state;

typedef struct prism_run {
    prism_plan *plan;
    model_report *report;
    const opac_cancel *cancel;
    bool is_precise; /* all branches get their `low`, which an average needs; not with exact */
    base_u32_vec odometer; /* positions in the enabled commands of a step's parts */
} prism_run;

/* Appends the choices of a state; none when it is a deadlock. */
opac_status prism_successors(prism_run *run, const prism_state *state, prism_batch *batch,
                             opac_error *error);

/* Appends a choice that leads back, for a deadlock. */
opac_status prism_successors_loop(prism_run *run, const prism_state *state, prism_batch *batch,
                                  opac_error *error);

#endif
