/* SPDX-License-Identifier: MIT */
/*
 * Partial functions from letters to numbers, as multi-terminal decision diagrams (MTBDDs). The terminal
 * AUT_BDD_FALSE means undefined, and the number v is the terminal with the value AUT_MTBDD_BASE + v.
 */
#ifndef AUT_MTBDD_H
#define AUT_MTBDD_H

#include "aut/automaton.h"
#include "base/intern.h"
#include "base/map.h"

enum {
    AUT_MTBDD_BASE = 2
};

static inline aut_bdd aut_mtbdd_terminal(aut_bdd_store *store, uint32_t value)
{
    return aut_bdd_terminal(store, AUT_MTBDD_BASE + value);
}

/* The number of a terminal that is not AUT_BDD_FALSE. */
static inline uint32_t aut_mtbdd_value(const aut_bdd_store *store, aut_bdd terminal)
{
    return aut_bdd_at(store, terminal)->low - AUT_MTBDD_BASE;
}

/* The function from letters to the edges of a state, by their index in the automaton; undefined for letters
 * without an edge. The state is deterministic. */
aut_bdd aut_mtbdd_edges(const opac_automaton *automaton, uint32_t state);

/*
 * The pairing of two such functions f and g maps a letter to the number of the pair (f(letter), g(letter)),
 * where undefined counts as a value. A pairing keeps the numbers of pairs, and caches results: pairing the
 * same functions again costs a look-up.
 */
typedef struct aut_pairing {
    aut_bdd_store *store;
    base_map results;  /* f, g ► their pairing */
    base_intern pairs; /* of terminals */
    uint32_t limit;    /* on the number of pairs, set by the caller; 0 for none */
    bool is_full;      /* the limit was reached; results are then AUT_BDD_FALSE */
    opac_error problem;
} aut_pairing;

void aut_pairing_init(aut_pairing *pairing, aut_bdd_store *store);
void aut_pairing_fini(aut_pairing *pairing);
aut_bdd aut_pairing_make(aut_pairing *pairing, aut_bdd f, aut_bdd g);
/* The two terminals of a pair. */
void aut_pairing_parts(const aut_pairing *pairing, uint32_t pair, aut_bdd *f, aut_bdd *g);
opac_status aut_pairing_check(const aut_pairing *pairing, opac_error *error);

/*
 * Replaces each terminal other than AUT_BDD_FALSE by the one that the callback returns for it. The callback
 * is called once for each terminal, and a failure of it ends the replacement.
 */
typedef opac_status (*aut_mtbdd_callback)(void *context, aut_bdd terminal, aut_bdd *replacement,
                                          opac_error *error);
opac_status aut_mtbdd_replace(aut_bdd_store *store, aut_bdd f, aut_mtbdd_callback callback,
                              void *context, aut_bdd *mapped, opac_error *error);

/* Splits a function into the sets of letters that it maps to each terminal other than AUT_BDD_FALSE, in
 * ascending order of terminals. */
typedef struct aut_letter_class {
    aut_bdd terminal, label;
} aut_letter_class;

BASE_VEC(aut_letter_class_vec, aut_letter_class);

opac_status aut_mtbdd_split(aut_bdd_store *store, aut_bdd f, aut_letter_class_vec *classes,
                            opac_error *error);

#endif
