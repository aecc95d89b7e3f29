/* SPDX-License-Identifier: MIT */
/*
 * Each block that GMP allocates in a run is a block of base_allocate with a link after its last byte. The
 * links connect all blocks of a run to a ring:
 *
 *     │ bytes for GMP │ padding │ before, after, block │
 *
 * GMP passes the size of a block when it resizes or frees it, so the link can be found. The address of the
 * block is that of the underlying malloc block, so it can also be released by free.
 *
 * The current run of a thread is stored under a pthread key and not in a _Thread_local variable, whose
 * memory is allocated on first use by a thread; if that allocation fails, the process is aborted.
 */
#include "base/gmp_run.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(OMEGAPAC_HAVE_GMP)

#include <pthread.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/rational_gmp.h"

#define MOST_BYTES ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 32 : 29)) /* of one block */

typedef struct gmp_link {
    struct gmp_link *before, *after;
    void *block;
} gmp_link;

struct base_gmp_run {
    struct base_gmp_run *outer; /* NULL for the outermost */
    gmp_link *blocks;           /* the ring of the outermost run */
    jmp_buf point;
};

enum {
    GOT_NO_MEMORY = 1, /* values passed by longjmp */
    WANTS_TOO_MUCH
};

typedef void *(*allocate_function)(size_t);
typedef void *(*resize_function)(void *, size_t, size_t);
typedef void (*free_function)(void *, size_t);

/* ---- the state of the process ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* the thread's current run */
static bool has_key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t active; /* outermost runs, under the lock */
/* The memory functions that were set before the first run. They are kept after the last run, for threads
 * that are still inside the replaced functions. */
static _Atomic(allocate_function) previous_allocate;
static _Atomic(resize_function) previous_resize;
static _Atomic(free_function) previous_free;

static void make_key(void)
{
    has_key = pthread_key_create(&key, NULL) == 0;
}

/* ---- blocks ---- */

static size_t link_offset(size_t bytes)
{
    return (bytes + alignof(gmp_link) - 1) / alignof(gmp_link) * alignof(gmp_link);
}

static gmp_link *link_of(void *block, size_t bytes)
{
    return (gmp_link *)(void *)((char *)block + link_offset(bytes));
}

/* Resizes a block of the ring, or adds one if old is NULL. Jumps if the allocation fails. */
static void *resize_in_run(struct base_gmp_run *run, void *old, size_t old_bytes, size_t bytes)
{
    if (bytes > MOST_BYTES)
        longjmp(run->point, WANTS_TOO_MUCH);
    gmp_link link = {.before = run->blocks, .after = run->blocks->after};
    if (old != NULL)
        link = *link_of(old, old_bytes);
    void *block = base_allocate(old, link_offset(bytes) + sizeof link, false);
    if (block == NULL)
        longjmp(run->point, GOT_NO_MEMORY);
    gmp_link *moved = link_of(block, bytes);
    *moved = link;
    moved->block = block;
    link.before->after = link.after->before = moved;
    return block;
}

static void *allocate(size_t bytes)
{
    struct base_gmp_run *run = pthread_getspecific(key);
    return run != NULL ? resize_in_run(run, NULL, 0, bytes)
                       : atomic_load(&previous_allocate)(bytes);
}

static void *resize(void *block, size_t old_bytes, size_t bytes)
{
    struct base_gmp_run *run = pthread_getspecific(key);
    return run != NULL ? resize_in_run(run, block, old_bytes, bytes)
                       : atomic_load(&previous_resize)(block, old_bytes, bytes);
}

static void release(void *block, size_t bytes)
{
    if (pthread_getspecific(key) == NULL) {
        atomic_load (&previous_free)(block, bytes);
        return;
    }
    const gmp_link *link = link_of(block, bytes);
    link->before->after = link->after;
    link->after->before = link->before;
    base_free(block);
}

/* ---- runs ---- */

static bool are_ours(void)
{
    allocate_function a;
    mp_get_memory_functions(&a, NULL, NULL);
    return a == allocate;
}

static void replace_functions(void)
{
    pthread_mutex_lock(&lock);
    if (active++ == 0 && !are_ours()) {
        allocate_function a;
        resize_function r;
        free_function f;
        mp_get_memory_functions(&a, &r, &f);
        atomic_store(&previous_allocate, a);
        atomic_store(&previous_resize, r);
        atomic_store(&previous_free, f);
        mp_set_memory_functions(allocate, resize, release);
    }
    pthread_mutex_unlock(&lock);
}

static void restore_functions(void)
{
    pthread_mutex_lock(&lock);
    if (--active == 0 && are_ours())
        mp_set_memory_functions(atomic_load(&previous_allocate), atomic_load(&previous_resize),
                                atomic_load(&previous_free));
    pthread_mutex_unlock(&lock);
}

/* Separate from base_gmp_run, since longjmp makes local variables of the function with setjmp
 * indeterminate. */
static opac_status call(struct base_gmp_run *run, base_gmp_function function, void *context,
                        opac_error *error)
{
    switch (setjmp(run->point)) {
    case 0:
        return function(context, error);
    case GOT_NO_MEMORY:
        return base_fail_memory(error);
    default:
        return base_fail(error, OPAC_ERROR_LIMIT, "an exact number needs more than 2^35 bits");
    }
}

/* Does nothing if other code has replaced the functions during the run, since it may have freed blocks. */
static void release_blocks(gmp_link *blocks)
{
    if (!are_ours())
        return;
    for (gmp_link *link = blocks->after, *next; link != blocks; link = next) {
        next = link->after;
        base_free(link->block);
    }
}

opac_status base_gmp_run(base_gmp_function function, void *context, opac_error *error)
{
    pthread_once(&once, make_key);
    if (!has_key)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the process has no thread-specific data keys left");
    gmp_link blocks = {.before = &blocks, .after = &blocks};
    struct base_gmp_run run = {.outer = pthread_getspecific(key), .blocks = &blocks};
    if (run.outer != NULL)
        run.blocks = run.outer->blocks;
    if (pthread_setspecific(key, &run) != 0)
        return base_fail_memory(error);
    if (run.outer == NULL)
        replace_functions();
    opac_status status = call(&run, function, context, error);
    if (run.outer == NULL) {
        release_blocks(&blocks);
        restore_functions();
    }
    pthread_setspecific(key, run.outer); /* cannot fail, since the key has a value already */
    return status;
}

struct base_gmp_run *base_gmp_suspend(void)
{
    pthread_once(&once, make_key);
    struct base_gmp_run *run = has_key ? pthread_getspecific(key) : NULL;
    if (run != NULL)
        pthread_setspecific(key, NULL);
    return run;
}

void base_gmp_resume(struct base_gmp_run *run)
{
    if (run != NULL)
        pthread_setspecific(key, run);
}

#else

opac_status base_gmp_run(base_gmp_function function, void *context, opac_error *error)
{
    return function(context, error);
}

struct base_gmp_run *base_gmp_suspend(void)
{
    return NULL;
}

void base_gmp_resume(struct base_gmp_run *run)
{
    (void)run;
}

#endif
