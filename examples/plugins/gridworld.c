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
 * reset and step are all that is needed. The others let the learner draw successors of any state,
 * know the graph, use several threads, and show states and actions in words.
 *
 * What is random is splitmix64 (Steele, Lea and Flood, 2014), begun with the seed: one number a
 * step, whose remainder by 5 says 0, 1: the first direction; 2, 3: the second; 4: stay. So do the
 * programs in examples/simulators, so that all give the same runs.
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
    char key[3]; /* of the state that was last shown: "0,1" */
} robot;

static const cell start = {0, 1};
static const char *const propositions[] = {"s", "g", "trap"};
static const char *const actions[] = {"ne", "nw", "se", "sw"};

static opac_status fail(opac_error *error, const char *message)
{
    snprintf(error->message, sizeof error->message, "%s", message);
    return OPAC_ERROR_SIMULATOR;
}

/* ---- the world ---- */

static uint64_t draw_number(uint64_t *random)
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

/* Where chance, one of 0 … 4, leads to. */
static cell go(cell from, uint32_t action, uint64_t chance)
{
    bool is_trap = from.x == 1 && from.y == 1;
    if (is_trap || chance == 4)
        return from;
    if (chance < 2)
        return (cell){from.x, within(from.y + (action < 2 ? 1 : -1), HEIGHT)};
    return (cell){within(from.x + (action % 2 == 0 ? 1 : -1), WIDTH), from.y};
}

static opac_observation look(robot *r, cell at)
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

/* ---- running it ---- */

static opac_status open(const char *text, void **instance, opac_plugin_facts *facts,
                        opac_error *error)
{
    if (text[0] != '\0')
        return fail(error, "the gridworld has nothing to choose: nothing may stand behind '?'");
    *instance = calloc(1, sizeof(robot));
    *facts = (opac_plugin_facts){.propositions = propositions, .proposition_count = 3};
    return *instance != NULL ? OPAC_OK : OPAC_ERROR_MEMORY;
}

static opac_status reset(void *instance, uint64_t seed, opac_observation *seen, opac_error *error)
{
    robot *r = instance;
    r->at = start;
    r->random = seed;
    *seen = look(r, r->at);
    (void)error; /* nothing can go wrong here */
    return OPAC_OK;
}

static opac_status step(void *instance, uint32_t action, opac_observation *seen, opac_error *error)
{
    robot *r = instance;
    r->at = go(r->at, action, draw_number(&r->random) % 5);
    *seen = look(r, r->at);
    (void)error;
    return OPAC_OK;
}

/* ---- states of one's choice ---- */

static int number(cell at)
{
    return at.y * WIDTH + at.x;
}

static bool find(const void *key, size_t length, cell *found)
{
    const char *text = key;
    if (length != 3)
        return false;
    *found = (cell){text[0] - '0', text[2] - '0'};
    return found->x >= 0 && found->x < WIDTH && found->y >= 0 && found->y < HEIGHT;
}

static opac_status tell(robot *r, const uint64_t *counts, opac_plugin_draws *to, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (int i = 0; i < CELLS && status == OPAC_OK; i++) {
        opac_observation seen = look(r, (cell){i % WIDTH, i / WIDTH});
        if (counts[i] > 0)
            status = to->add(to, &seen, counts[i], error);
    }
    return status;
}

static opac_status draw(void *instance, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_plugin_draws *draws, opac_error *error)
{
    uint64_t counts[CELLS] = {0};
    cell from;
    if (key == NULL)
        counts[number(start)] = n;
    else if (!find(key, length, &from))
        return fail(error, "there is no such cell");
    else
        for (uint64_t i = 0; i < n; i++)
            counts[number(go(from, action, draw_number(&seed) % 5))]++;
    return tell(instance, counts, draws, error);
}

static opac_status successors(void *instance, const void *key, size_t length, uint32_t action,
                              opac_plugin_draws *told, opac_error *error)
{
    uint64_t counts[CELLS] = {0};
    cell from;
    if (key == NULL)
        counts[number(start)] = 1;
    else if (!find(key, length, &from))
        return fail(error, "there is no such cell");
    else
        for (uint64_t chance = 0; chance < 5; chance++)
            counts[number(go(from, action, chance))] = 1;
    return tell(instance, counts, told, error);
}

static opac_status fork_robot(void *instance, void **other, opac_error *error)
{
    (void)instance, (void)error;
    *other = calloc(1, sizeof(robot)); /* it is reset before it is used */
    return *other != NULL ? OPAC_OK : OPAC_ERROR_MEMORY;
}

/* ---- for people ---- */

static bool show(void *instance, const void *key, size_t length, char *buffer, size_t size)
{
    cell at;
    (void)instance;
    if (!find(key, length, &at))
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
