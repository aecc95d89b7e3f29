/* SPDX-License-Identifier: MIT */
/*
 * Chooses the rounds of a bracket from T: what their episodes are for, and how many there are. All of it is a
 * function of counts, so that runs can be repeated and resumed. It affects only how soon the bracket closes,
 * not its validity.
 *
 *     explore    The policy that attains U_T takes what is unseen, or what the row sets leave open, on the way
 *                to Ŵ. Episodes end in Ŵ and where U_T has little left to lose. If only false winning
 *                components can keep U high, every second round continues in Ŵ.
 *     rehearse   A policy that is better by the frequencies than the current candidate is followed for some
 *                episodes. It becomes a candidate if it is still as good after that. So few indices j are
 *                spent on policies that look good by a single observation. The candidate is also replaced if what
 *                its trial loses in product states that it does not know is more than further trials would gain.
 *     try        The current candidate's trial.
 *
 * Exploring reduces U, and trying raises L. Each is as far from its limit as about 1/√n after n steps, so the one
 * that is farther for each of its steps is followed, while each gets at least an eighth of the steps. If one end will
 * answer a question (sample/at_least.h), that end is preferred.
 *
 * A round has about a tenth of the steps so far, and at least as many steps as there are product states, and more
 * if sweeps are long, but it at most doubles the number of steps: each round costs an update of the bracket. No
 * episode that explores is longer than its round, since all of it may be a detour.
 */
#include <math.h>

#include "horizon/horizon_bracket.h"

static const double growth = 0.1;           /* relative growth of the steps in a round */
static const double few_steps = 10;         /* absolute growth in addition to that */
static const double floor_share = 0.125;    /* of the steps, for each arm */
static const uint64_t enough_episodes = 32; /* of a trial, for its share of wins */
static const double tolerance_share =
    0.125; /* of the width that samples can change: see horizon_tolerance() */
static const uint64_t long_episodes = 8; /* one of so many trial episodes runs on to 2 T */
static const uint64_t first_length = 16; /* of an episode that explores, before there was one */
/* An episode that explores ends when it takes choices that were never tried so often in a product state: what it
 * finds is used from the next round on. */
static const uint64_t most_visits = 16;
/* A round has at least a step for so many edges that the sweeps of an update visit. */
static const double edges_for_step = 1000;

static horizon_plan *plan_of(const sample_run *run)
{
    return &horizon_state_of(run)->plan;
}

double horizon_target(const opac_learn_options *o)
{
    return o->target > 0 ? o->target : 4 * o->epsilon;
}

double horizon_tolerance(const opac_learning *l)
{
    const horizon_state *own = horizon_state_of(&l->run);
    double width = own->is_free ? own->target : own->target - 2 * l->options.epsilon;
    return tolerance_share * width;
}

/* ---- the last round ---- */

/* Adds the steps of the last round to its purpose. */
static void account(sample_run *run)
{
    horizon_plan *plan = plan_of(run);
    uint64_t steps = run->steps - run->round.steps, episodes = run->episodes - run->round.first;
    if (run->round.number == 0)
        return;
    plan->steps[plan->purpose] += steps;
    if (plan->purpose == HORIZON_EXPLORE) {
        plan->explored_steps = steps;
        plan->explored_episodes = episodes;
    }
}

/* ---- candidates ---- */

typedef struct situation {
    opac_learning *l;
    horizon_state *own;
    const sample_positional *best; /* by the frequencies_model */
    double best_value, value;      /* its value, and that of the current candidate's trials */
    bool has_candidate;            /* the current candidate is as good as the best policy */
    bool can_explore;              /* the exploration policy takes a step */
} situation;

static opac_status find_value(situation *s, const sample_positional *policy, double *value,
                              opac_error *error)
{
    return frequencies_value(s->own->frequencies, policy, s->own->stop_handle, value, error);
}

static bool is_as_good(const situation *s, double value)
{
    return value > 0 && value >= s->best_value - horizon_tolerance(s->l);
}

/*
 * The value of a candidate's trials by the frequencies: *value, or less if they are lost where the policy is not.
 * *is_outgrown: so much is lost that another candidate, which knows more, is better, though its trial begins anew.
 */
static opac_status find_trial_value(situation *s, const sample_candidate *candidate, double *value,
                                    bool *is_outgrown, opac_error *error)
{
    double of_trials;
    horizon_state *own = s->own;
    *is_outgrown = false;
    if (!sample_candidate_may_lose(candidate, &s->l->run.stats))
        return OPAC_OK;
    TRY(frequencies_trial_value(own->frequencies, candidate, own->stop_handle, &of_trials, error));
    double loss = *value - of_trials;
    if (loss <= horizon_tolerance(s->l))
        return OPAC_OK;
    double lower = sample_candidate_lower(candidate, sample_row_sets_budget(own->sets), 0);
    *value = of_trials;
    *is_outgrown = candidate->episodes >= enough_episodes &&
                   loss > (double)candidate->wins / (double)candidate->episodes - lower;
    return OPAC_OK;
}

/* Keeps the current candidate if its bound is the greatest so far. */
static opac_status retire(situation *s, opac_error *error)
{
    const sample_budget *budget = sample_row_sets_budget(s->own->sets);
    double epsilon = s->own->allowance;
    if (s->own->current.index == 0 || sample_candidate_lower(&s->own->current, budget, epsilon) <
                                          sample_candidate_lower(&s->own->best, budget, epsilon))
        return OPAC_OK;
    return sample_candidate_copy(&s->own->best, &s->own->current, error);
}

/* Makes the earlier candidate the current one again, if it is as good as the best policy. */
static opac_status recall(situation *s, opac_error *error)
{
    horizon_state *own = s->own;
    double value;
    if (own->best.index == 0 || own->best.index == own->current.index)
        return OPAC_OK;
    TRY(find_value(s, &own->best.policy, &value, error));
    bool is_outgrown;
    if (is_as_good(s, value))
        TRY(find_trial_value(s, &own->best, &value, &is_outgrown, error));
    if (!is_as_good(s, value))
        return OPAC_OK;
    sample_candidate other = own->current;
    own->current = own->best;
    own->best = other;
    s->value = value;
    s->has_candidate = true;
    return OPAC_OK;
}

/* Makes the rehearsed policy a candidate, if it is still as good as the best one. */
static opac_status promote(situation *s, opac_error *error)
{
    horizon_state *own = s->own;
    double value, within = 1;
    TRY(sample_positional_extend(&own->rehearsed, &s->l->run.stats, error));
    TRY(find_value(s, &own->rehearsed, &value, error));
    own->plan.has_rehearsed = false;
    if (!is_as_good(s, value))
        return OPAC_OK;
    if (own->is_free) /* it may win, but not within the length of episodes so far */
        TRY(frequencies_reach(own->frequencies, &own->rehearsed, (frequencies_target){0},
                              s->l->report.horizon, own->stop_handle, &within, NULL, error));
    if (!(within > 0))
        return OPAC_OK;
    TRY(retire(s, error));
    sample_candidate_clear(&own->current);
    own->current.index = ++own->plan.tried;
    if (own->is_free)
        TRY(horizon_free_prepare(s->l, &own->rehearsed, &own->current, error));
    else
        own->current.horizon = s->l->report.horizon;
    s->value = value;
    s->has_candidate = true;
    return sample_positional_copy(&own->current.policy, &own->rehearsed, error);
}

static opac_status find_candidate(situation *s, opac_error *error)
{
    const sample_candidate *current = &s->own->current;
    bool is_outgrown = false;
    s->best = frequencies_best(s->own->frequencies, &s->best_value);
    if (current->index > 0)
        TRY(find_value(s, &current->policy, &s->value, error));
    s->has_candidate = current->index > 0 && is_as_good(s, s->value);
    if (s->has_candidate)
        TRY(find_trial_value(s, current, &s->value, &is_outgrown, error));
    s->has_candidate = s->has_candidate && !is_outgrown;
    if (!s->has_candidate)
        TRY(recall(s, error));
    if (!s->has_candidate && s->own->plan.has_rehearsed)
        TRY(promote(s, error));
    return OPAC_OK;
}

/* ---- purposes ---- */

static void look_ahead(situation *s)
{
    bool is_there;
    const sample_run *run = &s->l->run;
    s->can_explore = run->stats.start == SAMPLE_NONE ||
                     horizon_timed_choice(horizon_model_timed(s->own->model), run->stats.start,
                                          s->l->report.horizon, &is_there) != SAMPLE_NONE;
}

/* The share of the candidate's episodes that are won. */
static double share_won(const situation *s)
{
    const sample_candidate *c = &s->own->current;
    return c->episodes >= enough_episodes ? (double)c->wins / (double)c->episodes : s->value;
}

/* How far U and L are from where further samples would bring them, by the frequencies. */
static double excess_of_upper(const situation *s)
{
    double allowance = s->own->allowance;
    return fmin(s->own->reach + allowance, 1) - fmin(s->best_value + allowance, 1);
}

static double deficit_of_lower(const situation *s)
{
    return share_won(s) - s->own->allowance - s->own->lower;
}

/* Only U can be far from its limit, so that even a trial of infinite length would not close the bracket. */
static bool is_stuck(const situation *s)
{
    double closed = share_won(s) - s->own->allowance;
    return !s->own->is_free && s->own->upper - closed >= s->own->target;
}

static bool is_below_floor(const situation *s, horizon_purpose purpose)
{
    return (double)s->own->plan.steps[purpose] < floor_share * (double)s->l->run.steps;
}

/*
 * With a question, one end is enough: by the frequencies, the limit of L reaches P, or that of U falls below it. If P
 * is between these limits, both ends move on until the bracket is narrow.
 */
static bool is_one_end_enough(const situation *s, bool *is_upper)
{
    const opac_learn_options *o = &s->l->options;
    *is_upper = s->best_value + s->own->allowance < o->at_least;
    return o->at_least > 0 && (*is_upper || share_won(s) - s->own->allowance > o->at_least);
}

/*
 * Both distances fall about with the square root of the steps of their arm, so the arm with the larger distance
 * for each of its steps is followed. Where L follows from the model, exploring raises it, too. If nothing is
 * known, exploring only finds better policies, and both get the same number of steps.
 */
static bool prefers_exploring(const situation *s)
{
    const horizon_plan *plan = &s->own->plan;
    double explored = (double)plan->steps[HORIZON_EXPLORE] + 1,
           tried = (double)plan->steps[HORIZON_TRY] + 1;
    bool is_upper;
    if (is_one_end_enough(s, &is_upper))
        return is_upper;
    if (s->own->source == HORIZON_FROM_FREQUENCIES)
        return true;
    if (s->own->is_free)
        return explored < tried;
    return excess_of_upper(s) * tried > deficit_of_lower(s) * explored;
}

static horizon_purpose choose_purpose(const situation *s)
{
    bool can_try = s->best_value > 0;
    horizon_purpose attempt = s->has_candidate ? HORIZON_TRY : HORIZON_REHEARSE;
    if (!can_try)
        return HORIZON_EXPLORE;
    if (s->can_explore && is_below_floor(s, HORIZON_EXPLORE))
        return HORIZON_EXPLORE;
    if (!s->has_candidate || !s->can_explore || is_below_floor(s, HORIZON_TRY))
        return attempt;
    return prefers_exploring(s) ? HORIZON_EXPLORE : HORIZON_TRY;
}

/* ---- the round ---- */

static double steps_wanted(const sample_run *run)
{
    double done = (double)sample_run_work(run);
    double steps = growth * done + few_steps;
    double least = fmax((double)run->stats.product_states.count,
                        horizon_model_work(horizon_state_of(run)->model) / edges_for_step);
    return fmax(steps, fmin(least, fmax(done, few_steps)));
}

static uint64_t count_episodes(const sample_run *run, uint64_t length)
{
    double episodes = steps_wanted(run) / (double)length;
    return episodes < 1 ? 1 : (uint64_t)fmin(episodes, 0x1p40);
}

static opac_status begin_exploring(situation *s, uint64_t *episodes, opac_error *error)
{
    horizon_plan *plan = &s->own->plan;
    const sample_run *run = &s->l->run;
    uint64_t length =
        plan->explored_episodes > 0 ? plan->explored_steps / plan->explored_episodes : first_length;
    plan->through =
        !s->can_explore || (s->has_candidate && is_stuck(s) && run->round.number % 2 == 1);
    if (plan->through)
        length = s->l->report.horizon;
    *episodes = count_episodes(run, length > 0 ? length : 1);
    TRY(sample_positional_copy(&s->own->inside, s->best, error));
    return horizon_timed_copy(&s->own->timed, horizon_model_timed(s->own->model), error);
}

/* Some of a candidate's episodes run on to 2 T; which ones is decided before they begin. */
static void begin_trial(situation *s, uint64_t *episodes)
{
    const sample_candidate *c = &s->own->current;
    uint64_t due = (c->episodes + *episodes) / long_episodes;
    s->own->plan.is_long =
        !s->own->is_free && due > c->longer && s->l->report.horizon <= UINT64_MAX / 4;
    if (s->own->plan.is_long && *episodes > due - c->longer)
        *episodes = due - c->longer;
}

static opac_status begin_rehearsal(situation *s, const sample_positional *policy, opac_error *error)
{
    s->own->plan.has_rehearsed = true;
    return sample_positional_copy(&s->own->rehearsed, policy, error);
}

static opac_status begin_round(situation *s, horizon_purpose purpose, opac_error *error)
{
    sample_run *run = &s->l->run;
    horizon_plan *plan = &s->own->plan;
    uint64_t length = purpose == HORIZON_TRY ? s->own->current.horizon : s->l->report.horizon;
    uint64_t episodes = count_episodes(run, length);
    plan->purpose = purpose;
    plan->horizon = s->l->report.horizon;
    plan->through = plan->is_long = false;
    if (purpose == HORIZON_EXPLORE)
        TRY(begin_exploring(s, &episodes, error));
    else if (purpose == HORIZON_TRY)
        begin_trial(s, &episodes);
    else
        TRY(begin_rehearsal(s, s->best, error));
    run->horizon = plan->is_long ? 2 * length : length;
    bool explores = purpose == HORIZON_EXPLORE;
    double longest = fmax(steps_wanted(run), (double)first_length);
    if (explores && !plan->through && longest < (double)run->horizon)
        run->horizon = (uint64_t)longest;
    run->round = (sample_round){.number = run->round.number + 1,
                                .first = run->episodes,
                                .episodes = episodes,
                                .steps = run->steps,
                                .turns = explores,
                                .turn_choices = UINT32_MAX,
                                .most_visits = most_visits,
                                .is_timed = explores,
                                .is_observed = purpose == HORIZON_TRY};
    run->limit = run->episodes + episodes;
    return OPAC_OK;
}

opac_status horizon_round_choose(opac_learning *l, opac_error *error)
{
    situation s = {.l = l, .own = horizon_state_of(&l->run)};
    account(&l->run);
    TRY(find_candidate(&s, error));
    horizon_find_lower(l); /* the run may end before the next update */
    look_ahead(&s);
    return begin_round(&s, choose_purpose(&s), error);
}

opac_status horizon_round_rehearse(opac_learning *l, opac_error *error)
{
    situation s = {.l = l, .own = horizon_state_of(&l->run)};
    account(&l->run);
    s.best = horizon_policy_to_return(s.own);
    return begin_round(&s, HORIZON_REHEARSE, error);
}
