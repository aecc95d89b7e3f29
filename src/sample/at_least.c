/* SPDX-License-Identifier: MIT */
/* The question of at_least and its answer: see at_least.h. */
#include "sample/at_least.h"

#include <math.h>

#include "sample/assumptions.h"
#include "sample/bracket_statement.h"

/* Relative distance of at_least_up from at_least; rounding is off by less. */
static const double most_rounding = 1e-14;

/* ---- the question ---- */

bool sample_at_least_is_asked(const opac_learn_options *o)
{
    return o->at_least != 0;
}

/* The least double that is not below the probability in question. */
static double threshold(const opac_learn_options *o)
{
    return o->at_least_up != 0 ? o->at_least_up : o->at_least;
}

static opac_status check_rounding(const opac_learn_options *o, opac_error *error)
{
    bool is_near = fabs(o->at_least_up - o->at_least) <= most_rounding * o->at_least;
    return o->at_least_up == 0 || (sample_at_least_is_asked(o) && is_near)
               ? OPAC_OK
               : base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "at_least",
                                     "at_least_up must be 0, or at_least rounded up");
}

opac_status sample_at_least_check(const opac_learn_options *o, bool is_least, opac_error *error)
{
    TRY(check_rounding(o, error));
    if (!sample_at_least_is_asked(o))
        return OPAC_OK;
    if (!(o->at_least > 0 && threshold(o) <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "at_least",
                                   "at_least must lie in (0, 1]");
    if (is_least)
        return base_fail_parameter(
            error, OPAC_ERROR_ARGUMENT, "at_least",
            "at_least asks for a policy that is good enough; the objective asks for a least "
            "probability");
    return OPAC_OK;
}

void sample_at_least_describe(const opac_learn_options *o, base_text *text)
{
    sample_question_number(text, "at-least", o->at_least);
    sample_question_number(text, "at-least rounded up", threshold(o));
}

/* ---- the answer ---- */

bool sample_at_least_is_decided(const opac_learning *l, double lower, double upper)
{
    const opac_learn_options *o = &l->options;
    return sample_at_least_is_asked(o) && (lower >= threshold(o) || upper < threshold(o));
}

/* If the automaton may not be good for MDPs, U is a bound for the policies of the product only. */
static opac_learn_answer_kind find_answer(const opac_learning *l, double lower, double upper,
                                          bool is_void)
{
    if (!sample_at_least_is_asked(&l->options))
        return OPAC_ANSWER_NONE;
    if (is_void || !sample_at_least_is_decided(l, lower, upper))
        return OPAC_ANSWER_UNDECIDED;
    if (lower >= threshold(&l->options))
        return OPAC_ANSWER_YES;
    return l->report.is_guess ? OPAC_ANSWER_UNDECIDED : OPAC_ANSWER_NO;
}

void sample_at_least_report(opac_learning *l, double lower, double upper, bool is_void)
{
    opac_learn_report *r = &l->report;
    r->at_least = l->options.at_least;
    r->answer = find_answer(l, lower, upper, is_void);
    if (r->answer != OPAC_ANSWER_NONE)
        r->holds = r->answer == OPAC_ANSWER_YES || r->answer == OPAC_ANSWER_NO;
}

/* ---- words ---- */

/* The bound with six digits, or with all if fewer would hide on which side of P it is. */
static sample_number show_bound(const opac_learning *l, double bound, bool is_upper)
{
    sample_number shown = is_upper ? sample_show_up(bound) : sample_show_down(bound);
    double value = bound;
    (void)opac_number_parse(shown.text, &value, NULL);
    bool is_above = value >= threshold(&l->options);
    return is_above == (bound >= threshold(&l->options)) ? shown : sample_show(bound);
}

static void state_reason(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    if (sample_at_least_is_decided(l, r->lower, r->upper))
        base_text_add(text, "the upper bound is below it, but is valid for all policies only if "
                            "the automaton is good for MDPs, which is not known");
    else if (r->end == OPAC_END_DONE && r->nothing_known)
        base_text_format(text, "the lower bound is within the requested %s of what the policy wins",
                         sample_show(l->options.epsilon).text);
    else if (r->end == OPAC_END_DONE)
        base_text_format(text, "the bracket is at most the requested %s wide",
                         sample_show(r->gap_wanted).text);
    else
        base_text_add(text, sample_bracket_end_reason(l));
}

void sample_at_least_state(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    sample_number asked = sample_show(r->at_least);
    if (r->answer == OPAC_ANSWER_UNDECIDED) {
        base_text_format(text,
                         "; whether a policy reaches the required %s is undecided: ", asked.text);
        state_reason(l, text);
        return;
    }
    base_text_format(text, "with confidence %s ", sample_show_confidence(r->confidence).text);
    if (r->answer == OPAC_ANSWER_YES)
        base_text_format(text,
                         "the policy satisfies the objective with probability at least %s, which "
                         "is at least the required %s",
                         show_bound(l, r->lower, false).text, asked.text);
    else
        base_text_format(text,
                         "no policy satisfies the objective with probability %s or more: at most "
                         "%s",
                         asked.text, show_bound(l, r->upper, true).text);
}
