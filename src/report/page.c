/* SPDX-License-Identifier: MIT */
/* Reading and writing that stop at the first mistake. */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

enum {
    MOST_DEPTH = 6,  /* of lists in lists that are shown */
    MOST_ITEMS = 200 /* of a list that is shown as one value */
};

void report_fail(report_page *page, opac_status status)
{
    if (page->status != OPAC_OK || status == OPAC_OK)
        return;
    page->status = status;
    page->wrong = page->at; /* sections go on to others, without reading them */
}

/* ---- reading ---- */

bool report_has(report_value value)
{
    return base_json_is_there(value) && base_json_kind_of(value) != BASE_JSON_NULL;
}

report_value report_member(report_page *page, report_value object, const char *name)
{
    report_value member = {0};
    if (report_failed(page) || !report_has(object))
        return (report_value){0};
    report_fail(page, base_json_optional(object, name, &member, page->error));
    return !report_failed(page) && report_has(member) ? member : (report_value){0};
}

const char *report_text(report_page *page, report_value object, const char *name)
{
    report_value member = report_member(page, object, name);
    const char *text = NULL;
    if (report_has(member))
        report_fail(page, base_json_string(member, &text, NULL, page->error));
    return report_failed(page) ? NULL : text;
}

static double number_of(report_page *page, report_value value)
{
    const char *text = "0";
    double number = 0;
    if (!report_has(value))
        return NAN;
    report_fail(page, base_json_number_text(value, &text, page->error));
    if (report_failed(page))
        return NAN;
    if (base_json_double(value, &number, NULL) == OPAC_OK)
        return number;
    return text[0] == '-' ? -INFINITY : INFINITY;
}

double report_number(report_page *page, report_value object, const char *name)
{
    return number_of(page, report_member(page, object, name));
}

bool report_flag(report_page *page, report_value object, const char *name)
{
    report_value member = report_member(page, object, name);
    bool flag = false;
    if (report_has(member))
        report_fail(page, base_json_bool(member, &flag, page->error));
    return flag && !report_failed(page);
}

size_t report_length(report_page *page, report_value array)
{
    size_t length = 0;
    if (report_failed(page) || !report_has(array))
        return 0;
    report_fail(page, base_json_length(array, &length, page->error));
    return report_failed(page) ? 0 : length;
}

report_value report_item(report_page *page, report_value array, size_t index)
{
    report_value item = {0};
    if (report_failed(page))
        return item;
    report_fail(page, base_json_at(array, index, &item, page->error));
    return report_failed(page) ? (report_value){0} : item;
}

bool report_is(report_page *page, report_value object, const char *name, const char *word)
{
    const char *text = report_text(page, object, name);
    return text != NULL && strcmp(text, word) == 0;
}

/* ---- writing ---- */

void report_raw(report_page *page, const char *html)
{
    if (!report_failed(page))
        opac_output_text(page->out, html);
}

void report_print(report_page *page, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report_raw(page, text);
}

void report_put(report_page *page, const char *text)
{
    if (!report_failed(page) && text != NULL)
        report_html_text(page->out, text);
}

void report_code(report_page *page, const char *text)
{
    report_raw(page, "<code>");
    report_put(page, text);
    report_raw(page, "</code>");
}

static void put_value(report_page *page, report_value value, unsigned depth);

static void put_list(report_page *page, report_value list, unsigned depth)
{
    size_t length = report_length(page, list);
    for (size_t i = 0; i < length && i < MOST_ITEMS && !report_failed(page); i++) {
        report_raw(page, i > 0 ? ", " : "");
        put_value(page, report_item(page, list, i), depth + 1);
    }
    if (length > MOST_ITEMS)
        report_raw(page, ", &hellip;");
}

static void put_members(report_page *page, report_value object, unsigned depth)
{
    report_value member = {0};
    for (size_t i = 0; base_json_next(object, &member) && i < MOST_ITEMS && !report_failed(page);
         i++) {
        report_raw(page, i > 0 ? ", " : "");
        report_put(page, member.key);
        report_raw(page, ": ");
        put_value(page, member, depth + 1);
    }
}

static void put_value(report_page *page, report_value value, unsigned depth)
{
    const char *text = "";
    bool flag = false;
    if (report_failed(page) || !report_has(value)) {
        report_raw(page, "none");
        return;
    }
    switch (base_json_kind_of(value)) {
    case BASE_JSON_STRING:
        report_fail(page, base_json_string(value, &text, NULL, page->error));
        report_put(page, text);
        break;
    case BASE_JSON_NUMBER:
        report_put_number_value(page, value, REPORT_NEAREST);
        break;
    case BASE_JSON_BOOL:
        report_fail(page, base_json_bool(value, &flag, page->error));
        report_raw(page, flag ? "yes" : "no");
        break;
    default:
        if (depth >= MOST_DEPTH)
            report_raw(page, "&hellip;");
        else if (base_json_kind_of(value) == BASE_JSON_ARRAY)
            put_list(page, value, depth);
        else
            put_members(page, value, depth);
    }
}

void report_put_value(report_page *page, report_value value)
{
    put_value(page, value, 0);
}

/* ---- pieces ---- */

void report_section(report_page *page, const char *name, const char *title)
{
    report_print(page, "<section class=\"%s\" id=\"r%u-%s\">\n<h%u>", name, page->number, name,
                 page->level);
    report_put(page, title);
    report_print(page, "</h%u>\n", page->level);
}

void report_heading(report_page *page, const char *text)
{
    report_print(page, "<h%u>", page->level + 1);
    report_put(page, text);
    report_print(page, "</h%u>\n", page->level + 1);
}

void report_section_end(report_page *page)
{
    report_raw(page, "</section>\n");
}

void report_facts(report_page *page)
{
    report_raw(page, "<div class=\"scroll\"><table class=\"facts\">\n<tbody>\n");
}

void report_facts_end(report_page *page)
{
    report_raw(page, "</tbody>\n</table></div>\n");
}

static void begin_fact(report_page *page, const char *what, bool is_number)
{
    report_raw(page, "<tr><th scope=\"row\">");
    report_put(page, what);
    report_raw(page, is_number ? "</th><td class=\"digits\">" : "</th><td>");
}

void report_fact(report_page *page, const char *what, report_value value)
{
    if (report_failed(page) || !report_has(value))
        return;
    begin_fact(page, what, base_json_kind_of(value) == BASE_JSON_NUMBER);
    report_put_value(page, value);
    report_raw(page, "</td></tr>\n");
}

void report_fact_bound(report_page *page, const char *what, report_value value, report_rounding how)
{
    if (report_failed(page) || !report_has(value))
        return;
    begin_fact(page, what, true);
    report_put_number_value(page, value, how);
    report_raw(page, "</td></tr>\n");
}

void report_fact_duration(report_page *page, const char *what, double seconds)
{
    begin_fact(page, what, true);
    report_put_duration(page, seconds);
    report_raw(page, "</td></tr>\n");
}

void report_fact_text(report_page *page, const char *what, const char *text)
{
    if (text == NULL)
        return;
    begin_fact(page, what, false);
    report_put(page, text);
    report_raw(page, "</td></tr>\n");
}
