/* SPDX-License-Identifier: MIT */
/* What is asked, what is answered, and what is refused: by hand, on small models. */
#include "base/rational.h"
#include "check/scene.h"

/* From 0 one may go to a coin of 1/3, to one of 1/2, or stay. */
static const char coins[] = "mdp\n"
                            "module m\n"
                            "    s : [0..3] init 0;\n"
                            "    [third] s=0 -> 1/3 : (s'=1) + 2/3 : (s'=2);\n"
                            "    [half] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);\n"
                            "    [stay] s=0 -> true;\n"
                            "    [] s>0 -> true;\n"
                            "endmodule\n"
                            "label \"heads\" = s=1;\n"
                            "label \"tails\" = s=2;\n"
                            "label \"away\" = s>0;\n";

/* Throws a fair coin again and again. */
static const char thrower[] = "dtmc\n"
                              "module m\n"
                              "    a : bool init false;\n"
                              "    [] true -> 1/2 : (a'=true) + 1/2 : (a'=false);\n"
                              "endmodule\n"
                              "label \"a\" = a;\n";

/* Accepts everything, but has to guess the next letter, once: 1 goes with a, 2 without. */
static const char guesser[] = "HOA: v1\nStates: 4\nStart: 0\nAP: 1 \"a\"\n"
                              "acc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n"
                              "State: 0\n[t] 1\n[t] 2\n"
                              "State: 1\n[0] 3\nState: 2\n[!0] 3\nState: 3\n[t] 3 {0}\n--END--\n";

static const char never_tails[] = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"tails\"\n"
                                  "Acceptance: 0 t\n--BODY--\nState: 0\n[!0] 0\n--END--\n";

static bool is_near(double a, double b)
{
    return a - b < 1e-6 && b - a < 1e-6;
}

static void expect_optimum(const opac_model *model, const char *property, double expected)
{
    opac_solution *solution = scene_property(model, property, NULL);
    opac_interval found = opac_solution_interval(solution, 0);
    if (!is_near(found.value, expected) || found.lower > found.value || found.upper < found.value ||
        found.lower > expected || found.upper < expected)
        fail_msg("%s: %g [%g, %g], not %g", property, found.value, found.lower, found.upper,
                 expected);
    assert_true(opac_solution_is_precise(solution));
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_NONE);
    opac_solution_free(solution);
}

static void greatest_and_least(void **state)
{
    opac_model *model = scene_model(coins, false);
    (void)state;
    expect_optimum(model, "Pmax=? [ F \"heads\" ]", 0.5);
    expect_optimum(model, "Pmin=? [ F \"heads\" ]", 0);
    expect_optimum(model, "Pmin=? [ G !\"heads\" ]", 0.5);
    expect_optimum(model, "Pmax=? [ G !\"heads\" ]", 1);
    expect_optimum(model, "Pmax=? [ F \"tails\" ]", 2.0 / 3);
    expect_optimum(model, "Pmin=? [ (F \"away\") => (F \"heads\") ]", 1.0 / 3);
    expect_optimum(model, "Pmax=? [ true ]", 1);
    expect_optimum(model, "Pmin=? [ true ]", 1);
    expect_optimum(model, "Pmax=? [ false ]", 0);
    expect_optimum(model, "Pmin=? [ false ]", 0);
    opac_model_free(model);
}

/* ---- bounds ---- */

typedef struct bound_case {
    const char *property;
    opac_verdict verdict;
    bool is_least;
} bound_case;

/* What doubles decide, or the graph alone. */
static const bound_case bounds[] = {
    /* without a direction: of all policies */
    {"P>=0.1 [ F \"heads\" ]", OPAC_VERDICT_FALSE, true},
    {"P>0 [ F \"heads\" ]", OPAC_VERDICT_FALSE, true},
    {"P>=0 [ F \"heads\" ]", OPAC_VERDICT_TRUE, true},
    {"P<=0.6 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"P<0.4 [ F \"heads\" ]", OPAC_VERDICT_FALSE, false},
    {"P<1 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"P<1 [ F \"away\" ]", OPAC_VERDICT_FALSE, false},
    {"P<=1 [ F \"away\" ]", OPAC_VERDICT_TRUE, false},
    {"P>=1 [ G \"heads\" | !\"heads\" ]", OPAC_VERDICT_TRUE, true},
    {"P<=0 [ F \"heads\" & \"tails\" ]", OPAC_VERDICT_TRUE, false},
    {"P<=0 [ F \"heads\" ]", OPAC_VERDICT_FALSE, false},
    {"P>0 [ G !\"heads\" ]", OPAC_VERDICT_TRUE, true},
    {"P>=1 [ G !\"heads\" ]", OPAC_VERDICT_FALSE, true},
    /* with one: of some policy */
    {"Pmax>=0.4 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax>0.6 [ F \"heads\" ]", OPAC_VERDICT_FALSE, false},
    {"Pmax>=1 [ F \"away\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax>0 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax>0 [ F \"heads\" & \"tails\" ]", OPAC_VERDICT_FALSE, false},
    {"Pmin<1 [ G !(\"heads\" & \"tails\") ]", OPAC_VERDICT_FALSE, true},
    {"Pmin<=0 [ F \"heads\" ]", OPAC_VERDICT_TRUE, true},
    {"Pmin<1 [ F \"away\" ]", OPAC_VERDICT_TRUE, true},
    {"Pmin<0.4 [ G !\"heads\" ]", OPAC_VERDICT_FALSE, true},
    {"Pmin<0 [ F \"away\" ]", OPAC_VERDICT_FALSE, true},
    {"Pmax>1 [ F \"away\" ]", OPAC_VERDICT_FALSE, false},
};

static void bounds_are_decided(void **state)
{
    opac_model *model = scene_model(coins, false);
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int policy = 0; policy < 2; policy++) {
            const opac_check_options options = {.policy = policy != 0, .threads = 1};
            opac_solution *solution = scene_property(model, bounds[i].property, &options);
            if (opac_solution_verdict(solution) != bounds[i].verdict ||
                opac_solution_is_least(solution) != bounds[i].is_least)
                fail_msg("%s: %d", bounds[i].property, opac_solution_verdict(solution));
            opac_solution_free(solution);
        }
    opac_model_free(model);
}

/* A value that the graph alone decides is not computed, and 0 and 1 are never numbers of a sum. */
static void the_graph_decides(void **state)
{
    opac_model *model = scene_model(coins, false);
    (void)state;
    opac_solution *solution = scene_property(model, "Pmax>0 [ F \"heads\" ]", NULL);
    opac_interval found = opac_solution_interval(solution, 0);
    assert_true(found.lower == 0);
    assert_true(found.upper == 1);
    assert_false(opac_solution_is_precise(solution));
    assert_int_equal(opac_solution_get_stats(solution).sweeps, 0);
    opac_solution_free(solution);
    /* But a policy needs numbers. */
    const opac_check_options options = {.policy = true};
    solution = scene_property(model, "Pmax>0 [ F \"heads\" ]", &options);
    assert_true(opac_solution_is_precise(solution));
    assert_true(is_near(opac_solution_interval(solution, 0).value, 0.5));
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax=? [ F \"away\" ]", NULL);
    found = opac_solution_interval(solution, 0);
    assert_true(found.lower == 1);
    assert_true(found.value == 1);
    assert_true(found.upper == 1);
    opac_solution_free(solution);
    opac_model_free(model);
}

/* The bound is the value: no enclosure decides it, fractions do. */
static const bound_case ties[] = {
    {"Pmax>=0.5 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax>1/2 [ F \"heads\" ]", OPAC_VERDICT_FALSE, false},
    {"Pmax<=0.5 [ F \"heads\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax<0.5 [ F \"heads\" ]", OPAC_VERDICT_FALSE, false},
    {"Pmin>=1/3 [ (F \"away\") => (F \"heads\") ]", OPAC_VERDICT_TRUE, true},
    {"Pmin>1/3 [ (F \"away\") => (F \"heads\") ]", OPAC_VERDICT_FALSE, true},
    {"Pmax<=2/3 [ F \"tails\" ]", OPAC_VERDICT_TRUE, false},
    {"Pmax<2/3 [ F \"tails\" ]", OPAC_VERDICT_FALSE, false},
    {"const double c = 1/3; Pmin>=c [ (F \"away\") => (F \"heads\") ]", OPAC_VERDICT_TRUE, true},
    {"const double c = 1/3; Pmin<=1-2*c [ (F \"away\") => (F \"heads\") ]", OPAC_VERDICT_TRUE,
     true},
};

static void fractions_decide_ties(void **state)
{
    opac_model *model = scene_model(coins, true);
    (void)state;
    if (!base_rational_available())
        skip();
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        opac_solution *solution = scene_property(model, ties[i].property, NULL);
        if (opac_solution_verdict(solution) != ties[i].verdict)
            fail_msg("%s: %d", ties[i].property, opac_solution_verdict(solution));
        assert_true(opac_solution_is_precise(solution));
        assert_non_null(opac_solution_fraction(solution, 0));
        opac_solution_free(solution);
    }
    opac_model_free(model);
}

/* 1/3 is no double: without fractions nobody knows on which side the value is. */
static void without_fractions_ties_are_undecided(void **state)
{
    opac_model *model = scene_model(coins, false);
    (void)state;
    opac_solution *solution =
        scene_property(model, "Pmin>=1/3 [ (F \"away\") => (F \"heads\") ]", NULL);
    opac_interval found = opac_solution_interval(solution, 0);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_UNDECIDED);
    assert_true(found.lower <= 1.0 / 3);
    assert_true(found.upper >= 1.0 / 3);
    assert_true(opac_solution_is_precise(solution));
    opac_solution_free(solution);
    opac_model_free(model);
}

/* A walk between two ends, slow to tell which one: a coarse enclosure, then finer ones. */
static void refinement_decides(void **state)
{
    static const char walk[] = "dtmc\nmodule m\n"
                               "    s : [0..40] init 20;\n"
                               "    [] s>0 & s<40 -> 0.5 : (s'=s-1) + 0.5 : (s'=s+1);\n"
                               "    [] s=0 | s=40 -> true;\n"
                               "endmodule\n";
    static const bound_case cases[] = {
        {"P>=0.4999999 [ F s=0 ]", OPAC_VERDICT_TRUE, false},
        {"P>0.5000001 [ F s=0 ]", OPAC_VERDICT_FALSE, false},
        {"P<=0.50000000001 [ F s=0 ]", OPAC_VERDICT_TRUE, false},
        {"P<0.49999999999 [ F s=0 ]", OPAC_VERDICT_FALSE, false},
    };
    opac_model *model = scene_model(walk, false);
    const opac_check_options coarse = {.precision = 0.9, .threads = 1};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_solution *solution = scene_property(model, cases[i].property, &coarse);
        if (opac_solution_verdict(solution) != cases[i].verdict)
            fail_msg("%s: %d", cases[i].property, opac_solution_verdict(solution));
        opac_solution_free(solution);
    }
    opac_model_free(model);
}

/* ---- initial states ---- */

static const char starts[] = "mdp\n"
                             "module m\n"
                             "    s : [0..3];\n"
                             "    [] s=0 -> 1/4 : (s'=3) + 3/4 : (s'=2);\n"
                             "    [] s=1 -> 3/4 : (s'=3) + 1/4 : (s'=2);\n"
                             "    [] s>1 -> true;\n"
                             "endmodule\n"
                             "init s<2 endinit\n"
                             "label \"goal\" = s=3;\n";

static void every_initial_state_has_a_value(void **state)
{
    static const bound_case cases[] = {
        {"Pmax>0.2 [ F \"goal\" ]", OPAC_VERDICT_TRUE, false},
        {"Pmax>0.5 [ F \"goal\" ]", OPAC_VERDICT_FALSE, false},
        {"Pmax<0.5 [ F \"goal\" ]", OPAC_VERDICT_FALSE, false},
        {"Pmax<0.8 [ F \"goal\" ]", OPAC_VERDICT_TRUE, false},
        {"Pmin>0.8 [ F \"goal\" ]", OPAC_VERDICT_FALSE, true},
        {"Pmax>0 [ F \"goal\" ]", OPAC_VERDICT_TRUE, false},
    };
    opac_model *model = scene_model(starts, false);
    (void)state;
    assert_int_equal(opac_model_initial_count(model), 2);
    opac_solution *solution = scene_property(model, "Pmax=? [ F \"goal\" ]", NULL);
    assert_true(is_near(opac_solution_interval(solution, 0).value, 0.25));
    assert_true(is_near(opac_solution_interval(solution, 1).value, 0.75));
    opac_solution_free(solution);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        solution = scene_property(model, cases[i].property, NULL);
        if (opac_solution_verdict(solution) != cases[i].verdict)
            fail_msg("%s: %d", cases[i].property, opac_solution_verdict(solution));
        opac_solution_free(solution);
    }
    opac_model_free(model);
}

/* One state leaves it open, the other one refutes it: then it is false. */
static void false_for_one_initial_state_is_false(void **state)
{
    static const char text[] = "mdp\n"
                               "module m\n"
                               "    s : [0..3];\n"
                               "    [] s=0 -> 1/3 : (s'=3) + 2/3 : (s'=2);\n"
                               "    [] s=1 -> 3/4 : (s'=3) + 1/4 : (s'=2);\n"
                               "    [] s>1 -> true;\n"
                               "endmodule\n"
                               "init s<2 endinit\n";
    opac_model *model = scene_model(text, false);
    (void)state;
    opac_solution *solution = scene_property(model, "Pmax<=1/3 [ F s=3 ]", NULL);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_FALSE);
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax>=1/3 [ F s=3 ]", NULL);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_UNDECIDED);
    opac_solution_free(solution);
    /* In the other order, too: the second one is left open. */
    solution = scene_property(model, "Pmin<=1/3 [ G !(s=2) ]", NULL);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_FALSE);
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax<=3/4 [ F s=3 | s=2 ]", NULL);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_FALSE);
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax>=0.75 [ F s=3 ]", NULL);
    assert_int_equal(opac_solution_verdict(solution), OPAC_VERDICT_FALSE);
    opac_solution_free(solution);
    opac_model_free(model);
}

/* ---- automata ---- */

static void count_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    (void)line;
    (void)column;
    assert_non_null(strstr(text, "lower bound"));
    ++*(int *)context;
}

/* It accepts every word, and yet half of the runs are lost. */
static void nondeterminism_gives_a_lower_bound(void **state)
{
    int notices = 0;
    opac_model *model = scene_model(thrower, false);
    opac_automaton *automaton = scene_automaton(guesser);
    opac_check_options options = {.notice = count_notice, .notice_context = &notices};
    opac_objective objective = {.automaton = automaton};
    (void)state;
    opac_solution *solution = scene_solve(model, &objective, &options);
    assert_true(is_near(opac_solution_interval(solution, 0).value, 0.5));
    assert_true(opac_solution_is_bound(solution));
    assert_int_equal(notices, 1);
    opac_solution_free(solution);
    /* What lies above a lower bound stays open. */
    const struct {
        opac_comparison comparison;
        double bound;
        opac_verdict verdict;
    } cases[] = {
        {OPAC_COMPARISON_GREATER_EQUAL, 0.4, OPAC_VERDICT_TRUE},
        {OPAC_COMPARISON_GREATER, 0.6, OPAC_VERDICT_UNDECIDED},
        {OPAC_COMPARISON_LESS, 0.4, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_LESS_EQUAL, 0.6, OPAC_VERDICT_UNDECIDED},
        {OPAC_COMPARISON_GREATER, 0, OPAC_VERDICT_TRUE},
        {OPAC_COMPARISON_LESS, 1, OPAC_VERDICT_UNDECIDED},
        {OPAC_COMPARISON_LESS_EQUAL, 1, OPAC_VERDICT_TRUE}, /* as all are */
        {OPAC_COMPARISON_GREATER, 1, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_GREATER_EQUAL, 1, OPAC_VERDICT_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        objective.comparison = cases[i].comparison;
        objective.bound = cases[i].bound;
        objective.direction = OPAC_DIRECTION_MAX;
        solution = scene_solve(model, &objective, NULL);
        if (opac_solution_verdict(solution) != cases[i].verdict)
            fail_msg("case %zu: %d", i, opac_solution_verdict(solution));
        opac_solution_free(solution);
    }
    opac_automaton_free(automaton);
    opac_model_free(model);
}

/* One cannot know what a nondeterministic automaton rejects. */
static void nondeterministic_automata_are_not_complemented(void **state)
{
    opac_error error = {0};
    opac_solution *solution;
    opac_model *model = scene_model(coins, false);
    opac_automaton *automaton = scene_automaton(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"heads\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
        "--BODY--\nState: 0\n[t] 0\n[0] 1\nState: 1\n[0] 1 {0}\n--END--\n");
    opac_objective objective = {.automaton = automaton, .direction = OPAC_DIRECTION_MIN};
    (void)state;
    assert_status(opac_check(model, &objective, NULL, &solution, &error), OPAC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "deterministic"));
    assert_null(solution);
    opac_automaton_free(automaton);
    opac_model_free(model);
}

/* Good for MDPs or not: a value of 1 is no mere lower bound. */
static void a_value_of_1_is_not_a_bound(void **state)
{
    int notices = 0;
    opac_model *model = scene_model(coins, false);
    opac_automaton *automaton = scene_automaton(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"away\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
        "--BODY--\nState: 0\n[t] 0\n[0] 1\nState: 1\n[0] 1 {0}\n--END--\n");
    const opac_objective objective = {.automaton = automaton};
    opac_check_options options = {.notice = count_notice, .notice_context = &notices};
    (void)state;
    opac_solution *solution = scene_solve(model, &objective, &options);
    assert_true(opac_solution_interval(solution, 0).lower == 1);
    assert_false(opac_solution_is_bound(solution));
    assert_int_equal(notices, 0);
    opac_solution_free(solution);
    opac_automaton_free(automaton);
    opac_model_free(model);
}

/* A deterministic automaton that is not complete, both ways. */
static void automata_are_complemented(void **state)
{
    opac_model *model = scene_model(coins, false);
    opac_automaton *automaton = scene_automaton(never_tails);
    opac_objective objective = {.automaton = automaton};
    (void)state;
    opac_solution *solution = scene_solve(model, &objective, NULL);
    assert_true(opac_solution_interval(solution, 0).value == 1);
    assert_false(opac_solution_is_least(solution));
    opac_solution_free(solution);
    objective.direction = OPAC_DIRECTION_MIN;
    const opac_check_options options = {.policy = true};
    solution = scene_solve(model, &objective, &options);
    assert_true(is_near(opac_solution_interval(solution, 0).value, 1.0 / 3));
    assert_true(opac_solution_is_least(solution));
    assert_false(opac_solution_is_bound(solution));
    /* The policy has the automaton of the complement, and knows that. */
    opac_policy *policy;
    opac_evaluation *evaluation;
    opac_error error = {0};
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    assert_ok(opac_evaluate(policy, NULL, NULL, &evaluation, &error), &error);
    assert_true(is_near(opac_evaluation_interval(evaluation, 0).value, 1.0 / 3));
    opac_evaluation_free(evaluation);
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_automaton_free(automaton);
    opac_model_free(model);
}

/* Without an initial state nothing is accepted; with two, the better one counts. */
static void initial_states_of_automata(void **state)
{
    static const char none[] = "HOA: v1\nStates: 1\nAP: 1 \"heads\"\nAcceptance: 0 t\n--BODY--\n"
                               "State: 0\n[t] 0\n--END--\n";
    static const char two[] = "HOA: v1\nStates: 3\nStart: 0\nStart: 1\nAP: 2 \"heads\" \"tails\"\n"
                              "acc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n"
                              "State: 0\n[!0] 0\n[0] 2\nState: 1\n[!1] 1\n[1] 2\n"
                              "State: 2\n[t] 2 {0}\n--END--\n";
    opac_model *model = scene_model(coins, false);
    opac_automaton *automaton = scene_automaton(none);
    opac_objective objective = {.automaton = automaton};
    (void)state;
    opac_solution *solution = scene_solve(model, &objective, NULL);
    assert_true(opac_solution_interval(solution, 0).upper == 0);
    opac_solution_free(solution);
    objective.direction = OPAC_DIRECTION_MIN;
    solution = scene_solve(model, &objective, NULL);
    assert_true(opac_solution_interval(solution, 0).upper == 0);
    opac_solution_free(solution);
    opac_automaton_free(automaton);
    automaton = scene_automaton(two);
    objective = (opac_objective){.automaton = automaton};
    const opac_check_options options = {.policy = true};
    opac_policy *policy;
    opac_error error = {0};
    solution = scene_solve(model, &objective, &options);
    assert_true(is_near(opac_solution_interval(solution, 0).value, 2.0 / 3));
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    uint32_t memory = opac_policy_start(policy, 0);
    uint32_t choice = opac_policy_act(policy, 0, &memory);
    assert_string_equal(opac_model_choice_action(model, choice), "third");
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_automaton_free(automaton);
    opac_model_free(model);
}

/* ---- what is refused ---- */

static void expect_refusal(const opac_model *model, opac_objective objective,
                           opac_check_options options, opac_status expected, const char *word)
{
    opac_error error = {0};
    opac_solution *solution;
    assert_status(opac_check(model, &objective, &options, &solution, &error), expected);
    assert_null(solution);
    if (strstr(error.message, word) == NULL)
        fail_msg("'%s' does not say '%s'", error.message, word);
}

static void wrong_arguments_are_refused(void **state)
{
    opac_model *model = scene_model(coins, false), *other = scene_model(thrower, false);
    opac_formula *formula = scene_formula("F heads"), *unknown = scene_formula("F nobody");
    opac_automaton *automaton = scene_automaton(never_tails);
    opac_properties *properties;
    opac_error error = {0};
    const opac_objective good = {.formula = formula};
    const opac_check_options plain = {0};
    (void)state;
    expect_refusal(model, (opac_objective){0}, plain, OPAC_ERROR_ARGUMENT, "either");
    expect_refusal(model, (opac_objective){.formula = formula, .automaton = automaton}, plain,
                   OPAC_ERROR_ARGUMENT, "either");
    expect_refusal(model, (opac_objective){.formula = formula, .direction = (opac_direction)7},
                   plain, OPAC_ERROR_ARGUMENT, "direction");
    expect_refusal(
        model,
        (opac_objective){.formula = formula, .comparison = OPAC_COMPARISON_LESS, .bound = 1.5},
        plain, OPAC_ERROR_ARGUMENT, "[0, 1]");
    const int64_t fractions[][2] = {{5, 2}, {-1, 3}, {1, -3}, {-1, -3}};
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        expect_refusal(model,
                       (opac_objective){.formula = formula,
                                        .comparison = OPAC_COMPARISON_LESS,
                                        .bound = 0.5,
                                        .bound_numerator = fractions[i][0],
                                        .bound_denominator = fractions[i][1]},
                       plain, OPAC_ERROR_ARGUMENT, "fraction");
    expect_refusal(model, good, (opac_check_options){.precision = -1}, OPAC_ERROR_ARGUMENT,
                   "precision");
    expect_refusal(model, good, (opac_check_options){.precision = 1}, OPAC_ERROR_ARGUMENT,
                   "precision");
    expect_refusal(model, good, (opac_check_options){.kind = (opac_automaton_kind)9},
                   OPAC_ERROR_ARGUMENT, "kind");
    expect_refusal(model, good, (opac_check_options){.threads = 100000}, OPAC_ERROR_ARGUMENT,
                   "threads");
    expect_refusal(model, good, (opac_check_options){.exact = true}, OPAC_ERROR_ARGUMENT,
                   "exact probabilities");
    expect_refusal(model, good, (opac_check_options){.max_states = 2}, OPAC_ERROR_LIMIT, "");
    expect_refusal(model, (opac_objective){.formula = unknown}, plain, OPAC_ERROR_ARGUMENT,
                   "nobody");
    assert_ok(opac_properties_parse("P=? [ F \"a\" ]", other, NULL, &properties, &error), &error);
    expect_refusal(model, opac_objective_of(properties, 0), plain, OPAC_ERROR_ARGUMENT,
                   "another model");
    opac_properties_free(properties);
    opac_formula_free(formula);
    opac_formula_free(unknown);
    opac_automaton_free(automaton);
    opac_model_free(model);
    opac_model_free(other);
}

static void a_request_stops_it(void **state)
{
    opac_cancel *cancel;
    opac_error error = {0};
    opac_model *model = scene_model(coins, false);
    opac_formula *formula = scene_formula("F heads");
    (void)state;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    expect_refusal(model, (opac_objective){.formula = formula},
                   (opac_check_options){.cancel = cancel}, OPAC_ERROR_CANCELLED, "");
    opac_cancel_free(cancel);
    opac_formula_free(formula);
    opac_model_free(model);
}

/* ---- what is told beside the value ---- */

static void sizes_are_reported(void **state)
{
    opac_model *model = scene_model(coins, false);
    opac_policy *policy;
    opac_error error = {0};
    (void)state;
    opac_solution *solution = scene_property(model, "Pmax=? [ F \"heads\" ]", NULL);
    opac_solution_stats stats = opac_solution_get_stats(solution);
    assert_int_equal(stats.automaton_states,
                     opac_automaton_states(opac_solution_automaton(solution)));
    assert_int_equal(stats.product_states, 4 * stats.automaton_states - stats.automaton_states);
    assert_int_equal(stats.winning + stats.losing + stats.maybe, stats.product_reachable);
    assert_int_equal(stats.maybe, 1);
    assert_int_equal(stats.winning_components, 1);
    assert_true(stats.sweeps > 0);
    assert_null(opac_solution_fraction(solution, 0));
    assert_status(opac_solution_policy(solution, &policy, &error), OPAC_ERROR_ARGUMENT);
    assert_null(policy);
    opac_solution_free(solution);
    opac_solution_free(NULL);
    opac_model_free(model);
}

static void policies_have_their_objective(void **state)
{
    opac_model *model = scene_model(coins, false);
    opac_policy *policy;
    opac_error error = {0};
    const opac_check_options options = {.policy = true};
    (void)state;
    opac_solution *solution =
        scene_property(model, "Pmin=? [ (F \"away\") => (F \"heads\") ]", &options);
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    opac_output *out;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    assert_non_null(
        strstr(opac_output_bytes(out, &(size_t){0}), "\"formula\": \"F away -> F heads\""));
    opac_output_free(out);
    assert_string_equal(opac_policy_objective(policy), "Pmin=? [ (F \"away\") => (F \"heads\") ]");
    uint32_t memory = opac_policy_start(policy, 0);
    uint32_t choice = opac_policy_act(policy, 0, &memory);
    assert_string_equal(opac_model_choice_action(model, choice), "third");
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_model_free(model);
}

static void fractions_are_told(void **state)
{
    opac_model *model = scene_model(coins, true);
    const opac_check_options options = {.exact = true, .threads = 1};
    (void)state;
    if (!base_rational_available())
        skip();
    opac_solution *solution =
        scene_property(model, "Pmin=? [ (F \"away\") => (F \"heads\") ]", &options);
    opac_interval found = opac_solution_interval(solution, 0);
    assert_string_equal(opac_solution_fraction(solution, 0), "1/3");
    assert_true(found.value == 1.0 / 3);
    assert_true(found.lower <= found.value);
    assert_true(found.value <= found.upper);
    assert_true(found.lower < found.upper);
    assert_true(opac_solution_is_precise(solution));
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax=? [ F \"away\" ]", &options);
    assert_string_equal(opac_solution_fraction(solution, 0), "1");
    opac_solution_free(solution);
    solution = scene_property(model, "Pmax>0 [ F \"heads\" ]", &options);
    assert_string_equal(opac_solution_fraction(solution, 0), "1/2");
    opac_solution_free(solution);
    opac_model_free(model);
}

SUITE(check)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greatest_and_least),
        cmocka_unit_test(bounds_are_decided),
        cmocka_unit_test(the_graph_decides),
        cmocka_unit_test(fractions_decide_ties),
        cmocka_unit_test(without_fractions_ties_are_undecided),
        cmocka_unit_test(refinement_decides),
        cmocka_unit_test(every_initial_state_has_a_value),
        cmocka_unit_test(false_for_one_initial_state_is_false),
        cmocka_unit_test(nondeterminism_gives_a_lower_bound),
        cmocka_unit_test(nondeterministic_automata_are_not_complemented),
        cmocka_unit_test(a_value_of_1_is_not_a_bound),
        cmocka_unit_test(automata_are_complemented),
        cmocka_unit_test(initial_states_of_automata),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(a_request_stops_it),
        cmocka_unit_test(sizes_are_reported),
        cmocka_unit_test(policies_have_their_objective),
        cmocka_unit_test(fractions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
