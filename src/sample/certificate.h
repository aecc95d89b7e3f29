/* SPDX-License-Identifier: MIT */
/*
 * Writes certificates as JSON, omegapac.certificate/2 (docs/formats/certificate.md): one line for each
 * member, state, row and node. A strategy adds its own members (sample_strategy.put_certificate).
 *
 * The text is built in memory first, because the digest is one of the text itself, and because no certificate
 * is written before opac_verify_text has accepted it.
 *
 * States and rows are in the order of their discovery, which is a function of the seed. Memory is numbered
 * as in the automaton's HOA text.
 */
#ifndef SAMPLE_CERTIFICATE_H
#define SAMPLE_CERTIFICATE_H

#include <omegapac/json.h>

#include "aut/hoa_order.h"
#include "sample/candidate.h"
#include "sample/learning.h"

typedef struct sample_successor {
    uint64_t state, count;
} sample_successor;
BASE_VEC(sample_successor_vec, sample_successor);

typedef struct sample_certificate {
    const opac_learning *l;
    const sample_statistics *stats;
    const opac_certificate_inputs *inputs;
    opac_output *out; /* to memory */
    opac_json json;   /* of the current member or line */
    hoa_order order;
    sample_successor_vec row; /* successors of the current row */
} sample_certificate;

/* ---- members and lines ---- */

opac_json *sample_certificate_member(sample_certificate *w, const char *key);
/* Begins and ends a list with a line for each item. */
void sample_certificate_begin_list(sample_certificate *w, const char *key);
opac_json *sample_certificate_line(sample_certificate *w, bool is_first);
void sample_certificate_end_list(sample_certificate *w, bool is_empty);

void sample_put_text(opac_json *json, const char *key, const char *text);
/* null for SAMPLE_NONE. */
void sample_put_number(opac_json *json, const char *key, uint32_t number);
/* null for 0. */
void sample_put_bound(opac_json *json, const char *key, uint64_t bound);
void sample_put_probability(opac_json *json, const char *key, double value);
void sample_put_double(opac_json *json, const char *key, double value);

/* ---- parts of all certificates ---- */

/* The declared sizes, which `assumes` ends with. */
void sample_put_sizes(opac_json *json, const opac_learning *l);
/* The members `automaton`, `states` and `start`. */
opac_status sample_put_system(sample_certificate *w, opac_error *error);
/* Collects the successors of a row, in the order of states; none if the row is not listed. */
opac_status sample_gather_row(sample_certificate *w, uint32_t number, opac_error *error);
/* The first members of a row: index, state, action, counts. The object is left open. */
void sample_put_row(sample_certificate *w, uint64_t index, uint32_t number, bool is_first);
/* state and memory of a node; of the universal sink as the start, the initial state. */
void sample_put_place(sample_certificate *w, uint32_t product_state);
/* action, next and marks of a choice; all null for SAMPLE_NONE. */
void sample_put_choice(sample_certificate *w, uint32_t choice);
/* The choice of the policy in a product state that is listed; SAMPLE_NONE in the universal sink, and where the
 * automaton has no move: a reader rejects a run that has no choice. */
uint32_t sample_certificate_choice(const sample_certificate *w, uint32_t product_state);
/* index, episodes and wins of a trial, and the number of steps of its episodes. */
void sample_put_trial(opac_json *json, const sample_candidate *candidate, bool has_steps);
/* The member `claim`, with this bracket of the automaton's acceptance. */
opac_status sample_put_claim(sample_certificate *w, double lower, double upper, opac_error *error);

/*
 * Runs the checker (omegapac/verification.h) on the certificate of a run. If it refuses, this fails with
 * OPAC_ERROR_INTERNAL, and the result of the run must not be returned. Runs without a certificate pass, and so
 * do runs whose certificate would have more lines than some 30 000: it is checked when it is written.
 */
opac_status sample_certificate_check(const opac_learning *learning, opac_error *error);

#endif
