/* SPDX-License-Identifier: MIT */
/*
 * The solver: a product of 12 states, in microseconds, because a learner solves such products whenever its
 * model changes; the cost of solving again after a few choices became worse, from scratch and from the
 * previous upper bounds; and the phases of a run on 10^4 to 10^6 states, relative to one breadth-first
 * pass.
 *
 * The last two states are a winning and a losing sink. All others have choices with three edges: two to
 * neighbours on a torus or to random states, and one with probability 1/10 to one of the sinks.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "bench.h"
#include "draws.h"
#include "graph/almost_sure.h"
#include "graph/reach.h"
#include "solve/extract.h"
#include "solve/solver.h"

enum {
    EDGES = 3
};

typedef struct shape {
    uint32_t states, choices; /* of a state */
    bool torus;
} shape;

typedef struct field {
    shape of;
    graph_process process;
    uint32_t *choice_begin, *edge_begin, *target;
    double *prob;
    uint64_t *marks;
    solve_rabin_pair pairs[2];
    solve_problem problem;
} field;

static bool is_sink(const field *f, uint32_t s)
{
    return s + 2 >= f->of.states;
}

static void fill_choice(field *f, uint64_t *random, uint32_t s, uint32_t c, uint32_t width)
{
    static const double prob[EDGES] = {0.5, 0.4, 0.1};
    uint32_t n = f->of.states;
    f->edge_begin[c] = c * EDGES;
    f->marks[c] = s + 1 == n ? 2 : 0;
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t inner =
            f->of.torus ? neighbour(s, width, n - 2, draw(random, 4)) : draw(random, n - 2);
        f->target[c * EDGES + i] = is_sink(f, s)    ? s
                                   : i == EDGES - 1 ? n - 1 - draw(random, 2)
                                                    : inner;
        f->prob[c * EDGES + i] = prob[i];
    }
}

static void make_field(field *f, shape of)
{
    uint64_t random = of.states;
    uint32_t n = of.states, width = 1, choices = n * of.choices;
    while (width * width < n)
        width++;
    *f = (field){.of = of};
    f->choice_begin = need_memory(base_alloc((size_t)n + 1, sizeof(uint32_t)));
    f->edge_begin = need_memory(base_alloc((size_t)choices + 1, sizeof(uint32_t)));
    f->target = need_memory(base_alloc((size_t)choices * EDGES, sizeof(uint32_t)));
    f->prob = need_memory(base_alloc((size_t)choices * EDGES, sizeof(double)));
    f->marks = need_memory(base_alloc(choices, sizeof(uint64_t)));
    for (uint32_t s = 0; s < n; s++) {
        f->choice_begin[s] = s * of.choices;
        for (uint32_t c = s * of.choices; c < (s + 1) * of.choices; c++)
            fill_choice(f, &random, s, c, width);
    }
    f->choice_begin[n] = choices;
    f->edge_begin[choices] = choices * EDGES;
    need(graph_process_borrow(n, choices, (size_t)choices * EDGES, f->choice_begin, f->edge_begin,
                              f->target, f->prob, &f->process, NULL));
    f->pairs[0] = (solve_rabin_pair){.fin = 4, .inf = 1};
    f->pairs[1] = (solve_rabin_pair){.inf = 2};
    f->problem = (solve_problem){
        .process = &f->process, .marks = f->marks, .pairs = f->pairs, .pair_count = 2};
}

static void drop_field(field *f)
{
    base_free(f->choice_begin);
    base_free(f->edge_begin);
    base_free(f->target);
    base_free(f->prob);
    base_free(f->marks);
}

/* Seconds of a run in a solver that was used before. */
static double run_cost(solve_solver *solver, const field *f, const solve_options *options,
                       solve_result *result)
{
    uint32_t rounds = 0;
    need(solve_run(solver, &f->problem, options, result, NULL));
    double begin = bench_cpu_seconds(), spent = 0;
    do {
        need(solve_run(solver, &f->problem, options, result, NULL));
        rounds++;
        spent = bench_cpu_seconds() - begin;
    } while (spent < 0.2);
    return spent / rounds;
}

static double mec_cost(const field *f)
{
    graph_workspace workspace = {0};
    uint32_t rounds = 0;
    double begin = bench_cpu_seconds(), spent = 0;
    do {
        graph_mec mec;
        need(graph_mec_find(&f->process, (graph_part){0}, &workspace, &mec, NULL));
        graph_workspace_release(&workspace, (graph_place){0});
        rounds++;
        spent = bench_cpu_seconds() - begin;
    } while (spent < 0.1);
    graph_workspace_fini(&workspace);
    return spent / rounds;
}

static void small_solve(void)
{
    solve_solver *solver;
    solve_result result;
    field f;
    make_field(&f, (shape){12, 4, false});
    need(solve_solver_new(&solver, NULL));
    const solve_options graph_only = {.graph_only = true};
    double graph = run_cost(solver, &f, &graph_only, &result);
    double whole = run_cost(solver, &f, NULL, &result);
    double mec = mec_cost(&f);
    printf("12 states, 4 choices of 3 edges, solver reused: %.1f microseconds per solve\n",
           1e6 * whole);
    bench_ratio("graph and policy alone", "its maximal end components", graph, mec);
    bench_ratio("values to 1e-6 as well", "the same", whole, mec);
    solve_solver_free(solver);
    drop_field(&f);
}

/* Changes some choices from winning to losing. */
static void worsen(field *f, uint32_t changes)
{
    uint64_t random = 7;
    for (uint32_t done = 0; done < changes;) {
        uint32_t c = draw(&random, (f->of.states - 2) * f->of.choices);
        uint32_t *target = &f->target[f->edge_begin[c] + EDGES - 1];
        done += *target == f->of.states - 1;
        *target = f->of.states - 2;
    }
}

static void solve_again(const char *name, shape of, uint32_t changes)
{
    solve_solver *solver;
    solve_result result;
    field f;
    make_field(&f, of);
    need(solve_solver_new(&solver, NULL));
    double *upper = need_memory(base_alloc(of.states, sizeof(double)));
    double first = run_cost(solver, &f, NULL, &result);
    for (uint32_t s = 0; s < of.states; s++)
        upper[s] = result.upper[s];
    worsen(&f, changes);
    const solve_options warm = {.upper = upper};
    double cold_cost = run_cost(solver, &f, NULL, &result);
    unsigned cold_sweeps = (unsigned)result.sweeps;
    double warm_cost = run_cost(solver, &f, &warm, &result);
    printf("%s, %u choices became worse\n", name, (unsigned)changes);
    printf("  %-52s %8u, warm %u\n", "sweeps from scratch", cold_sweeps, (unsigned)result.sweeps);
    bench_ratio("again from scratch", "the solve before", cold_cost, first);
    bench_ratio("again from the upper bounds before", "from scratch", warm_cost, cold_cost);
    base_free(upper);
    solve_solver_free(solver);
    drop_field(&f);
}

enum {
    FORWARD,
    REVERSE,
    WINNING,
    DECIDED,
    QUOTIENT,
    VALUES,
    POLICY,
    PHASES
};

static const char *const phase_names[PHASES] = {
    "forward pass (the measure)",
    "reverse index",
    "winning end components, two pairs",
    "greatest probability 0 or 1",
    "quotient",
    "values to 1e-6",
    "policy",
};

typedef struct tally {
    double seconds[PHASES], last;
    uint32_t nodes, blocks;
    uint64_t sweeps;
    size_t peak;
} tally;

static void phase_done(tally *t, int phase)
{
    double now = bench_cpu_seconds();
    t->seconds[phase] = now - t->last;
    t->last = now;
}

static void forward_pass(const field *f, tally *t)
{
    graph_workspace workspace = {0};
    graph_reached reached;
    base_bitset from;
    need(base_bitset_init(&from, f->process.state_count, NULL));
    base_bitset_add(&from, 0);
    t->last = bench_cpu_seconds();
    need(graph_reach_forward(&f->process, (graph_part){0}, &from, GRAPH_NONE, &workspace, &reached,
                             NULL));
    phase_done(t, FORWARD);
    base_bitset_fini(&from);
    graph_workspace_fini(&workspace);
}

static void all_phases(const field *f, tally *t)
{
    const graph_part whole = {0};
    const solve_problem *problem = &f->problem;
    const solve_value_options options = {.precision = 1e-6};
    graph_workspace workspace = {0};
    graph_reverse reverse;
    solve_winning winning;
    graph_max_reached reached;
    solve_quotient quotient;
    solve_values values;
    const uint32_t *policy;
    forward_pass(f, t);
    t->last = bench_cpu_seconds();
    need(graph_reverse_build(&f->process, whole, &workspace, &reverse, NULL));
    phase_done(t, REVERSE);
    need(solve_winning_find(problem, &reverse, &workspace, &winning, NULL));
    phase_done(t, WINNING);
    need(graph_max_reach(&f->process, whole, &reverse, &winning.mec, &winning.states, &workspace,
                         &reached, NULL));
    phase_done(t, DECIDED);
    need(solve_quotient_of_components(problem, &reached.zero, &reached.one, false, &winning.mec,
                                      &workspace, &quotient, NULL));
    phase_done(t, QUOTIENT);
    need(solve_values_find(&quotient, &options, &workspace, &values, NULL));
    phase_done(t, VALUES);
    const solve_extraction extraction = {.problem = problem,
                                         .reverse = &reverse,
                                         .winning = &winning,
                                         .reached = &reached,
                                         .quotient = &quotient,
                                         .bound = values.lower};
    need(solve_extract(&extraction, &workspace, &policy, NULL));
    phase_done(t, POLICY);
    t->nodes = quotient.node_count;
    t->blocks = quotient.block_count;
    t->sweeps = values.sweeps;
    t->peak = workspace.peak;
    graph_workspace_fini(&workspace);
}

static void large_sizes(bool torus)
{
    static const uint32_t sizes[] = {10000, 100000, 1000000};
    tally before = {0};
    for (size_t i = 0; i < bench_sizes(sizeof sizes / sizeof sizes[0]); i++) {
        tally t = {0};
        field f;
        make_field(&f, (shape){sizes[i], 2, torus});
        all_phases(&f, &t);
        printf("%s, %u states: %u nodes in %u blocks, %u sweeps, %.0f bytes/state\n",
               torus ? "torus" : "anywhere", (unsigned)sizes[i], (unsigned)t.nodes,
               (unsigned)t.blocks, (unsigned)t.sweeps, (double)t.peak / sizes[i]);
        for (int p = 0; p < PHASES; p++) {
            printf("  %-52s %8.2f x", phase_names[p], t.seconds[p] / t.seconds[FORWARD]);
            if (i > 0)
                printf("   growth %.2f",
                       t.seconds[p] / sizes[i] / (before.seconds[p] / sizes[i - 1]));
            printf("\n");
        }
        before = t;
        drop_field(&f);
    }
}

int main(void)
{
    small_solve();
    solve_again("12 states", (shape){12, 4, false}, 2);
    solve_again("20000 states to anywhere", (shape){20000, 4, false}, 20);
    solve_again("20000 states on a torus", (shape){20000, 4, true}, 20);
    printf("Phases of a run relative to one forward pass; growth: cost per state over that at a "
           "tenth of\n"
           "the size.\n");
    large_sizes(true);
    large_sizes(false);
    return 0;
}
