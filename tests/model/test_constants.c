/* SPDX-License-Identifier: MIT */
/* Values of constants: parsing, errors with positions, use and suggestions. */
#include <math.h>

#include "model/constants.h"
#include "support/check.h"
#include "support/faults.h"

static opac_error error;

static opac_constants *constants_of(const char *text)
{
    opac_constants *constants;
    assert_ok(opac_constants_new(&constants, &error), &error);
    assert_ok(opac_constants_add(constants, text, &error), &error);
    return constants;
}

typedef struct expected {
    const char *text;
    model_constant_kind kind;
    int64_t integer;
    double real;
} expected;

static void test_values(void **state)
{
    (void)state;
    static const expected all[] = {
        {"c=3", MODEL_CONSTANT_INT, 3, 3},
        {" c =\t-12 ", MODEL_CONSTANT_INT, -12, -12},
        {"c=+7", MODEL_CONSTANT_INT, 7, 7},
        {"c=007", MODEL_CONSTANT_INT, 7, 7},
        {"c=9223372036854775807", MODEL_CONSTANT_INT, INT64_MAX, 0x1p63},
        {"c=-9223372036854775808", MODEL_CONSTANT_INT, INT64_MIN, -0x1p63},
        {"c=9223372036854775808", MODEL_CONSTANT_REAL, 0, 0x1p63},
        {"c=1e3", MODEL_CONSTANT_INT, 1000, 1000},
        {"c=2.5e1", MODEL_CONSTANT_INT, 25, 25},
        {"c=2.0", MODEL_CONSTANT_INT, 2, 2},
        {"c=6/2", MODEL_CONSTANT_INT, 3, 3},
        {"c=+6/2", MODEL_CONSTANT_INT, 3, 3},
        {"c=-6/4", MODEL_CONSTANT_REAL, 0, -1.5},
        {"c=1/3", MODEL_CONSTANT_REAL, 0, 1.0 / 3},
        {"c=0.2", MODEL_CONSTANT_REAL, 0, 0.2},
        {"c=.5", MODEL_CONSTANT_REAL, 0, 0.5},
        {"c=1e300", MODEL_CONSTANT_REAL, 0, 1e300},
        {"c=true", MODEL_CONSTANT_BOOL, 1, 0},
        {"c=false", MODEL_CONSTANT_BOOL, 0, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        opac_constants *constants = constants_of(all[i].text);
        model_constant value;
        assert_true(model_constants_use(constants, "c", 1, &value));
        assert_int_equal(value.kind, all[i].kind);
        if (value.kind != MODEL_CONSTANT_REAL)
            assert_true(value.integer == all[i].integer);
        if (value.kind != MODEL_CONSTANT_BOOL)
            assert_true(value.real == all[i].real);
        opac_constants_free(constants);
    }
}

static void test_several(void **state)
{
    (void)state;
    opac_constants *constants = constants_of("N=3, p = 0.2 ,b=true");
    model_constant value;
    assert_ok(opac_constants_add(constants, "_x1=1/60", &error), &error);
    assert_string_equal(opac_constants_unused(constants), "N");
    assert_true(model_constants_use(constants, "N", 1, &value));
    assert_true(model_constants_use(constants, "p", 1, &value));
    assert_string_equal(value.text, "0.2");
    assert_false(model_constants_use(constants, "q", 1, &value));
    assert_false(model_constants_use(constants, "pp", 2, &value));
    assert_string_equal(opac_constants_unused(constants), "b");
    assert_true(model_constants_use(constants, "b", 1, &value));
    assert_true(model_constants_use(constants, "_x1=", 3, &value));
    assert_null(opac_constants_unused(constants));
    assert_false(model_constants_use(NULL, "N", 1, &value));
    opac_constants_free(constants);
    opac_constants_free(NULL);
}

typedef struct wrong {
    const char *text;
    opac_status status;
    uint32_t column;
    const char *message;
} wrong;

static void test_wrong(void **state)
{
    (void)state;
    static const wrong all[] = {
        {"", OPAC_ERROR_SYNTAX, 1, "expected the name of a constant, but the text ends here"},
        {"N=1,", OPAC_ERROR_SYNTAX, 5, "expected the name of a constant, but the text ends here"},
        {"N=1,,M=2", OPAC_ERROR_SYNTAX, 5, "expected the name of a constant, found ','"},
        {"3=N", OPAC_ERROR_SYNTAX, 1, "expected the name of a constant, found '3'"},
        {"N", OPAC_ERROR_SYNTAX, 2, "expected '=' and a value after the constant 'N'"},
        {"N 3", OPAC_ERROR_SYNTAX, 3, "expected '=' and a value after the constant 'N'"},
        {"N=", OPAC_ERROR_SYNTAX, 3,
         "the value '' of the constant 'N' must be a number, a fraction, true or false"},
        {"M=1, N=two", OPAC_ERROR_SYNTAX, 8,
         "the value 'two' of the constant 'N' must be a number, a fraction, true or false"},
        {"N=1 2", OPAC_ERROR_SYNTAX, 3,
         "the value '1 2' of the constant 'N' must be a number, a fraction, true or false"},
        {"N=1/-2", OPAC_ERROR_SYNTAX, 3,
         "the value '1/-2' of the constant 'N' must be a number, a fraction, true or false"},
        {"N=-", OPAC_ERROR_SYNTAX, 3,
         "the value '-' of the constant 'N' must be a number, a fraction, true or false"},
        {"N=1/0", OPAC_ERROR_ARGUMENT, 3, "the value '1/0' of the constant 'N': division by zero"},
        {"N=1e999", OPAC_ERROR_ARGUMENT, 3,
         "the value '1e999' of the constant 'N': too large for a double"},
        {"N=1e-400", OPAC_ERROR_ARGUMENT, 3,
         "the value '1e-400' of the constant 'N': too small for a double, and not 0"},
        {"N=1,M=2,N=3", OPAC_ERROR_ARGUMENT, 9, "the constant 'N' is given twice"},
        {"old=1", OPAC_ERROR_ARGUMENT, 1, "the constant 'old' is given twice"},
        {"\xC3\xA9=1", OPAC_ERROR_SYNTAX, 1, "expected the name of a constant, found '\xC3\xA9'"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        opac_constants *constants = constants_of("old=1");
        model_constant value;
        opac_status status = opac_constants_add(constants, all[i].text, &error);
        if (status != all[i].status || error.line != 1 || error.column != all[i].column ||
            strcmp(error.message, all[i].message) != 0)
            fail_msg("case %zu: %s at %u: %s", i, opac_status_name(status), error.column,
                     error.message);
        assert_false(
            model_constants_use(constants, "N", 1, &value)); /* after an error nothing is added */
        assert_false(model_constants_use(constants, "M", 1, &value));
        assert_true(model_constants_use(constants, "old", 3, &value));
        opac_constants_free(constants);
    }
}

static opac_status add_some(void *context, opac_error *err)
{
    (void)context;
    opac_constants *constants;
    opac_status status = opac_constants_new(&constants, err);
    if (status != OPAC_OK)
        return status;
    status = opac_constants_add(constants, "a=1,b=2.5,c=true,d=1/3,e=5,f=6,g=7,h=8,i=9", err);
    opac_constants_free(constants);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(faults_sweep(add_some, NULL) > 18);
}

SUITE(constants)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
