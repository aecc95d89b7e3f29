/* SPDX-License-Identifier: MIT */
#include "aut/compose.h"

#include <assert.h>
#include <string.h>

#include "aut/cycles.h"
#include "aut/dominated_marks.h"
#include "aut/mtbdd.h"
#include "base/alloc.h"

#define REMOVED UINT32_MAX /* the state of a factor that was removed from the product */

/* Properties of a factor that are computed before the product. */
typedef struct factor_info {
    aut_bdd *edges;     /* by state: function from letters to edges */
    uint8_t *universal; /* by state: accepts every word; see is_universal */
    uint8_t *transient; /* by state: on no cycle */
} factor_info;

typedef struct product_run {
    const aut_factor *factors;
    uint32_t count;
    factor_info *infos;
    aut_bdd_store *labels;
    aut_bdd combination; /* over variables i: factor i accepts */
    aut_pairing pairing;
    base_intern names;    /* combination, states of the factors ► state */
    base_map fixed_marks; /* combination ► marks of the factors that accept for certain */
    base_intern edges;    /* marks, target ► number of a product edge */
    uint64_t dominated[AUT_MOST_MARKS];
    aut_builder *builder;
    const aut_limits *limits;
    uint32_t *key; /* combination, states of the factors */
} product_run;

/* ---- the condition as a function ---- */

/* The function of one term. values: those of the terms before it. */
static aut_bdd term_function(aut_bdd_store *store, const aut_term *term, const aut_bdd *values)
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

static opac_status condition_function(const aut_condition *condition, aut_bdd_store *store,
                                      aut_bdd *combination, opac_error *error)
{
    size_t count = condition->terms.count;
    aut_bdd *values = base_alloc(count, sizeof *values);
    if (values == NULL)
        return base_fail_memory(error);
    *combination = AUT_BDD_FALSE;
    for (size_t i = 0; i < count; i++)
        *combination = values[i] = term_function(store, &condition->terms.items[i], values);
    base_free(values);
    return aut_bdd_store_check(store, error);
}

/* ---- properties of factors ---- */

/* Whether the only edge of a state is an accepting self-loop for all letters. */
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

static opac_status find_info(const opac_automaton *automaton, factor_info *infos, opac_error *error)
{
    uint32_t states = automaton->state_count;
    infos->edges = base_alloc(states, sizeof *infos->edges);
    infos->universal = base_alloc(states, 1);
    infos->transient = base_alloc(states, 1);
    if (infos->edges == NULL || infos->universal == NULL || infos->transient == NULL)
        return base_fail_memory(error);
    for (uint32_t state = 0; state < states; state++) {
        infos->edges[state] = aut_mtbdd_edges(automaton, state);
        infos->universal[state] = is_universal(automaton, state);
    }
    return find_transient(automaton, infos->transient, error);
}

static void free_infos(product_run *run)
{
    for (uint32_t i = 0; run->infos != NULL && i < run->count; i++) {
        base_free(run->infos[i].edges);
        base_free(run->infos[i].universal);
        base_free(run->infos[i].transient);
    }
    base_free(run->infos);
}

/* ---- states ---- */

/*
 * Simplifies run->key: the combination, and then the successor states of the factors. A factor of `active`
 * whose state is REMOVED rejects. Factors that are decided, or on which the combination no longer depends,
 * are removed. Adds the marks of factors that accept for certain to *fixed.
 */
static opac_status simplify_key(product_run *run, uint64_t active, uint64_t *fixed,
                                opac_error *error)
{
    aut_bdd left = run->key[0];
    uint32_t *states = run->key + 1;
    uint64_t needed = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        if ((active >> i & 1) == 0)
            continue;
        if (states[i] == REMOVED) {
            left = aut_bdd_restrict(run->labels, left, i, false);
        } else if (run->infos[i].universal[states[i]]) {
            left = aut_bdd_restrict(run->labels, left, i, true);
            *fixed |= UINT64_C(1) << i;
            states[i] = REMOVED;
        }
    }
    TRY(aut_bdd_support(run->labels, left, &needed, error));
    for (uint32_t i = 0; i < run->count; i++)
        if ((needed >> i & 1) == 0)
            states[i] = REMOVED;
    run->key[0] = left;
    return OPAC_OK;
}

/* Resets suspendable factors to their initial states while another factor is in a transient state. */
static void suspend_factors(product_run *run)
{
    uint32_t *states = run->key + 1;
    bool is_transient = false;
    for (uint32_t i = 0; i < run->count; i++)
        if (states[i] != REMOVED && !run->factors[i].suspendable &&
            run->infos[i].transient[states[i]])
            is_transient = true;
    for (uint32_t i = 0; is_transient && i < run->count; i++)
        if (states[i] != REMOVED && run->factors[i].suspendable)
            states[i] = run->factors[i].automaton->initial[0];
}

/*
 * Sets the fixed marks of a combination: those that all further edges carry, as their factors accept for
 * certain.
 *
 * Different sets of accepting factors can leave the same combination. The first such set is used for all
 * states with the combination. This is correct because the combination is constant along a cycle, so each
 * cycle sees exactly one set of fixed marks, for which the condition reduces to the combination. If these
 * states had different sets, a cycle could see the union of two sets, for which the condition may reduce to
 * something else.
 */
static opac_status set_fixed_marks(product_run *run, aut_bdd left, uint64_t fixed,
                                   opac_error *error)
{
    uint64_t *value = base_map_find(&run->fixed_marks, left);
    if (value != NULL)
        return OPAC_OK;
    TRY(base_map_at(&run->fixed_marks, left, &value, error));
    *value = fixed;
    return OPAC_OK;
}

static opac_status find_state(product_run *run, uint64_t fixed, uint32_t *state, opac_error *error)
{
    bool is_new;
    TRY(base_intern_add(&run->names, run->key, (run->count + (size_t)1) * sizeof *run->key, state,
                        &is_new, error));
    if (!is_new)
        return OPAC_OK;
    if (*state >= run->limits->states)
        return aut_fail_states(run->limits->states, error);
    aut_builder_add_state(run->builder);
    return set_fixed_marks(run, run->key[0], fixed, error);
}

/* ---- edges ---- */

/* Decodes a terminal: writes the successor states of the factors to run->key, and returns the marks of their
 * edges. */
static uint64_t decode(product_run *run, uint64_t active, aut_bdd terminal)
{
    uint64_t marks = 0;
    for (uint32_t i = run->count; i-- > 0;) {
        aut_bdd edge;
        if ((active >> i & 1) == 0)
            continue;
        aut_pairing_parts(&run->pairing, aut_mtbdd_value(run->labels, terminal), &terminal, &edge);
        run->key[1 + i] = REMOVED;
        if (edge == AUT_BDD_FALSE)
            continue;
        const aut_edge *taken =
            &run->factors[i].automaton->edges[aut_mtbdd_value(run->labels, edge)];
        run->key[1 + i] = taken->target;
        marks |= taken->marks << i;
    }
    return marks;
}

/* A state that is being expanded. */
typedef struct expansion {
    product_run *run;
    const uint32_t *old; /* combination, states of the factors */
    uint64_t active;     /* factors that have not been removed */
    uint64_t fixed;      /* fixed marks of the combination */
} expansion;

/* The terminal with the number, in run->edges, of the product edge that is made of one edge of each
 * factor. */
static opac_status product_edge(void *context, aut_bdd terminal, aut_bdd *edge_terminal,
                                opac_error *error)
{
    const expansion *from = context;
    product_run *run = from->run;
    uint64_t fixed = from->fixed, marks;
    uint32_t id;
    *edge_terminal = AUT_BDD_FALSE;
    if (aut_bdd_store_spend(run->labels, 1 + run->count))
        return aut_bdd_store_check(run->labels, error);
    memset(run->key + 1, 0xFF, run->count * sizeof *run->key);
    run->key[0] = from->old[0];
    marks = decode(run, from->active, terminal) | from->fixed;
    TRY(simplify_key(run, from->active, &fixed, error));
    if (run->key[0] == AUT_BDD_FALSE)
        return OPAC_OK;
    suspend_factors(run);
    uint32_t target;
    TRY(find_state(run, fixed, &target, error));
    struct {
        uint64_t marks, target;
    } key = {aut_drop_dominated(run->dominated, marks), target};
    TRY(base_intern_add(&run->edges, &key, sizeof key, &id, NULL, error));
    *edge_terminal = aut_mtbdd_terminal(run->labels, id);
    return OPAC_OK;
}

/* The number of edges is limited too, since a single state can have one for each set of marks. */
static opac_status add_edges(product_run *run, uint32_t state, const aut_letter_class_vec *classes,
                             opac_error *error)
{
    if (run->builder->edges.count + classes->count > AUT_TRANSLATED_EDGE_LIMIT)
        return base_fail(error, OPAC_ERROR_LIMIT, "the automaton has more than %d edges",
                         AUT_TRANSLATED_EDGE_LIMIT);
    for (size_t i = 0; i < classes->count; i++) {
        uint64_t key[2];
        size_t length;
        uint32_t edge_terminal = aut_mtbdd_value(run->labels, classes->items[i].terminal);
        memcpy(key, base_intern_key(&run->edges, edge_terminal, &length), sizeof key);
        aut_builder_edge(run->builder, state,
                         (aut_edge){.label = classes->items[i].label,
                                    .target = (uint32_t)key[1],
                                    .marks = key[0]});
    }
    return OPAC_OK;
}

static opac_status expand(product_run *run, uint32_t state, uint32_t *old,
                          aut_letter_class_vec *classes, opac_error *error)
{
    size_t length;
    expansion from = {.run = run, .old = old};
    aut_bdd edges = aut_mtbdd_terminal(run->labels, 0);
    memcpy(old, base_intern_key(&run->names, state, &length),
           (run->count + (size_t)1) * sizeof *old);
    from.fixed = *base_map_find(&run->fixed_marks, old[0]);
    for (uint32_t i = 0; i < run->count; i++)
        if (old[1 + i] != REMOVED) {
            from.active |= UINT64_C(1) << i;
            edges = aut_pairing_make(&run->pairing, edges, run->infos[i].edges[old[1 + i]]);
        }
    TRY(aut_pairing_check(&run->pairing, error));
    TRY(aut_mtbdd_replace(run->labels, edges, product_edge, &from, &edges, error));
    TRY(aut_mtbdd_split(run->labels, edges, classes, error));
    return add_edges(run, state, classes, error);
}

static opac_status explore(product_run *run, opac_error *error)
{
    aut_letter_class_vec classes = {0};
    uint32_t state;
    uint64_t fixed = 0;
    uint32_t *old = base_alloc(run->count + (size_t)1, sizeof *old);
    if (old == NULL)
        return base_fail_memory(error);
    run->key[0] = run->combination;
    for (uint32_t i = 0; i < run->count; i++) {
        const opac_automaton *automaton = run->factors[i].automaton;
        run->key[1 + i] = automaton->initial_count > 0 ? automaton->initial[0] : REMOVED;
    }
    opac_status status;
    TRY_OR(done, simplify_key(run, UINT64_MAX >> 1, &fixed, error));
    suspend_factors(run);
    TRY_OR(done, find_state(run, fixed, &state, error));
    aut_builder_initial(run->builder, 0);
    for (state = 0; state < run->names.count; state++) {
        if (run->builder->problem.code != OPAC_OK)
            break; /* aut_builder_finish reports it */
        TRY_OR(done, expand(run, state, old, &classes, error));
    }
done:
    aut_letter_class_vec_fini(&classes);
    base_free(old);
    return status;
}

static opac_status prepare(product_run *run, const aut_condition *condition, opac_error *error)
{
    run->infos = base_alloc_zeroed(run->count, sizeof *run->infos);
    run->key = base_alloc(run->count + (size_t)1, sizeof *run->key);
    if (run->infos == NULL || run->key == NULL)
        return base_fail_memory(error);
    TRY(condition_function(condition, run->labels, &run->combination, error));
    TRY(aut_dominated_marks(condition, run->dominated, error));
    for (uint32_t i = 0; i < run->count; i++)
        TRY(find_info(run->factors[i].automaton, &run->infos[i], error));
    TRY(aut_builder_like(run->factors[0].automaton, &run->builder, error));
    run->builder->state_limit = UINT32_MAX; /* find_state checks the limit */
    aut_builder_copy_condition(run->builder, condition, run->count);
    return OPAC_OK;
}

opac_status aut_compose(const aut_factor *factors, uint32_t count, const aut_condition *condition,
                        const aut_limits *limits, opac_automaton **automaton, opac_error *error)
{
    product_run run = {.factors = factors,
                       .count = count,
                       .labels = factors[0].automaton->labels,
                       .limits = limits};
    assert(count > 0 && count <= AUT_MOST_MARKS);
    for (uint32_t i = 0; i < count; i++)
        assert(factors[i].automaton->labels == run.labels);
    aut_pairing_init(&run.pairing, run.labels);
    base_intern_init_fixed(&run.edges, 2 * sizeof(uint64_t));
    base_intern_init_fixed(&run.names, (count + (size_t)1) * sizeof *run.key);
    run.edges.slots.work = run.names.slots.work = limits->work;
    opac_status status;
    TRY_OR(done, prepare(&run, condition, error));
    TRY_OR(done, explore(&run, error));
    status = aut_builder_finish(run.builder, automaton, error);
    run.builder = NULL;
done:
    aut_builder_free(run.builder);
    aut_pairing_fini(&run.pairing);
    base_intern_fini(&run.names);
    base_intern_fini(&run.edges);
    base_map_fini(&run.fixed_marks);
    free_infos(&run);
    base_free(run.key);
    return status;
}
