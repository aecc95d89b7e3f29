/* SPDX-License-Identifier: MIT */
/* The layout of variables in words: each variable follows the one before it or begins a new word. */
#include "model/model_values.h"

#include <string.h>

#include "base/alloc.h"

enum {
    WORD_BITS = 64
};

#define LARGEST_WIDTH UINT64_C(0xFFFFFFFF) /* high - low */

static unsigned bits_of(uint64_t largest)
{
    unsigned bits = 0;
    for (; largest != 0; largest >>= 1)
        bits++;
    return bits;
}

/* The first free bit of the last word; WORD_BITS if there is no word. */
static unsigned free_bit(const model_layout *layout)
{
    for (uint32_t i = layout->count; i > 0; i--) {
        const model_variable *last = &layout->variables[i - 1];
        if (last->mask != 0)
            return last->shift + bits_of(last->mask);
    }
    return WORD_BITS;
}

/* Makes space for one more variable. The capacity is the number of variables, rounded up to a power of 2. */
static opac_status reserve_variable(model_layout *layout, opac_error *error)
{
    uint32_t count = layout->count;
    if (count > 0 && (count & (count - 1)) != 0)
        return OPAC_OK;
    if (count > UINT32_MAX / 2)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u variables", (unsigned)count);
    size_t capacity = count > 0 ? 2 * (size_t)count : 1;
    if (capacity > SIZE_MAX / sizeof *layout->variables)
        return base_fail_memory(error);
    void *grown = base_allocate(layout->variables, capacity * sizeof *layout->variables, false);
    if (grown == NULL)
        return base_fail_memory(error);
    layout->variables = grown;
    return OPAC_OK;
}

opac_status model_layout_add(model_layout *layout, const char *name, opac_value_type type,
                             int64_t low, int64_t high, opac_error *error)
{
    uint64_t width = (uint64_t)high - (uint64_t)low;
    if (high < low)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the range %lld to %lld is empty",
                         (long long)low, (long long)high);
    if (width > LARGEST_WIDTH)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the range %lld to %lld has more than 2^32 values", (long long)low,
                         (long long)high);
    TRY(reserve_variable(layout, error));
    char *copy = base_copy_text(name, strlen(name));
    if (copy == NULL)
        return base_fail_memory(error);
    unsigned bits = bits_of(width);
    model_variable variable = {.name = copy, .type = type, .low = low, .high = high};
    if (bits >
        0) { /* free_bit takes time linear in the number of variables without bits at the end */
        unsigned shift = free_bit(layout);
        if (shift + bits > WORD_BITS) {
            layout->words++;
            shift = 0;
        }
        variable.word = layout->words - 1;
        variable.shift = shift;
        variable.mask = (UINT64_C(1) << bits) - 1;
    }
    layout->variables[layout->count++] = variable;
    return OPAC_OK;
}

void model_layout_fini(model_layout *layout)
{
    for (uint32_t i = 0; i < layout->count; i++)
        base_free(layout->variables[i].name);
    base_free(layout->variables);
    *layout = (model_layout){0};
}

uint32_t model_layout_find(const model_layout *layout, const char *name, size_t length)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        const char *other = layout->variables[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return i;
    }
    return UINT32_MAX;
}
