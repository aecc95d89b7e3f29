/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: the state of a run as a file (docs/formats/checkpoint.md). Binary, little endian, with the
 * question of the run, so that the checkpoint of another run is refused with the difference, and with a
 * digest of the whole file, so that a damaged one is refused.
 *
 * It contains the statistics (keys, letters, actions, rows with targets, counters, product states in their
 * order), the state of the strategy, the numbers of sample_run and the trace; but no caches, links or
 * graphs.
 */
#ifndef SAMPLE_CHECKPOINT_H
#define SAMPLE_CHECKPOINT_H

#include <omegapac/output.h>

#include "sample/checkpoint_bytes.h"
#include "sample/checkpoint_lock.h"
#include "sample/run.h"

BASE_VEC(sample_trace_vec, opac_trace_entry);

/* The parts of a run in a checkpoint. question: see sample_question; compared as text. */
typedef struct sample_checkpoint {
    const char *question;
    sample_run *run;
    sample_trace_vec *trace;
} sample_checkpoint;

/* Replaces the file atomically; after a failure the old file is unchanged. The lock passes to the new file;
 * it may be NULL. */
opac_status sample_checkpoint_write(const sample_checkpoint *checkpoint, const char *path,
                                    sample_lock *lock, opac_error *error);
/* The same with bytes from sample_checkpoint_print. */
opac_status sample_checkpoint_write_bytes(const char *bytes, size_t length, const char *path,
                                          sample_lock *lock, opac_error *error);
/* Writes the same bytes to any output that is still empty, and commits it. */
opac_status sample_checkpoint_print(const sample_checkpoint *checkpoint, opac_output *out,
                                    opac_error *error);
/*
 * Restores a run whose statistics are initialised and empty. OPAC_ERROR_ARGUMENT if the file is damaged,
 * truncated or of another run; OPAC_ERROR_IO if it cannot be read. After a failure the run must be released.
 */
opac_status sample_checkpoint_read(sample_checkpoint *checkpoint, const char *path,
                                   opac_error *error);
/* The same from an open source with this number of bytes. */
opac_status sample_checkpoint_read_source(sample_checkpoint *checkpoint, sample_source *source,
                                          uint64_t length, opac_error *error);

#endif
