/* SPDX-License-Identifier: MIT */
/*
 * Runs in which allocations of GMP fail: they return an error, leak nothing, and do not affect other code
 * of the process that uses GMP.
 */
#include "base/alloc.h"
#include "base/gmp_run.h"
#include "support/check.h"
#include "support/faults.h"

#if defined(OMEGAPAC_HAVE_GMP)

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/rational_gmp.h"

enum {
    ROUNDS = 200
};

/* ---- work ---- */

/* Products, quotients, divisors and texts of a few to a hundred thousand bits; *context: how many. */
static opac_status compute(void *context, opac_error *error)
{
    (void)error;
    const unsigned long *bits = context;
    char text[40000];
    mpz_t a, b, c, d;
    mpq_t fraction;
    mpz_inits(a, b, c, d, NULL);
    mpq_init(fraction);
    for (unsigned long n = 64; n <= *bits; n *= 4) {
        mpz_ui_pow_ui(a, 3, n);
        mpz_ui_pow_ui(b, 7, n / 2);
        mpz_mul(c, a, b);
        mpz_add_ui(c, c, 1);
        mpz_gcd(d, c, a);
        mpz_tdiv_qr(c, d, c, b);
        mpz_set(mpq_numref(fraction), a);
        mpz_set(mpq_denref(fraction), c);
        mpq_canonicalize(fraction);
        mpq_mul(fraction, fraction, fraction);
        if (mpz_sizeinbase(d, 10) < sizeof text - 2)
            mpz_get_str(text, 10, d);
        mpz_clear(c); /* the others are released by the run */
        mpz_init(c);
    }
    return OPAC_OK;
}

static opac_status run_compute(void *context, opac_error *error)
{
    return base_gmp_run(compute, context, error);
}

static void test_failed_allocations(void **state)
{
    (void)state;
    unsigned long bits = 1 << 10, more = 1 << 16;
    assert_in_range(faults_sweep(run_compute, &bits), 20, 1000);
    faults_sweep_some(run_compute, 7, &more);
}

static opac_status wants_too_much(void *context, opac_error *error)
{
    (void)context, (void)error;
    mpz_t a;
    mpz_init_set_ui(a, 1);
    mpz_mul_2exp(a, a, (mp_bitcnt_t)1 << 36); /* and 2^38 is "gmp: overflow in mpz type" */
    return OPAC_OK;
}

static void test_limit(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_status(base_gmp_run(wants_too_much, NULL, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "an exact number needs more than 2^35 bits");
}

/* ---- runs in runs ---- */

typedef struct nest {
    char *owned; /* allocated after the inner run */
    bool inner_failed, suspended_works;
} nest;

static opac_status inner(void *context, opac_error *error)
{
    nest *n = context;
    unsigned long bits = 1 << 8;
    n->owned = base_alloc(1, 100);
    if (n->owned == NULL)
        return base_fail_memory(error);
    return compute(&bits, error);
}

static opac_status outer(void *context, opac_error *error)
{
    nest *n = context;
    unsigned long bits = 1 << 8;
    mpz_t a;
    mpz_init_set_ui(a, 5);
    mpz_pow_ui(a, a, 300);
    opac_status status = base_gmp_run(inner, n, error);
    n->inner_failed = status != OPAC_OK;
    base_free(n->owned);
    n->owned = NULL;
    if (status != OPAC_OK)
        return status;
    mpz_mul(a, a, a); /* still valid after the end of the inner run */
    return compute(&bits, error);
}

static opac_status run_nested(void *context, opac_error *error)
{
    nest n = {0};
    *(size_t *)context += 1;
    return base_gmp_run(outer, &n, error);
}

static void test_nested(void **state)
{
    (void)state;
    size_t runs = 0;
    assert_in_range(faults_sweep(run_nested, &runs), 20, 1000);
    assert_true(runs > 20);
}

/* ---- other users in the process ---- */

static mpz_t host; /* a number of the host program */

static void assert_host(unsigned long bits)
{
    assert_int_equal(mpz_sizeinbase(host, 2), bits);
    assert_int_equal(mpz_scan1(host, 0), bits - 1);
}

/* A callback during a run: it uses GMP as if there were no run, and runs of its own. */
static opac_status call_host(void *context, opac_error *error)
{
    unsigned long bits = 1 << 8;
    mpz_t a;
    mpz_init_set_ui(a, 7);
    mpz_pow_ui(a, a, 1000);
    struct base_gmp_run *run = base_gmp_suspend();
    mpz_mul_2exp(host, host, 5000); /* moved */
    opac_status status = base_gmp_run(compute, &bits, error);
    base_gmp_resume(run);
    mpz_mul(a, a, a);
    return status == OPAC_OK && context != NULL ? base_fail_memory(error) : status;
}

static void test_callback(void **state)
{
    (void)state;
    opac_error error = {0};
    for (unsigned long i = 0; i < 4; i++) {
        mpz_init_set_ui(host, 1);
        assert_status(base_gmp_run(call_host, i % 2 == 0 ? NULL : &error, &error),
                      i % 2 == 0 ? OPAC_OK : OPAC_ERROR_MEMORY);
        assert_host(5001);
        mpz_mul_2exp(host, host, 100000);
        assert_host(105001);
        mpz_clear(host);
    }
}

static void test_functions_are_restored(void **state)
{
    (void)state;
    void *(*before[2])(size_t);
    unsigned long bits = 1 << 8;
    opac_error error = {0};
    mp_get_memory_functions(&before[0], NULL, NULL);
    for (size_t fault = 0; fault < 3; fault++) {
        faults_fail_at(fault);
        base_gmp_run(compute, &bits, &error);
        faults_fail_at(0);
        mp_get_memory_functions(&before[1], NULL, NULL);
        assert_true(before[0] == before[1]);
    }
}

/* Memory functions of a host that differ from malloc: they add a word before each block. */

static atomic_long host_blocks;

static void *host_allocate(size_t bytes)
{
    size_t *block = malloc(bytes + 2 * sizeof *block);
    assert_non_null(block);
    block[0] = 0x600D;
    host_blocks++;
    return block + 2;
}

static void host_free(void *block, size_t bytes)
{
    (void)bytes;
    size_t *whole = (size_t *)block - 2;
    assert_int_equal(whole[0], 0x600D);
    host_blocks--;
    free(whole);
}

static void *host_resize(void *block, size_t old_bytes, size_t bytes)
{
    void *resized = host_allocate(bytes);
    memcpy(resized, block, old_bytes < bytes ? old_bytes : bytes);
    host_free(block, old_bytes);
    return resized;
}

static void test_functions_of_the_host(void **state)
{
    (void)state;
    unsigned long bits = 1 << 8;
    opac_error error = {0};
    mp_set_memory_functions(host_allocate, host_resize, host_free);
    mpz_init_set_ui(host, 1);
    assert_ok(base_gmp_run(call_host, NULL, &error), &error);
    faults_fail_at(3);
    assert_status(base_gmp_run(compute, &bits, &error), OPAC_ERROR_MEMORY);
    faults_fail_at(0);
    mpz_mul_2exp(host, host, 100000);
    assert_host(105001);
    mpz_clear(host);
    mp_set_memory_functions(NULL, NULL, NULL); /* malloc's again */
    assert_int_equal(host_blocks, 0);
}

/* Threads with and without runs, and runs that fail, all at once. */

static atomic_bool stop;

static void *use_gmp_outside(void *context)
{
    unsigned long *rounds = context;
    mpz_t kept;
    mpz_init_set_ui(kept, 1);
    while (!stop || *rounds == 0) {
        mpz_t a, b;
        mpz_inits(a, b, NULL);
        mpz_ui_pow_ui(a, 3, 2000 + *rounds % 1000);
        mpz_ui_pow_ui(b, 3, 1000 + *rounds % 1000);
        mpz_divexact(a, a, b);
        mpz_ui_pow_ui(b, 3, 1000);
        if (mpz_cmp(a, b) != 0)
            abort();
        mpz_mul_2exp(kept, kept, 64); /* grows across the runs of others */
        if (mpz_scan1(kept, 0) != (*rounds + 1) * 64)
            abort();
        mpz_clears(a, b, NULL);
        ++*rounds;
    }
    mpz_clear(kept);
    return NULL;
}

static void *use_runs(void *context)
{
    unsigned long bits = 1 << 10;
    atomic_size_t *failed = context;
    for (int i = 0; i < ROUNDS; i++) {
        opac_error error = {0};
        opac_status status = base_gmp_run(i % 5 == 4 ? wants_too_much : compute, &bits, &error);
        atomic_fetch_add(failed, status != OPAC_OK);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t outside[2], inside[2];
    unsigned long rounds[2] = {0};
    atomic_size_t failed = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&outside[i], NULL, use_gmp_outside, &rounds[i]), 0);
        assert_int_equal(pthread_create(&inside[i], NULL, use_runs, &failed), 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(inside[i], NULL);
    stop = true;
    for (int i = 0; i < 2; i++)
        pthread_join(outside[i], NULL);
    assert_int_equal(failed, 2 * ROUNDS / 5);
}

SUITE(gmp_run)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failed_allocations),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_functions_are_restored),
        cmocka_unit_test(test_functions_of_the_host),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("base.gmp_run", tests, NULL, NULL);
}

#else

SUITE(gmp_run)
{
    return 0;
}

#endif
