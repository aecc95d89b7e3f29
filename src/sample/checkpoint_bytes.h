/* SPDX-License-Identifier: MIT */
/*
 * The encoding of a checkpoint (docs/formats/checkpoint.md): numbers of variable length and words of eight
 * bytes, in sections.
 *
 *     number   seven bits in each byte, the lowest first; the top bit is set if more bytes follow. Only the
 *              shortest form is valid, so that equal runs have equal files.
 *     word     eight bytes, the lowest first
 *
 * A sink writes, or only counts: each section is produced twice, because its length precedes it. A source
 * reads through a window of the file; its errors name the file, the section and the byte.
 */
#ifndef SAMPLE_CHECKPOINT_BYTES_H
#define SAMPLE_CHECKPOINT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/output.h>
#include <omegapac/text.h>

#include "base/error.h"

enum {
    SAMPLE_SINK_BUFFER = 4096,
    SAMPLE_NUMBER_BYTES = 10 /* of the longest number */
};

/* ---- writing ---- */

typedef struct sample_sink {
    opac_output *out; /* NULL: nothing is written, only counted */
    uint64_t length;  /* so far */
    size_t used;
    unsigned char buffer[SAMPLE_SINK_BUFFER];
} sample_sink;

/* Writes the buffer to the output. */
void sample_sink_flush(sample_sink *sink);
void sample_sink_bytes(sample_sink *sink, const void *bytes, size_t length);
void sample_sink_word(sample_sink *sink, uint64_t word);

static inline void sample_sink_number(sample_sink *sink, uint64_t number)
{
    if (SAMPLE_SINK_BUFFER - sink->used < SAMPLE_NUMBER_BYTES)
        sample_sink_flush(sink);
    size_t before = sink->used;
    for (; number >= 0x80; number >>= 7)
        sink->buffer[sink->used++] = (unsigned char)(number | 0x80);
    sink->buffer[sink->used++] = (unsigned char)number;
    sink->length += sink->used - before;
}

/* ---- reading ---- */

typedef struct sample_source {
    char name[OPAC_SHOWN_SIZE]; /* of the file, fit for messages */
    const char *section;        /* for messages; NULL: between sections */
    int descriptor;             /* -1 if the window is the whole file */
    unsigned char *buffer;
    const unsigned char *at, *end; /* the unread part of the window */
    uint64_t window_end;           /* position of the window's end in the file */
    uint64_t limit;                /* position of the section's end */
} sample_source;

/* Opens a file. OPAC_ERROR_IO if it does not exist, or is not a regular file, which could not be read
 * twice. */
opac_status sample_source_open(sample_source *source, const char *path, uint64_t *length,
                               opac_error *error);
void sample_source_fini(sample_source *source);
/* Goes back to the first byte. */
opac_status sample_source_rewind(sample_source *source, opac_error *error);

/* The next bytes of the window, at most `most`: 0 at the end of the file only. */
opac_status sample_source_window(sample_source *source, uint64_t most, const unsigned char **bytes,
                                 size_t *length, opac_error *error);

static inline uint64_t sample_source_place(const sample_source *source)
{
    return source->window_end - (uint64_t)(source->end - source->at);
}
/* Number of bytes left in the section. An item takes at least one byte: a larger number of items is refused
 * before memory is allocated for them. */
static inline uint64_t sample_source_left(const sample_source *source)
{
    return source->limit - sample_source_place(source);
}

/* Read from the section; they fail at its end. */
opac_status sample_source_bytes(sample_source *source, void *bytes, size_t length,
                                opac_error *error);
opac_status sample_source_word(sample_source *source, uint64_t *word, opac_error *error);
/* A number of at most `most`. what: its name in messages. */
opac_status sample_source_number(sample_source *source, const char *what, uint64_t most,
                                 uint64_t *number, opac_error *error);
/* The number of the following items, each of at least one byte. */
opac_status sample_source_count(sample_source *source, const char *what, uint64_t *count,
                                opac_error *error);
/* Fails with OPAC_ERROR_ARGUMENT and the current place. */
opac_status sample_source_refuse(const sample_source *source, opac_error *error, const char *format,
                                 ...) BASE_PRINTF(3, 4);

#endif
