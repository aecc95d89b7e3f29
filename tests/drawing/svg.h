/* SPDX-License-Identifier: MIT */
/*
 * Parses pictures in tests: checks that they are well-formed XML, and finds the positions of elements. Each
 * element begins a line.
 */
#ifndef TESTS_DRAWING_SVG_H
#define TESTS_DRAWING_SVG_H

#include <ctype.h>

#include "drawing/draw_text.h"
#include "support/check.h"

typedef struct svg_box {
    double left, top, right, bottom;
} svg_box;

enum {
    SVG_MOST = 8192
};

typedef struct svg_scene {
    svg_box nodes[SVG_MOST], labels[SVG_MOST];
    size_t node_count, label_count;
    double width, height;
} svg_scene;

/* An entity such as "&lt;". */
static inline const char *svg_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return at + strlen(known[i]);
    fail_msg("not an entity: %.20s", at);
    return at;
}

/* Checks that tags are nested correctly, values are quoted, and there are no other special characters. */
static inline void assert_xml(const char *text)
{
    char open[16][16];
    size_t depth = 0;
    for (const char *at = text; *at != '\0';) {
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
        if (*at == '&') {
            at = svg_entity(at);
            continue;
        }
        if (*at != '<') {
            assert_true(*at != '>' || strncmp(open[depth - 1], "style", 5) == 0);
            at++;
            continue;
        }
        bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
        assert_true(length > 0);
        assert_true(length < 16);
        bool is_quoted = false;
        for (at = name + length; *at != '\0' && (is_quoted || *at != '>'); at++) {
            is_quoted ^= *at == '"';
            assert_true(*at != '<');
        }
        assert_int_equal(*at, '>');
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), length);
            assert_memory_equal(open[depth], name, length);
        } else if (at[-1] != '/') {
            assert_true(depth < 16);
            snprintf(open[depth++], 16, "%.*s", (int)length, name);
        }
        at++;
    }
    assert_int_equal(depth, 0);
}

/* Unescapes a text. */
static inline void svg_plain(const char *from, char *to, size_t size)
{
    size_t used = 0;
    for (; *from != '\0' && *from != '<' && used + 2 < size; used++) {
        const char *next = *from == '&' ? svg_entity(from) : from + 1;
        to[used] = *from == '&' ? "<>&\"'"[from[1] == 'l'   ? 0
                                           : from[1] == 'g' ? 1
                                           : from[1] == 'a' ? 2
                                           : from[1] == 'q' ? 3
                                                            : 4]
                                : *from;
        from = next;
    }
    to[used] = '\0';
}

static inline void svg_read(const char *text, svg_scene *scene)
{
    *scene = (svg_scene){0};
    const char *view = strstr(text, "viewBox=\"0 0 ");
    assert_non_null(view);
    assert_int_equal(sscanf(view, "viewBox=\"0 0 %lf %lf\"", &scene->width, &scene->height), 2);
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        double x, y, w, h;
        at += *at == '\n';
        if (*at == '\0')
            break;
        const char *rect =
            strncmp(at, "<g class=\"opac-node", 19) == 0 ? strstr(at, "<rect") : NULL;
        if (rect != NULL) {
            assert_int_equal(sscanf(rect, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                                    &x, &y, &w, &h),
                             4);
            scene->nodes[scene->node_count++] = (svg_box){x, y, x + w, y + h};
        }
        if (sscanf(at, "<text class=\"opac-label\" x=\"%lf\" y=\"%lf\">", &x, &y) == 2) {
            char plain[256];
            svg_plain(strchr(at, '>') + 1, plain, sizeof plain);
            w = drawing_text_width(plain);
            scene->labels[scene->label_count++] = (svg_box){x - w / 2, y - 11, x + w / 2, y + 3};
        }
        assert_true(scene->node_count < SVG_MOST);
        assert_true(scene->label_count < SVG_MOST);
    }
}

static inline bool svg_overlap(svg_box a, svg_box b)
{
    double slack = 0.3; /* for rounding */
    return a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom &&
           b.top + slack < a.bottom;
}

static inline bool svg_inside(const svg_scene *scene, svg_box box)
{
    return box.left >= 0 && box.top >= 0 && box.right <= scene->width &&
           box.bottom <= scene->height;
}

#endif
