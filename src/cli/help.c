/* SPDX-License-Identifier: MIT */
/* Writes --help from the table of options. */
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

const char cli_dashes_help[] =
    "end of options: what follows are arguments, even if they begin with -";

/* Appends a text in a buffer of 256 characters. */
static void append(char *buffer, const char *text)
{
    strncat(buffer, text, 255 - strlen(buffer));
}

static void append_operand(char *buffer, const cli_operand *operand)
{
    append(buffer, operand->name);
    append(buffer, operand->repeated ? "..." : "");
}

static void append_option(char *buffer, const cli_command *command, cli_option_id id)
{
    const cli_option *option = &cli_options[id];
    char name[32];
    append(buffer, cli_option_spelling(option, name));
    append(buffer, option->placeholder != NULL ? " " : "");
    append(buffer, option->placeholder != NULL ? option->placeholder : "");
    append(buffer, cli_command_repeats(command, id) ? "..." : "");
}

static void append_group(char *buffer, const cli_command *command, const cli_group *group)
{
    append(buffer, group->required ? "(" : "[");
    if (group->with_operand)
        append_operand(buffer, &command->operands[0]);
    for (const cli_option_id *choice = group->options; *choice != CLI_NO_OPTION; choice++) {
        append(buffer, choice > group->options || group->with_operand ? " | " : "");
        append_option(buffer, command, *choice);
    }
    append(buffer, group->required ? ")" : "]");
}

static void append_operand_part(char *buffer, const cli_command *command, size_t index)
{
    const cli_group *group = index == 0 ? cli_command_group(command, CLI_NO_OPTION) : NULL;
    if (group != NULL) {
        append_group(buffer, command, group);
        return;
    }
    append(buffer, command->operands[index].required ? "" : "[");
    append_operand(buffer, &command->operands[index]);
    append(buffer, command->operands[index].required ? "" : "]");
}

/* A group is written at the place of its first member. */
static void append_option_part(char *buffer, const cli_command *command, const cli_option_use *use)
{
    const cli_group *group = cli_command_group(command, use->option);
    if (use->option == CLI_HELP || use->option == CLI_VERSION)
        return;
    if (group != NULL) {
        if (!group->with_operand && group->options[0] == use->option)
            append_group(buffer, command, group);
        return;
    }
    append(buffer, use->required ? "" : "[");
    append_option(buffer, command, use->option);
    append(buffer, use->required ? "" : "]");
}

const char *cli_usage_part(const cli_command *command, size_t index, char *buffer)
{
    size_t operands = 0;
    while (command->operands[operands].name != NULL)
        operands++;
    buffer[0] = '\0';
    if (index < operands)
        append_operand_part(buffer, command, index);
    else if (command->uses[index - operands].option == CLI_NO_OPTION)
        return NULL;
    else
        append_option_part(buffer, command, &command->uses[index - operands]);
    return buffer;
}

const char *cli_option_notes(const cli_command *command, cli_option_id id, char *buffer)
{
    const cli_option *option = &cli_options[id];
    char words[128] = "";
    const char *fallback = option->fallback != NULL ? option->fallback : "";
    if (option->type == CLI_WORD)
        cli_option_words(option, words);
    const char *joint = *words != '\0' && *fallback != '\0' ? "; " : "";
    buffer[0] = '\0';
    if (cli_command_repeats(command, id))
        snprintf(buffer, 192, " (may be given several times)");
    else if (*words != '\0' || *fallback != '\0')
        snprintf(buffer, 192, " (%s%s%s%s)", words, joint, *fallback != '\0' ? "default: " : "",
                 fallback);
    return buffer;
}

/* The state of a paragraph that is wrapped at WIDTH and indented after its first line. */
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

/* Begins in the column of the indentation. Newlines in the text are kept. */
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
    char word[64], part[256];
    int start = snprintf(word, sizeof word, "Usage: %s %s ", CLI_PROGRAM, command->name);
    opac_output_text(out, word);
    paragraph p = {out, (size_t)start, (size_t)start};
    for (size_t i = 0; cli_usage_part(command, i, part) != NULL; i++)
        if (*part != '\0')
            write_word(&p, part, strlen(part));
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
    write_entry(out, "help [COMMAND]", "show this help, or the help of a command");
    opac_output_print(out, "\nOptions:\n");
    write_entry(out, "-h, --help", "show this help; after a command: the help of that command");
    write_entry(out, "--version", "show the version");
    opac_output_print(out, "\nSee '%s COMMAND --help' for the options of a command.\n",
                      CLI_PROGRAM);
}

static void write_option(opac_output *out, const cli_command *command, const cli_option_use *use)
{
    const cli_option *option = &cli_options[use->option];
    char shape[64], notes[192], text[640];
    snprintf(text, sizeof text, "%s%s", cli_use_help(use),
             cli_option_notes(command, use->option, notes));
    write_entry(out, cli_option_shape(option, shape), text);
}

static void write_operands(opac_output *out, const cli_command *command)
{
    opac_output_text(out, "\nArguments:\n");
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++)
        write_entry(out, operand->name, operand->help);
    write_entry(out, "--", cli_dashes_help);
}

void cli_help_command(const cli_command *command, opac_output *out)
{
    opac_output_print(out, "%s %s: %s\n\n", CLI_PROGRAM, command->name, command->summary);
    write_usage(out, command);
    opac_output_text(out, "\n");
    write_wrapped(out, command->description, 0);
    if (command->operands[0].name != NULL)
        write_operands(out, command);
    opac_output_text(out, "\nOptions:\n");
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        write_option(out, command, use);
    opac_output_text(out, "\nExamples:\n");
    for (const cli_example *example = command->examples; example->line != NULL; example++)
        opac_output_print(out, "  %s\n    %s %s\n", example->purpose, CLI_PROGRAM, example->line);
}
