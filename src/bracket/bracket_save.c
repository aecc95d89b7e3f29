/* SPDX-License-Identifier: MIT */
/*
 * The state of the strategy as words of a checkpoint (section "policy"):
 *
 *     the round            sample_round
 *     the plan             bracket_plan
 *     the supports         bracket_support_save
 *     the bracket          bracket_model_save
 */
#include <string.h>

#include "bracket/bracket.h"

enum {
    HEAD = SAMPLE_ROUND_WORDS + BRACKET_PLAN_WORDS
};

opac_status bracket_state_save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    const bracket_state *own = run->own;
    TRY(base_u64_vec_reserve(words, words->count + HEAD, error));
    memcpy(words->items + words->count, &run->round, sizeof run->round);
    memcpy(words->items + words->count + SAMPLE_ROUND_WORDS, &own->plan, sizeof own->plan);
    words->count += HEAD;
    TRY(bracket_support_save(own->support, words, error));
    return bracket_model_save(own->bracket, words, error);
}

/* Whether the round is possible: begun, not finished, with episodes that are not too long. */
static bool is_possible(const sample_run *run, const sample_round *r, const bracket_plan *p)
{
    bool is_begun = r->first <= run->episodes && r->steps <= run->steps;
    bool is_under_way = run->limit == 0 || (run->episodes <= run->limit && r->first < run->limit &&
                                            r->episodes == run->limit - r->first);
    bool has_turns = r->turns == 0 || r->turn_choices > 0;
    bool is_plain = r->is_timed == 0 && r->is_observed == 0 && r->most_visits == 0;
    return is_begun && has_turns && is_plain && is_under_way && p->policy <= BRACKET_GAP &&
           p->pessimistic_length <= SAMPLE_LONG_EPISODE && p->pessimistic_steps <= r->steps &&
           run->horizon <= SAMPLE_LONG_EPISODE && run->steps <= SAMPLE_MOST_STEPS;
}

static opac_status restore_round(sample_run *run, const uint64_t *words, opac_error *error)
{
    sample_round round;
    bracket_plan plan;
    memcpy(&round, words, sizeof round);
    memcpy(&plan, words + SAMPLE_ROUND_WORDS, sizeof plan);
    if (!is_possible(run, &round, &plan))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the round is not a possible one");
    run->round = round;
    ((bracket_state *)run->own)->plan = plan;
    return OPAC_OK;
}

opac_status bracket_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error)
{
    size_t used = 0;
    if (count < HEAD)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the round is missing");
    TRY(restore_round(run, words, error));
    TRY(bracket_support_restore(bracket_support_of(run), words + HEAD, count - HEAD, &used, error));
    used += HEAD;
    return bracket_model_restore(bracket_model_of(run), words + used, count - used, error);
}
