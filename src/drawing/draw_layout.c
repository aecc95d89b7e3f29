/* SPDX-License-Identifier: MIT */
/*
 * Layout of a graph in columns. Boxes are in even columns, by the length of their longest path from a source.
 * Arrows pass through the columns in between, and have their text in an odd one. An arrow that closes a cycle
 * in a depth-first search from the initial boxes points from right to left. Loops are above their boxes.
 */
#include "drawing/draw_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define GAP_Y   14.0
#define GAP_X   30.0
#define SMALL_Y 4.0 /* around a line without text */

typedef struct layout {
    drawing_graph *graph;
    uint32_t *rank;                 /* by box */
    uint32_t *arrow_begin, *arrows; /* by box: its outgoing arrows */
    uint32_t *first;                /* by arrow: the first of its items */
    layout_columns columns;
    double *left, *width; /* by column */
} layout;

static bool is_loop(const drawing_arrow *arrow)
{
    return arrow->from == arrow->to;
}

/* ---- sizes ---- */

static void measure_boxes(drawing_graph *graph)
{
    for (size_t i = 0; i < graph->boxes.count; i++) {
        drawing_box *box = &graph->boxes.items[i];
        double text = drawing_lines_width(graph, box->line, box->line_count);
        box->height = fmax(34, box->line_count * DRAWING_LINE + 14);
        box->width = fmax(box->height, text + (box->is_round ? 22 : 18));
        box->up = box->down = box->height / 2;
        box->span = box->width;
    }
}

static void measure_loops(drawing_graph *graph)
{
    for (size_t i = 0; i < graph->arrows.count; i++) {
        const drawing_arrow *arrow = &graph->arrows.items[i];
        drawing_box *box = &graph->boxes.items[arrow->from];
        if (!is_loop(arrow))
            continue;
        box->up += DRAWING_LOOP + arrow->line_count * DRAWING_LINE + 2;
        box->span = fmax(box->span, drawing_lines_width(graph, arrow->line, arrow->line_count) + 4);
    }
}

/* ---- directions and ranks ---- */

static opac_status sort_arrows(layout *l, opac_error *error)
{
    drawing_graph *graph = l->graph;
    size_t boxes = graph->boxes.count, arrows = graph->arrows.count;
    l->rank = base_arena_alloc_zeroed(&graph->arena, boxes + 1, sizeof *l->rank);
    l->arrow_begin = base_arena_alloc_zeroed(&graph->arena, boxes + 2, sizeof *l->arrow_begin);
    l->arrows = base_arena_alloc(&graph->arena, arrows + 1, sizeof *l->arrows);
    if (l->rank == NULL || l->arrow_begin == NULL || l->arrows == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < arrows; i++)
        l->arrow_begin[graph->arrows.items[i].from + 2]++;
    for (size_t i = 0; i < boxes; i++)
        l->arrow_begin[i + 2] += l->arrow_begin[i + 1];
    for (uint32_t i = 0; i < arrows; i++)
        l->arrows[l->arrow_begin[graph->arrows.items[i].from + 1]++] = i;
    return OPAC_OK;
}

enum {
    UNSEEN,
    OPEN,
    DONE
};

typedef struct search {
    uint8_t *seen;
    uint32_t *stack;    /* open boxes */
    uint32_t *next;     /* by box: index of the next arrow to follow */
    uint32_t *sequence; /* boxes in postorder */
    uint32_t done;
} search;

static void visit(layout *l, search *s, uint32_t root)
{
    uint32_t depth = 0;
    s->stack[depth++] = root;
    s->seen[root] = OPEN;
    while (depth > 0) {
        uint32_t box = s->stack[depth - 1];
        if (s->next[box] == l->arrow_begin[box + 1]) {
            s->seen[box] = DONE;
            s->sequence[s->done++] = box;
            depth--;
            continue;
        }
        drawing_arrow *arrow = &l->graph->arrows.items[l->arrows[s->next[box]++]];
        arrow->is_reversed = s->seen[arrow->to] == OPEN;
        if (s->seen[arrow->to] == UNSEEN) {
            s->seen[arrow->to] = OPEN;
            s->stack[depth++] = arrow->to;
        }
    }
}

/* Raises the ranks of the successors of a box. If called in topological order, the ranks are the lengths of
 * the longest paths. */
static void raise_ranks(layout *l, uint32_t box)
{
    for (uint32_t i = l->arrow_begin[box]; i < l->arrow_begin[box + 1]; i++) {
        const drawing_arrow *arrow = &l->graph->arrows.items[l->arrows[i]];
        if (!arrow->is_reversed && l->rank[arrow->to] < l->rank[box] + 1)
            l->rank[arrow->to] = l->rank[box] + 1;
    }
}

/* Finds the reversed arrows and the ranks. A reversed arrow leads to an ancestor in the search, which has a
 * smaller rank. */
static opac_status find_ranks(layout *l, opac_error *error)
{
    drawing_graph *graph = l->graph;
    uint32_t boxes = (uint32_t)graph->boxes.count;
    search s = {0};
    s.seen = base_arena_alloc_zeroed(&graph->arena, (size_t)boxes + 1, sizeof *s.seen);
    s.stack = base_arena_alloc(&graph->arena, (size_t)boxes + 1, sizeof *s.stack);
    s.next = base_arena_alloc(&graph->arena, (size_t)boxes + 1, sizeof *s.next);
    s.sequence = base_arena_alloc(&graph->arena, (size_t)boxes + 1, sizeof *s.sequence);
    if (s.seen == NULL || s.stack == NULL || s.next == NULL || s.sequence == NULL)
        return base_fail_memory(error);
    memcpy(s.next, l->arrow_begin, boxes * sizeof *s.next);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < boxes; i++)
            if (s.seen[i] == UNSEEN && (pass == 1 || graph->boxes.items[i].is_initial))
                visit(l, &s, i);
    for (uint32_t i = s.done; i-- > 0;)
        raise_ranks(l, s.sequence[i]);
    return OPAC_OK;
}

/* ---- items and links ---- */

/* The number of columns between the two ends of an arrow. *column is the first one. */
static uint32_t count_passes(const layout *l, const drawing_arrow *arrow, uint32_t *column)
{
    uint32_t from = l->rank[arrow->is_reversed ? arrow->to : arrow->from];
    uint32_t to = l->rank[arrow->is_reversed ? arrow->from : arrow->to];
    *column = 2 * from + 1;
    return 2 * (to - from) - 1;
}

static void count_items(layout *l)
{
    layout_columns *c = &l->columns;
    drawing_graph *graph = l->graph;
    uint32_t column;
    c->item_count = (uint32_t)graph->boxes.count;
    for (size_t i = 0; i < graph->boxes.count; i++)
        if (2 * l->rank[i] + 1 > c->column_count)
            c->column_count = 2 * l->rank[i] + 1;
    for (size_t i = 0; i < graph->arrows.count; i++) {
        drawing_arrow *arrow = &graph->arrows.items[i];
        if (is_loop(arrow))
            continue;
        arrow->pass_count = count_passes(l, arrow, &column);
        c->item_count += arrow->pass_count;
        c->link_count += arrow->pass_count + 1;
    }
}

static void add_link(layout_columns *c, uint32_t left, uint32_t right, double weight)
{
    c->links[c->link_count++] = (layout_link){left, right, weight};
}

/* Adds the items and links of an arrow. Its text is in the middle, in an odd column. */
static void add_passes(layout *l, uint32_t number)
{
    layout_columns *c = &l->columns;
    drawing_arrow *arrow = &l->graph->arrows.items[number];
    uint32_t column, count = count_passes(l, arrow, &column);
    uint32_t before = arrow->is_reversed ? arrow->to : arrow->from;
    uint32_t after = arrow->is_reversed ? arrow->from : arrow->to;
    arrow->label = count / 4 * 2;
    l->first[number] = c->item_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = c->item_count++;
        double text = i == arrow->label ? arrow->line_count * DRAWING_LINE + 3 : 0;
        c->items[item] =
            (layout_item){.column = column + i, .up = fmax(SMALL_Y, text), .down = SMALL_Y};
        add_link(c, i == 0 ? before : item - 1, item, i == 0 ? 1 : 4);
    }
    add_link(c, c->item_count - 1, after, 1);
}

static opac_status make_columns(layout *l, opac_error *error)
{
    layout_columns *c = &l->columns;
    drawing_graph *graph = l->graph;
    count_items(l);
    c->items = base_arena_alloc_zeroed(&graph->arena, (size_t)c->item_count + 1, sizeof *c->items);
    c->links = base_arena_alloc(&graph->arena, (size_t)c->link_count + 1, sizeof *c->links);
    l->first = base_arena_alloc_zeroed(&graph->arena, graph->arrows.count + 1, sizeof *l->first);
    if (c->items == NULL || c->links == NULL || l->first == NULL)
        return base_fail_memory(error);
    c->item_count = c->link_count = 0;
    for (size_t i = 0; i < graph->boxes.count; i++) {
        const drawing_box *box = &graph->boxes.items[i];
        c->items[c->item_count++] =
            (layout_item){.column = 2 * l->rank[i], .up = box->up, .down = box->down};
    }
    for (uint32_t i = 0; i < graph->arrows.count; i++)
        if (!is_loop(&graph->arrows.items[i]))
            add_passes(l, i);
    return layout_columns_init(c, &graph->arena, error);
}

/* ---- coordinates ---- */

static void widen(layout *l, uint32_t column, double width)
{
    if (l->width[column] < width)
        l->width[column] = width;
}

/* The gap between a column and the next one, which is wider if links are steep. */
static double gap_after(const layout *l, uint32_t column)
{
    const layout_columns *c = &l->columns;
    double steepest = 0;
    if (base_work_spend(c->work, c->link_count / 4))
        return GAP_X;
    for (uint32_t i = 0; i < c->link_count; i++) {
        const layout_item *left = &c->items[c->links[i].left],
                          *right = &c->items[c->links[i].right];
        if (left->column == column)
            steepest = fmax(steepest, fabs(left->y - right->y));
    }
    return fmin(80, fmax(GAP_X, steepest / 3));
}

static opac_status place_columns(layout *l, opac_error *error)
{
    drawing_graph *graph = l->graph;
    uint32_t count = l->columns.column_count;
    l->left = base_arena_alloc_zeroed(&graph->arena, (size_t)count + 1, sizeof *l->left);
    l->width = base_arena_alloc_zeroed(&graph->arena, (size_t)count + 1, sizeof *l->width);
    if (l->left == NULL || l->width == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < graph->boxes.count; i++)
        widen(l, 2 * l->rank[i], graph->boxes.items[i].span);
    for (size_t i = 0; i < graph->arrows.count; i++) {
        const drawing_arrow *arrow = &graph->arrows.items[i];
        uint32_t column;
        if (is_loop(arrow))
            continue;
        count_passes(l, arrow, &column);
        widen(l, column + arrow->label,
              drawing_lines_width(graph, arrow->line, arrow->line_count) + 8);
    }
    double x = DRAWING_MARGIN + DRAWING_INITIAL;
    for (uint32_t i = 0; i < count; i++) {
        l->left[i] = x;
        x += l->width[i] + (i + 1 < count ? gap_after(l, i) : 0);
    }
    graph->width = x + DRAWING_MARGIN;
    return OPAC_OK;
}

static void place_boxes(layout *l)
{
    for (size_t i = 0; i < l->graph->boxes.count; i++) {
        drawing_box *box = &l->graph->boxes.items[i];
        size_t column = (size_t)2 * l->rank[i];
        box->x = l->left[column] + l->width[column] / 2;
        box->y = l->columns.items[i].y;
    }
}

static opac_status place_arrows(layout *l, opac_error *error)
{
    drawing_graph *graph = l->graph;
    for (size_t i = 0; i < graph->arrows.count; i++) {
        drawing_arrow *arrow = &graph->arrows.items[i];
        if (is_loop(arrow))
            continue;
        arrow->passes = base_arena_alloc(&graph->arena, arrow->pass_count, sizeof *arrow->passes);
        if (arrow->passes == NULL)
            return base_fail_memory(error);
        for (uint32_t k = 0; k < arrow->pass_count; k++) {
            const layout_item *item = &l->columns.items[l->first[i] + k];
            arrow->passes[k] = (drawing_pass){
                l->left[item->column], l->left[item->column] + l->width[item->column], item->y};
        }
    }
    return OPAC_OK;
}

/* ---- ends of arrows at boxes ---- */

/* The end of an arrow at one side of a box. */
typedef struct port {
    uint32_t box;
    bool is_right;
    double y; /* of the neighbouring pass of the arrow */
    uint32_t arrow;
} port;

static int compare_ports(const void *a, const void *b)
{
    const port *p = a, *q = b;
    if (p->box != q->box)
        return p->box < q->box ? -1 : 1;
    if (p->is_right != q->is_right)
        return p->is_right < q->is_right ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->arrow > q->arrow) - (p->arrow < q->arrow);
}

/* Half the width of a box at a vertical distance from its centre: its sides are round. */
static double half_width(const drawing_box *box, double dy)
{
    double radius = box->is_round ? box->height / 2 : 8, flat = box->height / 2 - radius;
    double beyond = fabs(dy) - flat;
    if (beyond <= 0)
        return box->width / 2;
    return box->width / 2 - radius + sqrt(fmax(0, radius * radius - beyond * beyond));
}

/* Places the k-th of n ends at one side of a box. */
static void attach(layout *l, const port *p, uint32_t k, uint32_t n)
{
    drawing_arrow *arrow = &l->graph->arrows.items[p->arrow];
    const drawing_box *box = &l->graph->boxes.items[p->box];
    uint32_t column = 2 * l->rank[p->box];
    double spacing = fmin(10, (box->height - 12) / n), dy = (k - (n - 1) / 2.0) * spacing;
    double reach = half_width(box, dy);
    if (p->is_right) { /* the right side of a box is the left end of an arrow */
        arrow->left_x = box->x + reach;
        arrow->left_y = box->y + dy;
        arrow->left_edge = l->left[column] + l->width[column];
    } else {
        arrow->right_x = box->x - reach;
        arrow->right_y = box->y + dy;
        arrow->right_edge = l->left[column];
    }
}

static opac_status place_ports(layout *l, opac_error *error)
{
    drawing_graph *graph = l->graph;
    port *ports = base_arena_alloc(&graph->arena, 2 * graph->arrows.count + 1, sizeof *ports);
    size_t count = 0;
    if (ports == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < graph->arrows.count; i++) {
        const drawing_arrow *arrow = &graph->arrows.items[i];
        if (is_loop(arrow))
            continue;
        uint32_t left = arrow->is_reversed ? arrow->to : arrow->from;
        uint32_t right = arrow->is_reversed ? arrow->from : arrow->to;
        ports[count++] = (port){left, true, arrow->passes[0].y, i};
        ports[count++] = (port){right, false, arrow->passes[arrow->pass_count - 1].y, i};
        graph->boxes.items[right].is_from_below = true;
    }
    qsort(ports, count, sizeof *ports, compare_ports);
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && ports[end].box == ports[i].box &&
               ports[end].is_right == ports[i].is_right)
            end++;
        for (size_t k = i; k < end; k++)
            attach(l, &ports[k], (uint32_t)(k - i), (uint32_t)(end - i));
        i = end;
    }
    return OPAC_OK;
}

/* Shifts the picture so that it begins at the margins, and computes its size. */
static void shift(drawing_graph *graph, const layout_columns *c)
{
    double top = INFINITY, bottom = -INFINITY;
    double heading = DRAWING_HEADING * ((graph->heading != NULL) + (graph->remark != NULL));
    for (uint32_t i = 0; i < c->item_count; i++) {
        top = fmin(top, c->items[i].y - c->items[i].up);
        bottom = fmax(bottom, c->items[i].y + c->items[i].down);
    }
    if (c->item_count == 0)
        top = bottom = 0;
    double by = DRAWING_MARGIN + heading - top;
    for (size_t i = 0; i < graph->boxes.count; i++)
        graph->boxes.items[i].y += by;
    for (size_t i = 0; i < graph->arrows.count; i++) {
        drawing_arrow *arrow = &graph->arrows.items[i];
        arrow->left_y += by;
        arrow->right_y += by;
        for (uint32_t k = 0; arrow->passes != NULL && k < arrow->pass_count; k++)
            arrow->passes[k].y += by;
    }
    graph->height = bottom - top + heading + 2 * DRAWING_MARGIN;
    if (graph->heading != NULL)
        graph->width =
            fmax(graph->width, drawing_text_width(graph->heading) * 1.1 + 2 * DRAWING_MARGIN);
    if (graph->remark != NULL)
        graph->width = fmax(graph->width, drawing_text_width(graph->remark) + 2 * DRAWING_MARGIN);
}

/* Reserves space for initial arrows that come from below, since other arrows arrive from the left. */
static void measure_initials(layout *l)
{
    for (size_t i = 0; i < l->graph->boxes.count; i++) {
        drawing_box *box = &l->graph->boxes.items[i];
        if (box->is_initial && l->rank[i] > 0)
            box->down += DRAWING_INITIAL;
    }
}

static opac_status compute_coordinates(layout *l, opac_error *error)
{
    TRY(layout_order(&l->columns, &l->graph->arena, error));
    TRY(layout_heights(&l->columns, GAP_Y, &l->graph->arena, error));
    TRY(place_columns(l, error));
    if (base_work_is_stopped(l->columns.work))
        return base_work_fail(l->columns.work, "laying out the picture", error);
    return OPAC_OK;
}

opac_status drawing_graph_lay_out(drawing_graph *graph, const opac_cancel *cancel,
                                  opac_error *error)
{
    base_work work;
    layout l = {.graph = graph, .columns = {.work = &work}};
    base_work_init(&work, cancel, 0);
    measure_boxes(graph);
    measure_loops(graph);
    TRY(sort_arrows(&l, error));
    TRY(find_ranks(&l, error));
    measure_initials(&l);
    TRY(make_columns(&l, error));
    TRY(compute_coordinates(&l, error));
    place_boxes(&l);
    TRY(place_arrows(&l, error));
    TRY(place_ports(&l, error));
    shift(graph, &l.columns);
    return OPAC_OK;
}
