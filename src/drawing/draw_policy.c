/* SPDX-License-Identifier: MIT */
/*
 * Pictures of policies. If the states are on a grid, the picture is a grid. Otherwise, if the policy is for a
 * model, it is the graph of the reachable pairs of state and memory. If there are too many pairs, or no
 * model, it is a table.
 */
#include "drawing/draw_policy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/drawing.h>
#include <omegapac/number.h>

#include "base/error.h"
#include "drawing/draw_graph.h"
#include "drawing/draw_grid.h"
#include "policy/chain_nodes.h"

enum {
    MOST_DECISIONS = 1000,
    MOST_PAIRS = 60 /* of a graph */
};

/* ---- texts ---- */

/* Copies the content of an output in memory to the arena, and frees the output. NULL if memory is
 * exhausted. */
static const char *take_text(opac_output *out, size_t most, base_arena *arena)
{
    size_t length = 0;
    const char *bytes = opac_output_bytes(out, &length);
    const char *text = bytes != NULL ? drawing_text_copy(arena, bytes, length, most) : NULL;
    opac_output_free(out);
    return text;
}

const char *drawing_policy_state(const opac_policy *policy, uint32_t state, size_t most,
                                 base_arena *arena)
{
    size_t length;
    opac_output *out;
    if (opac_policy_has_keys(policy)) {
        const char *key = opac_policy_key(policy, state, &length);
        return drawing_text_copy(arena, length > 0 ? key : "", length, most);
    }
    if (opac_output_open_memory(&out, NULL) != OPAC_OK)
        return NULL;
    if (opac_model_variable_count(policy->domain.model) == 0)
        opac_output_print(out, "state %u", (unsigned)state);
    else
        opac_model_write_state(policy->domain.model, state, out);
    return take_text(out, most, arena);
}

const char *drawing_policy_action(const opac_policy *policy, uint32_t state, uint32_t action,
                                  size_t most, base_arena *arena)
{
    const char *name = opac_policy_action_name(policy, state, action);
    char number[32];
    if (*name != '\0')
        return drawing_text_copy(arena, name, strlen(name), most);
    snprintf(number, sizeof number, "#%u", (unsigned)(action + 1));
    return drawing_text_copy(arena, number, strlen(number), most);
}

static void add_label(opac_output *out, bool *is_first, const char *name)
{
    opac_output_text(out, *is_first ? "" : ", ");
    opac_output_text(out, name);
    *is_first = false;
}

const char *drawing_policy_labels(const opac_policy *policy, uint32_t state, size_t most,
                                  base_arena *arena)
{
    const opac_model *model = policy->domain.model;
    const opac_automaton *automaton = policy->automaton;
    opac_output *out;
    bool is_first = true;
    if (opac_output_open_memory(&out, NULL) != OPAC_OK)
        return NULL;
    if (opac_policy_has_keys(policy)) {
        for (uint32_t i = 0;
             automaton != NULL && policy->letters != NULL && i < automaton->proposition_count; i++)
            if (policy->letters[state] >> i & 1)
                add_label(out, &is_first, automaton->propositions[i]);
    } else {
        for (uint32_t i = 0; i < opac_model_label_count(model); i++) {
            const char *label = opac_model_label(model, i);
            if (opac_model_has_label(model, state, i) && strcmp(label, "init") != 0 &&
                strcmp(label, "deadlock") != 0)
                add_label(out, &is_first, label);
        }
    }
    return take_text(out, most, arena);
}

const char *drawing_policy_heading(const opac_policy *policy, base_arena *arena)
{
    const char *objective = opac_policy_objective(policy);
    if (*objective == '\0')
        objective = "policy";
    return drawing_text_copy(arena, objective, strlen(objective), 2 * (size_t)DRAWING_MOST_TEXT);
}

/* ---- graphs ---- */

static opac_status add_pair(drawing_graph *graph, const opac_policy *policy, policy_node pair,
                            bool is_initial, opac_error *error)
{
    drawing_box box = {.line = (uint32_t)graph->lines.count, .is_initial = is_initial};
    char memory[48];
    snprintf(memory, sizeof memory, "memory %u", (unsigned)pair.memory);
    const char *labels =
        drawing_policy_labels(policy, pair.state, DRAWING_MOST_TEXT, &graph->arena);
    const char *state = drawing_policy_state(policy, pair.state, DRAWING_MOST_TEXT, &graph->arena);
    const char *shown = drawing_text_copy(&graph->arena, memory, strlen(memory), sizeof memory);
    box.title = drawing_policy_state(policy, pair.state, DRAWING_MOST_STATE_NAME, &graph->arena);
    box.state_name = box.title;
    box.memory = pair.memory;
    if (labels == NULL || state == NULL || shown == NULL || box.title == NULL)
        return base_fail_memory(error);
    TRY(drawing_graph_line(graph, &box.line_count, state, 0, error));
    if (policy->memory_count > 1)
        TRY(drawing_graph_line(graph, &box.line_count, shown, 0, error));
    if (*labels != '\0')
        TRY(drawing_graph_line(graph, &box.line_count, labels, 0, error));
    return drawing_box_vec_push(&graph->boxes, box, error);
}

/* Adds the arrow of a branch. Its text is the action, unless it has no name, and the probability: "go
 * 0.25". */
static opac_status add_branch(drawing_graph *graph, const opac_policy *policy, uint32_t from,
                              uint32_t to, uint32_t choice, uint32_t branch, opac_error *error)
{
    drawing_arrow arrow = {.from = from, .to = to, .line = (uint32_t)graph->lines.count};
    char number[OPAC_NUMBER_SIZE], text[OPAC_NUMBER_SIZE + 64];
    const char *name = opac_model_choice_action(policy->domain.model, choice);
    opac_number_format(opac_model_branch_probability(policy->domain.model, branch), number);
    snprintf(text, sizeof text, "%.40s%s%s", name, *name != '\0' ? " " : "", number);
    const char *shown = drawing_text_copy(&graph->arena, text, strlen(text), DRAWING_MOST_TEXT);
    if (shown == NULL)
        return base_fail_memory(error);
    TRY(drawing_graph_line(graph, &arrow.line_count, shown, 0, error));
    return drawing_arrow_vec_push(&graph->arrows, arrow, error);
}

/* Adds the arrows of all reachable pairs. Stops if there are more than MOST_PAIRS. */
static opac_status add_reachable(drawing_graph *graph, const opac_policy *policy,
                                 policy_nodes *pairs, opac_error *error)
{
    const opac_model *model = policy->domain.model;
    for (uint32_t i = 0; i < policy_nodes_count(pairs) && policy_nodes_count(pairs) <= MOST_PAIRS;
         i++) {
        policy_node pair = policy_nodes_at(pairs, i);
        uint32_t choice = opac_policy_act(policy, pair.state, &pair.memory);
        uint32_t begin = opac_model_branch_begin(model, choice);
        uint32_t end = begin + opac_model_branch_count(model, choice);
        for (uint32_t k = begin; k < end; k++) {
            uint32_t number = 0;
            TRY(policy_nodes_add(pairs, opac_model_branch_target(model, k), pair.memory, &number,
                                 error));
            TRY(add_branch(graph, policy, i, number, choice, k, error));
        }
    }
    return OPAC_OK;
}

static opac_status make_graph(drawing_graph *graph, const opac_policy *policy, bool *is_drawn,
                              opac_error *error)
{
    policy_nodes pairs = {0};
    opac_status status;
    TRY_OR(done, policy_nodes_begin(&pairs, policy, error));
    uint32_t initial = policy_nodes_count(&pairs);
    TRY_OR(done, add_reachable(graph, policy, &pairs, error));
    *is_drawn = policy_nodes_count(&pairs) <= MOST_PAIRS;
    for (uint32_t i = 0; i < policy_nodes_count(&pairs) && *is_drawn; i++)
        TRY_OR(done, add_pair(graph, policy, policy_nodes_at(&pairs, i), i < initial, error));
done:
    policy_nodes_fini(&pairs);
    return status;
}

static opac_status draw_graph(const opac_policy *policy, opac_output *out, bool *is_drawn,
                              opac_error *error)
{
    drawing_graph graph = {0};
    opac_status status = make_graph(&graph, policy, is_drawn, error);
    if (status == OPAC_OK && *is_drawn) {
        graph.heading = drawing_policy_heading(policy, &graph.arena);
        status = graph.heading != NULL ? drawing_graph_lay_out(&graph, NULL, error)
                                       : base_fail_memory(error);
    }
    if (status == OPAC_OK && *is_drawn)
        drawing_graph_write(&graph, out);
    drawing_graph_fini(&graph);
    return status;
}

/* ---- tables ---- */

enum {
    COLUMNS = 4 /* state, memory, action, next memory */
};

typedef struct table {
    const char **cells; /* COLUMNS for each row; the first row is the header */
    uint32_t rows;
    double width[COLUMNS];
} table;

static const char *show_number(uint32_t number, base_arena *arena)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)number);
    return drawing_text_copy(arena, text, strlen(text), sizeof text);
}

static opac_status fill(table *t, const opac_policy *policy, base_arena *arena, opac_error *error)
{
    static const char *const head[COLUMNS] = {"state", "memory", "action", "then memory"};
    uint32_t states = opac_policy_states(policy);
    memcpy(t->cells, head, sizeof head);
    t->rows = 1;
    for (uint32_t s = 0; s < states; s++)
        for (uint32_t i = policy->begin[s]; i < policy->begin[s + 1]; i++) {
            const policy_decision *d = &policy->decisions[i];
            const char **row = t->cells + (size_t)COLUMNS * t->rows++;
            row[0] = drawing_policy_state(policy, s, DRAWING_MOST_TEXT, arena);
            row[1] = show_number(d->memory, arena);
            row[2] = drawing_policy_action(policy, s, d->action, DRAWING_MOST_TEXT, arena);
            row[3] = show_number(d->next, arena);
            for (int k = 0; k < COLUMNS; k++)
                if (row[k] == NULL)
                    return base_fail_memory(error);
        }
    for (uint32_t i = 0; i < t->rows * COLUMNS; i++)
        t->width[i % COLUMNS] = fmax(t->width[i % COLUMNS], drawing_text_width(t->cells[i]) + 20);
    return OPAC_OK;
}

static void write_row(const table *t, uint32_t row, double y, opac_output *out)
{
    double x = DRAWING_MARGIN;
    for (int i = 0; i < COLUMNS; i++) {
        opac_output_print(out, "<text class=\"opac-left%s\" x=\"", row == 0 ? " opac-remark" : "");
        drawing_number_write(out, x);
        opac_output_text(out, "\" y=\"");
        drawing_number_write(out, y);
        opac_output_text(out, "\">");
        drawing_text_write(out, t->cells[row * COLUMNS + (uint32_t)i]);
        opac_output_text(out, "</text>\n");
        x += t->width[i];
    }
}

static opac_status draw_table(const opac_policy *policy, base_arena *arena, opac_output *out,
                              opac_error *error)
{
    table t = {0};
    double width = 2 * DRAWING_MARGIN, y = DRAWING_MARGIN + 12;
    const char *heading = drawing_policy_heading(policy, arena);
    t.cells = base_arena_alloc_zeroed(arena, COLUMNS * (opac_policy_decisions(policy) + 1),
                                      sizeof *t.cells);
    if (heading == NULL || t.cells == NULL)
        return base_fail_memory(error);
    TRY(fill(&t, policy, arena, error));
    for (int i = 0; i < COLUMNS; i++)
        width += t.width[i];
    width = fmax(width, drawing_text_width(heading) * 1.1 + 2 * DRAWING_MARGIN);
    drawing_open(out, width, DRAWING_HEADING + t.rows * 20.0 + 2 * DRAWING_MARGIN, heading);
    opac_output_text(out, "<text class=\"opac-heading\" x=\"12\" y=\"24\">");
    drawing_text_write(out, heading);
    opac_output_text(out, "</text>\n");
    for (uint32_t i = 0; i < t.rows; i++)
        write_row(&t, i, y + DRAWING_HEADING + i * 20.0, out);
    opac_output_text(out, "</svg>\n");
    return OPAC_OK;
}

opac_status opac_policy_write_grid_svg(const opac_policy *policy, uint32_t columns,
                                       uint32_t max_states, opac_output *out, opac_error *error)
{
    base_arena arena = {0};
    bool is_drawn = false;
    uint32_t most = max_states > 0 ? max_states : MOST_DECISIONS;
    if (opac_policy_decisions(policy) > most)
        return base_fail_limit(error, "max_states", most,
                               "the policy has %llu decisions, too many for a picture (at most %u)",
                               (unsigned long long)opac_policy_decisions(policy), (unsigned)most);
    opac_status status = drawing_policy_grid(policy, columns, &arena, out, &is_drawn, error);
    if (status == OPAC_OK && !is_drawn && !opac_policy_has_keys(policy))
        status = draw_graph(policy, out, &is_drawn, error);
    if (status == OPAC_OK && !is_drawn)
        status = draw_table(policy, &arena, out, error);
    base_arena_fini(&arena);
    return status;
}

opac_status opac_policy_write_svg(const opac_policy *policy, uint32_t max_states, opac_output *out,
                                  opac_error *error)
{
    return opac_policy_write_grid_svg(policy, 0, max_states, out, error);
}
