/* SPDX-License-Identifier: MIT */
/*
 * A library to preload: the n-th allocation fails (FAIL_AT=n), and with FAIL_REST all later ones, too.
 * Unlike support/faults.h it includes allocations of the C library and of GMP. For glibc.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

static atomic_long left; /* until one fails; 0: none does */
static bool rest;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    rest = getenv("FAIL_REST") != NULL;
    if (at != NULL)
        atomic_store(&left, atol(at));
}

static bool fails(void)
{
    long now = atomic_load(&left);
    while (now > 1 && !atomic_compare_exchange_weak(&left, &now, now - 1))
        ;
    if (now != 1 || (!rest && !atomic_compare_exchange_strong(&left, &now, 0)))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(block, bytes);
}
