/* SPDX-License-Identifier: MIT */
/* Several results beside each other: what was asked, what was found, and at what cost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/chart.h"
#include "report/sections.h"

/* What all results have in common stands above the table, not in it. */
typedef struct overview {
    report_page *page;
    const report_result *results;
    size_t count;
    const char *model, *objective; /* NULL: they differ, or there is none */
    bool has_steps, has_time;      /* some result does */
} overview;

static const char *input_of(report_page *page, const report_result *result, const char *name)
{
    page->at = result;
    return report_text(page, report_member(page, result->root, "inputs"), name);
}

static const char *find_common(const overview *o, const char *name)
{
    const char *common = input_of(o->page, &o->results[0], name);
    for (size_t i = 1; i < o->count && common != NULL; i++) {
        const char *other = input_of(o->page, &o->results[i], name);
        if (other == NULL || strcmp(other, common) != 0)
            common = NULL;
    }
    return common;
}

/* What sets one result apart from another of the same question: "T = 306". */
static void put_way(report_page *page, report_value params)
{
    static const char *const names[] = {"T", "pmin", "graph"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        report_value member = report_member(page, params, names[i]);
        if (!report_has(member))
            continue;
        report_print(page, ", %s = ", names[i]);
        report_put_value(page, member);
    }
    if (report_flag(page, params, "exact"))
        report_raw(page, ", exact");
}

/* Of result; of many runs, there is none. */
static void write_numbers(report_page *page, report_value root)
{
    report_value found = report_member(page, root, "result");
    double value = report_number(page, found, "value");
    double lower = report_number(page, found, "lower"), upper = report_number(page, found, "upper");
    const char *exact = report_text(page, found, "exact");
    report_raw(page, "<td class=\"number\">");
    if (exact != NULL)
        report_put(page, exact);
    else if (!isnan(value))
        report_put_glance(page, value, REPORT_NEAREST);
    report_raw(page, "</td><td class=\"bounds\">");
    if (!isnan(lower) && !isnan(upper))
        report_put_interval(page, lower, upper);
    report_scale(page, value, lower, upper);
    report_raw(page, "</td>");
}

static void write_verdict(report_page *page, report_value root)
{
    static const char *const promises[] = {"&#10003; holds", "&#10007; less than asked for",
                                           "&#10007; none", "&#10007; contradicted"};
    report_value guarantee = report_member(page, root, "guarantee");
    report_value found = report_member(page, root, "result");
    report_value summary = report_member(page, root, "summary");
    const char *verdict = report_text(page, found, "verdict");
    report_raw(page, "<td>");
    if (report_has(guarantee))
        report_raw(page, promises[report_promise_of(page, root)]);
    else if (report_has(summary)) {
        report_put_value(page, report_member(page, summary, "holds"));
        report_raw(page, " of ");
        report_put_value(page, report_member(page, summary, "runs"));
        report_raw(page, " runs");
    } else if (verdict != NULL)
        report_put(page, verdict);
    else if (report_flag(page, found, "is_bound"))
        report_raw(page, report_is(page, found, "bound", "upper") ? "computed, an upper bound"
                                                                  : "computed, a lower bound");
    else if (report_has(report_member(page, found, "value")))
        report_raw(page, "computed");
    report_raw(page, "</td>");
}

static report_value steps_of(report_page *page, report_value root)
{
    return report_member(page, report_member(page, root, "stats"), "steps");
}

/* NAN: it does not say. */
static double seconds_of(report_page *page, report_value root)
{
    report_value stats = report_member(page, root, "stats");
    double seconds = report_number(page, stats, "seconds");
    return isnan(seconds) ? report_number(page, stats, "milliseconds") / 1000 : seconds;
}

static void write_costs(const overview *o, report_value root)
{
    report_page *page = o->page;
    report_value steps = steps_of(page, root);
    double seconds = seconds_of(page, root);
    report_raw(page, o->has_steps ? "<td class=\"number\">" : "");
    if (report_has(steps))
        report_put_value(page, steps);
    report_raw(page, o->has_steps ? "</td>" : "");
    report_raw(page, o->has_time ? "<td class=\"number\">" : "");
    if (!isnan(seconds))
        report_put_duration(page, seconds);
    report_raw(page, o->has_time ? "</td>" : "");
}

/* A file by its name alone; where it is, for who points at it. */
static void put_model(report_page *page, const char *model)
{
    const char *name = strrchr(model, '/');
    bool is_file = name != NULL && name[1] != '\0' && strchr(model, ':') == NULL;
    report_raw(page, "<td class=\"of\" title=\"");
    report_put(page, model);
    report_raw(page, "\">");
    report_put(page, is_file ? name + 1 : model);
    report_raw(page, "</td>");
}

/* An objective, the only one of its result or one of several ("2.1"). */
typedef struct row {
    size_t result, part; /* from 1; part 0: it is the only one */
    report_value found;  /* what has its value */
    const char *objective;
} row;

static void write_row(const overview *o, const row *r)
{
    report_page *page = o->page;
    const report_result *result = &o->results[r->result - 1];
    const char *model = input_of(page, result, "model");
    report_print(page, "<tr><td>%zu", r->result);
    if (r->part > 0)
        report_print(page, ".%zu", r->part);
    report_print(page, "</td><td><a href=\"#r%zu\">", r->result);
    report_put(page, result->command);
    put_way(page, report_member(page, result->root, "params"));
    report_raw(page, "</a></td>");
    if (o->model == NULL)
        put_model(page, model != NULL ? model : result->file);
    if (o->objective == NULL) {
        report_raw(page, "<td class=\"of\">");
        if (r->objective != NULL)
            report_code(page, r->objective);
        report_raw(page, "</td>");
    }
    write_numbers(page, r->found);
    write_verdict(page, r->found);
    write_costs(o, r->found);
    report_raw(page, "</tr>\n");
}

static void write_rows(const overview *o, size_t index)
{
    report_page *page = o->page;
    const report_result *result = &o->results[index];
    report_value parts = report_member(page, result->root, "results");
    size_t count = report_length(page, parts);
    row r = {.result = index + 1, .found = result->root};
    r.objective = input_of(page, result, "objective");
    if (r.objective == NULL)
        r.objective = input_of(page, result, "formula");
    if (count == 0)
        write_row(o, &r);
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        r.part = i + 1;
        r.found = report_item(page, parts, i);
        r.objective = report_text(page, report_member(page, r.found, "inputs"), "objective");
        write_row(o, &r);
    }
}

/* What no result has needs no column. */
static void find_columns(overview *o)
{
    report_page *page = o->page;
    for (size_t i = 0; i < o->count && !report_failed(page); i++) {
        page->at = &o->results[i];
        report_value root = o->results[i].root, parts = report_member(page, root, "results");
        o->has_steps |= report_has(steps_of(page, root));
        o->has_time |= !isnan(seconds_of(page, root));
        for (size_t k = 0; k < report_length(page, parts) && !report_failed(page); k++) {
            report_value part = report_item(page, parts, k);
            o->has_steps |= report_has(steps_of(page, part));
            o->has_time |= !isnan(seconds_of(page, part));
        }
    }
}

/* How many steps each took, if several have taken any. */
static void draw_steps(report_page *page, const report_result *results, size_t count)
{
    enum {
        MOST = 30,
        NAME = 24
    };
    double x[MOST], y[MOST];
    char texts[MOST][NAME];
    const char *names[MOST];
    size_t used = 0;
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        page->at = &results[i];
        double steps = report_number(page, report_member(page, results[i].root, "stats"), "steps");
        if (!isfinite(steps) || used == MOST)
            continue;
        snprintf(texts[used], NAME, "%zu", i + 1);
        names[used] = texts[used];
        x[used] = (double)used;
        y[used++] = steps;
    }
    if (used < 2 || report_failed(page))
        return;
    double least = y[0], most = y[0];
    for (size_t i = 1; i < used; i++) {
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    bool is_log = least > 0 && most / least > 100;
    drawing_series bars = {.kind = DRAWING_BARS, .x = x, .y = y, .count = used};
    drawing_chart chart = {.title = "Steps taken by each",
                           .x = {.label = "result", .names = names, .name_count = used},
                           .y = {.label = "steps",
                                 .low = is_log ? 1 : 0, /* bars have a length */
                                 .high = NAN,
                                 .scale = is_log ? DRAWING_LOG : DRAWING_LINEAR},
                           .series = &bars,
                           .series_count = 1,
                           .height = 300};
    report_raw(page, "<figure class=\"scroll\">\n");
    report_fail(page, drawing_chart_write(&chart, page->out, page->error));
    report_raw(page, "</figure>\n");
}

static void write_caption(const overview *o)
{
    report_page *page = o->page;
    report_raw(page, "<caption>All results");
    if (o->objective != NULL) {
        report_raw(page, " for ");
        report_code(page, o->objective);
    }
    if (o->model != NULL) {
        report_raw(page, " in ");
        report_code(page, o->model);
    }
    report_raw(page, "</caption>");
}

/* The title of the column of sources. */
static const char *source_of(const overview *o)
{
    size_t simulated = 0;
    for (size_t i = 0; i < o->count; i++)
        simulated += report_is_simulated(o->page, &o->results[i]) ? 1 : 0;
    return simulated == 0 ? "model" : simulated == o->count ? "simulator" : "model or simulator";
}

void report_overview(report_page *page, const report_result *results, size_t count)
{
    overview o = {.page = page, .results = results, .count = count};
    o.model = find_common(&o, "model");
    o.objective = find_common(&o, "objective");
    find_columns(&o);
    report_raw(page, "<nav class=\"contents\" aria-label=\"Results\"><div class=\"scroll\" "
                     "tabindex=\"0\" role=\"region\" aria-label=\"Overview\">"
                     "<table class=\"data overview\" id=\"overview\">");
    write_caption(&o);
    report_raw(page, "<thead><tr><th scope=\"col\">#</th><th scope=\"col\">result</th>");
    if (o.model == NULL)
        report_print(page, "<th scope=\"col\">%s</th>", source_of(&o));
    if (o.objective == NULL)
        report_raw(page, "<th scope=\"col\">objective</th>");
    report_raw(page, "<th scope=\"col\">value</th><th scope=\"col\">bounds</th>"
                     "<th scope=\"col\">guarantee</th>");
    report_raw(page, o.has_steps ? "<th scope=\"col\">steps</th>" : "");
    report_raw(page, o.has_time ? "<th scope=\"col\">time</th>" : "");
    report_raw(page, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count && !report_failed(page); i++)
        write_rows(&o, i);
    report_raw(page, "</tbody></table></div></nav>\n");
    draw_steps(page, results, count);
}
