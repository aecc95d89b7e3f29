/* SPDX-License-Identifier: MIT */
/*
 * What the sections of a checkpoint hold, as written. Numbers that may be absent
 * are written plus one, and 0 for absent.
 *
 * Nothing is written that follows from the rest: places in memory, links, what
 * was largest; nor the environment's own numbers of rows, which are another's.
 */
#include "learn/checkpoint_sections.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "learn/checkpoint_question.h"

static void put_optional(learn_sink *sink, uint32_t number)
{
    learn_sink_number(sink, number != LEARN_NONE ? (uint64_t)number + 1 : 0);
}

void learn_write_question(const learn_transfer *transfer, learn_sink *sink)
{
    const char *question = transfer->checkpoint->question;
    if (transfer->checkpoint->run->is_unlike)
        learn_sink_bytes(sink, LEARN_QUESTION_UNLIKE, strlen(LEARN_QUESTION_UNLIKE));
    learn_sink_bytes(sink, question, strlen(question));
}

void learn_write_numbers(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_run *run = transfer->checkpoint->run;
    learn_sink_number(sink, run->seed);
    learn_sink_number(sink, run->horizon);
    learn_sink_number(sink, run->world.k);
    learn_sink_number(sink, run->episodes);
    learn_sink_number(sink, run->steps);
    learn_sink_number(sink, run->policies);
    put_optional(sink, run->world.initial);
    put_optional(sink, run->world.start);
    learn_sink_number(sink, run->limit);
    learn_sink_number(sink, run->mark);
    learn_sink_number(sink, run->samples);
}

void learn_write_states(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_world *world = &transfer->checkpoint->run->world;
    learn_sink_number(sink, world->states.count);
    for (uint32_t s = 0; s < world->states.count; s++) {
        size_t length;
        const unsigned char *key = base_intern_key(&world->keys, s, &length);
        learn_sink_number(sink, length);
        learn_sink_bytes(sink, key, length);
        learn_sink_number(sink, world->states.items[s].letter);
        learn_sink_number(sink, world->states.items[s].actions);
    }
}

void learn_write_rows(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_world *world = &transfer->checkpoint->run->world;
    learn_sink_number(sink, world->rows.count);
    for (size_t r = 0; r < world->rows.count; r++) {
        const learn_row *row = &world->rows.items[r];
        uint32_t width = row->seen > 0 ? row->width : 0;
        learn_sink_number(sink, width);
        for (uint32_t b = 0; b < width; b++)
            put_optional(sink, world->targets.items[row->begin + b]);
    }
}

/* The state, plus three: below are the pairs that have none. */
void learn_write_pairs(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_world *world = &transfer->checkpoint->run->world;
    learn_sink_number(sink, world->pairs.count);
    for (uint32_t p = 0; p < world->pairs.count; p++) {
        const learn_pair *pair = &world->pairs.items[p];
        if (pair->state != LEARN_NONE)
            learn_sink_number(sink, (uint64_t)pair->state + LEARN_PAIR_STATES);
        else if (pair->memory != LEARN_NONE)
            learn_sink_number(sink, LEARN_PAIR_SINK);
        else
            learn_sink_number(sink, p == world->reject ? LEARN_PAIR_REJECT : LEARN_PAIR_START);
        if (pair->memory != LEARN_NONE)
            learn_sink_number(sink, pair->memory);
    }
}

/* Observations by branch, without the zeros at their end; their sum is the count. A reset that is
 * known by its discoveries is made so by these (support_save.c). */
void learn_write_counters(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_world *world = &transfer->checkpoint->run->world;
    learn_sink_number(sink, world->counters.count);
    for (uint32_t c = 0; c < world->counters.count; c++) {
        const learn_counter *counter = &world->counters.items[c];
        uint32_t width = counter->capacity;
        while (width > 0 && learn_world_observed(world, c, width - 1) == 0)
            width--;
        bool is_known = counter->known && (counter->complete || !world->completes);
        learn_sink_number(sink, (uint64_t)width << 1 | is_known);
        for (uint32_t b = 0; b < width; b++)
            learn_sink_number(sink, learn_world_observed(world, c, b));
    }
    learn_sink_number(sink, world->full.count);
    for (size_t i = 0; i < world->full.count; i++)
        learn_sink_number(sink, world->full.items[i]);
    learn_sink_number(sink, world->closed);
}

void learn_write_policy(const learn_transfer *transfer, learn_sink *sink)
{
    learn_sink_number(sink, transfer->policy.count);
    for (size_t i = 0; i < transfer->policy.count; i++)
        learn_sink_number(sink, transfer->policy.items[i]);
}

static void put_double(learn_sink *sink, double value)
{
    learn_sink_word(sink, isnan(value) ? LEARN_UNKNOWN_BITS : base_word_of(value));
}

void learn_write_trace(const learn_transfer *transfer, learn_sink *sink)
{
    const learn_trace_vec *trace = transfer->checkpoint->trace;
    learn_sink_number(sink, trace->count);
    for (size_t i = 0; i < trace->count; i++) {
        const opac_trace_entry *entry = &trace->items[i];
        learn_sink_number(sink, entry->episode);
        learn_sink_number(sink, entry->step);
        learn_sink_number(sink, entry->known);
        learn_sink_number(sink, entry->horizon);
        put_double(sink, entry->value);
        put_double(sink, entry->lower);
        put_double(sink, entry->upper);
        put_double(sink, entry->truth);
    }
}
