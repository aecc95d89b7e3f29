/* SPDX-License-Identifier: MIT */
#include "estimate/judge.h"

#include <stdio.h>
#include <string.h>

#include "aut/automaton.h"
#include "env/env_trial.h"
#include "env/walk.h"

enum {
    HALT_EVERY = 64 /* transitions */
};
#define ESTIMATE_JUDGE_START UINT32_MAX /* in place of a state: the reset */

opac_status estimate_judge_init(estimate_judge *judge, opac_environment *env,
                                const opac_automaton *automaton, opac_error *error)
{
    *judge = (estimate_judge){
        .env = env, .automaton = automaton, .is_tabulated = env_get_traits(env).is_tabulated};
    base_intern_init(&judge->keys);
    opac_status status = product_move_table_new(automaton, &judge->move_table, error);
    if (status == OPAC_OK)
        status = product_index_new(judge->move_table, true, &judge->index, error);
    if (status != OPAC_OK)
        estimate_judge_fini(judge);
    return status;
}

void estimate_judge_fini(estimate_judge *judge)
{
    product_index_free(judge->index);
    product_move_table_free(judge->move_table);
    base_intern_fini(&judge->keys);
    estimate_judge_state_vec_fini(&judge->states);
    estimate_judge_pair_vec_fini(&judge->product_states);
    base_u32_vec_fini(&judge->links);
    estimate_tail_fini(&judge->tail);
    *judge = (estimate_judge){0};
}

/* ---- states ---- */

static opac_status check_again(const estimate_judge_state *state, const opac_observation *seen,
                               opac_error *error)
{
    if (state->letter != seen->letter)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a state has other propositions than when it was seen before");
    if (state->actions != seen->actions)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a state has %u actions, and had %u when it was seen before",
                         (unsigned)seen->actions, (unsigned)state->actions);
    return OPAC_OK;
}

/* Room first: a key that was added has its state. */
static opac_status meet_state(estimate_judge *judge, const opac_observation *seen, uint32_t *id,
                              opac_error *error)
{
    estimate_judge_state state = {.letter = seen->letter, .actions = seen->actions};
    bool is_new;
    TRY(estimate_judge_state_vec_reserve(&judge->states, judge->states.count + 1, error));
    TRY(product_move_table_class(judge->move_table, seen->letter, &state.class, error));
    TRY(base_intern_add(&judge->keys, seen->key, seen->length, id, &is_new, error));
    if (!is_new)
        return check_again(&judge->states.items[*id], seen, error);
    judge->states.items[judge->states.count++] = state;
    return OPAC_OK;
}

/* ---- pairs ---- */

static bool accepts_all(const estimate_judge *judge, uint32_t memory)
{
    uint64_t marks;
    return product_move_table_is_universal(judge->move_table, memory, &marks);
}

static estimate_judge_pair make_product_state(const estimate_judge *judge, uint32_t id)
{
    uint32_t moves, memory = product_index_memory(judge->index, id);
    estimate_judge_pair product_state = {.state = product_index_state(judge->index, id)};
    const estimate_judge_state *state = &judge->states.items[product_state.state];
    product_state.is_terminal = state->actions == 0;
    const product_move *move =
        product_move_table_moves(judge->move_table, memory, state->class, &moves);
    if (accepts_all(judge, memory) || (moves > 0 && accepts_all(judge, move->target))) {
        product_state.verdict = ESTIMATE_WON;
    } else if (moves == 0) {
        product_state.verdict = ESTIMATE_LOST;
    } else {
        product_state.marks = move->marks;
        product_state.memory = move->target;
    }
    return product_state;
}

static opac_status meet_product_state(estimate_judge *judge, uint32_t state, uint32_t memory,
                                      uint32_t *id, opac_error *error)
{
    TRY(estimate_judge_pair_vec_reserve(&judge->product_states, judge->product_states.count + 1,
                                        error));
    TRY(product_index_find_or_add(judge->index, state, memory, id, error));
    if (*id < judge->product_states.count)
        return OPAC_OK;
    judge->product_states.items[judge->product_states.count++] = make_product_state(judge, *id);
    return OPAC_OK;
}

/* ---- links ---- */

/*
 * Nobody says how many branches there are; when a larger one comes, the pair's
 * links move to the end, with room for twice as many. (Its row would say it, but
 * rows are shared by all forks, and to be asked for by one thread alone.)
 */
static opac_status widen(estimate_judge *judge, uint32_t id, uint32_t branch, opac_error *error)
{
    estimate_judge_pair *product_state = &judge->product_states.items[id];
    uint64_t width = 2 * (uint64_t)product_state->width > branch
                         ? 2 * (uint64_t)product_state->width
                         : branch + 1u;
    size_t begin = judge->links.count;
    if (width > UINT32_MAX || begin + width > UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the product",
                         (unsigned)UINT32_MAX);
    TRY(base_u32_vec_reserve(&judge->links, begin + width, error));
    uint32_t *links = judge->links.items + begin;
    memset(links, 0xff, width * sizeof *links);
    if (product_state->width > 0)
        memcpy(links, judge->links.items + product_state->link,
               product_state->width * sizeof *links);
    judge->links.count += width;
    product_state->link = (uint32_t)begin;
    product_state->width = (uint32_t)width;
    return OPAC_OK;
}

static opac_status set_link(estimate_judge *judge, uint32_t from, uint32_t branch, uint32_t to,
                            opac_error *error)
{
    if (branch >= judge->product_states.items[from].width)
        TRY(widen(judge, from, branch, error));
    judge->links.items[judge->product_states.items[from].link + (size_t)branch] = to;
    return OPAC_OK;
}

/* ---- trajectories ---- */

static opac_status check_actions(const opac_observation *seen, opac_error *error)
{
    if (seen->actions <= 1)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "not a Markov chain: a state has %u actions, and at most one was expected",
                     (unsigned)seen->actions);
}

/* For the test of repeats; 62 bits are enough. */
static opac_status keep(estimate_judge *judge, uint64_t number, opac_error *error)
{
    if (judge->seen == NULL || judge->seen->count >= judge->most_seen)
        return OPAC_OK;
    return base_u64_vec_push(judge->seen, number, error);
}

static const char *show(const estimate_judge *judge, uint32_t state, char *buffer, size_t size)
{
    size_t length;
    const unsigned char *key = base_intern_key(&judge->keys, state, &length);
    return env_show(judge->env, length > 0 ? (const void *)key : "", length, buffer, size);
}

/* The successor of a state (ESTIMATE_JUDGE_START: of the reset) is to be the same as before. */
static void compare(estimate_judge *judge, uint32_t from, uint32_t state)
{
    char here[64], one[64], other[64];
    bool is_start = from == ESTIMATE_JUDGE_START;
    uint32_t *known = is_start ? &judge->start : &judge->states.items[from].successor;
    if (*known == 0)
        *known = state + 1;
    if (*known == state + 1)
        return;
    show(judge, *known - 1, one, sizeof one);
    show(judge, state, other, sizeof other);
    snprintf(judge->refutation, sizeof judge->refutation,
             "%s%s%s led to state '%s' and to state '%s'", is_start ? "the reset" : "state '",
             is_start ? "" : show(judge, from, here, sizeof here), is_start ? "" : "'", one, other);
}

static opac_status meet_seen(estimate_judge *judge, const opac_observation *seen, uint32_t from,
                             uint32_t memory, uint32_t *product_state, opac_error *error)
{
    uint32_t state;
    TRY(check_actions(seen, error));
    TRY(meet_state(judge, seen, &state, error));
    if (judge->is_deterministic)
        compare(judge, from, state);
    TRY(keep(judge, env_observation_digest(seen) >> 2 | 1, error));
    return meet_product_state(judge, state, memory, product_state, error);
}

/* One transition of the environment. */
static opac_status step(estimate_judge *judge, uint32_t *at, opac_error *error)
{
    const estimate_judge_pair *from = &judge->product_states.items[*at];
    uint32_t branch = 0, id = *at;
    opac_observation seen;
    TRY(env_step(judge->env, 0, &seen, error));
    if (judge->is_tabulated) {
        branch = env_last_branch(judge->env);
        *at = branch < from->width ? judge->links.items[from->link + (size_t)branch] : PRODUCT_NONE;
        if (*at != PRODUCT_NONE)
            return OPAC_OK;
    }
    TRY(meet_seen(judge, &seen, from->state, from->memory, at, error));
    return judge->is_tabulated ? set_link(judge, id, branch, *at, error) : OPAC_OK;
}

/* One transition, also where the environment has none: there only the automaton moves. */
static opac_status move(estimate_judge *judge, uint32_t *at, opac_error *error)
{
    const estimate_judge_pair *product_state = &judge->product_states.items[*at];
    return product_state->is_terminal
               ? meet_product_state(judge, product_state->state, product_state->memory, at, error)
               : step(judge, at, error);
}

static opac_status visit(estimate_judge *judge, uint32_t at, opac_error *error)
{
    estimate_judge_pair *product_state = &judge->product_states.items[at];
    return estimate_tail_visit(&judge->tail, &product_state->visit, product_state->marks, error);
}

static estimate_verdict judge_last(const estimate_judge *judge)
{
    estimate_tail_part last = estimate_tail_last(&judge->tail);
    bool wins = last.has_edge && aut_condition_holds(&judge->automaton->condition, last.marks);
    return wins ? ESTIMATE_WON : ESTIMATE_LOST;
}

/* An environment that is not tabulated may be slow. */
static bool must_halt(const estimate_judge *judge, uint64_t taken)
{
    return (!judge->is_tabulated || taken % HALT_EVERY == 0) && judge->halt != NULL &&
           judge->halt(judge->halt_context);
}

/*
 * In a terminal state the letter stays the same: after as many steps as the
 * automaton has states it has been around a cycle. So no more are taken.
 */
static void shorten(const estimate_judge *judge, uint64_t taken, uint64_t *horizon)
{
    uint64_t enough = judge->automaton->state_count;
    if (*horizon - taken > enough)
        *horizon = taken + enough;
}

static opac_status follow(estimate_judge *judge, uint32_t at, uint64_t horizon,
                          estimate_verdict *verdict, opac_error *error)
{
    bool is_terminal = false;
    for (uint64_t taken = 0;; taken++) {
        *verdict = judge->product_states.items[at].verdict;
        if (judge->refutation[0] != '\0')
            *verdict = ESTIMATE_REFUTED;
        if (*verdict == ESTIMATE_OPEN && must_halt(judge, taken))
            *verdict = ESTIMATE_HALTED;
        if (*verdict != ESTIMATE_OPEN)
            break;
        TRY(visit(judge, at, error));
        if (judge->product_states.items[at].is_terminal && !is_terminal) {
            is_terminal = true;
            shorten(judge, taken, &horizon);
        }
        if (taken == horizon) {
            *verdict = judge_last(judge);
            break;
        }
        judge->steps++;
        TRY(move(judge, &at, error));
    }
    return OPAC_OK;
}

opac_status estimate_judge_run(estimate_judge *judge, uint64_t seed, uint64_t horizon,
                               estimate_verdict *verdict, opac_error *error)
{
    opac_observation seen;
    uint32_t at;
    TRY(env_reset(judge->env, seed, &seen, error));
    if (judge->automaton->initial_count == 0) { /* nothing is accepted */
        *verdict = ESTIMATE_LOST;
        return OPAC_OK;
    }
    if (!estimate_tail_begin(&judge->tail))
        for (size_t i = 0; i < judge->product_states.count; i++)
            judge->product_states.items[i].visit = (estimate_visit){0};
    TRY(keep(judge, 0, error));
    TRY(meet_seen(judge, &seen, ESTIMATE_JUDGE_START, judge->automaton->initial[0], &at, error));
    return follow(judge, at, horizon, verdict, error);
}

/* ---- several judges ---- */

opac_status estimate_judge_merge(estimate_judge *judge, const estimate_judge *other,
                                 opac_error *error)
{
    for (uint32_t i = 0; i < other->states.count; i++) {
        uint32_t id;
        opac_observation seen = {.letter = other->states.items[i].letter,
                                 .actions = other->states.items[i].actions};
        seen.key = base_intern_key(&other->keys, i, &seen.length);
        TRY(meet_state(judge, &seen, &id, error));
    }
    return OPAC_OK;
}
