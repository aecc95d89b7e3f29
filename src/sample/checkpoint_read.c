/* SPDX-License-Identifier: MIT */
/*
 * Reads the sections of a checkpoint. The file may contain anything: either it restores possible
 * statistics, or it is refused. Each number is checked against those read before it, and no memory is
 * allocated for items that the file has no bytes for. (Choices are not in the file. Their number is at most
 * that of the rows times the automaton's states and moves, as in all statistics with these product states.)
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sample/checkpoint_question.h"
#include "sample/checkpoint_sections.h"
#include "sample/strategy.h"

/* Adds the place in the file to an error about its contents. */
static opac_status add_place(const sample_source *source, opac_status status,
                             const opac_error *found, opac_error *error)
{
    if (status == OPAC_OK)
        return OPAC_OK;
    if (status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_SIMULATOR ||
        status == OPAC_ERROR_LIMIT)
        return sample_source_refuse(source, error, "%s", found->message);
    return base_fail(error, status, "%s", found->message);
}

/* Reads a number below `bound` that was written plus one, or 0 for SAMPLE_NONE. */
static opac_status read_optional(sample_source *source, const char *what, uint64_t bound,
                                 uint32_t *number, opac_error *error)
{
    uint64_t taken;
    uint64_t most = bound < SAMPLE_NONE ? bound : SAMPLE_NONE;
    TRY(sample_source_number(source, what, most, &taken, error));
    *number = taken > 0 ? (uint32_t)(taken - 1) : SAMPLE_NONE;
    return OPAC_OK;
}

/* ---- the question ---- */

static opac_status read_question(sample_transfer *transfer, sample_source *source,
                                 opac_error *error)
{
    const char *here = transfer->checkpoint->question;
    uint64_t length = sample_source_left(source);
    char *there = length < SIZE_MAX ? base_alloc((size_t)length + 1, 1) : NULL;
    if (there == NULL)
        return base_fail_memory(error);
    opac_status status = sample_source_bytes(source, there, (size_t)length, error);
    if (status == OPAC_OK)
        status =
            sample_question_compare(source->name, there, (size_t)length, here, strlen(here), error);
    base_free(there);
    return status;
}

/* ---- the numbers of the run ---- */

static opac_status check_numbers(const sample_run *run, const sample_source *source,
                                 opac_error *error)
{
    if (run->horizon == 0)
        return sample_source_refuse(source, error, "T is 0");
    if (!run->strategy->has_fixed_length)
        return OPAC_OK;
    if (run->steps / run->horizon > run->episodes ||
        (run->steps / run->horizon == run->episodes && run->steps % run->horizon > 0))
        return sample_source_refuse(
            source, error, "%" PRIu64 " episodes of %" PRIu64 " steps cannot have %" PRIu64,
            run->episodes, run->horizon, run->steps);
    return OPAC_OK;
}

static opac_status read_numbers(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    sample_run *run = transfer->checkpoint->run;
    opac_error found;
    uint64_t k = 0;
    const struct {
        const char *name;
        uint64_t *number;
    } items[] = {
        {"the seed", &run->seed},
        {"T", &run->horizon},
        {"k", &k},
        {"the number of episodes", &run->episodes},
        {"the number of steps", &run->steps},
        {"the number of policies", &run->policies},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        TRY(sample_source_number(source, items[i].name, UINT64_MAX, items[i].number, error));
    TRY(read_optional(source, "the initial state", SAMPLE_NONE, &transfer->initial, error));
    TRY(read_optional(source, "the first product state", SAMPLE_NONE, &transfer->start, error));
    TRY(sample_source_number(source, "a limit", UINT64_MAX, &run->limit, error));
    TRY(sample_source_number(source, "a mark", run->episodes, &run->watch_begin, error));
    TRY(sample_source_number(source, "a number of samples", UINT64_MAX, &run->watch_samples,
                             error));
    TRY(check_numbers(run, source, error));
    return add_place(source, sample_statistics_set_k(&run->stats, k, &found), &found, error);
}

/* ---- statistics ---- */

/* Each action of a state is a row, and each row takes at least a byte in a later section. */
static opac_status read_state(sample_transfer *transfer, sample_source *source,
                              base_u64_vec *key_buffer, opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    opac_observation state = {.key = ""};
    uint64_t length, actions, rows = stats->rows.count;
    uint64_t later = transfer->length - sample_source_place(source);
    opac_error found;
    TRY(sample_source_count(source, "the length of a key", &length, error));
    TRY(base_u64_vec_reserve(key_buffer, (size_t)length / sizeof *key_buffer->items + 1, error));
    TRY(sample_source_bytes(source, key_buffer->items, (size_t)length, error));
    TRY(sample_source_number(source, "a letter", UINT64_MAX, &state.letter, error));
    TRY(sample_source_number(source, "the number of actions", rows < later ? later - rows : 0,
                             &actions, error));
    if (actions >= SAMPLE_NONE)
        return sample_source_refuse(source, error, "a state has %" PRIu64 " actions", actions);
    state.key = key_buffer->items;
    state.length = (size_t)length;
    state.actions = (uint32_t)actions;
    return add_place(source, sample_restore_state(stats, &state, &found), &found, error);
}

static opac_status read_states(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    base_u64_vec key_buffer = {0};
    uint64_t count;
    opac_status status = OPAC_OK;
    TRY(sample_source_count(source, "the number of states", &count, error));
    for (uint64_t i = 0; i < count; i++)
        TRY_OR(done, read_state(transfer, source, &key_buffer, error));
done:
    base_u64_vec_fini(&key_buffer);
    return status;
}

static opac_status read_row(sample_transfer *transfer, sample_source *source, uint32_t row,
                            opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint64_t width;
    opac_error found;
    TRY(sample_source_count(source, "the number of branches", &width, error));
    if (width >= SAMPLE_NONE)
        return sample_source_refuse(source, error, "an action has %" PRIu64 " branches", width);
    TRY(base_u32_vec_reserve(&transfer->targets, (size_t)width, error));
    for (size_t b = 0; b < width; b++)
        TRY(read_optional(source, "a target", stats->states.count, &transfer->targets.items[b],
                          error));
    return add_place(source,
                     sample_restore_row(stats, row, transfer->targets.items, (uint32_t)width,
                                        transfer->last.items, &found),
                     &found, error);
}

static opac_status read_rows(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    size_t states = stats->states.count;
    uint64_t count;
    TRY(sample_source_count(source, "the number of rows", &count, error));
    if (count != stats->rows.count)
        return sample_source_refuse(source, error, "there are %" PRIu64 " rows, but %zu actions",
                                    count, stats->rows.count);
    TRY(base_u32_vec_reserve(&transfer->last, states + 1, error));
    for (size_t s = 0; s < states; s++)
        transfer->last.items[s] = SAMPLE_NONE;
    for (uint32_t r = 0; r < count; r++)
        TRY(read_row(transfer, source, r, error));
    return OPAC_OK;
}

static opac_status read_product_state(sample_transfer *transfer, sample_source *source,
                                      uint32_t number, opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_product_state product_state = {.state = SAMPLE_NONE, .memory = SAMPLE_NONE};
    sample_product_state_kind kind = SAMPLE_PRODUCT_STATES;
    uint64_t code, memory = SAMPLE_NONE;
    opac_error found;
    TRY(sample_source_number(source, "the state of a product state",
                             stats->states.count + SAMPLE_PRODUCT_STATES - 1, &code, error));
    if (code >= SAMPLE_PRODUCT_STATES)
        product_state.state = (uint32_t)(code - SAMPLE_PRODUCT_STATES);
    else
        kind = (sample_product_state_kind)code;
    if (kind >= SAMPLE_PRODUCT_SINK)
        TRY(sample_source_number(source, "a memory", SAMPLE_NONE - 1, &memory, error));
    product_state.memory = (uint32_t)memory;
    return add_place(source,
                     sample_restore_product_state(stats, number, &product_state, kind,
                                                  transfer->initial, &found),
                     &found, error);
}

static opac_status read_product_states(sample_transfer *transfer, sample_source *source,
                                       opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint64_t count;
    opac_error found;
    TRY(sample_source_count(source, "the number of product states", &count, error));
    if (count >= SAMPLE_NONE)
        return sample_source_refuse(source, error, "there are %" PRIu64 " product states", count);
    for (uint32_t p = 0; p < count; p++)
        TRY(read_product_state(transfer, source, p, error));
    if (stats->product_states.count != count)
        return sample_source_refuse(source, error,
                                    "there are %" PRIu64 " product states instead of %zu", count,
                                    stats->product_states.count);
    return add_place(source,
                     sample_restore_start(stats, transfer->initial, transfer->start, &found),
                     &found, error);
}

static opac_status read_counter(sample_transfer *transfer, sample_source *source, uint32_t counter,
                                opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint32_t width = stats->rows.items[stats->counters.items[counter].row].width;
    uint64_t head;
    opac_error found;
    TRY(sample_source_number(source, "a counter's head", (uint64_t)width << 1 | 1, &head, error));
    if (head >> 1 > sample_source_left(source))
        return sample_source_refuse(source, error, "the section ends too early");
    TRY(base_u64_vec_reserve(&transfer->observed, (size_t)(head >> 1), error));
    for (size_t b = 0; b < head >> 1; b++)
        TRY(sample_source_number(source, "a number of observations", stats->k,
                                 &transfer->observed.items[b], error));
    return add_place(source,
                     sample_restore_counter(stats, counter, transfer->observed.items,
                                            (uint32_t)(head >> 1), (head & 1) != 0, &found),
                     &found, error);
}

static opac_status read_end(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint64_t count, number = 0;
    opac_error found;
    TRY(sample_source_count(source, "the number of full counters", &count, error));
    TRY(base_u32_vec_reserve(&transfer->targets, (size_t)count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(sample_source_number(source, "a counter", stats->counters.count, &number, error));
        transfer->targets.items[i] = (uint32_t)number;
    }
    TRY(sample_source_number(source, "the number of closed product states",
                             stats->product_states.count, &number, error));
    return add_place(
        source,
        sample_restore_end(stats, transfer->targets.items, (size_t)count, (uint32_t)number, &found),
        &found, error);
}

static opac_status read_counters(sample_transfer *transfer, sample_source *source,
                                 opac_error *error)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint64_t count;
    TRY(sample_source_count(source, "the number of counters", &count, error));
    if (count != stats->counters.count)
        return sample_source_refuse(source, error, "there are %" PRIu64 " counters instead of %zu",
                                    count, stats->counters.count);
    for (uint32_t c = 0; c < count; c++)
        TRY(read_counter(transfer, source, c, error));
    return read_end(transfer, source, error);
}

/* ---- strategy and trace ---- */

static opac_status read_policy(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    sample_run *run = transfer->checkpoint->run;
    uint64_t count;
    opac_error found;
    TRY(sample_source_count(source, "the number of words", &count, error));
    TRY(base_u64_vec_reserve(&transfer->policy, (size_t)count, error));
    for (size_t i = 0; i < count; i++)
        TRY(sample_source_number(source, "a word", UINT64_MAX, &transfer->policy.items[i], error));
    transfer->policy.count = (size_t)count;
    const uint64_t *words = transfer->policy.items;
    return add_place(source, run->strategy->restore(run, words, transfer->policy.count, &found),
                     &found, error);
}

/* Reads a probability, or NAN if it may be unknown. */
static opac_status read_probability(sample_source *source, bool may_be_unknown, double *value,
                                    opac_error *error)
{
    uint64_t bits;
    TRY(sample_source_word(source, &bits, error));
    memcpy(value, &bits, sizeof bits);
    if (isnan(*value) ? may_be_unknown && bits == SAMPLE_UNKNOWN_BITS : *value >= 0 && *value <= 1)
        return OPAC_OK;
    return sample_source_refuse(source, error, "a probability is not between 0 and 1");
}

static opac_status read_entry(sample_source *source, const sample_run *run,
                              const opac_trace_entry *before, opac_trace_entry *entry,
                              opac_error *error)
{
    TRY(sample_source_number(source, "an episode", run->episodes, &entry->episode, error));
    TRY(sample_source_number(source, "a step", run->steps, &entry->step, error));
    TRY(sample_source_number(source, "a number of known rows", UINT64_MAX, &entry->known, error));
    TRY(sample_source_number(source, "T",
                             run->strategy->has_fixed_length ? run->horizon : UINT64_MAX,
                             &entry->horizon, error));
    TRY(sample_source_number(source, "a number of candidates", UINT64_MAX, &entry->candidates,
                             error));
    TRY(read_probability(source, false, &entry->value, error));
    TRY(read_probability(source, true, &entry->lower, error));
    TRY(read_probability(source, true, &entry->upper, error));
    if (isnan(entry->lower) != isnan(entry->upper) || entry->lower > entry->upper)
        return sample_source_refuse(source, error, "the bounds of a bracket are not in order");
    TRY(read_probability(source, true, &entry->truth, error));
    if (before != NULL && (entry->episode < before->episode || entry->step < before->step))
        return sample_source_refuse(source, error, "trace entries are not in the order of time");
    return OPAC_OK;
}

static opac_status read_trace(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    sample_trace_vec *trace = transfer->checkpoint->trace;
    uint64_t count;
    trace->count = 0;
    TRY(sample_source_count(source, "the number of policies", &count, error));
    for (uint64_t i = 0; i < count; i++) {
        opac_trace_entry entry = {0};
        const opac_trace_entry *before = trace->count > 0 ? &trace->items[trace->count - 1] : NULL;
        TRY(read_entry(source, transfer->checkpoint->run, before, &entry, error));
        TRY(sample_trace_vec_push(trace, entry, error));
    }
    return OPAC_OK;
}

/* A name of an action, with a NUL at its end and no other one. The caller frees it. */
static opac_status read_name(sample_source *source, char **name, opac_error *error)
{
    uint64_t length;
    TRY(sample_source_count(source, "the length of a name", &length, error));
    base_free(*name);
    *name = base_alloc((size_t)length + 1, 1);
    if (*name == NULL)
        return base_fail_memory(error);
    TRY(sample_source_bytes(source, *name, (size_t)length, error));
    (*name)[length] = '\0';
    return length > 0 && strlen(*name) == length
               ? OPAC_OK
               : sample_source_refuse(source, error, "a name of an action is empty or has a NUL");
}

static opac_status read_names(sample_transfer *transfer, sample_source *source, opac_error *error)
{
    sample_statistics *stats = &transfer->checkpoint->run->stats;
    uint64_t count, number;
    char *name = NULL;
    opac_status status;
    bool is_new = true;
    TRY_OR(done, sample_source_count(source, "the number of names", &count, error));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t id;
        TRY_OR(done, read_name(source, &name, error));
        TRY_OR(done, base_intern_add(&stats->names, name, strlen(name) + 1, &id, &is_new, error));
        if (!is_new)
            TRY_OR(done, sample_source_refuse(source, error, "two names are the same"));
    }
    for (uint32_t r = 0; count > 0 && r < stats->rows.count; r++) {
        TRY_OR(done, sample_source_number(source, "a name", count, &number, error));
        TRY_OR(done, base_u32_vec_push(&stats->row_names,
                                       number > 0 ? (uint32_t)number - 1 : SAMPLE_NONE, error));
    }
    stats->named = (uint32_t)stats->states.count;
done:
    base_free(name);
    return status;
}

/* Each reader uses what earlier ones have restored. */
const sample_section sample_sections[SAMPLE_SECTIONS] = {
    {"question", sample_write_question, read_question},
    {"numbers ", sample_write_numbers, read_numbers},
    {"states  ", sample_write_states, read_states},
    {"rows    ", sample_write_rows, read_rows},
    {"pairs   ", sample_write_product_states, read_product_states},
    {"counters", sample_write_counters, read_counters},
    {"policy  ", sample_write_policy, read_policy},
    {"trace   ", sample_write_trace, read_trace},
    {"names   ", sample_write_names, read_names},
};
