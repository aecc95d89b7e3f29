/* SPDX-License-Identifier: MIT */
/* The public interface of formulas. */
#include <omegapac/formula.h>

#include "support/check.h"
#include "support/faults.h"

static opac_status print_both(const opac_formula *formula, opac_formula_style style, char *buffer,
                              size_t size, opac_error *error)
{
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    opac_formula_write(formula, style, out);
    status = opac_output_commit(out, error);
    size_t length;
    if (status == OPAC_OK)
        snprintf(buffer, size, "%s", opac_output_bytes(out, &length));
    opac_output_free(out);
    return status;
}

static void formulas_are_read_and_written(void **state)
{
    (void)state;
    opac_formula *formula = NULL;
    opac_error error = {0};
    char text[256];
    assert_ok(opac_formula_parse("G F s & G !trap", NULL, &formula, &error), &error);
    assert_ok(print_both(formula, OPAC_FORMULA_INFIX, text, sizeof text, &error), &error);
    assert_string_equal(text, "G F s & G !trap");
    assert_ok(print_both(formula, OPAC_FORMULA_PRISM, text, sizeof text, &error), &error);
    assert_string_equal(text, "(G F \"s\") & (G !\"trap\")");
    opac_formula_free(formula);
    assert_ok(opac_formula_parse_prism("G F s=1 & x", NULL, &formula, &error), &error);
    assert_ok(print_both(formula, OPAC_FORMULA_INFIX, text, sizeof text, &error), &error);
    assert_string_equal(text, "G F (\"s=1\" & x)");
    opac_formula_free(formula);
    opac_formula_free(NULL);
}

static void propositions_are_those_that_occur(void **state)
{
    (void)state;
    opac_formula *formula = NULL;
    opac_error error = {0};
    assert_ok(opac_formula_parse("F z & (y | true) & (x U \"a b\") & z & w | X z", NULL, &formula,
                                 &error),
              &error);
    const char *const names[] = {"z", "x", "a b", "w"};
    assert_int_equal(opac_formula_proposition_count(formula), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(opac_formula_proposition(formula, i), names[i]);
    opac_formula_free(formula);
    assert_ok(opac_formula_parse("a | !a", NULL, &formula, &error), &error);
    assert_int_equal(opac_formula_proposition_count(formula), 0);
    opac_formula_free(formula);
}

static void assert_place(const opac_formula *formula, size_t index, uint32_t line, uint32_t column)
{
    uint32_t found_line, found_column;
    opac_formula_proposition_position(formula, index, &found_line, &found_column);
    assert_int_equal(found_line, line);
    assert_int_equal(found_column, column);
}

/* The first position of each name, after its quote, in characters; also inside a word, or if only the second
 * name remains in the formula. */
static void propositions_have_a_position(void **state)
{
    (void)state;
    opac_formula *formula = NULL, *simpler = NULL;
    opac_error error = {0};
    const char *text = "\"\xCE\xB5\" & GFab &\n  (b | \"x=1\") & ab & (gone | true) & \"b\"";
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    assert_int_equal(opac_formula_proposition_count(formula), 4);
    assert_place(formula, 0, 1, 2);
    assert_place(formula, 1, 1, 9);
    assert_place(formula, 2, 2, 4);
    assert_place(formula, 3, 2, 9);
    assert_ok(opac_formula_simplify(formula, NULL, 0, &simpler, &error), &error);
    assert_place(simpler, 0, 0, 0);
    opac_formula_free(simpler);
    opac_formula_free(formula);
    const char *const labels[] = {"Goal"};
    opac_formula_options options = {.labels = labels, .label_count = 1};
    assert_ok(opac_formula_parse("(gone | true) & F Goal", &options, &formula, &error), &error);
    assert_string_equal(opac_formula_proposition(formula, 0), "Goal");
    assert_place(formula, 0, 1, 19);
    opac_formula_free(formula);
    assert_ok(opac_formula_parse_prism("F a", NULL, &formula, &error), &error);
    assert_place(formula, 0, 0, 0);
    opac_formula_free(formula);
}

static void errors_have_a_position(void **state)
{
    (void)state;
    opac_formula *formula = NULL;
    opac_error error = {0};
    assert_status(opac_formula_parse("a &\n  b)", NULL, &formula, &error), OPAC_ERROR_SYNTAX);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 4);
    assert_null(formula);
    assert_status(opac_formula_parse_prism("a U b U c", NULL, &formula, NULL), OPAC_ERROR_SYNTAX);
}

static opac_status do_all(void *context, opac_error *error)
{
    (void)context;
    opac_formula *formula;
    char text[256];
    opac_status status = opac_formula_parse("F a & (b U c) & a", NULL, &formula, error);
    if (status != OPAC_OK)
        return status;
    status = print_both(formula, OPAC_FORMULA_LATEX, text, sizeof text, error);
    opac_formula_free(formula);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(faults_sweep(do_all, NULL) > 5);
}

SUITE(public)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_read_and_written),
        cmocka_unit_test(propositions_are_those_that_occur),
        cmocka_unit_test(propositions_have_a_position),
        cmocka_unit_test(errors_have_a_position),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
