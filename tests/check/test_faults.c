/* SPDX-License-Identifier: MIT */
/* Every allocation of a check fails once: an error, and nothing leaked. */
#include "check/scene.h"
#include "support/faults.h"

static const char text[] = "mdp\n"
                           "module m\n"
                           "    s : [0..3];\n"
                           "    [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);\n"
                           "    [] s=0 -> 0.25 : (s'=3) + 0.75 : true;\n"
                           "    [] s=1 -> 0.5 : (s'=0) + 0.5 : (s'=3);\n"
                           "    [] s>1 -> true;\n"
                           "endmodule\n"
                           "init s<2 endinit\n"
                           "label \"goal\" = s=3;\n"
                           "label \"one\" = s=1;\n";

typedef struct call {
    const opac_model *model;
    opac_objective objective;
    opac_check_options options;
} call;

static opac_status check(void *context, opac_error *error)
{
    const call *c = context;
    opac_solution *solution;
    opac_policy *policy = NULL;
    opac_status status = opac_check(c->model, &c->objective, &c->options, &solution, error);
    if (status == OPAC_OK && c->options.policy)
        status = opac_solution_policy(solution, &policy, error);
    opac_policy_free(policy);
    opac_solution_free(solution);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    opac_model *model = scene_model(text, false);
    opac_formula *formula = scene_formula("F goal");
    opac_automaton *automaton = scene_automaton(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"goal\"\nAcceptance: 2 Inf(0) & Inf(1)\n--BODY--\n"
        "State: 0\n[!0] 0 {0}\n[0] 1\nState: 1\n[0] 1 {0 1}\n--END--\n");
    const opac_check_options plain = {.threads = 1}, policy = {.threads = 1, .policy = true};
    const opac_check_options ldba = {.threads = 1, .kind = OPAC_KIND_LDBA, .policy = true};
    const opac_check_options pool = {.threads = 2};
    const opac_objective most = {.formula = formula};
    const opac_objective least = {.formula = formula, .direction = OPAC_DIRECTION_MIN};
    const opac_objective given = {.automaton = automaton};
    const opac_objective rest = {.automaton = automaton, .direction = OPAC_DIRECTION_MIN};
    const opac_objective bound = {
        .formula = formula, .comparison = OPAC_COMPARISON_GREATER_EQUAL, .bound = 0.5};
    opac_properties *properties;
    opac_error error;
    assert_ok(opac_properties_parse("const int N=3; label \"end\" = s>=N; Pmax=? [ s<N U \"end\" ]",
                                    model, NULL, &properties, &error),
              &error);
    const opac_objective property = opac_objective_of(properties, 0);
    call calls[] = {{model, most, policy},    {model, least, pool},  {model, most, ldba},
                    {model, given, plain},    {model, rest, policy}, {model, bound, plain},
                    {model, property, policy}};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        assert_true(faults_sweep(check, &calls[i]) > 0);
    opac_properties_free(properties);
    opac_automaton_free(automaton);
    opac_formula_free(formula);
    opac_model_free(model);
}

SUITE(faults)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
