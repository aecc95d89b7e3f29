/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn: command_learn.c runs the learner, command_learn_forecast.c says before that what it will take,
 * command_learn_bracket.c has what only --pmin and --graph need, command_learn_runs.c does --runs. The library
 * makes the results (omegapac/result.h).
 */
#ifndef CLI_COMMAND_LEARN_H
#define CLI_COMMAND_LEARN_H

#include <omegapac/learning.h>
#include <omegapac/verification.h>

#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct cli_learn {
    cli_model model;
    cli_objectives *objectives;    /* one */
    opac_environment *environment; /* of the model, or the simulator */
    opac_learn_options options;
    cli_source source; /* the text that notes are about */
    /* ---- with --pmin or --graph ---- */
    bool is_bracket;
    cli_model graph;                     /* of --graph FILE; no model: none */
    opac_environment *graph_environment; /* of that; NULL: none */
    opac_progress *progress;             /* with the bracket in its line; NULL: none */
    char model_digest[OPAC_DIGEST_SIZE]; /* with --certificate; "": none */
    double lower, upper;                 /* the bracket as it was last told */
    /* ---- of one run ---- */
    opac_learning *learning;
    opac_policy *policy;
    opac_learn_sample *sample;                 /* of a simulator, with --json; NULL: none */
    opac_learn_truth truth;                    /* of a model */
    bool is_stopped;                           /* a signal came before the truth was known */
    opac_result_files files;                   /* of the policy, once they are written */
    bool certified;                            /* the certificate is written */
    char certificate_digest[OPAC_DIGEST_SIZE]; /* with --json; "": none */
    opac_error failed; /* of the trace, for want of memory; code OPAC_OK: it did not fail */
} cli_learn;

const opac_objective *cli_learn_objective(const cli_learn *l);
/* One run: learning and policy and, for JSON, the sample. Those of before are released. */
opac_status cli_learn_once(cli_learn *l, opac_error *error);
/* What the library makes results of. */
opac_learn_answer cli_learn_answer(cli_learn *l);
/* For the functions of the truth. */
opac_check_options cli_learn_truth_options(const cli_learn *l);

/* The value that an option's word stands for. */
unsigned cli_learn_value_of(opac_learn_enum words, const cli_value *option);

/* ---- before ---- */

/*
 * On standard error, unless --quiet: k, the least number of steps, how long
 * they take. To know them, and to find mistakes of the options early, the
 * learner is asked for a run without a single step.
 */
opac_status cli_learn_forecast(cli_learn *l, opac_error *error);

/* ---- with --pmin or --graph ---- */

/* Whether what is known, and the other options, go together. */
opac_status cli_learn_check_known(const cli_arguments *arguments, opac_error *error);
/* Sets what is known; reads the graph. The model is loaded, the environment there. */
opac_status cli_learn_open_bracket(cli_learn *l, opac_error *error);
void cli_learn_close_bracket(cli_learn *l);
/* The file of --certificate; of a run that was refuted there is none, and a note says so. */
opac_status cli_learn_write_certificate(cli_learn *l, opac_error *error);

/* An opac_trace_listener, the context being a cli_learn: the true value of the policy. */
void cli_learn_trace(void *l, const opac_learning *learning, opac_trace_entry *entry);

/* --runs: learns, and tells each run when it is done. */
cli_exit cli_learn_run_many(cli_learn *l);

#endif
