/* SPDX-License-Identifier: MIT */
#include "cli/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/text.h>

enum {
    LINE_WIDTH = 80
};

/* ---- text ---- */

void cli_write_key(opac_output *out, const char *key)
{
    opac_output_print(out, "%-*s", CLI_KEY_WIDTH, key);
}

void cli_write_shown(opac_output *out, const char *text)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_output_text(out, opac_text_show(text, strlen(text), shown, sizeof shown));
}

void cli_write_path(opac_output *out, const char *path)
{
    size_t length = strlen(path);
    char *shown = length < SIZE_MAX / 4 ? malloc(4 * length + 1) : NULL; /* each byte as \xNN */
    if (shown == NULL)
        cli_write_shown(out, path);
    else
        opac_output_text(out, opac_text_show(path, length, shown, 4 * length + 1));
    free(shown);
}

void cli_write_count(opac_output *out, uint64_t count, const char *noun)
{
    opac_output_print(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

/* Where a line may end: behind the last word that fits, or the first one, if that is too long. */
static size_t line_length(const char *text, size_t most)
{
    size_t columns = 0, best = 0;
    for (size_t i = 0;; i++) {
        bool is_end = text[i] == ' ' || text[i] == '\0';
        if (is_end && (columns <= most || best == 0))
            best = i;
        if (text[i] == '\0' || (columns > most && best > 0))
            return best;
        columns += ((unsigned char)text[i] & 0xC0) != 0x80; /* characters, not bytes */
    }
}

void cli_write_wrapped(opac_output *out, const char *key, const char *text)
{
    do {
        size_t length = line_length(text, LINE_WIDTH - CLI_KEY_WIDTH);
        cli_write_key(out, key);
        opac_output_write(out, text, length);
        opac_output_text(out, "\n");
        text += length + (text[length] == ' ');
        key = "";
    } while (*text != '\0');
}

void cli_write_model(opac_output *out, const opac_model *model)
{
    cli_write_key(out, "model");
    opac_output_print(out, "%s, ", opac_model_type_name(opac_model_get_type(model)));
    cli_write_count(out, opac_model_states(model), "state");
    opac_output_text(out, "\n");
}

void cli_write_policy(opac_output *out, const opac_policy *policy)
{
    cli_write_key(out, "policy");
    cli_write_count(out, opac_policy_decisions(policy), "decision");
    opac_output_text(out, ", ");
    cli_write_count(out, opac_policy_memory(policy), "memory value");
    opac_output_text(out, "\n");
}

/* ---- JSON ---- */

void cli_echo_number(opac_json *json, const char *key, uint64_t number)
{
    opac_json_key(json, key);
    opac_json_uint(json, number);
}

void cli_echo_double(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    opac_json_double(json, value);
}

void cli_echo_text(opac_json *json, const char *key, const char *text)
{
    opac_json_key(json, key);
    opac_json_string(json, text);
}

void cli_echo_seconds(opac_json *json, const char *key, double seconds)
{
    opac_json_key(json, key);
    opac_json_double(json, round(seconds * 1e6) / 1e6);
}

void cli_echo_state(opac_json *json, const opac_model *model, uint32_t state)
{
    cli_echo_number(json, "state", state);
    if (opac_model_variable_count(model) == 0)
        return;
    opac_json_key(json, "values");
    opac_model_echo_values(model, state, json);
}
