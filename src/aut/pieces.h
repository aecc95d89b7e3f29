/* SPDX-License-Identifier: MIT */
/*
 * Strongly connected pieces of a graph with marks on its edges, cut out and
 * renumbered, so that looking closer at one costs no more than its own size.
 *
 *     state    │ 7 │ 9 │ 12 │            in the whole graph, ascending
 *     begin    │ 0 │ 2 │ 3 │ 5 │         by own number, and one more
 *     target   │ 1 │ 2 │ 0 │ 0 │ 1 │     own numbers
 *     edge     │ . │ . │ . │ . │ . │     in the whole graph, ascending
 *     marks    │ . │ . │ . │ . │ . │
 *
 * A piece has at least one edge, and a closed walk that takes all of them.
 */
#ifndef AUT_PIECES_H
#define AUT_PIECES_H

#include "graph/scc.h"

typedef struct aut_piece {
    uint32_t state_count, edge_count;
    const uint32_t *state, *begin, *target, *edge;
    const uint64_t *marks;
    uint64_t all_marks; /* of its edges together */
    uint32_t component; /* its number among the components that it was cut from */
} aut_piece;

typedef struct aut_pieces {
    uint32_t count;
    aut_piece *items;
} aut_pieces;

/*
 * The pieces of a graph in compressed rows whose components are known; edges
 * between them, and those outside `edges` (NULL: all), are left out. By number of
 * component. Linear; in the workspace.
 */
opac_status aut_pieces_of(uint32_t states, const uint32_t *begin, const uint32_t *target,
                          const uint64_t *marks, const base_bitset *edges, const graph_scc *scc,
                          graph_workspace *workspace, aut_pieces *pieces, opac_error *error);

/* What a piece falls into without the edges that carry one of the marks. Likewise. */
opac_status aut_piece_split(const aut_piece *piece, uint64_t without, graph_workspace *workspace,
                            aut_pieces *pieces, opac_error *error);

#endif
