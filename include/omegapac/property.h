/* SPDX-License-Identifier: MIT */
/*
 * Properties in PRISM's syntax, single or in a file, over a model.
 *
 *     opac_properties *properties;
 *     opac_properties_parse("Pmax=? [ F s=3 & \"done\" ]", model, NULL, &properties, &error);
 *     const opac_property *property = opac_properties_get(properties, 0);
 *     opac_formula_write(property->formula, OPAC_FORMULA_PRISM, out);
 *     opac_properties_free(properties);
 *
 * Propositions of a formula are labels of the model or of the property file, or expressions over the
 * variables of the model; see opac_properties_evaluate. Properties are immutable; several threads may use
 * them at the same time.
 */
#ifndef OMEGAPAC_PROPERTY_H
#define OMEGAPAC_PROPERTY_H

#include <omegapac/formula.h>
#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a property is about the least or the greatest probability. */
typedef enum opac_direction {
    OPAC_DIRECTION_NONE = 0, /* P */
    OPAC_DIRECTION_MIN = 1,  /* Pmin */
    OPAC_DIRECTION_MAX = 2   /* Pmax */
} opac_direction;

/* The comparison of the probability with a bound. */
typedef enum opac_comparison {
    OPAC_COMPARISON_VALUE = 0,        /* =?: compute the probability */
    OPAC_COMPARISON_LESS = 1,         /* < */
    OPAC_COMPARISON_LESS_EQUAL = 2,   /* <= */
    OPAC_COMPARISON_GREATER = 3,      /* > */
    OPAC_COMPARISON_GREATER_EQUAL = 4 /* >= */
} opac_comparison;

/* All members are owned by the opac_properties. */
typedef struct opac_property {
    const char *name;           /* "" if it has none */
    const char *text;           /* as written, without name and semicolon */
    uint32_t line;              /* of the file, where it begins, from 1 */
    opac_direction direction;   /* P, Pmin or Pmax */
    opac_comparison comparison; /* with the bound */
    double bound;               /* 0 for =? */
    /* The bound as an exact fraction; the denominator is 0 if it does not fit or is computed. */
    int64_t bound_numerator, bound_denominator;
    /* Without a fraction, the bound lies strictly between these doubles, or is that double if they are
     * equal. */
    double bound_below, bound_above;
    const opac_formula *formula; /* the path formula in brackets */
} opac_property;

typedef struct opac_properties opac_properties;

/* Options of opac_properties_parse. All zeros are the defaults (opac_property_defaults). */
typedef struct opac_property_options {
    opac_constants *constants; /* values for constants of the property file; may be NULL */
    opac_listener listener;    /* as in opac_model_options */
    void *listener_context;
} opac_property_options;

OPAC_API opac_property_options opac_property_defaults(void);

/*
 * Parses one property, or the text of a property file: properties separated by semicolons or line ends as
 * in PRISM, with names ("fast": P>0.9 [ … ]), constants, labels, formulas and comments. The caller frees
 * *properties, before the model, which they borrow. With model NULL, expressions are not resolved. options
 * may be NULL. Fails with OPAC_ERROR_SYNTAX with line and column; P=? on an MDP is an error that suggests
 * Pmax and Pmin.
 */
OPAC_API opac_status opac_properties_parse(const char *text, const opac_model *model,
                                           const opac_property_options *options,
                                           opac_properties **properties, opac_error *error);
OPAC_API void opac_properties_free(opac_properties *properties);

/* The number of properties. */
OPAC_API size_t opac_properties_count(const opac_properties *properties);
/* A property; index below the count. Owned by the properties. */
OPAC_API const opac_property *opac_properties_get(const opac_properties *properties, size_t index);

/* As opac_model_evaluate, with the labels, constants and formulas of the property file in addition. */
OPAC_API opac_status opac_properties_evaluate(const opac_properties *properties,
                                              const char *proposition, uint64_t *bits,
                                              opac_error *error);

/*
 * Computes the letter of each state for the formula of a property: bit i of letters[s] is set if
 * proposition i holds in state s. The model must not be NULL.
 */
OPAC_API opac_status opac_properties_letters(const opac_properties *properties, size_t index,
                                             uint64_t *letters, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
