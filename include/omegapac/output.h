/* SPDX-License-Identifier: MIT */
/*
 * Where results are written to: a file, a stream, or memory.
 *
 *     opac_output *out = NULL;
 *     opac_status status = opac_output_open_file("result.json", &out, &error);
 *     if (status == OPAC_OK) {
 *         opac_output_print(out, "{\"k\": %d}\n", 3);
 *         status = opac_output_commit(out, &error);
 *     }
 *     opac_output_free(out);
 *
 * Writing cannot fail by itself: the first problem is remembered, all later
 * writes are ignored, and opac_output_commit reports it. So a writer needs one
 * check, at its end.
 *
 * A file appears whole or not at all: until the commit the bytes go to a
 * temporary file beside it, which is then flushed to the disk and renamed over
 * the old one. A process killed at any moment leaves the old file or the new
 * one under the name, never a part. The temporary file that it may leave,
 * .NAME.omegapac-PID-N.tmp, is removed by the next one that writes the same file. A path that names
 * no regular file (a device, a pipe, /dev/stdout) is written directly.
 *
 * Whatever regular file has the name is replaced: whether that is wanted is for the caller to
 * decide.
 *
 * One thread at a time uses an output.
 */
#ifndef OMEGAPAC_OUTPUT_H
#define OMEGAPAC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <omegapac/error.h>
#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_output opac_output;

/*
 * Created or replaced by the commit; links are followed (one to nothing is
 * refused), owner and permissions kept; a file that may not be written is refused.
 */
OPAC_API opac_status opac_output_open_file(const char *path, opac_output **out, opac_error *error);
/* The stream is borrowed: flushed by the commit, never closed. */
OPAC_API opac_status opac_output_open_stream(FILE *stream, opac_output **out, opac_error *error);
/* The bytes are kept, for opac_output_bytes. */
OPAC_API opac_status opac_output_open_memory(opac_output **out, opac_error *error);

/* Bytes, and a text up to its NUL. */
OPAC_API void opac_output_write(opac_output *out, const char *bytes, size_t length);
OPAC_API void opac_output_text(opac_output *out, const char *text);
/* As printf. Doubles are better written with opac_number_format, which knows no locale. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
OPAC_API void
opac_output_print(opac_output *out, const char *format, ...);

/*
 * A number that tells whether two outputs have the same bytes: FNV-1a of 64
 * bits. Asked for before anything is written, and read at any time behind that.
 */
OPAC_API void opac_output_keep_digest(opac_output *out);
OPAC_API uint64_t opac_output_digest(const opac_output *out);

/* Whether something went wrong already, for those who would write much in vain. */
OPAC_API bool opac_output_failed(const opac_output *out);
/* All is written when this returns OPAC_OK. Nothing may be written after it. */
OPAC_API opac_status opac_output_commit(opac_output *out, opac_error *error);
/* What was written to memory, with a NUL behind; valid until the next write. NULL after an error.
 */
OPAC_API const char *opac_output_bytes(opac_output *out, size_t *length);
/* Without a commit before it, the file is left as it was. Takes NULL. */
OPAC_API void opac_output_free(opac_output *out);

#ifdef __cplusplus
}
#endif

#endif
