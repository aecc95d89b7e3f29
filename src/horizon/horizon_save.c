/* SPDX-License-Identifier: MIT */
/*
 * The state of the strategy as words of a checkpoint (section "policy"):
 *
 *     the round            sample_round
 *     the plan             horizon_plan
 *     two candidates       the current one and the best earlier one (sample/words.h)
 *     two policies         the rehearsed one, and that of exploration in Ŵ
 *     the timed policy     of exploration
 *     values               guesses for the frequencies
 *     discoveries          by counter and branch with observations: the draw that showed it first
 *
 * The model and the bracket are recomputed.
 */
#include <stdlib.h>

#include "horizon/horizon_bracket.h"
#include "sample/words.h"

/* ---- writing ---- */

static opac_status put_timed(base_u64_vec *words, const horizon_timed_policy *policy,
                             opac_error *error)
{
    TRY(sample_put_list(words, &policy->begin, error));
    TRY(sample_put_word(words, policy->segment.count, error));
    for (size_t i = 0; i < policy->segment.count; i++) {
        TRY(sample_put_word(words, policy->segment.items[i].from, error));
        TRY(sample_put_word(words, policy->segment.items[i].choice, error));
    }
    return OPAC_OK;
}

static opac_status put_discoveries(base_u64_vec *words, const sample_statistics *stats,
                                   opac_error *error)
{
    for (uint32_t c = 0; c < stats->counters.count; c++)
        for (uint32_t b = 0; b < stats->counters.items[c].capacity; b++)
            if (sample_statistics_observed(stats, c, b) > 0)
                TRY(sample_put_word(words, sample_statistics_discovered(stats, c, b), error));
    return OPAC_OK;
}

opac_status horizon_state_save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    const horizon_state *own = horizon_state_of(run);
    TRY(sample_put_words(words, &run->round, SAMPLE_ROUND_WORDS, error));
    TRY(sample_put_words(words, &own->plan, HORIZON_PLAN_WORDS, error));
    TRY(sample_put_candidate(words, &own->current, error));
    TRY(sample_put_candidate(words, &own->best, error));
    TRY(sample_put_list(words, &own->rehearsed.choice, error));
    TRY(sample_put_list(words, &own->inside.choice, error));
    TRY(put_timed(words, &own->timed, error));
    TRY(frequencies_save(own->frequencies, words, error));
    return put_discoveries(words, &run->stats, error);
}

/* ---- reading ---- */

static opac_status refuse(opac_error *error, const char *why)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "%s", why);
}

/* With T, all trials have this length, and nothing ends an episode early. */
static opac_status get_candidate(sample_reader *r, sample_candidate *c, opac_error *error)
{
    const horizon_state *own = horizon_state_of(r->run);
    TRY(sample_get_candidate(r, own->plan.tried, own->plan.horizon, c, error));
    if (c->index > 0 && !own->is_free && c->horizon != own->plan.horizon)
        return refuse(error, "the length of a candidate's episodes is not a possible one");
    return c->goal.count == 0 && (own->is_free || c->ends.count == 0)
               ? OPAC_OK
               : refuse(error, "a candidate has product states where its episodes end");
}

static opac_status get_segments(sample_reader *r, horizon_timed_policy *policy,
                                size_t product_state, opac_error *error)
{
    uint64_t from = 0, choice = 0, last = 0;
    uint32_t begin = policy->begin.items[product_state],
             end = policy->begin.items[product_state + 1];
    for (uint32_t i = begin; i < end; i++) {
        TRY(sample_get_word(r, UINT64_MAX, &from, error));
        TRY(sample_get_word(r, SAMPLE_NONE, &choice, error));
        if (from <= last || (i == begin && from != 1))
            return refuse(error, "the numbers of steps left of a policy do not ascend");
        if (choice != SAMPLE_NONE)
            TRY(sample_check_choice(r, product_state, choice, error));
        TRY(horizon_segment_vec_push(&policy->segment, (horizon_segment){from, (uint32_t)choice},
                                     error));
        last = from;
    }
    return OPAC_OK;
}

static opac_status get_timed(sample_reader *r, horizon_timed_policy *policy, opac_error *error)
{
    uint64_t count = 0, begin = 0, segments = 0, last = 0;
    TRY(sample_get_word(r, r->run->stats.product_states.count + (uint64_t)1, &count, error));
    TRY(base_u32_vec_reserve(&policy->begin, (size_t)count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(sample_get_word(r, GRAPH_LARGEST, &begin, error));
        if (begin < last || (i == 0 && begin != 0))
            return refuse(error, "the segments of a policy do not ascend");
        policy->begin.items[policy->begin.count++] = (uint32_t)begin;
        last = begin;
    }
    TRY(sample_get_word(r, GRAPH_LARGEST, &segments, error));
    if (segments != last)
        return refuse(error, "the number of segments of a policy is another one");
    for (size_t i = 0; i + 1 < count; i++)
        TRY(get_segments(r, policy, i, error));
    return OPAC_OK;
}

static int compare_draws(const void *a, const void *b)
{
    const sample_found *one = a, *other = b;
    return one->draw < other->draw ? -1 : one->draw > other->draw;
}

/* Each draw shows one successor. All draws before a discovery have led to successors that were discovered before
 * it, and enough draws after it are left for the other observations of its successor. */
static bool are_possible(const sample_reader *r, uint32_t counter, sample_found_vec *found)
{
    const sample_statistics *stats = &r->run->stats;
    uint64_t before = 0, count = stats->counters.items[counter].count;
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, compare_draws);
    for (size_t k = 0; k < found->count; k++) {
        uint64_t draw = found->items[k].draw;
        uint64_t observed = sample_statistics_observed(stats, counter, found->items[k].position);
        bool is_later = k == 0 ? draw == 1 : draw > found->items[k - 1].draw;
        if (!is_later || draw - 1 > before || observed - 1 > count - draw)
            return false;
        before += observed;
    }
    return true;
}

static opac_status get_counter(sample_reader *r, uint32_t c, sample_found_vec *found,
                               opac_error *error)
{
    sample_statistics *stats = &r->run->stats;
    const sample_counter *counter = &stats->counters.items[c];
    found->count = 0;
    for (uint32_t b = 0; b < counter->capacity; b++) {
        uint64_t draw = 0;
        if (sample_statistics_observed(stats, c, b) == 0)
            continue;
        TRY(sample_get_word(r, counter->count, &draw, error));
        TRY(sample_found_vec_push(found, (sample_found){.draw = draw, .position = b}, error));
        stats->discovered.items[counter->begin + b] = draw;
    }
    return are_possible(r, c, found)
               ? OPAC_OK
               : refuse(error, "the discoveries of a row do not fit its observations");
}

static opac_status get_discoveries(sample_reader *r, opac_error *error)
{
    sample_found_vec found = {0};
    opac_status status = OPAC_OK;
    for (uint32_t c = 0; status == OPAC_OK && c < r->run->stats.counters.count; c++)
        status = get_counter(r, c, &found, error);
    sample_found_vec_fini(&found);
    return status;
}

/* Whether round and plan are possible: the round is begun, and not finished. */
static bool is_possible(const sample_run *run, const sample_round *r, const horizon_plan *p)
{
    bool is_begun = r->first <= run->episodes && r->steps <= run->steps;
    bool is_under_way = run->limit == 0 || (run->episodes <= run->limit && r->first < run->limit &&
                                            r->episodes == run->limit - r->first);
    bool is_plain = r->turns == (r->is_timed != 0) && r->is_timed <= 1 && p->through <= 1 &&
                    p->is_long <= 1 && p->has_rehearsed <= 1 && p->purpose < HORIZON_PURPOSES &&
                    (r->is_timed != 0) == (p->purpose == HORIZON_EXPLORE && r->number > 0) &&
                    p->is_long <= (p->purpose == HORIZON_TRY) && r->is_observed <= 1 &&
                    (r->is_observed != 0) == (p->purpose == HORIZON_TRY && r->number > 0);
    for (unsigned i = 0; i < HORIZON_PURPOSES; i++)
        is_plain = is_plain && p->steps[i] <= run->steps;
    bool is_long_enough = p->horizon > 0 && p->horizon < SAMPLE_MOST_STEPS && run->horizon > 0;
    return is_begun && is_under_way && is_plain && is_long_enough && p->tried <= run->episodes &&
           p->tested_steps <= run->steps && run->steps <= SAMPLE_MOST_STEPS;
}

static opac_status restore_round(sample_reader *r, opac_error *error)
{
    sample_run *run = r->run;
    horizon_state *own = horizon_state_of(run);
    TRY(sample_get_words(r, &run->round, SAMPLE_ROUND_WORDS, error));
    TRY(sample_get_words(r, &own->plan, HORIZON_PLAN_WORDS, error));
    if (!is_possible(run, &run->round, &own->plan))
        return refuse(error, "the round is not a possible one");
    return OPAC_OK;
}

/* Whether the episodes of the round have a length that follows from its plan. */
static bool has_length(const sample_run *run, const horizon_state *own)
{
    const horizon_plan *plan = &own->plan;
    if (plan->purpose == HORIZON_EXPLORE)
        return run->horizon <= plan->horizon;
    uint64_t length = plan->purpose == HORIZON_TRY ? own->current.horizon : plan->horizon;
    return run->horizon == length << (plan->is_long != 0);
}

opac_status horizon_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error)
{
    horizon_state *own = horizon_state_of(run);
    sample_reader r = {.words = words, .count = count, .run = run};
    TRY(restore_round(&r, error));
    own->resumed_horizon = own->plan.horizon;
    TRY(get_candidate(&r, &own->current, error));
    TRY(get_candidate(&r, &own->best, error));
    if (own->plan.purpose == HORIZON_TRY && own->current.index == 0)
        return refuse(error, "a trial has no candidate");
    if (own->current.index > 0 && own->current.index == own->best.index)
        return refuse(error, "two candidates have the same index");
    if (!has_length(run, own))
        return refuse(error, "the episodes of the round have another length");
    TRY(sample_get_policy(&r, &own->rehearsed, error));
    TRY(sample_get_policy(&r, &own->inside, error));
    TRY(get_timed(&r, &own->timed, error));
    size_t used = 0;
    TRY(frequencies_restore(own->frequencies, r.words + r.at, r.count - r.at, &used, error));
    r.at += used;
    TRY(get_discoveries(&r, error));
    return r.at == count ? OPAC_OK : refuse(error, "the policy is longer than expected");
}
