/* SPDX-License-Identifier: MIT */
/*
 * Writes labels as irredundant sums of products: "0&!1 | 2".
 *
 * Finding the products creates nodes, and several threads may read an automaton at once, so each label is
 * copied once to a store of the printer. A function with a small decision diagram can need very many
 * products. A label with more than AUT_MANY_PRODUCTS is called large, and the caller decides how to write it.
 */
#ifndef AUT_LABEL_PRINTER_H
#define AUT_LABEL_PRINTER_H

#include "aut/automaton.h"
#include "base/map.h"

enum {
    AUT_MANY_PRODUCTS = 256
};

typedef struct aut_label_printer {
    const opac_automaton *automaton;
    aut_bdd_store *store;
    base_map copies; /* label ► 1 + its copy, with the bit LARGE if it is large */
    opac_output *out;
    /* Writes a proposition. */
    void (*write_proposition)(const struct aut_label_printer *printer, uint32_t proposition);
    const char *and_sign, *or_sign;
} aut_label_printer;

typedef struct aut_printable {
    aut_bdd copy;  /* in the printer's store */
    bool is_large; /* has more than AUT_MANY_PRODUCTS products */
} aut_printable;

/* The caller has set automaton, out, write_proposition, and_sign and or_sign. */
opac_status aut_label_printer_init(aut_label_printer *printer, opac_error *error);
void aut_label_printer_fini(aut_label_printer *printer);

opac_status aut_label_find(aut_label_printer *printer, aut_bdd label, aut_printable *found,
                           opac_error *error);

/* Writes at most `most` products, and "..." in place of the others. */
opac_status aut_label_print(aut_label_printer *printer, aut_printable label, uint32_t most,
                            opac_error *error);

/* Whether a name needs no quotes in a formula. "t" does, since it is the constant true. */
bool aut_is_plain_name(const char *name);

/* Writes a number in decimal. Faster than opac_output_print, which matters for large automata. */
void aut_write_number(opac_output *out, uint32_t number);

#endif
