/* SPDX-License-Identifier: MIT */
/*
 * Posterior sampling: see frequencies_sample. The draws of a row depend on the seed and the number of the row, so
 * product states with different memories have the same probabilities.
 */
#include "frequencies/frequencies_form.h"
#include "stat/gamma.h"

static const double prior = 0.5; /* Jeffreys: half an observation of each successor */

/* Draws the probabilities of a choice whose row is `counter`; edges are in the order of the row. */
static void draw_row(const frequencies_model *f, uint32_t counter, uint64_t seed,
                     const uint32_t *order, uint32_t count, double *probabilities)
{
    stat_rng rng;
    double sum = 0;
    stat_rng_init(&rng, seed, counter);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hits = sample_statistics_observed(f->stats, counter, order[i]);
        probabilities[i] = stat_gamma(&rng, prior + (double)hits);
        sum += probabilities[i];
    }
    for (uint32_t i = 0; i < count; i++)
        probabilities[i] /= sum;
}

static opac_status draw(frequencies_model *f, uint64_t seed, double **probabilities,
                        opac_error *error)
{
    graph_process process = sample_process_get(&f->known);
    double *made = graph_take(&f->workspace, process.edge_count, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < process.choice_count; c++) {
        const sample_choice *choice = &f->stats->choices.items[f->known.number.items[c]];
        uint32_t begin = process.edge_begin[c], count = process.edge_begin[c + 1] - begin, width;
        made[begin] = 1;
        if (sample_choice_is_free(choice) || count < 2)
            continue;
        const uint32_t *order = sample_statistics_order(f->stats, choice->counter, &width);
        draw_row(f, choice->counter, seed, order, count, made + begin);
    }
    *probabilities = made;
    return OPAC_OK;
}

opac_status frequencies_sample(frequencies_model *f, uint64_t seed, const opac_cancel *cancel,
                               sample_positional *policy, opac_error *error)
{
    solve_interval_result result;
    double *probabilities;
    graph_place place = graph_workspace_mark(&f->workspace);
    opac_status status = draw(f, seed, &probabilities, error);
    if (status == OPAC_OK)
        status = frequencies_solve_with(f, probabilities, true, cancel, &result, error);
    if (status == OPAC_OK)
        status = frequencies_take_policy(f, &result, policy, error);
    graph_workspace_release(&f->workspace, place);
    return status;
}
