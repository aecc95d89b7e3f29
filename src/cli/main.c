/* SPDX-License-Identifier: MIT */
/* The program: finds the subcommand, parses its options and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/version.h>

#include "cli/colour.h"
#include "cli/help.h"
#include "cli/outputs.h"
#include "cli/result.h"

/* Writes help or the version; a failed write, such as on a full disk, is an error. */
static cli_exit show(const cli_command *command, void (*overview)(opac_output *))
{
    opac_output *out = NULL;
    opac_error error;
    opac_status status = opac_output_open_stream(stdout, &out, &error);
    if (status == OPAC_OK) {
        if (command != NULL)
            cli_help_command(command, out);
        else
            overview(out);
        status = opac_output_commit(out, &error);
    }
    opac_output_free(out);
    return status == OPAC_OK ? CLI_EXIT_DONE : cli_report(command, &error);
}

static void write_version(opac_output *out)
{
    opac_output_print(out, "%s %s\n", CLI_PROGRAM, opac_version());
}

static cli_exit run_command(const cli_command *command, int count, char *const *words)
{
    cli_arguments arguments;
    opac_error error;
    if (cli_arguments_parse(&arguments, command, count, words, &error) != OPAC_OK)
        return cli_report(command, &error);
    if (arguments.values[CLI_HELP].given)
        return show(command, NULL);
    if (arguments.values[CLI_VERSION].given)
        return show(NULL, write_version);
    if (cli_outputs_check(&arguments, &error) != OPAC_OK)
        return cli_report(command, &error);
    return command->run(&arguments);
}

static cli_exit unknown(const char *word)
{
    cli_piece suggestion = cli_suggest_command(word);
    fprintf(stderr, "%s: unknown %s %s%s\n", CLI_PROGRAM, word[0] == '-' ? "option" : "command",
            cli_quote(word).text,
            *suggestion.text != '\0' ? suggestion.text : "; see " CLI_PROGRAM " --help");
    return CLI_EXIT_USAGE;
}

/* Reports an incomplete command of two words, and lists the commands that begin with it. */
static cli_exit list_family(const char *word)
{
    size_t length = strlen(word);
    fprintf(stderr, "%s: incomplete command %s; expected:", CLI_PROGRAM, word);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name, word, length) == 0 && cli_commands[i].name[length] == ' ')
            fprintf(stderr, " %s %s (%s)", CLI_PROGRAM, cli_commands[i].name,
                    cli_commands[i].summary);
    fprintf(stderr, "\n");
    return CLI_EXIT_USAGE;
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static cli_exit run(int argc, char *const *argv)
{
    int used;
    if (argc < 2) {
        fprintf(stderr, "%s: missing command; see %s --help\n", CLI_PROGRAM, CLI_PROGRAM);
        return CLI_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return show(NULL, write_version);
    bool help = is_help(argv[1]);
    if (help && argc == 2)
        return show(NULL, cli_help_overview);
    int first = help ? 2 : 1;
    const cli_command *command = cli_command_match(argc - first, argv + first, &used);
    if (command == NULL) { /* "env --help", or "env" with another word */
        const cli_command *family = cli_command_of_family(argv[first]);
        if (family == NULL)
            return unknown(argv[first]);
        return help || (argc > 2 && is_help(argv[2])) ? show(family, NULL) : list_family(argv[1]);
    }
    first += used;
    return help ? show(command, NULL) : run_command(command, argc - first, argv + first);
}

/* Checked before everything else, because it also applies to errors about other words. */
static void check_no_color(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--no-color") == 0)
            cli_disable_colour();
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is then a write error */
    check_no_color(argc, argv);
    return (int)run(argc, argv);
}
