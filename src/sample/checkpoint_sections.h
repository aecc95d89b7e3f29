/* SPDX-License-Identifier: MIT */
/*
 * The sections of a checkpoint, in the order of the file (docs/formats/checkpoint.md). Writers are called
 * twice and must write the same bytes both times. Readers must validate everything.
 */
#ifndef SAMPLE_CHECKPOINT_SECTIONS_H
#define SAMPLE_CHECKPOINT_SECTIONS_H

#include "sample/checkpoint.h"
#include "sample/checkpoint_bytes.h"
#include "sample/statistics_restore.h"

enum {
    SAMPLE_SECTIONS = 9
};

/* The bit pattern that is written for NAN. */
#define SAMPLE_UNKNOWN_BITS UINT64_C(0x7FF8000000000000)

/* Data of writing or reading a checkpoint. */
typedef struct sample_transfer {
    const sample_checkpoint *checkpoint;
    base_u64_vec policy;        /* the words of the strategy's state */
    uint64_t length;            /* of the file that is read */
    uint32_t start, initial;    /* as read, until product states are restored */
    base_u32_vec targets, last; /* scratch: a row, and sample_restore_row's last */
    base_u64_vec observed;      /* scratch: a counter */
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
void sample_write_names(const sample_transfer *transfer, sample_sink *sink);

#endif
