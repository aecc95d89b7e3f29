/* SPDX-License-Identifier: MIT */
/*
 * The learned policy as a machine over a model. The learned chain is made to
 * look like a product of the model and the automaton (product/product.h), in
 * which only the policy's choices lead anywhere:
 *
 *     a choice of the policy that is known     to where it led
 *     one that is not                          NOWHERE, which looks like the sink
 *     others                                   NOWHERE; nobody looks
 *
 * All choices of a pair are there, since their position tells the move of the
 * automaton. Pairs of states without actions, and those that the automaton has no
 * move for, have no choice, as in a product.
 */
#include <string.h>

#include "policy/policy.h"
#include "product/letters.h"
#include "sample/learning.h"

typedef struct draft {
    const opac_learning *l;
    const opac_model *model;
    sample_chain chain;
    product_process product;
    base_u32_vec begin, edge_begin, target, taken; /* taken: by pair, the policy's choice */
    base_u32_vec choice;
} draft;

static uint32_t nowhere(const draft *d)
{
    return d->chain.process.state_count;
}

/* The model's number of a state. */
static opac_status state_of(const draft *d, uint32_t state, uint32_t *number, opac_error *error)
{
    size_t length;
    const sample_world *world = &d->l->run.world;
    const unsigned char *key = base_intern_key(&world->keys, state, &length);
    if (length != sizeof *number)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the policy was not learned in an environment of a model");
    memcpy(number, key, sizeof *number);
    if (*number >= opac_model_states(d->model) ||
        opac_model_choice_count(d->model, *number) != world->states.items[state].actions)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the policy was learned in an environment of another model");
    return OPAC_OK;
}

/* Edges of a choice of the pair `at`. */
static opac_status add_edges(draft *d, uint32_t at, bool is_taken, opac_error *error)
{
    const graph_process *chain = &d->chain.process;
    uint32_t choice = chain->choice_begin[at];
    if (!is_taken || choice == chain->choice_begin[at + 1])
        return base_u32_vec_push(&d->target, nowhere(d), error);
    for (uint32_t e = chain->edge_begin[choice]; e < chain->edge_begin[choice + 1]; e++)
        TRY(base_u32_vec_push(&d->target, chain->target[e], error));
    return OPAC_OK;
}

static bool is_epsilon(const sample_world *world, const sample_choice *choice)
{
    return sample_choice_is_free(choice) && choice->target != SAMPLE_NONE &&
           choice->target != world->reject;
}

static opac_status add_choice(draft *d, uint32_t at, uint32_t number, uint32_t taken,
                              opac_error *error)
{
    const sample_choice *c = &d->l->run.world.choices.items[number];
    uint32_t state = d->product.state[at];
    uint32_t action = c->action != SAMPLE_NONE
                          ? opac_model_choice_begin(d->model, state) + c->action
                          : PRODUCT_NONE;
    if (number == taken)
        d->taken.items[at] = (uint32_t)d->choice.count;
    TRY(base_u32_vec_push(&d->choice, action, error));
    TRY(add_edges(d, at, number == taken, error));
    return base_u32_vec_push(&d->edge_begin, (uint32_t)d->target.count, error);
}

/* The pairs of states with actions; all others have nothing to choose. */
static opac_status add_pair(draft *d, uint32_t at, opac_error *error)
{
    const sample_world *world = &d->l->run.world;
    sample_pair pair = world->pairs.items[d->chain.pairs[at]];
    uint32_t taken = d->chain.choice[at];
    d->taken.items[at] = GRAPH_NONE;
    d->product.state[at] = PRODUCT_NONE;
    d->product.memory[at] = pair.memory != SAMPLE_NONE ? pair.memory : 0;
    if (pair.state != SAMPLE_NONE)
        TRY(state_of(d, pair.state, &d->product.state[at], error));
    bool has_some = pair.state != SAMPLE_NONE && world->states.items[pair.state].actions > 0;
    for (uint32_t c = pair.choice; has_some && c < pair.choice + pair.choices; c++) {
        const sample_choice *choice = &world->choices.items[c];
        if (!sample_choice_is_free(choice) || is_epsilon(world, choice))
            TRY(add_choice(d, at, c, taken, error));
    }
    return base_u32_vec_push(&d->begin, (uint32_t)d->choice.count, error);
}

static opac_status fill(draft *d, opac_error *error)
{
    uint32_t pairs = d->chain.process.state_count + 1;
    d->product.state = base_alloc(pairs, sizeof *d->product.state);
    d->product.memory = base_alloc_zeroed(pairs, sizeof *d->product.memory);
    TRY(base_u32_vec_reserve(&d->taken, pairs, error));
    if (d->product.state == NULL || d->product.memory == NULL)
        return base_fail_memory(error);
    TRY(base_u32_vec_push(&d->begin, 0, error));
    TRY(base_u32_vec_push(&d->edge_begin, 0, error));
    for (uint32_t at = 0; at + 1 < pairs; at++)
        TRY(add_pair(d, at, error));
    TRY(base_u32_vec_push(&d->begin, (uint32_t)d->choice.count, error));
    d->product.state[nowhere(d)] = PRODUCT_NONE;
    d->taken.items[nowhere(d)] = GRAPH_NONE;
    d->product.choice = d->choice.items;
    return graph_process_borrow(pairs, d->choice.count, d->target.count, d->begin.items,
                                d->edge_begin.items, d->target.items, NULL, &d->product.process,
                                error);
}

/* Where runs begin: in the start itself, or, when that is before the reset, behind it. */
static opac_status find_starts(const draft *d, uint32_t *start)
{
    const graph_process *chain = &d->chain.process;
    const sample_world *world = &d->l->run.world;
    uint32_t count = opac_model_initial_count(d->model);
    bool is_before = world->pairs.items[d->chain.pairs[0]].state == SAMPLE_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t initial = opac_model_initial(d->model, i);
        start[i] = PRODUCT_NONE;
        if (!is_before && d->product.state[0] == initial)
            start[i] = 0;
        if (!is_before || chain->choice_begin[0] == chain->choice_begin[1])
            continue;
        for (uint32_t e = 0; e < chain->edge_begin[1]; e++)
            if (d->product.state[chain->target[e]] == initial)
                start[i] = chain->target[e];
    }
    return OPAC_OK;
}

static opac_status lift(draft *d, opac_policy **policy, opac_error *error)
{
    const opac_learning *l = d->l;
    policy_purpose purpose = {.automaton = l->automaton,
                              .objective = l->objective,
                              .formula = l->formula,
                              .complement = l->least};
    uint64_t *letters = NULL;
    uint32_t *start = base_alloc(opac_model_initial_count(d->model), sizeof *start);
    opac_status status;
    TRY_OR(done, start == NULL ? base_fail_memory(error) : find_starts(d, start));
    TRY_OR(done, product_letters(d->model, l->properties, l->automaton, &letters, error));
    purpose.letters = letters;
    status = policy_lift(d->model, &d->product, d->taken.items, start, &purpose, policy, error);
done:
    base_free(letters);
    base_free(start);
    return status;
}

opac_status opac_learning_policy(const opac_learning *learning, const opac_model *model,
                                 opac_policy **policy, opac_error *error)
{
    draft d = {.l = learning, .model = model};
    *policy = NULL;
    if (learning->run.world.start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing has been seen yet");
    if (model == NULL)
        return sample_policy_of_seen(learning, policy, error);
    opac_status status;
    TRY_OR(done, sample_run_chain(&learning->run, &d.chain, error));
    TRY_OR(done, fill(&d, error));
    status = lift(&d, policy, error);
done:
    base_u32_vec_fini(&d.begin);
    base_u32_vec_fini(&d.edge_begin);
    base_u32_vec_fini(&d.target);
    base_u32_vec_fini(&d.taken);
    base_u32_vec_fini(&d.choice);
    base_free(d.product.state);
    base_free(d.product.memory);
    return status;
}
