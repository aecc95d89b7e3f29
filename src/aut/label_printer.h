/* SPDX-License-Identifier: MIT */
/*
 * Labels as text: irredundant sums of products, "0&!1 | 2".
 *
 * Finding the products makes nodes, and an automaton may be read by several
 * threads at once; so labels are copied into a store of the printer's own, each
 * one once. A function of small diagrams may need very many products: those
 * beyond AUT_MANY_PRODUCTS are large, and what to do is up to the caller.
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
    base_map copies; /* by label: 1 + its copy, and LARGE */
    opac_output *out;
    /* Writes a proposition as it should appear. */
    void (*write_proposition)(const struct aut_label_printer *printer, uint32_t proposition);
    const char *and_sign, *or_sign;
} aut_label_printer;

typedef struct aut_printable {
    aut_bdd copy;  /* in the printer's store */
    bool is_large; /* has many products */
} aut_printable;

/* The caller has filled the other members. */
opac_status aut_label_printer_init(aut_label_printer *printer, opac_error *error);
void aut_label_printer_fini(aut_label_printer *printer);

opac_status aut_label_find(aut_label_printer *printer, aut_bdd label, aut_printable *found,
                           opac_error *error);

/* Writes at most so many products; "..." stands for others. */
opac_status aut_label_print(aut_label_printer *printer, aut_printable label, uint32_t most,
                            opac_error *error);

/* Whether a name needs no quotes in a formula; "t" alone would be true. */
bool aut_is_plain_name(const char *name);

/* A number in digits: faster than formatting, of which a large automaton needs millions. */
void aut_write_number(opac_output *out, uint32_t number);

#endif
