/* SPDX-License-Identifier: MIT */
/*
 * A learner that is tried on a question, and what its policy is really worth: one row of an
 * experiment.
 *
 *     experiment_question question;
 *     experiment_trial trial;
 *     opac_learn_options options = opac_learn_defaults();
 *     …
 *     status = experiment_question_open("chain", NULL, "G F won", &question, error);
 *     if (status == OPAC_OK)
 *         status = experiment_question_try(&question, &options, false, &trial, error);
 *     experiment_question_close(&question);
 *
 * A question is immutable while it is open: any number of threads may try learners on one.
 */
#ifndef EXPERIMENT_TRIAL_H
#define EXPERIMENT_TRIAL_H

#include <omegapac/learning.h>
#include <omegapac/number.h>
#include <omegapac/recurrence.h>

/* A model, and what its runs should do. All zeros: closed. */
typedef struct experiment_question {
    opac_model *model;
    opac_formula *formula;
    opac_objective objective;
} experiment_question;

/* A model by its name (lab.h), with "p=0.1" or NULL for its constants, and an LTL formula. After a
 * failure it is closed. */
opac_status experiment_question_open(const char *model, const char *constants, const char *formula,
                                     experiment_question *question, opac_error *error);
void experiment_question_close(experiment_question *question);

/* The recurrence time, by our definition or by the paper's words; whatever it is, exactly: anything
 * else is OPAC_ERROR_LIMIT. */
opac_status experiment_question_time(const experiment_question *question, double epsilon,
                                     bool literal, uint64_t *steps, opac_error *error);
/* The best probability, from the model. */
opac_status experiment_question_optimum(const experiment_question *question, double *optimum,
                                        opac_error *error);
/* N, K and m, which the learner is told, and with these parameters the theorems' k. */
opac_status experiment_question_params(const experiment_question *question, double epsilon,
                                       double delta, uint64_t steps, opac_bound_params *params,
                                       opac_error *error);

typedef struct experiment_trial {
    double truth;        /* the policy's probability, by elimination in its chain */
    double value;        /* what the learner takes it for */
    double lower, upper; /* of the policy; with a bracket L, and U for the best one */
    double error;        /* the promised distance from the best; NAN: nothing is promised */
    uint64_t k, steps, episodes;
    uint64_t samples; /* observations that count */
    double budget;    /* k N K: no more samples count. 0: there is no k */
    bool holds;       /* the guarantee, by the learner's own account */
    opac_learn_end end;
    opac_horizon_check horizon_check;
} experiment_trial;

/* In this thread alone. knows_graph: the model's graph is what the learner knows. A run that was
 * cancelled is OPAC_ERROR_CANCELLED. */
opac_status experiment_question_try(const experiment_question *question,
                                    const opac_learn_options *options, bool knows_graph,
                                    experiment_trial *trial, opac_error *error);

/* What the policy that a learner has by now is worth in the model; also from its listener. */
opac_status experiment_question_truth(const experiment_question *question,
                                      const opac_learning *learning, double *truth,
                                      opac_error *error);

/* ---- numbers in texts ---- */

/* Rounded to so many digits, 1 to 15; the buffer has OPAC_NUMBER_SIZE characters. */
const char *experiment_number(double value, int digits, char *buffer);
/* The same, for the arguments of a call: experiment_show(x, 3).text lives until that returns. From
 * 10^5 on it is "1.6·10⁹". */
typedef struct experiment_digits {
    char text[2 * OPAC_NUMBER_SIZE];
} experiment_digits;
experiment_digits experiment_show(double value, int digits);
/* The middle one of the numbers, which are sorted here; of an even number of them the lower one. */
uint64_t experiment_median(uint64_t *numbers, size_t count);
/* The same of doubles, none of them NAN. */
double experiment_middle(double *numbers, size_t count);

/* Numbers of the sample itself, none interpolated. */
typedef struct experiment_quartiles {
    uint64_t least, first, median, third, most;
} experiment_quartiles;

/* Of at least one number; they are sorted here. */
experiment_quartiles experiment_quartiles_of(uint64_t *numbers, size_t count);

/* 1 … most, evenly spaced by their logarithms, rounded, each once: at most `count` >= 2 of them, in
 * an array of that size. Returns how many. */
size_t experiment_spaced(uint64_t most, size_t count, uint64_t *numbers);

/* Where the share of so many runs in which something happens lies with probability 1 - alpha, if it
 * happens with this probability in each. */
void experiment_band(uint64_t runs, double probability, double alpha, double *lower, double *upper);

/* An exact curve over a logarithmic axis, with that band: for figures of shares. */
enum {
    EXPERIMENT_CURVE = 101
};

typedef struct experiment_curve {
    double x[EXPERIMENT_CURVE], y[EXPERIMENT_CURVE];
    double lower[EXPERIMENT_CURVE], upper[EXPERIMENT_CURVE];
} experiment_curve;

/* (1 - x)^k from `low` to `high`: how likely it is that something does not happen in k trials. */
void experiment_curve_missed(experiment_curve *curve, double low, double high, uint64_t k,
                             uint64_t runs, double alpha);

#endif
