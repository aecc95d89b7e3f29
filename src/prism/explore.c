/* SPDX-License-Identifier: MIT */
/*
 * Breadth first: states are expanded in the order of their numbers, so there
 * is no queue, and the arrays come out in order.
 *
 *     states   │ expanded …          │ batch │ found, not expanded … │
 *                                       │
 *                     successors of all its states, then their numbers, then the arrays
 *
 * A batch is some dozens of states whose successors are looked up together
 * (prism_states.h); the result does not depend on its size. Linear in all. The peak
 * of the memory is the model and the slots: 11 to 21 bytes a state beyond it.
 */
#include "prism/explore.h"

#include <string.h>

#include "base/alloc.h"
#include "base/double_double.h"
#include "base/work.h"
#include "model/model_limits.h"
#include "prism/assemble.h"
#include "prism/initial.h"
#include "prism/plan.h"
#include "prism/prism_states.h"
#include "prism/state_words.h"
#include "prism/successors.h"

enum {
    BATCH_STATES = 64,
    BATCH_BRANCHES = 512 /* end a batch early */
};

/* Where a variable lies in a row; only those that take bits. */
typedef struct field {
    uint32_t variable, word;
    unsigned shift;
    uint64_t mask;
    int64_t low;
} field;

typedef struct explorer {
    const prism_program *program;
    opac_model_options options;
    model_report *report;
    opac_model *model;
    prism_plan plan;
    prism_states states;
    prism_assembly assembly;
    prism_run run;
    prism_batch batch;
    base_u32_vec numbers;    /* of the batch's successors */
    base_u64_vec state_ends; /* the batch's choices, state by state */
    field *fields;
    uint32_t field_count;
    int64_t *values;
    uint64_t *row;
    base_u64_vec *labels; /* bits of the program's labels, behind those of "deadlock" */
    uint64_t deadlocks;
    uint32_t first_deadlock;
    uint32_t initial_count;
    uint64_t max_memory;
    base_work work; /* polls while the slots of the states grow */
} explorer;

/* ---- limits ---- */

static void set_limits(explorer *e)
{
    e->states.limit = model_max_states(&e->options);
    e->max_memory = model_max_memory(&e->options);
}

/* What is in use, and what the next growth of the slots takes for a while. */
static uint64_t memory_in_use(const explorer *e)
{
    uint64_t labels = 0, slots = base_slots_memory(&e->states.slots);
    for (uint32_t i = 0; i <= e->program->label_count; i++)
        labels += e->labels[i].count * sizeof(uint64_t);
    if (!base_slots_fit(&e->states.slots, (uint64_t)e->states.count + BATCH_BRANCHES))
        slots *= 3;
    return slots + labels + e->states.rows.count * sizeof(uint64_t) +
           prism_assembly_memory(&e->assembly);
}

static opac_status check_limits(const explorer *e, opac_error *error)
{
    uint64_t used = memory_in_use(e);
    if (opac_cancel_requested(e->options.cancel))
        return base_fail_stopped(error, e->options.cancel, "exploring the model");
    if (used > e->max_memory)
        return base_fail_limit(error, "max_memory", e->max_memory,
                               "%u states take more than the %llu MiB of memory that are allowed",
                               (unsigned)e->states.count,
                               (unsigned long long)(e->max_memory >> 20));
    return OPAC_OK;
}

/* ---- one state ---- */

static inline void unpack(const explorer *e, const uint64_t *row)
{
    for (uint32_t i = 0; i < e->field_count; i++) {
        const field *f = &e->fields[i];
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
        if (prism_code_integer(e->plan.code, e->plan.labels[i], e->values, &holds, error) !=
            OPAC_OK)
            return prism_fail_in_state(e->program, e->values, OPAC_ERROR_ARGUMENT, error);
        TRY(push_label(e, i + 1, state, holds != 0, error));
    }
    return OPAC_OK;
}

/* The choices of a state again, from `before` on: they are averaged, for which doubles are too short. */
static opac_status expand_precisely(explorer *e, prism_state *state, size_t before,
                                    opac_error *error)
{
    e->batch.choices.count = before;
    e->batch.count = before > 0 ? e->batch.choices.items[before - 1].end : 0;
    state->visit++;
    e->run.is_precise = true;
    opac_status status = prism_successors(&e->run, state, &e->batch, error);
    e->run.is_precise = false;
    return status;
}

/* Leaves its choices in the batch, and its labels where they belong. */
static opac_status expand(explorer *e, uint32_t number, opac_error *error)
{
    uint32_t words = e->states.words;
    size_t before = e->batch.choices.count;
    for (uint32_t w = 0; w < words; w++)
        e->row[w] = e->states.rows.items[(size_t)number * words + w];
    unpack(e, e->row);
    prism_state state = {.visit = 2 * (uint64_t)number, .values = e->values, .row = e->row};
    TRY(prism_successors(&e->run, &state, &e->batch, error));
    if (e->batch.choices.count > before + 1 && e->assembly.is_chain && !e->plan.exact)
        TRY(expand_precisely(e, &state, before, error));
    bool deadlock = e->batch.choices.count == before;
    TRY(evaluate_labels(e, number, deadlock, error));
    if (deadlock) {
        e->first_deadlock = e->deadlocks == 0 ? number : e->first_deadlock;
        e->deadlocks++;
        TRY(prism_successors_loop(&e->run, &state, &e->batch, error));
    }
    return base_u64_vec_push(&e->state_ends, e->batch.choices.count, error);
}

/* ---- a batch ---- */

static void warn_overlap(explorer *e, uint32_t state, const prism_choice *second)
{
    prism_action *action = &e->plan.actions[second->command];
    char words[PRISM_STATE_SIZE];
    if (action->told_overlap)
        return;
    action->told_overlap = true;
    unpack(e, e->states.rows.items + (size_t)state * e->states.words);
    model_report_warning(
        e->report, action->place.line, action->place.column,
        "this command is enabled together with another in state (%s) of a dtmc; their average "
        "is taken",
        prism_state_words(e->program, e->values, words, sizeof words));
}

/* Divides the branches of a choice by their sum and by the number of choices. */
static opac_status share(explorer *e, uint32_t state, size_t begin, size_t end, size_t count,
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
                             "not 0, but too small for a double",
                             (unsigned)state);
    }
    return OPAC_OK;
}

static void share_exactly(explorer *e, size_t begin, size_t end, size_t count)
{
    base_ratio part = base_ratio_of(1, (int64_t)count);
    for (size_t i = begin; i < end; i++)
        e->batch.exact.items[i] = base_ratio_multiply(e->batch.exact.items[i], part);
}

/* All choices of a state of a chain become one, each with the same share. */
static opac_status average(explorer *e, uint32_t state, size_t begin, size_t end, opac_error *error)
{
    prism_batch *batch = &e->batch;
    const prism_choice *choices = batch->choices.items;
    size_t first = begin > 0 ? choices[begin - 1].end : 0, count = end - begin;
    for (size_t i = begin + 1; i < end; i++)
        warn_overlap(e, state, &choices[i]);
    if (count > 1 && e->plan.exact)
        share_exactly(e, first, choices[end - 1].end, count);
    for (size_t i = begin, at = first; i < end && count > 1 && !e->plan.exact; i++) {
        TRY(share(e, state, at, choices[i].end, count, error));
        at = choices[i].end;
    }
    return prism_assembly_choice(&e->assembly, 0, choices[end - 1].end - first,
                                 e->numbers.items + first, batch->probabilities.items + first,
                                 e->plan.exact ? batch->exact.items + first : NULL, error);
}

static opac_status assemble_state(explorer *e, uint32_t state, size_t begin, size_t end,
                                  opac_error *error)
{
    const prism_batch *batch = &e->batch;
    opac_status status = OPAC_OK;
    if (e->assembly.is_chain) {
        TRY_OR(done, average(e, state, begin, end, error));
    } else {
        for (size_t i = begin; i < end; i++) {
            size_t first = i > 0 ? batch->choices.items[i - 1].end : 0;
            TRY_OR(done, prism_assembly_choice(
                             &e->assembly, batch->choices.items[i].action,
                             batch->choices.items[i].end - first, e->numbers.items + first,
                             batch->probabilities.items + first,
                             e->plan.exact ? batch->exact.items + first : NULL, error));
        }
    }
done:
    prism_assembly_state(&e->assembly);
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
    TRY(prism_assembly_reserve(&e->assembly, e->state_ends.count, batch->choices.count,
                               batch->count, error));
    for (size_t i = 0; i < e->state_ends.count; i++)
        TRY(assemble_state(e, first + (uint32_t)i, i > 0 ? (size_t)e->state_ends.items[i - 1] : 0,
                           (size_t)e->state_ends.items[i], error));
    return OPAC_OK;
}

static opac_status do_batch(explorer *e, uint32_t *next, opac_error *error)
{
    uint32_t first = *next;
    TRY(check_limits(e, error));
    e->batch.count = e->batch.choices.count = e->state_ends.count = 0;
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
        status = do_batch(e, &next, error);
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
            e->fields[e->field_count++] = (field){
                .variable = i, .word = v->word, .shift = v->shift, .mask = v->mask, .low = v->low};
    }
}

/* The masks of all branches, which take the room of states: many of each are a lot together. */
static opac_status check_plan(const explorer *e, opac_error *error)
{
    const prism_program *program = e->program;
    uint64_t ways = 0;
    for (uint32_t m = 0; m < program->module_count; m++)
        for (uint32_t c = 0; c < program->modules[m].command_count; c++)
            ways += program->modules[m].commands[c].branch_count;
    if (prism_plan_memory(ways, e->model->layout.words) <= e->max_memory)
        return OPAC_OK;
    return base_fail_limit(
        error, "max_memory", e->max_memory,
        "%llu updates of %u variables take more than the %llu MiB of memory that are "
        "allowed",
        (unsigned long long)ways, (unsigned)program->variable_count,
        (unsigned long long)(e->max_memory >> 20));
}

static opac_status prepare(explorer *e, opac_error *error)
{
    e->model = base_alloc_zeroed(1, sizeof *e->model);
    e->labels = base_alloc_zeroed((size_t)e->program->label_count + 1, sizeof *e->labels);
    e->values = base_alloc_zeroed(e->program->variable_count, sizeof *e->values);
    e->fields = base_alloc_zeroed(e->program->variable_count, sizeof *e->fields);
    if (e->model == NULL || e->labels == NULL || e->values == NULL || e->fields == NULL)
        return base_fail_memory(error);
    e->model->type = e->program->type;
    TRY(make_layout(e, error));
    e->row = base_alloc_zeroed(e->model->layout.words, sizeof *e->row);
    if (e->row == NULL)
        return base_fail_memory(error);
    make_fields(e);
    set_limits(e);
    e->states.words = e->model->layout.words;
    e->run = (prism_run){.plan = &e->plan, .report = e->report, .cancel = e->options.cancel};
    TRY(prism_assembly_init(&e->assembly, e->program, e->options.exact, error));
    TRY(check_plan(e, error));
    return prism_plan_make(e->program, &e->model->layout, e->options.exact, &e->plan, error);
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
    prism_state_words(e->program, e->values, words, sizeof words);
    if (e->deadlocks == 1)
        model_report_warning(e->report, 0, 0,
                             "state (%s) has no choices, a deadlock: it gets one back to itself",
                             words);
    else
        model_report_warning(
            e->report, 0, 0,
            "%llu states, the first of them (%s), have no choices, a deadlock: each gets one "
            "back to itself",
            (unsigned long long)e->deadlocks, words);
}

static opac_status finish(explorer *e, opac_error *error)
{
    base_slots_fini(&e->states.slots);
    TRY(prism_assembly_finish(&e->assembly, e->model, error));
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
    prism_plan_fini(&e->plan);
    prism_states_fini(&e->states);
    prism_assembly_fini(&e->assembly);
    prism_batch_fini(&e->batch);
    base_u32_vec_fini(&e->run.odometer);
    base_u32_vec_fini(&e->numbers);
    base_u64_vec_fini(&e->state_ends);
    for (uint32_t i = 0; e->labels != NULL && i <= e->program->label_count; i++)
        base_u64_vec_fini(&e->labels[i]);
    base_free(e->labels);
    base_free(e->fields);
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
