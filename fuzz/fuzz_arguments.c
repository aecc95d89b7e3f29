/* SPDX-License-Identifier: MIT */
/* Command lines, one word a line, the first choosing the command: parsed or refused in one line. */
#include "cli/arguments.h"
#include "target.h"

enum {
    MOST_WORDS = 64
};

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
    if (command != NULL &&
        cli_arguments_parse(&arguments, command, count - 1, words + 1, &error) != OPAC_OK)
        fuzz_require(error.message[0] != '\0' && strchr(error.message, '\n') == NULL);
    cli_suggest_command(words[0]);
    free(text);
    return 0;
}
