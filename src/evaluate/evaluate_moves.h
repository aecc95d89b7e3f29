/* SPDX-License-Identifier: MIT */
/* The moves of the automaton that an evaluation judges by. */
#ifndef EVALUATE_MOVES_H
#define EVALUATE_MOVES_H

#include "aut/automaton.h"
#include "base/map.h"

typedef struct evaluate_moves {
    const opac_automaton *automaton;
    base_map letters;    /* letter ► its number */
    base_map edges;      /* state, number of the letter ► edge + 1; 0: there is none */
    base_u32_vec closed; /* of a search: the states that epsilon edges lead to, */
    base_u64_vec marks;  /* and the marks on the way */
} evaluate_moves;

void evaluate_moves_init(evaluate_moves *moves, const opac_automaton *automaton);
void evaluate_moves_fini(evaluate_moves *moves);

/* Of a deterministic automaton: the edge for a letter; NULL: none, the run is rejected. */
opac_status evaluate_moves_read(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                const aut_edge **edge, opac_error *error);

typedef enum evaluate_move_result {
    EVALUATE_MOVE_NONE, /* the letter cannot be read */
    EVALUATE_MOVE_ELSEWHERE,
    EVALUATE_MOVE_FOUND
} evaluate_move_result;

/*
 * Of any automaton: the marks on a way from a state to `next` that reads one
 * letter, after any number of epsilon edges; or that there are others only.
 */
opac_status evaluate_moves_follow(evaluate_moves *moves, uint32_t state, uint64_t letter,
                                  uint32_t next, evaluate_move_result *way, uint64_t *marks,
                                  opac_error *error);

#endif
