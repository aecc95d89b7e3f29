/* SPDX-License-Identifier: MIT */
/* Acceptance conditions as Rabin pairs. */
#include "product/rabin_pairs.h"
#include "support/check.h"
#include "support/random_automaton.h"

static const struct {
    const char *condition;
    size_t count;
    solve_rabin_pair pairs[2];
    bool everywhere;
} cases[] = {
    {"f", 0, {{0, 0}}, false},
    {"t", 1, {{0, PRODUCT_MARK_ALWAYS}}, true},
    {"Inf(0)", 1, {{0, 1}}, false},
    {"Fin(1)", 1, {{2, PRODUCT_MARK_ALWAYS}}, true},
    {"Fin(0) & Inf(1)", 1, {{1, 2}}, false},
    {"Fin(0) & Fin(2) & Inf(1)", 1, {{5, 2}}, false},
    {"Inf(0) & (Inf(0) | Fin(1))", 1, {{0, 1}}, false},
};

static void conversion_to_pairs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_error error = {0};
        product_rabin_pair_vec pairs = {0};
        bool everywhere;
        aut_condition condition = random_condition_parse(cases[i].condition);
        assert_ok(product_rabin_pairs(&condition, &pairs, &everywhere, &error), &error);
        assert_int_equal(pairs.count, cases[i].count);
        assert_int_equal(everywhere, cases[i].everywhere);
        for (size_t j = 0; j < pairs.count; j++) {
            assert_true(pairs.items[j].fin == cases[i].pairs[j].fin);
            assert_true(pairs.items[j].inf == cases[i].pairs[j].inf);
        }
        product_rabin_pair_vec_fini(&pairs);
        aut_condition_fini(&condition);
    }
}

static void other_conditions_fail(void **state)
{
    opac_error error = {0};
    product_rabin_pair_vec pairs = {0};
    bool everywhere;
    aut_condition condition = random_condition_parse("Inf(0) & Inf(1)");
    (void)state;
    assert_status(product_rabin_pairs(&condition, &pairs, &everywhere, &error),
                  OPAC_ERROR_INTERNAL);
    product_rabin_pair_vec_fini(&pairs);
    aut_condition_fini(&condition);
}

SUITE(rabin_pairs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversion_to_pairs),
        cmocka_unit_test(other_conditions_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
