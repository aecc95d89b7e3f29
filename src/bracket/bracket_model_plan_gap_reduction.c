/* SPDX-License-Identifier: MIT */
/*
 * Plans the exploration policy that reduces the gap most per step, in the model of the frequencies.
 *
 * A visit of a row reduces the gap by about weight / 2n, where weight is that of bracket_model_weights and
 * n the number of visits so far, because interval widths decrease as 1/√n. So an episode gains the sum of
 * these over its rows, and costs its steps. The plan maximises the long-run gain per step, over policies
 * and over the states in which to end an episode. This is a fractional problem (Dinkelbach 1967): at the
 * best rate r, the greatest expected sum of gain - r over an episode is 0. r is found by bisection. For
 * each r the sums are iterated upwards from 0; r is too small once the sum of the start is positive.
 *
 * The plan is used only if it gains more per step than the optimistic policy: states far from the start may
 * need more sweeps than are made. Few sweeps suffice, because an inexact plan affects only which rows are
 * sampled, not the validity of the bracket.
 *
 * With rows alike, a visit of any row of a class adds to the draws of all of them: its weight is the sum over the class,
 * and n is the number of draws of the class. A row that has not shown all outcomes gains by its own visits, too.
 *
 * n is increased by the number of visits expected before the next update, since a row with few visits gains
 * less from the later ones.
 */
#include "bracket/bracket_model_form.h"

enum {
    BISECTIONS = 10,
    LEAST_SWEEPS = 8,
    MOST_SWEEPS = 64,
    MOST_WORK = 1 << 20 /* edges of all sweeps, beyond LEAST_SWEEPS */
};

typedef struct gap_plan {
    const bracket_model *b;
    graph_process p;
    double *gain;         /* by choice of the model; below 0: must not be taken */
    double *value;        /* by node: the greatest sum from there on, at least 0 */
    uint32_t *best;       /* by node: the choice that attains it; GRAPH_NONE: end the episode */
    double most;          /* the greatest gain */
    double *class_weight; /* rows alike: by class, the sum of the weights of its rows; else NULL */
} gap_plan;

/* ---- gains ---- */

static double gain_of(const gap_plan *w, uint32_t choice, const double *weights, double batch)
{
    const sample_statistics *stats = w->b->stats;
    const sample_choice *c = &stats->choices.items[choice];
    if (sample_choice_is_free(c))
        return 0;
    if (sample_statistics_takes_turns(stats, choice))
        return -1;
    const sample_counter *counter = &stats->counters.items[c->counter];
    uint32_t class = w->class_weight != NULL ? sample_classes_of_row(stats->classes, counter->row)
                                             : SAMPLE_NO_OUTCOME;
    double own = weights[counter->row] / ((double)counter->count + batch);
    if (class == SAMPLE_NO_OUTCOME)
        return own;
    double gain =
        w->class_weight[class] / ((double)stats->classes->classes.items[class].draws + batch);
    return sample_classes_has_shown_all(stats->classes, counter->row) ? gain : gain + own;
}

/* With rows alike: sums the weights of the rows of each class. */
static opac_status sum_weights(gap_plan *w, graph_workspace *workspace, const double *weights,
                               opac_error *error)
{
    const sample_statistics *stats = w->b->stats;
    const sample_classes *classes = stats->classes;
    if (classes == NULL)
        return OPAC_OK;
    w->class_weight = graph_take(workspace, classes->classes.count + 1, sizeof *w->class_weight);
    if (w->class_weight == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < classes->classes.count; i++)
        w->class_weight[i] = 0;
    for (uint32_t row = 0; row < stats->rows.count; row++) {
        uint32_t class = sample_classes_of_row(classes, row);
        if (class != SAMPLE_NO_OUTCOME)
            w->class_weight[class] += weights[row];
    }
    return OPAC_OK;
}

static void find_gains(gap_plan *w, const double *weights, double batch)
{
    const graph_process *p = &w->p;
    for (uint32_t i = 0; i < p->state_count; i++) {
        uint32_t product_state = w->b->nodes.items[i],
                 first = w->b->stats->product_states.items[product_state].choice;
        bool is_over = bracket_model_ends_at(w->b, product_state);
        for (uint32_t c = p->choice_begin[i]; c < p->choice_begin[i + 1]; c++) {
            double gain =
                is_over ? -1 : gain_of(w, first + (c - p->choice_begin[i]), weights, batch);
            w->gain[c] = gain;
            w->most = gain > w->most ? gain : w->most;
        }
    }
}

/* ---- sums ---- */

/* The best choice of a node at a rate; GRAPH_NONE if it has none. *worth: its sum. */
static uint32_t choose(const gap_plan *w, uint32_t node, double rate, double *worth)
{
    const graph_process *p = &w->p;
    uint32_t best = GRAPH_NONE;
    *worth = 0;
    for (uint32_t c = p->choice_begin[node]; c < p->choice_begin[node + 1]; c++) {
        double sum = w->gain[c] - rate;
        if (w->gain[c] < 0)
            continue;
        for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++)
            sum += p->prob[e] * w->value[p->target[e]];
        if (best == GRAPH_NONE || sum > *worth) {
            best = c;
            *worth = sum;
        }
    }
    return best;
}

/* Whether some policy gains more per step than the rate. Records the best choices. */
static bool exceeds_rate(gap_plan *w, double rate, uint32_t sweeps)
{
    uint32_t count = w->p.state_count;
    for (uint32_t i = 0; i < count; i++) {
        w->value[i] = 0;
        w->best[i] = GRAPH_NONE;
    }
    bool is_moving = true;
    for (uint32_t s = 0; s < sweeps && is_moving; s++) {
        is_moving = false;
        for (uint32_t i = count; i-- > 0;) {
            double worth;
            uint32_t choice = choose(w, i, rate, &worth);
            if (i == 0 && worth > 0 && choice != GRAPH_NONE)
                return true;
            if (i == 0)
                w->best[0] = choice;
            if (!(worth > w->value[i]))
                continue;
            is_moving = true;
            w->value[i] = worth;
            w->best[i] = choice;
        }
    }
    return false;
}

/* ---- plan ---- */

/* Gain per step of the optimistic policy. */
static double optimistic_rate(const gap_plan *w, const double *visits)
{
    double gain = 0, steps = 0;
    for (uint32_t i = 0; i < w->p.state_count; i++) {
        uint32_t c = bracket_model_optimistic_choice(w->b, &w->p, i);
        if (c == GRAPH_NONE)
            continue;
        steps += visits[i];
        gain += visits[i] * (w->gain[c] > 0 ? w->gain[c] : 0);
    }
    return steps > 0 ? gain / steps : 0;
}

/* Whether a policy was found that gains more per step than the optimistic one. */
static bool find_policy(gap_plan *w, double least)
{
    uint32_t sweeps = MOST_WORK / BISECTIONS / (w->p.edge_count + 1);
    sweeps = sweeps < LEAST_SWEEPS ? LEAST_SWEEPS : sweeps < MOST_SWEEPS ? sweeps : MOST_SWEEPS;
    double low = least, high = w->most;
    if (!(low < high) || !exceeds_rate(w, low, sweeps))
        return false;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = low + (high - low) / 2;
        if (exceeds_rate(w, middle, sweeps))
            low = middle;
        else
            high = middle;
    }
    return !exceeds_rate(w, high, sweeps);
}

static opac_status run(bracket_model *b, double batch, const double *weights, bool *is_found,
                       opac_error *error)
{
    double *visits;
    gap_plan w = {.b = b, .p = sample_process_get(&b->process)};
    w.gain = graph_take(&b->workspace, w.p.choice_count, sizeof *w.gain);
    w.value = graph_take(&b->workspace, w.p.state_count, sizeof *w.value);
    w.best = graph_take_u32(&b->workspace, w.p.state_count);
    if (w.gain == NULL || w.value == NULL || w.best == NULL)
        return base_fail_memory(error);
    TRY(sum_weights(&w, &b->workspace, weights, error));
    find_gains(&w, weights, batch);
    bool is_cut;
    TRY(bracket_model_visits(b, &w.p, &visits, &is_cut, error));
    *is_found = find_policy(&w, optimistic_rate(&w, visits));
    if (!*is_found)
        return OPAC_OK;
    for (uint32_t i = 0; i < w.p.state_count; i++) {
        uint32_t product_state = b->nodes.items[i],
                 first = b->stats->product_states.items[product_state].choice;
        b->values.items[product_state].choice[BRACKET_GAP] =
            w.best[i] == GRAPH_NONE ? SAMPLE_NONE : first + (w.best[i] - w.p.choice_begin[i]);
    }
    return OPAC_OK;
}

opac_status bracket_model_plan_gap_reduction(bracket_model *b, double batch, bool *is_found,
                                             opac_error *error)
{
    base_double_vec weights = {0};
    bracket_explore_policy policy = b->policy;
    *is_found = false;
    b->policy = BRACKET_OPTIMISTIC; /* nothing is gained where its episodes end */
    opac_status status = bracket_model_weights(b, &weights, error);
    graph_place place = graph_workspace_mark(&b->workspace);
    if (status == OPAC_OK && b->process.product_state.count > 0 &&
        b->process.product_state.count == b->nodes.count)
        status = run(b, batch, weights.items, is_found, error);
    graph_workspace_release(&b->workspace, place);
    base_double_vec_fini(&weights);
    b->policy = policy;
    return status;
}
