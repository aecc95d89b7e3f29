/* SPDX-License-Identifier: MIT */
/*
 * Errors in explicit files: each kind has its own message with a position and what was expected, and the
 * listener receives it with the line.
 */
#include "model/explicit_read.h"
#include "support/check.h"

typedef struct wrong {
    const char *tra, *lab, *sta;
    opac_status status;
    uint32_t line, column;
    const char *message;
} wrong;

#define TRA "2 2\n0 1 1\n1 0 1\n"
#define LAB "0=\"init\" 1=\"deadlock\" 2=\"x\"\n0: 0\n"

static const wrong transitions[] = {
    /* the header */
    {"", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "expected the numbers of states and transitions, but the file is empty"},
    {"# only\n\n", NULL, NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "expected the numbers of states and transitions, but the file is empty"},
    {"2\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 2,
     "expected the number of transitions, but the line ends here"},
    {"dtmc\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "expected the numbers of states, choices (of an MDP) and transitions, found 'dtmc'"},
    {"2 x\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 3,
     "expected the numbers of states, choices (of an MDP) and transitions, found 'x'"},
    {"2 -1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 3,
     "expected the numbers of states, choices (of an MDP) and transitions, found '-1'"},
    {"2 3x 3\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 3,
     "expected the numbers of states, choices (of an MDP) and transitions, found '3x'"},
    {"2 3 4 2\n", NULL, NULL, OPAC_ERROR_UNSUPPORTED, 1, 1,
     "models of the type POMDP are not supported, only DTMCs and MDPs"},
    {"2 3 4 2 5\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 9, "expected the end of the line, found '5'"},
    {"# Transitions (CTMC)\n2 2\n0 1 1\n1 0 1\n", NULL, NULL, OPAC_ERROR_UNSUPPORTED, 1, 16,
     "models of the type CTMC are not supported, only DTMCs and MDPs"},
    {"0 0\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 1, "a model must have at least one state"},
    {"50000001 1\n0 0 1\n", NULL, NULL, OPAC_ERROR_LIMIT, 1, 1,
     "the model has 50000001 states, but the limit is 50000000"},
    {"99999999999999999999999 1\n", NULL, NULL, OPAC_ERROR_LIMIT, 1, 1,
     "the model has 18446744073709551615 states, but the limit is 50000000"},
    {"2 9999999999\n", NULL, NULL, OPAC_ERROR_LIMIT, 1, 3,
     "the model has more than 4294967294 choices or transitions"},
    {"50000000 1\n0 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "50000000 states are declared, but the file has only 1 transitions"},
    {"50000000 1\n49999999 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "50000000 states are declared, but the file has only 1 transitions"},
    {"2 3\n0 1 1\n1 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 3,
     "3 transitions are declared, but the file has 2"},
    {"2 1\n0 1 1\n1 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "the file has more transitions than the 1 that line 1 declares"},
    {"# c\n2 3 2\n0 0 1 1\n1 0 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "3 choices are declared, but the file has 2"},
    {"2 2 3\n0 0 1 1\n1 1 0 1\n1 0 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 1, 3,
     "2 choices are declared, but the file has 3"},
    /* lines */
    {"2 2\nx 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 1,
     "expected the number of a state, found 'x'"},
    {"2 2\n0\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 2,
     "expected the number of the state it leads to, but the line ends here"},
    {"2 2\n0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 4,
     "expected a probability, but the line ends here"},
    {"2 2\n2 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 1,
     "state 2 does not exist: line 1 declares 2 states"},
    {"2 2\n0 7 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "state 7 does not exist: line 1 declares 2 states"},
    {"2 2\n0 1 one\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5, "expected a probability, found 'one'"},
    {"2 2\n0 1 [0.1,0.9]\n", NULL, NULL, OPAC_ERROR_UNSUPPORTED, 2, 5,
     "interval probabilities are not supported"},
    {"2 2\n0 1 1/0\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5,
     "the probability '1/0': division by zero"},
    {"2 2\n0 1 1e999\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5,
     "the probability '1e999': too large for a double"},
    {"2 2\n0 1 1.5\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5,
     "the probability '1.5' is not in [0, 1]; rates (continuous-time models) are not supported"},
    {"2 2\n0 1 -0.5\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5,
     "the probability '-0.5' is not in [0, 1]"},
    {"2 2\n0 1 1 a b\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 9,
     "expected the end of the line after the action, found 'b'"},
    {"2 2\n0 0:0.5 1:0.5\n", NULL, NULL, OPAC_ERROR_UNSUPPORTED, 2, 3,
     "transitions in rows are not supported: write one transition per line"},
    {"2 2 2\n0 2 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "choice 2 does not exist: line 1 declares 2 choices in total"},
    {"2 2 2\n0 a 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "expected the number of a choice, found 'a'"},
    {"2 4 3\n0 0 1 1\n0 2 1 1\n1 0 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "state 0 has a choice 2, but no choice 1"},
    {"2 2 2\n1 1 0 1\n0 0 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 1,
     "state 1 has a choice 1, but no choice 0"},
    {"2 9 2\n1 8 0 1\n0 0 0 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 1,
     "state 1 has a choice 8, but there are only 2 transitions"},
    {"2 2 3\n0 0 1 0.5 a\n0 0 0 0.5 b\n1 0 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "choice 0 of state 0 has the action 'b' here and 'a' before"},
    {"2 2 3\n0 0 1 0.5\n0 0 0 0.5 b\n1 0 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "choice 0 of state 0 has the action 'b' here and '' before"},
    {"2 2 3\n0 0 1 0.5 b\n1 0 1 1\n0 0 0 0.5\n", NULL, NULL, OPAC_ERROR_SYNTAX, 4, 1,
     "choice 0 of state 0 has the action '' here and 'b' before"},
    {"2 2\n- x -\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3, "expected an initial state, found 'x'"},
    {"2 2\n- 5 -\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "state 5 does not exist: line 1 declares 2 states"},
    {"2 2 2\n- 1 -\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 3,
     "expected '-', as in all lines of initial states, found '1'"},
    {"2 2\n- 1 0.5\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 5,
     "expected '-' and the end of the line, found '0.5'"},
    {"2 2\n\xC3\xA9 1 1\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 1,
     "expected the number of a state, found '\xC3\xA9'"},
    {"2 2\n0 1 1 \xC3\xA9\xC3\xA9 b\n", NULL, NULL, OPAC_ERROR_SYNTAX, 2, 10,
     "expected the end of the line after the action, found 'b'"},
    /* sums */
    {"2 3\n0 1 0.5\n# here\n1 0 0.5\n1 1 0.25\n", NULL, NULL, OPAC_ERROR_ARGUMENT, 2, 1,
     "state 0, choice 0: the probabilities sum to 0.5 instead of 1"},
    {"2 3\n0 1 1\n# here\n1 0 0.5\n1 1 0.25\n", NULL, NULL, OPAC_ERROR_ARGUMENT, 4, 1,
     "state 1, choice 0: the probabilities sum to 0.75 instead of 1"},
    {"2 3\n1 0 1\n1 1 1\n0 1 1\n", NULL, NULL, OPAC_ERROR_ARGUMENT, 2, 1,
     "state 1, choice 0: the probabilities sum to 2 instead of 1; rates (continuous-time models) "
     "are not supported"},
    {"2 2\n0 1 0\n1 1 1\n", NULL, NULL, OPAC_ERROR_ARGUMENT, 2, 1,
     "state 0, choice 0: the probabilities sum to 0 instead of 1"},
    /* labels */
    {TRA, "", NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "expected labels, as in 0=\"init\" 1=\"deadlock\", but the file is empty"},
    {TRA, "init\n", NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "expected labels, as in 0=\"init\" 1=\"deadlock\", found 'init'"},
    {TRA, "0=\"init\" 2=\"x\"\n", NULL, OPAC_ERROR_SYNTAX, 1, 10,
     "expected label 1, found 2: labels must be numbered from 0"},
    {TRA, "0:\"init\"\n", NULL, OPAC_ERROR_SYNTAX, 1, 2,
     "expected '=' and a name in quotes, found ':\"init\"'"},
    {TRA, "0=init\n", NULL, OPAC_ERROR_SYNTAX, 1, 3, "expected a name in quotes, found 'init'"},
    {TRA, "0=\"init\n", NULL, OPAC_ERROR_SYNTAX, 1, 3, "the closing quotation mark is missing"},
    {TRA, "0=\"\"\n", NULL, OPAC_ERROR_SYNTAX, 1, 4, "the name of the label is empty"},
    {TRA, "0=\"init\" 1=\"x\" 2=\"x\"\n", NULL, OPAC_ERROR_SYNTAX, 1, 19,
     "the label 'x' is declared twice"},
    {TRA, LAB "x: 0\n", NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "expected the number of a state, found 'x:'"},
    {TRA, LAB "2: 0\n", NULL, OPAC_ERROR_SYNTAX, 3, 1,
     "state 2 does not exist: the model has 2 states"},
    {TRA, LAB "1 0\n", NULL, OPAC_ERROR_SYNTAX, 3, 3,
     "expected ':' and the numbers of labels, found '0'"},
    {TRA, LAB "1: 0 x\n", NULL, OPAC_ERROR_SYNTAX, 3, 6,
     "expected the number of a label, found 'x'"},
    {TRA, LAB "1: 0,1\n", NULL, OPAC_ERROR_SYNTAX, 3, 4,
     "expected the number of a label, found '0,1'"},
    {TRA, LAB "1: 0 3\n", NULL, OPAC_ERROR_SYNTAX, 3, 6,
     "label 3 does not exist: line 1 declares 3 labels"},
    {TRA, "0=\"init\" 1=\"deadlock\"\n0: 1\n", NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "there is no initial state: no state has the label \"init\""},
    {"2 2\n- 1 -\n0 1 1\n1 0 1\n", LAB, NULL, OPAC_ERROR_SYNTAX, 1, 1,
     "the states with the label \"init\" are not the initial states of the .tra file"},
    /* states */
    {TRA, NULL, "", OPAC_ERROR_SYNTAX, 1, 1,
     "expected the names of the variables, as in (x,y), but the file is empty"},
    {TRA, NULL, "x,y\n", OPAC_ERROR_SYNTAX, 1, 1,
     "expected the names of the variables, as in (x,y), found 'x,y'"},
    {TRA, NULL, "(x,,y)\n", OPAC_ERROR_SYNTAX, 1, 4,
     "expected the name of a variable, found ',y)'"},
    {TRA, NULL, "(x,y\n", OPAC_ERROR_SYNTAX, 1, 5, "expected ',' or ')', but the line ends here"},
    {TRA, NULL, "(x,y) z\n", OPAC_ERROR_SYNTAX, 1, 7, "expected the end of the line, found 'z'"},
    {TRA, NULL, "(x,x)\n", OPAC_ERROR_SYNTAX, 1, 4, "the variable 'x' is declared twice"},
    {TRA, NULL, "(x)\n(1)\n", OPAC_ERROR_SYNTAX, 2, 1,
     "expected the number of a state, found '(1)'"},
    {TRA, NULL, "(x)\n5:(1)\n", OPAC_ERROR_SYNTAX, 2, 1,
     "state 5 does not exist: the model has 2 states"},
    {TRA, NULL, "(x)\n0(1)\n", OPAC_ERROR_SYNTAX, 2, 2,
     "expected ':' and the values of the variables, found '(1)'"},
    {TRA, NULL, "(x)\n0:1\n", OPAC_ERROR_SYNTAX, 2, 3,
     "expected '(' and the values of the variables, found '1'"},
    {TRA, NULL, "(x)\n0:(one)\n", OPAC_ERROR_SYNTAX, 2, 4,
     "expected an integer, true or false, found 'one)'"},
    {TRA, NULL, "(x)\n0:(1.5)\n", OPAC_ERROR_SYNTAX, 2, 5,
     "expected ')' after the value of the last variable, found '.5)'"},
    {TRA, NULL, "(x)\n0:(9223372036854775808)\n", OPAC_ERROR_SYNTAX, 2, 4,
     "expected an integer, true or false, found '9223372036854775808)'"},
    {TRA, NULL, "(x)\n0:(1,2)\n", OPAC_ERROR_SYNTAX, 2, 5,
     "expected ')' after the value of the last variable, found ',2)'"},
    {TRA, NULL, "(x,y)\n0:(1)\n", OPAC_ERROR_SYNTAX, 2, 5,
     "expected ',' and the value of the next variable, found ')'"},
    {TRA, NULL, "(x)\n0:(1) 2\n", OPAC_ERROR_SYNTAX, 2, 7,
     "expected the end of the line, found '2'"},
    {TRA, NULL, "(x)\n0:(1)\n1:(true)\n", OPAC_ERROR_SYNTAX, 3, 4,
     "expected an integer for variable 0, as in the lines above"},
    {TRA, NULL, "(x)\n0:(1)\n0:(2)\n", OPAC_ERROR_SYNTAX, 3, 1, "state 0 has two lines"},
    {TRA, NULL, "(x)\n1:(1)\n", OPAC_ERROR_SYNTAX, 3, 1,
     "state 0 is missing: the model has 2 states"},
    {TRA, NULL, "(x)\n0:(-1)\n1:(4294967295)\n", OPAC_ERROR_LIMIT, 1, 1,
     "variable 'x': the range -1 to 4294967295 has more than 2^32 values"},
};

typedef struct heard {
    unsigned errors;
    opac_error last;
    char excerpt[128];
} heard;

static void hear(void *context, const opac_message *message)
{
    heard *h = context;
    if (message->code == OPAC_OK)
        return;
    h->errors++;
    h->last = (opac_error){.code = message->code, .line = message->line, .column = message->column};
    snprintf(h->last.message, sizeof h->last.message, "%s", message->text);
    assert_null(message->path);
    snprintf(h->excerpt, sizeof h->excerpt, "%.*s", (int)message->excerpt_length,
             message->excerpt != NULL ? message->excerpt : "");
}

static opac_status read_part(const char *text, const opac_model_options *options, int part,
                             opac_model **model, bool *has_initial, opac_error *error)
{
    model_source source = {.text = text, .length = strlen(text), .options = options};
    if (part == 0)
        return model_tra_read(&source, model, has_initial, error);
    return part == 1 ? model_lab_read(&source, *has_initial, *model, error)
                     : model_sta_read(&source, *model, error);
}

/* The line of a text, for comparison with the excerpt. */
static void line_of(const char *text, uint32_t line, char *buffer, size_t size)
{
    for (; line > 1 && text != NULL && strchr(text, '\n') != NULL; line--)
        text = strchr(text, '\n') + 1;
    snprintf(buffer, size, "%.*s", (int)strcspn(text, "\n"), text);
}

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof transitions / sizeof *transitions; i++) {
        const wrong *w = &transitions[i];
        const char *parts[] = {w->tra, w->lab, w->sta};
        heard h = {0};
        opac_model_options options = {.listener = hear, .listener_context = &h};
        opac_model *model = NULL;
        opac_error error = {0};
        opac_status status = OPAC_OK;
        bool has_initial;
        char expected[128];
        int part = 0;
        for (; status == OPAC_OK && part < 3; part++)
            if (parts[part] != NULL)
                status = read_part(parts[part], &options, part, &model, &has_initial, &error);
        if (status != w->status || error.line != w->line || error.column != w->column ||
            strcmp(error.message, w->message) != 0)
            fail_msg("case %zu: %s at %u:%u: %s", i, opac_status_name(status), error.line,
                     error.column, error.message);
        assert_int_equal(h.errors, 1);
        assert_int_equal(h.last.code, status);
        assert_int_equal(h.last.line, w->line);
        assert_int_equal(h.last.column, w->column);
        assert_string_equal(h.last.message, w->message);
        line_of(parts[part - 1], w->line, expected, sizeof expected);
        assert_string_equal(h.excerpt, expected);
        opac_model_free(model);
    }
}

/* A positive number that is too small for a double is an error, not 0. */
static void test_too_small(void **state)
{
    (void)state;
    static const struct {
        const char *number, *message;
    } cases[] = {
        {"1e-400", "the probability '1e-400': too small for a double, and not 0"},
        {"3/4e320", "the probability '3/4e320': too small for a double, and not 0"},
        {"2e-310", "the probability '2e-310' is too small for a double"},
    };
    for (int exact = 0; exact < 2; exact++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[64];
            opac_model *model;
            opac_error error;
            opac_model_options options = {.exact = exact != 0};
            snprintf(text, sizeof text, "2 3\n0 0 1\n0 1 %s\n1 1 1\n", cases[i].number);
            assert_status(model_read_tra_text(text, strlen(text), &options, &model, &error),
                          OPAC_ERROR_SYNTAX);
            assert_int_equal(error.line, 3);
            assert_int_equal(error.column, 5);
            assert_string_equal(error.message, cases[i].message);
        }
}

static void test_sums_at_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *message; /* NULL: accepted */
    } cases[] = {
        {"0.5", "0.49999", NULL},
        {"0.5", "0.50001", NULL},
        {"0.5", "0.499989", "state 0, choice 0: the probabilities sum to 0.999989 instead of 1"},
        {"0", "0", "state 0, choice 0: the probabilities sum to 0 instead of 1"},
    };
    for (int exact = 0; exact < 2; exact++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[64];
            opac_model *model = NULL;
            opac_error error = {0};
            opac_model_options options = {.exact = exact != 0};
            snprintf(text, sizeof text, "3 4\n0 1 %s\n0 2 %s\n1 1 1\n2 2 1\n", cases[i].first,
                     cases[i].second);
            opac_status status = model_read_tra_text(text, strlen(text), &options, &model, &error);
            assert_int_equal(status == OPAC_OK, cases[i].message == NULL);
            if (cases[i].message != NULL)
                assert_string_equal(error.message, cases[i].message);
            opac_model_free(model);
        }
}

/* In exact models, fractions are divided by their sum and must be representable. */
static void test_exact(void **state)
{
    (void)state;
    opac_model_options options = {.exact = true};
    opac_model *model;
    opac_error error;
    const char *good = "3 5\n0 0 1/3\n0 1 0.5\n0 2 1/6\n1 1 1\n2 2 1.0\n";
    assert_ok(model_read_tra_text(good, strlen(good), &options, &model, &error), &error);
    assert_int_equal(model->exact[0].denominator, 3);
    assert_int_equal(model->exact[1].denominator, 2);
    opac_model_free(model);
    const char *inexact = "2 3\n1 1 1\n0 0 0.333333333333\n0 1 0.666666666666\n";
    assert_ok(model_read_tra_text(inexact, strlen(inexact), &options, &model, &error), &error);
    assert_int_equal(model->exact[0].numerator, 1);
    assert_int_equal(model->exact[0].denominator, 3);
    assert_int_equal(model->exact[1].numerator, 2);
    assert_int_equal(model->exact[1].denominator, 3);
    opac_model_free(model);
    const char *far = "2 3\n1 1 1\n0 0 0.3333\n0 1 0.6666\n";
    assert_status(model_read_tra_text(far, strlen(far), &options, &model, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message,
                        "state 0, choice 0: the probabilities sum to 0.9999 instead of 1");
    const char *tiny = "2 3\n1 1 1\n0 0 1e-30\n0 1 1\n";
    assert_status(model_read_tra_text(tiny, strlen(tiny), &options, &model, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message,
                        "state 0, choice 0: the exact value of the probability 1e-30 "
                        "to state 0 does not fit in a fraction of 64-bit numbers");
    /* The double of such a long decimal is a fraction, but not the given number. */
    const char *longer = "2 3\n1 1 1\n0 0 0.50000000000000000000001\n0 1 0.5\n";
    assert_status(model_read_tra_text(longer, strlen(longer), &options, &model, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 0, choice 0: the exact value of the probability 0.5 "
                                       "to state 0 does not fit in a fraction of 64-bit numbers");
}

SUITE(tra_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_sums_at_the_limit),
        cmocka_unit_test(test_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
