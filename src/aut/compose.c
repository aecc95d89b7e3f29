/* SPDX-License-Identifier: MIT */
#include "aut/compose.h"

#include <assert.h>
#include <string.h>

#include "aut/cycles.h"
#include "aut/moves.h"
#include "aut/shadows.h"
#include "base/alloc.h"

#define OUT UINT32_MAX /* the state of a member that was taken out */

/* What is known of a member before the product is made. */
typedef struct member_facts {
    aut_bdd *moves;     /* by state: from letters to edges */
    uint8_t *universal; /* by state: accepts every word, evidently */
    uint8_t *transient; /* by state: on no cycle */
} member_facts;

typedef struct product_run {
    const aut_member *members;
    uint32_t count;
    member_facts *facts;
    aut_bdd_store *labels;
    aut_bdd combination; /* over variables i: member i accepts */
    aut_pairing pairing;
    base_intern names; /* combination left, states of the members ► state */
    base_map emits;    /* combination left ► marks of members that accept for certain */
    base_intern moves; /* marks, target ► number */
    uint64_t shadows[AUT_MOST_MARKS];
    aut_builder *builder;
    const aut_limits *limits;
    uint32_t *key; /* combination left, states of the members */
} product_run;

/* ---- the condition as a function ---- */

/* One term, when those before it are known. */
static aut_bdd function_of(aut_bdd_store *store, const aut_term *term, const aut_bdd *values)
{
    switch (term->kind) {
    case AUT_TERM_FALSE:
        return AUT_BDD_FALSE;
    case AUT_TERM_TRUE:
        return AUT_BDD_TRUE;
    case AUT_TERM_INF:
        return aut_bdd_variable(store, term->left);
    case AUT_TERM_FIN:
        return aut_bdd_not(store, aut_bdd_variable(store, term->left));
    case AUT_TERM_AND:
        return aut_bdd_and(store, values[term->left], values[term->right]);
    default:
        return aut_bdd_or(store, values[term->left], values[term->right]);
    }
}

static opac_status combination_of(const aut_condition *condition, aut_bdd_store *store,
                                  aut_bdd *combination, opac_error *error)
{
    size_t count = condition->terms.count;
    aut_bdd *values = base_alloc(count, sizeof *values);
    if (values == NULL)
        return base_fail_memory(error);
    *combination = AUT_BDD_FALSE;
    for (size_t i = 0; i < count; i++)
        *combination = values[i] = function_of(store, &condition->terms.items[i], values);
    base_free(values);
    return aut_bdd_store_check(store, error);
}

/* ---- facts ---- */

/* All letters lead back, and all edges accept. */
static bool is_universal(const opac_automaton *automaton, uint32_t state)
{
    uint32_t first = automaton->edge_begin[state];
    return automaton->edge_begin[state + 1] == first + 1 &&
           automaton->edges[first].target == state && automaton->edges[first].marks != 0 &&
           automaton->edges[first].label == AUT_BDD_TRUE;
}

static opac_status find_transient(const opac_automaton *automaton, uint8_t *transient,
                                  opac_error *error)
{
    graph_workspace workspace = {.work = aut_work(automaton)};
    aut_graph graph;
    graph_scc scc;
    base_bitset bottom, trivial;
    opac_status status;
    TRY_OR(done, aut_graph_of(automaton, &workspace, &graph, error));
    TRY_OR(done, graph_scc_find(&graph.process, (graph_part){0}, &workspace, &scc, error));
    TRY_OR(done, graph_scc_classify(&graph.process, (graph_part){0}, &scc, &workspace, &bottom,
                                    &trivial, error));
    for (uint32_t state = 0; state < automaton->state_count; state++)
        transient[state] = base_bitset_has(&trivial, scc.component[state]);
done:
    graph_workspace_fini(&workspace);
    return status;
}

static opac_status learn_facts(const opac_automaton *automaton, member_facts *facts,
                               opac_error *error)
{
    uint32_t states = automaton->state_count;
    facts->moves = base_alloc(states, sizeof *facts->moves);
    facts->universal = base_alloc(states, 1);
    facts->transient = base_alloc(states, 1);
    if (facts->moves == NULL || facts->universal == NULL || facts->transient == NULL)
        return base_fail_memory(error);
    for (uint32_t state = 0; state < states; state++) {
        facts->moves[state] = aut_moves_of(automaton, state);
        facts->universal[state] = is_universal(automaton, state);
    }
    return find_transient(automaton, facts->transient, error);
}

static void free_facts(product_run *run)
{
    for (uint32_t i = 0; run->facts != NULL && i < run->count; i++) {
        base_free(run->facts[i].moves);
        base_free(run->facts[i].universal);
        base_free(run->facts[i].transient);
    }
    base_free(run->facts);
}

/* ---- states ---- */

/*
 * Simplifies run->key (combination, then the members' next states, of which
 * OUT means "rejects" for those in `active`) and names it. *emit: marks of the
 * edge on entry, and those that stay for ever on return.
 */
static opac_status settle(product_run *run, uint64_t active, uint64_t *emit, opac_error *error)
{
    aut_bdd left = run->key[0];
    uint32_t *states = run->key + 1;
    uint64_t needed = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if ((active >> i & 1) == 0)
            continue;
        if (states[i] == OUT) {
            left = aut_bdd_restrict(run->labels, left, i, false);
        } else if (run->facts[i].universal[states[i]]) {
            left = aut_bdd_restrict(run->labels, left, i, true);
            *emit |= UINT64_C(1) << i;
            states[i] = OUT;
        }
    }
    TRY(aut_bdd_support(run->labels, left, &needed, error));
    for (uint32_t i = 0; i < run->count; i++)
        if ((needed >> i & 1) == 0)
            states[i] = OUT;
    run->key[0] = left;
    return OPAC_OK;
}

/* Members that may wait go back to their start while another one is on its way. */
static void suspend(product_run *run)
{
    uint32_t *states = run->key + 1;
    bool on_the_way = false;
    for (uint32_t i = 0; i < run->count; i++)
        if (states[i] != OUT && !run->members[i].suspendable && run->facts[i].transient[states[i]])
            on_the_way = true;
    for (uint32_t i = 0; on_the_way && i < run->count; i++)
        if (states[i] != OUT && run->members[i].suspendable)
            states[i] = run->members[i].automaton->initial[0];
}

/*
 * The marks that stay for ever with a combination. There may be several ways to
 * come to the same combination; the first decides, for all states that have it:
 * along a cycle the combination does not change, and two ways mixed would be a
 * third that leads elsewhere.
 */
static opac_status settle_marks(product_run *run, aut_bdd left, uint64_t emit, opac_error *error)
{
    uint64_t *value = base_map_find(&run->emits, left);
    if (value != NULL)
        return OPAC_OK;
    TRY(base_map_at(&run->emits, left, &value, error));
    *value = emit;
    return OPAC_OK;
}

static opac_status name_state(product_run *run, uint64_t emit, uint32_t *state, opac_error *error)
{
    bool is_new;
    TRY(base_intern_add(&run->names, run->key, (run->count + (size_t)1) * sizeof *run->key, state,
                        &is_new, error));
    if (!is_new)
        return OPAC_OK;
    if (*state >= run->limits->states)
        return aut_fail_states(run->limits->states, error);
    aut_builder_add_state(run->builder);
    return settle_marks(run, run->key[0], emit, error);
}

/* ---- edges ---- */

/* Reads a terminal back into the members' next states and the marks of their edges. */
static uint64_t decode(product_run *run, uint64_t active, aut_bdd terminal)
{
    uint64_t marks = 0;
    for (uint32_t i = run->count; i-- > 0;) {
        aut_bdd edge;
        if ((active >> i & 1) == 0)
            continue;
        aut_pairing_parts(&run->pairing, aut_move_value(run->labels, terminal), &terminal, &edge);
        run->key[1 + i] = OUT;
        if (edge == AUT_BDD_FALSE)
            continue;
        const aut_edge *taken =
            &run->members[i].automaton->edges[aut_move_value(run->labels, edge)];
        run->key[1 + i] = taken->target;
        marks |= taken->marks << i;
    }
    return marks;
}

/* A state that is being expanded. */
typedef struct expansion {
    product_run *run;
    const uint32_t *old; /* combination left, states of the members */
    uint64_t active;     /* members that are in the product */
    uint64_t emitted;    /* marks that stay for ever */
} expansion;

/* Where a choice of the members' edges leads to, as the number of a move. */
static opac_status move_of(void *context, aut_bdd terminal, aut_bdd *move, opac_error *error)
{
    const expansion *from = context;
    product_run *run = from->run;
    uint64_t emit = from->emitted, marks;
    uint32_t id;
    *move = AUT_BDD_FALSE;
    if (aut_bdd_store_spend(run->labels, 1 + run->count))
        return aut_bdd_store_check(run->labels, error);
    memset(run->key + 1, 0xFF, run->count * sizeof *run->key);
    run->key[0] = from->old[0];
    marks = decode(run, from->active, terminal) | from->emitted;
    TRY(settle(run, from->active, &emit, error));
    if (run->key[0] == AUT_BDD_FALSE)
        return OPAC_OK;
    suspend(run);
    uint32_t target;
    TRY(name_state(run, emit, &target, error));
    struct {
        uint64_t marks, target;
    } key = {aut_shadows_clear(run->shadows, marks), target};
    TRY(base_intern_add(&run->moves, &key, sizeof key, &id, NULL, error));
    *move = aut_move_terminal(run->labels, id);
    return OPAC_OK;
}

/* Edges are limited too: a single state may have one for each set of marks. */
static opac_status add_edges(product_run *run, uint32_t state, const aut_part_vec *parts,
                             opac_error *error)
{
    if (run->builder->edges.count + parts->count > AUT_MADE_EDGE_LIMIT)
        return base_fail(error, OPAC_ERROR_LIMIT, "the automaton has more than %d edges",
                         AUT_MADE_EDGE_LIMIT);
    for (size_t i = 0; i < parts->count; i++) {
        uint64_t key[2];
        size_t length;
        uint32_t move = aut_move_value(run->labels, parts->items[i].terminal);
        memcpy(key, base_intern_key(&run->moves, move, &length), sizeof key);
        aut_builder_edge(run->builder, state,
                         (aut_edge){.label = parts->items[i].label,
                                    .target = (uint32_t)key[1],
                                    .marks = key[0]});
    }
    return OPAC_OK;
}

static opac_status expand(product_run *run, uint32_t state, uint32_t *old, aut_part_vec *parts,
                          opac_error *error)
{
    size_t length;
    expansion from = {.run = run, .old = old};
    aut_bdd moves = aut_move_terminal(run->labels, 0);
    memcpy(old, base_intern_key(&run->names, state, &length),
           (run->count + (size_t)1) * sizeof *old);
    from.emitted = *base_map_find(&run->emits, old[0]);
    for (uint32_t i = 0; i < run->count; i++)
        if (old[1 + i] != OUT) {
            from.active |= UINT64_C(1) << i;
            moves = aut_pairing_make(&run->pairing, moves, run->facts[i].moves[old[1 + i]]);
        }
    TRY(aut_pairing_check(&run->pairing, error));
    TRY(aut_moves_map(run->labels, moves, move_of, &from, &moves, error));
    TRY(aut_moves_split(run->labels, moves, parts, error));
    return add_edges(run, state, parts, error);
}

static opac_status explore(product_run *run, opac_error *error)
{
    aut_part_vec parts = {0};
    uint32_t state;
    uint64_t emit = 0;
    uint32_t *old = base_alloc(run->count + (size_t)1, sizeof *old);
    if (old == NULL)
        return base_fail_memory(error);
    run->key[0] = run->combination;
    for (uint32_t i = 0; i < run->count; i++) {
        const opac_automaton *automaton = run->members[i].automaton;
        run->key[1 + i] = automaton->initial_count > 0 ? automaton->initial[0] : OUT;
    }
    opac_status status;
    TRY_OR(done, settle(run, UINT64_MAX >> 1, &emit, error));
    suspend(run);
    TRY_OR(done, name_state(run, emit, &state, error));
    aut_builder_initial(run->builder, 0);
    for (state = 0; state < run->names.count; state++) {
        if (run->builder->problem.code != OPAC_OK)
            break; /* reported when the builder is finished */
        TRY_OR(done, expand(run, state, old, &parts, error));
    }
done:
    aut_part_vec_fini(&parts);
    base_free(old);
    return status;
}

static opac_status prepare(product_run *run, const aut_condition *condition, opac_error *error)
{
    run->facts = base_alloc_zeroed(run->count, sizeof *run->facts);
    run->key = base_alloc(run->count + (size_t)1, sizeof *run->key);
    if (run->facts == NULL || run->key == NULL)
        return base_fail_memory(error);
    TRY(combination_of(condition, run->labels, &run->combination, error));
    TRY(aut_shadows(condition, run->shadows, error));
    for (uint32_t i = 0; i < run->count; i++)
        TRY(learn_facts(run->members[i].automaton, &run->facts[i], error));
    TRY(aut_builder_like(run->members[0].automaton, &run->builder, error));
    run->builder->state_limit = UINT32_MAX; /* ours is counted in name_state */
    aut_builder_copy_condition(run->builder, condition, run->count);
    return OPAC_OK;
}

opac_status aut_compose(const aut_member *members, uint32_t count, const aut_condition *condition,
                        const aut_limits *limits, opac_automaton **automaton, opac_error *error)
{
    product_run run = {.members = members,
                       .count = count,
                       .labels = members[0].automaton->labels,
                       .limits = limits};
    assert(count > 0 && count <= AUT_MOST_MARKS);
    for (uint32_t i = 0; i < count; i++)
        assert(members[i].automaton->labels == run.labels);
    aut_pairing_init(&run.pairing, run.labels);
    base_intern_init_fixed(&run.moves, 2 * sizeof(uint64_t));
    base_intern_init_fixed(&run.names, (count + (size_t)1) * sizeof *run.key);
    run.moves.slots.work = run.names.slots.work = limits->work;
    opac_status status;
    TRY_OR(done, prepare(&run, condition, error));
    TRY_OR(done, explore(&run, error));
    status = aut_builder_finish(run.builder, automaton, error);
    run.builder = NULL;
done:
    aut_builder_free(run.builder);
    aut_pairing_fini(&run.pairing);
    base_intern_fini(&run.names);
    base_intern_fini(&run.moves);
    base_map_fini(&run.emits);
    free_facts(&run);
    base_free(run.key);
    return status;
}
