/* SPDX-License-Identifier: MIT */
/*
 * A bracket as words of a checkpoint: everything that later updates and choices depend on, except for the
 * supports (support_save.c).
 *
 *     number of product states, number of nodes, exploration policy, L, U      doubles by their bits
 *     by product state:   optimistic, pessimistic choice                       high and low half of a word
 *                         lower
 *                         upper
 *                         rank, node                                           likewise
 *                         gap-reducing choice, whether it wins                 likewise
 */
#include "base/bits.h"
#include "bracket/bracket_model_form.h"

enum {
    HEAD = 5,
    EACH = 5
};

static uint64_t join(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

opac_status bracket_model_save(const bracket_model *b, base_u64_vec *words, opac_error *error)
{
    TRY(base_u64_vec_reserve(words, words->count + HEAD + EACH * b->values.count, error));
    uint64_t *at = words->items + words->count;
    *at++ = b->values.count;
    *at++ = b->nodes.count;
    *at++ = b->policy;
    *at++ = base_double_to_bits(b->bounds.lower);
    *at++ = base_double_to_bits(b->bounds.upper);
    for (size_t i = 0; i < b->values.count; i++) {
        const bracket_values *values = &b->values.items[i];
        *at++ = join(values->choice[BRACKET_OPTIMISTIC], values->choice[BRACKET_PESSIMISTIC]);
        *at++ = base_double_to_bits(values->lower);
        *at++ = base_double_to_bits(values->upper);
        *at++ = join(values->rank, values->node);
        *at++ = join(values->choice[BRACKET_GAP], values->wins);
    }
    words->count += HEAD + EACH * b->values.count;
    return OPAC_OK;
}

/* ---- restoring ---- */

static opac_status refuse(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the bracket does not match the observations");
}

static bool is_probability(double value)
{
    return value >= 0 && value <= 1;
}

static bool has_choice(const sample_statistics *stats, uint32_t product_state, uint32_t choice)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    return choice == SAMPLE_NONE || (choice >= p->choice && choice - p->choice < p->choices);
}

static bool is_blank(const bracket_values *values)
{
    return values->lower == 0 && values->upper == 1 && values->choice[0] == SAMPLE_NONE &&
           values->choice[1] == SAMPLE_NONE && values->choice[2] == SAMPLE_NONE &&
           values->rank == GRAPH_NONE && !values->wins;
}

/* Whether the values can be results of an update. A product state outside the model has unknown values. */
static bool is_possible(const bracket_model *b, uint32_t product_state,
                        const bracket_values *values, uint64_t wins)
{
    if (values->node == SAMPLE_NONE)
        return wins == 0 && is_blank(values);
    return wins <= 1 && values->node < b->nodes.count &&
           b->nodes.items[values->node] == SAMPLE_NONE &&
           has_choice(b->stats, product_state, values->choice[0]) &&
           has_choice(b->stats, product_state, values->choice[1]) &&
           has_choice(b->stats, product_state, values->choice[2]) &&
           is_probability(values->lower) && is_probability(values->upper) &&
           (!values->wins || (values->lower == 1 && values->upper == 1 && values->rank == 0)) &&
           (values->rank == GRAPH_NONE) == (values->lower == 0);
}

static bracket_values read_values(const uint64_t *at)
{
    return (bracket_values){.choice = {[BRACKET_OPTIMISTIC] = (uint32_t)(at[0] >> 32),
                                       [BRACKET_PESSIMISTIC] = (uint32_t)at[0],
                                       [BRACKET_GAP] = (uint32_t)(at[4] >> 32)},
                            .lower = base_bits_to_double(at[1]),
                            .upper = base_bits_to_double(at[2]),
                            .rank = (uint32_t)(at[3] >> 32),
                            .node = (uint32_t)at[3],
                            .wins = (uint32_t)at[4] != 0};
}

static opac_status restore_values(bracket_model *b, const uint64_t *words, opac_error *error)
{
    size_t product_states = (size_t)words[0], restored = 0;
    b->values.count = b->nodes.count = 0;
    TRY(bracket_values_vec_reserve(&b->values, product_states, error));
    TRY(base_u32_vec_reserve(&b->nodes, (size_t)words[1], error));
    while (b->nodes.count < words[1])
        b->nodes.items[b->nodes.count++] = SAMPLE_NONE;
    for (uint32_t product_state = 0; product_state < product_states; product_state++) {
        const uint64_t *at = words + HEAD + EACH * (size_t)product_state;
        bracket_values values = read_values(at);
        if (!is_possible(b, product_state, &values, (uint32_t)at[4]))
            return refuse(error);
        b->values.items[b->values.count++] = values;
        if (values.node == SAMPLE_NONE)
            continue;
        b->nodes.items[values.node] = product_state;
        restored++;
    }
    return restored == b->nodes.count ? OPAC_OK : refuse(error);
}

/* The start must be node 0 and have the bounds L and U, unless there was no update yet. */
static bool has_bounds(const bracket_model *b, bracket_bounds bounds)
{
    if (b->nodes.count == 0)
        return bounds.lower == 0 && bounds.upper == 1;
    bracket_values start = b->values.items[b->nodes.items[0]];
    return b->nodes.items[0] == b->stats->start && start.lower == bounds.lower &&
           start.upper == bounds.upper;
}

opac_status bracket_model_restore(bracket_model *b, const uint64_t *words, size_t count,
                                  opac_error *error)
{
    if (count < HEAD || words[0] > b->stats->product_states.count || words[1] > words[0] ||
        words[2] > BRACKET_GAP || count != HEAD + EACH * words[0])
        return refuse(error);
    TRY(restore_values(b, words, error));
    bracket_bounds bounds = {base_bits_to_double(words[3]), base_bits_to_double(words[4])};
    if (!has_bounds(b, bounds))
        return refuse(error);
    b->bounds = bounds;
    b->policy = (bracket_explore_policy)words[2];
    return OPAC_OK;
}
