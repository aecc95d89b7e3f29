/* SPDX-License-Identifier: MIT */
/*
 * Growable arrays of one type. BASE_VEC(edge_vec, struct edge) defines
 *
 *     typedef struct edge_vec { struct edge *items; size_t count, capacity; } edge_vec;
 *     opac_status edge_vec_push(edge_vec *, struct edge, opac_error *);
 *     opac_status edge_vec_reserve(edge_vec *, size_t needed, opac_error *);
 *     void edge_vec_fini(edge_vec *);
 *
 * A zeroed vector is empty. Items are accessed through `items` directly; pointers to them are valid until
 * the next push.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

#define BASE_VEC(name, type)                                                                       \
    typedef struct name {                                                                          \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    } name;                                                                                        \
                                                                                                   \
    static inline opac_status name##_reserve(name *vec, size_t needed, opac_error *error)          \
    {                                                                                              \
        void *items = vec->items;                                                                  \
        opac_status status = base_reserve(&items, &vec->capacity, needed, sizeof(type), error);    \
        vec->items = items;                                                                        \
        return status;                                                                             \
    }                                                                                              \
                                                                                                   \
    static inline opac_status name##_push(name *vec, type item, opac_error *error)                 \
    {                                                                                              \
        if (vec->count == vec->capacity)                                                           \
            TRY(name##_reserve(vec, vec->count + 1, error));                                       \
        vec->items[vec->count++] = item;                                                           \
        return OPAC_OK;                                                                            \
    }                                                                                              \
                                                                                                   \
    static inline void name##_fini(name *vec)                                                      \
    {                                                                                              \
        base_free(vec->items);                                                                     \
        *vec = (name){0};                                                                          \
    }                                                                                              \
                                                                                                   \
    typedef name name##_is_defined /* so that BASE_VEC(...) can be followed by a semicolon */

/* In addition: opac_status edge_vec_copy(edge_vec *to, const edge_vec *from, opac_error *). */
#define BASE_VEC_COPY(name)                                                                        \
    static inline opac_status name##_copy(name *to, const name *from, opac_error *error)           \
    {                                                                                              \
        TRY(name##_reserve(to, from->count, error));                                               \
        if (from->count > 0)                                                                       \
            memcpy(to->items, from->items, from->count * sizeof *to->items);                       \
        to->count = from->count;                                                                   \
        return OPAC_OK;                                                                            \
    }                                                                                              \
    typedef name name##_can_be_copied

BASE_VEC(base_u32_vec, uint32_t);
BASE_VEC_COPY(base_u32_vec);
BASE_VEC(base_u64_vec, uint64_t);
BASE_VEC(base_double_vec, double);

#endif
