/* SPDX-License-Identifier: MIT */
/*
 * Simulating whole episodes, relative to the limits of the machine. A step needs one random word and three
 * loads, each of which depends on the previous one. Both limits are measured in the same run, on this core:
 * words of one stream, and dependent loads from the first-level cache. A single episode would take one word
 * and three such loads per step; interleaved episodes are faster, because the loads of one overlap with the
 * work of others.
 *
 * First the gridworld of the paper with an optimal policy, for the paper's T and for the true one; then a
 * walk on a torus with 10 to 10^6 states, whose cost is constant except for cache misses.
 */
#include <stdlib.h>
#include <string.h>

#include <omegapac/omegapac.h>

#include "base/alloc.h"
#include "bench.h"
#include "draws.h"
#include "env/walk.h"

#define LEAST_SECONDS 0.02 /* of a run */
#define RUNS          10

static uint64_t sink; /* printed at the end, so that no loop is idle */

static void check(opac_status status, const opac_error *error)
{
    if (status == OPAC_OK)
        return;
    fprintf(stderr, "bench_walk: %s\n", error->message);
    exit(1);
}

/* ---- limits of the machine ---- */

static double draws_per_second(void)
{
    uint64_t draws = UINT64_C(10000000), sum = 0;
    stat_rng rng;
    stat_rng_init(&rng, 1, 0);
    double begin = bench_cpu_seconds();
    for (uint64_t i = 0; i < draws; i++)
        sum += stat_rng_next(&rng);
    sink += sum;
    return (double)draws / (bench_cpu_seconds() - begin);
}

static double loads_per_second(void)
{
    enum {
        PLACES = 1024
    };
    uint32_t next[PLACES], at = 0;
    uint64_t loads = UINT64_C(10000000);
    for (uint32_t i = 0; i < PLACES; i++)
        next[i] = (i + 389) % PLACES;
    double begin = bench_cpu_seconds();
    for (uint64_t i = 0; i < loads; i++)
        at = next[at];
    sink += at;
    return (double)loads / (bench_cpu_seconds() - begin);
}

/* Machines are shared: the best of many short runs is what this one can do. */
static double best(double (*rate)(void))
{
    double most = 0;
    for (uint64_t i = 0; i < bench_times(RUNS); i++) {
        double found = rate();
        most = found > most ? found : most;
    }
    return most;
}

/* ---- maps ---- */

typedef struct course {
    env_walk_node *nodes;
    uint32_t *links;
    uint64_t *counters;
    uint32_t node_count, link_count;
} course;

static void course_init(course *c, uint32_t nodes, uint32_t links)
{
    *c = (course){.nodes = need_memory(calloc(nodes, sizeof(env_walk_node))),
                  .links = need_memory(calloc(links, sizeof(uint32_t))),
                  .counters = need_memory(calloc(links, sizeof(uint64_t)))};
}

static void course_fini(course *c)
{
    free(c->nodes);
    free(c->links);
    free(c->counters);
}

/* The next node: an action in a state. Its links lead to the successors, plus an offset. */
static void course_add(course *c, opac_environment *env, uint32_t state, uint32_t action,
                       uint32_t offset)
{
    opac_error error;
    opac_observation successor;
    uint32_t row, width, target;
    check(env_row(env, &state, sizeof state, action, &row, &width, &error), &error);
    c->nodes[c->node_count++] = (env_walk_node){row, width, c->link_count};
    for (uint32_t i = 0; i < width; i++) {
        check(env_branch(env, row, i, &successor, &error), &error);
        memcpy(&target, successor.key, sizeof target);
        c->links[c->link_count++] = target + offset;
    }
}

/* The gridworld's product with an automaton of two states: on the way to g, and back to s. */
static void grid_course(course *c, const opac_model *model, opac_environment *env)
{
    enum {
        NE,
        NW,
        SE,
        SW
    };
    uint32_t states = opac_model_states(model);
    course_init(c, 2 * states, 2 * states * 6);
    for (uint32_t q = 0; q < 2; q++)
        for (uint32_t s = 0; s < states; s++) {
            int64_t x = opac_model_value(model, s, 0), y = opac_model_value(model, s, 1);
            bool is_s = x == 0 && y == 1, is_g = x == 2 && y == 0;
            uint32_t after = is_g ? 1 : is_s ? 0 : q;
            uint32_t there = is_s ? SW : SE, back = x == 0 && y == 0 ? NW : SW;
            course_add(c, env, s, after == 0 ? there : back, after * states);
        }
}

/* ---- walking ---- */

static double steps_per_second(const opac_environment *env, const course *c, uint64_t length)
{
    env_walk_graph map = {.nodes = c->nodes, .links = c->links, .steps = length, .seed = 1};
    uint64_t steps = 0, gap, episode = 0, batch = 16 + 200000 / length;
    double begin = bench_cpu_seconds(), taken;
    do {
        env_walk(env, &map, episode, batch, c->counters, &steps, &gap);
        episode += batch;
        taken = bench_cpu_seconds() - begin;
    } while (taken < LEAST_SECONDS);
    sink += c->counters[0];
    return (double)steps / taken;
}

static double best_of_many(const opac_environment *env, const course *c, uint64_t length)
{
    double most = 0;
    for (uint64_t i = 0; i < bench_times(RUNS); i++) {
        double found = steps_per_second(env, c, length);
        most = found > most ? found : most;
    }
    return most;
}

static void walk_grid(double draws, double loads)
{
    opac_model *model;
    opac_environment *env;
    opac_error error;
    course c;
    double alone = 1 / (1 / draws + 3 / loads);
    check(opac_model_read(GRIDWORLD, NULL, &model, &error), &error);
    check(opac_environment_of_model(model, NULL, &env, &error), &error);
    grid_course(&c, model, env);
    for (int i = 0; i < 2; i++) {
        uint64_t length = i == 0 ? 19 : 306;
        double rate = best_of_many(env, &c, length);
        printf("gridworld, T = %3d: %.3g steps/s; %.2f of the words; %.2f of what one word and "
               "three loads, one after the other, allow\n",
               (int)length, rate, rate / draws, rate / alone);
    }
    course_fini(&c);
    opac_environment_free(env);
    opac_model_free(model);
}

/* ---- from 10 to 10^6 states ---- */

static opac_model *torus(uint32_t states, uint32_t width)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error;
    check(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    for (uint32_t s = 0; s < states; s++) {
        check(opac_builder_state(builder, &error), &error);
        check(opac_builder_choice(builder, NULL, &error), &error);
        for (uint32_t i = 0; i < 4; i++)
            check(opac_builder_branch(builder, neighbour(s, width, states, i), 0.25, &error),
                  &error);
    }
    check(opac_builder_initial(builder, 0, &error), &error);
    check(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* From the start of a torus a walk would stay near it: the map's nodes are shuffled, so that near
 * states are not near in memory, and episodes are long. */
static void shuffle(course *c, uint32_t states)
{
    uint32_t *place = need_memory(calloc(states, sizeof *place));
    env_walk_node *nodes = need_memory(calloc(states, sizeof *nodes));
    uint64_t random = 1;
    for (uint32_t i = 0; i < states; i++)
        place[i] = i;
    for (uint32_t i = states; i-- > 1;) {
        uint32_t j = draw(&random, i + 1), kept = place[i];
        place[i] = place[j];
        place[j] = kept;
    }
    for (uint32_t i = 0; i < states; i++)
        nodes[place[i]] = c->nodes[i];
    for (uint32_t i = 0; i < c->link_count; i++)
        c->links[i] = place[c->links[i]];
    free(place);
    free(c->nodes);
    c->nodes = nodes;
}

static double walk_torus(uint32_t states, uint32_t width, double first)
{
    opac_environment *env;
    opac_error error;
    course c;
    opac_model *model = torus(states, width);
    check(opac_environment_of_model(model, NULL, &env, &error), &error);
    course_init(&c, states, 4 * states);
    for (uint32_t s = 0; s < states; s++)
        course_add(&c, env, s, 0, 0);
    shuffle(&c, states);
    double rate = best_of_many(env, &c, 1000 + (uint64_t)states / 16);
    printf("  torus of %8u states: %.3g steps/s, a step costs %.2f of one among 10 states\n",
           (unsigned)states, rate, first == 0 ? 1 : first / rate);
    course_fini(&c);
    opac_environment_free(env);
    opac_model_free(model);
    return rate;
}

int main(void)
{
    double draws = best(draws_per_second), loads = best(loads_per_second);
    printf("this core: %.3g draws/s of one stream, %.3g dependent loads/s\n", draws, loads);
    walk_grid(draws, loads);
    double first = walk_torus(10, 5, 0);
    for (uint32_t states = 100, width = 10; states <= bench_times(1000000);
         states *= 10, width *= 3)
        walk_torus(states, width, first);
    fprintf(stderr, "%s", sink == 0 ? "\n" : "");
    return 0;
}
