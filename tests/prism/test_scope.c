/* SPDX-License-Identifier: MIT */
/* Expressions in the scope of a model, given as texts. */
#include "prism/scope.h"
#include "reading.h"
#include "support/faults.h"

static const char *const model =
    "const int N=3; const double p=0.5; const bool yes=true;\n"
    "formula low = x<N; formula twice = 2*x; label \"high\" = !\"low\";\n"
    "label \"low\" = low;\n"
    "module m x:[0..N]; b:bool; endmodule";

static prism_scope *scope_of(const char *text)
{
    prism_program program;
    reading_program(text, NULL, &program);
    prism_scope *scope = program.scope;
    program.scope = NULL;
    prism_program_fini(&program); /* the scope does not depend on it */
    return scope;
}

static void expect(const prism_scope *scope, const char *text, prism_type wanted,
                   const char *postfix)
{
    base_arena arena = {0};
    base_text shown = {0};
    prism_expression expression;
    opac_error error = {0};
    prism_variable variables[] = {{.name = "x"}, {.name = "b"}};
    prism_program program = {.variables = variables};
    opac_status status = prism_scope_expression(scope, text, strlen(text), (prism_place){1, 1},
                                                wanted, &arena, &expression, &error);
    if (status != OPAC_OK)
        base_text_format(&shown, "%u:%u %s", error.line, error.column, error.message);
    else
        reading_show(&program, &expression, &shown);
    assert_string_equal(base_text_get(&shown), postfix);
    base_text_fini(&shown);
    base_arena_fini(&arena);
}

static void expect_all(const prism_scope *scope)
{
    expect(scope, "low & b", PRISM_TYPE_BOOL, "x 3 < b &");
    expect(scope, "twice+N", PRISM_TYPE_INT, "2 x * 3 +");
    expect(scope, "yes | b", PRISM_TYPE_BOOL, "true");
    expect(scope, "\"low\" | \"high\"", PRISM_TYPE_BOOL, "x 3 < x 3 < ! |");
    expect(scope, "b & \"hihg\"", PRISM_TYPE_BOOL,
           "1:5 unknown label \"hihg\"; did you mean \"high\"?");
    expect(scope, "high", PRISM_TYPE_BOOL, "1:1 unknown name 'high'; did you mean \"high\"?");
    expect(scope, "1+\"low\"", PRISM_TYPE_INT,
           "1:2 '+' takes numbers, but an operand is a Boolean");
    expect(scope, "N*p", PRISM_TYPE_REAL, "1.50000");
    expect(scope, "N", PRISM_TYPE_REAL, "3");
    expect(scope, "N > 1 &\n xx=1", PRISM_TYPE_BOOL, "2:2 unknown name 'xx'; did you mean 'x'?");
    expect(scope, "N", PRISM_TYPE_BOOL, "1:1 expected a Boolean expression, found an int");
    expect(scope, "twice", PRISM_TYPE_BOOL, "1:1 expected a Boolean expression, found an int");
    expect(scope, "b & twice", PRISM_TYPE_BOOL, "1:3 '&' takes Booleans, but an operand is an int");
    expect(scope, "p", PRISM_TYPE_INT,
           "1:1 expected an int expression, found a real; floor, ceil and round give ints");
}

static void expressions_in_the_scope_of_a_model(void **state)
{
    (void)state;
    prism_scope *scope = scope_of(model), *copy;
    opac_error error = {0};
    expect_all(scope);
    assert_ok(prism_scope_copy(scope, &copy, &error), &error);
    prism_scope_free(scope);
    expect_all(copy);
    prism_scope_free(copy);
}

static void expressions_over_variables_only(void **state)
{
    (void)state;
    model_layout layout = {0};
    prism_scope *scope;
    opac_error error = {0};
    assert_ok(model_layout_add(&layout, "x", OPAC_VALUE_INT, 0, 3, &error), &error);
    assert_ok(model_layout_add(&layout, "b", OPAC_VALUE_BOOL, 0, 1, &error), &error);
    assert_ok(prism_scope_of_layout(&layout, &scope, &error), &error);
    expect(scope, "x=1 & b", PRISM_TYPE_BOOL, "x 1 = b &");
    expect(scope, "N=1", PRISM_TYPE_BOOL, "1:1 unknown name 'N'");
    prism_scope_free(scope);
    model_layout_fini(&layout);
}

/* A formula that is within the limit, used so often that the whole exceeds it. */
static void inlining_is_limited(void **state)
{
    (void)state;
    base_text text = {0};
    base_arena arena = {0};
    prism_expression expression;
    opac_error error = {0};
    base_text_add(&text, "formula f0=x;\n");
    for (unsigned i = 1; i < 18; i++)
        base_text_format(&text, "formula f%u=f%u+f%u;\n", i, i - 1, i - 1);
    base_text_add(&text, "module m x:[0..1]; endmodule");
    prism_scope *scope = scope_of(base_text_get(&text));
    base_text_clear(&text);
    base_text_add(&text, "0<f17");
    for (unsigned i = 0; i < 100; i++)
        base_text_add(&text, "+f17");
    assert_status(prism_scope_expression(scope, base_text_get(&text), text.length,
                                         (prism_place){7, 1}, PRISM_TYPE_BOOL, &arena, &expression,
                                         &error),
                  OPAC_ERROR_LIMIT);
    assert_int_equal(error.line, 7);
    base_arena_fini(&arena);
    base_text_fini(&text);
    prism_scope_free(scope);
}

static opac_status use(void *context, opac_error *error)
{
    base_arena arena = {0};
    prism_scope *copy = NULL;
    prism_expression expression;
    opac_status status = prism_scope_copy(context, &copy, error);
    if (status == OPAC_OK)
        status = prism_scope_expression(copy, "low & b", 7, (prism_place){1, 1}, PRISM_TYPE_BOOL,
                                        &arena, &expression, error);
    if (status == OPAC_OK) {
        status = prism_scope_expression(copy, "lou", 3, (prism_place){1, 1}, PRISM_TYPE_BOOL,
                                        &arena, &expression, error);
        status = status == OPAC_ERROR_SYNTAX ? OPAC_OK : status;
    }
    prism_scope_free(copy);
    base_arena_fini(&arena);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    prism_scope *scope = scope_of(model);
    assert_true(faults_sweep(use, scope) > 10);
    prism_scope_free(scope);
}

SUITE(scope)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_in_the_scope_of_a_model),
        cmocka_unit_test(expressions_over_variables_only),
        cmocka_unit_test(inlining_is_limited),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
