/* SPDX-License-Identifier: MIT */
/* Letters from labels, expressions and labels of a property file; unknown propositions. */
#include "product/letters.h"
#include "scene.h"

static const char walk[] =
    "dtmc module m x : [0..2]; [] x<2 -> (x'=x+1); [] x=2 -> true; endmodule "
    "label \"done\" = x=2;";

/* An automaton without states, for its propositions only. */
static opac_automaton about(char **propositions, uint32_t count)
{
    return (opac_automaton){.propositions = propositions, .proposition_count = count};
}

static void by_the_model(void **unused)
{
    char *names[] = {"done", "x>0", "x=5"};
    opac_automaton automaton = about(names, 3);
    opac_model *model = scene_prism(walk);
    uint64_t *letters;
    opac_error error;
    (void)unused;
    assert_ok(product_letters(model, NULL, &automaton, &letters, &error), &error);
    assert_int_equal(letters[0], 0);
    assert_int_equal(letters[1], 2);
    assert_int_equal(letters[2], 3);
    base_free(letters);
    opac_model_free(model);
}

static void by_the_properties(void **unused)
{
    char *names[] = {"mine", "done"};
    opac_automaton automaton = about(names, 2);
    opac_model *model = scene_prism(walk);
    opac_properties *properties;
    uint64_t *letters;
    opac_error error;
    (void)unused;
    assert_ok(opac_properties_parse("label \"mine\" = x<2; P=? [ F \"mine\" ]", model, NULL,
                                    &properties, &error),
              &error);
    assert_ok(product_letters(model, properties, &automaton, &letters, &error), &error);
    assert_int_equal(letters[0], 1);
    assert_int_equal(letters[1], 1);
    assert_int_equal(letters[2], 2);
    base_free(letters);
    assert_status(product_letters(model, NULL, &automaton, &letters, &error), OPAC_ERROR_ARGUMENT);
    assert_null(letters);
    opac_properties_free(properties);
    opac_model_free(model);
}

static void unknown(void **unused)
{
    static const struct {
        char *name;
        const char *message;
    } cases[] = {
        {"don", "proposition \"don\" of the automaton: there is no label \"don\"; did you mean "
                "\"done\"?"},
        {"a\nb", "proposition \"a\\x0Ab\" of the automaton: "},
        {"y=1", "proposition \"y=1\" of the automaton: "},
        {"x=", "proposition \"x=\" of the automaton: "},
    };
    opac_model *model = scene_prism(walk);
    opac_error error;
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *names[] = {"done", cases[i].name};
        opac_automaton automaton = about(names, 2);
        uint64_t *letters;
        assert_int_not_equal(product_letters(model, NULL, &automaton, &letters, &error), OPAC_OK);
        assert_null(letters);
        if (strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s", error.message);
        assert_null(strchr(error.message, '\n'));
        assert_int_equal(error.line, 0);
    }
    opac_model_free(model);
}

static void too_many(void **unused)
{
    char *names[65];
    opac_model *model = scene_prism(walk);
    uint64_t *letters;
    opac_error error;
    (void)unused;
    for (size_t i = 0; i < 65; i++)
        names[i] = i % 2 == 0 ? "x>0" : "done";
    opac_automaton automaton = about(names, 65);
    assert_status(product_letters(model, NULL, &automaton, &letters, &error), OPAC_ERROR_LIMIT);
    automaton.proposition_count = 64;
    assert_ok(product_letters(model, NULL, &automaton, &letters, &error), &error);
    assert_int_equal(letters[1], UINT64_C(0x5555555555555555));
    assert_int_equal(letters[2], UINT64_MAX);
    base_free(letters);
    opac_model_free(model);
}

SUITE(letters)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_model),
        cmocka_unit_test(by_the_properties),
        cmocka_unit_test(unknown),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests_name("product.letters", tests, NULL, NULL);
}
