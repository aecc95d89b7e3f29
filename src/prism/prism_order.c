/* SPDX-License-Identifier: MIT */
/*
 * Orders definitions by depth-first search with an explicit stack. A use of a definition that is on the stack
 * closes a cycle.
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
    uint32_t definition, next; /* the next node to visit */
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
    uint32_t *position_of; /* for each open definition: its position on the stack */
    uint32_t *order;
    uint32_t ordered;
    bool *is_bad;
    frame_vec stack;
} search;

enum {
    MAX_SHOWN = 8 /* definitions of a cycle in a message */
};

/* Appends f, or "l" for a label. */
static void append_name(const search *s, uint32_t definition, base_text *path)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *quote = definition >= s->definitions->first_label ? "\"" : "";
    prism_show_name_id(&s->scope->names, s->definitions->names[definition].id, shown);
    base_text_format(path, "%s%s%s", quote, shown, quote);
}

static opac_status report_cycle(search *s, size_t from, opac_error *error)
{
    base_text path = {0};
    char shown[OPAC_SHOWN_SIZE];
    size_t length = s->stack.count - from;
    uint32_t first = s->stack.items[from].definition;
    bool is_label = first >= s->definitions->first_label;
    char quote = is_label ? '"' : '\'';
    const prism_name *name = &s->definitions->names[first];
    for (size_t i = 0; i < length && i < MAX_SHOWN; i++) {
        append_name(s, s->stack.items[from + i].definition, &path);
        base_text_add(&path, " -> ");
    }
    if (length > MAX_SHOWN)
        base_text_add(&path, "... -> ");
    append_name(s, first, &path);
    prism_show_name_id(&s->scope->names, name->id, shown);
    opac_status status = base_text_check(&path, error);
    if (status == OPAC_OK)
        model_report_error(s->report, OPAC_ERROR_SYNTAX, name->place.line, name->place.column,
                           "%s %c%s%c is defined in terms of itself: %s",
                           is_label ? "label" : s->definitions->noun, quote, shown, quote,
                           base_text_get(&path));
    base_text_fini(&path);
    return status;
}

/*
 * The definitions from `definition` to the top of the stack form a cycle. The top is marked as bad and passes
 * the mark on to the definition below when it is popped. If both ends of the cycle were marked before, the
 * cycle was reported, or it intersects one that was; then it is not reported.
 */
static opac_status close_cycle(search *s, uint32_t definition, opac_error *error)
{
    uint32_t top = s->stack.items[s->stack.count - 1].definition;
    bool is_new = !s->is_bad[top] || !s->is_bad[definition];
    s->is_bad[top] = s->is_bad[definition] = true;
    return is_new ? report_cycle(s, s->position_of[definition], error) : OPAC_OK;
}

static opac_status enter(search *s, uint32_t definition, opac_error *error)
{
    s->colours[definition] = COLOUR_OPEN;
    s->position_of[definition] = (uint32_t)s->stack.count;
    return frame_vec_push(&s->stack, (frame){.definition = definition}, error);
}

static void leave(search *s)
{
    uint32_t definition = s->stack.items[--s->stack.count].definition;
    s->colours[definition] = COLOUR_DONE;
    s->order[s->ordered++] = definition;
    if (s->stack.count > 0 && s->is_bad[definition])
        s->is_bad[s->stack.items[s->stack.count - 1].definition] = true;
}

static opac_status visit(search *s, uint32_t definition, opac_error *error)
{
    uint32_t user = s->stack.items[s->stack.count - 1].definition;
    switch ((colour)s->colours[definition]) {
    case COLOUR_NEW:
        return enter(s, definition, error);
    case COLOUR_OPEN:
        return close_cycle(s, definition, error);
    case COLOUR_DONE:
        s->is_bad[user] |= s->is_bad[definition];
        break;
    }
    return OPAC_OK;
}

/* The definition that a node uses; NONE if it does not use one. */
static uint32_t used_definition(const search *s, const prism_node *node)
{
    const prism_definitions *definitions = s->definitions;
    uint32_t labels = definitions->count - definitions->first_label;
    const prism_symbol *symbol;
    switch (node->op) {
    case PRISM_OP_NAME:
        symbol = prism_scope_at(s->scope, node->value.name);
        if (symbol->kind == definitions->kind && symbol->index < definitions->first_label)
            return symbol->index;
        return NONE;
    case PRISM_OP_LABEL:
        symbol = prism_scope_label_at(s->scope, node->value.name);
        if (symbol->kind == PRISM_SYMBOL_LABEL && symbol->index < labels)
            return definitions->first_label + symbol->index;
        return NONE;
    default:
        return NONE;
    }
}

static opac_status step(search *s, opac_error *error)
{
    frame *top = &s->stack.items[s->stack.count - 1];
    const prism_expression *body = &s->definitions->bodies[top->definition];
    if (top->next == body->count) {
        leave(s);
        return OPAC_OK;
    }
    uint32_t used = used_definition(s, &body->nodes[top->next++]);
    return used != NONE ? visit(s, used, error) : OPAC_OK;
}

opac_status prism_order_definitions(const prism_scope *scope, const prism_definitions *definitions,
                                    model_report *report, uint32_t *order, bool *is_bad,
                                    opac_error *error)
{
    search s = {.scope = scope,
                .definitions = definitions,
                .report = report,
                .order = order,
                .is_bad = is_bad};
    opac_status status = OPAC_OK;
    s.colours = base_alloc_zeroed(definitions->count, 1);
    s.position_of = base_alloc(definitions->count, sizeof *s.position_of);
    if (s.colours == NULL || s.position_of == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < definitions->count; i++)
        is_bad[i] = false;
    for (uint32_t i = 0; i < definitions->count; i++) {
        if (s.colours[i] == COLOUR_NEW)
            TRY_OR(done, enter(&s, i, error));
        while (s.stack.count > 0)
            TRY_OR(done, step(&s, error));
    }
done:
    frame_vec_fini(&s.stack);
    base_free(s.colours);
    base_free(s.position_of);
    return status;
}
