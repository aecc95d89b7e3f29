/* SPDX-License-Identifier: MIT */
/* Models, policies and questions for the tests of evaluations. */
#ifndef TESTS_POLICY_EVALUATING_H
#define TESTS_POLICY_EVALUATING_H

#include <math.h>

#include <omegapac/builder.h>
#include <omegapac/evaluation.h>

#include "base/alloc.h"
#include "base/rational.h"
#include "policy/policy.h"
#include "support/check.h"
#include "support/random.h"
#include "support/random_automaton.h"

/* A policy that decides nothing: the first choice everywhere, one memory value. */
static inline opac_policy *first_choices(const opac_model *model)
{
    opac_policy *policy;
    opac_error error;
    policy_entry_vec none = {0};
    assert_ok(policy_new(model, &policy, &error), &error);
    policy->objective = base_copy_text("", 0);
    policy->start = base_alloc_zeroed(model->initial.count, sizeof *policy->start);
    assert_true(policy->objective != NULL);
    assert_true(policy->start != NULL);
    assert_ok(policy_set_decisions(policy, &none, NULL, &error), &error);
    return policy;
}

/* Decisions for most pairs, at random, over so many memory values. */
static inline opac_policy *random_policy(uint64_t *random, const opac_model *model,
                                         uint32_t memories)
{
    opac_policy *policy = first_choices(model);
    opac_error error;
    policy_entry_vec drafts = {0};
    policy->memory_count = memories;
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        for (uint32_t m = 0; m < memories; m++) {
            policy_decision decision = {
                m,
                random_below(random, opac_model_choice_count(model, s)),
                random_below(random, memories),
            };
            if (random_below(random, 8) > 0)
                assert_ok(policy_entry_add(&drafts, s, decision, &error), &error);
        }
    base_free(policy->begin);
    base_free(policy->decisions);
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    for (size_t i = 0; i < model->initial.count; i++)
        policy->start[i] = random_below(random, memories);
    policy_entry_vec_fini(&drafts);
    return policy;
}

/* Fractions of small numbers, the labels a and b, one or more initial states. */
static inline opac_model *random_fractions(uint64_t *random, uint32_t states, uint32_t most_choices,
                                           uint32_t most_branches)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    opac_model_options options = {.exact = true};
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_declare_label(builder, "b", &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        bool stays =
            s > 0 && random_below(random, 5) < 2; /* or there would be one bottom component */
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t c = 0; c <= random_below(random, most_choices); c++) {
            uint32_t branches = stays ? 1 : 2 + random_below(random, most_branches - 1), left = 12;
            assert_ok(opac_builder_choice(builder, "", &error), &error);
            for (uint32_t b = 0; b < branches && left > 0; b++) {
                uint32_t part = b + 1 < branches ? 1 + random_below(random, left) : left;
                left -= part;
                uint32_t target = stays ? s : random_below(random, states);
                assert_ok(opac_builder_branch_ratio(builder, target, part, 12, &error), &error);
            }
        }
        for (int label = 0; label < 2; label++)
            if (random_below(random, 2) == 0)
                assert_ok(opac_builder_label(builder, label == 0 ? "a" : "b", s, &error), &error);
        if (s == 0 || random_below(random, 4) == 0)
            assert_ok(opac_builder_initial(builder, s, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* Throws a coin of probability p/q from 1 … n-1; 0 is "broke", n is "rich". */
static inline opac_model *gambler(uint32_t n, uint32_t begin, int64_t p, int64_t q)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    opac_model_options options = {.exact = true};
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t s = 0; s <= n; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, "", &error), &error);
        if (s == 0 || s == n) {
            assert_ok(opac_builder_branch_ratio(builder, s, 1, 1, &error), &error);
            continue;
        }
        assert_ok(opac_builder_branch_ratio(builder, s + 1, p, q, &error), &error);
        assert_ok(opac_builder_branch_ratio(builder, s - 1, q - p, q, &error), &error);
    }
    assert_ok(opac_builder_label(builder, "broke", 0, &error), &error);
    assert_ok(opac_builder_label(builder, "rich", n, &error), &error);
    assert_ok(opac_builder_initial(builder, begin, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static inline opac_evaluation *evaluate(const opac_policy *policy, const opac_objective *objective,
                                        bool exact)
{
    opac_evaluation *evaluation;
    opac_error error;
    opac_evaluation_options options = {.exact = exact};
    assert_ok(opac_evaluate(policy, objective, &options, &evaluation, &error), &error);
    return evaluation;
}

static inline opac_formula *formula_of(const char *text)
{
    opac_formula *formula;
    opac_error error;
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    return formula;
}

/* The interval is one, holds the value, and is no wider than `width` times it. */
static inline void assert_encloses(opac_interval interval, long double value, double width)
{
    if (!(interval.lower <= value && value <= interval.upper))
        fail_msg("%.17g .. %.17g is not around %.20Lg", interval.lower, interval.upper, value);
    if (!(interval.lower <= interval.value && interval.value <= interval.upper))
        fail_msg("%.17g .. %.17g is not around its own %.17g", interval.lower, interval.upper,
                 interval.value);
    if (!(interval.upper - interval.lower <= width * (double)value))
        fail_msg("%.17g .. %.17g is too wide", interval.lower, interval.upper);
    if (width <= 1e-8 && !(fabsl(interval.value - value) <= 5e-2L * (long double)width * value))
        fail_msg("%.17g is not near %.20Lg", interval.value, value);
}

#endif
