/* SPDX-License-Identifier: MIT */
/* What a chart shows of its data: series of each kind, axes, lines across, the legend. */
#include "chart_scene.h"

static void assert_line(const drawing_series *series, const char *style, const double (*points)[3],
                        size_t wanted)
{
    drawing_chart chart = ten(series, 1);
    char *text = draw(&chart);
    scene *s = read_scene(text);
    const path *line = find_path(s, style, 0);
    assert_int_equal(line->count, wanted);
    for (size_t i = 0; i < wanted; i++) {
        spot at = s->spots[line->first + i];
        assert_true(is_at(find_paper(s), at, points[i][0], points[i][1]));
        assert_int_equal(at.is_begin, points[i][2] != 0);
    }
    free_scene(s);
    free(text);
}

static void curves_go_through_their_points(void **test)
{
    (void)test;
    const double x[] = {1, 2, 3, 4, 5, 20, 6, 7}, y[] = {1, 5, 2, NAN, 4, 4, INFINITY, 3};
    drawing_series series = {.x = x, .y = y, .count = 8, .plain = true};
    assert_line(
        &series, "opac-line",
        (const double[][3]){{1, 1, 1}, {2, 5}, {3, 2}, {5, 4, 1}, {10, 4}, {7, 3, 1}, {7, 3}},
        7); /* cut at the edge; a dot at the end */
    series.kind = DRAWING_STAIRS;
    series.count = 3;
    assert_line(&series, "opac-line",
                (const double[][3]){{1, 1, 1}, {2, 1}, {2, 5}, {3, 5}, {3, 2}}, 5);
    const double slope[] = {-5, 15};
    series = (drawing_series){.x = slope, .y = slope, .count = 2};
    assert_line(&series, "opac-line", (const double[][3]){{0, 0, 1}, {10, 10}}, 2);
    const double above[] = {11, 12};
    series.y = above;
    assert_line(&series, "opac-line", NULL, 0);
}

static void bands_are_between(void **test)
{
    (void)test;
    const double x[] = {-2, 2, 4, 6, 8}, y[] = {1, 3, NAN, 6, 4}, y2[] = {5, 7, 4, -INFINITY, 9};
    drawing_series series = {.kind = DRAWING_BAND, .x = x, .y = y, .y2 = y2, .count = 5};
    assert_line(
        &series, "opac-band",
        (const double[][3]){{0, 6, 1}, {2, 7}, {2, 3}, {0, 2}, {6, 6, 1}, {8, 9}, {8, 4}, {6, 0}},
        8);
}

/* Whose lengths are compared: they begin at zero, however far that is. */
static void bars_begin_at_zero(void **test)
{
    (void)test;
    const double x[] = {1, 2}, y[] = {100, 101};
    drawing_series series = {.kind = DRAWING_BARS, .x = x, .y = y, .count = 2};
    drawing_chart chart = {.series = &series, .series_count = 1};
    char *text = draw(&chart);
    scene *s = read_scene(text);
    double bottom = find_paper(s).bottom, length[2];
    for (size_t i = 0; i < 2; i++) {
        const spot *block = s->spots + find_path(s, "opac-block", i)->first;
        assert_true(fabs(block[2].y - bottom) < 0.15);
        length[i] = bottom - block[0].y;
    }
    assert_true(fabs(length[0] / length[1] - 100 / 101.0) < 0.002);
    free_scene(s);
    free(text);
}

static void boxes_show_quartiles(void **test)
{
    (void)test;
    const double x[] = {5, 5, 5, 5, 5, 5}, y[] = {9, 1, 4, 2, 6, NAN}; /* 1 2 4 6 9 */
    drawing_series series = {.kind = DRAWING_BOXES, .x = x, .y = y, .count = 6};
    drawing_chart chart = ten(&series, 1);
    char *text = draw(&chart);
    scene *s = read_scene(text);
    paper p = find_paper(s);
    const spot *box = s->spots + find_path(s, "opac-block", 0)->first;
    const spot *median = s->spots + find_path(s, "opac-median", 0)->first;
    const spot *whisker = s->spots + find_path(s, "opac-thin", 0)->first;
    double half = (box[1].x - box[0].x) / 2 / (p.right - p.left) * 10;
    assert_true(is_at(p, box[0], 5 - half, 6) && is_at(p, box[2], 5 + half, 2));
    assert_true(is_at(p, median[0], 5 - half, 4) && is_at(p, median[1], 5 + half, 4));
    assert_true(is_at(p, whisker[0], 5, 2) && is_at(p, whisker[1], 5, 1));
    assert_true(is_at(p, whisker[2], 5 - half / 2, 1) && is_at(p, whisker[3], 5 + half / 2, 1));
    assert_true(is_at(p, whisker[4], 5, 6) && is_at(p, whisker[5], 5, 9));
    free_scene(s);
    free(text);
}

static void bars_stand_side_by_side(void **test)
{
    (void)test;
    const double x[] = {2, 4, 6}, y[] = {4, -5, 12};
    drawing_series series[3];
    for (int i = 0; i < 3; i++)
        series[i] = (drawing_series){.kind = DRAWING_BARS, .x = x, .y = y, .count = 3};
    drawing_chart chart = ten(series, 3);
    chart.y.low = -10;
    char *text = draw(&chart);
    scene *s = read_scene(text);
    paper p = find_paper(s);
    double zero = (p.top + p.bottom) / 2, ten_up = p.top - zero;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            const spot *bar = s->spots + find_path(s, "opac-block", 3 * k + i)->first;
            double end = zero + ten_up * fmin(y[i], 10) / 10;
            assert_true(fabs(bar[0].y - fmin(end, zero)) < 0.15);
            assert_true(fabs(bar[2].y - fmax(end, zero)) < 0.15);
            double middle = p.left + (p.right - p.left) * x[i] / 10;
            assert_true(k != 1 || fabs((bar[0].x + bar[1].x) / 2 - middle) < 0.15);
            if (k > 0) /* right of its sister, and all in the middle of the place */
                assert_true(bar[0].x >=
                            s->spots[find_path(s, "opac-block", 3 * k - 3 + i)->first + 1].x);
        }
    assert_int_equal(count(text, "class=\"opac-hatch\""), 3); /* of the second series */
    free_scene(s);
    free(text);
}

/* A point that stands for several has their area; one that stands for none is not there. */
static void areas_are_numbers(void **test)
{
    (void)test;
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {5, 5, 5, 5, 5, 5};
    static const double weight[] = {1, 4, 9, 0, NAN, -1};
    drawing_series series = {
        .kind = DRAWING_POINTS, .x = x, .y = y, .weight = weight, .count = 6, .name = "one"};
    drawing_chart chart = ten(&series, 1);
    char *text = draw(&chart);
    scene *s = read_scene(text);
    paper p = find_paper(s);
    const path *dots = find_path(s, "opac-full", 0);
    double radius[3];
    size_t found = 0;
    for (size_t i = 0; i + 1 < dots->count; i++) {
        const spot *at = &s->spots[dots->first + i];
        if (!at->is_begin || found == 3)
            continue;
        double left = p.left + (p.right - p.left) * x[found] / 10;
        assert_true(fabs(at->x - left) < 0.06);
        assert_true(fabs(at->y - (p.top + p.bottom) / 2) < 0.06);
        radius[found++] = at->x - at[1].x; /* to the circle's left end */
    }
    assert_int_equal(found, 3);
    assert_true(fabs(radius[0] - DRAWING_UNIT_RADIUS) < 0.06);
    assert_true(fabs(radius[1] - 2 * DRAWING_UNIT_RADIUS) < 0.06);
    assert_true(fabs(radius[2] - 3 * DRAWING_UNIT_RADIUS) < 0.06);
    free_scene(s);
    free(text);
}

/* Twenty values that differ little: none hides another, and none is moved up or down. */
static void strips_show_all_values(void **test)
{
    (void)test;
    uint64_t state = random_seed(8);
    double x[40], y[40];
    for (int i = 0; i < 40; i++) {
        x[i] = i < 20 ? 3 : 7;
        y[i] = 5 + 0.6 * unit(&state);
    }
    drawing_series series = {.kind = DRAWING_STRIP, .x = x, .y = y, .count = 40};
    drawing_chart chart = ten(&series, 1);
    char *text = draw(&chart);
    scene *s = read_scene(text);
    paper p = find_paper(s);
    spot found[40];
    size_t markers = 0;
    for (size_t i = 0; i < 2; i++) {
        const path *dots = find_path(s, "opac-full opac-strip", i);
        for (size_t k = 0; k < dots->count; k++)
            if (s->spots[dots->first + k].is_begin)
                found[markers++] = s->spots[dots->first + k];
    }
    assert_int_equal(markers, 40);
    for (size_t i = 0; i < 40; i++) {
        size_t twins = 0;
        for (size_t k = 0; k < 40; k++) {
            assert_true(i == k || hypot(found[i].x - found[k].x, found[i].y - found[k].y) > 5.7);
            twins += fabs(found[i].y - (p.bottom - (p.bottom - p.top) * y[k] / 10)) < 0.06;
        }
        assert_true(twins > 0);
    }
    free_scene(s);
    free(text);
}

static void axes_name_what_they_show(void **test)
{
    (void)test;
    static const char *const names[] = {"north", "a name that has no room beside its neighbours",
                                        "west", "another such name, as long as it can be", "x"};
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 10, 100, 1e4, 1e6};
    drawing_series series = {.kind = DRAWING_BARS, .x = x, .y = y, .count = 5};
    drawing_chart chart = {.title = "T",
                           .description = "D",
                           .x = {.label = "X", .names = names, .name_count = 5},
                           .y = {.label = "Y", .scale = DRAWING_LOG},
                           .series = &series,
                           .series_count = 1};
    char *text = draw(&chart);
    assert_non_null(strstr(text, "role=\"img\""));
    assert_non_null(strstr(text, "<title>T</title>\n<desc>D</desc>"));
    assert_non_null(strstr(text, ">X</text>"));
    assert_non_null(strstr(text, "rotate(-90)\">Y</text>"));
    assert_non_null(strstr(text, ">north</text>"));
    assert_int_equal(count(text, "rotate(-30"), 5);
    assert_non_null(strstr(text, ">10<tspan class=\"opac-power\" dy=\"-5\">6</tspan></text>"));
    free(text);
    chart.x.name_count = 1;
    chart.title = NULL;
    text = draw(&chart);
    assert_int_equal(count(text, "rotate(-30"), 0);
    assert_int_equal(count(text, "opac-heading"), 1); /* the style alone */
    free(text);
}

/* Both edges of a band, rules and all series are in sight; wide pictures have more ticks. */
static void axes_reach_all_data(void **test)
{
    (void)test;
    const double x[] = {1, 800}, y[] = {1, 2}, y2[] = {50, 900};
    drawing_series series = {.kind = DRAWING_BAND, .x = x, .y = y, .y2 = y2, .count = 2};
    drawing_chart chart = {.series = &series, .series_count = 1, .width = 240};
    char *narrow = draw(&chart);
    assert_int_equal(count(narrow, ">800</text>"), 2); /* along x, and up */
    chart.width = 1000;
    char *wide = draw(&chart);
    assert_true(count(wide, "</text>") > count(narrow, "</text>") + 2);
    free(narrow);
    free(wide);
    series.kind = DRAWING_CURVE; /* which has no second edge */
    char *text = draw(&chart);
    assert_int_equal(count(text, ">800</text>"), 1);
    free(text);
}

static void rules_are_drawn_and_named(void **test)
{
    (void)test;
    drawing_rule rules[] = {
        {.at = 5, .label = "level"},    {.vertical = true, .at = 2, .label = "up"},
        {.at = 11, .label = "beyond"},  {.at = NAN, .label = "nowhere"},
        {.at = 5.01, .label = "close"}, {.at = 4}};
    drawing_chart chart = ten(NULL, 0);
    chart.rules = rules;
    chart.rule_count = 6;
    char *text = draw(&chart);
    scene *s = read_scene(text);
    paper p = find_paper(s);
    const spot *level = s->spots + find_path(s, "opac-rule", 0)->first;
    const spot *up = s->spots + find_path(s, "opac-rule", 1)->first;
    assert_true(is_at(p, level[0], 0, 5) && is_at(p, level[1], 10, 5));
    assert_true(is_at(p, up[0], 2, 10) && is_at(p, up[1], 2, 0));
    assert_int_equal(count(text, "class=\"opac-rule\""), 4);
    assert_int_equal(s->note_count, 3);
    assert_int_equal(count(text, "beyond"), 0);
    assert_int_equal(count(text, ">close<"), 2); /* as a title, too */
    assert_within(s);
    free_scene(s);
    free(text);
    /* An axis without ends of its own reaches them. */
    chart = (drawing_chart){.rules = rules, .rule_count = 3};
    text = draw(&chart);
    assert_non_null(strstr(text, ">beyond<"));
    free(text);
}

static void series_differ_without_colours(void **test)
{
    (void)test;
    const double x[] = {1, 2}, y[] = {1, 2};
    drawing_series series[8];
    drawing_chart chart = {.series = series, .series_count = 8};
    for (int i = 0; i < 8; i++)
        series[i] = (drawing_series){.x = x, .y = y, .count = 2};
    char *text = draw(&chart), *markers[8];
    const char *at = strstr(text, "</style>");
    for (int i = 0; i < 8; i++) {
        char word[64];
        snprintf(word, sizeof word, "<g class=\"opac-c%d opac-d%d\">", i, i);
        at = strstr(at, word);
        assert_non_null(at);
        /* The style and the shape behind the marker's place. */
        const char *shape = strchr(strstr(at, "opac-line\""), '\n') + 1;
        size_t style = strcspn(shape, "M"), place = strcspn(shape + style, "mz");
        size_t rest = strcspn(shape + style + place, "M");
        markers[i] = calloc(1, style + rest + 1);
        memcpy(markers[i], shape, style);
        memcpy(markers[i] + style, shape + style + place, rest);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(markers[k], markers[i]);
        if (i > 0) {
            snprintf(word, sizeof word, ".opac-d%d .opac-line{stroke-dasharray:", i);
            assert_non_null(strstr(text, word));
        }
    }
    for (int i = 0; i < 8; i++)
        free(markers[i]);
    free(text);
}

/* A sample of each, in the order of the series; nameless ones are left out. */
static void legends_show_what_is_drawn(void **test)
{
    (void)test;
    static const struct {
        drawing_series_kind kind;
        const char *name, *parts; /* what the sample is made of */
    } cases[] = {
        {DRAWING_CURVE, "curve", "opac-line\" opac-full\""},
        {DRAWING_STAIRS, "stairs", "opac-line\""},
        {DRAWING_POINTS, "points", "opac-full\""},
        {DRAWING_STRIP, NULL, NULL},
        {DRAWING_BAND, "band", "opac-band\""},
        {DRAWING_BARS, "bars", "opac-block\" opac-hatch\""},
        {DRAWING_BOXES, "boxes", "opac-block\""},
    };
    const double x[] = {0, 1, 2}, y[] = {1, 1, 1};
    drawing_series series[7];
    drawing_chart chart = {.y = {.low = 0, .high = 10}, .series = series, .series_count = 7};
    for (size_t i = 0; i < 7; i++)
        series[i] = (drawing_series){
            .name = cases[i].name, .kind = cases[i].kind, .x = x, .y = y, .y2 = y, .count = 3};
    char *text = draw(&chart);
    assert_non_null(strstr(text, "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z\""));
    const char *at = strstr(text, "<rect class=\"opac-legend\"");
    assert_non_null(at);
    for (size_t i = 0; i < 7; i++) {
        char parts[128] = "", wanted[32];
        if (cases[i].name == NULL)
            continue;
        const char *begin = strstr(at, "<g class=");
        const char *end = strstr(at, "</g>");
        assert_true(begin != NULL && end != NULL);
        for (at = begin; (at = strstr(at, "<path class=\"")) != NULL && at < end;) {
            at += strlen("<path class=\"");
            snprintf(parts + strlen(parts), 32, "%s%.*s", parts[0] != '\0' ? " " : "",
                     (int)strcspn(at, "\"") + 1, at);
        }
        assert_string_equal(parts, cases[i].parts);
        at = strstr(end, "<text");
        snprintf(wanted, sizeof wanted, ">%s</text>", cases[i].name);
        assert_memory_equal(strchr(at, '>'), wanted, strlen(wanted));
    }
    assert_null(strstr(at, "<g class="));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_go_through_their_points),
        cmocka_unit_test(bands_are_between),
        cmocka_unit_test(bars_begin_at_zero),
        cmocka_unit_test(boxes_show_quartiles),
        cmocka_unit_test(bars_stand_side_by_side),
        cmocka_unit_test(areas_are_numbers),
        cmocka_unit_test(strips_show_all_values),
        cmocka_unit_test(axes_name_what_they_show),
        cmocka_unit_test(axes_reach_all_data),
        cmocka_unit_test(rules_are_drawn_and_named),
        cmocka_unit_test(series_differ_without_colours),
        cmocka_unit_test(legends_show_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
