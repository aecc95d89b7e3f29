/* SPDX-License-Identifier: MIT */
/*
 * Functions from letters to whatever has a number, as decision diagrams whose
 * terminals are numbers: AUT_BDD_FALSE says "nothing", value v is the terminal
 * AUT_MOVE_BASE + v.
 */
#ifndef AUT_MOVES_H
#define AUT_MOVES_H

#include "aut/automaton.h"
#include "base/intern.h"
#include "base/map.h"

enum {
    AUT_MOVE_BASE = 2
};

static inline aut_bdd aut_move_terminal(aut_bdd_store *store, uint32_t value)
{
    return aut_bdd_terminal(store, AUT_MOVE_BASE + value);
}

/* The value of a terminal that is not AUT_BDD_FALSE. */
static inline uint32_t aut_move_value(const aut_bdd_store *store, aut_bdd terminal)
{
    return aut_bdd_at(store, terminal)->low - AUT_MOVE_BASE;
}

/* From letters to edges of a state, by their place in the automaton; letters without one: nothing. */
aut_bdd aut_moves_of(const opac_automaton *automaton, uint32_t state);

/*
 * Pairs of two such functions: pair (a, b) gets a number, nothing too counts as
 * a value. Numbers last as long as the pairing, and so does its memory of
 * results: pairing the same functions again costs a look-up.
 */
typedef struct aut_pairing {
    aut_bdd_store *store;
    base_map results;  /* f, g ► their pairing */
    base_intern pairs; /* of terminals */
    uint32_t limit;    /* on pairs, may be set; 0: none */
    bool is_full;      /* it was reached: what is made from then on is AUT_BDD_FALSE */
    opac_error problem;
} aut_pairing;

void aut_pairing_init(aut_pairing *pairing, aut_bdd_store *store);
void aut_pairing_fini(aut_pairing *pairing);
aut_bdd aut_pairing_make(aut_pairing *pairing, aut_bdd f, aut_bdd g);
/* The two terminals of a pair. */
void aut_pairing_parts(const aut_pairing *pairing, uint32_t pair, aut_bdd *f, aut_bdd *g);
opac_status aut_pairing_check(const aut_pairing *pairing, opac_error *error);

/*
 * The function with each terminal but AUT_BDD_FALSE replaced, by what the
 * callback makes of it; each is asked for once. A failure of the callback ends
 * the walk.
 */
typedef opac_status (*aut_move_callback)(void *context, aut_bdd terminal, aut_bdd *replacement,
                                         opac_error *error);
opac_status aut_moves_map(aut_bdd_store *store, aut_bdd f, aut_move_callback callback,
                          void *context, aut_bdd *mapped, opac_error *error);

/* The letters of each terminal of a function but AUT_BDD_FALSE, ascending by terminal. */
typedef struct aut_part {
    aut_bdd terminal, label;
} aut_part;

BASE_VEC(aut_part_vec, aut_part);

opac_status aut_moves_split(aut_bdd_store *store, aut_bdd f, aut_part_vec *parts,
                            opac_error *error);

#endif
