/* SPDX-License-Identifier: MIT */
/*
 * Makes an opac_policy of the learned policy, whose decisions are those of sample_act.
 *
 *     for a model       decisions for the product states that the policy reaches, with the states numbered
 *                       as in the model; if the strategy's policy is total (strategy.h), for all others that
 *                       were added, too, unless it does the same without them
 *     for a simulator   decisions for all product states that were added, also for those that the policy
 *                       does not reach: with another simulator it may reach them, and must then act as
 *                       opac_learning_act does
 *
 * Cost: linear in the product states.
 */
#include <string.h>

#include "policy/policy.h"
#include "product/letters.h"
#include "sample/learning.h"
#include "sample/strategy.h"

typedef struct making {
    const opac_learning *l;
    const sample_statistics *stats;
    opac_policy *policy;
    uint32_t *choices; /* by product state of the chain; NULL: the strategy's choices */
    policy_entry_vec drafts;
    uint64_t *letters; /* by state of the policy */
    uint32_t *start;   /* memory by initial state of the policy */
} making;

/* Whether a policy does this without a decision, also if the letters are unknown to whoever runs it. */
static bool is_default(const making *m, const sample_product_state *p, policy_decision decision)
{
    return decision.action == 0 && decision.next == p->memory &&
           aut_successor(m->l->automaton, p->memory, m->stats->states.items[p->state].letter) ==
               p->memory;
}

/* Adds the decision of a product state, unless only free choices follow that do not change the memory. state: its
 * number in the policy. is_reached: also the decision of a policy that does not list it. */
static opac_status decide(making *m, uint32_t product_state, uint32_t state, bool is_reached,
                          opac_error *error)
{
    const sample_product_state *p = &m->stats->product_states.items[product_state];
    policy_decision decision = {.memory = p->memory, .next = p->memory};
    bool takes_action =
        sample_act(m->l, m->choices, product_state, &decision.next, &decision.action);
    bool matters =
        is_reached ? takes_action || decision.next != p->memory : !is_default(m, p, decision);
    return matters ? policy_entry_add(&m->drafts, state, decision, error) : OPAC_OK;
}

static bool has_actions(const sample_statistics *stats, uint32_t product_state)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    return p->state != SAMPLE_NONE && p->memory != SAMPLE_NONE &&
           stats->states.items[p->state].actions > 0;
}

/* Sets the same memory for all initial states; PRODUCT_NONE if unknown. */
static opac_status make_starts(making *m, uint32_t memory, opac_error *error)
{
    size_t count = policy_domain_initial(&m->policy->domain)->count;
    m->start = base_alloc(count, sizeof *m->start);
    if (m->start == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        m->start[i] = memory;
    return OPAC_OK;
}

/* ---- for a model ---- */

/* The number of a state in the model. */
static opac_status state_of(const making *m, uint32_t state, uint32_t *number, opac_error *error)
{
    size_t length;
    const opac_model *model = m->policy->domain.model;
    const unsigned char *key = base_intern_key(&m->stats->keys, state, &length);
    if (length != sizeof *number)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the policy was not learned in an environment of a model");
    memcpy(number, key, sizeof *number);
    if (*number >= opac_model_states(model) ||
        opac_model_choice_count(model, *number) != m->stats->states.items[state].actions)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the policy was learned in an environment of another model");
    return OPAC_OK;
}

/* Finds the product states that an action or the reset leads to, or in which runs begin. All others occur
 * only between two epsilon moves. */
static void find_entered(const sample_statistics *stats, const sample_chain *chain,
                         base_bitset *entered)
{
    const graph_process *p = &chain->process;
    base_bitset_add(entered, 0);
    for (uint32_t at = 0; at < p->state_count; at++) {
        bool is_epsilon =
            stats->product_states.items[chain->product_states[at]].state != SAMPLE_NONE &&
            stats->choices.items[chain->choice[at]].action == SAMPLE_NONE;
        uint32_t begin = p->edge_begin[p->choice_begin[at]];
        uint32_t end = p->edge_begin[p->choice_begin[at + 1]];
        for (uint32_t e = begin; e < end && !is_epsilon; e++)
            base_bitset_add(entered, p->target[e]);
    }
}

/* Sets the initial memory of the state of a product state. */
static opac_status begin_at(making *m, const sample_product_state *product_state, opac_error *error)
{
    uint32_t number = 0;
    const policy_domain *domain = &m->policy->domain;
    if (product_state->state == SAMPLE_NONE)
        return OPAC_OK;
    TRY(state_of(m, product_state->state, &number, error));
    size_t index = policy_domain_find_initial(domain, number);
    if (index < policy_domain_initial(domain)->count)
        m->start[index] = product_state->memory;
    return OPAC_OK;
}

/* Runs begin in the start itself, or, if that is the place before the reset, in its successors. */
static opac_status find_starts(making *m, const sample_chain *chain, opac_error *error)
{
    const graph_process *p = &chain->process;
    const sample_product_state *product_states = m->stats->product_states.items;
    bool is_random = product_states[chain->product_states[0]].state == SAMPLE_NONE;
    TRY(make_starts(m, is_random ? opac_learning_start(m->l, NULL, 0) : PRODUCT_NONE, error));
    TRY(begin_at(m, &product_states[chain->product_states[0]], error));
    if (product_states[chain->product_states[0]].state != SAMPLE_NONE)
        return OPAC_OK;
    for (uint32_t e = 0; e < p->edge_begin[p->choice_begin[1]]; e++)
        TRY(begin_at(m, &product_states[chain->product_states[p->target[e]]], error));
    return OPAC_OK;
}

static bool has_total_policy(const making *m)
{
    const sample_run *run = &m->l->run;
    return run->strategy->has_total_policy != NULL && run->strategy->has_total_policy(run);
}

/* The choices by product state: those of the chain and, if the policy is total, of all others. */
static opac_status take_choices(making *m, const sample_chain *chain, opac_error *error)
{
    size_t count = m->stats->product_states.count;
    m->choices = base_alloc(count, sizeof *m->choices);
    if (m->choices == NULL)
        return base_fail_memory(error);
    bool is_total = has_total_policy(m);
    for (uint32_t i = 0; i < count && is_total; i++)
        m->choices[i] = sample_run_choice(&m->l->run, i);
    for (uint32_t at = 0; at < chain->process.state_count; at++)
        m->choices[chain->product_states[at]] = chain->choice[at];
    return OPAC_OK;
}

/* The product states that decide_entered has not decided: others may be entered by outcomes that were not seen. */
static opac_status decide_others(making *m, const sample_chain *chain, const base_bitset *entered,
                                 opac_error *error)
{
    base_bitset decided = {0};
    opac_status status = base_bitset_init(&decided, m->stats->product_states.count, error);
    for (uint32_t at = 0; status == OPAC_OK && at < chain->process.state_count; at++)
        if (base_bitset_has(entered, at))
            base_bitset_add(&decided, chain->product_states[at]);
    for (uint32_t i = 0; status == OPAC_OK && i < m->stats->product_states.count; i++) {
        uint32_t state = m->stats->product_states.items[i].state;
        if (base_bitset_has(&decided, i) || !has_actions(m->stats, i))
            continue;
        TRY_OR(done, state_of(m, state, &state, error));
        TRY_OR(done, decide(m, i, state, false, error));
    }
done:
    base_bitset_fini(&decided);
    return status;
}

static opac_status decide_entered(making *m, const sample_chain *chain, const base_bitset *entered,
                                  opac_error *error)
{
    for (uint32_t at = 0; at < chain->process.state_count; at++) {
        uint32_t product_state = chain->product_states[at],
                 state = m->stats->product_states.items[product_state].state;
        if (state != SAMPLE_NONE)
            TRY(state_of(m, state, &state, error));
        if (has_actions(m->stats, product_state) && base_bitset_has(entered, at))
            TRY(decide(m, product_state, state, true, error));
    }
    return OPAC_OK;
}

static opac_status collect_of_model(making *m, opac_error *error)
{
    sample_chain chain;
    base_bitset entered = {0};
    TRY(sample_run_chain(&m->l->run, &chain, error));
    TRY(base_bitset_init(&entered, chain.process.state_count, error));
    find_entered(m->stats, &chain, &entered);
    opac_status status = take_choices(m, &chain, error);
    if (status == OPAC_OK)
        status = decide_entered(m, &chain, &entered, error);
    if (status == OPAC_OK && has_total_policy(m))
        status = decide_others(m, &chain, &entered, error);
    base_bitset_fini(&entered);
    TRY(status);
    TRY(find_starts(m, &chain, error));
    return product_letters(m->policy->domain.model, m->l->properties, m->l->automaton, &m->letters,
                           error);
}

/* ---- for a simulator ---- */

static opac_status add_state(making *m, uint32_t state, opac_error *error)
{
    const sample_statistics *stats = m->stats;
    policy_domain *domain = &m->policy->domain;
    size_t length;
    bool is_new;
    const unsigned char *key = base_intern_key(&stats->keys, state, &length);
    m->letters[state] = stats->states.items[state].letter;
    TRY(policy_domain_add(domain, key, length, &state, &is_new, error));
    for (uint32_t a = 0; a < stats->states.items[state].actions; a++)
        TRY(policy_domain_add_action(
            domain, sample_statistics_action_name(stats, stats->states.items[state].row + a),
            error));
    return OPAC_OK;
}

/* The observed initial states; if the reset is free, and so was never counted, that of the first run. */
static void find_initial(const sample_statistics *stats, base_bitset *initial)
{
    const sample_row *reset =
        stats->reset_row != SAMPLE_NONE ? &stats->rows.items[stats->reset_row] : NULL;
    if (reset == NULL || reset->seen == 0)
        base_bitset_add(initial, reset == NULL ? stats->initial : 0);
    for (uint32_t b = 0; reset != NULL && b < reset->width; b++) {
        uint32_t state = stats->targets.items[reset->begin + b];
        if (state != SAMPLE_NONE)
            base_bitset_add(initial, state);
    }
}

static opac_status collect_seen(making *m, opac_error *error)
{
    const sample_statistics *stats = m->stats;
    base_bitset initial = {0};
    m->letters = base_alloc(stats->keys.count, sizeof *m->letters);
    if (m->letters == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < stats->keys.count; s++)
        TRY(add_state(m, s, error));
    TRY(base_bitset_init(&initial, stats->keys.count, error));
    find_initial(stats, &initial);
    opac_status status = policy_domain_set_initial(&m->policy->domain, &initial, error);
    base_bitset_fini(&initial);
    TRY(status);
    TRY(make_starts(m, opac_learning_start(m->l, NULL, 0), error));
    for (uint32_t p = 0; p < stats->product_states.count; p++)
        if (has_actions(stats, p))
            TRY(decide(m, p, stats->product_states.items[p].state, true, error));
    return OPAC_OK;
}

/* ---- for either ---- */

opac_status opac_learning_policy(const opac_learning *learning, const opac_model *model,
                                 opac_policy **policy, opac_error *error)
{
    making m = {.l = learning, .stats = &learning->run.stats};
    opac_status status;
    *policy = NULL;
    if (m.stats->start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing was observed yet");
    TRY_OR(done, policy_new(model, &m.policy, error));
    TRY_OR(done, model != NULL ? collect_of_model(&m, error) : collect_seen(&m, error));
    policy_objective objective = {.automaton = learning->automaton,
                                  .letters = m.letters,
                                  .text = learning->objective,
                                  .formula = learning->formula,
                                  .complement = learning->least};
    status = policy_fill(m.policy, &objective, &m.drafts, m.start, error);
done:
    policy_entry_vec_fini(&m.drafts);
    base_free(m.choices);
    base_free(m.letters);
    base_free(m.start);
    if (status == OPAC_OK)
        *policy = m.policy;
    else
        opac_policy_free(m.policy);
    return status;
}
