/* SPDX-License-Identifier: MIT */
/*
 * Properties as PRISM writes them, alone or in a file, over a model.
 *
 *     opac_properties *properties;
 *     opac_properties_parse("Pmax=? [ F s=3 & \"done\" ]", model, NULL, &properties, &error);
 *     const opac_property *property = opac_properties_get(properties, 0);
 *     opac_formula_write(property->formula, OPAC_FORMULA_PRISM, out);
 *     opac_properties_free(properties);
 *
 * The formula's propositions are labels of the model or of the file, or
 * expressions over the model's variables; opac_properties_evaluate tells where
 * one holds. All properties are immutable: any number of threads may read them.
 */
#ifndef OMEGAPAC_PROPERTY_H
#define OMEGAPAC_PROPERTY_H

#include <omegapac/formula.h>
#include <omegapac/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which policies a property is about. */
typedef enum opac_direction {
    OPAC_DIRECTION_NONE = 0, /* P */
    OPAC_DIRECTION_MIN = 1,  /* Pmin */
    OPAC_DIRECTION_MAX = 2   /* Pmax */
} opac_direction;

/* What is asked of the probability. */
typedef enum opac_comparison {
    OPAC_COMPARISON_VALUE = 0,        /* =?: the probability is asked for */
    OPAC_COMPARISON_LESS = 1,         /* < */
    OPAC_COMPARISON_LESS_EQUAL = 2,   /* <= */
    OPAC_COMPARISON_GREATER = 3,      /* > */
    OPAC_COMPARISON_GREATER_EQUAL = 4 /* >= */
} opac_comparison;

/* All is owned by the opac_properties that it comes from. */
typedef struct opac_property {
    const char *name;           /* "" when it has none */
    const char *text;           /* as written, without name and semicolon */
    uint32_t line;              /* where it begins in the file, from 1 */
    opac_direction direction;   /* P, Pmin or Pmax */
    opac_comparison comparison; /* with the bound */
    double bound;               /* 0 for =? */
    /* The bound as an exact fraction; a denominator of 0: it does not fit, or is computed. */
    int64_t bound_numerator, bound_denominator;
    /* Then: the bound lies strictly between these doubles; equal: it is that double. */
    double bound_below, bound_above;
    const opac_formula *formula; /* what stands in brackets */
} opac_property;

typedef struct opac_properties opac_properties;

/* As opac_property_defaults gives it; a member that is zero means its default. */
typedef struct opac_property_options {
    opac_constants *constants; /* also those of the property file; NULL: none are given */
    opac_listener listener;    /* as in opac_model_options */
    void *listener_context;
} opac_property_options;

OPAC_API opac_property_options opac_property_defaults(void);

/*
 * One property, or the text of a property file: properties separated by
 * semicolons or line ends as in PRISM, with names ("fast": P>0.9 [ … ]),
 * constants, labels, formulas and comments. The model is borrowed for as long
 * as the properties live; it may be NULL: then expressions stay unresolved.
 * options may be NULL. P=? on an MDP is an error that suggests Pmax and Pmin.
 */
OPAC_API opac_status opac_properties_parse(const char *text, const opac_model *model,
                                           const opac_property_options *options,
                                           opac_properties **properties, opac_error *error);
OPAC_API void opac_properties_free(opac_properties *properties);

/* How many there are. */
OPAC_API size_t opac_properties_count(const opac_properties *properties);
/* One of them. Borrowed; index below the count. */
OPAC_API const opac_property *opac_properties_get(const opac_properties *properties, size_t index);

/* As opac_model_evaluate, and also for the labels and expressions of the property file. */
OPAC_API opac_status opac_properties_evaluate(const opac_properties *properties,
                                              const char *proposition, uint64_t *bits,
                                              opac_error *error);

/*
 * The letter of each state for the formula of a property: bit i of letters[s]
 * says whether its proposition i holds in state s. The model is not NULL.
 */
OPAC_API opac_status opac_properties_letters(const opac_properties *properties, size_t index,
                                             uint64_t *letters, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
