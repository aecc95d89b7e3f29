/* SPDX-License-Identifier: MIT */
/*
 * Walks are the same as resets and steps: the oracle runs each episode with env_reset and env_step, and
 * counts the links. Random models, random graphs with ENV_NO_STEP, ENV_END and ENV_UNSEEN, and several
 * chunks and threads.
 */
#include <pthread.h>

#include <omegapac/builder.h>

#include "base/hash.h"
#include "env/walk.h"
#include "support/check.h"
#include "support/random_model.h"

enum {
    MOST_NODES = 40,
    MOST_LINKS = 400
};

/* A walk graph over a model: a node is a state-action pair; there may be several nodes for a pair. */
typedef struct scene {
    opac_model *model;
    opac_environment *env;
    env_walk_node nodes[MOST_NODES];
    uint32_t state[MOST_NODES], action[MOST_NODES]; /* of nodes that step */
    uint32_t links[MOST_LINKS];
    uint32_t node_count, link_count;
    env_walk_graph map;
} scene;

static uint32_t state_of(const opac_observation *observation)
{
    uint32_t state;
    assert_int_equal(observation->length, sizeof state);
    memcpy(&state, observation->key, sizeof state);
    return state;
}

/* Adds a node for this state, or an ENV_NO_STEP or ENV_END node before it; UINT32_MAX if there are too many
 * nodes. */
static uint32_t add_node(scene *s, uint64_t *random, uint32_t state, uint32_t percent_free)
{
    opac_error error;
    uint32_t node = s->node_count, row, width;
    bool is_free = random_below(random, 100) < percent_free;
    if (node == MOST_NODES || s->link_count + 12 > MOST_LINKS)
        return UINT32_MAX;
    s->state[node] = state;
    s->action[node] = random_below(random, opac_model_choice_count(s->model, state));
    assert_ok(env_row(s->env, &state, sizeof state, s->action[node], &row, &width, &error), &error);
    s->nodes[node] =
        (env_walk_node){is_free ? ENV_NO_STEP : row, is_free ? 1 : width, s->link_count};
    if (random_below(random, 100) < percent_free / 4)
        s->nodes[node].row = ENV_END;
    s->link_count += s->nodes[node].width;
    s->node_count++;
    return node;
}

/* A node for a state: an existing one, a new one, or ENV_UNSEEN. */
static uint32_t some_node(scene *s, uint64_t *random, uint32_t state, uint32_t percent_free,
                          uint32_t percent_gap)
{
    if (random_below(random, 100) < percent_gap)
        return ENV_UNSEEN;
    uint32_t begin = random_below(random, s->node_count);
    for (uint32_t i = 0; i < s->node_count; i++) {
        uint32_t node = (begin + i) % s->node_count;
        if (s->state[node] == state && random_below(random, 3) > 0)
            return node;
    }
    uint32_t made = add_node(s, random, state, percent_free);
    for (uint32_t i = 0; made == UINT32_MAX && i < s->node_count; i++)
        if (s->state[i] == state)
            return i;
    return made; /* UINT32_MAX is ENV_UNSEEN */
}

static void scene_init(scene *s, uint64_t *random, uint32_t percent_free, uint32_t percent_gap)
{
    opac_error error;
    opac_observation first;
    random_model_shape shape = {OPAC_MODEL_MDP, 1 + random_below(random, 8), 3, 4, 0, 0, 0, 0, 0};
    memset(s, 0, sizeof *s);
    s->model = random_model(random, shape);
    assert_ok(opac_environment_of_model(s->model, NULL, &s->env, &error), &error);
    if (env_get_traits(s->env).random_start) {
        uint32_t row, width;
        assert_ok(env_row(s->env, NULL, 0, 0, &row, &width, &error), &error);
        s->nodes[0] = (env_walk_node){row, width, 0};
        s->state[0] = UINT32_MAX;
        s->node_count = 1;
        s->link_count = width;
    } else {
        assert_ok(env_reset(s->env, 0, &first, &error), &error);
        add_node(s, random, state_of(&first), percent_free);
    }
    for (uint32_t i = 0; i < s->node_count; i++) {
        env_walk_node *at = &s->nodes[i];
        for (uint32_t j = 0; j < at->width && at->row != ENV_END; j++) {
            opac_observation behind;
            uint32_t target = s->state[i];
            if (at->row != ENV_NO_STEP) {
                assert_ok(env_branch(s->env, at->row, j, &behind, &error), &error);
                target = state_of(&behind);
            }
            uint32_t node = some_node(s, random, target, percent_free, percent_gap);
            s->links[at->link + j] = node;
        }
    }
    s->map =
        (env_walk_graph){s->nodes, s->links, 0, 1 + random_below(random, 30), random_u64(random)};
}

static void scene_fini(scene *s)
{
    opac_environment_free(s->env);
    opac_model_free(s->model);
}

/* Runs one episode by reset and step; false if it reached an unseen link. */
static bool walk_slowly(scene *s, uint64_t episode, uint64_t *counters, uint64_t *steps)
{
    opac_error error;
    opac_observation seen;
    uint32_t node = s->map.start;
    uint64_t seed = env_episode_seed(s->map.seed, episode);
    assert_true(seed < UINT64_C(1) << 63);
    assert_ok(env_reset(s->env, seed, &seen, &error), &error);
    for (uint64_t t = 0; t < s->map.steps && s->nodes[node].row != ENV_END; t++) {
        uint32_t branch = 0;
        if (s->state[node] == UINT32_MAX) { /* the reset was its step */
            branch = env_last_branch(s->env);
        } else if (s->nodes[node].row != ENV_NO_STEP) {
            assert_int_equal(state_of(&seen), s->state[node]);
            assert_ok(env_step(s->env, s->action[node], &seen, &error), &error);
            branch = env_last_branch(s->env);
        }
        counters[s->nodes[node].link + branch]++;
        ++*steps;
        node = s->links[s->nodes[node].link + branch];
        if (node == ENV_UNSEEN)
            return false;
    }
    return true;
}

static void check_scene(scene *s, uint64_t *random)
{
    uint64_t expected[MOST_LINKS] = {0}, found[MOST_LINKS] = {0};
    uint64_t expected_steps = 0, steps = 0, gap, expected_gap = UINT64_MAX;
    uint64_t first = random_below(random, 1000), count = random_below(random, 60);
    for (uint64_t i = first; i < first + count && expected_gap == UINT64_MAX; i++)
        if (!walk_slowly(s, i, expected, &expected_steps))
            expected_gap = i;
    env_walk(s->env, &s->map, first, count, found, &steps, &gap);
    assert_int_equal(gap, expected_gap);
    if (gap != UINT64_MAX)
        return;
    assert_memory_equal(found, expected, sizeof found);
    assert_int_equal(steps, expected_steps);
    /* In chunks, added to the counters. */
    for (uint64_t done = 0; done < count;) {
        uint64_t chunk = 1 + random_below(random, 20);
        chunk = chunk < count - done ? chunk : count - done;
        env_walk(s->env, &s->map, first + done, chunk, found, &steps, &gap);
        assert_int_equal(gap, UINT64_MAX);
        done += chunk;
    }
    for (size_t i = 0; i < MOST_LINKS; i++)
        assert_int_equal(found[i], 2 * expected[i]);
    assert_int_equal(steps, 2 * expected_steps);
}

static void walks_are_steps(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    for (int round = 0; round < 1500; round++) {
        scene s;
        uint32_t percent_free = round % 2 == 0 ? 0 : 10 + random_below(&random, 60);
        uint32_t percent_gap = round % 3 == 0 ? 1 + random_below(&random, 8) : 0;
        scene_init(&s, &random, percent_free, percent_gap);
        check_scene(&s, &random);
        scene_fini(&s);
    }
}

/* ---- one episode ---- */

/* Both environments are in the same state, and use the same random numbers from now on. */
static void check_place(scene *s, opac_environment *other, uint64_t *random,
                        const opac_observation *seen)
{
    opac_error error;
    opac_observation there, here;
    uint32_t at = state_of(seen);
    for (int i = 0; i < 3; i++) {
        uint32_t action = random_below(random, opac_model_choice_count(s->model, at));
        assert_ok(env_step(s->env, action, &there, &error), &error);
        at = state_of(&there);
        assert_ok(env_step(other, action, &here, &error), &error);
        assert_int_equal(state_of(&here), at);
        assert_int_equal(env_last_branch(other), env_last_branch(s->env));
    }
}

/* A single walk in parts, compared with reset and step; watched links are recorded in order. */
static void check_trail(scene *s, opac_environment *other, uint64_t *random, uint64_t episode)
{
    opac_error error;
    opac_observation seen, first;
    uint64_t expected[MOST_LINKS] = {0}, found[MOST_LINKS] = {0}, expected_steps = 0, steps = 0;
    unsigned char watched[MOST_LINKS];
    uint32_t taken[8];
    env_walk_cursor trail = {.node = s->map.start, .watched = watched, .taken = taken};
    for (uint32_t i = 0; i < MOST_LINKS; i++)
        watched[i] = (unsigned char)random_below(random, 2);
    bool is_whole = walk_slowly(s, episode, expected, &expected_steps);
    assert_ok(env_reset(other, env_episode_seed(s->map.seed, episode), &first, &error), &error);
    uint32_t state = state_of(&first);
    while (steps < s->map.steps && trail.node != ENV_UNSEEN &&
           s->nodes[trail.node].row != ENV_END) {
        uint64_t most = 1 + random_below(random, 6), left = s->map.steps - steps;
        trail.count = 0;
        seen.key = NULL;
        trail.capacity = 1 + random_below(random, 8);
        env_walk_single(other, &s->map, most < left ? most : left, &trail, &seen);
        assert_true(trail.steps > 0);
        assert_true(trail.steps <= most);
        assert_true(trail.count <= trail.capacity);
        steps += trail.steps;
        assert_int_equal(s->links[trail.link], trail.node);
        assert_true(trail.link - s->nodes[trail.from].link < s->nodes[trail.from].width);
        for (size_t i = 0; i < trail.count; i++)
            found[taken[i]]++;
        assert_true(seen.key != NULL || s->nodes[trail.from].row == ENV_NO_STEP);
        if (seen.key != NULL)
            state = state_of(&seen);
    }
    for (uint32_t i = 0; i < MOST_LINKS; i++)
        assert_int_equal(found[i], watched[i] != 0 ? expected[i] : 0);
    assert_int_equal(steps, expected_steps);
    assert_int_equal(trail.node != ENV_UNSEEN, is_whole);
    check_place(s, other, random, &(opac_observation){.key = &state, .length = sizeof state});
}

static void single_walks_are_steps(void **state)
{
    (void)state;
    uint64_t random = random_seed(4);
    for (int round = 0; round < 600; round++) {
        scene s;
        opac_error error;
        opac_environment *other;
        uint32_t percent_free = round % 2 == 0 ? 0 : 10 + random_below(&random, 60);
        scene_init(&s, &random, percent_free, round % 3 == 0 ? 0 : 10);
        assert_ok(env_fork(s.env, &other, &error), &error);
        for (uint64_t i = 0; i < 10 && !env_get_traits(s.env).random_start; i++)
            check_trail(&s, other, &random, i);
        opac_environment_free(other);
        scene_fini(&s);
    }
}

/* Walks that start at ENV_END or ENV_NO_STEP, or have no steps. */
static void empty_walks(void **state)
{
    (void)state;
    uint64_t random = random_seed(2), counters[2] = {0}, steps = 0, gap;
    scene s;
    scene_init(&s, &random, 0, 0);
    env_walk_node end = {ENV_END, 0, 0}, loop = {ENV_NO_STEP, 1, 1};
    uint32_t links[] = {0, 0};
    env_walk_graph map = {&end, links, 0, 5, 1};
    env_walk(s.env, &map, 0, 100, counters, &steps, &gap);
    assert_int_equal(steps, 0);
    assert_int_equal(gap, UINT64_MAX);
    map.nodes = &loop;
    env_walk(s.env, &map, UINT64_MAX - 100, 100, counters, &steps, &gap);
    assert_int_equal(steps, 500);
    assert_int_equal(counters[0], 0);
    assert_int_equal(counters[1], 500);
    map.steps = 0;
    env_walk(s.env, &map, 0, 100, counters, &steps, &gap);
    env_walk(s.env, &s.map, 0, 0, counters, &steps, &gap);
    assert_int_equal(steps, 500);
    assert_int_equal(gap, UINT64_MAX);
    scene_fini(&s);
}

/* The counts for a seed are pinned: they are the same on all machines and in all versions. */
static void counts_are_pinned(void **state)
{
    (void)state;
    static const double odds[3][2] = {{0.25, 0.75}, {0.5, 0.5}, {0.125, 0.875}};
    opac_builder *builder;
    opac_model *model;
    opac_environment *env;
    opac_error error;
    env_walk_node nodes[3];
    uint32_t links[6];
    uint64_t counters[6] = {0}, steps = 0, gap, digest = 0;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        assert_ok(opac_builder_choice(builder, NULL, &error), &error);
        for (uint32_t j = 0; j < 2; j++)
            assert_ok(opac_builder_branch(builder, (i + j) % 3, odds[i][j], &error), &error);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    for (uint32_t i = 0; i < 3; i++) {
        opac_observation seen;
        assert_ok(env_row(env, &i, sizeof i, 0, &nodes[i].row, &nodes[i].width, &error), &error);
        nodes[i].link = 2 * i;
        for (uint32_t j = 0; j < 2; j++) {
            assert_ok(env_branch(env, nodes[i].row, j, &seen, &error), &error);
            links[2 * i + j] = state_of(&seen);
        }
    }
    env_walk_graph map = {nodes, links, 0, 100, 7};
    env_walk(env, &map, 0, 1000, counters, &steps, &gap);
    assert_int_equal(steps, 100000);
    for (size_t i = 0; i < 6; i++)
        digest = base_hash_word(digest ^ counters[i]);
    assert_int_equal(digest, UINT64_C(0xDAB9309FCC2F3F0A));
    opac_environment_free(env);
    opac_model_free(model);
}

/* ---- forks and threads ---- */

typedef struct worker {
    opac_environment *env;
    const env_walk_graph *map;
    uint64_t first, counters[MOST_LINKS], steps, gap;
    pthread_t thread;
} worker;

static void *run_worker(void *context)
{
    worker *w = context;
    env_walk(w->env, w->map, w->first, 500, w->counters, &w->steps, &w->gap);
    return NULL;
}

/* Forks share the rows; one walks while another one steps. */
static void threads_walk_together(void **state)
{
    (void)state;
    enum {
        WORKERS = 4
    };
    opac_error error;
    uint64_t random = random_seed(3), expected[MOST_LINKS] = {0}, steps = 0, all_steps = 0, gap;
    worker workers[WORKERS];
    scene s;
    scene_init(&s, &random, 20, 0);
    memset(workers, 0, sizeof workers);
    for (uint64_t i = 0; i < WORKERS; i++) {
        workers[i].map = &s.map;
        workers[i].first = 500 * i;
        assert_ok(env_fork(s.env, &workers[i].env, &error), &error);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
    }
    uint64_t slow[MOST_LINKS] = {0}, slow_steps = 0, sum[MOST_LINKS] = {0};
    for (uint64_t i = 0; i < 50; i++)
        assert_true(walk_slowly(&s, i, slow, &slow_steps));
    for (uint64_t i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        opac_environment_free(workers[i].env);
        all_steps += workers[i].steps;
        for (size_t j = 0; j < MOST_LINKS; j++)
            sum[j] += workers[i].counters[j];
    }
    env_walk(s.env, &s.map, 0, 500 * WORKERS, expected, &steps, &gap);
    assert_memory_equal(sum, expected, sizeof sum);
    assert_int_equal(all_steps, steps);
    scene_fini(&s);
}

SUITE(walk)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_are_steps),       cmocka_unit_test(single_walks_are_steps),
        cmocka_unit_test(empty_walks),           cmocka_unit_test(counts_are_pinned),
        cmocka_unit_test(threads_walk_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
