/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: a run as a file, docs/formats/checkpoint.md. Binary, little
 * endian, with a digest of what the run was asked (so that a foreign one is
 * refused and says what differs) and one of the whole (so that a damaged one is).
 *
 * What is in it: the world (keys, letters, actions, rows with targets, counters,
 * pairs in their order), the policy, the numbers of sample_run, the trace. What
 * is not: caches, links, maps.
 */
#ifndef SAMPLE_CHECKPOINT_H
#define SAMPLE_CHECKPOINT_H

#include <omegapac/output.h>

#include "sample/checkpoint_bytes.h"
#include "sample/checkpoint_lock.h"
#include "sample/run.h"

BASE_VEC(sample_trace_vec, opac_trace_entry);

/* What a run was asked, in words: "epsilon=0.05 …", one item a line, compared as text. The
 * automaton is in it as HOA text, the environment by its traits. */
typedef struct sample_checkpoint {
    const char *question;
    sample_run *run;
    sample_trace_vec *trace;
} sample_checkpoint;

/* Replaces the file as one; when that fails, the old one is as it was. The lock passes to the new
 * file; NULL: there is none. */
opac_status sample_checkpoint_write(const sample_checkpoint *checkpoint, const char *path,
                                    sample_lock *lock, opac_error *error);
/* The same with bytes that were printed before. */
opac_status sample_checkpoint_write_bytes(const char *bytes, size_t length, const char *path,
                                          sample_lock *lock, opac_error *error);
/* The same bytes, to any output to which nothing was written yet; commits it. */
opac_status sample_checkpoint_print(const sample_checkpoint *checkpoint, opac_output *out,
                                    opac_error *error);
/*
 * Fills a run whose world was initialised and has seen nothing. A file that is
 * damaged, cut or of another run is OPAC_ERROR_ARGUMENT with what is wrong; one
 * that is not there is OPAC_ERROR_IO. After a failure the run is fit for nothing but its end.
 */
opac_status sample_checkpoint_read(sample_checkpoint *checkpoint, const char *path,
                                   opac_error *error);
/* The same from an open source of so many bytes. */
opac_status sample_checkpoint_read_source(sample_checkpoint *checkpoint, sample_source *source,
                                          uint64_t length, opac_error *error);

#endif
