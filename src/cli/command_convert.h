/* SPDX-License-Identifier: MIT */
/* Shared by the parts of omegapac convert. */
#ifndef CLI_COMMAND_CONVERT_H
#define CLI_COMMAND_CONVERT_H

#include <omegapac/output.h>

#include "cli/arguments.h"

typedef enum cli_format {
    CLI_FORMAT_NONE, /* the suffix is not known */
    CLI_FORMAT_HOA,
    CLI_FORMAT_DOT,
    CLI_FORMAT_SVG,
    CLI_FORMAT_TRA,
    CLI_FORMAT_LAB,
    CLI_FORMAT_STA,
    CLI_FORMAT_DRN,
    CLI_FORMAT_JSON
} cli_format;

/* The conversion to perform. */
typedef struct cli_conversion {
    const cli_arguments *arguments; /* with the defaults for automata or for models */
    const char *in, *out;
    cli_format to;
    opac_output *text; /* of IN, if it was read to determine its kind; else NULL */
} cli_conversion;

/* The kind of file written to OUT; CLI_FILE_NONE if the format is not known. */
cli_file cli_convert_writes(const cli_arguments *arguments);

cli_exit cli_convert_automata(const cli_conversion *conversion);
cli_exit cli_convert_model(const cli_conversion *conversion);

#endif
