/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first exploration. States are expanded in the order of their numbers, so no queue is needed and
 * the arrays of the model are filled in order.
 *
 *     states   │ expanded …          │ batch │ found, not expanded … │
 *                                       │
 *                     compute the successors of all its states, look up their numbers, add the rows
 *
 * A batch is some dozens of states whose successors are looked up together (prism_states.h). The result does
 * not depend on the size of batches. The time is linear in the size of the model. The peak memory is that of
 * the model and of the slots, which are 11 to 21 bytes for each state.
 */
#include "prism/explore.h"

#include <string.h>

#include "base/alloc.h"
#include "base/double_double.h"
#include "base/text.h"
#include "base/work.h"
#include "model/model_limits.h"
#include "prism/compiled_program.h"
#include "prism/format_state.h"
#include "prism/initial.h"
#include "prism/prism_builder.h"
#include "prism/prism_states.h"
#include "prism/successors.h"

enum {
    BATCH_STATES = 64,
    BATCH_BRANCHES = 512 /* a batch with so many branches ends early */
};

/* Position of a variable in a row; only for variables with more than one value. */
typedef struct packed_variable {
    uint32_t variable, word;
    unsigned shift;
    uint64_t mask;
    int64_t low;
} packed_variable;

typedef struct explorer {
    const prism_program *program;
    opac_model_options options;
    model_report *report;
    opac_model *model;
    prism_compiled_program compiled;
    prism_states states;
    prism_builder builder;
    prism_successor_context context;
    prism_batch batch;
    base_u32_vec numbers;    /* of the successors in the batch */
    base_u64_vec state_ends; /* for each state of the batch: the end of its choices */
    packed_variable *packed_variables;
    uint32_t packed_count;
    int64_t *values;
    uint64_t *row;
    base_u64_vec *labels; /* bits of "deadlock", then those of the labels of the program */
    uint64_t deadlocks;
    uint32_t first_deadlock;
    uint32_t initial_count;
    uint64_t max_memory;
    base_text name; /* scratch: of a class of choices */
    base_work work; /* polls for cancellation while the slots of the states grow */
} explorer;

/* ---- limits ---- */

static void set_limits(explorer *e)
{
    e->states.limit = model_max_states(&e->options);
    e->max_memory = model_max_memory(&e->options);
}

/* Memory in use, including the temporary memory of the next growth of the slots. */
static uint64_t memory_in_use(const explorer *e)
{
    uint64_t labels = 0, slots = base_slots_memory(&e->states.slots);
    for (uint32_t i = 0; i <= e->program->label_count; i++)
        labels += e->labels[i].count * sizeof(uint64_t);
    if (!base_slots_fit(&e->states.slots, (uint64_t)e->states.count + BATCH_BRANCHES))
        slots *= 3;
    return slots + labels + e->states.rows.count * sizeof(uint64_t) +
           prism_builder_memory(&e->builder) +
           (e->model->commands != NULL ? model_commands_memory(e->model->commands) : 0);
}

static opac_status check_limits(const explorer *e, opac_error *error)
{
    uint64_t used = memory_in_use(e);
    if (opac_cancel_requested(e->options.cancel))
        return base_fail_stopped(error, e->options.cancel, "exploring the model");
    if (used > e->max_memory)
        return base_fail_limit(error, "max_memory", e->max_memory,
                               "%u states need more memory than the limit of %llu MiB",
                               (unsigned)e->states.count,
                               (unsigned long long)(e->max_memory >> 20));
    return OPAC_OK;
}

/* ---- one state ---- */

static inline void unpack(const explorer *e, const uint64_t *row)
{
    for (uint32_t i = 0; i < e->packed_count; i++) {
        const packed_variable *f = &e->packed_variables[i];
        e->values[f->variable] = f->low + (int64_t)((row[f->word] >> f->shift) & f->mask);
    }
}

static opac_status push_label(explorer *e, uint32_t label, uint32_t state, bool holds,
                              opac_error *error)
{
    base_u64_vec *bits = &e->labels[label];
    if (state % 64 == 0)
        TRY(base_u64_vec_push(bits, 0, error));
    bits->items[bits->count - 1] |= (uint64_t)holds << (state % 64);
    return OPAC_OK;
}

static opac_status evaluate_labels(explorer *e, uint32_t state, bool deadlock, opac_error *error)
{
    TRY(push_label(e, 0, state, deadlock, error));
    for (uint32_t i = 0; i < e->program->label_count; i++) {
        int64_t holds = 0;
        if (prism_code_integer(e->compiled.code, e->compiled.labels[i], e->values, &holds, error) !=
            OPAC_OK)
            return prism_fail_in_state(e->program, e->values, OPAC_ERROR_ARGUMENT, error);
        TRY(push_label(e, i + 1, state, holds != 0, error));
    }
    return OPAC_OK;
}

/* Computes the choices of a state from `before` on again, as double-doubles, so that they can be averaged. */
static opac_status expand_again_precisely(explorer *e, prism_state *state, size_t before,
                                          opac_error *error)
{
    e->batch.choices.count = before;
    e->batch.count = before > 0 ? e->batch.choices.items[before - 1].end : 0;
    e->batch.parts.count = before > 0 ? e->batch.choices.items[before - 1].parts_end : 0;
    state->visit++;
    e->context.is_precise = true;
    opac_status status = prism_successors(&e->context, state, &e->batch, error);
    e->context.is_precise = false;
    return status;
}

/* Appends the choices of a state to the batch and evaluates its labels. */
static opac_status expand(explorer *e, uint32_t number, opac_error *error)
{
    uint32_t words = e->states.words;
    size_t before = e->batch.choices.count;
    for (uint32_t w = 0; w < words; w++)
        e->row[w] = e->states.rows.items[(size_t)number * words + w];
    unpack(e, e->row);
    prism_state state = {.visit = 2 * (uint64_t)number, .values = e->values, .row = e->row};
    TRY(prism_successors(&e->context, &state, &e->batch, error));
    if (e->batch.choices.count > before + 1 && e->builder.is_chain && !e->compiled.exact)
        TRY(expand_again_precisely(e, &state, before, error));
    bool deadlock = e->batch.choices.count == before;
    TRY(evaluate_labels(e, number, deadlock, error));
    if (deadlock) {
        e->first_deadlock = e->deadlocks == 0 ? number : e->first_deadlock;
        e->deadlocks++;
        TRY(prism_successors_loop(&e->context, &state, &e->batch, error));
    }
    return base_u64_vec_push(&e->state_ends, e->batch.choices.count, error);
}

/* ---- a batch ---- */

static void warn_overlap(explorer *e, uint32_t state, const prism_choice *second)
{
    prism_compiled_command *command = &e->compiled.commands[second->command];
    char words[PRISM_STATE_SIZE];
    if (command->reported_overlap)
        return;
    command->reported_overlap = true;
    unpack(e, e->states.rows.items + (size_t)state * e->states.words);
    model_report_warning(
        e->report, command->place.line, command->place.column,
        "this command and another one are enabled in state (%s) of a dtmc; one of them is chosen "
        "uniformly at random",
        prism_format_state(e->program, e->values, words, sizeof words));
}

/* Divides the branches of a choice by their sum and by `count`, the number of choices of the state. */
static opac_status divide_share(explorer *e, uint32_t state, size_t begin, size_t end, size_t count,
                                opac_error *error)
{
    double *high = e->batch.probabilities.items;
    const double *low = e->batch.low.items;
    base_dd sum = {0};
    for (size_t i = begin; i < end; i++)
        sum = base_dd_add(sum, (base_dd){high[i], low[i]});
    sum = base_dd_multiply(sum, base_dd_of((double)count));
    for (size_t i = begin; i < end; i++) {
        high[i] = base_dd_divide((base_dd){high[i], low[i]}, sum).high;
        if (model_is_too_small(high[i]))
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the average of the commands of state %u has a probability that is "
                             "not 0 but too small for a double (below 2.3e-308)",
                             (unsigned)state);
    }
    return OPAC_OK;
}

static void divide_share_exactly(explorer *e, size_t begin, size_t end, size_t count)
{
    base_ratio part = base_ratio_of(1, (int64_t)count);
    for (size_t i = begin; i < end; i++)
        e->batch.exact.items[i] = base_ratio_multiply(e->batch.exact.items[i], part);
}

/*
 * Keeps the commands of a choice of the model, which merges the choices from `begin` to `end` of the batch: "3+7" for two
 * commands that synchronise, "3|4" for two of a DTMC that overlap; numbers count from 1 in the order of the
 * program. If a probability is not a constant, the name is that of the choice alone.
 */
static opac_status keep_commands(explorer *e, size_t begin, size_t end, opac_error *error)
{
    const prism_batch *batch = &e->batch;
    size_t first = begin > 0 ? batch->choices.items[begin - 1].end : 0;
    size_t part = begin > 0 ? batch->choices.items[begin - 1].parts_end : 0;
    bool is_constant = true;
    if (e->model->commands == NULL)
        return OPAC_OK;
    base_text_clear(&e->name);
    for (size_t i = begin; i < end; i++) {
        if (i > begin)
            base_text_add(&e->name, "|");
        for (size_t p = part; p < batch->choices.items[i].parts_end; p++) {
            base_text_format(&e->name, p > part ? "+%u" : "%u", batch->parts.items[p] + 1);
            is_constant &= e->compiled.commands[batch->parts.items[p]].is_constant;
        }
        part = batch->choices.items[i].parts_end;
    }
    if (!is_constant) {
        base_text_clear(&e->name);
        base_text_format(&e->name, "#%zu", e->model->commands->class_of.count);
    } else if (e->name.length == 0)
        base_text_add(&e->name, "deadlock");
    TRY(base_text_check(&e->name, error));
    return model_commands_add(e->model->commands, e->name.bytes, e->name.length,
                              e->numbers.items + first, batch->probabilities.items + first,
                              batch->choices.items[end - 1].end - first, error);
}

/* Merges all choices of a state of a DTMC into one, each with the same weight. */
static opac_status average(explorer *e, uint32_t state, size_t begin, size_t end, opac_error *error)
{
    prism_batch *batch = &e->batch;
    const prism_choice *choices = batch->choices.items;
    size_t first = begin > 0 ? choices[begin - 1].end : 0, count = end - begin;
    for (size_t i = begin + 1; i < end; i++)
        warn_overlap(e, state, &choices[i]);
    if (count > 1 && e->compiled.exact)
        divide_share_exactly(e, first, choices[end - 1].end, count);
    for (size_t i = begin, at = first; i < end && count > 1 && !e->compiled.exact; i++) {
        TRY(divide_share(e, state, at, choices[i].end, count, error));
        at = choices[i].end;
    }
    TRY(keep_commands(e, begin, end, error));
    return prism_builder_add_choice(&e->builder, 0, choices[end - 1].end - first,
                                    e->numbers.items + first, batch->probabilities.items + first,
                                    e->compiled.exact ? batch->exact.items + first : NULL, error);
}

static opac_status assemble_state(explorer *e, uint32_t state, size_t begin, size_t end,
                                  opac_error *error)
{
    const prism_batch *batch = &e->batch;
    opac_status status = OPAC_OK;
    if (e->builder.is_chain) {
        TRY_OR(done, average(e, state, begin, end, error));
    } else {
        for (size_t i = begin; i < end; i++) {
            size_t first = i > 0 ? batch->choices.items[i - 1].end : 0;
            TRY_OR(done, keep_commands(e, i, i + 1, error));
            TRY_OR(done, prism_builder_add_choice(
                             &e->builder, batch->choices.items[i].action,
                             batch->choices.items[i].end - first, e->numbers.items + first,
                             batch->probabilities.items + first,
                             e->compiled.exact ? batch->exact.items + first : NULL, error));
        }
    }
done:
    prism_builder_end_state(&e->builder);
    if (status == OPAC_ERROR_LIMIT) {
        unpack(e, e->states.rows.items + (size_t)state * e->states.words);
        prism_fail_in_state(e->program, e->values, status, error);
    }
    return status;
}

static opac_status assemble(explorer *e, uint32_t first, opac_error *error)
{
    prism_batch *batch = &e->batch;
    TRY(base_u32_vec_reserve(&e->numbers, batch->count, error));
    TRY(prism_states_intern_all(&e->states, batch->rows.items, batch->count, e->numbers.items,
                                error));
    TRY(prism_builder_reserve(&e->builder, e->state_ends.count, batch->choices.count, batch->count,
                              error));
    for (size_t i = 0; i < e->state_ends.count; i++)
        TRY(assemble_state(e, first + (uint32_t)i, i > 0 ? (size_t)e->state_ends.items[i - 1] : 0,
                           (size_t)e->state_ends.items[i], error));
    return OPAC_OK;
}

static opac_status explore_batch(explorer *e, uint32_t *next, opac_error *error)
{
    uint32_t first = *next;
    TRY(check_limits(e, error));
    e->batch.count = e->batch.choices.count = e->batch.parts.count = e->state_ends.count = 0;
    while (*next < e->states.count && *next - first < BATCH_STATES &&
           e->batch.count < BATCH_BRANCHES)
        TRY(expand(e, (*next)++, error));
    return assemble(e, first, error);
}

static opac_status explore_all(explorer *e, opac_error *error)
{
    uint32_t next = 0;
    opac_status status = OPAC_OK;
    TRY(prism_initial_states(e->program, &e->model->layout, e->options.cancel, e->max_memory,
                             &e->states, error));
    e->initial_count = e->states.count;
    opac_progress_start(e->options.progress, "exploring");
    while (next < e->states.count && status == OPAC_OK) {
        status = explore_batch(e, &next, error);
        opac_progress_update(e->options.progress, e->states.count, 0);
    }
    opac_progress_finish(e->options.progress);
    return status;
}

/* ---- the beginning and the end ---- */

static opac_status make_layout(explorer *e, opac_error *error)
{
    for (uint32_t i = 0; i < e->program->variable_count; i++) {
        const prism_variable *v = &e->program->variables[i];
        opac_value_type type = v->type == PRISM_TYPE_BOOL ? OPAC_VALUE_BOOL : OPAC_VALUE_INT;
        opac_status status =
            model_layout_add(&e->model->layout, v->name, type, v->low, v->high, error);
        if (status == OPAC_ERROR_LIMIT && error != NULL) {
            error->line = v->place.line;
            error->column = v->place.column;
        }
        TRY(status);
    }
    return OPAC_OK;
}

static void make_fields(explorer *e)
{
    const model_layout *layout = &e->model->layout;
    for (uint32_t i = 0; i < layout->count; i++) {
        const model_variable *v = &layout->variables[i];
        e->values[i] = v->low;
        if (v->mask != 0)
            e->packed_variables[e->packed_count++] = (packed_variable){
                .variable = i, .word = v->word, .shift = v->shift, .mask = v->mask, .low = v->low};
    }
}

/* Checks that the masks fit into memory: their size is the number of branches times that of a state. */
static opac_status check_plan(const explorer *e, opac_error *error)
{
    const prism_program *program = e->program;
    uint64_t branches = 0;
    for (uint32_t m = 0; m < program->module_count; m++)
        for (uint32_t c = 0; c < program->modules[m].command_count; c++)
            branches += program->modules[m].commands[c].branch_count;
    if (prism_mask_memory(branches, e->model->layout.words) <= e->max_memory)
        return OPAC_OK;
    return base_fail_limit(
        error, "max_memory", e->max_memory,
        "%llu updates of %u variables need more memory than the limit of %llu MiB",
        (unsigned long long)branches, (unsigned)program->variable_count,
        (unsigned long long)(e->max_memory >> 20));
}

static opac_status prepare(explorer *e, opac_error *error)
{
    e->model = base_alloc_zeroed(1, sizeof *e->model);
    e->labels = base_alloc_zeroed((size_t)e->program->label_count + 1, sizeof *e->labels);
    e->values = base_alloc_zeroed(e->program->variable_count, sizeof *e->values);
    e->packed_variables =
        base_alloc_zeroed(e->program->variable_count, sizeof *e->packed_variables);
    if (e->model == NULL || e->labels == NULL || e->values == NULL || e->packed_variables == NULL)
        return base_fail_memory(error);
    e->model->type = e->program->type;
    if (e->options.commands)
        TRY(model_commands_new(&e->model->commands, error));
    TRY(make_layout(e, error));
    e->row = base_alloc_zeroed(e->model->layout.words, sizeof *e->row);
    if (e->row == NULL)
        return base_fail_memory(error);
    make_fields(e);
    set_limits(e);
    e->states.words = e->model->layout.words;
    e->context = (prism_successor_context){.compiled = &e->compiled,
                                           .report = e->report,
                                           .cancel = e->options.cancel,
                                           .keeps_commands = e->options.commands};
    TRY(prism_builder_init(&e->builder, e->program, e->options.exact, error));
    TRY(check_plan(e, error));
    return prism_compile_program(e->program, &e->model->layout, e->options.exact, &e->compiled,
                                 error);
}

static void copy_bits(const base_u64_vec *bits, base_bitset *set)
{
    if (bits->count > 0)
        memcpy(set->words, bits->items, bits->count * sizeof *bits->items);
}

static opac_status finish_labels(explorer *e, opac_error *error)
{
    opac_model *model = e->model;
    TRY(model_label_add(model, "init", strlen("init"), error));
    TRY(model_label_add(model, "deadlock", strlen("deadlock"), error));
    for (uint32_t i = 0; i < e->program->label_count; i++)
        TRY(model_label_add(model, e->program->labels[i].name, strlen(e->program->labels[i].name),
                            error));
    for (uint32_t i = 0; i < e->initial_count; i++)
        base_bitset_add(&model->labels.items[MODEL_LABEL_INIT].states, i);
    for (uint32_t i = 0; i <= e->program->label_count; i++)
        copy_bits(&e->labels[i], &model->labels.items[MODEL_LABEL_DEADLOCK + i].states);
    return model_set_initial(model, error);
}

static void warn_deadlocks(explorer *e)
{
    char words[PRISM_STATE_SIZE];
    if (e->deadlocks == 0)
        return;
    unpack(e, model_row(e->model, e->first_deadlock));
    prism_format_state(e->program, e->values, words, sizeof words);
    if (e->deadlocks == 1)
        model_report_warning(e->report, 0, 0,
                             "state (%s) has no choices (a deadlock); a self-loop is added", words);
    else
        model_report_warning(e->report, 0, 0,
                             "%llu states have no choices (deadlocks), the first is (%s); a "
                             "self-loop is added to each",
                             (unsigned long long)e->deadlocks, words);
}

static opac_status finish(explorer *e, opac_error *error)
{
    base_slots_fini(&e->states.slots);
    TRY(prism_builder_finish(&e->builder, e->model, error));
    if (e->states.rows.count > 0) {
        uint64_t *rows =
            base_allocate(e->states.rows.items, e->states.rows.count * sizeof *rows, false);
        if (rows == NULL)
            return base_fail_memory(error);
        e->model->rows = rows;
        e->states.rows = (base_u64_vec){0};
    }
    TRY(finish_labels(e, error));
    warn_deadlocks(e);
    return OPAC_OK;
}

static void release(explorer *e)
{
    prism_compiled_program_fini(&e->compiled);
    prism_states_fini(&e->states);
    prism_builder_fini(&e->builder);
    prism_batch_fini(&e->batch);
    base_u32_vec_fini(&e->context.odometer);
    base_u32_vec_fini(&e->numbers);
    base_u64_vec_fini(&e->state_ends);
    for (uint32_t i = 0; e->labels != NULL && i <= e->program->label_count; i++)
        base_u64_vec_fini(&e->labels[i]);
    base_text_fini(&e->name);
    base_free(e->labels);
    base_free(e->packed_variables);
    base_free(e->values);
    base_free(e->row);
    opac_model_free(e->model);
}

opac_status prism_explore(const prism_program *program, const opac_model_options *options,
                          model_report *report, opac_model **model, opac_error *error)
{
    explorer e = {.program = program, .report = report};
    *model = NULL;
    if (options != NULL)
        e.options = *options;
    base_work_init(&e.work, e.options.cancel, 0);
    opac_status status;
    TRY_OR(done, prepare(&e, error));
    e.states.slots.work = &e.work;
    TRY_OR(done, base_describe_stopped(explore_all(&e, error), e.options.cancel,
                                       "exploring the model", error));
    TRY_OR(done, finish(&e, error));
    *model = e.model;
    e.model = NULL;
done:
    release(&e);
    return status;
}
