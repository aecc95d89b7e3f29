/* SPDX-License-Identifier: MIT */
/*
 * Parses and writes the lines of the simulator protocol (docs/formats/simulator.md): greetings, answers
 * and requests. Knows nothing of processes and does not wait. All slices point into the parsed line.
 *
 * Parse errors are OPAC_ERROR_SIMULATOR, with a message that says what was expected and shows the
 * offending word; the caller adds the request and the line.
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

/* Takes the next item off a comma-separated list; false if *at_end, which is set after the last one. The
 * empty list has one item, which is empty. */
bool protocol_next_item(base_slice *list, bool *at_end, base_slice *item);

typedef struct protocol_greeting {
    base_intern names; /* propositions, by number */
    uint32_t lanes;
    bool random_start;
    bool tells_outcomes; /* answers have a fourth word */
} protocol_greeting;

/* Parses a line without its line feed. On failure there is nothing to release. */
opac_status protocol_read_greeting(const char *line, size_t length, protocol_greeting *greeting,
                                   opac_error *error);
void protocol_greeting_fini(protocol_greeting *greeting);
bool protocol_greeting_equals(const protocol_greeting *left, const protocol_greeting *right);

/* The three or four words of an answer, not parsed further. */
typedef struct protocol_answer {
    base_slice state, labels, actions;
    base_slice pair; /* CLASS/OUTCOME or "-"; empty if the simulator does not tell outcomes */
} protocol_answer;

/* Takes the answer of a lane off a line with as many answers as lanes. After the last answer the line must end. */
opac_status protocol_next_answer(const protocol_greeting *greeting, base_slice *line, uint32_t lane,
                                 protocol_answer *answer, opac_error *error);

/* Splits the fourth word of an answer. After a reset it must be "-", and both parts are empty; after a step it must
 * be CLASS/OUTCOME, both not empty and UTF-8 without control characters. The class ends at the first "/". */
opac_status protocol_read_pair(base_slice pair, bool is_reset, base_slice *row_class,
                               base_slice *outcome, opac_error *error);

/* The part of a request or an answer that belongs to a lane, for messages. */
base_slice protocol_lane_part(base_slice line, uint32_t lane);

/* Checks that the word of a state is UTF-8 without control characters. */
opac_status protocol_check_state(base_slice state, opac_error *error);

/* Sets bit i of `bits` if proposition i holds. Fails for an unknown or repeated proposition. */
opac_status protocol_read_labels(const protocol_greeting *greeting, base_slice labels,
                                 uint64_t *bits, opac_error *error);

/* The number of 64-bit words that protocol_read_labels writes; at least one. */
size_t protocol_label_words(const protocol_greeting *greeting);

/* The number of actions, and whether they are given by name. */
opac_status protocol_read_actions(base_slice actions, uint32_t *count, bool *are_named,
                                  opac_error *error);

/* Append "reset 17", "step 3" or "step up"; the caller checks the text for lack of memory. */
void protocol_write_reset(base_text *text, uint64_t seed);
void protocol_write_step(base_text *text, uint32_t action);
void protocol_write_named_step(base_text *text, const char *name);

#endif
