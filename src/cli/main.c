/* SPDX-License-Identifier: MIT */
/* The command line: finds the subcommand, parses its options, runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/version.h>

#include "cli/help.h"
#include "cli/result.h"

/* Help and version are results too: a full disk must not pass unnoticed. */
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
    return command->run(&arguments);
}

static cli_exit unknown(const char *word)
{
    fprintf(stderr, "%s: unknown %s %s%s; %s --help lists what there is\n", CLI_PROGRAM,
            word[0] == '-' ? "option" : "command", cli_quote(word).text,
            cli_suggest_command(word).text, CLI_PROGRAM);
    return CLI_EXIT_USAGE;
}

static cli_exit run(int argc, char *const *argv)
{
    if (argc < 2) {
        fprintf(stderr, "%s: missing: a command; %s --help lists what there is\n", CLI_PROGRAM,
                CLI_PROGRAM);
        return CLI_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        return show(NULL, write_version);
    bool help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    if (help && argc == 2)
        return show(NULL, cli_help_overview);
    const cli_command *command = cli_command_find(help ? argv[2] : word);
    if (command == NULL)
        return unknown(help ? argv[2] : word);
    return help ? show(command, NULL) : run_command(command, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like any other */
    return (int)run(argc, argv);
}
