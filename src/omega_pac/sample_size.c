/* SPDX-License-Identifier: MIT */
/*
 * The number k of observations of each row, and the accuracy c of k observations (docs/theory.md, Theorem
 * 5).
 *
 * N·K must be at least the number of counters. With counters by row, N = |S| and K = |A|. With counters by
 * product state and action, N = |S|·|Q|, and K = |A| times the largest number of moves of the automaton in
 * a state. A random reset is one more row with one action, so N is larger by one. The declared m must also
 * bound the number of its successors, and T counts it as a step.
 *
 * The rules for k are those of opac_bound_k (stat/bounds.c): nothing here depends on a particular rule,
 * except that `target` replaces it by the accuracy of rule l1 (omega_pac.c checks that).
 */
#include <math.h>

#include "aut/automaton.h"
#include "omega_pac/omega_pac.h"

/* ---- the size of the product ---- */

/* A bound on the number of edges of a state that read the same letter: those that overlap with some edge. */
static opac_status count_overlaps(const opac_automaton *a, uint32_t state, uint64_t *most,
                                  opac_error *error)
{
    for (uint32_t e = a->edge_begin[state]; e < a->edge_begin[state + 1]; e++) {
        uint64_t count = 0;
        if (a->edges[e].label == AUT_EPSILON)
            continue;
        for (uint32_t f = a->edge_begin[state]; f < a->edge_begin[state + 1]; f++)
            count += a->edges[f].label != AUT_EPSILON &&
                     aut_bdd_and(a->labels, a->edges[e].label, a->edges[f].label) != AUT_BDD_FALSE;
        *most = count > *most ? count : *most;
    }
    return aut_bdd_store_check(a->labels, error);
}

/* The largest number of moves, or a bound on it. */
static opac_status count_moves(const opac_automaton *a, uint64_t *most, opac_error *error)
{
    *most = 1;
    for (uint32_t q = 0; q < a->state_count && !a->is_deterministic; q++)
        TRY(count_overlaps(a, q, most, error));
    return OPAC_OK;
}

/* A product that saturates at UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

opac_status omega_pac_measure_product(opac_learning *l, opac_error *error)
{
    uint64_t states = l->declared.states, actions = l->declared.actions, moves = 1;
    opac_status status = OPAC_OK;
    if (l->options.count_pairs) {
        states = times(states, l->automaton->state_count);
        status = count_moves(l->automaton, &moves, error);
        actions = times(actions, moves);
    }
    states += l->traits.random_start && states < UINT64_MAX;
    l->params = (opac_bound_params){.states = states,
                                    .actions = actions,
                                    .epsilon = l->options.epsilon,
                                    .delta = l->options.delta,
                                    .branching = l->declared.branching};
    if (l->params.branching == 0 || l->params.branching > l->declared.states)
        l->params.branching = l->declared.states;
    l->report.theory_states = l->has_bounds ? states : 0;
    l->report.theory_actions = l->has_bounds ? actions : 0;
    return status;
}

/* ---- k and c ---- */

static opac_status ask_for_bounds(const opac_learning *l, opac_error *error)
{
    bool none = l->declared.states == 0 && l->declared.actions == 0;
    bool states = l->declared.states == 0;
    return base_fail_parameter(
        error, OPAC_ERROR_ARGUMENT,
        none     ? "states actions k"
        : states ? "states k"
                 : "actions k",
        "%s needs a bound on the %s of the environment, which does not declare one",
        l->options.target > 0 ? "a target" : "a rule for k",
        none     ? "states and on the actions"
        : states ? "states"
                 : "actions of a state");
}

/* The accuracy that the guarantee requires. */
static double wanted_accuracy(const opac_learn_options *o)
{
    return o->target > 0 ? o->target / 2 - o->epsilon : o->epsilon;
}

static opac_status find_wanted(const opac_learning *l, opac_count *k, opac_error *error)
{
    const opac_learn_options *o = &l->options;
    return o->target > 0 ? opac_bound_k_for_accuracy(&l->params, wanted_accuracy(o), k, error)
                         : opac_bound_k(&l->params, o->k_rule, k, error);
}

static opac_status choose_k(opac_learning *l, opac_error *error)
{
    opac_learn_report *r = &l->report;
    char text[OPAC_COUNT_SIZE];
    r->k = l->options.k > 0 ? l->options.k : r->k_wanted.value;
    if (l->options.k == 0 && r->k == UINT64_MAX)
        return base_fail_parameter(
            error, OPAC_ERROR_LIMIT, "k",
            "the rule requires %s observations of each state-action pair, more than can be counted",
            opac_count_text(&r->k_wanted, text));
    return OPAC_OK;
}

opac_status omega_pac_choose_sample_size(opac_learning *l, uint64_t horizon, opac_error *error)
{
    opac_learn_report *r = &l->report;
    r->horizon = horizon;
    r->k_wanted = (opac_count){.log10 = NAN, .approximate = NAN};
    r->accuracy = NAN;
    l->params.horizon = horizon;
    if (!l->has_bounds) {
        r->k = l->options.k;
        return l->options.k > 0 ? OPAC_OK : ask_for_bounds(l, error);
    }
    TRY(find_wanted(l, &r->k_wanted, error));
    TRY(choose_k(l, error));
    return opac_bound_accuracy(&l->params, r->k, &r->accuracy, error);
}

/* Compares k, not the accuracies, because those are rounded. */
bool omega_pac_has_enough_samples(const opac_learning *l)
{
    opac_count k;
    return l->has_bounds &&
           opac_bound_k_for_accuracy(&l->params, wanted_accuracy(&l->options), &k, NULL) ==
               OPAC_OK &&
           l->report.k >= k.value && k.value < UINT64_MAX;
}
