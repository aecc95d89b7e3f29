/* SPDX-License-Identifier: MIT */
/* Runs with observations, their checkpoints in memory, and modified checkpoints. */
#ifndef TESTS_LEARN_CHECKPOINTS_H
#define TESTS_LEARN_CHECKPOINTS_H

#include <math.h>

#include "base/hash.h"
#include "omega_pac/omega_pac.h"
#include "random_walk.h"
#include "sample/checkpoint.h"

enum {
    CHECKPOINT_HEAD = 22 + 8, /* the line, and the length */
    CHECKPOINT_SECTION = 8 + 8
};

/*
 * The objective of the policies, for any condition of the automaton: mark 0 infinitely often, mark 1
 * finitely often.
 */
static const solve_rabin_pair scene_pair = {.fin = 2, .inf = 1};

/* A run; `run` and `trace` are the contents of its checkpoint. */
typedef struct scene {
    opac_model *model; /* borrowed from the first, if it is a copy */
    opac_automaton *automaton;
    opac_environment *env;
    bool is_copy;
    sample_statistics_options options;
    sample_run run;
    sample_trace_vec trace;
    sample_checkpoint checkpoint;
} scene;

static inline opac_status scene_begin(scene *x, bool callbacks, opac_error *error)
{
    x->env = wander_environment(x->model, callbacks);
    x->run = (sample_run){.seed = 7, .horizon = 10};
    x->trace = (sample_trace_vec){0};
    x->checkpoint = (sample_checkpoint){"epsilon=0.1\nT=10\n", &x->run, &x->trace};
    opac_status status =
        sample_statistics_init(&x->run.stats, x->env, x->automaton, &x->options, error);
    if (status != OPAC_OK) {
        opac_environment_free(x->env);
        return status;
    }
    omega_pac_optimistic_model_options options = {.pairs = &scene_pair, .pair_count = 1};
    assert_ok(omega_pac_attach(&x->run, &options, error), error);
    return OPAC_OK;
}

static inline void scene_end(scene *x)
{
    sample_run_free_strategy(&x->run);
    sample_statistics_fini(&x->run.stats);
    sample_trace_vec_fini(&x->trace);
    opac_environment_free(x->env);
    if (x->is_copy)
        return;
    opac_model_free(x->model);
    opac_automaton_free(x->automaton);
}

/* Another run of the same, which has seen nothing. */
static inline void scene_again(const scene *x, bool callbacks, scene *other)
{
    opac_error error;
    *other = (scene){
        .model = x->model, .automaton = x->automaton, .options = x->options, .is_copy = true};
    assert_ok(scene_begin(other, callbacks, &error), &error);
    other->checkpoint.question = x->checkpoint.question;
}

/* Returns false if the automaton is invalid (cycles of epsilon moves). */
static inline bool scene_draw(uint64_t *random, uint32_t states, bool callbacks, scene *x)
{
    random_automaton_shape shape = random_automaton_draw(random, 4, 3, 3);
    wander_shape stats = {.states = 1 + random_below(random, states),
                          .actions = 1 + random_below(random, 3),
                          .branches = 1 + random_below(random, 4),
                          .has_deadlocks = random_below(random, 2) == 0,
                          .is_random = random_below(random, 2) == 0};
    opac_error error;
    if (shape.epsilon_percent > 10)
        shape.epsilon_percent = 5;
    shape.propositions = 3;
    *x = (scene){.options = {.k = 1 + random_below(random, 20),
                             .count_pairs = random_below(random, 2) == 0,
                             .limits = {.states = 5, .actions = 2},
                             .always = random_below(random, 2) == 0 ? 8 : 0}};
    x->model = wander_model(random, stats);
    x->automaton = random_automaton(random, shape, NULL);
    if (scene_begin(x, callbacks, &error) == OPAC_OK)
        return true;
    assert_status(error.code, OPAC_ERROR_UNSUPPORTED);
    opac_model_free(x->model);
    opac_automaton_free(x->automaton);
    return false;
}

/* Refreshes the statistics and updates the policy. */
static inline opac_status scene_refresh(scene *x, opac_error *error)
{
    base_u32_vec changed = {0};
    opac_status status = sample_statistics_refresh(&x->run.stats, &changed, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_update(
            omega_pac_optimistic_model_of(&x->run),
            omega_pac_optimistic_model_solves(omega_pac_optimistic_model_of(&x->run)) > 0 ? &changed
                                                                                          : NULL,
            error);
    base_u32_vec_fini(&changed);
    return status;
}

/* Some episodes, with a refresh after most of them, and trace entries. */
static inline void scene_wander(scene *x, uint64_t *random, uint32_t episodes)
{
    opac_error error;
    for (uint32_t i = 0; i < episodes; i++) {
        uint32_t steps = 1 + random_below(random, 10);
        assert_ok(wander_episode(&x->run.stats, random, steps, &error), &error);
        x->run.episodes++;
        x->run.steps += steps;
        if (random_below(random, 4) > 0)
            assert_ok(scene_refresh(x, &error), &error);
        if (random_below(random, 3) > 0)
            continue;
        opac_trace_entry entry = {.episode = x->run.episodes,
                                  .step = x->run.steps,
                                  .known = x->run.stats.known,
                                  .horizon = x->run.horizon,
                                  .value = random_below(random, 8) / 8.0,
                                  .truth = random_below(random, 2) == 0 ? (double)NAN : 0.25};
        x->run.policies++;
        assert_ok(sample_trace_vec_push(&x->trace, entry, &error), &error);
    }
}

/* The bytes of a checkpoint, for the caller. */
static inline unsigned char *scene_print(const scene *x, size_t *length)
{
    opac_output *out;
    opac_error error;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(sample_checkpoint_print(&x->checkpoint, out, &error), &error);
    const char *bytes = opac_output_bytes(out, length);
    unsigned char *copy = malloc(*length);
    assert_non_null(copy);
    memcpy(copy, bytes, *length);
    opac_output_free(out);
    return copy;
}

/* ---- changing them ---- */

static inline void put_word(unsigned char *at, uint64_t word)
{
    for (size_t i = 0; i < 8; i++)
        at[i] = (unsigned char)(word >> (8 * i));
}

static inline uint64_t get_word(const unsigned char *at)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++)
        word |= (uint64_t)at[i] << (8 * i);
    return word;
}

/* Length and digest as they should be. */
static inline void seal(unsigned char *bytes, size_t length)
{
    put_word(bytes + CHECKPOINT_HEAD - 8, length);
    put_word(bytes + length - 8, base_hash_fnv(BASE_FNV_BEGIN, bytes, length - 8));
}

/* Where the bytes of a section begin. */
static inline size_t find_section(const unsigned char *bytes, size_t number, size_t *length)
{
    size_t at = CHECKPOINT_HEAD;
    for (size_t i = 0; i < number; i++)
        at += CHECKPOINT_SECTION + (size_t)get_word(bytes + at + 8);
    *length = (size_t)get_word(bytes + at + 8);
    return at + CHECKPOINT_SECTION;
}

/* The file with `count` bytes of a section, from `from` on, replaced by others; for the caller. */
static inline unsigned char *edit(const unsigned char *bytes, size_t *length, size_t section,
                                  size_t from, size_t count, const void *new_bytes, size_t added)
{
    size_t size, begin = find_section(bytes, section, &size);
    assert_true(from + count <= size);
    unsigned char *made = malloc(*length + added);
    assert_non_null(made);
    memcpy(made, bytes, begin + from);
    if (added > 0)
        memcpy(made + begin + from, new_bytes, added);
    memcpy(made + begin + from + added, bytes + begin + from + count,
           *length - begin - from - count);
    put_word(made + begin - 8, size - count + added);
    *length = *length - count + added;
    seal(made, *length);
    return made;
}

#endif
