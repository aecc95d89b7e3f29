/* SPDX-License-Identifier: MIT */
/*
 * Parses command lines, with one word a line; the first one selects the command. A command line is either
 * accepted and its parameters are written as JSON, or refused with a message of one line.
 */
#include "cli/arguments.h"
#include "target.h"

enum {
    MOST_WORDS = 64
};

/* Reads all parsed parameters, including repeated ones. */
static void echo(const cli_arguments *arguments)
{
    opac_output *out;
    opac_error error;
    opac_json json;
    if (opac_output_open_memory(&out, &error) != OPAC_OK)
        return;
    opac_json_init(&json, out);
    cli_write_params(arguments, CLI_NO_OPTION, &json);
    fuzz_require(opac_output_commit(out, &error) == OPAC_OK);
    opac_output_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    char *words[MOST_WORDS];
    int count = 0;
    for (char *at = text; at != NULL && count < MOST_WORDS;) {
        words[count++] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = '\0';
    }
    const cli_command *command = cli_command_find(words[0]);
    cli_arguments arguments;
    opac_error error = {0};
    if (command != NULL) {
        if (cli_arguments_parse(&arguments, command, count - 1, words + 1, &error) == OPAC_OK)
            echo(&arguments);
        else
            fuzz_require(error.message[0] != '\0' && strchr(error.message, '\n') == NULL);
    }
    cli_suggest_command(words[0]);
    free(text);
    return 0;
}
