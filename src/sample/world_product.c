/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a state and a memory, and what can be done in each. The choices are
 * those of product_space, in its order; beside them
 *
 *     START     one choice for each initial state of the automaton: the reset when that
 *               is random, free otherwise
 *     (s, q)    without actions: a free choice for each move of the automaton, to (s, q')
 *     (s, q)    without any choice: a free one to REJECT
 *     REJECT    a free loop without marks, not even those that are on every choice: no
 *               pair of the condition accepts it, since each asks for a mark
 *     sink      a free loop with marks that are accepted
 *
 * Where rows become complete (support.h), an action or a reset with a move to a universal memory is
 * free, too: whatever it leads to is the sink, so that nothing needs to be known of its row.
 *
 * Where a free choice leads to is met along with it: first all new pairs, then
 * their free choices in the order of pairs, which may make further ones. There
 * is no recursion, however long a chain of epsilon moves is.
 */
#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/world_form.h"

_Static_assert(ENV_GAP == SAMPLE_NONE, "a pair that was not met is a gap in the links");

/* ---- room ---- */

/* For one pair with so many choices, each perhaps with a counter. */
static opac_status make_room(sample_world *world, uint64_t choices, opac_error *error)
{
    uint64_t all = world->choices.count + choices;
    if (all > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices of the product",
                         (unsigned)GRAPH_LARGEST);
    TRY(sample_pair_vec_reserve(&world->pairs, world->pairs.count + 1, error));
    TRY(base_u32_vec_reserve(&world->pair_of, product_space_count(world->space), error));
    TRY(sample_choice_vec_reserve(&world->choices, (size_t)all, error));
    if (world->count_pairs)
        TRY(sample_counter_vec_reserve(&world->counters, world->counters.count + (size_t)choices,
                                       error));
    return OPAC_OK;
}

/* ---- writing; there is room ---- */

static void put_pair(sample_world *world, uint32_t state, uint32_t memory, uint32_t choices)
{
    sample_pair pair = {.state = state,
                        .memory = memory,
                        .choice = (uint32_t)world->choices.count,
                        .choices = choices,
                        .next = SAMPLE_NONE};
    if (state != SAMPLE_NONE) {
        pair.next = world->states.items[state].pair;
        world->states.items[state].pair = (uint32_t)world->pairs.count;
    }
    world->pairs.items[world->pairs.count++] = pair;
}

static void put_choice(sample_world *world, uint32_t counter, uint32_t action, uint32_t memory,
                       uint64_t marks)
{
    world->choices.items[world->choices.count++] = (sample_choice){
        .marks = marks,
        .counter = counter,
        .action = action,
        .memory = memory,
        .target = SAMPLE_NONE,
        .link = SAMPLE_NONE,
    };
}

static void put_free(sample_world *world, uint32_t memory, uint64_t marks)
{
    put_choice(world, SAMPLE_NONE, SAMPLE_NONE, memory, marks);
}

static void put_free_moves(sample_world *world, const product_move *moves, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_free(world, moves[i].target, moves[i].marks | world->always);
}

/* Whether it is enough to know that a choice leads to the universal sink, wherever its row does. */
static bool is_settled(const sample_world *world, uint32_t memory)
{
    uint64_t marks;
    return world->completes && product_reader_is_universal(world->reader, memory, &marks);
}

static void put_action(sample_world *world, uint32_t row, uint32_t action, const product_move *move)
{
    uint32_t counter = row;
    if (is_settled(world, move->target)) {
        counter = SAMPLE_NONE;
    } else if (world->count_pairs) {
        counter = (uint32_t)world->counters.count;
        world->counters.items[world->counters.count++] = (sample_counter){.row = row};
    }
    put_choice(world, counter, action, move->target, move->marks | world->always);
}

/* ---- pairs ---- */

/* A choice that leads back to its pair. */
static opac_status add_loop(sample_world *world, uint32_t memory, uint64_t marks, opac_error *error)
{
    TRY(make_room(world, 1, error));
    uint32_t pair = (uint32_t)world->pairs.count;
    put_pair(world, SAMPLE_NONE, memory, 1);
    put_free(world, memory, marks);
    world->choices.items[world->choices.count - 1].target = pair;
    return OPAC_OK;
}

static opac_status add_sink(sample_world *world, uint32_t memory, opac_error *error)
{
    uint64_t marks = 0;
    uint32_t next = (uint32_t)world->pairs.count;
    product_reader_is_universal(world->reader, memory, &marks);
    TRY(add_loop(world, memory, marks | world->always, error));
    world->sink = next;
    return OPAC_OK;
}

static opac_status meet_reject(sample_world *world, uint32_t *pair, opac_error *error)
{
    if (world->reject == SAMPLE_NONE) {
        uint32_t next = (uint32_t)world->pairs.count;
        TRY(add_loop(world, SAMPLE_NONE, 0, error));
        world->reject = next;
    }
    *pair = world->reject;
    return OPAC_OK;
}

static opac_status add_ordinary(sample_world *world, uint32_t state, uint32_t memory,
                                opac_error *error)
{
    sample_state s = world->states.items[state];
    uint32_t count, silent;
    const product_move *moves = product_reader_moves(world->reader, memory, s.class, &count);
    const product_move *epsilons = product_reader_epsilons(world->reader, memory, &silent);
    uint64_t choices = (uint64_t)count * (s.actions > 0 ? s.actions : 1) + silent;
    TRY(make_room(world, choices > 0 ? choices : 1, error));
    put_pair(world, state, memory, (uint32_t)(choices > 0 ? choices : 1));
    for (uint32_t a = 0; a < s.actions; a++)
        for (uint32_t i = 0; i < count; i++)
            put_action(world, s.row + a, a, &moves[i]);
    if (s.actions == 0)
        put_free_moves(world, moves, count);
    put_free_moves(world, epsilons, silent);
    if (choices == 0)
        put_free(world, SAMPLE_NONE, 0);
    return OPAC_OK;
}

/* The pair's number; a new one's free choices do not lead anywhere yet. */
static opac_status number_pair(sample_world *world, uint32_t state, uint32_t memory, uint32_t *pair,
                               opac_error *error)
{
    uint32_t number;
    TRY(product_space_meet(world->space, state, memory, &number, error));
    if (number < world->pair_of.count) {
        *pair = world->pair_of.items[number];
        return OPAC_OK;
    }
    *pair = (uint32_t)world->pairs.count;
    TRY(product_space_state(world->space, number) == PRODUCT_NONE
            ? add_sink(world, memory, error)
            : add_ordinary(world, state, memory, error));
    return base_u32_vec_push(&world->pair_of, *pair, error);
}

static opac_status aim(sample_world *world, uint32_t pair, uint32_t choice, opac_error *error)
{
    uint32_t state = world->pairs.items[pair].state, memory = world->choices.items[choice].memory;
    uint32_t target;
    if (state == SAMPLE_NONE) /* START; any state will do for the sink, after a random reset */
        state = world->initial != SAMPLE_NONE ? world->initial : 0;
    TRY(memory == SAMPLE_NONE ? meet_reject(world, &target, error)
                              : number_pair(world, state, memory, &target, error));
    world->choices.items[choice].target = target;
    return OPAC_OK;
}

/* The free choices of all pairs from `pair` on, and of those that this makes. */
static opac_status aim_all(sample_world *world, uint32_t pair, opac_error *error)
{
    for (; pair < world->pairs.count; pair++) {
        uint32_t first = world->pairs.items[pair].choice;
        uint32_t end = first + world->pairs.items[pair].choices;
        for (uint32_t c = first; c < end; c++) {
            const sample_choice *choice = &world->choices.items[c];
            if (sample_choice_is_free(choice) && choice->target == SAMPLE_NONE)
                TRY(aim(world, pair, c, error));
        }
    }
    return OPAC_OK;
}

opac_status sample_world_pair(sample_world *world, uint32_t state, uint32_t memory, uint32_t *pair,
                              opac_error *error)
{
    uint32_t before = (uint32_t)world->pairs.count;
    TRY(number_pair(world, state, memory, pair, error));
    return before < world->pairs.count ? aim_all(world, before, error) : OPAC_OK;
}

uint32_t sample_world_find(const sample_world *world, uint32_t state, uint32_t memory)
{
    uint64_t marks;
    if (product_reader_is_universal(world->reader, memory, &marks))
        return world->sink;
    uint32_t pair = world->states.items[state].pair;
    while (pair != SAMPLE_NONE && world->pairs.items[pair].memory != memory)
        pair = world->pairs.items[pair].next;
    return pair;
}

/* ---- the start ---- */

static opac_status add_start(sample_world *world, opac_error *error)
{
    const opac_automaton *a = world->automaton;
    uint32_t choices = a->initial_count, start = (uint32_t)world->pairs.count;
    TRY(make_room(world, choices > 0 ? choices : 1, error));
    put_pair(world, SAMPLE_NONE, SAMPLE_NONE, choices > 0 ? choices : 1);
    for (uint32_t i = 0; i < choices; i++) {
        bool is_free = world->reset_row == SAMPLE_NONE || is_settled(world, a->initial[i]);
        put_choice(world, is_free ? SAMPLE_NONE : 0, SAMPLE_NONE, a->initial[i], world->always);
    }
    if (choices == 0)
        put_free(world, SAMPLE_NONE, 0);
    TRY(aim_all(world, start, error));
    world->start = start;
    return OPAC_OK;
}

static opac_status fail_second_start(const sample_world *world, uint32_t state, opac_error *error)
{
    char before[96], now[96];
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "a reset gave state '%s', and an earlier one '%s', in an environment whose "
                     "reset is not random",
                     sample_world_show(world, state, now, sizeof now),
                     sample_world_show(world, world->initial, before, sizeof before));
}

opac_status sample_world_begin(sample_world *world, uint32_t state, opac_error *error)
{
    bool is_random = world->reset_row != SAMPLE_NONE;
    if (!is_random && world->initial != SAMPLE_NONE && world->initial != state)
        return fail_second_start(world, state, error);
    if (world->start != SAMPLE_NONE)
        return OPAC_OK;
    world->initial = is_random ? SAMPLE_NONE : state;
    if (is_random || world->automaton->initial_count != 1)
        return add_start(world, error);
    return sample_world_pair(world, state, world->automaton->initial[0], &world->start, error);
}

/* ---- where choices lead to ---- */

opac_status sample_world_follow(sample_world *world, uint32_t choice, uint32_t branch,
                                uint32_t *pair, opac_error *error)
{
    const sample_choice *c = &world->choices.items[choice];
    if (c->link != SAMPLE_NONE && world->links.items[c->link + branch] != ENV_GAP) {
        *pair = world->links.items[c->link + branch];
        return OPAC_OK;
    }
    const sample_row *row = &world->rows.items[world->counters.items[c->counter].row];
    uint32_t link = c->link; /* choices may move */
    TRY(sample_world_pair(world, world->targets.items[row->begin + branch], c->memory, pair,
                          error));
    if (link != SAMPLE_NONE)
        world->links.items[link + branch] = *pair;
    return OPAC_OK;
}

opac_status sample_world_lay(sample_world *world, uint32_t choice, opac_error *error)
{
    uint32_t number = world->counters.items[world->choices.items[choice].counter].row;
    if (world->choices.items[choice].link != SAMPLE_NONE)
        return OPAC_OK;
    TRY(sample_world_adopt(world, number, error));
    sample_row row = world->rows.items[number];
    size_t begin = world->links.count;
    TRY(base_u32_vec_reserve(&world->links, begin + row.width, error));
    if (begin + row.width > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the product",
                         (unsigned)GRAPH_LARGEST);
    for (uint32_t b = 0; b < row.width; b++) {
        uint32_t state = world->targets.items[row.begin + b];
        world->links.items[begin + b] =
            state != SAMPLE_NONE
                ? sample_world_find(world, state, world->choices.items[choice].memory)
                : ENV_GAP;
    }
    world->links.count += row.width;
    world->choices.items[choice].link = (uint32_t)begin;
    world->choices.items[choice].width = row.width;
    return OPAC_OK;
}
