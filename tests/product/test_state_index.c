/* SPDX-License-Identifier: MIT */
/*
 * Product states that are added one by one, in a random order, are those of the explicit product, with the
 * same choices.
 */
#include "naive.h"

typedef struct walk {
    const scene *of;
    uint64_t random;
    product_move_table *move_table;
    product_index *index;
    base_u32_vec open; /* numbered, not yet expanded */
    opac_error error;
} walk;

static void meet(walk *w, uint32_t state, uint32_t memory)
{
    uint32_t before = product_index_count(w->index), product_state, again;
    assert_ok(product_index_find_or_add(w->index, state, memory, &product_state, &w->error),
              &w->error);
    assert_true(product_state <= before);
    assert_int_equal(product_index_count(w->index), before + (product_state == before));
    assert_ok(product_index_find_or_add(w->index, state, memory, &again, &w->error), &w->error);
    assert_int_equal(product_state, again);
    if (product_state == before)
        assert_ok(base_u32_vec_push(&w->open, product_state, &w->error), &w->error);
}

static uint32_t class_of(walk *w, uint32_t product_state, uint32_t *actions)
{
    uint32_t state = product_index_state(w->index, product_state), class = 0;
    *actions = 0;
    if (state == PRODUCT_NONE)
        return 0;
    assert_ok(product_move_table_class(w->move_table, w->of->letters[state], &class, &w->error),
              &w->error);
    *actions = opac_model_choice_count(w->of->model, state);
    return class;
}

typedef struct product_choice {
    uint32_t action; /* its number in the state; PRODUCT_NONE: epsilon, or the loop of the sink */
    uint32_t memory; /* of the successors */
    uint64_t marks;
} product_choice;

static product_choice choice_of(uint32_t action, const product_move *move)
{
    return (product_choice){.action = action, .memory = move->target, .marks = move->marks};
}

/*
 * Choice number `index` of a product state whose state has this letter class and number of actions; false if
 * there are fewer choices.
 */
static bool find_choice(const walk *w, uint32_t product_state, uint32_t class, uint32_t actions,
                        uint32_t index, product_choice *choice)
{
    uint32_t memory = product_index_memory(w->index, product_state), count;
    if (product_index_state(w->index, product_state) == PRODUCT_NONE) {
        *choice = (product_choice){.action = PRODUCT_NONE, .memory = memory};
        return product_move_table_is_universal(w->move_table, memory, &choice->marks) && index == 0;
    }
    const product_move *moves = product_move_table_moves(w->move_table, memory, class, &count);
    uint64_t real = (uint64_t)actions * count;
    if (index < real) {
        *choice = choice_of(index / count, &moves[index % count]);
        return true;
    }
    const product_move *epsilons = product_move_table_epsilons(w->move_table, memory, &count);
    if (index - real >= count)
        return false;
    *choice = choice_of(PRODUCT_NONE, &epsilons[index - real]);
    return true;
}

/* Adds all successors of a product state, with choices and branches from a random one on. */
static void check_choices(walk *w, uint32_t product_state)
{
    uint32_t state = product_index_state(w->index, product_state), actions, count = 0;
    uint32_t class = class_of(w, product_state, &actions);
    product_choice choice;
    while (find_choice(w, product_state, class, actions, count, &choice))
        count++;
    assert_false(find_choice(w, product_state, class, actions, UINT32_MAX, &choice));
    for (uint32_t i = 0, shift = random_u32(&w->random) / 2; i < count && state != PRODUCT_NONE;
         i++) {
        assert_true(find_choice(w, product_state, class, actions, (i + shift) % count, &choice));
        if (choice.action == PRODUCT_NONE) {
            meet(w, state, choice.memory);
            continue;
        }
        uint32_t c = opac_model_choice_begin(w->of->model, state) + choice.action;
        uint32_t branches = opac_model_branch_count(w->of->model, c);
        for (uint32_t j = 0; j < branches; j++)
            meet(w,
                 opac_model_branch_target(w->of->model, opac_model_branch_begin(w->of->model, c) +
                                                            (j + shift) % branches),
                 choice.memory);
    }
}

static void walk_all(walk *w)
{
    const scene *x = w->of;
    for (uint32_t i = 0; i < opac_model_initial_count(x->model); i++)
        for (uint32_t j = 0; j < x->automaton->initial_count; j++)
            meet(w, opac_model_initial(x->model, i), x->automaton->initial[j]);
    while (w->open.count > 0) {
        uint32_t *items = w->open.items, i = random_below(&w->random, (uint32_t)w->open.count);
        uint32_t product_state = items[i];
        items[i] = items[--w->open.count];
        check_choices(w, product_state);
    }
}

/* The same product state in the explicit product; all universal ones are the sink. */
static uint32_t same_product_state(walk *w, const product_process *product, uint32_t product_state)
{
    uint32_t state = product_index_state(w->index, product_state);
    for (uint32_t i = 0; i < product->process.state_count; i++)
        if (product->state[i] == state &&
            (state == PRODUCT_NONE ||
             product->memory[i] == product_index_memory(w->index, product_state)))
            return i;
    fail_msg("product state %u is not in the explicit product", (unsigned)product_state);
    return 0;
}

static void compare_choices(walk *w, const product_process *product, uint32_t product_state)
{
    uint32_t same = same_product_state(w, product, product_state), state = product->state[same],
             actions;
    uint32_t class = class_of(w, product_state, &actions), index = 0;
    product_choice choice;
    if (state == PRODUCT_NONE) { /* the memory that was added first may differ */
        assert_true(find_choice(w, product_state, class, actions, 0, &choice));
        assert_int_equal(choice.action, PRODUCT_NONE);
        assert_false(find_choice(w, product_state, class, actions, 1, &choice));
        return;
    }
    uint32_t begin = product->process.choice_begin[same];
    for (; find_choice(w, product_state, class, actions, index, &choice); index++) {
        uint32_t c = begin + index;
        assert_true(c < product->process.choice_begin[same + 1]);
        assert_int_equal(product->marks[c], choice.marks);
        assert_int_equal(product->choice[c],
                         choice.action == PRODUCT_NONE
                             ? PRODUCT_NONE
                             : opac_model_choice_begin(w->of->model, state) + choice.action);
    }
    assert_int_equal(begin + index, product->process.choice_begin[same + 1]);
}

static void check_scene(const scene *x, bool keep_universal, uint64_t seed)
{
    walk w = {.of = x, .random = seed};
    product_options options = {.keep_universal = keep_universal};
    product_process product;
    if (naive_has_silent_cycle(x->automaton))
        return;
    assert_ok(product_move_table_new(x->automaton, &w.move_table, &w.error), &w.error);
    assert_ptr_equal(product_move_table_automaton(w.move_table), x->automaton);
    assert_ok(product_index_new(w.move_table, keep_universal, &w.index, &w.error), &w.error);
    assert_ok(product_build(x->model, x->letters, x->automaton, &options, &product, &w.error),
              &w.error);
    walk_all(&w);
    assert_int_equal(product_index_count(w.index), product.process.state_count);
    for (uint32_t i = 0; i < product_index_count(w.index); i++)
        compare_choices(&w, &product, i);
    product_fini(&product);
    product_index_free(w.index);
    product_move_table_free(w.move_table);
    base_u32_vec_fini(&w.open);
}

static void random_walks(void **unused)
{
    uint64_t random = random_seed(3);
    (void)unused;
    for (int round = 0; round < 1500; round++) {
        scene x;
        scene_draw(&random, 12, round % 3 == 0 ? 2 : 14, &x); /* few memories or many */
        check_scene(&x, round % 2 == 0, random_u64(&random));
        scene_fini(&x);
    }
}

/* Many states in a scattered order: numbers are in the order of the first occurrence. */
static void many_product_states(void **unused)
{
    static const char *const texts[] = {
        "HOA: v1 States: 2 Start: 0 AP: 0 Acceptance: 1 Inf(0) "
        "--BODY-- State: 0 [t] 0 [t] 1 State: 1 [t] 0 --END--",
        "HOA: v1 States: 12 Start: 0 AP: 0 Acceptance: 1 Inf(0) --BODY-- "
        "State: 0 [t] 1 [t] 11 State: 11 [t] 0 --END--"};
    enum {
        STATES = 30000
    };
    (void)unused;
    for (size_t t = 0; t < 2; t++) {
        opac_automaton *automaton = scene_hoa(texts[t]);
        product_move_table *move_table;
        product_index *index;
        opac_error error;
        uint32_t product_state, last = automaton->state_count - 1;
        assert_ok(product_move_table_new(automaton, &move_table, &error), &error);
        assert_ok(product_index_new(move_table, false, &index, &error), &error);
        for (int again = 0; again < 2; again++)
            for (uint32_t i = 0; i < 2 * STATES; i++) {
                uint32_t state = i % STATES * 7919 % STATES, memory = i < STATES ? 0 : last;
                assert_ok(product_index_find_or_add(index, state, memory, &product_state, &error),
                          &error);
                assert_int_equal(product_state, i);
                assert_int_equal(product_index_state(index, product_state), state);
                assert_int_equal(product_index_memory(index, product_state), memory);
            }
        assert_int_equal(product_index_count(index), 2 * STATES);
        product_index_free(index);
        product_move_table_free(move_table);
        opac_automaton_free(automaton);
    }
    product_index_free(NULL);
    product_move_table_free(NULL);
}

SUITE(state_index)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_walks),
        cmocka_unit_test(many_product_states),
    };
    return cmocka_run_group_tests_name("product.state_index", tests, NULL, NULL);
}
