/* SPDX-License-Identifier: MIT */
/*
 * The threads of a pool share the indices of a loop:
 *
 *     pool ── mutex, wake, done ── loop ──► next │ lowest_failure │ body, context
 *               ▲                            ▲
 *       sleeping workers            caller and awake workers take chunks
 *
 * A loop is on the stack of its caller. Workers that wake up while it is open join it (`active` counts
 * them). The caller closes it when all indices are distributed, and waits for the workers that joined. A
 * worker that wakes up later finds no loop and sleeps again, so a short loop does not wait for it.
 *
 * Indices are distributed in increasing order, in chunks that become smaller towards the end: a fixed share
 * of the remaining indices, at least one. Cost: a call and two loads for an index, one atomic exchange for
 * a chunk.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "base/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/work.h"

enum {
    CACHE_LINE = 64,
    LARGEST_CHUNK = 64,
    CHUNKS_PER_THREAD =
        8 /* a chunk is this fraction of a thread's share of the remaining indices */
};

typedef struct pool_loop {
    alignas(CACHE_LINE) _Atomic uint64_t lowest_failure; /* read with each index, as what follows */
    base_pool_body body;
    void *context;
    const opac_cancel *cancel;
    uint64_t count;
    unsigned threads;
    atomic_bool cut_short; /* an index was omitted because of a request to stop */
    opac_error error;      /* of the lowest failure; under the pool's mutex */
    alignas(CACHE_LINE) _Atomic uint64_t next; /* written with each chunk */
} pool_loop;

typedef struct pool_worker {
    base_pool *pool;
    pthread_t thread;
    unsigned number; /* from 1; 0 is the caller */
} pool_worker;

struct base_pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake; /* signalled if there is a new loop, or the pool ends */
    pthread_cond_t done; /* signalled if active becomes 0 */
    /* Under the mutex: */
    pool_loop *loop;
    uint64_t loops; /* number of loops so far, by which a worker recognises a new one */
    unsigned active;
    bool ends;
    /* Fixed after creation: */
    pool_worker *workers;
    unsigned threads; /* workers + 1 */
    /* Used by the caller only: */
    bool busy;
};

/* Takes the next chunk [*begin, *end) of indices; false if there is none. */
static bool take_chunk(pool_loop *loop, uint64_t *begin, uint64_t *end)
{
    uint64_t next = atomic_load_explicit(&loop->next, memory_order_relaxed), size;
    do {
        uint64_t left = loop->count - next;
        if (left == 0)
            return false;
        size = left / ((uint64_t)loop->threads * CHUNKS_PER_THREAD);
        size = size < 1 ? 1 : size > LARGEST_CHUNK ? LARGEST_CHUNK : size;
    } while (!atomic_compare_exchange_weak_explicit(&loop->next, &next, next + size,
                                                    memory_order_relaxed, memory_order_relaxed));
    *begin = next;
    *end = next + size;
    return true;
}

static void record_failure(base_pool *pool, pool_loop *loop, uint64_t index,
                           const opac_error *error)
{
    pthread_mutex_lock(&pool->mutex);
    if (index < atomic_load(&loop->lowest_failure)) {
        atomic_store(&loop->lowest_failure, index);
        loop->error = *error;
    }
    pthread_mutex_unlock(&pool->mutex);
}

/* Runs one index; false if this thread must not run further indices of the loop. */
static bool run_index(base_pool *pool, pool_loop *loop, uint64_t index, unsigned number)
{
    if (index > atomic_load_explicit(&loop->lowest_failure, memory_order_relaxed))
        return false;
    if (opac_cancel_requested(loop->cancel)) {
        atomic_store(&loop->cut_short, true);
        return false;
    }
    opac_error error;
    error.message[0] = '\0';
    error.line = error.column = 0;
    opac_status status = loop->body(loop->context, index, number, &error);
    if (status == OPAC_OK)
        return true;
    error.code = status;
    record_failure(pool, loop, index, &error);
    return false;
}

/* Runs chunks until none is left. Chunks are in increasing order, so after a failure the later ones are not
 * needed. */
static void run_share(base_pool *pool, pool_loop *loop, unsigned number)
{
    uint64_t begin, end;
    while (take_chunk(loop, &begin, &end))
        for (uint64_t index = begin; index < end; index++)
            if (!run_index(pool, loop, index, number))
                return;
}

static void *work(void *argument)
{
    const pool_worker *self = argument;
    base_pool *pool = self->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->ends && (pool->loop == NULL || pool->loops == seen))
            pthread_cond_wait(&pool->wake, &pool->mutex);
        if (pool->ends)
            break;
        pool_loop *loop = pool->loop;
        seen = pool->loops;
        pool->active++;
        pthread_mutex_unlock(&pool->mutex);
        run_share(pool, loop, self->number);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->active == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* Opens the loop for the workers, takes part in it, closes it, and waits for the workers that joined. */
static void run_together(base_pool *pool, pool_loop *loop)
{
    pthread_mutex_lock(&pool->mutex);
    pool->loop = loop;
    pool->loops++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);

    run_share(pool, loop, 0);

    pthread_mutex_lock(&pool->mutex);
    pool->loop = NULL;
    while (pool->active > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

opac_status base_pool_for(base_pool *pool, uint64_t count, base_pool_body body, void *context,
                          const opac_cancel *cancel, opac_error *error)
{
    assert(!pool->busy); /* one loop at a time */
    pool_loop loop = {.body = body,
                      .context = context,
                      .cancel = cancel,
                      .count = count,
                      .threads = pool->threads};
    atomic_init(&loop.next, 0);
    atomic_init(&loop.lowest_failure, UINT64_MAX);
    atomic_init(&loop.cut_short, false);
    pool->busy = true;
    if (pool->threads == 1 || count <= 1)
        run_share(pool, &loop, 0);
    else
        run_together(pool, &loop);
    pool->busy = false;
    if (atomic_load(&loop.lowest_failure) != UINT64_MAX) {
        if (error != NULL)
            *error = loop.error;
        return loop.error.code;
    }
    if (atomic_load(&loop.cut_short))
        return base_fail_stopped(error, cancel, NULL);
    return OPAC_OK;
}

/*
 * The number of processors that this process may use (taskset, cpusets), if the system reports it and they
 * fit a cpu_set_t; else the number of processors that are online.
 */
static unsigned usable_processors(void)
{
    long count = 0;
#ifdef CPU_COUNT
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        count = CPU_COUNT(&usable);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > BASE_POOL_MAX_THREADS ? BASE_POOL_MAX_THREADS : (unsigned)count;
}

/*
 * All signals except those for faults of a thread: their effect is undefined while they are blocked, and a
 * crash handler of the application must receive them.
 */
static void fill_with_asynchronous(sigset_t *signals)
{
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigfillset(signals);
    for (size_t i = 0; i < sizeof own_faults / sizeof own_faults[0]; i++)
        sigdelset(signals, own_faults[i]);
}

/* Starts the workers, which inherit the signal mask, until the system refuses to create a thread. */
static void start_workers(base_pool *pool, unsigned threads)
{
    sigset_t blocked, before;
    fill_with_asynchronous(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    for (unsigned i = 0; i + 1 < threads; i++) {
        pool_worker *worker = &pool->workers[i];
        worker->pool = pool;
        worker->number = i + 1;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            break;
        pool->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

opac_status base_pool_new(unsigned threads, base_pool **result, opac_error *error)
{
    *result = NULL;
    if (threads > BASE_POOL_MAX_THREADS)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "more than %d threads", BASE_POOL_MAX_THREADS);
    if (threads == 0)
        threads = usable_processors();
    base_pool *pool = base_alloc_zeroed(1, sizeof *pool);
    pool_worker *workers = base_alloc_zeroed(threads - 1, sizeof *workers);
    if (pool == NULL || workers == NULL) {
        base_free(pool);
        base_free(workers);
        return base_fail_memory(error);
    }
    pool->workers = workers;
    pool->threads = 1;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    start_workers(pool, threads);
    *result = pool;
    return OPAC_OK;
}

void base_pool_free(base_pool *pool)
{
    if (pool == NULL)
        return;
    assert(!pool->busy);
    pthread_mutex_lock(&pool->mutex);
    pool->ends = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i + 1 < pool->threads; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    base_free(pool->workers);
    base_free(pool);
}

unsigned base_pool_threads(const base_pool *pool)
{
    return pool->threads;
}
