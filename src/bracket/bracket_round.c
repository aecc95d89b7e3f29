/* SPDX-License-Identifier: MIT */
/*
 * The rounds of a run that closes a bracket: by which policy, how many episodes, and how long they
 * may be. All of it is a function of counts, so that runs can be repeated and resumed.
 *
 *     mood     the hopeful policy: it comes to whatever keeps U up. Where it has nothing left to
 *              learn, U is L. (Taking the cautious one in turn costs up to twice the samples; but
 *              a sixteenth of the steps is, since U may be out of reach, and L is of use by itself.) If
 *              all on its way is complete and the bracket not too wide, mostly the curious one
 *              (bracket_model_plan_gap_reduction.c), which comes sooner to what is worth a visit. If most of the
 *              bracket's width is due to what the reset has not shown yet, episodes mostly end
 *              behind the reset.
 *     turns    if the hopeful policy's way leads to rows that are not complete, these take turns
 *              (sample_turn_choice): all that are not complete are worth 1 for the upper bound.
 *     size     until the steps, or the episodes, have grown by a share. (The last round may have
 *              followed a policy of short episodes, and this one be of long ones.) And until a
 *              row has been visited half as often again: one of very many actions is not worth a
 *              share of all samples.
 *     length   from 16 on, twice as long each time that episodes were too short: when they
 *              are mostly cut, or, where rows take turns, when a few were cut and sampled nothing of use.
 *
 * A round costs an update, which is linear in the pairs and their choices; so it has at least as many
 * steps as there are pairs, and where there are many, up to eight times as many, since an update costs
 * as much as several steps a pair. But it does not more than double the steps: a large one is late for all
 * that is decided between rounds.
 */
#include <math.h>

#include "bracket/bracket.h"

static const double growth = 0.1;        /* of the steps, in a round */
static const double few_steps = 10;      /* likewise */
static const double turn_growth = 0.02;  /* likewise, where rows take turns: one that is complete
                                            before the round is over has its turns all the same */
static const uint64_t first_length = 16; /* of an episode */
static const double first_episodes = 4;  /* of the first round: whether episodes begin alike */
static const double few_rivals = 2;      /* choices of a pair that take turns, at least */
static const uint64_t most_idle = 3;     /* episodes, before they become longer */
/* Of the curious policy: how wide a bracket is too wide for it; which share of a round's steps
 * a row may get; and of how many rounds one is without it. */
static const double widest_for_gap = 0.3;
static const double crowding = 0.125;
static const uint64_t rounds_without_gap = 4;
static const double start_share = 0.5; /* of the bracket's width: then resets are what is sampled */
static const double cautious_share = 0.0625; /* of the steps are of the cautious policy */
/* Of the least size: so many pairs can be solved after as many steps; of more pairs, at most so
 * many steps each; and one for so many choices, which count where a pair has more in the mean. */
static const uint64_t few_product_states = 64;
static const uint64_t most_each = 8;
static const uint64_t many_choices = 1024;

/* ---- where the policy leads to ---- */

/* What the policy comes to. */
typedef struct search {
    opac_learning *l;
    base_bitset met;
    base_u32_vec queue;
    bool is_open;    /* something can be learned */
    bool is_missing; /* a row is not complete: */
    uint32_t missing;
} search;

static opac_status add(search *s, uint32_t product_state, opac_error *error)
{
    if (base_bitset_has(&s->met, product_state))
        return OPAC_OK;
    base_bitset_add(&s->met, product_state);
    return base_u32_vec_push(&s->queue, product_state, error);
}

static opac_status expand(search *s, uint32_t product_state, opac_error *error)
{
    sample_statistics *stats = &s->l->run.stats;
    uint32_t choice, count, next;
    if (sample_run_ends_at(&s->l->run, product_state))
        return OPAC_OK;
    choice = sample_run_choice(&s->l->run, product_state);
    const sample_choice c = stats->choices.items[choice];
    if (sample_choice_is_free(&c))
        return add(s, c.target, error);
    if (!sample_statistics_is_known(stats, choice)) {
        s->is_missing = s->is_open = true;
        s->missing = stats->counters.items[c.counter].row;
        return OPAC_OK;
    }
    const uint32_t *order = sample_statistics_order(stats, c.counter, &count);
    s->is_open |= count > 1 || bracket_model_unseen(bracket_model_of(&s->l->run)) > 0;
    for (uint32_t i = 0; i < count; i++) {
        TRY(sample_statistics_follow(stats, choice, order[i], &next, error));
        TRY(add(s, next, error));
    }
    return OPAC_OK;
}

static opac_status search_policy(search *s, opac_error *error)
{
    opac_status status;
    TRY_OR(done, base_bitset_init(&s->met, s->l->run.stats.product_states.count, error));
    TRY_OR(done, add(s, s->l->run.stats.start, error));
    for (size_t i = 0; i < s->queue.count && !s->is_missing; i++)
        TRY_OR(done, expand(s, s->queue.items[i], error));
done:
    base_bitset_fini(&s->met);
    base_u32_vec_fini(&s->queue);
    return status;
}

/* ---- the round ---- */

static bracket_plan *plan_of(const sample_run *run)
{
    return &((bracket_state *)run->own)->plan;
}

uint64_t bracket_round_least(const sample_run *run)
{
    uint64_t product_states = run->stats.product_states.count,
             each = product_states / few_product_states;
    uint64_t least = product_states * (each < 1 ? 1 : each < most_each ? each : most_each);
    uint64_t choices = run->stats.choices.count / many_choices;
    return choices > least ? choices : least;
}

/* Steps of an episode in the last round; before the first one, as many as there may be. */
static uint64_t mean_length(const sample_run *run)
{
    uint64_t episodes = run->episodes - run->round.first, steps = run->steps - run->round.steps;
    if (episodes == 0)
        return first_length;
    return steps > episodes ? steps / episodes : 1;
}

/* By what the last round says about it. */
static uint64_t choose_length(sample_run *run)
{
    bool is_first = run->round.number == 0;
    bool is_short = run->round.turns > 0 ? run->round.idle_episodes >= most_idle
                                         : mean_length(run) >= run->horizon / 2;
    if (is_first)
        return first_length;
    if (!is_short || run->horizon >= SAMPLE_LONG_EPISODE)
        return run->horizon;
    run->round.idle_episodes = 0;
    return 2 * run->horizon;
}

/* Steps that the cautious policy should have had by now, and has not. */
static double pessimistic_steps_due(const sample_run *run)
{
    double due = cautious_share * (double)run->steps - (double)plan_of(run)->pessimistic_steps;
    return bracket_model_bounds(bracket_model_of(run)).lower > 0 ? due : 0;
}

/* Episodes of another policy than that of the last round may be longer. */
static uint64_t choose_size(const sample_run *run, bracket_explore_policy policy, bool takes_turns)
{
    double least = fmin((double)bracket_round_least(run), fmax((double)run->steps, few_steps));
    double steps =
        takes_turns ? turn_growth * (double)run->steps : growth * (double)run->steps + few_steps;
    double most = growth * (double)run->episodes + few_steps;
    uint64_t length = plan_of(run)->policy == (uint64_t)policy ? mean_length(run) : run->horizon;
    double size = fmin(fmax(steps, least) / (double)length, fmax(most, least));
    if (policy == BRACKET_PESSIMISTIC)
        size = pessimistic_steps_due(run) / (double)(plan_of(run)->pessimistic_length > 0
                                                         ? plan_of(run)->pessimistic_length
                                                         : run->horizon);
    double fewest = run->round.number == 0 ? first_episodes : 1;
    return size < fewest ? (uint64_t)fewest : (uint64_t)fmin(size, 0x1p53);
}

/* Not more than rows that are new have use for; but large models are not solved that often. */
static opac_status bound_size(const sample_run *run, bracket_explore_policy policy, uint64_t *size,
                              opac_error *error)
{
    double most, least = (double)bracket_round_least(run) / (double)mean_length(run);
    if (policy != BRACKET_OPTIMISTIC || (double)*size <= fmax(BRACKET_LEAST_NEW_VISITS, least))
        return OPAC_OK;
    TRY(bracket_model_useful_episodes(bracket_model_of(run), &most, error));
    most = fmax(fmax(most, least), 1);
    if ((double)*size > most)
        *size = (uint64_t)most;
    return OPAC_OK;
}

/* Whether more resets would narrow the bracket more than anything behind them. */
static bool is_due_to_start(const sample_run *run)
{
    double gap = bracket_gap(bracket_model_bounds(bracket_model_of(run)));
    return bracket_model_unseen(bracket_model_of(run)) > start_share * gap;
}

/* The curious policy goes by slopes, which tell little of a wide bracket, and may be wrong: so some
 * rounds are without it. */
static opac_status choose_policy(const sample_run *run, const search *s,
                                 bracket_explore_policy *policy, opac_error *error)
{
    bool is_found = false,
         is_narrow = bracket_gap(bracket_model_bounds(bracket_model_of(run))) < widest_for_gap;
    double batch = crowding * (growth * (double)run->steps + few_steps);
    opac_status status = OPAC_OK;
    if (run->round.number % rounds_without_gap != 0 && is_due_to_start(run))
        is_found = true;
    else if (s->is_open && !s->is_missing && is_narrow &&
             run->round.number % rounds_without_gap != 0)
        status = bracket_model_plan_gap_reduction(bracket_model_of(run), batch, &is_found, error);
    *policy = is_found ? BRACKET_GAP : BRACKET_OPTIMISTIC;
    if (pessimistic_steps_due(run) > cautious_share / 4 * (double)run->steps + few_steps)
        *policy = BRACKET_PESSIMISTIC;
    return status;
}

/*
 * As many turns as the first row on the way that is not complete needs; others need about as many. As
 * many choices of a pair as the round has steps for, or a few: where there are very many, none would
 * become complete otherwise.
 */
static void choose_turns(sample_run *run, uint32_t row, uint64_t mean)
{
    uint64_t visits = bracket_support_visits(bracket_support_of(run), row);
    run->round.turns = visits > 0 ? visits : 1;
    double steps = (double)run->round.episodes * (double)mean;
    run->round.turn_choices =
        (uint64_t)fmin(fmax(steps / (double)run->round.turns + 1, few_rivals), 0x1p32);
}

opac_status bracket_round_choose(opac_learning *l, bool *is_open, opac_error *error)
{
    sample_run *run = &l->run;
    bracket_plan *plan = plan_of(run);
    search s = {.l = l};
    bracket_explore_policy policy = BRACKET_OPTIMISTIC;
    if (plan->policy == BRACKET_PESSIMISTIC) {
        plan->pessimistic_length = mean_length(run);
        plan->pessimistic_steps += run->steps - run->round.steps;
    }
    bracket_model_follow(bracket_model_of(run), BRACKET_OPTIMISTIC);
    TRY(search_policy(&s, error));
    TRY(choose_policy(run, &s, &policy, error));
    uint64_t size = choose_size(run, policy, s.is_missing), mean = mean_length(run);
    if (!s.is_missing)
        TRY(bound_size(run, policy, &size, error));
    run->horizon = choose_length(run);
    bracket_model_follow(bracket_model_of(run), policy);
    plan->policy = policy;
    run->round = (sample_round){.number = run->round.number + 1,
                                .first = run->episodes,
                                .episodes = size,
                                .steps = run->steps,
                                .idle_episodes = run->round.idle_episodes};
    run->limit = run->episodes + size;
    if (s.is_missing && policy == BRACKET_OPTIMISTIC)
        choose_turns(run, s.missing, mean);
    *is_open = s.is_open;
    return OPAC_OK;
}
