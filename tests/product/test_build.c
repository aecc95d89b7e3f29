/* SPDX-License-Identifier: MIT */
/* Compares the explicit product with the naive one, by product state and choice. */
#include "naive.h"
#include "support/invariants.h"

static void check_choice(const scene *x, const product_process *product, uint32_t product_state,
                         uint32_t c, const naive_choice *expected)
{
    const graph_process *p = &product->process;
    uint32_t begin = p->edge_begin[c], end = p->edge_begin[c + 1];
    assert_int_equal(product->choice[c], expected->choice);
    assert_int_equal(product->marks[c], expected->marks);
    if (expected->choice == PRODUCT_NONE) {
        assert_int_equal(end - begin, 1);
        assert_int_equal(product->state[p->target[begin]], product->state[product_state]);
        assert_int_equal(product->memory[p->target[begin]], expected->memory);
        assert_true(p->prob[begin] == 1);
        if (product->exact != NULL)
            assert_int_equal(base_ratio_compare(product->exact[begin], base_ratio_of(1, 1)), 0);
        return;
    }
    uint32_t branch = opac_model_branch_begin(x->model, expected->choice);
    assert_int_equal(end - begin, opac_model_branch_count(x->model, expected->choice));
    for (uint32_t e = begin; e < end; e++, branch++) {
        assert_int_equal(product->state[p->target[e]], opac_model_branch_target(x->model, branch));
        assert_int_equal(product->memory[p->target[e]], expected->memory);
        assert_true(p->prob[e] == opac_model_branch_probability(x->model, branch));
        if (product->exact != NULL)
            assert_memory_equal(&product->exact[e], &x->model->exact[branch], sizeof(base_ratio));
    }
}

static void check_product_state(const scene *x, const product_process *product,
                                uint32_t product_state)
{
    naive_choice choices[256];
    const uint32_t *begin = product->process.choice_begin + product_state;
    uint32_t count = naive_choices(x, product->state[product_state], product->memory[product_state],
                                   choices, 256);
    assert_int_equal(begin[1] - begin[0], count);
    for (uint32_t i = 0; i < count; i++)
        check_choice(x, product, product_state, begin[0] + i, &choices[i]);
}

static void check_start(const scene *x, const product_process *product)
{
    uint32_t initial = opac_model_initial_count(x->model), at = 0;
    assert_int_equal(product->start_begin.count, initial + 1);
    for (uint32_t i = 0; i < initial; i++) {
        assert_int_equal(product->start_begin.items[i], at);
        for (uint32_t j = 0; j < x->automaton->initial_count; j++, at++) {
            uint32_t product_state = product->start.items[at];
            assert_int_equal(product->state[product_state], opac_model_initial(x->model, i));
            assert_int_equal(product->memory[product_state], x->automaton->initial[j]);
        }
    }
    assert_int_equal(product->start_begin.items[initial], at);
    assert_int_equal(product->start.count, at);
}

/* Product states are numbered in breadth-first order: a number occurs only after all smaller ones. */
static void check_order(const product_process *product)
{
    const graph_process *p = &product->process;
    uint32_t next = 0;
    for (size_t i = 0; i < product->start.count; i++) {
        assert_true(product->start.items[i] <= next);
        next += product->start.items[i] == next;
    }
    for (uint32_t e = 0; e < p->edge_count; e++) {
        assert_true(p->target[e] <= next);
        next += p->target[e] == next;
    }
    assert_int_equal(next, p->state_count);
}

static void check_scene(const scene *x)
{
    product_options options = {.keep_universal = true};
    product_process product;
    opac_error error;
    opac_status status =
        product_build(x->model, x->letters, x->automaton, &options, &product, &error);
    if (naive_has_silent_cycle(x->automaton)) {
        assert_status(status, OPAC_ERROR_UNSUPPORTED);
        return;
    }
    assert_ok(status, &error);
    assert_ok(graph_process_check(&product.process, 1e-9, &error), &error);
    naive n = naive_build(x);
    assert_int_equal(product.process.state_count, n.count);
    assert_int_equal(product.full,
                     (uint64_t)opac_model_states(x->model) * x->automaton->state_count);
    assert_true((product.exact != NULL) == (x->model->exact != NULL));
    for (uint32_t i = 0; i < n.count; i++) {
        bool *seen = &n.seen[product.state[i] * x->automaton->state_count + product.memory[i]];
        assert_true(*seen);
        *seen = false; /* so that none is found twice */
        check_product_state(x, &product, i);
    }
    check_start(x, &product);
    check_order(&product);
    free(n.seen);
    product_fini(&product);
}

static void random_scenes(void **unused)
{
    uint64_t random = random_seed(1);
    uint32_t silent = 0, several = 0, exact = 0, stuck = 0;
    (void)unused;
    for (int round = 0; round < 3000; round++) {
        scene x;
        scene_draw(&random, 1 + random_below(&random, 12), 1 + random_below(&random, 12), &x);
        for (uint32_t e = 0; e < aut_edge_count(x.automaton); e++)
            silent += x.automaton->edges[e].label == AUT_EPSILON;
        several += opac_model_initial_count(x.model) > 1 && x.automaton->initial_count > 1;
        exact += x.model->exact != NULL;
        stuck += !x.automaton->is_complete;
        check_scene(&x);
        scene_fini(&x);
    }
    assert_true(silent > 100);
    assert_true(several > 100);
    assert_true(exact > 100);
    assert_true(stuck > 100);
}

/* Few reachable product states among many: the index uses slots instead of cells. */
static void sparse_scene(void **unused)
{
    enum {
        STATES = 150000,
        MEMORIES = 500
    };
    uint64_t random = random_seed(2);
    random_automaton_shape shape = {.states = MEMORIES,
                                    .propositions = 2,
                                    .marks = 1,
                                    .edge_percent = 100,
                                    .mark_percent = 50,
                                    .is_deterministic = true};
    scene x = {.model = scene_path(STATES), .automaton = random_automaton(&random, shape, NULL)};
    product_process product;
    opac_error error;
    uint32_t memory = 0, count;
    (void)unused;
    scene_letters(&random, &x);
    assert_ok(product_build(x.model, x.letters, x.automaton, NULL, &product, &error), &error);
    assert_true(product.process.state_count >= STATES);
    assert_true(product.process.state_count <= STATES + MEMORIES);
    assert_int_equal(product.process.edge_count, product.process.state_count);
    for (uint32_t i = 0; i < STATES; i++) {
        naive_choice choice;
        assert_int_equal(product.state[i], i);
        assert_int_equal(product.memory[i], memory);
        count = naive_choices(&x, i, memory, &choice, 1);
        assert_int_equal(count, 1);
        assert_int_equal(product.marks[i], choice.marks);
        memory = choice.memory;
    }
    product_fini(&product);
    scene_fini(&x);
}

/* An automaton without initial states: the product is empty. */
static void no_initial_state(void **unused)
{
    scene x = {.model = scene_path(3),
               .automaton = scene_hoa("HOA: v1 States: 1 AP: 0 Acceptance: 0 t "
                                      "--BODY-- State: 0 [t] 0 --END--")};
    product_process product;
    opac_error error;
    (void)unused;
    x.letters = base_alloc_zeroed(3, sizeof *x.letters);
    assert_int_equal(x.automaton->initial_count, 0);
    assert_ok(product_build(x.model, x.letters, x.automaton, NULL, &product, &error), &error);
    assert_int_equal(product.process.state_count, 0);
    assert_int_equal(product.start.count, 0);
    assert_int_equal(product.start_begin.count, 2);
    assert_int_equal(product.full, 3);
    assert_ok(graph_process_check(&product.process, 0, &error), &error);
    product_fini(&product);
    scene_fini(&x);
}

SUITE(build)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes),
        cmocka_unit_test(sparse_scene),
        cmocka_unit_test(no_initial_state),
    };
    return cmocka_run_group_tests_name("product.build", tests, NULL, NULL);
}
