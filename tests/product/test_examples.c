/* SPDX-License-Identifier: MIT */
/* Products with known results: the paper's gridworld, and a coin that an automaton must guess. */
#include <omegapac/formula.h>

#include "best.h"
#include "product/letters.h"
#include "support/invariants.h"

static opac_automaton *translate(const char *text, opac_automaton_options options)
{
    opac_formula *formula;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    assert_ok(opac_automaton_translate(formula, &options, &automaton, &error), &error);
    opac_formula_free(formula);
    return automaton;
}

static product_process build(scene *x)
{
    product_process product;
    opac_error error;
    assert_ok(product_letters(x->model, NULL, x->automaton, &x->letters, &error), &error);
    assert_ok(product_build(x->model, x->letters, x->automaton, NULL, &product, &error), &error);
    assert_ok(graph_process_check(&product.process, 1e-9, &error), &error);
    return product;
}

/* Of 6 times 2 product states, all but one are reachable. */
static void gridworld(void **unused)
{
    scene x = {0};
    opac_error error;
    (void)unused;
    assert_ok(opac_model_read(EXAMPLE_MODELS "/gridworld.prism", NULL, &x.model, &error), &error);
    x.automaton =
        translate("G F s & G F g", (opac_automaton_options){.acceptance = OPAC_ACCEPTANCE_RABIN});
    assert_int_equal(opac_automaton_states(x.automaton), 2);
    product_process product = build(&x);
    assert_int_equal(product.full, 12);
    assert_int_equal(product.process.state_count, 11);
    assert_int_equal(product.process.choice_count, 44);
    product_fini(&product);
    scene_fini(&x);
}

/* The same with a limit-deterministic automaton, whose nondeterminism becomes choices of the policy. */
static void limit_deterministic(void **unused)
{
    static const char *const formulas[] = {"F G s", "F G !g & G F s", "G F s & G F g", "F g"};
    (void)unused;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        double values[2];
        for (int kind = 0; kind < 2; kind++) {
            scene x = {
                .model = scene_prism("mdp module m x : [0..2]; "
                                     "[] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); [] x=0 -> true; "
                                     "[] x=1 -> (x'=0); [] x=2 -> true; endmodule "
                                     "label \"s\" = x=0; label \"g\" = x=1;"),
                .automaton = translate(
                    formulas[i],
                    (opac_automaton_options){
                        .kind = kind == 0 ? OPAC_KIND_DETERMINISTIC : OPAC_KIND_LDBA,
                        .acceptance = kind == 0 ? OPAC_ACCEPTANCE_RABIN : OPAC_ACCEPTANCE_BUCHI})};
            product_process product = build(&x);
            assert_true(best_is_small(&product, 100000));
            values[kind] = best_value(&product, &x.automaton->condition);
            product_fini(&product);
            scene_fini(&x);
        }
        assert_true(fabs(values[0] - values[1]) < 1e-9);
        assert_true(fabs(values[0] - (i == 3 ? 0.5 : i == 2 ? 0 : 1)) < 1e-9);
    }
}

static const char coin[] = "dtmc module coin side : [0..2];\n" /* 0: not thrown */
                           "[] true -> 0.5:(side'=1) + 0.5:(side'=2); endmodule\n"
                           "label \"heads\" = side=1;";

/*
 * Accepts every word, but a run must guess the second letter one step early: limit-deterministic, and not
 * good for MDPs.
 */
static const char guess[] =
    "HOA: v1 States: 4 Start: 0 AP: 1 \"heads\" Acceptance: 1 Inf(0) --BODY--\n"
    "State: 0 [t] 1 [t] 2\nState: 1 [0] 3\nState: 2 [!0] 3\nState: 3 [t] 3 {0}\n--END--";

static void guessing_a_coin(void **unused)
{
    scene x = {.model = scene_prism(coin), .automaton = scene_hoa(guess)};
    bool is_so;
    opac_error error;
    (void)unused;
    assert_ok(opac_automaton_is_limit_deterministic(x.automaton, &is_so, &error), &error);
    assert_true(is_so);
    product_process product = build(&x);
    const graph_process *p = &product.process;
    assert_int_equal(product.full, 12);
    assert_int_equal(p->state_count, 6);
    assert_int_equal(p->choice_count, 2 + 1 + 1 + 1); /* the guess, two good ones, the sink */
    assert_int_equal(p->choice_begin[1], 2);
    for (uint32_t i = 1; i < p->state_count; i++) {
        bool heads = product.state[i] == 1, guessed_heads = product.memory[i] == 1;
        bool is_sink = product.state[i] == PRODUCT_NONE;
        assert_int_equal(p->choice_begin[i + 1] - p->choice_begin[i],
                         is_sink || heads == guessed_heads);
    }
    assert_true(fabs(best_value(&product, &x.automaton->condition) - 0.5) < 1e-12);
    product_fini(&product);
    scene_fini(&x);
}

SUITE(examples)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gridworld),
        cmocka_unit_test(limit_deterministic),
        cmocka_unit_test(guessing_a_coin),
    };
    return cmocka_run_group_tests_name("product.examples", tests, NULL, NULL);
}
