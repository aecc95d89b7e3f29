/* SPDX-License-Identifier: MIT */
/*
 * A pool of threads that runs loops in parallel: body(0), body(1), … body(count-1), each once.
 *
 *     static opac_status square(void *context, uint64_t index, unsigned worker, opac_error *error)
 *     {
 *         double *numbers = context;
 *         numbers[index] *= numbers[index];
 *         return OPAC_OK;
 *     }
 *
 *     base_pool *pool;
 *     status = base_pool_new(0, &pool, error);
 *     status = base_pool_for(pool, count, square, numbers, NULL, error);
 *     base_pool_free(pool);
 *
 * If bodies depend on their index only, these are deterministic: results that are stored by index and
 * merged in order of index; whether the loop fails; and the error that it reports. These are not: the order
 * in which indices run; the worker that runs an index; and, if the loop fails, which indices above the
 * failing one were run.
 *
 * Idle threads sleep. The threads of the pool block all signals except those for faults (SIGSEGV etc.), so
 * that signal handlers run in the threads of the application.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdint.h>

#include <omegapac/cancel.h>

#include "base/error.h"

enum {
    BASE_POOL_MAX_THREADS = 1024
};

typedef struct base_pool base_pool;

/*
 * The body of a loop. worker is below base_pool_threads, and differs for bodies that run at the same time,
 * so that it can select a scratch buffer.
 */
typedef opac_status (*base_pool_body)(void *context, uint64_t index, unsigned worker,
                                      opac_error *error);

/*
 * Creates a pool of that many threads, at most BASE_POOL_MAX_THREADS, including the caller of a loop: for
 * 1, no thread is created. 0: as many as processors that this process may use. The pool has fewer threads
 * if the system refuses to create them.
 */
opac_status base_pool_new(unsigned threads, base_pool **pool, opac_error *error);
void base_pool_free(base_pool *pool);

/* The number of threads of the pool, at least 1. */
unsigned base_pool_threads(const base_pool *pool);

/*
 * Runs a loop, and returns when all bodies have returned. The caller takes part as worker 0. Only one loop
 * may run at a time, so a body must not call this function.
 *
 * After a failure, no index above the failing one is started; those below it, which were all distributed
 * before, are completed. The error returned is that of the lowest failing index, as in a sequential loop.
 *
 * cancel (may be NULL): after a request, no index is started. Returns OPAC_ERROR_CANCELLED if an index was
 * omitted because of that, and no body failed.
 */
opac_status base_pool_for(base_pool *pool, uint64_t count, base_pool_body body, void *context,
                          const opac_cancel *cancel, opac_error *error);

#endif
