/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as DRN; the lowest bit of the first byte selects exact models. If it is accepted, the
 * model is valid, and the text written from it is read without a warning and written again with the same
 * bytes.
 */
#include <omegapac/text.h>

#include "model/explicit.h"
#include "support/invariants.h"
#include "target.h"

typedef struct heard {
    unsigned errors, warnings;
} heard;

static void listen(void *context, const opac_message *message)
{
    heard *said = context;
    said->errors += message->code != OPAC_OK;
    said->warnings += message->code == OPAC_OK;
    fuzz_require((message->line == 0) == (message->column == 0));
    fuzz_require(message->line == 0 || message->excerpt != NULL);
    fuzz_require_message(message->text);
}

static opac_model *read_model(const char *text, size_t length, bool exact, heard *said)
{
    opac_model_options options = {
        .exact = exact, .max_states = 100000, .listener = listen, .listener_context = said};
    opac_error error = {0};
    opac_model *model = NULL;
    opac_status status = model_read_drn_text(text, length, &options, &model, &error);
    fuzz_require((status == OPAC_OK) == (model != NULL));
    if (status != OPAC_OK) {
        fuzz_require(status == error.code);
        fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_UNSUPPORTED ||
                     status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_LIMIT);
        fuzz_require_message(error.message);
        return NULL;
    }
    fuzz_require(said->errors == 0);
    fuzz_require(model_check(model, &error) == OPAC_OK);
    return model;
}

/* The text of a model, in an output that the caller frees; NULL if it cannot be written. */
static opac_output *write_model(const opac_model *model, const char **text, size_t *length)
{
    opac_output *out;
    opac_error error = {0};
    fuzz_require(opac_output_open_memory(&out, &error) == OPAC_OK);
    opac_model_write_drn(model, out);
    *text = opac_output_bytes(out, length);
    if (*text != NULL)
        return out;
    fuzz_require(opac_output_commit(out, &error) == OPAC_ERROR_UNSUPPORTED);
    fuzz_require_message(error.message);
    opac_output_free(out);
    return NULL;
}

static void check_round_trip(const opac_model *model, bool exact)
{
    const char *first, *second;
    size_t first_length, second_length;
    heard said = {0};
    opac_error error = {0};
    opac_output *out = write_model(model, &first, &first_length);
    if (out == NULL)
        return;
    opac_model *again = read_model(first, first_length, exact, &said);
    fuzz_require(again != NULL && said.warnings == 0);
    opac_output *other = write_model(again, &second, &second_length);
    fuzz_require(other != NULL);
    fuzz_require(first_length == second_length && memcmp(first, second, first_length) == 0);
    fuzz_require(opac_model_write_dot(again, 1000000, other, &error) == OPAC_OK);
    opac_output_free(other);
    opac_output_free(out);
    opac_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heard said = {0};
    bool exact = size > 0 && (data[0] & 1) != 0;
    opac_model *model = read_model((const char *)data, size, exact, &said);
    if (model != NULL)
        check_round_trip(model, exact);
    opac_model_free(model);
    return 0;
}
