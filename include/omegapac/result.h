/* SPDX-License-Identifier: MIT */
/*
 * Results as JSON of the schema omegapac.result/1 (docs/formats/result.md), and as text. The command line
 * prints them, Python parses the JSON, and reports are made from it.
 *
 *     opac_bound_question question = {.params = {.states = 12, .actions = 4, .horizon = 306,
 *                                                .epsilon = 0.05, .delta = 0.1},
 *                                     .k_rule = OPAC_K_L1};
 *     opac_result *result;
 *     if (opac_result_of_bound(&question, NULL, &result, &error) == OPAC_OK) {
 *         opac_output_text(out, opac_result_json(result, NULL));
 *         opac_result_write_text(result, out, &error);
 *     }
 *     opac_result_free(result);
 *
 * The text is made from the JSON, except for maps of policies, which need the policy and its model. A
 * result is freed by the caller. It borrows nothing, unless its function says so. It is immutable; several
 * threads may use it at the same time.
 */
#ifndef OMEGAPAC_RESULT_H
#define OMEGAPAC_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/bound.h>
#include <omegapac/check.h>
#include <omegapac/conformance.h>
#include <omegapac/error.h>
#include <omegapac/estimation.h>
#include <omegapac/evaluation.h>
#include <omegapac/export.h>
#include <omegapac/json.h>
#include <omegapac/learning.h>
#include <omegapac/model.h>
#include <omegapac/output.h>
#include <omegapac/policy.h>
#include <omegapac/recurrence.h>
#include <omegapac/verification.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_result opac_result;

enum {
    OPAC_KEY_WIDTH = 19 /* width of the keys at the beginning of lines of text */
};

/* Members of a result that only the caller knows. All are optional. */
typedef struct opac_result_source {
    const char *model; /* name of the model or simulator */
    /* The parameters as given: a JSON object. */
    const char *params;
    /* The command line: the words after the name of the command. */
    const char *const *arguments;
    size_t argument_count; /* number of arguments */
    const char *call;      /* the call in another language that made the result */
    bool has_times;        /* include measured times, which differ between two runs */
    double read_seconds;   /* time to read the model; used with has_times */
    bool is_brief; /* omit automaton, policy, trace and sample, which the text does not need */
} opac_result_source;

OPAC_API void opac_result_free(opac_result *result);

/* The JSON on one line, without a line end; length may be NULL. Owned by the result. */
OPAC_API const char *opac_result_json(const opac_result *result, size_t *length);

/* Writes the result as text, whose first line begins with "Result: ". */
OPAC_API opac_status opac_result_write_text(const opac_result *result, opac_output *out,
                                            opac_error *error);

/* ---- bound ---- */

/* The input of opac_result_of_bound. k is determined by target, if it is not 0; else by k, if it is not 0;
 * else by k_rule. */
typedef struct opac_bound_question {
    opac_bound_params params; /* the system, T, epsilon and delta */
    opac_k_rule k_rule;       /* rule for k */
    uint64_t k;               /* k itself; 0: not used */
    /* required error, above 2 epsilon, which determines k by rule l1, and the width of a bracket; 0: not
     * used, and the width is 4 epsilon */
    double target;
    double slack; /* h of opac_bound_episodes; 0: not used */
} opac_bound_question;

/* Makes the result of `bound`: the number of samples for ω-PAC, by each rule, and for a bracket from T. */
OPAC_API opac_status opac_result_of_bound(const opac_bound_question *question,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* ---- check ---- */

enum {
    OPAC_MAX_EMBEDDED_DECISIONS = 10000 /* larger policies are not embedded in a result */
};

/* The files of a policy that were written. Members may be NULL. */
typedef struct opac_result_files {
    const char *policy; /* path of the policy file */
    uint64_t digest;    /* its opac_output_digest */
    const char *dot;    /* path of the Graphviz file */
} opac_result_files;

/* The outcome of opac_check for one objective. opac_result_of_check borrows it. */
typedef struct opac_check_outcome {
    const char *name;        /* of the property; may be NULL or "" */
    const char *objective;   /* as given */
    opac_solution *solution; /* by opac_check */
    opac_policy *policy;     /* by opac_solution_policy; may be NULL */
    double seconds;          /* duration */
} opac_check_outcome;

/* The outcomes for one or several objectives. */
typedef struct opac_check_answer {
    const opac_model *model;            /* the model */
    const opac_check_outcome *outcomes; /* at least one */
    size_t count;                       /* number of outcomes */
    bool is_list; /* several objectives were given: write an array, also for one outcome */
    opac_result_files files; /* of the policy, for a single outcome */
} opac_check_answer;

/* Makes the result of `check`. It borrows the model and the policy, for the map in its text. */
OPAC_API opac_status opac_result_of_check(const opac_check_answer *answer,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* ---- env check ---- */

/* Write a finding as an object for the member findings, and as a line of text. */
OPAC_API void opac_finding_write_json(const opac_finding *finding, opac_json *json);
OPAC_API void opac_finding_write(const opac_finding *finding, opac_output *out);

/* Makes the result of `env check`. findings: a JSON array of objects by opac_finding_write_json. The model
 * of the source is the simulator. */
OPAC_API opac_status opac_result_of_env_check(const opac_conformance *outcome, const char *findings,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);

/* ---- estimate ---- */

/* The probability computed from the model, which the estimator does not see, and the automaton. */
typedef struct opac_estimate_truth {
    bool has_model;                  /* false if there is no model */
    double probability;              /* NAN if it was not computed */
    opac_error note;                 /* why it was not computed; code OPAC_OK if it was */
    const opac_automaton *automaton; /* of the objective; may be NULL */
    opac_solution *solution;         /* owns the automaton, */
    opac_automaton *made;            /* or this does */
} opac_estimate_truth;

/*
 * Computes the true probability from the model. Without a model (NULL) it only makes the automaton, unless
 * there is a request to stop. If the model cannot be checked, it sets a note and returns OPAC_OK, except
 * for OPAC_ERROR_MEMORY. Ignores the kind of the options. Release the truth with opac_estimate_truth_fini,
 * also after a failure.
 */
OPAC_API opac_status opac_estimate_truth_find(const opac_model *model,
                                              const opac_objective *objective,
                                              const opac_check_options *options,
                                              opac_estimate_truth *truth, opac_error *error);
OPAC_API void opac_estimate_truth_fini(opac_estimate_truth *truth);

/* Whether the true probability is outside the interval by more than the numerical error. */
OPAC_API bool opac_estimate_is_contradicted(const opac_estimation *found,
                                            const opac_estimate_truth *truth);

/* An estimate with its question. All members are borrowed. */
typedef struct opac_estimate_answer {
    const opac_estimation *found;         /* by opac_estimate */
    const opac_estimate_options *options; /* its options */
    const opac_model *model;              /* NULL for a simulator */
    const char *objective;                /* as given */
    const opac_estimate_truth *truth;     /* by opac_estimate_truth_find */
} opac_estimate_answer;

/* Makes the result of `estimate`. */
OPAC_API opac_status opac_result_of_estimate(const opac_estimate_answer *answer,
                                             const opac_result_source *source, opac_result **result,
                                             opac_error *error);

/* ---- learn ---- */

/* True probabilities computed from the model, which the learner does not see. */
typedef struct opac_learn_truth {
    const opac_model *model;         /* NULL if there is none */
    const opac_objective *objective; /* of the run; both are borrowed */
    double policy;                   /* probability of the policy; NAN if unknown */
    double optimum;                  /* optimal probability; NAN if unknown */
    opac_error note;                 /* why one is unknown; code OPAC_OK if none is */
    uint64_t traced;                 /* number of trace entries so far; set to 0 before each run */
    uint32_t memory;                 /* number of memory values of the policies; 0 if unknown */
} opac_learn_truth;

/* Initialises a truth without known values. */
OPAC_API void opac_learn_truth_init(opac_learn_truth *truth, const opac_model *model,
                                    const opac_objective *objective);

/* Compute the optimal probability, and that of the policy. They fail only with OPAC_ERROR_CANCELLED and
 * OPAC_ERROR_MEMORY; other errors are notes. The second function uses only max_states, cancel and progress
 * of the options. */
OPAC_API opac_status opac_learn_truth_find_optimum(opac_learn_truth *truth,
                                                   const opac_check_options *options,
                                                   opac_error *error);
OPAC_API opac_status opac_learn_truth_find_policy(opac_learn_truth *truth,
                                                  const opac_policy *policy,
                                                  const opac_check_options *options,
                                                  opac_error *error);

/* Computes both. A request to stop omits them, with a note, and returns OPAC_OK. */
OPAC_API opac_status opac_learn_truth_find(opac_learn_truth *truth, const opac_policy *policy,
                                           const opac_check_options *options, opac_error *error);
/* Omits both, with a note: because of a time limit (is_late) or a request to stop. */
OPAC_API void opac_learn_truth_skip(opac_learn_truth *truth, bool is_late);

/*
 * For an opac_trace_listener: computes the true probability of the policy of a trace entry, if that is
 * cheap enough. Fails only with OPAC_ERROR_MEMORY; after other errors the probability stays NAN.
 * max_states: of the product; 0 for the default of opac_evaluate.
 */
OPAC_API opac_status opac_learn_truth_trace(opac_learn_truth *truth, const opac_learning *learning,
                                            uint64_t max_states, opac_trace_entry *entry,
                                            opac_error *error);

/* A trajectory in a simulator under the learned policy. */
typedef struct opac_learn_sample opac_learn_sample;

/*
 * Samples a trajectory; binds the environment to its own propositions. The trajectory ends early if the
 * simulator fails, and is empty if the run was stopped. Fails only with OPAC_ERROR_MEMORY. The caller frees
 * *sample. The environment must exist when the result is made, for names.
 */
OPAC_API opac_status opac_learn_sample_new(opac_environment *environment,
                                           const opac_learning *learning, const opac_policy *policy,
                                           uint64_t seed, opac_learn_sample **sample,
                                           opac_error *error);
OPAC_API void opac_learn_sample_free(opac_learn_sample *sample);

/* A learning run with its question. All members are borrowed. */
typedef struct opac_learn_answer {
    const opac_learning *learning;       /* by opac_learn */
    const opac_learn_options *options;   /* its options */
    const opac_environment *environment; /* its environment */
    const opac_model *model;             /* NULL for a simulator */
    const opac_policy *policy;           /* by opac_learning_policy */
    const char *objective;               /* as given */
    const opac_learn_truth *truth;       /* its model is NULL without a model */
    const opac_learn_sample
        *sample;                /* of a simulator; may be NULL. For a model it is sampled here */
    opac_result_files files;    /* of the policy */
    bool is_certificate_wanted; /* the result has the member certificate */
    const char *certificate;    /* path of the certificate; NULL if none was written */
    const char *certificate_digest; /* by opac_digest_file; may be NULL */
    const char *certificate_reason; /* why none was written; may be NULL */
} opac_learn_answer;

/* Whether the model contradicts the bounds of the run, and whether the guarantee holds without
 * contradiction. */
OPAC_API bool opac_learn_is_contradicted(const opac_learn_answer *answer);
OPAC_API bool opac_learn_holds(const opac_learn_answer *answer);

/*
 * Makes the result of `learn` for one run. Uses only graph, automata, from and constants of the params of
 * the source; other parameters follow from the options and the run. The result borrows the model and the
 * policy, for the map in its text.
 */
OPAC_API opac_status opac_result_of_learn(const opac_learn_answer *answer,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* Writes the trace as JSON lines, one object for each policy (docs/learn.md). */
OPAC_API void opac_learning_write_trace(const opac_learning *learning, opac_output *out);

/* Statistics of several runs with the same options and different seeds. Zeroed at the beginning. */
typedef struct opac_learn_runs {
    uint64_t count;        /* number of runs added */
    uint64_t first_seed;   /* seed of the first run */
    uint64_t holding;      /* runs whose guarantee holds */
    uint64_t refuted;      /* runs that refuted an assumption */
    uint64_t contradicted; /* runs that the model contradicts */
    uint64_t yes, no,
        undecided; /* runs by their answer to the question of at_least, if there is one */
    uint64_t judged,
        within;    /* runs whose policy has a known true probability; those within their error */
    uint64_t best; /* runs whose policy is optimal */
    uint64_t brackets;      /* runs with a bracket and a known optimum */
    uint64_t containing;    /* those whose bracket contains the optimum */
    double values[3];       /* of the values: least, sum, greatest */
    double worst;           /* greatest distance of a policy from the optimum */
    double seconds;         /* total duration */
    uint64_t *steps;        /* steps of each run */
    uint64_t capacity;      /* of steps */
    opac_output *automaton; /* HOA text, the same for all runs */
    opac_learn_report last; /* report of the last run, for the common numbers */
} opac_learn_runs;

/* Releases the members and zeroes the struct. */
OPAC_API void opac_learn_runs_fini(opac_learn_runs *runs);
/* Adds a run. */
OPAC_API opac_status opac_learn_runs_add(opac_learn_runs *runs, const opac_learn_answer *answer,
                                         opac_error *error);

/* Makes the result of one of several runs, whose text is one line. */
OPAC_API opac_status opac_result_of_learn_run(const opac_learn_answer *answer,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);
/* Makes the summary of at least one run; sorts their steps. learning and policy of the answer may be
 * NULL. */
OPAC_API opac_status opac_result_of_learn_runs(opac_learn_runs *runs,
                                               const opac_learn_answer *answer,
                                               const opac_result_source *source,
                                               opac_result **result, opac_error *error);

/* ---- evaluate ---- */

/* An evaluation with its question. All members are borrowed. */
typedef struct opac_evaluate_answer {
    const opac_model *model;           /* the model */
    const opac_policy *policy;         /* the policy */
    const char *policy_name;           /* its name or path */
    const char *objective;             /* as given; NULL for that of the policy */
    const opac_evaluation *evaluation; /* by opac_evaluate */
    double seconds;                    /* duration */
} opac_evaluate_answer;

/* Makes the result of `evaluate`. */
OPAC_API opac_status opac_result_of_evaluate(const opac_evaluate_answer *answer,
                                             const opac_result_source *source, opac_result **result,
                                             opac_error *error);

/* ---- recurrence ---- */

/* A recurrence time with its question. The text reads "literal" from the params. */
typedef struct opac_recurrence_answer {
    const opac_model *model;           /* the model */
    const opac_policy *policy;         /* NULL for all positional policies */
    const char *policy_name;           /* what the caller calls it; with policy */
    const char *objective;             /* as given */
    const opac_recurrence *recurrence; /* by opac_recurrence_time */
    double seconds;                    /* duration */
} opac_recurrence_answer;

/* Makes the result of `recurrence`. */
OPAC_API opac_status opac_result_of_recurrence(const opac_recurrence_answer *answer,
                                               const opac_result_source *source,
                                               opac_result **result, opac_error *error);

/* ---- info ---- */

/* A property with the number of states of its propositions. */
typedef struct opac_info_property {
    const char *name;                /* of the property; may be NULL or "" */
    const char *text;                /* as given */
    const opac_objective *objective; /* as parsed; must have a formula */
    const uint32_t *counts;          /* number of states by proposition of the formula */
} opac_info_property;

/* The input of opac_result_of_info. */
typedef struct opac_info_answer {
    const opac_model *model;              /* the model */
    const opac_model_summary *summary;    /* by opac_model_summarize */
    const opac_info_property *properties; /* properties over it */
    size_t property_count;                /* number of properties */
    bool is_converted;                    /* the command is convert, not info */
} opac_info_answer;

/* Makes the result of `info`: sizes and names of a model, and its properties. */
OPAC_API opac_status opac_result_of_info(const opac_info_answer *answer,
                                         const opac_result_source *source, opac_result **result,
                                         opac_error *error);

/* ---- translate and convert ---- */

/* The translation of a formula. The result has no text form: automata are written as HOA. */
typedef struct opac_translate_answer {
    const char *text;                /* of the formula, as given */
    size_t length;                   /* of the text, in bytes */
    const char *file;                /* file of the formula; may be NULL */
    uint64_t line;                   /* of the file, from 1 */
    const opac_automaton *automaton; /* of the formula; NULL if it was simplified instead */
    const opac_formula *formula;     /* the simplified one */
    opac_formula_style style;        /* syntax of the simplified formula */
    double seconds;                  /* duration */
} opac_translate_answer;

/* Makes the result of `translate`: an automaton or a simplified formula. */
OPAC_API opac_status opac_result_of_translate(const opac_translate_answer *answer,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);

/* Makes the result of `convert` for an automaton made from the one called name, with the duration. For a
 * model use opac_result_of_info. */
OPAC_API opac_status opac_result_of_convert(const opac_automaton *automaton, const char *name,
                                            double seconds, const opac_result_source *source,
                                            opac_result **result, opac_error *error);

/* ---- verify ---- */

/* Makes the result of `verify`. certificate: its name or path. The model of the source is the file whose
 * digest was compared. */
OPAC_API opac_status opac_result_of_verify(const opac_verification *verification,
                                           const char *certificate,
                                           const opac_result_source *source, opac_result **result,
                                           opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
