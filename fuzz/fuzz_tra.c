/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as PRISM's explicit files: a .tra and, after lines "=====", a .lab, a .sta and values of
 * constants. If they are accepted, the model is valid, and the files written from it are read without a
 * message and written again with the same bytes.
 */
#include <omegapac/text.h>

#include "model/constants.h"
#include "model/explicit_read.h"
#include "support/invariants.h"
#include "target.h"

enum {
    PARTS = 4,
    MOST_STATES = 5000
};

typedef struct part {
    const char *text; /* NULL: there is none */
    size_t length;
} part;

static const char separator[] = "\n=====\n";

static void split(const char *text, size_t length, part *parts)
{
    for (size_t i = 0; i < PARTS; i++) {
        const char *end = NULL;
        for (size_t at = 0; end == NULL && at + sizeof separator - 1 <= length; at++)
            if (memcmp(text + at, separator, sizeof separator - 1) == 0)
                end = text + at;
        parts[i] = (part){text, end != NULL ? (size_t)(end - text) + 1 : length};
        if (end == NULL)
            return;
        length -= (size_t)(end - text) + sizeof separator - 1;
        text = end + sizeof separator - 1;
    }
}

static void hear(void *context, const opac_message *message)
{
    unsigned *count = context;
    ++*count;
    fuzz_require_message(message->text);
    fuzz_require(message->code == OPAC_OK || (message->line > 0 && message->column > 0));
}

static void check_error(opac_status status, const opac_error *error)
{
    fuzz_require(status == error->code);
    fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_LIMIT ||
                 status == OPAC_ERROR_UNSUPPORTED || status == OPAC_ERROR_ARGUMENT);
    fuzz_require(error->line > 0 && error->column > 0);
    fuzz_require_message(error->message);
}

static opac_status read_parts(const part *parts, const opac_model_options *options,
                              opac_model **model)
{
    model_source sources[3];
    opac_error error = {0};
    bool has_initial;
    for (size_t i = 0; i < 3; i++)
        sources[i] =
            (model_source){.text = parts[i].text, .length = parts[i].length, .options = options};
    opac_status status = model_tra_read(&sources[0], model, &has_initial, &error);
    if (status != OPAC_OK) {
        check_error(status, &error);
        return status;
    }
    if (parts[1].text != NULL)
        status = model_lab_read(&sources[1], has_initial, *model, &error);
    if (status == OPAC_OK && parts[2].text != NULL)
        status = model_sta_read(&sources[2], *model, &error);
    if (status != OPAC_OK) {
        check_error(status, &error);
        opac_model_free(*model);
    }
    return status;
}

static void write_parts(const opac_model *model, opac_output **outs, part *parts)
{
    void (*const writers[])(const opac_model *, opac_output *) = {
        opac_model_write_tra, opac_model_write_lab, opac_model_write_sta};
    for (size_t i = 0; i < 3; i++) {
        fuzz_require(opac_output_open_memory(&outs[i], NULL) == OPAC_OK);
        writers[i](model, outs[i]);
        parts[i].text = opac_output_bytes(outs[i], &parts[i].length);
        fuzz_require(parts[i].text != NULL);
    }
}

static void check_round_trip(const opac_model *model, bool exact)
{
    part first[PARTS] = {{0}}, second[PARTS] = {{0}};
    opac_output *outs[3], *others[3];
    opac_model *again;
    unsigned heard = 0;
    opac_model_options options = {.exact = exact, .listener = hear, .listener_context = &heard};
    write_parts(model, outs, first);
    fuzz_require(read_parts(first, &options, &again) == OPAC_OK);
    fuzz_require(heard == 0);
    write_parts(again, others, second);
    for (size_t i = 0; i < 3; i++) {
        fuzz_require(first[i].length == second[i].length);
        fuzz_require(memcmp(first[i].text, second[i].text, first[i].length) == 0);
        opac_output_free(outs[i]);
        opac_output_free(others[i]);
    }
    opac_model_free(again);
}

static void check_model(const part *parts, bool exact)
{
    unsigned heard = 0;
    opac_model *model;
    opac_error error = {0};
    opac_model_options options = {
        .max_states = MOST_STATES, .exact = exact, .listener = hear, .listener_context = &heard};
    opac_status status = read_parts(parts, &options, &model);
    if (status != OPAC_OK) {
        fuzz_require(heard > 0);
        return;
    }
    fuzz_require(model_check(model, &error) == OPAC_OK);
    check_round_trip(model, exact);
    opac_model_free(model);
}

static void check_constants(const part *constants_part)
{
    opac_constants *constants;
    opac_error error = {0};
    model_constant value;
    char *text = fuzz_text((const uint8_t *)constants_part->text, constants_part->length);
    fuzz_require(opac_constants_new(&constants, &error) == OPAC_OK);
    opac_status status = opac_constants_add(constants, text, &error);
    if (status != OPAC_OK)
        check_error(status, &error);
    const char *name;
    while ((name = opac_constants_unused(constants)) != NULL) {
        fuzz_require(model_constants_use(constants, name, strlen(name), &value));
        fuzz_require(value.kind != MODEL_CONSTANT_BOOL || value.integer == 0 || value.integer == 1);
        fuzz_require(value.kind != MODEL_CONSTANT_INT || value.real == (double)value.integer);
    }
    opac_constants_free(constants);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    part parts[PARTS] = {{0}};
    split((const char *)data, size, parts);
    check_model(parts, false);
    check_model(parts, true);
    if (parts[3].text != NULL)
        check_constants(&parts[3]);
    return 0;
}
