/* SPDX-License-Identifier: MIT */
#include "result/document.h"

#include <string.h>

#include <omegapac/omegapac.h>

#include "base/alloc.h"
#include "result/members.h"

void opac_result_free(opac_result *result)
{
    if (result == NULL)
        return;
    opac_output_free(result->bytes);
    base_json_free(result->given);
    base_free(result);
}

/* The arguments after the program's name. A command's name has one or two words. */
static void put_arguments(const char *command, const opac_result_source *source, opac_json *json)
{
    const char *blank = strchr(command, ' ');
    if (source == NULL || source->arguments == NULL)
        return;
    opac_json_key(json, "arguments");
    opac_json_begin_array(json);
    if (blank != NULL)
        opac_json_bytes(json, command, (size_t)(blank - command));
    opac_json_string(json, blank != NULL ? blank + 1 : command);
    for (size_t i = 0; i < source->argument_count; i++)
        opac_json_string(json, source->arguments[i]);
    opac_json_end_array(json);
}

static opac_status open_result(const opac_result_source *source, opac_result *result,
                               opac_error *error)
{
    TRY(opac_output_open_memory(&result->bytes, error));
    if (source == NULL || source->params == NULL)
        return OPAC_OK;
    TRY(base_json_parse(source->params, strlen(source->params), &result->given, error));
    if (base_json_kind_of(base_json_root(result->given)) != BASE_JSON_OBJECT)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the params of a result must be a JSON object");
    return OPAC_OK;
}

static opac_status discard(opac_result **result, opac_status status)
{
    opac_result_free(*result);
    *result = NULL;
    return status;
}

opac_status result_begin(const char *command, const opac_result_source *source,
                         opac_result **result, opac_json *json, opac_error *error)
{
    *result = base_allocate(NULL, sizeof **result, true);
    if (*result == NULL)
        return base_fail_memory(error);
    opac_status status = open_result(source, *result, error);
    if (status != OPAC_OK)
        return discard(result, status);
    opac_json_init(json, (*result)->bytes);
    opac_json_begin_object(json);
    result_put_text(json, "schema", "omegapac.result/1");
    result_put_text(json, "command", command);
    result_put_text(json, "version", opac_version());
    put_arguments(command, source, json);
    if (source != NULL && source->call != NULL)
        result_put_text(json, "call", source->call);
    return OPAC_OK;
}

opac_status result_end(opac_result **result, opac_json *json, opac_error *error)
{
    opac_json_end_object(json);
    if (!opac_output_failed((*result)->bytes))
        return OPAC_OK;
    return discard(result, opac_output_commit((*result)->bytes, error));
}

const char *opac_result_json(const opac_result *result, size_t *length)
{
    size_t unused;
    return opac_output_bytes(result->bytes, length != NULL ? length : &unused);
}

void result_put_given(const opac_result *result, opac_json *json)
{
    base_json_value member = {0};
    if (result->given == NULL)
        return;
    while (base_json_next(base_json_root(result->given), &member)) {
        opac_json_key(json, member.key);
        result_put_value(json, member);
    }
}

void result_put_params(const opac_result *result, opac_json *json)
{
    opac_json_key(json, "params");
    opac_json_begin_object(json);
    result_put_given(result, json);
    opac_json_end_object(json);
}
