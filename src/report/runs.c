/* SPDX-License-Identifier: MIT */
/* learn --runs: many runs of one question, one line each, and then what they have in common. */
#include <math.h>

#include "drawing/chart.h"
#include "report/sections.h"

/* Numbers of the runs, by column; NAN where there is none. */
typedef struct runs {
    report_page *page;
    const report_result *results;
    size_t count; /* without the summary */
    double *place, *value, *truth, *steps;
} runs;

static bool read_runs(runs *r)
{
    report_page *page = r->page;
    double **columns[] = {&r->place, &r->value, &r->truth, &r->steps};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        *columns[k] = base_arena_alloc_zeroed(&page->arena, r->count + 1, sizeof **columns[k]);
        if (*columns[k] == NULL)
            report_fail(page, base_fail_memory(page->error));
    }
    for (size_t i = 0; i < r->count && !report_failed(page); i++) {
        report_value root = r->results[i].root;
        page->at = &r->results[i];
        r->value[i] = report_number(page, report_member(page, root, "result"), "value");
        r->truth[i] = report_number(page, report_member(page, root, "truth"), "policy");
        r->steps[i] = report_number(page, report_member(page, root, "stats"), "steps");
    }
    return !report_failed(page);
}

/* ---- charts ---- */

static void draw(report_page *page, const drawing_chart *chart)
{
    if (report_failed(page))
        return;
    report_raw(page, "<figure class=\"scroll\">\n");
    report_fail(page, drawing_chart_write(chart, page->out, page->error));
    report_raw(page, "</figure>\n");
}

/* The part of the scale that has the values, if they are close to each other; else all of it. */
static drawing_axis value_axis(const runs *r, double optimum)
{
    double low = 1, high = 0;
    for (size_t i = 0; i < r->count; i++) {
        low = fmin(low, fmin(r->value[i], r->truth[i])); /* NAN counts for nothing */
        high = fmax(high, fmax(r->value[i], r->truth[i]));
    }
    low = fmin(low, optimum);
    high = fmax(high, optimum);
    double span = high - low;
    if (!(span > 0 && span < 0.2))
        return (drawing_axis){.label = "probability", .low = 0, .high = 1};
    return (drawing_axis){.label = "probability (enlarged)",
                          .low = fmax(0, low - span / 2),
                          .high = fmin(1, high + span / 2)};
}

static void draw_values(const runs *r, double optimum)
{
    static const char *const names[] = {"value that was learned", "true probability"};
    double *ones = base_arena_alloc(&r->page->arena, r->count + 1, sizeof *ones);
    if (ones == NULL) {
        report_fail(r->page, base_fail_memory(r->page->error));
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        ones[i] = 1;
    drawing_series series[] = {
        {.kind = DRAWING_STRIP, .x = r->place, .y = r->value, .count = r->count},
        {.kind = DRAWING_STRIP, .x = ones, .y = r->truth, .count = r->count}};
    drawing_rule best = {.at = optimum, .label = "best"};
    drawing_chart chart = {.title = "Values of all runs",
                           .x = {.names = names, .name_count = 2},
                           .y = value_axis(r, optimum),
                           .series = series,
                           .series_count = 2,
                           .rules = &best,
                           .rule_count = isfinite(optimum) ? 1 : 0,
                           .height = 320};
    draw(r->page, &chart);
}

static void draw_steps(const runs *r)
{
    static const char *const names[] = {"runs"};
    drawing_series series[] = {
        {.name = "quartiles",
         .kind = DRAWING_BOXES,
         .x = r->place,
         .y = r->steps,
         .count = r->count},
        {.name = "a run", .kind = DRAWING_STRIP, .x = r->place, .y = r->steps, .count = r->count}};
    drawing_chart chart = {.title = "Steps of all runs",
                           .x = {.names = names, .name_count = 1},
                           .y = {.label = "steps"},
                           .series = series,
                           .series_count = 2,
                           .height = 320};
    draw(r->page, &chart);
}

/* ---- tables ---- */

static void write_run(const runs *r, size_t index)
{
    report_page *page = r->page;
    page->at = &r->results[index];
    report_value root = page->at->root;
    report_value found = report_member(page, root, "result");
    report_value guarantee = report_member(page, root, "guarantee");
    report_value stats = report_member(page, root, "stats");
    report_value cells[] = {report_member(page, root, "seed"),
                            report_member(page, found, "value"),
                            report_member(page, found, "lower"),
                            report_member(page, found, "upper"),
                            report_member(page, guarantee, "error"),
                            report_member(page, report_member(page, root, "truth"), "policy"),
                            report_member(page, stats, "steps"),
                            report_member(page, stats, "samples")};
    static const char *const promises[] = {"&#10003; holds", "&#10007; less than asked for",
                                           "&#10007; no guarantee", "&#10007; contradicted"};
    report_promise promise = report_promise_of(page, root);
    report_raw(page, "<tr>");
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !report_failed(page); i++) {
        report_raw(page, "<td class=\"number\">");
        if (report_has(cells[i])) /* lower and error are promised */
            report_put_number_value(page, cells[i],
                                    i == 2             ? REPORT_DOWN
                                    : i == 3 || i == 4 ? REPORT_UP
                                                       : REPORT_NEAREST);
        report_raw(page, "</td>");
    }
    report_print(page, "<td>%s</td></tr>\n", promises[promise]);
}

static void write_table(const runs *r)
{
    report_page *page = r->page;
    report_print(page,
                 "<details><summary>All %zu runs as a table</summary>\n<div class=\"scroll\" "
                 "tabindex=\"0\" role=\"region\" aria-label=\"Runs\"><table class=\"data\" "
                 "id=\"r%u-runs\"><caption>The runs</caption>",
                 r->count, page->number);
    report_raw(page, "<thead><tr><th scope=\"col\">seed</th><th scope=\"col\">value</th>"
                     "<th scope=\"col\">lower</th><th scope=\"col\">upper</th>"
                     "<th scope=\"col\">error</th><th scope=\"col\">true probability</th>"
                     "<th scope=\"col\">steps</th><th scope=\"col\">samples</th>"
                     "<th scope=\"col\">guarantee</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->count && !report_failed(page); i++)
        write_run(r, i);
    report_raw(page, "</tbody></table></div></details>\n");
}

/* "19 of 20 policies are within the error that their run states." */
static void put_share(report_page *page, report_value summary, const char *part, const char *whole,
                      const char *words)
{
    report_value some = report_member(page, summary, part),
                 all = report_member(page, summary, whole);
    if (!report_has(some) || !report_has(all))
        return;
    report_raw(page, "<li>");
    report_put_value(page, some);
    report_raw(page, " of ");
    report_put_value(page, all);
    report_raw(page, words);
    report_raw(page, "</li>\n");
}

/* "0.847396 to 0.868550, on average 0.857301" */
static void put_range(report_page *page, const char *what, report_value least, report_value most,
                      report_value mean)
{
    if (!report_has(least) || !report_has(most))
        return;
    report_raw(page, "<tr><th scope=\"row\">");
    report_put(page, what);
    report_raw(page, "</th><td>");
    report_put_value(page, least);
    report_raw(page, " to ");
    report_put_value(page, most);
    if (report_has(mean)) {
        report_raw(page, ", on average ");
        report_put_value(page, mean);
    }
    report_raw(page, "</td></tr>\n");
}

static void put_numbers(report_page *page, report_value summary)
{
    static const char *const said[] = {"runs",     "holds",      "within",  "judged", "optimal",
                                       "brackets", "containing", "value",   "steps",  "mean_steps",
                                       "optimum",  "worst",      "refuted", NULL};
    report_value value = report_member(page, summary, "value");
    report_value steps = report_member(page, summary, "steps");
    size_t count = report_length(page, steps);
    report_facts(page);
    put_range(page, "values", report_member(page, value, "min"), report_member(page, value, "max"),
              report_member(page, value, "mean"));
    report_fact(page, "best probability, computed from the model",
                report_member(page, summary, "optimum"));
    report_fact(page, "distance of the worst policy from it",
                report_member(page, summary, "worst"));
    if (count == 5)
        put_range(page, "steps", report_item(page, steps, 0), report_item(page, steps, 4),
                  report_member(page, summary, "mean_steps"));
    report_fact(page, "runs that refuted what was assumed",
                report_member(page, summary, "refuted"));
    report_fact_members(page, summary, said);
    report_facts_end(page);
}

static void write_answer(const runs *r, report_value summary)
{
    report_page *page = r->page;
    report_section(page, "answer", "The answer");
    if (report_has(summary)) {
        report_raw(page, "<ul>\n");
        put_share(page, summary, "holds", "runs", " runs have earned the guarantee.");
        put_share(page, summary, "within", "judged",
                  " policies are within the error that their run states, by their true "
                  "probability.");
        put_share(page, summary, "optimal", "judged", " policies are optimal.");
        put_share(page, summary, "containing", "brackets",
                  " brackets contain the best probability.");
        report_raw(page, "</ul>\n");
        put_numbers(page, summary);
    } else
        report_raw(page, "<p>The summary is missing: the runs were perhaps not all written.</p>\n");
    draw_values(r, report_number(page, summary, "optimum"));
    draw_steps(r);
    write_table(r);
    report_section_end(page);
}

void report_runs(report_page *page, const report_result *results, size_t count)
{
    const report_result *last = &results[count - 1];
    page->at = last;
    report_value summary = report_member(page, last->root, "summary");
    bool has_summary = report_has(summary);
    runs r = {.page = page, .results = results, .count = count - (has_summary ? 1 : 0)};
    if (has_summary)
        report_question(page, last);
    if (!read_runs(&r))
        return;
    write_answer(&r, summary);
    page->at = last;
    report_parameters(page, last);
}
