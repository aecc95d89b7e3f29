/* SPDX-License-Identifier: MIT */
/*
 * States of the statistics, numbered in the order of discovery by the intern table of their keys.
 *
 * Memory: 30 to 40 bytes for each state in addition to its key, 32 for each row and each counter, 4 for each
 * branch and 8 for each observed branch, all in growing arrays.
 */
#include "sample/statistics.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/statistics_form.h"

enum {
    MOST_ACTIONS = 1 << 24, /* of a state; more indicate a broken simulator */
    SHOWN = 96              /* bytes of a key in messages */
};

/* ---- construction ---- */

static opac_status make_product(sample_statistics *stats, opac_error *error)
{
    TRY(product_move_table_new(stats->automaton, &stats->move_table, error));
    return product_index_new(stats->move_table, false, &stats->index, error);
}

static opac_status prepare(sample_statistics *stats, opac_error *error)
{
    const opac_automaton *a = stats->automaton;
    TRY(env_bind(stats->env, (const char *const *)a->propositions, a->proposition_count, error));
    TRY(make_product(stats, error));
    env_traits traits = env_get_traits(stats->env);
    stats->is_tabulated = traits.is_tabulated;
    if (!traits.random_start)
        return OPAC_OK;
    stats->reset_row = 0;
    return sample_statistics_add_row(stats, SAMPLE_NONE, SAMPLE_NONE, error);
}

/* Initialises the members of empty statistics, without the product. */
static void init_empty(sample_statistics *stats)
{
    stats->start = stats->initial = SAMPLE_NONE;
    stats->reject = stats->sink = stats->reset_row = SAMPLE_NONE;
    base_intern_init(&stats->keys);
    base_intern_init(&stats->names);
    stats->keys.limit = GRAPH_LARGEST;
}

opac_status sample_statistics_init(sample_statistics *stats, opac_environment *env,
                                   const opac_automaton *automaton,
                                   const sample_statistics_options *options, opac_error *error)
{
    *stats = (sample_statistics){
        .env = env,
        .automaton = automaton,
        .count_pairs = options->count_pairs,
        .k = options->k,
        .limits = options->limits,
        .always = options->always,
    };
    init_empty(stats);
    opac_status status = options->k > 0
                             ? prepare(stats, error)
                             : base_fail(error, OPAC_ERROR_ARGUMENT, "k must be at least 1");
    if (status == OPAC_OK && options->alike)
        status = sample_classes_new(&stats->classes, error);
    if (status != OPAC_OK)
        sample_statistics_fini(stats);
    return status;
}

opac_status sample_statistics_init_empty_copy(sample_statistics *stats,
                                              const sample_statistics *other, opac_error *error)
{
    *stats = (sample_statistics){
        .env = other->env,
        .automaton = other->automaton,
        .count_pairs = other->count_pairs,
        .k = other->k,
        .always = other->always,
        .known_when_complete = other->known_when_complete,
        .rows_are_open = other->rows_are_open,
        .has_batches = other->has_batches,
    };
    init_empty(stats);
    opac_status status = make_product(stats, error);
    if (status != OPAC_OK)
        sample_statistics_fini(stats);
    return status;
}

void sample_statistics_fini(sample_statistics *stats)
{
    base_intern_fini(&stats->keys);
    base_intern_fini(&stats->names);
    base_u32_vec_fini(&stats->row_names);
    sample_state_vec_fini(&stats->states);
    sample_row_vec_fini(&stats->rows);
    base_u32_vec_fini(&stats->targets);
    sample_counter_vec_fini(&stats->counters);
    base_u64_vec_fini(&stats->observed);
    base_u64_vec_fini(&stats->discovered);
    base_u32_vec_fini(&stats->order);
    product_index_free(stats->index);
    product_move_table_free(stats->move_table);
    sample_product_state_vec_fini(&stats->product_states);
    base_u32_vec_fini(&stats->product_state_of);
    sample_choice_vec_fini(&stats->choices);
    base_u32_vec_fini(&stats->links);
    base_u32_vec_fini(&stats->full);
    sample_classes_free(stats->classes);
    base_u64_vec_fini(&stats->batches);
    *stats = (sample_statistics){0};
}

/* ---- messages ---- */

const char *sample_statistics_show(const sample_statistics *stats, uint32_t state, char *buffer,
                                   size_t size)
{
    size_t length;
    const unsigned char *key = base_intern_key(&stats->keys, state, &length);
    return env_show(stats->env, key, length, buffer, size);
}

const char *sample_statistics_show_row(const sample_statistics *stats, uint32_t row, char *buffer,
                                       size_t size)
{
    char state[SHOWN], shown[SHOWN];
    if (row == SAMPLE_NONE || stats->rows.items[row].state == SAMPLE_NONE) {
        snprintf(buffer, size, "the reset");
        return buffer;
    }
    const sample_row *r = &stats->rows.items[row];
    const char *name = sample_statistics_action_name(stats, row);
    sample_statistics_show(stats, r->state, state, sizeof state);
    if (*name != '\0')
        snprintf(buffer, size, "action '%s' of state '%s'",
                 opac_text_show(name, strlen(name), shown, sizeof shown), state);
    else
        snprintf(buffer, size, "action %u of state '%s'", (unsigned)r->action, state);
    return buffer;
}

/* "{a, b}", truncated if it is too long. */
static void show_letter(const sample_statistics *stats, uint64_t letter, char *buffer, size_t size)
{
    const opac_automaton *a = stats->automaton;
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

static opac_status fail_contradiction(const sample_statistics *stats, uint32_t id,
                                      const opac_observation *seen, opac_error *error)
{
    const sample_state *state = &stats->states.items[id];
    char key[SHOWN], before[SHOWN], now[SHOWN];
    sample_statistics_show(stats, id, key, sizeof key);
    show_letter(stats, state->letter, before, sizeof before);
    show_letter(stats, seen->letter, now, sizeof now);
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "state '%s' was observed with %s and %u actions, and now with %s and %u", key,
                     before, (unsigned)state->actions, now, (unsigned)seen->actions);
}

/* ---- sizes ---- */

static void raise_to(uint64_t *most, uint64_t seen)
{
    *most = seen > *most ? seen : *most;
}

void sample_statistics_raise_sizes(sample_statistics *stats, const sample_limits *seen)
{
    raise_to(&stats->most.states, seen->states);
    raise_to(&stats->most.actions, seen->actions);
    raise_to(&stats->most.branching, seen->branching);
}

/* ---- states ---- */

static opac_status reserve_state(sample_statistics *stats, uint32_t actions, opac_error *error)
{
    if (actions > MOST_ACTIONS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "a state has %u actions; at most %u are supported", (unsigned)actions,
                         (unsigned)MOST_ACTIONS);
    size_t rows = stats->rows.count + actions;
    if (rows > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u state-action pairs",
                         (unsigned)GRAPH_LARGEST);
    TRY(sample_state_vec_reserve(&stats->states, stats->states.count + 1, error));
    TRY(sample_row_vec_reserve(&stats->rows, rows, error));
    if (!stats->count_pairs)
        TRY(sample_counter_vec_reserve(&stats->counters, rows, error));
    return OPAC_OK;
}

static opac_status add_state(sample_statistics *stats, const opac_observation *seen,
                             const void *key, uint32_t *id, opac_error *error)
{
    sample_state state = {.letter = seen->letter,
                          .actions = seen->actions,
                          .row = (uint32_t)stats->rows.count,
                          .product_state = SAMPLE_NONE};
    TRY(reserve_state(stats, seen->actions, error));
    TRY(product_move_table_class(stats->move_table, seen->letter, &state.class, error));
    TRY(base_intern_add(&stats->keys, key, seen->length, id, NULL, error));
    TRY(sample_state_vec_push(&stats->states, state, error));
    for (uint32_t a = 0; a < seen->actions; a++)
        TRY(sample_statistics_add_row(stats, *id, a, error));
    sample_statistics_raise_sizes(stats, &(sample_limits){stats->states.count, seen->actions, 0});
    return OPAC_OK;
}

opac_status sample_statistics_add_state(sample_statistics *stats,
                                        const opac_observation *observation, uint32_t *state,
                                        opac_error *error)
{
    const void *key = observation->length > 0 ? observation->key : "";
    if (!base_intern_find(&stats->keys, key, observation->length, state))
        return add_state(stats, observation, key, state, error);
    const sample_state *known = &stats->states.items[*state];
    if (known->letter != observation->letter || known->actions != observation->actions)
        return fail_contradiction(stats, *state, observation, error);
    return OPAC_OK;
}

opac_status sample_statistics_get_observation(const sample_statistics *stats, uint32_t state,
                                              base_u64_vec *key_buffer,
                                              opac_observation *observation, opac_error *error)
{
    const sample_state *known = &stats->states.items[state];
    *observation = (opac_observation){.letter = known->letter, .actions = known->actions};
    const void *key = base_intern_key(&stats->keys, state, &observation->length);
    TRY(base_u64_vec_reserve(key_buffer, observation->length / sizeof(uint64_t) + 1, error));
    memcpy(key_buffer->items, key, observation->length);
    observation->key = key_buffer->items;
    return OPAC_OK;
}

/* ---- declared bounds ---- */

static bool is_beyond(uint64_t seen, uint64_t declared)
{
    return declared > 0 && seen > declared;
}

const char *sample_statistics_exceeded(const sample_statistics *stats)
{
    if (is_beyond(stats->most.states, stats->limits.states))
        return "states";
    if (is_beyond(stats->most.actions, stats->limits.actions))
        return "actions";
    return is_beyond(stats->most.branching, stats->limits.branching) ? "branching" : NULL;
}
