/* SPDX-License-Identifier: MIT */
/* Matches the states of two models. Cost: linear in the number of states times the number of variables. */
#include "env/graph_match.h"

#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "env/kind.h"

/* ---- by values ---- */

typedef struct columns {
    uint32_t *of; /* by variable of the model: the variable of the graph */
    int64_t *row; /* the values of a state, in the order of the model */
    uint32_t count;
} columns;

/* False if the two have different variables; variables with a single value count, too. */
static bool pair_variables(const opac_model *graph, const opac_model *model, columns *made)
{
    if (graph->layout.count != made->count || made->count == 0)
        return false;
    for (uint32_t i = 0; i < made->count; i++) {
        const char *name = opac_model_variable(model, i);
        made->of[i] = model_layout_find(&graph->layout, name, strlen(name));
        if (made->of[i] == UINT32_MAX)
            return false;
    }
    return true;
}

static opac_status add_state(base_intern *table, const opac_model *model, const uint32_t *order,
                             uint32_t state, int64_t *row, bool *is_new, opac_error *error)
{
    uint32_t id;
    for (uint32_t i = 0; i < model->layout.count; i++)
        row[i] = opac_model_value(model, state, order == NULL ? i : order[i]);
    return base_intern_add(table, row, table->width, &id, is_new, error);
}

/* Adds the values of each state, with its number as the id. *is_fit: no two states have equal values. */
static opac_status tabulate(base_intern *table, const opac_model *model, const uint32_t *order,
                            int64_t *row, bool *is_unique, opac_error *error)
{
    *is_unique = true;
    for (uint32_t s = 0; s < opac_model_states(model) && *is_unique; s++)
        TRY(add_state(table, model, order, s, row, is_unique, error));
    return OPAC_OK;
}

static void match_tables(env_match *match, const base_intern *graph, const base_intern *model)
{
    for (uint32_t g = 0; g < graph->count; g++) {
        size_t length;
        uint32_t s;
        const unsigned char *key = base_intern_key(graph, g, &length);
        if (base_intern_find(model, key, length, &s)) {
            match->of_graph[g] = s;
            match->of_model[s] = g;
        }
    }
    match->by_values = true;
}

static opac_status match_values(env_match *match, const opac_model *graph, const opac_model *model,
                                columns *made, opac_error *error)
{
    base_intern graph_rows, model_rows;
    bool is_unique = true;
    base_intern_init_fixed(&graph_rows, made->count * sizeof *made->row);
    base_intern_init_fixed(&model_rows, made->count * sizeof *made->row);
    opac_status status = tabulate(&model_rows, model, NULL, made->row, &is_unique, error);
    if (status == OPAC_OK && is_unique)
        status = tabulate(&graph_rows, graph, made->of, made->row, &is_unique, error);
    if (status == OPAC_OK && is_unique)
        match_tables(match, &graph_rows, &model_rows);
    base_intern_fini(&graph_rows);
    base_intern_fini(&model_rows);
    return status;
}

static opac_status try_values(env_match *match, const opac_model *graph, const opac_model *model,
                              opac_error *error)
{
    columns made = {.count = model->layout.count};
    opac_status status = OPAC_OK;
    made.of = base_alloc(made.count, sizeof *made.of);
    made.row = base_alloc(made.count, sizeof *made.row);
    if (made.of == NULL || made.row == NULL)
        status = base_fail_memory(error);
    else if (pair_variables(graph, model, &made))
        status = match_values(match, graph, model, &made, error);
    base_free(made.of);
    base_free(made.row);
    return status;
}

/* ---- checks ---- */

static const char *show_state(const opac_model *model, uint32_t state, char *buffer)
{
    if (!env_show_state(model, state, buffer, OPAC_SHOWN_SIZE))
        buffer[0] = '\0';
    return buffer;
}

static const char *match_remark(const env_match *match)
{
    return match->by_values ? "" : " (states are matched by number)";
}

static opac_status check_initial(const env_match *match, const opac_model *graph,
                                 const opac_model *model, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    if (graph->initial.count != model->initial.count)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the graph has %zu initial states, but the model has %zu",
                         graph->initial.count, model->initial.count);
    for (size_t i = 0; i < graph->initial.count; i++) {
        uint32_t state = graph->initial.items[i], found = match->of_graph[state];
        if (found == ENV_UNMATCHED ||
            !base_bitset_has(&model->labels.items[MODEL_LABEL_INIT].states, found))
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the graph has other initial states than the model: state '%s' is "
                             "initial in the graph only%s",
                             show_state(graph, state, shown), match_remark(match));
    }
    return OPAC_OK;
}

static opac_status check_names(const env_match *match, const opac_model *graph,
                               const opac_model *model, uint32_t s, opac_error *error)
{
    uint32_t g = match->of_model[s];
    char graph_name[OPAC_SHOWN_SIZE], model_name[OPAC_SHOWN_SIZE], shown[OPAC_SHOWN_SIZE];
    for (uint32_t a = 0; a < opac_model_choice_count(model, s); a++) {
        const char *one = opac_model_choice_action(graph, opac_model_choice_begin(graph, g) + a);
        const char *other = opac_model_choice_action(model, opac_model_choice_begin(model, s) + a);
        if (one[0] != '\0' && other[0] != '\0' && strcmp(one, other) != 0)
            return base_fail(
                error, OPAC_ERROR_ARGUMENT,
                "action %u of state '%s' is \"%s\" in the model and \"%s\" in the graph%s",
                (unsigned)a, show_state(model, s, shown),
                opac_text_show(other, strlen(other), model_name, sizeof model_name),
                opac_text_show(one, strlen(one), graph_name, sizeof graph_name),
                match_remark(match));
    }
    return OPAC_OK;
}

static opac_status check_actions(const env_match *match, const opac_model *graph,
                                 const opac_model *model, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        uint32_t g = match->of_model[s], model_count = opac_model_choice_count(model, s);
        if (g == ENV_UNMATCHED)
            continue;
        uint32_t graph_count = opac_model_choice_count(graph, g);
        if (graph_count != model_count)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "state '%s' has %u action%s in the model and %u in the graph%s",
                             show_state(model, s, shown), (unsigned)model_count,
                             model_count == 1 ? "" : "s", (unsigned)graph_count,
                             match_remark(match));
        TRY(check_names(match, graph, model, s, error));
    }
    return OPAC_OK;
}

/* ---- creation and release ---- */

void env_match_fini(env_match *match)
{
    base_free(match->of_graph);
    base_free(match->of_model);
    *match = (env_match){0};
}

static void match_numbers(env_match *match, uint32_t graph_count, uint32_t model_count)
{
    for (uint32_t s = 0; s < graph_count && s < model_count; s++)
        match->of_graph[s] = match->of_model[s] = s;
}

opac_status env_match_init(env_match *match, const opac_model *graph, const opac_model *model,
                           opac_error *error)
{
    uint32_t graph_count = opac_model_states(graph), model_count = opac_model_states(model);
    *match = (env_match){.of_graph = base_alloc(graph_count, sizeof *match->of_graph),
                         .of_model = base_alloc(model_count, sizeof *match->of_model)};
    opac_status status = OPAC_OK;
    if (match->of_graph == NULL || match->of_model == NULL)
        TRY_OR(done, base_fail_memory(error));
    memset(match->of_graph, 0xFF, graph_count * sizeof *match->of_graph);
    memset(match->of_model, 0xFF, model_count * sizeof *match->of_model);
    TRY_OR(done, try_values(match, graph, model, error));
    if (!match->by_values)
        match_numbers(match, graph_count, model_count);
    TRY_OR(done, check_initial(match, graph, model, error));
    status = check_actions(match, graph, model, error);
done:
    if (status != OPAC_OK)
        env_match_fini(match);
    return status;
}
