/* SPDX-License-Identifier: MIT */
/*
 * One property as PRISM writes it:
 *
 *     P=? [ F "goal" ]     Pmax=? [ … ]     Pmin=? [ … ]     P>=0.9 [ … ]     Pmax<p [ … ];
 *
 * Rewards, S, A, E, filters, P inside a formula and Boolean combinations of
 * properties are refused by name (OPAC_ERROR_UNSUPPORTED).
 */
#ifndef LTL_PROPERTY_H
#define LTL_PROPERTY_H

#include "ltl/parse_prism.h"

/* The message about a bound outside of [0, 1], which it shows. */
#define LTL_MESSAGE_BAD_BOUND "the bound '%s' is no probability: it must lie in [0, 1]"

typedef enum ltl_direction {
    LTL_DIRECTION_NONE, /* P */
    LTL_DIRECTION_MIN,  /* Pmin */
    LTL_DIRECTION_MAX   /* Pmax */
} ltl_direction;

typedef enum ltl_comparison {
    LTL_COMPARISON_VALUE, /* =?: the probability is asked for */
    LTL_COMPARISON_LESS,
    LTL_COMPARISON_LESS_EQUAL,
    LTL_COMPARISON_GREATER,
    LTL_COMPARISON_GREATER_EQUAL
} ltl_comparison;

typedef struct ltl_property {
    ltl_direction direction;
    ltl_comparison comparison;
    double bound; /* in [0, 1]; 0 for =? */
    /* Parts of the text, as written, in bytes; the bound's is empty for =?. */
    size_t bound_begin, bound_length;
    size_t formula_begin, formula_length;
    ltl_formula formula;
} ltl_property;

/* Reads all of the text: one property, perhaps with a semicolon. options and hooks may be NULL. */
opac_status ltl_parse_property(ltl_store *store, const char *text, size_t length,
                               const opac_formula_options *options, const ltl_prism_hooks *hooks,
                               ltl_property *property, opac_error *error);

#endif
