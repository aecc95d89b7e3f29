/* SPDX-License-Identifier: MIT */
/*
 * Adds and completes all rows that a known graph reaches, breadth first from the initial states. The
 * successors of an action are sorted by key, so that rows have the same numbers, and hence the same
 * shares of δ, in whatever order the graph lists successors.
 *
 *     queue of states ──► env_successors ──► sort, add states, branches of the row ──► complete
 *
 * The successors are copied first, because the environment, which may be the graph itself, is used for its
 * branches afterwards. The exploration stops if a declared bound turns out to be wrong.
 *
 * A tabulated environment knows its own branches, so the graph is compared with it. If the graph had an
 * edge that the environment lacks, or a different letter in a state, no sample could contradict it, and
 * the bracket would be that of another system: such a graph is an error. If the graph lacks an edge,
 * some sample eventually refutes it.
 */
#include <string.h>

#include "base/work.h"
#include "bracket/support_form.h"
#include "sample/statistics_form.h"

enum {
    STATES_A_POLL = 1 << 8
};

typedef struct listed {
    size_t begin, length; /* of the key, in `bytes` */
    uint64_t letter;
    uint32_t actions;
} listed;
BASE_VEC(listed_vec, listed);

typedef struct search {
    bracket_support *s;
    base_u32_vec queue;    /* states */
    base_u32_vec reached;  /* by state: 1 if it was queued */
    listed_vec successors; /* of the current row, sorted by key */
    bracket_key_bytes bytes;
    base_u32_vec branches;
} search;

static void fini(search *q)
{
    base_u32_vec_fini(&q->queue);
    base_u32_vec_fini(&q->reached);
    listed_vec_fini(&q->successors);
    bracket_key_bytes_fini(&q->bytes);
    base_u32_vec_fini(&q->branches);
}

static opac_status enqueue(search *q, uint32_t state, opac_error *error)
{
    size_t states = q->s->stats->states.count;
    TRY(base_u32_vec_reserve(&q->reached, states, error));
    while (q->reached.count < states)
        q->reached.items[q->reached.count++] = 0;
    if (q->reached.items[state] != 0)
        return OPAC_OK;
    q->reached.items[state] = 1;
    return base_u32_vec_push(&q->queue, state, error);
}

/* ---- the successors of a row ---- */

static bool comes_before(const search *q, const listed *a, const listed *b)
{
    size_t common = a->length < b->length ? a->length : b->length;
    int order =
        common > 0 ? memcmp(q->bytes.items + a->begin, q->bytes.items + b->begin, common) : 0;
    return order != 0 ? order < 0 : a->length < b->length;
}

/* Callback of env_successors: inserts a successor in the order of keys. */
static opac_status insert_successor(void *context, const opac_observation *successor,
                                    uint64_t count, opac_error *error)
{
    search *q = context;
    listed new = {.begin = q->bytes.count,
                  .length = successor->length,
                  .letter = successor->letter,
                  .actions = successor->actions};
    (void)count;
    TRY(bracket_key_bytes_reserve(&q->bytes, new.begin + new.length, error));
    TRY(listed_vec_push(&q->successors, new, error));
    if (new.length > 0)
        memcpy(q->bytes.items + new.begin, successor->key, new.length);
    q->bytes.count += new.length;
    size_t at = q->successors.count - 1;
    for (; at > 0 && comes_before(q, &new, &q->successors.items[at - 1]); at--)
        q->successors.items[at] = q->successors.items[at - 1];
    q->successors.items[at] = new;
    return OPAC_OK;
}

static opac_status list_successors(search *q, uint32_t row, opac_error *error)
{
    const sample_statistics *stats = q->s->stats;
    sample_row r = stats->rows.items[row];
    opac_observation state = {0};
    if (r.state != SAMPLE_NONE) {
        state.letter = stats->states.items[r.state].letter;
        state.actions = stats->states.items[r.state].actions;
        state.key = base_intern_key(&stats->keys, r.state, &state.length);
    }
    q->successors.count = q->bytes.count = q->branches.count = 0;
    return env_successors(q->s->options.graph, &state, r.state != SAMPLE_NONE ? r.action : 0,
                          insert_successor, q, error);
}

enum {
    SHOWN = 96 /* of a state */
};

static opac_status refuse_edge(const search *q, uint32_t row, const opac_observation *to,
                               opac_error *error)
{
    char from[SAMPLE_ROW_SHOWN], state[SHOWN];
    env_show(q->s->options.graph, to->key, to->length, state, sizeof state);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the graph does not match the model: in the graph %s can lead to state '%s', "
                     "in the model it cannot",
                     sample_statistics_show_row(q->s->stats, row, from, sizeof from), state);
}

/* Checks that a branch of the environment has the letter and the actions that the graph lists. */
static opac_status compare(const search *q, uint32_t row, uint32_t branch,
                           const opac_observation *seen, opac_error *error)
{
    const sample_statistics *stats = q->s->stats;
    opac_observation there;
    char state[SHOWN];
    TRY(env_branch(stats->env, stats->rows.items[row].env_row, branch, &there, error));
    if (there.letter == seen->letter && there.actions == seen->actions)
        return OPAC_OK;
    env_show(stats->env, seen->key, seen->length, state, sizeof state);
    if (there.actions != seen->actions)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the graph does not match the model: state '%s' has %u actions in the "
                         "graph, and %u in the model",
                         state, (unsigned)seen->actions, (unsigned)there.actions);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "the graph does not match the model: in state '%s' different propositions of "
                     "the objective hold in the graph and in the model",
                     state);
}

static opac_status find_branch(const search *q, uint32_t row, uint32_t state,
                               const opac_observation *seen, uint32_t *branch, opac_error *error)
{
    sample_statistics *stats = q->s->stats;
    opac_status status = sample_statistics_branch(stats, row, state, branch, error);
    if (!stats->is_tabulated)
        return status;
    if (status == OPAC_ERROR_SIMULATOR)
        return refuse_edge(q, row, seen, error);
    return status == OPAC_OK ? compare(q, row, *branch, seen, error) : status;
}

static opac_status add_state(const search *q, const opac_observation *seen, uint32_t *state,
                             opac_error *error)
{
    opac_error found;
    opac_status status = sample_statistics_add_state(q->s->stats, seen, state, &found);
    if (status == OPAC_ERROR_SIMULATOR && q->s->stats->is_tabulated)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the graph does not match the model: %s",
                         found.message);
    if (status != OPAC_OK && error != NULL)
        *error = found;
    return status;
}

/* Adds a listed successor as a branch of the row. */
static opac_status add_branch(search *q, uint32_t row, const listed *t, opac_error *error)
{
    const unsigned char *key = t->length > 0 ? q->bytes.items + t->begin : (const void *)"";
    opac_observation seen = {
        .key = key, .length = t->length, .letter = t->letter, .actions = t->actions};
    uint32_t state, branch;
    TRY(add_state(q, &seen, &state, error));
    TRY(find_branch(q, row, state, &seen, &branch, error));
    TRY(base_u32_vec_push(&q->branches, branch, error));
    return enqueue(q, state, error);
}

static opac_status expand_row(search *q, uint32_t row, uint64_t *changed, opac_error *error)
{
    bracket_support *s = q->s;
    if (bracket_support_is_complete(s, row))
        return OPAC_OK;
    TRY(list_successors(q, row, error));
    if (q->successors.count == 0)
        return base_fail(error, OPAC_ERROR_SIMULATOR, "the graph has an action without successors");
    for (size_t i = 0; i < q->successors.count; i++)
        TRY(add_branch(q, row, &q->successors.items[i], error));
    TRY(bracket_support_grow(s, error));
    TRY(bracket_support_complete_row(s, row, &q->branches, error));
    ++*changed;
    return OPAC_OK;
}

/* ---- exploration ---- */

static opac_status run(search *q, uint64_t *changed, opac_error *error)
{
    sample_statistics *stats = q->s->stats;
    TRY(stats->reset_row != SAMPLE_NONE ? expand_row(q, stats->reset_row, changed, error)
                                        : enqueue(q, stats->initial, error));
    for (size_t next = 0; next < q->queue.count; next++) {
        if (next % STATES_A_POLL == 0 && opac_cancel_requested(q->s->cancel))
            return base_fail_stopped(error, q->s->cancel, "exploring the graph");
        sample_state state = stats->states.items[q->queue.items[next]];
        for (uint32_t a = 0; a < state.actions; a++) {
            if (sample_statistics_exceeded(stats) != NULL)
                return OPAC_OK;
            TRY(expand_row(q, state.row + a, changed, error));
        }
    }
    q->s->explored = true;
    return OPAC_OK;
}

opac_status bracket_support_explore(bracket_support *s, uint64_t *changed, opac_error *error)
{
    search q = {.s = s};
    opac_status status = run(&q, changed, error);
    fini(&q);
    return status;
}
