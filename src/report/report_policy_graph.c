/* SPDX-License-Identifier: MIT */
/* Draws the Markov chain under a policy as a graph. */
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

#include "drawing/draw_graph.h"
#include "report/report_policy.h"
#include "result/result_read.h"

enum {
    MOST_NODES = 60, /* of a graph with a picture */
    MOST_ARROWS = 300
};

typedef struct net {
    drawing_graph graph;
    size_t count;
    double *weights; /* count * count probabilities, row by row; 0 without an arrow */
    const char **actions;
} net;

static opac_status keep(drawing_graph *graph, const char *text, size_t most, const char **kept,
                        opac_error *error)
{
    *kept = drawing_text_copy(&graph->arena, text, strlen(text), most);
    return *kept != NULL ? OPAC_OK : base_fail_memory(error);
}

static opac_status add_line(drawing_graph *graph, uint32_t *count, const char *text,
                            opac_error *error)
{
    const char *kept;
    TRY(keep(graph, text, DRAWING_MOST_TEXT, &kept, error));
    return drawing_graph_line(graph, count, kept, 0, error);
}

static opac_status add_node(report_policy *p, net *n, size_t index, base_json_value node,
                            bool is_initial, opac_error *error)
{
    drawing_graph *graph = &n->graph;
    drawing_box box = {.line = (uint32_t)graph->lines.count,
                       .memory = (uint32_t)result_get_uint(node, "memory"),
                       .is_initial = is_initial};
    const char *action = result_get_text(node, "action");
    char memory[48];
    uint32_t number;
    TRY(report_states_add(&p->states, node, &number, error));
    const report_state *state = &p->states.items.items[number];
    TRY(keep(graph, state->name, DRAWING_MOST_STATE_NAME, &box.title, error));
    box.state_name = box.title;
    TRY(add_line(graph, &box.line_count, state->name, error));
    snprintf(memory, sizeof memory, "memory %u", (unsigned)box.memory);
    if (p->uses_memory)
        TRY(add_line(graph, &box.line_count, memory, error));
    if (*state->labels != '\0')
        TRY(add_line(graph, &box.line_count, state->labels, error));
    TRY(keep(graph, action != NULL ? action : "", 40, &n->actions[index], error));
    return drawing_box_vec_push(&graph->boxes, box, error);
}

/* Transitions between the same two nodes share one arrow. */
static opac_status read_edges(report_policy *p, net *n, size_t *arrows, opac_error *error)
{
    base_json_value edges = result_get(p->root, "chain.edges");
    *arrows = 0;
    for (size_t i = 0; i < result_count(edges); i++) {
        base_json_value edge = result_item(edges, i), from, to;
        uint64_t source, target;
        TRY(base_json_member(edge, "from", &from, error));
        TRY(base_json_uint64(from, 0, n->count - 1, &source, error));
        TRY(base_json_member(edge, "to", &to, error));
        TRY(base_json_uint64(to, 0, n->count - 1, &target, error));
        double probability = result_get_double(edge, "probability");
        if (!(probability > 0))
            continue;
        double *weight = &n->weights[source * n->count + target];
        *arrows += *weight == 0;
        *weight += probability;
    }
    return OPAC_OK;
}

static opac_status add_arrow(net *n, uint32_t from, uint32_t to, opac_error *error)
{
    drawing_graph *graph = &n->graph;
    drawing_arrow arrow = {.from = from, .to = to, .line = (uint32_t)graph->lines.count};
    char number[OPAC_NUMBER_SIZE], text[OPAC_NUMBER_SIZE + 64];
    const char *action = n->actions[from];
    opac_number_format(n->weights[from * n->count + to], number);
    snprintf(text, sizeof text, "%.40s%s%s", action, *action != '\0' ? " " : "", number);
    TRY(add_line(graph, &arrow.line_count, text, error));
    return drawing_arrow_vec_push(&graph->arrows, arrow, error);
}

static bool is_listed(base_json_value list, size_t wanted)
{
    for (size_t i = 0; i < result_count(list) && i < MOST_NODES; i++) {
        uint64_t number;
        if (base_json_uint64(result_item(list, i), 0, UINT32_MAX, &number, NULL) == OPAC_OK &&
            number == wanted)
            return true;
    }
    return false;
}

/* *fits is false if the chain has too many arrows for a picture. */
static opac_status fill(report_policy *p, net *n, base_json_value nodes, bool *fits,
                        opac_error *error)
{
    base_json_value initial = result_get(p->root, "chain.initial");
    base_arena *arena = &p->states.arena;
    size_t arrows;
    n->weights = base_arena_alloc_zeroed(arena, n->count * n->count, sizeof *n->weights);
    n->actions = base_arena_alloc_zeroed(arena, n->count, sizeof *n->actions);
    if (n->weights == NULL || n->actions == NULL)
        return base_fail_memory(error);
    TRY(read_edges(p, n, &arrows, error));
    *fits = arrows <= MOST_ARROWS;
    if (!*fits)
        return OPAC_OK;
    for (size_t i = 0; i < n->count; i++)
        TRY(add_node(p, n, i, result_item(nodes, i), is_listed(initial, i), error));
    for (uint32_t from = 0; from < n->count; from++)
        for (uint32_t to = 0; to < n->count; to++)
            if (n->weights[from * n->count + to] > 0)
                TRY(add_arrow(n, from, to, error));
    return OPAC_OK;
}

opac_status report_policy_graph(report_policy *p, opac_output *out, bool *is_drawn,
                                opac_error *error)
{
    base_json_value nodes = result_get(p->root, "chain.nodes");
    net n = {.count = result_count(nodes)};
    opac_status status;
    *is_drawn = false;
    if (n.count == 0 || n.count > MOST_NODES)
        return OPAC_OK;
    TRY_OR(done, fill(p, &n, nodes, is_drawn, error));
    if (!*is_drawn)
        goto done;
    TRY_OR(done, report_policy_heading(p, &n.graph.heading, error));
    TRY_OR(done, drawing_graph_lay_out(&n.graph, NULL, error));
    drawing_graph_write(&n.graph, out);
    p->kind = "graph";
done:
    drawing_graph_fini(&n.graph);
    return status;
}
