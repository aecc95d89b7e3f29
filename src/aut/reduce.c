/* SPDX-License-Identifier: MIT */
#include "aut/reduce.h"

#include "aut/bisimulation.h"
#include "aut/merge.h"
#include "aut/weak.h"

enum {
    MOST_CELLS = 1 << 18,        /* of a table */
    MOST_COMPARED_STATES = 3000, /* with more, states are not compared */
    MERGE_EDGE_BUDGET = 1000000  /* edges visited in comparisons */
};

typedef struct reduction {
    aut_table table;
    aut_condition condition;
    uint32_t mark_count;
    graph_workspace workspace;
} reduction;

/* Removes states with an empty language: edges to them, too, since a missing edge rejects. */
static opac_status drop_dead(reduction *run, aut_scc_info *info, opac_error *error)
{
    aut_table *table = &run->table;
    graph_place place = graph_workspace_mark(&run->workspace);
    aut_graph graph;
    base_bitset live;
    opac_status status;
    TRY_OR(done, aut_table_graph(table, &run->workspace, &graph, error));
    TRY_OR(done, aut_find_accepting_sccs(&graph, (graph_part){0}, &run->condition, &run->workspace,
                                         info, error));
    TRY_OR(done,
           aut_find_live_states(&graph, (graph_part){0}, info, &run->workspace, &live, error));
    for (size_t cell = 0; cell < (size_t)table->states * table->classes; cell++)
        if (table->target[cell] != AUT_NO_STATE && !base_bitset_has(&live, table->target[cell]))
            table->target[cell] = AUT_NO_STATE;
    if (table->initial != AUT_NO_STATE && !base_bitset_has(&live, table->initial))
        table->initial = AUT_NO_STATE;
    status = aut_table_compact(table, NULL, error);
done:
    graph_workspace_release(&run->workspace, place);
    return status;
}

/* *weak tells whether no component has both accepting and rejecting cycles. `info` is set to the components,
 * and which of them are accepting. */
static opac_status check_weakness(reduction *run, aut_scc_info *info, bool *weak, opac_error *error)
{
    aut_graph graph;
    aut_scc_info rejecting;
    aut_condition negation = {0};
    opac_status status;
    TRY_OR(done, aut_table_graph(&run->table, &run->workspace, &graph, error));
    TRY_OR(done, aut_find_accepting_sccs(&graph, (graph_part){0}, &run->condition, &run->workspace,
                                         info, error));
    TRY_OR(done, aut_condition_negate(&run->condition, &negation, error));
    TRY_OR(done, aut_find_accepting_sccs(&graph, (graph_part){0}, &negation, &run->workspace,
                                         &rejecting, error));
    *weak = true;
    for (uint32_t i = 0; i < info->scc.count; i++)
        if (base_bitset_has(&info->accepting, i) && base_bitset_has(&rejecting.accepting, i))
            *weak = false;
done:
    aut_condition_fini(&negation);
    return status;
}

static opac_status minimize_weak(reduction *run, const aut_scc_info *info, opac_error *error)
{
    TRY(aut_weak_minimize(&run->table, &info->scc, &info->accepting, &run->workspace, error));
    aut_condition_fini(&run->condition);
    run->mark_count = 1;
    return aut_condition_buchi(&run->condition, error);
}

static opac_status reduce_table(reduction *run, opac_error *error)
{
    aut_scc_info info;
    bool weak;
    TRY(drop_dead(run, &info, error));
    TRY(check_weakness(run, &info, &weak, error));
    if (weak)
        return minimize_weak(run, &info, error);
    if (run->table.states > MOST_COMPARED_STATES || 2 * run->mark_count > AUT_MOST_MARKS)
        return OPAC_OK;
    return aut_merge_equivalent(&run->table, &run->condition, run->mark_count, MERGE_EDGE_BUDGET,
                                run->workspace.work, error);
}

opac_status aut_reduce(const opac_automaton *automaton, opac_automaton **reduced, opac_error *error)
{
    reduction run = {.mark_count = automaton->mark_count, .workspace.work = aut_work(automaton)};
    bool fits;
    opac_status status;
    TRY_OR(done, aut_table_of(automaton, MOST_CELLS, &run.table, &fits, error));
    if (!fits)
        return aut_merge_bisimilar(automaton, reduced, error);
    TRY_OR(done, aut_condition_copy(&automaton->condition, &run.condition, error));
    TRY_OR(done, reduce_table(&run, error));
    status =
        aut_table_automaton(&run.table, automaton, &run.condition, run.mark_count, reduced, error);
done:
    aut_table_fini(&run.table);
    aut_condition_fini(&run.condition);
    graph_workspace_fini(&run.workspace);
    return status;
}
