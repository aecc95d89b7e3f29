/* SPDX-License-Identifier: MIT */
/*
 * Outputs: a buffer in front of a file or a stream, or only the buffer (memory). The first error is kept,
 * and all further output is discarded.
 */
#include <omegapac/output.h>

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/text.h"

enum {
    FLUSH_SIZE = 1 << 16,
    READER_TIMEOUT = 1000 /* milliseconds for the reader of a pipe, after a signal */
};

typedef enum output_kind {
    OUTPUT_MEMORY,
    OUTPUT_STREAM,
    OUTPUT_FILE
} output_kind;

struct opac_output {
    output_kind kind;
    FILE *stream;
    base_atomic_file file;
    base_text buffer; /* bytes that are not written yet */
    bool committed;
    bool has_digest;
    uint64_t digest;    /* of the bytes written */
    opac_error failure; /* code OPAC_OK: none */
};

static opac_status open_output(output_kind kind, opac_output **out, opac_error *error)
{
    *out = base_alloc_zeroed(1, sizeof **out);
    if (*out == NULL)
        return base_fail_memory(error);
    (*out)->kind = kind;
    (*out)->file.descriptor = (*out)->file.lock = -1;
    return OPAC_OK;
}

opac_status opac_output_open_memory(opac_output **out, opac_error *error)
{
    return open_output(OUTPUT_MEMORY, out, error);
}

opac_status opac_output_open_stream(FILE *stream, opac_output **out, opac_error *error)
{
    TRY(open_output(OUTPUT_STREAM, out, error));
    (*out)->stream = stream;
    return OPAC_OK;
}

opac_status opac_output_open_file(const char *path, opac_output **out, opac_error *error)
{
    TRY(open_output(OUTPUT_FILE, out, error));
    opac_status status = base_atomic_file_open(&(*out)->file, path, error);
    if (status != OPAC_OK) {
        opac_output_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- pipes ---- */

/* Whether the descriptor is a pipe or socket. Writing to it may block until its reader continues, and may
 * be interrupted by a signal; stdio streams lose the unwritten bytes then, so these are written without
 * stdio. */
static bool has_reader(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static bool is_ready(int descriptor)
{
    struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
    errno = EINTR; /* for a timeout: the reader does not read, and a signal was received */
    return poll(&waiting, 1, READER_TIMEOUT) > 0;
}

/* Writes all bytes even if a signal is received, so that no line is split, while the reader reads at least
 * once a second. On failure returns false and sets errno. */
static bool write_pipe(int descriptor, const char *bytes, size_t length)
{
    bool is_interrupted = false;
    while (length > 0) {
        if (is_interrupted && !is_ready(descriptor))
            return false;
        size_t most = is_interrupted && length > PIPE_BUF ? PIPE_BUF : length; /* cannot block */
        ssize_t written = write(descriptor, bytes, most);
        if (written < 0 && errno != EINTR)
            return false;
        is_interrupted |= written < (ssize_t)most;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return true;
}

static bool write_bytes(FILE *stream, const char *bytes, size_t length)
{
    int descriptor = fileno(stream); /* -1: not a file of the system */
    if (descriptor >= 0 && has_reader(descriptor))
        return fflush(stream) == 0 && write_pipe(descriptor, bytes, length);
    return fwrite(bytes, 1, length, stream) == length && fflush(stream) == 0;
}

static void write_stream(opac_output *out)
{
    errno = 0;
    if (write_bytes(out->stream, out->buffer.bytes, out->buffer.length))
        return;
    if (errno == EINTR) /* a signal, while the reader does not read */
        base_fail(&out->failure, OPAC_ERROR_CANCELLED, "stopped while writing the output");
    else
        base_fail_system(&out->failure, errno, "cannot write the output");
}

static void flush(opac_output *out)
{
    if (out->kind == OUTPUT_MEMORY || out->failure.code != OPAC_OK || out->buffer.length == 0)
        return;
    if (out->has_digest)
        out->digest = base_hash_fnv(out->digest, out->buffer.bytes, out->buffer.length);
    if (out->kind == OUTPUT_STREAM)
        write_stream(out);
    else
        base_atomic_file_write(&out->file, out->buffer.bytes, out->buffer.length, &out->failure);
    base_text_clear(&out->buffer);
}

/* Called after bytes were added: checks for lack of memory, and writes a large buffer. */
static void check_buffer(opac_output *out)
{
    if (out->buffer.failed)
        base_fail_memory(&out->failure);
    else if (out->buffer.length >= FLUSH_SIZE)
        flush(out);
}

void opac_output_write(opac_output *out, const char *bytes, size_t length)
{
    assert(!out->committed);
    if (out->failure.code != OPAC_OK)
        return;
    base_text_add_bytes(&out->buffer, bytes, length);
    check_buffer(out);
}

void opac_output_text(opac_output *out, const char *text)
{
    opac_output_write(out, text, strlen(text));
}

void opac_output_print(opac_output *out, const char *format, ...)
{
    assert(!out->committed);
    if (out->failure.code != OPAC_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    base_text_format_list(&out->buffer, format, arguments);
    va_end(arguments);
    check_buffer(out);
}

void opac_output_keep_digest(opac_output *out)
{
    assert(out->buffer.length == 0);
    out->has_digest = true;
    out->digest = BASE_FNV_BEGIN;
}

uint64_t opac_output_digest(const opac_output *out)
{
    assert(out->has_digest);
    return base_hash_fnv(out->digest, out->buffer.bytes, out->buffer.length);
}

bool opac_output_failed(const opac_output *out)
{
    return out->failure.code != OPAC_OK;
}

opac_status opac_output_commit(opac_output *out, opac_error *error)
{
    assert(!out->committed);
    out->committed = true;
    flush(out);
    if (out->failure.code == OPAC_OK && out->kind == OUTPUT_FILE)
        base_atomic_file_commit(&out->file, &out->failure);
    if (out->failure.code != OPAC_OK && error != NULL)
        *error = out->failure;
    return out->failure.code;
}

const char *opac_output_bytes(opac_output *out, size_t *length)
{
    assert(out->kind == OUTPUT_MEMORY);
    *length = out->buffer.length;
    return out->failure.code == OPAC_OK ? base_text_get(&out->buffer) : NULL;
}

void opac_output_free(opac_output *out)
{
    if (out == NULL)
        return;
    base_atomic_file_fini(&out->file);
    base_text_fini(&out->buffer);
    base_free(out);
}

void base_output_fail(opac_output *out, opac_status code, const char *message)
{
    assert(!out->committed);
    if (out->failure.code == OPAC_OK)
        base_fail(&out->failure, code, "%s", message);
}

int base_output_take_lock(opac_output *out)
{
    assert(out->committed);
    return base_atomic_file_take_lock(&out->file);
}
