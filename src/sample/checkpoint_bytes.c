/* SPDX-License-Identifier: MIT */
/* The encoding of a checkpoint: see checkpoint_bytes.h. */
#include "sample/checkpoint_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
    WINDOW = 1 << 16
};

/* ---- writing ---- */

void sample_sink_flush(sample_sink *sink)
{
    if (sink->out != NULL)
        opac_output_write(sink->out, (const char *)sink->buffer, sink->used);
    sink->used = 0;
}

void sample_sink_bytes(sample_sink *sink, const void *bytes, size_t length)
{
    sink->length += length;
    if (length > SAMPLE_SINK_BUFFER - sink->used)
        sample_sink_flush(sink);
    if (length > SAMPLE_SINK_BUFFER) {
        if (sink->out != NULL)
            opac_output_write(sink->out, bytes, length);
        return;
    }
    if (length > 0)
        memcpy(sink->buffer + sink->used, bytes, length);
    sink->used += length;
}

void sample_sink_word(sample_sink *sink, uint64_t word)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
    sample_sink_bytes(sink, bytes, sizeof bytes);
}

/* ---- reading ---- */

static opac_status fail_read(const sample_source *source, int number, opac_error *error)
{
    char what[OPAC_MESSAGE_SIZE];
    snprintf(what, sizeof what, "cannot read the checkpoint '%s'", source->name);
    return base_fail_system(error, number, what);
}

static opac_status open_file(sample_source *source, const char *path, uint64_t *length,
                             opac_error *error)
{
    struct stat about;
    source->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source->descriptor < 0 || fstat(source->descriptor, &about) != 0)
        return fail_read(source, errno, error);
    if (!S_ISREG(about.st_mode))
        return base_fail(error, OPAC_ERROR_IO,
                         "cannot read the checkpoint '%s': it is not a regular file", source->name);
    *length = (uint64_t)about.st_size;
    source->buffer = base_alloc(WINDOW, 1);
    if (source->buffer == NULL)
        return base_fail_memory(error);
    source->at = source->end = source->buffer;
    return OPAC_OK;
}

opac_status sample_source_open(sample_source *source, const char *path, uint64_t *length,
                               opac_error *error)
{
    *source = (sample_source){.descriptor = -1, .limit = UINT64_MAX};
    opac_text_show_path(path, source->name, sizeof source->name);
    opac_status status = open_file(source, path, length, error);
    if (status != OPAC_OK)
        sample_source_fini(source);
    return status;
}

void sample_source_fini(sample_source *source)
{
    if (source->descriptor >= 0)
        close(source->descriptor);
    base_free(source->buffer);
    *source = (sample_source){.descriptor = -1};
}

opac_status sample_source_rewind(sample_source *source, opac_error *error)
{
    if (source->descriptor < 0) { /* the window has not moved */
        source->at = source->end - source->window_end;
        return OPAC_OK;
    }
    if (lseek(source->descriptor, 0, SEEK_SET) != 0)
        return fail_read(source, errno, error);
    source->at = source->end = source->buffer;
    source->window_end = 0;
    return OPAC_OK;
}

/* Reads the next part of the file; the window is empty at the end of the file. */
static opac_status advance(sample_source *source, opac_error *error)
{
    if (source->descriptor < 0)
        return OPAC_OK;
    ssize_t got;
    do {
        got = read(source->descriptor, source->buffer, WINDOW);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_read(source, errno, error);
    source->at = source->buffer;
    source->end = source->buffer + got;
    source->window_end += (uint64_t)got;
    return OPAC_OK;
}

opac_status sample_source_window(sample_source *source, uint64_t most, const unsigned char **bytes,
                                 size_t *length, opac_error *error)
{
    if (source->at == source->end)
        TRY(advance(source, error));
    *bytes = source->at;
    *length = (size_t)(source->end - source->at);
    if (*length > most)
        *length = (size_t)most;
    source->at += *length;
    return OPAC_OK;
}

opac_status sample_source_refuse(const sample_source *source, opac_error *error, const char *format,
                                 ...)
{
    char what[OPAC_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (source->section == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "'%s' is not a valid checkpoint: %s",
                         source->name, what);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "'%s' is not a valid checkpoint: in section '%.*s', before byte %" PRIu64
                     ": %s",
                     source->name, (int)strcspn(source->section, " "), source->section,
                     sample_source_place(source), what);
}

opac_status sample_source_bytes(sample_source *source, void *bytes, size_t length,
                                opac_error *error)
{
    unsigned char *to = bytes;
    if (length > sample_source_left(source))
        return sample_source_refuse(source, error, "the section ends too early");
    while (length > 0) {
        const unsigned char *from;
        size_t got;
        TRY(sample_source_window(source, length, &from, &got, error));
        if (got == 0)
            return sample_source_refuse(source, error, "the file ends too early");
        memcpy(to, from, got);
        to += got;
        length -= got;
    }
    return OPAC_OK;
}

opac_status sample_source_word(sample_source *source, uint64_t *word, opac_error *error)
{
    unsigned char bytes[8] = {0};
    TRY(sample_source_bytes(source, bytes, sizeof bytes, error));
    *word = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        *word |= (uint64_t)bytes[i] << (8 * i);
    return OPAC_OK;
}

/* A number in its shortest form, and below 2^64. */
static opac_status read_number(sample_source *source, uint64_t *number, opac_error *error)
{
    *number = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned char byte = 0;
        if (source->at < source->end && sample_source_left(source) > 0)
            byte = *source->at++;
        else
            TRY(sample_source_bytes(source, &byte, 1, error));
        if (shift == 63 && byte > 1)
            return sample_source_refuse(source, error, "a number exceeds 64 bits");
        *number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            if (byte == 0 && shift > 0)
                return sample_source_refuse(source, error,
                                            "a number is longer than it needs to be");
            return OPAC_OK;
        }
    }
}

opac_status sample_source_number(sample_source *source, const char *what, uint64_t most,
                                 uint64_t *number, opac_error *error)
{
    TRY(read_number(source, number, error));
    if (*number > most)
        return sample_source_refuse(source, error, "%s is %" PRIu64 ", but can be at most %" PRIu64,
                                    what, *number, most);
    return OPAC_OK;
}

opac_status sample_source_count(sample_source *source, const char *what, uint64_t *count,
                                opac_error *error)
{
    TRY(sample_source_number(source, what, UINT64_MAX, count, error));
    if (*count > sample_source_left(source))
        return sample_source_refuse(source, error,
                                    "%s is %" PRIu64 ", but only %" PRIu64 " bytes follow", what,
                                    *count, sample_source_left(source));
    return OPAC_OK;
}
