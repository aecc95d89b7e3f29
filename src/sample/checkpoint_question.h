/* SPDX-License-Identifier: MIT */
/*
 * What a run was asked, as a text of items, "name=value", one a line. Lines
 * that are no such item (those of an automaton) belong to the item before.
 */
#ifndef SAMPLE_CHECKPOINT_QUESTION_H
#define SAMPLE_CHECKPOINT_QUESTION_H

#include <stddef.h>

#include "base/error.h"

/* Comes first in the checkpoint of a run that nothing may go on from (sample_run.is_unlike). */
#define SAMPLE_QUESTION_UNLIKE "seeds=ignored\n"

/* OPAC_ERROR_ARGUMENT unless both are the same: the message has the first item that differs. name:
 * of the file, fit for messages. */
opac_status sample_question_compare(const char *name, const char *there, size_t there_length,
                                    const char *here, size_t here_length, opac_error *error);

#endif
