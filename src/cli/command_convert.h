/* SPDX-License-Identifier: MIT */
/* The parts of omegapac convert. */
#ifndef CLI_COMMAND_CONVERT_H
#define CLI_COMMAND_CONVERT_H

#include <omegapac/output.h>

#include "cli/arguments.h"

typedef enum cli_format {
    CLI_FORMAT_NONE, /* a suffix that says nothing */
    CLI_FORMAT_HOA,
    CLI_FORMAT_DOT,
    CLI_FORMAT_SVG,
    CLI_FORMAT_TRA,
    CLI_FORMAT_LAB,
    CLI_FORMAT_STA,
    CLI_FORMAT_DRN,
    CLI_FORMAT_JSON
} cli_format;

/* What to do, with all decided. */
typedef struct cli_conversion {
    const cli_arguments *arguments; /* with the defaults for automata, or for models */
    const char *in, *out;
    cli_format to;
    opac_output *text; /* of IN, when it had to be looked at; NULL: not read yet */
} cli_conversion;

/* The kind of file that OUT becomes; CLI_FILE_NONE: none that can be written. */
cli_file cli_convert_writes(const cli_arguments *arguments);

cli_exit cli_convert_automata(const cli_conversion *conversion);
cli_exit cli_convert_model(const cli_conversion *conversion);

#endif
