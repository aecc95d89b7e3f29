/* SPDX-License-Identifier: MIT */
/*
 * States as they come. Each has its key in the intern table, which numbers them;
 * all else about it lies under that number.
 *
 * Cost: 30 to 40 bytes a state beside its key, 32 a row, 32 a counter, 4 a branch
 * and 8 a branch that was observed. Nothing is allocated one by one.
 */
#include "sample/world.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/world_form.h"

enum {
    MOST_ACTIONS = 1 << 24, /* of a state: more are a simulator gone wrong */
    SHOWN = 96              /* bytes of a key in messages */
};

/* ---- making one ---- */

static opac_status make_product(sample_world *world, opac_error *error)
{
    TRY(product_reader_new(world->automaton, &world->reader, error));
    return product_space_new(world->reader, false, &world->space, error);
}

static opac_status prepare(sample_world *world, opac_error *error)
{
    const opac_automaton *a = world->automaton;
    TRY(env_bind(world->env, (const char *const *)a->propositions, a->proposition_count, error));
    TRY(make_product(world, error));
    env_traits traits = env_get_traits(world->env);
    world->is_tabulated = traits.is_tabulated;
    if (!traits.random_start)
        return OPAC_OK;
    world->reset_row = 0;
    return sample_world_add_row(world, SAMPLE_NONE, SAMPLE_NONE, error);
}

/* One that has met nothing, and has no product yet. */
static void begin_world(sample_world *world)
{
    world->start = world->initial = SAMPLE_NONE;
    world->reject = world->sink = world->reset_row = SAMPLE_NONE;
    base_intern_init(&world->keys);
    world->keys.limit = GRAPH_LARGEST;
}

opac_status sample_world_init(sample_world *world, opac_environment *env,
                              const opac_automaton *automaton, const sample_world_options *options,
                              opac_error *error)
{
    *world = (sample_world){
        .env = env,
        .automaton = automaton,
        .count_pairs = options->count_pairs,
        .k = options->k,
        .limits = options->limits,
        .always = options->always,
    };
    begin_world(world);
    opac_status status = options->k > 0
                             ? prepare(world, error)
                             : base_fail(error, OPAC_ERROR_ARGUMENT, "k must be at least 1");
    if (status != OPAC_OK)
        sample_world_fini(world);
    return status;
}

opac_status sample_world_init_beside(sample_world *world, const sample_world *other,
                                     opac_error *error)
{
    *world = (sample_world){
        .env = other->env,
        .automaton = other->automaton,
        .count_pairs = other->count_pairs,
        .k = other->k,
        .always = other->always,
        .completes = other->completes,
    };
    begin_world(world);
    opac_status status = make_product(world, error);
    if (status != OPAC_OK)
        sample_world_fini(world);
    return status;
}

void sample_world_fini(sample_world *world)
{
    base_intern_fini(&world->keys);
    sample_state_vec_fini(&world->states);
    sample_row_vec_fini(&world->rows);
    base_u32_vec_fini(&world->targets);
    sample_counter_vec_fini(&world->counters);
    base_u64_vec_fini(&world->observed);
    base_u32_vec_fini(&world->order);
    product_space_free(world->space);
    product_reader_free(world->reader);
    sample_pair_vec_fini(&world->pairs);
    base_u32_vec_fini(&world->pair_of);
    sample_choice_vec_fini(&world->choices);
    base_u32_vec_fini(&world->links);
    base_u32_vec_fini(&world->full);
    sample_discovery_vec_fini(&world->discoveries);
    *world = (sample_world){0};
}

/* ---- messages ---- */

const char *sample_world_show(const sample_world *world, uint32_t state, char *buffer, size_t size)
{
    size_t length;
    const unsigned char *key = base_intern_key(&world->keys, state, &length);
    return env_show(world->env, key, length, buffer, size);
}

const char *sample_world_show_row(const sample_world *world, uint32_t row, char *buffer,
                                  size_t size)
{
    char state[SHOWN], shown[SHOWN];
    size_t length;
    if (row == SAMPLE_NONE || world->rows.items[row].state == SAMPLE_NONE) {
        snprintf(buffer, size, "the reset");
        return buffer;
    }
    const sample_row *r = &world->rows.items[row];
    const void *key = base_intern_key(&world->keys, r->state, &length);
    const char *name = env_action_name(world->env, key, length, r->action);
    sample_world_show(world, r->state, state, sizeof state);
    if (*name != '\0')
        snprintf(buffer, size, "action '%s' of state '%s'",
                 opac_text_show(name, strlen(name), shown, sizeof shown), state);
    else
        snprintf(buffer, size, "action %u of state '%s'", (unsigned)r->action, state);
    return buffer;
}

/* "{a, b}", cut when it is too long. */
static void show_letter(const sample_world *world, uint64_t letter, char *buffer, size_t size)
{
    const opac_automaton *a = world->automaton;
    size_t used = (size_t)snprintf(buffer, size, "{");
    for (uint32_t i = 0; i < a->proposition_count && used + 4 < size; i++) {
        if (((letter >> i) & 1) == 0)
            continue;
        char name[SHOWN];
        opac_text_show(a->propositions[i], strlen(a->propositions[i]), name, sizeof name);
        int added = snprintf(buffer + used, size - used, "%s%s", used > 1 ? ", " : "", name);
        used += added > 0 ? (size_t)added : 0;
    }
    used = used + 2 < size ? used : size - 2;
    snprintf(buffer + used, size - used, "}");
}

static opac_status fail_contradiction(const sample_world *world, uint32_t id,
                                      const opac_observation *seen, opac_error *error)
{
    const sample_state *state = &world->states.items[id];
    char key[SHOWN], before[SHOWN], now[SHOWN];
    sample_world_show(world, id, key, sizeof key);
    show_letter(world, state->letter, before, sizeof before);
    show_letter(world, seen->letter, now, sizeof now);
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "state '%s' was seen with %s and %u actions, and now with %s and %u", key,
                     before, (unsigned)state->actions, now, (unsigned)seen->actions);
}

/* ---- sizes ---- */

static void raise_to(uint64_t *most, uint64_t seen)
{
    *most = seen > *most ? seen : *most;
}

void sample_world_raise(sample_world *world, const sample_limits *seen)
{
    raise_to(&world->most.states, seen->states);
    raise_to(&world->most.actions, seen->actions);
    raise_to(&world->most.branching, seen->branching);
}

/* ---- states ---- */

static opac_status make_room(sample_world *world, uint32_t actions, opac_error *error)
{
    if (actions > MOST_ACTIONS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "a state with %u actions; at most %u are possible", (unsigned)actions,
                         (unsigned)MOST_ACTIONS);
    size_t rows = world->rows.count + actions;
    if (rows > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u actions of states",
                         (unsigned)GRAPH_LARGEST);
    TRY(sample_state_vec_reserve(&world->states, world->states.count + 1, error));
    TRY(sample_row_vec_reserve(&world->rows, rows, error));
    if (!world->count_pairs)
        TRY(sample_counter_vec_reserve(&world->counters, rows, error));
    return OPAC_OK;
}

static opac_status add_state(sample_world *world, const opac_observation *seen, const void *key,
                             uint32_t *id, opac_error *error)
{
    sample_state state = {.letter = seen->letter,
                          .actions = seen->actions,
                          .row = (uint32_t)world->rows.count,
                          .pair = SAMPLE_NONE};
    TRY(make_room(world, seen->actions, error));
    TRY(product_reader_class(world->reader, seen->letter, &state.class, error));
    TRY(base_intern_add(&world->keys, key, seen->length, id, NULL, error));
    TRY(sample_state_vec_push(&world->states, state, error));
    for (uint32_t a = 0; a < seen->actions; a++)
        TRY(sample_world_add_row(world, *id, a, error));
    sample_world_raise(world, &(sample_limits){world->states.count, seen->actions, 0});
    return OPAC_OK;
}

opac_status sample_world_meet(sample_world *world, const opac_observation *observation,
                              uint32_t *state, opac_error *error)
{
    const void *key = observation->length > 0 ? observation->key : "";
    if (!base_intern_find(&world->keys, key, observation->length, state))
        return add_state(world, observation, key, state, error);
    const sample_state *known = &world->states.items[*state];
    if (known->letter != observation->letter || known->actions != observation->actions)
        return fail_contradiction(world, *state, observation, error);
    return OPAC_OK;
}

opac_status sample_world_recall(const sample_world *world, uint32_t state, base_u64_vec *room,
                                opac_observation *observation, opac_error *error)
{
    const sample_state *known = &world->states.items[state];
    *observation = (opac_observation){.letter = known->letter, .actions = known->actions};
    const void *key = base_intern_key(&world->keys, state, &observation->length);
    TRY(base_u64_vec_reserve(room, observation->length / sizeof(uint64_t) + 1, error));
    memcpy(room->items, key, observation->length);
    observation->key = room->items;
    return OPAC_OK;
}

/* ---- bounds ---- */

static bool is_beyond(uint64_t seen, uint64_t declared)
{
    return declared > 0 && seen > declared;
}

const char *sample_world_exceeded(const sample_world *world)
{
    if (is_beyond(world->most.states, world->limits.states))
        return "states";
    if (is_beyond(world->most.actions, world->limits.actions))
        return "actions";
    return is_beyond(world->most.branching, world->limits.branching) ? "branching" : NULL;
}
