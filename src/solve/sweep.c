/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of the solver. One inline function is specialised by constant flags, so that no branch
 * depends on them in the loop over the edges. The edges of a node are contiguous. The division of a
 * relative step is computed only if the step is the largest so far.
 */
#include "solve/sweep.h"

#include <math.h>

#include "solve/robust.h"

typedef struct ways {
    bool least, above, guess;
} ways;

static inline double choose(ways w, double a, double b)
{
    return w.least ? (b < a ? b : a) : (b > a ? b : a);
}

/* The backup of the best choice of a node, scaled by the margin. */
static inline double evaluate(const solve_block *block, ways w, uint32_t node, const double *x)
{
    const solve_quotient *q = block->quotient;
    uint32_t c = q->choice_begin[node], end = q->choice_begin[node + 1];
    uint32_t e = q->edge_begin[c];
    double best = w.least ? HUGE_VAL : 0;
    for (; c < end; c++) {
        double sum = q->gain[c];
        for (uint32_t edges_end = q->edge_begin[c + 1]; e < edges_end; e++)
            sum += q->prob[e] * x[q->target[e]];
        best = choose(w, best, sum);
    }
    return best * (w.above ? 1 + block->margin : 1 - block->margin);
}

/* The new value of a node. Values below SOLVE_TINY are replaced as described in backup.h. */
static inline double update(const solve_block *block, ways w, uint32_t node, const double *x)
{
    double old = x[node], fresh = evaluate(block, w, node, x);
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
        return sweep(block, (ways){least, above, guess}, x)

static inline solve_moves sweep_kind(const solve_block *block, solve_sweep_kind kind, bool least,
                                     double *x)
{
    switch (kind) {
        KIND(SOLVE_BELOW, false, false);
        KIND(SOLVE_ABOVE, true, false);
        KIND(SOLVE_GUESS_BELOW, false, true);
        KIND(SOLVE_GUESS_ABOVE, true, true);
    }
    return (solve_moves){0, 0};
}

/* The same with intervals. Pessimistic quantities are rounded down, and optimistic ones up. */
static solve_moves sweep_robust(const solve_block *block, solve_sweep_kind kind, double *x)
{
    bool above = kind == SOLVE_ABOVE || kind == SOLVE_GUESS_ABOVE;
    bool guess = kind == SOLVE_GUESS_BELOW || kind == SOLVE_GUESS_ABOVE;
    solve_moves moves = {0, 0};
    for (uint32_t node = block->begin; node < block->end; node++) {
        uint32_t choice;
        double old = x[node], fresh = solve_robust_best(block->quotient, node, x, &choice);
        if (!guess && (above ? fresh > old : fresh < old))
            continue;
        moves.rise = fresh - old > moves.rise ? fresh - old : moves.rise;
        moves.fall = old - fresh > moves.fall ? old - fresh : moves.fall;
        x[node] = fresh;
    }
    return moves;
}

solve_moves solve_sweep(const solve_block *block, solve_sweep_kind kind, double *x)
{
    if (block->quotient->robust)
        return sweep_robust(block, kind, x);
    return block->quotient->complement ? sweep_kind(block, kind, true, x)
                                       : sweep_kind(block, kind, false, x);
}

void solve_block_init(const solve_quotient *quotient, uint32_t block, solve_block *result)
{
    const solve_quotient *q = quotient;
    uint32_t begin = q->block_begin[block], end = q->block_begin[block + 1];
    uint32_t first = q->choice_begin[begin], last = q->choice_begin[end];
    uint32_t longest = 0;
    for (uint32_t c = first; c < last; c++) {
        uint32_t edges = solve_choice_edges(q, c);
        longest = edges > longest ? edges : longest;
    }
    *result = (solve_block){
        .quotient = q,
        .begin = begin,
        .end = end,
        .cost =
            (uint64_t)(end - begin) + (last - first) + (q->edge_begin[last] - q->edge_begin[first]),
        .margin = q->robust ? solve_robust_margin(longest) : solve_outer_margin(longest),
    };
}
