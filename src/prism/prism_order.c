/* SPDX-License-Identifier: MIT */
/*
 * The order of definitions: depth first, with a stack of its own. A name that
 * is met on the stack closes a cycle.
 *
 *     stack   │ f: node 3 │ g: node 0 │ h: node 7 │    h uses f:  f -> g -> h -> f
 *
 * Cost: linear in the nodes.
 */
#include <stdio.h>

#include "base/text.h"
#include "prism/resolve.h"

#define NONE UINT32_MAX

typedef struct frame {
    uint32_t definition, next; /* the node to look at next */
} frame;

BASE_VEC(frame_vec, frame);

typedef enum colour {
    COLOUR_NEW,
    COLOUR_OPEN, /* on the stack */
    COLOUR_DONE
} colour;

typedef struct search {
    const prism_scope *scope;
    const prism_definitions *definitions;
    model_report *report;
    uint8_t *colours;
    uint32_t *position_of; /* on the stack, while it is open */
    uint32_t *order;
    uint32_t ordered;
    bool *is_bad;
    frame_vec stack;
} search;

enum {
    MOST_SHOWN = 8 /* definitions of a cycle in a message */
};

/* f, and "l" for a label. */
static void add_name(const search *at, uint32_t definition, base_text *path)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *quote = definition >= at->definitions->first_label ? "\"" : "";
    prism_name_show(&at->scope->names, at->definitions->names[definition].id, shown);
    base_text_format(path, "%s%s%s", quote, shown, quote);
}

static opac_status report_cycle(search *at, size_t from, opac_error *error)
{
    base_text path = {0};
    char shown[OPAC_SHOWN_SIZE];
    size_t length = at->stack.count - from;
    uint32_t first = at->stack.items[from].definition;
    bool is_label = first >= at->definitions->first_label;
    char quote = is_label ? '"' : '\'';
    const prism_name *name = &at->definitions->names[first];
    for (size_t i = 0; i < length && i < MOST_SHOWN; i++) {
        add_name(at, at->stack.items[from + i].definition, &path);
        base_text_add(&path, " -> ");
    }
    if (length > MOST_SHOWN)
        base_text_add(&path, "... -> ");
    add_name(at, first, &path);
    prism_name_show(&at->scope->names, name->id, shown);
    opac_status status = base_text_check(&path, error);
    if (status == OPAC_OK)
        model_report_error(at->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
                           "%s %c%s%c is defined by itself: %s",
                           is_label ? "label" : at->definitions->noun, quote, shown, quote,
                           base_text_get(&path));
    base_text_fini(&path);
    return status;
}

/*
 * All from here to the top of the stack use one another. The top is marked, and
 * passes the mark on to those below when it leaves; a cycle both of whose ends
 * are marked was told, or crosses one that was.
 */
static opac_status close_cycle(search *at, uint32_t definition, opac_error *error)
{
    uint32_t top = at->stack.items[at->stack.count - 1].definition;
    bool is_new = !at->is_bad[top] || !at->is_bad[definition];
    at->is_bad[top] = at->is_bad[definition] = true;
    return is_new ? report_cycle(at, at->position_of[definition], error) : OPAC_OK;
}

static opac_status enter(search *at, uint32_t definition, opac_error *error)
{
    at->colours[definition] = COLOUR_OPEN;
    at->position_of[definition] = (uint32_t)at->stack.count;
    return frame_vec_push(&at->stack, (frame){.definition = definition}, error);
}

static void leave(search *at)
{
    uint32_t definition = at->stack.items[--at->stack.count].definition;
    at->colours[definition] = COLOUR_DONE;
    at->order[at->ordered++] = definition;
    if (at->stack.count > 0 && at->is_bad[definition])
        at->is_bad[at->stack.items[at->stack.count - 1].definition] = true;
}

static opac_status meet(search *at, uint32_t definition, opac_error *error)
{
    uint32_t user = at->stack.items[at->stack.count - 1].definition;
    switch ((colour)at->colours[definition]) {
    case COLOUR_NEW:
        return enter(at, definition, error);
    case COLOUR_OPEN:
        return close_cycle(at, definition, error);
    case COLOUR_DONE:
        at->is_bad[user] |= at->is_bad[definition];
        break;
    }
    return OPAC_OK;
}

/* The definition that a node uses; NONE: none of these. */
static uint32_t used_by(const search *at, const prism_node *node)
{
    const prism_definitions *definitions = at->definitions;
    uint32_t labels = definitions->count - definitions->first_label;
    const prism_symbol *symbol;
    switch (node->op) {
    case PRISM_OP_NAME:
        symbol = prism_scope_at(at->scope, node->value.name);
        if (symbol->kind == definitions->kind && symbol->index < definitions->first_label)
            return symbol->index;
        return NONE;
    case PRISM_OP_LABEL:
        symbol = prism_scope_label_at(at->scope, node->value.name);
        if (symbol->kind == PRISM_SYMBOL_LABEL && symbol->index < labels)
            return definitions->first_label + symbol->index;
        return NONE;
    default:
        return NONE;
    }
}

static opac_status step(search *at, opac_error *error)
{
    frame *top = &at->stack.items[at->stack.count - 1];
    const prism_expression *body = &at->definitions->bodies[top->definition];
    if (top->next == body->count) {
        leave(at);
        return OPAC_OK;
    }
    uint32_t used = used_by(at, &body->nodes[top->next++]);
    return used != NONE ? meet(at, used, error) : OPAC_OK;
}

opac_status prism_order_definitions(const prism_scope *scope, const prism_definitions *definitions,
                                    model_report *report, uint32_t *order, bool *is_bad,
                                    opac_error *error)
{
    search at = {.scope = scope,
                 .definitions = definitions,
                 .report = report,
                 .order = order,
                 .is_bad = is_bad};
    opac_status status = OPAC_OK;
    at.colours = base_alloc_zeroed(definitions->count, 1);
    at.position_of = base_alloc(definitions->count, sizeof *at.position_of);
    if (at.colours == NULL || at.position_of == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < definitions->count; i++)
        is_bad[i] = false;
    for (uint32_t i = 0; i < definitions->count; i++) {
        if (at.colours[i] == COLOUR_NEW)
            TRY_OR(done, enter(&at, i, error));
        while (at.stack.count > 0)
            TRY_OR(done, step(&at, error));
    }
done:
    frame_vec_fini(&at.stack);
    base_free(at.colours);
    base_free(at.position_of);
    return status;
}
