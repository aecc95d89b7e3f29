/* SPDX-License-Identifier: MIT */
/* The Markov chain of a positional policy: R_T, and the test of T by covering
 * (docs/theory.md, Theorem 17 and Theorem 18). */
#include <math.h>

#include "graph/scc.h"
#include "horizon/horizon_model_form.h"

enum {
    LARGEST_COVERED = 20 /* states of a component that is unfolded */
};

/* ---- building ---- */

typedef struct chosen {
    const sample_positional *policy;
    const sample_statistics *stats;
} chosen;

static uint32_t choice_of(const void *context, uint32_t product_state)
{
    const chosen *c = context;
    return sample_positional_choice(c->policy, c->stats, product_state);
}

/* Builds m->chain. Choices that were never tried are all unseen. */
static opac_status build(horizon_model *m, const sample_positional *policy,
                         const opac_cancel *cancel, opac_error *error)
{
    const chosen context = {policy, m->stats};
    const sample_process_options options = {.stats = m->stats,
                                            .named = frequencies_named(m->frequencies),
                                            .choice = choice_of,
                                            .context = &context,
                                            .is_parallel = true,
                                            .cancel = cancel};
    if (m->stats->start == SAMPLE_NONE)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "nothing was observed yet");
    return sample_build_process(&m->chain, &options, error);
}

/* ---- R_T ---- */

static bool wins(const horizon_model *m, uint64_t marks)
{
    uint32_t count;
    const solve_rabin_pair *pairs = frequencies_pairs(m->frequencies, &count);
    for (uint32_t i = 0; i < count; i++)
        if ((marks & pairs[i].fin) == 0 && (marks & pairs[i].inf) != 0)
            return true;
    return false;
}

/* The nodes of bottom components of the tried choices that do not win. A node whose choice was never tried is
 * all unseen instead. */
static opac_status find_losing(horizon_model *m, const graph_process *process, base_bitset *losing,
                               opac_error *error)
{
    base_bitset tried, bottom, trivial;
    graph_scc scc;
    TRY(graph_take_set(&m->workspace, process->choice_count, &tried, error));
    for (uint32_t c = 0; c < process->choice_count; c++)
        base_bitset_add(&tried, c);
    for (size_t i = 0; i < m->chain.unknown.count; i++)
        base_bitset_remove(&tried, m->chain.unknown.items[i]);
    graph_part part = {.choices = &tried};
    TRY(graph_scc_find(process, part, &m->workspace, &scc, error));
    TRY(graph_scc_classify(process, part, &scc, &m->workspace, &bottom, &trivial, error));
    uint64_t *marks = graph_take(&m->workspace, scc.count, sizeof *marks);
    if (marks == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < scc.count; i++)
        marks[i] = 0;
    for (uint32_t s = 0; s < process->state_count; s++)
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            marks[scc.component[s]] |= m->chain.marks.items[c];
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t c = process->choice_begin[s];
        bool is_untried = c < process->choice_begin[s + 1] && !base_bitset_has(&tried, c);
        bool is_losing = !is_untried && base_bitset_has(&bottom, scc.component[s]) &&
                         !wins(m, marks[scc.component[s]]);
        /* A run is rejected where the automaton has no move, not only after the move to REJECT. */
        bool is_rejected =
            c < process->choice_begin[s + 1] && m->stats->reject != SAMPLE_NONE &&
            m->stats->choices.items[m->chain.number.items[c]].target == m->stats->reject;
        if (is_losing || is_rejected)
            base_bitset_add(losing, s);
    }
    return OPAC_OK;
}

static opac_status bound_risk(horizon_model *m, uint64_t horizon, const opac_cancel *cancel,
                              horizon_bound *risk, opac_error *error)
{
    graph_process process = sample_process_get(&m->chain);
    horizon_rows rows;
    base_bitset losing;
    solve_horizon_result result;
    TRY(horizon_fill_rows(m, &m->chain, &rows, error));
    TRY(graph_take_set(&m->workspace, process.state_count, &losing, error));
    TRY(find_losing(m, &process, &losing, error));
    const solve_problem problem = {
        .process = &process, .lower = rows.lower, .upper = rows.upper, .unseen = rows.unseen};
    const solve_horizon question = {.target = &losing,
                                    .steps = horizon,
                                    .most_sweeps = frequencies_most_sweeps(&process),
                                    .slack = m->options.slack,
                                    .optimistic = true};
    TRY(solve_run_horizon(m->solver, &problem, &question, cancel, &result, error));
    *risk = horizon_conclude(&result, horizon);
    return OPAC_OK;
}

opac_status horizon_model_risk(horizon_model *m, const sample_positional *policy, uint64_t horizon,
                               const opac_cancel *cancel, horizon_bound *risk, opac_error *error)
{
    *risk = (horizon_bound){.value = 1};
    TRY(build(m, policy, cancel, error));
    graph_place place = graph_workspace_mark(&m->workspace);
    opac_status status = bound_risk(m, horizon, cancel, risk, error);
    graph_workspace_release(&m->workspace, place);
    return status;
}

/* ---- covering ---- */

/* By edge of the chain: its choice. */
static uint32_t *find_owners(horizon_model *m, const graph_process *process)
{
    uint32_t *owner = graph_take_u32(&m->workspace, process->edge_count);
    for (uint32_t c = 0; owner != NULL && c < process->choice_count; c++)
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            owner[e] = c;
    return owner;
}

/* The unfolded chain as a process with one more state, for runs that are done, and its row sets. */
typedef struct unfolded {
    graph_process process;
    horizon_rows rows;
    base_bitset done;
} unfolded;

static opac_status take_unfolded(horizon_model *m, unfolded *u, opac_error *error)
{
    uint32_t nodes = solve_unfold_count(&m->unfold), edges = solve_unfold_edges(&m->unfold);
    uint32_t *choice_begin = graph_take_u32(&m->workspace, (size_t)nodes + 2);
    uint32_t *target = graph_take_u32(&m->workspace, edges);
    u->rows.lower = graph_take(&m->workspace, edges, sizeof *u->rows.lower);
    u->rows.upper = graph_take(&m->workspace, edges, sizeof *u->rows.upper);
    u->rows.unseen = graph_take(&m->workspace, nodes, sizeof *u->rows.unseen);
    if (choice_begin == NULL || target == NULL || u->rows.lower == NULL || u->rows.upper == NULL ||
        u->rows.unseen == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(&m->workspace, (size_t)nodes + 1, &u->done, error));
    base_bitset_add(&u->done, nodes);
    for (uint32_t i = 0; i < nodes; i++)
        choice_begin[i] = i;
    choice_begin[nodes] = choice_begin[nodes + 1] = nodes;
    for (uint32_t e = 0; e < edges; e++)
        target[e] = m->unfold.target.items[e] != GRAPH_NONE ? m->unfold.target.items[e] : nodes;
    return graph_process_borrow((size_t)nodes + 1, nodes, edges, choice_begin,
                                m->unfold.begin.items, target, NULL, &u->process, error);
}

/* Edges that the unfolding has added, of states where runs stay, have probability 1. */
static opac_status make_unfolded(horizon_model *m, unfolded *u, opac_error *error)
{
    graph_process chain = sample_process_get(&m->chain);
    horizon_rows rows;
    TRY(horizon_fill_rows(m, &m->chain, &rows, error));
    uint32_t *owner = find_owners(m, &chain);
    if (owner == NULL)
        return base_fail_memory(error);
    TRY(take_unfolded(m, u, error));
    for (uint32_t i = 0; i < u->process.choice_count; i++) {
        uint32_t first = m->unfold.first.items[i], begin = m->unfold.begin.items[i];
        bool stays = first >= chain.edge_count;
        u->rows.unseen[i] = stays ? 0 : rows.unseen[owner[first]];
        for (uint32_t e = begin; e < m->unfold.begin.items[i + 1]; e++) {
            u->rows.lower[e] = stays ? 1 : rows.lower[first + (e - begin)];
            u->rows.upper[e] = stays ? 1 : rows.upper[first + (e - begin)];
        }
    }
    return OPAC_OK;
}

static opac_status bound_cover(horizon_model *m, uint64_t horizon, const opac_cancel *cancel,
                               double *bound, opac_error *error)
{
    unfolded u;
    solve_horizon_result result;
    TRY(make_unfolded(m, &u, error));
    const solve_problem problem = {.process = &u.process,
                                   .lower = u.rows.lower,
                                   .upper = u.rows.upper,
                                   .unseen = u.rows.unseen};
    const solve_horizon question = {.target = &u.done, .steps = horizon, .optimistic = true};
    TRY(solve_run_horizon(m->solver, &problem, &question, cancel, &result, error));
    *bound = horizon_conclude(&result, horizon).value;
    return OPAC_OK;
}

static opac_status unfold(horizon_model *m, uint64_t horizon, uint64_t most_work,
                          const opac_cancel *cancel, bool *fits, opac_error *error)
{
    graph_process process = sample_process_get(&m->chain);
    uint64_t work = 0;
    uint32_t *choice = graph_take_u32(&m->workspace, process.state_count);
    if (choice == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < process.state_count; s++)
        choice[s] = process.choice_begin[s] < process.choice_begin[s + 1] ? process.choice_begin[s]
                                                                          : GRAPH_NONE;
    const solve_chain chain = {.process = &process, .choice = choice};
    const solve_unfold_options options = {
        .max_component = LARGEST_COVERED, .max_work = most_work, .cancel = cancel};
    TRY(solve_unfold_read_probabilities(&m->unfold, &process, error));
    TRY(solve_unfold_chain(&m->unfold, &chain, &options, fits, &work, error));
    *fits = *fits && (double)horizon * solve_unfold_edges(&m->unfold) <= (double)most_work;
    return OPAC_OK;
}

opac_status horizon_model_cover(horizon_model *m, const sample_positional *policy, uint64_t horizon,
                                uint64_t most_work, const opac_cancel *cancel,
                                horizon_cover_outcome *outcome, double *bound, opac_error *error)
{
    bool fits = false;
    *outcome = HORIZON_COVER_UNKNOWN;
    *bound = 1;
    TRY(build(m, policy, cancel, error));
    graph_place place = graph_workspace_mark(&m->workspace);
    opac_status status = unfold(m, horizon, most_work, cancel, &fits, error);
    if (status == OPAC_OK && fits) {
        *outcome = HORIZON_COVER_BOUND;
        status = bound_cover(m, horizon, cancel, bound, error);
    }
    graph_workspace_release(&m->workspace, place);
    return status;
}
