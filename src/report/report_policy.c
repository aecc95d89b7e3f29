/* SPDX-License-Identifier: MIT */
#include "report/report_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/result_read.h"

enum {
    MOST_DECISIONS = 1000, /* of a policy with a picture */
    MOST_ACTION = 48       /* bytes of an action's name */
};

void report_policy_fini(report_policy *policy)
{
    report_states_fini(&policy->states);
    base_u32_vec_fini(&policy->deciding);
    base_u32_vec_fini(&policy->visited);
    base_u32_vec_fini(&policy->memories);
    report_decision_vec_fini(&policy->sorted);
    report_start_vec_fini(&policy->starts);
}

/* ---- reading ---- */

/* Adds the state of each object of a list, and appends its number to `numbers` unless that is NULL. */
static opac_status add_states(report_policy *p, base_json_value list, base_u32_vec *numbers,
                              opac_error *error)
{
    uint32_t number;
    for (size_t i = 0; i < result_count(list); i++) {
        TRY(report_states_add(&p->states, result_item(list, i), &number, error));
        if (numbers != NULL)
            TRY(base_u32_vec_push(numbers, number, error));
    }
    return OPAC_OK;
}

/* The name of the action, or "#" and its number, counted from 1. */
static opac_status read_action(report_policy *p, base_json_value decision, const char **action,
                               opac_error *error)
{
    const char *name = result_get_text(decision, "action");
    char number[32];
    if (name == NULL || *name == '\0') {
        uint64_t choice = result_get_uint(decision, "choice");
        p->names_matter |= choice > 0;
        snprintf(number, sizeof number, "#%llu", (unsigned long long)choice + 1);
        name = number;
    }
    *action = drawing_text_copy(&p->states.arena, name, strlen(name), MOST_ACTION);
    return *action != NULL ? OPAC_OK : base_fail_memory(error);
}

static int compare_decisions(const void *a, const void *b)
{
    const report_decision *d = a, *e = b;
    if (d->state != e->state)
        return d->state < e->state ? -1 : 1;
    return (d->memory > e->memory) - (d->memory < e->memory);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return (i > k) - (i < k);
}

static void sort(report_policy *p)
{
    size_t count = p->sorted.count, kept = 0;
    if (count == 0)
        return;
    qsort(p->sorted.items, count, sizeof *p->sorted.items, compare_decisions);
    qsort(p->memories.items, count, sizeof *p->memories.items, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || p->memories.items[kept - 1] != p->memories.items[i])
            p->memories.items[kept++] = p->memories.items[i];
    p->memories.count = kept;
    p->uses_memory = kept != 1 || !(result_get_double(p->root, "policy.memory.count") <= 1);
}

static opac_status read_decisions(report_policy *p, base_json_value list, opac_error *error)
{
    TRY(add_states(p, list, &p->deciding, error));
    for (size_t i = 0; i < p->deciding.count; i++) {
        base_json_value item = result_item(list, i);
        report_decision decision = {.state = p->deciding.items[i],
                                    .memory = (uint32_t)result_get_uint(item, "memory")};
        TRY(read_action(p, item, &decision.action, error));
        TRY(report_decision_vec_push(&p->sorted, decision, error));
        TRY(base_u32_vec_push(&p->memories, decision.memory, error));
    }
    sort(p);
    return OPAC_OK;
}

static opac_status read_starts(report_policy *p, base_json_value list, opac_error *error)
{
    for (size_t i = 0; i < result_count(list); i++) {
        base_json_value item = result_item(list, i);
        report_start start = {.memory = (uint32_t)result_get_uint(item, "memory")};
        TRY(report_states_add(&p->states, item, &start.state, error));
        TRY(report_start_vec_push(&p->starts, start, error));
    }
    return OPAC_OK;
}

opac_status report_policy_read(base_json_value root, report_policy *p, opac_error *error)
{
    p->root = root;
    report_states_init(&p->states);
    TRY(read_decisions(p, result_get(root, "policy.decisions"), error));
    TRY(read_starts(p, result_get(root, "policy.memory.start"), error));
    TRY(add_states(p, result_get(root, "policy.states"), NULL, error));
    TRY(add_states(p, result_get(root, "chain.nodes"), NULL, error));
    TRY(add_states(p, result_get(root, "sample"), &p->visited, error));
    p->occurring = p->states.items.count;
    return add_states(p, result_get(root, "states"), NULL, error);
}

/* ---- pictures ---- */

const report_decision *report_policy_find(const report_policy *p, uint32_t state, uint32_t memory)
{
    report_decision wanted = {.state = state, .memory = memory};
    return p->sorted.count == 0 ? NULL
                                : bsearch(&wanted, p->sorted.items, p->sorted.count,
                                          sizeof *p->sorted.items, compare_decisions);
}

opac_status report_policy_heading(report_policy *p, const char **heading, opac_error *error)
{
    const char *objective = result_get_text(p->root, "policy.objective");
    if (objective == NULL || *objective == '\0')
        objective = "policy";
    *heading = drawing_text_copy(&p->states.arena, objective, strlen(objective),
                                 2 * (size_t)DRAWING_MOST_TEXT);
    return *heading != NULL ? OPAC_OK : base_fail_memory(error);
}

opac_status report_policy_draw(report_policy *p, opac_output *out, opac_error *error)
{
    base_json_value decisions = result_get(p->root, "policy.decisions");
    bool is_drawn = false;
    if (!base_json_is_there(decisions) || base_json_kind_of(decisions) != BASE_JSON_ARRAY ||
        p->sorted.count > MOST_DECISIONS)
        return OPAC_OK;
    TRY(report_policy_grid(p, out, &is_drawn, error));
    return is_drawn ? OPAC_OK : report_policy_graph(p, out, &is_drawn, error);
}
