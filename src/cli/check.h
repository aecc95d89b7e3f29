/* SPDX-License-Identifier: MIT */
/* What omegapac check found, and how it is told. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <omegapac/check.h>

#include "cli/objectives.h"
#include "cli/result.h"

/* Of one objective. */
typedef struct cli_check_outcome {
    const cli_objective *given;
    opac_solution *solution;
    opac_policy *policy; /* NULL: none was asked for */
    opac_output *hoa;    /* the automaton's text, with --json; NULL: without */
    double milliseconds;
} cli_check_outcome;

typedef struct cli_check {
    cli_model model;
    cli_objectives *objectives;
    cli_check_outcome *outcomes;
    size_t count; /* of outcomes: fewer than objectives when one failed */
    bool written; /* the files of the policy */
    cli_sink sink;
    size_t told; /* of outcomes: in words they are told as they come */
    uint64_t digest;
    /* The same once more with exact probabilities, for bounds that doubles do not decide. */
    cli_model exact_model;
    cli_objectives *exact_objectives;
    cli_arguments exact_arguments;
} cli_check;

/* One outcome in words. */
void cli_check_write_text(const cli_check *check, size_t index, opac_output *out);
/* All of them: a cli_writer of a cli_check. */
void cli_check_write_json(const void *check, const cli_arguments *arguments, opac_output *out);

#endif
