/* SPDX-License-Identifier: MIT */
/*
 * What omegapac learn found, and how it is told. learn.c runs the learner,
 * learn_forecast.c says before that what it will take, learn_bracket.c has what
 * only --pmin and --graph need, learn_truth.c computes what a known model tells besides, learn_text.c, learn_json.c and learn_sample.c write one
 * result, learn_runs.c those of --runs.
 */
#ifndef CLI_LEARN_H
#define CLI_LEARN_H

#include <omegapac/learning.h>
#include <omegapac/simulation.h>
#include <omegapac/verification.h>

#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/source.h"

/* What the model itself says, which the learner never saw. NAN: unknown, and `note` says why. */
typedef struct cli_truth {
    double policy;   /* the probability of the learned policy */
    double optimum;  /* of the best one */
    bool is_stopped; /* a signal came before they were known */
    char note[OPAC_MESSAGE_SIZE];
} cli_truth;

/* A state of the sample. */
typedef struct cli_visit {
    opac_observation seen; /* the key is its own */
    uint32_t memory;       /* of the policy, here, */
    uint32_t action;       /* and what it does */
} cli_visit;

typedef struct cli_learn {
    cli_model model;
    cli_objectives *objectives;    /* one */
    opac_environment *environment; /* of the model, or the simulator */
    opac_learn_options options;
    cli_source source; /* whom notes are about */
    /* ---- with --pmin or --graph ---- */
    bool is_bracket;
    cli_model graph;                     /* of --graph FILE; no model: none */
    opac_environment *graph_environment; /* of that; NULL: none */
    opac_progress *progress;             /* with the bracket in its line; NULL: none */
    char model_digest[OPAC_DIGEST_SIZE]; /* with --certificate; "": none */
    double lower, upper;                 /* the bracket as it was last told */
    /* ---- of all runs ---- */
    opac_output *hoa; /* the automaton's text, with --json; NULL: without, or not yet */
    /* ---- of one run ---- */
    opac_learning *learning;
    opac_learn_report report; /* of the learning; stays when that is gone */
    opac_policy *policy;
    opac_simulation *simulation; /* of the policy's sample, with --json; NULL: without */
    cli_visit *visits;           /* the sample itself, of a simulator, likewise; NULL: none */
    size_t visit_count;
    cli_truth truth;
    bool written; /* the files of the policy */
    uint64_t digest;
    bool certified;                            /* the certificate is written */
    char certificate_digest[OPAC_DIGEST_SIZE]; /* with --json; "": none */
    uint64_t traced;                           /* entries of the trace so far */
    uint32_t memory;   /* values that the policies remember; 0: not known yet */
    opac_error failed; /* of the trace: for want of memory; OPAC_OK: no */
} cli_learn;

const opac_objective *cli_learn_objective(const cli_learn *l);
/* One run: learning, policy and, for JSON, the automaton's text. Those of before are released. */
opac_status cli_learn_once(cli_learn *l, opac_error *error);
void cli_learn_forget(cli_learn *l);
/* 0, 3, that of the signal, or 5: the checkpoint could not be written. */
cli_exit cli_learn_exit(const cli_learn *l);
/* Whether what the model says refutes what the run claims, and whether the claim stands: it was
 * earned, and the model does not refute it. */
bool cli_learn_is_contradicted(const cli_learn *l);
bool cli_learn_holds(const cli_learn *l);

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
/* Whether there is a bracket, that is: the numbers in the report are valid, epsilon or not. */
bool cli_learn_has_bracket(const opac_learn_report *report);

/* ---- beside ---- */

/* An opac_trace_listener, the context being a cli_learn: the true value of the policy. */
void cli_learn_trace(void *l, const opac_learning *learning, opac_trace_entry *entry);
/* The best probability; fails only on request or for want of memory, else leaves a note. */
opac_status cli_learn_find_optimum(cli_learn *l, opac_error *error);
/* The same for that of the policy. */
opac_status cli_learn_find_policy_truth(cli_learn *l, opac_error *error);

/* ---- behind ---- */

/* The file of --trace, and one entry of it. */
opac_status cli_learn_write_trace(const cli_learn *l, opac_error *error);
void cli_learn_echo_entry(const cli_learn *l, const opac_trace_entry *entry, opac_json *json);

/* "rule l1", "for the target", "as given", in words or for JSON. */
const char *cli_learn_rule(const cli_arguments *arguments);
const char *cli_learn_check_word(opac_horizon_check check);
const char *cli_learn_sampler_word(opac_learn_sampler sampler);
/* What samples were incompatible with: "frequency", "support" …; NULL: nothing. */
const char *cli_learn_refutation_word(opac_refutation refutation);
/* "0.9973 [0.9951, 0.9990]", "0.9973 (no guarantee)", or with "(contradicted by the model)". */
void cli_learn_write_value(const cli_learn *l, opac_output *out);
/* A number with few digits, but never 0 or 1 for one that is neither. */
const char *cli_learn_number(double value, char *buffer);

/* cli_writers of a cli_learn. */
void cli_learn_write_text(const void *l, const cli_arguments *arguments, opac_output *out);
void cli_learn_write_json(const void *l, const cli_arguments *arguments, opac_output *out);

/* The members inputs, params, and those that one result and each of --runs have. */
void cli_learn_echo_inputs(const cli_learn *l, opac_json *json);
void cli_learn_echo_params(const cli_learn *l, opac_json *json);
void cli_learn_echo_result(const cli_learn *l, opac_json *json);
void cli_learn_echo_guarantee(const cli_learn *l, opac_json *json);
void cli_learn_echo_stats(const cli_learn *l, opac_json *json);
void cli_learn_echo_truth(const cli_learn *l, opac_json *json);
void cli_learn_echo_automaton(const cli_learn *l, opac_json *json);
/* And of one result alone, learn_sample.c: a trajectory under the policy. Of a simulator it is taken
 * before: it is shorter where that fails, since the result is there, and only memory is an error. */
opac_status cli_learn_take_sample(cli_learn *l, opac_error *error);
void cli_learn_drop_sample(cli_learn *l);
void cli_learn_echo_sample(const cli_learn *l, opac_json *json);

/* --runs: learns, and tells each run when it is done. */
cli_exit cli_learn_run_many(cli_learn *l);

#endif
