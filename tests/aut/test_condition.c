/* SPDX-License-Identifier: MIT */
/* Compares conditions before and after each transformation by their truth tables. */
#include "aut/condition.h"

#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"
#include "support/random_automaton.h"

enum {
    MARKS = 5,
    ALL_SETS = 1 << MARKS
};

static const char *text_of(opac_output *out)
{
    size_t length;
    return opac_output_bytes(out, &length);
}

static void check_text(const aut_condition *condition, const char *expected)
{
    opac_output *out;
    opac_error error;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    aut_condition_write(condition, out);
    assert_string_equal(text_of(out), expected);
    opac_output_free(out);
}

static void check_name(const aut_condition *condition, uint32_t marks, const char *expected)
{
    aut_condition_class found;
    opac_output *out;
    opac_error error;
    assert_ok(aut_condition_classify(condition, marks, &found, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    aut_condition_class_write(&found, out);
    assert_string_equal(text_of(out), expected);
    opac_output_free(out);
    aut_condition_class_fini(&found);
}

/* Frees the condition. */
static void check_named(opac_status made, aut_condition *condition, uint32_t marks,
                        const char *name, const char *text)
{
    assert_status(made, OPAC_OK);
    check_name(condition, marks, name);
    check_name(condition, marks + 1, "Emerson-Lei");
    check_text(condition, text);
    aut_condition_fini(condition);
}

static void test_named(void **state)
{
    (void)state;
    aut_condition c;
    const uint32_t sizes[] = {3, 0, 2};
    check_named(aut_condition_true(&c, NULL), &c, 0, "all", "t");
    check_named(aut_condition_false(&c, NULL), &c, 0, "none", "f");
    check_named(aut_condition_buchi(&c, NULL), &c, 1, "Buchi", "Inf(0)");
    check_named(aut_condition_cobuchi(&c, NULL), &c, 1, "co-Buchi", "Fin(0)");
    check_named(aut_condition_generalized_buchi(&c, 3, NULL), &c, 3, "generalized-Buchi 3",
                "Inf(0) & Inf(1) & Inf(2)");
    check_named(aut_condition_generalized_cobuchi(&c, 2, NULL), &c, 2, "generalized-co-Buchi 2",
                "Fin(0) | Fin(1)");
    check_named(aut_condition_rabin(&c, 2, NULL), &c, 4, "Rabin 2",
                "Fin(0) & Inf(1) | Fin(2) & Inf(3)");
    check_named(aut_condition_streett(&c, 2, NULL), &c, 4, "Streett 2",
                "(Fin(0) | Inf(1)) & (Fin(2) | Inf(3))");
    check_named(aut_condition_generalized_rabin(&c, sizes, 3, NULL), &c, 8,
                "generalized-Rabin 3 3 0 2",
                "Fin(0) & Inf(1) & Inf(2) & Inf(3) | Fin(4) | Fin(5) & Inf(6) & Inf(7)");
    check_named(aut_condition_parity(&c, false, false, 5, NULL), &c, 5, "parity min odd 5",
                "Fin(0) & (Inf(1) | Fin(2) & (Inf(3) | Fin(4)))");
    check_named(aut_condition_parity(&c, true, false, 5, NULL), &c, 5, "parity max odd 5",
                "Fin(4) & (Inf(3) | Fin(2) & (Inf(1) | Fin(0)))");
    check_named(aut_condition_parity(&c, false, true, 5, NULL), &c, 5, "parity min even 5",
                "Inf(0) | Fin(1) & (Inf(2) | Fin(3) & Inf(4))");
    check_named(aut_condition_parity_max_even(&c, 5, NULL), &c, 5, "parity max even 5",
                "Inf(4) | Fin(3) & (Inf(2) | Fin(1) & Inf(0))");
    check_named(aut_condition_parity_max_even(&c, 2, NULL), &c, 2, "parity max even 2",
                "Fin(1) & Inf(0)");
    check_named(aut_condition_parity(&c, false, true, 2, NULL), &c, 2, "parity min even 2",
                "Inf(0) | Fin(1)");
}

/* Compares parity conditions with the definition. */
static void test_parity(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 7; count++) {
        for (int kind = 0; kind < 4; kind++) {
            bool is_max = kind < 2, is_even = kind % 2 == 0;
            aut_condition c;
            assert_status(aut_condition_parity(&c, is_max, is_even, count, NULL), OPAC_OK);
            for (uint64_t set = 1; set < UINT64_C(1) << count; set++) {
                uint32_t decisive = count;
                for (uint32_t i = 0; i < count; i++)
                    if (((set >> i) & 1) && (is_max || decisive == count))
                        decisive = i;
                assert_int_equal(aut_condition_holds(&c, set), (decisive % 2 == 0) == is_even);
            }
            aut_condition_fini(&c);
        }
    }
}

/* The name does not depend on the order and grouping of operands, but on all else. */
static void test_regrouped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        uint32_t marks;
    } cases[] = {
        {"Inf(1)&Inf(2)&Inf(0)", "generalized-Buchi 3", 3},
        {"Inf(1)&(Inf(2)&Inf(0))", "generalized-Buchi 3", 3},
        {"Inf(3)&Fin(2)|Inf(1)&Fin(0)", "Rabin 2", 4},
        {"(Inf(3)|Fin(2))&(Inf(1)|Fin(0))", "Streett 2", 4},
        {"(Fin(1)&Inf(0)|Inf(2))&Fin(3)|Inf(4)", "parity max even 5", 5},
        {"Inf(0)&Fin(1)", "parity max even 2", 2},
        {"Fin(0)&Inf(1)", "Rabin 1", 2},
        {"Fin(0)|Inf(1)", "Streett 1", 2},
        {"Inf(0)&Inf(0)", "Emerson-Lei", 1},
        {"Inf(0)&Inf(2)", "Emerson-Lei", 3},
        {"Inf(0)|Inf(1)", "Emerson-Lei", 2},
        {"Fin(0)&Fin(1)", "Emerson-Lei", 2},
        {"Inf(0)&Fin(1)|Inf(2)&Fin(3)", "Emerson-Lei", 4},
        {"t", "Emerson-Lei", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aut_condition c = random_condition_parse(cases[i].text);
        check_name(&c, cases[i].marks, cases[i].name);
        aut_condition_fini(&c);
    }
}

static void test_simplified(void **state)
{
    (void)state;
    static const struct {
        const char *text, *simple;
    } cases[] = {
        {"t&Inf(0)", "Inf(0)"},
        {"f|Inf(0)&t", "Inf(0)"},
        {"Inf(0)&f", "f"},
        {"Inf(0)&Inf(0)", "Inf(0)"},
        {"Inf(0)&(Inf(0)|Fin(1))", "Inf(0)"},
        {"Inf(0)|Inf(0)&Fin(1)", "Inf(0)"},
        {"Inf(0)&Fin(0)|Inf(1)", "Inf(1)"},
        {"Inf(0)|Fin(1)|Fin(0)", "t"},
        {"Inf(0)&Fin(1)|Fin(1)&Inf(0)", "Inf(0) & Fin(1)"},
        {"Inf(0)&Fin(1)&Inf(2)|Fin(1)&Inf(0)", "Inf(0) & Fin(1)"},
        {"(Inf(0)|f&Inf(2))&(Fin(1)&(Inf(0)|t))", "Inf(0) & Fin(1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aut_condition c = random_condition_parse(cases[i].text), simple;
        assert_status(aut_condition_simplify(&c, &simple, NULL), OPAC_OK);
        check_text(&simple, cases[i].simple);
        aut_condition_fini(&c);
        aut_condition_fini(&simple);
    }
}

static void check_tables(const aut_condition *c, uint64_t seen, uint64_t unseen)
{
    aut_condition negated, simple, assumed, renamed, twice;
    uint8_t map[AUT_MOST_MARKS];
    for (uint32_t i = 0; i < AUT_MOST_MARKS; i++)
        map[i] = (uint8_t)(AUT_MOST_MARKS - 1 - i);
    assert_status(aut_condition_negate(c, &negated, NULL), OPAC_OK);
    assert_status(aut_condition_simplify(c, &simple, NULL), OPAC_OK);
    assert_status(aut_condition_simplify(&simple, &twice, NULL), OPAC_OK);
    assert_status(aut_condition_assume(c, seen, unseen, &assumed, NULL), OPAC_OK);
    assert_status(aut_condition_copy(c, &renamed, NULL), OPAC_OK);
    aut_condition_rename(&renamed, map);
    assert_int_equal(simple.terms.count, twice.terms.count);
    assert_int_equal(aut_condition_marks(&assumed) & (seen | unseen), 0);
    assert_int_equal(aut_condition_marks(&simple) & ~aut_condition_marks(c), 0);
    for (uint64_t set = 0; set < ALL_SETS; set++) {
        uint64_t mirrored = 0;
        for (uint32_t i = 0; i < MARKS; i++)
            mirrored |= ((set >> i) & 1) << map[i];
        bool holds = aut_condition_holds(c, set);
        assert_int_equal(aut_condition_holds(&negated, set), !holds);
        assert_int_equal(aut_condition_holds(&simple, set), holds);
        assert_int_equal(aut_condition_holds(&twice, set), holds);
        assert_int_equal(aut_condition_holds(&renamed, mirrored), holds);
        assert_int_equal(aut_condition_holds(&assumed, set),
                         aut_condition_holds(c, (set | seen) & ~unseen));
    }
    aut_condition_fini(&negated);
    aut_condition_fini(&simple);
    aut_condition_fini(&twice);
    aut_condition_fini(&assumed);
    aut_condition_fini(&renamed);
}

static void test_tables(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(1001));
    for (int i = 0; i < 20000; i++) {
        aut_condition c = random_condition(&random, MARKS, random_below(&random, 12));
        uint64_t seen = random_u32(&random) & (ALL_SETS - 1);
        uint64_t unseen = random_u32(&random) & (ALL_SETS - 1) & ~seen;
        check_tables(&c, seen, unseen);
        aut_condition_fini(&c);
    }
}

/* A condition that is written and read again is the same function. */
static void test_written(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(1002));
    for (int i = 0; i < 3000; i++) {
        aut_condition c = random_condition(&random, MARKS, random_below(&random, 12));
        opac_output *out;
        assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
        aut_condition_write(&c, out);
        aut_condition back = random_condition_parse(text_of(out));
        for (uint64_t set = 0; set < ALL_SETS; set++)
            assert_int_equal(aut_condition_holds(&c, set), aut_condition_holds(&back, set));
        check_text(&back, text_of(out));
        opac_output_free(out);
        aut_condition_fini(&back);
        aut_condition_fini(&c);
    }
}

/* Conditions of maximal depth, and with maximal sharing. */
static void test_extremes(void **state)
{
    (void)state;
    aut_condition deep = {0}, simple;
    opac_output *out;
    for (uint32_t i = 0; i < AUT_MOST_TERMS / 2; i++)
        assert_status(aut_condition_join(&deep, i % 2 == 0 ? AUT_TERM_AND : AUT_TERM_OR,
                                         AUT_TERM_INF, i % AUT_MOST_MARKS, NULL),
                      OPAC_OK);
    assert_status(aut_condition_simplify(&deep, &simple, NULL), OPAC_OK);
    assert_int_equal(aut_condition_holds(&deep, UINT64_MAX >> 1), true);
    assert_int_equal(aut_condition_holds(&simple, UINT64_MAX >> 1), true);
    aut_condition_fini(&simple);
    assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
    aut_condition_write(&deep, out);
    assert_status(opac_output_commit(out, NULL), OPAC_OK);
    opac_output_free(out);
    aut_condition_fini(&deep);
    assert_status(aut_condition_buchi(&deep, NULL), OPAC_OK);
    for (uint32_t i = 0; i < 1000; i++)
        assert_status(aut_condition_add(&deep, (aut_term){AUT_TERM_AND, i, i}, NULL, NULL),
                      OPAC_OK);
    assert_status(aut_condition_simplify(&deep, &simple, NULL), OPAC_OK);
    check_text(&simple, "Inf(0)");
    aut_condition_fini(&simple);
    aut_condition_fini(&deep);
}

static opac_status all_work(void *context, opac_error *error)
{
    const aut_condition *from = context;
    aut_condition a = {0}, b = {0};
    aut_condition_class found = {0};
    opac_output *out = NULL;
    opac_status status = aut_condition_negate(from, &a, error);
    if (status == OPAC_OK)
        status = aut_condition_assume(&a, 2, 1, &b, error);
    if (status == OPAC_OK)
        status = aut_condition_classify(from, 4, &found, error);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK) {
        aut_condition_write(from, out);
        status = opac_output_commit(out, error);
    }
    opac_output_free(out);
    aut_condition_fini(&a);
    aut_condition_fini(&b);
    aut_condition_class_fini(&found);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    aut_condition c = random_condition_parse("Fin(0)&Inf(1)&Inf(2)|Fin(3)");
    assert_true(faults_sweep(all_work, &c) > 10);
    aut_condition_fini(&c);
}

SUITE(condition)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named),     cmocka_unit_test(test_parity),
        cmocka_unit_test(test_regrouped), cmocka_unit_test(test_simplified),
        cmocka_unit_test(test_tables),    cmocka_unit_test(test_written),
        cmocka_unit_test(test_extremes),  cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
