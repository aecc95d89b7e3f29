/* SPDX-License-Identifier: MIT */
/*
 * A digit costs a pass over the factors and one over the equations. Reconstruction is tried each time the
 * number of digits has grown by half. A failed try usually costs one reconstruction, because it begins with
 * the unknown that failed last.
 */
#include "solve/padic_lifting.h"

#include "base/alloc.h"
#include "base/work.h"
#include "solve/modular.h"

enum {
    MOST_CELLS = 50000000,
    MOST_DIGITS = 1 << 27,
    PRIMES = 8,       /* primes that are tried; only contrived equations need a second one */
    FIRST_DIGITS = 4, /* digits before the first try */
    SPARE_BITS = 64   /* a fraction is plausible if it needs this many bits less than are known */
};

typedef struct lift {
    const solve_system *system;
    const opac_cancel *cancel;
    opac_error *error;
    solve_lift_limits limits;
    solve_factors factors;
    size_t *begin; /* the matrix modulo the prime */
    uint32_t *column;
    uint64_t *value;
    uint64_t *vector;
    mpz_t *top, *bottom;           /* the result */
    mpz_t *residual, *digit, *sum; /* sum: the solution modulo power */
    mpz_t prime, power;            /* power: prime^digits */
    mpz_t scratch[6];
    uint64_t digits;
    uint32_t last_failed; /* the unknown whose reconstruction failed last */
} lift;

/* The integer must be at least 0 and less than 2^64. */
static uint64_t to_word(mpz_srcptr integer)
{
    uint64_t word = 0;
    mpz_export(&word, NULL, -1, sizeof word, 0, 0, integer);
    return word;
}

static bool cancelled(const lift *l)
{
    return opac_cancel_requested(l->cancel);
}

static opac_status fail_cancelled(const lift *l)
{
    return base_fail_stopped(l->error, l->cancel, "solving");
}

/* ---- the factors ---- */

static uint64_t residue(lift *l, mpz_srcptr integer, bool negated)
{
    if (negated)
        mpz_neg(l->scratch[0], integer);
    mpz_fdiv_r(l->scratch[0], negated ? l->scratch[0] : integer, l->prime);
    return to_word(l->scratch[0]);
}

/* Factors the matrix modulo the prime. Each row has its diagonal first, then the negated values. */
static opac_status find_factors(lift *l, bool *lucky)
{
    const solve_system *system = l->system;
    size_t *begin = l->begin;
    uint32_t *column = l->column;
    uint64_t *value = l->value;
    size_t cells = 0;
    for (uint32_t v = 0; v < system->count; v++) {
        begin[v] = cells;
        column[cells] = v;
        value[cells++] = residue(l, system->diagonal[v], false);
        for (size_t i = system->begin[v]; i < system->begin[v + 1]; i++) {
            column[cells] = system->column[i];
            value[cells++] = residue(l, system->value[i], true);
        }
    }
    begin[system->count] = cells;
    const solve_residues matrix = {system->count, begin, column, value};
    return solve_factors_find(matrix, to_word(l->prime), l->limits.cells, l->cancel, &l->factors,
                              lucky, l->error);
}

/* Factors the matrix modulo the first prime above 2^61 that is not unlucky. */
static opac_status choose_prime(lift *l)
{
    bool lucky = false;
    mpz_set_ui(l->prime, 1);
    mpz_mul_2exp(l->prime, l->prime, 61);
    for (int i = 0; i < PRIMES && !lucky; i++) {
        mpz_nextprime(l->prime, l->prime);
        TRY(find_factors(l, &lucky));
    }
    if (!lucky)
        return base_fail(l->error, OPAC_ERROR_INTERNAL, "the equations have no unique solution");
    return OPAC_OK;
}

/* ---- digits ---- */

/* Computes the next digit of each unknown, and the new residual. */
static void next_digit(lift *l)
{
    const solve_system *system = l->system;
    for (uint32_t v = 0; v < system->count; v++)
        l->vector[v] = residue(l, l->residual[v], false);
    solve_factors_apply(&l->factors, l->vector);
    for (uint32_t v = 0; v < system->count; v++) {
        mpz_import(l->digit[v], 1, -1, sizeof *l->vector, 0, 0, &l->vector[v]);
        mpz_addmul(l->sum[v], l->digit[v], l->power);
    }
    for (uint32_t v = 0; v < system->count; v++) {
        mpz_submul(l->residual[v], system->diagonal[v], l->digit[v]);
        for (size_t i = system->begin[v]; i < system->begin[v + 1]; i++)
            mpz_addmul(l->residual[v], system->value[i], l->digit[system->column[i]]);
        mpz_divexact(l->residual[v], l->residual[v], l->prime);
    }
    mpz_mul(l->power, l->power, l->prime);
    l->digits++;
}

static opac_status more_digits(lift *l, uint64_t wanted)
{
    if (wanted > l->limits.digits / l->system->count)
        return base_fail(l->error, OPAC_ERROR_LIMIT,
                         "the exact solution of %u equations that depend on each other has too "
                         "many digits",
                         (unsigned)l->system->count);
    for (uint32_t v = 0; v < l->system->count; v++) /* once, not for every digit */
        mpz_realloc2(l->sum[v], (mp_bitcnt_t)(wanted + 1) * 64);
    while (l->digits < wanted) {
        if (cancelled(l))
            return fail_cancelled(l);
        next_digit(l);
    }
    return OPAC_OK;
}

/* ---- fractions ---- */

/*
 * Computes the denominator of a small fraction that is congruent to `value` modulo the power: of the
 * fractions that Euclid's algorithm yields, the one before the largest quotient. False if no quotient is
 * large enough.
 */
static bool to_fraction(lift *l, mpz_srcptr value, mpz_t bottom)
{
    mpz_ptr before = l->scratch[0], now = l->scratch[1], factor_before = l->scratch[2],
            factor = l->scratch[3], quotient = l->scratch[4], largest = l->scratch[5];
    bool found = false;
    mpz_set(before, l->power);
    mpz_fdiv_r(now, value, l->power);
    mpz_set_ui(factor_before, 0);
    mpz_set_ui(factor, 1);
    mpz_set_ui(largest, 1);
    mpz_mul_2exp(largest, largest, SPARE_BITS);
    for (uint32_t i = 1; mpz_sgn(now) != 0 && mpz_cmp(before, largest) > 0; i++) {
        mpz_tdiv_qr(quotient, before, before, now);
        if (mpz_cmp(quotient, largest) > 0) {
            mpz_set(largest, quotient);
            mpz_abs(bottom, factor);
            found = true;
        }
        mpz_swap(before, now);
        mpz_submul(factor_before, quotient, factor);
        mpz_swap(factor_before, factor);
        if (i % 256 == 0 && cancelled(l))
            return false;
    }
    return found;
}

/* The residue of sum · bottom modulo the power that is nearest to 0. */
static void scaled(const lift *l, uint32_t v, mpz_srcptr bottom, mpz_t result)
{
    mpz_mul(result, l->sum[v], bottom);
    mpz_fdiv_r(result, result, l->power);
    if (mpz_sizeinbase(result, 2) + 1 >= mpz_sizeinbase(l->power, 2))
        mpz_sub(result, result, l->power);
}

/* Whether the number is too small compared with the power to be a random residue. */
static bool is_plausible(const lift *l, mpz_srcptr number)
{
    return mpz_sizeinbase(number, 2) + SPARE_BITS < mpz_sizeinbase(l->power, 2);
}

/* Computes a common denominator of all unknowns; false if there are not enough digits. */
static bool find_bottom(lift *l, mpz_t top, mpz_t bottom)
{
    mpz_t more;
    mpz_init(more);
    bool enough = true;
    uint32_t first = l->last_failed;
    mpz_set_ui(bottom, 1);
    for (uint32_t i = 0; i < l->system->count && enough; i++) {
        uint32_t v = (uint32_t)(((uint64_t)first + i) % l->system->count);
        scaled(l, v, bottom, top);
        if (is_plausible(l, top))
            continue;
        l->last_failed = v;
        enough = to_fraction(l, top, more);
        mpz_mul(bottom, bottom, more);
    }
    mpz_clear(more);
    return enough;
}

/* Whether the fractions satisfy the equations; this proves the result. */
static bool is_solution(lift *l, mpz_t *top, mpz_srcptr bottom)
{
    const solve_system *system = l->system;
    mpz_ptr sum = l->scratch[0];
    for (uint32_t v = 0; v < system->count; v++) {
        mpz_mul(sum, system->right[v], bottom);
        mpz_submul(sum, system->diagonal[v], top[v]);
        for (size_t i = system->begin[v]; i < system->begin[v + 1]; i++)
            mpz_addmul(sum, system->value[i], top[system->column[i]]);
        if (mpz_sgn(sum) != 0 || cancelled(l))
            return false;
    }
    return true;
}

static opac_status find_solution(lift *l, mpz_t *top, mpz_t bottom)
{
    for (uint64_t wanted = FIRST_DIGITS;; wanted += wanted / 2) {
        TRY(more_digits(l, wanted));
        if (find_bottom(l, top[0], bottom)) {
            for (uint32_t v = 0; v < l->system->count; v++)
                scaled(l, v, bottom, top[v]);
            if (is_solution(l, top, bottom))
                return OPAC_OK;
        }
        if (cancelled(l))
            return fail_cancelled(l);
    }
}

/* ---- the whole computation ---- */

static opac_status lift_init(lift *l)
{
    size_t count = l->system->count, cells = l->system->begin[count] + count;
    l->begin = base_alloc(count + 1, sizeof *l->begin);
    l->column = base_alloc(cells, sizeof *l->column);
    l->value = base_alloc(cells, sizeof *l->value);
    l->vector = base_alloc(count, sizeof *l->vector);
    l->residual = base_alloc(count, sizeof *l->residual);
    l->digit = base_alloc(count, sizeof *l->digit);
    l->sum = base_alloc(count, sizeof *l->sum);
    if (l->begin == NULL || l->column == NULL || l->value == NULL || l->vector == NULL ||
        l->residual == NULL || l->digit == NULL || l->sum == NULL)
        return base_fail_memory(l->error);
    return OPAC_OK;
}

static void lift_fini(lift *l)
{
    base_free(l->begin);
    base_free(l->column);
    base_free(l->value);
    base_free(l->vector);
    base_free(l->residual);
    base_free(l->digit);
    base_free(l->sum);
    solve_factors_fini(&l->factors);
}

/* Frees the integers, which base_gmp_run would keep until its end. */
static void clear_integers(lift *l)
{
    for (uint32_t v = 0; v < l->system->count; v++)
        mpz_clears(l->residual[v], l->digit[v], l->sum[v], NULL);
    mpz_clears(l->prime, l->power, NULL);
    for (int i = 0; i < 6; i++)
        mpz_clear(l->scratch[i]);
}

static opac_status solve(void *context, opac_error *error)
{
    (void)error;
    lift *l = context;
    for (uint32_t v = 0; v < l->system->count; v++) {
        mpz_init_set(l->residual[v], l->system->right[v]);
        mpz_inits(l->digit[v], l->sum[v], NULL);
    }
    mpz_init(l->prime);
    mpz_init_set_ui(l->power, 1);
    for (int i = 0; i < 6; i++)
        mpz_init(l->scratch[i]);
    TRY(choose_prime(l));
    TRY(find_solution(l, l->top, *l->bottom));
    clear_integers(l);
    return OPAC_OK;
}

opac_status solve_system_lift(const solve_system *system, solve_lift_limits limits,
                              const opac_cancel *cancel, mpz_t *top, mpz_t *bottom,
                              opac_error *error)
{
    lift l = {
        .system = system,
        .cancel = cancel,
        .error = error,
        .limits = {.cells = limits.cells != 0 ? limits.cells : MOST_CELLS,
                   .digits = limits.digits != 0 ? limits.digits : MOST_DIGITS},
        .top = top,
        .bottom = bottom,
    };
    opac_status status = lift_init(&l);
    if (status == OPAC_OK)
        status = base_gmp_run(solve, &l, error);
    lift_fini(&l);
    return status;
}
