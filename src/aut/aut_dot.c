/* SPDX-License-Identifier: MIT */
/*
 * Writes automata in the DOT language of Graphviz. States have the same numbers as in the HOA output. Edges
 * between the same two states share an arrow, with a line of text for each edge.
 */
#include <stdlib.h>
#include <string.h>

#include "aut/hoa_order.h"
#include "aut/label_printer.h"
#include "base/alloc.h"
#include "base/bits.h"
#include "base/output.h"

enum {
    MOST_PRODUCTS = 16, /* written for a label; the others are replaced by "..." */
    MOST_LINES = 40     /* written for an arrow; the others are replaced by "..." */
};

/* An edge and the arrow that it belongs to. */
typedef struct arrow_line {
    uint32_t target;
    uint32_t is_epsilon;
    uint32_t edge;
} arrow_line;

typedef struct dot_writer {
    const opac_automaton *automaton;
    opac_output *out;
    hoa_order order;
    aut_label_printer printer;
    arrow_line *lines; /* of one state */
} dot_writer;

/* Writes text within quotes, with escapes. */
static void write_escaped(opac_output *out, const char *text)
{
    for (;;) {
        size_t run = strcspn(text, "\"\\\n\r");
        opac_output_write(out, text, run);
        text += run;
        if (*text == '\0')
            return;
        if (*text == '\n')
            opac_output_text(out, "\\n");
        else if (*text != '\r')
            opac_output_print(out, "\\%c", *text);
        text++;
    }
}

static void write_proposition(const aut_label_printer *printer, uint32_t proposition)
{
    const char *name = printer->automaton->propositions[proposition];
    const char *quote = aut_is_plain_name(name) ? "" : "\\\"";
    opac_output_text(printer->out, quote);
    write_escaped(printer->out, name);
    opac_output_text(printer->out, quote);
}

static void write_marks(opac_output *out, uint64_t marks)
{
    const char *before = " {";
    for (uint64_t left = marks; left != 0; left &= left - 1) {
        opac_output_print(out, "%s%u", before, base_lowest_bit(left));
        before = ",";
    }
    if (marks != 0)
        opac_output_text(out, "}");
}

/* ---- states ---- */

static void write_states(const dot_writer *writer)
{
    const opac_automaton *automaton = writer->automaton;
    opac_output *out = writer->out;
    for (uint32_t i = 0; i < automaton->initial_count; i++) {
        opac_output_print(out, "  start%u [label=\"\", shape=point, width=0.05]\n", i);
        opac_output_print(out, "  start%u -> %u\n", i, i);
    }
    for (uint32_t i = 0; i < automaton->state_count; i++) {
        uint32_t state = writer->order.state[i];
        opac_output_print(out, "  %u [label=\"%u", i, i);
        if (automaton->state_names != NULL && automaton->state_names[state] != NULL) {
            opac_output_text(out, ": ");
            write_escaped(out, automaton->state_names[state]);
        }
        opac_output_text(out, "\"]\n");
    }
}

/* ---- edges ---- */

static int compare_lines(const void *a, const void *b)
{
    const arrow_line *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->is_epsilon != y->is_epsilon)
        return x->is_epsilon < y->is_epsilon ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static opac_status write_line(dot_writer *writer, const aut_edge *edge, opac_error *error)
{
    aut_printable label = {0};
    if (edge->label == AUT_EPSILON) {
        opac_output_text(writer->out, "ε");
    } else {
        TRY(aut_label_find(&writer->printer, edge->label, &label, error));
        TRY(aut_label_print(&writer->printer, label, MOST_PRODUCTS, error));
    }
    write_marks(writer->out, edge->marks);
    return OPAC_OK;
}

/* Writes the arrow of the lines from *next on that have the same target. Sets *next to the first line of the
 * next arrow. */
static opac_status write_arrow(dot_writer *writer, uint32_t source, uint32_t *next, uint32_t count,
                               opac_error *error)
{
    const arrow_line *lines = writer->lines;
    opac_output *out = writer->out;
    uint32_t begin = *next, i = begin;
    opac_output_print(out, "  %u -> %u [label=\"", source, lines[begin].target);
    for (; i < count && lines[i].target == lines[begin].target &&
           lines[i].is_epsilon == lines[begin].is_epsilon;
         i++) {
        if (i - begin > MOST_LINES)
            continue;
        opac_output_text(out, i > begin ? "\\n" : "");
        if (i - begin == MOST_LINES)
            opac_output_text(out, "...");
        else
            TRY(write_line(writer, &writer->order.edges[lines[i].edge], error));
    }
    opac_output_text(out, lines[begin].is_epsilon ? "\", style=dashed]\n" : "\"]\n");
    *next = i;
    return OPAC_OK;
}

static opac_status write_edges(dot_writer *writer, uint32_t number, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    uint32_t state = writer->order.state[number], begin = automaton->edge_begin[state];
    uint32_t count = automaton->edge_begin[state + 1] - begin;
    for (uint32_t i = 0; i < count; i++) {
        const aut_edge *edge = &writer->order.edges[begin + i];
        writer->lines[i] = (arrow_line){edge->target, edge->label == AUT_EPSILON, begin + i};
    }
    qsort(writer->lines, count, sizeof *writer->lines, compare_lines);
    for (uint32_t i = 0; i < count;)
        TRY(write_arrow(writer, number, &i, count, error));
    return OPAC_OK;
}

/* ---- the whole ---- */

static void write_title(const dot_writer *writer)
{
    opac_output *out = writer->out;
    opac_output_text(out, "digraph automaton {\n  rankdir=LR\n  labelloc=t\n  label=\"");
    if (writer->automaton->name != NULL) {
        write_escaped(out, writer->automaton->name);
        opac_output_text(out, "\\n");
    }
    aut_condition_write(&writer->automaton->condition, out);
    opac_output_text(out, "\"\n  node [shape=ellipse]\n");
}

static opac_status write_all(dot_writer *writer, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    uint32_t widest = 0;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        uint32_t width = automaton->edge_begin[state + 1] - automaton->edge_begin[state];
        widest = width > widest ? width : widest;
    }
    TRY(hoa_order_init(&writer->order, automaton, error));
    TRY(aut_label_printer_init(&writer->printer, error));
    writer->lines = base_alloc(widest, sizeof *writer->lines);
    if (writer->lines == NULL)
        return base_fail_memory(error);
    write_title(writer);
    write_states(writer);
    for (uint32_t i = 0; i < automaton->state_count; i++)
        TRY(write_edges(writer, i, error));
    opac_output_text(writer->out, "}\n");
    return OPAC_OK;
}

void opac_automaton_write_dot(const opac_automaton *automaton, opac_output *out)
{
    dot_writer writer = {.automaton = automaton, .out = out};
    opac_error error;
    writer.printer = (aut_label_printer){.automaton = automaton,
                                         .out = out,
                                         .write_proposition = write_proposition,
                                         .and_sign = " & ",
                                         .or_sign = " | "};
    opac_status status = write_all(&writer, &error);
    if (status != OPAC_OK)
        base_output_fail(out, status, error.message);
    hoa_order_fini(&writer.order);
    aut_label_printer_fini(&writer.printer);
    base_free(writer.lines);
}
