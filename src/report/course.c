/* SPDX-License-Identifier: MIT */
/* How a learner got there: what it knew, and what it believed, against the steps that it took. */
#include <math.h>

#include "drawing/chart.h"
#include "report/sections.h"

enum {
    MOST_ENTRIES = 20000 /* of a trace that are drawn */
};

/* The columns of a trace, one number an entry; NAN where there is none. */
typedef struct course {
    report_page *page;
    size_t count;
    double *step, *known, *value, *lower, *upper, *truth;
    double *edge_step, *edge_lower, *edge_upper; /* twice as many: the bracket as stairs */
    bool has_bracket, has_truth;
    bool is_refuted;      /* what was assumed: then a bracket promises nothing */
    bool is_contradicted; /* by what the model says */
    bool has_value;       /* which is not the lower end of the bracket throughout */
    double optimum;
} course;

static double *new_column(report_page *page, size_t count)
{
    double *column = base_arena_alloc_zeroed(&page->arena, count, sizeof *column);
    if (column == NULL)
        report_fail(page, base_fail_memory(page->error));
    return column;
}

/* An entry is made when the policy changes: the last one holds until the run ends. */
static void read_end(course *c, report_value stats)
{
    double steps = report_number(c->page, stats, "steps");
    double known = report_number(c->page, stats, "known");
    size_t last = c->count - 1;
    if (report_failed(c->page) || !(steps > c->step[last]) || !isfinite(steps))
        return;
    double *columns[] = {c->step, c->known, c->value, c->lower, c->upper, c->truth};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        columns[k][c->count] = columns[k][last];
    c->step[c->count] = steps;
    if (isfinite(known))
        c->known[c->count] = known;
    c->count++;
}

/* The columns have room for one entry more. */
static void read_trace(course *c, report_value trace)
{
    report_page *page = c->page;
    double **columns[] = {&c->step, &c->known, &c->value, &c->lower, &c->upper, &c->truth};
    static const char *const names[] = {"step", "known", "value", "lower", "upper", "truth"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        *columns[k] = new_column(page, c->count + 1);
    for (size_t i = 0; i < c->count && !report_failed(page); i++) {
        report_value entry = report_item(page, trace, i);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            (*columns[k])[i] = report_number(page, entry, names[k]);
        c->has_bracket |= isfinite(c->lower[i]) && isfinite(c->upper[i]);
        c->has_truth |= isfinite(c->truth[i]);
        c->has_value |= isfinite(c->value[i]) && c->value[i] != c->lower[i];
    }
}

/* A bracket holds until the next one. */
static void make_edges(course *c)
{
    double **edges[] = {&c->edge_step, &c->edge_lower, &c->edge_upper};
    for (size_t k = 0; k < 3; k++)
        *edges[k] = new_column(c->page, 2 * c->count);
    for (size_t i = 0; i < 2 * c->count && !report_failed(c->page); i++) {
        c->edge_step[i] = c->step[(i + 1) / 2 < c->count ? (i + 1) / 2 : c->count - 1];
        c->edge_lower[i] = c->lower[i / 2];
        c->edge_upper[i] = c->upper[i / 2];
    }
}

/* Steps grow over many magnitudes, or they do not. */
static drawing_axis step_axis(const course *c)
{
    double first = 0, last = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->step[i] > 0) {
            first = first > 0 ? first : c->step[i];
            last = c->step[i];
        }
    return (drawing_axis){.label = "steps",
                          .scale = first > 0 && last / first > 300 ? DRAWING_LOG : DRAWING_LINEAR};
}

static void draw(course *c, const drawing_chart *chart, const char *caption)
{
    report_page *page = c->page;
    if (report_failed(page))
        return;
    report_raw(page, "<figure class=\"scroll\">\n");
    report_fail(page, drawing_chart_write(chart, page->out, page->error));
    report_raw(page, "<figcaption>");
    report_raw(page, caption);
    report_raw(page, "</figcaption>\n</figure>\n");
}

static void draw_known(course *c)
{
    double most = 0;
    for (size_t i = 0; i < c->count; i++)
        most = fmax(most, c->known[i]);
    drawing_series known = {
        .kind = DRAWING_STAIRS, .x = c->step, .y = c->known, .count = c->count, .plain = true};
    drawing_chart chart = {.title = "Known pairs of state and action",
                           .description = "How many pairs of state and action were known, against "
                                          "the steps that were taken",
                           .x = step_axis(c),
                           .y = {.label = "known pairs", .low = 0, .high = most > 0 ? NAN : 1},
                           .series = &known,
                           .series_count = 1,
                           .height = 280};
    draw(c, &chart, "A pair is known when it was seen often enough.");
}

static const char *explain(const course *c)
{
    if (!c->has_bracket)
        return "Unknown pairs are taken for good ones: the value falls as they turn out not to be, "
               "and meets the truth in the end. It is a promise only when the run is done.";
    if (c->is_refuted)
        return "What was assumed is refuted: this bracket promises nothing, and may well miss the "
               "best probability.";
    if (c->is_contradicted)
        return "The model contradicts this bracket: something that "
               "was assumed is not so, or this is one of the runs that the confidence leaves.";
    return "The bracket contains the best probability, with the confidence that is stated, all "
           "along: its upper end is optimistic, its lower end is what the policy at hand is sure "
           "to have. It closes as samples come in.";
}

static void draw_values(course *c)
{
    drawing_series series[3];
    drawing_rule optimum = {.at = c->optimum, .label = "best (computed from the model)"};
    size_t count = 0;
    if (c->has_bracket)
        series[count++] = (drawing_series){.name = "bracket",
                                           .kind = DRAWING_BAND,
                                           .x = c->edge_step,
                                           .y = c->edge_lower,
                                           .y2 = c->edge_upper,
                                           .count = 2 * c->count};
    if (c->has_value)
        series[count++] = (drawing_series){.name = c->has_bracket ? "value of the policy"
                                                                  : "value in the learned model",
                                           .kind = DRAWING_STAIRS,
                                           .x = c->step,
                                           .y = c->value,
                                           .count = c->count,
                                           .plain = true};
    if (c->has_truth)
        series[count++] = (drawing_series){.name = "true probability of the policy",
                                           .kind = DRAWING_STAIRS,
                                           .x = c->step,
                                           .y = c->truth,
                                           .count = c->count,
                                           .plain = true};
    drawing_chart chart = {.title = "What was believed of the best policy",
                           .description = "The value of the policy at hand, against the steps that "
                                          "were taken",
                           .x = step_axis(c),
                           .y = {.label = "probability", .low = 0, .high = 1},
                           .series = series,
                           .series_count = count,
                           .rules = &optimum,
                           .rule_count = isfinite(c->optimum) ? 1 : 0,
                           .height = 320};
    draw(c, &chart, explain(c));
}

static void put_count(report_page *page, report_value stats, const char *name, const char *one,
                      const char *several)
{
    report_put_value(page, report_member(page, stats, name));
    report_raw(page, report_number(page, stats, name) == 1 ? one : several);
}

static void put_samples(report_page *page, report_value stats)
{
    report_raw(page, "<p>");
    put_count(page, stats, "samples", " sample that counts, in ", " samples that count, in ");
    put_count(page, stats, "steps", " step and ", " steps and ");
    put_count(page, stats, "episodes", " episode; ", " episodes; ");
    put_count(page, stats, "policies", " policy on the way.</p>\n", " policies on the way.</p>\n");
}

void report_course(report_page *page, const report_result *result)
{
    report_value trace = report_member(page, result->root, "trace");
    report_value stats = report_member(page, result->root, "stats");
    course c = {.page = page, .count = report_length(page, trace)};
    if (report_failed(page) || c.count == 0)
        return;
    c.count = c.count < MOST_ENTRIES ? c.count : MOST_ENTRIES;
    report_section(page, "course", "How it got there");
    put_samples(page, stats);
    c.optimum = report_number(page, report_member(page, result->root, "truth"), "optimum");
    c.is_refuted =
        report_has(report_member(page, report_member(page, result->root, "guarantee"), "refuted"));
    c.is_contradicted = report_promise_of(page, result->root) == REPORT_CONTRADICTED;
    read_trace(&c, trace);
    read_end(&c, stats);
    make_edges(&c);
    if (!report_failed(page) &&
        c.step[c.count - 1] != c.step[0]) { /* else there is nothing to see */
        draw_values(&c);
        draw_known(&c);
    }
    report_section_end(page);
}
