/* SPDX-License-Identifier: MIT */
/* Packed values, compared with an array of integers. */
#include "base/alloc.h"
#include "model/model_values.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    MOST = 40
};

static opac_error error;

static int64_t random_between(uint64_t *random, int64_t low, uint64_t width)
{
    return (int64_t)((uint64_t)low + random_u64(random) % (width + 1));
}

static void draw_layout(model_layout *layout, uint64_t *random)
{
    uint32_t count = random_below(random, MOST);
    for (uint32_t i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%u", (unsigned)i);
        uint64_t width = random_u64(random) >> (32 + random_below(random, 32));
        int64_t low = random_below(random, 3) == 0
                          ? INT64_MIN
                          : (int64_t)(random_u64(random) >> random_below(random, 64)) / 2;
        if (random_below(random, 4) == 0)
            low = INT64_MAX - (int64_t)width;
        assert_ok(model_layout_add(layout, name, OPAC_VALUE_INT, low, low + (int64_t)width, &error),
                  &error);
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int round = 0; round < 300; round++) {
        model_layout layout = {0};
        int64_t plain[MOST];
        draw_layout(&layout, &random);
        uint64_t *row = calloc(layout.words + 1, sizeof *row);
        assert_non_null(row);
        for (uint32_t i = 0; i < layout.count; i++)
            plain[i] = layout.variables[i].low;
        for (int step = 0; step < 200 && layout.count > 0; step++) {
            uint32_t i = random_below(&random, layout.count);
            const model_variable *v = &layout.variables[i];
            plain[i] = random_between(&random, v->low, (uint64_t)v->high - (uint64_t)v->low);
            model_value_set(v, row, plain[i]);
            for (uint32_t j = 0; j < layout.count; j++)
                assert_true(model_value_get(&layout.variables[j], row) == plain[j]);
        }
        for (uint32_t i = 0; i < layout.count; i++) /* zero bits are the lowest values */
            model_value_set(&layout.variables[i], row, layout.variables[i].low);
        for (uint32_t i = 0; i <= layout.words; i++)
            assert_true(row[i] == 0);
        free(row);
        model_layout_fini(&layout);
    }
}

static void test_shape(void **state)
{
    (void)state;
    model_layout layout = {0};
    assert_ok(model_layout_add(&layout, "one", OPAC_VALUE_INT, 7, 7, &error), &error);
    assert_int_equal(layout.words, 0);
    assert_int_equal(model_value_get(&layout.variables[0], NULL), 7);
    assert_ok(model_layout_add(&layout, "a", OPAC_VALUE_INT, 0, UINT32_MAX, &error), &error);
    assert_ok(model_layout_add(&layout, "b", OPAC_VALUE_INT, 1, INT64_C(1) << 32, &error), &error);
    assert_int_equal(layout.words, 1);
    assert_ok(model_layout_add(&layout, "c", OPAC_VALUE_BOOL, 0, 1, &error), &error);
    assert_int_equal(layout.words, 2);
    assert_int_equal(model_layout_find(&layout, "b", 1), 2);
    assert_int_equal(model_layout_find(&layout, "bb", 2), UINT32_MAX);
    assert_status(model_layout_add(&layout, "d", OPAC_VALUE_INT, 0, INT64_C(1) << 32, &error),
                  OPAC_ERROR_LIMIT);
    assert_status(model_layout_add(&layout, "d", OPAC_VALUE_INT, INT64_MIN, INT64_MAX, &error),
                  OPAC_ERROR_LIMIT);
    assert_status(model_layout_add(&layout, "d", OPAC_VALUE_INT, 1, 0, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_int_equal(layout.count, 4);
    model_layout_fini(&layout);
}

/* Very many variables that never change take no quadratic time. */
static void test_many(void **state)
{
    (void)state;
    model_layout layout = {0};
    for (int i = 0; i < 300000; i++)
        assert_ok(model_layout_add(&layout, "x", OPAC_VALUE_INT, 5, 5, &error), &error);
    assert_int_equal(layout.words, 0);
    assert_ok(model_layout_add(&layout, "y", OPAC_VALUE_INT, 0, 1, &error), &error);
    assert_int_equal(layout.words, 1);
    model_layout_fini(&layout);
}

static opac_status add_some(void *context, opac_error *err)
{
    (void)context;
    model_layout layout = {0};
    opac_status status = OPAC_OK;
    for (int i = 0; status == OPAC_OK && i < 9; i++)
        status = model_layout_add(&layout, "x", OPAC_VALUE_INT, 0, i, err);
    model_layout_fini(&layout);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(faults_sweep(add_some, NULL) > 9);
}

SUITE(values)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
