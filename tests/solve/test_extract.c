/* SPDX-License-Identifier: MIT */
/*
 * Extracts policies from bounds that the test makes: evaluated in fractions, the policies attain the bound,
 * however far it is from the optimum. Preferences are tested by hand.
 */
#include <math.h>

#include "chains.h"
#include "fields.h"
#include "graphs.h"
#include "solve/backup.h"
#include "solve/extract.h"
#include "support/brute.h"
#include "support/faults.h"
#include "support/quotient_maker.h"
#include "support/rational.h"

typedef struct scene {
    const solve_problem *problem;
    graphs g;
    solve_quotient q;
    double bound[CHAIN_STATES]; /* by node */
    const base_bitset *preferred;
    const uint32_t *policy;
} scene;

static void prepare(scene *x, const solve_problem *problem, bool complement,
                    graph_workspace *workspace)
{
    opac_error error = {0};
    *x = (scene){.problem = problem};
    assert_ok(graphs_find(problem, workspace, &x->g, &error), &error);
    assert_ok(solve_quotient_of_components(problem, &x->g.reached.zero, &x->g.reached.one,
                                           complement, &x->g.winning.mec, workspace, &x->q, &error),
              &error);
    for (uint32_t n = 0; n < x->q.node_count; n++)
        x->bound[n] = complement ? 1 : 0;
}

/* After any number of sweeps, the bound is proven. */
static void sweep(scene *x, uint32_t times)
{
    const solve_quotient *q = &x->q;
    for (uint32_t i = 0; i < times; i++)
        for (uint32_t n = 0; n < q->node_count; n++) {
            double best = q->complement ? 1 : 0;
            for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++) {
                double value = q->complement ? solve_backup_above(q, c, x->bound)
                                             : solve_backup_below(q, c, x->bound);
                if (q->complement ? value < best : value > best)
                    best = value;
            }
            if (q->complement ? best < x->bound[n] : best > x->bound[n])
                x->bound[n] = best;
        }
}

static solve_extraction extraction_of(const scene *x)
{
    return (solve_extraction){
        .problem = x->problem,
        .reverse = &x->g.reverse,
        .winning = &x->g.winning,
        .reached = &x->g.reached,
        .quotient = &x->q,
        .bound = x->bound,
        .preferred = x->preferred,
    };
}

static void extract(scene *x, graph_workspace *workspace)
{
    opac_error error = {0};
    solve_extraction extraction = extraction_of(x);
    assert_ok(solve_extract(&extraction, workspace, &x->policy, &error), &error);
}

/*
 * The policy wins almost surely where some policy does, and with positive probability where some policy
 * does.
 */
static void check_progress(const scene *x)
{
    const graph_process *process = x->problem->process;
    uint32_t all = chain_bit(process->state_count) - 1;
    chain_wins wins = chain_judge(x->problem, x->policy);
    assert_int_equal(wins.surely, chain_mask(&x->g.reached.one));
    assert_int_equal(wins.perhaps, all & ~chain_mask(&x->g.reached.zero));
    for (uint32_t s = 0; s < process->state_count; s++) {
        bool has_choice = process->choice_begin[s] < process->choice_begin[s + 1];
        assert_int_equal(x->policy[s] != GRAPH_NONE, has_choice);
        if (has_choice && x->preferred == NULL && base_bitset_has(&x->g.reached.zero, s))
            assert_int_equal(x->policy[s], process->choice_begin[s]);
    }
}

static void check_attained(const scene *x)
{
    base_rational *value[CHAIN_STATES], *bound[1];
    uint32_t n = x->problem->process->state_count;
    brute_values_new(n, value);
    brute_values_new(1, bound);
    brute_evaluate(x->problem, x->policy, value);
    for (uint32_t s = 0; s < n; s++) {
        if (x->q.node[s] == GRAPH_NONE)
            continue;
        rational_set_double(bound[0], x->bound[x->q.node[s]]);
        if (x->q.complement)
            rational_complement(bound[0]);
        assert_true(rational_compare(value[s], bound[0]) >= 0);
    }
    brute_values_free(1, bound);
    brute_values_free(n, value);
}

static void random_policies_attain_the_bound(void **state)
{
    (void)state;
    static const random_shape shapes[] = {{6, 2, 2}, {12, 2, 2}, {12, 3, 3}, {8, 3, 2}};
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(520);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < 4000; i++) {
        brute_case drawn;
        base_bitset first;
        scene x;
        brute_draw(&random, shapes[i % 4], (brute_kind)random_below(&random, BRUTE_KINDS), &drawn);
        solve_problem problem = brute_problem(&drawn);
        prepare(&x, &problem, random_below(&random, 2) == 0, &workspace);
        sweep(&x, random_below(&random, 3) == 0 ? 300 : random_below(&random, 6));
        random_set(&random, drawn.process.choice_count, 30, &first);
        x.preferred = random_below(&random, 2) == 0 ? &first : NULL;
        extract(&x, &workspace);
        check_progress(&x);
        check_attained(&x);
        base_bitset_fini(&first);
        brute_fini(&drawn);
        graph_workspace_release(&workspace, (graph_place){0});
    }
    graph_workspace_fini(&workspace);
}

/*
 * If no choice satisfies the bound, it is not proven; there is a policy nevertheless, which makes progress.
 */
static void bounds_that_are_wrong_do_no_harm(void **state)
{
    (void)state;
    uint64_t random = random_seed(521);
    graph_workspace workspace = {0};
    for (uint32_t i = 0; i < 4000; i++) {
        brute_case drawn;
        scene x;
        brute_draw(&random, (random_shape){8, 3, 2}, BRUTE_RABIN, &drawn);
        solve_problem problem = brute_problem(&drawn);
        prepare(&x, &problem, random_below(&random, 2) == 0, &workspace);
        for (uint32_t n = 0; n < x.q.node_count; n++)
            x.bound[n] = random_below(&random, 5) / 4.0;
        extract(&x, &workspace);
        check_progress(&x);
        brute_fini(&drawn);
        graph_workspace_release(&workspace, (graph_place){0});
    }
    graph_workspace_fini(&workspace);
}

/*
 * A run may alternate between 0 and 1 forever without decreasing the value; only 2, a step further, can
 * leave, with probability 1/2. The first choices form a cycle.
 */
static void a_loop_of_equal_values_is_left(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    scene x;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_move(&h, 0, 1);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_move(&h, 0, 2);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_choice(&h, 0);
    hand_edge(&h, 3, 0.5);
    hand_edge(&h, 4, 0.5);
    hand_state(&h);
    hand_move(&h, 1, 3);
    hand_state(&h);
    hand_move(&h, 0, 4);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    for (uint32_t complement = 0; complement < 2; complement++) {
        prepare(&x, &h.problem, complement != 0, &workspace);
        sweep(&x, 5);
        extract(&x, &workspace);
        check_progress(&x);
        const uint32_t expected[] = {0, 2, 4, 5, 6};
        assert_memory_equal(x.policy, expected, sizeof expected);
    }
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/* Choices that satisfy a bound, and choices that are given in their place. */
static void the_bound_determines_the_allowed_choices(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    scene x;
    hand h;
    hand_begin(&h);
    hand_state(&h);
    for (uint32_t i = 0; i < 3; i++) {
        hand_choice(&h, 0);
        hand_edge(&h, 1, i == 1 ? 0.75 : 0.25);
        hand_edge(&h, 2, i == 1 ? 0.25 : 0.75);
    }
    hand_state(&h);
    hand_move(&h, 1, 1);
    hand_state(&h);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    prepare(&x, &h.problem, false, &workspace);
    extract(&x, &workspace);
    assert_int_equal(x.policy[0], 0); /* the bound is 0 */
    sweep(&x, 2);
    extract(&x, &workspace);
    assert_int_equal(x.policy[0], 1);
    x.bound[0] = nextafter(0.25, 0); /* choice 0 satisfies it, but not with outward rounding */
    extract(&x, &workspace);
    assert_int_equal(x.policy[0], 1);
    x.bound[0] = 0.9; /* no choice satisfies it: the best one */
    extract(&x, &workspace);
    assert_int_equal(x.policy[0], 1);
    solve_extraction extraction = extraction_of(&x);
    const uint32_t optimal[] = {2};
    extraction.optimal = optimal;
    assert_status(solve_extract(&extraction, &workspace, &x.policy, NULL), OPAC_OK);
    assert_int_equal(x.policy[0], 2);
    extraction.quotient = NULL;
    assert_status(solve_extract(&extraction, &workspace, &x.policy, NULL), OPAC_OK);
    assert_int_equal(x.policy[0], GRAPH_NONE);
    assert_int_equal(x.policy[2], GRAPH_NONE);
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/*
 *     0, 1   a winning component; choices 2 and 3 of 1 lead to the sink 2
 *     2      the sink: choice 4 loops in vain, choice 5 wins
 *     3      choice 6 leads back to 0, choice 7 to 0 or the sink, choice 8 to 0
 */
static void preferred_choices_to_a_sink_come_first(void **state)
{
    (void)state;
    static const struct {
        uint32_t first[3];
        uint32_t expected[4];
    } cases[] = {
        {{2, 3, 2}, {0, 2, 5, 6}}, /* the lowest */
        {{3, 3, 3}, {0, 3, 5, 6}},
        {{1, 4, 7}, {0, 1, 5, 7}}, /* the sink's loop is not for the sink; 7 among equals */
        {{4, 8, 8}, {0, 1, 5, 8}},
        {{6, 8, 7}, {0, 1, 5, 6}},
    };
    graph_workspace workspace = {0};
    hand h;
    hand_begin(&h);
    hand_state(&h);
    hand_move(&h, 1, 1);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_move(&h, 0, 2);
    hand_move(&h, 0, 2);
    hand_state(&h);
    hand_move(&h, 0, 2);
    hand_move(&h, 2, 2);
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_choice(&h, 0);
    hand_edge(&h, 0, 0.5);
    hand_edge(&h, 2, 0.5);
    hand_move(&h, 0, 0);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    h.pairs[1] = (solve_rabin_pair){.inf = 2};
    hand_end(&h, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene x;
        base_bitset first;
        assert_status(base_bitset_init(&first, h.process.choice_count, NULL), OPAC_OK);
        for (uint32_t j = 0; j < 3; j++)
            base_bitset_add(&first, cases[i].first[j]);
        prepare(&x, &h.problem, false, &workspace);
        x.preferred = &first;
        extract(&x, &workspace);
        check_progress(&x);
        assert_memory_equal(x.policy, cases[i].expected, sizeof cases[i].expected);
        base_bitset_fini(&first);
    }
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

/* In undecided states, preferred choices must satisfy the bound and lead to the next lower rank. */
static void preferred_choices_must_be_as_good(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    hand h;
    hand_begin(&h);
    hand_state(&h);
    for (uint32_t i = 0; i < 3; i++) { /* choices 0 and 1 are as good as each other, 2 is worse */
        hand_choice(&h, 0);
        hand_edge(&h, 2, i < 2 ? 0.5 : 0.25);
        hand_edge(&h, 3, i < 2 ? 0.5 : 0.75);
    }
    hand_move(&h, 0, 1); /* choice 3: as good, but a step more */
    hand_state(&h);
    hand_move(&h, 0, 0);
    hand_state(&h);
    hand_move(&h, 1, 2);
    hand_state(&h);
    h.pairs[0] = (solve_rabin_pair){.inf = 1};
    hand_end(&h, 1);
    for (uint32_t preferred = 0; preferred < 4; preferred++) {
        scene x;
        base_bitset first;
        assert_status(base_bitset_init(&first, h.process.choice_count, NULL), OPAC_OK);
        base_bitset_add(&first, preferred);
        prepare(&x, &h.problem, false, &workspace);
        sweep(&x, 3);
        x.preferred = &first;
        extract(&x, &workspace);
        assert_int_equal(x.policy[0], preferred == 1 ? 1 : 0);
        base_bitset_fini(&first);
    }
    graph_workspace_fini(&workspace);
    hand_fini(&h);
}

typedef struct large {
    solve_problem problem;
    graphs g;
    solve_quotient q;
    double *bound;
    base_bitset preferred;
} large;

static opac_status extract_fresh(void *context, opac_error *error)
{
    const large *x = context;
    graph_workspace workspace = {0};
    const uint32_t *policy;
    solve_extraction extraction = {&x->problem, &x->g.reverse, &x->g.winning, &x->g.reached,
                                   &x->q,       x->bound,      NULL,          &x->preferred};
    opac_status status = solve_extract(&extraction, &workspace, &policy, error);
    if (status != OPAC_OK)
        assert_int_equal(workspace.in_use, 0);
    graph_workspace_fini(&workspace);
    return status;
}

/* Few choices satisfy a bound of all ones, so that ranks are computed twice. */
static void every_failure_is_reported(void **state)
{
    (void)state;
    graph_workspace workspace = {0};
    uint64_t random = random_seed(523);
    field f;
    field_init(&f, 522, 5000);
    large x = {.problem = f.problem};
    random_set(&random, f.process.choice_count, 10, &x.preferred);
    assert_status(graphs_find(&x.problem, &workspace, &x.g, NULL), OPAC_OK);
    assert_status(quotient_build(&x.problem, &x.g.reached.zero, &x.g.reached.one, false, &workspace,
                                 &x.q, NULL),
                  OPAC_OK);
    assert_true(x.q.node_count > 4000);
    x.bound = calloc(x.q.node_count, sizeof *x.bound);
    for (uint32_t n = 0; n < x.q.node_count; n++)
        x.bound[n] = 1;
    assert_in_range(faults_sweep(extract_fresh, &x), 3, 200);
    free(x.bound);
    base_bitset_fini(&x.preferred);
    graph_workspace_fini(&workspace);
    field_fini(&f);
}

SUITE(extract)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_policies_attain_the_bound),
        cmocka_unit_test(bounds_that_are_wrong_do_no_harm),
        cmocka_unit_test(a_loop_of_equal_values_is_left),
        cmocka_unit_test(the_bound_determines_the_allowed_choices),
        cmocka_unit_test(preferred_choices_to_a_sink_come_first),
        cmocka_unit_test(preferred_choices_must_be_as_good),
        cmocka_unit_test(every_failure_is_reported),
    };
    return cmocka_run_group_tests_name("solve.extract", tests, NULL, NULL);
}
