/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of the solver. One inline function, made special by constant
 * flags, so that nothing is decided for each edge. A node's edges lie side by
 * side, whatever its choices. The relative step is divided out only when it is
 * the largest so far.
 */
#include "solve/sweep.h"

#include <math.h>

#define LEAST 0x1p-1074 /* in place of a sum that is 0, or has underflowed, times infinity */

typedef struct ways {
    bool least, above, guess, loops;
} ways;

static inline double choose(ways w, double a, double b)
{
    return w.least ? (b < a ? b : a) : (b > a ? b : a);
}

/* What the node's best choice is worth, scaled. */
static inline double evaluate(const solve_block *block, ways w, uint32_t node, const double *x)
{
    const solve_quotient *q = block->quotient;
    const double *scales = w.above ? block->scale_above : block->scale_below;
    uint32_t c = q->choice_begin[node], end = q->choice_begin[node + 1];
    uint32_t e = q->edge_begin[c], first = q->choice_begin[block->begin];
    double best = w.least ? HUGE_VAL : 0;
    for (; c < end; c++) {
        double sum = q->gain[c];
        for (uint32_t edges_end = q->edge_begin[c + 1]; e < edges_end; e++)
            sum += q->prob[e] * x[q->target[e]];
        if (w.loops)
            sum = (w.above && sum == 0 ? LEAST : sum) * scales[c - first];
        best = choose(w, best, sum);
    }
    if (w.loops)
        return best;
    return best * (w.above ? 1 + block->margin : 1 - block->margin);
}

/* The node's new value; outside of what doubles hold well it is replaced as backup.h says. */
static inline double update(const solve_block *block, ways w, uint32_t node, double *x)
{
    double old = x[node];
    if (w.loops)
        x[node] = 0; /* so that a loop adds nothing */
    double fresh = evaluate(block, w, node, x);
    if (w.above) {
        fresh = fresh < SOLVE_TINY ? SOLVE_TINY : fresh;
        return fresh > (w.guess ? 1 : old) ? (w.guess ? 1 : old) : fresh;
    }
    fresh = fresh < SOLVE_TINY ? 0 : fresh;
    return !w.guess && fresh < old ? old : fresh;
}

static inline solve_moves sweep(const solve_block *block, ways w, double *x)
{
    solve_moves moves = {0, 0};
    for (uint32_t node = block->begin; node < block->end; node++) {
        double old = x[node], fresh = update(block, w, node, x);
        if ((w.guess || !w.above) && fresh - old > moves.rise * fresh)
            moves.rise = (fresh - old) / fresh;
        if ((w.guess || w.above) && old - fresh > moves.fall * old)
            moves.fall = (old - fresh) / old;
        x[node] = fresh;
    }
    return moves;
}

#define KIND(kind, above, guess)                                                                   \
    case kind:                                                                                     \
        return loops ? sweep(block, (ways){least, above, guess, true}, x)                          \
                     : sweep(block, (ways){least, above, guess, false}, x)

static inline solve_moves sweep_kind(const solve_block *block, solve_sweep_kind kind, bool least,
                                     double *x)
{
    bool loops = block->scale_below != NULL;
    switch (kind) {
        KIND(SOLVE_BELOW, false, false);
        KIND(SOLVE_ABOVE, true, false);
        KIND(SOLVE_GUESS_BELOW, false, true);
        KIND(SOLVE_GUESS_ABOVE, true, true);
    }
    return (solve_moves){0, 0};
}

solve_moves solve_sweep(const solve_block *block, solve_sweep_kind kind, double *x)
{
    return block->quotient->complement ? sweep_kind(block, kind, true, x)
                                       : sweep_kind(block, kind, false, x);
}

/* The probability with which a choice stays at its node; its edges to one node are joined. */
static double loop_of(const solve_quotient *q, uint32_t node, uint32_t choice)
{
    for (uint32_t e = q->edge_begin[choice]; e < q->edge_begin[choice + 1]; e++)
        if (q->target[e] == node)
            return q->prob[e];
    return 0;
}

static void set_scales(solve_block *block)
{
    const solve_quotient *q = block->quotient;
    double m = block->margin;
    uint32_t first = q->choice_begin[block->begin];
    for (uint32_t n = block->begin; n < block->end; n++)
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++) {
            double p = loop_of(q, n, c), below = 1 - p + m * p, above = 1 - p - m * p;
            bool idle = p > 0 && solve_choice_edges(q, c) == 1 && q->gain[c] == 0; /* worth 0 */
            block->scale_below[c - first] = below > 0 && !idle ? (1 - m) / below : 0;
            block->scale_above[c - first] = idle ? 1 : above > 0 ? (1 + m) / above : HUGE_VAL;
        }
}

opac_status solve_block_init(const solve_quotient *quotient, uint32_t block,
                             graph_workspace *workspace, solve_block *result, opac_error *error)
{
    const solve_quotient *q = quotient;
    uint32_t begin = q->block_begin[block], end = q->block_begin[block + 1];
    uint32_t first = q->choice_begin[begin], last = q->choice_begin[end];
    uint32_t longest = 0;
    bool loops = false;
    for (uint32_t n = begin; n < end; n++)
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++) {
            uint32_t edges = solve_choice_edges(q, c);
            longest = edges > longest ? edges : longest;
            loops = loops || loop_of(q, n, c) > 0;
        }
    *result = (solve_block){
        .quotient = q,
        .begin = begin,
        .end = end,
        .cost =
            (uint64_t)(end - begin) + (last - first) + (q->edge_begin[last] - q->edge_begin[first]),
        .margin = solve_wide_margin(longest),
    };
    if (!loops)
        return OPAC_OK;
    result->scale_below = graph_take(workspace, last - first, sizeof(double));
    result->scale_above = graph_take(workspace, last - first, sizeof(double));
    if (result->scale_below == NULL || result->scale_above == NULL)
        return base_fail_memory(error);
    set_scales(result);
    return OPAC_OK;
}
