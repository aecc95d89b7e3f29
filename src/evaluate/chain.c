/* SPDX-License-Identifier: MIT */
/*
 * Explores the chain in breadth-first order. Triples are expanded in the order of their numbers, so no
 * queue is needed. The memory is updated by the policy alone; the automaton runs beside it. Linear, with
 * one look-up per branch. Memory: 12 bytes per triple, and 27 to 37 bytes for the map, in addition to the
 * chain.
 */
#include "evaluate/chain.h"

#include "base/map.h"
#include "base/work.h"
#include "evaluate/evaluate_moves.h"
#include "graph/graph_builder.h"

enum {
    POLL_EVERY = 1 << 12 /* triples between two polls of the cancel handle */
};

typedef struct triple {
    uint32_t state, memory, automaton; /* automaton: its state count if it has no initial state */
} triple;

BASE_VEC(triple_vec, triple);

typedef struct explorer {
    const opac_policy *policy;
    const evaluate_question *question;
    evaluate_chain *chain;
    evaluate_moves moves;
    graph_builder builder;
    base_map numbers; /* key of a triple ► its number + 1 */
    triple_vec triples;
    uint64_t memories, automaton_states; /* for keys */
    uint64_t limit;
} explorer;

static opac_status check_keys(const explorer *e, opac_error *error)
{
    uint64_t most = UINT64_MAX / e->automaton_states / e->memories;
    if (e->policy->domain.model->process.state_count > most)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the model, the policy's memory and the automaton are too large together");
    return OPAC_OK;
}

static opac_status find_or_add(explorer *e, triple t, uint32_t *number, opac_error *error)
{
    /* All memories that are not values of the policy are equivalent. */
    uint64_t memory = t.memory < e->memories - 1 ? t.memory : e->memories - 1;
    uint64_t *found, key = (t.state * e->memories + memory) * e->automaton_states + t.automaton;
    TRY(base_map_at(&e->numbers, key, &found, error));
    if (*found == 0) {
        if (e->triples.count >= e->limit)
            return base_fail_limit(error, "max_states", e->limit,
                                   "the chain has more than %llu states",
                                   (unsigned long long)e->limit);
        TRY(triple_vec_push(&e->triples, t, error));
        *found = e->triples.count;
    }
    *number = (uint32_t)(*found - 1);
    return OPAC_OK;
}

/* ---- expanding ---- */

/* The edge of the automaton in a triple, and the choice of the policy. */
typedef struct move {
    bool dead; /* the automaton has no edge */
    uint64_t marks;
    uint32_t choice, memory, automaton;
} move;

static opac_status read_move(explorer *e, triple t, uint64_t letter, move *found, opac_error *error)
{
    const aut_edge *edge = NULL;
    opac_status status = OPAC_OK;
    if (t.automaton < e->question->automaton->state_count)
        status = evaluate_moves_read(&e->moves, t.automaton, letter, &edge, error);
    found->dead = edge == NULL;
    if (edge != NULL) {
        found->marks = edge->marks;
        found->automaton = edge->target;
    }
    return status;
}

/* Without a decision of the policy, its memory may go where the automaton has no edge. */
static opac_status follow_move(explorer *e, triple t, uint64_t letter, move *found,
                               opac_error *error)
{
    evaluate_move_result way;
    TRY(evaluate_moves_follow(&e->moves, t.memory, letter, found->memory, &way, &found->marks,
                              error));
    found->dead = way != EVALUATE_MOVE_FOUND;
    if (way == EVALUATE_MOVE_ELSEWHERE &&
        policy_find_decision(e->policy, t.state, t.memory) != NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "in state %u the policy's memory goes from %u to %u, and its automaton "
                         "does not",
                         t.state, t.memory, found->memory);
    return OPAC_OK;
}

static opac_status find_move(explorer *e, triple t, move *found, opac_error *error)
{
    uint64_t letter = e->question->letters[t.state];
    *found = (move){.memory = t.memory};
    found->choice = opac_policy_act(e->policy, t.state, &found->memory);
    return e->question->follows_policy ? follow_move(e, t, letter, found, error)
                                       : read_move(e, t, letter, found, error);
}

static opac_status add_edges(explorer *e, const move *m, opac_error *error)
{
    const graph_process *model = &e->policy->domain.model->process;
    uint32_t target = 0;
    TRY(graph_builder_choice(&e->builder, error));
    for (uint32_t b = model->edge_begin[m->choice]; b < model->edge_begin[m->choice + 1]; b++) {
        triple next = {model->target[b], m->memory, m->automaton};
        TRY(find_or_add(e, next, &target, error));
        TRY(graph_builder_edge(&e->builder, target, model->prob[b], error));
    }
    return OPAC_OK;
}

static opac_status expand(explorer *e, triple t, opac_error *error)
{
    move m;
    TRY(find_move(e, t, &m, error));
    TRY(graph_builder_state(&e->builder, error));
    TRY(base_u64_vec_push(&e->chain->marks, m.marks, error));
    TRY(base_u32_vec_push(&e->chain->choice, m.choice, error));
    if (!m.dead)
        TRY(add_edges(e, &m, error));
    return OPAC_OK;
}

static opac_status begin(explorer *e, opac_error *error)
{
    const opac_model *model = e->policy->domain.model;
    const opac_automaton *automaton = e->question->automaton;
    uint32_t at = automaton->initial_count > 0 ? automaton->initial[0] : automaton->state_count;
    TRY(check_keys(e, error));
    if (e->question->follows_policy)
        at = 0; /* the memory is its state */
    for (size_t i = 0; i < model->initial.count; i++) {
        uint32_t state = model->initial.items[i], number = 0;
        triple first = {state, opac_policy_start(e->policy, state), at};
        TRY(find_or_add(e, first, &number, error));
        TRY(base_u32_vec_push(&e->chain->start, number, error));
    }
    return OPAC_OK;
}

static opac_status explore(explorer *e, const opac_evaluation_options *options, opac_error *error)
{
    TRY(begin(e, error));
    for (size_t i = 0; i < e->triples.count; i++) {
        if (i % POLL_EVERY == 0 && opac_cancel_requested(options->cancel))
            return base_fail_stopped(error, options->cancel, "evaluating the policy");
        opac_progress_update(options->progress, i, e->triples.count);
        TRY(expand(e, e->triples.items[i], error));
    }
    return graph_builder_finish(&e->builder, &e->chain->process, error);
}

opac_status evaluate_chain_init(evaluate_chain *chain, const opac_policy *policy,
                                const evaluate_question *question,
                                const opac_evaluation_options *options, opac_error *error)
{
    explorer e = {
        .policy = policy,
        .question = question,
        .chain = chain,
        .builder = {.weighted = true},
        .memories = (uint64_t)policy->memory_count + 1,
        .automaton_states = (uint64_t)question->automaton->state_count + 1,
        .limit = options->max_states != 0 ? options->max_states : MODEL_DEFAULT_MAX_STATES,
    };
    *chain = (evaluate_chain){0};
    if (e.limit > GRAPH_LARGEST)
        e.limit = GRAPH_LARGEST;
    evaluate_moves_init(&e.moves, question->automaton);
    opac_progress_start(options->progress, "building the chain");
    opac_status status = explore(&e, options, error);
    opac_progress_finish(options->progress);
    evaluate_moves_fini(&e.moves);
    graph_builder_fini(&e.builder);
    base_map_fini(&e.numbers);
    triple_vec_fini(&e.triples);
    return status;
}

void evaluate_chain_fini(evaluate_chain *chain)
{
    graph_process_fini(&chain->process);
    base_u64_vec_fini(&chain->marks);
    base_u32_vec_fini(&chain->choice);
    base_u32_vec_fini(&chain->start);
}
