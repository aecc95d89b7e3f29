/* SPDX-License-Identifier: MIT */
/* What was found, where that is no probability: verdicts on files, numbers of steps,
 * descriptions. */
#include <math.h>
#include <string.h>

#include "report/sections.h"

void report_answer_verify(report_page *page, const report_result *result)
{
    static const char *const said[] = {"holds", "statement", "reason", "lower",
                                       "upper", "assumes",   NULL};
    report_value found = report_member(page, result->root, "result");
    bool holds = report_flag(page, found, "holds");
    report_verdict(page, holds, holds ? "The certificate holds." : "The certificate is refused.");
    report_sentence(page, report_text(page, found, holds ? "statement" : "reason"));
    report_scale(page, NAN, report_number(page, found, "lower"),
                 report_number(page, found, "upper"));
    report_facts(page);
    report_fact_bound(page, "at least", report_member(page, found, "lower"), REPORT_DOWN);
    report_fact_bound(page, "at most", report_member(page, found, "upper"), REPORT_UP);
    report_fact_members(page, found, said);
    report_facts_end(page);
    report_assumptions(page, report_member(page, found, "assumes"));
}

void report_answer_env(report_page *page, const report_result *result)
{
    report_value findings = report_member(page, result->root, "findings");
    bool conforms = report_flag(page, report_member(page, result->root, "result"), "conforms");
    size_t count = report_length(page, findings);
    report_verdict(page, conforms,
                   conforms ? "The simulator keeps the contract."
                            : "The simulator breaks the contract.");
    report_raw(page, "<div class=\"scroll\"><table class=\"data\"><caption>What was found</caption>"
                     "<thead><tr><th scope=\"col\">kind</th><th scope=\"col\">check</th>"
                     "<th scope=\"col\">finding</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value finding = report_item(page, findings, i);
        static const char *const names[] = {"kind", "check", "text"};
        report_raw(page, "<tr>");
        for (int k = 0; k < 3; k++) {
            report_raw(page, "<td>");
            report_put_value(page, report_member(page, finding, names[k]));
            report_raw(page, "</td>");
        }
        report_raw(page, "</tr>\n");
    }
    report_raw(page, "</tbody></table></div>\n");
}

/* k, and so on, of one rule or of all. */
void report_answer_bound(report_page *page, const report_result *result)
{
    static const char *const columns[] = {"k", "c", "error", "samples", "C", NULL};
    report_value found = report_member(page, result->root, "result");
    report_value rules = report_member(page, found, "rules"), rule = {0};
    report_raw(page, "<p class=\"value\">k = <strong>");
    report_put_value(page, report_member(page, found, "k"));
    report_raw(page, "</strong> samples make a pair of state and action known.</p>\n");
    report_facts(page);
    report_fact_bound(page, "error of the policy, at most", report_member(page, found, "error"),
                      REPORT_UP);
    report_fact(page, "samples of all pairs", report_member(page, found, "samples"));
    report_fact_bound(page, "c, accuracy of trajectories", report_member(page, found, "c"),
                      REPORT_UP);
    report_fact(page, "C, of Theorem 2 as published", report_member(page, found, "C"));
    report_fact(page, "successors of an action, at most", report_member(page, found, "branching"));
    report_fact_bound(page, "error with slack", report_member(page, found, "error_with_slack"),
                      REPORT_UP);
    report_fact(page, "episodes with slack", report_member(page, found, "episodes"));
    report_facts_end(page);
    if (!report_has(rules))
        return;
    report_raw(page, "<div class=\"scroll\"><table class=\"data\"><caption>By each rule</caption>"
                     "<thead><tr><th scope=\"col\">rule</th>");
    for (int i = 0; columns[i] != NULL; i++)
        report_print(page, "<th scope=\"col\">%s</th>", columns[i]);
    report_raw(page, "</tr></thead>\n<tbody>\n");
    (void)report_member(page, rules, "paper"); /* an object? */
    while (!report_failed(page) && base_json_next(rules, &rule)) {
        report_raw(page, "<tr><th scope=\"row\">");
        report_put(page, rule.key);
        report_raw(page, "</th>");
        for (int i = 0; columns[i] != NULL; i++) {
            report_value cell = report_member(page, rule, columns[i]);
            report_raw(page, "<td class=\"number\">");
            if (report_has(cell))
                report_put_number_value(page, cell, REPORT_UP);
            report_raw(page, "</td>");
        }
        report_raw(page, "</tr>\n");
    }
    report_raw(page, "</tbody></table></div>\n");
}

/* Of one policy, nothing is said about others. */
static const char *kind_in_words(const char *kind, bool is_given, bool is_partial)
{
    const struct {
        const char *kind, *words;
    } kinds[] = {
        {"exact", is_given ? "exactly, of the policy that was given"
                           : "exactly: no policy takes longer, and some takes as long"},
        {"lower-bound", is_given ? "at least: the policy that was given may take longer"
                                 : "at least: some policy takes that long, others may take longer"},
        {"estimate", is_partial ? "estimated from simulated runs of one policy: others may take "
                                  "longer"
                                : "estimated from simulated runs"},
        {"upper-bound", "at most: from the least probability and the size alone"}};
    for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            return kinds[i].words;
    return kind;
}

void report_answer_recurrence(report_page *page, const report_result *result)
{
    static const char *const said[] = {"T",           "kind",  "before", "reached", "one_policy",
                                       "upper_bound", "lower", "upper",  NULL};
    report_value found = report_member(page, result->root, "result");
    report_value bound = report_member(page, found, "upper_bound");
    report_value inputs = report_member(page, result->root, "inputs");
    const char *kind = report_text(page, found, "kind");
    bool is_given = report_has(report_member(page, inputs, "policy"));
    report_raw(page, "<p class=\"value\">T = <strong>");
    report_put_value(page, report_member(page, found, "T"));
    report_raw(page, report_number(page, found, "T") == 1 ? "</strong> step</p>\n"
                                                          : "</strong> steps</p>\n");
    report_facts(page);
    report_fact_text(page, "what it is",
                     kind_in_words(kind, is_given, report_flag(page, found, "one_policy")));
    report_fact(page, "with confidence, at least", report_member(page, found, "lower"));
    report_fact(page, "with confidence, at most", report_member(page, found, "upper"));
    report_fact(page, "probability of a recurrence within T steps",
                report_member(page, found, "reached"));
    report_fact(page, "within one step less", report_member(page, found, "before"));
    report_fact_members(page, found, said);
    report_fact(page, "upper bound, from the least probability", report_member(page, bound, "T"));
    report_fact(page, "the same, of states that can be reached",
                report_member(page, bound, "T_reachable"));
    report_fact(page, "Lemma 1 of the paper, as published",
                report_member(page, bound, "T_published"));
    report_facts_end(page);
}

/* All that there is, member by member. */
void report_answer_any(report_page *page, const report_result *result)
{
    report_value properties = report_member(page, result->root, "properties");
    size_t count = report_length(page, properties);
    report_facts(page);
    report_fact_members(page, report_member(page, result->root, "result"), NULL);
    report_fact_members(page, report_member(page, result->root, "model"), NULL);
    report_fact_members(page, report_member(page, result->root, "forecast"), NULL);
    for (size_t i = 0; i < count && !report_failed(page); i++)
        report_fact(page, "property", report_item(page, properties, i));
    report_facts_end(page);
}
