/* SPDX-License-Identifier: MIT */
/*
 * Automata with arbitrary acceptance conditions: opac_check, which converts them to Rabin automata,
 * against the optimum of the product with the original automaton, where all sets of choices are tried as
 * end components.
 */
#include "check/random_scene.h"
#include "check/scene.h"
#include "product/letters.h"
#include "product/product.h"
#include "support/brute.h"
#include "support/random_automaton.h"
#include "support/rational.h"

enum {
    ROUNDS = 600
};

static bool accepts(const void *automaton, uint64_t marks)
{
    return aut_condition_holds(&((const opac_automaton *)automaton)->condition, marks);
}

static bool rejects(const void *automaton, uint64_t marks)
{
    return !accepts(automaton, marks);
}

/* Whether some word has no run, so that a product knows too little of what is rejected. */
static bool has_dead_product_state(const product_process *product)
{
    for (uint32_t s = 0; s < product->process.state_count; s++)
        if (product->process.choice_begin[s] == product->process.choice_begin[s + 1])
            return true;
    return false;
}

static void expect_exactly(const opac_model *model, const opac_automaton *automaton,
                           opac_direction direction, base_rational *expected)
{
    char *text;
    opac_error error = {0};
    const opac_objective objective = {.automaton = automaton, .direction = direction};
    const opac_check_options options = {.threads = 1, .exact = true};
    opac_solution *solution = scene_solve(model, &objective, &options);
    if (direction == OPAC_DIRECTION_MIN)
        rational_complement(expected);
    assert_ok(base_rational_format(expected, &text, &error), &error);
    assert_string_equal(opac_solution_fraction(solution, 0), text);
    assert_int_equal(opac_solution_is_least(solution), direction == OPAC_DIRECTION_MIN);
    base_free(text);
    opac_solution_free(solution);
}

static void compare(const opac_model *model, const opac_automaton *automaton,
                    const product_process *product, size_t *count)
{
    base_rational *best[BRUTE_STATES];
    const uint32_t states = product->process.state_count;
    const solve_problem problem = {
        .process = &product->process, .marks = product->marks, .exact = product->exact};
    if (states > BRUTE_STATES || product->process.choice_count > BRUTE_CHOICES)
        return;
    brute_values_new(states, best);
    brute_optimum_of_marks(&problem, accepts, automaton, best);
    expect_exactly(model, automaton, OPAC_DIRECTION_MAX, best[product->start.items[0]]);
    brute_values_free(states, best);
    ++*count;
    if (has_dead_product_state(product))
        return;
    brute_values_new(states, best);
    brute_optimum_of_marks(&problem, rejects, automaton, best);
    expect_exactly(model, automaton, OPAC_DIRECTION_MIN, best[product->start.items[0]]);
    brute_values_free(states, best);
    ++*count;
}

/* A nondeterministic automaton keeps its choices, and so what a policy can make of them. */
static void compare_guess(const opac_model *model, const opac_automaton *automaton,
                          const product_process *product, size_t *count)
{
    base_rational *best[BRUTE_STATES];
    const uint32_t states = product->process.state_count;
    const solve_problem problem = {
        .process = &product->process, .marks = product->marks, .exact = product->exact};
    if (states > BRUTE_STATES || product->process.choice_count > BRUTE_CHOICES ||
        product->start.count == 0)
        return;
    brute_values_new(states, best);
    brute_optimum_of_marks(&problem, accepts, automaton, best);
    uint32_t first = product->start.items[0];
    for (size_t i = 1; i < product->start.count; i++)
        if (rational_compare(best[product->start.items[i]], best[first]) > 0)
            first = product->start.items[i];
    expect_exactly(model, automaton, OPAC_DIRECTION_MAX, best[first]);
    brute_values_free(states, best);
    ++*count;
}

static void try_one(uint64_t *random, bool is_deterministic, size_t *count)
{
    opac_error error = {0};
    const random_scene_shape shape = {1 + random_below(random, 3), 2, 2, 2, 1, true};
    opac_model *model = random_scene(random, shape);
    random_automaton_shape drawn = random_automaton_draw(random, 3, 2, 4);
    drawn.is_deterministic = is_deterministic;
    drawn.epsilon_percent = 0;
    opac_automaton *automaton = random_automaton(random, drawn, NULL);
    product_process product = {0};
    uint64_t *letters;
    const product_options options = {.keep_universal = true};
    assert_ok(product_letters(model, NULL, automaton, &letters, &error), &error);
    assert_ok(product_build(model, letters, automaton, &options, &product, &error), &error);
    if (!is_deterministic)
        compare_guess(model, automaton, &product, count);
    else if (product.start.count == 1)
        compare(model, automaton, &product, count);
    product_fini(&product);
    base_free(letters);
    opac_automaton_free(automaton);
    opac_model_free(model);
}

static void conversion_to_rabin_keeps_the_optimum(void **state)
{
    uint64_t random = random_seed(7);
    size_t count = 0;
    (void)state;
    if (!base_rational_available())
        skip();
    for (int i = 0; i < ROUNDS; i++)
        try_one(&random, true, &count);
    print_message("%zu optima\n", count);
    assert_true(count > ROUNDS / 2);
}

static void choices_of_automata_are_kept(void **state)
{
    uint64_t random = random_seed(10);
    size_t count = 0;
    (void)state;
    if (!base_rational_available())
        skip();
    for (int i = 0; i < ROUNDS; i++)
        try_one(&random, false, &count);
    print_message("%zu optima\n", count);
    assert_true(count > ROUNDS / 4);
}

SUITE(emerson_lei)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversion_to_rabin_keeps_the_optimum),
        cmocka_unit_test(choices_of_automata_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
