/* SPDX-License-Identifier: MIT */
/*
 * Tiny interval processes, and their values by enumeration of all positional policies in all vertex models:
 * an oracle that shares no code with the solver.
 */
#ifndef TESTS_SOLVE_INTERVAL_BRUTE_H
#define TESTS_SOLVE_INTERVAL_BRUTE_H

#include <math.h>

#include "solve/solver.h"
#include "support/check.h"
#include "support/random.h"

enum {
    TINY_STATES = 6,
    TINY_CHOICES = 16,
    TINY_EDGES = 48,
    TINY_ROW = 4,      /* the unseen mass is the last item of a row */
    TINY_VERTICES = 40 /* or models near them */
};

typedef struct tiny {
    uint32_t choice_begin[TINY_STATES + 1], edge_begin[TINY_CHOICES + 1], target[TINY_EDGES];
    double lower[TINY_EDGES], upper[TINY_EDGES];
    double unseen[TINY_CHOICES];
    uint64_t marks[TINY_CHOICES];
    solve_rabin_pair pairs[2];
    graph_process process;
    solve_problem problem;
    /* By choice: the vertices of its polytope, or models near them; unseen mass behind the edges. */
    double vertex[TINY_CHOICES][TINY_VERTICES][TINY_ROW];
    uint32_t vertex_count[TINY_CHOICES];
} tiny;

typedef struct tiny_shape {
    uint32_t states, most_choices, most_edges;
    bool zero; /* lower ends may be 0 */
    uint32_t unknown_percent;
    uint32_t unseen_percent; /* choices with a mass below 1 that is unseen */
    bool rare;               /* this mass is very small */
} tiny_shape;

static inline void tiny_draw_row(uint64_t *random, const tiny_shape *shape, tiny *t, uint32_t c)
{
    uint32_t begin = t->edge_begin[c], count = 1 + random_below(random, shape->most_edges);
    double weight[TINY_ROW], sum = 0;
    for (uint32_t e = 0; e < count; e++) {
        weight[e] = 1 + random_below(random, 8);
        sum += weight[e];
    }
    for (uint32_t e = 0; e < count; e++) {
        double p = weight[e] / sum, wide = random_below(random, 4) / 8.0;
        double lower = p - wide * random_below(random, 4) / 3, upper = p + wide;
        if (shape->zero && random_below(random, 3) == 0)
            lower = 0;
        else if (lower < 0.02)
            lower = p / 8;
        if (count == 1)
            lower = upper = 1;
        t->target[begin + e] = random_below(random, shape->states);
        t->lower[begin + e] = lower;
        t->upper[begin + e] = upper < 1 ? upper : 1;
    }
    t->edge_begin[c + 1] = begin + count;
}

static inline bool tiny_unknown(const tiny *t, uint32_t c)
{
    return t->unseen[c] >= 1;
}

/*
 * Adds unseen mass between 1/8 and 7/8, or far less, to a choice, and scales its lower ends so that all of it is
 * possible.
 */
static inline void tiny_leave_unseen(uint64_t *random, const tiny_shape *shape, tiny *t, uint32_t c)
{
    t->unseen[c] = (1 + random_below(random, 7)) / 8.0;
    if (shape->rare)
        t->unseen[c] = ldexp(t->unseen[c], -5 * (int)random_below(random, 6));
    for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++)
        t->lower[e] *= 1 - t->unseen[c];
}

static inline void tiny_finish(tiny *t, uint32_t states)
{
    uint32_t choices = t->choice_begin[states];
    t->process = (graph_process){.state_count = states,
                                 .choice_count = choices,
                                 .edge_count = t->edge_begin[choices],
                                 .choice_begin = t->choice_begin,
                                 .edge_begin = t->edge_begin,
                                 .target = t->target};
    t->problem = (solve_problem){.process = &t->process,
                                 .lower = t->lower,
                                 .upper = t->upper,
                                 .unseen = t->unseen,
                                 .marks = t->marks,
                                 .pairs = t->pairs,
                                 .pair_count = t->problem.pair_count};
}

static inline void tiny_draw(uint64_t *random, tiny_shape shape, tiny *t)
{
    uint32_t c = 0;
    bool goal = random_below(random, 5) > 0; /* including a winning and a losing state */
    memset(t, 0, sizeof *t);
    shape.states += goal ? 2 : 0;
    assert_true(shape.states <= TINY_STATES);
    for (uint32_t p = 0; p < 2; p++)
        t->pairs[p] = (solve_rabin_pair){.fin = random_u32(random) & random_u32(random) & 7,
                                         .inf = UINT64_C(1) << random_below(random, 4)};
    for (uint32_t s = 0; s < shape.states; s++) {
        uint32_t count =
            random_below(random, 6) == 0 ? 0 : 1 + random_below(random, shape.most_choices);
        t->choice_begin[s] = c;
        if (goal && s + 2 >= shape.states)
            count = s + 1 == shape.states;
        for (uint32_t i = 0; i < count; i++, c++) {
            tiny_draw_row(random, &shape, t, c);
            t->marks[c] = random_u32(random) & random_u32(random) & 15;
            if (random_below(random, 100) < shape.unknown_percent)
                t->unseen[c] = 1;
            else if (shape.unseen_percent > 0 && random_below(random, 100) < shape.unseen_percent)
                tiny_leave_unseen(random, &shape, t, c);
        }
    }
    if (goal) {
        t->target[t->edge_begin[c - 1]] = shape.states - 1;
        t->lower[t->edge_begin[c - 1]] = t->upper[t->edge_begin[c - 1]] = 1;
        t->edge_begin[c] = t->edge_begin[c - 1] + 1;
        t->unseen[c - 1] = tiny_unknown(t, c - 1) ? 1 : 0; /* the edge has all of the mass */
        t->marks[c - 1] = 8;
        t->pairs[0].inf = 8;
    }
    t->choice_begin[shape.states] = c;
    t->problem.pair_count = random_below(random, 8) == 0 ? 0 : 1 + random_below(random, 2);
    tiny_finish(t, shape.states);
}

/* All combinations of ends for all edges but one, which gets the rest, if this is within its interval. */
static inline void tiny_find_vertices(tiny *t, uint32_t c)
{
    uint32_t begin = t->edge_begin[c], edges = t->edge_begin[c + 1] - begin;
    uint32_t count = edges + (t->unseen[c] > 0 && t->unseen[c] < 1);
    double lower[TINY_ROW] = {0}, upper[TINY_ROW] = {0};
    memcpy(lower, t->lower + begin, edges * sizeof *lower);
    memcpy(upper, t->upper + begin, edges * sizeof *upper);
    if (count > edges)
        upper[edges] = t->unseen[c];
    t->vertex_count[c] = 0;
    for (uint32_t rest = 0; rest < count; rest++)
        for (uint32_t ends = 0; ends < 1u << count; ends++) {
            if (ends >> rest & 1)
                continue;
            double q[TINY_ROW] = {0}, left = 1;
            for (uint32_t e = 0; e < count; e++)
                if (e != rest)
                    left -= q[e] = ends >> e & 1 ? upper[e] : lower[e];
            if (left < lower[rest] - 1e-15 || left > upper[rest] + 1e-15)
                continue;
            q[rest] = left < 0 ? 0 : left;
            bool seen = false;
            for (uint32_t v = 0; v < t->vertex_count[c]; v++) {
                double distance = 0;
                for (uint32_t e = 0; e < TINY_ROW; e++)
                    distance += fabs(t->vertex[c][v][e] - q[e]);
                seen |= distance < 1e-12;
            }
            if (!seen) {
                assert_true(t->vertex_count[c] < TINY_VERTICES);
                memcpy(t->vertex[c][t->vertex_count[c]++], q, sizeof q);
            }
        }
    assert_true(t->vertex_count[c] > 0);
}

/* Moves each vertex towards the centre, so that every edge is there. */
static inline void tiny_shrink_vertices(tiny *t, uint32_t c, double share)
{
    double centre[TINY_ROW] = {0};
    for (uint32_t v = 0; v < t->vertex_count[c]; v++)
        for (uint32_t e = 0; e < TINY_ROW; e++)
            centre[e] += t->vertex[c][v][e] / t->vertex_count[c];
    for (uint32_t v = 0; v < t->vertex_count[c]; v++)
        for (uint32_t e = 0; e < TINY_ROW; e++)
            t->vertex[c][v][e] += share * (centre[e] - t->vertex[c][v][e]);
}

/*
 * For each vertex, models that are moved slightly towards another vertex, and much less towards the centre.
 * If some edges may be missing, the value depends on which of them are present.
 */
static inline void tiny_pair_vertices(tiny *t, uint32_t c, double share)
{
    double from[TINY_VERTICES][TINY_ROW], centre[TINY_ROW] = {0};
    uint32_t count = t->vertex_count[c];
    memcpy(from, t->vertex[c], sizeof from);
    assert_true(count * count <= TINY_VERTICES);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t e = 0; e < TINY_ROW; e++)
            centre[e] += from[v][e] / count;
    t->vertex_count[c] = 0;
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t other = 0; other < count; other++) {
            double *q = t->vertex[c][t->vertex_count[c]++];
            for (uint32_t e = 0; e < TINY_ROW; e++) {
                q[e] = from[v][e] + share * (from[other][e] - from[v][e]);
                q[e] += share * share * (centre[e] - q[e]);
            }
        }
}

/* ---- a chain ---- */

typedef struct tiny_chain {
    uint32_t n; /* with an additional last state for unseen outcomes */
    long double p[TINY_STATES + 1][TINY_STATES + 1];
    long double value[TINY_STATES + 1]; /* of settled states; -1: not settled */
} tiny_chain;

static inline void tiny_close(const tiny_chain *chain, bool reach[TINY_STATES + 1][TINY_STATES + 1])
{
    for (uint32_t s = 0; s < chain->n; s++)
        for (uint32_t d = 0; d < chain->n; d++)
            reach[s][d] = s == d || chain->p[s][d] > 0;
    for (uint32_t k = 0; k < chain->n; k++)
        for (uint32_t s = 0; s < chain->n; s++)
            for (uint32_t d = 0; d < chain->n; d++)
                reach[s][d] |= reach[s][k] && reach[k][d];
}

/* Solves for the states that are not settled, all of which reach one that is. */
static inline void tiny_solve(tiny_chain *chain)
{
    long double a[TINY_STATES + 1][TINY_STATES + 2];
    uint32_t n = chain->n;
    for (uint32_t s = 0; s < n; s++) {
        bool settled = chain->value[s] >= 0;
        long double leaves = 0; /* not 1 - p(s, s), which may be too small for that */
        for (uint32_t d = 0; d < n; d++) {
            a[s][d] = settled ? 0 : -chain->p[s][d];
            leaves -= d != s ? a[s][d] : 0;
        }
        a[s][s] = settled ? 1 : leaves;
        a[s][n] = settled ? chain->value[s] : 0;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        for (uint32_t s = k; s < n; s++)
            if ((a[s][k] < 0 ? -a[s][k] : a[s][k]) > (a[pivot][k] < 0 ? -a[pivot][k] : a[pivot][k]))
                pivot = s;
        for (uint32_t d = 0; d <= n; d++) {
            long double swap = a[k][d];
            a[k][d] = a[pivot][d];
            a[pivot][d] = swap;
        }
        for (uint32_t s = 0; s < n; s++) {
            long double factor = s == k ? 0 : a[s][k] / a[k][k];
            for (uint32_t d = k; d <= n; d++)
                a[s][d] -= factor * a[k][d];
        }
    }
    for (uint32_t s = 0; s < n; s++)
        chain->value[s] = a[s][n] / a[s][s];
}

static inline bool tiny_accepts(const tiny *t, uint64_t marks)
{
    for (uint32_t p = 0; p < t->problem.pair_count; p++)
        if ((marks & t->pairs[p].fin) == 0 && (marks & t->pairs[p].inf) != 0)
            return true;
    return false;
}

/*
 * The probability of an accepted run, by state, for given vertices by choice. Unseen outcomes have the
 * value `unseen_value`. Bottom components are those of the chain.
 */
static inline void tiny_evaluate(const tiny *t, const uint32_t *policy, const uint32_t *vertex,
                                 double unseen_value, long double *value)
{
    bool reach[TINY_STATES + 1][TINY_STATES + 1];
    uint32_t n = t->process.state_count;
    tiny_chain chain = {.n = n + 1};
    chain.p[n][n] = 1;
    for (uint32_t s = 0; s < n; s++) {
        uint32_t c = policy[s];
        long double sum = 0;
        if (c == GRAPH_NONE || tiny_unknown(t, c)) {
            chain.p[s][c == GRAPH_NONE ? s : n] = 1;
            continue;
        }
        uint32_t edges = t->edge_begin[c + 1] - t->edge_begin[c];
        if (t->unseen[c] > 0)
            sum += chain.p[s][n] = t->vertex[c][vertex[c]][edges];
        chain.p[s][n] = chain.p[s][n] > 1e-15L ? chain.p[s][n] : 0;
        for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++)
            sum += t->vertex[c][vertex[c]][e - t->edge_begin[c]];
        for (uint32_t e = t->edge_begin[c]; e < t->edge_begin[c + 1]; e++)
            chain.p[s][t->target[e]] += t->vertex[c][vertex[c]][e - t->edge_begin[c]] / sum;
        chain.p[s][n] /= sum;
    }
    tiny_close(&chain, reach);
    for (uint32_t s = 0; s < n; s++) {
        bool bottom = true;
        uint64_t marks = 0;
        for (uint32_t d = 0; d <= n; d++)
            if (reach[s][d]) {
                bottom &= reach[d][s];
                marks |= d < n && policy[d] != GRAPH_NONE ? t->marks[policy[d]] : 0;
            }
        uint32_t c = policy[s];
        chain.value[s] = !bottom ? -1 : c != GRAPH_NONE && tiny_accepts(t, marks) ? 1 : 0;
    }
    chain.value[n] = (long double)unseen_value;
    tiny_solve(&chain);
    for (uint32_t s = 0; s < n; s++)
        value[s] = chain.value[s];
}

/* ---- all policies and models ---- */

/* The next combination of digits below their limits; false after the last. */
static inline bool tiny_next(uint32_t *digit, const uint32_t *limit, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (++digit[i] < limit[i])
            return true;
        digit[i] = 0;
    }
    return false;
}

typedef struct tiny_bounds {
    long double least[TINY_STATES], greatest[TINY_STATES];
} tiny_bounds;

/* The bounds of one policy over all vertex models of its choices. */
static inline tiny_bounds tiny_policy_bounds(const tiny *t, const uint32_t *policy,
                                             double unseen_value)
{
    uint32_t n = t->process.state_count, digit[TINY_STATES] = {0}, limit[TINY_STATES];
    uint32_t vertex[TINY_CHOICES] = {0};
    tiny_bounds bounds = {0};
    for (uint32_t s = 0; s < n; s++) {
        bool free = policy[s] != GRAPH_NONE && !tiny_unknown(t, policy[s]);
        limit[s] = free ? t->vertex_count[policy[s]] : 1;
        bounds.least[s] = 2;
        bounds.greatest[s] = -1;
    }
    do {
        long double value[TINY_STATES] = {0};
        for (uint32_t s = 0; s < n; s++)
            if (policy[s] != GRAPH_NONE)
                vertex[policy[s]] = digit[s];
        tiny_evaluate(t, policy, vertex, unseen_value, value);
        for (uint32_t s = 0; s < n; s++) {
            if (value[s] < bounds.least[s])
                bounds.least[s] = value[s];
            if (value[s] > bounds.greatest[s])
                bounds.greatest[s] = value[s];
        }
    } while (tiny_next(digit, limit, n));
    return bounds;
}

/* least: the maximum over policies of the minimum over models; greatest: the maximum over both. */
static inline tiny_bounds tiny_optimum(const tiny *t)
{
    uint32_t n = t->process.state_count, digit[TINY_STATES] = {0}, limit[TINY_STATES];
    tiny_bounds best = {0};
    for (uint32_t s = 0; s < n; s++) {
        uint32_t count = t->choice_begin[s + 1] - t->choice_begin[s];
        limit[s] = count > 0 ? count : 1;
        best.least[s] = best.greatest[s] = -1;
    }
    do {
        uint32_t policy[TINY_STATES] = {0};
        for (uint32_t s = 0; s < n; s++)
            policy[s] = t->choice_begin[s] < t->choice_begin[s + 1] ? t->choice_begin[s] + digit[s]
                                                                    : GRAPH_NONE;
        tiny_bounds low = tiny_policy_bounds(t, policy, 0), high = tiny_policy_bounds(t, policy, 1);
        for (uint32_t s = 0; s < n; s++) {
            if (low.least[s] > best.least[s])
                best.least[s] = low.least[s];
            if (high.greatest[s] > best.greatest[s])
                best.greatest[s] = high.greatest[s];
        }
    } while (tiny_next(digit, limit, n));
    return best;
}

#endif
