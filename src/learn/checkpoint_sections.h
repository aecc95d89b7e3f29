/* SPDX-License-Identifier: MIT */
/*
 * The sections of a checkpoint, in the order of the file: what each holds is in
 * docs/formats/checkpoint.md. Writers are called twice, and write the same both
 * times; readers trust nothing.
 */
#ifndef LEARN_CHECKPOINT_SECTIONS_H
#define LEARN_CHECKPOINT_SECTIONS_H

#include "learn/checkpoint.h"
#include "learn/checkpoint_bytes.h"
#include "learn/world_restore.h"

enum {
    LEARN_SECTIONS = 8
};

/* Of the many bit patterns that are no number, the one that is written. */
#define LEARN_UNKNOWN_BITS UINT64_C(0x7FF8000000000000)

/* What is being written or read. */
typedef struct learn_transfer {
    const learn_checkpoint *checkpoint;
    base_u64_vec policy;        /* the words of learn_optimist_save, or of learn_run_save_bracket */
    uint64_t length;            /* of the file that is read */
    uint32_t start, initial;    /* of the file, until there are pairs */
    base_u32_vec targets, last; /* room for a row, and for the test that its targets are distinct */
    base_u64_vec observed;      /* room for a counter */
} learn_transfer;

typedef struct learn_section {
    const char *name; /* of eight bytes */
    void (*write)(const learn_transfer *transfer, learn_sink *sink);
    opac_status (*read)(learn_transfer *transfer, learn_source *source, opac_error *error);
} learn_section;

extern const learn_section learn_sections[LEARN_SECTIONS];

void learn_write_question(const learn_transfer *transfer, learn_sink *sink);
void learn_write_numbers(const learn_transfer *transfer, learn_sink *sink);
void learn_write_states(const learn_transfer *transfer, learn_sink *sink);
void learn_write_rows(const learn_transfer *transfer, learn_sink *sink);
void learn_write_pairs(const learn_transfer *transfer, learn_sink *sink);
void learn_write_counters(const learn_transfer *transfer, learn_sink *sink);
void learn_write_policy(const learn_transfer *transfer, learn_sink *sink);
void learn_write_trace(const learn_transfer *transfer, learn_sink *sink);

#endif
