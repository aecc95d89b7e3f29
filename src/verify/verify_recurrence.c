/* SPDX-License-Identifier: MIT */
/*
 * With a bound T on the epsilon-recurrence time: an upper bound U on the probability of every policy, and a
 * lower bound on that of the policy, from what was seen (docs/theory.md, Theorem 17).
 *
 * Assumed: under every positional policy, a run covers a bottom component twice within T transitions with
 * probability at least 1 - epsilon. All nodes that were seen are listed (verify_product.c), and every row is
 * open: it has its seen successors, and an unseen part whose probability is bounded (intervals.c).
 *
 * Upper. W is the set of nodes in winning end components of what was seen. Let an optimal policy cover a
 * bottom component B twice within T. Either an unseen part was taken by then. Or all transitions taken were
 * seen; then they connect B strongly, and none that was seen leaves B, so B is an end component of what was
 * seen, and the run is in W if B is accepted. So U = V_T + epsilon, where V_T is the greatest probability,
 * over policies and probabilities in the intervals, of being in W or taking an unseen part within T:
 *
 *     V_0 = 1 in W, else 0;    V_t+1 (s) = 1 in W, else max over choices and q of q(unseen) + Σ q(s') V_t(s').
 *
 * Lower. In the chain of the policy's choices, losing nodes are those in bottom components of what was seen
 * that are not accepted, and those without a choice. By the same argument the policy loses with probability at
 * most epsilon + R_T, where R_T is the greatest probability of being in a losing node or taking an unseen part
 * within T. A node whose row was never tried is all unseen; it is not losing.
 *
 * Fewer sweeps than T (docs/theory.md, Lemma 25). One sweep is monotone, and adding a constant d >= 0 to its
 * argument adds at most d, since the probabilities of a row sum to 1. So if no value rises by more than r in
 * some sweep, none rises by more than r in any later one: V_T <= V_t + (T - t) r.
 *
 * Rounding. Each sweep is computed as an upper bound (verify_mean.c), and so is r.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "verify/verify.h"

/* Means that one check may compute, counted by successors; each takes some 10 ns. */
static const double most_work = 4e9;

typedef struct sweeps {
    verify_certificate *c;
    verify_part *parts; /* of all choices */
    size_t *begin;      /* by choice: its first part; then the number of parts */
    /* By node; then the values of universal memories and of what is unseen. */
    double *value, *next;
    bool *reached;   /* by node: the policy's runs may reach it */
    uint32_t *queue; /* of nodes */
} sweeps;

/* ---- the rows as parts ---- */

static size_t count_parts(const verify_certificate *c)
{
    size_t count = 0;
    for (size_t k = 0; k < c->choices.count; k++)
        count += (size_t)c->choices.items[k].width + c->choices.items[k].is_open;
    return count;
}

static void add_parts(sweeps *s, const verify_choice *choice, size_t at)
{
    uint32_t universal = s->c->node_count, unseen = universal + 1;
    for (uint32_t k = 0; k < choice->width; k++) {
        verify_part *part = &s->parts[at++];
        part->to = choice->to[k] == VERIFY_UNIVERSAL ? universal : choice->to[k];
        part->low = choice->branch != NULL ? choice->branch[k].low : 1;
        part->width = choice->branch != NULL ? choice->branch[k].high - part->low : 0;
    }
    if (choice->is_open)
        s->parts[at] = (verify_part){.to = unseen, .width = choice->unseen};
}

static void build(sweeps *s, verify_certificate *c)
{
    size_t count = count_parts(c), at = 0;
    *s = (sweeps){.c = c};
    s->parts = verify_alloc(c, count, sizeof *s->parts);
    s->begin = verify_alloc(c, c->choices.count + 1, sizeof *s->begin);
    s->value = verify_alloc(c, (size_t)c->node_count + 2, sizeof *s->value);
    s->next = verify_alloc(c, (size_t)c->node_count + 2, sizeof *s->next);
    s->reached = verify_alloc(c, c->node_count, sizeof *s->reached);
    s->queue = verify_alloc(c, c->node_count, sizeof *s->queue);
    for (size_t k = 0; k < c->choices.count && verify_is_ok(c); k++) {
        const verify_choice *choice = &c->choices.items[k];
        s->begin[k] = at;
        add_parts(s, choice, at);
        at += (size_t)choice->width + choice->is_open;
        s->begin[k + 1] = at;
    }
}

/* ---- sweeps ---- */

static double mean_of(sweeps *s, uint32_t choice)
{
    verify_part *parts = &s->parts[s->begin[choice]];
    uint32_t count = (uint32_t)(s->begin[choice + 1] - s->begin[choice]);
    for (uint32_t k = 0; k < count; k++)
        parts[k].value = s->value[parts[k].to];
    return verify_mean(parts, count, true);
}

/* The greatest mean of the choices of a node, or that of the policy's choice; 0 without a choice. */
static double value_of(sweeps *s, const verify_node *node, bool is_policy)
{
    double greatest = 0;
    if (is_policy)
        return node->chosen != VERIFY_NONE ? mean_of(s, node->chosen) : 0;
    for (uint32_t k = node->first; k < node->first + node->count; k++)
        greatest = fmax(greatest, mean_of(s, k));
    return greatest;
}

/* Returns an upper bound on the greatest increase of a value. Nodes that the policy does not reach are left
 * out: they have no effect on the first node, and would only add to the rate. */
static double sweep(sweeps *s, const bool *is_target, bool is_policy)
{
    double rate = 0, *old = s->value;
    for (uint32_t i = 0; i < s->c->node_count; i++) {
        if (is_policy && !s->reached[i])
            continue;
        s->next[i] = is_target[i] ? 1 : value_of(s, &s->c->node[i], is_policy);
        if (s->next[i] > old[i])
            rate = fmax(rate, nextafter(s->next[i] - old[i], 2));
    }
    s->value = s->next;
    s->next = old;
    return rate;
}

/*
 * An upper bound on the value of the first node after T sweeps, from this number of sweeps, which is at least
 * 1. universal: the value of universal memories. After a sweep that increases nothing, no later one can.
 */
static double bound_value(sweeps *s, const bool *is_target, bool is_policy, double universal,
                          uint64_t count)
{
    const verify_certificate *c = s->c;
    double rate = 1;
    for (uint32_t i = 0; i < c->node_count; i++)
        s->value[i] = is_target[i] ? 1 : 0;
    s->value[c->node_count] = s->next[c->node_count] = universal;
    s->value[c->node_count + 1] = s->next[c->node_count + 1] = 1;
    for (uint64_t t = 0; t < count && rate > 0; t++)
        rate = sweep(s, is_target, is_policy);
    double later = (double)(c->horizon - count) * rate;
    return fmin(1, (s->value[0] + later) * (1 + 4 * DBL_EPSILON));
}

/* ---- both bounds ---- */

static bool is_universal(const verify_certificate *c, const verify_node *node)
{
    return node->memory != VERIFY_NONE && c->automaton.universal[node->memory];
}

static void find_upper(sweeps *s)
{
    verify_certificate *c = s->c;
    bool *inside = verify_alloc(c, c->node_count, sizeof *inside);
    bool *wins = verify_alloc(c, c->node_count, sizeof *wins);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        inside[i] = true;
    if (verify_is_ok(c))
        verify_find_winning(c, inside, wins);
    if (!verify_is_ok(c))
        return;
    wins[0] = wins[0] || is_universal(c, &c->node[0]);
    for (uint32_t i = 0; i < c->node_count; i++)
        c->winning += wins[i];
    if (c->upper_sweeps > 0)
        c->upper = fmin(1, (bound_value(s, wins, false, 1, c->upper_sweeps) + c->epsilon) *
                               (1 + 4 * DBL_EPSILON));
}

/* By seen successors of the policy's choices. */
static void reach(sweeps *s)
{
    const verify_certificate *c = s->c;
    uint32_t count = 1;
    s->reached[0] = true;
    s->queue[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t chosen = c->node[s->queue[i]].chosen;
        const verify_choice *choice = chosen != VERIFY_NONE ? &c->choices.items[chosen] : NULL;
        for (uint32_t k = 0; choice != NULL && k < choice->width; k++) {
            uint32_t to = choice->to[k];
            if (to >= c->node_count || s->reached[to])
                continue;
            s->reached[to] = true;
            s->queue[count++] = to;
        }
    }
}

static void find_lower(sweeps *s)
{
    verify_certificate *c = s->c;
    bool *inside = verify_alloc(c, c->node_count, sizeof *inside);
    bool *loses = verify_alloc(c, c->node_count, sizeof *loses);
    verify_end *ends = verify_alloc(c, c->node_count, sizeof *ends);
    for (uint32_t i = 0; i < c->node_count && verify_is_ok(c); i++)
        inside[i] = c->node[i].chosen != VERIFY_NONE;
    if (verify_is_ok(c))
        verify_chain(c, inside, ends);
    if (!verify_is_ok(c))
        return;
    reach(s);
    for (uint32_t i = 0; i < c->node_count; i++)
        loses[i] = inside[i] ? ends[i] == VERIFY_END_REJECTED || ends[i] == VERIFY_END_SILENT
                             : !is_universal(c, &c->node[i]);
    double lost = bound_value(s, loses, true, 0, c->risk_sweeps) + c->epsilon;
    c->risk_lower = 1 - lost * (1 + 4 * DBL_EPSILON) - 2 * DBL_EPSILON;
}

static void check_work(verify_certificate *c)
{
    double size = (double)count_parts(c) + (double)c->node_count;
    if (size * ((double)c->upper_sweeps + (double)c->risk_sweeps) > most_work)
        c->status = base_fail(c->error, OPAC_ERROR_LIMIT,
                              "sweeps: %.0f successors, %" PRIu64 " and %" PRIu64
                              " times, are beyond the limit of %.0f",
                              size, c->upper_sweeps, c->risk_sweeps, most_work);
}

void verify_recurrence(verify_certificate *c)
{
    sweeps s;
    c->upper = 1;
    c->risk_lower = 0;
    check_work(c);
    build(&s, c);
    if (verify_is_ok(c))
        find_upper(&s);
    if (verify_is_ok(c) && c->risk_sweeps > 0)
        find_lower(&s);
}
