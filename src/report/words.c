/* SPDX-License-Identifier: MIT */
/* Members of results by names that people know them by. */
#include <math.h>
#include <string.h>

#include "report/page.h"

/* What was counted or timed; all else is called as its option is. */
static const struct {
    const char *key, *words;
} names[] = {{"C_seconds", "time of C steps"},
             {"bottom_components", "components without an exit"},
             {"chain_states", "states of the chain"},
             {"complete", "complete pairs"},
             {"known", "known pairs"},
             {"least", "of the least probability"},
             {"losing", "losing states"},
             {"maybe", "states in between"},
             {"milliseconds", "time"},
             {"pairs_seen", "pairs seen"},
             {"read_seconds", "time to read the model"},
             {"samples_seconds", "time of the samples"},
             {"sampling_seconds", "time to sample"},
             {"seconds", "time in all"},
             {"simulator_seconds", "time of the simulator"},
             {"solves", "times the learned model was solved"},
             {"solving_seconds", "time to solve"},
             {"winning", "winning states"}};

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* "max_steps" as "max steps". */
static const char *in_words(report_page *page, const char *key)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].key, key) == 0)
            return names[i].words;
    char *words = base_arena_copy_text(&page->arena, key, strlen(key));
    if (words == NULL)
        report_fail(page, base_fail_memory(page->error));
    for (char *at = words; at != NULL && *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return words != NULL ? words : "";
}

static bool is_among(const char *name, const char *const *list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* How many seconds it says; NAN: it is no duration. */
static double seconds_of(report_page *page, report_value object, report_value member)
{
    if (!report_has(member) || base_json_kind_of(member) != BASE_JSON_NUMBER)
        return NAN;
    if (ends_in(member.key, "milliseconds"))
        return report_number(page, object, member.key) / 1000;
    return ends_in(member.key, "seconds") ? report_number(page, object, member.key) : NAN;
}

void report_fact_members(report_page *page, report_value object, const char *const *without)
{
    report_value member = {0}, probe;
    if (report_failed(page) || !report_has(object))
        return;
    report_fail(page, base_json_optional(object, "", &probe, page->error)); /* an object? */
    while (!report_failed(page) && base_json_next(object, &member)) {
        if (is_among(member.key, without))
            continue;
        double seconds = seconds_of(page, object, member);
        if (isnan(seconds))
            report_fact(page, in_words(page, member.key), member);
        else
            report_fact_duration(page, in_words(page, member.key), seconds);
    }
}
