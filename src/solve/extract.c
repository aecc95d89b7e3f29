/* SPDX-License-Identifier: MIT */
/* Computes allowed choices, then ranks, then applies the preferences. Linear time. */
#include "solve/extract.h"

#include "graph/attractor.h"
#include "solve/backup.h"
#include "solve/robust.h"

typedef struct making {
    const solve_extraction *in;
    const graph_process *process;
    uint32_t *policy;
} making;

/* Whether the state is part of a node of the quotient. */
static bool is_undecided(const solve_extraction *in, uint32_t s)
{
    return !base_bitset_has(&in->reached->zero, s) && !base_bitset_has(&in->reached->one, s);
}

/* Whether the choice satisfies the bound of its node, for any rounding. */
static bool satisfies_bound(const solve_extraction *in, uint32_t node, uint32_t c)
{
    if (in->quotient->robust)
        return solve_robust_backup(in->quotient, c, in->bound, false) >= in->bound[node];
    return in->quotient->complement
               ? solve_backup_above(in->quotient, c, in->bound) <= in->bound[node]
               : solve_backup_below(in->quotient, c, in->bound) >= in->bound[node];
}

/* The first of the best choices of a node, which must have choices. */
static uint32_t best_choice(const solve_extraction *in, uint32_t node)
{
    const solve_quotient *quotient = in->quotient;
    uint32_t best = quotient->choice_begin[node];
    if (quotient->robust) {
        solve_robust_best(quotient, node, in->bound, &best);
        return best;
    }
    double best_value = solve_backup(quotient, best, in->bound);
    for (uint32_t c = best + 1; c < quotient->choice_begin[node + 1]; c++) {
        double value = solve_backup(quotient, c, in->bound);
        if (quotient->complement ? value < best_value : value > best_value) {
            best = c;
            best_value = value;
        }
    }
    return best;
}

/* Allows the choices of a node that satisfy its bound, or the best one if there are none. */
static void allow_node(const solve_extraction *in, uint32_t node, base_bitset *allowed)
{
    const solve_quotient *quotient = in->quotient;
    bool any = false;
    for (uint32_t c = quotient->choice_begin[node]; c < quotient->choice_begin[node + 1]; c++)
        if (satisfies_bound(in, node, c)) {
            base_bitset_add(allowed, quotient->choice[c]);
            any = true;
        }
    if (!any && quotient->choice_begin[node] < quotient->choice_begin[node + 1])
        base_bitset_add(allowed, quotient->choice[best_choice(in, node)]);
}

static void allow_choices(const solve_extraction *in, base_bitset *allowed)
{
    base_bitset_copy(allowed, &in->quotient->inside);
    for (uint32_t n = 0; n < in->quotient->node_count; n++) {
        if (in->optimal != NULL && in->optimal[n] != GRAPH_NONE)
            base_bitset_add(allowed, in->quotient->choice[in->optimal[n]]);
        else
            allow_node(in, n, allowed);
    }
}

/* Allows all choices of undecided states outside the attractor; returns whether there are such states. */
static bool allow_unranked(const making *m, const base_bitset *attracted, base_bitset *allowed)
{
    bool any = false;
    for (uint32_t s = 0; s < m->process->state_count; s++) {
        if (!is_undecided(m->in, s) || base_bitset_has(attracted, s))
            continue;
        for (uint32_t c = m->process->choice_begin[s]; c < m->process->choice_begin[s + 1]; c++)
            base_bitset_add(allowed, c);
        any = true;
    }
    return any;
}

static bool leads_to_rank(const graph_process *process, uint32_t c, const uint32_t *rank,
                          uint32_t wanted)
{
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
        if (rank[process->target[e]] == wanted)
            return true;
    return false;
}

/* The choice of a state of rank above 0: preferably a preferred one that leads to the next lower rank. */
static uint32_t pick(const making *m, const base_bitset *allowed, const uint32_t *rank,
                     const uint32_t *choice, uint32_t s)
{
    const base_bitset *preferred = m->in->preferred;
    if (preferred == NULL)
        return choice[s];
    for (uint32_t c = m->process->choice_begin[s]; c < m->process->choice_begin[s + 1]; c++)
        if (base_bitset_has(preferred, c) && base_bitset_has(allowed, c) &&
            leads_to_rank(m->process, c, rank, rank[s] - 1))
            return c;
    return choice[s];
}

/* Computes ranks by allowed choices; for states that get none, by all their choices. */
static opac_status find_ranks(const making *m, base_bitset *allowed, graph_workspace *workspace,
                              graph_attractor *attractor, opac_error *error)
{
    const solve_extraction *in = m->in;
    graph_part part = {.choices = allowed};
    graph_place place = graph_workspace_mark(workspace);
    TRY(graph_attract_some(m->process, part, in->reverse, &in->reached->one, workspace, attractor,
                           error));
    if (!allow_unranked(m, &attractor->states, allowed))
        return OPAC_OK;
    graph_workspace_release(workspace, place);
    return graph_attract_some(m->process, part, in->reverse, &in->reached->one, workspace,
                              attractor, error);
}

/* Sets the choices of undecided states. Everything allocated here is scratch. */
static opac_status follow_ranks(const making *m, graph_workspace *workspace, opac_error *error)
{
    base_bitset allowed;
    graph_attractor attractor;
    TRY(graph_take_set(workspace, m->process->choice_count, &allowed, error));
    allow_choices(m->in, &allowed);
    TRY(find_ranks(m, &allowed, workspace, &attractor, error));
    for (uint32_t s = 0; s < m->process->state_count; s++)
        if (is_undecided(m->in, s))
            m->policy[s] = pick(m, &allowed, attractor.rank, attractor.choice, s);
    return OPAC_OK;
}

/* Sets the choices of the states that the graph decides. */
static void follow_graph(const making *m)
{
    const solve_extraction *in = m->in;
    const uint32_t *choice_begin = m->process->choice_begin;
    for (uint32_t s = 0; s < m->process->state_count; s++) {
        if (base_bitset_has(&in->winning->states, s))
            m->policy[s] = in->winning->choice[s];
        else if (base_bitset_has(&in->reached->one, s))
            m->policy[s] = pick(m, &in->reached->safe, in->reached->rank, in->reached->choice, s);
        else if (base_bitset_has(&in->reached->zero, s) && choice_begin[s] < choice_begin[s + 1])
            m->policy[s] = choice_begin[s];
        else
            m->policy[s] = GRAPH_NONE;
    }
}

/* Whether every edge of every choice of s is a loop. */
static bool is_absorbing(const graph_process *process, uint32_t s)
{
    uint32_t begin = process->edge_begin[process->choice_begin[s]];
    uint32_t end = process->edge_begin[process->choice_begin[s + 1]];
    for (uint32_t e = begin; e < end; e++)
        if (process->target[e] != s)
            return false;
    return true;
}

static bool leads_into(const graph_process *process, const base_bitset *states, uint32_t c)
{
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
        if (!base_bitset_has(states, process->target[e]))
            return false;
    return true;
}

/*
 * Sets preferred choices that lead only to absorbing winning states. Runs that take one win, and other runs
 * do not change, so no value decreases. The absorbing states keep their choice, because not every loop
 * there is winning.
 */
static opac_status take_preferred(const making *m, graph_workspace *workspace, opac_error *error)
{
    const base_bitset *preferred = m->in->preferred, *winning = &m->in->winning->states;
    base_bitset sinks;
    TRY(graph_take_set(workspace, m->process->state_count, &sinks, error));
    for (size_t s = base_bitset_next(winning, 0); s < winning->size;
         s = base_bitset_next(winning, s + 1))
        if (is_absorbing(m->process, (uint32_t)s))
            base_bitset_add(&sinks, s);
    /* Descending, so that the lowest choice of a state is set last. */
    for (uint32_t s = 0; s < m->process->state_count; s++) {
        if (base_bitset_has(&sinks, s))
            continue;
        uint32_t begin = m->process->choice_begin[s];
        for (uint32_t c = m->process->choice_begin[s + 1]; c-- > begin;)
            if (base_bitset_has(preferred, c) && leads_into(m->process, &sinks, c))
                m->policy[s] = c;
    }
    return OPAC_OK;
}

opac_status solve_extract(const solve_extraction *extraction, graph_workspace *workspace,
                          const uint32_t **policy, opac_error *error)
{
    making m = {.in = extraction, .process = extraction->problem->process};
    graph_place start = graph_workspace_mark(workspace);
    m.policy = graph_take_u32(workspace, m.process->state_count);
    graph_place scratch = graph_workspace_mark(workspace);
    opac_status status = m.policy != NULL ? OPAC_OK : base_fail_memory(error);
    if (status == OPAC_OK) {
        follow_graph(&m);
        if (extraction->quotient != NULL && extraction->quotient->node_count > 0)
            status = follow_ranks(&m, workspace, error);
    }
    if (status == OPAC_OK && extraction->preferred != NULL)
        status = take_preferred(&m, workspace, error);
    graph_workspace_release(workspace, status == OPAC_OK ? scratch : start);
    *policy = m.policy;
    return status;
}
