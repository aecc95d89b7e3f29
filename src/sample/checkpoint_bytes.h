/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a checkpoint (docs/formats/checkpoint.md): numbers of as many bytes as
 * they need, words of eight, in sections.
 *
 *     number   seven bits a byte, the lowest first; the top bit says that more follow. The
 *              shortest form is the only one, so that equal runs have equal files.
 *     word     eight bytes, the lowest first
 *
 * A sink writes, or merely counts: each section is walked through twice, since its
 * length stands before it. A source reads, and holds no more than a window
 * of the file; whatever is wrong names the file, the section and the byte.
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

/* Hands on what is in the buffer. */
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
    int descriptor;             /* -1: the window is all there is */
    unsigned char *buffer;
    const unsigned char *at, *end; /* the window */
    uint64_t behind;               /* the place in the file of the window's end */
    uint64_t limit;                /* of the section's end */
} sample_source;

/* A file, from its first byte. What is not there is OPAC_ERROR_IO; so is what cannot be read twice.
 */
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
    return source->behind - (uint64_t)(source->end - source->at);
}
/* Bytes of the section that are left. An item takes at least one: what claims more is refused before
 * memory is taken for it. */
static inline uint64_t sample_source_left(const sample_source *source)
{
    return source->limit - sample_source_place(source);
}

/* Each is refused beyond the end of the section. */
opac_status sample_source_bytes(sample_source *source, void *bytes, size_t length,
                                opac_error *error);
opac_status sample_source_word(sample_source *source, uint64_t *word, opac_error *error);
/* At most `most`, or it is refused; what: its name in the message. */
opac_status sample_source_number(sample_source *source, const char *what, uint64_t most,
                                 uint64_t *number, opac_error *error);
/* A number of items to come, each of at least one byte. */
opac_status sample_source_count(sample_source *source, const char *what, uint64_t *count,
                                opac_error *error);
/* OPAC_ERROR_ARGUMENT: what is wrong here. */
opac_status sample_source_refuse(const sample_source *source, opac_error *error, const char *format,
                                 ...) BASE_PRINTF(3, 4);

#endif
