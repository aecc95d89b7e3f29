/* SPDX-License-Identifier: MIT */
/*
 * The classification of trajectories against a second one that records each trajectory first: the same
 * seeds in another environment, with the automaton beside it, and the product states that the last one
 * reaches, by plain reachability.
 */
#include "estimate/classify_trajectory.h"

#include "aut/automaton.h"
#include "check/random_scene.h"
#include "learn/small_chain.h"
#include "support/check.h"
#include "support/random_automaton.h"

enum {
    MOST_STEPS = 60,
    MOST_PAIRS = 64
};

/* ---- the second classification ---- */

typedef struct record {
    const opac_automaton *automaton;
    product_move_table *move_table;
    uint32_t states[MOST_PAIRS], memories[MOST_PAIRS], product_states;
    uint64_t marks[MOST_PAIRS];
    bool has[MOST_PAIRS][MOST_PAIRS];
} record;

static uint32_t product_state_of(record *r, uint32_t state, uint32_t memory)
{
    uint32_t i = 0;
    while (i < r->product_states && (r->states[i] != state || r->memories[i] != memory))
        i++;
    if (i == r->product_states) {
        assert_true(i < MOST_PAIRS);
        r->states[i] = state;
        r->memories[i] = memory;
        r->product_states++;
    }
    return i;
}

static void reach(const record *r, uint32_t from, bool *reached)
{
    if (reached[from])
        return;
    reached[from] = true;
    for (uint32_t to = 0; to < r->product_states; to++)
        if (r->has[from][to])
            reach(r, to, reached);
}

static bool last_wins(const record *r, uint32_t at)
{
    bool inside[MOST_PAIRS] = {false}, has_edge = false;
    uint64_t marks = 0;
    reach(r, at, inside);
    for (uint32_t i = 0; i < r->product_states; i++)
        for (uint32_t j = 0; j < r->product_states; j++)
            if (inside[i] && inside[j] && r->has[i][j]) {
                has_edge = true;
                marks |= r->marks[i];
            }
    return has_edge && aut_condition_holds(&r->automaton->condition, marks);
}

static bool is_universal(const record *r, uint32_t memory)
{
    uint64_t marks;
    return product_move_table_is_universal(r->move_table, memory, &marks);
}

/* It ends early where nothing can change any more. */
static bool wins(record *r, opac_environment *env, uint64_t seed, uint64_t horizon)
{
    opac_observation seen;
    opac_error error;
    uint32_t memory = r->automaton->initial[0];
    assert_ok(env_reset(env, seed, &seen, &error), &error);
    r->product_states = 0;
    memset(r->has, 0, sizeof r->has);
    for (uint64_t taken = 0;; taken++) {
        uint32_t class, count, state;
        memcpy(&state, seen.key, sizeof state);
        assert_ok(product_move_table_class(r->move_table, seen.letter, &class, &error), &error);
        const product_move *move = product_move_table_moves(r->move_table, memory, class, &count);
        if (is_universal(r, memory) || (count > 0 && is_universal(r, move->target)))
            return true;
        if (count == 0)
            return false;
        uint32_t at = product_state_of(r, state, memory);
        r->marks[at] = move->marks;
        if (taken == horizon)
            return last_wins(r, at);
        memory = move->target;
        if (seen.actions > 0)
            assert_ok(env_step(env, 0, &seen, &error), &error);
        memcpy(&state, seen.key, sizeof state);
        r->has[at][product_state_of(r, state, memory)] = true;
    }
}

/* ---- comparing ---- */

static opac_automaton *draw_automaton(uint64_t *random)
{
    random_automaton_shape shape = random_automaton_draw(random, 4, 2, 3);
    shape.is_deterministic = true;
    return random_automaton(random, shape, NULL);
}

static void bind(opac_environment *env, const opac_automaton *automaton)
{
    opac_error error;
    assert_ok(env_bind(env, (const char *const *)automaton->propositions,
                       automaton->proposition_count, &error),
              &error);
}

/* Both environments run the same chain. Returns how many of the trajectories won. */
static unsigned compare(uint64_t *random, opac_environment *env, opac_environment *other)
{
    opac_automaton *automaton = draw_automaton(random);
    record r = {.automaton = automaton};
    estimate_classifier classifier;
    opac_error error;
    unsigned won = 0;
    bind(env, automaton);
    bind(other, automaton);
    assert_ok(product_move_table_new(automaton, &r.move_table, &error), &error);
    assert_ok(estimate_classifier_init(&classifier, env, automaton, &error), &error);
    for (int i = 0; i < 20; i++) {
        uint64_t seed = random_u64(random) >> 1, horizon = random_below(random, MOST_STEPS);
        estimate_verdict verdict;
        assert_ok(estimate_classify_trajectory(&classifier, seed, horizon, &verdict, &error),
                  &error);
        assert_true((verdict == ESTIMATE_WON) == wins(&r, other, seed, horizon));
        assert_true(verdict == ESTIMATE_WON || verdict == ESTIMATE_LOST);
        won += verdict == ESTIMATE_WON;
    }
    estimate_classifier_fini(&classifier);
    product_move_table_free(r.move_table);
    opac_automaton_free(automaton);
    return won;
}

static void models_agree(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    unsigned won = 0, cases = 400;
    for (unsigned i = 0; i < cases; i++) {
        random_scene_shape shape = {.states = 2 + random_below(&random, 5),
                                    .most_choices = 1,
                                    .most_branches = 3,
                                    .labels = 3,
                                    .initial = 1 + random_below(&random, 2),
                                    .is_lettered = true};
        opac_model *model = random_scene(&random, shape);
        opac_environment *env, *other;
        opac_error error;
        assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
        assert_ok(opac_environment_of_model(model, NULL, &other, &error), &error);
        won += compare(&random, env, other);
        opac_environment_free(env);
        opac_environment_free(other);
        opac_model_free(model);
    }
    assert_true(won > cases);
    assert_true(won < 19 * cases); /* there are all kinds */
}

static void draw_chain(uint64_t *random, small_chain *chain)
{
    *chain = (small_chain){.states = 1 + random_below(random, 6)};
    for (uint32_t s = 0; s < chain->states; s++) {
        chain->letter[s] = random_below(random, 4);
        if (random_below(random, 4) == 0)
            continue; /* terminal */
        double left = 1;
        for (int i = 0; i < 2; i++, left /= 2)
            chain->to[s][random_below(random, chain->states)] += left / 2;
        chain->to[s][random_below(random, chain->states)] += left;
    }
}

static void callbacks_agree(void **state)
{
    (void)state;
    uint64_t random = random_seed(2);
    unsigned won = 0, cases = 400;
    for (unsigned i = 0; i < cases; i++) {
        small_chain chain;
        draw_chain(&random, &chain);
        opac_environment *env = small_environment(&chain), *other = small_environment(&chain);
        won += compare(&random, env, other);
        opac_environment_free(env);
        opac_environment_free(other);
    }
    assert_true(won > cases);
    assert_true(won < 19 * cases);
}

SUITE(classify_trajectory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_agree),
        cmocka_unit_test(callbacks_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
