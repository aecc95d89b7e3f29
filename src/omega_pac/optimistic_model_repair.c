/* SPDX-License-Identifier: MIT */
/*
 * Repair: updates the policy to newly known choices without solving (docs/theory.md, Lemma 14).
 *
 * Claim: the repaired policy is optimal, and all values are unchanged.
 *
 * Values. When choices become known, values of the optimistic model can only decrease, since such a choice
 * had value 1. So a policy that attains the previous values is optimal, and the values are the same.
 *
 * The previous policy. A product state with an unknown choice takes one, and has value 1. Let V be the sure
 * product states: those of value 1 as found by the solver, and those with an unknown choice. The policy
 * keeps runs in V. From each product state of V a path under the policy leads to an end: a product state
 * that takes an unknown choice, or a closed one, from which the policy wins without unknown choices. In a
 * finite chain a run in V almost surely reaches an end, and so it wins.
 *
 * Repair. Let s be a product state whose choice became known. It was an end. Product states outside V have
 * no unknown choice, so s is in V, or was added since the last update. If s has another unknown choice, it
 * takes that one and is an end again. Otherwise call s pending, and let it take a known choice whose
 * successors are all in V, one of which, u, has a path to an end under the previous policy that meets no
 * pending product state. Then runs stay in V. From each product state of V a path leads to an end: follow
 * the previous path; if it meets a pending product state, continue there by u and its path, on which no
 * choice was changed. So the new policy wins almost surely from V. Outside V it is unchanged, and a run
 * from there wins if it reaches V or wins without, with the same probability as before. So the previous
 * values are attained. Closed product states reach no s and stay closed.
 *
 * Paths are followed by the links `toward`. They lead to an end by choices of the policy, unless they reach
 * a pending product state, which has a known choice and no link. Paths grow as ends move, so the number of
 * links followed is limited; beyond it the solver is used, which makes them short again.
 *
 * Pending product states are repaired in rounds, each of which uses the policy that the previous round has
 * left. So the result does not depend on the order of the counters.
 */
#include "omega_pac/optimistic_model_form.h"
#include "sample/statistics_form.h"

enum {
    LEAST_BUDGET =
        1024 /* links and successors that a repair may follow, plus the number of nodes */
};

typedef struct repair {
    omega_pac_optimistic_model *o;
    uint64_t budget;
} repair;

/* ---- the product states concerned ---- */

/* The choice of a product state has become known. */
static opac_status reconsider(omega_pac_optimistic_model *o, uint32_t product_state,
                              opac_error *error)
{
    omega_pac_entry *entry = &o->entries.items[product_state];
    uint32_t first = o->stats->product_states.items[product_state].choice;
    uint32_t unknown =
        omega_pac_optimistic_model_unknown(o->stats, product_state, entry->choice - first);
    TRY(omega_pac_optimistic_model_note_change(o, product_state, error));
    if (unknown != SAMPLE_NONE || (entry->flags & OMEGA_PAC_SURE) == 0) {
        entry->choice = unknown;
        return OPAC_OK;
    }
    return omega_pac_decision_vec_push(&o->pending,
                                       (omega_pac_decision){.product_state = product_state}, error);
}

/* A product state has choices of a counter that became known. */
static opac_status visit(omega_pac_optimistic_model *o, uint32_t product_state, uint32_t counter,
                         opac_error *error)
{
    const omega_pac_entry *entry = &o->entries.items[product_state];
    if (entry->choice == SAMPLE_NONE) /* the default may be another now */
        return omega_pac_optimistic_model_note_change(o, product_state, error);
    bool taken = o->stats->choices.items[entry->choice].counter == counter;
    return taken ? reconsider(o, product_state, error) : OPAC_OK;
}

static opac_status visit_all(omega_pac_optimistic_model *o, const base_u32_vec *changed,
                             opac_error *error)
{
    o->pending.count = 0;
    for (size_t i = 0; i < changed->count; i++) {
        uint32_t counter = changed->items[i];
        uint32_t row = o->stats->counters.items[counter].row;
        for (uint32_t product_state = sample_statistics_product_state_of_row(o->stats, row);
             product_state != SAMPLE_NONE;
             product_state = o->stats->product_states.items[product_state].next)
            TRY(visit(o, product_state, counter, error));
    }
    return OPAC_OK;
}

/* ---- one pending product state ---- */

static bool spend(repair *r)
{
    if (r->budget > 0)
        r->budget--;
    return r->budget > 0;
}

static bool is_sure(const repair *r, uint32_t product_state)
{
    return (r->o->entries.items[product_state].flags & OMEGA_PAC_SURE) != 0 ||
           omega_pac_optimistic_model_unknown(r->o->stats, product_state, 0) != SAMPLE_NONE;
}

/* Whether the path from a sure product state leads to an end. */
static bool leads_to_end(repair *r, uint32_t product_state)
{
    const omega_pac_optimistic_model *o = r->o;
    while (spend(r)) {
        const omega_pac_entry *entry = &o->entries.items[product_state];
        if ((entry->flags & OMEGA_PAC_CLOSED) != 0 || entry->choice == SAMPLE_NONE ||
            !sample_statistics_is_known(o->stats, entry->choice))
            return true;
        if (entry->toward == SAMPLE_NONE) /* pending */
            return false;
        product_state = entry->toward;
    }
    return false;
}

/* The next successor of a known choice in the canonical order; SAMPLE_NONE after the last one. */
static opac_status next_successor(sample_statistics *stats, uint32_t choice, uint32_t *next,
                                  uint32_t *product_state, opac_error *error)
{
    const sample_choice *c = &stats->choices.items[choice];
    *product_state = SAMPLE_NONE;
    if (sample_choice_is_free(c)) {
        if ((*next)++ == 0)
            *product_state = c->target;
        return OPAC_OK;
    }
    uint32_t count;
    const uint32_t *order = sample_statistics_order(stats, c->counter, &count);
    return *next < count
               ? sample_statistics_follow(stats, choice, order[(*next)++], product_state, error)
               : OPAC_OK;
}

/* *toward: a successor with a path to an end, if all successors of the choice are sure; else SAMPLE_NONE. */
static opac_status try_choice(repair *r, uint32_t choice, uint32_t *toward, opac_error *error)
{
    uint32_t next = 0, product_state;
    *toward = SAMPLE_NONE;
    for (;;) {
        TRY(next_successor(r->o->stats, choice, &next, &product_state, error));
        if (product_state == SAMPLE_NONE)
            return OPAC_OK;
        if (!spend(r) || !is_sure(r, product_state)) {
            *toward = SAMPLE_NONE;
            return OPAC_OK;
        }
        if (*toward == SAMPLE_NONE && leads_to_end(r, product_state))
            *toward = product_state;
    }
}

/* Finds the first suitable choice of a pending product state. */
static opac_status decide(repair *r, omega_pac_decision *decision, opac_error *error)
{
    sample_product_state p = r->o->stats->product_states.items[decision->product_state];
    decision->toward = SAMPLE_NONE;
    for (uint32_t c = p.choice; c < p.choice + p.choices && decision->toward == SAMPLE_NONE; c++) {
        decision->choice = c;
        TRY(try_choice(r, c, &decision->toward, error));
    }
    return OPAC_OK;
}

/* ---- rounds ---- */

/* Flags successors as sure that are so because they have an unknown choice. */
static opac_status make_sure(omega_pac_optimistic_model *o, uint32_t choice, opac_error *error)
{
    uint32_t next = 0, product_state;
    for (;;) {
        TRY(next_successor(o->stats, choice, &next, &product_state, error));
        if (product_state == SAMPLE_NONE)
            return OPAC_OK;
        omega_pac_entry *entry = &o->entries.items[product_state];
        if ((entry->flags & OMEGA_PAC_SURE) != 0)
            continue;
        entry->flags = OMEGA_PAC_SURE;
        entry->choice = omega_pac_optimistic_model_unknown(o->stats, product_state, 0);
    }
}

/* Applies the decisions that were found. *left: number of product states still pending. */
static opac_status apply(omega_pac_optimistic_model *o, size_t *left, opac_error *error)
{
    *left = 0;
    for (size_t i = 0; i < o->pending.count; i++) {
        omega_pac_decision decision = o->pending.items[i];
        omega_pac_entry *entry = &o->entries.items[decision.product_state];
        if (decision.toward == SAMPLE_NONE) {
            o->pending.items[(*left)++] = decision;
            continue;
        }
        entry->choice = decision.choice;
        entry->toward = decision.toward;
        TRY(make_sure(o, decision.choice, error));
    }
    return OPAC_OK;
}

static opac_status repair_round(repair *r, size_t *left, opac_error *error)
{
    for (size_t i = 0; i < r->o->pending.count; i++)
        TRY(decide(r, &r->o->pending.items[i], error));
    return apply(r->o, left, error);
}

opac_status omega_pac_optimistic_model_repair(omega_pac_optimistic_model *o,
                                              const base_u32_vec *changed, bool *done,
                                              opac_error *error)
{
    repair r = {.o = o, .budget = LEAST_BUDGET + o->nodes};
    TRY(visit_all(o, changed, error));
    size_t left = o->pending.count, before = left + 1;
    while (left > 0 && left < before && r.budget > 0 && !omega_pac_optimistic_model_must_solve(o)) {
        before = left;
        TRY(repair_round(&r, &left, error));
        o->pending.count = left;
    }
    *done = left == 0 && r.budget > 0;
    return OPAC_OK;
}
