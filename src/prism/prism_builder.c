/* SPDX-License-Identifier: MIT */
/* Merges branches and fills the arrays, in amortised constant time for each branch. */
#include "prism/prism_builder.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sum.h"
#include "model/row.h"

enum {
    MAX_LINEAR = 12 /* a choice with more branches uses the hash table to find equal targets */
};

opac_status prism_builder_init(prism_builder *builder, const prism_program *program, bool exact,
                               opac_error *error)
{
    uint32_t none;
    *builder = (prism_builder){
        .program = program, .is_chain = program->type == OPAC_MODEL_DTMC, .is_exact = exact};
    base_intern_init(&builder->actions);
    builder->action_of = base_alloc(program->action_count, sizeof *builder->action_of);
    if (builder->action_of == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < program->action_count; i++)
        builder->action_of[i] = i == 0 ? 0 : UINT32_MAX;
    TRY(model_action_add(&builder->actions, "", 0, &none, error));
    TRY(base_u32_vec_push(&builder->choice_begin, 0, error));
    return base_u32_vec_push(&builder->edge_begin, 0, error);
}

void prism_builder_fini(prism_builder *builder)
{
    base_u32_vec_fini(&builder->choice_begin);
    base_u32_vec_fini(&builder->edge_begin);
    base_u32_vec_fini(&builder->target);
    base_double_vec_fini(&builder->prob);
    base_double_vec_fini(&builder->lost);
    prism_ratio_vec_fini(&builder->exact);
    base_u32_vec_fini(&builder->action);
    base_intern_fini(&builder->actions);
    base_free(builder->action_of);
    base_free(builder->slots);
}

uint64_t prism_builder_memory(const prism_builder *builder)
{
    return (uint64_t)sizeof(uint32_t) * (builder->choice_begin.count + builder->edge_begin.count +
                                         builder->target.count + builder->action.count) +
           (uint64_t)sizeof(double) * builder->prob.count +
           (uint64_t)sizeof(base_ratio) * builder->exact.count;
}

opac_status prism_builder_reserve(prism_builder *builder, size_t states, size_t choices,
                                  size_t branches, opac_error *error)
{
    if (builder->edge_begin.count + choices > GRAPH_LARGEST ||
        builder->target.count + branches > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the model has more than %u choices or transitions",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&builder->choice_begin, builder->choice_begin.count + states, error));
    TRY(base_u32_vec_reserve(&builder->edge_begin, builder->edge_begin.count + choices, error));
    TRY(base_u32_vec_reserve(&builder->target, builder->target.count + branches, error));
    TRY(base_double_vec_reserve(&builder->prob, builder->prob.count + branches, error));
    if (builder->is_exact)
        TRY(prism_ratio_vec_reserve(&builder->exact, builder->exact.count + branches, error));
    if (builder->action.count > 0)
        TRY(base_u32_vec_reserve(&builder->action, builder->action.count + choices, error));
    return OPAC_OK;
}

/* ---- actions ---- */

/* Maps an action of the program to one of the model, which is added at its first use. */
static opac_status find_or_add_action(prism_builder *builder, uint32_t action, uint32_t *number,
                                      opac_error *error)
{
    *number = builder->action_of[action];
    if (*number != UINT32_MAX)
        return OPAC_OK;
    const char *name = builder->program->actions[action];
    TRY(model_action_add(&builder->actions, name, strlen(name), number, error));
    builder->action_of[action] = *number;
    return OPAC_OK;
}

/* The array of actions is created at the first choice with a named action. */
static opac_status push_action(prism_builder *builder, uint32_t action, opac_error *error)
{
    uint32_t number;
    size_t choices = builder->edge_begin.count - 1;
    TRY(find_or_add_action(builder, action, &number, error));
    if (number == 0 && builder->action.count == 0)
        return OPAC_OK;
    if (builder->action.count == 0 && choices > 0) {
        TRY(base_u32_vec_reserve(&builder->action, builder->edge_begin.capacity, error));
        memset(builder->action.items, 0, choices * sizeof *builder->action.items);
        builder->action.count = choices;
    }
    return base_u32_vec_push(&builder->action, number, error);
}

/* ---- branches ---- */

/* The index of the branch from `begin` on with this target; the number of branches if there is none. */
static size_t find_linear(const prism_builder *builder, size_t begin, uint32_t target)
{
    size_t at = begin;
    while (at < builder->target.count && builder->target.items[at] != target)
        at++;
    return at;
}

static size_t find_hashed(prism_builder *builder, size_t begin, uint32_t target)
{
    size_t slot = (size_t)base_hash_word(target) & builder->slot_mask;
    while (builder->slots[slot] != 0) {
        size_t at = begin + builder->slots[slot] - 1;
        if (builder->target.items[at] == target)
            return at;
        slot = (slot + 1) & builder->slot_mask;
    }
    builder->slots[slot] = (uint32_t)(builder->target.count - begin + 1);
    return builder->target.count;
}

/* Clears the hash table; it is at most half full after `count` insertions. */
static opac_status clear_slots(prism_builder *builder, size_t count, opac_error *error)
{
    size_t size = 64;
    while (size < 2 * count)
        size *= 2;
    if (size > builder->slot_count) {
        uint32_t *slots = base_alloc(size, sizeof *slots);
        if (slots == NULL)
            return base_fail_memory(error);
        base_free(builder->slots);
        builder->slots = slots;
        builder->slot_count = size;
    }
    builder->slot_mask = size - 1;
    memset(builder->slots, 0, size * sizeof *builder->slots);
    return OPAC_OK;
}

/* Called before two branches of a choice with `count` branches are merged for the first time. */
static opac_status clear_lost(prism_builder *builder, size_t count, opac_error *error)
{
    TRY(base_double_vec_reserve(&builder->lost, count, error));
    for (size_t i = 0; i < count; i++)
        builder->lost.items[i] = 0;
    builder->lost.count = count;
    return OPAC_OK;
}

/* Adds a probability to branch `at`; *lost accumulates the rounding errors (base/sum.h). */
static opac_status add_to_branch(prism_builder *builder, size_t at, double probability,
                                 base_ratio exact, double *lost, opac_error *error)
{
    double *prob = &builder->prob.items[at];
    *prob = base_sum_add(*prob, probability, lost);
    if (!builder->is_exact)
        return OPAC_OK;
    builder->exact.items[at] = base_ratio_add(builder->exact.items[at], exact);
    if (!base_ratio_is_known(builder->exact.items[at]))
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the sum of two probabilities cannot be computed exactly");
    *prob = base_ratio_to_double(builder->exact.items[at]);
    return OPAC_OK;
}

/* Adds a branch to the current choice, which begins at branch `begin` and has `count` branches. */
static opac_status add_branch(prism_builder *builder, size_t begin, size_t count, uint32_t target,
                              double probability, base_ratio exact, opac_error *error)
{
    size_t at = count <= MAX_LINEAR ? find_linear(builder, begin, target)
                                    : find_hashed(builder, begin, target);
    if (at < builder->target.count) {
        if (builder->lost.count == 0)
            TRY(clear_lost(builder, count, error));
        return add_to_branch(builder, at, probability, exact, &builder->lost.items[at - begin],
                             error);
    }
    builder->target.items[builder->target.count++] = target;
    builder->prob.items[builder->prob.count++] = probability;
    if (!builder->is_exact)
        return OPAC_OK;
    if (!base_ratio_is_known(exact))
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the product of probabilities cannot be computed exactly");
    builder->prob.items[builder->prob.count - 1] = base_ratio_to_double(exact);
    builder->exact.items[builder->exact.count++] = exact;
    return OPAC_OK;
}

/* Adds the rounding errors and divides the row by its sum. Exact fractions have been normalised before. */
static void finish_row(prism_builder *builder, size_t begin)
{
    double *prob = builder->prob.items + begin;
    size_t count = builder->prob.count - begin;
    if (builder->is_exact)
        return;
    for (size_t i = 0; builder->lost.count > 0 && i < count; i++)
        prob[i] += builder->lost.items[i];
    model_row_divide(prob, count);
}

opac_status prism_builder_add_choice(prism_builder *builder, uint32_t action, size_t count,
                                     const uint32_t *numbers, const double *probabilities,
                                     const base_ratio *exact, opac_error *error)
{
    size_t begin = builder->target.count;
    builder->lost.count = 0;
    if (!builder->is_chain)
        TRY(push_action(builder, action, error));
    if (count > MAX_LINEAR)
        TRY(clear_slots(builder, count, error));
    for (size_t i = 0; i < count; i++)
        TRY(add_branch(builder, begin, count, numbers[i], probabilities[i],
                       builder->is_exact ? exact[i] : (base_ratio){0}, error));
    finish_row(builder, begin);
    builder->edge_begin.items[builder->edge_begin.count++] = (uint32_t)builder->target.count;
    return OPAC_OK;
}

void prism_builder_end_state(prism_builder *builder)
{
    builder->choice_begin.items[builder->choice_begin.count++] =
        (uint32_t)builder->edge_begin.count - 1;
}

/* ---- finishing ---- */

/* Releases memory that was reserved and not used. Reallocation copies at most a few pages. */
static opac_status shrink(void **items, size_t count, size_t size, opac_error *error)
{
    if (count == 0)
        return OPAC_OK;
    void *fitted = base_allocate(*items, count * size, false);
    if (fitted == NULL)
        return base_fail_memory(error);
    *items = fitted;
    return OPAC_OK;
}

#define SHRINK(vec)                                                                                \
    do {                                                                                           \
        void *items = (vec)->items;                                                                \
        opac_status shrunk = shrink(&items, (vec)->count, sizeof *(vec)->items, error);            \
        (vec)->items = items;                                                                      \
        (vec)->capacity = (vec)->count;                                                            \
        if (shrunk != OPAC_OK)                                                                     \
            return shrunk;                                                                         \
    } while (0)

opac_status prism_builder_finish(prism_builder *builder, opac_model *model, opac_error *error)
{
    SHRINK(&builder->choice_begin);
    SHRINK(&builder->edge_begin);
    SHRINK(&builder->target);
    SHRINK(&builder->prob);
    SHRINK(&builder->exact);
    SHRINK(&builder->action);
    model->process = (graph_process){.state_count = (uint32_t)(builder->choice_begin.count - 1),
                                     .choice_count = (uint32_t)(builder->edge_begin.count - 1),
                                     .edge_count = (uint32_t)builder->target.count,
                                     .choice_begin = builder->choice_begin.items,
                                     .edge_begin = builder->edge_begin.items,
                                     .target = builder->target.items,
                                     .prob = builder->prob.items,
                                     .owned = true};
    model->exact = builder->exact.items;
    model->action = builder->action.items;
    model->actions = builder->actions;
    builder->choice_begin = builder->edge_begin = builder->target = builder->action =
        (base_u32_vec){0};
    builder->prob = (base_double_vec){0};
    builder->exact = (prism_ratio_vec){0};
    base_intern_init(&builder->actions);
    return OPAC_OK;
}
