/* SPDX-License-Identifier: MIT */
/*
 * The lines of docs/formats/simulator.md, as bytes: what a greeting and an
 * answer say, and how requests are written. Nothing here waits, or knows of
 * processes. All texts point into the line that was read.
 *
 * Every failure is OPAC_ERROR_SIMULATOR (or that of memory), with a message
 * that says what was expected, and shows the word, not the line.
 */
#ifndef ENV_PROTOCOL_H
#define ENV_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include <omegapac/environment.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/text.h"

enum {
    PROTOCOL_MAX_LANES = 4096,
    PROTOCOL_MAX_ACTIONS = OPAC_MAX_ACTIONS
};

/* The next of several that commas separate; false: there is none. "" is one, and empty. */
bool protocol_next_item(base_slice *list, bool *is_over, base_slice *item);

typedef struct protocol_greeting {
    base_intern names; /* propositions, by number */
    uint32_t lanes;
    bool random_start;
} protocol_greeting;

/* The line without its newline. On failure there is nothing to be released. */
opac_status protocol_read_greeting(const char *line, size_t length, protocol_greeting *greeting,
                                   opac_error *error);
void protocol_greeting_fini(protocol_greeting *greeting);
/* Whether two say the same. */
bool protocol_greeting_equals(const protocol_greeting *left, const protocol_greeting *right);

/* The three words of an answer, not yet looked into. */
typedef struct protocol_answer {
    base_slice state, labels, actions;
} protocol_answer;

/* The next of `lanes` answers of a line, which is moved behind it; behind the last nothing comes. */
opac_status protocol_next_answer(base_slice *line, uint32_t lane, uint32_t lanes,
                                 protocol_answer *answer, opac_error *error);

/* The part of a line, of either side, that is a lane's: for messages. */
base_slice protocol_lane_part(base_slice line, uint32_t lane);

/* Whether a state's word may be one: UTF-8, no control characters. */
opac_status protocol_check_state(base_slice state, opac_error *error);

/* Bit i of `bits`: proposition i holds. One that is unknown, or comes twice, is an error. */
opac_status protocol_read_labels(const protocol_greeting *greeting, base_slice labels,
                                 uint64_t *bits, opac_error *error);

/* Words of 64 bits that labels need; at least one. */
size_t protocol_label_words(const protocol_greeting *greeting);

/* How many there are, and whether they have names. */
opac_status protocol_read_actions(base_slice actions, uint32_t *count, bool *are_named,
                                  opac_error *error);

/* "reset 17", "step 3", "step up"; memory is checked by whoever reads the text. */
void protocol_write_reset(base_text *text, uint64_t seed);
void protocol_write_step(base_text *text, uint32_t action);
void protocol_write_named_step(base_text *text, const char *name);

#endif
