/* SPDX-License-Identifier: MIT */
/*
 * A program used by the build: writes the man pages and the completion scripts into a folder.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/help.h"

typedef void (*page_writer)(opac_output *out);

static void check(opac_status status, const opac_error *error)
{
    if (status == OPAC_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static opac_output *open_page(const char *folder, const char *name)
{
    char path[4096];
    opac_output *out;
    opac_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    check(opac_output_open_file(path, &out, &error), &error);
    return out;
}

static void close_page(opac_output *out)
{
    opac_error error;
    check(opac_output_commit(out, &error), &error);
    opac_output_free(out);
}

static void write_page(const char *folder, const char *name, page_writer writer)
{
    opac_output *out = open_page(folder, name);
    writer(out);
    close_page(out);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    write_page(argv[1], CLI_PROGRAM ".1", cli_manual_overview);
    write_page(argv[1], CLI_PROGRAM ".bash", cli_completion_bash);
    write_page(argv[1], "_" CLI_PROGRAM, cli_completion_zsh);
    for (size_t i = 0; i < cli_command_count; i++) {
        char name[96], words[64];
        snprintf(name, sizeof name, CLI_PROGRAM "-%s.1",
                 cli_command_hyphened(&cli_commands[i], words));
        opac_output *out = open_page(argv[1], name);
        cli_manual_command(&cli_commands[i], out);
        close_page(out);
    }
    return 0;
}
