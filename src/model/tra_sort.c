/* SPDX-License-Identifier: MIT */
/*
 * Sorts the transitions of a .tra file that are out of order: a counting sort by choice and then by state.
 * It is stable, so the branches of a choice stay in the order of the file. Takes linear time, and 12 bytes
 * for each transition in addition to the list.
 */
#include "model/tra_read.h"

opac_status model_tra_make_list(model_tra *tra, opac_error *error)
{
    opac_builder *builder = tra->builder;
    bool exact = tra->reader.source.options->exact;
    size_t count = builder->graph.target.count;
    TRY(model_tra_check_memory(
        tra, sizeof(model_transition) + 3 * sizeof(uint32_t) + (exact ? sizeof(base_ratio) : 0),
        error));
    TRY(model_transition_vec_reserve(&tra->list, count + 1, error));
    if (exact)
        TRY(model_ratio_vec_reserve(&tra->ratios, count + 1, error));
    for (size_t s = 0; s < model_builder_states(builder); s++) {
        size_t first, last, begin, end;
        model_builder_choices(builder, s, &first, &last);
        for (size_t c = first; c < last; c++) {
            model_builder_branches(builder, c, &begin, &end);
            for (size_t e = begin; e < end; e++) {
                tra->list.items[tra->list.count++] = (model_transition){
                    .state = (uint32_t)s,
                    .choice = (uint32_t)(c - first),
                    .target = builder->graph.target.items[e],
                    .action = builder->action.count > c ? builder->action.items[c] : 0,
                    .line = model_tra_line(tra, e),
                    .prob = builder->graph.prob.items[e],
                };
                if (exact)
                    tra->ratios.items[tra->ratios.count++] =
                        builder->exact.count > e ? builder->exact.items[e] : MODEL_RATIO_NONE;
            }
        }
    }
    tra->is_list = true;
    graph_builder_fini(&builder->graph);
    builder->graph.weighted = true;
    base_u32_vec_fini(&builder->action);
    model_ratio_vec_fini(&builder->exact);
    return OPAC_OK;
}

static uint32_t key_of(const model_transition *t, bool by_state)
{
    return by_state ? t->state : t->choice;
}

/* Writes the list indices of `from` (NULL: 0, 1, 2 …) to `to`, sorted by their keys. */
static opac_status count_sort(const model_transition_vec *list, bool by_state, const uint32_t *from,
                              uint32_t *to, opac_error *error)
{
    uint32_t most = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t key = key_of(&list->items[i], by_state);
        most = key > most ? key : most;
    }
    size_t *begin = base_alloc_zeroed((size_t)most + 2, sizeof *begin);
    if (begin == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < list->count; i++)
        begin[key_of(&list->items[i], by_state) + (size_t)1]++;
    for (size_t key = 0; key <= most; key++)
        begin[key + 1] += begin[key];
    for (size_t i = 0; i < list->count; i++) {
        uint32_t item = from != NULL ? from[i] : (uint32_t)i;
        to[begin[key_of(&list->items[item], by_state)]++] = item;
    }
    base_free(begin);
    return OPAC_OK;
}

/* Fails if the number of a choice is larger than the number of lines, since a counting sort would be slow. */
static opac_status check_keys(const model_tra *tra, opac_error *error)
{
    for (size_t i = 0; i < tra->list.count; i++) {
        const model_transition *t = &tra->list.items[i];
        if (t->choice >= tra->list.count)
            return base_fail_at(error, OPAC_ERROR_SYNTAX, t->line, 1,
                                "state %u has a choice %u, but there are only %zu transitions",
                                (unsigned)t->state, (unsigned)t->choice, tra->list.count);
    }
    return OPAC_OK;
}

/* Fails unless the choices of each state are numbered 0, 1, 2 … without gaps. */
static opac_status check_gap(const model_tra *tra, const model_transition *t, opac_error *error)
{
    bool is_new = t->state >= model_builder_states(tra->builder);
    uint32_t expected = is_new ? 0 : tra->choice + 1;
    if (t->choice == expected || (!is_new && t->choice == tra->choice))
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_SYNTAX, t->line, 1,
                        "state %u has a choice %u, but no choice %u", (unsigned)t->state,
                        (unsigned)t->choice, (unsigned)expected);
}

static opac_status fill(model_tra *tra, const uint32_t *order, opac_error *error)
{
    TRY(base_u32_vec_reserve(&tra->lines, tra->list.count, error));
    for (size_t i = 0; i < tra->list.count; i++) {
        const model_transition *t = &tra->list.items[order[i]];
        base_ratio ratio = tra->ratios.count > 0 ? tra->ratios.items[order[i]] : MODEL_RATIO_NONE;
        TRY(check_gap(tra, t, error));
        TRY(model_tra_append(tra, t, ratio, error));
        tra->lines.items[tra->lines.count++] = t->line;
    }
    return OPAC_OK;
}

opac_status model_tra_sort(model_tra *tra, opac_error *error)
{
    size_t count = tra->list.count;
    tra->choice = 0;
    uint32_t *by_choice = base_alloc(count, sizeof *by_choice);
    uint32_t *order = base_alloc(count, sizeof *order);
    opac_status status;
    TRY_OR(done, by_choice != NULL && order != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, check_keys(tra, error));
    TRY_OR(done, count_sort(&tra->list, false, NULL, by_choice, error));
    TRY_OR(done, count_sort(&tra->list, true, by_choice, order, error));
    base_free(by_choice);
    by_choice = NULL;
    status = fill(tra, order, error);
done:
    base_free(by_choice);
    base_free(order);
    return status;
}

/* ---- actions ---- */

/* Sets number[action] to the number of the action in `names`, to which it is added if it is UINT32_MAX. */
static opac_status number_action(const base_intern *old, uint32_t action, base_intern *names,
                                 uint32_t *number, opac_error *error)
{
    size_t length;
    if (number[action] != UINT32_MAX)
        return OPAC_OK;
    const char *name = (const char *)base_intern_key(old, action, &length);
    return model_action_add(names, name, length - 1, &number[action], error);
}

opac_status model_tra_number_actions(model_tra *tra, opac_error *error)
{
    base_intern *old = &tra->builder->actions, names;
    base_u32_vec *action = &tra->builder->action;
    uint32_t *number = base_alloc(old->count, sizeof *number);
    opac_status status = OPAC_OK;
    if (number == NULL)
        return base_fail_memory(error);
    base_intern_init(&names);
    for (uint32_t i = 0; i < old->count; i++)
        number[i] = i == 0 ? 0 : UINT32_MAX;
    for (size_t c = 0; c < action->count; c++) {
        TRY_OR(done, number_action(old, action->items[c], &names, number, error));
        action->items[c] = number[action->items[c]];
    }
done:
    base_free(number);
    base_intern_fini(status == OPAC_OK ? old : &names);
    if (status == OPAC_OK)
        *old = names;
    return status;
}
