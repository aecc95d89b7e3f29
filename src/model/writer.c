/* SPDX-License-Identifier: MIT */
/* The buffer of a writer, and its cache of numbers. */
#include "model/writer.h"

#include <stdio.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/output.h"

void model_refuse_name(opac_output *out, const char *what, const char *name, const char *where,
                       const char *why)
{
    char shown[OPAC_SHOWN_SIZE], message[OPAC_MESSAGE_SIZE];
    snprintf(message, sizeof message, "the %s '%s' cannot be written to %s: %s", what,
             opac_text_show(name, strlen(name), shown, sizeof shown), where, why);
    base_output_fail(out, OPAC_ERROR_UNSUPPORTED, message);
}

model_writer *model_writer_open(opac_output *out)
{
    model_writer *writer = base_alloc_zeroed(1, sizeof *writer);
    if (writer == NULL)
        base_output_fail(out, OPAC_ERROR_MEMORY, "out of memory");
    else
        writer->out = out;
    return writer;
}

void model_writer_flush(model_writer *writer)
{
    opac_output_write(writer->out, writer->bytes, writer->used);
    writer->used = 0;
}

void model_writer_close(model_writer *writer)
{
    if (writer == NULL)
        return;
    model_writer_flush(writer);
    base_free(writer->labels);
    base_free(writer);
}

const uint32_t *model_writer_labels(model_writer *writer, const opac_model *model, uint32_t state,
                                    size_t *count)
{
    const model_label_vec *labels = &model->labels;
    bool is_new = writer->labels == NULL;
    *count = 0;
    if (is_new)
        writer->labels = base_alloc(labels->count, sizeof *writer->labels);
    if (writer->labels == NULL) {
        base_output_fail(writer->out, OPAC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (is_new || writer->label_word != state / 64) {
        writer->label_word = state / 64;
        writer->label_count = 0;
        for (size_t i = 0; i < labels->count; i++)
            if (labels->items[i].states.words[state / 64] != 0)
                writer->labels[writer->label_count++] = (uint32_t)i;
    }
    *count = writer->label_count;
    return writer->labels;
}

static void put_bytes(model_writer *writer, const char *bytes, size_t length)
{
    if (MODEL_WRITER_SIZE - writer->used < length)
        model_writer_flush(writer);
    if (length > MODEL_WRITER_SIZE) {
        opac_output_write(writer->out, bytes, length);
        return;
    }
    memcpy(writer->bytes + writer->used, bytes, length);
    writer->used += length;
}

void model_put_text(model_writer *writer, const char *text)
{
    put_bytes(writer, text, strlen(text));
}

void model_put_probability(model_writer *writer, const opac_model *model, uint32_t branch)
{
    char text[BASE_RATIO_SIZE];
    if (model->exact != NULL) {
        model_put_text(writer, base_ratio_format(model->exact[branch], text));
        return;
    }
    double value = model->process.prob[branch];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    model_number_text *kept = &writer->numbers[base_hash_word(bits) % MODEL_WRITER_NUMBERS];
    if (kept->value != value) {
        kept->value = value;
        kept->length = (unsigned char)strlen(opac_number_format(value, kept->text));
    }
    put_bytes(writer, kept->text, kept->length);
}

void model_put_value(model_writer *writer, const model_variable *variable, int64_t value)
{
    if (variable->type == OPAC_VALUE_BOOL) {
        model_put_text(writer, value != 0 ? "true" : "false");
        return;
    }
    if (value < 0)
        model_put_char(writer, '-');
    model_put_uint(writer, value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value);
}
