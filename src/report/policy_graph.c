/* SPDX-License-Identifier: MIT */
/* The Markov chain that a policy makes, as a graph. */
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

#include "drawing/graph.h"
#include "report/policy.h"

enum {
    MOST_NODES = 60, /* of a graph that can be followed with the eye */
    MOST_ARROWS = 300,
    MOST_WIDTH = 6000, /* pixels of one that is unfolded: else the table says more at a glance */
    MOST_HEIGHT = 800
};

typedef struct net {
    drawing_graph graph;
    size_t count;
    double *weights; /* count * count probabilities, row by row; 0: no arrow */
    const char **actions;
} net;

static const char *keep(report_page *page, drawing_graph *graph, const char *text, size_t most)
{
    const char *kept = drawing_text_copy(&graph->arena, text, strlen(text), most);
    if (kept == NULL)
        report_fail(page, base_fail_memory(page->error));
    return kept != NULL ? kept : "";
}

static void add_line(report_page *page, drawing_graph *graph, uint32_t *count, const char *text)
{
    const char *kept = keep(page, graph, text, DRAWING_MOST_TEXT);
    if (!report_failed(page))
        report_fail(page, drawing_graph_line(graph, count, kept, 0, page->error));
}

static void add_node(report_sheet *s, net *n, size_t index, report_value node, bool is_initial)
{
    report_page *page = s->page;
    drawing_graph *graph = &n->graph;
    uint32_t number = report_states_meet(&s->states, page, node);
    drawing_box box = {.line = (uint32_t)graph->lines.count,
                       .memory = report_small(page, node, "memory"),
                       .is_initial = is_initial};
    char memory[48];
    if (report_failed(page))
        return;
    const report_state *state = &s->states.items.items[number];
    snprintf(memory, sizeof memory, "memory %u", (unsigned)box.memory);
    box.title = keep(page, graph, state->place, DRAWING_MOST_PLACE);
    box.place = box.title;
    add_line(page, graph, &box.line_count, state->place);
    if (s->uses_memory)
        add_line(page, graph, &box.line_count, memory);
    if (*state->labels != '\0')
        add_line(page, graph, &box.line_count, state->labels);
    const char *action = report_text(page, node, "action");
    n->actions[index] = keep(page, graph, action != NULL ? action : "", 40);
    if (!report_failed(page))
        report_fail(page, drawing_box_vec_push(&graph->boxes, box, page->error));
}

/* Arrows between the same two nodes are one. */
static size_t read_edges(report_sheet *s, net *n)
{
    report_page *page = s->page;
    report_value edges = report_member(page, s->chain, "edges");
    size_t count = report_length(page, edges), arrows = 0;
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value edge = report_item(page, edges, i);
        uint64_t ends[2] = {0, 0};
        static const char *const names[] = {"from", "to"};
        for (int k = 0; k < 2 && !report_failed(page); k++) {
            report_value end = {0};
            report_fail(page, base_json_member(edge, names[k], &end, page->error));
            if (!report_failed(page))
                report_fail(page, base_json_uint64(end, 0, n->count - 1, &ends[k], page->error));
        }
        double probability = report_number(page, edge, "probability");
        if (report_failed(page) || !(probability > 0))
            continue;
        double *weight = &n->weights[ends[0] * n->count + ends[1]];
        arrows += *weight == 0;
        *weight += probability;
    }
    return arrows;
}

static void add_arrow(report_sheet *s, net *n, uint32_t from, uint32_t to)
{
    report_page *page = s->page;
    drawing_graph *graph = &n->graph;
    drawing_arrow arrow = {.from = from, .to = to, .line = (uint32_t)graph->lines.count};
    char number[OPAC_NUMBER_SIZE], text[OPAC_NUMBER_SIZE + 64];
    const char *action = n->actions[from];
    opac_number_format(n->weights[from * n->count + to], number);
    snprintf(text, sizeof text, "%.40s%s%s", action, *action != '\0' ? " " : "", number);
    add_line(page, graph, &arrow.line_count, text);
    if (!report_failed(page))
        report_fail(page, drawing_arrow_vec_push(&graph->arrows, arrow, page->error));
}

static bool is_listed(report_page *page, report_value list, size_t count, size_t wanted)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t number = 0;
        if (base_json_uint64(report_item(page, list, i), 0, UINT32_MAX, &number, NULL) == OPAC_OK &&
            number == wanted)
            return true;
    }
    return false;
}

/* False: it is too dense for a picture. */
static bool fill(report_sheet *s, net *n, report_value nodes)
{
    report_page *page = s->page;
    report_value initial = report_member(page, s->chain, "initial");
    size_t initial_count = report_length(page, initial);
    n->weights = base_arena_alloc_zeroed(&page->arena, n->count * n->count, sizeof *n->weights);
    n->actions = base_arena_alloc_zeroed(&page->arena, n->count, sizeof *n->actions);
    if (n->weights == NULL || n->actions == NULL) {
        report_fail(page, base_fail_memory(page->error));
        return false;
    }
    if (read_edges(s, n) > MOST_ARROWS)
        return false;
    for (size_t i = 0; i < n->count && !report_failed(page); i++)
        add_node(
            s, n, i, report_item(page, nodes, i),
            is_listed(page, initial, initial_count < MOST_NODES ? initial_count : MOST_NODES, i));
    for (uint32_t from = 0; from < n->count; from++)
        for (uint32_t to = 0; to < n->count && !report_failed(page); to++)
            if (n->weights[from * n->count + to] > 0)
                add_arrow(s, n, from, to);
    return !report_failed(page);
}

bool report_policy_graph(report_sheet *s)
{
    report_page *page = s->page;
    net n = {0};
    report_value nodes = report_member(page, s->chain, "nodes");
    n.count = report_length(page, nodes);
    if (n.count == 0 || n.count > MOST_NODES)
        return false;
    bool is_drawn = fill(s, &n, nodes), is_large = false;
    n.graph.heading = report_policy_heading(s);
    if (is_drawn && !report_failed(page))
        report_fail(page, drawing_graph_lay_out(&n.graph, NULL, page->error));
    if (is_drawn && !report_failed(page)) {
        report_raw(page, "<p>The Markov chain that the policy makes of the system: what can "
                         "happen, with the action and its probability");
        report_raw(page, strcmp(page->at->command, "learn") == 0
                             ? ", which is the model's, and not known to the learner.</p>\n"
                             : ".</p>\n");
        is_large = n.graph.width > MOST_WIDTH || n.graph.height > MOST_HEIGHT;
        if (is_large)
            report_print(page, "<details><summary>The graph, which is large: %zu nodes</summary>\n",
                         n.count);
        report_policy_box(page, n.graph.width > 1200);
        drawing_graph_write(&n.graph, page->out);
        report_raw(page, is_large ? "</div></details>\n" : "</div>\n");
    }
    drawing_graph_fini(&n.graph);
    return is_drawn && !is_large;
}
