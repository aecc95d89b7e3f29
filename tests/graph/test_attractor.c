/* SPDX-License-Identifier: MIT */
/* Compares attractors, ranks and choices with the definition, rank by rank. */
#include "graph/attractor.h"
#include "small.h"
#include "support/check.h"

/* States outside `set` that join next: some choice has a successor in it. */
static uint32_t next_round(const small_process *small, uint32_t set)
{
    uint32_t joins = 0;
    for (uint32_t c = 0; c < small->choices; c++)
        if (small->exists[c] && (small->successors[c] & set) != 0)
            joins |= bit(small->owner[c]);
    return joins & ~set;
}

static void check_attractor(const small_process *small, uint32_t target,
                            const graph_attractor *attractor)
{
    uint32_t set = 0, joins = target & small->inside, rank = 0, next = 0;
    uint32_t ranks[SMALL_STATES];
    for (uint32_t s = 0; s < small->states; s++)
        ranks[s] = GRAPH_NONE;
    for (; joins != 0; rank++) {
        for (uint32_t s = 0; s < small->states; s++)
            if (joins & bit(s))
                ranks[s] = rank;
        set |= joins;
        joins = next_round(small, set);
    }
    assert_int_equal(mask_of(&attractor->states), set);
    for (uint32_t s = 0; s < small->states; s++)
        assert_int_equal(attractor->rank[s], ranks[s]);
    for (uint32_t i = 0, last = 0; i < attractor->count; i++, next++) {
        assert_true(ranks[attractor->order[i]] >= last);
        last = ranks[attractor->order[i]];
    }
    assert_int_equal(next, base_bitset_count(&attractor->states));
}

/* The choice must be the first with a successor of the next lower rank. */
static void check_witnesses(const small_process *small, const graph_attractor *attractor)
{
    for (uint32_t s = 0; s < small->states; s++) {
        uint32_t expected = GRAPH_NONE, rank = attractor->rank[s];
        bool joined = rank != GRAPH_NONE && rank > 0;
        for (uint32_t c = small->choices; c-- > 0 && joined;)
            for (uint32_t t = 0; t < small->states; t++)
                if (small->exists[c] && small->owner[c] == s && (small->successors[c] & bit(t)) &&
                    attractor->rank[t] + 1 == rank)
                    expected = c;
        assert_int_equal(attractor->choice[s], expected);
    }
}

static void check_case(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    base_bitset target;
    graph_attractor attractor;
    opac_error error = {0};
    const graph_process *p = &sample->process;
    random_set(random, p->state_count, 25, &target);
    small_process small = small_from(p, sample->part, LEAVING_EDGE_IS_CUT);
    graph_reverse reverse = small_reverse(sample, random, workspace);
    assert_ok(graph_attract_some(p, sample->part, &reverse, &target, workspace, &attractor, &error),
              &error);
    check_attractor(&small, mask_of(&target), &attractor);
    check_witnesses(&small, &attractor);
    base_bitset_fini(&target);
}

static void attractors_equal_the_definition(void **state)
{
    (void)state;
    for_each_small_case(6, 60000, check_case);
}

SUITE(attractor)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attractors_equal_the_definition),
    };
    return cmocka_run_group_tests_name("graph.attractor", tests, NULL, NULL);
}
