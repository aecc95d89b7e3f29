/* SPDX-License-Identifier: MIT */
/*
 * The candidates form a stack, stored in one array:
 *
 *     state   │ candidate 0 │ candidate 1 │ … │ top, searched next │      free
 *     begin   0             ▲ begin[1]                             end
 *
 * Invariant: every state of a candidate has a remaining choice, and all remaining choices lead into the
 * candidate. The first candidate is an exception: its choices may lead to states that had no choice
 * from the start; these are marked as excluded from the search. So a search never leaves its candidate,
 * does not depend on the marks of other states, and costs only the states and edges of the candidate.
 */
#include "graph/mec.h"

#include <assert.h>
#include <string.h>

#include "graph/reverse.h"
#include "graph/scc.h"
#include "graph/search.h"

typedef struct decomposition {
    const graph_process *process;
    graph_workspace *workspace;
    base_bitset *choices; /* the remaining choices */
    uint32_t *component;  /* by state; in order of discovery until `renumber` */
    uint32_t count;
    uint32_t *choices_left; /* by state */
    uint32_t *state, *begin, end, candidates;
    bool closed; /* whether the invariant holds; false at most for the first candidate */
    graph_search search;
    graph_reverse reverse; /* begin is NULL until it is built */
    /* About the candidate that was searched last; size, changed and slot by component: */
    uint32_t *size;    /* number of states with a remaining choice */
    uint32_t *changed; /* 1 if a choice was removed */
    uint32_t
        *slot; /* number of the component if it is maximal; otherwise position of its next state */
    uint32_t *dead;   /* states without a remaining choice whose predecessors are to be examined */
    uint32_t *before; /* the states of the candidate, ascending */
    uint64_t searched;
} decomposition;

static opac_status take_arrays(decomposition *d, opac_error *error)
{
    size_t n = d->process->state_count;
    uint32_t *mark = graph_take_u32(d->workspace, n);
    d->size = graph_take_u32(d->workspace, n);
    d->choices_left = graph_take_u32(d->workspace, n);
    d->state = graph_take_u32(d->workspace, n);
    d->begin = graph_take_u32(d->workspace, n);
    if (mark == NULL || d->size == NULL || d->choices_left == NULL || d->state == NULL ||
        d->begin == NULL)
        return base_fail_memory(error);
    opac_status status =
        graph_search_init(&d->search, d->process, d->choices, mark, d->size, d->workspace, error);
    /* These share memory with the stacks of the search, which are unused between searches. */
    d->changed = d->search.low;
    d->slot = d->search.edge;
    d->dead = d->search.stack;
    d->before = d->search.choice;
    return status;
}

/*
 * Creates the first candidate: the states with a choice within the part. Choices that lead out of the
 * part would be removed in the first round. Removing them now splits components earlier and saves
 * rounds.
 */
static void begin_with_part(decomposition *d, graph_part part)
{
    const uint32_t *choice_begin = d->process->choice_begin;
    for (uint32_t s = 0; s < d->process->state_count; s++) {
        d->component[s] = GRAPH_NONE;
        d->search.mark[s] = GRAPH_NONE;
        d->choices_left[s] = 0;
        if (!graph_part_has_state(part, s) ||
            graph_spend(d->workspace, 1 + graph_state_edges(d->process, s)))
            continue;
        for (uint32_t c = choice_begin[s]; c < choice_begin[s + 1]; c++)
            if (graph_part_has_choice(part, c) && graph_part_keeps(d->process, part, c)) {
                base_bitset_add(d->choices, c);
                d->choices_left[s]++;
            }
        if (d->choices_left[s] > 0)
            d->state[d->end++] = s;
    }
    if (d->end > 0)
        d->begin[d->candidates++] = 0;
    d->closed = d->end == d->process->state_count;
}

static void search_candidate(decomposition *d, uint32_t begin)
{
    for (uint32_t i = begin; i < d->end; i++)
        d->search.mark[d->state[i]] = 0;
    graph_search_restart(&d->search);
    for (uint32_t i = begin; i < d->end && !base_work_is_stopped(d->search.work); i++)
        graph_search_from(&d->search, d->state[i]);
    d->searched += d->end - begin;
}

static bool choice_leaves(const decomposition *d, uint32_t c, uint32_t own_mark)
{
    const graph_process *process = d->process;
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
        if (d->search.mark[process->target[e]] != own_mark)
            return true;
    return false;
}

/* Removes the choices of a state that leave its component; returns whether there were any. */
static bool drop_leaving_choices(decomposition *d, uint32_t s)
{
    const uint32_t *choice_begin = d->process->choice_begin;
    uint32_t own_mark = d->search.mark[s];
    bool dropped = false;
    for (uint32_t c = choice_begin[s]; c < choice_begin[s + 1]; c++) {
        if (!base_bitset_has(d->choices, c) || !choice_leaves(d, c, own_mark))
            continue;
        base_bitset_remove(d->choices, c);
        d->choices_left[s]--;
        dropped = true;
    }
    return dropped;
}

/*
 * Removes all choices of the candidate that leave their component; afterwards no edge connects two
 * components. Records which components changed. Lists the states that lost their last choice, unless no
 * other state is left in their component; returns how many it listed.
 */
static uint32_t cut_components_apart(decomposition *d, uint32_t begin)
{
    uint32_t dead_count = 0;
    for (uint32_t k = 0; k < d->search.count; k++)
        d->changed[k] = 0;
    if (d->closed && d->search.count == 1)
        return 0; /* no choice can leave the only component */
    for (uint32_t i = begin; i < d->end; i++) {
        uint32_t s = d->state[i];
        if (graph_spend(d->workspace, 1 + graph_state_edges(d->process, s)))
            return 0;
        if (!drop_leaving_choices(d, s))
            continue;
        uint32_t k = graph_search_component(&d->search, s);
        d->changed[k] = 1;
        if (d->choices_left[s] == 0 && --d->size[k] > 0)
            d->dead[dead_count++] = s;
    }
    return dead_count;
}

/* Removes the choices that may lead to a dead state, and the states that have no choice left then. */
static void drop_choices_to_dead(decomposition *d, uint32_t dead_count)
{
    const graph_reverse *reverse = &d->reverse;
    for (uint32_t i = 0; i < dead_count; i++) {
        uint32_t t = d->dead[i];
        if (graph_spend(d->workspace, (uint64_t)1 + reverse->begin[t + 1] - reverse->begin[t]))
            return;
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++) {
            uint32_t c = reverse->choice[j], s = reverse->owner[c];
            if (!base_bitset_has(d->choices, c))
                continue;
            base_bitset_remove(d->choices, c);
            if (--d->choices_left[s] > 0)
                continue;
            d->size[graph_search_component(&d->search, s)]--;
            d->dead[dead_count++] = s;
        }
    }
}

/* Creates a candidate for the rest of each component that changed, and numbers the other components. */
static void assign_slots(decomposition *d)
{
    for (uint32_t k = 0; k < d->search.count; k++) {
        if (!d->changed[k]) {
            d->slot[k] = d->count++;
            continue;
        }
        d->slot[k] = d->end;
        if (d->size[k] > 0)
            d->begin[d->candidates++] = d->end;
        d->end += d->size[k];
    }
}

/*
 * Components that lost no choice are maximal; the remaining states of the others become candidates. The
 * states of a candidate stay in ascending order, so that passes over them read the process in one
 * direction.
 */
static void settle_components(decomposition *d, uint32_t begin)
{
    uint32_t states = d->end - begin;
    memcpy(d->before, d->state + begin, states * sizeof *d->state);
    d->end = begin;
    assign_slots(d);
    for (uint32_t i = 0; i < states; i++) {
        uint32_t s = d->before[i], k = graph_search_component(&d->search, s);
        if (!d->changed[k])
            d->component[s] = d->slot[k];
        else if (d->choices_left[s] > 0)
            d->state[d->slot[k]++] = s;
    }
}

static opac_status decompose(decomposition *d, opac_error *error)
{
    while (d->candidates > 0) {
        uint32_t begin = d->begin[--d->candidates];
        TRY(graph_workspace_check(d->workspace, error));
        search_candidate(d, begin);
        TRY(graph_workspace_check(d->workspace, error));
        uint32_t dead_count = cut_components_apart(d, begin);
        if (dead_count > 0 && d->reverse.begin == NULL) {
            graph_part left = {.choices = d->choices};
            TRY(graph_reverse_build(d->process, left, d->workspace, &d->reverse, error));
        }
        drop_choices_to_dead(d, dead_count);
        TRY(graph_workspace_check(d->workspace, error));
        settle_components(d, begin);
        d->closed = true;
    }
    return graph_workspace_check(d->workspace, error);
}

/* Numbers components by their smallest state; `number` is scratch with `count` items. */
static void renumber(uint32_t *component, uint32_t state_count, uint32_t count, uint32_t *number)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++)
        number[i] = GRAPH_NONE;
    for (uint32_t s = 0; s < state_count; s++) {
        if (component[s] == GRAPH_NONE)
            continue;
        if (number[component[s]] == GRAPH_NONE)
            number[component[s]] = next++;
        component[s] = number[component[s]];
    }
}

opac_status graph_mec_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_mec *mec, opac_error *error)
{
    assert(graph_part_fits(process, part));
    decomposition d = {.process = process, .workspace = workspace, .choices = &mec->choices};
    graph_groups groups;
    graph_place scratch, start = graph_workspace_mark(workspace);
    d.component = graph_take_u32(workspace, process->state_count);
    opac_status status;
    TRY_OR(done, d.component != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, graph_take_set(workspace, process->choice_count, d.choices, error));

    scratch = graph_workspace_mark(workspace);
    TRY_OR(done, take_arrays(&d, error));
    begin_with_part(&d, part);
    TRY_OR(done, decompose(&d, error));
    renumber(d.component, process->state_count, d.count, d.search.stack);
    graph_workspace_release(workspace, scratch);
    TRY_OR(done, graph_group_states(d.component, process->state_count, d.count, workspace, &groups,
                                    error));
    mec->count = d.count;
    mec->component = d.component;
    mec->begin = groups.begin;
    mec->state = groups.state;
    mec->searched = d.searched;
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
