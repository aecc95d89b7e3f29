/* SPDX-License-Identifier: MIT */
/*
 * Begins and ends the JSON of a result. Each command's file writes its members in between, in the order
 * of docs/formats/result.md.
 *
 *     opac_json json;
 *     TRY(result_begin("bound", source, result, &json, error));
 *     result_put_params(*result, &json);
 *     ...
 *     return result_end(result, &json, error);
 *
 * Functions called in between report no errors: the output keeps the first one (out of memory), and
 * result_end returns it. If result_begin or result_end fails, the result is freed and set to NULL.
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
    base_json *given;          /* params of the source; NULL if it has none */
    const opac_policy *policy; /* for the map in the text; borrowed, may be NULL */
    const opac_model *model;   /* model of that policy; borrowed, may be NULL */
};

/* Opens the object and writes schema, command, version and arguments. The source may be NULL. */
opac_status result_begin(const char *command, const opac_result_source *source,
                         opac_result **result, opac_json *json, opac_error *error);
/* Closes the object. */
opac_status result_end(opac_result **result, opac_json *json, opac_error *error);

/* Copies the source's params as the member params, or its members alone into the open object. */
void result_put_params(const opac_result *result, opac_json *json);
void result_put_given(const opac_result *result, opac_json *json);

/* Whether the result contains measured times, and whether it omits automata, policies and traces. */
static inline bool result_has_times(const opac_result_source *source)
{
    return source != NULL && source->has_times;
}

static inline bool result_is_brief(const opac_result_source *source)
{
    return source != NULL && source->is_brief;
}

#endif
