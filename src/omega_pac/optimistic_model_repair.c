/* SPDX-License-Identifier: MIT */
/*
 * Repair: a policy for what is known now from the one before, without solving.
 *
 * Values. As choices become known, values of the optimistic model can only fall:
 * such a choice had value 1. So whatever policy attains the values before is
 * optimal now, and the values are as they were.
 *
 * The policy before. A pair that has an unknown choice takes one, and has value 1. Let U
 * be the sure pairs (value 1, as the solver has found, or having an unknown
 * choice). The policy keeps runs in U, and from each pair of U some run ends
 * in a pair that takes an unknown choice, or in a closed one, from which the policy wins
 * and meets no unknown choice. Call these two the ends. The chain being finite, a run in
 * U comes to an end almost surely, and so it wins.
 *
 * A pair s whose choice becomes known was an end. Pairs outside U have no unknown
 * choice, so all such s are in U, or nobody has looked at them yet. If s has
 * another unknown choice, it takes that and is an end again. Otherwise it is
 * pending. Now let each pending s take a known choice whose successors are all in U,
 * one of which, u, has a way to an end under the policy that meets no pending
 * pair. Then runs stay in U. And from each pair of U some run comes to an end:
 * follow the way that it had; if that meets a pending pair, take there the way by
 * u, on which no choice was changed. So the policy wins almost surely from all of U.
 * Outside U it is as before, and a run from there wins exactly when it comes
 * to U or wins without: the values before are attained. Closed pairs meet no s,
 * and what they do stays as it is.
 *
 * Ways are followed by the links `toward`: they lead to an end, by choices of the
 * policy, unless they meet a pending pair, which has no link, and a choice that is known. They grow as ends move on, so there is
 * a bound to following them, and then the solver is asked, who makes them short.
 *
 * Pending pairs are repaired in rounds, each of which looks at the policy as
 * the round before has left it: so the outcome does not depend on the order of
 * the counters.
 */
#include "omega_pac/optimistic_model_form.h"
#include "sample/statistics_form.h"

enum {
    LEAST_BUDGET = 1024 /* links and successors that a repair may look at, beside the nodes */
};

typedef struct repair {
    omega_pac_optimistic_model *o;
    uint64_t budget;
} repair;

/* ---- which pairs ---- */

/* The choice of a pair has become known. */
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

/* A pair that has choices of a counter that became known. */
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

/* ---- one pair ---- */

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

/* Does the way from a sure pair lead to an end? */
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

/* A successor of a known choice, the next one in the canonical order; SAMPLE_NONE: no more. */
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

/* The choice will do if all its successors are sure; *toward: one that leads to an end. */
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

/* All choices of a pending pair are known. The first that will do. */
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

/* Successors that are sure because they have an unknown choice are so from now on. */
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

/* Takes the decisions that were found; how many are left? */
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
