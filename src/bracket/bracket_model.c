/* SPDX-License-Identifier: MIT */
/*
 * The bracket: see bracket_model.h. An update costs time linear in the model, plus the solver's work. The
 * solver starts from the previous values as guesses, because most values change little.
 */
#include "bracket/bracket_model.h"

#include "base/work.h"
#include "bracket/bracket_model_form.h"

#define SAME_VALUE        1e-12 /* bounds that are as near count as equal */
#define DEFAULT_PRECISION 1e-6
#define PRECISION_OF_GAP  (1.0 / 64) /* precision of the solver, relative to the previous gap */
#define GAP_PER_PRECISION 8.0 /* with a gap below this times the precision, the solver runs again */

enum {
    NODES_A_POLL = 1 << 10
};

/* ---- construction ---- */

static opac_status copy_pairs(bracket_model *b, const bracket_model_options *options,
                              opac_error *error)
{
    for (uint32_t i = 0; i < options->pair_count; i++) {
        const solve_rabin_pair *pair = &options->pairs[i];
        if ((pair->inf & ~pair->fin) == 0) /* it accepts nothing */
            continue;
        b->named |= pair->fin | pair->inf;
        TRY(bracket_model_pair_vec_push(&b->pairs, *pair, error));
    }
    return OPAC_OK;
}

opac_status bracket_model_new(sample_statistics *stats, bracket_support *support,
                              const bracket_model_options *options, bracket_model **bracket,
                              opac_error *error)
{
    bracket_model *b = base_alloc_zeroed(1, sizeof *b);
    if (b == NULL)
        return base_fail_memory(error);
    b->stats = stats;
    b->support = support;
    b->options = *options;
    b->options.pairs = NULL;
    if (!(b->options.precision > 0))
        b->options.precision = DEFAULT_PRECISION;
    b->bounds = (bracket_bounds){0, 1};
    opac_status status;
    TRY_OR(done, copy_pairs(b, options, error));
    status = solve_solver_new(&b->solver, error);
done:
    if (status == OPAC_OK)
        *bracket = b;
    else
        bracket_model_free(b);
    return status;
}

void bracket_model_free(bracket_model *b)
{
    if (b == NULL)
        return;
    bracket_model_pair_vec_fini(&b->pairs);
    solve_solver_free(b->solver);
    graph_workspace_fini(&b->workspace);
    sample_process_fini(&b->process);
    sample_process_fini(&b->chain);
    bracket_values_vec_fini(&b->values);
    base_u32_vec_fini(&b->nodes);
    base_free(b);
}

/* Adds values for every new product state. */
static opac_status grow_values(bracket_model *b, opac_error *error)
{
    size_t needed = b->stats->product_states.count;
    TRY(bracket_values_vec_reserve(&b->values, needed, error));
    while (b->values.count < needed)
        b->values.items[b->values.count++] = bracket_values_unknown();
    return OPAC_OK;
}

/* ---- before the solver ---- */

/* The interval ends of a choice. modelled: its number in the model; choice: in the statistics. */
static opac_status fill_choice(bracket_model *b, uint32_t modelled, uint32_t choice,
                               bracket_edges edges, opac_error *error)
{
    const sample_choice *c = &b->stats->choices.items[choice];
    uint32_t begin = b->process.edge_begin.items[modelled],
             end = b->process.edge_begin.items[modelled + 1];
    bracket_row_set set = {0};
    if (!sample_choice_is_free(c) && sample_statistics_is_known(b->stats, choice))
        TRY(bracket_support_get(b->support, b->stats->counters.items[c->counter].row, &set, error));
    for (uint32_t e = begin; e < end; e++) {
        edges.lower[e] = set.intervals != NULL ? set.intervals[e - begin].lower : 1;
        edges.upper[e] = set.intervals != NULL ? set.intervals[e - begin].upper : 1;
    }
    return OPAC_OK;
}

opac_status bracket_model_fill(bracket_model *b, const opac_cancel *cancel, bracket_edges *edges,
                               opac_error *error)
{
    graph_process process = sample_process_get(&b->process);
    edges->lower = graph_take(&b->workspace, process.edge_count, sizeof *edges->lower);
    edges->upper = graph_take(&b->workspace, process.edge_count, sizeof *edges->upper);
    if (edges->lower == NULL || edges->upper == NULL)
        return base_fail_memory(error);
    for (uint32_t node = 0; node < process.state_count; node++) {
        uint32_t first =
            b->stats->product_states.items[b->process.product_state.items[node]].choice;
        uint32_t begin = process.choice_begin[node], end = process.choice_begin[node + 1];
        if (node % NODES_A_POLL == 0 && opac_cancel_requested(cancel))
            return base_fail_stopped(error, cancel, "computing intervals");
        for (uint32_t c = begin; c < end; c++)
            TRY(fill_choice(b, c, first + (c - begin), *edges, error));
    }
    return OPAC_OK;
}

/* Copies the previous values, by node. */
static opac_status copy_guesses(bracket_model *b, const double **lower, const double **upper,
                                opac_error *error)
{
    size_t count = b->process.product_state.count;
    double *l = graph_take(&b->workspace, count, sizeof *l);
    double *u = graph_take(&b->workspace, count, sizeof *u);
    if (l == NULL || u == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        l[i] = b->values.items[b->process.product_state.items[i]].lower;
        u[i] = b->values.items[b->process.product_state.items[i]].upper;
    }
    *lower = l;
    *upper = u;
    return OPAC_OK;
}

/*
 * The input of the solver. A choice that was never tried has unseen mass 1. Theorem 14 counts unseen outcomes as
 * success for the upper bound and as failure for the lower bound.
 */
static opac_status make_problem(bracket_model *b, const graph_process *process,
                                bracket_edges *edges, base_bitset *wanted, solve_problem *problem,
                                opac_error *error)
{
    double *unseen = graph_take(&b->workspace, process->choice_count, sizeof *unseen);
    if (unseen == NULL)
        return base_fail_memory(error);
    TRY(bracket_model_find_unseen(b, process, unseen, error));
    TRY(bracket_model_find_wanted(b, process, unseen, wanted, error));
    TRY(bracket_model_fill(b, b->cancel, edges, error));
    *problem = (solve_problem){.process = process,
                               .lower = edges->lower,
                               .upper = edges->upper,
                               .unseen = unseen,
                               .marks = b->process.marks.items,
                               .pairs = b->pairs.items,
                               .pair_count = (uint32_t)b->pairs.count};
    return OPAC_OK;
}

static double gap(const bracket_model *b)
{
    return b->bounds.upper - b->bounds.lower;
}

/* A small part of the previous gap, but at least the precision of the options. */
static double choose_precision(const bracket_model *b)
{
    double part = gap(b) * PRECISION_OF_GAP;
    return b->has_fixed_precision || part < b->options.precision ? b->options.precision : part;
}

/*
 * Whether the solver must run again: its error may be a large part of the gap, or the gap has become so
 * narrow that the precision of the options is due.
 */
static bool is_too_imprecise(const bracket_model *b, double precision)
{
    return !b->is_cut && precision > b->options.precision &&
           (gap(b) * PRECISION_OF_GAP <= b->options.precision ||
            gap(b) < GAP_PER_PRECISION * precision);
}

/* ---- after it ---- */

/* The number in the statistics of a choice of the model. */
static uint32_t choice_of(const bracket_model *b, const graph_process *process, uint32_t node,
                          uint32_t choice)
{
    if (choice == GRAPH_NONE)
        return SAMPLE_NONE;
    return b->stats->product_states.items[b->process.product_state.items[node]].choice +
           (choice - process->choice_begin[node]);
}

static opac_status store_values(bracket_model *b, const graph_process *process,
                                const solve_interval_result *result, opac_error *error)
{
    TRY(base_u32_vec_reserve(&b->nodes, process->state_count, error));
    b->nodes.count = process->state_count;
    for (uint32_t i = 0; i < process->state_count; i++) {
        b->nodes.items[i] = b->process.product_state.items[i];
        b->values.items[b->nodes.items[i]] = (bracket_values){
            .lower = result->lower[i],
            .upper = result->upper[i],
            .choice = {[BRACKET_OPTIMISTIC] = choice_of(b, process, i, result->optimistic[i]),
                       [BRACKET_PESSIMISTIC] = choice_of(b, process, i, result->pessimistic[i]),
                       [BRACKET_GAP] = SAMPLE_NONE},
            .rank = result->rank[i],
            .node = i,
            .wins = base_bitset_has(&result->winning, i)};
    }
    b->bounds = (bracket_bounds){result->lower[0], result->upper[0]};
    return OPAC_OK;
}

/* Solves with the previous values as guesses. After a failure the caller releases the workspace. */
static opac_status solve(bracket_model *b, const solve_problem *problem, const base_bitset *wanted,
                         double precision, opac_error *error)
{
    solve_interval_result result;
    solve_options options = {.precision = precision,
                             .preferred = wanted,
                             .stop = b->stop,
                             .stop_context = b->stop_context,
                             .cancel = b->cancel};
    graph_place place = graph_workspace_mark(&b->workspace);
    TRY(copy_guesses(b, &options.guess_lower, &options.guess_upper, error));
    TRY(solve_run_intervals(b->solver, problem, &options, &result, error));
    graph_workspace_release(&b->workspace, place);
    b->is_cut = result.is_stopped;
    b->work.solved++;
    b->work.sweeps += result.sweeps;
    b->last_work += (double)(result.sweeps + 1) *
                    (double)(problem->process->edge_count - b->process.unknown.count);
    TRY(store_values(b, problem->process, &result, error));
    graph_workspace_release(&b->workspace, place);
    return OPAC_OK;
}

static opac_status build(bracket_model *b, const opac_cancel *cancel, opac_error *error)
{
    const sample_process_options drawing = {
        .stats = b->stats, .named = b->named, .is_parallel = true, .cancel = cancel};
    opac_status status = sample_build_process(&b->process, &drawing, error);
    b->is_built = status == OPAC_OK;
    return status;
}

static opac_status update(bracket_model *b, opac_error *error)
{
    bracket_edges edges;
    solve_problem problem;
    base_bitset wanted;
    TRY(build(b, b->cancel, error));
    graph_process process = sample_process_get(&b->process);
    double precision = choose_precision(b);
    TRY(make_problem(b, &process, &edges, &wanted, &problem, error));
    TRY(solve(b, &problem, &wanted, precision, error));
    while (is_too_imprecise(b, precision)) {
        precision = choose_precision(b);
        TRY(solve(b, &problem, &wanted, precision, error));
    }
    return OPAC_OK;
}

opac_status bracket_model_update(bracket_model *b, opac_error *error)
{
    if (b->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    b->last_work = 0;
    opac_status status = grow_values(b, error);
    graph_place place = graph_workspace_mark(&b->workspace);
    if (status == OPAC_OK)
        status = update(b, error);
    b->is_cut |= status == OPAC_ERROR_CANCELLED;
    graph_workspace_release(&b->workspace, place);
    return status;
}

opac_status bracket_model_reset_values(bracket_model *b, opac_error *error)
{
    if (!b->is_built)
        TRY(build(b, NULL, error));
    TRY(grow_values(b, error)); /* building may have added product states */
    graph_process process = sample_process_get(&b->process);
    TRY(base_u32_vec_reserve(&b->nodes, process.state_count, error));
    b->nodes.count = process.state_count;
    for (uint32_t i = 0; i < process.state_count; i++) {
        uint32_t begin = process.choice_begin[i], end = process.choice_begin[i + 1];
        uint32_t choice = choice_of(b, &process, i, begin < end ? begin : GRAPH_NONE);
        b->nodes.items[i] = b->process.product_state.items[i];
        bracket_values *values = &b->values.items[b->nodes.items[i]];
        *values = bracket_values_unknown();
        values->choice[BRACKET_OPTIMISTIC] = values->choice[BRACKET_PESSIMISTIC] = choice;
        values->node = i;
    }
    b->bounds = (bracket_bounds){0, 1};
    b->is_cut = true;
    return OPAC_OK;
}

void bracket_model_set_precision(bracket_model *b, double precision)
{
    b->options.precision = precision > 0 ? precision : DEFAULT_PRECISION;
    b->has_fixed_precision = true;
}

void bracket_model_set_limits(bracket_model *b, bool (*stop)(const void *context),
                              const void *context, const opac_cancel *cancel)
{
    b->cancel = cancel;
    b->stop = stop;
    b->stop_context = context;
}

bool bracket_model_was_stopped(const bracket_model *b)
{
    return b->is_cut;
}

/* ---- results ---- */

bracket_bounds bracket_model_bounds(const bracket_model *b)
{
    return b->bounds;
}

double bracket_model_unseen(const bracket_model *b)
{
    return b->unseen;
}

double bracket_model_last_work(const bracket_model *b)
{
    return b->last_work;
}

bool bracket_model_wins(const bracket_model *b, uint32_t product_state, uint32_t *choice)
{
    bracket_values values = bracket_model_get_values(b, product_state);
    *choice = values.choice[BRACKET_PESSIMISTIC];
    return values.wins && *choice != SAMPLE_NONE;
}

void bracket_model_follow(bracket_model *b, bracket_explore_policy policy)
{
    b->policy = policy;
}

uint32_t bracket_model_choice(const bracket_model *b, uint32_t product_state)
{
    return bracket_model_choose(b, product_state, b->policy);
}

uint32_t bracket_model_choose(const bracket_model *b, uint32_t product_state,
                              bracket_explore_policy policy)
{
    uint32_t choice = bracket_model_get_values(b, product_state).choice[policy];
    return choice != SAMPLE_NONE ? choice : sample_first_unknown(NULL, b->stats, product_state);
}

bool bracket_model_ends_at(const bracket_model *b, uint32_t product_state)
{
    bracket_values values = bracket_model_get_values(b, product_state);
    double near = b->options.precision > SAME_VALUE ? b->options.precision : SAME_VALUE;
    if (product_state == b->stats->start) /* if L and U agree there, the run has ended */
        return false;
    if (b->policy == BRACKET_GAP && values.choice[BRACKET_GAP] == SAMPLE_NONE)
        return true;
    if (product_state == SAMPLE_NONE)
        return false;
    return product_state == b->stats->reject || product_state == b->stats->sink || values.wins ||
           values.upper <= values.lower + near;
}

uint32_t bracket_model_count(const bracket_model *b)
{
    return (uint32_t)b->nodes.count;
}

bracket_model_node bracket_model_get(const bracket_model *b, uint32_t node)
{
    uint32_t product_state = b->nodes.items[node];
    bracket_values values = b->values.items[product_state];
    return (bracket_model_node){.product_state = product_state,
                                .upper = values.upper,
                                .lower = values.lower,
                                .choice = values.choice[BRACKET_PESSIMISTIC],
                                .rank = values.rank,
                                .wins = values.wins};
}
