/* SPDX-License-Identifier: MIT */
#include "aut/merge.h"

#include <string.h>

#include "base/alloc.h"

/* ---- the graph of a table ---- */

opac_status aut_table_graph(const aut_table *table, graph_workspace *workspace, aut_graph *graph,
                            opac_error *error)
{
    size_t cells = (size_t)table->states * table->classes;
    uint32_t *begin = graph_take_u32(workspace, (size_t)table->states + 1);
    uint32_t *target = graph_take_u32(workspace, cells), count = 0;
    uint64_t *marks = graph_take(workspace, cells, sizeof *marks);
    if (begin == NULL || target == NULL || marks == NULL)
        return base_fail_memory(error);
    for (uint32_t state = 0; state < table->states; state++) {
        begin[state] = count;
        for (uint32_t class = 0; class < table->classes; class ++) {
            size_t cell = (size_t)state * table->classes + class;
            bool repeats = table->target[cell] == AUT_NO_STATE;
            for (uint32_t i = count; i > begin[state] && i + 16 > count && !repeats; i--)
                repeats =
                    target[i - 1] == table->target[cell] && marks[i - 1] == table->marks[cell];
            if (repeats)
                continue;
            target[count] = table->target[cell];
            marks[count++] = table->marks[cell];
        }
    }
    begin[table->states] = count;
    return aut_graph_borrow(table->states, begin, target, marks, workspace, graph, error);
}

/* ---- the state of a reduction ---- */

typedef struct merge_run {
    aut_table *table; /* as reduced so far */
    aut_table trial;  /* a copy of it with redirected edges, of the same capacity */
    aut_comparison comparison;
    uint32_t *residual; /* by state: equal for states with the same language, below `states` */
    uint32_t *number;   /* by state: scratch */
    uint32_t states;    /* before the reduction */
    uint64_t edge_budget;
} merge_run;

static size_t table_cells(const aut_table *table)
{
    return (size_t)table->states * table->classes;
}

static void redirect(aut_table *table, uint32_t from, uint32_t to)
{
    size_t cells = (size_t)table->states * table->classes;
    for (size_t cell = 0; cell < cells; cell++)
        if (table->target[cell] == from)
            table->target[cell] = to;
    if (table->initial == from)
        table->initial = to;
}

static void copy_table(aut_table *to, const aut_table *from)
{
    size_t cells = (size_t)from->states * from->classes;
    to->states = from->states;
    to->initial = from->initial;
    memcpy(to->target, from->target, cells * sizeof *to->target);
    memcpy(to->marks, from->marks, cells * sizeof *to->marks);
}

static bool is_exhausted(const merge_run *run)
{
    return run->comparison.edges_visited > run->edge_budget;
}

/*
 * Removes unreachable states. The residuals of the others stay valid: all edges lead to states with the same
 * language as before, so the language of no state has changed.
 */
static opac_status compact(merge_run *run, opac_error *error)
{
    uint32_t before = run->table->states;
    TRY(aut_table_compact(run->table, run->number, error));
    uint32_t *old = run->residual;
    /* New numbers can be larger than old ones, so the values are moved through `trial`, which is unused
     * here. */
    uint32_t *moved = run->trial.target;
    for (uint32_t state = 0; state < before; state++)
        if (run->number[state] != AUT_NO_STATE)
            moved[run->number[state]] = old[state];
    memcpy(run->residual, moved, run->table->states * sizeof *moved);
    return OPAC_OK;
}

/* ---- merging into later components ---- */

/* Redirects edges to equivalent states to the one in the last component in topological order. Components are
 * numbered in reverse topological order. */
static opac_status merge_into_later_components(merge_run *run, bool *changed, opac_error *error)
{
    aut_table *table = run->table;
    graph_workspace *workspace = &run->comparison.workspace;
    graph_place place = graph_workspace_mark(workspace);
    uint32_t *lowest = graph_take_u32(workspace, run->states), before = table->states;
    aut_graph graph;
    graph_scc scc;
    opac_status status;
    TRY_OR(done, lowest != NULL ? aut_table_graph(table, workspace, &graph, error)
                                : base_fail_memory(error));
    TRY_OR(done, graph_scc_find(&graph.process, (graph_part){0}, workspace, &scc, error));
    memset(lowest, 0xFF, run->states * sizeof *lowest);
    for (uint32_t state = 0; state < table->states; state++) {
        uint32_t *low = &lowest[run->residual[state]];
        if (*low == AUT_NO_STATE || scc.component[state] < scc.component[*low])
            *low = state;
    }
    for (size_t cell = 0; cell < (size_t)table->states * table->classes; cell++) {
        uint32_t target = table->target[cell];
        if (target == AUT_NO_STATE)
            continue;
        uint32_t low = lowest[run->residual[target]];
        if (scc.component[low] < scc.component[target])
            table->target[cell] = low;
    }
    if (table->initial != AUT_NO_STATE)
        table->initial = lowest[run->residual[table->initial]];
    status = compact(run, error);
    *changed = table->states != before;
done:
    graph_workspace_release(workspace, place);
    return status;
}

/* ---- merging by trial ---- */

/* Keeps the trial if it has the same language as the table. */
static opac_status keep_if_equal(merge_run *run, bool *kept, opac_error *error)
{
    TRY(aut_comparison_equal(&run->comparison, &run->trial, run->table, kept, error));
    if (*kept)
        copy_table(run->table, &run->trial);
    return OPAC_OK;
}

/* Redirects all edges to `state` to one equivalent state, the first for which the language stays the same. */
static opac_status remove_at_once(merge_run *run, uint32_t state, bool *removed, opac_error *error)
{
    for (uint32_t other = 0; other < run->table->states && !*removed; other++) {
        if (other == state || run->residual[other] != run->residual[state] || is_exhausted(run))
            continue;
        if (graph_spend(&run->comparison.workspace, table_cells(run->table)))
            return graph_workspace_check(&run->comparison.workspace, error);
        copy_table(&run->trial, run->table);
        redirect(&run->trial, state, other);
        TRY(keep_if_equal(run, removed, error));
    }
    return OPAC_OK;
}

/* Redirects one cell of the trial to the first equivalent state for which the language stays the same. */
static opac_status move_cell(merge_run *run, size_t cell, uint32_t state, bool *moved,
                             opac_error *error)
{
    for (uint32_t other = 0; other < run->table->states && !*moved; other++) {
        if (other == state || run->residual[other] != run->residual[state] || is_exhausted(run))
            continue;
        run->trial.target[cell] = other;
        TRY(aut_comparison_equal(&run->comparison, &run->trial, run->table, moved, error));
    }
    return OPAC_OK;
}

/* Redirects each edge to `state` to an equivalent state, which may be a different one for each edge. */
static opac_status remove_by_edges(merge_run *run, uint32_t state, bool *removed, opac_error *error)
{
    size_t first = (size_t)state * run->table->classes, last = first + run->table->classes;
    size_t cells = (size_t)run->table->states * run->table->classes;
    bool moved = run->table->initial != state;
    copy_table(&run->trial, run->table);
    for (uint32_t other = 0; !moved && other < run->table->states; other++) {
        if (other == state || run->residual[other] != run->residual[state])
            continue;
        run->trial.initial = other;
        TRY(aut_comparison_equal(&run->comparison, &run->trial, run->table, &moved, error));
    }
    for (size_t cell = 0; cell < cells && moved; cell++) {
        if (run->trial.target[cell] != state || (cell >= first && cell < last))
            continue;
        moved = false;
        TRY(move_cell(run, cell, state, &moved, error));
    }
    if (moved) {
        copy_table(run->table, &run->trial);
        *removed = true;
    }
    return OPAC_OK;
}

typedef opac_status (*removal)(merge_run *run, uint32_t state, bool *removed, opac_error *error);

/* One pass over the states, from the last to the first. */
static opac_status merge_by_trial(merge_run *run, removal remove, bool *changed, opac_error *error)
{
    *changed = false;
    for (uint32_t state = run->table->states; state-- > 0 && !is_exhausted(run);) {
        bool removed = false;
        TRY(remove(run, state, &removed, error));
        if (!removed)
            continue;
        *changed = true;
        TRY(compact(run, error));
        state = state < run->table->states ? state : run->table->states;
    }
    return OPAC_OK;
}

/* Whether any two states have the same language. */
static bool has_equivalent(merge_run *run)
{
    memset(run->number, 0, run->states * sizeof *run->number);
    for (uint32_t state = 0; state < run->table->states; state++)
        if (run->number[run->residual[state]]++ != 0)
            return true;
    return false;
}

static opac_status reduce(merge_run *run, opac_error *error)
{
    bool changed = true, known;
    TRY(aut_comparison_residuals(&run->comparison, run->table, run->edge_budget / 16, run->residual,
                                 &known, error));
    while (changed && known && has_equivalent(run)) {
        TRY(merge_into_later_components(run, &changed, error));
        if (!changed)
            TRY(merge_by_trial(run, remove_at_once, &changed, error));
        if (!changed)
            TRY(merge_by_trial(run, remove_by_edges, &changed, error));
    }
    return OPAC_OK;
}

opac_status aut_merge_equivalent(aut_table *table, const aut_condition *condition,
                                 uint32_t mark_count, uint64_t edge_budget, base_work *counted,
                                 opac_error *error)
{
    merge_run run = {.table = table,
                     .trial = {.classes = table->classes},
                     .states = table->states,
                     .edge_budget = edge_budget};
    size_t cells = (size_t)table->states * table->classes;
    TRY(aut_comparison_init(&run.comparison, condition, mark_count, error));
    run.comparison.workspace.work = counted;
    run.residual = base_alloc(table->states, sizeof *run.residual);
    run.number = base_alloc(table->states, sizeof *run.number);
    run.trial.target = base_alloc(cells, sizeof *run.trial.target);
    run.trial.marks = base_alloc(cells, sizeof *run.trial.marks);
    bool is_ready = run.residual != NULL && run.number != NULL && run.trial.target != NULL &&
                    run.trial.marks != NULL;
    opac_status status = is_ready ? reduce(&run, error) : base_fail_memory(error);
    aut_table_fini(&run.trial);
    base_free(run.residual);
    base_free(run.number);
    aut_comparison_fini(&run.comparison);
    return status;
}
