/* SPDX-License-Identifier: MIT */
/* The inside of a bracket_support, for its own files. */
#ifndef BRACKET_SUPPORT_FORM_H
#define BRACKET_SUPPORT_FORM_H

#include "bracket/support.h"
#include "sample/budget.h"

#define BRACKET_ROUNDING 1e-9 /* relative: what is left to another program's rounding */

typedef struct bracket_support_row {
    uint64_t visits;        /* n_i */
    uint64_t checked_count; /* its count when it was last looked at by a check; UINT64_MAX: never */
    uint64_t interval_count; /* its count when its intervals were computed; UINT64_MAX: never */
    uint32_t begin;          /* of a complete one: its intervals */
    opac_refutation verdict; /* of its intervals, */
    uint32_t refuting;       /* the place of a successor in the order; SAMPLE_NONE */
} bracket_support_row;
BASE_VEC(bracket_support_row_vec, bracket_support_row);
BASE_VEC(bracket_interval_vec, stat_interval);
BASE_VEC(bracket_key_bytes, unsigned char);

/* Results of support_start.c. */
typedef struct bracket_support_start {
    bracket_interval_vec intervals; /* by position in the order */
    base_u32_vec places;            /* by branch: that position */
    double unseen;
    uint64_t quiet_after, quiet;
} bracket_support_start;

struct bracket_support {
    sample_statistics *stats; /* borrowed */
    bracket_support_options options;
    sample_budget budget;
    bracket_support_row_vec rows;
    bracket_support_start start;
    bracket_interval_vec intervals;
    bool explored;             /* the graph */
    const opac_cancel *cancel; /* of the exploration; NULL: none */
    sample_refutation found;
    uint64_t computed;     /* intervals so far: for measuring */
    base_u32_vec branches; /* scratch */
};

/* The least positive probability of a row that is assumed; 0: none. */
static inline double bracket_support_pmin(const bracket_support *s, uint32_t row)
{
    return row == s->stats->reset_row ? s->options.pmin_start : s->options.pmin;
}
/* Successors of a row that this leaves; INFINITY. And b, what is declared included. */
double bracket_support_most_by_pmin(const bracket_support *s, uint32_t row);
double bracket_support_most_successors(const bracket_support *s, uint32_t row);

/* Every row of the world has its place here. */
opac_status bracket_support_grow(bracket_support *s, opac_error *error);
/* The row has these branches and no others: it becomes known with the next refresh. */
opac_status bracket_support_complete_row(bracket_support *s, uint32_t row,
                                         const base_u32_vec *branches, opac_error *error);
/* Room for the intervals of a complete row. */
opac_status bracket_support_reserve_intervals(bracket_support *s, uint32_t row, opac_error *error);
/* The intervals and the verdict of the start's row, from its counts. */
opac_status bracket_support_update_start(bracket_support *s, opac_error *error);
/* Parts of it, in this order. The interval of n hits of `all` visits. */
stat_interval bracket_support_estimate(const bracket_support *s, uint64_t n, uint64_t all,
                                       double log_alpha);
/* Whether no probabilities of at least the row's p_min, within the intervals and with at most `unseen`
 * for other successors, sum to 1, whatever was rounded. */
bool bracket_support_admits_no_distribution(const bracket_support *s, uint32_t row,
                                            const stat_interval *intervals, uint32_t width,
                                            double unseen);
/* An interval widened, in a row of so many successors, and by how much, absolutely. */
stat_interval bracket_support_widen(const bracket_support *s, uint32_t row, stat_interval interval,
                                    uint32_t width);
double bracket_support_margin(double width);
/* Each upper end cut at what the others' lower ends, `lower` in all, leave. */
void bracket_support_tighten(stat_interval *intervals, uint32_t width, double lower);
/* All that the graph reaches from the start. */
opac_status bracket_support_explore(bracket_support *s, uint64_t *changed, opac_error *error);

static inline bool bracket_support_is_complete(const bracket_support *s, uint32_t row)
{
    return s->stats->counters.items[row].complete;
}

#endif
