/* SPDX-License-Identifier: MIT */
#include "support/brute.h"

#include "base/alloc.h"
#include "graph/graph_builder.h"
#include "support/check.h"
#include "support/rational.h"

/* ---- random cases ---- */

bool brute_pairs_accept(const void *problem, uint64_t marks)
{
    const solve_problem *condition = problem;
    for (uint32_t p = 0; p < condition->pair_count; p++)
        if ((condition->pairs[p].fin & marks) == 0 && (condition->pairs[p].inf & marks) != 0)
            return true;
    return false;
}

static uint64_t draw_marks(uint64_t *random, brute_kind kind)
{
    uint64_t marks = 0;
    switch (kind) {
    case BRUTE_BUCHI:
        return random_below(random, 4) == 0;
    case BRUTE_CO_BUCHI:
        return 2U | (random_below(random, 2) == 0);
    case BRUTE_PARITY:
        return UINT64_C(1) << random_below(random, 6);
    default:
        for (uint32_t mark = 0; mark < 6; mark++)
            marks |= (uint64_t)(random_below(random, 4) == 0) << mark;
        return marks;
    }
}

static void draw_pairs(uint64_t *random, brute_kind kind, brute_case *drawn)
{
    drawn->pair_count = 1;
    switch (kind) {
    case BRUTE_BUCHI:
        drawn->pairs[0] = (solve_rabin_pair){.fin = 0, .inf = 1};
        return;
    case BRUTE_CO_BUCHI:
        drawn->pairs[0] = (solve_rabin_pair){.fin = 1, .inf = 2};
        return;
    case BRUTE_PARITY: /* mark i is priority i; the greatest that comes again is odd */
        for (drawn->pair_count = 0; drawn->pair_count < 3; drawn->pair_count++) {
            uint64_t priority = UINT64_C(2) << (2 * drawn->pair_count);
            drawn->pairs[drawn->pair_count] =
                (solve_rabin_pair){.fin = UINT64_C(64) - 2 * priority, .inf = priority};
        }
        return;
    default:
        drawn->pair_count = random_below(random, BRUTE_PAIRS + 1);
        for (uint32_t p = 0; p < drawn->pair_count; p++) {
            uint64_t fin = random_below(random, 64), inf = random_below(random, 64);
            inf &= random_below(random, 64);
            drawn->pairs[p] = (solve_rabin_pair){.fin = fin, .inf = inf};
        }
    }
}

/*
 * A choice with at most most_edges edges, all to one state or to any (GRAPH_NONE); their fractions go to
 * exact[*edges] and on.
 */
static void draw_choice(uint64_t *random, random_shape shape, uint32_t only, graph_builder *builder,
                        base_ratio *exact, size_t *edges)
{
    opac_error error;
    uint32_t count = 1 + random_below(random, shape.most_edges), weights[16], sum = 0;
    assert_true(count <= 16);
    for (uint32_t e = 0; e < count; e++)
        sum += weights[e] = 1 + random_below(random, 4);
    assert_ok(graph_builder_choice(builder, &error), &error);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t target = only != GRAPH_NONE ? only : random_below(random, shape.states);
        base_ratio ratio = base_ratio_of(weights[e], sum);
        exact[(*edges)++] = ratio;
        assert_ok(graph_builder_edge(builder, target, base_ratio_to_double(ratio), &error), &error);
    }
}

static bool wins(const brute_case *drawn, uint64_t marks)
{
    const solve_problem problem = {.pairs = drawn->pairs, .pair_count = drawn->pair_count};
    return brute_pairs_accept(&problem, marks);
}

void brute_draw(uint64_t *random, random_shape shape, brute_kind kind, brute_case *drawn)
{
    opac_error error;
    graph_builder builder = {.weighted = true};
    size_t edges = 0, most = (size_t)shape.states * shape.most_choices;
    uint32_t transient = shape.states - (random_below(random, 4) != 0 ? shape.states / 2 : 0);
    *drawn = (brute_case){0};
    assert_true(shape.states <= BRUTE_STATES);
    drawn->exact = base_alloc(most * shape.most_edges, sizeof *drawn->exact);
    drawn->marks = base_alloc(most, sizeof *drawn->marks);
    if (drawn->exact == NULL || drawn->marks == NULL)
        abort();
    draw_pairs(random, kind, drawn);
    for (uint32_t s = 0, c = 0; s < shape.states; s++) {
        assert_ok(graph_builder_state(&builder, &error), &error);
        /*
         * Most cases have sinks, of which the last one usually wins: without sinks, all states are one
         * component, and nearly all values are 0 or 1.
         */
        bool sink = s >= transient, winner = sink && s + 1 == shape.states;
        uint32_t count = random_below(random, sink && !winner ? 3 : 12) == 0
                             ? 0
                             : 1 + random_below(random, shape.most_choices);
        for (uint32_t end = c + count; c < end; c++) {
            drawn->marks[c] = draw_marks(random, kind);
            for (uint32_t i = 0; i < 8 && winner && !wins(drawn, drawn->marks[c]); i++)
                drawn->marks[c] = draw_marks(random, kind);
            draw_choice(random, shape, sink ? s : GRAPH_NONE, &builder, drawn->exact, &edges);
        }
    }
    assert_ok(graph_builder_finish(&builder, &drawn->process, &error), &error);
}

void brute_fini(brute_case *drawn)
{
    graph_process_fini(&drawn->process);
    base_free(drawn->exact);
    base_free(drawn->marks);
    *drawn = (brute_case){0};
}

solve_problem brute_problem(const brute_case *drawn)
{
    return (solve_problem){
        .process = &drawn->process,
        .marks = drawn->marks,
        .pairs = drawn->pairs,
        .pair_count = drawn->pair_count,
        .exact = drawn->exact,
    };
}

void brute_values_new(uint32_t count, base_rational **value)
{
    opac_error error;
    for (uint32_t s = 0; s < count; s++)
        assert_ok(base_rational_new(&value[s], &error), &error);
}

void brute_values_free(uint32_t count, base_rational **value)
{
    for (uint32_t s = 0; s < count; s++)
        base_rational_free(value[s]);
}

#if defined(OMEGAPAC_HAVE_GMP)

#include "base/rational_gmp.h"

/* ---- a chain ---- */

typedef bool relation[BRUTE_STATES][BRUTE_STATES];

/* The edges of the choices that the policy takes. A state without a choice stays. */
static void chain_edges(const solve_problem *problem, const uint32_t *policy, relation edge)
{
    const graph_process *process = problem->process;
    memset(edge, 0, sizeof(relation));
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (process->choice_begin[s] == process->choice_begin[s + 1]) {
            edge[s][s] = true;
            continue;
        }
        for (uint32_t e = process->edge_begin[policy[s]]; e < process->edge_begin[policy[s] + 1];
             e++)
            edge[s][process->target[e]] = true;
    }
}

/* Warshall: from is related to all that it reaches, itself included. */
static void close_relation(relation reach, uint32_t count)
{
    for (uint32_t s = 0; s < count; s++)
        reach[s][s] = true;
    for (uint32_t middle = 0; middle < count; middle++)
        for (uint32_t from = 0; from < count; from++)
            for (uint32_t to = 0; to < count; to++)
                reach[from][to] |= reach[from][middle] && reach[middle][to];
}

/* Is s in a bottom component, and if so, which marks does it have? */
static bool in_bottom(const solve_problem *problem, const uint32_t *policy, relation reach,
                      uint32_t s, uint64_t *marks)
{
    const graph_process *process = problem->process;
    *marks = 0;
    for (uint32_t t = 0; t < process->state_count; t++) {
        if (!reach[s][t])
            continue;
        if (!reach[t][s])
            return false;
        if (process->choice_begin[t] < process->choice_begin[t + 1])
            *marks |= problem->marks[policy[t]];
    }
    return true;
}

/* ---- linear equations ---- */

enum {
    COLUMNS = BRUTE_STATES + 1
};

typedef struct brute_system {
    uint32_t count;
    mpq_t cell[BRUTE_STATES][COLUMNS]; /* the last column is the right side */
    mpq_t scratch;
} brute_system;

static void system_init(brute_system *system, uint32_t count)
{
    system->count = count;
    for (uint32_t row = 0; row < count; row++)
        for (uint32_t column = 0; column <= count; column++)
            mpq_init(system->cell[row][column]);
    mpq_init(system->scratch);
}

static void system_fini(brute_system *system)
{
    for (uint32_t row = 0; row < system->count; row++)
        for (uint32_t column = 0; column <= system->count; column++)
            mpq_clear(system->cell[row][column]);
    mpq_clear(system->scratch);
}

/* Gauss-Jordan; the system is regular, as that of the transient states of a chain is. */
static void system_solve(brute_system *system)
{
    uint32_t count = system->count;
    for (uint32_t column = 0; column < count; column++) {
        uint32_t pivot = column;
        while (mpq_sgn(system->cell[pivot][column]) == 0)
            assert_true(++pivot < count);
        for (uint32_t c = 0; c <= count; c++)
            mpq_swap(system->cell[pivot][c], system->cell[column][c]);
        for (uint32_t c = count + 1; c-- > column;)
            mpq_div(system->cell[column][c], system->cell[column][c], system->cell[column][column]);
        for (uint32_t row = 0; row < count; row++) {
            if (row == column || mpq_sgn(system->cell[row][column]) == 0)
                continue;
            for (uint32_t c = count + 1; c-- > column;) {
                mpq_mul(system->scratch, system->cell[row][column], system->cell[column][c]);
                mpq_sub(system->cell[row][c], system->cell[row][c], system->scratch);
            }
        }
    }
}

/*
 * value = 1 on the targets and 0 where none of them can be reached; elsewhere
 * value(s) = Σ probability · value(target).
 */
static void chain_reach(const solve_problem *problem, const uint32_t *policy, relation reach,
                        const bool *targets, base_rational **value)
{
    const graph_process *process = problem->process;
    uint32_t count = process->state_count;
    brute_system system;
    mpq_t probability;
    opac_error error = {0};
    system_init(&system, count);
    mpq_init(probability);
    for (uint32_t s = 0; s < count; s++) {
        bool possible = false;
        for (uint32_t t = 0; t < count; t++)
            possible |= reach[s][t] && targets[t];
        mpq_set_ui(system.cell[s][s], 1, 1);
        mpq_set_ui(system.cell[s][count], targets[s], 1);
        if (targets[s] || !possible)
            continue;
        for (uint32_t e = process->edge_begin[policy[s]]; e < process->edge_begin[policy[s] + 1];
             e++) {
            mpq_t *cell = &system.cell[s][process->target[e]];
            base_rational_from_ratio(probability, problem->exact[e]);
            mpq_sub(*cell, *cell, probability);
        }
    }
    system_solve(&system);
    for (uint32_t s = 0; s < count; s++)
        assert_ok(base_rational_keep(value[s], system.cell[s][count], &error), &error);
    mpq_clear(probability);
    system_fini(&system);
}

/* ---- policies ---- */

void brute_evaluate(const solve_problem *problem, const uint32_t *policy, base_rational **value)
{
    relation reach;
    bool targets[BRUTE_STATES];
    assert_true(problem->process->state_count <= BRUTE_STATES);
    chain_edges(problem, policy, reach);
    close_relation(reach, problem->process->state_count);
    for (uint32_t s = 0; s < problem->process->state_count; s++) {
        uint64_t marks;
        targets[s] =
            in_bottom(problem, policy, reach, s, &marks) && brute_pairs_accept(problem, marks);
    }
    chain_reach(problem, policy, reach, targets, value);
}

static void reach_under(const solve_problem *problem, const uint32_t *policy, const bool *targets,
                        base_rational **value)
{
    relation reach;
    chain_edges(problem, policy, reach);
    close_relation(reach, problem->process->state_count);
    chain_reach(problem, policy, reach, targets, value);
}

/* The next policy in lexicographic order; false after the last. */
static bool next_policy(const graph_process *process, uint32_t *policy)
{
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (policy[s] + 1 < process->choice_begin[s + 1]) {
            policy[s]++;
            return true;
        }
        policy[s] = process->choice_begin[s];
    }
    return false;
}

/* The maximum over all policies of the probability of an accepted run, or of reaching the targets. */
static void try_policies(const solve_problem *problem, const bool *targets, base_rational **value)
{
    const graph_process *process = problem->process;
    uint32_t policy[BRUTE_STATES], count = process->state_count;
    base_rational *found[BRUTE_STATES];
    assert_true(count <= BRUTE_STATES);
    brute_values_new(count, found);
    for (uint32_t s = 0; s < count; s++) {
        policy[s] = process->choice_begin[s];
        rational_set_ratio(value[s], base_ratio_of_integer(0));
    }
    do {
        if (targets != NULL)
            reach_under(problem, policy, targets, found);
        else
            brute_evaluate(problem, policy, found);
        for (uint32_t s = 0; s < count; s++)
            if (rational_compare(found[s], value[s]) > 0)
                rational_set(value[s], found[s]);
    } while (next_policy(process, policy));
    brute_values_free(count, found);
}

void brute_optimum(const solve_problem *problem, base_rational **value)
{
    try_policies(problem, NULL, value);
}

void brute_reach(const solve_problem *problem, const bool *targets, base_rational **value)
{
    try_policies(problem, targets, value);
}

/* ---- end components ---- */

/*
 * Whether the choices of this set form an end component: each of its states has a choice, all edges stay
 * inside, and the states are strongly connected. If so, adds its states.
 */
static bool is_end_component(const graph_process *process, uint32_t set, bool *states)
{
    uint32_t count = process->state_count;
    relation reach;
    memset(reach, 0, sizeof reach);
    memset(states, 0, BRUTE_STATES * sizeof *states);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            if (!(set >> c & 1))
                continue;
            states[s] = true;
            for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
                reach[s][process->target[e]] = true;
        }
    close_relation(reach, count);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t t = 0; states[s] && t < count; t++)
            if (reach[s][t] != states[t])
                return false;
    return true;
}

void brute_optimum_of_marks(const solve_problem *problem, brute_condition accepts,
                            const void *context, base_rational **value)
{
    const graph_process *process = problem->process;
    bool targets[BRUTE_STATES] = {false}, states[BRUTE_STATES];
    assert_true(process->state_count <= BRUTE_STATES);
    assert_true(process->choice_count <= BRUTE_CHOICES);
    for (uint32_t set = 1; set < UINT32_C(1) << process->choice_count; set++) {
        uint64_t marks = 0;
        for (uint32_t c = 0; c < process->choice_count; c++)
            marks |= set >> c & 1 ? problem->marks[c] : 0;
        if (!accepts(context, marks) || !is_end_component(process, set, states))
            continue;
        for (uint32_t s = 0; s < process->state_count; s++)
            targets[s] |= states[s];
    }
    brute_reach(problem, targets, value);
}

#else /* never called: tests skip if base_rational_available() is false */

void brute_evaluate(const solve_problem *problem, const uint32_t *policy, base_rational **value)
{
    (void)problem, (void)policy, (void)value;
    fail();
}

void brute_optimum(const solve_problem *problem, base_rational **value)
{
    (void)problem, (void)value;
    fail();
}

void brute_reach(const solve_problem *problem, const bool *targets, base_rational **value)
{
    (void)problem, (void)targets, (void)value;
    fail();
}

void brute_optimum_of_marks(const solve_problem *problem, brute_condition accepts,
                            const void *context, base_rational **value)
{
    (void)problem, (void)accepts, (void)context, (void)value;
    fail();
}

#endif
