/* SPDX-License-Identifier: MIT */
/*
 * Computes policy and values by the solver, and the data that repair starts from.
 *
 * The solver prefers unknown choices, so a product state with unknown choices takes the lowest. Among the
 * product states of value 1, those from which the policy reaches an unknown choice get the direction to the
 * nearest one; the others are closed: their runs take known choices only, and win.
 */
#include "graph/process.h"
#include "omega_pac/optimistic_model_form.h"

/* ---- before ---- */

/* Upper bounds on the values, by node. */
static const double *bounds(omega_pac_optimistic_model *o)
{
    const sample_process *d = &o->process;
    double *upper = graph_take(&o->workspace, d->product_state.count, sizeof *upper);
    if (upper == NULL)
        return NULL;
    upper[0] = 1;
    for (size_t i = 1; i < d->product_state.count; i++)
        upper[i] = o->entries.items[d->product_state.items[i]].upper;
    return upper;
}

static opac_status run(omega_pac_optimistic_model *o, bool afresh, const base_bitset *unknown,
                       const graph_process *process, solve_result *result, opac_error *error)
{
    const double *upper = afresh ? NULL : bounds(o);
    if (!afresh && upper == NULL)
        return base_fail_memory(error);
    solve_problem problem = {.process = process,
                             .marks = o->process.marks.items,
                             .pairs = o->pairs.items,
                             .pair_count = (uint32_t)o->pairs.count};
    solve_options options = {.precision = o->options.precision,
                             .preferred = unknown,
                             .upper = upper,
                             .cancel = o->options.cancel};
    return solve_run(o->solver, &problem, &options, result, error);
}

/* ---- afterwards ---- */

static opac_status take_over(omega_pac_optimistic_model *o, const graph_process *process,
                             const solve_result *result, opac_error *error)
{
    for (uint32_t i = 1; i < process->state_count; i++) {
        uint32_t product_state = o->process.product_state.items[i];
        omega_pac_entry *entry = &o->entries.items[product_state];
        uint32_t choice = o->stats->product_states.items[product_state].choice + result->choice[i] -
                          process->choice_begin[i];
        if (choice != entry->choice)
            TRY(omega_pac_optimistic_model_note_change(o, product_state, error));
        entry->choice = choice;
        entry->toward = SAMPLE_NONE;
        entry->upper = result->upper[i];
        entry->flags = base_bitset_has(&result->one, i) ? OMEGA_PAC_SURE : 0;
    }
    return OPAC_OK;
}

/* The predecessors of each node under the policy, among nodes of value 1: from[begin[node] …
 * begin[node+1]-1]. */
static bool find_predecessors(omega_pac_optimistic_model *o, const graph_process *process,
                              const solve_result *result, uint32_t **begin, uint32_t **from)
{
    uint32_t n = process->state_count, edges = 0;
    *begin = graph_take_u32(&o->workspace, (size_t)n + 1);
    if (*begin == NULL)
        return false;
    for (uint32_t i = 0; i <= n; i++)
        (*begin)[i] = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t c = result->choice[i];
        if (!base_bitset_has(&result->one, i))
            continue;
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++, edges++)
            (*begin)[process->target[e]]++;
    }
    *from = graph_take_u32(&o->workspace, edges);
    if (*from == NULL)
        return false;
    for (uint32_t i = 0, sum = 0; i <= n; i++)
        (*begin)[i] = sum += i < n ? (*begin)[i] : 0;
    for (uint32_t i = n; i-- > 1;) { /* descending: predecessors come out ascending */
        uint32_t c = result->choice[i];
        if (!base_bitset_has(&result->one, i))
            continue;
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            (*from)[--(*begin)[process->target[e]]] = i;
    }
    return true;
}

/* Sets `toward` by a breadth-first search backwards from the sink, to which unknown choices lead. */
static opac_status find_directions(omega_pac_optimistic_model *o, const graph_process *process,
                                   const solve_result *result, opac_error *error)
{
    uint32_t n = process->state_count, count = 0, *begin, *from;
    uint32_t *queue = graph_take_u32(&o->workspace, n);
    base_bitset reached;
    if (queue == NULL || !find_predecessors(o, process, result, &begin, &from))
        return base_fail_memory(error);
    TRY(graph_take_set(&o->workspace, n, &reached, error));
    queue[count++] = 0;
    base_bitset_add(&reached, 0);
    for (uint32_t next = 0; next < count; next++)
        for (uint32_t j = begin[queue[next]]; j < begin[queue[next] + 1]; j++) {
            if (base_bitset_has(&reached, from[j]))
                continue;
            base_bitset_add(&reached, from[j]);
            queue[count++] = from[j];
            o->entries.items[o->process.product_state.items[from[j]]].toward =
                o->process.product_state.items[queue[next]];
        }
    for (uint32_t i = 1; i < n; i++)
        if (base_bitset_has(&result->one, i) && !base_bitset_has(&reached, i))
            o->entries.items[o->process.product_state.items[i]].flags |= OMEGA_PAC_CLOSED;
    return OPAC_OK;
}

static opac_status solve(omega_pac_optimistic_model *o, bool afresh, opac_error *error)
{
    base_bitset unknown;
    solve_result result;
    TRY(omega_pac_optimistic_model_build(o, error));
    graph_process process = sample_process_get(&o->process);
    TRY(graph_take_set(&o->workspace, process.choice_count, &unknown, error));
    for (size_t i = 0; i < o->process.unknown.count; i++)
        base_bitset_add(&unknown, o->process.unknown.items[i]);
    TRY(run(o, afresh, &unknown, &process, &result, error));
    TRY(take_over(o, &process, &result, error));
    TRY(find_directions(o, &process, &result, error));
    o->value = (omega_pac_value){result.lower[1], result.upper[1]};
    o->nodes = process.state_count;
    o->solves++;
    return OPAC_OK;
}

opac_status omega_pac_optimistic_model_solve(omega_pac_optimistic_model *o, bool afresh,
                                             opac_error *error)
{
    graph_place place = graph_workspace_mark(&o->workspace);
    omega_pac_optimistic_model_drop_path(o);
    opac_status status = solve(o, afresh, error);
    graph_workspace_release(&o->workspace, place);
    return status;
}
