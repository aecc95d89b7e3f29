/* SPDX-License-Identifier: MIT */
/* Properties over a small model: parsing, states of propositions, error messages. */
#include <omegapac/builder.h>
#include <omegapac/property.h>

#include "reading.h"
#include "support/faults.h"

static const char *const text_of_model = "const int N=3; formula low = x<2;\n"
                                         "module m x:[0..N]; b:bool;\n"
                                         "[a] x<N -> 0.5:(x'=x+1) + 0.5:(b'=!b);\n"
                                         "[c] x=N -> (x'=0); endmodule\n"
                                         "label \"top\" = x=N; label \"b\" = x=1;\n";

static opac_model *read_model(const char *type)
{
    base_text text = {0};
    opac_model *model = NULL;
    opac_error error = {0};
    base_text_format(&text, "%s\n%s", type, text_of_model);
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, base_text_get(&text), text.length, NULL,
                                   &model, &error),
              &error);
    base_text_fini(&text);
    return model;
}

static opac_properties *parse(const char *text, const opac_model *model, const char *constants)
{
    opac_properties *properties = NULL;
    opac_property_options options = {0};
    opac_error error = {0};
    assert_ok(opac_constants_new(&options.constants, &error), &error);
    if (constants != NULL)
        assert_ok(opac_constants_add(options.constants, constants, &error), &error);
    assert_ok(opac_properties_parse(text, model, &options, &properties, &error), &error);
    opac_constants_free(options.constants);
    return properties;
}

/* ---- reading ---- */

static void expect_formula(const opac_properties *properties, size_t index, const char *expected)
{
    opac_output *out;
    opac_error error = {0};
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_formula_write(opac_properties_get(properties, index)->formula, OPAC_FORMULA_PRISM, out);
    const char *bytes = opac_output_bytes(out, &length);
    base_text found = {0};
    base_text_add_bytes(&found, bytes, length);
    assert_string_equal(base_text_get(&found), expected);
    base_text_fini(&found);
    opac_output_free(out);
}

static void files_have_several_items(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    opac_properties *properties = parse("// a comment \"with a quote\n"
                                        "const int k; const double q = p/2; const double p=1;\n"
                                        "label \"near\" = x < k & low; // and \"one\"\n"
                                        "formula both = b & low;\n\n"
                                        "\"fast\": P>q [ F<=k-1 \"near\" ];\n"
                                        "Pmax=? [ G x = 0 | b ] Pmin=?\n"
                                        "  [ F both & \"b\" ] // a comment\n"
                                        "P<=0.25 [ F (k=2) & \"top\" ];;\n"
                                        "\"last\": Pmax>0.5 [ x<1 U N=4 | x = 3 ]",
                                        model, "k=2");
    assert_int_equal(opac_properties_count(properties), 5);
    const opac_property *fast = opac_properties_get(properties, 0);
    assert_string_equal(fast->name, "fast");
    assert_string_equal(fast->text, "P>q [ F<=k-1 \"near\" ]");
    assert_int_equal(fast->line, 6);
    assert_int_equal(fast->direction, OPAC_DIRECTION_NONE);
    assert_int_equal(fast->comparison, OPAC_COMPARISON_GREATER);
    assert_true(fast->bound == 0.5);
    assert_true(fast->bound_numerator == 1);
    assert_true(fast->bound_denominator == 2);
    expect_formula(properties, 0, "\"near\" | (X \"near\")");
    const opac_property *second = opac_properties_get(properties, 1);
    assert_string_equal(second->name, "");
    assert_int_equal(second->line, 7);
    assert_int_equal(second->direction, OPAC_DIRECTION_MAX);
    assert_int_equal(second->comparison, OPAC_COMPARISON_VALUE);
    expect_formula(properties, 1, "G x=0 | \"(b)\""); /* b is also a label */
    const opac_property *third = opac_properties_get(properties, 2);
    assert_string_equal(third->text, "Pmin=?\n  [ F both & \"b\" ]");
    assert_int_equal(third->line, 7);
    assert_int_equal(third->direction, OPAC_DIRECTION_MIN);
    expect_formula(properties, 2, "F \"both\" & \"b\"");
    assert_int_equal(opac_properties_get(properties, 3)->comparison, OPAC_COMPARISON_LESS_EQUAL);
    expect_formula(properties, 3, "F \"top\"");
    expect_formula(properties, 4, "x<1 U x=3");
    opac_properties_free(properties);
    opac_model_free(model);
}

/* A bound is stored as the fraction that was written, if it fits. */
static void bounds_are_fractions(void **state)
{
    static const struct {
        const char *text;
        int64_t numerator, denominator;
    } cases[] = {
        {"P>=0.3 [ F b ]", 3, 10},
        {"P<1/3 [ F b ]", 1, 3},
        {"P>=1 [ F b ]", 1, 1},
        {"P>0 [ F b ]", 0, 1},
        {"Pmax>=1 - 2 / 3 [ F b ]", 1, 3},
        {"const double c; P<=c [ F b ]", 2, 7},
        {"P>=1e-3 [ F b ]", 1, 1000},
        {"P>pow(0.5, 0.5) [ F b ]", 0, 0},
        {"P=? [ F b ]", 0, 0},
    };
    opac_model *chain = read_model("dtmc");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *constants = strstr(cases[i].text, "const") != NULL ? "c=2/7" : NULL;
        opac_properties *properties = parse(cases[i].text, chain, constants);
        const opac_property *property = opac_properties_get(properties, 0);
        if (property->bound_numerator != cases[i].numerator ||
            property->bound_denominator != cases[i].denominator)
            fail_msg("%s: %lld/%lld", cases[i].text, (long long)property->bound_numerator,
                     (long long)property->bound_denominator);
        opac_properties_free(properties);
    }
    opac_model_free(chain);
}

/* Other bounds are enclosed by two doubles, also if they depend on constants. */
static void bounds_are_enclosed(void **state)
{
    static const struct {
        const char *text;
        double below, above;
    } cases[] = {
        {"P>=0.50000000000000000000001 [ F b ]", 0.5, 0x1.0000000000001p-1},
        {"P<0.5 + 1e-30 [ F b ]", 0.5, 0x1.0000000000001p-1},
        {"P<(1 -\n  1e-30) [ F b ]", 0x1.fffffffffffffp-1, 1},
        {"const double c; P<=c + 0.3 [ F b ]", 0.5, 0x1.0000000000001p-1},
        {"const double c; P<=(1e20 + c) - 1e20 + 0.3 [ F b ]", 0.5, 0x1.0000000000001p-1},
    };
    opac_model *chain = read_model("dtmc");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *constants =
            strstr(cases[i].text, "const") != NULL ? "c=0.20000000000000000000001" : NULL;
        opac_properties *properties = parse(cases[i].text, chain, constants);
        const opac_property *property = opac_properties_get(properties, 0);
        if (property->bound_denominator != 0 || property->bound_below != cases[i].below ||
            property->bound_above != cases[i].above)
            fail_msg("%s: (%.17g, %.17g)", cases[i].text, property->bound_below,
                     property->bound_above);
        opac_properties_free(properties);
    }
    opac_model_free(chain);
}

static void direction_depends_on_the_model_type(void **state)
{
    (void)state;
    opac_model *chain = read_model("dtmc");
    opac_properties *properties = parse("P=? [ F b ] Pmax=? [ F b ]", chain, NULL);
    assert_int_equal(opac_properties_count(properties), 2);
    opac_properties_free(properties);
    opac_model_free(chain);
}

/* Without a model, only the constants of the file are resolved. */
static void properties_without_a_model(void **state)
{
    (void)state;
    uint64_t bits[1];
    opac_error error = {0};
    opac_properties *properties = parse(
        "const int k=2; label \"l\"=zz>1; formula f=zz; P=? [ F<k y = 1 & \"any\" ]", NULL, NULL);
    assert_int_equal(opac_properties_count(properties), 1);
    expect_formula(properties, 0, "y=1 & \"any\" | (X y=1 & \"any\")");
    assert_status(opac_properties_evaluate(properties, "any", bits, &error), OPAC_ERROR_ARGUMENT);
    opac_properties_free(properties);
}

/* ---- where propositions hold ---- */

typedef bool (*truth)(int64_t x, bool b);

static bool is_near(int64_t x, bool b)
{
    (void)b;
    return x < 2;
}

static bool is_b(int64_t x, bool b)
{
    (void)x;
    return b;
}

static bool is_one(int64_t x, bool b)
{
    (void)b;
    return x == 1;
}

static bool is_mixed(int64_t x, bool b)
{
    return (x + 1) % 2 == 0 || (b && (double)x * 0.5 > 0.7);
}

static bool is_begin(int64_t x, bool b)
{
    return x == 0 && !b;
}

static void expect_states(const opac_model *model, const opac_properties *properties,
                          const char *proposition, truth holds)
{
    uint64_t bits[1] = {~UINT64_C(0)};
    opac_error error = {0};
    if (properties != NULL)
        assert_ok(opac_properties_evaluate(properties, proposition, bits, &error), &error);
    else
        assert_ok(opac_model_evaluate(model, proposition, bits, &error), &error);
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        bool expected = holds(opac_model_value(model, s, 0), opac_model_value(model, s, 1) != 0);
        assert_int_equal(bits[0] >> s & 1, expected);
    }
    assert_true(bits[0] >> opac_model_states(model) == 0);
}

static void propositions_are_evaluated(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    opac_properties *properties =
        parse("const int k=2; label \"far\" = !\"near\" | \"top\"; label \"near\" = x<k;\n"
              "label \"begin\" = \"init\"; Pmax=? [ F \"near\" & b ]",
              model, NULL);
    expect_states(model, properties, "!\"far\"", is_near);
    expect_states(model, properties, "begin", is_begin);
    expect_states(model, NULL, "x<2 & !\"top\"", is_near);
    expect_states(model, NULL, "(b | x=1) & \"b\"", is_one);
    expect_states(model, NULL, "\"init\" & !\"deadlock\"", is_begin);
    expect_states(model, properties, "near", is_near);
    expect_states(model, properties, "x<k", is_near);
    expect_states(model, properties, "(b)", is_b);
    expect_states(model, properties, "b", is_one); /* the label */
    expect_states(model, NULL, "b", is_one);
    expect_states(model, NULL, "(b)", is_b);
    expect_states(model, NULL, "low", is_near);
    expect_states(model, NULL, "mod(x+1,2)=0 | b & x*0.5>0.7", is_mixed);
    opac_properties_free(properties);
    opac_model_free(model);
}

/* Bit i of a letter is the value of proposition i. */
static void letters_are_sets_of_propositions(void **state)
{
    static const char *const names[] = {"b", "(b)", "low", "x=1 | x=2"};
    enum {
        NAMES = sizeof names / sizeof names[0]
    };
    (void)state;
    opac_error error;
    opac_model *model = read_model("mdp");
    uint32_t states = opac_model_states(model);
    uint64_t letters[64], bits[1];
    assert_in_range(states, 2, 64);
    memset(letters, 0xff, sizeof letters);
    assert_ok(opac_model_letters(model, names, NAMES, letters, &error), &error);
    for (size_t i = 0; i < NAMES; i++) {
        assert_ok(opac_model_evaluate(model, names[i], bits, &error), &error);
        for (uint32_t s = 0; s < states; s++)
            assert_int_equal(letters[s] >> i & 1, bits[0] >> s & 1);
    }
    for (uint32_t s = 0; s < states; s++)
        assert_int_equal(letters[s] >> NAMES, 0);
    opac_properties *properties =
        parse("label \"near\" = x<2; Pmax=? [ (G F \"near\") & F (b & x=1) ]", model, NULL);
    assert_ok(opac_properties_letters(properties, 0, letters, &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        uint64_t x = (uint64_t)opac_model_value(model, s, 0);
        uint64_t b = (uint64_t)opac_model_value(model, s, 1);
        assert_int_equal(letters[s], (uint64_t)(x < 2) | b << 1 | (uint64_t)(x == 1) << 2);
    }
    opac_properties_free(properties);
    opac_model_free(model);
}

static void letters_are_limited(void **state)
{
    const char *many[65], *const unknown[] = {"b", "nobody"};
    uint64_t letters[64];
    opac_error error;
    (void)state;
    opac_model *model = read_model("mdp");
    for (size_t i = 0; i < 65; i++)
        many[i] = "b";
    assert_ok(opac_model_letters(model, many, 64, letters, &error), &error);
    assert_status(opac_model_letters(model, many, 65, letters, &error), OPAC_ERROR_LIMIT);
    assert_status(opac_model_letters(model, unknown, 2, letters, &error), OPAC_ERROR_ARGUMENT);
    opac_properties *properties = parse("P>=1 [ F \"b\" ]", NULL, NULL);
    assert_status(opac_properties_letters(properties, 0, letters, &error), OPAC_ERROR_ARGUMENT);
    opac_properties_free(properties);
    opac_model_free(model);
}

static void expect_unknown(const opac_model *model, const opac_properties *properties,
                           const char *proposition, const char *message)
{
    uint64_t bits[1];
    opac_error error = {0};
    opac_status status = properties != NULL
                             ? opac_properties_evaluate(properties, proposition, bits, &error)
                             : opac_model_evaluate(model, proposition, bits, &error);
    assert_true(status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_SYNTAX);
    assert_string_equal(error.message, message);
}

static void unknown_propositions_are_errors(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    opac_properties *properties =
        parse("label \"near\" = x<2; Pmax=? [ F \"near\" & b ]", model, NULL);
    expect_unknown(model, NULL, "tap",
                   "there is no label \"tap\"; did you mean \"top\"? The labels are \"init\", "
                   "\"deadlock\", \"top\", \"b\"");
    expect_unknown(model, properties, "zzz",
                   "there is no label \"zzz\"; the labels are \"init\", \"deadlock\", \"top\", "
                   "\"b\", \"near\"");
    expect_unknown(model, NULL, "y=1", "unknown name 'y'");
    expect_unknown(model, properties, "x",
                   "there is no label \"x\"; the labels are \"init\", "
                   "\"deadlock\", \"top\", \"b\", \"near\"");
    expect_unknown(model, NULL, "mod(1,x)=0", "mod by 0");
    opac_properties_free(properties);
    opac_model_free(model);
}

/* A model with labels but without variables and expressions. */
static void models_with_labels_only(void **state)
{
    (void)state;
    const char *tra = "1 1 1\n0 0 0 1\n";
    opac_model *model;
    opac_error error = {0};
    uint64_t bits[1];
    assert_ok(opac_model_read_text(OPAC_FORMAT_TRA, tra, strlen(tra), NULL, &model, &error),
              &error);
    opac_properties *properties = parse("Pmin=? [ F \"init\" & true ]", model, NULL);
    assert_ok(opac_properties_evaluate(properties, "init", bits, &error), &error);
    assert_int_equal(bits[0], 1);
    expect_unknown(model, NULL, "x=1",
                   "there is no label \"x=1\"; the labels are \"init\", \"deadlock\"");
    opac_properties_free(properties);
    opac_model_free(model);
}

/* ---- mistakes ---- */

typedef struct row {
    const char *text, *messages;
} row;

static const row rows[] = {
    {"", "1:1 the text contains no property\n"},
    {"// nothing\n", "1:1 the text contains no property\n"},
    {"const int k=1;", "1:1 the text contains no property\n"},
    {"P=? [ F x=1 ]", "1:1 P=? is ambiguous for an MDP: write Pmax=? or Pmin=?\n"},
    {"Pmax=? [ F \"tops\" & x=1 ]\n"
     "Pmin=? [ F \"near\" ];\n"
     "label \"near\"=x<2;",
     "1:12 there is no label \"tops\"; did you mean \"top\"? The labels are \"init\", "
     "\"deadlock\", \"top\", \"b\", \"near\"\n"},
    {"Pmax=? [ F xx=1 ] Pmin=? [ G x ];\n"
     "\n"
     "  Pmin=? [ X (x=1 & b=2) ]",
     "1:12 unknown name 'xx'; did you mean 'x'?\n"
     "1:30 expected a Boolean expression, found an int\n"
     "3:22 '=' cannot compare a Boolean and an int\n"},
    {"   Pmax=? [ F b &\n"
     " xx=1 ]",
     "2:2 unknown name 'xx'; did you mean 'x'?\n"},
    {"\"a\": Pmax=? [ F b ];\n"
     "\"a\": Pmin=? [ F b ];",
     "2:1 there is already a property \"a\" (line 1)\n"},
    {"R{\"x\"}=? [ F b ]\n"
     "Rmax=? [ F b ]\n"
     "S>0.5 [ b ]\n"
     "A [ F b ]\n"
     "E [ F b ]\n"
     "filter(forall, b)\n"
     "multi(P>0.5 [ F b ])\n"
     "Pmax=? [ F P>0.5 [ F b ] ];",
     "1:1 the reward operator R is not supported\n"
     "2:1 the reward operator Rmax is not supported\n"
     "3:1 the steady-state operator S is not supported\n"
     "4:1 the path quantifier A is not supported\n"
     "5:1 the path quantifier E is not supported\n"
     "6:1 filters are not supported\n"
     "7:1 several objectives at once are not supported\n"
     "8:12 a P operator inside a formula is not supported\n"},
    {"P>=1.5 [ F b ]; Pmin<x [ F b ]; P>q [ F b ]\n"
     "Pmax=? [ F<=x b ]; Pmax=? [ F<=1.5 b ] Pmax=? [ F<=q b ];",
     "1:4 the bound '1.5' is not a probability: it must be in [0, 1]\n"
     "1:22 the bound 'x' is not constant\n"
     "1:35 unknown name 'q'\n"
     "2:13 the bound 'x' is not constant\n"
     "2:32 the bound '1.5' must be a whole number of steps\n"
     "2:52 unknown name 'q'\n"},
    {"P>0.5 [ F b ] & P<0.7 [ F b ];\n"
     "P>0.5 [ F b ] | true",
     "1:15 a Boolean combination of properties is not supported\n"
     "2:15 a Boolean combination of properties is not supported\n"},
    {"label \"top\"=b; label \"l\"=b; Pmax=? [ F \"k\" ]",
     "1:7 the model already has a label \"top\"\n"},
    {"\"a\" & P>0.5 [ F b ]; \"b\"; x=1",
     "1:1 a property cannot refer to another one, nor to a label outside of P\n"
     "1:22 a property cannot refer to another one, nor to a label outside of P\n"
     "1:27 expected a property that begins with P, Pmax or Pmin, found 'x'\n"},
    {"const int k; const double q; label \"l\"=x<k;\n"
     "P>q [ F \"l\" ]; P>q [ F ]",
     "1:11 constants k and q have no values: give them with k=...,q=...\n"
     "2:24 expected an operand, found ']'\n"},
    {"const int N=1; label \"top\"=b; label \"l\"=x; formula low=b; label \"l2\"=xx=1;\n"
     "Pmax=? [ F b",
     "1:11 'N' is already a constant\n"
     "1:41 expected a Boolean label, found an int\n"
     "1:52 'low' is already a formula\n"
     "1:70 unknown name 'xx'; did you mean 'x'?\n"
     "2:13 expected ']', found the end of the formula\n"},
    {"Pmax=? [ F b\n"
     "\"next\": Pmin=? [ G b ;\n"
     "label \"x\"=b;\n"
     "Pmax=? [ F b) ];",
     "1:13 expected ']', found the end of the formula\n"
     "2:21 expected ']', found the end of the formula\n"
     "4:13 this ')' has no '(' before it\n"},
    {"Pmax=? [ F \"init\" & \"deadlock\" U ]\n"
     "Pmax? [ F b ]\n"
     "P[ F b ]\n"
     "module m endmodule",
     "1:34 expected an operand, found ']'\n"
     "2:5 expected '=?' or a comparison with a probability, found '?'\n"
     "3:2 expected '=?' or a comparison with a probability, found '['\n"},
    {"Pmax=? [ F x/2=1 & mod(x,0)=1 | foo(x) ];", "1:33 unknown function 'foo'\n"},
    {"Pmax=? [ "
     "\"lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
     "lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
     "llllllllllllllll\" ]",
     "1:10 there is no label "
     "\"lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
     "lllllllllllllllllllllllllllllllll...\"; the labels are \"init\", \"deadlock\", \"top\", "
     "\"b\"\n"},
};

static void every_error_is_reported(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        base_text messages = {0};
        opac_property_options options = {.listener = reading_collect,
                                         .listener_context = &messages};
        opac_properties *properties;
        opac_error error = {0};
        opac_status status =
            opac_properties_parse(rows[i].text, model, &options, &properties, &error);

        assert_string_equal(base_text_get(&messages), rows[i].messages);
        assert_true(status != OPAC_OK);
        assert_true(status == error.code);
        assert_null(properties);
        base_text_fini(&messages);
    }
    opac_model_free(model);
}

/* A text that both grammars accept with different meanings causes a warning, not an error. */
static void ambiguity_causes_a_warning(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    base_text messages = {0};
    opac_property_options options = {.listener = reading_collect, .listener_context = &messages};
    opac_properties *properties;
    opac_error error = {0};
    assert_ok(opac_properties_parse("\n  Pmax=? [ F \"top\" & \"b\" ]", model, &options,
                                    &properties, &error),
              &error);
    assert_true(strncmp(base_text_get(&messages), "2:", 2) == 0);
    assert_non_null(strstr(base_text_get(&messages), "warning: read as F (\"top\" & \"b\")"));
    opac_properties_free(properties);
    base_text_fini(&messages);
    opac_model_free(model);
}

/* ---- out of memory ---- */

static opac_status parse_all(void *context, opac_error *error)
{
    opac_properties *properties;
    uint64_t bits[1], letters[64];
    opac_status status = opac_properties_parse(
        "const int k=2; label \"l\"=x<k; formula f=b&low; \"n\": P>k/4 [ F<=k \"l\" & f & x=1 ]",
        context, NULL, &properties, error);
    if (status != OPAC_OK)
        return status;
    status = opac_properties_evaluate(properties, "l", bits, error);
    if (status == OPAC_OK)
        status = opac_properties_evaluate(properties, "x=k", bits, error);
    if (status == OPAC_OK)
        status = opac_properties_letters(properties, 0, letters, error);
    if (status == OPAC_OK) {
        status = opac_properties_evaluate(properties, "nn", bits, error);
        status = status == OPAC_ERROR_ARGUMENT ? OPAC_OK : status;
    }
    opac_properties_free(properties);
    return status;
}

static opac_status parse_wrong(void *context, opac_error *error)
{
    opac_properties *properties;
    opac_status status = opac_properties_parse("Pmax=? [ F \"l\" ] Pmax=? [ F y=1 ] label \"k\"=q;",
                                               context, NULL, &properties, error);
    return status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_ARGUMENT ? OPAC_OK : status;
}

static void allocation_failures(void **state)
{
    (void)state;
    opac_model *model = read_model("mdp");
    assert_true(faults_sweep(parse_all, model) > 30);
    assert_true(faults_sweep(parse_wrong, model) > 10);
    opac_model_free(model);
}

SUITE(properties)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_is_reported),
        cmocka_unit_test(files_have_several_items),
        cmocka_unit_test(bounds_are_fractions),
        cmocka_unit_test(bounds_are_enclosed),
        cmocka_unit_test(direction_depends_on_the_model_type),
        cmocka_unit_test(properties_without_a_model),
        cmocka_unit_test(propositions_are_evaluated),
        cmocka_unit_test(letters_are_sets_of_propositions),
        cmocka_unit_test(letters_are_limited),
        cmocka_unit_test(unknown_propositions_are_errors),
        cmocka_unit_test(models_with_labels_only),
        cmocka_unit_test(ambiguity_causes_a_warning),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
