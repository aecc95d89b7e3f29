/* SPDX-License-Identifier: MIT */
/* PRISM's properties: the parts around the formula, and errors. */
#include "ltl/property.h"
#include "support/faults.h"
#include "texts.h"

typedef struct expected {
    const char *text;
    ltl_direction direction;
    ltl_comparison comparison;
    double bound;
    const char *bound_text, *formula_text, *printed;
} expected;

static void properties_are_read(void **state)
{
    (void)state;
    static const expected cases[] = {
        {"P=? [ F \"goal\" ]", LTL_DIRECTION_NONE, LTL_COMPARISON_VALUE, 0, "", " F \"goal\" ",
         "F goal"},
        {"Pmax=?[G a]", LTL_DIRECTION_MAX, LTL_COMPARISON_VALUE, 0, "", "G a", "G a"},
        {"Pmin =? [a U b];", LTL_DIRECTION_MIN, LTL_COMPARISON_VALUE, 0, "", "a U b", "a U b"},
        {"P max=? [F a]", LTL_DIRECTION_MAX, LTL_COMPARISON_VALUE, 0, "", "F a", "F a"},
        {"P min = ? [F a]", LTL_DIRECTION_MIN, LTL_COMPARISON_VALUE, 0, "", "F a", "F a"},
        {"P>=0.9 [ F a ]", LTL_DIRECTION_NONE, LTL_COMPARISON_GREATER_EQUAL, 0.9, "0.9", " F a ",
         "F a"},
        {"P>0 [F a]", LTL_DIRECTION_NONE, LTL_COMPARISON_GREATER, 0, "0", "F a", "F a"},
        {"P<1e-3[F a]", LTL_DIRECTION_NONE, LTL_COMPARISON_LESS, 1e-3, "1e-3", "F a", "F a"},
        {"Pmax<=1 [F s=3 | s=4]", LTL_DIRECTION_MAX, LTL_COMPARISON_LESS_EQUAL, 1, "1",
         "F s=3 | s=4", "F (\"s=3\" | \"s=4\")"},
        {"P=? [ F[1,1] a ]", LTL_DIRECTION_NONE, LTL_COMPARISON_VALUE, 0, "", " F[1,1] a ", "X a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const expected *want = &cases[i];
        ltl_store *store = new_store();
        ltl_property property;
        opac_error error = {0};
        assert_ok(ltl_parse_property(store, want->text, strlen(want->text), NULL, NULL, &property,
                                     &error),
                  &error);
        assert_int_equal(property.direction, want->direction);
        assert_int_equal(property.comparison, want->comparison);
        assert_true(property.bound == want->bound);
        assert_int_equal(property.bound_length, strlen(want->bound_text));
        assert_memory_equal(want->text + property.bound_begin, want->bound_text,
                            property.bound_length);
        assert_int_equal(property.formula_length, strlen(want->formula_text));
        assert_memory_equal(want->text + property.formula_begin, want->formula_text,
                            property.formula_length);
        char *printed = print_as(store, property.formula, OPAC_FORMULA_INFIX, false);
        assert_string_equal(printed, want->printed);
        free(printed);
        ltl_store_free(store);
    }
}

static opac_status constant(void *context, const char *text, size_t length, uint32_t line,
                            uint32_t column, double *value, opac_error *error)
{
    (void)context;
    (void)line;
    (void)column;
    (void)error;
    assert_int_equal(length, 7);
    assert_memory_equal(text, "1-(p+q)", 7);
    *value = 0.25;
    return OPAC_OK;
}

static void note(void *context, uint32_t line, uint32_t column, const char *text)
{
    snprintf(context, 256, "%u:%u: %s", line, column, text);
}

static void bounds_may_be_constants(void **state)
{
    (void)state;
    ltl_prism_hooks hooks = {.number = constant};
    ltl_store *store = new_store();
    ltl_property property;
    opac_error error = {0};
    char last[256] = "";
    opac_formula_options options = {NULL, 0, note, last, NULL};
    const char *text = "P>=1-(p+q)\n[ F a & b ]";
    assert_ok(ltl_parse_property(store, text, strlen(text), &options, &hooks, &property, &error),
              &error);
    assert_true(property.bound == 0.25);
    assert_string_equal(last, "2:3: read as F (\"a\" & \"b\"); the infix grammar reads "
                              "(F \"a\") & \"b\"");
    ltl_store_free(store);
}

static void refuses(const char *text, opac_status code, uint32_t column, const char *part)
{
    ltl_store *store = new_store();
    ltl_property property;
    opac_error error = {0};
    opac_status status =
        ltl_parse_property(store, text, strlen(text), NULL, NULL, &property, &error);
    if (status != code || error.code != code || error.line != 1 || error.column != column ||
        strstr(error.message, part) == NULL)
        fail_msg("%s: %s at %u:%u: %s", text, opac_status_name(status), error.line, error.column,
                 error.message);
    ltl_store_free(store);
}

static void invalid_properties_are_errors(void **state)
{
    (void)state;
    opac_status syntax = OPAC_ERROR_SYNTAX, unsupported = OPAC_ERROR_UNSUPPORTED;
    refuses("", syntax, 1, "the property is empty");
    refuses("F a", syntax, 1, "expected a property that begins with P, Pmax or Pmin, found 'F'");
    refuses("P [F a]", syntax, 3, "expected '=?' or a comparison with a probability, found '['");
    refuses("P= [F a]", syntax, 4, "expected '?' after '=', found '['");
    refuses("P!=? [F a]", syntax, 4, "expected '?' after '='");
    refuses("P=0.5 [F a]", syntax, 3, "expected '?' after '='");
    refuses("P>= [F a]", syntax, 5, "expected a probability, found '['");
    refuses("P>=p [F a]", syntax, 4, "the bound 'p' must be a number");
    refuses("P>=1.5 [F a]", OPAC_ERROR_ARGUMENT, 4, "it must be in [0, 1]");
    refuses("P=? F a", syntax, 5, "expected '[' and a formula, found 'F'");
    refuses("P=? []", syntax, 6, "the formula is empty");
    refuses("P=? [F a", syntax, 9, "expected ']', found the end of the formula");
    refuses("P=? [(F a]", syntax, 10, "the parenthesis opened at line 1, column 6 is not closed");
    refuses("P=? [F a] b", syntax, 11, "expected the end of the property, found 'b'");
    refuses("P=? [F a]; P=? [G a]", syntax, 12, "expected the end of the property, found 'P'");
    refuses("P>0 [F a] & P<1 [G a]", unsupported, 11, "a Boolean combination of properties");
    refuses("P=? [F P>0 [G a]]", unsupported, 8, "a P operator inside a formula");
    refuses("P=? [F a {b}]", unsupported, 10, "a filter in braces is not supported");
    refuses("P=? [HOA: {\"a.hoa\"}]", unsupported, 9, "an automaton inside a property");
    refuses("P=? [!HOA : {\"a.hoa\"}]", unsupported, 11, "use the automaton itself");
    refuses("P=? [HO: {\"a.hoa\"}]", syntax, 8, "this ':' has no '?' before it");
    refuses("R=? [F a]", unsupported, 1, "the reward operator R is not supported");
    refuses("R{\"x\"}max=? [F a]", unsupported, 1, "the reward operator R is not supported");
    refuses("Rmin=? [F a]", unsupported, 1, "the reward operator Rmin is not supported");
    refuses("S=? [a]", unsupported, 1, "the steady-state operator S is not supported");
    refuses("A [F a]", unsupported, 1, "the path quantifier A is not supported");
    refuses("E [F a]", unsupported, 1, "the path quantifier E is not supported");
    refuses("filter(max, P=? [F a])", unsupported, 1, "filters are not supported");
    refuses("multi(P>0 [F a])", unsupported, 1, "several objectives at once are not supported");
}

static opac_status parse_some(void *context, opac_error *error)
{
    const char *text = context;
    ltl_store *store;
    ltl_property property;
    opac_status status = ltl_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = ltl_parse_property(store, text, strlen(text), NULL, NULL, &property, error);
    ltl_store_free(store);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    char text[] = "Pmax>=0.5 [ F<=2 a & s=3 ];";
    assert_true(faults_sweep(parse_some, text) > 5);
}

SUITE(parse_property)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_read),
        cmocka_unit_test(bounds_may_be_constants),
        cmocka_unit_test(invalid_properties_are_errors),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
