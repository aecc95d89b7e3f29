/* SPDX-License-Identifier: MIT */
/* Suggests similar words, and shows texts of the user in messages. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "cli/arguments.h"

enum {
    LONGEST_SHOWN = 40 /* longer texts are truncated with "..." */
};

cli_piece cli_show(const char *text)
{
    cli_piece piece = {""};
    opac_text_show(text, strlen(text), piece.text, LONGEST_SHOWN);
    return piece;
}

cli_piece cli_show_path(const char *path)
{
    cli_piece piece = {""};
    opac_text_show_path(path, piece.text, LONGEST_SHOWN);
    return piece;
}

cli_piece cli_quote(const char *text)
{
    cli_piece piece = {""};
    snprintf(piece.text, sizeof piece.text, "'%.*s'", LONGEST_SHOWN, cli_show(text).text);
    return piece;
}

static cli_piece did_you_mean(const char *dashes, const char *word)
{
    cli_piece piece = {""};
    if (word != NULL)
        snprintf(piece.text, sizeof piece.text, "; did you mean %s%s?", dashes, word);
    return piece;
}

static bool is_letter(const char *word, char letter)
{
    return letter != '\0' && word[1] == '\0' &&
           tolower((unsigned char)word[0]) == tolower((unsigned char)letter);
}

/* For one letter, suggests options that differ in case or dashes. */
static cli_piece suggest_letter(const cli_command *command, const char *letter)
{
    char spelling[32];
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        const cli_option *option = &cli_options[use->option];
        bool short_name =
            option->name != NULL && is_letter(letter, option->name[0]) && option->name[1] == '\0';
        if (short_name || is_letter(letter, option->letter))
            return did_you_mean("", cli_option_spelling(option, spelling));
    }
    return did_you_mean("", NULL);
}

/* Compares without dashes and without a value after "=". */
cli_piece cli_suggest_option(const cli_command *command, const char *word)
{
    const char *names[CLI_MAX_USES];
    char wanted[64];
    size_t count = 0;
    word += strspn(word, "-");
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(word, "="), word);
    if (strlen(wanted) == 1)
        return suggest_letter(command, wanted);
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_options[use->option].name != NULL)
            names[count++] = cli_options[use->option].name;
    return did_you_mean("--", opac_text_nearest(wanted, names, count));
}

cli_piece cli_suggest_command(const char *word)
{
    enum {
        MOST = 32
    };
    const char *names[MOST + 2] = {"--help", "--version"};
    size_t count = 2;
    for (size_t i = 0; i < cli_command_count && i < MOST; i++)
        names[count++] = cli_commands[i].name;
    return did_you_mean("", opac_text_nearest(word, names, count));
}

cli_piece cli_suggest_word(const cli_option *option, const char *word)
{
    size_t count = 0;
    while (option->words[count] != NULL)
        count++;
    return did_you_mean("", opac_text_nearest(word, option->words, count));
}
