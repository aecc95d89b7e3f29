/* SPDX-License-Identifier: MIT */
/*
 * The policy of a result: on a grid, if its states are places; else as the Markov chain that it
 * makes, if that is small and stands in the result; and as a table, which can be searched. All from
 * the result alone: the model need not be at hand.
 */
#include "report/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DECISIONS = 1000, /* of a picture */
    MOST_KEPT = 10000, /* states of a model whose policy is in the result without being asked for */
    MOST_ACTION = 48   /* bytes of an action's name */
};

/* ---- reading ---- */

uint32_t report_small(report_page *page, report_value object, const char *name)
{
    report_value member = report_member(page, object, name);
    uint64_t number = 0;
    if (report_has(member))
        report_fail(page, base_json_uint64(member, 0, UINT32_MAX, &number, page->error));
    return report_failed(page) ? 0 : (uint32_t)number;
}

/* Its name, or its number from 1 on. */
static const char *read_action(report_sheet *s, report_value object)
{
    report_page *page = s->page;
    const char *name = report_text(page, object, "action");
    char number[32];
    if (name == NULL || *name == '\0') {
        uint32_t choice = report_small(page, object, "choice");
        s->names_matter |= choice > 0;
        snprintf(number, sizeof number, "#%llu", (unsigned long long)choice + 1);
        name = number;
    }
    const char *shown = drawing_text_copy(&page->arena, name, strlen(name), MOST_ACTION);
    if (shown == NULL)
        report_fail(page, base_fail_memory(page->error));
    return shown != NULL ? shown : "";
}

static void read_decisions(report_sheet *s)
{
    report_page *page = s->page;
    report_value list = report_member(page, s->policy, "decisions");
    size_t count = report_length(page, list);
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value item = report_item(page, list, i);
        report_decision d = {.state = report_states_meet(&s->states, page, item),
                             .memory = report_small(page, item, "memory"),
                             .next = report_small(page, item, "next"),
                             .action = read_action(s, item)};
        if (!report_failed(page))
            report_fail(page, report_decision_vec_push(&s->decisions, d, page->error));
    }
}

static void read_starts(report_sheet *s)
{
    report_page *page = s->page;
    report_value memory = report_member(page, s->policy, "memory");
    report_value list = report_member(page, memory, "start");
    size_t count = report_length(page, list);
    s->memory_count = report_number(page, memory, "count");
    s->starts = base_arena_alloc_zeroed(&page->arena, count + 1, sizeof *s->starts);
    if (s->starts == NULL)
        report_fail(page, base_fail_memory(page->error));
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value item = report_item(page, list, i);
        s->starts[i].state = report_states_meet(&s->states, page, item);
        s->starts[i].memory = report_small(page, item, "memory");
        s->start_count++;
    }
}

/* For their labels and places: objects of a list that are about states. */
static void meet_all(report_sheet *s, report_value list)
{
    size_t count = report_length(s->page, list);
    for (size_t i = 0; i < count && !report_failed(s->page); i++)
        report_states_meet(&s->states, s->page, report_item(s->page, list, i));
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

static void sort(report_sheet *s)
{
    report_page *page = s->page;
    size_t count = s->decisions.count, kept = 0;
    if (!report_failed(page))
        report_fail(page, report_decision_vec_reserve(&s->sorted, count, page->error));
    if (!report_failed(page))
        report_fail(page, base_u32_vec_reserve(&s->memories, count, page->error));
    if (report_failed(page) || count == 0)
        return;
    memcpy(s->sorted.items, s->decisions.items, count * sizeof *s->sorted.items);
    s->sorted.count = count;
    qsort(s->sorted.items, count, sizeof *s->sorted.items, compare_decisions);
    for (size_t i = 0; i < count; i++)
        s->memories.items[i] = s->decisions.items[i].memory;
    qsort(s->memories.items, count, sizeof *s->memories.items, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || s->memories.items[kept - 1] != s->memories.items[i])
            s->memories.items[kept++] = s->memories.items[i];
    s->memories.count = kept;
    s->uses_memory = kept != 1 || !(s->memory_count <= 1);
}

static void read_all(report_sheet *s, report_value root)
{
    read_decisions(s);
    read_starts(s);
    meet_all(s, report_member(s->page, s->policy, "states"));
    meet_all(s, report_member(s->page, s->chain, "nodes"));
    meet_all(s, report_member(s->page, root, "sample"));
    s->met = s->states.items.count;
    meet_all(s, report_member(s->page, root, "states"));
    sort(s);
}

/* ---- for its pictures ---- */

const report_decision *report_policy_find(const report_sheet *s, uint32_t state, uint32_t memory)
{
    report_decision wanted = {.state = state, .memory = memory};
    return s->sorted.count == 0 ? NULL
                                : bsearch(&wanted, s->sorted.items, s->sorted.count,
                                          sizeof *s->sorted.items, compare_decisions);
}

const char *report_policy_heading(const report_sheet *s)
{
    const char *objective = report_text(s->page, s->policy, "objective");
    if (objective == NULL || *objective == '\0')
        objective = "policy";
    const char *shown = drawing_text_copy(&s->page->arena, objective, strlen(objective),
                                          2 * (size_t)DRAWING_MOST_TEXT);
    if (shown == NULL)
        report_fail(s->page, base_fail_memory(s->page->error));
    return shown != NULL ? shown : "";
}

void report_policy_box(report_page *page, bool is_wide)
{
    report_print(page, "<div class=\"picture scroll%s\" id=\"r%u-picture\">\n",
                 is_wide ? " wide" : "", page->number);
}

/* ---- the table ---- */

static void write_row(const report_sheet *s, const report_decision *d)
{
    report_page *page = s->page;
    const report_state *state = &s->states.items.items[d->state];
    report_print(page, "<tr data-memory=\"%u\" data-place=\"", (unsigned)d->memory);
    report_put(page, state->place);
    report_raw(page, "\"><td>");
    report_put(page, state->place);
    report_raw(page, "</td><td>");
    report_put(page, state->labels);
    report_raw(page, "</td>");
    if (s->uses_memory)
        report_print(page, "<td>%u</td>", (unsigned)d->memory);
    report_raw(page, "<td>");
    report_put(page, d->action);
    report_raw(page, "</td>");
    if (s->uses_memory)
        report_print(page, "<td>%u</td>", (unsigned)d->next);
    report_raw(page, "</tr>\n");
}

static void write_table(const report_sheet *s, bool is_folded)
{
    report_page *page = s->page;
    if (is_folded)
        report_print(page, "<details><summary>All %zu decisions as a table</summary>\n",
                     s->decisions.count);
    report_print(
        page,
        "<div class=\"tools\" hidden><label>Filter <input type=\"search\" class=\"filter\" "
        "data-table=\"r%u-decisions\"></label> <output class=\"count\"></output></div>\n",
        page->number);
    report_print(
        page,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Decisions\">"
        "<table class=\"data\" id=\"r%u-decisions\"><caption>What the policy does</caption>",
        page->number);
    report_raw(page, "<thead><tr><th scope=\"col\">state</th><th scope=\"col\">what holds</th>");
    report_raw(page, s->uses_memory ? "<th scope=\"col\">memory</th><th scope=\"col\">action</th>"
                                      "<th scope=\"col\">then memory</th>"
                                    : "<th scope=\"col\">action</th>");
    report_raw(page, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < s->decisions.count && !report_failed(page); i++)
        write_row(s, &s->decisions.items[i]);
    report_raw(page, "</tbody></table></div>\n");
    report_raw(page, is_folded ? "</details>\n" : "");
}

/* ---- the whole ---- */

static void write_embedded(report_sheet *s, report_value root)
{
    report_page *page = s->page;
    bool is_drawn = false;
    read_all(s, root);
    if (report_failed(page))
        return;
    report_raw(page, "<p>In each state");
    report_raw(page, s->uses_memory ? ", and for each value of its memory, the policy says which "
                                      "action to take and what to remember.</p>\n"
                                    : " the policy says which action to take.</p>\n");
    if (s->decisions.count <= MOST_DECISIONS)
        is_drawn = report_policy_grid(s) || (!report_failed(page) && report_policy_graph(s));
    write_table(s, is_drawn);
}

/* Of one that is too large for the result. */
static void write_path(report_page *page, report_value policy)
{
    const char *path = report_text(page, policy, "path");
    report_raw(page, "<p>The policy has ");
    report_put_value(page, report_member(page, policy, "decisions"));
    report_raw(page, " decisions, too many for a page. ");
    if (path == NULL)
        report_raw(page, "It was not kept; <code>--policy FILE</code> writes it.</p>\n");
    else {
        report_raw(page, "It is in the file ");
        report_code(page, path);
        report_raw(page, ", whose digest is ");
        report_code(page, report_text(page, policy, "digest"));
        report_raw(page, ".</p>\n");
    }
}

/* check keeps the policies of small models alone, unless it is told otherwise. */
static void explain_absence(report_page *page, const report_result *result)
{
    report_value inputs = report_member(page, result->root, "inputs");
    if (strcmp(result->command, "check") != 0 ||
        !report_has(report_member(page, result->root, "result")) ||
        !(report_number(page, inputs, "states") > MOST_KEPT))
        return;
    report_section(page, "policy", "The policy");
    report_raw(page, "<p>The model has many states, so the result has no policy; <code>--policy "
                     "FILE</code> writes it.</p>\n");
    report_section_end(page);
}

void report_policy(report_page *page, const report_result *result)
{
    report_value policy = report_member(page, result->root, "policy");
    report_value decisions = report_member(page, policy, "decisions");
    report_sheet s = {
        .page = page, .policy = policy, .chain = report_member(page, result->root, "chain")};
    if (report_failed(page))
        return;
    if (!report_has(policy)) {
        explain_absence(page, result);
        return;
    }
    report_section(page, "policy", "The policy");
    report_states_init(&s.states);
    if (report_has(decisions) && base_json_kind_of(decisions) == BASE_JSON_ARRAY)
        write_embedded(&s, result->root);
    else
        write_path(page, policy);
    report_states_fini(&s.states);
    report_decision_vec_fini(&s.decisions);
    report_decision_vec_fini(&s.sorted);
    base_u32_vec_fini(&s.memories);
    report_section_end(page);
}
