/* SPDX-License-Identifier: MIT */
/*
 * The state of the strategy as words of a checkpoint (section "policy"):
 *
 *     the round            sample_round
 *     the plan             bracket_plan
both *     the supports         bracket_support_save
 *     the bracket          bracket_model_save
 */
#include "bracket/bracket.h"
#include "sample/words.h"

opac_status bracket_state_save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    const bracket_state *own = run->own;
    TRY(sample_put_words(words, &run->round, SAMPLE_ROUND_WORDS, error));
    TRY(sample_put_words(words, &own->plan, BRACKET_PLAN_WORDS, error));
    TRY(sample_put_candidate(words, &own->current, error));
    TRY(sample_put_candidate(words, &own->best, error));
    TRY(sample_put_list(words, &own->next.choice, error));
    TRY(sample_put_list(words, &own->sampled.choice, error));
    TRY(frequencies_save(own->frequencies, words, error));
    if (run->stats.classes != NULL)
        TRY(sample_classes_save(run->stats.classes, words, error));
    TRY(bracket_support_save(own->support, words, error));
    return bracket_model_save(own->bracket, words, error);
}

static opac_status refuse(opac_error *error, const char *why)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "%s", why);
}

/* Whether the round is possible: begun, not finished, with episodes that are not too long. */
static bool is_possible(const sample_run *run, const sample_round *r, const bracket_plan *p)
{
    bool is_begun = r->first <= run->episodes && r->steps <= run->steps;
    bool is_under_way = run->limit == 0 || (run->episodes <= run->limit && r->first < run->limit &&
                                            r->episodes == run->limit - r->first);
    bool has_turns = r->turns == 0 || r->turn_choices > 0;
    bool is_trial = p->purpose == BRACKET_TRY;
    bool is_plain = r->is_timed == 0 && r->most_visits == 0 && r->is_observed == is_trial;
    for (unsigned i = 0; i < BRACKET_PURPOSES; i++)
        is_plain = is_plain && p->steps[i] <= run->steps && p->mean[i] <= SAMPLE_LONG_EPISODE;
    return is_begun && has_turns && is_plain && is_under_way && p->purpose < BRACKET_PURPOSES &&
           p->has_next <= 1 && p->next_steps <= run->steps && p->tried <= run->episodes &&
           p->length <= SAMPLE_LONG_EPISODE && (p->length > 0 || r->episodes == 0) &&
           run->horizon <= SAMPLE_LONG_EPISODE && run->steps <= SAMPLE_MOST_STEPS;
}

/* Whether the episodes of the round have the length of its plan. */
static bool has_length(const sample_run *run, const bracket_state *own)
{
    uint64_t length = own->plan.purpose == BRACKET_TRY ? own->current.horizon : own->plan.length;
    return run->round.episodes == 0 || run->horizon == length;
}

static opac_status restore_candidates(sample_reader *r, opac_error *error)
{
    bracket_state *own = r->run->own;
    uint64_t tried = own->plan.tried;
    TRY(sample_get_candidate(r, tried, SAMPLE_LONG_EPISODE, &own->current, error));
    TRY(sample_get_candidate(r, tried, SAMPLE_LONG_EPISODE, &own->best, error));
    if (own->plan.purpose == BRACKET_TRY && own->current.index == 0)
        return refuse(error, "a trial has no candidate");
    if (own->current.index > 0 && own->current.index == own->best.index)
        return refuse(error, "two candidates have the same index");
    TRY(sample_get_policy(r, &own->next, error));
    return sample_get_policy(r, &own->sampled, error);
}

/* Episodes are won in product states whose rows are complete, and from which the policy does not lead elsewhere. */
static bool is_goal_closed(const sample_run *run, const sample_candidate *c)
{
    const sample_statistics *stats = &run->stats;
    for (size_t i = 0; i < c->goal.count; i++) {
        const sample_choice *choice =
            &stats->choices.items[c->policy.choice.items[c->goal.items[i]]];
        if (!sample_choice_is_free(choice) && !stats->counters.items[choice->counter].complete)
            return false;
    }
    return true;
}

opac_status bracket_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error)
{
    size_t used = 0;
    bracket_state *own = run->own;
    sample_reader r = {.words = words, .count = count, .run = run};
    TRY(sample_get_words(&r, &run->round, SAMPLE_ROUND_WORDS, error));
    TRY(sample_get_words(&r, &own->plan, BRACKET_PLAN_WORDS, error));
    if (!is_possible(run, &run->round, &own->plan))
        return refuse(error, "the round is not a possible one");
    TRY(restore_candidates(&r, error));
    if (!has_length(run, own))
        return refuse(error, "the episodes of the round have another length");
    TRY(frequencies_restore(own->frequencies, words + r.at, count - r.at, &used, error));
    r.at += used;
    if (run->stats.classes != NULL) {
        TRY(sample_classes_restore(&run->stats, words + r.at, count - r.at, &used, error));
        r.at += used;
    }
    TRY(bracket_support_restore(own->support, words + r.at, count - r.at, &used, error));
    r.at += used;
    if (!is_goal_closed(run, &own->current) || !is_goal_closed(run, &own->best))
        return refuse(error, "a row where episodes are won is not complete");
    TRY(bracket_model_restore(own->bracket, words + r.at, count - r.at, error));
    bracket_find_bounds(run);
    return OPAC_OK;
}
