/* SPDX-License-Identifier: MIT */
/*
 * Lines across, and their labels: beside the line, where least is hidden, within the plot, and
 * never over another label. One that finds no such place is left to the line's title.
 */
#include <math.h>

#include "drawing/chart_parts.h"

#define HIGH 14.0 /* of a label */

enum {
    PLACES = 5, /* along a level line, from the right */
    LEVELS = 12 /* down an upright one */
};

static bool find_rule(const drawing_plot *plot, const drawing_rule *rule, double *at)
{
    const drawing_area *area = &plot->area;
    *at = drawing_ruler_place(rule->vertical ? &plot->x : &plot->y, rule->at);
    if (!isfinite(rule->at))
        return false;
    return rule->vertical ? *at >= area->left - 0.5 && *at <= area->right + 0.5
                          : *at >= area->top - 0.5 && *at <= area->bottom + 0.5;
}

opac_status drawing_write_rules(drawing_plot *plot, opac_error *error)
{
    const drawing_area *area = &plot->area;
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < plot->chart->rule_count && status == OPAC_OK; i++) {
        const drawing_rule *rule = &plot->chart->rules[i];
        double at;
        if (!find_rule(plot, rule, &at))
            continue;
        opac_output_text(plot->out, "<g><path class=\"opac-rule\" d=\"");
        if (rule->vertical) {
            drawing_write_pair(plot->out, "M", at, area->top);
            drawing_write_pair(plot->out, "L", at, area->bottom);
            drawing_ink_line(plot, at, area->top, at, area->bottom);
        } else {
            drawing_write_pair(plot->out, "M", area->left, at);
            drawing_write_pair(plot->out, "L", area->right, at);
            drawing_ink_line(plot, area->left, at, area->right, at);
        }
        opac_output_text(plot->out, "\"/>\n");
        status = drawing_write_title(plot, rule->label, error);
        opac_output_text(plot->out, "</g>\n");
    }
    return status;
}

static bool is_free(const drawing_plot *plot, drawing_area label)
{
    const drawing_area *area = &plot->area;
    if (label.left < area->left || label.right > plot->width - 4 || label.top < area->top - 2 ||
        label.bottom > area->bottom)
        return false;
    for (size_t i = 0; i < plot->label_count; i++) {
        const drawing_area *other = &plot->labels[i];
        if (label.left < other->right + 2 && other->left < label.right + 2 &&
            label.top < other->bottom && other->top < label.bottom)
            return false;
    }
    return true;
}

/* The place-th one that a label of this width may have. */
static drawing_area candidate(const drawing_plot *plot, bool vertical, double at, double width,
                              size_t place)
{
    const drawing_area *area = &plot->area;
    bool is_other = place % 2 == 1; /* side of the line */
    size_t steps = place / 2;
    double step = (double)steps;
    if (vertical) {
        double left = is_other ? at - 5 - width : at + 5, top = area->top + 2 + step * (HIGH + 2);
        return (drawing_area){left, top, left + width, top + HIGH};
    }
    double left =
        area->right - 4 - width - step / (PLACES - 1) * (area->right - area->left - width - 10);
    double top = is_other ? at + 2 : at - 2 - HIGH;
    return (drawing_area){left, top, left + width, top + HIGH};
}

static bool find_label(const drawing_plot *plot, const drawing_rule *rule, double at, double width,
                       drawing_area *found)
{
    size_t least = SIZE_MAX, count = rule->vertical ? 2 * LEVELS : 2 * PLACES;
    for (size_t i = 0; i < count; i++) {
        drawing_area place = candidate(plot, rule->vertical, at, width, i);
        if (!is_free(plot, place))
            continue;
        size_t ink = drawing_ink_under(plot, place);
        if (ink < least) {
            least = ink;
            *found = place;
        }
    }
    return least != SIZE_MAX;
}

opac_status drawing_write_rule_labels(drawing_plot *plot, opac_error *error)
{
    const drawing_chart *chart = plot->chart;
    plot->label_count = 0;
    plot->labels = base_arena_alloc(&plot->arena, chart->rule_count + 1, sizeof *plot->labels);
    if (plot->labels == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < chart->rule_count; i++) {
        const drawing_rule *rule = &chart->rules[i];
        drawing_area place;
        double at, most = 0.6 * (plot->area.right - plot->area.left);
        if (rule->label == NULL || !find_rule(plot, rule, &at))
            continue;
        const char *label = drawing_cut_text(&plot->arena, rule->label, most, DRAWING_SMALL);
        if (label == NULL)
            return base_fail_memory(error);
        if (!find_label(plot, rule, at, drawing_text_width_in(label, DRAWING_SMALL), &place))
            continue;
        bool is_left = rule->vertical ? place.left < at : true;
        drawing_write_text(plot->out, is_left ? "opac-note opac-end" : "opac-note opac-start",
                           is_left ? place.right : place.left, place.bottom - 3, label);
        plot->labels[plot->label_count++] = place;
        drawing_ink_area(plot, place);
    }
    return OPAC_OK;
}
