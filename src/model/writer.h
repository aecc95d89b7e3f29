/* SPDX-License-Identifier: MIT */
/*
 * Writing explicit files, tens of millions of numbers: a buffer in front of the
 * output, digits by hand, and the texts of probabilities kept, since few models
 * have more than some hundred different ones.
 *
 *     model_writer *writer = model_writer_open(out);      NULL: the output has failed
 *     model_put_whole(writer, state);
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
    double value; /* 0: free */
    unsigned char length;
    char text[OPAC_NUMBER_SIZE];
} model_number_text;

typedef struct model_writer {
    opac_output *out;
    size_t used;
    char bytes[MODEL_WRITER_SIZE];
    model_number_text numbers[MODEL_WRITER_NUMBERS]; /* by a hash of the bits */
    uint32_t *labels; /* those that hold somewhere among 64 states, see model_writer_labels */
    size_t label_count;
    uint32_t label_word; /* state / 64 */
} model_writer;

/* "the label 'a b' cannot be written to a .lab file: it has …" is the output's failure. */
void model_refuse_name(opac_output *out, const char *what, const char *name, const char *where,
                       const char *why);

/* Out of memory is the output's failure. */
model_writer *model_writer_open(opac_output *out);
/* Writes what is left, and releases the writer; takes NULL. */
void model_writer_close(model_writer *writer);
/* Makes room for at least 64 bytes. */
void model_writer_flush(model_writer *writer);

/*
 * Labels, ascending, that may hold in the state: all others do not hold in any
 * of the 64 states around it. Most labels of a model with very many are rare.
 * Out of memory is the output's failure, and then there are none.
 */
const uint32_t *model_writer_labels(model_writer *writer, const opac_model *model, uint32_t state,
                                    size_t *count);

void model_put_text(model_writer *writer, const char *text);
/* In the shortest form that reads back the same; as a fraction when the model has them. */
void model_put_probability(model_writer *writer, const opac_model *model, uint32_t branch);
void model_put_value(model_writer *writer, const model_variable *variable, int64_t value);

static inline void model_put_char(model_writer *writer, char character)
{
    if (writer->used == MODEL_WRITER_SIZE)
        model_writer_flush(writer);
    writer->bytes[writer->used++] = character;
}

static inline void model_put_whole(model_writer *writer, uint64_t value)
{
    char digits[BASE_MAX_DIGITS], *end = digits + sizeof digits, *begin = base_digits(value, end);
    size_t count = (size_t)(end - begin);
    if (MODEL_WRITER_SIZE - writer->used < count)
        model_writer_flush(writer);
    memcpy(writer->bytes + writer->used, begin, count);
    writer->used += count;
}

#endif
