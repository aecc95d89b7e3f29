/* SPDX-License-Identifier: MIT */
#include "aut/leaf.h"

#include <assert.h>

#include "aut/moves.h"
#include "aut/progression.h"
#include "base/intern.h"

typedef struct demand_pair {
    aut_bdd all, now;
} demand_pair;

BASE_VEC(pair_vec, demand_pair);

typedef struct leaf_run {
    aut_progress progress;
    aut_bdd_store *bdds;
    base_intern names;   /* unfolded pairs ► states */
    pair_vec states;     /* the first pair of each */
    base_map successors; /* unfolded all, now ► function from letters to moves */
    aut_builder *builder;
    const aut_limits *limits;
    opac_error problem;
} leaf_run;

static bool failed(const leaf_run *run)
{
    return run->problem.code != OPAC_OK || aut_bdd_store_failed(run->bdds) ||
           ltl_store_failed(run->progress.formulas);
}

/* True wherever atoms are consistent. */
static bool is_certain(leaf_run *run, aut_bdd demand)
{
    return aut_bdd_implies(run->bdds, run->progress.consistent, demand);
}

/*
 * The state of a pair, which is new or not. Pairs that unfold to the same are
 * one: all that follows is the same. Pairs that merely mean the same are kept
 * apart: X G a and G a may be equivalent, but if the one stood for the other
 * the run might stay with it for ever and never look inside.
 */
static uint32_t state_of(leaf_run *run, demand_pair pair)
{
    demand_pair key = {.all = aut_progress_step(&run->progress, pair.all),
                       .now = aut_progress_step(&run->progress, pair.now)};
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

/* A move is a state, and whether the edge accepts. */
static aut_bdd make_move(leaf_run *run, demand_pair next)
{
    if (aut_bdd_disjoint(run->bdds, run->progress.consistent, next.all))
        return AUT_BDD_FALSE;
    bool accepts = is_certain(run, next.now);
    if (is_certain(run, next.all))
        next = (demand_pair){AUT_BDD_TRUE, AUT_BDD_TRUE};
    else if (accepts)
        next.now = aut_progress_keep(&run->progress, next.all, LTL_SIGMA1);
    return aut_move_terminal(run->bdds, state_of(run, next) * 2 + accepts);
}

/* Walks down the letter in both functions at once. */
static aut_bdd successors(leaf_run *run, aut_bdd all, aut_bdd now)
{
    if (failed(run) || aut_bdd_store_spend(run->bdds, 1))
        return AUT_BDD_FALSE;
    uint64_t key = (uint64_t)all << 32 | now, *found = base_map_find(&run->successors, key);
    if (found != NULL)
        return (aut_bdd)*found;
    aut_bdd_node a = *aut_bdd_at(run->bdds, all), n = *aut_bdd_at(run->bdds, now);
    uint32_t variable = a.variable < n.variable ? a.variable : n.variable;
    aut_bdd result;
    if (variable >= AUT_FIRST_ATOM) {
        result = make_move(run, (demand_pair){all, now});
    } else {
        bool in_all = a.variable == variable, in_now = n.variable == variable;
        aut_bdd low = successors(run, in_all ? a.low : all, in_now ? n.low : now);
        aut_bdd high = successors(run, in_all ? a.high : all, in_now ? n.high : now);
        if (failed(run))
            return AUT_BDD_FALSE;
        result = aut_bdd_make(run->bdds, variable, low, high);
    }
    if (base_map_at(&run->successors, key, &found, &run->problem) == OPAC_OK)
        *found = result;
    return result;
}

static opac_status expand(leaf_run *run, uint32_t state, aut_part_vec *parts, opac_error *error)
{
    demand_pair pair = run->states.items[state];
    aut_bdd all = aut_progress_step(&run->progress, pair.all);
    aut_bdd now = aut_progress_step(&run->progress, pair.now);
    aut_bdd moves = successors(run, all, now);
    if (run->problem.code != OPAC_OK) {
        *error = run->problem;
        return error->code;
    }
    TRY(ltl_store_check(run->progress.formulas, error));
    TRY(aut_moves_split(run->bdds, moves, parts, error));
    for (size_t i = 0; i < parts->count; i++) {
        uint32_t move = aut_move_value(run->bdds, parts->items[i].terminal);
        aut_builder_edge(
            run->builder, state,
            (aut_edge){.label = parts->items[i].label, .target = move / 2, .marks = move % 2});
    }
    return OPAC_OK;
}

static opac_status explore(leaf_run *run, ltl_formula formula, opac_error *error)
{
    aut_part_vec parts = {0};
    demand_pair start = {.all = aut_progress_demand(&run->progress, formula)};
    start.now = aut_progress_keep(&run->progress, start.all, LTL_SIGMA1);
    opac_status status = OPAC_OK;
    aut_builder_initial(run->builder, state_of(run, start));
    for (uint32_t state = 0; state < run->states.count; state++)
        TRY_OR(done, expand(run, state, &parts, error));
    if (run->problem.code != OPAC_OK) {
        *error = run->problem;
        status = error->code;
    }
done:
    aut_part_vec_fini(&parts);
    return status;
}

/* The propositions of the formula store, as those of an automaton that is being built. */
static void set_propositions(aut_builder *builder, const ltl_store *formulas)
{
    const char *names[AUT_MOST_PROPOSITIONS];
    uint32_t count = ltl_ap_count(formulas);
    for (uint32_t i = 0; i < count && i < AUT_MOST_PROPOSITIONS; i++)
        names[i] = ltl_ap_name(formulas, i);
    aut_builder_propositions(builder, names, count);
}

/* Sets Inf(0) and gives the automaton; takes the builder. */
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

opac_status aut_leaf_build(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                           const aut_limits *limits, opac_automaton **automaton, opac_error *error)
{
    leaf_run run = {.bdds = labels, .limits = limits};
    opac_error local;
    error = error != NULL ? error : &local;
    assert(ltl_is(formulas, formula, LTL_NNF | LTL_PI2));
    TRY(aut_progress_init(&run.progress, formulas, labels, formula, error));
    base_intern_init_fixed(&run.names, sizeof(demand_pair));
    run.names.slots.work = run.successors.slots.work = aut_bdd_store_work(labels);
    opac_status status;
    TRY_OR(done, aut_builder_new(labels, &run.builder, error));
    run.builder->state_limit = UINT32_MAX; /* ours is counted in state_of */
    set_propositions(run.builder, formulas);
    TRY_OR(done, explore(&run, formula, error));
    status = finish(run.builder, automaton, error);
    run.builder = NULL;
done:
    aut_builder_free(run.builder);
    aut_progress_fini(&run.progress);
    base_intern_fini(&run.names);
    pair_vec_fini(&run.states);
    base_map_fini(&run.successors);
    return status;
}

/* ---- rounds ---- */

/* A formula without temporal operators, as a function of the letter. */
static aut_bdd letter_function(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                               opac_error *error)
{
    aut_progress progress;
    if (aut_progress_init(&progress, formulas, labels, formula, error) != OPAC_OK)
        return AUT_BDD_FALSE;
    aut_bdd result = aut_progress_step(&progress, aut_progress_demand(&progress, formula));
    aut_progress_fini(&progress);
    return result;
}

opac_status aut_leaf_rounds(ltl_store *formulas, aut_bdd_store *labels, const ltl_formula *items,
                            uint32_t count, opac_automaton **automaton, opac_error *error)
{
    aut_builder *builder;
    TRY(aut_builder_new(labels, &builder, error));
    set_propositions(builder, formulas);
    aut_builder_add_states(builder, count);
    aut_builder_initial(builder, 0);
    opac_error problem = {.code = OPAC_OK};
    for (uint32_t state = 0; state < count && problem.code == OPAC_OK; state++) {
        aut_bdd passed = AUT_BDD_TRUE; /* the letters that get this far */
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
