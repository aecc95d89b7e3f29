/* SPDX-License-Identifier: MIT */
#include "aut/ldba.h"

#include <assert.h>

#include "aut/clauses.h"
#include "aut/cycles.h"
#include "base/alloc.h"
#include "base/bits.h"

#define NOT_COPIED UINT32_MAX

enum {
    MOST_CLAUSES = 4096
};

typedef struct ldba_run {
    const opac_automaton *automaton;
    aut_graph graph;
    graph_scc scc;
    /* By component. is_buchi: its condition, and that of all components reachable from it, is a disjunction of
     * Infs. accepts: the marks of those Infs. */
    uint64_t *accepts;
    uint8_t *is_buchi;
    uint32_t *copy; /* by state: its first copy for the current clause */
    aut_builder *builder;
    graph_workspace workspace;
    const aut_limits *limits;
} ldba_run;

/* ---- components with a Büchi condition ---- */

/* Whether the condition is a disjunction of Infs. *accepts is the set of their marks. */
static bool has_buchi_condition(const aut_condition *condition, uint64_t *accepts)
{
    *accepts = 0;
    for (size_t i = 0; i < condition->terms.count; i++) {
        const aut_term *term = &condition->terms.items[i];
        if (term->kind == AUT_TERM_TRUE)
            *accepts = UINT64_MAX;
        else if (term->kind == AUT_TERM_INF)
            *accepts |= UINT64_C(1) << term->left;
        else if (term->kind != AUT_TERM_OR && term->kind != AUT_TERM_FALSE)
            return false;
    }
    return true;
}

static opac_status classify_component(ldba_run *run, uint32_t component, uint64_t marks,
                                      opac_error *error)
{
    aut_condition local = {0};
    opac_status status = aut_condition_assume(&run->automaton->condition, 0, ~marks, &local, error);
    if (status == OPAC_OK)
        run->is_buchi[component] = has_buchi_condition(&local, &run->accepts[component]);
    aut_condition_fini(&local);
    return status;
}

/* Returns the marks of the edges in a component. Clears *is_buchi if a component that it has edges to is
 * not. */
static uint64_t examine_component(ldba_run *run, const graph_groups *groups, uint32_t component,
                                  bool *is_buchi)
{
    const graph_process *process = &run->graph.process;
    uint64_t marks = 0;
    for (uint32_t i = groups->begin[component]; i < groups->begin[component + 1]; i++) {
        uint32_t state = groups->state[i];
        for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1]; e++) {
            uint32_t next = run->scc.component[process->target[e]];
            if (next == component)
                marks |= run->graph.marks[e];
            else if (!run->is_buchi[next])
                *is_buchi = false;
        }
    }
    return marks;
}

static opac_status find_buchi_components(ldba_run *run, opac_error *error)
{
    graph_groups groups;
    run->accepts = graph_take(&run->workspace, run->scc.count, sizeof *run->accepts);
    run->is_buchi = graph_take(&run->workspace, run->scc.count, 1);
    if (run->accepts == NULL || run->is_buchi == NULL)
        return base_fail_memory(error);
    TRY(graph_group_states(run->scc.component, run->automaton->state_count, run->scc.count,
                           &run->workspace, &groups, error));
    for (uint32_t c = 0; c < run->scc.count; c++) {
        bool is_buchi = true;
        uint64_t marks = examine_component(run, &groups, c, &is_buchi);
        TRY(classify_component(run, c, marks, error));
        run->is_buchi[c] = run->is_buchi[c] && is_buchi;
    }
    return OPAC_OK;
}

/* ---- the first part ---- */

static void add_first_part(ldba_run *run)
{
    const opac_automaton *automaton = run->automaton;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        uint32_t own = run->scc.component[state];
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++) {
            aut_edge edge = automaton->edges[i];
            bool inside = run->scc.component[edge.target] == own;
            bool accepts = run->accepts[own] == UINT64_MAX || (edge.marks & run->accepts[own]) != 0;
            edge.marks = run->is_buchi[own] && inside && accepts;
            aut_builder_edge(run->builder, state, edge);
        }
    }
}

/* ---- copies ---- */

typedef struct copied_part {
    aut_clause clause;
    base_bitset edges; /* of the automaton, in components whose marks satisfy the clause */
    uint32_t levels;   /* states of the counter */
} copied_part;

/* Finds the edges of the copy: those without marks of `fin`, in components with all marks of `inf`. */
static opac_status choose_edges(ldba_run *run, copied_part *part, opac_error *error)
{
    const graph_process *process = &run->graph.process;
    const uint32_t *component = run->scc.component;
    graph_scc inner;
    TRY(graph_take_set(&run->workspace, process->choice_count, &part->edges, error));
    for (uint32_t state = 0; state < process->state_count; state++)
        for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1]; e++)
            if (!run->is_buchi[component[state]] &&
                component[process->target[e]] == component[state] &&
                (run->graph.marks[e] & part->clause.fin) == 0)
                base_bitset_add(&part->edges, e);
    TRY(graph_scc_find(process, (graph_part){.choices = &part->edges}, &run->workspace, &inner,
                       error));
    uint64_t *marks = graph_take(&run->workspace, inner.count, sizeof *marks);
    if (marks == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < inner.count; c++)
        marks[c] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t state = 0; state < process->state_count; state++)
            for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1];
                 e++) {
                uint32_t own = inner.component[state];
                if (!base_bitset_has(&part->edges, e))
                    continue;
                if (pass == 0 && inner.component[process->target[e]] == own)
                    marks[own] |= run->graph.marks[e];
                if (pass == 1 && (inner.component[process->target[e]] != own ||
                                  (part->clause.inf & ~marks[own]) != 0))
                    base_bitset_remove(&part->edges, e);
            }
    return OPAC_OK;
}

static void number_copies(ldba_run *run, const copied_part *part)
{
    const graph_process *process = &run->graph.process;
    for (uint32_t state = 0; state < process->state_count; state++) {
        bool used = false;
        for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1]; e++)
            used = used || base_bitset_has(&part->edges, e);
        run->copy[state] = used ? run->builder->state_count : NOT_COPIED;
        if (used)
            aut_builder_add_states(run->builder, part->levels);
    }
}

/* Advances the counter by the marks of an edge. Returns whether all marks of `inf` have been seen. */
static bool count_marks(uint64_t inf, uint64_t marks, uint32_t *level)
{
    uint32_t passed = 0;
    for (uint64_t rest = inf; rest != 0; rest &= rest - 1, passed++) {
        if (passed < *level)
            continue;
        if ((marks >> base_lowest_bit(rest) & 1) == 0) {
            *level = passed;
            return false;
        }
    }
    *level = 0;
    return true;
}

static void add_copy(ldba_run *run, const copied_part *part)
{
    const opac_automaton *automaton = run->automaton;
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++) {
            aut_edge edge = automaton->edges[i];
            uint32_t first = run->copy[edge.target];
            if (first == NOT_COPIED)
                continue;
            /* The jump, from the first part. */
            aut_builder_edge(run->builder, state, (aut_edge){.label = edge.label, .target = first});
            if (!base_bitset_has(&part->edges, i))
                continue;
            for (uint32_t level = 0; level < part->levels; level++) {
                uint32_t next = level;
                bool accepts = count_marks(part->clause.inf, edge.marks, &next);
                aut_builder_edge(
                    run->builder, run->copy[state] + level,
                    (aut_edge){.label = edge.label, .target = first + next, .marks = accepts});
            }
        }
}

static opac_status add_clause(ldba_run *run, aut_clause clause, opac_error *error)
{
    uint32_t levels = base_popcount(clause.inf);
    copied_part part = {.clause = clause, .levels = levels > 0 ? levels : 1};
    graph_place place = graph_workspace_mark(&run->workspace);
    opac_status status;
    TRY_OR(done, choose_edges(run, &part, error));
    number_copies(run, &part);
    if (run->builder->problem.code == OPAC_OK)
        add_copy(run, &part);
done:
    graph_workspace_release(&run->workspace, place);
    return status;
}

static opac_status build(ldba_run *run, const aut_clause_vec *clauses, opac_error *error)
{
    const opac_automaton *automaton = run->automaton;
    aut_condition condition = {0};
    TRY(aut_condition_buchi(&condition, error));
    run->builder->state_limit = run->limits->states;
    aut_builder_condition(run->builder, &condition, 1);
    aut_builder_add_states(run->builder, automaton->state_count);
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        aut_builder_initial(run->builder, automaton->initial[i]);
    if (run->builder->problem.code == OPAC_OK)
        add_first_part(run);
    for (size_t i = 0; i < clauses->count && run->builder->problem.code == OPAC_OK; i++)
        TRY(add_clause(run, clauses->items[i], error));
    return OPAC_OK;
}

opac_status aut_to_ldba(const opac_automaton *automaton, const aut_limits *limits,
                        opac_automaton **ldba, opac_error *error)
{
    ldba_run run = {.automaton = automaton, .limits = limits, .workspace.work = limits->work};
    aut_clause_vec clauses = {0};
    bool fits = true;
    assert(automaton->is_deterministic);
    opac_status status;
    TRY_OR(done, aut_condition_clauses(&automaton->condition, MOST_CLAUSES, limits->work, &clauses,
                                       &fits, error));
    if (!fits)
        TRY_OR(done,
               base_fail(error, OPAC_ERROR_LIMIT,
                         "the disjunctive normal form of the acceptance condition has more than "
                         "%d clauses",
                         MOST_CLAUSES));
    TRY_OR(done, aut_graph_of(automaton, &run.workspace, &run.graph, error));
    TRY_OR(done,
           graph_scc_find(&run.graph.process, (graph_part){0}, &run.workspace, &run.scc, error));
    TRY_OR(done, find_buchi_components(&run, error));
    run.copy = base_alloc(automaton->state_count, sizeof *run.copy);
    TRY_OR(done, run.copy != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, aut_builder_like(automaton, &run.builder, error));
    TRY_OR(done, build(&run, &clauses, error));
    status = aut_builder_finish(run.builder, ldba, error);
    run.builder = NULL;
done:
    aut_builder_free(run.builder);
    aut_clause_vec_fini(&clauses);
    base_free(run.copy);
    graph_workspace_fini(&run.workspace);
    return status;
}
