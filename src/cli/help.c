/* SPDX-License-Identifier: MIT */
/* --help, from the table. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 80,
    OPTION_COLUMN = 2,
    HELP_COLUMN = 22
};

const char *cli_option_shape(const cli_option *option, char *buffer)
{
    char letter[8] = "", name[40] = "";
    if (option->letter != '\0')
        snprintf(letter, sizeof letter, "-%c", option->letter);
    if (option->name != NULL)
        snprintf(name, sizeof name, "--%s", option->name);
    snprintf(buffer, 64, "%s%s%s%s%s", letter, *letter != '\0' && *name != '\0' ? ", " : "", name,
             option->placeholder != NULL ? " " : "",
             option->placeholder != NULL ? option->placeholder : "");
    return buffer;
}

const char *cli_usage_word(const cli_option_use *use, char *buffer)
{
    const cli_option *option = &cli_options[use->option];
    char name[32];
    snprintf(buffer, 64, "%s%s%s%s%s", use->required ? "" : "[", cli_option_spelling(option, name),
             option->placeholder != NULL ? " " : "",
             option->placeholder != NULL ? option->placeholder : "", use->required ? "" : "]");
    return buffer;
}

const char *cli_option_notes(const cli_option *option, char *buffer)
{
    buffer[0] = '\0';
    if (option->fallback != NULL)
        snprintf(buffer, 64, " (default: %s)", option->fallback);
    return buffer;
}

/* Where a paragraph is that is broken before WIDTH and indented behind its first line. */
typedef struct paragraph {
    opac_output *out;
    size_t column, indent;
} paragraph;

static void write_word(paragraph *p, const char *word, size_t length)
{
    if (p->column > p->indent && p->column + 1 + length >= WIDTH) {
        opac_output_print(p->out, "\n%*s", (int)p->indent, "");
        p->column = p->indent;
    } else if (p->column > p->indent) {
        opac_output_text(p->out, " ");
        p->column++;
    }
    opac_output_write(p->out, word, length);
    p->column += length;
}

/* Begins in the column of the indentation; a newline in the text stays one. */
static void write_wrapped(opac_output *out, const char *text, size_t indent)
{
    paragraph p = {out, indent, indent};
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        write_word(&p, text, length);
        text += length;
        for (; *text == '\n'; text++, p.column = indent)
            opac_output_print(out, "\n%*s", text[1] == '\n' ? 0 : (int)indent, "");
        text += *text == ' ';
    }
    opac_output_text(out, "\n");
}

static void write_usage(opac_output *out, const cli_command *command)
{
    char word[64];
    int start = snprintf(word, sizeof word, "Usage: %s %s ", CLI_PROGRAM, command->name);
    opac_output_text(out, word);
    paragraph p = {out, (size_t)start, (size_t)start};
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->option != CLI_HELP && use->option != CLI_VERSION) {
            cli_usage_word(use, word);
            write_word(&p, word, strlen(word));
        }
    opac_output_text(out, "\n");
}

static void write_entry(opac_output *out, const char *shape, const char *help)
{
    size_t length = OPTION_COLUMN + strlen(shape);
    opac_output_print(out, "%*s%s", OPTION_COLUMN, "", shape);
    if (length + 2 > HELP_COLUMN) {
        opac_output_text(out, "\n");
        length = 0;
    }
    opac_output_print(out, "%*s", (int)(HELP_COLUMN - length), "");
    write_wrapped(out, help, HELP_COLUMN);
}

void cli_help_overview(opac_output *out)
{
    opac_output_print(out, "%s %s\n\n", CLI_PROGRAM, CLI_SUMMARY);
    opac_output_print(out, "Usage: %s COMMAND [OPTIONS]\n\nCommands:\n", CLI_PROGRAM);
    for (size_t i = 0; i < cli_command_count; i++)
        write_entry(out, cli_commands[i].name, cli_commands[i].summary);
    write_entry(out, "help [COMMAND]", "show this help, or that of a command");
    opac_output_print(out, "\nOptions:\n");
    write_entry(out, "-h, --help", "show this help; behind a command: the help of that command");
    write_entry(out, "--version", "show the version");
    opac_output_print(out, "\n%s COMMAND --help tells more of a command.\n", CLI_PROGRAM);
}

static void write_option(opac_output *out, const cli_option_use *use)
{
    const cli_option *option = &cli_options[use->option];
    char shape[64], notes[64], text[512];
    snprintf(text, sizeof text, "%s%s", cli_use_help(use), cli_option_notes(option, notes));
    write_entry(out, cli_option_shape(option, shape), text);
}

void cli_help_command(const cli_command *command, opac_output *out)
{
    opac_output_print(out, "%s %s: %s\n\n", CLI_PROGRAM, command->name, command->summary);
    write_usage(out, command);
    opac_output_text(out, "\n");
    write_wrapped(out, command->description, 0);
    opac_output_text(out, "\nOptions:\n");
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        write_option(out, use);
    opac_output_text(out, "\nExamples:\n");
    for (const cli_example *example = command->examples; example->line != NULL; example++)
        opac_output_print(out, "  %s\n    %s %s\n", example->purpose, CLI_PROGRAM, example->line);
}
