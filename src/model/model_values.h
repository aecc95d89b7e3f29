/* SPDX-License-Identifier: MIT */
/*
 * The values of the variables in a state, packed into bits.
 *
 * A variable takes as many bits as its range needs (none for a range of one value) and is never split between
 * two words. A state is a row of whole words:
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
    uint64_t mask; /* of the bits of high - low, before the shift */
} model_variable;

typedef struct model_layout {
    model_variable *variables;
    uint32_t count;
    uint32_t words; /* number of words of a row; 0 if no variable needs a bit */
} model_layout;

/* Adds a variable and copies its name. A range of more than 2^32 values is OPAC_ERROR_LIMIT. */
opac_status model_layout_add(model_layout *layout, const char *name, opac_value_type type,
                             int64_t low, int64_t high, opac_error *error);
void model_layout_fini(model_layout *layout);
/* The position of the variable with this name; UINT32_MAX if there is none. Takes linear time. */
uint32_t model_layout_find(const model_layout *layout, const char *name, size_t length);

static inline int64_t model_value_get(const model_variable *variable, const uint64_t *row)
{
    uint64_t bits =
        variable->mask == 0 ? 0 : (row[variable->word] >> variable->shift) & variable->mask;
    return variable->low + (int64_t)bits;
}

/* The value must be in the variable's range. */
static inline void model_value_set(const model_variable *variable, uint64_t *row, int64_t value)
{
    uint64_t bits = (uint64_t)(value - variable->low);
    if (variable->mask != 0)
        row[variable->word] =
            (row[variable->word] & ~(variable->mask << variable->shift)) | bits << variable->shift;
}

#endif
