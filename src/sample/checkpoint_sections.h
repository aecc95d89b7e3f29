/* SPDX-License-Identifier: MIT */
/*
 * The sections of a checkpoint, in the order of the file: what each holds is in
 * docs/formats/checkpoint.md. Writers are called twice, and write the same both
 * times; readers trust nothing.
 */
#ifndef SAMPLE_CHECKPOINT_SECTIONS_H
#define SAMPLE_CHECKPOINT_SECTIONS_H

#include "sample/checkpoint.h"
#include "sample/checkpoint_bytes.h"
#include "sample/statistics_restore.h"

enum {
    SAMPLE_SECTIONS = 8
};

/* Of the many bit patterns that are no number, the one that is written. */
#define SAMPLE_UNKNOWN_BITS UINT64_C(0x7FF8000000000000)

/* What is being written or read. */
typedef struct sample_transfer {
    const sample_checkpoint *checkpoint;
    base_u64_vec policy;        /* the words of the strategy's state */
    uint64_t length;            /* of the file that is read */
    uint32_t start, initial;    /* of the file, until there are pairs */
    base_u32_vec targets, last; /* room for a row, and for the test that its targets are distinct */
    base_u64_vec observed;      /* room for a counter */
} sample_transfer;

typedef struct sample_section {
    const char *name; /* of eight bytes */
    void (*write)(const sample_transfer *transfer, sample_sink *sink);
    opac_status (*read)(sample_transfer *transfer, sample_source *source, opac_error *error);
} sample_section;

extern const sample_section sample_sections[SAMPLE_SECTIONS];

void sample_write_question(const sample_transfer *transfer, sample_sink *sink);
void sample_write_numbers(const sample_transfer *transfer, sample_sink *sink);
void sample_write_states(const sample_transfer *transfer, sample_sink *sink);
void sample_write_rows(const sample_transfer *transfer, sample_sink *sink);
void sample_write_product_states(const sample_transfer *transfer, sample_sink *sink);
void sample_write_counters(const sample_transfer *transfer, sample_sink *sink);
void sample_write_policy(const sample_transfer *transfer, sample_sink *sink);
void sample_write_trace(const sample_transfer *transfer, sample_sink *sink);

#endif
