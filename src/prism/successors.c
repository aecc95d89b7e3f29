/* SPDX-License-Identifier: MIT */
/*
 * Which commands are enabled, what their branches are worth and where they
 * lead, and the products of those that go together. Nothing is allocated for a
 * state but room in the batch. A command is made ready only when it is taken:
 * what would fail in one that waits for another module in vain is no failure.
 */
#include "prism/successors.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/bits.h"
#include "base/double_double.h"
#include "base/sum.h"
#include "base/work.h"
#include "prism/state_words.h"

enum {
    MOST_BRANCHES = 1 << 24, /* of a state */
    POLL_EVERY = 1 << 12     /* branches */
};

void prism_batch_fini(prism_batch *batch)
{
    base_u64_vec_fini(&batch->rows);
    base_double_vec_fini(&batch->probabilities);
    base_double_vec_fini(&batch->low);
    prism_ratio_vec_fini(&batch->exact);
    prism_choice_vec_fini(&batch->choices);
    batch->count = 0;
}

/* ---- which commands ---- */

/* Its first command: the steps that begin with it may be possible. */
static void activate(prism_plan *plan, uint32_t group)
{
    plan->active[plan->active_count++] = group;
    for (uint32_t s = plan->groups[group].leads; s != PRISM_NO_ENTRY; s = plan->steps[s].next)
        plan->due[s / 64] |= UINT64_C(1) << (s % 64);
}

static void forget_enabled(prism_plan *plan)
{
    for (uint32_t i = 0; i < plan->active_count; i++)
        plan->enabled_count[plan->active[i]] = 0;
    plan->active_count = 0;
}

static opac_status find_enabled(prism_plan *plan, const prism_state *state, opac_error *error)
{
    const prism_program *program = plan->program;
    forget_enabled(plan);
    for (uint32_t m = 0; m < program->module_count; m++) {
        const prism_index *index = &plan->indices[m];
        const prism_index_node *leaf = prism_index_find(index, state->values);
        for (uint32_t i = 0; i < leaf->count; i++) {
            const prism_candidate *candidate = &index->candidates.items[leaf->begin + i];
            int64_t holds = 1;
            if (candidate->guard != PRISM_NO_ENTRY &&
                prism_code_integer(plan->code, candidate->guard, state->values, &holds, error) !=
                    OPAC_OK)
                return prism_fail_in_state(program, state->values, OPAC_ERROR_ARGUMENT, error);
            if (holds != 0) {
                uint32_t command = plan->first_action[m] + candidate->command;
                uint32_t group = plan->actions[command].group;
                if (plan->enabled_count[group] == 0)
                    activate(plan, group);
                plan->enabled[plan->groups[group].begin + plan->enabled_count[group]++] = command;
            }
        }
    }
    return OPAC_OK;
}

/* ---- probabilities ---- */

/* Adding up some branches, or computing one, takes no more from 1. */
#define MUCH_AS_ROUNDING 1e-14

enum {
    /*
     * In units of 2^-53: up to it a product of doubles is precise enough. The solver allows for 2^-50 (8
     * units), of which dividing the row takes 2, and merging branches 1.
     */
    MOST_ERROR = 5
};

static opac_status fail_in(const prism_plan *plan, const prism_state *state, prism_place place,
                           const char *what, const char *number, opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_ARGUMENT, place.line, place.column, what, number);
    return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_ARGUMENT, error);
}

/* Refuses a number that is no probability; high is the double next to it. */
static opac_status check_number(const prism_plan *plan, const prism_state *state,
                                const prism_way *way, const prism_number *number, bool is_precise,
                                double high, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    const char *what;
    if (is_precise && high >= MODEL_LEAST_PROBABILITY && high <= 1 + MUCH_AS_ROUNDING)
        return OPAC_OK;
    if (is_precise && high == 0 && prism_number_sign(number) == 0)
        return OPAC_OK;
    if (number->kind == PRISM_NUMBER_UNDEFINED)
        what = "the probability is no number%.0s";
    else if (!is_precise && !isinf(high))
        what =
            "the probability is about %s, but cannot be computed precisely: write it as a shorter "
            "fraction, or without differences that cancel";
    else if (fabs(high) < MODEL_LEAST_PROBABILITY && prism_number_sign(number) > 0)
        what = "the probability is not 0, but too small for a double (below 2.3e-308)%.0s";
    else
        what = "the probability is %s, and not between 0 and 1";
    return fail_in(plan, state, way->place, what, opac_number_format(high, text), error);
}

static opac_status find_number(prism_plan *plan, const prism_state *state, const prism_way *way,
                               prism_number *number, opac_error *error)
{
    if (way->node != NULL)
        prism_number_of_literal(way->node, number);
    else if (way->entry == PRISM_NO_ENTRY)
        prism_number_of_ratio(base_ratio_of_integer(1), number);
    else if (prism_code_number(plan->code, way->entry, state->values, number, error) != OPAC_OK)
        return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_ARGUMENT, error);
    return OPAC_OK;
}

/* The probability of a branch as a number, and in doubles of twice the length. */
static opac_status weigh_precisely(prism_plan *plan, const prism_state *state, const prism_way *way,
                                   prism_number *number, base_dd *probability, opac_error *error)
{
    TRY(find_number(plan, state, way, number, error));
    bool is_precise = prism_number_split(number, &probability->high, &probability->low);
    return check_number(plan, state, way, number, is_precise, probability->high, error);
}

static opac_status weigh_number(prism_plan *plan, const prism_state *state, const prism_way *way,
                                double *probability, opac_error *error)
{
    prism_number number;
    TRY(find_number(plan, state, way, &number, error));
    bool is_precise = prism_number_to_double(&number, probability);
    return check_number(plan, state, way, &number, is_precise, *probability, error);
}

/* In doubles, if they are precise enough. */
static opac_status weigh_way(prism_plan *plan, const prism_state *state, const prism_way *way,
                             double *probability, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    if (way->roundings == 0)
        return weigh_number(plan, state, way, probability, error);
    *probability = way->literal;
    if (way->entry == PRISM_NO_ENTRY)
        return OPAC_OK;
    if (prism_code_real(plan->code, way->entry, state->values, probability, error) != OPAC_OK)
        return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_ARGUMENT, error);
    if (model_is_too_small(*probability))
        return fail_in(plan, state, way->place, "the probability is %s, too small for a double",
                       opac_number_format(*probability, text), error);
    if (*probability >= 0 && *probability <= 1 + MUCH_AS_ROUNDING) /* so that NaN is refused */
        return OPAC_OK;
    return fail_in(plan, state, way->place, "the probability is %s, and not between 0 and 1",
                   opac_number_format(*probability, text), error);
}

/* A sum that is not quite 1: how far it may be from it, and that it is told once. */
static opac_status check_sum(prism_run *run, const prism_state *state, prism_action *action,
                             double sum, const char *text, opac_error *error)
{
    const prism_plan *plan = run->plan;
    char words[PRISM_STATE_SIZE];
    if (!model_sum_is_tolerable(sum))
        return fail_in(plan, state, action->place,
                       "the probabilities of this command sum to %s, not to 1", text, error);
    if (fabs(sum - 1) > MODEL_SUM_WARNING && !action->told_sum) {
        action->told_sum = true;
        model_report_warning(run->report, action->place.line, action->place.column,
                             "the probabilities of this command sum to %s in state (%s); they are "
                             "divided by that",
                             text,
                             prism_state_words(plan->program, state->values, words, sizeof words));
    }
    return OPAC_OK;
}

/* Whether a factor leaves the precision of a product as it is. */
static bool is_power_of_two(double probability, double low)
{
    int exponent;
    return low == 0 && frexp(probability, &exponent) == 0.5;
}

/*
 * Divides by a sum that is not 1. A row of the model stands for its numbers divided by their
 * exact sum, which is done there (model/row.h): here it matters only that the sums of many modules that
 * move together do not add up to one that is refused.
 */
static opac_status normalise(prism_run *run, const prism_state *state, prism_action *action,
                             base_dd sum, opac_error *error)
{
    prism_plan *plan = run->plan;
    char text[OPAC_NUMBER_SIZE];
    action->error = 0;
    for (uint32_t i = action->way_begin; i < action->way_begin + action->live; i++) {
        base_dd share = {plan->live[i].probability, plan->live_low[i]};
        if (fabs(sum.high - 1) > MUCH_AS_ROUNDING)
            share = base_dd_divide(share, sum);
        plan->live[i].probability = share.high;
        plan->live_low[i] = share.low;
        if (!is_power_of_two(share.high, share.low))
            action->error = 2; /* its own rounding, and that of the product */
    }
    return check_sum(run, state, action, sum.high, opac_number_format(sum.high, text), error);
}

/* In doubles of twice the length. */
static opac_status weigh_wide(prism_run *run, const prism_state *state, prism_action *action,
                              opac_error *error)
{
    prism_plan *plan = run->plan;
    base_dd sum = {0};
    action->live = 0;
    for (uint32_t w = action->way_begin; w < action->way_end; w++) {
        prism_number number;
        base_dd probability;
        TRY(weigh_precisely(plan, state, &plan->ways[w], &number, &probability, error));
        if (probability.high == 0)
            continue;
        uint32_t at = action->way_begin + action->live++;
        plan->live[at] = (prism_live){probability.high, w};
        plan->live_low[at] = probability.low;
        sum = base_dd_add(sum, probability);
    }
    action->has_low = true;
    return normalise(run, state, action, sum, error);
}

static opac_status weigh(prism_run *run, const prism_state *state, prism_action *action,
                         opac_error *error)
{
    prism_plan *plan = run->plan;
    double sum = 0, rest = 0;
    if (action->is_constant || run->is_precise)
        return weigh_wide(run, state, action, error);
    action->live = 0;
    action->has_low = false;
    action->error = 2;
    for (uint32_t w = action->way_begin; w < action->way_end; w++) {
        double probability;
        TRY(weigh_way(plan, state, &plan->ways[w], &probability, error));
        if (probability > 0)
            plan->live[action->way_begin + action->live++] = (prism_live){probability, w};
        sum = base_sum_add(sum, probability, &rest);
        if (plan->ways[w].roundings >= action->error)
            action->error = (uint8_t)(plan->ways[w].roundings + 1);
    }
    return fabs(sum + rest - 1) <= MUCH_AS_ROUNDING ? OPAC_OK
                                                    : weigh_wide(run, state, action, error);
}

/* ---- the same in fractions ---- */

/* Divides by a sum that is not 1. */
static opac_status normalise_exactly(prism_run *run, const prism_state *state, prism_action *action,
                                     base_ratio sum, opac_error *error)
{
    prism_plan *plan = run->plan;
    char text[BASE_RATIO_SIZE];
    TRY(check_sum(run, state, action, base_ratio_to_double(sum), base_ratio_format(sum, text),
                  error));
    for (uint32_t i = 0; i < action->live; i++) {
        base_ratio *share = &plan->live_exact[action->way_begin + i];
        *share = base_ratio_divide(*share, sum);
        if (!base_ratio_is_known(*share))
            return fail_in(
                plan, state, action->place,
                "the probabilities of this command sum to %s, and divided by that one of "
                "them does not fit in a fraction of 64-bit numbers",
                text, error);
        plan->live[action->way_begin + i].probability = base_ratio_to_double(*share);
    }
    return OPAC_OK;
}

static opac_status weigh_exactly(prism_run *run, const prism_state *state, prism_action *action,
                                 opac_error *error)
{
    prism_plan *plan = run->plan;
    base_ratio sum = base_ratio_of_integer(0);
    action->live = 0;
    for (uint32_t w = action->way_begin; w < action->way_end; w++) {
        prism_number number;
        base_dd probability;
        TRY(weigh_precisely(plan, state, &plan->ways[w], &number, &probability, error));
        if (number.kind != PRISM_NUMBER_RATIO)
            return fail_in(plan, state, plan->ways[w].place,
                           "the probability cannot be computed exactly%s", "", error);
        sum = base_ratio_add(sum, number.ratio);
        if (number.ratio.numerator == 0)
            continue;
        uint32_t at = action->way_begin + action->live++;
        plan->live[at] = (prism_live){probability.high, w};
        plan->live_exact[at] = number.ratio;
    }
    if (!base_ratio_is_known(sum))
        return fail_in(plan, state, action->place,
                       "the sum of the probabilities of this command cannot be computed exactly%s",
                       "", error);
    return sum.numerator == sum.denominator ? OPAC_OK
                                            : normalise_exactly(run, state, action, sum, error);
}

/* ---- updates ---- */

static opac_status fail_range(const prism_plan *plan, const prism_state *state,
                              const prism_set *set, int64_t value, opac_error *error)
{
    char name[OPAC_SHOWN_SIZE];
    const prism_variable *variable = &plan->program->variables[set->variable];
    opac_text_show(variable->name, strlen(variable->name), name, sizeof name);
    base_fail_at(error, OPAC_ERROR_ARGUMENT, set->place.line, set->place.column,
                 "%s becomes %" PRId64 ", outside its range [%" PRId64 "..%" PRId64 "]", name,
                 value, variable->low, variable->high);
    return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_ARGUMENT, error);
}

static inline opac_status apply_set(const prism_plan *plan, const prism_state *state,
                                    const prism_set *set, uint64_t *ready, opac_error *error)
{
    const model_variable *variable = &plan->layout->variables[set->variable];
    int64_t value;
    if (set->kind == PRISM_SET_SUM)
        value = state->values[set->source] + set->offset;
    else if (prism_code_integer(plan->code, set->source, state->values, &value, error) != OPAC_OK)
        return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_ARGUMENT, error);
    if (value < variable->low || value > variable->high)
        return fail_range(plan, state, set, value, error);
    if (variable->mask != 0)
        ready[variable->word] |= (uint64_t)(value - variable->low) << variable->shift;
    return OPAC_OK;
}

static opac_status update(const prism_plan *plan, const prism_state *state,
                          const prism_action *action, opac_error *error)
{
    uint32_t words = plan->words;
    for (uint32_t i = 0; i < action->live; i++) {
        uint32_t w = plan->live[action->way_begin + i].way;
        const prism_way *way = &plan->ways[w];
        uint64_t *ready = plan->ready + (size_t)w * words;
        if (way->set_begin == way->set_end)
            continue;
        for (uint32_t k = 0; k < words; k++)
            ready[k] = plan->fixed[(size_t)w * words + k];
        for (uint32_t s = way->set_begin; s < way->set_end; s++)
            TRY(apply_set(plan, state, &plan->sets.items[s], ready, error));
    }
    return OPAC_OK;
}

/* Its live branches and where they lead, in this state. */
static inline opac_status make_ready(prism_run *run, const prism_state *state, uint32_t command,
                                     opac_error *error)
{
    prism_action *action = &run->plan->actions[command];
    if (action->ready_at == state->visit + 1)
        return OPAC_OK;
    action->ready_at = state->visit + 1;
    if (!action->is_weighed) {
        TRY(run->plan->exact ? weigh_exactly(run, state, action, error)
                             : weigh(run, state, action, error));
        action->is_weighed = action->is_constant;
    }
    return action->has_sets ? update(run->plan, state, action, error) : OPAC_OK;
}

/* ---- choices ---- */

/* Room for `count` branches of the choice that begins at `begin`. */
static opac_status reserve(const prism_plan *plan, prism_batch *batch, size_t count,
                           opac_error *error)
{
    TRY(base_double_vec_reserve(&batch->probabilities, count, error));
    if (plan->words > 0)
        TRY(base_u64_vec_reserve(&batch->rows, count * plan->words, error));
    if (plan->exact)
        TRY(prism_ratio_vec_reserve(&batch->exact, count, error));
    return OPAC_OK;
}

static opac_status fail_branches(const prism_plan *plan, const prism_state *state,
                                 const prism_action *action, opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_LIMIT, action->place.line, action->place.column,
                 "more than %d branches leave one state", (int)MOST_BRANCHES);
    return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_LIMIT, error);
}

static opac_status fail_small(const prism_plan *plan, const prism_state *state,
                              const prism_action *action, opac_error *error)
{
    return fail_in(
        plan, state, action->place,
        "the probabilities of commands that go together have a product that is not 0, but "
        "too small for a double%s",
        "", error);
}

static opac_status fail_choices(const prism_plan *plan, const prism_state *state,
                                const prism_action *action, opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_LIMIT, action->place.line, action->place.column,
                 "a state has more than %d actions (combinations of commands)",
                 (int)OPAC_MAX_ACTIONS);
    return prism_fail_in_state(plan->program, state->values, OPAC_ERROR_LIMIT, error);
}

/* One branch of the choice so far and one of a command: from `from` to `to`, which may be the same. */
static inline void step_branch(const prism_plan *plan, prism_batch *batch, size_t from, size_t to,
                               uint32_t live)
{
    uint32_t words = plan->words, way = plan->live[live].way;
    const uint64_t *keep = plan->keep + (size_t)way * words;
    const uint64_t *ready = plan->ready + (size_t)way * words;
    for (uint32_t w = 0; w < words; w++)
        batch->rows.items[to * words + w] =
            (batch->rows.items[from * words + w] & keep[w]) | ready[w];
    batch->probabilities.items[to] =
        batch->probabilities.items[from] * plan->live[live].probability;
    if (plan->exact)
        batch->exact.items[to] =
            base_ratio_multiply(batch->exact.items[from], plan->live_exact[live]);
}

/*
 * Multiplies the branches from `begin` on with those of a command. From the
 * back, so that it can be done in place: branch i goes to i·k … i·k + k-1, and
 * is overwritten last.
 */
static opac_status multiply(prism_run *run, const prism_state *state, prism_batch *batch,
                            size_t begin, uint32_t command, opac_error *error)
{
    const prism_plan *plan = run->plan;
    const prism_action *action = &plan->actions[command];
    size_t count = batch->count - begin, live = action->live;
    if (count * live > MOST_BRANCHES)
        return fail_branches(plan, state, action, error);
    TRY(reserve(plan, batch, begin + count * live, error));
    double least = 1;
    for (size_t i = count; i-- > 0;)
        for (size_t k = live; k-- > 0;) {
            size_t to = begin + i * live + k;
            step_branch(plan, batch, begin + i, to, action->way_begin + (uint32_t)k);
            least = batch->probabilities.items[to] < least ? batch->probabilities.items[to] : least;
        }
    batch->count = begin + count * live;
    return least < MODEL_LEAST_PROBABILITY ? fail_small(plan, state, action, error) : OPAC_OK;
}

/* A choice that leads back with probability 1, to be multiplied. */
static opac_status begin_choice(const prism_plan *plan, const prism_state *state,
                                prism_batch *batch, opac_error *error)
{
    TRY(reserve(plan, batch, batch->count + 1, error));
    for (uint32_t w = 0; w < plan->words; w++)
        batch->rows.items[batch->count * plan->words + w] = state->row[w];
    batch->probabilities.items[batch->count] = 1;
    if (plan->exact)
        batch->exact.items[batch->count] = base_ratio_of_integer(1);
    batch->count++;
    return OPAC_OK;
}

/* The command at the odometer's position in a part of a step. */
static uint32_t command_at(const prism_run *run, const prism_step *step, uint32_t part)
{
    const prism_plan *plan = run->plan;
    return plan->enabled[plan->groups[plan->parts[part]].begin +
                         run->odometer.items[part - step->part_begin]];
}

/* Multiplies the probabilities from `begin` on, of which there are `count`, as `multiply` does. */
static void multiply_wide(const prism_plan *plan, prism_batch *batch, size_t begin, size_t count,
                          const prism_action *action)
{
    double *high = batch->probabilities.items + begin, *low = batch->low.items + begin;
    for (size_t i = count; i-- > 0;)
        for (size_t k = action->live; k-- > 0;) {
            size_t from = action->way_begin + k, to = i * action->live + k;
            base_dd product =
                base_dd_multiply((base_dd){high[i], low[i]},
                                 (base_dd){plan->live[from].probability, plan->live_low[from]});
            high[to] = product.high;
            low[to] = product.low;
        }
}

/* The probabilities of the choice that begins at `begin` again, in doubles of twice the length. */
static opac_status refine_choice(prism_run *run, const prism_state *state, const prism_step *step,
                                 size_t begin, prism_batch *batch, opac_error *error)
{
    size_t count = 1;
    TRY(base_double_vec_reserve(&batch->low, batch->count, error));
    if (batch->count == begin)
        return OPAC_OK;
    batch->probabilities.items[begin] = 1;
    batch->low.items[begin] = 0;
    for (uint32_t part = step->part_begin; part < step->part_end; part++) {
        prism_action *action = &run->plan->actions[command_at(run, step, part)];
        size_t live = action->live;
        if (!action->has_low)
            TRY(weigh_wide(run, state, action, error));
        assert(action->live == live); /* nothing cancels where doubles were enough */
        multiply_wide(run->plan, batch, begin, count, action);
        count *= live;
    }
    return OPAC_OK;
}

/* Whether doubles are too short for the product of the commands, or for an average. */
static bool is_imprecise(const prism_run *run, const prism_step *step)
{
    unsigned lost = 0;
    for (uint32_t part = step->part_begin; part < step->part_end; part++)
        lost += run->plan->actions[command_at(run, step, part)].error;
    return lost > MOST_ERROR || run->is_precise;
}

static opac_status add_choice(prism_run *run, const prism_state *state, const prism_step *step,
                              prism_batch *batch, opac_error *error)
{
    size_t begin = batch->count;
    bool is_product = step->part_end - step->part_begin > 1;
    TRY(begin_choice(run->plan, state, batch, error));
    for (uint32_t part = step->part_begin; part < step->part_end; part++) {
        uint32_t command = command_at(run, step, part);
        TRY(make_ready(run, state, command, error));
        TRY(multiply(run, state, batch, begin, command, error));
    }
    if ((is_product || run->is_precise) && is_imprecise(run, step))
        TRY(refine_choice(run, state, step, begin, batch, error));
    prism_choice choice = {.action = step->action,
                           .command = command_at(run, step, step->part_begin),
                           .end = batch->count};
    return prism_choice_vec_push(&batch->choices, choice, error);
}

/* The next combination, the last part first; false when it was the last. */
static bool turn(const prism_run *run, const prism_step *step)
{
    for (uint32_t part = step->part_end; part-- > step->part_begin;) {
        uint32_t *position = &run->odometer.items[part - step->part_begin];
        if (++*position < run->plan->enabled_count[run->plan->parts[part]])
            return true;
        *position = 0;
    }
    return false;
}

static bool is_enabled(const prism_plan *plan, const prism_step *step)
{
    for (uint32_t part = step->part_begin; part < step->part_end; part++)
        if (plan->enabled_count[plan->parts[part]] == 0)
            return false;
    return true;
}

/* Combinations double with every module: those that cannot be kept are not even tried. */
static bool is_too_much(const prism_plan *plan, const prism_step *step)
{
    uint64_t combinations = 1;
    for (uint32_t part = step->part_begin;
         part < step->part_end && combinations <= OPAC_MAX_ACTIONS; part++)
        combinations *= plan->enabled_count[plan->parts[part]];
    return combinations > OPAC_MAX_ACTIONS;
}

/* All combinations of the commands of its parts. */
static opac_status add_step(prism_run *run, const prism_state *state, const prism_step *step,
                            size_t state_begin, size_t choice_begin, prism_batch *batch,
                            opac_error *error)
{
    size_t polled = batch->count, parts = step->part_end - step->part_begin;
    TRY(base_u32_vec_reserve(&run->odometer, parts, error));
    memset(run->odometer.items, 0, parts * sizeof *run->odometer.items);
    if (is_too_much(run->plan, step))
        return fail_choices(run->plan, state,
                            &run->plan->actions[command_at(run, step, step->part_begin)], error);
    do {
        TRY(add_choice(run, state, step, batch, error));
        if (batch->count - state_begin > MOST_BRANCHES)
            return fail_branches(run->plan, state,
                                 &run->plan->actions[command_at(run, step, step->part_begin)],
                                 error);
        if (batch->choices.count - choice_begin > OPAC_MAX_ACTIONS)
            return fail_choices(run->plan, state,
                                &run->plan->actions[command_at(run, step, step->part_begin)],
                                error);
        if (batch->count - polled > POLL_EVERY) {
            polled = batch->count;
            if (opac_cancel_requested(run->cancel))
                return base_fail_stopped(error, run->cancel, "exploring the model");
        }
    } while (turn(run, step));
    return OPAC_OK;
}

opac_status prism_successors(prism_run *run, const prism_state *state, prism_batch *batch,
                             opac_error *error)
{
    prism_plan *plan = run->plan;
    size_t begin = batch->count, choices = batch->choices.count;
    TRY(find_enabled(plan, state, error));
    for (uint32_t first = 0; first < plan->step_count; first += 64) {
        uint64_t due = plan->due[first / 64];
        plan->due[first / 64] = 0;
        for (; due != 0; due &= due - 1) {
            const prism_step *step = &plan->steps[first + base_lowest_bit(due)];
            if (is_enabled(plan, step))
                TRY(add_step(run, state, step, begin, choices, batch, error));
        }
    }
    return OPAC_OK;
}

opac_status prism_successors_loop(prism_run *run, const prism_state *state, prism_batch *batch,
                                  opac_error *error)
{
    TRY(begin_choice(run->plan, state, batch, error));
    prism_choice choice = {.end = batch->count};
    return prism_choice_vec_push(&batch->choices, choice, error);
}
