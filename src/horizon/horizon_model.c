/* SPDX-License-Identifier: MIT */
/*
 * The seen graph, Ŵ, U_T and the best policy of the frequencies: see horizon_model.h. An update costs time
 * linear in the process for each sweep, and the solver's work on the frequencies.
 */
#include "horizon/horizon_model.h"

#include <math.h>

#include "base/memory.h"
#include "graph/mec.h"
#include "horizon/horizon_model_form.h"

enum {
    LEAST_SWEEPS = 64,
    MOST_STORED = 1 << 22 /* choices of the timed policy, before they become segments */
};

/* ---- construction ---- */

static const solve_rabin_pair sink_pair = {.inf = 1};

static opac_status copy_pairs(horizon_model *m, const horizon_model_options *options,
                              opac_error *error)
{
    if (options->only_sink)
        return horizon_pair_vec_push(&m->pairs, sink_pair, error);
    for (uint32_t i = 0; i < options->pair_count; i++) {
        const solve_rabin_pair *pair = &options->pairs[i];
        if ((pair->inf & ~pair->fin) == 0) /* it accepts nothing */
            continue;
        m->named |= pair->fin | pair->inf;
        TRY(horizon_pair_vec_push(&m->pairs, *pair, error));
    }
    return OPAC_OK;
}

opac_status horizon_model_new(sample_statistics *stats, sample_row_sets *sets,
                              const horizon_model_options *options, horizon_model **model,
                              opac_error *error)
{
    horizon_model *m = base_alloc_zeroed(1, sizeof *m);
    opac_status status;
    *model = m;
    if (m == NULL)
        return base_fail_memory(error);
    m->stats = stats;
    m->sets = sets;
    m->options = *options;
    m->options.pairs = NULL;
    m->upper.value = 1;
    TRY_OR(done, copy_pairs(m, options, error));
    status = solve_solver_new(&m->solver, error);
done:
    if (status != OPAC_OK) {
        horizon_model_free(m);
        *model = NULL;
    }
    return status;
}

void horizon_model_free(horizon_model *m)
{
    if (m == NULL)
        return;
    horizon_pair_vec_fini(&m->pairs);
    solve_solver_free(m->solver);
    graph_workspace_fini(&m->workspace);
    sample_process_fini(&m->process);
    sample_process_fini(&m->known);
    sample_process_fini(&m->chain);
    solve_unfold_fini(&m->unfold);
    horizon_timed_fini(&m->timed);
    horizon_policy_fini(&m->best);
    horizon_value_vec_fini(&m->values);
    base_free(m);
}

/* ---- building ---- */

opac_status horizon_build(horizon_model *m, sample_process *process,
                          const sample_process_options *options, opac_error *error)
{
    TRY(sample_build_process(process, options, error));
    for (uint32_t node = 0; m->options.only_sink && node < process->product_state.count; node++)
        for (uint32_t c = process->choice_begin.items[node];
             c < process->choice_begin.items[node + 1]; c++)
            process->marks.items[c] =
                process->product_state.items[node] == m->stats->sink ? sink_pair.inf : 0;
    return OPAC_OK;
}

/* ---- rows ---- */

static opac_status fill_choice(horizon_model *m, const sample_process *process, uint32_t c,
                               horizon_rows *rows, opac_error *error)
{
    const sample_choice *choice = &m->stats->choices.items[process->number.items[c]];
    uint32_t begin = process->edge_begin.items[c], end = process->edge_begin.items[c + 1];
    bool is_free = sample_choice_is_free(choice);
    sample_row_set set = {.unseen = 1};
    if (!is_free && sample_statistics_is_known(m->stats, process->number.items[c]))
        TRY(sample_row_sets_get(m->sets, m->stats->counters.items[choice->counter].row, &set,
                                error));
    rows->unseen[c] = is_free ? 0 : set.unseen;
    for (uint32_t e = begin; e < end; e++) {
        rows->lower[e] = is_free ? 1 : set.width > 0 ? set.intervals[e - begin].lower : 0;
        rows->upper[e] = is_free || set.width == 0 ? 1 : set.intervals[e - begin].upper;
    }
    return OPAC_OK;
}

opac_status horizon_fill_rows(horizon_model *m, const sample_process *process, horizon_rows *rows,
                              opac_error *error)
{
    size_t choices = process->number.count, edges = process->target.count;
    rows->lower = graph_take(&m->workspace, edges, sizeof *rows->lower);
    rows->upper = graph_take(&m->workspace, edges, sizeof *rows->upper);
    rows->unseen = graph_take(&m->workspace, choices, sizeof *rows->unseen);
    if (rows->lower == NULL || rows->upper == NULL || rows->unseen == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < choices; c++)
        TRY(fill_choice(m, process, c, rows, error));
    return OPAC_OK;
}

/* ---- Ŵ ---- */

/* Adds the states of the end components that win by one pair. */
static opac_status add_winning(horizon_model *m, const graph_process *process,
                               const solve_rabin_pair *pair, base_bitset *target, opac_error *error)
{
    base_bitset choices, wins;
    graph_mec mec;
    const uint64_t *marks = m->known.marks.items;
    TRY(graph_take_set(&m->workspace, process->choice_count, &choices, error));
    for (uint32_t c = 0; c < process->choice_count; c++)
        if ((marks[c] & pair->fin) == 0)
            base_bitset_add(&choices, c);
    TRY(graph_mec_find(process, (graph_part){.choices = &choices}, &m->workspace, &mec, error));
    TRY(graph_take_set(&m->workspace, mec.count > 0 ? mec.count : 1, &wins, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (base_bitset_has(&mec.choices, c) && (marks[c] & pair->inf) != 0)
                base_bitset_add(&wins, mec.component[s]);
    for (uint32_t s = 0; s < process->state_count; s++)
        if (mec.component[s] != GRAPH_NONE && base_bitset_has(&wins, mec.component[s]))
            base_bitset_add(target, s);
    return OPAC_OK;
}

static opac_status find_winning(horizon_model *m, base_bitset *target, opac_error *error)
{
    graph_process process = sample_process_get(&m->known);
    opac_status status = OPAC_OK;
    TRY(graph_take_set(&m->workspace, process.state_count, target, error));
    for (size_t i = 0; i < m->pairs.count && status == OPAC_OK; i++) {
        graph_place place = graph_workspace_mark(&m->workspace);
        status = add_winning(m, &process, &m->pairs.items[i], target, error);
        graph_workspace_release(&m->workspace, place);
    }
    return status;
}

/* ---- U_T ---- */

uint64_t horizon_most_sweeps(const graph_process *process)
{
    double each = (double)process->state_count + process->edge_count + 1;
    double most = HORIZON_MOST_WORK / each;
    return most > LEAST_SWEEPS ? (uint64_t)most : LEAST_SWEEPS;
}

horizon_bound horizon_conclude(const solve_horizon_result *result, uint64_t horizon)
{
    double value = result->value[0];
    if (result->sweeps < horizon && result->rate > 0)
        value = nextafter(
            value + nextafter((double)(horizon - result->sweeps) * result->rate, INFINITY),
            INFINITY);
    return (horizon_bound){.value = fmin(value, 1), .sweeps = result->sweeps};
}

static opac_status sweep_upper(horizon_model *m, uint64_t horizon, const base_bitset *target,
                               const opac_cancel *cancel, opac_error *error)
{
    graph_process process = sample_process_get(&m->process);
    horizon_rows rows;
    solve_horizon_result result;
    TRY(horizon_fill_rows(m, &m->process, &rows, error));
    const solve_problem problem = {
        .process = &process, .lower = rows.lower, .upper = rows.upper, .unseen = rows.unseen};
    solve_horizon question = {.target = target,
                              .steps = horizon,
                              .most_sweeps = horizon_most_sweeps(&process),
                              .slack = m->options.slack,
                              .optimistic = true,
                              .policy = true,
                              .negligible = m->options.negligible};
    uint64_t sweeps = question.most_sweeps < horizon ? question.most_sweeps : horizon;
    question.stride = 1 + sweeps / (1 + MOST_STORED / (process.state_count + (uint64_t)1));
    TRY(solve_run_horizon(m->solver, &problem, &question, cancel, &result, error));
    m->upper = horizon_conclude(&result, horizon);
    return horizon_timed_fill(&m->timed, &result, &m->process.node, m->stats->product_states.count,
                              m->process.number.items, error);
}

/* ---- the best policy of the frequencies ---- */

/* The frequencies as intervals of width 0: values are wanted with an absolute precision, and those of the last
 * update are close. */
static opac_status find_values(horizon_model *m, const graph_process *process,
                               const opac_cancel *cancel, solve_interval_result *result,
                               opac_error *error)
{
    const solve_problem problem = {.process = process,
                                   .lower = process->prob,
                                   .upper = process->prob,
                                   .marks = m->known.marks.items,
                                   .pairs = m->pairs.items,
                                   .pair_count = (uint32_t)m->pairs.count};
    solve_options options = {.precision = m->options.slack, .cancel = cancel};
    double *lower = graph_take(&m->workspace, process->state_count, sizeof *lower),
           *upper = graph_take(&m->workspace, process->state_count, sizeof *upper);
    if (lower == NULL || upper == NULL)
        return base_fail_memory(error);
    for (uint32_t node = 0; node < process->state_count; node++) {
        uint32_t product_state = m->known.product_state.items[node];
        bool has_value = product_state < m->values.count;
        lower[node] = has_value ? m->values.items[product_state].lower : 0;
        upper[node] = has_value ? m->values.items[product_state].upper : 1;
    }
    options.guess_lower = lower;
    options.guess_upper = upper;
    return solve_run_intervals(m->solver, &problem, &options, result, error);
}

static opac_status keep_values(horizon_model *m, const solve_interval_result *result,
                               opac_error *error)
{
    size_t count = m->stats->product_states.count;
    TRY(horizon_value_vec_reserve(&m->values, count, error));
    while (m->values.count < count)
        m->values.items[m->values.count++] = (horizon_value){0, 1};
    for (uint32_t node = 0; node < m->known.product_state.count; node++)
        m->values.items[m->known.product_state.items[node]] =
            (horizon_value){result->lower[node], result->upper[node]};
    return OPAC_OK;
}

/* Where nothing can be won by what was seen, the policy takes a choice that was never tried, if there is one. */
static opac_status solve_frequencies(horizon_model *m, const opac_cancel *cancel, opac_error *error)
{
    graph_process process = sample_process_get(&m->known);
    solve_interval_result result;
    TRY(find_values(m, &process, cancel, &result, error));
    TRY(keep_values(m, &result, error));
    TRY(horizon_policy_reset(&m->best, m->stats, error));
    for (uint32_t node = 0; node < process.state_count; node++) {
        uint32_t product_state = m->known.product_state.items[node],
                 choice = result.pessimistic[node];
        m->best.choice.items[product_state] =
            result.lower[node] > 0 && choice != GRAPH_NONE
                ? m->known.number.items[choice]
                : sample_first_unknown(NULL, m->stats, product_state);
    }
    m->best_value = result.lower[0];
    return OPAC_OK;
}

static opac_status update(horizon_model *m, uint64_t horizon, const opac_cancel *cancel,
                          opac_error *error)
{
    base_bitset target;
    const sample_process_options all = {
        .stats = m->stats, .named = m->named, .is_parallel = true, .cancel = cancel};
    sample_process_options known = all;
    known.known_only = true;
    TRY(horizon_build(m, &m->process, &all, error));
    TRY(horizon_build(m, &m->known, &known, error));
    TRY(find_winning(m, &target, error));
    TRY(sweep_upper(m, horizon, &target, cancel, error));
    return solve_frequencies(m, cancel, error);
}

opac_status horizon_model_update(horizon_model *m, uint64_t horizon, const opac_cancel *cancel,
                                 opac_error *error)
{
    if (m->stats->start == SAMPLE_NONE)
        return OPAC_OK;
    graph_place place = graph_workspace_mark(&m->workspace);
    opac_status status = update(m, horizon, cancel, error);
    graph_workspace_release(&m->workspace, place);
    if (status != OPAC_OK)
        m->upper = (horizon_bound){.value = 1};
    return status;
}

horizon_bound horizon_model_upper(const horizon_model *m)
{
    return m->upper;
}

double horizon_model_work(const horizon_model *m)
{
    return (double)m->upper.sweeps * (double)m->process.target.count;
}

const horizon_timed_policy *horizon_model_timed(const horizon_model *m)
{
    return &m->timed;
}

const horizon_policy *horizon_model_best(const horizon_model *m, double *value)
{
    *value = m->best_value;
    return &m->best;
}

uint32_t horizon_model_size(const horizon_model *m)
{
    return (uint32_t)m->process.product_state.count;
}

uint32_t horizon_model_product_state(const horizon_model *m, uint32_t node)
{
    return m->process.product_state.items[node];
}
