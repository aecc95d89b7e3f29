/* SPDX-License-Identifier: MIT */
/*
 * Parallel loops: every index once, the error of a plain loop, cancellation
 * from other threads and from signal handlers. Run under TSan as well.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity */
#endif

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/pool.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

/* pthread_create goes through here (see CMakeLists.txt): the first `allowed` calls succeed. */
static int allowed = 1 << 30;

typedef void *(*thread_start)(void *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, thread_start, void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, thread_start, void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_start start,
                          void *argument)
{
    if (allowed == 0)
        return 11; /* EAGAIN */
    allowed--;
    return __real_pthread_create(thread, attributes, start, argument);
}

static base_pool *new_pool(unsigned threads)
{
    base_pool *pool;
    opac_error error;
    assert_ok(base_pool_new(threads, &pool, &error), &error);
    return pool;
}

static void pause_for(long nanoseconds)
{
    struct timespec time = {.tv_nsec = nanoseconds};
    nanosleep(&time, NULL);
}

enum {
    COUNT = 5000
};

typedef struct tally_data {
    unsigned times[COUNT]; /* plain: an index that ran twice at once is a race for TSan */
    unsigned threads;
    _Atomic unsigned running[8]; /* by worker */
} tally_data;

static opac_status count_once(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)error;
    tally_data *tally = context;
    if (worker >= tally->threads || atomic_fetch_add(&tally->running[worker], 1) != 0)
        return OPAC_ERROR_INTERNAL;
    tally->times[index]++;
    if (index % 1000 == 7)
        pause_for(100000); /* uneven work */
    atomic_fetch_sub(&tally->running[worker], 1);
    return OPAC_OK;
}

static void every_index_runs_once(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 63, 64, 65, 1000, COUNT};
    for (unsigned threads = 1; threads <= 7; threads++) {
        base_pool *pool = new_pool(threads);
        assert_int_equal(base_pool_threads(pool), threads);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            tally_data tally = {.threads = threads};
            opac_error error;
            assert_ok(base_pool_for(pool, counts[i], count_once, &tally, NULL, &error), &error);
            for (uint64_t index = 0; index < COUNT; index++)
                assert_int_equal(tally.times[index], index < counts[i]);
        }
        base_pool_free(pool);
    }
}

static opac_status add_to_worker(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)error;
    uint64_t(*sums)[8] = context; /* scratch by worker, one cache line each */
    sums[worker][0] += index;
    return OPAC_OK;
}

static void loops_can_follow_each_other_thousands_of_times(void **state)
{
    (void)state;
    base_pool *pool = new_pool(3);
    for (uint64_t round = 0; round < 3000; round++) {
        uint64_t sums[3][8] = {{0}}, count = round % 50;
        assert_status(base_pool_for(pool, count, add_to_worker, sums, NULL, NULL), OPAC_OK);
        assert_int_equal(sums[0][0] + sums[1][0] + sums[2][0], count * (count - 1) / 2);
    }
    base_pool_free(pool);
}

typedef struct floats_data {
    double by_index[COUNT];
} floats_data;

static opac_status draw(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)worker;
    (void)error;
    floats_data *floats = context;
    uint64_t random = index;
    for (uint32_t i = random_below(&random, 300); i > 0; i--)
        floats->by_index[index] += 1.0 / (1 + random_u32(&random));
    return OPAC_OK;
}

static double merged(unsigned threads)
{
    floats_data *floats = calloc(1, sizeof *floats);
    assert_non_null(floats);
    base_pool *pool = new_pool(threads);
    assert_status(base_pool_for(pool, COUNT, draw, floats, NULL, NULL), OPAC_OK);
    base_pool_free(pool);
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++)
        sum += floats->by_index[i];
    free(floats);
    return sum;
}

static void results_by_index_do_not_depend_on_threads(void **state)
{
    (void)state;
    double expected = merged(1);
    for (unsigned threads = 2; threads <= 7; threads++) {
        double sum = merged(threads);
        assert_memory_equal(&sum, &expected, sizeof sum);
    }
}

typedef struct failing_data {
    uint64_t every, offset; /* indices offset, offset + every, … fail */
    unsigned char ran[COUNT];
} failing_data;

static opac_status fail_some(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)worker;
    failing_data *failing = context;
    failing->ran[index] = 1;
    if (index % 64 == 0)
        pause_for(1000); /* so that later chunks fail before earlier ones */
    if (index >= failing->offset && (index - failing->offset) % failing->every == 0)
        return base_fail_at(error, OPAC_ERROR_SIMULATOR, 3, 4, "index %u failed", (unsigned)index);
    return OPAC_OK;
}

/* The reported error is always that of a sequential loop, and all indices below it were run. */
static void lowest_failure_is_reported(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 7; threads += 2) {
        base_pool *pool = new_pool(threads);
        for (uint64_t offset = 0; offset < COUNT; offset = offset * 2 + 1) {
            failing_data *failing = calloc(1, sizeof *failing);
            assert_non_null(failing);
            failing->every = offset % 3 == 0 ? 1 : 7;
            failing->offset = offset;
            opac_error error = {0};
            char expected[40];
            snprintf(expected, sizeof expected, "index %u failed", (unsigned)offset);
            assert_status(base_pool_for(pool, COUNT, fail_some, failing, NULL, &error),
                          OPAC_ERROR_SIMULATOR);
            assert_string_equal(error.message, expected);
            assert_int_equal(error.code, OPAC_ERROR_SIMULATOR);
            assert_int_equal(error.line, 3);
            for (uint64_t index = 0; index <= offset; index++)
                assert_int_equal(failing->ran[index], 1);
            if (threads == 1 && offset + 1 < COUNT)
                assert_int_equal(failing->ran[offset + 1], 0);
            free(failing);
        }
        base_pool_free(pool);
    }
}

static opac_status fail_silently(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)context;
    (void)index;
    (void)worker;
    (void)error;
    return OPAC_ERROR_LIMIT;
}

static void status_counts_without_a_message(void **state)
{
    (void)state;
    base_pool *pool = new_pool(2);
    opac_error error = {.message = "old"};
    assert_status(base_pool_for(pool, 100, fail_silently, NULL, NULL, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(error.code, OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "");
    assert_status(base_pool_for(pool, 100, fail_silently, NULL, NULL, NULL), OPAC_ERROR_LIMIT);
    base_pool_free(pool);
}

static const uint64_t endless = UINT64_C(1) << 50;

static opac_status idle(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)error;
    (void)index;
    (void)worker;
    atomic_store((atomic_bool *)context, true);
    pause_for(0);
    return OPAC_OK;
}

typedef struct other_thread {
    opac_cancel *cancel;
    atomic_bool started;
} other_thread;

static void *cancel_when_started(void *argument)
{
    other_thread *self = argument;
    while (!atomic_load(&self->started))
        pause_for(100000);
    opac_cancel_request(self->cancel);
    return NULL;
}

static void another_thread_can_cancel(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        other_thread other = {0};
        pthread_t thread;
        opac_error error = {0};
        base_pool *pool = new_pool(threads);
        assert_ok(opac_cancel_new(&other.cancel, &error), &error);
        assert_int_equal(pthread_create(&thread, NULL, cancel_when_started, &other), 0);
        assert_status(base_pool_for(pool, endless, idle, &other.started, other.cancel, &error),
                      OPAC_ERROR_CANCELLED);
        assert_string_equal(error.message, "stopped");
        pthread_join(thread, NULL);
        /* The request stays; once reset, the same pool and handle serve again. */
        atomic_bool ran = false;
        assert_status(base_pool_for(pool, 9, idle, &ran, other.cancel, NULL), OPAC_ERROR_CANCELLED);
        assert_false(ran);
        assert_status(base_pool_for(pool, 0, idle, &ran, other.cancel, NULL), OPAC_OK);
        opac_cancel_reset(other.cancel);
        assert_status(base_pool_for(pool, 9, idle, &ran, other.cancel, NULL), OPAC_OK);
        assert_true(ran);
        opac_cancel_free(other.cancel);
        base_pool_free(pool);
    }
}

static opac_cancel *signalled;
static pthread_t main_thread;
static atomic_bool in_main_thread;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&in_main_thread, pthread_equal(pthread_self(), main_thread) != 0);
    opac_cancel_request(signalled);
}

static opac_status send_signal(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    if (index == 100)
        kill(getpid(), SIGUSR1);
    return idle(context, index, worker, error);
}

static void a_signal_handler_can_cancel(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_signal}, before;
    main_thread = pthread_self();
    assert_status(opac_cancel_new(&signalled, NULL), OPAC_OK);
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    for (unsigned threads = 1; threads <= 4; threads++) {
        atomic_bool ran = false;
        base_pool *pool = new_pool(threads);
        opac_cancel_reset(signalled);
        assert_status(base_pool_for(pool, endless, send_signal, &ran, signalled, NULL),
                      OPAC_ERROR_CANCELLED);
        assert_true(in_main_thread);
        base_pool_free(pool);
    }
    sigaction(SIGUSR1, &before, NULL);
    opac_cancel_free(signalled);
}

typedef struct mask_data {
    sigset_t blocked; /* in the worker */
    atomic_bool is_known;
} mask_data;

/* The body of the caller waits until a worker runs another index. */
static opac_status read_mask(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)index;
    (void)error;
    mask_data *mask = context;
    if (worker == 0)
        while (!atomic_load(&mask->is_known))
            pause_for(10000);
    else if (!atomic_load(&mask->is_known)) {
        pthread_sigmask(SIG_BLOCK, NULL, &mask->blocked);
        atomic_store(&mask->is_known, true);
    }
    return OPAC_OK;
}

static void workers_block_what_is_not_their_own_fault(void **state)
{
    (void)state;
    static const int blocked[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGCHLD};
    static const int passing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    base_pool *pool = new_pool(2);
    assert_int_equal(base_pool_threads(pool), 2);
    mask_data mask = {.is_known = false};
    assert_status(base_pool_for(pool, 2, read_mask, &mask, NULL, NULL), OPAC_OK);
    base_pool_free(pool);
    for (size_t i = 0; i < sizeof blocked / sizeof blocked[0]; i++)
        assert_int_equal(sigismember(&mask.blocked, blocked[i]), 1);
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        assert_int_equal(sigismember(&mask.blocked, passing[i]), 0);
    sigset_t own;
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &own), 0);
    assert_int_equal(sigismember(&own, SIGINT), 0); /* the caller's mask is as it was */
}

static void no_handle_is_never_cancelled(void **state)
{
    (void)state;
    assert_false(opac_cancel_requested(NULL));
    opac_cancel_free(NULL);
    base_pool_free(NULL);
}

static void sizes_of_pools(void **state)
{
    (void)state;
    opac_error error = {0};
    base_pool *pool;
    assert_status(base_pool_new(BASE_POOL_MAX_THREADS + 1, &pool, &error), OPAC_ERROR_ARGUMENT);
    assert_null(pool);
    pool = new_pool(0);
    assert_in_range(base_pool_threads(pool), 1, sysconf(_SC_NPROCESSORS_ONLN));
    base_pool_free(pool);
    base_pool_free(new_pool(64));
}

static void pools_keep_to_their_processors(void **state)
{
    (void)state;
#ifdef CPU_COUNT
    cpu_set_t before, one;
    if (sched_getaffinity(0, sizeof before, &before) != 0)
        skip();
    base_pool *pool = new_pool(0);
    assert_int_equal(base_pool_threads(pool), CPU_COUNT(&before));
    base_pool_free(pool);
    size_t processor = 0;
    while (!CPU_ISSET(processor, &before))
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    pool = new_pool(0);
    unsigned threads = base_pool_threads(pool);
    base_pool_free(pool);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(threads, 1);
#else
    skip();
#endif
}

static void fewer_threads_will_do(void **state)
{
    (void)state;
    for (int possible = 0; possible < 3; possible++) {
        allowed = possible;
        base_pool *pool = new_pool(5);
        allowed = 1 << 30;
        assert_int_equal(base_pool_threads(pool), possible + 1);
        tally_data tally = {.threads = (unsigned)possible + 1};
        assert_status(base_pool_for(pool, COUNT, count_once, &tally, NULL, NULL), OPAC_OK);
        for (uint64_t index = 0; index < COUNT; index++)
            assert_int_equal(tally.times[index], 1);
        base_pool_free(pool);
    }
}

static opac_status make_and_drop(void *context, opac_error *error)
{
    (void)context;
    base_pool *pool;
    opac_cancel *cancel = NULL;
    opac_status status = base_pool_new(3, &pool, error);
    if (status == OPAC_OK)
        status = opac_cancel_new(&cancel, error);
    opac_cancel_free(cancel);
    base_pool_free(pool);
    return status;
}

static void failed_allocation_is_reported(void **state)
{
    (void)state;
    assert_int_equal(faults_sweep(make_and_drop, NULL), 3);
}

SUITE(pool)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once),
        cmocka_unit_test(loops_can_follow_each_other_thousands_of_times),
        cmocka_unit_test(results_by_index_do_not_depend_on_threads),
        cmocka_unit_test(lowest_failure_is_reported),
        cmocka_unit_test(status_counts_without_a_message),
        cmocka_unit_test(another_thread_can_cancel),
        cmocka_unit_test(a_signal_handler_can_cancel),
        cmocka_unit_test(workers_block_what_is_not_their_own_fault),
        cmocka_unit_test(no_handle_is_never_cancelled),
        cmocka_unit_test(sizes_of_pools),
        cmocka_unit_test(pools_keep_to_their_processors),
        cmocka_unit_test(fewer_threads_will_do),
        cmocka_unit_test(failed_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("base.pool", tests, NULL, NULL);
}
