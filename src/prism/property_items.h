/* SPDX-License-Identifier: MIT */
/*
 * A property file cut into its items. Properties may follow one another without
 * a semicolon: one ends where its brackets are closed and another item begins.
 *
 *     const int k;                   definition
 *     label "near" = x < k;          definition
 *     "fast": P>0.9 [ F "near" ];    property, named
 *     Pmax=? [ G x=0 ]               property
 */
#ifndef PRISM_PROPERTY_ITEMS_H
#define PRISM_PROPERTY_ITEMS_H

#include "prism/prism_lexer.h"

typedef struct prism_item {
    bool is_definition;
    size_t name_begin, name_length; /* without quotes; 0: none */
    prism_place name_place;
    size_t begin, length; /* without name and semicolon */
    prism_place place;
} prism_item;

BASE_VEC(prism_item_vec, prism_item);

/* Items in their order; what is wrong with them, their readers will say. */
opac_status prism_cut_items(const char *text, size_t length, prism_item_vec *items,
                            opac_error *error);

/* Makes spaces of comments; lines, columns and offsets stay. */
void prism_blank_comments(char *text, size_t length);

#endif
