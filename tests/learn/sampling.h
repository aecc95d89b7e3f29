/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests of the samplers: small systems, a run of the loop with either sampler, and its result
 * in a form that does not depend on the order in which states were added.
 *
 * A third sampler, `plain`, is as simple as possible: one transition after the other, counted at once.
 */
#ifndef TESTS_LEARN_SAMPLING_H
#define TESTS_LEARN_SAMPLING_H

#include <omegapac/builder.h>
#include <omegapac/formula.h>

#include "base/hash.h"
#include "omega_pac/omega_pac.h"
#include "product/product_objective.h"
#include "product/rabin_pairs.h"
#include "sample/population.h"
#include "support/check.h"

/* ---- systems ---- */

typedef struct arc {
    uint32_t state, action, target;
    double probability;
} arc;

typedef struct sampling_system {
    const char *path; /* of a model; NULL: it is as follows */
    const arc *arcs;  /* by state and action */
    size_t arc_count;
    uint32_t states;
    const char *const *labels; /* by state: its letters, "ab" */
    const char *initial;       /* '1' for each state that is one */
    const char *formula;
    opac_automaton_kind kind;
    uint64_t horizon, k;
    bool count_pairs;
    sample_limits limits;
} sampling_system;

typedef struct sampling_scene {
    sampling_system system;
    opac_model *model;
    opac_environment *env;
    opac_automaton *automaton;
    product_rabin_pair_vec pairs;
    bool everywhere;
} sampling_scene;

static inline opac_model *sampling_model(const sampling_system *s)
{
    opac_builder *builder;
    opac_model *model = NULL;
    opac_error error;
    size_t i = 0;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    assert_ok(opac_builder_declare_label(builder, "a", &error), &error);
    assert_ok(opac_builder_declare_label(builder, "b", &error), &error);
    for (uint32_t q = 0; q < s->states; q++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t action = UINT32_MAX; i < s->arc_count && s->arcs[i].state == q; i++) {
            if (s->arcs[i].action != action)
                assert_ok(opac_builder_choice(builder, "", &error), &error);
            action = s->arcs[i].action;
            assert_ok(
                opac_builder_branch(builder, s->arcs[i].target, s->arcs[i].probability, &error),
                &error);
        }
        for (const char *c = s->labels[q]; *c != '\0'; c++)
            assert_ok(opac_builder_label(builder, (char[]){*c, '\0'}, q, &error), &error);
        if (s->initial[q] == '1')
            assert_ok(opac_builder_initial(builder, q, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- the same as callbacks ---- */

typedef struct sampling_robot {
    const sampling_system *system;
    stat_rng rng;
    uint32_t state;
    opac_cancel *cancel; /* asked for in the call of this number */
    uint64_t calls, last;
    bool gives_up; /* and fails by it */
} sampling_robot;

/* A successor; without a state, of the reset. */
static inline uint32_t robot_draw_one(const sampling_robot *robot, const uint32_t *state,
                                      uint32_t action, stat_rng *rng)
{
    const sampling_system *s = robot->system;
    double u = stat_rng_uniform(rng);
    uint32_t chosen = 0;
    if (state == NULL) {
        double all = 0, i = 0;
        for (uint32_t q = 0; q < s->states; q++)
            all += s->initial[q] == '1';
        for (uint32_t q = 0; q < s->states; q++)
            if (s->initial[q] == '1' && i++ <= u * all)
                chosen = q;
        return chosen;
    }
    for (size_t i = 0; i < s->arc_count && u >= 0; i++)
        if (s->arcs[i].state == *state && s->arcs[i].action == action) {
            u -= s->arcs[i].probability;
            chosen = s->arcs[i].target;
        }
    return chosen;
}

static inline opac_observation robot_see(const sampling_robot *robot, const uint32_t *state)
{
    const sampling_system *s = robot->system;
    opac_observation seen = {.key = state, .length = sizeof *state};
    for (size_t i = 0; i < s->arc_count; i++)
        if (s->arcs[i].state == *state)
            seen.actions = s->arcs[i].action + 1;
    for (const char *c = s->labels[*state]; *c != '\0'; c++)
        seen.letter |= UINT64_C(1) << (*c - 'a');
    return seen;
}

static inline opac_status robot_reset(void *context, uint64_t seed, opac_observation *seen,
                                      opac_error *error)
{
    sampling_robot *robot = context;
    (void)error;
    stat_rng_init(&robot->rng, seed, 0);
    robot->state = robot_draw_one(robot, NULL, 0, &robot->rng);
    *seen = robot_see(robot, &robot->state);
    return OPAC_OK;
}

static inline opac_status robot_step(void *context, uint32_t action, opac_observation *seen,
                                     opac_error *error)
{
    sampling_robot *robot = context;
    (void)error;
    robot->state = robot_draw_one(robot, &robot->state, action, &robot->rng);
    *seen = robot_see(robot, &robot->state);
    return OPAC_OK;
}

static inline opac_status robot_draw(void *context, const void *key, size_t length, uint32_t action,
                                     uint64_t n, uint64_t seed, opac_draws *draws,
                                     opac_error *error)
{
    sampling_robot *robot = context;
    uint64_t counts[16] = {0};
    uint32_t state = 0;
    stat_rng rng;
    opac_status status = OPAC_OK;
    if (key != NULL)
        memcpy(&state, key, length);
    if (robot->calls++ == robot->last && robot->cancel != NULL) {
        opac_cancel_request(robot->cancel);
        if (robot->gives_up)
            return OPAC_ERROR_CANCELLED;
    }
    stat_rng_init(&rng, seed, 1);
    for (uint64_t i = 0; i < n; i++)
        counts[robot_draw_one(robot, key != NULL ? &state : NULL, action, &rng)]++;
    for (uint32_t q = 0; q < robot->system->states && status == OPAC_OK; q++) {
        opac_observation seen = robot_see(robot, &q);
        if (counts[q] > 0)
            status = opac_draws_add(draws, &seen, counts[q], error);
    }
    return status;
}

/* The robot is borrowed; at most 16 states. */
static inline opac_status sampling_callbacks(sampling_robot *robot, bool can_draw,
                                             opac_environment **env, opac_error *error)
{
    static const char *const names[] = {"a", "b"};
    const char *first = strchr(robot->system->initial, '1');
    opac_environment_callbacks callbacks = {.reset = robot_reset,
                                            .step = robot_step,
                                            .draw = can_draw ? robot_draw : NULL,
                                            .propositions = names,
                                            .proposition_count = 2,
                                            .random_start = strchr(first + 1, '1') != NULL};
    return opac_environment_new(&callbacks, robot, env, error);
}

/* env NULL: that of the model. */
static inline void sampling_open(sampling_scene *scene, const sampling_system *system,
                                 opac_environment *env)
{
    opac_formula *formula;
    opac_error error;
    bool is_guess;
    *scene = (sampling_scene){.system = *system, .env = env};
    if (system->path != NULL)
        assert_ok(opac_model_read(system->path, NULL, &scene->model, &error), &error);
    else
        scene->model = sampling_model(system);
    if (env == NULL)
        assert_ok(opac_environment_of_model(scene->model, NULL, &scene->env, &error), &error);
    assert_ok(opac_formula_parse(system->formula, NULL, &formula, &error), &error);
    opac_objective objective = {.formula = formula, .direction = OPAC_DIRECTION_MAX};
    product_objective_options options = {.kind = system->kind};
    assert_ok(product_objective_automaton(&objective, false, &options, &scene->automaton, &is_guess,
                                          &error),
              &error);
    opac_formula_free(formula);
    assert_ok(product_rabin_pairs(&scene->automaton->condition, &scene->pairs, &scene->everywhere,
                                  &error),
              &error);
}

static inline void sampling_close(sampling_scene *scene)
{
    product_rabin_pair_vec_fini(&scene->pairs);
    opac_automaton_free(scene->automaton);
    opac_environment_free(scene->env);
    opac_model_free(scene->model);
}

/* ---- runs ---- */

enum {
    PLAIN,
    STEP,
    POPULATION
};

typedef struct sampling_run {
    sample_run run;
    base_u32_vec changed;
    sample_step *step; /* made when it is first needed, and the same with the other */
    sample_population *population;
} sampling_run;

static inline opac_status sampling_begin(sampling_run *r, const sampling_scene *scene,
                                         uint64_t seed, opac_error *error)
{
    const sampling_system *system = &scene->system;
    sample_statistics_options options = {.k = system->k,
                                         .count_pairs = system->count_pairs,
                                         .limits = system->limits,
                                         .always = scene->everywhere ? PRODUCT_MARK_ALWAYS : 0};
    omega_pac_optimistic_model_options wishes = {.pairs = scene->pairs.items,
                                                 .pair_count = (uint32_t)scene->pairs.count};
    *r = (sampling_run){.run = {.seed = seed, .horizon = system->horizon, .limit = UINT64_MAX}};
    opac_status status =
        sample_statistics_init(&r->run.stats, scene->env, scene->automaton, &options, error);
    if (status != OPAC_OK)
        return status;
    status = omega_pac_attach(&r->run, &wishes, error);
    if (status == OPAC_OK)
        return OPAC_OK;
    sample_run_free_strategy(&r->run);
    sample_statistics_fini(&r->run.stats);
    return status;
}

static inline void sampling_end(sampling_run *r)
{
    sample_step_free(r->step);
    sample_population_free(r->population);
    sample_run_free_strategy(&r->run);
    sample_statistics_fini(&r->run.stats);
    base_u32_vec_fini(&r->changed);
}

/* Refreshes the statistics and updates the policy. */
static inline opac_status sampling_update(sampling_run *r, bool *done, opac_error *error)
{
    r->changed.count = 0;
    opac_status status = sample_statistics_refresh(&r->run.stats, &r->changed, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_update(omega_pac_optimistic_model_of(&r->run),
                                                   r->run.policies > 0 ? &r->changed : NULL, error);
    r->run.policies++;
    r->run.updates++;
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_is_done(omega_pac_optimistic_model_of(&r->run),
                                                    r->run.horizon, false, done, error);
    return status;
}

/* ---- the plain sampler ---- */

static inline void plain_sample(sample_run *run, uint32_t choice, opac_observation *seen,
                                uint32_t *product_state, bool *full)
{
    opac_error error;
    sample_statistics *stats = &run->stats;
    uint32_t counter = stats->choices.items[choice].counter, state, branch;
    if (stats->choices.items[choice].action != SAMPLE_NONE)
        assert_ok(env_step(stats->env, stats->choices.items[choice].action, seen, &error), &error);
    assert_ok(sample_statistics_add_state(stats, seen, &state, &error), &error);
    assert_ok(
        sample_statistics_branch(stats, stats->counters.items[counter].row, state, &branch, &error),
        &error);
    if (!stats->counters.items[counter].known && sample_counter_remaining(stats, counter) > 0) {
        assert_ok(sample_statistics_observe(stats, counter, branch, 1, &error), &error);
        *full |= sample_counter_remaining(stats, counter) == 0;
    }
    assert_ok(sample_statistics_follow(stats, choice, branch, product_state, &error), &error);
}

static inline bool plain_episode(sample_run *run)
{
    opac_error error;
    opac_observation seen;
    uint32_t state;
    bool full = false;
    assert_ok(env_reset(run->stats.env, env_episode_seed(run->seed, run->episodes), &seen, &error),
              &error);
    assert_ok(sample_statistics_add_state(&run->stats, &seen, &state, &error), &error);
    assert_ok(sample_statistics_begin_episode(&run->stats, state, &error), &error);
    uint32_t product_state = run->stats.start;
    for (uint64_t t = 0; t < run->horizon && !sample_run_is_absorbed(run, product_state);
         t++, run->steps++) {
        uint32_t choice =
            omega_pac_optimistic_model_choice(omega_pac_optimistic_model_of(run), product_state);
        if (sample_choice_is_free(&run->stats.choices.items[choice]))
            product_state = run->stats.choices.items[choice].target;
        else
            plain_sample(run, choice, &seen, &product_state, &full);
    }
    run->episodes++;
    return full;
}

static inline void plain_advance(sample_run *run)
{
    while (sample_statistics_exceeded(&run->stats) == NULL && !plain_episode(run))
        ;
}

/* One advance; what a population sampler did is added to *counts, if that is not NULL. */
static inline opac_status sampling_try(sampling_run *r, int kind, sample_population_counts *counts,
                                       opac_error *error)
{
    opac_status status = OPAC_OK;
    if (kind == PLAIN) {
        plain_advance(&r->run);
        return OPAC_OK;
    }
    if (kind == STEP) {
        if (r->step == NULL)
            status = sample_step_new(&r->run, &r->step, error);
        return status == OPAC_OK ? sample_step_advance(r->step, error) : status;
    }
    if (r->population == NULL)
        status = sample_population_new(&r->run, &r->population, error);
    if (status != OPAC_OK)
        return status;
    sample_population_counts before = r->population->counts;
    status = sample_population_advance(r->population, error);
    sample_population_counts after = r->population->counts;
    if (counts != NULL) {
        counts->batches += after.batches - before.batches;
        counts->splits += after.splits - before.splits;
        counts->singles += after.singles - before.singles;
        counts->walks += after.walks - before.walks;
        counts->dropped += after.dropped - before.dropped;
    }
    return status;
}

static inline void sampling_advance(sampling_run *r, int kind, sample_population_counts *counts)
{
    opac_error error;
    assert_ok(sampling_try(r, kind, counts, &error), &error);
}

/* ---- what came out ---- */

static inline uint32_t sampling_key(const sample_statistics *stats, uint32_t state)
{
    uint32_t key = UINT32_MAX;
    size_t length;
    if (state != SAMPLE_NONE)
        memcpy(&key, base_intern_key(&stats->keys, state, &length), sizeof key);
    return key;
}

static inline uint64_t sampling_mix(uint64_t a, uint64_t b)
{
    uint64_t words[2] = {a, b};
    return base_hash_bytes(words, sizeof words);
}

static inline uint64_t sampling_counter(const sample_statistics *stats, uint32_t counter,
                                        uint64_t name)
{
    const sample_row *row = &stats->rows.items[stats->counters.items[counter].row];
    uint64_t sum = 0;
    for (uint32_t b = 0; b < row->width; b++) {
        uint64_t n = sample_statistics_observed(stats, counter, b);
        uint32_t target = stats->targets.items[row->begin + b];
        if (n > 0)
            sum += sampling_mix(sampling_mix(name, sampling_key(stats, target)), n);
    }
    return sum;
}

/*
 * A hash of all counters and their observations: independent of the order of states and product states,
 * and of product states that were added without visits.
 */
static inline uint64_t sampling_counts(const sample_run *run)
{
    const sample_statistics *stats = &run->stats;
    uint64_t sum = 0;
    for (uint32_t r = 0; r < stats->rows.count; r++)
        if (!stats->count_pairs || r == stats->reset_row)
            sum += sampling_counter(stats, r,
                                    sampling_mix(sampling_key(stats, stats->rows.items[r].state),
                                                 stats->rows.items[r].action));
    for (size_t p = 0; p < stats->product_states.count && stats->count_pairs; p++) {
        const sample_product_state *product_state = &stats->product_states.items[p];
        uint64_t here =
            sampling_mix(sampling_key(stats, product_state->state), product_state->memory);
        for (uint32_t c = 0; c < product_state->choices; c++) {
            uint32_t counter = stats->choices.items[product_state->choice + c].counter;
            if (counter != SAMPLE_NONE && product_state->state != SAMPLE_NONE)
                sum += sampling_counter(stats, counter, sampling_mix(here, c));
        }
    }
    return sum;
}

/* A hash of the policy, as far as it reaches in the learned model. */
static inline uint64_t sampling_policy(const sample_run *run)
{
    const sample_statistics *stats = &run->stats;
    sample_chain chain;
    opac_error error;
    uint64_t sum = 0;
    assert_ok(omega_pac_optimistic_model_chain(omega_pac_optimistic_model_of(run), &chain, &error),
              &error);
    for (uint32_t i = 0; i < chain.process.state_count; i++) {
        const sample_product_state *product_state =
            &stats->product_states.items[chain.product_states[i]];
        uint64_t here =
            sampling_mix(sampling_key(stats, product_state->state), product_state->memory);
        sum += sampling_mix(here, chain.choice[i] - product_state->choice);
    }
    return sum;
}

#endif
