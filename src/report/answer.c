/* SPDX-License-Identifier: MIT */
/* What was found, what is promised about it, and what that rests on: where the answer is a
 * probability. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

/* "0.999 [0.998, 1]", large, and the scale below; of a number that nothing vouches for, that it is
 * so. */
static void put_probability(report_page *page, report_value found, const char *caveat)
{
    double value = report_number(page, found, "value");
    double lower = report_number(page, found, "lower");
    double upper = report_number(page, found, "upper");
    const char *exact = report_text(page, found, "exact");
    report_raw(page, "<p class=\"value\"><strong>");
    if (exact != NULL)
        report_put(page, exact);
    else
        report_put_glance(page, value, REPORT_NEAREST);
    report_raw(page, "</strong>");
    if (exact != NULL && strchr(exact, '/') != NULL) {
        report_raw(page, " &asymp; ");
        report_put_glance(page, value, REPORT_NEAREST);
    }
    if (exact != NULL)
        report_raw(page, " <span class=\"bracket\">exactly</span>");
    else if (isfinite(lower) && isfinite(upper)) {
        report_raw(page, " <span class=\"bracket\">");
        report_put_interval(page, lower, upper);
        report_raw(page, "</span>");
    }
    if (caveat != NULL)
        report_print(page, " <span class=\"caveat\">%s</span>", caveat);
    report_raw(page, "</p>\n");
    report_scale(page, value, lower, upper);
}

/* ---- learn and estimate ---- */

/* What the learned model says about T. */
static void put_check(report_page *page, report_value guarantee)
{
    const char *check = report_text(page, guarantee, "T_check");
    if (check == NULL)
        return;
    report_raw(page, "<p>");
    if (strcmp(check, "refuted") == 0)
        report_raw(page, "What was learned <strong>contradicts T</strong>: runs of the learned "
                         "model need longer than T steps to show what they will do.");
    else if (strcmp(check, "consistent") == 0)
        report_raw(page, "What was learned does not contradict T; that is no evidence for it.");
    else
        report_raw(page, "Whether what was learned contradicts T was not checked.");
    report_value found = report_member(page, guarantee, "T_found");
    if (report_has(found)) {
        report_raw(page, report_flag(page, guarantee, "T_found_is_bound")
                             ? " The learned chain needs at least "
                             : " The learned chain needs ");
        report_put_value(page, found);
        report_raw(page, report_number(page, guarantee, "T_found") == 1 ? " step." : " steps.");
    }
    report_raw(page, "</p>\n");
}

/* A state by its values, its key, or its number. */
static report_value name_of(report_page *page, report_value object)
{
    static const char *const names[] = {"values", "key", "key_hex", "state"};
    report_value name = {0};
    if (report_has(object) && base_json_kind_of(object) != BASE_JSON_OBJECT)
        return object;
    for (size_t i = 0; i < sizeof names / sizeof *names && !report_has(name); i++)
        name = report_member(page, object, names[i]);
    return name;
}

/* Where it was seen, and how often. */
static void put_evidence(report_page *page, report_value refuted)
{
    static const char *const said[] = {"by",      "state",  "values",    "key",
                                       "key_hex", "action", "successor", "count",
                                       "visits",  "choice", NULL};
    bool is_width = report_is(page, refuted, "by", "width"); /* about all that it led to */
    report_facts(page);
    report_fact(page, "in the state", name_of(page, refuted));
    report_fact(page, "by the action", report_member(page, refuted, "action"));
    report_fact(page, "which led to", name_of(page, report_member(page, refuted, "successor")));
    report_fact(page, is_width ? "different states that it led to" : "seen so often",
                report_member(page, refuted, "count"));
    report_fact(page, "tried so often", report_member(page, refuted, "visits"));
    report_fact_members(page, refuted, said);
    report_facts_end(page);
}

static void put_refutation(report_page *page, report_value guarantee)
{
    static const struct {
        const char *by, *words;
    } reasons[] = {
        {"frequency", "a successor came so rarely that its probability is below the bound"},
        {"support", "a successor came up that was thought impossible"},
        {"edge", "a successor was seen that the graph does not have"},
        {"width", "an action has more successors than it can have"},
        {"sum", "what was seen of an action cannot sum to 1"}};
    report_value refuted = report_member(page, guarantee, "refuted");
    const char *by = report_text(page, refuted, "by");
    if (!report_has(refuted))
        return;
    report_raw(page, "<p>What was assumed is <strong>refuted</strong> by the samples");
    for (size_t i = 0; by != NULL && i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(by, reasons[i].by) == 0) {
            report_raw(page, ": ");
            report_raw(page, reasons[i].words);
        }
    report_raw(page, ".</p>\n");
    put_evidence(page, refuted);
}

static void put_end(report_page *page, report_value guarantee)
{
    static const struct {
        const char *end, *words;
    } ends[] = {{"max-steps", "The run was ended by the limit on its steps."},
                {"max-seconds", "The run was ended by the limit on its time: another run may get "
                                "farther, or less far."},
                {"stopped", "The run was stopped before its end."},
                {"exceeded", "The run ended because a bound that was given is exceeded."},
                {"livelock", "The run ended because no more could be learned."},
                {"refuted", "The run ended because what was assumed is refuted."}};
    const char *end = report_text(page, guarantee, "end");
    for (size_t i = 0; end != NULL && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(end, ends[i].end) == 0) {
            report_raw(page, "<p>");
            report_raw(page, ends[i].words);
            report_raw(page, "</p>\n");
        }
    const char *exceeded = report_text(page, guarantee, "exceeded");
    if (exceeded != NULL) {
        report_raw(page, "<p>Exceeded: ");
        report_put(page, exceeded);
        report_raw(page, ".</p>\n");
    }
}

/* Apart from the rest, since no learner knows it. */
static void put_truth(report_page *page, report_value root)
{
    report_value truth = report_member(page, root, "truth");
    if (!report_has(truth))
        return;
    report_raw(page, "<aside class=\"truth\">\n");
    report_heading(page, "The truth");
    report_raw(page, "<p>Computed from the model, not "
                     "from samples, and not known to the learner.</p>\n");
    report_facts(page);
    report_fact(page, "true probability of the policy", report_member(page, truth, "policy"));
    report_fact(page, "best probability", report_member(page, truth, "optimum"));
    report_fact(page, "true probability", report_member(page, truth, "probability"));
    report_fact(page, "note", report_member(page, truth, "note"));
    report_facts_end(page);
    if (report_flag(page, truth, "contradicts"))
        report_raw(page, "<p>This is not what is promised above: something that is assumed there "
                         "is not so, or this is one of the runs that the confidence "
                         "leaves.</p>\n");
    report_raw(page, "</aside>\n");
}

static void put_guarantee(report_page *page, report_value root)
{
    report_value guarantee = report_member(page, root, "guarantee");
    if (!report_has(guarantee))
        return;
    static const char *const verdicts[] = {
        "The guarantee holds.", "Less is guaranteed than was asked for.", "No guarantee.",
        "The guarantee is contradicted by the model."};
    report_promise promise = report_promise_of(page, root);
    bool holds = promise != REPORT_NONE; /* at least what it says */
    report_verdict(page, promise == REPORT_KEPT, verdicts[promise]);
    report_sentence(page, report_reason(report_text(page, guarantee, "statement")));
    report_facts(page);
    report_fact_bound(page, holds ? "error, at most" : "error that was aimed at, at most",
                      report_member(page, guarantee, "error"), REPORT_UP);
    report_fact_bound(page, holds ? "confidence" : "confidence that was aimed at",
                      report_member(page, guarantee, "confidence"),
                      report_confidence_rounding(report_number(page, guarantee, "confidence")));
    report_fact_bound(page, "best probability, at most",
                      report_member(page, report_member(page, root, "result"), "optimum_upper"),
                      REPORT_UP);
    report_facts_end(page);
    report_assumptions(page, report_member(page, guarantee, "assumes"));
    put_check(page, guarantee);
    put_refutation(page, guarantee);
    put_end(page, guarantee);
}

static void answer_samples(report_page *page, const report_result *result)
{
    report_value found = report_member(page, result->root, "result");
    static const char *const caveats[] = {NULL, "bounds wider than was asked for",
                                          "as learned; nothing is promised of it",
                                          "as learned; these bounds are wrong"};
    put_probability(page, found, caveats[report_promise_of(page, result->root)]);
    put_guarantee(page, result->root);
    put_truth(page, result->root);
}

/* ---- check and evaluate ---- */

static void put_initial(report_page *page, report_value found)
{
    report_value initial = report_member(page, found, "initial");
    size_t count = report_length(page, initial);
    if (count == 0)
        return;
    report_raw(page, "<div class=\"scroll\"><table class=\"data\"><caption>From each initial state"
                     "</caption><thead><tr><th scope=\"col\">state</th><th scope=\"col\">value</th>"
                     "<th scope=\"col\">bounds</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value item = report_item(page, initial, i);
        report_value values = report_member(page, item, "values");
        report_value exact = report_member(page, item, "exact");
        report_raw(page, "<tr><td>");
        report_put_value(page, report_has(values) ? values : report_member(page, item, "state"));
        report_raw(page, "</td><td>");
        report_put_value(page, report_has(exact) ? exact : report_member(page, item, "value"));
        report_raw(page, "</td><td>");
        report_put_interval(page, report_number(page, item, "lower"),
                            report_number(page, item, "upper"));
        report_raw(page, "</td></tr>\n");
    }
    report_raw(page, "</tbody></table></div>\n");
}

/* A nondeterministic automaton has to guess, and policies cannot see the future. */
static void put_bound(report_page *page, report_value found, bool is_check)
{
    bool is_upper = report_is(page, found, "bound", "upper");
    report_raw(page, is_check ? "<p>This is the greatest probability in the product of model and "
                                "automaton"
                              : "<p>This is the probability of the policy's own run through the "
                                "automaton");
    report_print(page,
                 ". The automaton is nondeterministic: the probability of the objective itself may "
                 "be %s.</p>\n",
                 is_upper ? "smaller" : "larger");
}

/* What the number is, and how far it can be trusted. */
static void put_meaning(report_page *page, report_value found, bool is_check)
{
    bool is_exact = report_text(page, found, "exact") != NULL;
    if (report_flag(page, found, "is_bound")) {
        put_bound(page, found, is_check);
        return;
    }
    report_raw(page, "<p>");
    if (is_check)
        report_raw(page, report_is(page, found, "direction", "min")
                             ? "This is the least probability over all policies"
                             : "This is the greatest probability over all policies");
    else
        report_raw(page, "This is the probability under the policy");
    if (is_exact)
        report_raw(page, ", computed in fractions, without rounding.</p>\n");
    else if (report_has(report_member(page, found, "precise")) &&
             !report_flag(page, found, "precise"))
        report_raw(page, ". The true value certainly lies within the bounds, which are not as "
                         "close as was asked for.</p>\n");
    else
        report_raw(page, ". The true value certainly lies within the bounds.</p>\n");
}

static void put_computed(report_page *page, report_value found, bool is_check)
{
    const char *verdict = report_text(page, found, "verdict");
    if (verdict != NULL)
        report_verdict(page, strcmp(verdict, "true") == 0,
                       strcmp(verdict, "true") == 0    ? "The property is true."
                       : strcmp(verdict, "false") == 0 ? "The property is false."
                                                       : "The property is undecided.");
    put_probability(page, found, NULL);
    put_meaning(page, found, is_check);
    if (report_length(page, report_member(page, found, "initial")) > 1)
        report_raw(page, "<p>It is that from the first initial state.</p>\n");
    put_initial(page, found);
}

static void answer_computed(report_page *page, const report_result *result)
{
    report_value results = report_member(page, result->root, "results");
    size_t count = report_length(page, results);
    bool is_check = strcmp(result->command, "check") == 0;
    if (!report_has(results))
        put_computed(page, report_member(page, result->root, "result"), is_check);
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value item = report_item(page, results, i);
        const char *objective = report_text(page, report_member(page, item, "inputs"), "objective");
        report_heading(page, objective != NULL ? objective : "An objective");
        put_computed(page, report_member(page, item, "result"), is_check);
    }
}

void report_answer(report_page *page, const report_result *result)
{
    static const struct {
        const char *command;
        void (*write)(report_page *page, const report_result *result);
    } writers[] = {{"learn", answer_samples},        {"estimate", answer_samples},
                   {"check", answer_computed},       {"evaluate", answer_computed},
                   {"verify", report_answer_verify}, {"env check", report_answer_env},
                   {"bound", report_answer_bound},   {"recurrence", report_answer_recurrence}};
    report_section(page, "answer", "The answer");
    size_t i = 0, count = sizeof writers / sizeof *writers;
    while (i < count && strcmp(writers[i].command, result->command) != 0)
        i++;
    if (i < count)
        writers[i].write(page, result);
    else
        report_answer_any(page, result);
    report_section_end(page);
}
