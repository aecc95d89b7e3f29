/* SPDX-License-Identifier: MIT */
/*
 * The seen graph, Ŵ and U_T: see horizon_model.h. An update costs time linear in the process for each sweep, and
 * the solver's work on the frequencies.
 */
#include "horizon/horizon_model.h"

#include <math.h>

#include "base/memory.h"
#include "graph/mec.h"
#include "horizon/horizon_model_form.h"

enum {
    MOST_STORED = 1 << 22 /* choices of the timed policy, before they become segments */
};

/* ---- construction ---- */

opac_status horizon_model_new(sample_statistics *stats, sample_row_sets *sets,
                              frequencies_model *frequencies, const horizon_model_options *options,
                              horizon_model **model, opac_error *error)
{
    horizon_model *m = base_alloc_zeroed(1, sizeof *m);
    opac_status status;
    *model = m;
    if (m == NULL)
        return base_fail_memory(error);
    m->stats = stats;
    m->sets = sets;
    m->frequencies = frequencies;
    m->options = *options;
    m->upper.value = 1;
    status = solve_solver_new(&m->solver, error);
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
    solve_solver_free(m->solver);
    graph_workspace_fini(&m->workspace);
    sample_process_fini(&m->process);
    sample_process_fini(&m->chain);
    solve_unfold_fini(&m->unfold);
    horizon_timed_fini(&m->timed);
    base_free(m);
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
    const uint64_t *marks = frequencies_marks(m->frequencies);
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
    graph_process process = frequencies_process(m->frequencies);
    uint32_t count;
    const solve_rabin_pair *pairs = frequencies_pairs(m->frequencies, &count);
    opac_status status = OPAC_OK;
    TRY(graph_take_set(&m->workspace, process.state_count, target, error));
    for (uint32_t i = 0; i < count && status == OPAC_OK; i++) {
        graph_place place = graph_workspace_mark(&m->workspace);
        status = add_winning(m, &process, &pairs[i], target, error);
        graph_workspace_release(&m->workspace, place);
    }
    return status;
}

/* ---- U_T ---- */

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
                              .most_sweeps = frequencies_most_sweeps(&process),
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

static opac_status update(horizon_model *m, uint64_t horizon, const opac_cancel *cancel,
                          opac_error *error)
{
    base_bitset target;
    const sample_process_options all = {.stats = m->stats,
                                        .named = frequencies_named(m->frequencies),
                                        .is_parallel = true,
                                        .cancel = cancel};
    TRY(sample_build_process(&m->process, &all, error));
    TRY(frequencies_build(m->frequencies, cancel, error));
    TRY(find_winning(m, &target, error));
    TRY(sweep_upper(m, horizon, &target, cancel, error));
    return frequencies_solve(m->frequencies, cancel, error);
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

uint32_t horizon_model_size(const horizon_model *m)
{
    return (uint32_t)m->process.product_state.count;
}

uint32_t horizon_model_product_state(const horizon_model *m, uint32_t node)
{
    return m->process.product_state.items[node];
}
