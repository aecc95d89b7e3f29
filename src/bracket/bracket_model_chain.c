/* SPDX-License-Identifier: MIT */
/*
 * Computed from a bracket and the frequencies: the chain of the pessimistic policy, and the rows of which
 * more samples would reduce the gap most.
 *
 * The weight of a row is Σ visits(s) · spread(s) over the product states s whose optimistic choice takes
 * the row. visits(s): the expected visits from the start, with frequencies as probabilities, up to some
 * horizon. spread(s): by how much U can move there within the row's intervals, max Σ q·upper - min Σ q·upper. Without
 * trials, which raise L, that of L is added.
 *
 * Visits are summed over sweeps, each of which moves the mass by one step. Mass that reaches a
 * row that takes turns, or a state where episodes end, is removed. There are at most MOST_SWEEPS sweeps, and beyond
 * LEAST_SWEEPS at most MOST_WORK edges in all. The mass that is left then affects the weights only.
 */
#include <math.h>

#include "bracket/bracket_model_form.h"

enum {
    LEAST_SWEEPS = 16,
    MOST_SWEEPS = 1024,
    MOST_WORK = 1 << 24
};
#define NO_MASS 1e-9

/* ---- the chain ---- */

static uint32_t pessimistic_choice(const void *context, uint32_t product_state)
{
    return bracket_model_choose(context, product_state, BRACKET_PESSIMISTIC);
}

opac_status bracket_model_chain(bracket_model *b, struct sample_chain *chain, double *value,
                                opac_error *error)
{
    sample_process_options drawing = {.stats = b->stats,
                                      .named = b->named,
                                      .choice = pessimistic_choice,
                                      .known_only = true,
                                      .context = b,
                                      .cancel = b->cancel};
    if (b->stats->start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing was observed yet");
    TRY(sample_build_process(&b->chain, &drawing, error));
    *chain = (sample_chain){.process = sample_process_get(&b->chain),
                            .product_states = b->chain.product_state.items,
                            .choice = b->chain.policy.items};
    if (value == NULL)
        return OPAC_OK;
    solve_problem problem = {.process = &chain->process,
                             .marks = b->chain.marks.items,
                             .pairs = b->pairs.items,
                             .pair_count = (uint32_t)b->pairs.count};
    solve_options options = {.no_policy = true, .cancel = b->cancel};
    solve_result result;
    TRY(solve_run(b->solver, &problem, &options, &result, error));
    *value = result.lower[0];
    return OPAC_OK;
}

/* ---- visits ---- */

uint32_t bracket_model_optimistic_choice(const bracket_model *b, const graph_process *p,
                                         uint32_t node)
{
    uint32_t product_state = b->nodes.items[node];
    uint32_t choice = b->values.items[product_state].choice[BRACKET_OPTIMISTIC];
    if (choice == SAMPLE_NONE || bracket_model_ends_at(b, product_state))
        return GRAPH_NONE;
    return p->choice_begin[node] + (choice - b->stats->product_states.items[product_state].choice);
}

/* Moves all mass by one step; returns how much is left. */
static double sweep(const bracket_model *b, const graph_process *p, const double *mass,
                    double *next, double *visits)
{
    double left = 0;
    for (uint32_t i = 0; i < p->state_count; i++)
        next[i] = 0;
    for (uint32_t i = 0; i < p->state_count; i++) {
        uint32_t c = mass[i] > 0 ? bracket_model_optimistic_choice(b, p, i) : GRAPH_NONE;
        if (c == GRAPH_NONE)
            continue;
        visits[i] += mass[i];
        uint32_t choice = b->values.items[b->nodes.items[i]].choice[BRACKET_OPTIMISTIC];
        if (sample_statistics_takes_turns(b->stats, choice))
            continue;
        left += mass[i];
        for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++)
            next[p->target[e]] += mass[i] * p->prob[e];
    }
    return left;
}

opac_status bracket_model_visits(bracket_model *b, const graph_process *p, double **visits,
                                 bool *is_cut, opac_error *error)
{
    double *mass = graph_take(&b->workspace, p->state_count, sizeof *mass);
    double *next = graph_take(&b->workspace, p->state_count, sizeof *next);
    *visits = graph_take(&b->workspace, p->state_count, sizeof **visits);
    if (mass == NULL || next == NULL || *visits == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < p->state_count; i++) {
        mass[i] = i == 0;
        (*visits)[i] = 0;
    }
    uint32_t most = MOST_WORK / (p->edge_count + 1);
    most = most < LEAST_SWEEPS ? LEAST_SWEEPS : most < MOST_SWEEPS ? most : MOST_SWEEPS;
    *is_cut = true;
    for (uint32_t i = 0; i < most && *is_cut; i++) {
        double left = sweep(b, p, mass, next, *visits);
        double *last = mass;
        mass = next;
        next = last;
        *is_cut = left > NO_MASS;
    }
    return OPAC_OK;
}

/* The greatest unseen mass of a known choice's row; 0 of other choices. */
static double unseen_of(const bracket_model *b, uint32_t choice)
{
    uint32_t row = bracket_model_row(b, choice);
    return row != SAMPLE_NONE && sample_statistics_is_known(b->stats, choice)
               ? bracket_support_unseen(b->support, row)
               : 0;
}

/*
 * Number of further visits of a node's row after which it should be reconsidered; 0 if the row takes turns, or is
 * complete and has only one successor.
 */
static double count_useful_visits(const bracket_model *b, const graph_process *p, uint32_t node)
{
    uint32_t modelled = bracket_model_optimistic_choice(b, p, node);
    if (modelled == GRAPH_NONE)
        return 0;
    uint32_t choice = b->values.items[b->nodes.items[node]].choice[BRACKET_OPTIMISTIC];
    const sample_choice *c = &b->stats->choices.items[choice];
    if (sample_choice_is_free(c) || sample_statistics_takes_turns(b->stats, choice))
        return 0;
    if (p->edge_begin[modelled + 1] - p->edge_begin[modelled] < 2 && unseen_of(b, choice) <= 0)
        return 0;
    return fmax(BRACKET_LEAST_NEW_VISITS,
                BRACKET_VISIT_GROWTH * (double)b->stats->counters.items[c->counter].count);
}

opac_status bracket_model_useful_episodes(bracket_model *b, double *episodes, opac_error *error)
{
    graph_process p = sample_process_get(&b->process);
    double *visits;
    bool is_cut;
    *episodes = INFINITY;
    if (b->process.product_state.count == 0 || b->process.product_state.count != b->nodes.count)
        return OPAC_OK; /* no update since it was made, or restored */
    graph_place place = graph_workspace_mark(&b->workspace);
    opac_status status = bracket_model_visits(b, &p, &visits, &is_cut, error);
    for (uint32_t i = 0; i < p.state_count && status == OPAC_OK; i++) {
        double useful = visits[i] > 0 ? count_useful_visits(b, &p, i) : 0;
        if (useful > 0)
            *episodes = fmin(*episodes, useful / visits[i]);
    }
    graph_workspace_release(&b->workspace, place);
    return status;
}

/* ---- weights ---- */

typedef struct scratch {
    bracket_edges edges;
    bracket_row_step row;
} scratch;

/* Greatest minus least expectation of upper or lower within the intervals of a choice. */
static double spread(const graph_process *p, uint32_t choice, double unseen, scratch *s,
                     const bracket_model *b, bool is_upper)
{
    bracket_model_fill_row(b, p, choice, unseen, is_upper, &s->edges, &s->row);
    double high = bracket_model_step_row(&s->row, true);
    double low = bracket_model_step_row(&s->row, false);
    return high > low ? high - low : 0;
}

static void add_weight(const bracket_model *b, const graph_process *p, uint32_t node, double visits,
                       scratch *s, double *weights)
{
    uint32_t modelled = bracket_model_optimistic_choice(b, p, node);
    if (modelled == GRAPH_NONE || visits == 0)
        return;
    uint32_t choice = b->values.items[b->nodes.items[node]].choice[BRACKET_OPTIMISTIC];
    const sample_choice *c = &b->stats->choices.items[choice];
    if (sample_choice_is_free(c))
        return;
    uint32_t row = b->stats->counters.items[c->counter].row;
    if (sample_statistics_takes_turns(b->stats, choice))
        weights[row] += visits;
    else {
        double unseen = unseen_of(b, choice);
        weights[row] += visits * spread(p, modelled, unseen, s, b, true);
        if (b->options.weighs_lower)
            weights[row] += visits * spread(p, modelled, unseen, s, b, false);
    }
}

static bool are_all_zero(const double *weights, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        if (weights[i] > 0)
            return false;
    return true;
}

/*
 * If the states in which L and U differ are so far away that no mass reached them, every row with several
 * successors on the way gets its visits as weight.
 */
static void add_visits(const bracket_model *b, const graph_process *p, const double *visits,
                       double *weights)
{
    for (uint32_t i = 0; i < p->state_count; i++) {
        uint32_t modelled = bracket_model_optimistic_choice(b, p, i);
        if (modelled == GRAPH_NONE)
            continue;
        uint32_t choice = b->values.items[b->nodes.items[i]].choice[BRACKET_OPTIMISTIC];
        if (bracket_model_row(b, choice) == SAMPLE_NONE ||
            (p->edge_begin[modelled + 1] - p->edge_begin[modelled] < 2 &&
             unseen_of(b, choice) <= 0))
            continue;
        uint32_t counter = b->stats->choices.items[choice].counter;
        weights[b->stats->counters.items[counter].row] += visits[i];
    }
}

static opac_status weigh(bracket_model *b, double *weights, opac_error *error)
{
    graph_process p = sample_process_get(&b->process);
    double *visits;
    bool is_cut;
    scratch s;
    TRY(bracket_model_fill(b, NULL, &s.edges, error));
    TRY(bracket_model_visits(b, &p, &visits, &is_cut, error));
    TRY(bracket_model_alloc_row(b, &p, &s.row, error));
    for (uint32_t i = 0; i < p.state_count; i++)
        add_weight(b, &p, i, visits[i], &s, weights);
    if (is_cut && are_all_zero(weights, b->stats->rows.count))
        add_visits(b, &p, visits, weights);
    return OPAC_OK;
}

opac_status bracket_model_weights(bracket_model *b, base_double_vec *weights, opac_error *error)
{
    size_t rows = b->stats->rows.count;
    TRY(base_double_vec_reserve(weights, rows, error));
    weights->count = rows;
    for (size_t i = 0; i < rows; i++)
        weights->items[i] = 0;
    if (b->process.product_state.count == 0 || b->process.product_state.count != b->nodes.count)
        return OPAC_OK; /* no update since it was made, or restored */
    graph_place place = graph_workspace_mark(&b->workspace);
    opac_status status = weigh(b, weights->items, error);
    graph_workspace_release(&b->workspace, place);
    return status;
}
