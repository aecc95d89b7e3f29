/* SPDX-License-Identifier: MIT */
/* A probability and its bounds, drawn on a scale from 0 to 1. */
#include <math.h>

#include "drawing/text.h"
#include "report/sections.h"

/* A place on the scale, in pixels. */
static void put_place(report_page *page, const char *name, double probability)
{
    report_print(page, " %s=\"", name);
    if (!report_failed(page))
        drawing_number_write(page->out, 10 + 400 * fmin(fmax(probability, 0), 1));
    report_raw(page, "\"");
}

static void scale_line(report_page *page, const char *style, double from, double to, int y1, int y2)
{
    report_print(page, "<line class=\"%s\"", style);
    put_place(page, "x1", from);
    put_place(page, "x2", to);
    report_print(page, " y1=\"%d\" y2=\"%d\"/>", y1, y2);
}

void report_scale(report_page *page, double value, double lower, double upper)
{
    bool has_bracket = isfinite(lower) && isfinite(upper);
    if (!isfinite(value) && !has_bracket)
        return;
    report_raw(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scale\" role=\"img\" "
                     "viewBox=\"0 0 420 44\" width=\"420\" height=\"44\"><title>");
    if (isfinite(value)) {
        report_put_rounded(page, value, REPORT_NEAREST);
        report_raw(page, has_bracket ? ", " : "");
    }
    if (has_bracket) {
        report_raw(page, "between ");
        report_put_rounded(page, lower, REPORT_DOWN);
        report_raw(page, " and ");
        report_put_rounded(page, upper, REPORT_UP);
    }
    report_raw(page, "</title>");
    scale_line(page, "scale-axis", 0, 1, 20, 20);
    for (int i = 0; i <= 4; i++)
        scale_line(page, "scale-axis", i / 4.0, i / 4.0, 15, 25);
    if (has_bracket) {
        scale_line(page, "scale-bracket", lower, upper, 20, 20);
        scale_line(page, "scale-end", lower, lower, 10, 30);
        scale_line(page, "scale-end", upper, upper, 10, 30);
    }
    if (isfinite(value)) {
        report_raw(page, "<circle class=\"scale-value\"");
        put_place(page, "cx", value);
        report_raw(page, " cy=\"20\" r=\"5\"/>");
    }
    report_raw(page, "<text x=\"10\" y=\"42\">0</text><text x=\"210\" y=\"42\">0.5</text>"
                     "<text x=\"410\" y=\"42\">1</text></svg>\n");
}
