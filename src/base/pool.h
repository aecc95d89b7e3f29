/* SPDX-License-Identifier: MIT */
/*
 * A pool of threads that runs loops: body(0), body(1), … body(count-1), each
 * once, in parallel.
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
 * What is deterministic, for bodies that depend on their index alone: results
 * stored by index and merged in order of index; whether the loop fails; and
 * the error that it reports. What is not: the order in which indices run, the
 * worker that runs one, and, when the loop fails, which indices above the
 * failing one were run.
 *
 * Idle threads sleep. The pool's threads block all signals but those of their
 * own faults (SIGSEGV and the like), so that handlers run in the threads of
 * the application.
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
 * One turn of a loop. worker is below base_pool_threads; of two bodies that
 * run at the same time the numbers differ, so that it selects a scratch space.
 */
typedef opac_status (*base_pool_body)(void *context, uint64_t index, unsigned worker,
                                      opac_error *error);

/*
 * A pool of that many threads, the caller of a loop included: with 1 no thread
 * is made. 0: as many as there are processors that this process may use. At
 * most BASE_POOL_MAX_THREADS. If the system refuses threads, the pool has fewer.
 */
opac_status base_pool_new(unsigned threads, base_pool **pool, opac_error *error);
void base_pool_free(base_pool *pool);

/* The number of threads that the pool has, at least 1. */
unsigned base_pool_threads(const base_pool *pool);

/*
 * Runs a loop and returns when no body runs any more. The caller takes part,
 * as worker 0. One loop at a time: neither from two threads nor from a body.
 *
 * When a body fails, no index above it is started; those below it, which were
 * all handed out before, are run to the end. The error reported is that of the
 * lowest failing index, the one at which a plain loop would have stopped.
 *
 * cancel (may be NULL): after a request no index is started. If some index was
 * left out because of that, and no body failed: OPAC_ERROR_CANCELLED.
 */
opac_status base_pool_for(base_pool *pool, uint64_t count, base_pool_body body, void *context,
                          const opac_cancel *cancel, opac_error *error);

#endif
