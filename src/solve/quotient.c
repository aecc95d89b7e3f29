/* SPDX-License-Identifier: MIT */
/*
 * Contracting an end component does not change the other strongly connected components. So the blocks are
 * the strongly connected components of the process, restricted to the undecided states:
 *
 *     mec, scc ─► node of each state, in the order of blocks ─► rows, node by node
 *
 * A maximal end component of the process contains undecided states only, or none: its states reach each
 * other almost surely and therefore have the same value. So the components of the whole process can be
 * used.
 *
 * Order of nodes. Inside a block, states are in descending order. Products are numbered breadth first from
 * their initial states, so a sweep in the order of the nodes proceeds from the last states, near the
 * targets, to the initial ones, and reads memory in one direction. On the consensus models this needed a
 * fifth of the sweeps of the opposite order, and about as many as ordering by distance from the goal or by
 * depth-first search, which would have to be computed.
 */
#include "solve/quotient.h"

#include <assert.h>

#include "base/sum.h"
#include "graph/scc.h"

enum {
    SHORT_CHOICE = 8 /* up to this number of edges, linear search is used instead of `position` */
};

typedef struct making {
    const solve_problem *problem;
    const base_bitset *zero, *one;
    const graph_mec *mec;
    solve_quotient *quotient;
    uint32_t *node, *block_begin, *level, *choice_begin, *edge_begin, *target, *choice;
    double *prob, *gain, *loss; /* with intervals, prob holds the lower ends */
    double *high;
    uint32_t undecided;   /* number of undecided states */
    uint32_t longest;     /* most edges of a choice */
    graph_scc scc;        /* blocks */
    uint32_t *member;     /* undecided states by block, in the order of nodes */
    uint32_t *fill;       /* by block: position of its next member */
    uint32_t *contracted; /* by component: its node; GRAPH_NONE before it is numbered */
    uint32_t *position; /* by node: last edge to it; valid if this belongs to the current choice */
    double *rest;       /* by edge of the current choice: rounding error of its sum */
    double *high_rest;
} making;

static inline bool is_undecided(const making *m, uint32_t s)
{
    return !base_bitset_has(m->zero, s) && !base_bitset_has(m->one, s);
}

/* Counts states, nodes, choices, and edges before merging. Fills `inside`. */
static void count_parts(making *m)
{
    const graph_process *process = m->problem->process;
    solve_quotient *q = m->quotient;
    q->node_count = q->robust ? SOLVE_SETTLED : 0;
    for (uint32_t s = 0; s < process->state_count; s++) {
        m->node[s] = !q->robust                   ? GRAPH_NONE
                     : base_bitset_has(m->one, s) ? (uint32_t)SOLVE_ONE
                                                  : (uint32_t)SOLVE_ZERO;
        if (!is_undecided(m, s))
            continue;
        uint32_t component = m->mec->component[s];
        m->undecided++;
        q->node_count += component == GRAPH_NONE || m->mec->state[m->mec->begin[component]] == s;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            uint32_t edges = process->edge_begin[c + 1] - process->edge_begin[c];
            if (base_bitset_has(&m->mec->choices, c)) {
                base_bitset_add(&q->inside, c);
                if (!q->robust)
                    continue;
                q->choice_count += edges; /* each may become a choice that leaves */
            }
            q->choice_count++;
            q->edge_count += edges;
            m->longest = edges > m->longest ? edges : m->longest;
        }
    }
}

static opac_status take_results(making *m, graph_workspace *workspace, opac_error *error)
{
    const solve_quotient *q = m->quotient;
    m->block_begin = graph_take_u32(workspace, (size_t)q->node_count + 1);
    m->level = graph_take_u32(workspace, q->node_count);
    m->choice_begin = graph_take_u32(workspace, (size_t)q->node_count + 1);
    m->edge_begin = graph_take_u32(workspace, (size_t)q->choice_count + 1);
    m->choice = graph_take_u32(workspace, q->choice_count);
    m->target = graph_take_u32(workspace, q->edge_count);
    m->prob = graph_take(workspace, q->edge_count, sizeof *m->prob);
    if (q->robust) {
        m->high = graph_take(workspace, q->edge_count, sizeof *m->high);
        m->quotient->order = graph_take_u32(workspace, q->edge_count);
        m->quotient->scratch = graph_take(workspace, m->longest, sizeof *q->scratch);
        if (m->high == NULL || q->order == NULL || q->scratch == NULL)
            return base_fail_memory(error);
    } else {
        m->gain = graph_take(workspace, q->choice_count, sizeof *m->gain);
        m->loss = graph_take(workspace, q->choice_count, sizeof *m->loss);
        if (m->gain == NULL || m->loss == NULL)
            return base_fail_memory(error);
    }
    if (m->block_begin == NULL || m->level == NULL || m->choice_begin == NULL ||
        m->edge_begin == NULL || m->choice == NULL || m->target == NULL || m->prob == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/* Lists the undecided states by block, in descending order inside each block. */
static void list_members(making *m)
{
    uint32_t sum = 0, n = m->problem->process->state_count;
    const uint32_t *block = m->scc.component;
    for (uint32_t b = 0; b < m->scc.count; b++)
        m->fill[b] = 0;
    for (uint32_t s = 0; s < n; s++)
        if (block[s] != GRAPH_NONE)
            m->fill[block[s]]++;
    for (uint32_t b = 0; b < m->scc.count; b++) {
        uint32_t size = m->fill[b];
        m->fill[b] = sum;
        sum += size;
    }
    for (uint32_t s = n; s-- > 0;)
        if (block[s] != GRAPH_NONE)
            m->member[m->fill[block[s]]++] = s;
}

/* Numbers the nodes in the order of their first members. */
static void number_nodes(making *m)
{
    uint32_t next = m->quotient->robust ? SOLVE_SETTLED : 0;
    for (uint32_t i = 0; i < m->mec->count; i++)
        m->contracted[i] = GRAPH_NONE;
    for (uint32_t i = 0, b = 0; i < m->undecided; i++) {
        uint32_t s = m->member[i], component = m->mec->component[s];
        while (b <= m->scc.component[s])
            m->block_begin[b++] = next;
        if (component == GRAPH_NONE)
            m->node[s] = next++;
        else if (m->contracted[component] == GRAPH_NONE)
            m->node[s] = m->contracted[component] = next++;
        else
            m->node[s] = m->contracted[component];
    }
    m->block_begin[m->scc.count] = next;
    assert(next == m->quotient->node_count);
}

/* The edge of the current choice to node n, or GRAPH_NONE. */
static inline uint32_t find_edge(const making *m, uint32_t first, uint32_t edges, uint32_t n)
{
    uint32_t end = m->quotient->edge_count;
    if (edges > SHORT_CHOICE) {
        uint32_t e = m->position[n];
        return e >= first && e < end && m->target[e] == n ? e : GRAPH_NONE;
    }
    for (uint32_t e = first; e < end; e++)
        if (m->target[e] == n)
            return e;
    return GRAPH_NONE;
}

static void add_edge(making *m, uint32_t first, uint32_t edges, uint32_t n, double prob)
{
    uint32_t e = find_edge(m, first, edges, n);
    if (e != GRAPH_NONE) {
        m->prob[e] = base_sum_add(m->prob[e], prob, &m->rest[e - first]);
        return;
    }
    e = m->quotient->edge_count++;
    m->target[e] = n;
    m->prob[e] = prob;
    m->rest[e - first] = 0;
    m->position[n] = e;
}

/* The probability of leaving the node, with one rounding. */
static double sum_of_leaving(const solve_row *row, uint32_t node)
{
    double rest = 0, sum = base_sum_add(*row->gain, *row->loss, &rest);
    for (uint32_t e = 0; e < row->edges; e++)
        if (row->target[e] != node)
            sum = base_sum_add(sum, row->prob[e], &rest);
    return sum + rest;
}

uint32_t solve_row_remove_loop(const solve_row *row, uint32_t node)
{
    uint32_t loop = 0;
    while (loop < row->edges && row->target[loop] != node)
        loop++;
    if (loop == row->edges)
        return row->edges;
    double sum = sum_of_leaving(row, node);
    uint32_t kept = 0;
    assert(sum > 0); /* a choice that never leaves is inside an end component */
    *row->gain /= sum;
    *row->loss /= sum;
    for (uint32_t e = 0; e < row->edges; e++)
        if (row->target[e] != node) {
            row->target[kept] = row->target[e];
            row->prob[kept++] = row->prob[e] / sum;
        }
    return kept;
}

/* Updates the level of block b for an edge to the undecided state t. */
static inline void raise_level(making *m, uint32_t b, uint32_t t)
{
    uint32_t block = m->scc.component[t];
    if (block != b && m->level[b] <= m->level[block])
        m->level[b] = m->level[block] + 1;
}

/* Adds choice c of a node in block b. */
static void add_choice(making *m, uint32_t c, uint32_t node, uint32_t b)
{
    const graph_process *process = m->problem->process;
    solve_quotient *q = m->quotient;
    const base_bitset *gains = q->complement ? m->zero : m->one;
    uint32_t first = q->edge_count, begin = process->edge_begin[c],
             end = process->edge_begin[c + 1];
    double gain = 0, rest = 0, loss = 0, loss_rest = 0;
    for (uint32_t e = begin; e < end; e++) {
        uint32_t t = process->target[e];
        if (m->node[t] == GRAPH_NONE) {
            if (base_bitset_has(gains, t))
                gain = base_sum_add(gain, process->prob[e], &rest);
            else
                loss = base_sum_add(loss, process->prob[e], &loss_rest);
            continue;
        }
        raise_level(m, b, t);
        add_edge(m, first, end - begin, m->node[t], process->prob[e]);
    }
    for (uint32_t e = first; e < q->edge_count; e++)
        m->prob[e] += m->rest[e - first];
    solve_row row = {
        .gain = &m->gain[q->choice_count],
        .loss = &m->loss[q->choice_count],
        .target = m->target + first,
        .prob = m->prob + first,
        .edges = q->edge_count - first,
    };
    *row.gain = gain + rest;
    *row.loss = loss + loss_rest;
    q->edge_count = first + solve_row_remove_loop(&row, node);
    m->choice[q->choice_count++] = c;
    m->edge_begin[q->choice_count] = q->edge_count;
}

static void add_interval(making *m, uint32_t first, uint32_t edges, uint32_t n, double low,
                         double high)
{
    uint32_t e = find_edge(m, first, edges, n);
    if (e == GRAPH_NONE) {
        e = m->quotient->edge_count++;
        m->target[e] = n;
        m->quotient->order[e] = e - first;
        m->prob[e] = m->high[e] = m->rest[e - first] = m->high_rest[e - first] = 0;
        m->position[n] = e;
    }
    m->prob[e] = base_sum_add(m->prob[e], low, &m->rest[e - first]);
    m->high[e] = base_sum_add(m->high[e], high, &m->high_rest[e - first]);
}

static void end_robust_choice(making *m, uint32_t c, uint32_t first)
{
    solve_quotient *q = m->quotient;
    for (uint32_t e = first; e < q->edge_count; e++) {
        m->prob[e] += m->rest[e - first];
        m->high[e] += m->high_rest[e - first];
        m->high[e] = m->high[e] < 1 ? m->high[e] : 1;
    }
    m->choice[q->choice_count++] = c;
    m->edge_begin[q->choice_count] = q->edge_count;
}

static void add_robust_choice(making *m, uint32_t c, uint32_t node, uint32_t b)
{
    const graph_process *process = m->problem->process;
    uint32_t first = m->quotient->edge_count, begin = process->edge_begin[c],
             end = process->edge_begin[c + 1];
    bool stays = base_bitset_has(&m->mec->choices, c);
    for (uint32_t e = begin; e < end; e++) {
        uint32_t t = process->target[e];
        if (stays && m->node[t] == node)
            continue;
        if (is_undecided(m, t))
            raise_level(m, b, t);
        if (!stays) {
            add_interval(m, first, end - begin, m->node[t], m->problem->lower[e],
                         m->problem->upper[e]);
            continue;
        }
        add_interval(m, first, 1, m->node[t], 1, 1);
        end_robust_choice(m, c, first);
        first = m->quotient->edge_count;
    }
    if (!stays)
        end_robust_choice(m, c, first);
}

static void add_state(making *m, uint32_t s, uint32_t node, uint32_t b)
{
    const graph_process *process = m->problem->process;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        if (m->quotient->robust)
            add_robust_choice(m, c, node, b);
        else if (!base_bitset_has(&m->mec->choices, c))
            add_choice(m, c, node, b);
    }
}

/* Adds the choices of node of state s. For an end component, those of all its states. */
static void add_node(making *m, uint32_t s, uint32_t b)
{
    uint32_t component = m->mec->component[s], node = m->node[s];
    if (component == GRAPH_NONE) {
        add_state(m, s, node, b);
        return;
    }
    for (uint32_t j = m->mec->begin[component]; j < m->mec->begin[component + 1]; j++)
        add_state(m, m->mec->state[j], node, b);
}

static void add_rows(making *m)
{
    solve_quotient *q = m->quotient;
    uint32_t next = q->robust ? SOLVE_SETTLED : 0;
    q->choice_count = q->edge_count = 0;
    m->edge_begin[0] = 0;
    for (uint32_t n = 0; n < next; n++)
        m->choice_begin[n] = 0;
    for (uint32_t n = 0; n < q->node_count; n++)
        m->position[n] = 0;
    for (uint32_t b = 0; b < m->scc.count; b++)
        m->level[b] = 0;
    for (uint32_t i = 0; i < m->undecided; i++) {
        uint32_t s = m->member[i], b = m->scc.component[s];
        if (m->node[s] != next)
            continue; /* its component was added before */
        m->choice_begin[next++] = q->choice_count;
        add_node(m, s, b);
        q->level_count = m->level[b] >= q->level_count ? m->level[b] + 1 : q->level_count;
    }
    m->choice_begin[next] = q->choice_count;
}

static void finish(const making *m)
{
    solve_quotient *q = m->quotient;
    q->block_count = m->scc.count;
    q->node = m->node;
    q->block_begin = m->block_begin;
    q->level = m->level;
    q->choice_begin = m->choice_begin;
    q->edge_begin = m->edge_begin;
    q->target = m->target;
    q->prob = q->robust ? NULL : m->prob;
    q->low = q->robust ? m->prob : NULL;
    q->high = m->high;
    q->gain = m->gain;
    q->loss = m->loss;
    q->choice = m->choice;
}

static opac_status take_undecided(const making *m, graph_workspace *workspace,
                                  base_bitset *undecided, opac_error *error)
{
    TRY(graph_take_set(workspace, m->problem->process->state_count, undecided, error));
    base_bitset_copy(undecided, m->zero);
    base_bitset_unite(undecided, m->one);
    base_bitset_complement(undecided);
    return OPAC_OK;
}

static opac_status take_scratch(making *m, graph_workspace *workspace, opac_error *error)
{
    const solve_quotient *q = m->quotient;
    m->member = graph_take_u32(workspace, m->undecided);
    m->fill = graph_take_u32(workspace, m->scc.count);
    m->contracted = graph_take_u32(workspace, m->mec->count);
    m->position = graph_take_u32(workspace, q->node_count);
    m->rest = graph_take(workspace, 2 * (size_t)m->longest, sizeof *m->rest);
    m->high_rest = m->rest != NULL ? m->rest + m->longest : NULL;
    if (m->member == NULL || m->fill == NULL || m->contracted == NULL || m->position == NULL ||
        m->rest == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/* Builds the quotient after counting. Allocates the results, then scratch, which it releases. */
static opac_status make(making *m, graph_workspace *workspace, opac_error *error)
{
    base_bitset undecided;
    TRY(take_results(m, workspace, error));
    graph_place scratch = graph_workspace_mark(workspace);
    TRY(take_undecided(m, workspace, &undecided, error));
    graph_part part = {.states = &undecided};
    TRY(graph_scc_find(m->problem->process, part, workspace, &m->scc, error));
    TRY(take_scratch(m, workspace, error));
    list_members(m);
    number_nodes(m);
    add_rows(m);
    finish(m);
    graph_workspace_release(workspace, scratch);
    return OPAC_OK;
}

opac_status solve_quotient_of_components(const solve_problem *problem, const base_bitset *zero,
                                         const base_bitset *one, solve_quantity quantity,
                                         const graph_mec *mec, graph_workspace *workspace,
                                         solve_quotient *quotient, opac_error *error)
{
    const graph_process *process = problem->process;
    making m = {.problem = problem, .zero = zero, .one = one, .mec = mec, .quotient = quotient};
    graph_place start = graph_workspace_mark(workspace);
    *quotient = (solve_quotient){.complement = quantity == SOLVE_COMPLEMENT,
                                 .robust = quantity >= SOLVE_PESSIMISTIC,
                                 .greatest = quantity == SOLVE_OPTIMISTIC};
    m.node = graph_take_u32(workspace, process->state_count);
    opac_status status = OPAC_OK;
    if (m.node == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, graph_take_set(workspace, process->choice_count, &quotient->inside, error));
    count_parts(&m);
    status = make(&m, workspace, error);
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
