/* SPDX-License-Identifier: MIT */
/*
 * Writes an automaton in the HOA format, in one pass after its states have been ordered (hoa_order.h). No
 * text is kept other than in the buffer of the output.
 *
 * A label with very many products is written with an alias for each node of its decision diagram, so that its
 * length is proportional to the size of the diagram:
 *
 *     Alias: @0 3
 *     Alias: @1 !3
 *     Alias: @2 2&@1 | !2&@0
 *     …   [@2] 5
 */
#include <string.h>

#include <omegapac/version.h>

#include "aut/hoa_order.h"
#include "aut/label_printer.h"
#include "base/bits.h"
#include "base/output.h"

typedef struct hoa_writer {
    const opac_automaton *automaton;
    opac_output *out;
    hoa_order order;
    aut_label_printer printer;
    base_map aliases; /* node of the printer's store ► 1 + the number of its alias */
    bool has_epsilon;
    bool is_state_based; /* marks are the same on all edges of a state */
} hoa_writer;

static void write_string(opac_output *out, const char *text)
{
    opac_output_write(out, "\"", 1);
    for (;;) {
        size_t run = strcspn(text, "\"\\");
        opac_output_write(out, text, run);
        text += run;
        if (*text == '\0')
            break;
        char escape[2] = {'\\', *text++};
        opac_output_write(out, escape, 2);
    }
    opac_output_write(out, "\"", 1);
}

static void write_proposition(const aut_label_printer *printer, uint32_t proposition)
{
    aut_write_number(printer->out, proposition);
}

/* ---- preparation ---- */

/* Sets has_epsilon and is_state_based. */
static void find_form(hoa_writer *writer)
{
    const opac_automaton *automaton = writer->automaton;
    writer->is_state_based = true;
    for (uint32_t state = 0; state < automaton->state_count; state++) {
        uint32_t begin = automaton->edge_begin[state];
        for (uint32_t i = begin; i < automaton->edge_begin[state + 1]; i++) {
            if (automaton->edges[i].label == AUT_EPSILON)
                writer->has_epsilon = true;
            if (automaton->edges[i].marks != automaton->edges[begin].marks)
                writer->is_state_based = false;
        }
    }
}

/* A proposition "epsilon" would be read as that of epsilon edges, a convention of Mungojerrie. */
static opac_status check_names(const opac_automaton *automaton, opac_error *error)
{
    for (uint32_t i = 0; i < automaton->proposition_count; i++)
        if (strcmp(automaton->propositions[i], "epsilon") == 0)
            return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                             "the proposition 'epsilon' cannot be written to HOA, where it denotes "
                             "epsilon edges");
    return OPAC_OK;
}

/* ---- header ---- */

static void write_propositions(const hoa_writer *writer)
{
    const opac_automaton *automaton = writer->automaton;
    opac_output *out = writer->out;
    opac_output_print(out, "AP: %u", automaton->proposition_count + writer->has_epsilon);
    for (uint32_t i = 0; i < automaton->proposition_count; i++) {
        opac_output_write(out, " ", 1);
        write_string(out, automaton->propositions[i]);
    }
    opac_output_text(out, writer->has_epsilon ? " \"epsilon\"\n" : "\n");
}

static opac_status write_acceptance(const hoa_writer *writer, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    aut_condition_class found = {0};
    TRY(aut_condition_classify(&automaton->condition, automaton->mark_count, &found, error));
    if (found.name != AUT_NAME_EMERSON_LEI) {
        opac_output_text(writer->out, "acc-name: ");
        aut_condition_class_write(&found, writer->out);
        opac_output_text(writer->out, "\n");
    }
    aut_condition_class_fini(&found);
    opac_output_print(writer->out, "Acceptance: %u ", automaton->mark_count);
    aut_condition_write(&automaton->condition, writer->out);
    opac_output_text(writer->out, "\n");
    return OPAC_OK;
}

/* Writes the aliases of a node and its descendants, descendants first. The depth of the recursion is the
 * number of variables. */
static opac_status write_aliases(hoa_writer *writer, aut_bdd node, opac_error *error)
{
    uint64_t *alias;
    if (aut_bdd_is_constant(node) || base_map_find(&writer->aliases, node) != NULL)
        return OPAC_OK;
    aut_bdd_node parts = *aut_bdd_at(writer->printer.store, node);
    TRY(write_aliases(writer, parts.low, error));
    TRY(write_aliases(writer, parts.high, error));
    TRY(base_map_at(&writer->aliases, node, &alias, error));
    *alias = writer->aliases.count; /* 1 + its number */
    opac_output_print(writer->out, "Alias: @%zu ", writer->aliases.count - 1);
    if (parts.high != AUT_BDD_FALSE)
        opac_output_print(writer->out, "%u", parts.variable);
    if (!aut_bdd_is_constant(parts.high))
        opac_output_print(writer->out, "&@%u",
                          (uint32_t)*base_map_find(&writer->aliases, parts.high) - 1);
    if (parts.high != AUT_BDD_FALSE && parts.low != AUT_BDD_FALSE)
        opac_output_text(writer->out, " | ");
    if (parts.low != AUT_BDD_FALSE)
        opac_output_print(writer->out, "!%u", parts.variable);
    if (!aut_bdd_is_constant(parts.low))
        opac_output_print(writer->out, "&@%u",
                          (uint32_t)*base_map_find(&writer->aliases, parts.low) - 1);
    opac_output_text(writer->out, "\n");
    return OPAC_OK;
}

/* Writes the aliases of all large labels, in the order of the edges. */
static opac_status write_large_labels(hoa_writer *writer, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    for (uint32_t i = 0; i < automaton->state_count; i++) {
        uint32_t state = writer->order.state[i];
        for (uint32_t e = automaton->edge_begin[state]; e < automaton->edge_begin[state + 1]; e++) {
            aut_printable label = {0};
            aut_bdd written = writer->order.edges[e].label;
            if (written == AUT_EPSILON)
                continue;
            TRY(aut_label_find(&writer->printer, written, &label, error));
            if (label.is_large)
                TRY(write_aliases(writer, label.copy, error));
        }
    }
    return OPAC_OK;
}

static opac_status write_header(hoa_writer *writer, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    opac_output *out = writer->out;
    opac_output_text(out, "HOA: v1\ntool: \"omegapac\" \"" OPAC_VERSION "\"\n");
    if (automaton->name != NULL) {
        opac_output_text(out, "name: ");
        write_string(out, automaton->name);
        opac_output_text(out, "\n");
    }
    opac_output_print(out, "States: %u\n", automaton->state_count);
    for (uint32_t i = 0; i < automaton->initial_count; i++) /* the order numbers them first */
        opac_output_print(out, "Start: %u\n", i);
    write_propositions(writer);
    TRY(write_large_labels(writer, error));
    TRY(write_acceptance(writer, error));
    opac_output_print(out, "properties: trans-labels explicit-labels %s%s%s no-univ-branch\n",
                      writer->is_state_based ? "state-acc" : "trans-acc",
                      automaton->is_complete ? " complete" : "",
                      automaton->is_deterministic ? " deterministic" : "");
    return OPAC_OK;
}

/* ---- body ---- */

static void write_marks(opac_output *out, uint64_t marks)
{
    const char *before = " {";
    if (marks == 0)
        return;
    for (uint64_t left = marks; left != 0; left &= left - 1) {
        opac_output_text(out, before);
        aut_write_number(out, base_lowest_bit(left));
        before = " ";
    }
    opac_output_write(out, "}", 1);
}

static opac_status write_edge(hoa_writer *writer, const aut_edge *edge, opac_error *error)
{
    opac_output *out = writer->out;
    aut_printable label = {0};
    opac_status status = OPAC_OK;
    opac_output_write(out, "[", 1);
    if (edge->label == AUT_EPSILON) {
        aut_write_number(out, writer->automaton->proposition_count);
    } else {
        TRY(aut_label_find(&writer->printer, edge->label, &label, error));
        if (label.is_large)
            opac_output_print(out, "@%u",
                              (uint32_t)*base_map_find(&writer->aliases, label.copy) - 1);
        else
            TRY_OR(done, aut_label_print(&writer->printer, label, AUT_MANY_PRODUCTS, error));
    }
done:
    opac_output_write(out, "] ", 2);
    aut_write_number(out, edge->target);
    if (!writer->is_state_based)
        write_marks(out, edge->marks);
    opac_output_write(out, "\n", 1);
    return status;
}

static opac_status write_state(hoa_writer *writer, uint32_t number, opac_error *error)
{
    const opac_automaton *automaton = writer->automaton;
    opac_output *out = writer->out;
    uint32_t state = writer->order.state[number];
    uint32_t begin = automaton->edge_begin[state], end = automaton->edge_begin[state + 1];
    opac_output_write(out, "State: ", 7);
    aut_write_number(out, number);
    if (automaton->state_names != NULL && automaton->state_names[state] != NULL) {
        opac_output_write(out, " ", 1);
        write_string(out, automaton->state_names[state]);
    }
    if (writer->is_state_based && begin < end)
        write_marks(out, automaton->edges[begin].marks);
    opac_output_write(out, "\n", 1);
    for (uint32_t i = begin; i < end; i++)
        TRY(write_edge(writer, &writer->order.edges[i], error));
    return OPAC_OK;
}

static opac_status write_all(hoa_writer *writer, opac_error *error)
{
    TRY(check_names(writer->automaton, error));
    TRY(hoa_order_init(&writer->order, writer->automaton, error));
    TRY(aut_label_printer_init(&writer->printer, error));
    TRY(write_header(writer, error));
    opac_output_text(writer->out, "--BODY--\n");
    for (uint32_t i = 0; i < writer->automaton->state_count; i++)
        TRY(write_state(writer, i, error));
    opac_output_text(writer->out, "--END--\n");
    return OPAC_OK;
}

void opac_automaton_write_hoa(const opac_automaton *automaton, opac_output *out)
{
    hoa_writer writer = {.automaton = automaton, .out = out};
    opac_error error;
    writer.printer = (aut_label_printer){.automaton = automaton,
                                         .out = out,
                                         .write_proposition = write_proposition,
                                         .and_sign = "&",
                                         .or_sign = " | "};
    find_form(&writer);
    opac_status status = write_all(&writer, &error);
    if (status != OPAC_OK)
        base_output_fail(out, status, error.message);
    hoa_order_fini(&writer.order);
    aut_label_printer_fini(&writer.printer);
    base_map_fini(&writer.aliases);
}
