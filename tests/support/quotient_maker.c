/* SPDX-License-Identifier: MIT */
#include "support/quotient_maker.h"

#include "base/error.h"
#include "graph/scc.h"
#include "support/check.h"

static void *grow(void *items, uint32_t needed, uint32_t *room, size_t size)
{
    if (needed < *room)
        return items;
    uint32_t more = 2 * needed + 16;
    void *larger = realloc(items, more * size);
    assert_non_null(larger);
    *room = more;
    return larger;
}

void maker_node(quotient_maker *m)
{
    m->choice_begin = grow(m->choice_begin, m->nodes + 1, &m->node_room, sizeof *m->choice_begin);
    m->choice_begin[m->nodes++] = m->choices;
    m->choice_begin[m->nodes] = m->choices;
}

void maker_choice(quotient_maker *m, double gain, double loss)
{
    uint32_t room = m->choice_room, other = room;
    m->gain = grow(m->gain, m->choices + 1, &other, sizeof *m->gain);
    other = room;
    m->loss = grow(m->loss, m->choices + 1, &other, sizeof *m->loss);
    m->edge_begin = grow(m->edge_begin, m->choices + 1, &m->choice_room, sizeof *m->edge_begin);
    m->gain[m->choices] = gain;
    m->loss[m->choices] = loss;
    m->edge_begin[m->choices++] = m->edges;
    m->edge_begin[m->choices] = m->edges;
    m->choice_begin[m->nodes] = m->choices;
}

void maker_edge(quotient_maker *m, uint32_t target, double prob)
{
    uint32_t room = m->edge_room;
    m->prob = grow(m->prob, m->edges, &room, sizeof *m->prob);
    m->target = grow(m->target, m->edges, &m->edge_room, sizeof *m->target);
    m->prob[m->edges] = prob;
    m->target[m->edges++] = target;
    m->edge_begin[m->choices] = m->edges;
}

/* Blocks are components, in their order; nodes keep their order inside. */
static graph_scc find_blocks(quotient_maker *m, uint32_t *block_begin)
{
    opac_error error = {0};
    graph_process process;
    graph_scc scc;
    graph_groups groups;
    assert_ok(graph_process_borrow(m->nodes, m->choices, m->edges, m->choice_begin, m->edge_begin,
                                   m->target, NULL, &process, &error),
              &error);
    assert_ok(graph_scc_find(&process, (graph_part){0}, &m->workspace, &scc, &error), &error);
    assert_ok(
        graph_group_states(scc.component, m->nodes, scc.count, &m->workspace, &groups, &error),
        &error);
    memcpy(block_begin, groups.begin, (scc.count + 1) * sizeof *block_begin);
    for (uint32_t i = 0; i < m->nodes; i++) {
        m->origin[i] = groups.state[i];
        m->number[groups.state[i]] = i;
    }
    return scc;
}

/* Appends a copy of the choices of one node. */
static void copy_node(const quotient_maker *m, uint32_t node, solve_quotient *q, uint32_t *choices,
                      uint32_t *edges)
{
    for (uint32_t c = m->choice_begin[node]; c < m->choice_begin[node + 1]; c++) {
        ((double *)q->gain)[*choices] = m->gain[c];
        ((double *)q->loss)[*choices] = m->loss[c];
        ((uint32_t *)q->choice)[*choices] = c;
        uint32_t first = *edges;
        for (uint32_t e = m->edge_begin[c]; e < m->edge_begin[c + 1]; e++) {
            ((uint32_t *)q->target)[*edges] = m->number[m->target[e]];
            ((double *)q->prob)[(*edges)++] = m->prob[e];
        }
        solve_row row = {
            .gain = (double *)q->gain + *choices,
            .loss = (double *)q->loss + *choices,
            .target = (uint32_t *)q->target + first,
            .prob = (double *)q->prob + first,
            .edges = *edges - first,
        };
        *edges = first + solve_row_remove_loop(&row, m->number[node]);
        ((uint32_t *)q->edge_begin)[++*choices] = *edges;
    }
}

static void find_levels(solve_quotient *q, const uint32_t *block_of, uint32_t *level)
{
    for (uint32_t b = 0; b < q->block_count; b++) {
        level[b] = 0;
        uint32_t end = q->edge_begin[q->choice_begin[q->block_begin[b + 1]]];
        for (uint32_t e = q->edge_begin[q->choice_begin[q->block_begin[b]]]; e < end; e++) {
            uint32_t below = block_of[q->target[e]];
            assert_true(below <= b);
            if (below < b && level[below] + 1 > level[b])
                level[b] = level[below] + 1;
        }
        if (level[b] + 1 > q->level_count)
            q->level_count = level[b] + 1;
    }
}

static void *take(quotient_maker *m, size_t count, size_t size)
{
    void *memory = graph_take(&m->workspace, count + 1, size);
    assert_non_null(memory);
    return memory;
}

const solve_quotient *maker_finish(quotient_maker *m, bool complement)
{
    uint32_t *block_begin = take(m, m->nodes, 4), *choice_begin = take(m, m->nodes, 4);
    uint32_t *edge_begin = take(m, m->choices, 4), *block_of = take(m, m->nodes, 4);
    uint32_t *level = take(m, m->nodes, 4);
    m->number = take(m, m->nodes, 4);
    m->origin = take(m, m->nodes, 4);
    graph_scc scc = find_blocks(m, block_begin);
    m->quotient = (solve_quotient){
        .complement = complement,
        .node_count = m->nodes,
        .choice_count = m->choices,
        .edge_count = m->edges,
        .block_count = scc.count,
        .block_begin = block_begin,
        .level = level,
        .choice_begin = choice_begin,
        .edge_begin = edge_begin,
        .target = take(m, m->edges, 4),
        .choice = take(m, m->choices, 4),
        .prob = take(m, m->edges, sizeof(double)),
        .gain = take(m, m->choices, sizeof(double)),
        .loss = take(m, m->choices, sizeof(double)),
    };
    uint32_t choices = 0, edges = 0;
    choice_begin[0] = 0;
    edge_begin[0] = 0;
    for (uint32_t i = 0; i < m->nodes; i++) {
        copy_node(m, m->origin[i], &m->quotient, &choices, &edges);
        choice_begin[i + 1] = choices;
        block_of[i] = scc.component[m->origin[i]];
    }
    m->quotient.edge_count = edges;
    find_levels(&m->quotient, block_of, level);
    return &m->quotient;
}

void maker_fini(quotient_maker *m)
{
    free(m->choice_begin);
    free(m->edge_begin);
    free(m->target);
    free(m->prob);
    free(m->gain);
    free(m->loss);
    graph_workspace_fini(&m->workspace);
    *m = (quotient_maker){0};
}

opac_status quotient_build(const solve_problem *problem, const base_bitset *zero,
                           const base_bitset *one, bool complement, graph_workspace *workspace,
                           solve_quotient *quotient, opac_error *error)
{
    base_bitset undecided;
    graph_mec mec;
    graph_place start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(workspace, problem->process->state_count, &undecided, error));
    base_bitset_copy(&undecided, zero);
    base_bitset_unite(&undecided, one);
    base_bitset_complement(&undecided);
    graph_part part = {.states = &undecided};
    TRY_OR(done, graph_mec_find(problem->process, part, workspace, &mec, error));
    status = solve_quotient_of_components(problem, zero, one, complement, &mec, workspace, quotient,
                                          error);
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
