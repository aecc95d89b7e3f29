/* SPDX-License-Identifier: MIT */
/* Charts as pictures: what is drawn is where it belongs, and nothing does harm. */
#include <math.h>

#include "drawing/chart_parts.h"
#include "support/faults.h"
#include "support/picture.h"
#include "support/random.h"
#include "svg.h"

static double unit(uint64_t *state)
{
    return (double)(random_u64(state) >> 11) / 9007199254740992.0;
}

static opac_status write_chart(const void *chart, opac_output *out, opac_error *error)
{
    return drawing_chart_write(chart, out, error);
}

static char *draw(const drawing_chart *chart)
{
    char *text = picture_draw(write_chart, chart);
    assert_xml(text);
    return text;
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        found++;
    return found;
}

/* ---- reading pictures ---- */

enum {
    MOST_SPOTS = 400000,
    MOST_TEXTS = 512
};

typedef struct spot {
    double x, y;
    bool is_begin; /* of a piece */
} spot;

typedef struct path {
    char style[32];
    size_t first, count; /* of spots */
} path;

typedef struct scene {
    double width, height;
    spot *spots;
    size_t spot_count;
    path paths[8192];
    size_t path_count;
    svg_box notes[MOST_TEXTS]; /* labels of rules */
    size_t note_count;
    svg_box texts[MOST_TEXTS]; /* that stand upright, notes among them */
    size_t text_count;
    svg_box legend;
    bool has_legend;
} scene;

static void add_spot(scene *s, double x, double y, bool is_begin)
{
    assert_true(s->spot_count < MOST_SPOTS);
    s->spots[s->spot_count++] = (spot){x, y, is_begin};
}

/* The data of a path: all that charts use. Arcs are taken for their ends. */
static void read_data(scene *s, const char *at)
{
    double x = 0, y = 0, v[7];
    char command = 0;
    while (*at != '"') {
        if (isalpha((unsigned char)*at))
            command = *at++;
        int needs = strchr("MLml", command)   ? 2
                    : strchr("HVhv", command) ? 1
                    : command == 'a'          ? 7
                                              : 0;
        for (int i = 0; i < needs; i++) {
            char *end;
            v[i] = strtod(at, &end);
            assert_true(end != at);
            at = end + (*end == ' ');
        }
        if (command == 'M' || command == 'L')
            x = v[0], y = v[1];
        else if (command == 'm' || command == 'l')
            x += v[0], y += v[1];
        else if (command == 'H' || command == 'h')
            x = v[0] + (command == 'h' ? x : 0);
        else if (command == 'V' || command == 'v')
            y = v[0] + (command == 'v' ? y : 0);
        else if (command == 'a')
            x += v[5], y += v[6];
        else
            assert_true(command == 'z' || command == 'Z');
        if (needs > 0)
            add_spot(s, x, y, command == 'M');
    }
}

static void read_text(scene *s, const char *at)
{
    char style[64], plain[512];
    double x, y;
    if (sscanf(at, "<text class=\"%63[^\"]\" x=\"%lf\" y=\"%lf\"", style, &x, &y) != 3)
        return; /* turned */
    const char *content = strchr(at, '>');
    if (memchr(at, '(', (size_t)(content - at)) != NULL)
        return;
    svg_plain(content + 1, plain, sizeof plain);
    double font = strstr(style, "heading") ? 15 : strstr(style, "label") ? 13 : 12;
    double width = drawing_text_width(plain) * font / 13;
    double left = strstr(style, "end") ? x - width : strstr(style, "middle") ? x - width / 2 : x;
    svg_box box = {left, y - 10, left + width, y + 3};
    assert_true(s->text_count < MOST_TEXTS);
    s->texts[s->text_count++] = box;
    if (strstr(style, "note") != NULL)
        s->notes[s->note_count++] = box;
}

static scene *read_scene(const char *text)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->spots = calloc(MOST_SPOTS, sizeof *s->spots);
    assert_non_null(s->spots);
    assert_int_equal(
        sscanf(strstr(text, "viewBox"), "viewBox=\"0 0 %lf %lf\"", &s->width, &s->height), 2);
    for (const char *at = strstr(text, "</style>"); (at = strchr(at, '<')) != NULL; at++) {
        double x, y, w, h;
        if (sscanf(at,
                   "<rect class=\"opac-legend\" x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                   &x, &y, &w, &h) == 4) {
            s->legend = (svg_box){x, y, x + w, y + h};
            s->has_legend = true;
        }
        if (strncmp(at, "<text", 5) == 0)
            read_text(s, at);
        if (strncmp(at, "<path", 5) != 0)
            continue;
        assert_true(s->path_count < sizeof s->paths / sizeof *s->paths);
        path *p = &s->paths[s->path_count++];
        assert_int_equal(sscanf(at, "<path class=\"%31[^\"]\"", p->style), 1);
        p->first = s->spot_count;
        read_data(s, strstr(at, " d=\"") + 4);
        p->count = s->spot_count - p->first;
    }
    return s;
}

static void free_scene(scene *s)
{
    free(s->spots);
    free(s);
}

static const path *find_path(const scene *s, const char *style, size_t number)
{
    for (size_t i = 0; i < s->path_count; i++)
        if (strcmp(s->paths[i].style, style) == 0 && number-- == 0)
            return &s->paths[i];
    fail_msg("there is no such path: %s", style);
    return NULL;
}

static void assert_within(const scene *s)
{
    for (size_t i = 0; i < s->spot_count; i++)
        assert_true(s->spots[i].x >= 0 && s->spots[i].x <= s->width && s->spots[i].y >= 0 &&
                    s->spots[i].y <= s->height);
    for (size_t i = 0; i < s->text_count; i++)
        assert_true(s->texts[i].left >= 0 && s->texts[i].top >= 0 &&
                    s->texts[i].right <= s->width && s->texts[i].bottom <= s->height);
    for (size_t i = 0; i < s->note_count; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(svg_overlap(s->notes[i], s->notes[k]));
}

/* Nothing but its own samples lies under a legend inside the plot. */
static void assert_legend_hides_nothing(const scene *s)
{
    for (size_t i = 0; i < s->path_count && s->has_legend; i++) {
        const path *p = &s->paths[i];
        bool is_data = strstr("opac-line opac-full opac-hollow opac-open opac-block opac-rule "
                              "opac-thin opac-median opac-edge",
                              p->style) != NULL;
        for (size_t k = 0; is_data && k < p->count; k++) {
            spot a = s->spots[p->first + k];
            bool is_under = a.x > s->legend.left && a.x < s->legend.right && a.y > s->legend.top &&
                            a.y < s->legend.bottom;
            /* Samples of the legend lie in it whole. */
            spot first = s->spots[p->first];
            bool is_sample = first.x > s->legend.left && first.x < s->legend.right &&
                             first.y > s->legend.top && first.y < s->legend.bottom &&
                             p->count < 14 && first.x < s->legend.left + 40;
            assert_true(!is_under || is_sample);
        }
    }
    for (size_t i = 0; i < s->note_count && s->has_legend; i++)
        assert_false(svg_overlap(s->notes[i], s->legend));
    for (size_t i = 0; i < s->text_count && s->has_legend; i++) {
        svg_box name = s->texts[i];
        bool is_in = name.left > s->legend.left && name.left < s->legend.right &&
                     name.top > s->legend.top && name.top < s->legend.bottom;
        assert_true(!is_in || (name.right < s->legend.right && name.bottom < s->legend.bottom));
    }
}

/* ---- all kinds of charts ---- */

enum {
    SERIES = 6,
    POINTS = 120
};

typedef struct sketch {
    double x[SERIES][POINTS], y[SERIES][POINTS], y2[SERIES][POINTS];
    drawing_series series[SERIES];
    drawing_rule rules[5];
    drawing_chart chart;
} sketch;

static double odd_value(uint64_t *state, double value)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e300, -1e308, 5e-324};
    return random_below(state, 40) == 0 ? odd[random_below(state, 8)] : value;
}

/* Anything: few or many series of any kinds, gaps, infinities, one value or many. */
static void make_sketch(uint64_t *state, sketch *s, bool is_odd)
{
    static const char *const names[] = {
        "a", "<&>\"'", "a rather long name of a series, so it is", "\xCE\xB5 = 1/60", NULL, ""};
    double size = pow(10, 12 * unit(state) - 6);
    *s = (sketch){0};
    size_t series_count = random_below(state, SERIES + 1);
    for (size_t i = 0; i < series_count; i++) {
        size_t points = random_below(state, POINTS + 1), places = 1 + random_below(state, 9);
        drawing_series_kind kind = random_below(state, 7);
        for (size_t k = 0; k < points; k++) {
            bool is_wide = kind >= DRAWING_STRIP && kind != DRAWING_BAND;
            double x = is_wide ? (double)random_below(state, (uint32_t)places) : (double)k;
            double values[] = {size * (1 + x), size * unit(state), size * (1 + unit(state))};
            for (int v = 0; v < 3; v++)
                (v == 0   ? s->x
                 : v == 1 ? s->y
                          : s->y2)[i][k] = is_odd ? odd_value(state, values[v]) : values[v];
        }
        s->series[i] = (drawing_series){.name = names[random_below(state, 6)],
                                        .kind = kind,
                                        .x = s->x[i],
                                        .y = s->y[i],
                                        .y2 = random_below(state, 5) > 0 ? s->y2[i] : NULL,
                                        .count = points,
                                        .plain = random_below(state, 2) == 0};
    }
    size_t rule_count = random_below(state, 6);
    for (size_t i = 0; i < rule_count; i++)
        s->rules[i] = (drawing_rule){.vertical = random_below(state, 2) == 0,
                                     .at = size * 2 * unit(state),
                                     .label = names[random_below(state, 6)]};
    s->chart = (drawing_chart){
        .title = names[random_below(state, 6)],
        .x = {.label = names[random_below(state, 6)], .scale = random_below(state, 3) == 0},
        .y = {.label = names[random_below(state, 6)], .scale = random_below(state, 3) == 0},
        .series = s->series,
        .series_count = series_count,
        .rules = s->rules,
        .rule_count = rule_count,
        .width = random_below(state, 3) == 0 ? 1000 * unit(state) : 0,
        .height = random_below(state, 3) == 0 ? 700 * unit(state) : 0};
    if (random_below(state, 4) == 0) {
        s->chart.x.names = names;
        s->chart.x.name_count = 1 + random_below(state, 6);
    }
    if (random_below(state, 4) == 0) {
        s->chart.y.low = size * 0.3;
        s->chart.y.high = random_below(state, 2) == 0 ? NAN : size * 0.6;
    }
}

static void everything_is_within_the_picture(void **test)
{
    (void)test;
    uint64_t state = random_seed(7);
    sketch *s = malloc(sizeof *s);
    assert_non_null(s);
    for (uint32_t turn = 0; turn < random_rounds(100, 1000); turn++) {
        make_sketch(&state, s, turn % 2 == 1);
        char *text = draw(&s->chart), *again = draw(&s->chart);
        assert_string_equal(text, again);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        scene *seen = read_scene(text);
        assert_within(seen);
        assert_legend_hides_nothing(seen);
        free_scene(seen);
        free(text);
        free(again);
    }
    free(s);
}

static void no_chart_is_too_empty(void **test)
{
    (void)test;
    const double nan[] = {NAN, NAN}, one[] = {5, 5}, minus[] = {-1, -2};
    drawing_series series = {.x = nan, .y = nan, .y2 = nan, .count = 2};
    drawing_chart chart = {0};
    free(draw(&chart));
    chart = (drawing_chart){.series = &series, .series_count = 1};
    for (int kind = 0; kind <= DRAWING_BARS; kind++)
        for (int turn = 0; turn < 12; turn++) {
            series.kind = (drawing_series_kind)kind;
            series.x = turn % 3 == 0 ? nan : turn % 3 == 1 ? one : minus;
            series.y = series.x;
            series.count = (size_t)turn / 3 % 3;
            chart.x.scale = chart.y.scale = turn < 6 ? DRAWING_LINEAR : DRAWING_LOG;
            char *text = draw(&chart);
            scene *seen = read_scene(text);
            assert_within(seen);
            free_scene(seen);
            free(text);
        }
    series = (drawing_series){.x = one, .y = one, .count = 1, .kind = DRAWING_POINTS};
    char *text = draw(&chart);
    assert_int_equal(count(text, "opac-full\""), 1);
    free(text);
}

/* ---- what is drawn ---- */

/* An axis each from 0 to 10, and where its ends are. */
typedef struct paper {
    double left, right, top, bottom;
} paper;

static paper find_paper(const scene *s)
{
    const path *axis = find_path(s, "opac-axis", 0);
    const spot *spots = s->spots + axis->first;
    return (paper){spots[0].x, spots[2].x, spots[0].y, spots[1].y};
}

static bool is_at(paper p, spot at, double x, double y)
{
    return fabs(at.x - (p.left + (p.right - p.left) * x / 10)) < 0.15 &&
           fabs(at.y - (p.bottom - (p.bottom - p.top) * y / 10)) < 0.15;
}

static drawing_chart ten(const drawing_series *series, size_t series_count)
{
    return (drawing_chart){.x = {.low = 0, .high = 10},
                           .y = {.low = 0, .high = 10},
                           .series = series,
                           .series_count = series_count};
}

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

/* ---- pages ---- */

/* Rules speak of charts alone, and nothing has a name of its own. */
static void styles_do_not_leak(void **test)
{
    (void)test;
    char *text = draw(&(drawing_chart){0});
    char *end = strstr(text, "</style>");
    assert_null(strstr(text, " id="));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "opac-drawing"));
    assert_null(strstr(text, "var("));
    *end = '\0';
    for (char *at = strstr(text, "<style>\n") + 8; *at != '\0';) {
        char *brace = strchr(at, '{');
        if (brace == NULL)
            break;
        *brace = '\0';
        if (strncmp(at, "@media", 6) != 0)
            for (const char *selector = at; selector != NULL; selector = strchr(selector, ',')) {
                selector += *selector == ',';
                assert_memory_equal(selector, ".opac-chart ", 12);
            }
        bool is_media = strncmp(at, "@media", 6) == 0;
        at = is_media ? brace + 1 : strchr(brace + 1, '}') + 1;
        at += strspn(at, "\n}");
    }
    free(text);
}

static void texts_are_harmless(void **test)
{
    (void)test;
    const char hostile[] = "</svg><script>x('\"&')</script>\xE2\x80\xAE\xFF\x01]]><!-- -->";
    const char *const names[] = {hostile, hostile};
    const double x[] = {0, 1};
    char many[5001];
    memset(many, 'm', 5000);
    many[5000] = '\0';
    for (int turn = 0; turn < 2; turn++) {
        const char *word = turn == 0 ? hostile : many;
        drawing_series series = {.name = word, .kind = DRAWING_BARS, .x = x, .y = x, .count = 2};
        drawing_rule rule = {.at = 0.5, .label = word};
        drawing_chart chart = {.title = word,
                               .description = word,
                               .x = {.label = word, .names = names, .name_count = 2},
                               .y = {.label = word, .names = names, .name_count = 2},
                               .series = &series,
                               .series_count = 1,
                               .rules = &rule,
                               .rule_count = 1};
        char *text = draw(&chart);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "<!--"));
        assert_null(strchr(text, '\xFF'));
        assert_null(strstr(text, "\xE2\x80\xAE"));
        assert_true(turn == 1 || strstr(text, "&lt;script&gt;") != NULL);
        assert_true(strlen(text) < 20000);
        scene *s = read_scene(text);
        assert_within(s);
        free_scene(s);
        free(text);
    }
}

/* ---- many points ---- */

enum {
    MILLION = 1000000
};

static void many_points_make_small_files(void **test)
{
    (void)test;
    uint64_t state = random_seed(9);
    const size_t many = random_rounds(MILLION / 5, MILLION);
    double *x = malloc(many * sizeof *x), *y = malloc(many * sizeof *y);
    assert_true(x != NULL && y != NULL);
    static const size_t most[] = {60000, 60000, 2000000, 600000, 8000, 120000, 0};
    for (int kind = 0; kind < DRAWING_BARS; kind++) {
        size_t points = kind == DRAWING_STRIP || kind == DRAWING_BOXES ? many / 10 : many;
        bool is_wide = kind == DRAWING_STRIP || kind == DRAWING_BOXES;
        for (size_t i = 0; i < points; i++) {
            x[i] = is_wide ? (double)(i % 5) : kind == DRAWING_POINTS ? unit(&state) : (double)i;
            y[i] = unit(&state);
        }
        if (!is_wide)
            y[points / 2] = 9; /* a spike */
        drawing_series series = {
            .kind = (drawing_series_kind)kind, .x = x, .y = y, .y2 = x, .count = points};
        drawing_chart chart = {.y = {.low = 0, .high = 10}, .series = &series, .series_count = 1};
        char *text = draw(&chart);
        assert_true(strlen(text) < most[kind]);
        if (kind == DRAWING_CURVE || kind == DRAWING_STAIRS) {
            scene *s = read_scene(text);
            const path *line = find_path(s, "opac-line", 0);
            paper p = find_paper(s);
            bool is_seen = false;
            for (size_t i = 0; i < line->count; i++)
                is_seen = is_seen || is_at(p, s->spots[line->first + i], 5, 9);
            assert_true(is_seen);
            free_scene(s);
        }
        free(text);
    }
    for (size_t i = 0; i < many; i++) /* to and fro */
        x[i] = unit(&state);
    drawing_series series = {.x = x, .y = y, .count = many};
    drawing_chart chart = {.series = &series, .series_count = 1};
    char *text = draw(&chart);
    assert_true(strlen(text) < 400000);
    free(text);
    free(x);
    free(y);
}

/* ---- failures ---- */

static opac_status try_chart(void *chart, opac_error *error)
{
    return picture_try(write_chart, chart, error);
}

static void failing_allocations_are_reported(void **test)
{
    (void)test;
    static const char *const names[] = {"one", "two and more words than there is room for",
                                        "three"};
    double x[3000], y[3000];
    drawing_series series[8];
    drawing_rule rule = {.at = 1, .label = "rule"};
    drawing_chart chart = {.title = "T",
                           .x = {.label = "X", .names = names, .name_count = 3},
                           .y = {.label = "Y"},
                           .series = series,
                           .series_count = 8,
                           .rules = &rule,
                           .rule_count = 1};
    for (size_t i = 0; i < 3000; i++) {
        x[i] = (double)(i % 3);
        y[i] = (double)(i * 7919 % 3001);
    }
    for (size_t i = 0; i < 8; i++)
        series[i] = (drawing_series){.name = "a name of a series",
                                     .kind = (drawing_series_kind)(i % 7),
                                     .x = x,
                                     .y = y,
                                     .y2 = x,
                                     .count = i % 7 == DRAWING_POINTS ? 3000 : 30};
    assert_true(faults_sweep(try_chart, &chart) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_within_the_picture),
        cmocka_unit_test(no_chart_is_too_empty),
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
        cmocka_unit_test(styles_do_not_leak),
        cmocka_unit_test(texts_are_harmless),
        cmocka_unit_test(many_points_make_small_files),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
