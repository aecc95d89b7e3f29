/* SPDX-License-Identifier: MIT */
/* What will be read soon is fetched now, where the compiler knows how to say so. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

static inline void base_prefetch(const void *place)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place);
#else
    (void)place;
#endif
}

#endif
