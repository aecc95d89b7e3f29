/* SPDX-License-Identifier: MIT */
/*
 * The parser of a property in PRISM's syntax:
 *
 *     P=? [ F "goal" ]     Pmax=? [ … ]     Pmin=? [ … ]     P>=0.9 [ … ]     Pmax<p [ … ];
 *
 * Rewards, S, A, E, filters, P inside a formula and Boolean combinations of properties are
 * OPAC_ERROR_UNSUPPORTED, with a message that names them.
 */
#ifndef LTL_PROPERTY_H
#define LTL_PROPERTY_H

#include "ltl/parse_prism.h"

/* The message for a bound that is not in [0, 1]. */
#define LTL_MESSAGE_BAD_BOUND "the bound '%s' is not a probability: it must be in [0, 1]"

typedef enum ltl_direction {
    LTL_DIRECTION_NONE, /* P */
    LTL_DIRECTION_MIN,  /* Pmin */
    LTL_DIRECTION_MAX   /* Pmax */
} ltl_direction;

typedef enum ltl_comparison {
    LTL_COMPARISON_VALUE, /* =?: compute the probability */
    LTL_COMPARISON_LESS,
    LTL_COMPARISON_LESS_EQUAL,
    LTL_COMPARISON_GREATER,
    LTL_COMPARISON_GREATER_EQUAL
} ltl_comparison;

typedef struct ltl_property {
    ltl_direction direction;
    ltl_comparison comparison;
    double bound; /* in [0, 1]; 0 for =? */
    /* Ranges of the text in bytes; that of the bound is empty for =?. */
    size_t bound_begin, bound_length;
    size_t formula_begin, formula_length;
    ltl_formula formula;
} ltl_property;

/* Parses the whole text, one property with an optional semicolon. options and hooks may be NULL. */
opac_status ltl_parse_property(ltl_store *store, const char *text, size_t length,
                               const opac_formula_options *options, const ltl_prism_hooks *hooks,
                               ltl_property *property, opac_error *error);

#endif
