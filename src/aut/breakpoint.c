/* SPDX-License-Identifier: MIT */
#include "aut/breakpoint.h"

#include <assert.h>

#include "aut/mtbdd.h"
#include "aut/progression.h"
#include "base/intern.h"

typedef struct breakpoint_pair {
    aut_bdd residual, pending;
} breakpoint_pair;

BASE_VEC(pair_vec, breakpoint_pair);

typedef struct breakpoint_run {
    aut_progression progression;
    aut_bdd_store *bdds;
    base_intern names;   /* unfolded pairs ► states */
    pair_vec states;     /* by state: the first pair that was unfolded to it */
    base_map successors; /* unfolded residual, pending ► function from letters to edges */
    aut_builder *builder;
    const aut_limits *limits;
    opac_error problem;
} breakpoint_run;

static bool failed(const breakpoint_run *run)
{
    return run->problem.code != OPAC_OK || aut_bdd_store_failed(run->bdds) ||
           ltl_store_failed(run->progression.formulas);
}

/* Whether the function is true for all consistent values of the atoms. */
static bool is_certain(breakpoint_run *run, aut_bdd residual)
{
    return aut_bdd_implies(run->bdds, run->progression.consistent, residual);
}

/*
 * Finds or adds the state of a pair. Pairs with equal unfoldings share a state, since they have equal
 * successors. Pairs that are equivalent but have different unfoldings do not: if a state of G a, say, could
 * be replaced by one of an equivalent formula X G a, a run could progress from each to the other forever and
 * never examine a.
 */
static uint32_t find_state(breakpoint_run *run, breakpoint_pair pair)
{
    breakpoint_pair key = {.residual = aut_progression_unfold(&run->progression, pair.residual),
                           .pending = aut_progression_unfold(&run->progression, pair.pending)};
    uint32_t state = 0;
    bool is_new = false;
    if (base_intern_add(&run->names, &key, sizeof key, &state, &is_new, &run->problem) != OPAC_OK ||
        !is_new)
        return state;
    if (state >= run->limits->states) {
        aut_fail_states(run->limits->states, &run->problem);
        return 0;
    }
    aut_builder_add_state(run->builder);
    pair_vec_push(&run->states, pair, &run->problem);
    return state;
}

/* The terminal for the successor of a pair: 2 · its state + whether the edge is accepting. AUT_BDD_FALSE if
 * the residual is equivalent to false. */
static aut_bdd make_edge(breakpoint_run *run, breakpoint_pair next)
{
    if (aut_bdd_disjoint(run->bdds, run->progression.consistent, next.residual))
        return AUT_BDD_FALSE;
    bool accepts = is_certain(run, next.pending);
    if (is_certain(run, next.residual))
        next = (breakpoint_pair){AUT_BDD_TRUE, AUT_BDD_TRUE};
    else if (accepts)
        next.pending = aut_progression_keep(&run->progression, next.residual, LTL_SIGMA1);
    return aut_mtbdd_terminal(run->bdds, find_state(run, next) * 2 + accepts);
}

/* The function from letters to edges of a pair of unfoldings: descends in both diagrams at once. */
static aut_bdd find_successors(breakpoint_run *run, aut_bdd residual, aut_bdd pending)
{
    if (failed(run) || aut_bdd_store_spend(run->bdds, 1))
        return AUT_BDD_FALSE;
    uint64_t key = (uint64_t)residual << 32 | pending,
             *found = base_map_find(&run->successors, key);
    if (found != NULL)
        return (aut_bdd)*found;
    aut_bdd_node a = *aut_bdd_at(run->bdds, residual), n = *aut_bdd_at(run->bdds, pending);
    uint32_t variable = a.variable < n.variable ? a.variable : n.variable;
    aut_bdd result;
    if (variable >= AUT_FIRST_ATOM) {
        result = make_edge(run, (breakpoint_pair){residual, pending});
    } else {
        bool in_residual = a.variable == variable, in_pending = n.variable == variable;
        aut_bdd low =
            find_successors(run, in_residual ? a.low : residual, in_pending ? n.low : pending);
        aut_bdd high =
            find_successors(run, in_residual ? a.high : residual, in_pending ? n.high : pending);
        if (failed(run))
            return AUT_BDD_FALSE;
        result = aut_bdd_make(run->bdds, variable, low, high);
    }
    if (base_map_at(&run->successors, key, &found, &run->problem) == OPAC_OK)
        *found = result;
    return result;
}

static opac_status expand(breakpoint_run *run, uint32_t state, aut_letter_class_vec *classes,
                          opac_error *error)
{
    breakpoint_pair pair = run->states.items[state];
    aut_bdd residual = aut_progression_unfold(&run->progression, pair.residual);
    aut_bdd pending = aut_progression_unfold(&run->progression, pair.pending);
    aut_bdd edges = find_successors(run, residual, pending);
    if (run->problem.code != OPAC_OK) {
        *error = run->problem;
        return error->code;
    }
    TRY(ltl_store_check(run->progression.formulas, error));
    TRY(aut_mtbdd_split(run->bdds, edges, classes, error));
    for (size_t i = 0; i < classes->count; i++) {
        uint32_t edge = aut_mtbdd_value(run->bdds, classes->items[i].terminal);
        aut_builder_edge(
            run->builder, state,
            (aut_edge){.label = classes->items[i].label, .target = edge / 2, .marks = edge % 2});
    }
    return OPAC_OK;
}

static opac_status explore(breakpoint_run *run, ltl_formula formula, opac_error *error)
{
    aut_letter_class_vec classes = {0};
    breakpoint_pair start = {.residual = aut_progression_encode(&run->progression, formula)};
    start.pending = aut_progression_keep(&run->progression, start.residual, LTL_SIGMA1);
    opac_status status = OPAC_OK;
    aut_builder_initial(run->builder, find_state(run, start));
    for (uint32_t state = 0; state < run->states.count; state++)
        TRY_OR(done, expand(run, state, &classes, error));
    if (run->problem.code != OPAC_OK) {
        *error = run->problem;
        status = error->code;
    }
done:
    aut_letter_class_vec_fini(&classes);
    return status;
}

/* Gives the builder the propositions of the formula store. */
static void set_propositions(aut_builder *builder, const ltl_store *formulas)
{
    const char *names[AUT_MOST_PROPOSITIONS];
    uint32_t count = ltl_ap_count(formulas);
    for (uint32_t i = 0; i < count && i < AUT_MOST_PROPOSITIONS; i++)
        names[i] = ltl_ap_name(formulas, i);
    aut_builder_propositions(builder, names, count);
}

/* Sets the condition Inf(0) and finishes the automaton. Consumes the builder. */
static opac_status finish(aut_builder *builder, opac_automaton **automaton, opac_error *error)
{
    aut_condition condition = {0};
    opac_status status =
        aut_condition_add(&condition, (aut_term){.kind = AUT_TERM_INF, .left = 0}, NULL, error);
    if (status != OPAC_OK) {
        aut_builder_free(builder);
        return status;
    }
    aut_builder_condition(builder, &condition, 1);
    return aut_builder_finish(builder, automaton, error);
}

opac_status aut_translate_pi2(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                              const aut_limits *limits, opac_automaton **automaton,
                              opac_error *error)
{
    breakpoint_run run = {.bdds = labels, .limits = limits};
    opac_error local;
    error = error != NULL ? error : &local;
    assert(ltl_is(formulas, formula, LTL_NNF | LTL_PI2));
    TRY(aut_progression_init(&run.progression, formulas, labels, formula, error));
    base_intern_init_fixed(&run.names, sizeof(breakpoint_pair));
    run.names.slots.work = run.successors.slots.work = aut_bdd_store_work(labels);
    opac_status status;
    TRY_OR(done, aut_builder_new(labels, &run.builder, error));
    run.builder->state_limit = UINT32_MAX; /* find_state checks the limit */
    set_propositions(run.builder, formulas);
    TRY_OR(done, explore(&run, formula, error));
    status = finish(run.builder, automaton, error);
    run.builder = NULL;
done:
    aut_builder_free(run.builder);
    aut_progression_fini(&run.progression);
    base_intern_fini(&run.names);
    pair_vec_fini(&run.states);
    base_map_fini(&run.successors);
    return status;
}

/* ---- recurrences ---- */

/* A formula without temporal operators, as a function of the letter. */
static aut_bdd letter_function(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                               opac_error *error)
{
    aut_progression progression;
    if (aut_progression_init(&progression, formulas, labels, formula, error) != OPAC_OK)
        return AUT_BDD_FALSE;
    aut_bdd result =
        aut_progression_unfold(&progression, aut_progression_encode(&progression, formula));
    aut_progression_fini(&progression);
    return result;
}

opac_status aut_translate_recurrences(ltl_store *formulas, aut_bdd_store *labels,
                                      const ltl_formula *items, uint32_t count,
                                      opac_automaton **automaton, opac_error *error)
{
    aut_builder *builder;
    TRY(aut_builder_new(labels, &builder, error));
    set_propositions(builder, formulas);
    aut_builder_add_states(builder, count);
    aut_builder_initial(builder, 0);
    opac_error problem = {.code = OPAC_OK};
    for (uint32_t state = 0; state < count && problem.code == OPAC_OK; state++) {
        aut_bdd passed = AUT_BDD_TRUE; /* letters that satisfy the formulas from `state` to i - 1 */
        for (uint32_t i = state; i < count && problem.code == OPAC_OK; i++) {
            aut_bdd holds = letter_function(formulas, labels, items[i], &problem);
            aut_bdd stays = aut_bdd_and_not(labels, passed, holds);
            aut_builder_edge(builder, state, (aut_edge){.label = stays, .target = i});
            passed = aut_bdd_and(labels, passed, holds);
        }
        aut_builder_edge(builder, state, (aut_edge){.label = passed, .target = 0, .marks = 1});
    }
    if (problem.code == OPAC_OK)
        return finish(builder, automaton, error);
    aut_builder_free(builder);
    if (error != NULL)
        *error = problem;
    return problem.code;
}
