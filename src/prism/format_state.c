/* SPDX-License-Identifier: MIT */
/* Formats a state as a list of the values of its variables. */
#include "prism/format_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

static void write_value(const prism_variable *variable, int64_t value, char *text, size_t size)
{
    char name[OPAC_SHOWN_SIZE];
    opac_text_show(variable->name, strlen(variable->name), name, sizeof name);
    if (variable->type == PRISM_TYPE_BOOL)
        snprintf(text, size, "%s=%s", name, value != 0 ? "true" : "false");
    else
        snprintf(text, size, "%s=%" PRId64, name, value);
}

const char *prism_format_state(const prism_program *program, const int64_t *values, char *buffer,
                               size_t size)
{
    static const char more[] = ", ...";
    size_t length = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; i < program->variable_count; i++) {
        char item[OPAC_SHOWN_SIZE + 32];
        write_value(&program->variables[i], values[i], item, sizeof item);
        size_t needed = strlen(item) + (i > 0 ? 2 : 0);
        if (length + needed + sizeof more > size) {
            snprintf(buffer + length, size - length, "%s", i > 0 ? more : "...");
            break;
        }
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? ", " : "", item);
    }
    return buffer;
}

opac_status prism_fail_in_state(const prism_program *program, const int64_t *values,
                                opac_status status, opac_error *error)
{
    char words[PRISM_STATE_SIZE];
    if (error == NULL || program->variable_count == 0)
        return status;
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, ", in state (%s)",
             prism_format_state(program, values, words, sizeof words));
    return status;
}
