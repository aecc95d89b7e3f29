/* SPDX-License-Identifier: MIT */
/* Results of check: the text follows from the JSON, and no allocation that fails is overlooked. */
#include <omegapac/property.h>

#include "result/texts.h"
#include "support/faults.h"

/* Two by two places on two layers, so that its policies have maps with titles; two initial states. */
static const char grid[] = "mdp\n"
                           "module m\n"
                           "    x : [0..1];\n"
                           "    y : [0..1];\n"
                           "    done : bool;\n"
                           "    [e] x=0 -> 0.3 : (x'=1) + 0.7 : true;\n"
                           "    [n] y=0 -> 0.5 : (y'=1) + 0.5 : (x'=0);\n"
                           "    [] x=1 & y=1 -> (done'=true);\n"
                           "endmodule\n"
                           "init x=0 & !done endinit\n"
                           "label \"goal\" = x=1 & y=1;\n";

typedef struct example {
    opac_model *model;
    opac_formula *formula;
    opac_objective objective;
    opac_check_outcome outcomes[2];
    opac_check_answer answer;
} example;

static void find(example *e, size_t index, const char *name)
{
    opac_error error;
    const opac_check_options options = {.policy = index == 0, .threads = 1};
    opac_check_outcome *o = &e->outcomes[index];
    *o = (opac_check_outcome){.name = name, .objective = "F goal", .seconds = 3};
    assert_ok(opac_check(e->model, &e->objective, &options, &o->solution, &error), &error);
    if (options.policy)
        assert_ok(opac_solution_policy(o->solution, &o->policy, &error), &error);
}

static int set_up(void **state)
{
    static example e;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, grid, strlen(grid), NULL, &e.model, &error),
              &error);
    assert_ok(opac_formula_parse("F goal", NULL, &e.formula, &error), &error);
    e.objective = (opac_objective){.formula = e.formula};
    find(&e, 0, "");
    e.objective.direction = OPAC_DIRECTION_MIN;
    e.objective.comparison = OPAC_COMPARISON_GREATER_EQUAL;
    e.objective.bound = 0.5;
    find(&e, 1, "named");
    e.answer = (opac_check_answer){.model = e.model, .outcomes = e.outcomes, .count = 1};
    *state = &e;
    return 0;
}

static int tear_down(void **state)
{
    example *e = *state;
    for (size_t i = 0; i < 2; i++) {
        opac_policy_free(e->outcomes[i].policy);
        opac_solution_free(e->outcomes[i].solution);
    }
    opac_formula_free(e->formula);
    opac_model_free(e->model);
    return 0;
}

/* The caller frees. */
static char *text_of(const opac_check_answer *answer, bool is_brief)
{
    const opac_result_source source = {
        .model = "grid", .has_times = true, .read_seconds = 2, .is_brief = is_brief};
    opac_result *result;
    opac_error error;
    assert_ok(opac_result_of_check(answer, &source, &result, &error), &error);
    return take_text(result);
}

static char *brief_and_whole(const opac_check_answer *answer)
{
    char *brief = text_of(answer, true), *whole = text_of(answer, false);
    assert_string_equal(brief, whole);
    free(whole);
    return brief;
}

static void a_stored_result_has_the_same_text(void **state)
{
    example *e = *state;
    opac_check_answer answer = e->answer;
    answer.files = (opac_result_files){.policy = "p.json", .dot = "p.dot"};
    char *text = brief_and_whole(&answer);
    assert_non_null(strstr(text, "\npolicy             "));
    assert_non_null(strstr(text, " memory value"));
    assert_non_null(strstr(text, "\nwritten to         p.json\nwritten to         p.dot\n"));
    assert_non_null(strstr(text, "\nfrom               x=0, y=1, done=false: "));
    assert_non_null(strstr(text, "\nread in            2.0 s\nsolved in          3.0 s\n"));
    free(text);
}

static void several_objectives(void **state)
{
    example *e = *state;
    opac_check_answer answer = e->answer;
    answer.is_list = true;
    answer.count = 2;
    char *text = brief_and_whole(&answer);
    assert_non_null(strstr(text, "\n\nProperty: \"named\": F goal\nResult: "));
    assert_non_null(strstr(text, ", of the negation\n"));
    free(text);
    /* One of them, as it is shown while the others are computed. */
    answer.outcomes++;
    answer.count = 1;
    text = brief_and_whole(&answer);
    assert_ptr_equal(strstr(text, "Property: \"named\": F goal\nResult: "), text);
    free(text);
}

static opac_status tell(void *context, opac_error *error)
{
    const example *e = context;
    const opac_result_source source = {.model = "grid", .params = "{\"precision\": 1e-6}"};
    opac_result *result;
    TRY(opac_result_of_check(&e->answer, &source, &result, error));
    return write_text_of(result, error);
}

static void allocations_that_fail(void **state)
{
    assert_true(faults_sweep(tell, *state) > 10);
}

SUITE(check)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_result_has_the_same_text),
        cmocka_unit_test(several_objectives),
        cmocka_unit_test(allocations_that_fail),
    };
    return cmocka_run_group_tests_name("result.check", tests, set_up, tear_down);
}
