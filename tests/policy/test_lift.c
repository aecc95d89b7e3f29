/* SPDX-License-Identifier: MIT */
/*
 * policy_from_product: the policy behaves as the policy of the product. Both are run in parallel on random
 * models with automata of all kinds.
 */
#include "aut/hoa_order.h"
#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"

enum {
    ROUNDS = 2000,
    WALKS = 8,
    STEPS = 40
};

/* Whether the automaton of the policy can go from memory to memory with this letter: epsilon moves,
 * then an edge. */
static bool can_move(const opac_automaton *automaton, uint32_t from, uint64_t letter, uint32_t to)
{
    for (uint32_t e = automaton->edge_begin[from]; e < automaton->edge_begin[from + 1]; e++) {
        const aut_edge *edge = &automaton->edges[e];
        if (edge->label == AUT_EPSILON) {
            if (can_move(automaton, edge->target, letter, to))
                return true;
        } else if (edge->target == to &&
                   aut_bdd_evaluate(automaton->labels, edge->label, letter) == AUT_BDD_TRUE) {
            return true;
        }
    }
    return false;
}

static bool is_universal(const opac_automaton *automaton, uint32_t state)
{
    product_move_table *move_table;
    uint64_t marks;
    opac_error error;
    assert_ok(product_move_table_new(automaton, &move_table, &error), &error);
    bool result = product_move_table_is_universal(move_table, state, &marks);
    product_move_table_free(move_table);
    return result;
}

typedef struct naive {
    const scene *s;
    const uint32_t *number; /* of memory, as the machine has it */
    uint32_t product_state;
    bool matters; /* neither in the sink nor rejected */
} naive;

static bool has_choice(const naive *n)
{
    return n->s->choice[n->product_state] != GRAPH_NONE;
}

/* The choice of the model that the product's policy takes; *silent: after how many epsilons. */
static uint32_t naive_choice(naive *n, uint32_t *silent)
{
    const product_process *product = &n->s->product;
    *silent = 0;
    while (product->state[n->product_state] != PRODUCT_NONE && has_choice(n) &&
           product->choice[n->s->choice[n->product_state]] == PRODUCT_NONE) {
        n->product_state =
            product->process.target[product->process.edge_begin[n->s->choice[n->product_state]]];
        ++*silent;
    }
    n->matters = product->state[n->product_state] != PRODUCT_NONE && has_choice(n);
    return n->matters ? product->choice[n->s->choice[n->product_state]] : PRODUCT_NONE;
}

static void naive_step(naive *n, uint32_t state)
{
    const product_process *product = &n->s->product;
    uint32_t choice = n->s->choice[n->product_state];
    for (uint32_t e = product->process.edge_begin[choice];
         e < product->process.edge_begin[choice + 1]; e++) {
        uint32_t target = product->process.target[e];
        if (product->state[target] == state || product->state[target] == PRODUCT_NONE) {
            n->product_state = target;
            return;
        }
    }
    fail_msg("the product has no such edge");
}

static void check_memory(const naive *n, const opac_policy *policy, uint32_t memory)
{
    if (n->s->product.state[n->product_state] == PRODUCT_NONE)
        assert_true(is_universal(policy->automaton, memory));
    else
        assert_int_equal(memory, n->number[n->s->product.memory[n->product_state]]);
}

/* Runs one episode; returns whether it reached a product state in which the choice does not matter. */
static bool walk(uint64_t *random, const scene *s, const opac_policy *policy,
                 const uint32_t *number, uint32_t initial)
{
    const graph_process *model = &s->model->process;
    uint32_t state = opac_model_initial(s->model, initial);
    uint32_t memory = opac_policy_start(policy, state);
    naive n = {.s = s, .number = number, .product_state = s->start[initial]};
    if (n.product_state == PRODUCT_NONE) {
        assert_int_equal(memory, 0);
        return true;
    }
    for (int i = 0; i < STEPS; i++) {
        uint32_t silent, before = memory;
        check_memory(&n, policy, memory);
        uint32_t expected = naive_choice(&n, &silent);
        uint32_t choice = opac_policy_act(policy, state, &memory);
        if (!n.matters) {
            assert_int_equal(choice, model->choice_begin[state]);
            if (silent > 0 || s->product.state[n.product_state] != PRODUCT_NONE)
                check_memory(&n, policy, memory);
            return true;
        }
        assert_int_equal(choice, expected);
        assert_true(can_move(policy->automaton, before, s->letters[state], memory));
        uint32_t begin = model->edge_begin[choice];
        state = model->target[begin + random_below(random, model->edge_begin[choice + 1] - begin)];
        naive_step(&n, state);
    }
    return false;
}

/* Pairs with a decision are those that are reached and have a choice: no more. */
static void check_count(const scene *s, const opac_policy *policy)
{
    const product_process *product = &s->product;
    uint32_t states = product->process.state_count;
    uint64_t count = 0;
    bool *seen = calloc(states + 1u, sizeof *seen), grown = true;
    assert_non_null(seen);
    for (uint32_t i = 0; i < opac_model_initial_count(s->model); i++)
        if (s->start[i] != PRODUCT_NONE)
            seen[s->start[i]] = true;
    while (grown) {
        grown = false;
        for (uint32_t p = 0; p < states; p++) {
            uint32_t silent;
            naive n = {.s = s, .product_state = p};
            if (!seen[p] || naive_choice(&n, &silent) == PRODUCT_NONE)
                continue;
            uint32_t c = s->choice[n.product_state];
            for (uint32_t e = product->process.edge_begin[c];
                 e < product->process.edge_begin[c + 1]; e++) {
                grown = grown || !seen[product->process.target[e]];
                seen[product->process.target[e]] = true;
            }
        }
    }
    for (uint32_t p = 0; p < states; p++) {
        uint32_t silent;
        naive n = {.s = s, .product_state = p};
        if (seen[p])
            count += naive_choice(&n, &silent) != PRODUCT_NONE || silent > 0;
    }
    assert_int_equal(opac_policy_decisions(policy), count);
    free(seen);
}

static void test_same_runs(void **state)
{
    (void)state;
    uint64_t random = random_seed(501);
    unsigned ended = 0, lasted = 0, made = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scene s;
        hoa_order order;
        opac_error error;
        if (!scene_make(&random, random_model_draw(&random, 8), scene_automaton(&random), &s))
            continue;
        made++;
        opac_policy *policy = scene_policy(&s);
        assert_ok(hoa_order_init(&order, s.automaton, &error), &error);
        for (uint32_t i = 0; i < opac_model_initial_count(s.model); i++)
            for (int j = 0; j < WALKS; j++)
                if (walk(&random, &s, policy, order.number, i))
                    ended++;
                else
                    lasted++;
        check_count(&s, policy);
        hoa_order_fini(&order);
        opac_policy_free(policy);
        scene_fini(&s);
    }
    assert_true(made > ROUNDS / 2);
    assert_true(ended > made);
    assert_true(lasted > made);
}

static void test_facts(void **state)
{
    (void)state;
    uint64_t random = random_seed(502);
    scene s;
    opac_policy *policy;
    opac_error error;
    assert_true(scene_make(&random, random_model_draw(&random, 5), scene_hoa(scene_odd), &s));
    policy = scene_policy(&s);
    assert_string_equal(opac_policy_objective(policy), "as it comes");
    assert_int_equal(opac_policy_memory(policy), opac_automaton_states(s.automaton));
    assert_true(opac_policy_automaton(policy) != s.automaton);
    assert_int_equal(opac_automaton_states(opac_policy_automaton(policy)),
                     opac_automaton_states(s.automaton));
    opac_policy_free(policy);

    /* All members of the objective are optional. */
    policy_objective objective = {.complement = true};
    assert_ok(
        policy_from_product(s.model, &s.product, s.choice, s.start, &objective, &policy, &error),
        &error);
    assert_ok(policy_check(policy, &error), &error);
    assert_string_equal(opac_policy_objective(policy), "");
    assert_null(opac_policy_automaton(policy));
    assert_true(policy->complement);
    assert_true(policy->formula == NULL);
    assert_true(policy->letters == NULL);
    uint32_t largest = 0;
    for (uint32_t p = 0; p < s.product.process.state_count; p++)
        largest = s.product.memory[p] > largest ? s.product.memory[p] : largest;
    assert_true(largest > 0);
    assert_int_equal(opac_policy_memory(policy), largest + 1);
    opac_policy_free(policy);
    objective.formula = "F a";
    assert_ok(
        policy_from_product(s.model, &s.product, s.choice, s.start, &objective, &policy, &error),
        &error);
    assert_string_equal(opac_policy_objective(policy), "F a");
    opac_policy_free(policy);
    scene_fini(&s);
}

/* An automaton without states accepts nothing; there is one memory value. */
static void test_empty(void **state)
{
    (void)state;
    uint64_t random = random_seed(503);
    scene s;
    assert_true(scene_make(&random, random_model_draw(&random, 5),
                           scene_hoa("HOA: v1 States: 0 AP: 1 \"a\" Acceptance: 0 f --BODY-- "
                                     "--END--"),
                           &s));
    opac_policy *policy = scene_policy(&s);
    assert_int_equal(opac_policy_memory(policy), 1);
    assert_int_equal(opac_policy_decisions(policy), 0);
    uint32_t memory = opac_policy_start(policy, 0);
    assert_int_equal(opac_policy_act(policy, 0, &memory), 0);
    assert_int_equal(memory, 0);
    opac_policy_free(policy);
    scene_fini(&s);
}

static opac_status lift_and_free(void *context, opac_error *error)
{
    opac_policy *policy;
    opac_status status = scene_lift(context, &policy, error);
    if (status == OPAC_OK)
        opac_policy_free(policy);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    uint64_t random = random_seed(504);
    for (int i = 0; i < 4; i++) {
        scene s;
        if (!scene_make(&random, random_model_draw(&random, 6),
                        i < 2 ? scene_hoa(scene_odd) : scene_automaton(&random), &s))
            continue;
        assert_true(faults_sweep(lift_and_free, &s) > 5);
        scene_fini(&s);
    }
}

SUITE(lift)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_runs),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
