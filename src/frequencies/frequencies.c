/* SPDX-License-Identifier: MIT */
/* The model of the frequencies, and its best policy: see frequencies.h. */
#include "frequencies/frequencies.h"

#include <math.h>

#include "base/bits.h"
#include "base/memory.h"
#include "frequencies/frequencies_form.h"

#define NOT_CLOSED 1e-9 /* the unseen mass of a row that is not closed; no distribution uses it */

/* ---- construction ---- */

static const solve_rabin_pair sink_pair = {.inf = 1};

static opac_status copy_pairs(frequencies_model *f, const frequencies_options *options,
                              opac_error *error)
{
    if (options->only_sink)
        return frequencies_pair_vec_push(&f->pairs, sink_pair, error);
    for (uint32_t i = 0; i < options->pair_count; i++) {
        const solve_rabin_pair *pair = &options->pairs[i];
        if ((pair->inf & ~pair->fin) == 0) /* it accepts nothing */
            continue;
        f->named |= pair->fin | pair->inf;
        TRY(frequencies_pair_vec_push(&f->pairs, *pair, error));
    }
    return OPAC_OK;
}

opac_status frequencies_new(sample_statistics *stats, const frequencies_options *options,
                            frequencies_model **made, opac_error *error)
{
    frequencies_model *f = base_alloc_zeroed(1, sizeof *f);
    opac_status status;
    *made = f;
    if (f == NULL)
        return base_fail_memory(error);
    f->stats = stats;
    f->options = *options;
    f->options.pairs = NULL;
    TRY_OR(done, copy_pairs(f, options, error));
    status = solve_solver_new(&f->solver, error);
done:
    if (status != OPAC_OK) {
        frequencies_free(f);
        *made = NULL;
    }
    return status;
}

void frequencies_free(frequencies_model *f)
{
    if (f == NULL)
        return;
    frequencies_pair_vec_fini(&f->pairs);
    solve_solver_free(f->solver);
    graph_workspace_fini(&f->workspace);
    sample_process_fini(&f->known);
    sample_process_fini(&f->chain);
    frequencies_bounds_vec_fini(&f->bounds);
    sample_positional_fini(&f->best);
    base_free(f);
}

const solve_rabin_pair *frequencies_pairs(const frequencies_model *f, uint32_t *count)
{
    *count = (uint32_t)f->pairs.count;
    return f->pairs.items;
}

uint64_t frequencies_named(const frequencies_model *f)
{
    return f->named;
}

/* ---- building ---- */

/* Moves probabilities into their intervals, which contain a distribution, so that they sum to 1 again. */
static void fit(double *prob, const stat_interval *intervals, uint32_t count)
{
    double sum = 0, room = 0;
    for (uint32_t i = 0; i < count; i++) {
        prob[i] = fmin(fmax(prob[i], intervals[i].lower), intervals[i].upper);
        sum += prob[i];
    }
    for (uint32_t i = 0; i < count; i++)
        room += sum > 1 ? prob[i] - intervals[i].lower : intervals[i].upper - prob[i];
    double part = room > 0 ? fmin(fabs(1 - sum) / room, 1) : 0;
    double total = 0;
    for (uint32_t i = 0; i < count; i++) {
        prob[i] += part * (sum > 1 ? intervals[i].lower - prob[i] : intervals[i].upper - prob[i]);
        total += prob[i];
    }
    for (uint32_t i = 0; i < count && total > 0; i++)
        prob[i] /= total;
}

static opac_status fit_all(frequencies_model *f, sample_process *process, opac_error *error)
{
    for (size_t c = 0; f->options.find_intervals != NULL && c < process->number.count; c++) {
        const sample_choice *choice = &f->stats->choices.items[process->number.items[c]];
        uint32_t begin = process->edge_begin.items[c],
                 count = process->edge_begin.items[c + 1] - begin;
        const stat_interval *intervals = NULL;
        if (sample_choice_is_free(choice) || count < 2)
            continue;
        TRY(f->options.find_intervals(
            f->options.context, f->stats->counters.items[choice->counter].row, &intervals, error));
        if (intervals != NULL)
            fit(process->prob.items + begin, intervals, count);
    }
    return OPAC_OK;
}

/* If only runs that reach the sink win, the sink's loop alone has a mark. */
opac_status frequencies_build_process(frequencies_model *f, sample_process *process,
                                      const sample_process_options *options, opac_error *error)
{
    TRY(sample_build_process(process, options, error));
    TRY(fit_all(f, process, error));
    for (uint32_t node = 0; f->options.only_sink && node < process->product_state.count; node++)
        for (uint32_t c = process->choice_begin.items[node];
             c < process->choice_begin.items[node + 1]; c++)
            process->marks.items[c] =
                process->product_state.items[node] == f->stats->sink ? sink_pair.inf : 0;
    return OPAC_OK;
}

opac_status frequencies_build(frequencies_model *f, const opac_cancel *cancel, opac_error *error)
{
    const sample_process_options options = {.stats = f->stats,
                                            .named = f->named,
                                            .known_only = true,
                                            .no_turns = true,
                                            .is_parallel = true,
                                            .cancel = cancel};
    return frequencies_build_process(f, &f->known, &options, error);
}

graph_process frequencies_process(const frequencies_model *f)
{
    return sample_process_get(&f->known);
}

const uint64_t *frequencies_marks(const frequencies_model *f)
{
    return f->known.marks.items;
}

/* ---- the best policy ---- */

/* By choice of the process: above 0 if its row may have successors that were not seen. */
static opac_status find_unseen(frequencies_model *f, const double **unseen, opac_error *error)
{
    size_t choices = f->known.number.count;
    double *found = NULL;
    *unseen = NULL;
    if (f->options.is_closed == NULL)
        return OPAC_OK;
    found = graph_take(&f->workspace, choices, sizeof *found);
    if (found == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < choices; i++) {
        const sample_choice *c = &f->stats->choices.items[f->known.number.items[i]];
        bool is_closed =
            sample_choice_is_free(c) ||
            f->options.is_closed(f->options.context, f->stats->counters.items[c->counter].row);
        found[i] = is_closed ? 0 : NOT_CLOSED;
    }
    *unseen = found;
    return OPAC_OK;
}

static opac_status find_guesses(frequencies_model *f, solve_options *options, opac_error *error)
{
    size_t states = f->known.product_state.count;
    double *lower = graph_take(&f->workspace, states, sizeof *lower),
           *upper = graph_take(&f->workspace, states, sizeof *upper);
    if (lower == NULL || upper == NULL)
        return base_fail_memory(error);
    for (size_t node = 0; node < states; node++) {
        uint32_t product_state = f->known.product_state.items[node];
        bool has_bounds = product_state < f->bounds.count;
        lower[node] = has_bounds ? f->bounds.items[product_state].lower : 0;
        upper[node] = has_bounds ? f->bounds.items[product_state].upper : 1;
    }
    options->guess_lower = lower;
    options->guess_upper = upper;
    return OPAC_OK;
}

/* The probabilities are intervals of width 0, since values are wanted with an absolute precision. */
opac_status frequencies_solve_with(frequencies_model *f, const double *probabilities,
                                   bool has_guesses, const opac_cancel *cancel,
                                   solve_interval_result *result, opac_error *error)
{
    graph_process process = sample_process_get(&f->known);
    solve_problem problem = {.process = &process,
                             .lower = probabilities,
                             .upper = probabilities,
                             .marks = f->known.marks.items,
                             .pairs = f->pairs.items,
                             .pair_count = (uint32_t)f->pairs.count};
    solve_options options = {.precision = f->options.precision, .cancel = cancel};
    TRY(find_unseen(f, &problem.unseen, error));
    if (has_guesses)
        TRY(find_guesses(f, &options, error));
    return solve_run_intervals(f->solver, &problem, &options, result, error);
}

static opac_status keep_bounds(frequencies_model *f, const solve_interval_result *result,
                               opac_error *error)
{
    size_t count = f->stats->product_states.count;
    TRY(frequencies_bounds_vec_reserve(&f->bounds, count, error));
    while (f->bounds.count < count)
        f->bounds.items[f->bounds.count++] = (frequencies_bounds){0, 1};
    for (uint32_t node = 0; node < f->known.product_state.count; node++)
        f->bounds.items[f->known.product_state.items[node]] =
            (frequencies_bounds){result->lower[node], result->upper[node]};
    return OPAC_OK;
}

opac_status frequencies_take_policy(const frequencies_model *f, const solve_interval_result *result,
                                    sample_positional *policy, opac_error *error)
{
    TRY(sample_positional_reset(policy, f->stats, error));
    for (uint32_t node = 0; node < f->known.product_state.count; node++) {
        uint32_t product_state = f->known.product_state.items[node],
                 choice = result->pessimistic[node];
        policy->choice.items[product_state] =
            result->lower[node] > 0 && choice != GRAPH_NONE
                ? f->known.number.items[choice]
                : sample_first_unknown(NULL, f->stats, product_state);
    }
    return OPAC_OK;
}

opac_status frequencies_solve(frequencies_model *f, const opac_cancel *cancel, opac_error *error)
{
    solve_interval_result result;
    graph_place place = graph_workspace_mark(&f->workspace);
    opac_status status =
        frequencies_solve_with(f, f->known.prob.items, true, cancel, &result, error);
    graph_workspace_release(&f->workspace, place);
    TRY(status);
    TRY(keep_bounds(f, &result, error));
    TRY(frequencies_take_policy(f, &result, &f->best, error));
    f->best_value = result.lower[0];
    return OPAC_OK;
}

const sample_positional *frequencies_best(const frequencies_model *f, double *value)
{
    *value = f->best_value;
    return &f->best;
}

/* ---- checkpoints ---- */

opac_status frequencies_save(const frequencies_model *f, base_u64_vec *words, opac_error *error)
{
    TRY(base_u64_vec_push(words, f->bounds.count, error));
    for (size_t i = 0; i < f->bounds.count; i++) {
        TRY(base_u64_vec_push(words, base_double_to_bits(f->bounds.items[i].lower), error));
        TRY(base_u64_vec_push(words, base_double_to_bits(f->bounds.items[i].upper), error));
    }
    return OPAC_OK;
}

opac_status frequencies_restore(frequencies_model *f, const uint64_t *words, size_t count,
                                size_t *used, opac_error *error)
{
    if (count == 0 || words[0] > f->stats->product_states.count || 2 * words[0] > count - 1)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the values of policies are missing");
    TRY(frequencies_bounds_vec_reserve(&f->bounds, (size_t)words[0], error));
    for (size_t i = 0; i < words[0]; i++) {
        frequencies_bounds b = {base_bits_to_double(words[1 + 2 * i]),
                                base_bits_to_double(words[2 + 2 * i])};
        if (!(b.lower >= 0 && b.lower <= 1 && b.upper >= 0 && b.upper <= 1))
            return base_fail(error, OPAC_ERROR_ARGUMENT, "the value of a policy is no probability");
        f->bounds.items[f->bounds.count++] = b;
    }
    *used = 1 + 2 * (size_t)words[0];
    return OPAC_OK;
}
