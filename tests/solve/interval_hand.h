/* SPDX-License-Identifier: MIT */
/* Interval processes written by hand; a run is accepted if it has mark 1 infinitely often. */
#ifndef TESTS_SOLVE_INTERVAL_HAND_H
#define TESTS_SOLVE_INTERVAL_HAND_H

#include "base/vec.h"
#include "graph/graph_builder.h"
#include "solve/solver.h"
#include "support/check.h"

typedef struct by_hand {
    graph_builder builder;
    base_double_vec lower, upper;
    base_u32_vec marks;
    uint64_t *wide_marks;
    double *unseen; /* by choice */
    graph_process process;
    solve_rabin_pair pair;
    solve_problem problem;
    solve_solver *solver;
    solve_interval_result result;
} by_hand;

static inline void by_hand_state(by_hand *h)
{
    assert_status(graph_builder_state(&h->builder, NULL), OPAC_OK);
}

static inline void by_hand_choice(by_hand *h, uint32_t mark)
{
    assert_status(graph_builder_choice(&h->builder, NULL), OPAC_OK);
    assert_status(base_u32_vec_push(&h->marks, mark, NULL), OPAC_OK);
}

static inline void by_hand_edge(by_hand *h, uint32_t target, double lower, double upper)
{
    assert_status(graph_builder_edge(&h->builder, target, 1, NULL), OPAC_OK);
    assert_status(base_double_vec_push(&h->lower, lower, NULL), OPAC_OK);
    assert_status(base_double_vec_push(&h->upper, upper, NULL), OPAC_OK);
}

/* A choice with one edge. */
static inline void by_hand_move(by_hand *h, uint32_t target, uint32_t mark)
{
    by_hand_choice(h, mark);
    by_hand_edge(h, target, 1, 1);
}

static inline void by_hand_end(by_hand *h)
{
    assert_status(graph_builder_finish(&h->builder, &h->process, NULL), OPAC_OK);
    size_t count = h->process.choice_count;
    h->wide_marks = malloc((count + 1) * sizeof *h->wide_marks);
    assert_non_null(h->wide_marks);
    for (size_t c = 0; c < count; c++)
        h->wide_marks[c] = h->marks.items[c];
    h->unseen = calloc(count + 1, sizeof *h->unseen);
    assert_non_null(h->unseen);
    h->pair = (solve_rabin_pair){.fin = 2, .inf = 1};
    h->problem = (solve_problem){.process = &h->process,
                                 .lower = h->lower.items,
                                 .upper = h->upper.items,
                                 .unseen = h->unseen,
                                 .marks = h->wide_marks,
                                 .pairs = &h->pair,
                                 .pair_count = 1};
    assert_status(solve_solver_new(&h->solver, NULL), OPAC_OK);
}

static inline void by_hand_solve(by_hand *h, double precision)
{
    opac_error error = {0};
    solve_options options = {.precision = precision};
    assert_ok(solve_run_intervals(h->solver, &h->problem, &options, &h->result, &error), &error);
}

static inline void by_hand_fini(by_hand *h)
{
    solve_solver_free(h->solver);
    graph_process_fini(&h->process);
    graph_builder_fini(&h->builder);
    base_double_vec_fini(&h->lower);
    base_double_vec_fini(&h->upper);
    base_u32_vec_fini(&h->marks);
    free(h->unseen);
    free(h->wide_marks);
}

#endif
