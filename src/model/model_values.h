/* SPDX-License-Identifier: MIT */
/*
 * Values of variables, packed into bits: how a state is stored.
 *
 * A variable takes as many bits as its range needs (none for a range of one
 * value) and never straddles two words; a state is a row of whole words:
 *
 *     word 0   │ x: 3 bits │ y: 5 │ done: 1 │ … unused: 0 │
 *     word 1   │ z: 62 bits                 │             │
 *
 *     rows     │ state 0: words 0 … w-1 │ state 1 │ …
 *
 * Unused bits are zero, so rows are equal when their bytes are.
 */
#ifndef MODEL_VALUES_H
#define MODEL_VALUES_H

#include <omegapac/model.h>

typedef struct model_variable {
    char *name;
    opac_value_type type;
    int64_t low, high;
    uint32_t word;
    unsigned shift;
    uint64_t mask; /* at bit 0: of the widest value, high - low */
} model_variable;

typedef struct model_layout {
    model_variable *variables;
    uint32_t count;
    uint32_t words; /* of a row; 0 when no variable needs a bit */
} model_layout;

/* Copies the name. high >= low; the range has at most 2^32 values, else OPAC_ERROR_LIMIT. */
opac_status model_layout_add(model_layout *layout, const char *name, opac_value_type type,
                             int64_t low, int64_t high, opac_error *error);
void model_layout_fini(model_layout *layout);
/* Its position; UINT32_MAX when there is none. Linear. */
uint32_t model_layout_find(const model_layout *layout, const char *name, size_t length);

static inline int64_t model_value_get(const model_variable *variable, const uint64_t *row)
{
    uint64_t bits =
        variable->mask == 0 ? 0 : (row[variable->word] >> variable->shift) & variable->mask;
    return variable->low + (int64_t)bits;
}

/* The value lies in the range. */
static inline void model_value_set(const model_variable *variable, uint64_t *row, int64_t value)
{
    uint64_t bits = (uint64_t)(value - variable->low);
    if (variable->mask != 0)
        row[variable->word] =
            (row[variable->word] & ~(variable->mask << variable->shift)) | bits << variable->shift;
}

#endif
