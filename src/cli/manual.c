/* SPDX-License-Identifier: MIT */
/* Writes the man pages from the table of options, with man(7) macros. */
#include <stdio.h>

#include <omegapac/version.h>

#include "cli/help.h"

/* Writes text with the special characters of roff escaped; an empty line becomes a paragraph. */
static void write_roff(opac_output *out, const char *text)
{
    bool line_start = true;
    for (; *text != '\0'; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            opac_output_text(out, "\n.PP\n");
            text++;
            line_start = true;
            continue;
        }
        if (line_start && (*text == '.' || *text == '\''))
            opac_output_text(out, "\\&");
        if (*text == '-' || *text == '\\')
            opac_output_text(out, *text == '-' ? "\\-" : "\\e");
        else
            opac_output_write(out, text, 1);
        line_start = *text == '\n';
    }
}

static void write_header(opac_output *out, const char *page, const char *summary)
{
    opac_output_print(out, ".\\\" SPDX-License-Identifier: MIT\n");
    opac_output_text(out, ".TH \"");
    for (const char *at = page; *at != '\0'; at++) {
        char upper = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
        opac_output_write(out, &upper, 1);
    }
    opac_output_print(out, "\" 1 \"%s\" \"%s %s\" \"User Commands\"\n.SH NAME\n", RELEASE_DATE,
                      CLI_PROGRAM, OPAC_VERSION);
    write_roff(out, page);
    opac_output_text(out, " \\- ");
    write_roff(out, summary);
    opac_output_text(out, "\n");
}

static void write_exit_statuses(opac_output *out)
{
    opac_output_text(out, ".SH EXIT STATUS\n");
    for (const cli_exit_meaning *exit = cli_exit_meanings; exit->meaning != NULL; exit++) {
        opac_output_print(out, ".TP\n.B %d\n", exit->status);
        write_roff(out, exit->meaning);
        opac_output_text(out, "\n");
    }
}

/* A reference to the page of a command. */
static void write_reference(opac_output *out, const cli_command *command, const char *after)
{
    char page[64];
    opac_output_print(out, ".BR %s\\-", CLI_PROGRAM);
    write_roff(out, cli_command_hyphened(command, page));
    opac_output_print(out, " (1)%s", after);
}

void cli_manual_overview(opac_output *out)
{
    write_header(out, CLI_PROGRAM, CLI_SUMMARY);
    opac_output_print(out, ".SH SYNOPSIS\n.B %s\n.I COMMAND\n[\\fIOPTIONS\\fR]\n", CLI_PROGRAM);
    opac_output_text(out, ".SH DESCRIPTION\n");
    write_roff(out, "Learns a policy for a temporal-logic objective in an unknown Markov "
                    "decision process from samples, with a guarantee on the probability "
                    "that the policy satisfies the objective.\n");
    opac_output_text(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        opac_output_text(out, ".TP\n");
        write_reference(out, &cli_commands[i], "\n");
        write_roff(out, cli_commands[i].summary);
        opac_output_text(out, "\n");
    }
    opac_output_text(out, ".TP\n.BR help \" [\\fICOMMAND\\fR]\"\n"
                          "show the commands, or the help of one\n");
    opac_output_text(out, ".SH OPTIONS\n.TP\n.BR \\-h \", \" \\-\\-help\nshow the commands; "
                          "after a command: the help of that command\n"
                          ".TP\n.B \\-\\-version\nshow the version\n");
    write_exit_statuses(out);
    opac_output_text(out, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n");
    write_roff(out, "If set and not empty, disables colors on a terminal, like --no-color.\n");
    opac_output_text(out, ".SH SEE ALSO\n");
    for (size_t i = 0; i < cli_command_count; i++)
        write_reference(out, &cli_commands[i], i + 1 < cli_command_count ? ",\n" : "\n");
}

static void write_option(opac_output *out, const cli_command *command, const cli_option_use *use)
{
    char shape[64], notes[192];
    const cli_option *option = &cli_options[use->option];
    opac_output_text(out, ".TP\n.B ");
    write_roff(out, cli_option_shape(option, shape));
    opac_output_text(out, "\n");
    write_roff(out, cli_use_help(use));
    write_roff(out, cli_option_notes(command, use->option, notes));
    opac_output_text(out, "\n");
}

static void write_usage(opac_output *out, const cli_command *command)
{
    char part[256];
    opac_output_print(out, ".SH SYNOPSIS\n.B %s %s\n", CLI_PROGRAM, command->name);
    for (size_t i = 0; cli_usage_part(command, i, part) != NULL; i++)
        if (*part != '\0') {
            write_roff(out, part);
            opac_output_text(out, "\n");
        }
}

static void write_operands(opac_output *out, const cli_command *command)
{
    opac_output_text(out, ".SH ARGUMENTS\n");
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++) {
        opac_output_print(out, ".TP\n.I %s\n", operand->name);
        write_roff(out, operand->help);
        opac_output_text(out, "\n");
    }
    opac_output_text(out, ".TP\n.B \\-\\-\n");
    write_roff(out, cli_dashes_help);
    opac_output_text(out, "\n");
}

static void write_example(opac_output *out, const cli_example *example)
{
    write_roff(out, example->purpose);
    opac_output_print(out, "\n.PP\n.RS 4\n.nf\n%s ", CLI_PROGRAM);
    write_roff(out, example->line);
    opac_output_text(out, "\n.fi\n.RE\n");
}

void cli_manual_command(const cli_command *command, opac_output *out)
{
    char page[96], words[64];
    snprintf(page, sizeof page, "%s-%s", CLI_PROGRAM, cli_command_hyphened(command, words));
    write_header(out, page, command->summary);
    write_usage(out, command);
    opac_output_text(out, ".SH DESCRIPTION\n");
    write_roff(out, command->description);
    opac_output_text(out, "\n");
    if (command->operands[0].name != NULL)
        write_operands(out, command);
    opac_output_text(out, ".SH OPTIONS\n");
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        write_option(out, command, use);
    write_exit_statuses(out);
    opac_output_text(out, ".SH EXAMPLES\n");
    for (const cli_example *example = command->examples; example->line != NULL; example++) {
        opac_output_text(out, example > command->examples ? ".PP\n" : "");
        write_example(out, example);
    }
    opac_output_print(out, ".SH SEE ALSO\n.BR %s (1)\n", CLI_PROGRAM);
}
