/* SPDX-License-Identifier: MIT */
/*
 * Results as documents: JSON of the schema omegapac.result/1 (docs/formats/result.md), and the same in
 * words. The command line prints them, Python parses them, and reports are made from them.
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
 * The text is made from the JSON alone, but for maps of policies, which need the policy and its
 * model. A result belongs to the caller. It borrows nothing, unless its function says so. Any number of
 * threads may read it.
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
    OPAC_KEY_WIDTH = 19 /* columns of the key at the start of a line of text */
};

/* Members of a result that only the caller knows. All are optional. */
typedef struct opac_result_source {
    const char *model; /* name of the model or simulator; NULL: none */
    /* The parameters as they were given: a JSON object. NULL: none. */
    const char *params;
    /* The command line of the result: the words after the command's name. NULL: none. */
    const char *const *arguments;
    size_t argument_count; /* number of arguments */
    const char *call;      /* the call in another language that gave the result; NULL: none */
    bool has_times;        /* include measured times, which differ between two runs */
    double read_seconds;   /* time to read the model; used with has_times */
    bool is_brief; /* omit automaton, policy, trace and sample, which the text does not need */
} opac_result_source;

OPAC_API void opac_result_free(opac_result *result);

/* The JSON on one line, without a line end; length may be NULL. Borrowed. */
OPAC_API const char *opac_result_json(const opac_result *result, size_t *length);

/* The result in words. Its first line begins with "Result: ". */
OPAC_API opac_status opac_result_write_text(const opac_result *result, opac_output *out,
                                            opac_error *error);

/* ---- bound ---- */

/* Samples that make a pair known: target, if it is not 0; else k, if it is not 0; else by k_rule. */
typedef struct opac_bound_question {
    opac_bound_params params; /* the system, T, epsilon and delta */
    opac_k_rule k_rule;       /* which rule gives k */
    uint64_t k;               /* the number itself; 0: none */
    double target; /* the error wanted, above 2 epsilon: the k of rule l1 for it; 0: none */
    double slack;  /* also stop at this probability of meeting an unknown pair; 0: never */
} opac_bound_question;

/* The number of samples for a guarantee, by each rule. */
OPAC_API opac_status opac_result_of_bound(const opac_bound_question *question,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* ---- check ---- */

enum {
    OPAC_MAX_EMBEDDED_DECISIONS = 10000 /* decisions of a policy that a result shows whole */
};

/* The files of a policy that were written, for the result to name them. NULL: none. */
typedef struct opac_result_files {
    const char *policy; /* its path */
    uint64_t digest;    /* of that file: opac_output_digest */
    const char *dot;    /* the path of the picture for Graphviz */
} opac_result_files;

/* The outcome of opac_check for one objective. opac_result_of_check borrows it. */
typedef struct opac_check_outcome {
    const char *name;        /* of the property; NULL or "": it has none */
    const char *objective;   /* as it was given */
    opac_solution *solution; /* of it */
    opac_policy *policy;     /* that attains the optimum; NULL: none was asked for */
    double seconds;          /* that it took */
} opac_check_outcome;

/* The outcomes for one or several objectives. */
typedef struct opac_check_answer {
    const opac_model *model;            /* that was checked */
    const opac_check_outcome *outcomes; /* at least one */
    size_t count;                       /* of outcomes */
    bool is_list; /* several objectives were given: the result is an array, also of one outcome */
    opac_result_files files; /* of the policy of the only outcome */
} opac_check_answer;

/* The best probabilities. The result borrows the model and the policy, for the map in its text. */
OPAC_API opac_status opac_result_of_check(const opac_check_answer *answer,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* ---- env check ---- */

/* A finding as an object of the member findings, and as a line of text. */
OPAC_API void opac_finding_write_json(const opac_finding *finding, opac_json *json);
OPAC_API void opac_finding_write(const opac_finding *finding, opac_output *out);

/* findings: a JSON array of what opac_finding_write_json wrote. The model of the source is the simulator. */
OPAC_API opac_status opac_result_of_env_check(const opac_conformance *outcome, const char *findings,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);

/* ---- estimate ---- */

/* The probability computed from the model, which the estimator does not see, and the automaton. */
typedef struct opac_estimate_truth {
    bool has_model;                  /* false: there is none, and nothing is said */
    double probability;              /* NAN: not computed */
    opac_error note;                 /* why not; code OPAC_OK: none */
    const opac_automaton *automaton; /* of the objective; NULL: none */
    opac_solution *solution;         /* what owns the automaton: this, */
    opac_automaton *made;            /* or this */
} opac_estimate_truth;

/*
 * Without a model (NULL) the automaton alone; a request to stop then leaves it out. That the model
 * cannot be checked is a note, and no failure, unless memory is short. The options' kind has no meaning.
 * The truth belongs to the caller, also where this fails: opac_estimate_truth_fini.
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
    const opac_estimation *found;         /* by opac_estimate, */
    const opac_estimate_options *options; /* with these */
    const opac_model *model;              /* NULL: of a simulator */
    const char *objective;                /* as it was given */
    const opac_estimate_truth *truth;     /* by opac_estimate_truth_find */
} opac_estimate_answer;

/* The estimate, its guarantee, and what the model says of it. */
OPAC_API opac_status opac_result_of_estimate(const opac_estimate_answer *answer,
                                             const opac_result_source *source, opac_result **result,
                                             opac_error *error);

/* ---- learn ---- */

/* True probabilities computed from the model, which the learner does not see. */
typedef struct opac_learn_truth {
    const opac_model *model;         /* NULL: there is none, and nothing is said */
    const opac_objective *objective; /* of the run; both are borrowed */
    double policy;                   /* the probability of the policy; NAN: unknown */
    double optimum;                  /* of the best one; NAN: unknown */
    opac_error note;                 /* why one is unknown; code OPAC_OK: no reason */
    uint64_t traced;                 /* policies of the trace so far: 0 before each run */
    uint32_t memory;                 /* values that they remember; 0: not known yet */
} opac_learn_truth;

/* Nothing is known yet. */
OPAC_API void opac_learn_truth_init(opac_learn_truth *truth, const opac_model *model,
                                    const opac_objective *objective);

/* The best probability, and that of the policy. They fail on request and for want of memory alone: any
 * other reason is a note. Of the options, the second takes max_states, cancel and progress. */
OPAC_API opac_status opac_learn_truth_find_optimum(opac_learn_truth *truth,
                                                   const opac_check_options *options,
                                                   opac_error *error);
OPAC_API opac_status opac_learn_truth_find_policy(opac_learn_truth *truth,
                                                  const opac_policy *policy,
                                                  const opac_check_options *options,
                                                  opac_error *error);

/* Both. On a request to stop they are left out: a note says so, and that is no failure. */
OPAC_API opac_status opac_learn_truth_find(opac_learn_truth *truth, const opac_policy *policy,
                                           const opac_check_options *options, opac_error *error);
/* Leaves them out, because the time is up (is_late), or on request. */
OPAC_API void opac_learn_truth_skip(opac_learn_truth *truth, bool is_late);

/*
 * For an opac_trace_listener: the true probability of the policy in an entry of the trace, where that is
 * affordable. It fails for want of memory alone: what cannot be computed stays unknown. max_states:
 * of the product, 0: as opac_evaluate has it.
 */
OPAC_API opac_status opac_learn_truth_trace(opac_learn_truth *truth, const opac_learning *learning,
                                            uint64_t max_states, opac_trace_entry *entry,
                                            opac_error *error);

/* A trajectory under the policy that was learned in a simulator. */
typedef struct opac_learn_sample opac_learn_sample;

/*
 * Runs the simulator, whose letters are then over its own propositions. The trajectory ends early where
 * the simulator fails; it is empty where the run was stopped or its time was up. It fails for want of memory alone. The
 * names in the result are asked from the environment later.
 */
OPAC_API opac_status opac_learn_sample_new(opac_environment *environment,
                                           const opac_learning *learning, const opac_policy *policy,
                                           uint64_t seed, opac_learn_sample **sample,
                                           opac_error *error);
OPAC_API void opac_learn_sample_free(opac_learn_sample *sample);

/* A learning run with its question. All members are borrowed. */
typedef struct opac_learn_answer {
    const opac_learning *learning;       /* by opac_learn, */
    const opac_learn_options *options;   /* with these */
    const opac_environment *environment; /* that it learned in */
    const opac_model *model;             /* NULL: it is a simulator */
    const opac_policy *policy;           /* by opac_learning_policy */
    const char *objective;               /* as it was given */
    const opac_learn_truth *truth;       /* what the model says; its model is NULL: nothing */
    const opac_learn_sample *sample; /* of a simulator; NULL: none. Of a model it is drawn here */
    opac_result_files files;         /* of the policy */
    bool is_certificate_wanted;      /* the result has the member certificate */
    const char *certificate;         /* the path of it; NULL: none was written */
    const char *certificate_digest;  /* as opac_digest_file gives it; NULL: none */
} opac_learn_answer;

/* Whether the model contradicts the bounds of the run, and whether the guarantee holds without contradiction. */
OPAC_API bool opac_learn_is_contradicted(const opac_learn_answer *answer);
OPAC_API bool opac_learn_holds(const opac_learn_answer *answer);

/*
 * One run. Of the params of the source it takes graph, automata, from and constants; the others follow from
 * the options and the run. The result borrows the model and the policy, for the map in its text.
 */
OPAC_API opac_status opac_result_of_learn(const opac_learn_answer *answer,
                                          const opac_result_source *source, opac_result **result,
                                          opac_error *error);

/* The trace as lines of JSON, an object for each policy (docs/learn.md). */
OPAC_API void opac_learning_write_trace(const opac_learning *learning, opac_output *out);

/* Several runs with the same options and seeds of their own. All zeros: none yet. */
typedef struct opac_learn_runs {
    uint64_t count;          /* of runs that were added */
    uint64_t first_seed;     /* of the first one */
    uint64_t holding;        /* runs whose guarantee holds */
    uint64_t refuted;        /* those that refuted an assumption */
    uint64_t contradicted;   /* those that the model contradicts */
    uint64_t judged, within; /* runs whose policy's truth is known; those within their error */
    uint64_t best;           /* those whose policy is optimal */
    uint64_t brackets;       /* runs with a bracket, where the optimum is known */
    uint64_t containing;     /* those whose bracket the optimum is in */
    double values[3];        /* least, sum, greatest */
    double worst;            /* how far the worst policy is from the optimum */
    double seconds;          /* of all */
    uint64_t *steps;         /* by run */
    uint64_t capacity;       /* of steps */
    opac_output *automaton;  /* HOA, the same for all */
    opac_learn_report last;  /* of the last one: the numbers that all have in common */
} opac_learn_runs;

/* Releases what they hold; none is there then. */
OPAC_API void opac_learn_runs_fini(opac_learn_runs *runs);
/* One more. */
OPAC_API opac_status opac_learn_runs_add(opac_learn_runs *runs, const opac_learn_answer *answer,
                                         opac_error *error);

/* One of several runs, in one line of text. */
OPAC_API opac_status opac_result_of_learn_run(const opac_learn_answer *answer,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);
/* All of them, at least one; sorts their steps. Of the answer, learning and policy may be NULL. */
OPAC_API opac_status opac_result_of_learn_runs(opac_learn_runs *runs,
                                               const opac_learn_answer *answer,
                                               const opac_result_source *source,
                                               opac_result **result, opac_error *error);

/* ---- evaluate ---- */

/* An evaluation with its question. All members are borrowed. */
typedef struct opac_evaluate_answer {
    const opac_model *model;           /* of the policy */
    const opac_policy *policy;         /* that was evaluated */
    const char *policy_name;           /* what the caller calls it */
    const char *objective;             /* as it was given; NULL: what the policy was made for */
    const opac_evaluation *evaluation; /* of all initial states */
    double seconds;                    /* that it took */
} opac_evaluate_answer;

/* The probability of an objective under a policy. */
OPAC_API opac_status opac_result_of_evaluate(const opac_evaluate_answer *answer,
                                             const opac_result_source *source, opac_result **result,
                                             opac_error *error);

/* ---- recurrence ---- */

/* A recurrence time with its question. The text reads "literal" from the params. */
typedef struct opac_recurrence_answer {
    const opac_model *model;           /* whose recurrence time it is */
    const opac_policy *policy;         /* under this policy; NULL: under all of them */
    const char *policy_name;           /* what the caller calls it; with policy */
    const char *objective;             /* as it was given */
    const opac_recurrence *recurrence; /* what was found */
    double seconds;                    /* that it took */
} opac_recurrence_answer;

/* The epsilon-recurrence time of the product. */
OPAC_API opac_status opac_result_of_recurrence(const opac_recurrence_answer *answer,
                                               const opac_result_source *source,
                                               opac_result **result, opac_error *error);

/* ---- info ---- */

/* How a property was read, and in how many states its propositions hold. */
typedef struct opac_info_property {
    const char *name;                /* of the property; NULL or "": it has none */
    const char *text;                /* as it was given */
    const opac_objective *objective; /* as it was read; it has a formula */
    const uint32_t *counts;          /* of states, by proposition of the formula */
} opac_info_property;

/* The sizes and names of a model, and its properties. */
typedef struct opac_info_answer {
    const opac_model *model;              /* that is described */
    const opac_model_summary *summary;    /* by opac_model_summarize */
    const opac_info_property *properties; /* over it */
    size_t property_count;                /* of them; 0: none */
    bool is_converted;                    /* the command is convert, not info */
} opac_info_answer;

/* The sizes of a model, its names, and properties over it. */
OPAC_API opac_status opac_result_of_info(const opac_info_answer *answer,
                                         const opac_result_source *source, opac_result **result,
                                         opac_error *error);

/* ---- translate and convert ---- */

/* The translation of a formula. The result has no text form: automata are written as HOA. */
typedef struct opac_translate_answer {
    const char *text;                /* of the formula, as it was given */
    size_t length;                   /* of the text, in bytes */
    const char *file;                /* that it was read from; NULL: none */
    uint64_t line;                   /* of the file, from 1 */
    const opac_automaton *automaton; /* of the formula; NULL: it was simplified */
    const opac_formula *formula;     /* the simplified one */
    opac_formula_style style;        /* in which that is written */
    double seconds;                  /* that it took */
} opac_translate_answer;

/* The automaton of a formula, or a simpler formula. */
OPAC_API opac_status opac_result_of_translate(const opac_translate_answer *answer,
                                              const opac_result_source *source,
                                              opac_result **result, opac_error *error);

/* An automaton made from another one, which the caller calls name, in so many seconds. A model that was
 * converted: opac_result_of_info. */
OPAC_API opac_status opac_result_of_convert(const opac_automaton *automaton, const char *name,
                                            double seconds, const opac_result_source *source,
                                            opac_result **result, opac_error *error);

/* ---- verify ---- */

/* certificate: what the caller calls it. The model of the source is the file whose digest was
 * compared. */
OPAC_API opac_status opac_result_of_verify(const opac_verification *verification,
                                           const char *certificate,
                                           const opac_result_source *source, opac_result **result,
                                           opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
