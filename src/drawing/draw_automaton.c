/* SPDX-License-Identifier: MIT */
/*
 * Pictures of automata. States have the same numbers as in the HOA output. Edges between the same two states
 * share an arrow, with a line of text for each. Epsilon edges are dashed.
 */
#include <stdlib.h>
#include <string.h>

#include <omegapac/drawing.h>

#include "aut/hoa_order.h"
#include "aut/label_printer.h"
#include "base/error.h"
#include "drawing/draw_graph.h"

enum {
    MOST_STATES = 100,
    MOST_PRODUCTS = 16, /* of a label */
    MOST_LINES = 12,    /* of an arrow */
    MOST_TITLE = 400    /* bytes of a tooltip */
};

typedef struct picture {
    const opac_automaton *automaton;
    drawing_graph graph;
    hoa_order order;
    aut_label_printer printer;
} picture;

static void write_proposition(const aut_label_printer *printer, uint32_t proposition)
{
    const char *name = printer->automaton->propositions[proposition];
    const char *quote = aut_is_plain_name(name) ? "" : "\"";
    opac_output_print(printer->out, "%s%s%s", quote, name, quote);
}

/* Copies the content of an output in memory to the arena, and frees the output. NULL if memory is
 * exhausted. */
static const char *take_text(picture *p, opac_output *out, size_t most)
{
    size_t length = 0;
    const char *bytes = opac_output_bytes(out, &length);
    const char *text =
        bytes != NULL ? drawing_text_copy(&p->graph.arena, bytes, length, most) : NULL;
    opac_output_free(out);
    return text;
}

/* ---- arrows ---- */

static opac_status print_label(picture *p, aut_bdd label, const char **text, opac_error *error)
{
    aut_printable found = {0};
    opac_output *out = NULL;
    if (label == AUT_EPSILON) {
        *text = "\xCE\xB5";
        return OPAC_OK;
    }
    TRY(aut_label_find(&p->printer, label, &found, error));
    TRY(opac_output_open_memory(&out, error));
    p->printer.out = out;
    opac_status status = aut_label_print(&p->printer, found, MOST_PRODUCTS, error);
    p->printer.out = NULL;
    *text = take_text(p, out, DRAWING_MOST_TEXT);
    if (status == OPAC_OK && *text == NULL)
        return base_fail_memory(error);
    return status;
}

/* Whether two edges of a state share an arrow. Loops do, whatever their style. */
static bool share_arrow(const aut_edge *edge, const aut_edge *other, uint32_t source)
{
    bool same_style = (edge->label == AUT_EPSILON) == (other->label == AUT_EPSILON);
    return edge->target == other->target && (same_style || edge->target == source);
}

/* Adds the arrow of an edge, with lines for all edges that share it. */
static opac_status add_arrow(picture *p, uint32_t source, const aut_edge *edges, uint32_t count,
                             uint32_t first, opac_error *error)
{
    drawing_arrow arrow = {.from = source,
                           .to = edges[first].target,
                           .line = (uint32_t)p->graph.lines.count,
                           .is_dashed = edges[first].label == AUT_EPSILON};
    for (uint32_t i = first; i < count; i++) {
        const char *text = "...";
        if (!share_arrow(&edges[i], &edges[first], source) || arrow.line_count > MOST_LINES)
            continue;
        bool is_last = arrow.line_count == MOST_LINES;
        if (!is_last)
            TRY(print_label(p, edges[i].label, &text, error));
        TRY(drawing_graph_line(&p->graph, &arrow.line_count, text, is_last ? 0 : edges[i].marks,
                               error));
    }
    return drawing_arrow_vec_push(&p->graph.arrows, arrow, error);
}

static opac_status add_arrows(picture *p, uint32_t number, opac_error *error)
{
    const opac_automaton *automaton = p->automaton;
    uint32_t state = p->order.state[number], begin = automaton->edge_begin[state];
    uint32_t count = automaton->edge_begin[state + 1] - begin;
    const aut_edge *edges = p->order.edges + begin;
    for (uint32_t i = 0; i < count; i++) {
        bool is_first = true;
        for (uint32_t k = 0; k < i && is_first; k++)
            is_first = !share_arrow(&edges[i], &edges[k], number);
        if (is_first)
            TRY(add_arrow(p, number, edges, count, i, error));
    }
    return OPAC_OK;
}

/* ---- states ---- */

static bool is_initial(const opac_automaton *automaton, uint32_t state)
{
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        if (automaton->initial[i] == state)
            return true;
    return false;
}

/* The title of a state: "state 3", or "state 3: name". */
static opac_status make_title(picture *p, uint32_t number, const char *name, const char **title,
                              opac_error *error)
{
    opac_output *out = NULL;
    TRY(opac_output_open_memory(&out, error));
    opac_output_print(out, "state %u%s%s", (unsigned)number, name != NULL ? ": " : "",
                      name != NULL ? name : "");
    *title = take_text(p, out, MOST_TITLE);
    return *title != NULL ? OPAC_OK : base_fail_memory(error);
}

static opac_status add_state(picture *p, uint32_t number, opac_error *error)
{
    const opac_automaton *automaton = p->automaton;
    uint32_t state = p->order.state[number];
    const char *name = automaton->state_names != NULL ? automaton->state_names[state] : NULL;
    drawing_box box = {.line = (uint32_t)p->graph.lines.count,
                       .is_round = true,
                       .is_initial = is_initial(automaton, state)};
    TRY(make_title(p, number, name, &box.title, error));
    const char *text = box.title + strlen("state ");
    if (strlen(text) > DRAWING_MOST_TEXT)
        text = drawing_text_copy(&p->graph.arena, text, strlen(text), DRAWING_MOST_TEXT);
    if (text == NULL)
        return base_fail_memory(error);
    TRY(drawing_graph_line(&p->graph, &box.line_count, text, 0, error));
    return drawing_box_vec_push(&p->graph.boxes, box, error);
}

/* ---- the whole picture ---- */

static opac_status add_heading(picture *p, opac_error *error)
{
    opac_output *name = NULL, *condition = NULL;
    TRY(opac_output_open_memory(&name, error));
    opac_output_text(name, p->automaton->name != NULL ? p->automaton->name : "automaton");
    p->graph.heading = take_text(p, name, (size_t)2 * DRAWING_MOST_TEXT);
    TRY(opac_output_open_memory(&condition, error));
    opac_automaton_write_acceptance_name(p->automaton, condition);
    opac_output_text(condition, ": ");
    opac_automaton_write_acceptance(p->automaton, condition);
    p->graph.remark = take_text(p, condition, (size_t)2 * DRAWING_MOST_TEXT);
    return p->graph.heading != NULL && p->graph.remark != NULL ? OPAC_OK : base_fail_memory(error);
}

static opac_status make_picture(picture *p, const opac_cancel *cancel, opac_error *error)
{
    uint32_t states = p->automaton->state_count;
    TRY(hoa_order_init(&p->order, p->automaton, error));
    TRY(aut_label_printer_init(&p->printer, error));
    TRY(add_heading(p, error));
    for (uint32_t i = 0; i < states; i++)
        TRY(add_state(p, i, error));
    for (uint32_t i = 0; i < states; i++)
        TRY(add_arrows(p, i, error));
    return drawing_graph_lay_out(&p->graph, cancel, error);
}

opac_status opac_automaton_write_svg(const opac_automaton *automaton, uint32_t max_states,
                                     const opac_cancel *cancel, opac_output *out, opac_error *error)
{
    picture p = {.automaton = automaton};
    uint32_t most = max_states > 0 ? max_states : MOST_STATES;
    if (automaton->state_count > most)
        return base_fail_limit(error, "max_states", most,
                               "the automaton has %u states, too many for a picture (at most %u)",
                               (unsigned)automaton->state_count, (unsigned)most);
    p.printer = (aut_label_printer){.automaton = automaton,
                                    .write_proposition = write_proposition,
                                    .and_sign = " & ",
                                    .or_sign = " | "};
    opac_status status = make_picture(&p, cancel, error);
    if (status == OPAC_OK)
        drawing_graph_write(&p.graph, out);
    hoa_order_fini(&p.order);
    aut_label_printer_fini(&p.printer);
    drawing_graph_fini(&p.graph);
    return status;
}
