/* SPDX-License-Identifier: MIT */
/*
 * Product states and their choices. A product state has the choices of product_index, in its order, and the
 * following ones:
 *
 *     START     a choice for each initial state of the automaton: the reset if that is random, else free
 *     (s, q)    without actions: a free choice for each move of the automaton, to (s, q')
 *     (s, q)    without any choice: a free choice to REJECT
 *     REJECT    a free loop without marks, not even those that are on every choice: no Rabin pair accepts it,
 *               since each requires a mark
 *     sink      a free loop with marks that are accepted
 *
 * If rows become known by being complete (known_when_complete), an action or a reset with a move to a
 * universal memory is free, too: it leads to the sink whatever the successor is, so nothing needs to be known
 * about its row.
 *
 * The targets of free choices are added together with a product state: first all new product states, then
 * the targets of their free choices in the order of product states, which may add further ones. There is no
 * recursion, however long a chain of epsilon moves is.
 */
#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/statistics_form.h"

_Static_assert(ENV_UNSEEN == SAMPLE_NONE, "an unseen link has no product state");

/* ---- capacity ---- */

/* Reserves capacity for a product state with so many choices, and for their counters. */
static opac_status reserve_product_state(sample_statistics *stats, uint64_t choices,
                                         opac_error *error)
{
    uint64_t all = stats->choices.count + choices;
    if (all > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices of the product",
                         (unsigned)GRAPH_LARGEST);
    TRY(sample_product_state_vec_reserve(&stats->product_states, stats->product_states.count + 1,
                                         error));
    TRY(base_u32_vec_reserve(&stats->product_state_of, product_index_count(stats->index), error));
    TRY(sample_choice_vec_reserve(&stats->choices, (size_t)all, error));
    if (stats->count_pairs)
        TRY(sample_counter_vec_reserve(&stats->counters, stats->counters.count + (size_t)choices,
                                       error));
    return OPAC_OK;
}

/* ---- appending; capacity was reserved ---- */

static void put_product_state(sample_statistics *stats, uint32_t state, uint32_t memory,
                              uint32_t choices)
{
    sample_product_state product_state = {.state = state,
                                          .memory = memory,
                                          .choice = (uint32_t)stats->choices.count,
                                          .choices = choices,
                                          .next = SAMPLE_NONE};
    if (state != SAMPLE_NONE) {
        product_state.next = stats->states.items[state].product_state;
        stats->states.items[state].product_state = (uint32_t)stats->product_states.count;
    }
    stats->product_states.items[stats->product_states.count++] = product_state;
}

static void put_choice(sample_statistics *stats, uint32_t counter, uint32_t action, uint32_t memory,
                       uint64_t marks)
{
    stats->choices.items[stats->choices.count++] = (sample_choice){
        .marks = marks,
        .counter = counter,
        .action = action,
        .memory = memory,
        .target = SAMPLE_NONE,
        .link = SAMPLE_NONE,
    };
}

static void put_free(sample_statistics *stats, uint32_t memory, uint64_t marks)
{
    put_choice(stats, SAMPLE_NONE, SAMPLE_NONE, memory, marks);
}

static void put_free_moves(sample_statistics *stats, const product_move *moves, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put_free(stats, moves[i].target, moves[i].marks | stats->always);
}

/* Whether a choice with this memory is free because it leads to the sink. */
static bool leads_to_sink(const sample_statistics *stats, uint32_t memory)
{
    uint64_t marks;
    return stats->known_when_complete &&
           product_move_table_is_universal(stats->move_table, memory, &marks);
}

static void put_action(sample_statistics *stats, uint32_t row, uint32_t action,
                       const product_move *move)
{
    uint32_t counter = row;
    if (leads_to_sink(stats, move->target)) {
        counter = SAMPLE_NONE;
    } else if (stats->count_pairs) {
        counter = (uint32_t)stats->counters.count;
        stats->counters.items[stats->counters.count++] = (sample_counter){.row = row};
    }
    put_choice(stats, counter, action, move->target, move->marks | stats->always);
}

/* ---- product states ---- */

/* Adds a product state whose only choice leads back to it. */
static opac_status add_loop(sample_statistics *stats, uint32_t memory, uint64_t marks,
                            opac_error *error)
{
    TRY(reserve_product_state(stats, 1, error));
    uint32_t product_state = (uint32_t)stats->product_states.count;
    put_product_state(stats, SAMPLE_NONE, memory, 1);
    put_free(stats, memory, marks);
    stats->choices.items[stats->choices.count - 1].target = product_state;
    return OPAC_OK;
}

static opac_status add_sink(sample_statistics *stats, uint32_t memory, opac_error *error)
{
    uint64_t marks = 0;
    uint32_t next = (uint32_t)stats->product_states.count;
    product_move_table_is_universal(stats->move_table, memory, &marks);
    TRY(add_loop(stats, memory, marks | stats->always, error));
    stats->sink = next;
    return OPAC_OK;
}

static opac_status find_reject(sample_statistics *stats, uint32_t *product_state, opac_error *error)
{
    if (stats->reject == SAMPLE_NONE) {
        uint32_t next = (uint32_t)stats->product_states.count;
        TRY(add_loop(stats, SAMPLE_NONE, 0, error));
        stats->reject = next;
    }
    *product_state = stats->reject;
    return OPAC_OK;
}

static opac_status add_ordinary(sample_statistics *stats, uint32_t state, uint32_t memory,
                                opac_error *error)
{
    sample_state s = stats->states.items[state];
    uint32_t count, silent;
    const product_move *moves =
        product_move_table_moves(stats->move_table, memory, s.class, &count);
    const product_move *epsilons = product_move_table_epsilons(stats->move_table, memory, &silent);
    uint64_t choices = (uint64_t)count * (s.actions > 0 ? s.actions : 1) + silent;
    TRY(reserve_product_state(stats, choices > 0 ? choices : 1, error));
    put_product_state(stats, state, memory, (uint32_t)(choices > 0 ? choices : 1));
    for (uint32_t a = 0; a < s.actions; a++)
        for (uint32_t i = 0; i < count; i++)
            put_action(stats, s.row + a, a, &moves[i]);
    if (s.actions == 0)
        put_free_moves(stats, moves, count);
    put_free_moves(stats, epsilons, silent);
    if (choices == 0)
        put_free(stats, SAMPLE_NONE, 0);
    return OPAC_OK;
}

/* The number of a product state, which is added if it is new; its free choices have no targets yet. */
static opac_status number_product_state(sample_statistics *stats, uint32_t state, uint32_t memory,
                                        uint32_t *product_state, opac_error *error)
{
    uint32_t number;
    TRY(product_index_find_or_add(stats->index, state, memory, &number, error));
    if (number < stats->product_state_of.count) {
        *product_state = stats->product_state_of.items[number];
        return OPAC_OK;
    }
    *product_state = (uint32_t)stats->product_states.count;
    TRY(product_index_state(stats->index, number) == PRODUCT_NONE
            ? add_sink(stats, memory, error)
            : add_ordinary(stats, state, memory, error));
    return base_u32_vec_push(&stats->product_state_of, *product_state, error);
}

static opac_status set_target(sample_statistics *stats, uint32_t product_state, uint32_t choice,
                              opac_error *error)
{
    uint32_t state = stats->product_states.items[product_state].state,
             memory = stats->choices.items[choice].memory;
    uint32_t target;
    if (state == SAMPLE_NONE) /* START; after a random reset it leads to the sink, with any state */
        state = stats->initial != SAMPLE_NONE ? stats->initial : 0;
    TRY(memory == SAMPLE_NONE ? find_reject(stats, &target, error)
                              : number_product_state(stats, state, memory, &target, error));
    stats->choices.items[choice].target = target;
    return OPAC_OK;
}

/* Sets the targets of free choices of all product states from this one on, also of those that are added. */
static opac_status set_targets(sample_statistics *stats, uint32_t product_state, opac_error *error)
{
    for (; product_state < stats->product_states.count; product_state++) {
        uint32_t first = stats->product_states.items[product_state].choice;
        uint32_t end = first + stats->product_states.items[product_state].choices;
        for (uint32_t c = first; c < end; c++) {
            const sample_choice *choice = &stats->choices.items[c];
            if (sample_choice_is_free(choice) && choice->target == SAMPLE_NONE)
                TRY(set_target(stats, product_state, c, error));
        }
    }
    return OPAC_OK;
}

opac_status sample_statistics_product_state(sample_statistics *stats, uint32_t state,
                                            uint32_t memory, uint32_t *product_state,
                                            opac_error *error)
{
    uint32_t before = (uint32_t)stats->product_states.count;
    TRY(number_product_state(stats, state, memory, product_state, error));
    return before < stats->product_states.count ? set_targets(stats, before, error) : OPAC_OK;
}

uint32_t sample_statistics_find(const sample_statistics *stats, uint32_t state, uint32_t memory)
{
    uint64_t marks;
    if (product_move_table_is_universal(stats->move_table, memory, &marks))
        return stats->sink;
    uint32_t product_state = stats->states.items[state].product_state;
    while (product_state != SAMPLE_NONE &&
           stats->product_states.items[product_state].memory != memory)
        product_state = stats->product_states.items[product_state].next;
    return product_state;
}

/* ---- the start ---- */

static opac_status add_start(sample_statistics *stats, opac_error *error)
{
    const opac_automaton *a = stats->automaton;
    uint32_t choices = a->initial_count, start = (uint32_t)stats->product_states.count;
    TRY(reserve_product_state(stats, choices > 0 ? choices : 1, error));
    put_product_state(stats, SAMPLE_NONE, SAMPLE_NONE, choices > 0 ? choices : 1);
    for (uint32_t i = 0; i < choices; i++) {
        bool is_free = stats->reset_row == SAMPLE_NONE || leads_to_sink(stats, a->initial[i]);
        put_choice(stats, is_free ? SAMPLE_NONE : 0, SAMPLE_NONE, a->initial[i], stats->always);
    }
    if (choices == 0)
        put_free(stats, SAMPLE_NONE, 0);
    TRY(set_targets(stats, start, error));
    stats->start = start;
    return OPAC_OK;
}

static opac_status fail_second_start(const sample_statistics *stats, uint32_t state,
                                     opac_error *error)
{
    char before[96], now[96];
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "a reset gave state '%s', and an earlier one gave '%s', but the environment "
                     "declares that resets are not random",
                     sample_statistics_show(stats, state, now, sizeof now),
                     sample_statistics_show(stats, stats->initial, before, sizeof before));
}

opac_status sample_statistics_begin_episode(sample_statistics *stats, uint32_t state,
                                            opac_error *error)
{
    bool is_random = stats->reset_row != SAMPLE_NONE;
    if (!is_random && stats->initial != SAMPLE_NONE && stats->initial != state)
        return fail_second_start(stats, state, error);
    if (stats->start != SAMPLE_NONE)
        return OPAC_OK;
    stats->initial = is_random ? SAMPLE_NONE : state;
    if (is_random || stats->automaton->initial_count != 1)
        return add_start(stats, error);
    return sample_statistics_product_state(stats, state, stats->automaton->initial[0],
                                           &stats->start, error);
}

/* ---- successors of choices ---- */

opac_status sample_statistics_follow(sample_statistics *stats, uint32_t choice, uint32_t branch,
                                     uint32_t *product_state, opac_error *error)
{
    const sample_choice *c = &stats->choices.items[choice];
    if (c->link != SAMPLE_NONE && stats->links.items[c->link + branch] != ENV_UNSEEN) {
        *product_state = stats->links.items[c->link + branch];
        return OPAC_OK;
    }
    const sample_row *row = &stats->rows.items[stats->counters.items[c->counter].row];
    uint32_t link = c->link; /* choices may move */
    TRY(sample_statistics_product_state(stats, stats->targets.items[row->begin + branch], c->memory,
                                        product_state, error));
    if (link != SAMPLE_NONE)
        stats->links.items[link + branch] = *product_state;
    return OPAC_OK;
}

opac_status sample_statistics_make_links(sample_statistics *stats, uint32_t choice,
                                         opac_error *error)
{
    uint32_t number = stats->counters.items[stats->choices.items[choice].counter].row;
    if (stats->choices.items[choice].link != SAMPLE_NONE)
        return OPAC_OK;
    TRY(sample_statistics_adopt_env_row(stats, number, error));
    sample_row row = stats->rows.items[number];
    size_t begin = stats->links.count;
    TRY(base_u32_vec_reserve(&stats->links, begin + row.width, error));
    if (begin + row.width > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the product",
                         (unsigned)GRAPH_LARGEST);
    for (uint32_t b = 0; b < row.width; b++) {
        uint32_t state = stats->targets.items[row.begin + b];
        stats->links.items[begin + b] =
            state != SAMPLE_NONE
                ? sample_statistics_find(stats, state, stats->choices.items[choice].memory)
                : ENV_UNSEEN;
    }
    stats->links.count += row.width;
    stats->choices.items[choice].link = (uint32_t)begin;
    stats->choices.items[choice].width = row.width;
    return OPAC_OK;
}
