/* SPDX-License-Identifier: MIT */
/* Functions shared by the source files of the statistics. */
#ifndef SAMPLE_STATISTICS_FORM_H
#define SAMPLE_STATISTICS_FORM_H

#include "sample/statistics.h"

/* Adds a row, and its counter unless counters belong to choices. */
opac_status sample_statistics_add_row(sample_statistics *stats, uint32_t state, uint32_t action,
                                      opac_error *error);

/* The first choice of a product state that takes a row of its state (or START and the row of the reset), and
 * the number of such choices, which are consecutive. */
uint32_t sample_statistics_choices_of_row(const sample_statistics *stats, uint32_t product_state,
                                          uint32_t row, uint32_t *count);
/* The first product state with choices of a row; the others follow by `next`. */
uint32_t sample_statistics_product_state_of_row(const sample_statistics *stats, uint32_t row);

/* Numbers the branches of a row as in the tabulated environment. */
opac_status sample_statistics_adopt_env_row(sample_statistics *stats, uint32_t row,
                                            opac_error *error);

/* Whether the key of state a precedes that of state b: by bytes, then by length. */
bool sample_statistics_precedes(const sample_statistics *stats, uint32_t a, uint32_t b);
/* Make the canonical order of a counter that becomes known: of its branches with observations, or of the
 * given branches. */
opac_status sample_statistics_order_observed(sample_statistics *stats, uint32_t counter,
                                             opac_error *error);
opac_status sample_statistics_order_branches(sample_statistics *stats, uint32_t counter,
                                             const uint32_t *branches, uint32_t count,
                                             opac_error *error);

/* With rows_are_open: makes the branches with observations the order of a counter. */
opac_status sample_statistics_list_observed(sample_statistics *stats, uint32_t counter,
                                            opac_error *error);
/* Sorts the order of a counter. */
void sample_statistics_sort_order(sample_statistics *stats, uint32_t counter);

/* Formats a state's key for messages. */
const char *sample_statistics_show(const sample_statistics *stats, uint32_t state, char *buffer,
                                   size_t size);
/* "action 'go' of state 's=3'", "action 1 of state 's=3'", or "the reset". */
#define SAMPLE_ROW_SHOWN 256
const char *sample_statistics_show_row(const sample_statistics *stats, uint32_t row, char *buffer,
                                       size_t size);

#endif
