/* SPDX-License-Identifier: MIT */
/*
 * Output to a file, a stream or memory.
 *
 *     opac_output *out = NULL;
 *     opac_status status = opac_output_open_file("result.json", &out, &error);
 *     if (status == OPAC_OK) {
 *         opac_output_print(out, "{\"k\": %d}\n", 3);
 *         status = opac_output_commit(out, &error);
 *     }
 *     opac_output_free(out);
 *
 * Write functions do not report errors: the output keeps the first error and ignores later writes, and
 * opac_output_commit returns it. So a writer needs one check, at its end.
 *
 * Files are written atomically: bytes go to a temporary file in the same folder, which the commit flushes
 * to disk and renames to the path. If the process is killed, the path refers to the old or the new file,
 * never to a part. A remaining temporary file, .NAME.omegapac-PID-N.tmp, is removed by the next process
 * that writes the same file. A path that is not a regular file (a device, a pipe, /dev/stdout) is written
 * directly.
 *
 * An existing regular file is replaced without a check.
 *
 * An output must be used by one thread at a time.
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
 * Opens an output to a file, which the commit creates or replaces. Links are followed; owner and
 * permissions are kept. Fails with OPAC_ERROR_IO for a dangling link, and for a file that is not writable.
 */
OPAC_API opac_status opac_output_open_file(const char *path, opac_output **out, opac_error *error);
/* Opens an output to a stream, which is borrowed; the commit flushes it but does not close it. */
OPAC_API opac_status opac_output_open_stream(FILE *stream, opac_output **out, opac_error *error);
/* Opens an output to memory; see opac_output_bytes. */
OPAC_API opac_status opac_output_open_memory(opac_output **out, opac_error *error);

/* Write bytes, or NUL-terminated text. */
OPAC_API void opac_output_write(opac_output *out, const char *bytes, size_t length);
OPAC_API void opac_output_text(opac_output *out, const char *text);
/* Writes formatted text as printf. Use opac_number_format for doubles, which is independent of the
 * locale. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
OPAC_API void
opac_output_print(opac_output *out, const char *format, ...);

/*
 * A digest of the bytes written (FNV-1a, 64 bits), to compare outputs. Call opac_output_keep_digest before
 * the first write; opac_output_digest then returns the digest of the bytes so far.
 */
OPAC_API void opac_output_keep_digest(opac_output *out);
OPAC_API uint64_t opac_output_digest(const opac_output *out);

/* Whether a write has failed, to end long output early. */
OPAC_API bool opac_output_failed(const opac_output *out);
/* Completes the output; returns OPAC_OK if everything has been written, otherwise the first error. No write
 * may follow. */
OPAC_API opac_status opac_output_commit(opac_output *out, opac_error *error);
/* The bytes written to memory, followed by a NUL; valid until the next write. NULL after an error. */
OPAC_API const char *opac_output_bytes(opac_output *out, size_t *length);
/* Frees an output. Without a commit before, the file is left unchanged. Accepts NULL. */
OPAC_API void opac_output_free(opac_output *out);

#ifdef __cplusplus
}
#endif

#endif
