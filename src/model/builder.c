/* SPDX-License-Identifier: MIT */
/*
 * Adding to a builder. Each function reserves memory for everything it adds before it adds anything, so a
 * call that fails leaves the builder as it was. Conditions that concern the whole model are checked at the
 * end (builder_check.c).
 */
#include "model/builder.h"

#include <omegapac/number.h>
#include <omegapac/text.h>

#include <string.h>

opac_status opac_builder_new(opac_model_type type, opac_builder **builder, opac_error *error)
{
    if (type != OPAC_MODEL_DTMC && type != OPAC_MODEL_MDP)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown model type %d", (int)type);
    opac_builder *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->type = type;
    made->graph.weighted = true;
    base_intern_init(&made->actions);
    base_intern_init(&made->label_names);
    *builder = made;
    return OPAC_OK;
}

void opac_builder_free(opac_builder *builder)
{
    if (builder == NULL)
        return;
    graph_builder_fini(&builder->graph);
    model_ratio_vec_fini(&builder->exact);
    base_u32_vec_fini(&builder->action);
    base_intern_fini(&builder->actions);
    base_intern_fini(&builder->label_names);
    model_label_entry_vec_fini(&builder->label_entries);
    model_layout_fini(&builder->layout);
    base_u64_vec_fini(&builder->rows);
    base_free(builder);
}

uint64_t model_builder_memory(const opac_builder *builder)
{
    const graph_builder *graph = &builder->graph;
    return sizeof(uint32_t) * (graph->choice_begin.count + graph->edge_begin.count +
                               graph->target.count + builder->action.count) +
           sizeof(double) * graph->prob.count + sizeof(base_ratio) * builder->exact.count +
           sizeof(model_label_entry) * builder->label_entries.count +
           sizeof(uint64_t) * builder->rows.count;
}

/* ---- variables and states ---- */

static opac_status check_variable(const opac_builder *builder, const char *name,
                                  opac_value_type type, int64_t low, int64_t high,
                                  opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    if (model_builder_states(builder) > 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "variables must be added before the first state");
    if (name == NULL || name[0] == '\0')
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the name of the variable is empty");
    opac_text_show(name, strlen(name), shown, sizeof shown);
    if (model_layout_find(&builder->layout, name, strlen(name)) != UINT32_MAX)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "variable '%s' already exists", shown);
    if (type != OPAC_VALUE_INT && type != OPAC_VALUE_BOOL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "variable '%s' has the unknown type %d", shown,
                         (int)type);
    if (type == OPAC_VALUE_BOOL && (low != 0 || high != 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the range of the Boolean variable '%s' must be 0 to 1", shown);
    return OPAC_OK;
}

opac_status opac_builder_variable(opac_builder *builder, const char *name, opac_value_type type,
                                  int64_t low, int64_t high, opac_error *error)
{
    TRY(check_variable(builder, name, type, low, high, error));
    return model_layout_add(&builder->layout, name, type, low, high, error);
}

opac_status opac_builder_state(opac_builder *builder, opac_error *error)
{
    size_t words = builder->layout.words;
    TRY(base_u64_vec_reserve(&builder->rows, builder->rows.count + words, error));
    TRY(graph_builder_state(&builder->graph, error));
    for (size_t i = 0; i < words; i++)
        builder->rows.items[builder->rows.count++] = 0;
    return OPAC_OK;
}

opac_status opac_builder_value(opac_builder *builder, uint32_t variable, int64_t value,
                               opac_error *error)
{
    const model_layout *layout = &builder->layout;
    if (model_builder_states(builder) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a value was added before the first state");
    if (variable >= layout->count)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "there is no variable %u: the number of variables is %u",
                         (unsigned)variable, (unsigned)layout->count);
    const model_variable *declared = &layout->variables[variable];
    char shown[OPAC_SHOWN_SIZE];
    if (value < declared->low || value > declared->high)
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "state %zu: the value %lld of '%s' is not in its range, %lld to %lld",
            model_builder_states(builder) - 1, (long long)value,
            opac_text_show(declared->name, strlen(declared->name), shown, sizeof shown),
            (long long)declared->low, (long long)declared->high);
    if (layout->words > 0)
        model_value_set(declared, builder->rows.items + (builder->rows.count - layout->words),
                        value);
    return OPAC_OK;
}

/* ---- choices and branches ---- */

/* Reserves memory for the actions of all choices and one more. */
static opac_status reserve_action(opac_builder *builder, size_t length, opac_error *error)
{
    if (length == 0 && builder->action.count == 0)
        return OPAC_OK;
    return base_u32_vec_reserve(&builder->action, builder->graph.edge_begin.count + 1, error);
}

opac_status model_builder_choice(opac_builder *builder, const char *action, size_t length,
                                 opac_error *error)
{
    uint32_t id = 0;
    TRY(reserve_action(builder, length, error));
    TRY(base_u32_vec_reserve(&builder->graph.edge_begin, builder->graph.edge_begin.count + 1,
                             error));
    if (length > 0)
        TRY(model_action_add(&builder->actions, action, length, &id, error));
    TRY(graph_builder_choice(&builder->graph, error));
    if (id == 0 && builder->action.count == 0)
        return OPAC_OK;
    while (builder->action.count + 1 < builder->graph.edge_begin.count)
        builder->action.items[builder->action.count++] = 0;
    builder->action.items[builder->action.count++] = id;
    return OPAC_OK;
}

opac_status opac_builder_choice(opac_builder *builder, const char *action, opac_error *error)
{
    if (model_builder_states(builder) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a choice was added before the first state");
    return model_builder_choice(builder, action, action != NULL ? strlen(action) : 0, error);
}

opac_status model_builder_branch(opac_builder *builder, uint32_t target, double prob,
                                 base_ratio ratio, opac_error *error)
{
    model_ratio_vec *exact = &builder->exact;
    bool keep = exact->count > 0 || model_ratio_is_given(ratio);
    if (keep)
        TRY(model_ratio_vec_reserve(exact, builder->graph.target.count + 1, error));
    TRY(graph_builder_edge(&builder->graph, target, prob, error));
    if (!keep)
        return OPAC_OK;
    while (exact->count + 1 < builder->graph.target.count)
        exact->items[exact->count++] = MODEL_RATIO_NONE;
    exact->items[exact->count++] = ratio;
    return OPAC_OK;
}

/* Fails unless the last state has a choice, to which a branch can be added. */
static opac_status check_choice(const opac_builder *builder, opac_error *error)
{
    const graph_builder *graph = &builder->graph;
    size_t states = graph->choice_begin.count;
    if (states == 0 || graph->edge_begin.count == graph->choice_begin.items[states - 1])
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "a branch was added before the first choice of its state");
    return OPAC_OK;
}

opac_status opac_builder_branch(opac_builder *builder, uint32_t target, double probability,
                                opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    TRY(check_choice(builder, error));
    if (model_is_too_small(probability))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the probability %s from state %zu to state %u is too small for a double",
                         opac_number_format(probability, text), model_builder_states(builder) - 1,
                         (unsigned)target);
    if (!(probability > 0 && probability <= 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the probability %s from state %zu to state %u is not in (0, 1]",
                         opac_number_format(probability, text), model_builder_states(builder) - 1,
                         (unsigned)target);
    return model_builder_branch(builder, target, probability, MODEL_RATIO_NONE, error);
}

opac_status opac_builder_branch_ratio(opac_builder *builder, uint32_t target, int64_t numerator,
                                      int64_t denominator, opac_error *error)
{
    TRY(check_choice(builder, error));
    base_ratio ratio = base_ratio_of(numerator, denominator);
    if (!base_ratio_is_known(ratio) || ratio.numerator <= 0 ||
        base_ratio_compare(ratio, base_ratio_of_integer(1)) > 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the probability %lld/%lld from state %zu to state %u is not in (0, 1]",
                         (long long)numerator, (long long)denominator,
                         model_builder_states(builder) - 1, (unsigned)target);
    return model_builder_branch(builder, target, base_ratio_to_double(ratio), ratio, error);
}

/* ---- labels ---- */

static bool is_word(const char *name, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(name, word, length) == 0;
}

opac_status model_builder_intern_label(opac_builder *builder, const char *name, size_t length,
                                       uint32_t *label, opac_error *error)
{
    if (is_word(name, length, "init") || is_word(name, length, "deadlock")) {
        *label = name[0] == 'i' ? MODEL_LABEL_INIT : MODEL_LABEL_DEADLOCK;
        return OPAC_OK;
    }
    uint32_t id;
    TRY(base_intern_add(&builder->label_names, name, length, &id, NULL, error));
    *label = id + 2;
    return OPAC_OK;
}

opac_status model_builder_set_label(opac_builder *builder, uint32_t label, uint32_t state,
                                    opac_error *error)
{
    return model_label_entry_vec_push(&builder->label_entries, (model_label_entry){label, state},
                                      error);
}

opac_status opac_builder_initial(opac_builder *builder, uint32_t state, opac_error *error)
{
    return model_builder_set_label(builder, MODEL_LABEL_INIT, state, error);
}

opac_status opac_builder_declare_label(opac_builder *builder, const char *name, opac_error *error)
{
    uint32_t label;
    if (name == NULL || name[0] == '\0')
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the name of the label is empty");
    return model_builder_intern_label(builder, name, strlen(name), &label, error);
}

opac_status opac_builder_label(opac_builder *builder, const char *name, uint32_t state,
                               opac_error *error)
{
    uint32_t label = 0;
    if (name == NULL || name[0] == '\0')
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the name of the label is empty");
    TRY(model_label_entry_vec_reserve(&builder->label_entries, builder->label_entries.count + 1,
                                      error));
    TRY(model_builder_intern_label(builder, name, strlen(name), &label, error));
    return model_builder_set_label(builder, label, state, error);
}
