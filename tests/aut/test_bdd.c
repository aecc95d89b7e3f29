/* SPDX-License-Identifier: MIT */
/* Compares decision diagrams with truth tables over five variables, which have a bit for each valuation. */
#include "aut/bdd.h"
#include "base/bits.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    VARIABLES = 5,
    LETTERS = 1 << VARIABLES,
    POOL = 48
};

typedef struct sample {
    aut_bdd f;
    uint32_t table;
} sample;

static uint32_t table_of(const aut_bdd_store *store, aut_bdd f)
{
    uint32_t table = 0;
    for (uint64_t letter = 0; letter < LETTERS; letter++)
        table |= aut_bdd_evaluate(store, f, letter) << letter;
    return table;
}

static uint32_t table_of_variable(uint32_t variable)
{
    uint32_t table = 0;
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        table |= ((letter >> variable) & 1) << letter;
    return table;
}

/* The decision diagram of a truth table. */
static aut_bdd from_table(aut_bdd_store *store, uint32_t table, uint32_t variable, uint32_t letter)
{
    if (variable == VARIABLES)
        return (table >> letter) & 1;
    aut_bdd low = from_table(store, table, variable + 1, letter);
    aut_bdd high = from_table(store, table, variable + 1, letter | UINT32_C(1) << variable);
    return aut_bdd_make(store, variable, low, high);
}

static uint32_t restrict_table(uint32_t table, uint32_t variable, bool value)
{
    uint32_t result = 0;
    for (uint32_t letter = 0; letter < LETTERS; letter++) {
        uint32_t bit = UINT32_C(1) << variable;
        uint32_t looked_up = value ? letter | bit : letter & ~bit;
        result |= ((table >> looked_up) & 1) << letter;
    }
    return result;
}

static sample random_step(aut_bdd_store *store, const sample *pool, uint64_t *random)
{
    sample a = pool[random_below(random, POOL)], b = pool[random_below(random, POOL)];
    sample c = pool[random_below(random, POOL)];
    uint32_t variable = random_below(random, VARIABLES);
    bool value = random_below(random, 2) == 1;
    switch (random_below(random, 8)) {
    case 0:
        return (sample){aut_bdd_not(store, a.f), ~a.table};
    case 1:
        return (sample){aut_bdd_and(store, a.f, b.f), a.table & b.table};
    case 2:
        return (sample){aut_bdd_or(store, a.f, b.f), a.table | b.table};
    case 3:
        return (sample){aut_bdd_ite(store, a.f, aut_bdd_not(store, b.f), b.f), a.table ^ b.table};
    case 4:
        return (sample){aut_bdd_ite(store, a.f, b.f, c.f),
                        (a.table & b.table) | (~a.table & c.table)};
    case 5:
        return (sample){aut_bdd_restrict(store, a.f, variable, value),
                        restrict_table(a.table, variable, value)};
    case 6:
        return (sample){aut_bdd_and_not(store, a.f, b.f), a.table & ~b.table};
    default: {
        uint32_t table = random_u32(random);
        return (sample){from_table(store, table, 0, 0), table};
    }
    }
}

static void check_sample(aut_bdd_store *store, const sample *a, const sample *b)
{
    uint64_t variables;
    opac_error error;
    assert_int_equal(table_of(store, a->f), a->table);
    assert_int_equal(a->f == b->f, a->table == b->table);
    assert_int_equal(aut_bdd_implies(store, a->f, b->f), (a->table & ~b->table) == 0);
    assert_int_equal(aut_bdd_disjoint(store, a->f, b->f), (a->table & b->table) == 0);
    assert_int_equal(aut_bdd_is_constant(a->f), a->table == 0 || a->table == UINT32_MAX);
    assert_ok(aut_bdd_support(store, a->f, &variables, &error), &error);
    for (uint32_t v = 0; v < VARIABLES; v++)
        assert_int_equal((variables >> v) & 1,
                         restrict_table(a->table, v, false) != restrict_table(a->table, v, true));
    assert_int_equal(variables >> VARIABLES, 0);
}

static void operations_agree_with_tables(void **unused)
{
    uint64_t random = random_seed(701);
    (void)unused;
    for (int round = 0; round < 20; round++) {
        aut_bdd_store *store;
        opac_error error;
        sample pool[POOL];
        assert_ok(aut_bdd_store_new(&store, &error), &error);
        for (uint32_t i = 0; i < POOL; i++)
            pool[i] =
                (sample){aut_bdd_variable(store, i % VARIABLES), table_of_variable(i % VARIABLES)};
        for (int step = 0; step < 1000; step++) {
            uint32_t at = random_below(&random, POOL);
            pool[at] = random_step(store, pool, &random);
            check_sample(store, &pool[at], &pool[random_below(&random, POOL)]);
        }
        assert_ok(aut_bdd_store_check(store, &error), &error);
        /* Nodes are ordered and reduced, and no two are equal. */
        for (uint32_t i = 2; i < aut_bdd_store_count(store); i++) {
            const aut_bdd_node *node = aut_bdd_at(store, i);
            assert_true(node->low != node->high);
            assert_true(node->low < i);
            assert_true(node->high < i);
            assert_true(node->variable < aut_bdd_at(store, node->low)->variable);
            assert_true(node->variable < aut_bdd_at(store, node->high)->variable);
        }
        aut_bdd_store_free(store);
    }
}

/* ---- sums of products ---- */

typedef struct cube_list {
    aut_cube cubes[LETTERS];
    uint32_t count, most;
} cube_list;

static bool collect(void *context, aut_cube cube)
{
    cube_list *list = context;
    assert_true(list->count < LETTERS);
    list->cubes[list->count++] = cube;
    return list->count < list->most;
}

static uint32_t table_of_cube(aut_cube cube)
{
    uint32_t table = 0;
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        table |= (uint32_t)((letter & cube.care) == cube.value) << letter;
    return table;
}

static cube_list cubes_of(aut_bdd_store *store, aut_bdd f, uint32_t most)
{
    cube_list list = {.most = most};
    aut_bdd_cubes(store, f, collect, &list);
    return list;
}

static void check_cubes(aut_bdd_store *store, aut_bdd_store *other, uint32_t table)
{
    aut_bdd f = from_table(store, table, 0, 0);
    cube_list list = cubes_of(store, f, UINT32_MAX);
    uint32_t covered = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t without = 0, own = table_of_cube(list.cubes[i]);
        for (uint32_t j = 0; j < list.count; j++)
            without |= j != i ? table_of_cube(list.cubes[j]) : 0;
        assert_int_equal(list.cubes[i].value & ~list.cubes[i].care, 0);
        assert_int_equal(own & ~table, 0);  /* the cube implies the function */
        assert_true((own & ~without) != 0); /* the cube is necessary */
        for (uint64_t left = list.cubes[i].care; left != 0; left &= left - 1) {
            aut_cube larger = list.cubes[i]; /* each literal is necessary */
            larger.care &= ~(left & (~left + 1));
            larger.value &= larger.care;
            assert_true((table_of_cube(larger) & ~table) != 0);
        }
        covered |= own;
    }
    assert_int_equal(covered, table);
    /* Any store gives the same cubes, and a prefix of them if the callback stops. */
    cube_list again = cubes_of(other, aut_bdd_copy(store, f, other, NULL), UINT32_MAX);
    assert_int_equal(again.count, list.count);
    assert_memory_equal(again.cubes, list.cubes, list.count * sizeof *list.cubes);
    cube_list some = cubes_of(store, f, 2);
    assert_int_equal(some.count, list.count < 2 ? list.count : 2);
    assert_memory_equal(some.cubes, list.cubes, some.count * sizeof *some.cubes);
}

static void cubes_cover_exactly(void **unused)
{
    uint64_t random = random_seed(702);
    aut_bdd_store *store, *other;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    assert_ok(aut_bdd_store_new(&other, &error), &error);
    for (uint32_t v = VARIABLES; v-- > 0;)
        aut_bdd_variable(other, v); /* so that the numbers of nodes differ */
    check_cubes(store, other, 0);
    check_cubes(store, other, UINT32_MAX);
    for (int round = 0; round < 3000; round++) {
        uint32_t table = random_u32(&random);
        if (round % 3 == 1)
            table &= random_u32(&random) & random_u32(&random);
        check_cubes(store, other, round % 3 == 2 ? ~table | random_u32(&random) : table);
    }
    assert_ok(aut_bdd_store_check(store, &error), &error);
    aut_bdd_store_free(store);
    aut_bdd_store_free(other);
}

/* ---- other functions ---- */

static void copies_are_renamed(void **unused)
{
    uint64_t random = random_seed(703);
    aut_bdd_store *store, *other;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    assert_ok(aut_bdd_store_new(&other, &error), &error);
    for (int round = 0; round < 500; round++) {
        uint32_t map[VARIABLES] = {0, 1, 2, 3, 4}, table = random_u32(&random);
        for (uint32_t i = VARIABLES; i-- > 1;) {
            uint32_t j = random_below(&random, i + 1), swap = map[i];
            map[i] = map[j];
            map[j] = swap;
        }
        aut_bdd copy = aut_bdd_copy(store, from_table(store, table, 0, 0), other, map);
        for (uint32_t letter = 0; letter < LETTERS; letter++) {
            uint64_t renamed = 0;
            for (uint32_t v = 0; v < VARIABLES; v++)
                renamed |= (uint64_t)((letter >> v) & 1) << map[v];
            assert_int_equal(aut_bdd_evaluate(other, copy, renamed), (table >> letter) & 1);
        }
    }
    aut_bdd_store_free(store);
    aut_bdd_store_free(other);
}

static void terminals_have_values(void **unused)
{
    aut_bdd_store *store;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    aut_bdd a = aut_bdd_variable(store, 0), b = aut_bdd_variable(store, 63);
    aut_bdd seven = aut_bdd_terminal(store, 7), nine = aut_bdd_terminal(store, 9);
    assert_int_equal(aut_bdd_terminal(store, 7), seven);
    assert_int_equal(aut_bdd_terminal(store, 0), AUT_BDD_FALSE);
    assert_int_equal(aut_bdd_terminal(store, 1), AUT_BDD_TRUE);
    aut_bdd f = aut_bdd_ite(store, a, aut_bdd_ite(store, b, seven, nine), seven);
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t letter = (i & 1) | (i >> 1) << 63;
        assert_int_equal(aut_bdd_evaluate(store, f, letter), i == 1 ? nine : seven);
    }
    assert_int_equal(aut_bdd_ite(store, b, f, f), f);
    assert_int_equal(aut_bdd_restrict(store, f, 63, true), seven);
    assert_int_equal(aut_bdd_at(store, nine)->low, 9);
    aut_bdd_store_free(store);
}

/* (0 & n) | (1 & n+1) | … has some 2^n nodes. */
static aut_bdd make_wide(aut_bdd_store *store, uint32_t n)
{
    aut_bdd f = AUT_BDD_FALSE;
    for (uint32_t i = 0; i < n; i++)
        f = aut_bdd_or(
            store, f,
            aut_bdd_and(store, aut_bdd_variable(store, i), aut_bdd_variable(store, n + i)));
    return f;
}

static void a_limit_is_reported(void **unused)
{
    aut_bdd_store *store;
    opac_error error = {0};
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    aut_bdd_store_limit(store, 5000);
    aut_bdd small = make_wide(store, 4);
    assert_false(aut_bdd_store_failed(store));
    assert_int_equal(make_wide(store, 20), AUT_BDD_FALSE);
    assert_true(aut_bdd_store_failed(store));
    assert_int_equal(aut_bdd_store_count(store), 5000);
    assert_status(aut_bdd_store_check(store, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the decision diagrams grow beyond 5000 nodes");
    /* Existing nodes can still be read. */
    assert_int_equal(aut_bdd_evaluate(store, small, 0x11), AUT_BDD_TRUE);
    aut_bdd_store_free(store);
}

/* Enough nodes that the cache grows twice. */
static void many_nodes_are_correct(void **unused)
{
    enum {
        PAIRS = 12
    };
    uint64_t random = random_seed(704);
    aut_bdd_store *store;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    aut_bdd f = make_wide(store, PAIRS), g = aut_bdd_not(store, f);
    assert_true(aut_bdd_store_count(store) > 4096);
    assert_int_equal(aut_bdd_not(store, g), f);
    assert_int_equal(aut_bdd_ite(store, f, aut_bdd_not(store, g), g), AUT_BDD_TRUE);
    for (int i = 0; i < 10000; i++) {
        uint64_t letter = random_u64(&random) & ((UINT64_C(1) << 2 * PAIRS) - 1);
        bool expected = (letter & (letter >> PAIRS) & ((UINT64_C(1) << PAIRS) - 1)) != 0;
        assert_int_equal(aut_bdd_evaluate(store, f, letter), expected);
        assert_int_equal(aut_bdd_evaluate(store, g, letter), !expected);
    }
    assert_ok(aut_bdd_store_check(store, &error), &error);
    aut_bdd_store_free(store);
}

static opac_status work(void *context, opac_error *error)
{
    aut_bdd_store *store, *other = NULL;
    uint64_t variables;
    (void)context;
    opac_status status = aut_bdd_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    aut_bdd_store *shared = aut_bdd_store_share(store);
    aut_bdd f = make_wide(store, 8);
    cubes_of(store, f, UINT32_MAX);
    aut_bdd_restrict(store, aut_bdd_ite(store, f, aut_bdd_not(store, f), f), 3, true);
    status = aut_bdd_store_check(store, error);
    if (status == OPAC_OK)
        status = aut_bdd_support(store, f, &variables, error);
    if (status == OPAC_OK)
        status = aut_bdd_store_new(&other, error);
    if (status == OPAC_OK) {
        aut_bdd_copy(store, f, other, NULL);
        status = aut_bdd_store_check(other, error);
    }
    aut_bdd_store_free(other);
    aut_bdd_store_free(shared);
    aut_bdd_store_free(store);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    assert_true(faults_sweep(work, NULL) > 10);
}

SUITE(bdd)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_with_tables), cmocka_unit_test(cubes_cover_exactly),
        cmocka_unit_test(copies_are_renamed),           cmocka_unit_test(terminals_have_values),
        cmocka_unit_test(a_limit_is_reported),          cmocka_unit_test(many_nodes_are_correct),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("bdd", tests, NULL, NULL);
}
