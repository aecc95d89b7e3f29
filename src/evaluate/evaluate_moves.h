/* SPDX-License-Identifier: MIT */
/* Looks up the edges of the automaton that read a letter. */
#ifndef EVALUATE_MOVES_H
#define EVALUATE_MOVES_H

#include "aut/automaton.h"
#include "base/map.h"

typedef struct evaluate_moves {
    const opac_automaton *automaton;
    base_map letters;    /* letter ► its number */
    base_map edges;      /* state, number of the letter ► edge + 1; 0 if there is none */
    base_u32_vec closed; /* of a search: the states reachable by epsilon edges */
    base_u64_vec marks;  /* of a search: the marks on the paths to them */
} evaluate_moves;

void evaluate_moves_init(evaluate_moves *moves, const opac_automaton *automaton);
void evaluate_moves_fini(evaluate_moves *moves);

/* For a deterministic automaton: the edge for a letter; NULL if there is none, so that the run is
 * rejected. */
opac_status evaluate_moves_read(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                const aut_edge **edge, opac_error *error);

typedef enum evaluate_move_result {
    EVALUATE_MOVE_NONE, /* the letter cannot be read */
    EVALUATE_MOVE_ELSEWHERE,
    EVALUATE_MOVE_FOUND
} evaluate_move_result;

/*
 * For any automaton: finds a path from a state to `next` with any number of epsilon edges and one edge
 * that reads the letter, and sets *marks to its marks. ELSEWHERE: the letter can only be read to other
 * states.
 */
opac_status evaluate_moves_follow(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                  uint32_t next, evaluate_move_result *result, uint64_t *marks,
                                  opac_error *error);

#endif
