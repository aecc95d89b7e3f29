/* SPDX-License-Identifier: MIT */
/*
 * Labels of a HOA text: Boolean expressions over propositions and aliases.
 *
 * Aliases may come before the propositions that they name, and a proposition
 * that turns out to be "epsilon" is no proposition of the automaton. So labels
 * are read over the propositions of the file, in the store `file`, and then
 * moved to those of the automaton, in `own`. Without epsilon both are the same.
 *
 *     file     0 a │ 1 epsilon │ 2 b          own     0 a │ 1 b
 *
 * An edge whose label holds for epsilon alone, whatever the others are, is an
 * edge that consumes no letter. Elsewhere epsilon is taken to be false.
 *
 * A label costs a few look-ups an operator; the nodes of all labels together
 * are limited, since a short text can describe a function of huge diagrams.
 */
#ifndef AUT_HOA_LABEL_H
#define AUT_HOA_LABEL_H

#include "aut/automaton.h"
#include "aut/hoa_expression.h"
#include "base/intern.h"
#include "base/map.h"

enum {
    HOA_MOST_PROPOSITIONS = AUT_MOST_PROPOSITIONS + 1 /* and epsilon */
};

#define HOA_NONE UINT32_MAX

typedef struct hoa_labels {
    aut_bdd_store *file, *own;
    uint32_t limit; /* on the nodes of a store */
    uint32_t count; /* propositions of the file; HOA_NONE: not known yet */
    uint32_t epsilon;
    uint32_t largest; /* the largest proposition that was named before the count was known */
    hoa_place largest_place;
    base_intern alias_names;
    base_u32_vec aliases;
    base_map moved; /* from labels in `file` to those in `own` */
    hoa_stacks stacks;
} hoa_labels;

opac_status hoa_labels_init(hoa_labels *labels, uint32_t limit, base_work *work, opac_error *error);
void hoa_labels_fini(hoa_labels *labels);

/* An expression, up to the token behind it. */
opac_status hoa_label_read(hoa_labels *labels, hoa_lexer *lexer, aut_bdd *label, opac_error *error);
/* What follows "Alias:". */
opac_status hoa_alias_read(hoa_labels *labels, hoa_lexer *lexer, opac_error *error);

/* The propositions are known now: names that were used before must be among them. */
opac_status hoa_labels_count(hoa_labels *labels, uint32_t count, uint32_t epsilon,
                             opac_error *error);

/* The function that holds for some letters, given by their numbers: bit i of one is proposition i. */
opac_status hoa_label_of_letters(hoa_labels *labels, uint64_t *letters, size_t count,
                                 hoa_place place, aut_bdd *label, opac_error *error);

/* A label over the propositions of the automaton (may be false), and whether it is epsilon too. */
opac_status hoa_label_move(hoa_labels *labels, aut_bdd label, hoa_place place, aut_bdd *moved,
                           bool *with_epsilon, opac_error *error);

#endif
