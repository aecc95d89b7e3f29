/* SPDX-License-Identifier: MIT */
/*
 * Large random problems in which the graph does not decide most states. A state has two choices of two
 * edges to random states. Of every hundred states one is a winning sink, a dozen have no choices, and two
 * form a cycle that random edges leave.
 */
#ifndef TESTS_SOLVE_FIELDS_H
#define TESTS_SOLVE_FIELDS_H

#include "graph/graph_builder.h"
#include "solve/problem.h"
#include "support/check.h"
#include "support/random.h"

typedef struct field {
    graph_process process;
    uint64_t *marks;
    solve_rabin_pair pair;
    solve_problem problem;
} field;

static inline void field_choice(graph_builder *builder, uint32_t a, uint32_t b)
{
    assert_status(graph_builder_choice(builder, NULL), OPAC_OK);
    assert_status(graph_builder_edge(builder, a, a == b ? 1 : 0.5, NULL), OPAC_OK);
    if (a != b)
        assert_status(graph_builder_edge(builder, b, 0.5, NULL), OPAC_OK);
}

static inline void field_state(graph_builder *builder, uint64_t *random, uint32_t s,
                               uint32_t states)
{
    assert_status(graph_builder_state(builder, NULL), OPAC_OK);
    uint32_t kind = s % 100;
    if (kind >= 20 && kind < 32)
        return;
    if (kind == 10)
        field_choice(builder, s, s);
    else if (kind == 40 || kind == 41)
        field_choice(builder, s ^ 1, s ^ 1);
    else
        field_choice(builder, random_below(random, states), random_below(random, states));
    if (kind != 10)
        field_choice(builder, random_below(random, states), random_below(random, states));
}

static inline void field_init(field *f, uint64_t seed, uint32_t states)
{
    uint64_t random = random_seed(seed);
    graph_builder builder = {.weighted = true};
    for (uint32_t s = 0; s < states; s++)
        field_state(&builder, &random, s, states);
    assert_status(graph_builder_finish(&builder, &f->process, NULL), OPAC_OK);
    f->marks = calloc(f->process.choice_count, sizeof *f->marks);
    assert_non_null(f->marks);
    for (uint32_t s = 10; s < states; s += 100)
        f->marks[f->process.choice_begin[s]] = 1;
    f->pair = (solve_rabin_pair){.inf = 1};
    f->problem = (solve_problem){
        .process = &f->process, .marks = f->marks, .pairs = &f->pair, .pair_count = 1};
}

static inline void field_fini(field *f)
{
    graph_process_fini(&f->process);
    free(f->marks);
}

#endif
