/* SPDX-License-Identifier: MIT */
/* Texts of results, for the suites of this folder. */
#ifndef RESULT_TEXTS_H
#define RESULT_TEXTS_H

#include "base/json_read.h"
#include "result/result_text.h"
#include "support/check.h"

/* The text that follows from the JSON alone. The result is freed; the caller frees the text. */
static inline char *take_text(opac_result *result)
{
    base_json *document;
    opac_output *out;
    opac_error error;
    size_t length;
    const char *json = opac_result_json(result, &length);
    assert_ok(base_json_parse(json, length, &document, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    result_write_text(base_json_root(document), &(result_extras){0}, out);
    opac_output_write(out, "", 1);
    char *text = strdup(opac_output_bytes(out, &length));
    opac_output_free(out);
    base_json_free(document);
    opac_result_free(result);
    return text;
}

/* Writes the text, with the map, to nowhere: for sweeps of failures. The result is freed. */
static inline opac_status write_text_of(opac_result *result, opac_error *error)
{
    opac_output *out;
    opac_status status;
    TRY_OR(done, opac_output_open_memory(&out, error));
    status = opac_result_write_text(result, out, error);
    if (status == OPAC_OK && opac_output_failed(out))
        status = opac_output_commit(out, error);
    opac_output_free(out);
done:
    opac_result_free(result);
    return status;
}

#endif
