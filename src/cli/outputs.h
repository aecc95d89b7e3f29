/* SPDX-License-Identifier: MIT */
/*
 * Which files a command may write, decided for all commands before anything is
 * computed. What a command reads and writes is in its table: `reads` and
 * `writes` of options and operands (options.h, commands.h).
 *
 * - An output is no input: the same file by device and inode, so through links
 *   and under other names. Inputs are also .lab and .sta beside a .tra, the
 *   file of a plugin, the files that exec:COMMAND names, and the regular file
 *   that standard input comes from. --force does not change this.
 * - Two outputs are not the same file. Standard output is one of them, if the
 *   command writes to it.
 * - An existing regular file is replaced if it is empty or of the kind that is
 *   written, and otherwise only with --force. Likewise a checkpoint without
 *   --resume, and a block device.
 * - The folder exists, and a new file can be made in it.
 *
 * Pipes, terminals and character devices are written to as they are.
 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/arguments.h"

opac_status cli_outputs_check(const cli_arguments *arguments, opac_error *error);

/* The kind of a file by its first bytes, behind which there is a NUL; CLI_FILE_NONE: none of ours. */
cli_file cli_file_recognise(const char *bytes, size_t length);
/* "a policy", "a result". */
const char *cli_file_words(cli_file file);
/* The kind that --policy PATH writes, by suffix: the chain for .tra and .drn, else the policy. */
cli_file cli_file_of_policy(const char *path);

#endif
