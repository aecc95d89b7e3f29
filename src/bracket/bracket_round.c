/* SPDX-License-Identifier: MIT */
/*
 * Chooses the rounds of a run that closes a bracket: the policy, the number of episodes and their length.
 * All of it is a function of counts, so that runs can be repeated and resumed. It affects only how soon
 * the bracket closes, not its validity.
 *
 *     policy   The optimistic policy reaches whatever keeps U high; if no sample on its way can change the
 *              bracket, U equals L. Once all rows on its way are complete and the bracket is narrower than
 *              widest_for_gap, three rounds of four follow the policy that reduces the gap
 *              (bracket_model_plan_gap_reduction.c). A sixteenth of the steps follows the pessimistic
 *              policy, since U may stay high for long, and L is useful by itself. (Alternating between
 *              optimistic and pessimistic costs up to twice the samples.) If most of the gap is due to
 *              unseen start states, three rounds of four end each episode after the reset.
 *     turns    If the optimistic policy leads to incomplete rows, the incomplete choices of a product state
 *              take turns (sample_turn_choice), because each of them is worth 1 for the upper bound.
 *     size     A round ends when the number of steps, or of episodes, has grown by a fixed share (the last
 *              round may have had short episodes, and this one long ones), and when the visits of some row
 *              have grown by half: with very many actions, none is worth a share of all samples.
 *     length   The maximal length of episodes begins with 16, and doubles whenever episodes were too short:
 *              if most of them reached it, or, when choices take turns, if a few of them reached it without
 *              sampling an incomplete row.
 *
 * Each round costs an update of the bracket, which takes time linear in the product states and their
 * choices, as much as several steps for each product state. So a round has at least as many steps as there
 * are product states, and up to eight times as many if there are many. But it at most doubles the number of
 * steps, because everything that is decided between rounds waits for its end.
 */
#include <math.h>

#include "bracket/bracket.h"

static const double growth = 0.1;       /* relative growth of the steps in a round */
static const double few_steps = 10;     /* absolute growth in addition to that */
static const double turn_growth = 0.02; /* relative growth if choices take turns: a row that becomes
                                           complete during the round still gets its turns */
static const uint64_t first_length = 16;      /* of an episode */
static const double first_episodes = 4;       /* least number in the first round */
static const double least_turn_choices = 2;   /* of a product state */
static const uint64_t most_idle_episodes = 3; /* before episodes become longer */
/* The gap-reducing policy: the widest bracket for it; the part of a round's steps that a row may get; and
 * every so many rounds, one does not follow it. */
static const double widest_for_gap = 0.3;
static const double share_of_row = 0.125;
static const uint64_t rounds_without_gap = 4;
static const double start_share =
    0.5; /* with more unseen mass, relative to the gap, resets are sampled */
static const double pessimistic_share = 0.0625; /* of all steps */
/* Least number of steps of a round: one for each product state, and one more for each few_product_states of
 * them, up to most_each; or one for each many_choices choices, if that is more. */
static const uint64_t few_product_states = 64;
static const uint64_t most_each = 8;
static const uint64_t many_choices = 1024;

/* ---- the rows on the way of the policy ---- */

/* The product states that the policy can reach. */
typedef struct search {
    opac_learning *l;
    base_bitset reached;
    base_u32_vec queue;
    bool is_open;     /* some sample can change the bracket */
    bool is_missing;  /* some row is incomplete */
    uint32_t missing; /* the first such row */
} search;

static opac_status add(search *s, uint32_t product_state, opac_error *error)
{
    if (base_bitset_has(&s->reached, product_state))
        return OPAC_OK;
    base_bitset_add(&s->reached, product_state);
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
    TRY_OR(done, base_bitset_init(&s->reached, s->l->run.stats.product_states.count, error));
    TRY_OR(done, add(s, s->l->run.stats.start, error));
    for (size_t i = 0; i < s->queue.count && !s->is_missing; i++)
        TRY_OR(done, expand(s, s->queue.items[i], error));
done:
    base_bitset_fini(&s->reached);
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

/* Mean length of an episode in the last round; the maximal length before the first round. */
static uint64_t mean_length(const sample_run *run)
{
    uint64_t episodes = run->episodes - run->round.first, steps = run->steps - run->round.steps;
    if (episodes == 0)
        return first_length;
    return steps > episodes ? steps / episodes : 1;
}

/* The maximal length of episodes, doubled if those of the last round were too short. */
static uint64_t choose_length(sample_run *run)
{
    bool is_first = run->round.number == 0;
    bool is_short = run->round.turns > 0 ? run->round.idle_episodes >= most_idle_episodes
                                         : mean_length(run) >= run->horizon / 2;
    if (is_first)
        return first_length;
    if (!is_short || run->horizon >= SAMPLE_LONG_EPISODE)
        return run->horizon;
    run->round.idle_episodes = 0;
    return 2 * run->horizon;
}

/* Number of steps that the pessimistic policy lacks to its share; 0 as long as L is 0. */
static double pessimistic_steps_due(const sample_run *run)
{
    double due = pessimistic_share * (double)run->steps - (double)plan_of(run)->pessimistic_steps;
    return bracket_model_bounds(bracket_model_of(run)).lower > 0 ? due : 0;
}

/* Episodes of another policy than that of the last round may be longer, so their maximal length is used. */
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

/*
 * Limits the size by the growth of the visits of each row, but not below the least size, so that large models
 * are not solved too often.
 */
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

/* Whether resets reduce the gap more than anything after them. */
static bool is_due_to_start(const sample_run *run)
{
    double gap = bracket_gap(bracket_model_bounds(bracket_model_of(run)));
    return bracket_model_unseen(bracket_model_of(run)) > start_share * gap;
}

/*
 * The gap-reducing policy uses estimated slopes, which say little about a wide bracket and may be wrong, so
 * some rounds do not follow it.
 */
static opac_status choose_policy(const sample_run *run, const search *s,
                                 bracket_explore_policy *policy, opac_error *error)
{
    bool is_found = false,
         is_narrow = bracket_gap(bracket_model_bounds(bracket_model_of(run))) < widest_for_gap;
    double batch = share_of_row * (growth * (double)run->steps + few_steps);
    opac_status status = OPAC_OK;
    if (run->round.number % rounds_without_gap != 0 && is_due_to_start(run))
        is_found = true;
    else if (s->is_open && !s->is_missing && is_narrow &&
             run->round.number % rounds_without_gap != 0)
        status = bracket_model_plan_gap_reduction(bracket_model_of(run), batch, &is_found, error);
    *policy = is_found ? BRACKET_GAP : BRACKET_OPTIMISTIC;
    if (pessimistic_steps_due(run) > pessimistic_share / 4 * (double)run->steps + few_steps)
        *policy = BRACKET_PESSIMISTIC;
    return status;
}

/*
 * The number of turns is what the first incomplete row on the way needs; others need about as many. At most
 * as many choices of a product state take turns as the round has steps for, but at least two: if there are
 * very many, none would become complete otherwise.
 */
static void choose_turns(sample_run *run, uint32_t row, uint64_t mean)
{
    uint64_t visits = bracket_support_visits(bracket_support_of(run), row);
    run->round.turns = visits > 0 ? visits : 1;
    double steps = (double)run->round.episodes * (double)mean;
    run->round.turn_choices =
        (uint64_t)fmin(fmax(steps / (double)run->round.turns + 1, least_turn_choices), 0x1p32);
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
