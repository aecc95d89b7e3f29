/* SPDX-License-Identifier: MIT */
/*
 * Checks the output files of a command before anything is computed. The members `reads` and `writes` of
 * options and operands (options.h, commands.h) say what a command reads and writes. The rules:
 *
 * - An output is not an input, by device and inode, so also not through a link. Inputs include .lab and
 *   .sta beside a .tra, the file of a plugin, the files named in exec:COMMAND, and a regular file on
 *   standard input. --force does not override this.
 * - Two outputs are not the same file. This includes standard output, if the command writes to it.
 * - An existing regular file is replaced if it is empty or of the kind that is written, otherwise only with
 *   --force. A checkpoint (without --resume) and a block device also need --force.
 * - The folder exists and is writable.
 *
 * Pipes, terminals and character devices are written directly.
 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/arguments.h"

opac_status cli_outputs_check(const cli_arguments *arguments, opac_error *error);

/* The kind of a file by its first bytes, which end in a NUL; CLI_FILE_NONE if it is not recognised. */
cli_file cli_file_recognise(const char *bytes, size_t length);
/* "a policy", "a result". */
const char *cli_file_words(cli_file file);
/* The kind that --policy PATH writes, by the suffix: the induced chain for .tra and .drn, otherwise the
 * policy. */
cli_file cli_file_of_policy(const char *path);

#endif
