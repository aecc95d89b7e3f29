/* SPDX-License-Identifier: MIT */
#include "estimate/classify_trajectory.h"

#include <stdio.h>
#include <string.h>

#include "aut/automaton.h"
#include "env/env_trial.h"
#include "env/walk.h"

enum {
    HALT_EVERY = 64 /* steps between two polls, in a tabulated environment */
};
#define ESTIMATE_RESET UINT32_MAX /* stands for the reset in place of a state */

opac_status estimate_classifier_init(estimate_classifier *classifier, opac_environment *env,
                                     const opac_automaton *automaton, opac_error *error)
{
    *classifier = (estimate_classifier){
        .env = env, .automaton = automaton, .is_tabulated = env_get_traits(env).is_tabulated};
    base_intern_init(&classifier->keys);
    opac_status status = product_move_table_new(automaton, &classifier->move_table, error);
    if (status == OPAC_OK)
        status = product_index_new(classifier->move_table, true, &classifier->index, error);
    if (status != OPAC_OK)
        estimate_classifier_fini(classifier);
    return status;
}

void estimate_classifier_fini(estimate_classifier *classifier)
{
    product_index_free(classifier->index);
    product_move_table_free(classifier->move_table);
    base_intern_fini(&classifier->keys);
    estimate_classifier_state_vec_fini(&classifier->states);
    estimate_classifier_product_state_vec_fini(&classifier->product_states);
    base_u32_vec_fini(&classifier->links);
    sample_components_fini(&classifier->components);
    *classifier = (estimate_classifier){0};
}

/* ---- states ---- */

static opac_status check_again(const estimate_classifier_state *state, const opac_observation *seen,
                               opac_error *error)
{
    if (state->letter != seen->letter)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a state has other labels than when it was observed before");
    if (state->actions != seen->actions)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a state has %u actions, but had %u when it was observed before",
                         (unsigned)seen->actions, (unsigned)state->actions);
    return OPAC_OK;
}

/* Capacity is reserved first, so that every interned key has a state. */
static opac_status add_state(estimate_classifier *classifier, const opac_observation *seen,
                             uint32_t *id, opac_error *error)
{
    estimate_classifier_state state = {.letter = seen->letter, .actions = seen->actions};
    bool is_new;
    TRY(estimate_classifier_state_vec_reserve(&classifier->states, classifier->states.count + 1,
                                              error));
    TRY(product_move_table_class(classifier->move_table, seen->letter, &state.class, error));
    TRY(base_intern_add(&classifier->keys, seen->key, seen->length, id, &is_new, error));
    if (!is_new)
        return check_again(&classifier->states.items[*id], seen, error);
    classifier->states.items[classifier->states.count++] = state;
    return OPAC_OK;
}

/* ---- product states ---- */

static bool accepts_all(const estimate_classifier *classifier, uint32_t memory)
{
    uint64_t marks;
    return product_move_table_is_universal(classifier->move_table, memory, &marks);
}

static estimate_classifier_product_state make_product_state(const estimate_classifier *classifier,
                                                            uint32_t id)
{
    uint32_t moves, memory = product_index_memory(classifier->index, id);
    estimate_classifier_product_state product_state = {
        .state = product_index_state(classifier->index, id)};
    const estimate_classifier_state *state = &classifier->states.items[product_state.state];
    product_state.is_terminal = state->actions == 0;
    const product_move *move =
        product_move_table_moves(classifier->move_table, memory, state->class, &moves);
    if (accepts_all(classifier, memory) || (moves > 0 && accepts_all(classifier, move->target))) {
        product_state.verdict = ESTIMATE_WON;
    } else if (moves == 0) {
        product_state.verdict = ESTIMATE_LOST;
    } else {
        product_state.marks = move->marks;
        product_state.memory = move->target;
    }
    return product_state;
}

static opac_status add_product_state(estimate_classifier *classifier, uint32_t state,
                                     uint32_t memory, uint32_t *id, opac_error *error)
{
    TRY(estimate_classifier_product_state_vec_reserve(&classifier->product_states,
                                                      classifier->product_states.count + 1, error));
    TRY(product_index_find_or_add(classifier->index, state, memory, id, error));
    if (*id < classifier->product_states.count)
        return OPAC_OK;
    classifier->product_states.items[classifier->product_states.count++] =
        make_product_state(classifier, *id);
    return OPAC_OK;
}

/* ---- links ---- */

/*
 * The number of branches is unknown here; if a larger one occurs, the links of the product state move to
 * the end, with twice the capacity. (The environment's row has the number, but rows are shared by all forks
 * and must be used by a single thread.)
 */
static opac_status widen(estimate_classifier *classifier, uint32_t id, uint32_t branch,
                         opac_error *error)
{
    estimate_classifier_product_state *product_state = &classifier->product_states.items[id];
    uint64_t width = 2 * (uint64_t)product_state->width > branch
                         ? 2 * (uint64_t)product_state->width
                         : branch + 1u;
    size_t begin = classifier->links.count;
    if (width > UINT32_MAX || begin + width > UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions of the product",
                         (unsigned)UINT32_MAX);
    TRY(base_u32_vec_reserve(&classifier->links, begin + width, error));
    uint32_t *links = classifier->links.items + begin;
    memset(links, 0xff, width * sizeof *links);
    if (product_state->width > 0)
        memcpy(links, classifier->links.items + product_state->link,
               product_state->width * sizeof *links);
    classifier->links.count += width;
    product_state->link = (uint32_t)begin;
    product_state->width = (uint32_t)width;
    return OPAC_OK;
}

static opac_status set_link(estimate_classifier *classifier, uint32_t from, uint32_t branch,
                            uint32_t to, opac_error *error)
{
    if (branch >= classifier->product_states.items[from].width)
        TRY(widen(classifier, from, branch, error));
    classifier->links.items[classifier->product_states.items[from].link + (size_t)branch] = to;
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

/* Keeps a number for the test of independence. */
static opac_status keep_seen(estimate_classifier *classifier, uint64_t number, opac_error *error)
{
    if (classifier->seen == NULL || classifier->seen->count >= classifier->most_seen)
        return OPAC_OK;
    return base_u64_vec_push(classifier->seen, number, error);
}

static const char *show(const estimate_classifier *classifier, uint32_t state, char *buffer,
                        size_t size)
{
    size_t length;
    const unsigned char *key = base_intern_key(&classifier->keys, state, &length);
    return env_show(classifier->env, length > 0 ? (const void *)key : "", length, buffer, size);
}

/* Checks that the successor of a state, or of the reset, is the same as before. */
static void check_deterministic(estimate_classifier *classifier, uint32_t from, uint32_t state)
{
    char here[64], one[64], other[64];
    bool is_start = from == ESTIMATE_RESET;
    uint32_t *known = is_start ? &classifier->start : &classifier->states.items[from].successor;
    if (*known == 0)
        *known = state + 1;
    if (*known == state + 1)
        return;
    show(classifier, *known - 1, one, sizeof one);
    show(classifier, state, other, sizeof other);
    snprintf(classifier->refutation, sizeof classifier->refutation,
             "%s%s%s led to state '%s' and to state '%s'", is_start ? "the reset" : "state '",
             is_start ? "" : show(classifier, from, here, sizeof here), is_start ? "" : "'", one,
             other);
}

static opac_status enter_observed(estimate_classifier *classifier, const opac_observation *seen,
                                  uint32_t from, uint32_t memory, uint32_t *product_state,
                                  opac_error *error)
{
    uint32_t state;
    TRY(check_actions(seen, error));
    TRY(add_state(classifier, seen, &state, error));
    if (classifier->is_deterministic)
        check_deterministic(classifier, from, state);
    TRY(keep_seen(classifier, env_observation_digest(seen) >> 2 | 1, error));
    return add_product_state(classifier, state, memory, product_state, error);
}

/* One step of the environment. */
static opac_status step(estimate_classifier *classifier, uint32_t *at, opac_error *error)
{
    const estimate_classifier_product_state *from = &classifier->product_states.items[*at];
    uint32_t branch = 0, id = *at;
    opac_observation seen;
    TRY(env_step(classifier->env, 0, &seen, error));
    if (classifier->is_tabulated) {
        branch = env_last_branch(classifier->env);
        *at = branch < from->width ? classifier->links.items[from->link + (size_t)branch]
                                   : PRODUCT_NONE;
        if (*at != PRODUCT_NONE)
            return OPAC_OK;
    }
    TRY(enter_observed(classifier, &seen, from->state, from->memory, at, error));
    return classifier->is_tabulated ? set_link(classifier, id, branch, *at, error) : OPAC_OK;
}

/* One step. In a terminal state only the automaton moves. */
static opac_status move(estimate_classifier *classifier, uint32_t *at, opac_error *error)
{
    const estimate_classifier_product_state *product_state = &classifier->product_states.items[*at];
    return product_state->is_terminal ? add_product_state(classifier, product_state->state,
                                                          product_state->memory, at, error)
                                      : step(classifier, at, error);
}

static opac_status visit(estimate_classifier *classifier, uint32_t at, opac_error *error)
{
    estimate_classifier_product_state *product_state = &classifier->product_states.items[at];
    return sample_components_visit(&classifier->components, &product_state->visit,
                                   product_state->marks, error);
}

static estimate_verdict classify_last_component(const estimate_classifier *classifier)
{
    sample_component last = sample_components_last(&classifier->components);
    bool wins = last.has_edge && aut_condition_holds(&classifier->automaton->condition, last.marks);
    return wins ? ESTIMATE_WON : ESTIMATE_LOST;
}

/* Environments that are not tabulated may be slow, so every step is polled. */
static bool must_halt(const estimate_classifier *classifier, uint64_t taken)
{
    return (!classifier->is_tabulated || taken % HALT_EVERY == 0) && classifier->halt != NULL &&
           classifier->halt(classifier->halt_context);
}

/*
 * In a terminal state the letter does not change: after as many steps as the automaton has states, the
 * trajectory has completed a cycle, so no further steps are needed.
 */
static void shorten(const estimate_classifier *classifier, uint64_t taken, uint64_t *horizon)
{
    uint64_t enough = classifier->automaton->state_count;
    if (*horizon - taken > enough)
        *horizon = taken + enough;
}

static opac_status follow(estimate_classifier *classifier, uint32_t at, uint64_t horizon,
                          estimate_verdict *verdict, opac_error *error)
{
    bool is_terminal = false;
    for (uint64_t taken = 0;; taken++) {
        *verdict = classifier->product_states.items[at].verdict;
        if (classifier->refutation[0] != '\0')
            *verdict = ESTIMATE_REFUTED;
        if (*verdict == ESTIMATE_OPEN && must_halt(classifier, taken))
            *verdict = ESTIMATE_HALTED;
        if (*verdict != ESTIMATE_OPEN)
            break;
        TRY(visit(classifier, at, error));
        if (classifier->product_states.items[at].is_terminal && !is_terminal) {
            is_terminal = true;
            shorten(classifier, taken, &horizon);
        }
        if (taken == horizon) {
            *verdict = classify_last_component(classifier);
            break;
        }
        classifier->steps++;
        TRY(move(classifier, &at, error));
    }
    return OPAC_OK;
}

opac_status estimate_classify_trajectory(estimate_classifier *classifier, uint64_t seed,
                                         uint64_t horizon, estimate_verdict *verdict,
                                         opac_error *error)
{
    opac_observation seen;
    uint32_t at;
    TRY(env_reset(classifier->env, seed, &seen, error));
    if (classifier->automaton->initial_count == 0) { /* the automaton accepts nothing */
        *verdict = ESTIMATE_LOST;
        return OPAC_OK;
    }
    if (!sample_components_begin(&classifier->components))
        for (size_t i = 0; i < classifier->product_states.count; i++)
            classifier->product_states.items[i].visit = (sample_component_visit){0};
    TRY(keep_seen(classifier, 0, error));
    TRY(enter_observed(classifier, &seen, ESTIMATE_RESET, classifier->automaton->initial[0], &at,
                       error));
    return follow(classifier, at, horizon, verdict, error);
}

/* ---- several classifiers ---- */

opac_status estimate_classifier_merge(estimate_classifier *classifier,
                                      const estimate_classifier *other, opac_error *error)
{
    for (uint32_t i = 0; i < other->states.count; i++) {
        uint32_t id;
        opac_observation seen = {.letter = other->states.items[i].letter,
                                 .actions = other->states.items[i].actions};
        seen.key = base_intern_key(&other->keys, i, &seen.length);
        TRY(add_state(classifier, &seen, &id, error));
    }
    return OPAC_OK;
}
