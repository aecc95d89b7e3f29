/* SPDX-License-Identifier: MIT */
/*
 * Reads the labels of a HOA text: Boolean expressions over propositions and aliases.
 *
 * Aliases may come before the propositions that they refer to, and the proposition "epsilon" is not a
 * proposition of the automaton. So labels are read over the propositions of the file, in the store `file`,
 * and then moved to those of the automaton, in the store `own`. Without epsilon both stores are the same.
 *
 *     file     0 a │ 1 epsilon │ 2 b          own     0 a │ 1 b
 *
 * A label that is true if epsilon is, whatever the other propositions are, is that of an edge that consumes
 * no letter. In all other labels epsilon is taken to be false.
 *
 * The total number of nodes of all labels is limited, since a short text can describe a function whose
 * diagram is very large.
 */
#ifndef AUT_HOA_LABEL_H
#define AUT_HOA_LABEL_H

#include "aut/automaton.h"
#include "aut/hoa_expression.h"
#include "base/intern.h"
#include "base/map.h"

enum {
    HOA_MOST_PROPOSITIONS = AUT_MOST_PROPOSITIONS + 1 /* including epsilon */
};

#define HOA_NONE UINT32_MAX

typedef struct hoa_labels {
    aut_bdd_store *file, *own;
    uint32_t limit;   /* on the nodes of a store */
    uint32_t count;   /* propositions of the file; HOA_NONE if not known yet */
    uint32_t epsilon; /* number of that proposition in the file, or HOA_NONE */
    uint32_t largest; /* the largest proposition that occurred before the count was known */
    hoa_position largest_position;
    base_intern alias_names;
    base_u32_vec aliases;
    base_map moved; /* label in `file` ► 1 + label in `own` */
    hoa_stacks stacks;
} hoa_labels;

opac_status hoa_labels_init(hoa_labels *labels, uint32_t limit, base_work *work, opac_error *error);
void hoa_labels_fini(hoa_labels *labels);

/* Reads a label; then the token after it is current. */
opac_status hoa_label_read(hoa_labels *labels, hoa_lexer *lexer, aut_bdd *label, opac_error *error);
/* Reads the tokens after "Alias:". */
opac_status hoa_alias_read(hoa_labels *labels, hoa_lexer *lexer, opac_error *error);

/* Sets the number of propositions. Fails if a larger one occurred before. */
opac_status hoa_labels_count(hoa_labels *labels, uint32_t count, uint32_t epsilon,
                             opac_error *error);

/* The label that is true for exactly these letters. Permutes `letters`. */
opac_status hoa_label_of_letters(hoa_labels *labels, uint64_t *letters, size_t count,
                                 hoa_position position, aut_bdd *label, opac_error *error);

/* Moves a label to the propositions of the automaton. The result may be false. *with_epsilon tells whether
 * the label is also that of an edge that consumes no letter. */
opac_status hoa_label_move(hoa_labels *labels, aut_bdd label, hoa_position position, aut_bdd *moved,
                           bool *with_epsilon, opac_error *error);

#endif
