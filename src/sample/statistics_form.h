/* SPDX-License-Identifier: MIT */
/* What the files of the world share with each other, and with nobody else. */
#ifndef SAMPLE_STATISTICS_FORM_H
#define SAMPLE_STATISTICS_FORM_H

#include "sample/statistics.h"

/* One more row, and its counter unless choices have their own. */
opac_status sample_statistics_add_row(sample_statistics *stats, uint32_t state, uint32_t action,
                                      opac_error *error);

/* The first of the choices of a pair that take a row, which is one of the pair's state (or that of
 * the reset, and the pair is START); they lie side by side. */
uint32_t sample_statistics_choices_of_row(const sample_statistics *stats, uint32_t product_state,
                                          uint32_t row, uint32_t *count);
/* The first pair that has choices of a row; the others by `next`. */
uint32_t sample_statistics_product_state_of_row(const sample_statistics *stats, uint32_t row);

/* The row's branches are numbered as in the tabulated environment from now on. */
opac_status sample_statistics_adopt_env_row(sample_statistics *stats, uint32_t row,
                                            opac_error *error);

/* Whether the key of a state comes before that of another: bytes, then length. */
bool sample_statistics_precedes(const sample_statistics *stats, uint32_t a, uint32_t b);
/* The canonical order of a counter that becomes known: of what it has observations of, or of the
 * branches given. */
opac_status sample_statistics_order_observed(sample_statistics *stats, uint32_t counter,
                                             opac_error *error);
opac_status sample_statistics_order_branches(sample_statistics *stats, uint32_t counter,
                                             const uint32_t *branches, uint32_t count,
                                             opac_error *error);

/* Sorts the order that a counter has. */
void sample_statistics_sort_order(sample_statistics *stats, uint32_t counter);

/* A state's key, for messages. */
const char *sample_statistics_show(const sample_statistics *stats, uint32_t state, char *buffer,
                                   size_t size);
/* "action 'go' of state 's=3'", "action 1 of state 's=3'", or "the reset". */
#define SAMPLE_ROW_SHOWN 256
const char *sample_statistics_show_row(const sample_statistics *stats, uint32_t row, char *buffer,
                                       size_t size);

#endif
