/* SPDX-License-Identifier: MIT */
/*
 * Splits a property file into its items. The semicolon between properties may be omitted: a property ends
 * where all its brackets are closed and another item begins.
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
    size_t name_begin, name_length; /* without quotes; length 0 if there is no name */
    prism_place name_place;
    size_t begin, length; /* of the text without name and semicolon */
    prism_place place;
} prism_item;

BASE_VEC(prism_item_vec, prism_item);

/* Appends the items in their order. Errors in items are reported when they are parsed. */
opac_status prism_split_items(const char *text, size_t length, prism_item_vec *items,
                              opac_error *error);

/* Replaces comments by spaces, so that lines, columns and offsets do not change. */
void prism_blank_comments(char *text, size_t length);

#endif
