/* SPDX-License-Identifier: MIT */
/*
 * The gridworld of examples/models/gridworld.prism as a plugin:
 *
 *         x=0    x=1    x=2
 *       +------+------+------+
 *   y=1 |  s   | trap |      |      An action names two directions: each is taken with
 *       +------+------+------+      probability 0.4, and with 0.2 the robot stays. A move
 *   y=0 |      |      |  g   |      into a wall does not move. Nothing leaves the trap.
 *       +------+------+------+
 *
 *     cc -shared -fPIC -O2 gridworld.c $(pkg-config --cflags omegapac) -o gridworld.so
 *     omegapac learn plugin:gridworld.so --formula 'G F s & G F g' --pmin 0.2 --epsilon 0.1 \
 *         --delta 0.1
 *
 * Only open, reset, step and close are required. The other functions let the learner sample successors
 * of any state, use the graph, use several threads, and show states and actions as texts.
 *
 * Each step takes one number from splitmix64 (Steele, Lea and Flood, 2014), which starts at the seed.
 * Its remainder modulo 5 selects the first direction (0 or 1), the second one (2 or 3), or staying (4).
 * examples/simulators/gridworld.py and gridworld.c do the same, so they have the same episodes.
 */
#include <stdio.h>
#include <stdlib.h>

#include <omegapac/plugin.h>

enum {
    WIDTH = 3,
    HEIGHT = 2,
    CELLS = WIDTH * HEIGHT
};

typedef struct cell {
    int x, y;
} cell;

typedef struct robot {
    cell at;
    uint64_t random;
    char key[3]; /* of the last observation, such as "0,1" */
} robot;

static const cell start = {0, 1};
static const char *const propositions[] = {"s", "g", "trap"};
static const char *const actions[] = {"ne", "nw", "se", "sw"};

static opac_status fail(opac_error *error, const char *message)
{
    snprintf(error->message, sizeof error->message, "%s", message);
    return OPAC_ERROR_SIMULATOR;
}

/* ---- transitions ---- */

static uint64_t next_random(uint64_t *random)
{
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static int within(int value, int size)
{
    return value < 0 ? 0 : value < size ? value : size - 1;
}

/* The successor that a random number from 0 to 4 selects. */
static cell successor(cell from, uint32_t action, uint64_t chance)
{
    bool is_trap = from.x == 1 && from.y == 1;
    if (is_trap || chance == 4)
        return from;
    if (chance < 2)
        return (cell){from.x, within(from.y + (action < 2 ? 1 : -1), HEIGHT)};
    return (cell){within(from.x + (action % 2 == 0 ? 1 : -1), WIDTH), from.y};
}

static opac_observation observe(robot *r, cell at)
{
    r->key[0] = (char)('0' + at.x);
    r->key[1] = ',';
    r->key[2] = (char)('0' + at.y);
    return (opac_observation){.key = r->key,
                              .length = sizeof r->key,
                              .letter = (uint64_t)(at.x == 0 && at.y == 1) |
                                        (uint64_t)(at.x == 2 && at.y == 0) << 1 |
                                        (uint64_t)(at.x == 1 && at.y == 1) << 2,
                              .actions = 4};
}

/* ---- episodes ---- */

static opac_status open(const char *text, void **instance, opac_plugin_facts *facts,
                        opac_error *error)
{
    if (text[0] != '\0')
        return fail(error, "the gridworld has no parameters: expected no text after '?'");
    *instance = calloc(1, sizeof(robot));
    *facts = (opac_plugin_facts){.propositions = propositions, .proposition_count = 3};
    return *instance != NULL ? OPAC_OK : OPAC_ERROR_MEMORY;
}

static opac_status reset(void *instance, uint64_t seed, opac_observation *seen, opac_error *error)
{
    robot *r = instance;
    r->at = start;
    r->random = seed;
    *seen = observe(r, r->at);
    (void)error; /* cannot fail */
    return OPAC_OK;
}

static opac_status step(void *instance, uint32_t action, opac_observation *seen, opac_error *error)
{
    robot *r = instance;
    r->at = successor(r->at, action, next_random(&r->random) % 5);
    *seen = observe(r, r->at);
    (void)error;
    return OPAC_OK;
}

/* ---- successors of given states ---- */

static int cell_index(cell at)
{
    return at.y * WIDTH + at.x;
}

static bool parse_key(const void *key, size_t length, cell *found)
{
    const char *text = key;
    if (length != 3)
        return false;
    *found = (cell){text[0] - '0', text[2] - '0'};
    return found->x >= 0 && found->x < WIDTH && found->y >= 0 && found->y < HEIGHT;
}

/* Adds each cell with its count, unless that is 0. */
static opac_status add_cells(robot *r, const uint64_t *counts, opac_plugin_draws *draws,
                             opac_error *error)
{
    opac_status status = OPAC_OK;
    for (int i = 0; i < CELLS && status == OPAC_OK; i++) {
        opac_observation seen = observe(r, (cell){i % WIDTH, i / WIDTH});
        if (counts[i] > 0)
            status = draws->add(draws, &seen, counts[i], error);
    }
    return status;
}

static opac_status draw(void *instance, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_plugin_draws *draws, opac_error *error)
{
    uint64_t counts[CELLS] = {0};
    cell from;
    if (key == NULL)
        counts[cell_index(start)] = n;
    else if (!parse_key(key, length, &from))
        return fail(error, "unknown state");
    else
        for (uint64_t i = 0; i < n; i++)
            counts[cell_index(successor(from, action, next_random(&seed) % 5))]++;
    return add_cells(instance, counts, draws, error);
}

static opac_status successors(void *instance, const void *key, size_t length, uint32_t action,
                              opac_plugin_draws *found, opac_error *error)
{
    uint64_t counts[CELLS] = {0};
    cell from;
    if (key == NULL)
        counts[cell_index(start)] = 1;
    else if (!parse_key(key, length, &from))
        return fail(error, "unknown state");
    else
        for (uint64_t chance = 0; chance < 5; chance++)
            counts[cell_index(successor(from, action, chance))] = 1;
    return add_cells(instance, counts, found, error);
}

static opac_status fork_robot(void *instance, void **other, opac_error *error)
{
    (void)instance, (void)error;
    *other = calloc(1, sizeof(robot)); /* reset before use */
    return *other != NULL ? OPAC_OK : OPAC_ERROR_MEMORY;
}

/* ---- texts ---- */

static bool show(void *instance, const void *key, size_t length, char *buffer, size_t size)
{
    cell at;
    (void)instance;
    if (!parse_key(key, length, &at))
        return false;
    snprintf(buffer, size, "x=%d, y=%d", at.x, at.y);
    return true;
}

static const char *action_name(void *instance, const void *key, size_t length, uint32_t action)
{
    (void)instance, (void)key, (void)length;
    return action < 4 ? actions[action] : NULL;
}

OPAC_PLUGIN_EXPORT const opac_plugin_table opac_plugin = {.abi = OPAC_PLUGIN_ABI,
                                                          .open = open,
                                                          .reset = reset,
                                                          .step = step,
                                                          .close = free,
                                                          .draw = draw,
                                                          .successors = successors,
                                                          .fork = fork_robot,
                                                          .show = show,
                                                          .action_name = action_name};
