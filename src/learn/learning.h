/* SPDX-License-Identifier: MIT */
/*
 * What an opac_learning is: a run, what it was asked, and what came of it.
 *
 *     learn.c ─► theory.c     N, K, m, k, c
 *             ─► loop.c ────► horizon.c   is T refuted?
 *                        └──► guarantee.c the report's promise, in numbers and words
 */
#ifndef LEARN_LEARNING_H
#define LEARN_LEARNING_H

#include <omegapac/learning.h>

#include "base/text.h"
#include "goal/pairs.h"
#include "learn/checkpoint.h"
#include "learn/run.h"

BASE_VEC(learn_text_vec, char *);

struct opac_learning {
    opac_learn_options options; /* paths in it are borrowed for the time of opac_learn */
    const opac_properties *properties;
    char *objective, *formula; /* in words; the formula may be NULL */
    bool least;
    opac_automaton *automaton;
    goal_pair_vec pairs;
    env_traits traits;
    learn_limits declared; /* states, actions, branching: by the options, or the environment */
    bool has_bounds;       /* states and actions are */
    opac_bound_params params;
    opac_environment **forks; /* by worker; the first one is borrowed */
    unsigned threads;
    learn_run run;
    bool has_world;
    learn_trace_vec trace;
    char *question;
    opac_learn_report report;
    char *statement;
    learn_text_vec assumptions;
};

/* What tests turn. */
typedef struct learn_tuning {
    double patience; /* of the livelock detector; see loop.c */
    bool one_by_one; /* learn_run.one_by_one */
} learn_tuning;
opac_status learn_tuned(opac_environment *environment, const opac_objective *objective,
                        const opac_learn_options *options, const learn_tuning *tuning,
                        opac_learning **learning, opac_error *error);

/* ---- theory.c ---- */

/* Declared bounds, N, K, m of the theorem; the rest of `params` follows from the options. */
opac_status learn_theory_init(opac_learning *learning, opac_error *error);
/* For a horizon: report.k, report.k_wanted, report.accuracy. */
opac_status learn_theory_of_horizon(opac_learning *learning, uint64_t horizon, opac_error *error);
/* Whether k is as large as the theorem asks for. */
bool learn_theory_is_met(const opac_learning *learning);

/* ---- loop.c ---- */

opac_status learn_loop(opac_learning *learning, const learn_tuning *tuning, opac_error *error);

/* ---- horizon.c ---- */

/* report.horizon_check and horizon_found, for the policy of the moment. OPAC_ERROR_CANCELLED: it was
 * not looked at to the end, and is unchecked. */
opac_status learn_horizon_check(opac_learning *learning, opac_error *error);

/* ---- guarantee.c ---- */

/* All of the report that depends on the end of the run. */
opac_status learn_guarantee(opac_learning *learning, opac_error *error);

/* ---- question.c ---- */

/* learning->question: what a checkpoint is compared with. */
opac_status learn_question(opac_learning *learning, opac_error *error);

void learn_notice(const opac_learning *learning, const char *message);
void learn_tell_failure(const opac_learning *learning, const char *what, const opac_error *why);

#endif
