/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts of omegapac learn: command_learn.c runs the learner, command_learn_forecast.c prints a
 * forecast before the run, command_learn_bracket.c implements brackets, from -T or from --pmin or --graph, and
 * command_learn_runs.c implements --runs. The library makes the results (omegapac/result.h).
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
    cli_objectives *objectives;    /* exactly one */
    opac_environment *environment; /* of the model, or the simulator */
    opac_learn_options options;
    cli_source source; /* for notes */
    /* ---- with a bracket ---- */
    bool is_bracket;
    bool has_horizon; /* it is one from T: -T without --k */
    bool has_trial;   /* policies are tried by whole episodes: that, or nothing is known */
    cli_model graph;  /* of --graph FILE; its model is NULL without */
    opac_environment *graph_environment; /* of the graph; NULL without --graph FILE */
    opac_progress *progress;             /* its line shows the bracket; NULL with --quiet */
    char model_digest[OPAC_DIGEST_SIZE]; /* with --certificate; else "" */
    double lower, upper;                 /* the last bracket reported */
    uint64_t pairs, candidates;          /* with it: pairs and policies tried */
    /* ---- of one run ---- */
    opac_learning *learning;
    opac_policy *policy;
    opac_learn_sample *sample;                 /* of a simulator, with --json; else NULL */
    opac_learn_truth truth;                    /* only for a model */
    bool is_stopped;                           /* a signal arrived before the truth was computed */
    opac_result_files files;                   /* files of the policy that have been written */
    bool certified;                            /* the certificate has been written */
    char uncertified[OPAC_MESSAGE_SIZE];       /* if it is wanted: why it has not been written */
    char certificate_digest[OPAC_DIGEST_SIZE]; /* with --json; else "" */
    opac_error failed; /* the trace ran out of memory; code OPAC_OK if not */
} cli_learn;

const opac_objective *cli_learn_objective(const cli_learn *l);
/* Runs the learner once: sets learning, policy and, for JSON, sample. Releases those of the run before. */
opac_status cli_learn_once(cli_learn *l, opac_error *error);
/* The argument of opac_result_of_learn and its variants. */
opac_learn_answer cli_learn_answer(cli_learn *l);
/* Options for the functions opac_learn_truth_*. */
opac_check_options cli_learn_truth_options(const cli_learn *l);

/* The value of an enumeration that a word of an option stands for. */
unsigned cli_learn_value_of(opac_learn_enum words, const cli_value *option);

/* ---- forecast ---- */

/*
 * Prints k, the least number of steps and their duration to standard error, unless --quiet is given. To
 * compute them, and to find errors in the options early, it runs the learner without a single step.
 */
opac_status cli_learn_forecast(cli_learn *l, opac_error *error);

/* ---- with a bracket ---- */

/* Checks that -T, --k, --pmin and --graph and the options that depend on them are consistent. */
opac_status cli_learn_check_known(const cli_arguments *arguments, opac_error *error);
/* Prepares a bracket, and its graph, which it reads. The model must be loaded and the environment be open. */
opac_status cli_learn_open_bracket(cli_learn *l, opac_error *error);
void cli_learn_close_bracket(cli_learn *l);
/* Writes the file of --certificate; if there is no valid bracket, prints a note instead. */
opac_status cli_learn_write_certificate(cli_learn *l, opac_error *error);

/* An opac_trace_listener whose context is a cli_learn; computes the true value of the policy. */
void cli_learn_trace(void *l, const opac_learning *learning, opac_trace_entry *entry);

/* Implements --runs: learns several times and prints each result. */
cli_exit cli_learn_run_many(cli_learn *l);

#endif
