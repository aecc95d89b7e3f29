/* SPDX-License-Identifier: MIT */
/*
 * Compares the states of maximal probability 0 and 1 with an enumeration of all positional policies. In the
 * chain of a policy, the target is reached with probability 0 if there is no path to it, and with
 * probability 1 if all states that are reachable before the target have a path to it. Positional policies
 * suffice for both (Baier and Katoen, Principles of Model Checking, 2008, section 10.6.1).
 */
#include "graph/almost_sure.h"
#include "graph/graph_builder.h"
#include "shapes.h"
#include "small.h"
#include "support/check.h"

typedef struct verdict {
    uint32_t zero, one; /* masks */
} verdict;

/* successors: by state, 0 where there is no choice. */
static verdict judge_chain(uint32_t states, const uint32_t *successors, uint32_t target)
{
    verdict v = {0};
    uint32_t closure[SMALL_STATES], hopeless = 0;
    for (uint32_t s = 0; s < states; s++)
        closure[s] = target & bit(s) ? 0 : successors[s]; /* a run ends at the target */
    small_close(states, closure);
    for (uint32_t s = 0; s < states; s++)
        if (!((closure[s] | bit(s)) & target))
            hopeless |= bit(s);
    v.zero = hopeless;
    for (uint32_t s = 0; s < states; s++)
        if (!((closure[s] | bit(s)) & hopeless))
            v.one |= bit(s);
    return v;
}

/* The next policy in lexicographic order; `policy` holds choices or GRAPH_NONE. */
static bool next_policy(const small_process *small, uint32_t *policy)
{
    for (uint32_t s = 0; s < small->states; s++) {
        if (policy[s] == GRAPH_NONE)
            continue;
        uint32_t first = GRAPH_NONE, next = GRAPH_NONE;
        for (uint32_t c = small->choices; c-- > 0;)
            if (small->exists[c] && small->owner[c] == s) {
                first = c;
                next = c > policy[s] ? c : next;
            }
        policy[s] = next != GRAPH_NONE ? next : first;
        if (next != GRAPH_NONE)
            return true;
    }
    return false;
}

/* The maximal probability over all policies. */
static verdict judge_all(const small_process *small, uint32_t target)
{
    uint32_t policy[SMALL_STATES], successors[SMALL_STATES];
    verdict greatest = {small->inside, 0};
    for (uint32_t s = 0; s < small->states; s++)
        policy[s] = GRAPH_NONE;
    for (uint32_t c = small->choices; c-- > 0;)
        if (small->exists[c])
            policy[small->owner[c]] = c;
    do {
        for (uint32_t s = 0; s < small->states; s++)
            successors[s] = policy[s] != GRAPH_NONE ? small->successors[policy[s]] : 0;
        verdict v = judge_chain(small->states, successors, target);
        greatest.zero &= v.zero;
        greatest.one |= v.one;
    } while (next_policy(small, policy));
    return greatest;
}

/* The chain of the returned policy; states without a choice are deadlocks. */
static verdict judge_witness(const small_process *small, const uint32_t *choice, uint32_t count,
                             uint32_t target)
{
    uint32_t successors[SMALL_STATES] = {0};
    for (uint32_t s = 0; s < count; s++)
        if (choice[s] != GRAPH_NONE) {
            assert_true(small->exists[choice[s]]);
            assert_true(small->owner[choice[s]] == s);
            successors[s] = small->successors[choice[s]];
        }
    return judge_chain(small->states, successors, target);
}

/* Choices must be the first safe ones with a successor of the next lower rank; ranks must be minimal. */
static void check_ranks(const small_process *small, const graph_max_reached *max, uint32_t states)
{
    uint32_t one = mask_of(&max->one);
    for (uint32_t s = 0; s < states; s++) {
        uint32_t rank = GRAPH_NONE, choice = GRAPH_NONE;
        if ((one & bit(s)) && max->rank[s] == 0)
            rank = 0;
        else if (one & bit(s))
            for (uint32_t c = 0; c < small->choices; c++) {
                if (!small->exists[c] || small->owner[c] != s || (small->successors[c] & ~one))
                    continue;
                for (uint32_t t = 0; t < states; t++)
                    if ((small->successors[c] & bit(t)) && max->rank[t] + 1 < rank) {
                        rank = max->rank[t] + 1;
                        choice = c;
                    }
            }
        assert_int_equal(max->rank[s], rank);
        assert_int_equal(max->choice[s], choice);
    }
}

static void check_max(const small_case *sample, const small_process *small, uint32_t target,
                      verdict expected, const graph_max_reached *max)
{
    uint32_t states = sample->process.state_count, inside = small->inside & (bit(states) - 1);
    assert_int_equal(mask_of(&max->zero), expected.zero & inside);
    assert_int_equal(mask_of(&max->one), expected.one & inside);
    verdict witness = judge_witness(small, max->choice, states, target);
    assert_int_equal(mask_of(&max->one) & ~witness.one, 0);
    for (uint32_t s = 0; s < states; s++)
        assert_int_equal(max->rank[s] == 0, (target & bit(s)) != 0);
    for (uint32_t c = 0; c < small->choices; c++)
        assert_int_equal(base_bitset_has(&max->safe, c),
                         small->exists[c] && (mask_of(&max->one) & bit(small->owner[c])) &&
                             !(small->successors[c] & ~mask_of(&max->one)));
    check_ranks(small, max, states);
}

static void check_case(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    base_bitset goal;
    graph_max_reached max;
    opac_error error = {0};
    const graph_process *p = &sample->process;
    random_set(random, p->state_count, 20, &goal);
    small_process small = small_from(p, sample->part, LEAVING_RUN_IS_LOST);
    uint32_t target = mask_of(&goal) & small.inside;
    verdict expected = judge_all(&small, target);
    graph_reverse reverse = small_reverse(sample, random, workspace);
    graph_mec mec;
    assert_ok(graph_mec_find(p, sample->part, workspace, &mec, &error), &error);
    assert_ok(graph_max_reach(p, sample->part, &reverse, &mec, &goal, workspace, &max, &error),
              &error);
    check_max(sample, &small, target, expected, &max);
    base_bitset_fini(&goal);
}

static void sets_equal_all_policies(void **state)
{
    (void)state;
    for_each_small_case(9, random_rounds(50000, 200000), check_case);
}

/*
 * State i has a loop, and a choice that leads to the target or to state i-1; state 0 is a deadlock. No
 * state has value 1, but each is excluded only after the previous one: a naive nested fixed point would
 * need a pass over the process for each state.
 */
static void a_chain_of_excluded_states_is_linear(void **state)
{
    (void)state;
    enum {
        LENGTH = 20000
    };
    graph_builder builder = {0};
    graph_process process;
    graph_workspace workspace = {0};
    graph_reverse reverse;
    graph_mec mec;
    graph_max_reached max;
    base_bitset target;
    assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
    for (uint32_t s = 1; s <= LENGTH; s++) {
        shape_state(&builder);
        shape_edge(&builder, s);
        assert_status(graph_builder_choice(&builder, NULL), OPAC_OK);
        shape_edge(&builder, s - 1);
        shape_edge(&builder, LENGTH + 1);
    }
    assert_status(graph_builder_state(&builder, NULL), OPAC_OK);
    shape_done(&builder, &process);
    assert_status(base_bitset_init(&target, process.state_count, NULL), OPAC_OK);
    base_bitset_add(&target, LENGTH + 1);
    assert_status(graph_reverse_build(&process, (graph_part){0}, &workspace, &reverse, NULL),
                  OPAC_OK);
    assert_status(graph_mec_find(&process, (graph_part){0}, &workspace, &mec, NULL), OPAC_OK);
    assert_status(
        graph_max_reach(&process, (graph_part){0}, &reverse, &mec, &target, &workspace, &max, NULL),
        OPAC_OK);
    assert_int_equal(base_bitset_count(&max.zero), 1);
    assert_int_equal(base_bitset_count(&max.one), 1);
    assert_int_equal(max.undecided, LENGTH);
    base_bitset_fini(&target);
    graph_workspace_fini(&workspace);
    graph_process_fini(&process);
}

SUITE(almost_sure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_equal_all_policies),
        cmocka_unit_test(a_chain_of_excluded_states_is_linear),
    };
    return cmocka_run_group_tests_name("graph.almost_sure", tests, NULL, NULL);
}
