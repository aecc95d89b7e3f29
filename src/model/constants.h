/* SPDX-License-Identifier: MIT */
/* Values that the user gave for constants, as the reader of a model looks them up. */
#ifndef MODEL_CONSTANTS_H
#define MODEL_CONSTANTS_H

#include <omegapac/model.h>

typedef enum model_constant_kind {
    MODEL_CONSTANT_BOOL,
    MODEL_CONSTANT_INT, /* also 1e3, and 6/2 */
    MODEL_CONSTANT_REAL
} model_constant_kind;

typedef struct model_constant {
    model_constant_kind kind;
    int64_t integer;  /* BOOL (0 or 1) and INT */
    double real;      /* INT and REAL */
    const char *text; /* as the user wrote it; borrowed */
} model_constant;

/*
 * Whether the name has a value. If so, the constant counts as used; otherwise the name is recorded as a
 * suggestion for a misspelt one (see opac_constants_suggest). `constants` may be NULL.
 */
bool model_constants_use(opac_constants *constants, const char *name, size_t length,
                         model_constant *value);

#endif
