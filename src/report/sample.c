/* SPDX-License-Identifier: MIT */
/* A trajectory under the policy: a table, and buttons that a script brings to life. */
#include <string.h>

#include "report/policy.h"

static void write_player(report_page *page, size_t count)
{
    unsigned n = page->number;
    report_print(
        page, "<div class=\"player\" data-table=\"r%u-steps\" data-picture=\"r%u-picture\" ", n, n);
    report_raw(page, "role=\"group\" aria-label=\"Step through the run\" hidden>\n"
                     "<button type=\"button\" data-go=\"first\">First</button>\n"
                     "<button type=\"button\" data-go=\"back\">Back</button>\n"
                     "<button type=\"button\" data-go=\"play\">Play</button>\n"
                     "<button type=\"button\" data-go=\"next\">Next</button>\n"
                     "<button type=\"button\" data-go=\"last\">Last</button>\n");
    report_print(
        page,
        "<label>Step <input type=\"range\" class=\"where\" min=\"0\" max=\"%zu\" value=\"0\" "
        "step=\"1\"></label>\n<output class=\"now\" aria-live=\"polite\"></output>\n</div>\n",
        count > 0 ? count - 1 : 0);
}

static void write_step(report_page *page, report_states *states, report_value step, size_t index)
{
    uint32_t number = report_states_meet(states, page, step);
    uint32_t memory = report_small(page, step, "memory");
    report_value state = report_member(page, step, "state");
    const char *action = report_text(page, step, "action");
    if (report_failed(page))
        return;
    const report_state *known = &states->items.items[number];
    report_print(page, "<tr data-memory=\"%u\" data-place=\"", (unsigned)memory);
    report_put(page, known->place);
    report_print(page, "\"><td>%zu</td><td>", index);
    report_put(page, known->place);
    if (report_has(state) && base_json_kind_of(state) == BASE_JSON_STRING) {
        report_raw(page, " ");
        report_put_value(page, state);
    }
    report_raw(page, "</td><td>");
    report_put(page, known->labels);
    report_print(page, "</td><td>%u</td><td>", (unsigned)memory);
    report_put(page, action == NULL ? "" : *action != '\0' ? action : "(no name)");
    report_raw(page, "</td></tr>\n");
}

void report_sample(report_page *page, const report_result *result)
{
    report_value sample = report_member(page, result->root, "sample");
    report_states states;
    size_t count = report_length(page, sample);
    if (report_failed(page) || count == 0)
        return;
    report_states_init(&states);
    report_section(page, "sample", "A run");
    report_print(page, "<p>%zu step%s of the system under the policy, as one run went.</p>\n",
                 count - 1, count == 2 ? "" : "s");
    write_player(page, count);
    report_print(page,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Steps\">"
                 "<table class=\"data\" id=\"r%u-steps\"><caption>The run, step by step</caption>"
                 "<thead><tr><th scope=\"col\">step</th><th scope=\"col\">state</th>"
                 "<th scope=\"col\">what holds</th><th scope=\"col\">memory</th>"
                 "<th scope=\"col\">action</th></tr></thead>\n<tbody>\n",
                 page->number);
    for (size_t i = 0; i < count && !report_failed(page); i++)
        write_step(page, &states, report_item(page, sample, i), i);
    report_raw(page, "</tbody></table></div>\n");
    report_section_end(page);
    report_states_fini(&states);
}
