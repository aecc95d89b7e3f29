/* SPDX-License-Identifier: MIT */
/*
 * What an opac_learning is: a run, what it was asked, and what came of it.
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
    opac_learn_options options; /* paths in it are borrowed for the time of opac_learn */
    const opac_properties *properties;
    char *objective, *formula; /* in words; the formula may be NULL */
    opac_automaton *automaton;
    product_rabin_pair_vec pairs;
    env_traits traits;
    sample_limits declared; /* states, actions, branching: by the options, or the environment */
    opac_bound_params params;
    opac_environment **forks; /* by worker; the first one is borrowed */
    sample_run run;
    sample_refutation refuted; /* what was assumed, by the strategy */
    sample_trace_vec trace;
    sample_lock lock; /* of options.checkpoint */
    char *question;
    opac_learn_report report;
    char *statement;
    sample_text_vec assumptions;
    /* Small things together, so that there is no padding. */
    unsigned threads;
    bool least;
    bool has_bounds;   /* states and actions are declared */
    bool lost_episode; /* the episode that was under way when the run was interrupted is lost, and
                        not the one that was run in its place */
    bool has_statistics;
    bool trial_done; /* sample_loop_run_trial has come to an end */
    bool has_graph;  /* options.graph was given; it is no longer there */
};

/* What tests turn. */
typedef struct sample_tuning {
    double patience;                       /* of the livelock detector; see omega_pac/omega_pac.c */
    bool sequential;                       /* sample_run.one_by_one */
    bool hoeffding, no_pmin_cut;           /* of bracket_support_options, */
    double interval_scale, visits_divisor; /* likewise */
    bool skip_check; /* the checker is not asked: the intervals are wrong on purpose */
    const struct sample_strategy *strategy; /* NULL: the one that the options select */
} sample_tuning;
/* ---- sample_report.c ---- */

/* What was counted, of the report. */
void sample_report_counts(opac_learning *learning);
/* As opac_learning_act in a pair that was met; false: nothing is to be done there but what is
 * free, and the action is 0. choices: by pair; NULL: those of the strategy. */
bool sample_act(const opac_learning *learning, const uint32_t *choices, uint32_t product_state,
                uint32_t *memory, uint32_t *action);

/* ---- sample_question.c ---- */

/* learning->question: what a checkpoint is compared with. */
opac_status sample_question(opac_learning *learning, opac_error *error);
/* Lines of it. */
void sample_question_number(base_text *text, const char *name, double value);
void sample_question_count(base_text *text, const char *name, uint64_t value);
void sample_question_accuracy(base_text *text, const opac_learn_options *options);
/* A model by its digest; "yes" for an environment that has none. */
void sample_question_model(base_text *text, const char *name, const opac_environment *env);

/* Whether the options say that nothing is random. */
bool sample_is_declared_deterministic(const opac_learning *learning);

/* ---- learning.c ---- */

/* Forks of the environment, which only a run needs. */
void sample_free_forks(opac_learning *learning);
void sample_notice(const opac_learning *learning, const char *message);
void sample_report_failure(const opac_learning *learning, const char *what, const opac_error *why);

#endif
