/* SPDX-License-Identifier: MIT */
/* The fields of a bracket_support and functions shared by its source files. */
#ifndef BRACKET_SUPPORT_FORM_H
#define BRACKET_SUPPORT_FORM_H

#include "bracket/support.h"
#include "sample/class_sets.h"
#include "sample/row_sets.h"

#define BRACKET_ROUNDING SAMPLE_INTERVAL_ROUNDING

typedef struct bracket_support_row {
    double pmin;            /* by pmin_of; 0 for the reset, and if there is no such function */
    uint64_t visits;        /* n_i */
    uint64_t checked_count; /* the row's count at its last check; UINT64_MAX: never checked */
    uint64_t
        interval_count; /* the row's count when its intervals were computed; UINT64_MAX: never */
    uint32_t begin, capacity; /* its first interval, and the number of places for them */
    opac_refutation verdict;  /* on the intervals */
    uint32_t refuting;        /* position in the order of the refuting successor; SAMPLE_NONE */
    /* Of an open row, as in bracket_row_set. */
    double unseen;
    uint64_t quiet_after, quiet;
} bracket_support_row;
BASE_VEC(bracket_support_row_vec, bracket_support_row);
BASE_VEC(bracket_interval_vec, stat_interval);
BASE_VEC(bracket_key_bytes, unsigned char);
BASE_VEC(bracket_mark_vec, unsigned char);

struct bracket_support {
    sample_statistics *stats; /* borrowed */
    bracket_support_options options;
    sample_budget budget;
    bracket_support_row_vec rows;
    bracket_interval_vec intervals;
    sample_found_vec discoveries; /* scratch */
    bool explored;                /* the graph was explored */
    const opac_cancel *cancel;    /* of the exploration; may be NULL */
    sample_refutation found;
    uint64_t computed;          /* number of intervals computed so far, for measurements */
    base_u32_vec branches;      /* scratch */
    sample_class_sets *classes; /* rows alike; else NULL */
    bracket_mark_vec marks;     /* scratch: of sample_class_sets_rest */
};

/* The assumed lower bound on the positive probabilities of a row; 0 if there is none. */
static inline double bracket_support_pmin(const bracket_support *s, uint32_t row)
{
    if (row == s->stats->reset_row)
        return s->options.pmin_start;
    return s->options.pmin_of != NULL ? s->rows.items[row].pmin : s->options.pmin;
}
/* The value of pmin_of for a row of an action, of these statistics. */
opac_status bracket_support_ask(const bracket_support *s, const sample_statistics *stats,
                                uint32_t row, double *pmin, opac_error *error);
/* ⌊1/p_min⌋ for a row, or INFINITY; and b, the minimum of that and the declared number. */
double bracket_support_most_by_pmin(const bracket_support *s, uint32_t row);
double bracket_support_most_by(double pmin);
double bracket_support_most_successors(const bracket_support *s, uint32_t row);

/* ---- rows alike ---- */

/* Whether a row has a class instead of intervals of its own. */
static inline bool bracket_support_is_alike(const bracket_support *s, uint32_t row)
{
    return s->classes != NULL && row != s->stats->reset_row;
}
/* What the intervals of a row depend on: the number of its draws, or of its class's. */
static inline uint64_t bracket_support_stamp(const bracket_support *s, uint32_t row)
{
    if (!bracket_support_is_alike(s, row))
        return s->stats->counters.items[row].count;
    uint32_t class = sample_classes_of_row(s->stats->classes, row);
    return class != SAMPLE_NO_OUTCOME ? s->stats->classes->classes.items[class].draws : 0;
}
/* Whether a row's outcomes show that it is complete. */
opac_status bracket_alike_is_complete(bracket_support *s, uint32_t row, bool *is_complete,
                                      opac_error *error);
/* Recomputes the intervals and the verdict of a complete row if its stamp changed. */
/* The intervals and the unseen mass of a row that is not complete, before they are widened. */
opac_status bracket_alike_update_open(bracket_support *s, uint32_t row, opac_error *error);
opac_status bracket_alike_update(bracket_support *s, uint32_t row, opac_error *error);
/* Sets s->found if the classes are refuted. */
opac_status bracket_alike_check(bracket_support *s, opac_error *error);

/* Adds an entry for every new row of the statistics. */
opac_status bracket_support_grow(bracket_support *s, opac_error *error);
/* Adds entries until there are `count`. pmin: the values of pmin_of by row, as bits; NULL: asks for them. */
opac_status bracket_support_grow_to(bracket_support *s, size_t count, const uint64_t *pmin,
                                    opac_error *error);
/* Declares that a row has exactly these branches: it becomes known at the next refresh. */
opac_status bracket_support_complete_row(bracket_support *s, uint32_t row,
                                         const base_u32_vec *branches, opac_error *error);
/* Makes room for so many intervals of a row. */
opac_status bracket_support_reserve_intervals(bracket_support *s, uint32_t row, uint32_t width,
                                              opac_error *error);
/* ---- support_open.c ---- */

/* Recomputes the intervals, the unseen mass and the verdict of an open row if its counts changed. */
opac_status bracket_support_update_open(bracket_support *s, uint32_t row, opac_error *error);
/* Whether the unseen mass of a row is below its p_min, so that there is none. */
bool bracket_support_has_no_mass(const bracket_support *s, uint32_t row);
/* Wrong on purpose in tests; otherwise 1. */
static inline double bracket_support_mass_scale(const bracket_support *s)
{
    return s->options.mass_scale > 0 ? s->options.mass_scale : 1;
}

/* ---- steps of computing a row's intervals, in this order ---- */

/* The confidence sequence for n hits of `all` visits. */
stat_interval bracket_support_estimate(const bracket_support *s, uint64_t n, uint64_t all,
                                       double log_alpha);
/*
 * Whether no distribution lies within the intervals, with probabilities of at least the row's p_min and
 * mass at most `unseen` for other successors. Allows for the rounding of the sums.
 */
bool bracket_support_admits_no_distribution(const bracket_support *s, uint32_t row,
                                            const stat_interval *intervals, uint32_t width,
                                            double unseen);
/* An interval of a row with `width` successors, widened outwards. */
stat_interval bracket_support_widen(const bracket_support *s, uint32_t row, stat_interval interval,
                                    uint32_t width);

/* Widens the intervals of a complete row and cuts their upper ends; if the row is refuted, makes them trivial. */
void bracket_support_finish(const bracket_support *s, uint32_t row, stat_interval *intervals,
                            uint32_t width);
/* The trivial intervals of a refuted row. */
void bracket_support_admit_all(const bracket_support *s, uint32_t row, stat_interval *intervals,
                               uint32_t width);

/* Adds and completes all rows that the graph reaches from the start. */
opac_status bracket_support_explore(bracket_support *s, uint64_t *changed, opac_error *error);

static inline bool bracket_support_is_complete(const bracket_support *s, uint32_t row)
{
    return s->stats->counters.items[row].complete;
}

#endif
