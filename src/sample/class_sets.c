/* SPDX-License-Identifier: MIT */
/* Class sets: see class_sets.h. */
#include "sample/class_sets.h"

#include <math.h>

#include "base/memory.h"
#include "sample/row_sets.h"
#include "stat/sequence.h"
#include "stat/unseen.h"

BASE_VEC(outcome_set_vec, sample_outcome_set);

/* A class set as computed for a number of draws; 0: not computed. */
typedef struct kept_class {
    uint64_t draws;
    sample_class_set set;
} kept_class;
BASE_VEC(kept_class_vec, kept_class);

struct sample_class_sets {
    const sample_statistics *stats;
    sample_class_sets_options options;
    kept_class_vec classes;
    outcome_set_vec outcomes; /* by number */
};

opac_status sample_class_sets_new(const sample_statistics *stats,
                                  const sample_class_sets_options *options,
                                  sample_class_sets **sets, opac_error *error)
{
    sample_class_sets *made = base_alloc_zeroed(1, sizeof *made);
    *sets = made;
    if (made == NULL)
        return base_fail_memory(error);
    made->stats = stats;
    made->options = *options;
    return OPAC_OK;
}

void sample_class_sets_free(sample_class_sets *sets)
{
    if (sets == NULL)
        return;
    kept_class_vec_fini(&sets->classes);
    outcome_set_vec_fini(&sets->outcomes);
    base_free(sets);
}

uint64_t sample_class_sets_index(const sample_class_sets *s, uint32_t class)
{
    return s->stats->classes->classes.items[class].index + (s->stats->reset_row != SAMPLE_NONE);
}

static double log_margin(double log_alpha)
{
    return log_alpha - SAMPLE_INTERVAL_ROUNDING * (1 + fabs(log_alpha));
}

/* The largest number of outcomes that p_min allows. */
static double most_outcomes(const sample_class_sets *s)
{
    return s->options.pmin > 0 ? floor((1 + SAMPLE_INTERVAL_ROUNDING) / s->options.pmin) : INFINITY;
}

/*
 * The bounds of Theorem 13 on what is later than each outcome, and M. With p_min, outcomes are complete once such a
 * bound is below it, so that a later discovery refutes p_min.
 */
static void find_later(sample_class_sets *s, uint32_t class, sample_class_set *set)
{
    const sample_classes *c = s->stats->classes;
    const sample_class *k = &c->classes.items[class];
    double log_alpha = log_margin(
        sample_budget_log_support(&s->options.budget, sample_class_sets_index(s, class)));
    double least = 1, most = most_outcomes(s), pmin = s->options.pmin;
    uint64_t number = 0;
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        uint32_t next = c->outcomes.items[o].next;
        uint64_t end = next != SAMPLE_NO_OUTCOME ? c->outcomes.items[next].from - 1 : k->draws;
        uint64_t quiet = end - c->outcomes.items[o].from;
        number++;
        least = fmin(least, stat_unseen_mass(number, quiet, log_alpha));
        bool is_complete = least < pmin * (1 - SAMPLE_INTERVAL_ROUNDING) || (double)number >= most;
        if (is_complete && next != SAMPLE_NO_OUTCOME)
            set->refutation = OPAC_REFUTED_NEW_OUTCOME;
        s->outcomes.items[o].later = is_complete || s->options.no_unseen ? 0 : least;
    }
    set->unseen = s->outcomes.items[k->last].later;
}

/* An outcome's upper end is at most what is later than its predecessor. */
static void find_intervals(sample_class_sets *s, uint32_t class)
{
    const sample_classes *c = s->stats->classes;
    const sample_class *k = &c->classes.items[class];
    double log_class =
        sample_budget_log_interval(&s->options.budget, sample_class_sets_index(s, class));
    double before = 1;
    uint64_t number = 0;
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        const sample_outcome *outcome = &c->outcomes.items[o];
        sample_outcome_set *found = &s->outcomes.items[o];
        found->interval = stat_sequence_jeffreys(outcome->count - 1, k->draws - outcome->from,
                                                 sample_budget_log_discovery(log_class, ++number));
        found->interval.upper = fmin(found->interval.upper, before);
        before = found->later;
    }
}

/* Whether no distribution lies within the intervals and the unseen mass. Allows for the rounding of the sums. */
static bool admits_none(const sample_class_sets *s, uint32_t class, double unseen)
{
    const sample_classes *c = s->stats->classes;
    const sample_class *k = &c->classes.items[class];
    double lower = 0, upper = unseen, rounding = (k->outcomes + 4) * 0x1p-51;
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        stat_interval i = s->outcomes.items[o].interval;
        double least = s->options.pmin * (1 - SAMPLE_INTERVAL_ROUNDING);
        if (i.upper < fmax(i.lower, least) - rounding)
            return true;
        lower += fmax(i.lower, least);
        upper += i.upper;
    }
    return !s->options.no_unseen && (lower > 1 + rounding || upper < 1 - rounding);
}

/* The test of Lemma 27, with the share of a class in its level. */
static bool is_unlike(const sample_class_sets *s, uint32_t class)
{
    const sample_class *k = &s->stats->classes->classes.items[class];
    double log_alpha = log(SAMPLE_ALIKE_LEVEL) + stat_unseen_log_share(k->index);
    double rounding = 1e-9 * (1 + fabs(k->log_rows));
    return sample_classes_log_ratio(s->stats->classes, class) > rounding - log_alpha;
}

static void widen(sample_class_sets *s, uint32_t class, sample_class_set *set)
{
    const sample_classes *c = s->stats->classes;
    const sample_class *k = &c->classes.items[class];
    bool is_void = set->refutation != OPAC_REFUTED_NONE;
    double margin = sample_interval_margin(k->outcomes);
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        sample_outcome_set *found = &s->outcomes.items[o];
        found->interval =
            is_void ? (stat_interval){0, 1}
                    : sample_interval_widen(found->interval,
                                            s->options.pmin * (1 - 2 * SAMPLE_INTERVAL_ROUNDING),
                                            k->outcomes);
        if (is_void)
            found->later = 1;
        else if (found->later > 0)
            found->later = fmin(1, found->later * (1 + SAMPLE_INTERVAL_ROUNDING) + margin);
    }
    set->unseen = s->outcomes.items[k->last].later;
}

static void compute(sample_class_sets *s, uint32_t class, sample_class_set *set)
{
    *set = (sample_class_set){.refutation = OPAC_REFUTED_NONE};
    find_later(s, class, set);
    find_intervals(s, class);
    if (set->refutation == OPAC_REFUTED_NONE &&
        (admits_none(s, class, set->unseen) || is_unlike(s, class)))
        set->refutation = OPAC_REFUTED_ALIKE;
    widen(s, class, set);
}

opac_status sample_class_sets_get(sample_class_sets *s, uint32_t class, sample_class_set *set,
                                  const sample_outcome_set **outcomes, opac_error *error)
{
    const sample_classes *c = s->stats->classes;
    while (s->classes.count < c->classes.count)
        TRY(kept_class_vec_push(&s->classes, (kept_class){0}, error));
    while (s->outcomes.count < c->outcomes.count)
        TRY(outcome_set_vec_push(&s->outcomes, (sample_outcome_set){{0, 1}, 1}, error));
    kept_class *kept = &s->classes.items[class];
    if (c->classes.items[class].draws == 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a class has no draws");
    if (kept->draws != c->classes.items[class].draws)
        compute(s, class, &kept->set);
    kept->draws = c->classes.items[class].draws;
    *set = kept->set;
    *outcomes = s->outcomes.items;
    return OPAC_OK;
}

double sample_class_sets_rest(const sample_classes *c, uint32_t row,
                              const sample_outcome_set *outcomes, unsigned char *marks)
{
    uint32_t first = sample_classes_first_shown(c, row);
    const sample_class *k = &c->classes.items[sample_classes_of_row(c, row)];
    double shown = 0, unshown = 0, rest = 1;
    for (uint32_t i = first; i != SAMPLE_NO_OUTCOME; i = c->shown.items[i].next) {
        marks[c->shown.items[i].outcome] = 1;
        shown += outcomes[c->shown.items[i].outcome].interval.lower;
    }
    for (uint32_t o = k->first; o != SAMPLE_NO_OUTCOME; o = c->outcomes.items[o].next) {
        unshown += marks[o] == 0 ? outcomes[o].interval.upper : 0;
        rest = fmin(rest, outcomes[o].later + unshown);
    }
    for (uint32_t i = first; i != SAMPLE_NO_OUTCOME; i = c->shown.items[i].next)
        marks[c->shown.items[i].outcome] = 0;
    rest = fmin(rest, fmax(1 - shown, 0));
    /* Sums are rounded to nearest: allow for it, but keep an exact zero. */
    return rest > 0 ? fmin(1, rest + ((double)k->outcomes + 4) * 0x1p-50) : 0;
}
