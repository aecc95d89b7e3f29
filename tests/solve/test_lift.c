/* SPDX-License-Identifier: MIT */
/* Solves random equations modulo a prime and in integers, and checks the solutions in the equations. */
#include "base/rational.h"
#include "solve/modular.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    MOST = 60,
    MOST_CELLS = MOST * MOST
};

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

/* ---- modulo a prime ---- */

typedef struct drawn_matrix {
    uint32_t count;
    size_t begin[MOST + 1];
    uint32_t column[MOST_CELLS];
    uint64_t value[MOST_CELLS];
} drawn_matrix;

static void draw_matrix(uint64_t *random, drawn_matrix *matrix)
{
    matrix->count = 1 + random_below(random, MOST);
    uint32_t density = 1 + random_below(random, 100);
    size_t cells = 0;
    for (uint32_t row = 0; row < matrix->count; row++) {
        matrix->begin[row] = cells;
        for (uint32_t column = 0; column < matrix->count; column++)
            if (row == column || random_below(random, 100) < density) {
                matrix->column[cells] = column;
                matrix->value[cells++] = random_u64(random) % prime;
            }
    }
    matrix->begin[matrix->count] = cells;
}

static solve_residues residues(const drawn_matrix *matrix)
{
    return (solve_residues){matrix->count, matrix->begin, matrix->column, matrix->value};
}

/* The product by repeated doubling. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b != 0; b >>= 1, a = a * 2 % prime)
        if (b & 1)
            product = (product + a) % prime;
    return product;
}

static void test_field(void **state)
{
    (void)state;
    uint64_t random = random_seed(531);
    const solve_field field = solve_field_of(prime);
    for (int i = 0; i < 1000; i++) {
        uint64_t a = random_u64(&random) % prime, b = random_u64(&random) % prime;
        if (i % 10 == 0)
            a = prime - 1, b = i % 20 == 0 ? 0 : prime - 1;
        uint64_t scaled = solve_field_multiply(&field, a, field.square);
        assert_true(solve_field_multiply(&field, scaled, b) == multiply(a, b));
        assert_true(solve_field_subtract(&field, a, b) == (a + prime - b) % prime);
    }
}

static void test_factors(void **state)
{
    (void)state;
    uint64_t random = random_seed(532);
    static drawn_matrix matrix;
    for (int i = 0; i < 40; i++) {
        opac_error error;
        solve_factors factors;
        bool lucky;
        draw_matrix(&random, &matrix);
        assert_ok(solve_factors_find(residues(&matrix), prime, MOST_CELLS, NULL, &factors, &lucky,
                                     &error),
                  &error);
        assert_true(lucky);
        uint64_t right[MOST], found[MOST];
        for (uint32_t v = 0; v < matrix.count; v++)
            right[v] = found[v] = random_u64(&random) % prime;
        solve_factors_apply(&factors, found);
        for (uint32_t v = 0; v < matrix.count; v++) {
            uint64_t sum = 0;
            for (size_t c = matrix.begin[v]; c < matrix.begin[v + 1]; c++)
                sum = (sum + multiply(matrix.value[c], found[matrix.column[c]])) % prime;
            assert_true(sum == right[v]);
        }
        solve_factors_fini(&factors);
    }
}

/* An arrow matrix: row and column 0 are full. Beginning with pivot 0 would fill the whole matrix. */
static void test_order(void **state)
{
    (void)state;
    static drawn_matrix matrix = {.count = MOST};
    size_t cells = 0;
    for (uint32_t row = 0; row < MOST; row++) {
        matrix.begin[row] = cells;
        for (uint32_t column = 0; column < MOST; column++)
            if (row == column || row == 0 || column == 0) {
                matrix.column[cells] = column;
                matrix.value[cells++] = 1 + (uint64_t)row + 7 * (uint64_t)column;
            }
    }
    matrix.begin[MOST] = cells;
    opac_error error;
    solve_factors factors;
    bool lucky;
    assert_ok(solve_factors_find(residues(&matrix), prime, cells, NULL, &factors, &lucky, &error),
              &error);
    assert_true(factors.lower.count == MOST - 1);
    assert_true(factors.upper.count == MOST - 1);
    for (uint32_t step = 0; step + 2 < MOST; step++) /* the lowest among equals */
        assert_int_equal(factors.order[step], step + 1);
    solve_factors_fini(&factors);
}

static void test_unlucky(void **state)
{
    (void)state;
    static const size_t begin[] = {0, 2, 4};
    static const uint32_t column[] = {0, 1, 0, 1};
    static const uint64_t twice[] = {1, 2, 2, 4}, zero[] = {0, 1, 1, 0};
    opac_error error;
    solve_factors factors;
    bool lucky;
    const uint64_t *values[] = {twice, zero};
    for (int i = 0; i < 2; i++) {
        const solve_residues matrix = {2, begin, column, values[i]};
        assert_ok(solve_factors_find(matrix, prime, MOST_CELLS, NULL, &factors, &lucky, &error),
                  &error);
        assert_false(lucky);
    }
}

static void test_most_cells(void **state)
{
    (void)state;
    static drawn_matrix matrix;
    uint64_t random = random_seed(533);
    do {
        draw_matrix(&random, &matrix);
    } while (matrix.count < 10);
    opac_error error;
    solve_factors factors;
    bool lucky;
    assert_status(solve_factors_find(residues(&matrix), prime, matrix.count - 1, NULL, &factors,
                                     &lucky, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "equations that depend on each other needs more than"));
}

static opac_status factor_once(void *context, opac_error *error)
{
    solve_factors factors;
    bool lucky;
    opac_status status =
        solve_factors_find(residues(context), prime, MOST_CELLS, NULL, &factors, &lucky, error);
    if (status == OPAC_OK)
        solve_factors_fini(&factors);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    static drawn_matrix matrix;
    uint64_t random = random_seed(534);
    do {
        draw_matrix(&random, &matrix);
    } while (matrix.count < 10 || matrix.count > 20);
    assert_true(faults_sweep(factor_once, &matrix) > 20);
}

/* ---- in integers ---- */

#if defined(OMEGAPAC_HAVE_GMP)

#include "solve/padic_lifting.h"

typedef struct drawn_system {
    uint32_t count;
    size_t begin[MOST + 1];
    uint32_t column[MOST_CELLS];
    mpz_t value[MOST_CELLS], diagonal[MOST], right[MOST];
    mpz_srcptr values[MOST_CELLS], diagonals[MOST], rights[MOST];
    size_t cells;
} drawn_system;

/* A random integer with a random number of bits, at most `bits` rounded up to words of 32. */
static void draw_integer(uint64_t *random, uint32_t bits, mpz_t integer)
{
    uint32_t kept = 1 + random_below(random, bits);
    mpz_init(integer);
    for (uint32_t i = 0; i < kept; i += 32) {
        mpz_mul_2exp(integer, integer, 32);
        mpz_add_ui(integer, integer, random_u32(random));
    }
    mpz_fdiv_r_2exp(integer, integer, kept);
}

/* The diagonal is above the sum of its row, so that no set is closed. */
static void draw_system(uint64_t *random, drawn_system *system)
{
    system->count = 1 + random_below(random, MOST);
    system->cells = 0;
    uint32_t density = random_below(random, 60), bits = 1 + random_below(random, 100);
    for (uint32_t row = 0; row < system->count; row++) {
        system->begin[row] = system->cells;
        draw_integer(random, bits, system->diagonal[row]);
        mpz_add_ui(system->diagonal[row], system->diagonal[row], 1);
        draw_integer(random, 1 + random_below(random, 300), system->right[row]);
        for (uint32_t column = 0; column < system->count; column++) {
            if (row == column || random_below(random, 100) >= density)
                continue;
            draw_integer(random, bits, system->value[system->cells]);
            mpz_add(system->diagonal[row], system->diagonal[row], system->value[system->cells]);
            system->values[system->cells] = system->value[system->cells];
            system->column[system->cells++] = column;
        }
        system->diagonals[row] = system->diagonal[row];
        system->rights[row] = system->right[row];
    }
    system->begin[system->count] = system->cells;
}

static void system_fini(drawn_system *system)
{
    for (size_t i = 0; i < system->cells; i++)
        mpz_clear(system->value[i]);
    for (uint32_t v = 0; v < system->count; v++)
        mpz_clears(system->diagonal[v], system->right[v], NULL);
}

typedef struct lifting {
    const drawn_system *system;
    solve_lift_limits limits;
    const opac_cancel *cancel;
    mpz_srcptr inverse; /* NULL, or x(0) = 2 / inverse is expected */
    bool solved;
    mpz_t top[MOST], bottom; /* of the run */
} lifting;

static bool is_solved(const lifting *l)
{
    const drawn_system *system = l->system;
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    bool solved = mpz_sgn(l->bottom) > 0;
    for (uint32_t v = 0; v < system->count; v++) {
        mpz_mul(left, system->diagonal[v], l->top[v]);
        mpz_mul(right, system->right[v], l->bottom);
        for (size_t i = system->begin[v]; i < system->begin[v + 1]; i++)
            mpz_addmul(right, system->value[i], l->top[system->column[i]]);
        solved = solved && mpz_cmp(left, right) == 0;
    }
    if (l->inverse != NULL) {
        mpz_mul(left, l->inverse, l->top[0]);
        mpz_mul_2exp(right, l->bottom, 1);
        solved = solved && mpz_cmp(left, right) == 0;
    }
    return solved;
}

static opac_status lift_in_run(void *context, opac_error *error)
{
    lifting *l = context;
    const drawn_system *system = l->system;
    const solve_system equations = {system->count,  system->begin,     system->column,
                                    system->values, system->diagonals, system->rights};
    for (uint32_t v = 0; v < system->count; v++)
        mpz_init(l->top[v]);
    mpz_init(l->bottom);
    opac_status status =
        solve_system_lift(&equations, l->limits, l->cancel, l->top, &l->bottom, error);
    l->solved = status == OPAC_OK && is_solved(l);
    return status;
}

static opac_status lift_drawn(drawn_system *system, solve_lift_limits limits,
                              const opac_cancel *cancel, opac_error *error)
{
    lifting l = {.system = system, .limits = limits, .cancel = cancel};
    opac_status status = base_gmp_run(lift_in_run, &l, error);
    assert_int_equal(l.solved, status == OPAC_OK);
    return status;
}

static void test_lift(void **state)
{
    (void)state;
    uint64_t random = random_seed(535);
    static drawn_system system;
    for (int i = 0; i < 60; i++) {
        opac_error error;
        draw_system(&random, &system);
        assert_ok(lift_drawn(&system, (solve_lift_limits){0}, NULL, &error), &error);
        system_fini(&system);
    }
}

/* A system whose solution has many digits, with every limit and cancellation. */
static void draw_large(uint64_t *random, drawn_system *system)
{
    for (;;) {
        draw_system(random, system);
        if (system->count >= 20 && system->cells > 40)
            return;
        system_fini(system);
    }
}

static void test_limits(void **state)
{
    (void)state;
    uint64_t random = random_seed(536);
    static drawn_system system;
    opac_error error;
    draw_large(&random, &system);
    assert_status(lift_drawn(&system, (solve_lift_limits){.cells = 10}, NULL, &error),
                  OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "coefficients"));
    assert_status(
        lift_drawn(&system, (solve_lift_limits){.digits = (size_t)5 * system.count}, NULL, &error),
        OPAC_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "too many digits"));
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    assert_status(lift_drawn(&system, (solve_lift_limits){0}, cancel, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    system_fini(&system);
}

static opac_status lift_once(void *context, opac_error *error)
{
    return lift_drawn(context, (solve_lift_limits){0}, NULL, error);
}

static void test_lift_memory(void **state)
{
    (void)state;
    uint64_t random = random_seed(537);
    static drawn_system system;
    do {
        if (system.count != 0)
            system_fini(&system);
        draw_system(&random, &system);
    } while (system.count < 5 || system.count > 15);
    assert_true(faults_sweep(lift_once, &system) > 10);
    system_fini(&system);
}

/* diagonal and right are what the first prime divides: 2^61 + 15. */
static void test_first_prime_divides(void **state)
{
    (void)state;
    static drawn_system system;
    opac_error error;
    mpz_t expected;
    system = (drawn_system){.count = 2, .cells = 2, .begin = {0, 1, 2}, .column = {1, 0}};
    mpz_init_set_ui(expected, 1);
    mpz_mul_2exp(expected, expected, 61);
    mpz_nextprime(expected, expected);
    for (uint32_t v = 0; v < 2; v++) {
        mpz_init_set(system.diagonal[v], expected);
        mpz_init_set_ui(system.right[v], 1);
        mpz_init(system.value[v]);
        mpz_fdiv_q_2exp(system.value[v], expected, 1);
        system.values[v] = system.value[v];
        system.diagonals[v] = system.diagonal[v];
        system.rights[v] = system.right[v];
    }
    mpz_add_ui(expected, expected, 1);
    lifting l = {.system = &system, .inverse = expected}; /* 2 / (prime + 1) */
    assert_ok(base_gmp_run(lift_in_run, &l, &error), &error);
    assert_true(l.solved);
    mpz_clear(expected);
    system_fini(&system);
}

/* Singular systems violate the precondition, but are reported as an error. */
static void test_singular(void **state)
{
    (void)state;
    static drawn_system system;
    opac_error error;
    system = (drawn_system){.count = 2, .cells = 2, .begin = {0, 1, 2}, .column = {1, 0}};
    for (uint32_t v = 0; v < 2; v++) {
        mpz_init_set_ui(system.diagonal[v], 1);
        mpz_init_set_ui(system.right[v], 1);
        mpz_init_set_ui(system.value[v], 1);
        system.values[v] = system.value[v];
        system.diagonals[v] = system.diagonal[v];
        system.rights[v] = system.right[v];
    }
    assert_status(lift_drawn(&system, (solve_lift_limits){0}, NULL, &error), OPAC_ERROR_INTERNAL);
    system_fini(&system);
}

#define LIFT_TESTS                                                                                 \
    cmocka_unit_test(test_lift), cmocka_unit_test(test_limits),                                    \
        cmocka_unit_test(test_lift_memory), cmocka_unit_test(test_first_prime_divides),            \
        cmocka_unit_test(test_singular),
#else
#define LIFT_TESTS
#endif

SUITE(lift)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_field),
                                       cmocka_unit_test(test_factors),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_unlucky),
                                       cmocka_unit_test(test_most_cells),
                                       cmocka_unit_test(test_memory),
                                       LIFT_TESTS};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
