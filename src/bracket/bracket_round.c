/* SPDX-License-Identifier: MIT */
/*
 * Chooses the rounds of a run that closes a bracket: what their episodes are for, how many there are, and their
 * length. All of it is a function of counts, so that runs can be repeated and resumed. It affects only how soon
 * the bracket closes, not its validity.
 *
 *     reduce U    Follow the optimistic policy, which reaches whatever keeps U high; if no sample on its way can
 *                 change the bracket, U equals L. Or follow the policy that reduces the gap
 *                 (bracket_model_plan_gap_reduction.c), if it gains more for each step. If most of the gap is due
 *                 to unseen start states, episodes end after the reset.
 *     raise L     Try the candidate (bracket_trial.c), or prepare one by posterior sampling: episodes follow the
 *                 best policies of random models (frequencies.h).
 *     turns       If the optimistic policy leads to incomplete rows, the incomplete choices of a product state
 *                 take turns (sample_turn_choice), because each of them is worth 1 for the upper bound.
 *                 With rows alike, rounds are as short as possible while much of the gap is due to rows on the way of
 *                 the optimistic policy that have outcomes that they have not shown: a few visits show them, and then
 *                 another policy is better.
 *     size        A round ends when the number of steps, or of episodes, has grown by a fixed share (the last
 *                 round may have had short episodes, and this one long ones), and when the visits of some row
 *                 have grown by half: with very many actions, none is worth a share of all samples.
 *     length      The maximal length of episodes begins with 16, and doubles whenever episodes were too short:
 *                 if most of them reached it, or, when choices take turns, if a few of them reached it without
 *                 sampling an incomplete row.
 *
 * U and L are as far from their limits as about 1/√n after n steps that were spent on them, where limits are
 * estimated from the frequencies. The end that is farther for each of its steps is followed, and the other one
 * gets at least an eighth of the steps. If one end will answer a question (sample/at_least.h), that end
 * is preferred.
 *
 * Each round costs an update of the bracket. So a round has at least as many steps as there are product states, and
 * one for a number of edges that the last update visited. But it at most doubles the number of steps, because
 * everything that is decided between rounds waits for its end.
 */
#include <math.h>

#include "bracket/bracket.h"

/* Relative growth of the steps in a round: small, since U changes with each round, and the rows that keep it up do. */
static const double growth = 1.0 / 128;
static const double trial_growth = 0.125; /* the same, for rounds of trials */
/* The same, if choices take turns: a row that becomes complete during the round still gets its turns. */
static const double turn_growth = 0.02;
static const double few_steps = 10;           /* absolute growth in addition to that */
static const uint64_t first_length = 16;      /* of an episode */
static const double first_episodes = 4;       /* least number in the first round */
static const double least_turn_choices = 2;   /* of a product state */
static const uint64_t most_idle_episodes = 3; /* before episodes become longer */
/* Of the steps, for the end that is not preferred; of the steps for U, for the optimistic policy. */
static const double floor_share = 0.125;
/* Of the steps for L, for posterior samples: without a question, and with one. */
static const double sample_share = 0.4, sample_share_asked = 0.5;
static const double share_of_row =
    0.5; /* of a round's steps: what the plan for the gap gives a row */
/* With more unseen mass, relative to the gap, resets are sampled. */
static const double start_share = 0.5;
static const uint64_t enough_episodes = 32; /* of a trial, for its share of wins */
/* A round has at least a step for so many edges that the last update visited, apart from the first few. A
 * step in a model takes some ten times as long as an edge, a step of a simulator much longer. */
static const double edges_for_step = 2, edges_for_simulated = 128, few_edges = 0x1p19;
static const double choices_for_step = 1024; /* likewise, for choices */
static const double unshown_share = 0.125; /* rows alike: less is left to the gap-reducing policy */

/* ---- the rows on the way of the policy ---- */

/* The product states that the policy can reach. */
typedef struct search {
    opac_learning *l;
    base_bitset reached;
    base_u32_vec queue;
    bool is_open;     /* some sample can change the bracket */
    bool is_unshown;  /* rows alike: some row has outcomes that it has not shown */
    bool is_missing;  /* some row takes turns: it must be completed */
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
    if (sample_statistics_takes_turns(stats, choice)) {
        s->is_missing = s->is_open = true;
        s->missing = stats->counters.items[c.counter].row;
        return OPAC_OK;
    }
    s->is_unshown |= bracket_support_is_open(bracket_support_of(&s->l->run),
                                             stats->counters.items[c.counter].row);
    const uint32_t *order = sample_statistics_order(stats, c.counter, &count);
    s->is_open |= count > 1 || bracket_support_unseen(bracket_support_of(&s->l->run),
                                                      stats->counters.items[c.counter].row) > 0;
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

/* Rows alike: whether more than a small part of what further samples would gain is due to rows that have outcomes
 * that they have not shown. */
static opac_status weigh_unshown(const sample_run *run, bool *is_unshown, opac_error *error)
{
    base_double_vec weights = {0};
    double all = 0, unshown = 0;
    opac_status status = bracket_model_weights(bracket_model_of(run), &weights, error);
    for (uint32_t row = 0; row < weights.count && status == OPAC_OK; row++) {
        all += weights.items[row];
        if (bracket_support_is_open(bracket_support_of(run), row))
            unshown += weights.items[row];
    }
    *is_unshown = unshown > unshown_share * all;
    base_double_vec_fini(&weights);
    return status;
}

/* ---- the last round ---- */

static bracket_plan *plan_of(const sample_run *run)
{
    return &((bracket_state *)run->own)->plan;
}

/* Mean length of an episode in the last round; the maximal length before the first round. */
static uint64_t mean_length(const sample_run *run)
{
    uint64_t episodes = run->episodes - run->round.first, steps = run->steps - run->round.steps;
    if (episodes == 0)
        return first_length;
    return steps > episodes ? steps / episodes : 1;
}

/* Adds the steps of the last round to its purpose. */
static void account(sample_run *run)
{
    bracket_plan *plan = plan_of(run);
    if (run->round.number == 0)
        return;
    plan->steps[plan->purpose] += run->steps - run->round.steps;
    plan->mean[plan->purpose] = mean_length(run);
}

/* The maximal length of episodes, doubled if those of the last round were too short. */
static uint64_t choose_length(sample_run *run, bracket_purpose last)
{
    bracket_plan *plan = plan_of(run);
    bool is_first = run->round.number == 0;
    bool is_short = run->round.turns > 0 ? run->round.idle_episodes >= most_idle_episodes
                                         : mean_length(run) >= plan->length / 2;
    if (is_first)
        return first_length;
    if (!is_short || plan->length >= SAMPLE_LONG_EPISODE || last == BRACKET_TRY)
        return plan->length;
    run->round.idle_episodes = 0;
    return 2 * plan->length;
}

/* ---- purposes ---- */

typedef struct situation {
    opac_learning *l;
    const bracket_state *own;
    search search;
    bracket_purpose last; /* of the last round */
    bool has_plan;        /* the policy that reduces the gap gains more than the optimistic one */
} situation;

/* The share of the candidate's episodes that are won. */
static double share_won(const situation *s)
{
    const sample_candidate *c = &s->own->current;
    return c->episodes >= enough_episodes ? (double)c->wins / (double)c->episodes
                                          : s->own->outlook.value;
}

static double steps_of(const situation *s, bracket_purpose purpose)
{
    return (double)s->own->plan.steps[purpose];
}

/* Steps that were spent on each end. */
static double steps_for_upper(const situation *s)
{
    return steps_of(s, BRACKET_FOLLOW_UPPER) + steps_of(s, BRACKET_REDUCE_GAP);
}

static double steps_for_lower(const situation *s)
{
    return steps_of(s, BRACKET_FOLLOW_SAMPLE) + steps_of(s, BRACKET_TRY);
}

/* By how much U and L miss their limits, by the frequencies. */
static double excess_of_upper(const situation *s)
{
    return s->own->upper - s->own->outlook.best_value;
}

static double deficit_of_lower(const situation *s)
{
    return fmax(s->own->outlook.best_value, share_won(s)) - s->own->lower;
}

/* Whether the next round is to reduce U. With a question, L answers it if some policy is good enough by the
 * frequencies; otherwise there may be a better one, or none. */
static bool prefers_upper(const situation *s)
{
    double least = s->l->options.at_least;
    if (least > 0)
        return s->own->outlook.best_value < least && steps_for_upper(s) <= steps_for_lower(s);
    return excess_of_upper(s) * (steps_for_lower(s) + 1) >
           deficit_of_lower(s) * (steps_for_upper(s) + 1);
}

/* An end that is preferred leaves the other one a share of the steps, since frequencies may mislead. */
static bool reduces_upper(const situation *s)
{
    double least = floor_share * (double)s->l->run.steps;
    return prefers_upper(s) ? !(steps_for_lower(s) < least) : steps_for_upper(s) < least;
}

static bracket_purpose choose_of_upper(const situation *s)
{
    bool is_due = steps_of(s, BRACKET_FOLLOW_UPPER) < floor_share * steps_for_upper(s);
    return s->has_plan && !is_due ? BRACKET_REDUCE_GAP : BRACKET_FOLLOW_UPPER;
}

/* The candidate is tried while it is as good as the best policy, and good enough for the question. Otherwise one is
 * prepared by posterior samples. These also get a share as long as they may find better policies: a larger one with a
 * question, since the trial of a better policy is shorter. */
static bracket_purpose choose_of_lower(const situation *s)
{
    double least = s->l->options.at_least, share = least > 0 ? sample_share_asked : sample_share;
    bool can_improve = s->own->outlook.best_value < 1 - bracket_tolerance(s->l);
    bool is_due = steps_of(s, BRACKET_FOLLOW_SAMPLE) < share * steps_for_lower(s);
    bool can_try = s->own->outlook.has_candidate && share_won(s) > least;
    return can_try && !(can_improve && is_due) ? BRACKET_TRY : BRACKET_FOLLOW_SAMPLE;
}

static bracket_purpose choose_purpose(const situation *s)
{
    bool can_raise = s->search.is_open && s->l->run.round.number > 0 &&
                     deficit_of_lower(s) > bracket_tolerance(s->l) / 2;
    return !can_raise || !(s->own->outlook.best_value > 0) || reduces_upper(s) ? choose_of_upper(s)
                                                                               : choose_of_lower(s);
}

/* ---- the round ---- */

double bracket_round_least(const sample_run *run)
{
    const bracket_model *bracket = bracket_model_of(run);
    bool is_model = env_get_traits(run->stats.env).is_tabulated;
    double edges = bracket_model_last_work(bracket) - few_edges;
    double least = fmax((double)run->stats.product_states.count,
                        (double)run->stats.choices.count / choices_for_step);
    return fmax(least, edges / (is_model ? edges_for_step : edges_for_simulated));
}

/* By the mean length of episodes in the last round with the same purpose, or by their maximal length. */
static uint64_t choose_size(const situation *s, bracket_purpose purpose, uint64_t longest)
{
    const sample_run *run = &s->l->run;
    double done = (double)sample_run_work(run),
           least = fmin(bracket_round_least(run), fmax(done, few_steps));
    double share = purpose == BRACKET_TRY ? trial_growth : growth;
    bool takes_turns = s->search.is_missing && purpose == BRACKET_FOLLOW_UPPER;
    bool is_short = s->search.is_unshown && purpose == BRACKET_FOLLOW_UPPER && !takes_turns;
    double steps = fmax(takes_turns ? turn_growth * done
                        : is_short  ? few_steps
                                    : share * done + few_steps,
                        least);
    double most = share * (double)run->episodes + few_steps;
    uint64_t mean = s->own->plan.mean[purpose];
    double length = mean > 0 ? (double)mean : (double)longest;
    double size = fmin(steps / length, fmax(most, least));
    double fewest = run->round.number == 0 ? first_episodes : 1;
    return size < fewest ? (uint64_t)fewest : (uint64_t)fmin(size, 0x1p53);
}

/*
 * Limits the size by the growth of the visits of each row, but not below the least size, so that large models
 * are not solved too often.
 */
static opac_status bound_size(const sample_run *run, bracket_purpose purpose, uint64_t *size,
                              opac_error *error)
{
    double most, least = bracket_round_least(run) / (double)mean_length(run);
    if (purpose != BRACKET_FOLLOW_UPPER || (double)*size <= fmax(BRACKET_LEAST_NEW_VISITS, least))
        return OPAC_OK;
    TRY(bracket_model_useful_episodes(bracket_model_of(run), &most, error));
    most = fmax(fmax(most, least), 1);
    if ((double)*size > most)
        *size = (uint64_t)most;
    return OPAC_OK;
}

/* Whether resets reduce the gap more than anything after them. */
static bool is_due_to_start(const situation *s)
{
    double gap = bracket_gap(bracket_of(s->own));
    return bracket_model_unseen(s->own->bracket) > start_share * gap;
}

/* Plans the reduction of the gap, or ends episodes after the reset if most of it is due to unseen starts. */
static opac_status plan_reduction(situation *s, opac_error *error)
{
    const sample_run *run = &s->l->run;
    double batch = share_of_row * (growth * (double)run->steps + few_steps);
    s->has_plan = is_due_to_start(s);
    if (!s->has_plan && s->search.is_open && !s->search.is_missing && !s->search.is_unshown)
        return bracket_model_plan_gap_reduction(s->own->bracket, batch, &s->has_plan, error);
    return OPAC_OK;
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

/* The policy that the round follows, apart from that of a trial. */
static opac_status prepare_policy(situation *s, bracket_purpose purpose, opac_error *error)
{
    sample_run *run = &s->l->run;
    bracket_state *own = run->own;
    bracket_model_follow(own->bracket,
                         purpose == BRACKET_REDUCE_GAP ? BRACKET_GAP : BRACKET_OPTIMISTIC);
    if (purpose != BRACKET_FOLLOW_SAMPLE)
        return OPAC_OK;
    if (!s->own->outlook.has_candidate && !own->plan.has_next) {
        own->plan.has_next = true;
        own->plan.next_steps = run->steps;
        TRY(sample_positional_copy(&own->next, s->own->outlook.best, error));
    }
    return frequencies_sample(own->frequencies, run->seed ^ run->round.number, NULL, &own->sampled,
                              error);
}

static opac_status begin_round(situation *s, bracket_purpose purpose, opac_error *error)
{
    sample_run *run = &s->l->run;
    bracket_plan *plan = plan_of(run);
    plan->length = choose_length(run, s->last);
    uint64_t longest = purpose == BRACKET_TRY ? s->own->current.horizon : plan->length;
    uint64_t size = choose_size(s, purpose, longest), mean = mean_length(run);
    if (!s->search.is_missing)
        TRY(bound_size(run, purpose, &size, error));
    TRY(prepare_policy(s, purpose, error));
    plan->purpose = purpose;
    run->horizon = longest;
    run->round = (sample_round){.number = run->round.number + 1,
                                .first = run->episodes,
                                .episodes = size,
                                .steps = run->steps,
                                .is_observed = purpose == BRACKET_TRY,
                                .idle_episodes = run->round.idle_episodes};
    run->limit = run->episodes + size;
    if (s->search.is_missing && purpose == BRACKET_FOLLOW_UPPER)
        choose_turns(run, s->search.missing, mean);
    return OPAC_OK;
}

opac_status bracket_round_choose(opac_learning *l, bool *is_open, opac_error *error)
{
    bracket_plan *plan = plan_of(&l->run);
    situation s = {
        .l = l, .own = l->run.own, .search = {.l = l}, .last = (bracket_purpose)plan->purpose};
    account(&l->run);
    plan->purpose = BRACKET_FOLLOW_UPPER; /* for the search */
    l->run.round.is_observed = false;
    bracket_model_follow(s.own->bracket, BRACKET_OPTIMISTIC);
    TRY(search_policy(&s.search, error));
    if (s.search.is_unshown)
        TRY(weigh_unshown(&l->run, &s.search.is_unshown, error));
    *is_open = s.search.is_open;
    TRY(plan_reduction(&s, error));
    return begin_round(&s, choose_purpose(&s), error);
}
