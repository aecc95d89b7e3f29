/* SPDX-License-Identifier: MIT */
/* What is promised, in words: a sign, a sentence, and what it rests on. */
#include <string.h>

#include "report/sections.h"

/* Said by a sign and by words, the colour comes on top. */
void report_verdict(report_page *page, bool is_good, const char *words)
{
    report_print(page,
                 "<p class=\"verdict %s\"><span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                 is_good ? "good" : "bad", is_good ? "&#10003;" : "&#10007;");
    report_put(page, words);
    report_raw(page, "</p>\n");
}

void report_assumptions(report_page *page, report_value list)
{
    size_t count = report_length(page, list);
    if (count == 0)
        return;
    report_heading(page, "It is assumed that");
    report_print(page, "<ul class=\"assumptions\" id=\"r%u-assumptions\">\n", page->number);
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_raw(page, "<li>");
        report_put_value(page, report_item(page, list, i));
        report_raw(page, "</li>\n");
    }
    report_raw(page, "</ul>\n");
}

report_promise report_promise_of(report_page *page, report_value root)
{
    bool holds = report_flag(page, report_member(page, root, "guarantee"), "holds");
    bool is_bracket = report_has(report_member(page, report_member(page, root, "result"), "lower"));
    if (report_flag(page, report_member(page, root, "truth"), "contradicts"))
        return REPORT_CONTRADICTED;
    return holds ? REPORT_KEPT : is_bracket ? REPORT_WEAKER : REPORT_NONE;
}

const char *report_reason(const char *statement)
{
    static const char known[] = "no guarantee: ";
    bool is_said = statement != NULL && strncmp(statement, known, sizeof known - 1) == 0;
    return is_said ? statement + sizeof known - 1 : statement;
}

void report_sentence(report_page *page, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    char first[2] = {text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : '\0', '\0'};
    report_raw(page, "<p class=\"statement\">");
    report_raw(page, first);
    report_put(page, *first != '\0' ? text + 1 : text);
    report_raw(page, ".</p>\n");
}
