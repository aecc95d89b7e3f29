/* SPDX-License-Identifier: MIT */
/*
 * State elimination in a component of a chain. This file provides the order of elimination and the sparse
 * pattern; a kernel provides the arithmetic, in doubles or fractions.
 *
 *     rows      state i ► its successors within the component, with weights
 *
 * Eliminating state k replaces each transition to k by transitions to the successors of k, in their
 * proportions:
 *
 *     weights of k:               w_kj := w_kj / (sum of all weights out of k)
 *     predecessors i of k:        w_ij := w_ij + w_ik · w_kj      (j = i is dropped: a self-loop)
 *
 * There is no subtraction (Grassmann, Taksar, Heyman 1985), because only the proportions of the weights
 * of a row matter and self-loops are implicit. So there is no cancellation, and relative errors stay
 * small (O'Cinneide 1993). After the elimination, the values are computed in the opposite order.
 *
 * The next state is one with the fewest neighbours (Markowitz 1957, Tinney and Walker 1967). Time: linear
 * for a path, about n^1.5 for a planar grid of n states, n^3 for a dense component.
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

/* Operations on weights, which are moved as bytes. */
typedef struct evaluate_kernel {
    size_t weight_size;
    /* Divides all weights out of k, the entries and those kept by the kernel, by their sum. */
    void (*divide)(void *context, uint32_t k, evaluate_row *row);
    /*
     * Adds w_ik times the weight of each entry t of row k to entry place[t] of row i; skips
     * EVALUATE_NO_PLACE. Entries from `old` on are new. w_ik is entry `at`, which is not used afterwards.
     */
    void (*add)(void *context, uint32_t i, evaluate_row *row, uint32_t old, uint32_t at, uint32_t k,
                const evaluate_row *pivot, const uint32_t *place);
    /* Computes the value of k from those of the columns of its row, which are known; releases the row. */
    void (*resolve)(void *context, uint32_t k, evaluate_row *row);
} evaluate_kernel;

typedef struct evaluate_elimination {
    const evaluate_kernel *kernel;
    void *context;
    const opac_cancel *cancel;
    uint64_t most_work, most_entries; /* limits for one component; 0 for none */
    uint32_t capacity, count;         /* size of the largest component and of this one */
    evaluate_row *rows;
    base_u32_vec *sources;  /* by column: the rows with an entry, and some eliminated rows */
    uint32_t *source_count; /* by column: number of rows that are not eliminated */
    uint32_t *sequence;     /* the states in the order of elimination */
    uint32_t *mark;         /* by column: its entry in the row of the pivot, + 1 */
    bool *gone;             /* by state: eliminated */
    base_u32_vec place;
    evaluate_order order;
    uint64_t work, entries;
} evaluate_elimination;

/* Initialises everything but kernel, context, cancel and the limits. fini must be called even if it
 * fails. */
opac_status evaluate_elimination_init(evaluate_elimination *e, uint32_t capacity,
                                      opac_error *error);
void evaluate_elimination_fini(evaluate_elimination *e);

/* Begins a component with `count` states and without entries. */
void evaluate_elimination_begin(evaluate_elimination *e, uint32_t count);
/* Adds an entry to row i, at most one per column and none for i itself; set *weight before the next call. */
opac_status evaluate_elimination_entry(evaluate_elimination *e, uint32_t i, uint32_t column,
                                       void **weight, opac_error *error);
/* Eliminates all states and computes their values. Sets *done to false, without values, if a limit would
 * be exceeded. */
opac_status evaluate_elimination_run(evaluate_elimination *e, bool *done, opac_error *error);

#endif
