/* SPDX-License-Identifier: MIT */
/* Merging branches and filling the arrays; amortised constant time a branch. */
#include "prism/assemble.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sum.h"
#include "model/row.h"

enum {
    FEW = 12 /* branches that are compared one by one */
};

opac_status prism_assembly_init(prism_assembly *assembly, const prism_program *program, bool exact,
                                opac_error *error)
{
    uint32_t none;
    *assembly = (prism_assembly){
        .program = program, .is_chain = program->type == OPAC_MODEL_DTMC, .is_exact = exact};
    base_intern_init(&assembly->actions);
    assembly->action_of = base_alloc(program->action_count, sizeof *assembly->action_of);
    if (assembly->action_of == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < program->action_count; i++)
        assembly->action_of[i] = i == 0 ? 0 : UINT32_MAX;
    TRY(model_action_add(&assembly->actions, "", 0, &none, error));
    TRY(base_u32_vec_push(&assembly->choice_begin, 0, error));
    return base_u32_vec_push(&assembly->edge_begin, 0, error);
}

void prism_assembly_fini(prism_assembly *assembly)
{
    base_u32_vec_fini(&assembly->choice_begin);
    base_u32_vec_fini(&assembly->edge_begin);
    base_u32_vec_fini(&assembly->target);
    base_double_vec_fini(&assembly->prob);
    base_double_vec_fini(&assembly->rest);
    prism_ratio_vec_fini(&assembly->exact);
    base_u32_vec_fini(&assembly->action);
    base_intern_fini(&assembly->actions);
    base_free(assembly->action_of);
    base_free(assembly->seen);
}

uint64_t prism_assembly_memory(const prism_assembly *assembly)
{
    return (uint64_t)sizeof(uint32_t) * (assembly->choice_begin.count + assembly->edge_begin.count +
                                         assembly->target.count + assembly->action.count) +
           (uint64_t)sizeof(double) * assembly->prob.count +
           (uint64_t)sizeof(base_ratio) * assembly->exact.count;
}

opac_status prism_assembly_reserve(prism_assembly *a, size_t states, size_t choices,
                                   size_t branches, opac_error *error)
{
    if (a->edge_begin.count + choices > GRAPH_LARGEST || a->target.count + branches > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices or transitions",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&a->choice_begin, a->choice_begin.count + states, error));
    TRY(base_u32_vec_reserve(&a->edge_begin, a->edge_begin.count + choices, error));
    TRY(base_u32_vec_reserve(&a->target, a->target.count + branches, error));
    TRY(base_double_vec_reserve(&a->prob, a->prob.count + branches, error));
    if (a->is_exact)
        TRY(prism_ratio_vec_reserve(&a->exact, a->exact.count + branches, error));
    if (a->action.count > 0)
        TRY(base_u32_vec_reserve(&a->action, a->action.count + choices, error));
    return OPAC_OK;
}

/* ---- names ---- */

/* The model's number of an action; its first use gives it one. */
static opac_status name_action(prism_assembly *a, uint32_t action, uint32_t *number,
                               opac_error *error)
{
    *number = a->action_of[action];
    if (*number != UINT32_MAX)
        return OPAC_OK;
    const char *name = a->program->actions[action];
    TRY(model_action_add(&a->actions, name, strlen(name), number, error));
    a->action_of[action] = *number;
    return OPAC_OK;
}

/* Choices without a name need no array until there is one with. */
static opac_status push_action(prism_assembly *a, uint32_t action, opac_error *error)
{
    uint32_t number;
    size_t choices = a->edge_begin.count - 1;
    TRY(name_action(a, action, &number, error));
    if (number == 0 && a->action.count == 0)
        return OPAC_OK;
    if (a->action.count == 0 && choices > 0) {
        TRY(base_u32_vec_reserve(&a->action, a->edge_begin.capacity, error));
        memset(a->action.items, 0, choices * sizeof *a->action.items);
        a->action.count = choices;
    }
    return base_u32_vec_push(&a->action, number, error);
}

/* ---- branches ---- */

/* Where the target is among the branches from `begin` on; their end when it is not. */
static size_t find_few(const prism_assembly *a, size_t begin, uint32_t target)
{
    size_t at = begin;
    while (at < a->target.count && a->target.items[at] != target)
        at++;
    return at;
}

static size_t find_many(prism_assembly *a, size_t begin, uint32_t target)
{
    size_t slot = (size_t)base_hash_word(target) & a->seen_mask;
    while (a->seen[slot] != 0) {
        size_t at = begin + a->seen[slot] - 1;
        if (a->target.items[at] == target)
            return at;
        slot = (slot + 1) & a->seen_mask;
    }
    a->seen[slot] = (uint32_t)(a->target.count - begin + 1);
    return a->target.count;
}

/* An empty table, at most half full with `count`. */
static opac_status prepare_seen(prism_assembly *a, size_t count, opac_error *error)
{
    size_t size = 64;
    while (size < 2 * count)
        size *= 2;
    if (size > a->seen_size) {
        uint32_t *seen = base_alloc(size, sizeof *seen);
        if (seen == NULL)
            return base_fail_memory(error);
        base_free(a->seen);
        a->seen = seen;
        a->seen_size = size;
    }
    a->seen_mask = size - 1;
    memset(a->seen, 0, size * sizeof *a->seen);
    return OPAC_OK;
}

/* Before the first join of a choice of so many branches. */
static opac_status begin_rest(prism_assembly *a, size_t count, opac_error *error)
{
    TRY(base_double_vec_reserve(&a->rest, count, error));
    for (size_t i = 0; i < count; i++)
        a->rest.items[i] = 0;
    a->rest.count = count;
    return OPAC_OK;
}

/* Adds a probability to the branch at a place; rounding errors go to *rest (base/sum.h). */
static opac_status join(prism_assembly *a, size_t at, double probability, base_ratio exact,
                        double *rest, opac_error *error)
{
    double *prob = &a->prob.items[at];
    *prob = base_sum_add(*prob, probability, rest);
    if (!a->is_exact)
        return OPAC_OK;
    a->exact.items[at] = base_ratio_add(a->exact.items[at], exact);
    if (!base_ratio_is_known(a->exact.items[at]))
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the sum of two probabilities cannot be computed exactly");
    *prob = base_ratio_to_double(a->exact.items[at]);
    return OPAC_OK;
}

/* A branch of the choice at hand, which begins at `begin` and has `count`. */
static opac_status add_branch(prism_assembly *a, size_t begin, size_t count, uint32_t target,
                              double probability, base_ratio exact, opac_error *error)
{
    size_t at = count <= FEW ? find_few(a, begin, target) : find_many(a, begin, target);
    if (at < a->target.count) {
        if (a->rest.count == 0)
            TRY(begin_rest(a, count, error));
        return join(a, at, probability, exact, &a->rest.items[at - begin], error);
    }
    a->target.items[a->target.count++] = target;
    a->prob.items[a->prob.count++] = probability;
    if (!a->is_exact)
        return OPAC_OK;
    if (!base_ratio_is_known(exact))
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the product of probabilities cannot be computed exactly");
    a->prob.items[a->prob.count - 1] = base_ratio_to_double(exact);
    a->exact.items[a->exact.count++] = exact;
    return OPAC_OK;
}

/* Adds what joins have lost, and divides by the sum; fractions are divided already. */
static void settle_row(prism_assembly *a, size_t begin)
{
    double *prob = a->prob.items + begin;
    size_t count = a->prob.count - begin;
    if (a->is_exact)
        return;
    for (size_t i = 0; a->rest.count > 0 && i < count; i++)
        prob[i] += a->rest.items[i];
    model_row_divide(prob, count);
}

opac_status prism_assembly_choice(prism_assembly *a, uint32_t action, size_t count,
                                  const uint32_t *numbers, const double *probabilities,
                                  const base_ratio *exact, opac_error *error)
{
    size_t begin = a->target.count;
    a->rest.count = 0;
    if (!a->is_chain)
        TRY(push_action(a, action, error));
    if (count > FEW)
        TRY(prepare_seen(a, count, error));
    for (size_t i = 0; i < count; i++)
        TRY(add_branch(a, begin, count, numbers[i], probabilities[i],
                       a->is_exact ? exact[i] : (base_ratio){0}, error));
    settle_row(a, begin);
    a->edge_begin.items[a->edge_begin.count++] = (uint32_t)a->target.count;
    return OPAC_OK;
}

void prism_assembly_state(prism_assembly *a)
{
    a->choice_begin.items[a->choice_begin.count++] = (uint32_t)a->edge_begin.count - 1;
}

/* ---- the end ---- */

/* Gives back what was reserved and not used; never more than a few pages are copied. */
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

opac_status prism_assembly_finish(prism_assembly *a, opac_model *model, opac_error *error)
{
    SHRINK(&a->choice_begin);
    SHRINK(&a->edge_begin);
    SHRINK(&a->target);
    SHRINK(&a->prob);
    SHRINK(&a->exact);
    SHRINK(&a->action);
    model->process = (graph_process){.state_count = (uint32_t)(a->choice_begin.count - 1),
                                     .choice_count = (uint32_t)(a->edge_begin.count - 1),
                                     .edge_count = (uint32_t)a->target.count,
                                     .choice_begin = a->choice_begin.items,
                                     .edge_begin = a->edge_begin.items,
                                     .target = a->target.items,
                                     .prob = a->prob.items,
                                     .owned = true};
    model->exact = a->exact.items;
    model->action = a->action.items;
    model->actions = a->actions;
    a->choice_begin = a->edge_begin = a->target = a->action = (base_u32_vec){0};
    a->prob = (base_double_vec){0};
    a->exact = (prism_ratio_vec){0};
    base_intern_init(&a->actions);
    return OPAC_OK;
}
