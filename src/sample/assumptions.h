/* SPDX-License-Identifier: MIT */
/* Words for reports: numbers as they are printed, why a run ended, what is assumed. */
#ifndef SAMPLE_ASSUMPTIONS_H
#define SAMPLE_ASSUMPTIONS_H

#include <omegapac/number.h>

#include "sample/learning.h"

typedef struct sample_number {
    char text[OPAC_NUMBER_SIZE];
} sample_number;

sample_number sample_show(double value);
/* Six digits, rounded away from what is promised. */
sample_number sample_show_up(double value);
sample_number sample_show_down(double value);
/* 1 - delta, and below 1 also where that rounds to 1: delta is not 0. */
double sample_confidence(double delta);
/* 1 - delta, whose last digits are those of a subtraction: 0.1 and not 0.09999999999999998. */
sample_number sample_show_confidence(double confidence);

/* Why a run ended before it was done; NULL: there is another reason. */
const char *sample_end_reason(const opac_learning *learning);
/* Which declared bound was wrong. */
void sample_describe_exceeded(const opac_learning *learning, base_text *text);

/* Hands the text over as the run's statement; or it could not be written. */
opac_status sample_set_statement(opac_learning *learning, base_text *text, opac_error *error);
/* One more thing that is assumed. */
opac_status sample_assume(opac_learning *learning, opac_error *error, const char *format, ...)
    BASE_PRINTF(3, 4);
/* The assumptions about episodes, the start, resumption and the automaton that every learner makes. */
opac_status sample_assume_sampling(opac_learning *learning, opac_error *error);

/* Assumptions that estimates make, too. */
#define SAMPLE_ASSUMES_INDEPENDENT                                                                 \
    "episodes are independent, and the same action in the same state always has the same "         \
    "probabilities"
#define SAMPLE_ASSUMES_ABSORBING "a run stays for ever in a state without actions"

/* How the independence of episodes was tested: opac_learning_tested. */
#define SAMPLE_TESTED                                                                              \
    "different seeds give different episodes, and episodes repeat each other no more than "        \
    "independent ones do"
#define SAMPLE_TESTED_TRIAL         "different seeds give different episodes"
#define SAMPLE_TESTED_DETERMINISTIC "no action led to two different states"
#define SAMPLE_UNTESTED             "nothing: whether episodes are independent was not tested, as was asked for"

/* That of an environment which is declared deterministic. */
opac_status sample_assume_deterministic(opac_learning *learning, opac_error *error);
#endif
