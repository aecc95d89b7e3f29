/* SPDX-License-Identifier: MIT */
/*
 * The first lines of a result: what was asked of what, how good the answer is, how sure that is,
 * and on what it rests. Who reads no more than this is told nothing wrong.
 */
#include <math.h>
#include <string.h>

#include "report/sections.h"

typedef enum tone {
    PLAIN, /* computed: there is nothing to be unsure of */
    GOOD,
    BAD
} tone;

static void begin(report_page *page, tone how)
{
    static const char *const classes[] = {"", " good", " bad"};
    report_print(page, "<div class=\"summary%s\">\n<p>", classes[how]);
    if (how != PLAIN)
        report_print(page, "<span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                     how == GOOD ? "&#10003;" : "&#10007;");
}

/* " of <code>G F s</code> in <code>gridworld.prism</code>" */
static void put_subject(report_page *page, report_value root, const char *before)
{
    report_value inputs = report_member(page, root, "inputs");
    const char *objective = report_text(page, inputs, "objective");
    const char *model = report_text(page, inputs, "model");
    if (objective != NULL) {
        report_print(page, " %s ", before);
        report_code(page, objective);
    }
    if (model != NULL) {
        report_raw(page, " in ");
        report_code(page, model);
    }
}

static void put_policy(report_page *page, report_value root)
{
    const char *policy = report_text(page, report_member(page, root, "inputs"), "policy");
    if (policy == NULL)
        return;
    report_raw(page, " under the policy ");
    report_code(page, policy);
}

static void put_count(report_page *page, report_value stats, const char *name, const char *words)
{
    report_value count = report_member(page, stats, name);
    if (!report_has(count))
        return;
    report_raw(page, ", from ");
    report_put_value(page, count);
    report_print(page, " %s", words);
}

static void put_statement(report_page *page, const char *text)
{
    if (text == NULL)
        return;
    report_raw(page, ": ");
    report_put(page, report_reason(text));
}

static void put_assumptions(report_page *page, report_value list, bool holds)
{
    size_t count = report_length(page, list);
    if (count == 0)
        return;
    report_print(page,
                 holds ? " This rests on <a href=\"#r%u-assumptions\">%zu assumption%s</a>."
                       : " It would have rested on <a href=\"#r%u-assumptions\">%zu "
                         "assumption%s</a>.",
                 page->number, count, count == 1 ? "" : "s");
}

/* ---- by command ---- */

static void sum_up_samples(report_page *page, const report_result *result)
{
    report_value root = result->root, guarantee = report_member(page, root, "guarantee");
    report_value stats = report_member(page, root, "stats");
    if (!report_has(guarantee))
        return;
    static const char *const verdicts[] = {"Guaranteed", "Less than was asked for", "No guarantee",
                                           "Contradicted by the model"};
    report_promise promise = report_promise_of(page, root);
    begin(page, promise == REPORT_KEPT ? GOOD : BAD);
    report_print(page, "<strong>%s</strong>", verdicts[promise]);
    put_statement(page, report_text(page, guarantee, "statement"));
    report_raw(page, ".");
    put_assumptions(page, report_member(page, guarantee, "assumes"), promise != REPORT_NONE);
    report_raw(page, "</p>\n<p class=\"about\">");
    if (strcmp(result->command, "learn") == 0) {
        report_raw(page, "A policy");
        put_subject(page, root, "for");
        put_count(page, stats, "samples", "samples");
    } else {
        report_raw(page, "The probability");
        put_subject(page, root, "of");
        put_count(page, stats, "episodes", "trajectories");
    }
    report_raw(page, ".</p>\n</div>\n");
}

/* "is 1/9", "is 0.729, certainly in [0.728999, 0.729001]". What is a bound only is so by the end of the
 * enclosure that is sure: the other end bounds the bound, not the probability. */
static void put_found(report_page *page, report_value found)
{
    const char *exact = report_text(page, found, "exact");
    double lower = report_number(page, found, "lower"), upper = report_number(page, found, "upper");
    bool is_bound = report_flag(page, found, "is_bound");
    bool is_upper = report_is(page, found, "bound", "upper");
    report_raw(page, !is_bound  ? " is <strong>"
                     : is_upper ? " is at most <strong>"
                                : " is at least <strong>");
    if (exact != NULL)
        report_put(page, exact);
    else if (is_bound && isfinite(lower) && isfinite(upper))
        report_put_glance(page, is_upper ? upper : lower, is_upper ? REPORT_UP : REPORT_DOWN);
    else
        report_put_glance(page, report_number(page, found, "value"), REPORT_NEAREST);
    report_raw(page, "</strong>");
    if (exact == NULL && !is_bound && lower < upper) {
        report_raw(page, ", certainly in ");
        report_put_interval(page, lower, upper);
    }
    size_t starts = report_length(page, report_member(page, found, "initial"));
    if (starts > 1)
        report_print(page, ", from the first of %zu initial states", starts);
}

static tone tone_of(report_page *page, report_value found)
{
    const char *verdict = report_text(page, found, "verdict");
    if (verdict == NULL)
        return PLAIN;
    return strcmp(verdict, "true") == 0 ? GOOD : BAD;
}

static void put_verdict(report_page *page, report_value found)
{
    const char *verdict = report_text(page, found, "verdict");
    if (verdict == NULL)
        return;
    report_raw(page, "<strong>The property is ");
    report_put(page, verdict);
    report_raw(page, ".</strong> ");
}

/* How many properties are true, of those that are true or not. */
static void sum_up_several(report_page *page, const report_result *result, report_value results)
{
    size_t count = report_length(page, results), judged = 0, good = 0;
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        tone how = tone_of(page, report_member(page, report_item(page, results, i), "result"));
        judged += how != PLAIN;
        good += how == GOOD;
    }
    begin(page, judged == 0 ? PLAIN : good == judged ? GOOD : BAD);
    if (judged > 0)
        report_print(page, "<strong>%zu of %zu propert%s true</strong>. ", good, judged,
                     judged == 1 ? "y is" : "ies are");
    report_print(page, "Probabilities of %zu objectives", count);
    put_subject(page, result->root, "of");
    report_raw(page, ", computed from the model.</p>\n</div>\n");
}

static void sum_up_computed(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    report_value results = report_member(page, result->root, "results");
    if (report_has(results)) {
        sum_up_several(page, result, results);
        return;
    }
    begin(page, tone_of(page, found));
    put_verdict(page, found);
    if (strcmp(result->command, "check") != 0)
        report_raw(page, "The probability");
    else
        report_raw(page, report_is(page, found, "direction", "min") ? "The least probability"
                                                                    : "The greatest probability");
    put_subject(page, result->root, "of");
    put_policy(page, result->root);
    put_found(page, found);
    report_raw(page, ". Computed from the model; nothing was sampled.</p>\n</div>\n");
}

static void sum_up_verify(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    bool holds = report_flag(page, found, "holds");
    begin(page, holds ? GOOD : BAD);
    report_raw(page, holds ? "<strong>The certificate holds</strong>"
                           : "<strong>The certificate is refused</strong>: ");
    if (holds) {
        report_raw(page, ": with confidence ");
        double confidence = report_number(page, found, "confidence");
        report_put_glance(page, confidence, report_confidence_rounding(confidence));
        report_raw(page, ", the probability of the policy, and the best there is, are in ");
        report_put_interval(page, report_number(page, found, "lower"),
                            report_number(page, found, "upper"));
    } else
        report_put(page, report_text(page, found, "reason"));
    report_raw(page, ".");
    put_assumptions(page, report_member(page, found, "assumes"), true);
    report_raw(page, "</p>\n</div>\n");
}

static void sum_up_env(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    bool conforms = report_flag(page, found, "conforms");
    begin(page, conforms ? GOOD : BAD);
    report_raw(page, conforms ? "<strong>The simulator keeps the contract</strong>"
                              : "<strong>The simulator breaks the contract</strong>");
    report_raw(page, ": ");
    report_put_value(page, report_member(page, found, "errors"));
    report_raw(page, " errors, ");
    report_put_value(page, report_member(page, found, "warnings"));
    report_raw(page, " warnings.</p>\n</div>\n");
}

static void sum_up_bound(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    report_value params = report_member(page, result->root, "params");
    double delta = report_number(page, params, "delta");
    begin(page, PLAIN);
    report_raw(page, "<strong>");
    report_put_value(page, report_member(page, found, "k"));
    report_raw(page, " samples</strong> of each pair of state and action, ");
    report_put_value(page, report_member(page, found, "samples"));
    report_raw(page, " in all, for a policy that is within ");
    report_put_glance(page, report_number(page, found, "error"), REPORT_UP);
    report_raw(page, " of the best");
    if (isfinite(delta)) {
        report_raw(page, ", with confidence ");
        double confidence = fmin(1 - delta, nextafter(1, 0));
        report_put_rounded(page, confidence, report_confidence_rounding(confidence));
    }
    report_raw(page, ", if T bounds the recurrence time.</p>\n</div>\n");
}

static void sum_up_recurrence(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    begin(page, PLAIN);
    report_raw(page, "The recurrence time");
    put_subject(page, result->root, "for");
    put_policy(page, result->root);
    report_raw(page, report_is(page, found, "kind", "exact")         ? " is <strong>"
                     : report_is(page, found, "kind", "lower-bound") ? " is at least <strong>"
                     : report_is(page, found, "kind", "upper-bound") ? " is at most <strong>"
                                                                     : " is about <strong>");
    report_put_value(page, report_member(page, found, "T"));
    report_raw(page, report_number(page, found, "T") == 1 ? " step</strong>" : " steps</strong>");
    if (report_flag(page, found, "one_policy"))
        report_raw(page, " for one policy; others may take longer");
    if (report_flag(page, found, "one_policy") || report_is(page, found, "kind", "lower-bound"))
        report_raw(page, ". That is no T for <code>learn</code>, which needs an upper bound");
    report_raw(page, ".</p>\n</div>\n");
}

/* "100 of 100 runs have earned the guarantee." */
static void sum_up_runs(report_page *page, const report_result *result, report_value summary)
{
    double runs = report_number(page, summary, "runs"),
           holds = report_number(page, summary, "holds");
    /* Some may be wrong, as the confidence says; most cannot. */
    bool are_wrong =
        report_number(page, summary, "within") < report_number(page, summary, "judged") / 2;
    begin(page, holds == runs && !are_wrong ? GOOD : BAD);
    report_raw(page, "<strong>");
    report_put_rounded(page, holds, REPORT_NEAREST);
    report_raw(page, " of ");
    report_put_rounded(page, runs, REPORT_NEAREST);
    report_raw(page, " runs have earned the guarantee</strong>");
    if (report_number(page, summary, "judged") > 0) {
        report_raw(page, "; by their true probability, ");
        report_put_value(page, report_member(page, summary, "within"));
        report_raw(page, " of ");
        report_put_value(page, report_member(page, summary, "judged"));
        report_raw(page, " policies are as good as their run says");
    }
    report_raw(page, ".</p>\n<p class=\"about\">Policies");
    put_subject(page, result->root, "for");
    report_raw(page, ", each learned from samples of its own.</p>\n</div>\n");
}

void report_summary(report_page *page, const report_result *result)
{
    static const struct {
        const char *command;
        void (*write)(report_page *page, const report_result *result);
    } writers[] = {{"learn", sum_up_samples},  {"estimate", sum_up_samples},
                   {"check", sum_up_computed}, {"evaluate", sum_up_computed},
                   {"verify", sum_up_verify},  {"env check", sum_up_env},
                   {"bound", sum_up_bound},    {"recurrence", sum_up_recurrence}};
    report_value summary = report_member(page, result->root, "summary");
    if (report_has(summary)) {
        sum_up_runs(page, result, summary);
        return;
    }
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(writers[i].command, result->command) == 0)
            writers[i].write(page, result);
}
