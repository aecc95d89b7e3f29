/* SPDX-License-Identifier: MIT */
/* Evaluations with known answers, what an evaluation is asked for, and what it refuses. */
#include <math.h>

#include "evaluate/evaluating.h"

/* ---- models ---- */

/* A die by coins (Knuth and Yao 1976): seven states and six faces. */
static opac_model *die(void)
{
    static const uint32_t next[7][2] = {{1, 2}, {3, 4}, {5, 6}, {1, 7}, {8, 9}, {10, 11}, {12, 2}};
    static const char *const faces[] = {"one", "two", "three", "four", "five", "six"};
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    opac_model_options options = {.exact = true};
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t s = 0; s < 13; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        for (int side = 0; side < 2; side++)
            assert_ok(opac_builder_branch(builder, s < 7 ? next[s][side] : s, 0.5, &error), &error);
        if (s >= 7)
            assert_ok(opac_builder_label(builder, faces[s - 7], s, &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* Two states, "left" and "right"; stay or go. */
static opac_model *rooms(void)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < 2; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 0; c < 2; c++) {
            assert_ok(opac_builder_choice(builder, c == 0 ? "stay" : "go", &error), &error);
            assert_ok(opac_builder_branch(builder, s ^ c, 1, &error), &error);
        }
        assert_ok(opac_builder_label(builder, s == 0 ? "left" : "right", s, &error), &error);
        assert_ok(opac_builder_initial(builder, s, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_interval value_of(const opac_policy *policy, const char *text)
{
    opac_formula *formula = formula_of(text);
    opac_objective objective = {.formula = formula};
    opac_evaluation *evaluation = evaluate(policy, &objective, false);
    opac_interval interval = opac_evaluation_interval(evaluation, 0);
    opac_evaluation_free(evaluation);
    opac_formula_free(formula);
    return interval;
}

static void assert_fraction(const opac_policy *policy, const char *text, const char *expected)
{
    opac_formula *formula = formula_of(text);
    opac_objective objective = {.formula = formula};
    if (base_rational_available()) {
        opac_evaluation *evaluation = evaluate(policy, &objective, true);
        assert_string_equal(opac_evaluation_fraction(evaluation, 0), expected);
        opac_evaluation_free(evaluation);
    }
    opac_formula_free(formula);
}

static opac_automaton *automaton_of(const char *text)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    return automaton;
}

/* ---- closed forms ---- */

static void test_gambler(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, begin;
        int64_t p, q;
    } cases[] = {{2, 1, 1, 2},    {10, 3, 1, 2},   {100, 50, 18, 37}, {60, 1, 1, 10},
                 {60, 59, 9, 10}, {1000, 1, 1, 2}, {40, 1, 1, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = cases[i].n, k = cases[i].begin;
        long double r = (long double)(cases[i].q - cases[i].p) / (long double)cases[i].p;
        long double rich = r == 1 ? (long double)k / n : (1 - powl(r, k)) / (1 - powl(r, n));
        long double broke =
            r == 1 ? (long double)(n - k) / n
                   : (powl(r, n - k) - 1) / (powl(r, n - k) - powl(r, -(long double)k));
        opac_model *model = gambler(n, k, cases[i].p, cases[i].q);
        opac_policy *policy = first_choices(model);
        assert_encloses(value_of(policy, "F rich"), rich, 1e-9);
        assert_encloses(value_of(policy, "F broke"), broke, 1e-9);
        opac_interval certain = value_of(policy, "F (rich | broke)");
        assert_true(certain.lower == 1);
        assert_true(certain.value == 1);
        assert_true(certain.upper == 1);
        certain = value_of(policy, "G F (!rich & !broke)");
        assert_true(certain.lower == 0);
        assert_true(certain.value == 0);
        assert_true(certain.upper == 0);
        opac_policy_free(policy);
        opac_model_free(model);
    }
}

static void test_gambler_fractions(void **state)
{
    (void)state;
    opac_model *model = gambler(5, 2, 1, 3);
    opac_policy *policy = first_choices(model);
    assert_fraction(policy, "F rich", "3/31");
    assert_fraction(policy, "F broke", "28/31");
    assert_fraction(policy, "F (rich | broke)", "1");
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_die(void **state)
{
    (void)state;
    opac_model *model = die();
    opac_policy *policy = first_choices(model);
    static const char *const faces[] = {"F one", "F two", "F three", "F four", "F five", "F six"};
    for (int i = 0; i < 6; i++) {
        assert_encloses(value_of(policy, faces[i]), 1.0L / 6, 1e-12);
        assert_fraction(policy, faces[i], "1/6");
    }
    assert_encloses(value_of(policy, "F (one | two) | F six"), 0.5L, 1e-12);
    assert_fraction(policy, "X X X (one | two)", "1/4");
    opac_policy_free(policy);
    opac_model_free(model);
}

/* Probabilities that doubles cannot hold: sound, if not narrow. */
static void test_underflow(void **state)
{
    (void)state;
    opac_model *model = gambler(400, 1, 1, 1000);
    opac_policy *policy = first_choices(model);
    opac_interval rich = value_of(policy, "F rich"), broke = value_of(policy, "F broke");
    assert_true(rich.lower >= 0);
    assert_true(rich.upper > 0);
    assert_true(rich.upper < 1e-200);
    assert_true(broke.lower > 1 - 1e-9);
    assert_true(broke.upper == 1);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* A loop with two exits of the same tiny size: their proportion is all that matters. */
static void test_tiny_exits(void **state)
{
    (void)state;
    static const double exits[] = {1e-9, 1e-100, 1e-280, 1e-301, 1e-306};
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
        opac_builder *builder;
        opac_model *model;
        opac_error error;
        assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
        for (uint32_t s = 0; s < 3; s++) {
            assert_ok(opac_builder_state(builder, &error), &error);
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            assert_ok(opac_builder_branch(builder, s, s > 0 ? 1 : 1 - 4 * exits[i], &error),
                      &error);
            for (uint32_t t = 1; s == 0 && t < 3; t++)
                assert_ok(opac_builder_branch(builder, t, (2 * t - 1) * exits[i], &error), &error);
        }
        assert_ok(opac_builder_label(builder, "goal", 2, &error), &error);
        assert_ok(opac_builder_initial(builder, 0, &error), &error);
        assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
        opac_policy *policy = first_choices(model);
        opac_interval interval = value_of(policy, "F goal");
        assert_true(interval.lower <= 0.75);
        assert_true(0.75 <= interval.upper);
        assert_true(interval.upper - interval.lower < 1e-12);
        assert_true(fabs(interval.value - 0.75) < 1e-12);
        opac_policy_free(policy);
        opac_model_free(model);
        opac_builder_free(builder);
    }
}

/* ---- policies ---- */

/* Left, left, right, right, …: what a policy remembers counts. */
static void test_memory(void **state)
{
    (void)state;
    opac_model *model = rooms();
    opac_policy *policy = first_choices(model);
    opac_error error;
    policy_entry_vec drafts = {0};
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t m = 0; m < 2; m++)
            assert_ok(policy_entry_add(&drafts, s, (policy_decision){m, m, 1 - m}, &error), &error);
    base_free(policy->begin);
    base_free(policy->decisions);
    policy->memory_count = 2;
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    policy_entry_vec_fini(&drafts);
    assert_true(value_of(policy, "left & X left & X X (right & X right & X X left)").lower == 1);
    assert_true(value_of(policy, "G F (left & X left)").lower == 1);
    assert_true(value_of(policy, "F (left & X right & X X left)").upper == 0);
    policy->start[0] = 1; /* one step later */
    assert_true(value_of(policy, "left & X (right & X (right & X left))").lower == 1);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_several_initial_states(void **state)
{
    (void)state;
    opac_model *model = rooms();
    opac_policy *policy = first_choices(model);
    opac_formula *formula = formula_of("G left");
    opac_objective objective = {.formula = formula};
    opac_evaluation *evaluation = evaluate(policy, &objective, false);
    assert_true(opac_evaluation_interval(evaluation, 0).lower == 1);
    assert_true(opac_evaluation_interval(evaluation, 1).upper == 0);
    assert_int_equal(opac_evaluation_bottoms(evaluation), 2);
    opac_evaluation_free(evaluation);
    opac_formula_free(formula);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* ---- automata ---- */

#define HOA_HEAD "HOA: v1\nAP: 1 \"left\"\nproperties: trans-labels explicit-labels trans-acc\n"

static opac_interval by_automaton(const opac_policy *policy, const char *hoa, uint32_t index)
{
    opac_automaton *automaton = automaton_of(hoa);
    opac_objective objective = {.automaton = automaton};
    opac_evaluation *evaluation = evaluate(policy, &objective, false);
    opac_interval interval = opac_evaluation_interval(evaluation, index);
    opac_evaluation_free(evaluation);
    opac_automaton_free(automaton);
    return interval;
}

static void test_automata(void **state)
{
    (void)state;
    opac_model *model = rooms();
    opac_policy *policy = first_choices(model);
    static const struct {
        const char *hoa;
        double left, right;
    } cases[] = {
        {HOA_HEAD "States: 1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n", 1,
         1},
        {HOA_HEAD "States: 1\nStart: 0\nAcceptance: 0 f\n--BODY--\nState: 0\n[t] 0\n--END--\n", 0,
         0},
        /* no edge for the letter of the right room: rejected, whatever the condition */
        {HOA_HEAD "States: 1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n", 1,
         0},
        /* no initial state at all */
        {HOA_HEAD "States: 1\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n", 0, 0},
        {HOA_HEAD "States: 1\nStart: 0\nAcceptance: 2 Inf(0) & Fin(1)\n--BODY--\nState: 0\n"
                  "[0] 0 {0}\n[!0] 0 {0 1}\n--END--\n",
         1, 0},
        {HOA_HEAD "States: 1\nStart: 0\nAcceptance: 2 Fin(0) | Inf(1)\n--BODY--\nState: 0\n"
                  "[0] 0 {0}\n[!0] 0 {0 1}\n--END--\n",
         0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_interval left = by_automaton(policy, cases[i].hoa, 0);
        opac_interval right = by_automaton(policy, cases[i].hoa, 1);
        assert_true(left.lower == cases[i].left);
        assert_true(left.upper == cases[i].left);
        assert_true(right.lower == cases[i].right);
        assert_true(right.upper == cases[i].right);
    }
    opac_policy_free(policy);
    opac_model_free(model);
}

/* ---- what the policy was made for ---- */

static opac_interval own_value(const opac_policy *policy, bool is_bound)
{
    opac_evaluation *evaluation = evaluate(policy, NULL, false);
    opac_interval interval = opac_evaluation_interval(evaluation, 0);
    assert_true(opac_evaluation_is_bound(evaluation) == is_bound);
    assert_true(opac_evaluation_is_upper(evaluation) == (is_bound && policy->complement));
    assert_true(opac_evaluation_is_precise(evaluation));
    opac_evaluation_free(evaluation);
    return interval;
}

static void test_own_formula(void **state)
{
    (void)state;
    opac_model *model = gambler(4, 1, 1, 2);
    opac_policy *policy = first_choices(model);
    policy->formula = base_copy_text("F rich", 6);
    policy->complement = true; /* of the automaton, which has no say here */
    assert_encloses(own_value(policy, false), 0.25L, 1e-12);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void assert_own_fraction(const opac_policy *policy, const char *expected)
{
    if (!base_rational_available())
        return;
    opac_evaluation *evaluation = evaluate(policy, NULL, true);
    assert_string_equal(opac_evaluation_fraction(evaluation, 0), expected);
    opac_evaluation_free(evaluation);
}

/* The letters of a policy may know more than its model. */
static void test_own_letters(void **state)
{
    (void)state;
    opac_model *model = gambler(4, 1, 1, 2);
    opac_policy *policy = first_choices(model);
    policy->automaton = automaton_of("HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"x\" \"goal\"\n"
                                     "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[1] 0 {0}\n[!1] 0\n"
                                     "--END--\n");
    policy->letters = base_alloc_zeroed(5, sizeof *policy->letters);
    policy->letters[4] = 2;
    assert_encloses(own_value(policy, false), 0.25L, 1e-12);
    assert_own_fraction(policy, "1/4");
    policy->complement = true;
    assert_encloses(own_value(policy, false), 0.75L, 1e-12);
    assert_own_fraction(policy, "3/4");
    policy->formula = base_copy_text("F goal & G !broke", 17);
    assert_encloses(own_value(policy, false), 0.25L, 1e-12);
    opac_policy_free(policy);
    opac_model_free(model);
}

/*
 * Two automata for "rich forever or broke forever": the automaton chooses one disjunct at the start by an
 * epsilon edge, which the policy determines.
 */
static opac_policy *guessing(const opac_model *model, uint32_t guess)
{
    opac_policy *policy = first_choices(model);
    opac_error error;
    policy_entry_vec drafts = {0};
    policy->automaton =
        automaton_of("HOA: v1\nStates: 3\nStart: 0\nAP: 3 \"rich\" \"broke\" \"epsilon\"\n"
                     "Acceptance: 2 Inf(0) & Inf(1)\n--BODY--\n"
                     "State: 0\n[2] 1 {1}\n[2] 2 {1}\n"
                     "State: 1\n[0 & !2] 1 {0 1}\n[!0 & !2] 1\n"
                     "State: 2\n[1 & !2] 2 {0}\n[1 & !2] 2 {0 1}\n[!1 & !2] 2\n--END--\n");
    assert_false(opac_automaton_is_deterministic(policy->automaton));
    policy->memory_count = 3;
    policy->letters = base_alloc_zeroed(opac_model_states(model), sizeof *policy->letters);
    policy->letters[opac_model_states(model) - 1] = 1;
    policy->letters[0] = 2;
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        for (uint32_t m = 0; m < 3; m++) {
            policy_decision decision = {m, 0, m == 0 ? guess : m};
            assert_ok(policy_entry_add(&drafts, s, decision, &error), &error);
        }
    base_free(policy->begin);
    base_free(policy->decisions);
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    policy_entry_vec_fini(&drafts);
    return policy;
}

static void test_own_nondeterminism(void **state)
{
    (void)state;
    opac_model *model = gambler(4, 1, 1, 2);
    opac_error error;
    opac_evaluation *evaluation;
    for (uint32_t guess = 1; guess < 3; guess++) {
        opac_policy *policy = guessing(model, guess);
        assert_encloses(own_value(policy, true), guess == 1 ? 0.25L : 0.75L, 1e-12);
        opac_policy_free(policy);
    }
    opac_policy *policy = guessing(model, 0); /* the automaton cannot stay where it is */
    assert_status(opac_evaluate(policy, NULL, NULL, &evaluation, &error), OPAC_ERROR_ARGUMENT);
    assert_null(evaluation);
    assert_string_equal(error.message, "in state 1 the policy's memory goes from 0 to 0, and its "
                                       "automaton does not");
    opac_policy_free(policy);
    opac_model_free(model);
}

/* A policy whose memory is 0 forever, in the left one of two rooms. */
static opac_interval left_for_ever(const char *hoa, uint64_t letter, bool decides)
{
    opac_model *model = rooms();
    opac_policy *policy = first_choices(model);
    opac_error error;
    policy_entry_vec drafts = {0};
    policy->automaton = automaton_of(hoa);
    policy->memory_count = policy->automaton->state_count;
    policy->letters = base_alloc_zeroed(2, sizeof *policy->letters);
    policy->letters[0] = letter;
    base_free(policy->begin);
    base_free(policy->decisions);
    if (decides)
        assert_ok(policy_entry_add(&drafts, 0, (policy_decision){0, 0, 0}, &error), &error);
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    policy_entry_vec_fini(&drafts);
    opac_interval interval = own_value(policy, true);
    opac_policy_free(policy);
    opac_model_free(model);
    return interval;
}

static void test_own_epsilon(void **state)
{
    (void)state;
    static const char around[] =
        "HOA: v1\nStates: 3\nStart: 0\nAP: 2 \"left\" \"epsilon\"\n"
        "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[1] 1 {0}\nState: 1\n[1] 2\n[1] 0\n"
        "State: 2\n[0 & !1] 0\n--END--\n";
    static const char all[] = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"left\" \"epsilon\"\n"
                              "Acceptance: 0 t\n--BODY--\nState: 0\n[1] 1\nState: 1\n"
                              "[0 & !1] 0\n--END--\n";
    static const char onward[] = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"left\" \"epsilon\"\n"
                                 "Acceptance: 0 t\n--BODY--\nState: 0\n[1] 1\nState: 1\n"
                                 "[0 & !1] 1\n--END--\n";
    /* marks on the first of two epsilon edges count, each time */
    assert_true(left_for_ever(around, 1, true).lower == 1);
    assert_true(left_for_ever(all, 1, true).lower == 1);
    /* a letter that cannot be read is rejected, and so is a memory that does not move */
    assert_true(left_for_ever(all, 0, true).upper == 0);
    assert_true(left_for_ever(onward, 1, false).upper == 0);
}

/* Of a probability near 1, what is missing is known as well as one near 0. */
static void test_near_one(void **state)
{
    (void)state;
    opac_model *model = gambler(40, 1, 1, 1000);
    opac_policy *policy = first_choices(model);
    policy->automaton = automaton_of("HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"broke\"\n"
                                     "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0\n"
                                     "--END--\n");
    policy->complement = true;
    long double r = 999, rich = (1 - r) / (1 - powl(r, 40));
    opac_interval interval = own_value(policy, false);
    assert_true(interval.lower <= rich);
    assert_true(rich <= interval.upper);
    assert_true(interval.upper - interval.lower < 1e-9 * (double)rich);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* ---- refusals ---- */

static void assert_refused(const opac_policy *policy, const opac_objective *objective,
                           opac_evaluation_options options, opac_status status, const char *words)
{
    opac_evaluation *evaluation;
    opac_error error;
    assert_status(opac_evaluate(policy, objective, &options, &evaluation, &error), status);
    assert_null(evaluation);
    if (strstr(error.message, words) == NULL)
        fail_msg("'%s' is not in '%s'", words, error.message);
}

static void test_refusals(void **state)
{
    (void)state;
    opac_model *model = rooms();
    opac_policy *policy = first_choices(model);
    opac_evaluation_options usual = {0}, exact = {.exact = true}, small = {.max_states = 1};
    opac_formula *formula = formula_of("G F left"), *unknown = formula_of("F middle");
    opac_automaton *guesses = automaton_of(
        HOA_HEAD "States: 2\nStart: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n[t] 1\n"
                 "State: 1\n[0] 1 {0}\n--END--\n");
    opac_objective good = {.formula = formula}, both = {.formula = formula, .automaton = guesses};
    opac_objective neither = {0}, nondeterministic = {.automaton = guesses};
    opac_objective nowhere = {.formula = unknown};
    assert_refused(policy, NULL, usual, OPAC_ERROR_ARGUMENT, "names no objective");
    assert_refused(policy, &both, usual, OPAC_ERROR_ARGUMENT, "either a formula or an automaton");
    assert_refused(policy, &neither, usual, OPAC_ERROR_ARGUMENT,
                   "either a formula or an automaton");
    assert_refused(policy, &nondeterministic, usual, OPAC_ERROR_UNSUPPORTED, "not deterministic");
    assert_refused(policy, &nowhere, usual, OPAC_ERROR_ARGUMENT, "middle");
    assert_refused(policy, &good, small, OPAC_ERROR_LIMIT, "more than 1 states");
    assert_refused(policy, &good, exact, OPAC_ERROR_UNSUPPORTED,
                   base_rational_available() ? "not known as fractions" : "GMP");
    opac_cancel *cancel;
    opac_error error;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    opac_evaluation_options stopped = {.cancel = cancel};
    opac_automaton *every = automaton_of(
        HOA_HEAD "States: 1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n");
    opac_objective anything = {.automaton = every};
    assert_refused(policy, &good, stopped, OPAC_ERROR_CANCELLED, "");
    assert_refused(policy, &anything, stopped, OPAC_ERROR_CANCELLED,
                   "stopped while evaluating the policy");
    opac_automaton_free(every);
    opac_cancel_free(cancel);
    opac_formula_free(formula);
    opac_formula_free(unknown);
    opac_automaton_free(guesses);
    opac_policy_free(policy);
    opac_model_free(model);
}

SUITE(evaluate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gambler),
        cmocka_unit_test(test_gambler_fractions),
        cmocka_unit_test(test_die),
        cmocka_unit_test(test_underflow),
        cmocka_unit_test(test_tiny_exits),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_several_initial_states),
        cmocka_unit_test(test_automata),
        cmocka_unit_test(test_own_formula),
        cmocka_unit_test(test_own_letters),
        cmocka_unit_test(test_own_nondeterminism),
        cmocka_unit_test(test_own_epsilon),
        cmocka_unit_test(test_near_one),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
