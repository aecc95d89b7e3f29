/* SPDX-License-Identifier: MIT */
/* The moves of the automaton that an evaluation judges by. */
#ifndef EVALUATE_STEPS_H
#define EVALUATE_STEPS_H

#include "aut/automaton.h"
#include "base/map.h"

typedef struct evaluate_steps {
    const opac_automaton *automaton;
    base_map letters;    /* letter ► its number */
    base_map edges;      /* state, number of the letter ► edge + 1; 0: there is none */
    base_u32_vec closed; /* of a search: the states that epsilon edges lead to, */
    base_u64_vec marks;  /* and the marks on the way */
} evaluate_steps;

void evaluate_steps_init(evaluate_steps *steps, const opac_automaton *automaton);
void evaluate_steps_fini(evaluate_steps *steps);

/* Of a deterministic automaton: the edge for a letter; NULL: none, the run is rejected. */
opac_status evaluate_steps_read(evaluate_steps *steps, uint32_t state, uint64_t letter,
                                const aut_edge **edge, opac_error *error);

typedef enum evaluate_way {
    EVALUATE_WAY_NONE, /* the letter cannot be read */
    EVALUATE_WAY_ELSEWHERE,
    EVALUATE_WAY_FOUND
} evaluate_way;

/*
 * Of any automaton: the marks on a way from a state to `next` that reads one
 * letter, after any number of epsilon edges; or that there are others only.
 */
opac_status evaluate_steps_follow(evaluate_steps *steps, uint32_t state, uint64_t letter,
                                  uint32_t next, evaluate_way *way, uint64_t *marks,
                                  opac_error *error);

#endif
