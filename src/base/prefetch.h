/* SPDX-License-Identifier: MIT */
/* Prefetches memory that will be read soon, if the compiler supports it. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

static inline void base_prefetch(const void *address)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
