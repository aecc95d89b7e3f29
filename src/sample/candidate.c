/* SPDX-License-Identifier: MIT */
/* Candidates and their trials: see candidate.h. */
#include "sample/candidate.h"

#include <math.h>

#include "stat/sequence.h"
#include "stat/success_bound.h"

/* The checker computes bounds by another way, and may get one that is lower by this, relatively and absolutely. */
#define LOWER_ROUNDING 1e-9
#define LOWER_MARGIN   1e-12

/* ---- candidates ---- */

void sample_candidate_fini(sample_candidate *candidate)
{
    sample_positional_fini(&candidate->policy);
    base_u32_vec_fini(&candidate->goal);
    base_u32_vec_fini(&candidate->ends);
    *candidate = (sample_candidate){0};
}

/* Everything but the lists. */
static void copy_numbers(sample_candidate *candidate, const sample_candidate *other)
{
    sample_positional policy = candidate->policy;
    base_u32_vec goal = candidate->goal, ends = candidate->ends;
    *candidate = *other;
    candidate->policy = policy;
    candidate->goal = goal;
    candidate->ends = ends;
}

void sample_candidate_clear(sample_candidate *candidate)
{
    copy_numbers(candidate, &(sample_candidate){0});
    candidate->policy.choice.count = candidate->goal.count = candidate->ends.count = 0;
}

opac_status sample_candidate_copy(sample_candidate *candidate, const sample_candidate *other,
                                  opac_error *error)
{
    TRY(sample_positional_copy(&candidate->policy, &other->policy, error));
    TRY(base_u32_vec_copy(&candidate->goal, &other->goal, error));
    TRY(base_u32_vec_copy(&candidate->ends, &other->ends, error));
    copy_numbers(candidate, other);
    return OPAC_OK;
}

static bool contains(const base_u32_vec *list, uint32_t product_state)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle] < product_state)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->items[low] == product_state;
}

bool sample_candidate_wins_at(const sample_candidate *candidate, uint32_t product_state)
{
    return contains(&candidate->goal, product_state);
}

bool sample_candidate_ends_at(const sample_candidate *candidate, uint32_t product_state)
{
    return contains(&candidate->goal, product_state) || contains(&candidate->ends, product_state);
}

bool sample_candidate_loses_at(const sample_candidate *candidate, const sample_statistics *stats,
                               uint32_t product_state)
{
    uint32_t first = stats->product_states.items[product_state].choice;
    if (product_state < candidate->policy.choice.count)
        return contains(&candidate->ends, product_state);
    return !sample_is_unlisted_choice(stats, product_state, first);
}

bool sample_candidate_may_lose(const sample_candidate *candidate, const sample_statistics *stats)
{
    uint32_t count = (uint32_t)stats->product_states.count,
             known = (uint32_t)candidate->policy.choice.count;
    bool found = candidate->ends.count > 0;
    for (uint32_t i = known; i < count && !found; i++)
        found = sample_candidate_loses_at(candidate, stats, i);
    return found;
}

double sample_candidate_lower(const sample_candidate *candidate, const sample_budget *budget,
                              double epsilon)
{
    if (candidate->index == 0 || candidate->wins == 0)
        return 0;
    double log_alpha = sample_budget_log_episodes(budget, candidate->index);
    log_alpha -= LOWER_ROUNDING * (1 + fabs(log_alpha));
    double lower = stat_success_lower(candidate->wins, candidate->episodes, log_alpha);
    lower = nextafter(lower * (1 - LOWER_ROUNDING) - epsilon - LOWER_MARGIN, -1);
    return lower > 0 ? lower : 0;
}

bool sample_candidate_refutes(const sample_candidate *candidate, const sample_budget *budget,
                              double epsilon)
{
    if (candidate->index == 0 || candidate->changed == 0)
        return false;
    double log_alpha = sample_budget_log_verdict(budget, candidate->index);
    return stat_success_lower(candidate->changed, candidate->longer, log_alpha) > epsilon;
}

/* ---- the judge ---- */

void sample_judge_fini(sample_judge *judge)
{
    sample_components_fini(&judge->components);
    sample_visit_vec_fini(&judge->visits);
}

void sample_judge_begin(sample_judge *judge, const sample_candidate *candidate, bool only_universal)
{
    if (!sample_components_begin(&judge->components))
        for (size_t i = 0; i < judge->visits.count; i++)
            judge->visits.items[i] = (sample_component_visit){0};
    judge->horizon = candidate->horizon;
    judge->goal = &candidate->goal;
    judge->only_universal = only_universal;
    judge->taken = 0;
    judge->known = candidate->policy.choice.count;
    judge->has_won = judge->is_lost = judge->is_judged = judge->won = false;
}

static bool decide(const sample_judge *judge, const aut_condition *condition)
{
    sample_component last = sample_components_last(&judge->components);
    return !judge->is_lost && (judge->has_won || (!judge->only_universal && last.has_edge &&
                                                  aut_condition_holds(condition, last.marks)));
}

static opac_status visit(sample_judge *judge, const sample_statistics *stats,
                         const aut_condition *condition, uint32_t product_state, uint32_t choice,
                         opac_error *error)
{
    TRY(sample_visit_vec_reserve(&judge->visits, (size_t)product_state + 1, error));
    while (judge->visits.count <= product_state)
        judge->visits.items[judge->visits.count++] = (sample_component_visit){0};
    judge->has_won |= product_state == stats->sink || contains(judge->goal, product_state);
    TRY(sample_components_visit(&judge->components, &judge->visits.items[product_state],
                                stats->choices.items[choice].marks & ~stats->always, error));
    if (judge->taken == judge->horizon) {
        judge->won = decide(judge, condition);
        judge->is_judged = true;
    }
    return OPAC_OK;
}

opac_status sample_judge_step(sample_judge *judge, const sample_statistics *stats,
                              const aut_condition *condition, uint32_t product_state,
                              uint32_t choice, opac_error *error)
{
    TRY(visit(judge, stats, condition, product_state, choice, error));
    if (product_state >= judge->known && !judge->has_won)
        judge->is_lost |= !sample_is_unlisted_choice(stats, product_state, choice);
    judge->taken++;
    return OPAC_OK;
}

/* After as many free choices as there are product states, the run is on a cycle, and after as many again it
 * has completed the cycle; then nothing changes any more. */
opac_status sample_judge_end(sample_judge *judge, const sample_statistics *stats,
                             const aut_condition *condition, const sample_positional *policy,
                             uint32_t product_state, uint64_t left, bool *won, bool *won_later,
                             opac_error *error)
{
    uint64_t most = 2 * (uint64_t)stats->product_states.count + 2;
    for (uint64_t i = 0; i < left && i < most; i++) {
        uint32_t choice = sample_positional_choice(policy, stats, product_state);
        if (!sample_choice_is_free(&stats->choices.items[choice]))
            break;
        TRY(sample_judge_step(judge, stats, condition, product_state, choice, error));
        product_state = stats->choices.items[choice].target;
    }
    TRY(visit(judge, stats, condition, product_state,
              sample_positional_choice(policy, stats, product_state), error));
    *won_later = decide(judge, condition);
    *won = judge->is_judged ? judge->won : *won_later;
    return OPAC_OK;
}
