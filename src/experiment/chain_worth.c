/* SPDX-License-Identifier: MIT */
/*
 * What the policies of all runs are worth, by k: the paper's figure with a thousand runs. So many dots
 * would hide each other, and a policy has one of seven worths only; so the figure has a curve for each of a
 * few worths: the share of runs that are worth at least that much. The table has all of it, beside the
 * exact law.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "experiment/chain.h"

enum {
    WORTHS = EXPERIMENT_CHAIN_STATES + 1, /* by the state in which a policy tries; 0: in none */
    LEVELS = 4                            /* curves */
};

/* A curve counts the runs that try in a state up to this one. */
static const struct {
    int state;
    const char *name;
} levels[LEVELS] = {{1, "1/2, the best"},
                    {2, "at least 1/4"},
                    {3, "at least 1/8"},
                    {EXPERIMENT_CHAIN_STATES, "more than 0"}};

/* The state in which a policy of that probability tries; 0: in none. */
static int state_of(double worth)
{
    int state = worth > 0 ? (int)lround(-log2(worth)) : 0;
    assert(state >= 0 && state < WORTHS);
    return state;
}

/* How many runs of the index-th k try in each state. */
static void count_worths(const experiment_chain_runs *c, size_t index, uint64_t counts[WORTHS])
{
    const experiment_trial *trials = &c->trials[index * c->size->runs];
    for (int state = 0; state < WORTHS; state++)
        counts[state] = 0;
    for (uint64_t i = 0; i < c->size->runs; i++)
        counts[state_of(trials[i].truth)]++;
}

static void draw_worths(const experiment_chain_runs *c, double *k, double *shares)
{
    char title[96], caption[500];
    drawing_series series[LEVELS];
    uint64_t counts[WORTHS];
    for (size_t i = 0; i < c->k_count; i++) {
        uint64_t sum = 0;
        k[i] = (double)c->k[i];
        count_worths(c, i, counts);
        for (int level = 0, state = 1; level < LEVELS; level++) {
            for (; state <= levels[level].state; state++)
                sum += counts[state];
            shares[(size_t)level * c->k_count + i] = (double)sum / (double)c->size->runs;
        }
    }
    for (size_t level = 0; level < LEVELS; level++)
        series[level] = (drawing_series){.name = levels[level].name,
                                         .kind = DRAWING_CURVE,
                                         .x = k,
                                         .y = shares + level * c->k_count,
                                         .count = c->k_count};
    drawing_rule rules[] = {
        {.at = 1 - experiment_chain_delta, .label = "1 − δ"},
        {.vertical = true, .at = (double)c->rule_k[OPAC_K_PAPER].value, .label = "Theorem 1"}};
    drawing_chart chart = {
        .title = title,
        .description = "The share of runs whose policy wins with probability 1/2, at least 1/4, at "
                       "least 1/8, and more than 0, for values of k from 1 to that of Theorem 1",
        .x = {.label = "k, observations that make a pair known", .scale = DRAWING_LOG},
        .y = {.label = "share of runs", .low = 0.4, .high = 1.02},
        .series = series,
        .series_count = LEVELS,
        .rules = rules,
        .rule_count = 2,
        .width = 760};
    snprintf(title, sizeof title, "What the policies of %" PRIu64 " runs are worth, by k",
             c->size->runs);
    snprintf(
        caption, sizeof caption,
        "The same, finer: of %" PRIu64 " runs for each k, the share whose policy satisfies the "
        "objective with a probability of 1/2, of 1/4 or more, of 1/8 or more, and of more than "
        "0. The optimum is 1/2, and the threshold, 6ε below it, is 0.4: only the lowest curve "
        "counts as good.",
        c->size->runs);
    experiment_lab_chart(c->lab, "worth", &chart, caption);
}

static void tell_worths(const experiment_chain_runs *c)
{
    static const char *const columns[] = {"k", "probability", "runs_worth", "share", "exact"};
    experiment_table *table = experiment_lab_new_table(c->lab, "worth", columns, 5);
    for (size_t i = 0; i < c->k_count; i++) {
        uint64_t counts[WORTHS];
        double law[WORTHS];
        count_worths(c, i, counts);
        experiment_chain_law(c->k[i], law);
        for (int state = 0; state < WORTHS; state++) {
            experiment_table_uint(table, c->k[i]);
            experiment_table_double(table, state == 0 ? 0 : ldexp(1, -state));
            experiment_table_uint(table, counts[state]);
            experiment_table_double(table, (double)counts[state] / (double)c->size->runs);
            experiment_table_double(table, law[state]);
        }
    }
    experiment_lab_table(c->lab, table,
                         "How many runs have a policy of which probability, for each k, and the "
                         "exact law.");
}

opac_status experiment_chain_worth(const experiment_chain_runs *c, opac_error *error)
{
    double *k = base_alloc((1 + LEVELS) * c->k_count, sizeof *k);
    if (k == NULL)
        return base_fail_memory(error);
    draw_worths(c, k, k + c->k_count);
    base_free(k);
    tell_worths(c);
    return OPAC_OK;
}
