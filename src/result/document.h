/* SPDX-License-Identifier: MIT */
/*
 * The frame of a result: each command's file writes its members between begin and end, in the order of
 * docs/formats/result.md.
 *
 *     opac_json json;
 *     TRY(result_begin("bound", source, result, &json, error));
 *     result_put_params(*result, &json);
 *     ...
 *     return result_end(result, &json, error);
 *
 * Between the two nothing fails: what goes wrong in writing (memory) is kept by the output, and
 * result_end tells it. A result is freed and NULL where one of the two fails.
 */
#ifndef RESULT_DOCUMENT_H
#define RESULT_DOCUMENT_H

#include <omegapac/json.h>
#include <omegapac/model.h>
#include <omegapac/policy.h>
#include <omegapac/result.h>

#include "base/error.h"
#include "base/json_read.h"

struct opac_result {
    opac_output *bytes;        /* the JSON */
    base_json *given;          /* the params of the source; NULL: none */
    const opac_policy *policy; /* for the map in the text, borrowed; NULL: none */
    const opac_model *model;   /* of that policy, borrowed; NULL: none */
};

/* Opens the object and writes schema, command, version and arguments. A NULL source says nothing. */
opac_status result_begin(const char *command, const opac_result_source *source,
                         opac_result **result, opac_json *json, opac_error *error);
/* Closes the object. */
opac_status result_end(opac_result **result, opac_json *json, opac_error *error);

/* The member params, as the source has it; and its members alone, in an object that is open. */
void result_put_params(const opac_result *result, opac_json *json);
void result_put_given(const opac_result *result, opac_json *json);

/* Whether the source asks for measured times, and whether for automata, policies and traces. */
static inline bool result_has_times(const opac_result_source *source)
{
    return source != NULL && source->has_times;
}

static inline bool result_is_brief(const opac_result_source *source)
{
    return source != NULL && source->is_brief;
}

#endif
