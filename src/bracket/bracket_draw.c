/* SPDX-License-Identifier: MIT */
/*
 * Generative sampling: a round of draws of successors, distributed over the rows in proportion to their
 * weights (bracket_model_weights). The size of a round is a fixed share of the draws so far. A row that must be
 * completed gets at most the draws that it needs for that, other rows at most half of those they have.
 *
 * The random numbers are a function of the seed, the round and the row.
 */
#include <math.h>
#include <string.h>

#include "bracket/bracket.h"

static const double growth = 0.1;    /* of the number of draws in a round */
static const double first_round = 8; /* least number of draws */

typedef struct drawn_row {
    sample_statistics *stats;
    uint32_t row;
} drawn_row;

/* Callback of env_draw: counts a successor. */
static opac_status count_successor(void *context, const opac_observation *seen, uint64_t count,
                                   opac_error *error)
{
    const drawn_row *h = context;
    uint32_t state, branch;
    if (count == 0)
        return OPAC_OK;
    TRY(sample_statistics_add_state(h->stats, seen, &state, error));
    TRY(sample_statistics_branch(h->stats, h->row, state, &branch, error));
    return sample_statistics_observe(h->stats, h->row, branch, count, error);
}

/* The key is copied, because adding a successor may move it. */
static opac_status draw_row(opac_learning *l, uint32_t row, uint64_t n, base_u64_vec *key_buffer,
                            opac_error *error)
{
    sample_statistics *stats = &l->run.stats;
    drawn_row h = {stats, row};
    opac_observation state = {0};
    uint64_t seed = env_episode_seed(env_episode_seed(l->run.seed, l->run.round.number), row);
    uint32_t id = stats->rows.items[row].state, action = 0;
    if (id != SAMPLE_NONE) {
        TRY(sample_statistics_get_observation(stats, id, key_buffer, &state, error));
        action = stats->rows.items[row].action;
    }
    uint64_t before = stats->counters.items[row].count;
    opac_status status = env_draw(stats->env, &state, action, n, seed, count_successor, &h, error);
    sample_statistics_end_batch(stats, row, before);
    return status;
}

/* Number of draws for a row with a part of the total weight, in a round of `total`. */
static uint64_t share(const opac_learning *l, uint32_t row, double total, double part)
{
    const sample_counter *c = &l->run.stats.counters.items[row];
    double n = floor(total * part);
    uint64_t draws = n < 0x1p53 ? (uint64_t)n : SAMPLE_MOST_STEPS;
    if (c->known && !c->wanted) {
        double most = fmax(BRACKET_LEAST_NEW_VISITS, BRACKET_VISIT_GROWTH * (double)c->count);
        return (double)draws < most ? draws : (uint64_t)most;
    }
    uint64_t visits = bracket_support_visits(bracket_support_of(&l->run), row);
    uint64_t left = visits > c->count ? visits - c->count : 1;
    return draws < left ? draws : left;
}

/* A share of the draws so far. In a large model, where an update is expensive, as for a round of episodes. */
static double choose_total(const sample_run *run)
{
    uint64_t least = (uint64_t)bracket_round_least(run);
    return fmax(least > run->stats.product_states.count ? (double)least : first_round,
                growth * (double)run->steps);
}

/* Replaces weights by numbers of draws; *sum: their sum, at least 1 unless all weights are 0. */
static void distribute_draws(const opac_learning *l, base_double_vec *weights, uint64_t *sum)
{
    double all = 0, total = choose_total(&l->run);
    size_t heaviest = 0;
    *sum = 0;
    for (size_t i = 0; i < weights->count; i++) {
        all += weights->items[i];
        if (weights->items[i] > weights->items[heaviest])
            heaviest = i;
    }
    for (size_t i = 0; all > 0 && i < weights->count; i++) {
        double part = weights->items[i] / all;
        uint64_t n = share(l, (uint32_t)i, total, part);
        n += n == 0 && i == heaviest;
        weights->items[i] = (double)n;
        *sum += n;
    }
}

static opac_status draw_all(opac_learning *l, const base_double_vec *draws, opac_error *error)
{
    base_u64_vec key_buffer = {0};
    opac_status status = OPAC_OK;
    for (uint32_t row = 0; row < draws->count && status == OPAC_OK; row++)
        if (draws->items[row] > 0)
            status = draw_row(l, row, (uint64_t)draws->items[row], &key_buffer, error);
    base_u64_vec_fini(&key_buffer);
    return status;
}

opac_status bracket_draw_round(opac_learning *l, bracket_draw_outcome *outcome, opac_error *error)
{
    sample_run *run = &l->run;
    base_double_vec weights = {0};
    uint64_t sum = 0;
    opac_status status;
    *outcome = BRACKET_DRAW_USELESS;
    TRY_OR(done, bracket_model_weights(bracket_model_of(run), &weights, error));
    distribute_draws(l, &weights, &sum);
    if (sum > 0) {
        bool fits = run->steps <= run->max_steps && sum <= run->max_steps - run->steps;
        *outcome = fits ? BRACKET_DRAW_DONE : BRACKET_DRAW_OVER_BUDGET;
        if (fits) {
            run->round.number++;
            run->steps += sum;
            status = draw_all(l, &weights, error);
        }
    }
done:
    base_double_vec_fini(&weights);
    return status;
}
