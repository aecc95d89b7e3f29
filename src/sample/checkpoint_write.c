/* SPDX-License-Identifier: MIT */
/*
 * Writes the sections of a checkpoint. Numbers that may be absent are written plus one, and 0 if absent.
 *
 * Derived data is not written: positions in memory, links, largest sizes; nor the environment's own numbers
 * of rows.
 */
#include "sample/checkpoint_sections.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "sample/checkpoint_question.h"

static void put_optional(sample_sink *sink, uint32_t number)
{
    sample_sink_number(sink, number != SAMPLE_NONE ? (uint64_t)number + 1 : 0);
}

void sample_write_question(const sample_transfer *transfer, sample_sink *sink)
{
    const char *question = transfer->checkpoint->question;
    if (transfer->checkpoint->run->independence_refuted)
        sample_sink_bytes(sink, SAMPLE_QUESTION_UNLIKE, strlen(SAMPLE_QUESTION_UNLIKE));
    sample_sink_bytes(sink, question, strlen(question));
}

void sample_write_numbers(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_run *run = transfer->checkpoint->run;
    sample_sink_number(sink, run->seed);
    sample_sink_number(sink, run->horizon);
    sample_sink_number(sink, run->stats.k);
    sample_sink_number(sink, run->episodes);
    sample_sink_number(sink, run->steps);
    sample_sink_number(sink, run->policies);
    put_optional(sink, run->stats.initial);
    put_optional(sink, run->stats.start);
    sample_sink_number(sink, run->limit);
    sample_sink_number(sink, run->watch_begin);
    sample_sink_number(sink, run->watch_samples);
}

void sample_write_states(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_sink_number(sink, stats->states.count);
    for (uint32_t s = 0; s < stats->states.count; s++) {
        size_t length;
        const unsigned char *key = base_intern_key(&stats->keys, s, &length);
        sample_sink_number(sink, length);
        sample_sink_bytes(sink, key, length);
        sample_sink_number(sink, stats->states.items[s].letter);
        sample_sink_number(sink, stats->states.items[s].actions);
    }
}

void sample_write_rows(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_sink_number(sink, stats->rows.count);
    for (size_t r = 0; r < stats->rows.count; r++) {
        const sample_row *row = &stats->rows.items[r];
        uint32_t width = row->seen > 0 ? row->width : 0;
        sample_sink_number(sink, width);
        for (uint32_t b = 0; b < width; b++)
            put_optional(sink, stats->targets.items[row->begin + b]);
    }
}

/* The state plus 3; smaller numbers stand for product states without one (sample_product_state_kind). */
void sample_write_product_states(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_sink_number(sink, stats->product_states.count);
    for (uint32_t p = 0; p < stats->product_states.count; p++) {
        const sample_product_state *product_state = &stats->product_states.items[p];
        if (product_state->state != SAMPLE_NONE)
            sample_sink_number(sink, (uint64_t)product_state->state + SAMPLE_PRODUCT_STATES);
        else if (product_state->memory != SAMPLE_NONE)
            sample_sink_number(sink, SAMPLE_PRODUCT_SINK);
        else
            sample_sink_number(sink,
                               p == stats->reject ? SAMPLE_PRODUCT_REJECT : SAMPLE_PRODUCT_START);
        if (product_state->memory != SAMPLE_NONE)
            sample_sink_number(sink, product_state->memory);
    }
}

/* Observations by branch, without trailing zeros; the count is their sum. A reset that is known by its
 * discoveries is restored with these (bracket/support_save.c). */
void sample_write_counters(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_sink_number(sink, stats->counters.count);
    for (uint32_t c = 0; c < stats->counters.count; c++) {
        const sample_counter *counter = &stats->counters.items[c];
        uint32_t width = counter->capacity;
        while (width > 0 && sample_statistics_observed(stats, c, width - 1) == 0)
            width--;
        bool is_known = counter->known &&
                        (counter->complete || stats->rows_are_open || !stats->known_when_complete);
        sample_sink_number(sink, (uint64_t)width << 1 | is_known);
        for (uint32_t b = 0; b < width; b++)
            sample_sink_number(sink, sample_statistics_observed(stats, c, b));
    }
    sample_sink_number(sink, stats->full.count);
    for (size_t i = 0; i < stats->full.count; i++)
        sample_sink_number(sink, stats->full.items[i]);
    sample_sink_number(sink, stats->closed);
}

void sample_write_policy(const sample_transfer *transfer, sample_sink *sink)
{
    sample_sink_number(sink, transfer->policy.count);
    for (size_t i = 0; i < transfer->policy.count; i++)
        sample_sink_number(sink, transfer->policy.items[i]);
}

static void put_double(sample_sink *sink, double value)
{
    sample_sink_word(sink, isnan(value) ? SAMPLE_UNKNOWN_BITS : base_double_to_bits(value));
}

void sample_write_trace(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_trace_vec *trace = transfer->checkpoint->trace;
    sample_sink_number(sink, trace->count);
    for (size_t i = 0; i < trace->count; i++) {
        const opac_trace_entry *entry = &trace->items[i];
        sample_sink_number(sink, entry->episode);
        sample_sink_number(sink, entry->step);
        sample_sink_number(sink, entry->known);
        sample_sink_number(sink, entry->horizon);
        sample_sink_number(sink, entry->candidates);
        put_double(sink, entry->value);
        put_double(sink, entry->lower);
        put_double(sink, entry->upper);
        put_double(sink, entry->truth);
    }
}

/* The names without their NUL; then by row the number of its name plus one. */
void sample_write_names(const sample_transfer *transfer, sample_sink *sink)
{
    const sample_statistics *stats = &transfer->checkpoint->run->stats;
    sample_sink_number(sink, stats->names.count);
    for (uint32_t i = 0; i < stats->names.count; i++) {
        size_t length;
        const unsigned char *name = base_intern_key(&stats->names, i, &length);
        sample_sink_number(sink, length - 1);
        sample_sink_bytes(sink, name, length - 1);
    }
    for (uint32_t r = 0; stats->names.count > 0 && r < stats->rows.count; r++)
        put_optional(sink, r < stats->row_names.count ? stats->row_names.items[r] : SAMPLE_NONE);
}
