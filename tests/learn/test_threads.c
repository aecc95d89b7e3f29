/* SPDX-License-Identifier: MIT */
/*
 * The same result for any number of threads, lanes and chunks: pinned hashes of counts, policy, episodes
 * and steps; and a tabulated environment against the same one run step by step.
 */
#include "env/env.h"
#include "random_walk.h"
#include "runs.h"
#include "support/random_automaton.h"

static table_state grid[6];

static uint64_t hash_of(opac_environment *env, opac_learn_options options, unsigned threads)
{
    options.threads = threads;
    opac_learning *l = learning_of(env, "G F a & G F b", &options);
    uint64_t hash = learning_hash(l);
    opac_learning_free(l);
    opac_environment_free(env);
    return hash;
}

static void check_hash(uint64_t hash, uint64_t expected)
{
    if (hash != expected)
        fail_msg("0x%016llX instead of 0x%016llX", (unsigned long long)hash,
                 (unsigned long long)expected);
}

/* Callbacks, on forks and on lanes. */
static void test_callbacks(void **unused)
{
    opac_learn_options options = learning_options(40, 2000);
    static const unsigned threads[] = {1, 2, 7};
    (void)unused;
    gridworld_make(grid);
    for (size_t i = 0; i < 3; i++) {
        check_hash(hash_of(table_environment(grid, 0, false), options, threads[i]),
                   UINT64_C(0x7361F99E4A303A3F));
        check_hash(hash_of(lanes_environment(grid, 0), options, threads[i]),
                   UINT64_C(0x7361F99E4A303A3F));
        check_hash(hash_of(table_environment(grid, 4, false), options, threads[i]),
                   UINT64_C(0x4FBB460D98D19A7C));
        check_hash(hash_of(lanes_environment(grid, 4), options, threads[i]),
                   UINT64_C(0x4FBB460D98D19A7C));
    }
}

static opac_learn_options recurrence_options(uint64_t horizon, double target)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = 0.05;
    options.target = target;
    options.delta = 0.1;
    options.seed = 5;
    return options;
}

/* A bracket from T, on forks and on lanes: its rounds explore, rehearse and try. */
static void test_recurrence(void **unused)
{
    opac_learn_options options = recurrence_options(306, 0.2);
    static const unsigned threads[] = {1, 2, 7};
    (void)unused;
    gridworld_make(grid);
    for (size_t i = 0; i < 3; i++) {
        check_hash(hash_of(table_environment(grid, 0, false), options, threads[i]),
                   UINT64_C(0x010368A9C7EE6F85));
        check_hash(hash_of(lanes_environment(grid, 0), options, threads[i]),
                   UINT64_C(0x010368A9C7EE6F85));
        check_hash(hash_of(table_environment(grid, 4, false), options, threads[i]),
                   UINT64_C(0x62AFA9521554585E));
        check_hash(hash_of(lanes_environment(grid, 4), options, threads[i]),
                   UINT64_C(0x62AFA9521554585E));
    }
}

/* ---- a model, in chunks and step by step ---- */

static opac_model *grid_model(void)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error = {0};
    gridworld_make(grid);
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < 6; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (int a = 0; a < 4; a++) {
            assert_ok(opac_builder_choice(builder, NULL, &error), &error);
            for (int b = 0; b < 4; b++)
                if (grid[s].action[a].p[b] > 0)
                    assert_ok(opac_builder_branch(builder, grid[s].action[a].to[b],
                                                  grid[s].action[a].p[b], &error),
                              &error);
        }
    }
    assert_ok(opac_builder_label(builder, "a", 0, &error), &error);
    assert_ok(opac_builder_label(builder, "b", 2, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

static opac_environment *model_environment(const opac_model *model)
{
    opac_environment *env;
    opac_error error = {0};
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    return env;
}

static void test_models(void **unused)
{
    opac_model *model = grid_model();
    opac_learn_options options = learning_options(40, 20000);
    static const unsigned threads[] = {1, 2, 7};
    (void)unused;
    options.sampler = OPAC_SAMPLER_STEP;
    for (size_t i = 0; i < 3; i++) {
        options.count_pairs = false;
        check_hash(hash_of(model_environment(model), options, threads[i]),
                   UINT64_C(0x8D8138029AE9A9D4));
        options.count_pairs = true;
        check_hash(hash_of(model_environment(model), options, threads[i]),
                   UINT64_C(0xD56450A7E0A17817));
    }
    opac_model_free(model);
}

static opac_learning *learn_random(opac_environment *env, const opac_automaton *automaton,
                                   const opac_learn_options *options, bool sequential)
{
    opac_error error = {0};
    opac_learning *l;
    const opac_objective objective = {.automaton = automaton};
    const sample_tuning tuning = {.patience = 1e6, .sequential = sequential};
    assert_ok(learn_tuned(env, &objective, options, &tuning, &l, &error), &error);
    return l;
}

typedef struct random_scene {
    opac_model *model;
    opac_automaton *automaton;
} random_scene;

static random_scene draw_scene(uint64_t *random, int i)
{
    const wander_shape shape = {.states = 2 + random_below(random, 12),
                                .actions = 3,
                                .branches = 3,
                                .has_deadlocks = i % 2 == 0,
                                .is_random = i % 3 == 0};
    random_scene x = {.model = wander_model(random, shape)};
    opac_formula *formula = learning_formula(i % 4 == 0   ? "G F a & F G b"
                                             : i % 4 == 1 ? "F a"
                                             : i % 4 == 2 ? "G F a | G F b"
                                                          : "G (a -> X F b)");
    opac_error error = {0};
    const opac_automaton_options kind = {
        .kind = i % 5 == 0 ? OPAC_KIND_LDBA : OPAC_KIND_DETERMINISTIC,
        .acceptance = i % 5 == 0 ? OPAC_ACCEPTANCE_BUCHI : OPAC_ACCEPTANCE_RABIN};
    assert_ok(opac_automaton_translate(formula, &kind, &x.automaton, &error), &error);
    opac_formula_free(formula);
    return x;
}

/* One episode after the other, and in parallel with one and two threads. */
static void check_scene(random_scene *x, opac_learn_options options)
{
    opac_environment *env = model_environment(x->model);
    opac_learning *slow = learn_random(env, x->automaton, &options, true);
    for (options.threads = 1; options.threads <= 2; options.threads++) {
        opac_learning *fast = learn_random(env, x->automaton, &options, false);
        assert_int_equal(learning_hash(fast), learning_hash(slow));
        assert_int_equal(fast->run.policies, slow->run.policies);
        assert_int_equal(fast->run.stats.product_states.count,
                         slow->run.stats.product_states.count);
        opac_learning_free(fast);
    }
    opac_learning_free(slow);
    opac_environment_free(env);
    opac_automaton_free(x->automaton);
    opac_model_free(x->model);
}

/* Random models, automata and k. */
static void test_chunks_come_to_the_same(void **unused)
{
    uint64_t random = 17;
    (void)unused;
    for (int i = 0; i < 120; i++) {
        random_scene x = draw_scene(&random, i);
        opac_learn_options options =
            learning_options(1 + random_below(&random, 60), 1 + random_below(&random, 300));
        options.sampler = OPAC_SAMPLER_STEP;
        options.count_pairs = random_below(&random, 2) == 0;
        options.max_steps = 100000;
        check_scene(&x, options);
    }
}

/* The same with lower bounds from episodes alone. */
static void test_trials_come_to_the_same(void **unused)
{
    uint64_t random = 19;
    (void)unused;
    for (int i = 1; i < 120; i += 4) { /* F a */
        random_scene x = draw_scene(&random, i);
        opac_learn_options options = recurrence_options(0, 0);
        options.nothing_known = true;
        options.max_steps = 20000;
        check_scene(&x, options);
    }
}

/* The same with brackets from T, which is often refuted. */
static void test_rounds_come_to_the_same(void **unused)
{
    uint64_t random = 18;
    (void)unused;
    for (int i = 0; i < 120; i++) {
        random_scene x = draw_scene(&random, i);
        opac_learn_options options = recurrence_options(1 + random_below(&random, 200), 0.15);
        options.max_steps = 20000;
        check_scene(&x, options);
    }
}

SUITE(threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_recurrence),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_chunks_come_to_the_same),
        cmocka_unit_test(test_rounds_come_to_the_same),
        cmocka_unit_test(test_trials_come_to_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
