/* SPDX-License-Identifier: MIT */
/*
 * State elimination in a component of a chain: the order and the pattern; the
 * numbers are somebody else's (a kernel: doubles, or fractions).
 *
 *     rows      state i ► the states that it leads to within the component, with weights
 *
 * A state k that is eliminated hands its weights on: whoever came to k now goes
 * where k goes, in these proportions.
 *
 *     k's weights     w_kj := w_kj / (sum of all that leaves k)
 *     for i before k: w_ij := w_ij + w_ik · w_kj          (j = i: dropped, a loop says nothing)
 *
 * Nothing is ever subtracted (Grassmann, Taksar, Heyman 1985): weights of a row
 * count by their proportions, and the loop's share is what the others leave. So
 * there is no cancellation, and relative errors stay small (O'Cinneide 1993).
 * When all are gone, values come back in the opposite order.
 *
 * The next state is one with the fewest neighbours (Markowitz 1957, Tinney and
 * Walker 1967): a path costs linear time, a plane grid of n states about n^1.5,
 * a dense component n^3.
 */
#ifndef EVALUATE_ELIMINATION_H
#define EVALUATE_ELIMINATION_H

#include <omegapac/cancel.h>

#include "base/vec.h"
#include "evaluate/evaluate_order.h"

#define EVALUATE_NO_PLACE UINT32_MAX

typedef struct evaluate_row {
    uint32_t *column;
    void *weight; /* of the kernel's type, by entry */
    uint32_t count;
    size_t column_capacity, weight_capacity;
} evaluate_row;

/* What is done with numbers. Entries of a row are moved about as bytes. */
typedef struct evaluate_kernel {
    size_t weight_size;
    /* Everything that leaves k, entries and what the kernel keeps beside them, over its sum. */
    void (*divide)(void *context, uint32_t k, evaluate_row *row);
    /*
     * Adds to row i, for each entry t of row k, w_ik times its weight: to entry
     * place[t], or nowhere (EVALUATE_NO_PLACE). Entries from `old` on are new.
     * w_ik is entry `at`; it is not needed afterwards.
     */
    void (*add)(void *context, uint32_t i, evaluate_row *row, uint32_t old, uint32_t at, uint32_t k,
                const evaluate_row *pivot, const uint32_t *place);
    /* The value of k from those of its row's columns, which have been found; the row is done. */
    void (*resolve)(void *context, uint32_t k, evaluate_row *row);
} evaluate_kernel;

typedef struct evaluate_elimination {
    const evaluate_kernel *kernel;
    void *context;
    const opac_cancel *cancel;
    uint64_t most_work, most_entries; /* for one component; 0: any */
    uint32_t capacity, count;         /* states of the largest component, of this one */
    evaluate_row *rows;
    base_u32_vec *sources;  /* by column: the rows with an entry, and some that are gone */
    uint32_t *source_count; /* those that are not gone */
    uint32_t *sequence;     /* the states in the order of elimination */
    uint32_t *mark;         /* by column: its entry in the row of the pivot, + 1 */
    bool *gone;             /* by state */
    base_u32_vec place;
    evaluate_order order;
    uint64_t work, entries;
} evaluate_elimination;

/* All but kernel, context, cancel and the limits is made here; fini is due in any case. */
opac_status evaluate_elimination_init(evaluate_elimination *e, uint32_t capacity,
                                      opac_error *error);
void evaluate_elimination_fini(evaluate_elimination *e);

/* A component of so many states, without entries. */
void evaluate_elimination_begin(evaluate_elimination *e, uint32_t count);
/* An entry of row i, at most one a column, not i itself; *weight is to be set at once. */
opac_status evaluate_elimination_entry(evaluate_elimination *e, uint32_t i, uint32_t column,
                                       void **weight, opac_error *error);
/* *done false: it would have gone beyond a limit, and no value was found. */
opac_status evaluate_elimination_run(evaluate_elimination *e, bool *done, opac_error *error);

#endif
