/* SPDX-License-Identifier: MIT */
/*
 * Writes explicit files with tens of millions of numbers. The writer buffers the output, formats integers
 * itself and caches the texts of probabilities, since few models have more than some hundred different ones.
 *
 *     model_writer *writer = model_writer_open(out);      NULL if memory is exhausted
 *     model_put_uint(writer, state);
 *     model_put_char(writer, ' ');
 *     model_put_probability(writer, model, branch);
 *     model_writer_close(writer);
 */
#ifndef MODEL_WRITER_H
#define MODEL_WRITER_H

#include <string.h>

#include <omegapac/number.h>

#include "base/digits.h"
#include "model/model.h"

enum {
    MODEL_WRITER_SIZE = 1 << 16,
    MODEL_WRITER_NUMBERS = 1 << 11
};

typedef struct model_number_text {
    double value; /* 0: empty */
    unsigned char length;
    char text[OPAC_NUMBER_SIZE];
} model_number_text;

typedef struct model_writer {
    opac_output *out;
    size_t used;
    char bytes[MODEL_WRITER_SIZE];
    model_number_text numbers[MODEL_WRITER_NUMBERS]; /* by hash of the bits */
    uint32_t *labels; /* labels that hold in some of 64 states, see model_writer_labels */
    size_t label_count;
    uint32_t label_word; /* state / 64 */
} model_writer;

/* Sets the output's error: "the label 'a b' cannot be written to a .lab file: REASON". */
void model_refuse_name(opac_output *out, const char *what, const char *name, const char *where,
                       const char *why);

/* If memory is exhausted, sets the output's error and returns NULL. */
model_writer *model_writer_open(opac_output *out);
/* Flushes and frees the writer, which may be NULL. */
void model_writer_close(model_writer *writer);
/* Writes the buffer to the output. */
void model_writer_flush(model_writer *writer);

/*
 * The labels, sorted, that may hold in the state: those that hold in some of the 64 states of its bitset
 * word. This is fast for models with very many labels, most of which are rare. If memory is exhausted,
 * sets the output's error and returns no labels.
 */
const uint32_t *model_writer_labels(model_writer *writer, const opac_model *model, uint32_t state,
                                    size_t *count);

void model_put_text(model_writer *writer, const char *text);
/* The shortest decimal that is parsed as the same double, or the fraction if the model is exact. */
void model_put_probability(model_writer *writer, const opac_model *model, uint32_t branch);
void model_put_value(model_writer *writer, const model_variable *variable, int64_t value);

static inline void model_put_char(model_writer *writer, char character)
{
    if (writer->used == MODEL_WRITER_SIZE)
        model_writer_flush(writer);
    writer->bytes[writer->used++] = character;
}

static inline void model_put_uint(model_writer *writer, uint64_t value)
{
    char digits[BASE_MAX_DIGITS], *end = digits + sizeof digits, *begin = base_digits(value, end);
    size_t count = (size_t)(end - begin);
    if (MODEL_WRITER_SIZE - writer->used < count)
        model_writer_flush(writer);
    memcpy(writer->bytes + writer->used, begin, count);
    writer->used += count;
}

#endif
