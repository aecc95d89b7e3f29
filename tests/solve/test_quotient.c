/* SPDX-License-Identifier: MIT */
/* Checks the specification of quotients (quotient.h), recomputed state by state. */
#include <math.h>

#include "chains.h"
#include "fields.h"
#include "graphs.h"
#include "solve/quotient.h"
#include "support/brute.h"
#include "support/faults.h"
#include "support/quotient_maker.h"

typedef struct scene {
    const solve_problem *problem;
    graphs g;
    solve_quotient q;
} scene;

static bool is_undecided(const scene *x, uint32_t s)
{
    return !base_bitset_has(&x->g.reached.one, s) && !base_bitset_has(&x->g.reached.zero, s);
}

/* Nodes are the classes of undecided states under "in one end component". */
static void check_nodes(const scene *x)
{
    const graph_process *process = x->problem->process;
    uint32_t seen = 0;
    for (uint32_t s = 0; s < process->state_count; s++) {
        assert_int_equal(x->q.node[s] != GRAPH_NONE, is_undecided(x, s));
        if (x->q.node[s] == GRAPH_NONE)
            continue;
        assert_true(x->q.node[s] < x->q.node_count);
        seen |= chain_bit(x->q.node[s]);
        for (uint32_t t = 0; t < s; t++)
            if (is_undecided(x, t))
                assert_int_equal(x->q.node[s] == x->q.node[t],
                                 x->g.winning.mec.component[s] != GRAPH_NONE &&
                                     x->g.winning.mec.component[s] ==
                                         x->g.winning.mec.component[t]);
    }
    assert_int_equal(seen, chain_bit(x->q.node_count) - 1);
}

/* Equal up to three roundings, of a sum divided by a sum; exactly equal if nothing was divided. */
static void assert_share(double share, long double part, long double leaving, bool divided)
{
    if (divided)
        assert_true(fabsl(share - part / leaving) <= 0x1.9p-52L * part / leaving);
    else
        assert_true(share == (double)part);
}

/* One row against the edges of the choice of the process, without the loop. */
static void check_row(const scene *x, uint32_t node, uint32_t c)
{
    const graph_process *process = x->problem->process;
    const solve_quotient *q = &x->q;
    long double sum[CHAIN_STATES] = {0}, gain = 0, loss = 0;
    uint32_t targets = 0, own = q->choice[c];
    for (uint32_t e = process->edge_begin[own]; e < process->edge_begin[own + 1]; e++) {
        uint32_t t = process->target[e];
        if (q->node[t] != GRAPH_NONE) {
            sum[q->node[t]] += process->prob[e];
            targets |= chain_bit(q->node[t]);
        } else if (base_bitset_has(q->complement ? &x->g.reached.zero : &x->g.reached.one, t)) {
            gain += process->prob[e];
        } else {
            loss += process->prob[e];
        }
    }
    bool loops = (targets & chain_bit(node)) != 0;
    long double leaving = gain + loss;
    targets &= ~chain_bit(node);
    for (uint32_t n = 0; n < q->node_count; n++)
        leaving += n != node ? sum[n] : 0;
    assert_share(q->gain[c], gain, leaving, loops);
    assert_share(q->loss[c], loss, leaving, loops);
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++) {
        assert_true(targets & chain_bit(q->target[e])); /* there, and once */
        targets &= ~chain_bit(q->target[e]);
        assert_share(q->prob[e], sum[q->target[e]], leaving, loops);
    }
    assert_int_equal(targets, 0);
}

/* Every choice of an undecided state is either inside or once in the rows of its node. */
static void check_rows(const scene *x)
{
    const graph_process *process = x->problem->process;
    const solve_quotient *q = &x->q;
    uint32_t met = 0;
    assert_int_equal(q->choice_begin[0], 0);
    assert_int_equal(q->choice_begin[q->node_count], q->choice_count);
    assert_int_equal(q->edge_begin[q->choice_count], q->edge_count);
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            bool stays = is_undecided(x, s) && base_bitset_has(&x->g.winning.mec.choices, c);
            uint32_t times = 0;
            assert_int_equal(base_bitset_has(&q->inside, c), stays);
            for (uint32_t n = 0; n < q->node_count; n++)
                for (uint32_t i = q->choice_begin[n]; i < q->choice_begin[n + 1]; i++)
                    if (q->choice[i] == c) {
                        assert_int_equal(n, q->node[s]);
                        times++;
                    }
            assert_int_equal(times, is_undecided(x, s) && !stays);
            met += times;
        }
    assert_int_equal(met, q->choice_count);
    for (uint32_t n = 0; n < q->node_count; n++)
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            check_row(x, n, c);
}

static uint32_t block_of(const solve_quotient *q, uint32_t n)
{
    uint32_t b = 0;
    while (n >= q->block_begin[b + 1])
        b++;
    return b;
}

/* Blocks are the classes of mutual reachability, in order, with their levels. */
static void check_blocks(const scene *x)
{
    const solve_quotient *q = &x->q;
    uint32_t reach[CHAIN_STATES] = {0}, level[CHAIN_STATES] = {0}, levels = 0;
    assert_int_equal(q->block_begin[0], 0);
    assert_int_equal(q->block_begin[q->block_count], q->node_count);
    for (uint32_t n = 0; n < q->node_count; n++) {
        uint32_t b = block_of(q, n);
        reach[n] |= chain_bit(n);
        for (uint32_t e = q->edge_begin[q->choice_begin[n]];
             e < q->edge_begin[q->choice_begin[n + 1]]; e++) {
            uint32_t other = block_of(q, q->target[e]);
            assert_true(other <= b);
            reach[n] |= chain_bit(q->target[e]);
            if (other < b && level[b] < level[other] + 1)
                level[b] = level[other] + 1;
        }
    }
    for (uint32_t k = 0; k < q->node_count; k++)
        for (uint32_t n = 0; n < q->node_count; n++)
            if (reach[n] & chain_bit(k))
                reach[n] |= reach[k];
    for (uint32_t n = 0; n < q->node_count; n++)
        for (uint32_t k = 0; k < q->node_count; k++)
            assert_int_equal(block_of(q, n) == block_of(q, k),
                             (reach[n] & chain_bit(k)) != 0 && (reach[k] & chain_bit(n)) != 0);
    for (uint32_t b = 0; b < q->block_count; b++) {
        assert_true(q->block_begin[b] < q->block_begin[b + 1]);
        assert_int_equal(q->level[b], level[b]);
        levels = level[b] + 1 > levels ? level[b] + 1 : levels;
    }
    assert_int_equal(q->level_count, levels);
}

/* Whether the choice of the process leaves the set of nodes with positive probability. */
static bool choice_leaves(const scene *x, uint32_t c, uint32_t set)
{
    const graph_process *process = x->problem->process;
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        uint32_t n = x->q.node[process->target[e]];
        if (n == GRAPH_NONE || !(set & chain_bit(n)))
            return true;
    }
    return false;
}

/* The quotient has no end component: the largest set of nodes in which a policy can stay forever is empty. */
static void check_nothing_stays(const scene *x)
{
    const solve_quotient *q = &x->q;
    uint32_t set = chain_bit(q->node_count) - 1;
    for (uint32_t before = 0; before != set;) {
        before = set;
        for (uint32_t n = 0; n < q->node_count; n++) {
            bool stays = false;
            for (uint32_t i = q->choice_begin[n]; i < q->choice_begin[n + 1]; i++)
                stays = stays || !choice_leaves(x, q->choice[i], set);
            set &= stays ? ~UINT32_C(0) : ~chain_bit(n);
        }
    }
    assert_int_equal(set, 0);
}

static void check_same(const solve_quotient *a, const solve_quotient *b)
{
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->choice_count, b->choice_count);
    assert_int_equal(a->edge_count, b->edge_count);
    assert_int_equal(a->block_count, b->block_count);
    assert_int_equal(a->level_count, b->level_count);
    assert_memory_equal(a->choice, b->choice, a->choice_count * sizeof *a->choice);
    assert_memory_equal(a->target, b->target, a->edge_count * sizeof *a->target);
    assert_memory_equal(a->prob, b->prob, a->edge_count * sizeof *a->prob);
    assert_memory_equal(a->gain, b->gain, a->choice_count * sizeof *a->gain);
    assert_true(base_bitset_equal(&a->inside, &b->inside));
}

static void check_problem(const solve_problem *problem, bool complement, graph_workspace *workspace)
{
    scene x = {.problem = problem};
    solve_quotient again;
    opac_error error = {0};
    graph_place place = graph_workspace_mark(workspace);
    assert_ok(graphs_find(problem, workspace, &x.g, &error), &error);
    assert_ok(solve_quotient_of_components(problem, &x.g.reached.zero, &x.g.reached.one, complement,
                                           &x.g.winning.mec, workspace, &x.q, &error),
              &error);
    assert_int_equal(x.q.complement, complement);
    check_nodes(&x);
    check_rows(&x);
    check_blocks(&x);
    check_nothing_stays(&x);
    assert_ok(quotient_build(problem, &x.g.reached.zero, &x.g.reached.one, complement, workspace,
                             &again, &error),
              &error);
    check_same(&x.q, &again);
    graph_workspace_release(workspace, place);
}

static void random_quotients_satisfy_the_specification(void **state)
{
    (void)state;
    static const random_shape shapes[] = {
        {6, 2, 2}, {12, 2, 2}, {12, 3, 3}, {8, 2, 16}, {12, 1, 2}};
    uint64_t random = random_seed(510);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < 10000; i++) {
        brute_case drawn;
        brute_draw(&random, shapes[i % 5], (brute_kind)random_below(&random, BRUTE_KINDS), &drawn);
        solve_problem problem = brute_problem(&drawn);
        check_problem(&problem, random_below(&random, 2) == 0, &workspace);
        brute_fini(&drawn);
    }
    graph_workspace_fini(&workspace);
}

/*
 * 0 and 1 lead to each other and each has a choice that may leave; that of 1 returns to the component or is
 * decided. The result is one node with the choices of both, without the loop.
 */
static void a_component_becomes_a_node(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    scene x;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_move(&h, 0, 1);
    hand_choice(&h, 0);
    hand_edge(&h, 2, 0.25);
    hand_edge(&h, 3, 0.75);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_choice(&h, 0);
    hand_edge(&h, 0, 0.125);
    hand_edge(&h, 3, 0.25);
    hand_edge(&h, 1, 0.125);
    hand_edge(&h, 2, 0.5);
    hand_state(&h);
    hand_move(&h, 1, 2);
    hand_state(&h);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    for (int complement = 0; complement < 2; complement++)
        check_problem(&h.problem, complement != 0, &workspace);
    x.problem = &h.problem;
    assert_status(graphs_find(&h.problem, &workspace, &x.g, NULL), OPAC_OK);
    assert_status(quotient_build(&h.problem, &x.g.reached.zero, &x.g.reached.one, false, &workspace,
                                 &x.q, NULL),
                  OPAC_OK);
    assert_int_equal(x.q.node_count, 1);
    assert_int_equal(x.q.choice_count, 2);
    assert_int_equal(x.q.edge_count, 0);
    assert_true(x.q.gain[0] == 0.25);
    assert_true(x.q.gain[1] == 0.5 / 0.75);
    assert_true(x.q.loss[1] == 0.25 / 0.75);
    assert_true(base_bitset_has(&x.q.inside, 0));
    assert_true(base_bitset_has(&x.q.inside, 2));
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/* The sum of ten tenths in doubles, added in order, is less than one. */
static void sums_are_rounded_once(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    graphs g;
    solve_quotient q;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_choice(&h, 0);
    for (int i = 0; i < 10; i++)
        hand_edge(&h, 1, 0.1 / 2);
    for (int i = 0; i < 10; i++)
        hand_edge(&h, 2, 0.1 / 2);
    hand_state(&h);
    hand_choice(&h, 0);
    for (int i = 0; i < 10; i++)
        hand_edge(&h, 2, 0.1 / 2);
    for (int i = 0; i < 10; i++)
        hand_edge(&h, 3, 0.1 / 2);
    hand_state(&h);
    hand_move(&h, 1, 2);
    hand_state(&h);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
    assert_status(
        quotient_build(&h.problem, &g.reached.zero, &g.reached.one, false, &workspace, &q, NULL),
        OPAC_OK);
    assert_int_equal(q.edge_count, 1);
    assert_true(q.prob[0] == 0.5);
    assert_true(q.gain[0] == 0.5);
    assert_true(q.gain[1] == 0.5);
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/* In a block the last state comes first. */
static void blocks_are_in_descending_order(void **state)
{
    (void)state;
    enum {
        STATES = 9
    };
    graph_workspace workspace = {0};
    graphs g;
    solve_quotient q;
    hand h;
    hand_begin(&h);
    for (uint32_t s = 0; s < STATES; s++) {
        hand_state(&h);
        hand_choice(&h, 0);
        hand_edge(&h, (s + 4) % STATES, 0.5);
        hand_edge(&h, STATES + s % 2, 0.5);
    }
    hand_state(&h);
    hand_move(&h, 1, STATES);
    hand_state(&h);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    assert_status(graphs_find(&h.problem, &workspace, &g, NULL), OPAC_OK);
    assert_status(
        quotient_build(&h.problem, &g.reached.zero, &g.reached.one, false, &workspace, &q, NULL),
        OPAC_OK);
    assert_int_equal(q.block_count, 1);
    for (uint32_t s = 0; s < STATES; s++)
        assert_int_equal(q.node[s], STATES - 1 - s);
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

static opac_status build_fresh(void *context, opac_error *error)
{
    const scene *x = context;
    graph_workspace workspace = {0};
    solve_quotient q;
    opac_status status = quotient_build(x->problem, &x->g.reached.zero, &x->g.reached.one, false,
                                        &workspace, &q, error);
    if (status != OPAC_OK)
        assert_int_equal(workspace.in_use, 0);
    graph_workspace_fini(&workspace);
    return status;
}

static void every_failure_is_reported(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    field f;
    field_init(&f, 511, 3000);
    scene x = {.problem = &f.problem};
    assert_status(graphs_find(&f.problem, &workspace, &x.g, NULL), OPAC_OK);
    assert_in_range(faults_sweep(build_fresh, &x), 4, 200);
    graph_workspace_fini(&workspace);
    field_fini(&f);
}

SUITE(quotient)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_quotients_satisfy_the_specification),
        cmocka_unit_test(a_component_becomes_a_node),
        cmocka_unit_test(sums_are_rounded_once),
        cmocka_unit_test(blocks_are_in_descending_order),
        cmocka_unit_test(every_failure_is_reported),
    };
    return cmocka_run_group_tests_name("solve.quotient", tests, NULL, NULL);
}
