/* SPDX-License-Identifier: MIT */
/*
 * The sink replaces all product states with a universal memory: the maximal acceptance probability does not
 * change, and the product is not larger.
 */
#include "best.h"
#include "naive.h"
#include "support/invariants.h"

/* Adds universal states to an automaton, and edges to them. */
static opac_automaton *with_universal(uint64_t *random, const opac_automaton *a, uint64_t marks)
{
    aut_builder *builder;
    opac_automaton *made;
    aut_condition condition;
    opac_error error;
    uint32_t first = a->state_count, more = 1 + random_below(random, 2);
    assert_ok(aut_builder_like(a, &builder, &error), &error);
    aut_builder_add_states(builder, first + more);
    for (uint32_t q = 0; q < first; q++)
        for (uint32_t e = a->edge_begin[q]; e < a->edge_begin[q + 1]; e++) {
            aut_edge edge = a->edges[e];
            if (random_below(random, 3) == 0)
                edge.target = first + random_below(random, more);
            aut_builder_edge(builder, q, edge);
        }
    for (uint32_t u = first; u < first + more; u++) {
        aut_builder_edge(builder, u, (aut_edge){AUT_BDD_TRUE, u, marks});
        if (!a->is_deterministic && random_below(random, 2) == 0)
            aut_builder_edge(builder, u, (aut_edge){AUT_BDD_TRUE, random_below(random, first), 0});
    }
    for (uint32_t i = 0; i < a->initial_count; i++)
        aut_builder_initial(builder, random_below(random, 8) == 0 ? first : a->initial[i]);
    assert_ok(aut_condition_copy(&a->condition, &condition, &error), &error);
    aut_builder_condition(builder, &condition, a->mark_count);
    assert_ok(aut_builder_finish(builder, &made, &error), &error);
    return made;
}

/* A set of marks that satisfies the condition. */
static bool good_marks(uint64_t *random, const opac_automaton *a, uint64_t *marks)
{
    uint64_t sets = UINT64_C(1) << a->mark_count, shift = random_u32(random);
    for (uint64_t i = 0; i < sets; i++) {
        *marks = (i + shift) % sets;
        if (aut_condition_holds(&a->condition, *marks))
            return true;
    }
    return false;
}

static void check_sink(const scene *x, const product_process *product, uint32_t product_state)
{
    const graph_process *p = &product->process;
    uint32_t c = p->choice_begin[product_state];
    assert_int_equal(p->choice_begin[product_state + 1] - c, 1);
    assert_int_equal(product->choice[c], PRODUCT_NONE);
    assert_true(aut_condition_holds(&x->automaton->condition, product->marks[c]));
    assert_int_equal(p->edge_begin[c + 1] - p->edge_begin[c], 1);
    assert_int_equal(p->target[p->edge_begin[c]], product_state);
}

/* Checks that there is one sink, that choices lead to it by one edge, and that the rest is equal. */
static void compare(const scene *x, const product_process *small, const product_process *large)
{
    uint32_t sinks = 0;
    const graph_process *p = &small->process;
    opac_error error;
    assert_ok(graph_process_check(p, 1e-9, &error), &error);
    for (uint32_t i = 0; i < p->state_count; i++)
        if (small->state[i] == PRODUCT_NONE) {
            sinks++;
            check_sink(x, small, i);
        } else {
            uint32_t same = scene_find(large, small->state[i], small->memory[i]);
            assert_int_not_equal(same, PRODUCT_NONE);
            assert_int_equal(p->choice_begin[i + 1] - p->choice_begin[i],
                             large->process.choice_begin[same + 1] -
                                 large->process.choice_begin[same]);
        }
    assert_true(sinks <= 1);
    for (uint32_t c = 0; c < p->choice_count; c++)
        for (uint32_t e = p->edge_begin[c]; e < p->edge_begin[c + 1]; e++)
            if (small->state[p->target[e]] == PRODUCT_NONE) {
                assert_int_equal(p->edge_begin[c + 1] - p->edge_begin[c], 1);
                assert_true(p->prob[e] == 1);
                if (small->exact != NULL)
                    assert_int_equal(base_ratio_compare(small->exact[e], base_ratio_of_integer(1)),
                                     0);
            }
    assert_int_equal(small->start.count, large->start.count);
    assert_true(small->process.state_count <= large->process.state_count);
    assert_int_equal(small->full, large->full);
}

static bool has_sink(const product_process *product)
{
    for (uint32_t i = 0; i < product->process.state_count; i++)
        if (product->state[i] == PRODUCT_NONE)
            return true;
    return false;
}

/* Returns whether there was a sink and the values could be compared. */
static bool check_scene(const scene *x)
{
    product_options keep = {.keep_universal = true};
    product_process small, large;
    opac_error error;
    if (naive_has_silent_cycle(x->automaton))
        return false;
    assert_ok(product_build(x->model, x->letters, x->automaton, NULL, &small, &error), &error);
    assert_ok(product_build(x->model, x->letters, x->automaton, &keep, &large, &error), &error);
    compare(x, &small, &large);
    assert_false(has_sink(&large));
    bool compared = has_sink(&small) && best_is_small(&large, 300) && best_is_small(&small, 300);
    if (compared) {
        double before = best_value(&large, &x->automaton->condition);
        double after = best_value(&small, &x->automaton->condition);
        if (fabs(before - after) > 1e-9)
            fail_msg("the value was %.17g and is %.17g", before, after);
    }
    product_fini(&small);
    product_fini(&large);
    return compared;
}

static void same_value(void **unused)
{
    uint64_t random = random_seed(5), marks;
    uint32_t compared = 0;
    (void)unused;
    for (int round = 0; round < 2500; round++) {
        scene x;
        scene_draw(&random, 1 + random_below(&random, 5), 3, &x);
        if (good_marks(&random, x.automaton, &marks)) {
            opac_automaton *more = with_universal(&random, x.automaton, marks);
            opac_automaton_free(x.automaton);
            x.automaton = more;
        }
        compared += check_scene(&x);
        scene_fini(&x);
    }
    assert_true(compared > 500);
}

/* F a on a path: the product is the path up to a and the sink. */
static void smaller(void **unused)
{
    scene x = {.model = scene_path(10),
               .automaton = scene_hoa("HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) "
                                      "--BODY-- State: 0 [!0] 0 [0] 1 State: 1 [t] 1 {0} --END--")};
    product_options keep = {.keep_universal = true};
    product_process product;
    opac_error error;
    (void)unused;
    x.letters = base_alloc_zeroed(10, sizeof *x.letters);
    x.letters[3] = 1;
    assert_ok(product_build(x.model, x.letters, x.automaton, NULL, &product, &error), &error);
    assert_int_equal(product.process.state_count, 5);
    assert_int_equal(product.state[4], PRODUCT_NONE);
    assert_int_equal(product.memory[4], 1);
    assert_int_equal(product.marks[4], 1);
    assert_int_equal(product.full, 20);
    product_fini(&product);
    assert_ok(product_build(x.model, x.letters, x.automaton, &keep, &product, &error), &error);
    assert_int_equal(product.process.state_count, 10);
    product_fini(&product);
    scene_fini(&x);
}

/* The initial state of the automaton is universal: the product is the sink. */
static void universal_from_the_start(void **unused)
{
    scene x = {.model = scene_path(4),
               .automaton = scene_hoa("HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t "
                                      "--BODY-- State: 0 [t] 0 --END--")};
    product_process product;
    opac_error error;
    (void)unused;
    x.letters = base_alloc_zeroed(4, sizeof *x.letters);
    assert_ok(product_build(x.model, x.letters, x.automaton, NULL, &product, &error), &error);
    assert_int_equal(product.process.state_count, 1);
    assert_int_equal(product.state[0], PRODUCT_NONE);
    assert_int_equal(product.start.items[0], 0);
    check_sink(&x, &product, 0);
    product_fini(&product);
    scene_fini(&x);
}

SUITE(sink)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_value),
        cmocka_unit_test(smaller),
        cmocka_unit_test(universal_from_the_start),
    };
    return cmocka_run_group_tests_name("product.sink", tests, NULL, NULL);
}
