/* SPDX-License-Identifier: MIT */
/*
 * Computes the choices of a state: finds the enabled commands, evaluates the probabilities and assignments
 * of their branches, and multiplies the branches of commands that synchronise. The only memory that is
 * allocated for a state is that of the batch. The branches of a command are evaluated only when a step uses
 * it: an expression that would fail in a command without an enabled partner is not evaluated.
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
#include "prism/format_state.h"

enum {
    MAX_BRANCHES = 1 << 24, /* of a state */
    POLL_EVERY = 1 << 12    /* branches */
};

void prism_batch_fini(prism_batch *batch)
{
    base_u64_vec_fini(&batch->rows);
    base_double_vec_fini(&batch->probabilities);
    base_double_vec_fini(&batch->low);
    prism_ratio_vec_fini(&batch->exact);
    prism_choice_vec_fini(&batch->choices);
    base_u32_vec_fini(&batch->parts);
    batch->count = 0;
}

/* ---- enabled commands ---- */

/* Called for the first enabled command of a group: steps whose first part is this group become candidates. */
static void activate(prism_compiled_program *compiled, uint32_t group)
{
    compiled->active[compiled->active_count++] = group;
    for (uint32_t s = compiled->groups[group].first_step; s != PRISM_NO_ENTRY;
         s = compiled->steps[s].next)
        compiled->candidate_steps[s / 64] |= UINT64_C(1) << (s % 64);
}

static void clear_enabled(prism_compiled_program *compiled)
{
    for (uint32_t i = 0; i < compiled->active_count; i++)
        compiled->enabled_count[compiled->active[i]] = 0;
    compiled->active_count = 0;
}

static opac_status find_enabled(prism_compiled_program *compiled, const prism_state *state,
                                opac_error *error)
{
    const prism_program *program = compiled->program;
    clear_enabled(compiled);
    for (uint32_t m = 0; m < program->module_count; m++) {
        const prism_guard_tree *index = &compiled->guard_trees[m];
        const prism_guard_tree_node *leaf = prism_guard_tree_find(index, state->values);
        for (uint32_t i = 0; i < leaf->count; i++) {
            const prism_candidate *candidate = &index->candidates.items[leaf->begin + i];
            int64_t holds = 1;
            if (candidate->guard != PRISM_NO_ENTRY &&
                prism_code_integer(compiled->code, candidate->guard, state->values, &holds,
                                   error) != OPAC_OK)
                return prism_fail_in_state(program, state->values, OPAC_ERROR_ARGUMENT, error);
            if (holds != 0) {
                uint32_t command = compiled->first_command[m] + candidate->command;
                uint32_t group = compiled->commands[command].group;
                if (compiled->enabled_count[group] == 0)
                    activate(compiled, group);
                compiled
                    ->enabled[compiled->groups[group].begin + compiled->enabled_count[group]++] =
                    command;
            }
        }
    }
    return OPAC_OK;
}

/* ---- probabilities ---- */

/* Bounds the rounding error of a probability, and of the sum of a few of them. */
#define ROUNDING_TOLERANCE 1e-14

enum {
    /*
     * Largest rounding error of a product of probabilities that is computed in doubles, in units of 2^-53.
     * The solver allows for 2^-50 (8 units), of which dividing the row takes 2 and merging branches 1.
     */
    MAX_ROUNDING_ERROR = 5
};

static opac_status fail_in(const prism_compiled_program *compiled, const prism_state *state,
                           prism_place place, const char *what, const char *number,
                           opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_ARGUMENT, place.line, place.column, what, number);
    return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_ARGUMENT, error);
}

/* Fails if a number is not a probability. `high` is the nearest double, precise if is_precise. */
static opac_status check_number(const prism_compiled_program *compiled, const prism_state *state,
                                const prism_compiled_branch *branch, const prism_number *number,
                                bool is_precise, double high, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    const char *what;
    if (is_precise && high >= MODEL_LEAST_PROBABILITY && high <= 1 + ROUNDING_TOLERANCE)
        return OPAC_OK;
    if (is_precise && high == 0 && prism_number_sign(number) == 0)
        return OPAC_OK;
    if (number->kind == PRISM_NUMBER_UNDEFINED)
        what = "the probability is not a number%.0s";
    else if (!is_precise && !isinf(high))
        what =
            "the probability is about %s, but cannot be computed precisely: write it as a shorter "
            "fraction, or without differences of nearly equal numbers";
    else if (fabs(high) < MODEL_LEAST_PROBABILITY && prism_number_sign(number) > 0)
        what = "the probability is not 0 but too small for a double (below 2.3e-308)%.0s";
    else
        what = "the probability is %s, but must be between 0 and 1";
    return fail_in(compiled, state, branch->place, what, opac_number_format(high, text), error);
}

static opac_status find_probability(prism_compiled_program *compiled, const prism_state *state,
                                    const prism_compiled_branch *branch, prism_number *number,
                                    opac_error *error)
{
    if (branch->node != NULL)
        prism_number_of_literal(branch->node, number);
    else if (branch->entry == PRISM_NO_ENTRY)
        prism_number_of_ratio(base_ratio_of_integer(1), number);
    else if (prism_code_number(compiled->code, branch->entry, state->values, number, error) !=
             OPAC_OK)
        return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_ARGUMENT, error);
    return OPAC_OK;
}

/* The probability of a branch as a number and as a double-double. */
static opac_status evaluate_in_double_double(prism_compiled_program *compiled,
                                             const prism_state *state,
                                             const prism_compiled_branch *branch,
                                             prism_number *number, base_dd *probability,
                                             opac_error *error)
{
    TRY(find_probability(compiled, state, branch, number, error));
    bool is_precise = prism_number_split(number, &probability->high, &probability->low);
    return check_number(compiled, state, branch, number, is_precise, probability->high, error);
}

static opac_status evaluate_number(prism_compiled_program *compiled, const prism_state *state,
                                   const prism_compiled_branch *branch, double *probability,
                                   opac_error *error)
{
    prism_number number;
    TRY(find_probability(compiled, state, branch, &number, error));
    bool is_precise = prism_number_to_double(&number, probability);
    return check_number(compiled, state, branch, &number, is_precise, *probability, error);
}

/* The probability of a branch, computed in doubles if that is precise enough. */
static opac_status evaluate_branch(prism_compiled_program *compiled, const prism_state *state,
                                   const prism_compiled_branch *branch, double *probability,
                                   opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    if (branch->rounding_error == 0)
        return evaluate_number(compiled, state, branch, probability, error);
    *probability = branch->literal;
    if (branch->entry == PRISM_NO_ENTRY)
        return OPAC_OK;
    if (prism_code_real(compiled->code, branch->entry, state->values, probability, error) !=
        OPAC_OK)
        return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_ARGUMENT, error);
    if (model_is_too_small(*probability))
        return fail_in(compiled, state, branch->place,
                       "the probability is %s, too small for a double",
                       opac_number_format(*probability, text), error);
    if (*probability >= 0 && *probability <= 1 + ROUNDING_TOLERANCE) /* rejects NaN as well */
        return OPAC_OK;
    return fail_in(compiled, state, branch->place,
                   "the probability is %s, but must be between 0 and 1",
                   opac_number_format(*probability, text), error);
}

/* Fails if the sum is too far from 1; warns once for each command if it is not close enough to 1. */
static opac_status check_sum(prism_successor_context *context, const prism_state *state,
                             prism_compiled_command *command, double sum, const char *text,
                             opac_error *error)
{
    const prism_compiled_program *compiled = context->compiled;
    char words[PRISM_STATE_SIZE];
    if (!model_sum_is_tolerable(sum))
        return fail_in(compiled, state, command->place,
                       "the probabilities of this command sum to %s instead of 1", text, error);
    if (fabs(sum - 1) > MODEL_SUM_WARNING && !command->reported_sum) {
        command->reported_sum = true;
        model_report_warning(
            context->report, command->place.line, command->place.column,
            "the probabilities of this command sum to %s in state (%s); they are "
            "divided by their sum",
            text, prism_format_state(compiled->program, state->values, words, sizeof words));
    }
    return OPAC_OK;
}

/* Multiplication by such a factor is exact. */
static bool is_power_of_two(double probability, double low)
{
    int exponent;
    return low == 0 && frexp(probability, &exponent) == 0.5;
}

/*
 * Divides by a sum that is not 1. The final row of the model is divided by its exact sum later
 * (model/row.h). The division here keeps the errors of many synchronised commands from
 * adding up to a sum that is rejected.
 */
static opac_status normalise(prism_successor_context *context, const prism_state *state,
                             prism_compiled_command *command, base_dd sum, opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    char text[OPAC_NUMBER_SIZE];
    command->rounding_error = 0;
    for (uint32_t i = command->branch_begin; i < command->branch_begin + command->positive_count;
         i++) {
        base_dd share = {compiled->positive[i].probability, compiled->positive_low[i]};
        if (fabs(sum.high - 1) > ROUNDING_TOLERANCE)
            share = base_dd_divide(share, sum);
        compiled->positive[i].probability = share.high;
        compiled->positive_low[i] = share.low;
        if (!is_power_of_two(share.high, share.low))
            command->rounding_error = 2; /* the rounding of the factor and that of the product */
    }
    return check_sum(context, state, command, sum.high, opac_number_format(sum.high, text), error);
}

/* Computes the probabilities of a command as double-doubles. */
static opac_status evaluate_command_precisely(prism_successor_context *context,
                                              const prism_state *state,
                                              prism_compiled_command *command, opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    base_dd sum = {0};
    command->positive_count = 0;
    for (uint32_t w = command->branch_begin; w < command->branch_end; w++) {
        prism_number number;
        base_dd probability;
        TRY(evaluate_in_double_double(compiled, state, &compiled->branches[w], &number,
                                      &probability, error));
        if (probability.high == 0)
            continue;
        uint32_t at = command->branch_begin + command->positive_count++;
        compiled->positive[at] = (prism_positive_branch){probability.high, w};
        compiled->positive_low[at] = probability.low;
        sum = base_dd_add(sum, probability);
    }
    command->has_positive_low = true;
    return normalise(context, state, command, sum, error);
}

/* Computes the probabilities of a command in doubles if that is precise enough, else as double-doubles. */
static opac_status evaluate_command(prism_successor_context *context, const prism_state *state,
                                    prism_compiled_command *command, opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    double sum = 0, rest = 0;
    if (command->is_constant || context->is_precise)
        return evaluate_command_precisely(context, state, command, error);
    command->positive_count = 0;
    command->has_positive_low = false;
    command->rounding_error = 2;
    for (uint32_t w = command->branch_begin; w < command->branch_end; w++) {
        double probability;
        TRY(evaluate_branch(compiled, state, &compiled->branches[w], &probability, error));
        if (probability > 0)
            compiled->positive[command->branch_begin + command->positive_count++] =
                (prism_positive_branch){probability, w};
        sum = base_sum_add(sum, probability, &rest);
        if (compiled->branches[w].rounding_error >= command->rounding_error)
            command->rounding_error = (uint8_t)(compiled->branches[w].rounding_error + 1);
    }
    return fabs(sum + rest - 1) <= ROUNDING_TOLERANCE
               ? OPAC_OK
               : evaluate_command_precisely(context, state, command, error);
}

/* ---- exact probabilities ---- */

/* Divides by a sum that is not 1. */
static opac_status normalise_exactly(prism_successor_context *context, const prism_state *state,
                                     prism_compiled_command *command, base_ratio sum,
                                     opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    char text[BASE_RATIO_SIZE];
    TRY(check_sum(context, state, command, base_ratio_to_double(sum), base_ratio_format(sum, text),
                  error));
    for (uint32_t i = 0; i < command->positive_count; i++) {
        base_ratio *share = &compiled->positive_exact[command->branch_begin + i];
        *share = base_ratio_divide(*share, sum);
        if (!base_ratio_is_known(*share))
            return fail_in(
                compiled, state, command->place,
                "the probabilities of this command sum to %s, and one of them divided by the sum "
                "does not fit into a fraction of 64-bit integers",
                text, error);
        compiled->positive[command->branch_begin + i].probability = base_ratio_to_double(*share);
    }
    return OPAC_OK;
}

static opac_status evaluate_command_exactly(prism_successor_context *context,
                                            const prism_state *state,
                                            prism_compiled_command *command, opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    base_ratio sum = base_ratio_of_integer(0);
    command->positive_count = 0;
    for (uint32_t w = command->branch_begin; w < command->branch_end; w++) {
        prism_number number;
        base_dd probability;
        TRY(evaluate_in_double_double(compiled, state, &compiled->branches[w], &number,
                                      &probability, error));
        if (number.kind != PRISM_NUMBER_RATIO)
            return fail_in(compiled, state, compiled->branches[w].place,
                           "the probability cannot be computed exactly%s", "", error);
        sum = base_ratio_add(sum, number.ratio);
        if (number.ratio.numerator == 0)
            continue;
        uint32_t at = command->branch_begin + command->positive_count++;
        compiled->positive[at] = (prism_positive_branch){probability.high, w};
        compiled->positive_exact[at] = number.ratio;
    }
    if (!base_ratio_is_known(sum))
        return fail_in(compiled, state, command->place,
                       "the sum of the probabilities of this command cannot be computed exactly%s",
                       "", error);
    return sum.numerator == sum.denominator
               ? OPAC_OK
               : normalise_exactly(context, state, command, sum, error);
}

/* ---- updates ---- */

static opac_status fail_range(const prism_compiled_program *compiled, const prism_state *state,
                              const prism_compiled_assignment *assignment, int64_t value,
                              opac_error *error)
{
    char name[OPAC_SHOWN_SIZE];
    const prism_variable *variable = &compiled->program->variables[assignment->variable];
    opac_text_show(variable->name, strlen(variable->name), name, sizeof name);
    base_fail_at(error, OPAC_ERROR_ARGUMENT, assignment->place.line, assignment->place.column,
                 "%s becomes %" PRId64 ", outside its range [%" PRId64 "..%" PRId64 "]", name,
                 value, variable->low, variable->high);
    return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_ARGUMENT, error);
}

static inline opac_status apply_assignment(const prism_compiled_program *compiled,
                                           const prism_state *state,
                                           const prism_compiled_assignment *assignment,
                                           uint64_t *successor_bits, opac_error *error)
{
    const model_variable *variable = &compiled->layout->variables[assignment->variable];
    int64_t value;
    if (assignment->kind == PRISM_ASSIGN_OFFSET)
        value = state->values[assignment->source] + assignment->offset;
    else if (prism_code_integer(compiled->code, assignment->source, state->values, &value, error) !=
             OPAC_OK)
        return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_ARGUMENT, error);
    if (value < variable->low || value > variable->high)
        return fail_range(compiled, state, assignment, value, error);
    if (variable->mask != 0)
        successor_bits[variable->word] |= (uint64_t)(value - variable->low) << variable->shift;
    return OPAC_OK;
}

static opac_status apply_assignments(const prism_compiled_program *compiled,
                                     const prism_state *state,
                                     const prism_compiled_command *command, opac_error *error)
{
    uint32_t words = compiled->words;
    for (uint32_t i = 0; i < command->positive_count; i++) {
        uint32_t w = compiled->positive[command->branch_begin + i].branch;
        const prism_compiled_branch *branch = &compiled->branches[w];
        uint64_t *successor_bits = compiled->successor_bits + (size_t)w * words;
        if (branch->assignment_begin == branch->assignment_end)
            continue;
        for (uint32_t k = 0; k < words; k++)
            successor_bits[k] = compiled->constant_bits[(size_t)w * words + k];
        for (uint32_t s = branch->assignment_begin; s < branch->assignment_end; s++)
            TRY(apply_assignment(compiled, state, &compiled->assignments.items[s], successor_bits,
                                 error));
    }
    return OPAC_OK;
}

/* Computes the positive branches and successor_bits of a command, once for each state. */
static inline opac_status update_command(prism_successor_context *context, const prism_state *state,
                                         uint32_t index, opac_error *error)
{
    prism_compiled_command *command = &context->compiled->commands[index];
    if (command->updated_at == state->visit + 1)
        return OPAC_OK;
    command->updated_at = state->visit + 1;
    if (!command->is_evaluated) {
        TRY(context->compiled->exact ? evaluate_command_exactly(context, state, command, error)
                                     : evaluate_command(context, state, command, error));
        command->is_evaluated = command->is_constant;
    }
    return command->has_assignments ? apply_assignments(context->compiled, state, command, error)
                                    : OPAC_OK;
}

/* ---- choices ---- */

/* Reserves memory for `count` branches in all. */
static opac_status reserve(const prism_compiled_program *compiled, prism_batch *batch, size_t count,
                           opac_error *error)
{
    TRY(base_double_vec_reserve(&batch->probabilities, count, error));
    if (compiled->words > 0)
        TRY(base_u64_vec_reserve(&batch->rows, count * compiled->words, error));
    if (compiled->exact)
        TRY(prism_ratio_vec_reserve(&batch->exact, count, error));
    return OPAC_OK;
}

static opac_status fail_branches(const prism_compiled_program *compiled, const prism_state *state,
                                 const prism_compiled_command *command, opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_LIMIT, command->place.line, command->place.column,
                 "a state has more than %d branches", (int)MAX_BRANCHES);
    return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_LIMIT, error);
}

static opac_status fail_small(const prism_compiled_program *compiled, const prism_state *state,
                              const prism_compiled_command *command, opac_error *error)
{
    return fail_in(
        compiled, state, command->place,
        "the product of the probabilities of synchronised commands is not 0 but too small for a "
        "double (below 2.3e-308)%s",
        "", error);
}

static opac_status fail_choices(const prism_compiled_program *compiled, const prism_state *state,
                                const prism_compiled_command *command, opac_error *error)
{
    base_fail_at(error, OPAC_ERROR_LIMIT, command->place.line, command->place.column,
                 "a state has more than %d actions (combinations of commands)",
                 (int)OPAC_MAX_ACTIONS);
    return prism_fail_in_state(compiled->program, state->values, OPAC_ERROR_LIMIT, error);
}

/*
 * Multiplies branch `from` of the batch with a branch of a command and stores the product as branch `to`,
 * which may be the same.
 */
static inline void multiply_branch(const prism_compiled_program *compiled, prism_batch *batch,
                                   size_t from, size_t to, uint32_t positive)
{
    uint32_t words = compiled->words, branch = compiled->positive[positive].branch;
    const uint64_t *keep_mask = compiled->keep_mask + (size_t)branch * words;
    const uint64_t *successor_bits = compiled->successor_bits + (size_t)branch * words;
    for (uint32_t w = 0; w < words; w++)
        batch->rows.items[to * words + w] =
            (batch->rows.items[from * words + w] & keep_mask[w]) | successor_bits[w];
    batch->probabilities.items[to] =
        batch->probabilities.items[from] * compiled->positive[positive].probability;
    if (compiled->exact)
        batch->exact.items[to] =
            base_ratio_multiply(batch->exact.items[from], compiled->positive_exact[positive]);
}

/*
 * Multiplies the branches of the batch from `begin` on with the k positive branches of a command, in place.
 * The products of branch i become the branches i·k … i·k + k-1. The loops run backwards, so that branch i is
 * overwritten only after its last product has been computed.
 */
static opac_status multiply(prism_successor_context *context, const prism_state *state,
                            prism_batch *batch, size_t begin, uint32_t index, opac_error *error)
{
    const prism_compiled_program *compiled = context->compiled;
    const prism_compiled_command *command = &compiled->commands[index];
    size_t count = batch->count - begin, positive = command->positive_count;
    if (count * positive > MAX_BRANCHES)
        return fail_branches(compiled, state, command, error);
    TRY(reserve(compiled, batch, begin + count * positive, error));
    double least = 1;
    for (size_t i = count; i-- > 0;)
        for (size_t k = positive; k-- > 0;) {
            size_t to = begin + i * positive + k;
            multiply_branch(compiled, batch, begin + i, to, command->branch_begin + (uint32_t)k);
            least = batch->probabilities.items[to] < least ? batch->probabilities.items[to] : least;
        }
    batch->count = begin + count * positive;
    return least < MODEL_LEAST_PROBABILITY ? fail_small(compiled, state, command, error) : OPAC_OK;
}

/* Appends a self-loop with probability 1: the neutral element of `multiply`. */
static opac_status begin_choice(const prism_compiled_program *compiled, const prism_state *state,
                                prism_batch *batch, opac_error *error)
{
    TRY(reserve(compiled, batch, batch->count + 1, error));
    for (uint32_t w = 0; w < compiled->words; w++)
        batch->rows.items[batch->count * compiled->words + w] = state->row[w];
    batch->probabilities.items[batch->count] = 1;
    if (compiled->exact)
        batch->exact.items[batch->count] = base_ratio_of_integer(1);
    batch->count++;
    return OPAC_OK;
}

/* The command at the odometer's position in a part of a step. */
static uint32_t command_at(const prism_successor_context *context, const prism_step *step,
                           uint32_t part)
{
    const prism_compiled_program *compiled = context->compiled;
    return compiled->enabled[compiled->groups[compiled->parts[part]].begin +
                             context->odometer.items[part - step->part_begin]];
}

/* As `multiply`, but only the probabilities of `count` branches from `begin` on, as double-doubles. */
static void multiply_precisely(const prism_compiled_program *compiled, prism_batch *batch,
                               size_t begin, size_t count, const prism_compiled_command *command)
{
    double *high = batch->probabilities.items + begin, *low = batch->low.items + begin;
    for (size_t i = count; i-- > 0;)
        for (size_t k = command->positive_count; k-- > 0;) {
            size_t from = command->branch_begin + k, to = i * command->positive_count + k;
            base_dd product = base_dd_multiply(
                (base_dd){high[i], low[i]},
                (base_dd){compiled->positive[from].probability, compiled->positive_low[from]});
            high[to] = product.high;
            low[to] = product.low;
        }
}

/* Computes the probabilities of the choice from branch `begin` on again, as double-doubles. */
static opac_status recompute_choice(prism_successor_context *context, const prism_state *state,
                                    const prism_step *step, size_t begin, prism_batch *batch,
                                    opac_error *error)
{
    size_t count = 1;
    TRY(base_double_vec_reserve(&batch->low, batch->count, error));
    if (batch->count == begin)
        return OPAC_OK;
    batch->probabilities.items[begin] = 1;
    batch->low.items[begin] = 0;
    for (uint32_t part = step->part_begin; part < step->part_end; part++) {
        prism_compiled_command *command =
            &context->compiled->commands[command_at(context, step, part)];
        size_t positive = command->positive_count;
        if (!command->has_positive_low)
            TRY(evaluate_command_precisely(context, state, command, error));
        /* The same branches are positive: a probability that is not 0 is not rounded to 0. */
        assert(command->positive_count == positive);
        multiply_precisely(context->compiled, batch, begin, count, command);
        count *= positive;
    }
    return OPAC_OK;
}

/* Whether doubles are not precise enough for the product of the commands, or for an average of choices. */
static bool needs_double_double(const prism_successor_context *context, const prism_step *step)
{
    unsigned rounding_error = 0;
    for (uint32_t part = step->part_begin; part < step->part_end; part++)
        rounding_error +=
            context->compiled->commands[command_at(context, step, part)].rounding_error;
    return rounding_error > MAX_ROUNDING_ERROR || context->is_precise;
}

static opac_status add_choice(prism_successor_context *context, const prism_state *state,
                              const prism_step *step, prism_batch *batch, opac_error *error)
{
    size_t begin = batch->count;
    bool is_product = step->part_end - step->part_begin > 1;
    TRY(begin_choice(context->compiled, state, batch, error));
    for (uint32_t part = step->part_begin; part < step->part_end; part++) {
        uint32_t index = command_at(context, step, part);
        TRY(update_command(context, state, index, error));
        TRY(multiply(context, state, batch, begin, index, error));
    }
    if ((is_product || context->is_precise) && needs_double_double(context, step))
        TRY(recompute_choice(context, state, step, begin, batch, error));
    for (uint32_t part = step->part_begin; context->keeps_commands && part < step->part_end; part++)
        TRY(base_u32_vec_push(&batch->parts, command_at(context, step, part), error));
    prism_choice choice = {.action = step->action,
                           .command = command_at(context, step, step->part_begin),
                           .end = batch->count,
                           .parts_end = batch->parts.count};
    return prism_choice_vec_push(&batch->choices, choice, error);
}

/* Moves on to the next combination of commands, the last part fastest. False after the last combination. */
static bool advance_odometer(const prism_successor_context *context, const prism_step *step)
{
    for (uint32_t part = step->part_end; part-- > step->part_begin;) {
        uint32_t *position = &context->odometer.items[part - step->part_begin];
        if (++*position < context->compiled->enabled_count[context->compiled->parts[part]])
            return true;
        *position = 0;
    }
    return false;
}

static bool is_enabled(const prism_compiled_program *compiled, const prism_step *step)
{
    for (uint32_t part = step->part_begin; part < step->part_end; part++)
        if (compiled->enabled_count[compiled->parts[part]] == 0)
            return false;
    return true;
}

/* The number of combinations may be exponential in the number of modules, so it is checked in advance. */
static bool has_too_many_combinations(const prism_compiled_program *compiled,
                                      const prism_step *step)
{
    uint64_t combinations = 1;
    for (uint32_t part = step->part_begin;
         part < step->part_end && combinations <= OPAC_MAX_ACTIONS; part++)
        combinations *= compiled->enabled_count[compiled->parts[part]];
    return combinations > OPAC_MAX_ACTIONS;
}

/* Appends a choice for each combination of enabled commands of the parts. */
static opac_status add_step(prism_successor_context *context, const prism_state *state,
                            const prism_step *step, size_t state_begin, size_t choice_begin,
                            prism_batch *batch, opac_error *error)
{
    size_t polled = batch->count, parts = step->part_end - step->part_begin;
    TRY(base_u32_vec_reserve(&context->odometer, parts, error));
    memset(context->odometer.items, 0, parts * sizeof *context->odometer.items);
    if (has_too_many_combinations(context->compiled, step))
        return fail_choices(
            context->compiled, state,
            &context->compiled->commands[command_at(context, step, step->part_begin)], error);
    do {
        TRY(add_choice(context, state, step, batch, error));
        if (batch->count - state_begin > MAX_BRANCHES)
            return fail_branches(
                context->compiled, state,
                &context->compiled->commands[command_at(context, step, step->part_begin)], error);
        if (batch->choices.count - choice_begin > OPAC_MAX_ACTIONS)
            return fail_choices(
                context->compiled, state,
                &context->compiled->commands[command_at(context, step, step->part_begin)], error);
        if (batch->count - polled > POLL_EVERY) {
            polled = batch->count;
            if (opac_cancel_requested(context->cancel))
                return base_fail_stopped(error, context->cancel, "exploring the model");
        }
    } while (advance_odometer(context, step));
    return OPAC_OK;
}

opac_status prism_successors(prism_successor_context *context, const prism_state *state,
                             prism_batch *batch, opac_error *error)
{
    prism_compiled_program *compiled = context->compiled;
    size_t begin = batch->count, choices = batch->choices.count;
    TRY(find_enabled(compiled, state, error));
    for (uint32_t first = 0; first < compiled->step_count; first += 64) {
        uint64_t candidate_steps = compiled->candidate_steps[first / 64];
        compiled->candidate_steps[first / 64] = 0;
        for (; candidate_steps != 0; candidate_steps &= candidate_steps - 1) {
            const prism_step *step = &compiled->steps[first + base_lowest_bit(candidate_steps)];
            if (is_enabled(compiled, step))
                TRY(add_step(context, state, step, begin, choices, batch, error));
        }
    }
    return OPAC_OK;
}

opac_status prism_successors_loop(prism_successor_context *context, const prism_state *state,
                                  prism_batch *batch, opac_error *error)
{
    TRY(begin_choice(context->compiled, state, batch, error));
    prism_choice choice = {.end = batch->count, .parts_end = batch->parts.count};
    return prism_choice_vec_push(&batch->choices, choice, error);
}
