/* SPDX-License-Identifier: MIT */
/* Charts, drawn and read back: lines, markers and words, and where they are. */
#ifndef TESTS_DRAWING_CHART_SCENE_H
#define TESTS_DRAWING_CHART_SCENE_H

#include <math.h>

#include "drawing/chart_parts.h"
#include "support/picture.h"
#include "support/random.h"
#include "svg.h"

static inline double unit(uint64_t *state)
{
    return (double)(random_u64(state) >> 11) / 9007199254740992.0;
}

static inline opac_status write_chart(const void *chart, opac_output *out, opac_error *error)
{
    return drawing_chart_write(chart, out, error);
}

static inline char *draw(const drawing_chart *chart)
{
    char *text = picture_draw(write_chart, chart);
    assert_xml(text);
    return text;
}

static inline size_t count(const char *text, const char *word)
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

static inline void add_spot(scene *s, double x, double y, bool is_begin)
{
    assert_true(s->spot_count < MOST_SPOTS);
    s->spots[s->spot_count++] = (spot){x, y, is_begin};
}

/* The data of a path: all that charts use. Arcs are taken for their ends. */
static inline void read_data(scene *s, const char *at)
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

static inline void read_text(scene *s, const char *at)
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

static inline scene *read_scene(const char *text)
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

static inline void free_scene(scene *s)
{
    free(s->spots);
    free(s);
}

static inline const path *find_path(const scene *s, const char *style, size_t number)
{
    for (size_t i = 0; i < s->path_count; i++)
        if (strcmp(s->paths[i].style, style) == 0 && number-- == 0)
            return &s->paths[i];
    fail_msg("there is no such path: %s", style);
    return NULL;
}

static inline void assert_within(const scene *s)
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
static inline void assert_legend_hides_nothing(const scene *s)
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

/* ---- charts of a known size ---- */

/* An axis each from 0 to 10, and where its ends are. */
typedef struct paper {
    double left, right, top, bottom;
} paper;

static inline paper find_paper(const scene *s)
{
    const path *axis = find_path(s, "opac-axis", 0);
    const spot *spots = s->spots + axis->first;
    return (paper){spots[0].x, spots[2].x, spots[0].y, spots[1].y};
}

static inline bool is_at(paper p, spot at, double x, double y)
{
    return fabs(at.x - (p.left + (p.right - p.left) * x / 10)) < 0.15 &&
           fabs(at.y - (p.bottom - (p.bottom - p.top) * y / 10)) < 0.15;
}

static inline drawing_chart ten(const drawing_series *series, size_t series_count)
{
    return (drawing_chart){.x = {.low = 0, .high = 10},
                           .y = {.low = 0, .high = 10},
                           .series = series,
                           .series_count = series_count};
}

#endif
