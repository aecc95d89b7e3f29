/* SPDX-License-Identifier: MIT */
/*
 * The learned policy over the states that were seen, by their keys, whatever the environment is
 * (policy/domain.h). It has a decision for each pair of state and memory that was met, also for those
 * that it does not come to itself: a simulator may take it anywhere, and then it does what
 * opac_learning_act does. Linear in the pairs.
 */
#include <string.h>

#include "policy/policy.h"
#include "sample/learning.h"

typedef struct seen {
    const opac_learning *l;
    opac_policy *policy;
    policy_draft_vec drafts;
    uint64_t *letters; /* by state */
    uint32_t *start;   /* by initial state */
} seen;

static opac_status add_state(seen *s, uint32_t state, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    policy_domain *domain = &s->policy->domain;
    size_t length;
    bool is_new;
    const unsigned char *key = base_intern_key(&world->keys, state, &length);
    s->letters[state] = world->states.items[state].letter;
    TRY(policy_domain_add(domain, key, length, &state, &is_new, error));
    for (uint32_t a = 0; a < world->states.items[state].actions; a++)
        TRY(policy_domain_add_action(domain, env_action_name(world->env, key, length, a), error));
    return OPAC_OK;
}

/* Where runs were seen to begin; if nobody had to look (the reset is free), where the first one did. */
static void find_initial(const sample_world *world, base_bitset *initial)
{
    const sample_row *reset =
        world->reset_row != SAMPLE_NONE ? &world->rows.items[world->reset_row] : NULL;
    if (reset == NULL || reset->seen == 0)
        base_bitset_add(initial, reset == NULL ? world->initial : 0);
    for (uint32_t b = 0; reset != NULL && b < reset->width; b++) {
        uint32_t state = world->targets.items[reset->begin + b];
        if (state != SAMPLE_NONE)
            base_bitset_add(initial, state);
    }
}

/* Where neither an action is taken nor the memory changes, there is no decision. */
static opac_status decide(seen *s, uint32_t pair, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    const sample_pair *p = &world->pairs.items[pair];
    if (p->state == SAMPLE_NONE || p->memory == SAMPLE_NONE ||
        world->states.items[p->state].actions == 0)
        return OPAC_OK;
    uint32_t memory = p->memory, action;
    bool matters = sample_act(s->l, pair, &memory, &action);
    if (!matters && memory == p->memory)
        return OPAC_OK;
    policy_decision decision = {.memory = p->memory, .action = action, .next = memory};
    return policy_draft_add(&s->drafts, p->state, decision, error);
}

static opac_status collect(seen *s, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    base_bitset initial = {0};
    s->letters = base_alloc(world->keys.count, sizeof *s->letters);
    if (s->letters == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < world->keys.count; i++)
        TRY(add_state(s, i, error));
    TRY(base_bitset_init(&initial, world->keys.count, error));
    find_initial(world, &initial);
    opac_status status = policy_domain_set_initial(&s->policy->domain, &initial, error);
    base_bitset_fini(&initial);
    TRY(status);
    for (uint32_t p = 0; p < world->pairs.count; p++)
        TRY(decide(s, p, error));
    return OPAC_OK;
}

static opac_status fill(seen *s, opac_error *error)
{
    const opac_learning *l = s->l;
    policy_purpose purpose = {.automaton = l->automaton,
                              .letters = s->letters,
                              .objective = l->objective,
                              .formula = l->formula,
                              .complement = l->least};
    size_t count = s->policy->domain.initial.count;
    s->start = base_alloc(count, sizeof *s->start);
    if (s->start == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        s->start[i] = opac_learning_start(l, NULL, 0);
    return policy_fill(s->policy, &purpose, &s->drafts, s->start, error);
}

opac_status sample_policy_of_seen(const opac_learning *learning, opac_policy **policy,
                                  opac_error *error)
{
    seen s = {.l = learning};
    opac_status status;
    TRY_OR(done, policy_new(NULL, &s.policy, error));
    TRY_OR(done, collect(&s, error));
    status = fill(&s, error);
done:
    policy_draft_vec_fini(&s.drafts);
    base_free(s.letters);
    base_free(s.start);
    if (status == OPAC_OK)
        *policy = s.policy;
    else
        opac_policy_free(s.policy);
    return status;
}
