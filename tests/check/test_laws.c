/* SPDX-License-Identifier: MIT */
/*
 * Laws on random models and formulas: Pmax(φ) + Pmin(¬φ) = 1; deterministic and limit-deterministic
 * automata agree; intervals contain the exact fractions; the policy attains the optimum, by the
 * independent evaluation.
 */
#include "base/rational.h"
#include "check/random_scene.h"
#include "check/scene.h"
#include "ltl/ltl_public.h"
#include "support/random_formula.h"

enum {
    ROUNDS = 150,
    INITIAL = 2
};

static opac_formula *wrap(ltl_store *store, ltl_formula root, bool negated)
{
    opac_error error = {0};
    opac_formula *formula;
    if (negated)
        root = ltl_not(store, root);
    assert_ok(ltl_public_wrap(store, root, &formula, &error), &error);
    return formula;
}

/* The same formula in a store of its own, negated or not: each takes its store. */
static opac_formula *draw_formula(uint64_t random, bool negated)
{
    const random_formula_shape shape = {
        .operators = 4, .propositions = 2, .allowed = OPERATORS_OF_LTL};
    opac_error error = {0};
    ltl_store *store;
    assert_ok(ltl_store_new(&store, &error), &error);
    return wrap(store, random_formula(store, &random, &shape), negated);
}

static bool overlap(opac_interval a, opac_interval b)
{
    return a.lower <= b.upper + 1e-15 && b.lower <= a.upper + 1e-15;
}

static void expect_overlap(const opac_solution *a, const opac_solution *b, const char *what)
{
    for (uint32_t i = 0; i < INITIAL; i++) {
        opac_interval x = opac_solution_interval(a, i), y = opac_solution_interval(b, i);
        if (!overlap(x, y))
            fail_msg("%s: [%.17g, %.17g] and [%.17g, %.17g]", what, x.lower, x.upper, y.lower,
                     y.upper);
    }
}

static void expect_sum_of_one(const opac_solution *a, const opac_solution *b)
{
    for (uint32_t i = 0; i < INITIAL; i++) {
        opac_interval x = opac_solution_interval(a, i), y = opac_solution_interval(b, i);
        if (!(x.lower + y.lower <= 1 + 1e-15 && x.upper + y.upper >= 1 - 1e-15))
            fail_msg("[%.17g, %.17g] and [%.17g, %.17g]", x.lower, x.upper, y.lower, y.upper);
    }
}

/* The fraction lies in the enclosure that was computed without it. */
static void expect_fraction(const opac_solution *solution, const opac_solution *exact)
{
    for (uint32_t i = 0; i < INITIAL; i++) {
        opac_interval x = opac_solution_interval(solution, i);
        opac_interval y = opac_solution_interval(exact, i);
        assert_non_null(opac_solution_fraction(exact, i));
        assert_true(y.lower <= y.value);
        assert_true(y.value <= y.upper);
        if (!(x.lower <= y.upper && y.lower <= x.upper))
            fail_msg("%s is not in [%.17g, %.17g]", opac_solution_fraction(exact, i), x.lower,
                     x.upper);
    }
}

/* Under the policy the objective's probability is the optimum. */
static void expect_policy(const opac_solution *solution, const opac_objective *objective)
{
    opac_error error = {0};
    opac_policy *policy;
    opac_evaluation *evaluation;
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    for (int own = 0; own < 2; own++) {
        assert_ok(opac_evaluate(policy, own != 0 ? NULL : objective, NULL, &evaluation, &error),
                  &error);
        for (uint32_t i = 0; i < INITIAL; i++) {
            opac_interval found = opac_evaluation_interval(evaluation, i);
            opac_interval optimum = opac_solution_interval(solution, i);
            if (!overlap(found, optimum))
                fail_msg("the policy has [%.17g, %.17g], the optimum is [%.17g, %.17g]",
                         found.lower, found.upper, optimum.lower, optimum.upper);
        }
        opac_evaluation_free(evaluation);
    }
    opac_policy_free(policy);
}

static void check_one(uint64_t *random)
{
    const random_scene_shape shape = {2 + random_below(random, 6), 3, 3, 2, INITIAL, false};
    opac_model *model = random_scene(random, shape);
    uint64_t seed = random_u64(random);
    opac_formula *formula = draw_formula(seed, false), *negated = draw_formula(seed, true);
    const opac_objective most = {.formula = formula, .direction = OPAC_DIRECTION_MAX};
    const opac_objective least = {.formula = negated, .direction = OPAC_DIRECTION_MIN};
    const opac_objective fewest = {.formula = formula, .direction = OPAC_DIRECTION_MIN};
    const opac_check_options plain = {.threads = 1, .policy = true};
    const opac_check_options ldba = {.threads = 1, .policy = true, .kind = OPAC_KIND_LDBA};
    const opac_check_options exact = {.threads = 1, .policy = true, .exact = true};
    opac_solution *a = scene_solve(model, &most, &plain), *b = scene_solve(model, &least, &plain);
    opac_solution *c = scene_solve(model, &most, &ldba), *d = scene_solve(model, &fewest, &plain);
    opac_solution *e = scene_solve(model, &fewest, &ldba);
    expect_sum_of_one(a, b);
    expect_overlap(a, c, "ldba, greatest");
    expect_overlap(d, e, "ldba, least");
    expect_policy(a, &most);
    expect_policy(b, &least);
    expect_policy(c, &most);
    expect_policy(d, &fewest);
    expect_policy(e, &fewest);
    if (base_rational_available()) {
        opac_solution *f = scene_solve(model, &most, &exact);
        opac_solution *g = scene_solve(model, &fewest, &exact);
        expect_fraction(a, f);
        expect_fraction(d, g);
        expect_policy(f, &most);
        expect_policy(g, &fewest);
        opac_solution_free(f);
        opac_solution_free(g);
    }
    opac_solution_free(a);
    opac_solution_free(b);
    opac_solution_free(c);
    opac_solution_free(d);
    opac_solution_free(e);
    opac_formula_free(formula);
    opac_formula_free(negated);
    opac_model_free(model);
}

static void laws_hold(void **state)
{
    uint64_t random = random_seed(6);
    (void)state;
    for (int i = 0; i < ROUNDS; i++)
        check_one(&random);
}

SUITE(laws)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
