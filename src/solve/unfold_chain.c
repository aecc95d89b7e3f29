/* SPDX-License-Identifier: MIT */
/*
 * A node is represented by a word of 64 bits, its key. Nodes are numbered in the order of discovery.
 *
 *     covered twice        │ state, 32 bits │ round │ to be visited, 31 bits                    │
 *     literal definition   │ state, 24 bits │ not visited, 20 bits │ not visited twice, 20 bits │
 *
 * For a transient state, the bits after the state are zero.
 */
#include "solve/unfold_chain.h"

#include "graph/scc.h"
#include "solve/rare_states.h"

#define DONE  UINT64_MAX
#define ROUND (UINT32_C(1) << 31)

enum {
    POLL_NODES = 1 << 12, /* nodes between two polls of cancel */
    LITERAL_BITS = 20
};

void solve_unfold_fini(solve_unfold *unfold)
{
    base_map_fini(&unfold->nodes);
    base_u32_vec_fini(&unfold->begin);
    base_u32_vec_fini(&unfold->target);
    base_u32_vec_fini(&unfold->first);
    base_u32_vec_fini(&unfold->incoming);
    base_dd_vec_fini(&unfold->prob_dd_buffer);
    base_double_vec_fini(&unfold->prob_buffer);
    graph_workspace_fini(&unfold->workspace);
}

/* ---- probabilities ---- */

/*
 * Computes the greatest probability as 1 minus the others. A double near 1, such as 1 - 1e-12, has few digits
 * of the difference to 1; the other probabilities have all of them.
 */
static void read_choice(const graph_process *process, uint32_t choice, base_dd *prob_dd)
{
    uint32_t begin = process->edge_begin[choice], end = process->edge_begin[choice + 1];
    uint32_t greatest = begin;
    base_dd rest = base_dd_of(1);
    for (uint32_t e = begin; e < end; e++) {
        prob_dd[e] = base_dd_of_fraction(process->prob[e]);
        if (process->prob[e] > process->prob[greatest])
            greatest = e;
    }
    for (uint32_t e = begin; e < end; e++)
        if (e != greatest)
            rest = base_dd_subtract(rest, prob_dd[e]);
    prob_dd[greatest] = rest;
}

opac_status solve_unfold_read_probabilities(solve_unfold *unfold, const graph_process *process,
                                            opac_error *error)
{
    size_t count = (size_t)process->edge_count + 1;
    TRY(base_dd_vec_reserve(&unfold->prob_dd_buffer, count, error));
    TRY(base_double_vec_reserve(&unfold->prob_buffer, count, error));
    base_dd *prob_dd = unfold->prob_dd_buffer.items;
    double *prob = unfold->prob_buffer.items;
    for (uint32_t c = 0; c < process->choice_count; c++)
        read_choice(process, c, prob_dd);
    prob_dd[process->edge_count] = base_dd_of(1);
    for (size_t e = 0; e < count; e++)
        prob[e] = prob_dd[e].high;
    unfold->prob_dd = prob_dd;
    unfold->prob = prob;
    return OPAC_OK;
}

/* ---- bottom components ---- */

/* The role of each state in the chain. */
typedef struct roles {
    /* By state: its number among the tracked states of its bottom component; SOLVE_UNFOLD_UNTRACKED: not
       tracked; GRAPH_NONE: transient. */
    const uint32_t *rank;
    const uint32_t *size; /* by state: number of tracked states of its component */
} roles;

static void fill_roles(const graph_scc *scc, const base_bitset *bottom, const graph_groups *groups,
                       uint32_t *rank, uint32_t *size)
{
    for (uint32_t c = 0; c < scc->count; c++) {
        bool is_bottom = base_bitset_has(bottom, c);
        uint32_t begin = groups->begin[c], end = groups->begin[c + 1];
        for (uint32_t i = begin; i < end; i++) {
            rank[groups->state[i]] = is_bottom ? i - begin : GRAPH_NONE;
            size[groups->state[i]] = end - begin;
        }
    }
}

/* In bottom components with more than `largest` states, tracks only the rarest states. */
static opac_status track_rare_states(solve_unfold *unfold, const solve_chain *chain,
                                     const graph_groups *groups, uint32_t components,
                                     uint32_t largest, uint32_t *rank, uint32_t *size,
                                     opac_error *error)
{
    double *share[2] = {0};
    for (uint32_t c = 0; c < components; c++) {
        const uint32_t *states = groups->state + groups->begin[c];
        uint32_t count = groups->begin[c + 1] - groups->begin[c];
        if (count <= largest || rank[*states] == GRAPH_NONE)
            continue;
        for (int i = 0; i < 2 && share[i] == NULL; i++) {
            share[i] = graph_take(&unfold->workspace, chain->process->state_count, sizeof(double));
            if (share[i] == NULL)
                return base_fail_memory(error);
        }
        solve_rare_states_find(chain, unfold->prob, states, count, share, rank,
                               unfold->workspace.work);
        for (uint32_t i = 0; i < count; i++)
            size[states[i]] = solve_rare_states_count(count);
    }
    return graph_workspace_check(&unfold->workspace, error);
}

static opac_status find_roles(solve_unfold *unfold, const solve_chain *chain, uint32_t largest,
                              roles *result, opac_error *error)
{
    const graph_process *process = chain->process;
    graph_workspace *w = &unfold->workspace;
    uint32_t *rank = graph_take_u32(w, process->state_count);
    uint32_t *size = graph_take_u32(w, process->state_count);
    base_bitset choices, bottom, trivial;
    graph_part part = {.choices = &choices};
    graph_scc scc;
    graph_groups groups;
    if (rank == NULL || size == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(w, process->choice_count, &choices, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        if (chain->choice[s] != GRAPH_NONE)
            base_bitset_add(&choices, chain->choice[s]);
    TRY(graph_scc_find(process, part, w, &scc, error));
    TRY(graph_scc_classify(process, part, &scc, w, &bottom, &trivial, error));
    TRY(graph_group_states(scc.component, process->state_count, scc.count, w, &groups, error));
    fill_roles(&scc, &bottom, &groups, rank, size);
    TRY(track_rare_states(unfold, chain, &groups, scc.count, largest, rank, size, error));
    for (uint32_t s = 0; s < process->state_count && chain->undecided != NULL; s++)
        if (chain->undecided[s])
            rank[s] = GRAPH_NONE; /* like a transient state with a loop */
    *result = (roles){rank, size};
    return OPAC_OK;
}

/* ---- nodes ---- */

typedef struct unfolding {
    solve_unfold *unfold;
    const solve_chain *chain;
    const solve_unfold_options *options;
    roles roles;
    uint32_t largest; /* limit on the states of a component */
    bool fits;
    uint64_t work;
} unfolding;

static uint64_t covered_key(uint32_t state, uint32_t round, uint32_t need)
{
    return (uint64_t)state << 32 | round | need;
}

static uint64_t literal_key(uint32_t state, uint64_t first, uint64_t second)
{
    return (uint64_t)state << 2 * LITERAL_BITS | first << LITERAL_BITS | second;
}

/* The set of tracked states that contains this state only, or nothing if it is not tracked. */
static uint32_t own_bit(const unfolding *u, uint32_t state)
{
    uint32_t rank = u->roles.rank[state];
    return rank == SOLVE_UNFOLD_UNTRACKED ? 0 : UINT32_C(1) << rank;
}

/* The key for a run that enters a bottom component, or begins there. */
static uint64_t enter(const unfolding *u, uint32_t state)
{
    uint32_t size = u->roles.size[state], own = own_bit(u, state);
    uint32_t all = (UINT32_C(1) << size) - 1;
    if (u->options->literal)
        return literal_key(state, all & ~own, all);
    return covered_key(state, size == 1 ? ROUND : 0, all & ~own);
}

/* The key after a visit of the state: "covered twice". */
static uint64_t visit_covered(const unfolding *u, uint64_t key, uint32_t state)
{
    uint32_t own = own_bit(u, state);
    uint32_t all = (UINT32_C(1) << u->roles.size[state]) - 1;
    uint32_t round = (uint32_t)key & ROUND, need = (uint32_t)key & (ROUND - 1) & ~own;
    if (need != 0)
        return covered_key(state, round, need);
    return round != 0 ? DONE : covered_key(state, ROUND, all & ~own);
}

/* The same for the literal definition. */
static uint64_t visit_literal(const unfolding *u, uint64_t key, uint32_t state)
{
    const uint64_t mask = (UINT64_C(1) << LITERAL_BITS) - 1;
    uint64_t own = own_bit(u, state);
    uint64_t first = key >> LITERAL_BITS & mask, second = key & mask;
    if (first & own)
        first &= ~own;
    else
        second &= ~own;
    return second == 0 ? DONE : literal_key(state, first, second);
}

static uint32_t state_of(const unfolding *u, uint64_t key)
{
    return (uint32_t)(key >> (u->options->literal ? 2 * LITERAL_BITS : 32));
}

static bool is_transient(const unfolding *u, uint32_t state)
{
    return u->roles.rank[state] == GRAPH_NONE;
}

/* The key of a run that begins in the state or reaches it from a transient one. */
static uint64_t first_key(const unfolding *u, uint32_t state)
{
    if (!is_transient(u, state))
        return enter(u, state);
    return u->options->literal ? literal_key(state, 0, 0) : covered_key(state, 0, 0);
}

static uint64_t next_key(const unfolding *u, uint64_t key, uint32_t target)
{
    if (is_transient(u, target) || is_transient(u, state_of(u, key)))
        return first_key(u, target);
    return u->options->literal ? visit_literal(u, key, target) : visit_covered(u, key, target);
}

/* ---- edges ---- */

/* Adds an edge to the node with this key, and the node if it is new. */
static opac_status add_target(unfolding *u, uint64_t key, opac_error *error)
{
    uint64_t *number;
    size_t before = u->unfold->nodes.count;
    TRY(base_map_at(&u->unfold->nodes, key, &number, error));
    if (u->unfold->nodes.count > before) {
        *number = before;
        TRY(base_u32_vec_push(&u->unfold->incoming, 0, error));
    }
    uint32_t in = ++u->unfold->incoming.items[*number];
    if (in > u->unfold->largest_in)
        u->unfold->largest_in = in;
    return base_u32_vec_push(&u->unfold->target, (uint32_t)*number, error);
}

/* Whether the state is in a component with too many states for a key. */
static bool is_too_large(const unfolding *u, uint32_t state)
{
    return !is_transient(u, state) && u->roles.size[state] > u->largest;
}

static opac_status add_edge(unfolding *u, uint64_t key, uint32_t target, opac_error *error)
{
    u->fits &= !is_too_large(u, target);
    if (!u->fits)
        return OPAC_OK;
    uint64_t next = next_key(u, key, target);
    return next == DONE ? base_u32_vec_push(&u->unfold->target, GRAPH_NONE, error)
                        : add_target(u, next, error);
}

static opac_status expand(unfolding *u, uint32_t node, opac_error *error)
{
    const graph_process *process = u->chain->process;
    uint64_t key = u->unfold->nodes.entries[node].key;
    uint32_t state = state_of(u, key), choice = u->chain->choice[state];
    uint32_t first = choice == GRAPH_NONE ? process->edge_count : process->edge_begin[choice];
    uint32_t end = choice == GRAPH_NONE ? first : process->edge_begin[choice + 1];
    u->unfold->is_partial |= u->roles.rank[state] == SOLVE_UNFOLD_UNTRACKED;
    TRY(base_u32_vec_push(&u->unfold->first, first, error));
    if (choice == GRAPH_NONE)
        TRY(add_edge(u, key, state, error));
    for (uint32_t e = first; e < end && u->fits; e++)
        TRY(add_edge(u, key, process->target[e], error));
    TRY(base_u32_vec_push(&u->unfold->begin, (uint32_t)u->unfold->target.count, error));
    u->work += SOLVE_UNFOLD_WORK * (UINT64_C(1) + end - first);
    u->fits &= u->options->max_work == 0 || u->work <= u->options->max_work;
    u->fits &= u->unfold->target.count + process->edge_count < GRAPH_LARGEST;
    return OPAC_OK;
}

static opac_status expand_all(unfolding *u, opac_error *error)
{
    for (uint32_t n = 0; n < u->unfold->nodes.count && u->fits; n++) {
        if (n % POLL_NODES == 0 && opac_cancel_requested(u->options->cancel))
            return base_fail_stopped(error, u->options->cancel, "following policies");
        TRY(expand(u, n, error));
    }
    return OPAC_OK;
}

static void clear(solve_unfold *unfold)
{
    base_map_clear(&unfold->nodes);
    unfold->begin.count = unfold->target.count = unfold->first.count = 0;
    unfold->incoming.count = 0;
    unfold->largest_in = 0;
    unfold->is_partial = false;
}

static opac_status begin(unfolding *u, opac_error *error)
{
    uint32_t start = u->chain->start;
    TRY(base_u32_vec_push(&u->unfold->begin, 0, error));
    u->fits &= !is_too_large(u, start);
    if (!u->fits)
        return OPAC_OK;
    TRY(add_target(u, first_key(u, start), error));
    u->unfold->target.count = 0; /* removes the edge; only the node is wanted */
    return OPAC_OK;
}

opac_status solve_unfold_chain(solve_unfold *unfold, const solve_chain *chain,
                               const solve_unfold_options *options, bool *fits, uint64_t *work,
                               opac_error *error)
{
    unfolding u = {.unfold = unfold, .chain = chain, .options = options, .fits = true};
    uint32_t largest =
        options->literal ? SOLVE_UNFOLD_LARGEST_LITERAL : SOLVE_UNFOLD_LARGEST_COVERED;
    graph_place place = graph_workspace_mark(&unfold->workspace);
    u.largest = options->max_component < largest ? options->max_component : largest;
    clear(unfold);
    if (options->literal && chain->process->state_count >> (64 - 2 * LITERAL_BITS) != 0)
        u.fits = false;
    base_work counted;
    base_work_init(&counted, options->cancel, 0);
    unfold->workspace.work = &counted;
    opac_status status =
        find_roles(unfold, chain, options->allow_partial ? u.largest : UINT32_MAX, &u.roles, error);
    unfold->workspace.work = NULL;
    if (options->allow_partial)
        u.largest = largest; /* larger components have only a few tracked states now */
    if (status == OPAC_OK && u.fits)
        status = begin(&u, error);
    if (status == OPAC_OK)
        status = expand_all(&u, error);
    graph_workspace_release(&unfold->workspace, place);
    *fits = u.fits;
    *work += u.work + SOLVE_UNFOLD_WORK * (UINT64_C(1) + chain->process->state_count);
    return status;
}
