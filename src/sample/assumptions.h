/* SPDX-License-Identifier: MIT */
/* Texts of reports: formatted numbers, the reason why a run ended, and the assumptions. */
#ifndef SAMPLE_ASSUMPTIONS_H
#define SAMPLE_ASSUMPTIONS_H

#include <omegapac/number.h>

#include "sample/learning.h"

typedef struct sample_number {
    char text[OPAC_NUMBER_SIZE];
} sample_number;

sample_number sample_show(double value);
/* With six digits, rounded up or down. */
sample_number sample_show_up(double value);
sample_number sample_show_down(double value);
/* 1 - delta, but below 1 even if that rounds to 1. */
double sample_confidence(double delta);
/* Formats 1 - delta without the rounding error of the subtraction: 0.1, not 0.09999999999999998. */
sample_number sample_show_confidence(double confidence);

/* Why a limit, a request or livelock ended the run; NULL for other ends. */
const char *sample_end_reason(const opac_learning *learning);
/* Appends which declared bound was wrong. */
void sample_describe_exceeded(const opac_learning *learning, base_text *text);

/* Makes the text the run's statement; fails if memory was exhausted while the text was written. */
opac_status sample_set_statement(opac_learning *learning, base_text *text, opac_error *error);
/* Adds an assumption. */
opac_status sample_assume(opac_learning *learning, opac_error *error, const char *format, ...)
    BASE_PRINTF(3, 4);
/* Adds the assumptions of every learner, about episodes, the start, resumption and the automaton. */
opac_status sample_assume_sampling(opac_learning *learning, opac_error *error);
/* Of whole episodes only: nothing is assumed about rows. */
opac_status sample_assume_episodes(opac_learning *learning, opac_error *error);

/* Assumptions shared with estimates. */
#define SAMPLE_ASSUMES_INDEPENDENT                                                                 \
    "episodes are independent, and the same action in the same state always has the same "         \
    "probabilities"
#define SAMPLE_ASSUMES_ABSORBING "a run never leaves a state without actions"

/* How the independence of episodes was tested: opac_learning_tested. */
#define SAMPLE_TESTED                                                                              \
    "different seeds give different episodes, and episodes repeat each other no more often than "  \
    "independent ones do"
#define SAMPLE_TESTED_WHOLE                                                                        \
    "different seeds give different episodes, and whole episodes repeat the one before, or one "   \
    "whose seed is equal modulo a small number, no more often than independent ones do"
#define SAMPLE_TESTED_TRIAL         "different seeds give different episodes"
#define SAMPLE_TESTED_DETERMINISTIC "no action led to two different states"
#define SAMPLE_UNTESTED             "nothing: the tests of independence were disabled"

/* Adds the assumption that the system is deterministic. */
opac_status sample_assume_deterministic(opac_learning *learning, opac_error *error);
#endif
