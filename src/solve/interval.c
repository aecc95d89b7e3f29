/* SPDX-License-Identifier: MIT */
/*
 * A run: the known part, its winning end components, the net of the lower
 * bound, the net of the upper one, and policies. What the nets give is checked
 * once more on the states themselves, with the steps of the process, and mended
 * where a rounding was in the way (none is known): an upper bound is raised, a lower one
 * is lowered, until nothing moves. That is what a certificate is checked for.
 *
 * Why the policy of the lower bound makes progress. In the net no policy can stay for ever outside
 * ONE and ZERO, as end components are nodes. Suppose that under the policy a node with x > 0 has no
 * path to ONE. Then a run from it ends almost surely in ZERO, or earlier in nodes with x = 0; but
 * x ≤ Φ(x) says that x is at most its expectation there, in any model with all edges: x ≤ 0. In an
 * end component, the states are attracted to the one whose choice leaves; in states of value 1, to
 * winning states. So every state with x > 0 has a path to a winning state by edges of the policy,
 * and its length is the rank.
 */
#include "solve/interval.h"

#include "base/alloc.h"
#include "graph/almost_sure.h"
#include "graph/attractor.h"
#include "solve/interval_parts.h"
#include "solve/winning.h"

static const double usual_precision = 1e-6;

struct solve_interval_solver {
    graph_workspace workspace;
};

typedef struct run {
    const solve_interval_problem *problem;
    const solve_interval_options *options;
    graph_workspace *workspace;
    double precision;
    solve_interval_known known;
    graph_reverse reverse; /* of the known part */
    solve_winning winning;
    graph_max_reached surely; /* to winning states */
    double *upper, *lower;    /* by state */
    uint32_t *policy;         /* by state: of the lower bound; a choice of the known part */
    uint32_t *rank, *cautious, *hopeful;
    uint32_t *order; /* by edge of the known part */
    double *scratch; /* a row */
    uint64_t sweeps;
    bool is_cut;
} run;

opac_status solve_interval_new(solve_interval_solver **solver, opac_error *error)
{
    *solver = base_alloc_zeroed(1, sizeof **solver);
    return *solver != NULL ? OPAC_OK : base_fail_memory(error);
}

void solve_interval_free(solve_interval_solver *solver)
{
    if (solver == NULL)
        return;
    graph_workspace_fini(&solver->workspace);
    base_free(solver);
}

static opac_status take_run(run *r, opac_error *error)
{
    const size_t n = r->problem->process->state_count;
    r->upper = graph_take(r->workspace, n, sizeof *r->upper);
    r->lower = graph_take(r->workspace, n, sizeof *r->lower);
    r->policy = graph_take_u32(r->workspace, n);
    r->rank = graph_take_u32(r->workspace, n);
    r->cautious = graph_take_u32(r->workspace, n);
    r->hopeful = graph_take_u32(r->workspace, n);
    if (r->upper == NULL || r->lower == NULL || r->policy == NULL || r->rank == NULL ||
        r->cautious == NULL || r->hopeful == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/* ---- the graph ---- */

/* Where a target is reached almost surely, and where it cannot be reached. */
static opac_status find_surely(run *r, const base_bitset *target, graph_max_reached *result,
                               opac_error *error)
{
    return graph_max_reach(&r->known.process, (graph_part){0}, &r->reverse, &r->winning.mec, target,
                           r->workspace, result, error);
}

static opac_status read_graph(run *r, opac_error *error)
{
    TRY(solve_interval_reduce(r->problem, r->workspace, &r->known, error));
    const graph_process *process = &r->known.process;
    TRY(graph_reverse_build(process, (graph_part){0}, r->workspace, &r->reverse, error));
    const solve_problem known = {.process = process,
                                 .marks = r->known.marks,
                                 .pairs = r->problem->pairs,
                                 .pair_count = r->problem->pair_count};
    TRY(solve_winning_find(&known, &r->reverse, r->workspace, &r->winning, error));
    TRY(find_surely(r, &r->winning.states, &r->surely, error));
    r->order = graph_take_u32(r->workspace, process->edge_count);
    r->scratch = graph_take(r->workspace, r->known.widest, sizeof *r->scratch);
    if (r->order == NULL || r->scratch == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < process->choice_count; c++)
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            r->order[e] = e - process->edge_begin[c];
    return OPAC_OK;
}

/* What a choice of the known part is worth, by values of states. */
static double worth(const run *r, uint32_t c, const double *value, bool greatest)
{
    const solve_interval_known *known = &r->known;
    uint32_t begin = known->process.edge_begin[c];
    uint32_t count = known->process.edge_begin[c + 1] - begin;
    for (uint32_t e = 0; e < count; e++)
        r->scratch[e] = value[known->process.target[begin + e]];
    return solve_interval_step(known->lower + begin, known->upper + begin, r->scratch,
                               r->order + begin, count, greatest);
}

/* ---- one net ---- */

static opac_status take_iteration(run *r, const solve_interval_net *net,
                                  solve_interval_iteration *iteration, opac_error *error)
{
    const size_t n = net->graph.state_count;
    *iteration = (solve_interval_iteration){
        .net = net, .precision = r->precision, .options = r->options, .is_cut = r->is_cut};
    iteration->start = graph_take(r->workspace, n, sizeof *iteration->start);
    iteration->value = graph_take(r->workspace, n, sizeof *iteration->value);
    iteration->choice = graph_take_u32(r->workspace, n);
    if (iteration->start == NULL || iteration->value == NULL || iteration->choice == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/* From a vector by state (NULL: none): the greatest of a node's. Anything else than a value is 0. */
static void spread_guess(const run *r, const solve_interval_net *net, const double *vector,
                         double *by_node)
{
    for (uint32_t i = 0; i < net->graph.state_count; i++)
        by_node[i] = 0;
    for (uint32_t s = 0; vector != NULL && s < r->problem->process->state_count; s++)
        if (vector[s] > by_node[net->node[s]] && vector[s] <= 1)
            by_node[net->node[s]] = vector[s];
}

static opac_status iterate(run *r, solve_interval_iteration *iteration, opac_error *error)
{
    opac_status status = solve_interval_iterate(iteration, r->workspace, error);
    r->sweeps += iteration->sweeps;
    r->is_cut |= iteration->is_cut;
    return status;
}

/* The hope is only for those who have one. */
static opac_status set_hope(run *r, const solve_interval_net *net,
                            solve_interval_iteration *iteration, opac_error *error)
{
    if (r->options->guess_upper == NULL)
        return OPAC_OK;
    iteration->hope = graph_take(r->workspace, net->graph.state_count, sizeof *iteration->hope);
    if (iteration->hope == NULL)
        return base_fail_memory(error);
    spread_guess(r, net, r->options->guess_upper, iteration->hope);
    return OPAC_OK;
}

/* ---- the lower bound ---- */

/* The state that owns the choice by which each node leaves, and the way to it inside. */
static opac_status lift_policy(run *r, const solve_interval_iteration *iteration, opac_error *error)
{
    const solve_interval_net *net = iteration->net;
    base_bitset leaves;
    graph_attractor inside;
    const graph_part part = {.choices = &r->winning.mec.choices};
    TRY(graph_take_set(r->workspace, r->known.process.state_count, &leaves, error));
    for (uint32_t i = SOLVE_INTERVAL_OTHERS; i < net->graph.state_count; i++)
        if (iteration->choice[i] < net->graph.choice_count)
            base_bitset_add(&leaves, r->reverse.owner[net->origin[iteration->choice[i]]]);
    TRY(graph_attract_some(&r->known.process, part, &r->reverse, &leaves, r->workspace, &inside,
                           error));
    for (uint32_t s = 0; s < r->known.process.state_count; s++) {
        uint32_t node = net->node[s];
        if (base_bitset_has(&r->winning.states, s))
            r->policy[s] = r->winning.choice[s];
        else if (node < SOLVE_INTERVAL_OTHERS)
            r->policy[s] = node == SOLVE_INTERVAL_ONE ? r->surely.choice[s] : GRAPH_NONE;
        else if (base_bitset_has(&leaves, s))
            r->policy[s] = net->origin[iteration->choice[node]];
        else
            r->policy[s] = inside.choice[s];
        r->lower[s] = r->policy[s] != GRAPH_NONE ? iteration->value[node] : 0;
    }
    return OPAC_OK;
}

/* Distances to winning states under the policy. Did a state lose its value for want of one? */
static opac_status find_ranks(run *r, bool *moved, opac_error *error)
{
    const graph_process *process = &r->known.process;
    base_bitset choices;
    graph_attractor attractor;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(r->workspace, process->choice_count, &choices, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        if (r->lower[s] > 0 && r->policy[s] != GRAPH_NONE)
            base_bitset_add(&choices, r->policy[s]);
    const graph_part part = {.choices = &choices};
    TRY_OR(done, graph_attract_some(process, part, &r->reverse, &r->winning.states, r->workspace,
                                    &attractor, error));
    for (uint32_t s = 0; s < process->state_count; s++) {
        r->rank[s] = attractor.rank[s];
        if (r->lower[s] > 0 && r->rank[s] == GRAPH_NONE) {
            r->lower[s] = 0;
            *moved = true;
        }
    }
done:
    graph_workspace_release(r->workspace, place);
    return status;
}

/* Until every value is at most its step and has a rank. */
static opac_status settle_lower(run *r, opac_error *error)
{
    bool moved = true;
    for (uint32_t round = 0; moved; round++) {
        moved = false;
        TRY(find_ranks(r, &moved, error));
        for (uint32_t s = 0; s < r->known.process.state_count; s++) {
            if (!(r->lower[s] > 0) || base_bitset_has(&r->winning.states, s))
                continue;
            double step = worth(r, r->policy[s], r->lower, false);
            if (step < r->lower[s]) {
                r->lower[s] = step > r->precision && round < 64 ? step : 0;
                moved = true;
            }
        }
    }
    return OPAC_OK;
}

static opac_status find_lower(run *r, opac_error *error)
{
    solve_interval_net net;
    solve_interval_iteration iteration;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status;
    TRY_OR(done, solve_interval_net_build(&r->known, &r->winning.mec, &r->surely.one,
                                          &r->surely.zero, r->workspace, &net, error));
    TRY_OR(done, take_iteration(r, &net, &iteration, error));
    spread_guess(r, &net, r->options->guess_lower, iteration.start);
    TRY_OR(done, iterate(r, &iteration, error));
    status = lift_policy(r, &iteration, error);
done:
    graph_workspace_release(r->workspace, place);
    TRY(status);
    return settle_lower(r, error);
}

/* ---- the upper bound ---- */

/* Until no step exceeds its state. */
static void settle_upper(run *r)
{
    const graph_process *process = &r->known.process;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t s = 0; s < process->state_count; s++)
            for (uint32_t c = process->choice_begin[s];
                 c < process->choice_begin[s + 1] && r->upper[s] < 1; c++) {
                double step = worth(r, c, r->upper, true);
                if (step > r->upper[s]) {
                    step += r->precision / 64;
                    r->upper[s] = step < 1 ? step : 1;
                    moved = true;
                }
            }
    }
}

static opac_status iterate_upper(run *r, const graph_mec *classes, const base_bitset *target,
                                 opac_error *error)
{
    solve_interval_net net;
    solve_interval_iteration iteration;
    graph_max_reached reached = r->surely;
    if (!base_bitset_equal(target, &r->winning.states))
        TRY(find_surely(r, target, &reached, error));
    TRY(solve_interval_net_build(&r->known, classes, &reached.one, &reached.zero, r->workspace,
                                 &net, error));
    TRY(take_iteration(r, &net, &iteration, error));
    TRY(set_hope(r, &net, &iteration, error));
    iteration.optimistic = true;
    spread_guess(r, &net, r->lower, iteration.start);
    TRY(iterate(r, &iteration, error));
    for (uint32_t s = 0; s < r->known.process.state_count; s++)
        r->upper[s] = iteration.value[net.node[s]];
    return OPAC_OK;
}

static opac_status find_upper(run *r, opac_error *error)
{
    graph_mec classes = r->winning.mec;
    base_bitset target;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(r->workspace, r->known.process.state_count, &target, error));
    if (r->known.zero_edges)
        TRY_OR(done, solve_interval_classes(&r->known, r->workspace, &classes, error));
    base_bitset_copy(&target, &r->winning.states);
    base_bitset_unite(&target, &r->known.hopes);
    TRY_OR(done, iterate_upper(r, &classes, &target, error));
    settle_upper(r);
done:
    graph_workspace_release(r->workspace, place);
    return status;
}

/* ---- policies ---- */

/* What an explorer may take: near the best, and progress to the target. */
static opac_status follow(run *r, const base_bitset *near, const base_bitset *target,
                          opac_error *error)
{
    graph_attractor attractor;
    const graph_part part = {.choices = near};
    if (base_bitset_next(target, 0) == target->size)
        return OPAC_OK;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status = graph_attract_some(&r->known.process, part, &r->reverse, target,
                                            r->workspace, &attractor, error);
    for (uint32_t s = 0; status == OPAC_OK && s < r->known.process.state_count; s++)
        if (r->hopeful[s] == GRAPH_NONE && attractor.choice[s] != GRAPH_NONE)
            r->hopeful[s] = r->known.origin[attractor.choice[s]];
    graph_workspace_release(r->workspace, place);
    return status;
}

/* Winning states and unknown choices; the choices near the best elsewhere. */
static void begin_hopeful(run *r, base_bitset *near)
{
    const graph_process *process = &r->known.process;
    const uint32_t *choice_begin = r->problem->process->choice_begin;
    for (uint32_t s = 0; s < process->state_count; s++) {
        r->hopeful[s] = GRAPH_NONE;
        if (base_bitset_has(&r->winning.states, s)) {
            r->hopeful[s] = r->known.origin[r->winning.choice[s]];
            continue;
        }
        if (base_bitset_has(&r->known.hopes, s)) {
            r->hopeful[s] = (uint32_t)base_bitset_next(r->problem->unknown, choice_begin[s]);
            continue;
        }
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (worth(r, c, r->upper, true) >= r->upper[s] - 2 * r->precision)
                base_bitset_add(near, c);
    }
}

static uint32_t first_near(const run *r, const base_bitset *near, uint32_t s)
{
    const graph_process *process = &r->known.process;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
        if (base_bitset_has(near, c))
            return r->known.origin[c];
    const uint32_t *begin = r->problem->process->choice_begin;
    return begin[s] < begin[s + 1] ? begin[s] : GRAPH_NONE;
}

static opac_status find_hopeful(run *r, opac_error *error)
{
    base_bitset near, hopes;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(r->workspace, r->known.process.choice_count, &near, error));
    TRY_OR(done, graph_take_set(r->workspace, r->known.process.state_count, &hopes, error));
    begin_hopeful(r, &near);
    base_bitset_copy(&hopes, &r->known.hopes);
    base_bitset_subtract(&hopes, &r->winning.states);
    TRY_OR(done, follow(r, &near, &hopes, error));
    TRY_OR(done, follow(r, &near, &r->winning.states, error));
    for (uint32_t s = 0; s < r->known.process.state_count; s++)
        if (r->hopeful[s] == GRAPH_NONE)
            r->hopeful[s] = first_near(r, &near, s);
done:
    graph_workspace_release(r->workspace, place);
    return status;
}

static void find_cautious(run *r)
{
    const uint32_t *begin = r->problem->process->choice_begin;
    for (uint32_t s = 0; s < r->known.process.state_count; s++)
        r->cautious[s] = r->lower[s] > 0           ? r->known.origin[r->policy[s]]
                         : begin[s] < begin[s + 1] ? begin[s]
                                                   : GRAPH_NONE;
}

/* ---- the whole ---- */

static opac_status run_phases(run *r, opac_error *error)
{
    TRY(take_run(r, error));
    TRY(read_graph(r, error));
    TRY(find_lower(r, error));
    TRY(find_upper(r, error));
    TRY(find_hopeful(r, error));
    return graph_workspace_check(r->workspace, error);
}

opac_status solve_interval_run(solve_interval_solver *solver, const solve_interval_problem *problem,
                               const solve_interval_options *options, solve_interval_result *result,
                               opac_error *error)
{
    static const solve_interval_options usual = {0};
    run r = {.problem = problem, .options = options != NULL ? options : &usual};
    r.workspace = &solver->workspace;
    r.precision = r.options->precision;
    if (!(r.precision >= 0 && r.precision < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the precision must be at least 0 and less than 1");
    if (r.precision <= 0)
        r.precision = usual_precision;
    graph_workspace_release(r.workspace, (graph_place){0});
    base_work work;
    base_work_init(&work, r.options->cancel, 0);
    r.workspace->work = &work;
    opac_status status = run_phases(&r, error);
    r.workspace->work = NULL;
    TRY(status);
    for (uint32_t s = 0; s < problem->process->state_count; s++)
        TRY(base_check_bounds(r.lower[s], r.upper[s], error));
    find_cautious(&r);
    *result = (solve_interval_result){.winning = r.winning.states,
                                      .upper = r.upper,
                                      .lower = r.lower,
                                      .rank = r.rank,
                                      .cautious = r.cautious,
                                      .hopeful = r.hopeful,
                                      .sweeps = r.sweeps,
                                      .is_cut = r.is_cut};
    return OPAC_OK;
}
