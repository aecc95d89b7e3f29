/* SPDX-License-Identifier: MIT */
/*
 * What an opac_learning is: a run, what it was asked, and what came of it.
 *
 *     learn.c ─► theory.c     N, K, m, k, c
 *             ─► frame.c      the run, by a strategy (strategy.h):
 *                   ├─► loop.c ────► horizon.c   is T refuted?
 *                   │          └──► guarantee.c the report's promise, in numbers and words
 *                   └─► certify.c ─► certify_batch.c, certify_draw.c   what is sampled next
 *                              └──► certify_report.c                  likewise, of a bracket
 */
#ifndef LEARN_LEARNING_H
#define LEARN_LEARNING_H

#include <omegapac/learning.h>

#include "base/text.h"
#include "goal/pairs.h"
#include "learn/checkpoint.h"
#include "learn/checkpoint_lock.h"
#include "learn/run.h"

BASE_VEC(learn_text_vec, char *);

struct opac_learning {
    opac_learn_options options; /* paths in it are borrowed for the time of opac_learn */
    const opac_properties *properties;
    char *objective, *formula; /* in words; the formula may be NULL */
    opac_automaton *automaton;
    goal_pair_vec pairs;
    env_traits traits;
    learn_limits declared; /* states, actions, branching: by the options, or the environment */
    opac_bound_params params;
    opac_environment **forks; /* by worker; the first one is borrowed */
    learn_run run;
    learn_refutation refuted; /* what was assumed, by the strategy */
    learn_trace_vec trace;
    learn_lock lock; /* of options.checkpoint */
    char *question;
    opac_learn_report report;
    char *statement;
    learn_text_vec assumptions;
    /* Small things together, so that there is no padding. */
    unsigned threads;
    bool least;
    bool has_bounds; /* states and actions are declared */
    bool is_gappy;   /* the episode that was under way when the run was interrupted is lost, and
                        not the one that was run in its place */
    bool has_world;
    bool is_tried;  /* learn_frame_try has come to an end */
    bool has_graph; /* options.graph was given; it is no longer there */
};

/* What tests turn. */
typedef struct learn_tuning {
    double patience;       /* of the livelock detector; see loop.c */
    bool one_by_one;       /* learn_run.one_by_one */
    bool hoeffding, uncut; /* of learn_support_options, */
    double narrow, haste;  /* likewise */
    bool unchecked;        /* the checker is not asked: the intervals are wrong on purpose */
    const struct learn_strategy *strategy; /* NULL: the one that the options select */
} learn_tuning;
/* ---- report.c ---- */

/* What was counted, of the report. */
void learn_count_report(opac_learning *learning);
/* As opac_learning_act in a pair that was met; false: nothing is to be done there but what is
 * free, and the action is 0. */
bool learn_act(const opac_learning *learning, uint32_t pair, uint32_t *memory, uint32_t *action);

/* ---- policy_seen.c ---- */

/* opac_learning_policy without a model. */
opac_status learn_policy_of_seen(const opac_learning *learning, opac_policy **policy,
                                 opac_error *error);

/* ---- question.c ---- */

/* learning->question: what a checkpoint is compared with. */
opac_status learn_question(opac_learning *learning, opac_error *error);
/* Lines of it. */
void learn_question_number(base_text *text, const char *name, double value);
void learn_question_count(base_text *text, const char *name, uint64_t value);
void learn_question_accuracy(base_text *text, const opac_learn_options *options);
/* A model by its digest; "yes" for an environment that has none. */
void learn_question_model(base_text *text, const char *name, const opac_environment *env);

/* Whether the options say that nothing is random. */
bool learn_is_declared_deterministic(const opac_learning *learning);

/* ---- learning.c ---- */

/* Forks of the environment, which only a run needs. */
void learn_free_forks(opac_learning *learning);
void learn_notice(const opac_learning *learning, const char *message);
void learn_tell_failure(const opac_learning *learning, const char *what, const opac_error *why);

#endif
