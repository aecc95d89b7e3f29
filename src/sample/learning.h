/* SPDX-License-Identifier: MIT */
/*
 * The definition of opac_learning: the run, its options and its results.
 *
 *     learn/learn.c ─► run_loop.c ─► the strategy (strategy.h)
 */
#ifndef SAMPLE_LEARNING_H
#define SAMPLE_LEARNING_H

#include <omegapac/learning.h>

#include "base/text.h"
#include "product/rabin_pairs.h"
#include "sample/checkpoint.h"
#include "sample/checkpoint_lock.h"
#include "sample/run.h"

BASE_VEC(sample_text_vec, char *);

struct opac_learning {
    opac_learn_options options; /* its paths are borrowed during opac_learn only */
    const opac_properties *properties;
    char *objective, *formula; /* as text; the formula may be NULL */
    opac_automaton *automaton;
    product_rabin_pair_vec pairs;
    env_traits traits;
    sample_limits declared; /* states, actions, branching: from the options, else the environment */
    opac_bound_params params;
    opac_environment **forks; /* by worker; the first is the caller's environment */
    sample_run run;
    sample_refutation refuted; /* the refuted assumption, set by the strategy */
    sample_trace_vec trace;
    sample_lock lock; /* on options.checkpoint */
    char *question;   /* the options that the result depends on: sample_question */
    opac_learn_report report;
    char *statement;
    sample_text_vec assumptions;
    /* Small members together, to avoid padding. */
    unsigned threads;
    bool least;          /* the objective asks for a least probability */
    bool has_bounds;     /* states and actions are declared */
    bool lost_episode;   /* an interrupted episode was lost: it could not be repeated */
    bool has_statistics; /* run.stats is initialised */
    bool trial_done;     /* sample_loop_run_trial has finished */
    bool has_graph;      /* options.graph was given; the pointer is cleared after the run */
};

/* Parameters that only tests and benchmarks change. */
typedef struct sample_tuning {
    double patience;                       /* of the livelock detector; see omega_pac/omega_pac.c */
    bool sequential;                       /* sample_run.sequential */
    bool hoeffding, no_pmin_cut;           /* of bracket_support_options */
    double interval_scale, visits_divisor; /* likewise */
    double mass_scale;                     /* likewise */
    bool counts_discovery;                 /* likewise */
    bool no_unseen;                        /* of sample_row_sets_options */
    bool drops_cut;   /* wrong on purpose: trials that reach their length are not counted */
    bool trusts_new;  /* wrong on purpose: trials win in unknown product states */
    bool trusts_rows; /* of bracket_support_options */
    bool skip_check;  /* do not run the checker, because intervals are wrong on purpose */
    const struct sample_strategy *strategy; /* NULL: as the options select */
} sample_tuning;
/* ---- sample_report.c ---- */

/* Fills in the counts of the report. */
void sample_report_counts(opac_learning *learning);
/*
 * As opac_learning_act, for a known product state. Returns false, with action 0, if only free choices
 * follow. choices: by product state; NULL: those of the strategy.
 */
bool sample_act(const opac_learning *learning, const uint32_t *choices, uint32_t product_state,
                uint32_t *memory, uint32_t *action);

/* ---- sample_question.c ---- */

/* Sets learning->question, which is compared with that of a checkpoint. */
opac_status sample_question(opac_learning *learning, opac_error *error);
/* Append lines of it. */
void sample_question_number(base_text *text, const char *name, double value);
void sample_question_count(base_text *text, const char *name, uint64_t value);
void sample_question_accuracy(base_text *text, const opac_learn_options *options);
/* A model by its digest, or "yes" for an environment without one. */
void sample_question_model(base_text *text, const char *name, const opac_environment *env);

/* Whether the options declare the system deterministic. */
bool sample_is_declared_deterministic(const opac_learning *learning);

/* ---- learning.c ---- */

/* Releases the forks of the environment, which only the run needs. */
void sample_free_forks(opac_learning *learning);
/* Passes a warning to the caller's callback. */
void sample_notice(const opac_learning *learning, const char *message);
/* Passes a failure to write the checkpoint to the caller's callback. */
void sample_report_failure(const opac_learning *learning, const char *what, const opac_error *why);

#endif
