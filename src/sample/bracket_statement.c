/* SPDX-License-Identifier: MIT */
/* Reports of brackets: see bracket_statement.h. */
#include "sample/bracket_statement.h"

#include <inttypes.h>
#include <math.h>

#include "sample/assumptions.h"
#include "sample/at_least.h"
#include "sample/statistics_form.h"

/* ---- numbers ---- */

/* The rounding error of the difference is computed exactly (Dekker 1971), and the result rounded up. */
double sample_gap(double lower, double upper)
{
    double gap = upper - lower, part = gap - upper;
    double lost = (upper - (gap - part)) - (lower + part);
    return lost > 0 ? nextafter(gap, INFINITY) : gap;
}

double sample_complement_up(double p)
{
    return sample_gap(p, 1);
}

/* 1 - p is computed rounded up, and is lowered by one unit unless it was exact. */
double sample_complement_down(double p)
{
    double up = sample_complement_up(p);
    return 1 - up != p ? nextafter(up, 0) : up;
}

/* A question that was answered holds; without one, a bracket that is as narrow as requested. */
void sample_report_bracket(opac_learning *l, const sample_bracket_end *end)
{
    double lower = end->lower, upper = end->upper, value = end->value;
    opac_learn_report *r = &l->report;
    r->is_bracket = true;
    r->k = 0;
    r->k_wanted = (opac_count){.log10 = NAN, .approximate = NAN};
    r->accuracy = NAN;
    r->confidence = sample_confidence(l->options.delta);
    r->refutation = l->refuted.kind;
    r->refuted_count = l->refuted.count;
    r->refuted_visits = l->refuted.visits;
    r->lower = r->upper = r->optimum_upper = r->gap = r->error = NAN;
    r->gap_wanted = end->wanted > 0 ? end->wanted : NAN;
    if (!end->is_void) {
        value = value < lower ? lower : value > upper ? upper : value;
        r->gap = r->error = sample_gap(lower, upper);
        r->lower = l->least ? sample_complement_down(upper) : lower;
        r->upper = l->least ? sample_complement_up(lower) : upper;
        r->optimum_upper = l->least ? r->lower : r->upper;
    }
    r->value = l->least ? 1 - value : value; /* if it is void, of the policy so far */
    r->holds =
        r->end == OPAC_END_DONE && !end->is_void && (r->nothing_known || r->gap <= r->gap_wanted);
    sample_at_least_report(l, lower, upper, end->is_void);
}

/* ---- words ---- */

/* Whether the bracket is [0, 1], which holds for every policy. */
static bool is_vacuous(const opac_learn_report *r)
{
    return r->lower <= 0 && r->upper >= 1;
}

static void promise(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    sample_number first = l->least ? sample_show_up(r->upper) : sample_show_down(r->lower);
    sample_number second = l->least ? sample_show_down(r->lower) : sample_show_up(r->upper);
    if (is_vacuous(r)) {
        base_text_add(text, "the bracket is [0, 1], and nothing is known yet about the policies");
        return;
    }
    base_text_format(text,
                     "with confidence %s the policy satisfies the objective with probability ",
                     sample_show_confidence(r->confidence).text);
    if (r->nothing_known)
        base_text_format(text, "%s %s; nothing is known about other policies",
                         l->least ? "at most" : "at least", first.text);
    else if (r->gap > 0)
        base_text_format(
            text, "%s %s, and no policy does with %s than %s: it is within %s of the optimum",
            l->least ? "at most" : "at least", first.text, l->least ? "less" : "more", second.text,
            sample_show_up(r->gap).text);
    else
        base_text_format(text, "%s, and no policy does better", first.text);
}

const char *sample_bracket_end_reason(const opac_learning *l)
{
    return l->report.end == OPAC_END_LIVELOCK ? "no further sample can change the bracket, and "
                                                "computing it more precisely does not help"
                                              : sample_end_reason(l);
}

/* Why the bracket is wider than requested. */
static void add_shortfall(const opac_learning *l, base_text *text)
{
    if (!is_vacuous(&l->report) && !l->report.nothing_known)
        base_text_format(text, ", not within the requested %s",
                         sample_show(l->report.gap_wanted).text);
    base_text_format(text, ": %s", sample_bracket_end_reason(l));
}

void sample_describe_bracket(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    if (r->answer == OPAC_ANSWER_NONE || r->answer == OPAC_ANSWER_UNDECIDED)
        promise(l, text);
    if (r->answer != OPAC_ANSWER_NONE)
        sample_at_least_state(l, text);
    else if (!r->holds)
        add_shortfall(l, text);
}

void sample_describe_dependent_draws(const opac_learning *l, base_text *text)
{
    char row[SAMPLE_ROW_SHOWN];
    base_text_format(
        text,
        "an assumption is refuted: %s led to its successors, in %" PRIu64
        " visits, with frequencies that independent draws from one distribution do not have (if it "
        "were true, this would happen with probability at most %s)",
        sample_statistics_show_row(&l->run.stats, l->refuted.row, row, sizeof row),
        l->refuted.visits, sample_show(l->options.delta).text);
}

/* ---- assumptions ---- */

opac_status sample_assume_horizon(opac_learning *l, opac_error *error)
{
    return sample_assume(
        l, error,
        "T = %" PRIu64 " bounds the %s-recurrence time of every positional policy of the "
        "product%s",
        l->report.horizon, sample_show(l->options.epsilon).text,
        l->run.stats.reset_row != SAMPLE_NONE ? ", with the random reset as one step" : "");
}

opac_status sample_assume_sizes(opac_learning *l, opac_error *error)
{
    const opac_learn_report *r = &l->report;
    if (l->has_bounds)
        TRY(sample_assume(l, error, "the environment has at most %" PRIu64 " state%s", r->states,
                          r->states == 1 ? "" : "s"));
    if (l->has_bounds)
        TRY(sample_assume(l, error, "a state has at most %" PRIu64 " action%s", r->actions,
                          r->actions == 1 ? "" : "s"));
    if (l->options.deterministic)
        return sample_assume_deterministic(l, error);
    if (r->branching > 0 && l->options.graph == NULL)
        TRY(sample_assume(l, error, "an action%s leads to at most %" PRIu64 " different states",
                          l->traits.random_start ? ", and the reset," : "", r->branching));
    return OPAC_OK;
}
