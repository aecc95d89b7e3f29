/* SPDX-License-Identifier: MIT */
/*
 * The learned policy over the states that were seen, by their keys, whatever the environment is
 * (policy/known.h). It has a decision for each pair of state and memory that was met, also for those
 * that it does not come to itself: a simulator may take it anywhere, and then it does what
 * opac_learning_act does. Linear in the pairs.
 */
#include <string.h>

#include "policy/known.h"
#include "sample/learning.h"

typedef struct seen {
    const opac_learning *l;
    policy_known known;
    policy_draft_vec drafts;
} seen;

static opac_status add_state(seen *s, uint32_t state, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    const sample_state *it = &world->states.items[state];
    size_t length;
    uint32_t number;
    bool is_new;
    const unsigned char *key = base_intern_key(&world->keys, state, &length);
    TRY(policy_known_add(&s->known, key, length, it->letter, &number, &is_new, error));
    for (uint32_t a = 0; a < it->actions; a++)
        TRY(policy_known_action(&s->known, env_action_name(world->env, key, length, a), error));
    return OPAC_OK;
}

/* Where runs were seen to begin; if nobody had to look (the reset is free), where the first one did. */
static opac_status add_starts(seen *s, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    if (world->reset_row == SAMPLE_NONE)
        return policy_known_initial(&s->known, world->initial, error);
    if (world->rows.items[world->reset_row].seen == 0)
        return policy_known_initial(&s->known, 0, error);
    const sample_row *row = &world->rows.items[world->reset_row];
    for (uint32_t b = 0; b < row->width; b++) {
        uint32_t state = world->targets.items[row->begin + b];
        if (state != SAMPLE_NONE)
            TRY(policy_known_initial(&s->known, state, error));
    }
    return OPAC_OK;
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
    policy_decision decision = {.memory = p->memory,
                                .choice =
                                    opac_model_choice_begin(s->known.model, p->state) + action,
                                .next = memory};
    return policy_draft_add(&s->drafts, p->state, decision, error);
}

static opac_status collect(seen *s, opac_error *error)
{
    const sample_world *world = &s->l->run.world;
    for (uint32_t i = 0; i < world->keys.count; i++)
        TRY(add_state(s, i, error));
    TRY(add_starts(s, error));
    TRY(policy_known_finish(&s->known, error));
    for (uint32_t p = 0; p < world->pairs.count; p++)
        TRY(decide(s, p, error));
    return OPAC_OK;
}

static opac_status make(seen *s, opac_policy **policy, opac_error *error)
{
    const opac_learning *l = s->l;
    policy_purpose purpose = {.automaton = l->automaton,
                              .letters = s->known.letters.items,
                              .objective = l->objective,
                              .formula = l->formula,
                              .complement = l->least};
    uint32_t count = opac_model_initial_count(s->known.model);
    uint32_t *start = base_alloc(count, sizeof *start);
    if (start == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        start[i] = opac_learning_start(l, NULL, 0);
    opac_status status =
        policy_of_drafts(s->known.model, &s->drafts, start, &purpose, policy, error);
    base_free(start);
    if (status == OPAC_OK)
        policy_known_give(&s->known, *policy);
    return status;
}

opac_status sample_policy_of_seen(const opac_learning *learning, opac_policy **policy,
                                  opac_error *error)
{
    seen s = {.l = learning};
    opac_status status;
    TRY_OR(done, policy_known_init(&s.known, error));
    TRY_OR(done, collect(&s, error));
    status = make(&s, policy, error);
done:
    policy_draft_vec_fini(&s.drafts);
    policy_known_fini(&s.known);
    return status;
}
