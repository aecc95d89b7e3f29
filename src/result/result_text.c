/* SPDX-License-Identifier: MIT */
#include "result/result_text.h"

#include <string.h>

#include "result/document.h"
#include "result/result_read.h"

static const struct {
    const char *command;
    void (*write)(base_json_value result, const result_extras *extras, opac_output *out);
} texts[] = {
    {"bound", result_text_of_bound},         {"check", result_text_of_check},
    {"env check", result_text_of_env_check}, {"estimate", result_text_of_estimate},
    {"evaluate", result_text_of_evaluate},   {"info", result_text_of_info},
    {"learn", result_text_of_learn},         {"recurrence", result_text_of_recurrence},
    {"verify", result_text_of_verify},
};

void result_write_text(base_json_value result, const result_extras *extras, opac_output *out)
{
    const char *command = result_get_text(result, "command");
    for (size_t i = 0; command != NULL && i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].command, command) == 0)
            texts[i].write(result, extras, out);
}

opac_status opac_result_write_text(const opac_result *result, opac_output *out, opac_error *error)
{
    size_t length;
    base_json *document;
    const char *bytes = opac_result_json(result, &length);
    TRY(base_json_parse_own(bytes, length, &document, error));
    result_write_text(base_json_root(document),
                      &(result_extras){.policy = result->policy, .model = result->model}, out);
    base_json_free(document);
    return OPAC_OK;
}
