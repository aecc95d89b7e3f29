/* SPDX-License-Identifier: MIT */
/*
 * Compares the questions of two runs: texts of items "name=value", one in each line. Lines of another form
 * (those of an automaton) belong to the previous item.
 */
#ifndef SAMPLE_CHECKPOINT_QUESTION_H
#define SAMPLE_CHECKPOINT_QUESTION_H

#include <stddef.h>

#include "base/error.h"

/* The first item in the checkpoint of a run that must not be continued (sample_run.independence_refuted). */
#define SAMPLE_QUESTION_UNLIKE "seeds=ignored\n"

/* OPAC_ERROR_ARGUMENT unless both are equal; the message names the first item that differs. name: of the
 * file, escaped for messages. */
opac_status sample_question_compare(const char *name, const char *there, size_t there_length,
                                    const char *here, size_t here_length, opac_error *error);

#endif
