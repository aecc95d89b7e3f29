/* SPDX-License-Identifier: MIT */
/*
 * An automaton on the page. Its text comes with the result, and may be anything: what is no
 * automaton is shown as the text that it is, with what is wrong.
 */
#include <string.h>

#include <omegapac/automaton.h>
#include <omegapac/drawing.h>

#include "report/sections.h"

enum {
    MOST_STATES = 12,       /* of a picture that can still be followed */
    MOST_EDGES = 60,        /* likewise */
    MOST_TEXT = 1024 * 1024 /* bytes of HOA that are read, and shown */
};

/* Without its number of pairs or colours: "Rabin" of "Rabin 1". */
static void put_kind(report_page *page, const opac_automaton *automaton)
{
    opac_output *name = NULL;
    size_t length;
    bool is_deterministic = opac_automaton_is_deterministic(automaton), is_limit = false;
    if (!is_deterministic)
        report_fail(page, opac_automaton_is_limit_deterministic(automaton, &is_limit, page->error));
    if (!report_failed(page))
        report_fail(page, opac_output_open_memory(&name, page->error));
    if (report_failed(page))
        return;
    opac_automaton_write_acceptance_name(automaton, name);
    const char *bytes = opac_output_bytes(name, &length);
    report_raw(page, is_deterministic ? "A deterministic "
                     : is_limit       ? "A limit-deterministic "
                                      : "A nondeterministic ");
    if (bytes == NULL)
        report_fail(page, base_fail_memory(page->error));
    else
        report_put(page, bytes);
    opac_output_free(name);
}

static void put_acceptance(report_page *page, const opac_automaton *automaton)
{
    opac_output *text = NULL;
    size_t length;
    if (!report_failed(page))
        report_fail(page, opac_output_open_memory(&text, page->error));
    if (report_failed(page))
        return;
    opac_automaton_write_acceptance(automaton, text);
    const char *bytes = opac_output_bytes(text, &length);
    if (bytes == NULL)
        report_fail(page, base_fail_memory(page->error));
    else
        report_code(page, bytes);
    opac_output_free(text);
}

static void put_words(report_page *page, const opac_automaton *automaton)
{
    uint32_t states = opac_automaton_states(automaton);
    report_raw(page, "<p>");
    put_kind(page, automaton);
    report_print(page, " automaton with %u state%s reads what holds along a run", (unsigned)states,
                 states == 1 ? "" : "s");
    if (!opac_automaton_is_deterministic(automaton))
        report_raw(page, ", and may choose where to go");
    report_raw(page, ". It accepts if its marks meet ");
    put_acceptance(page, automaton);
    report_raw(page, ": <code>Inf</code> stands for a mark that is seen again and again, "
                     "<code>Fin</code> for one that is not.</p>\n");
}

static void put_text(report_page *page, const char *text)
{
    report_raw(page, "<details><summary>The automaton as text (HOA)</summary>\n<pre>");
    for (size_t run; !report_failed(page) && *text != '\0'; text += run) {
        run = strcspn(text, "\n");
        report_html_bytes(page->out, text, run);
        if (text[run] == '\n') {
            report_raw(page, "\n");
            run++;
        }
    }
    report_raw(page, "</pre></details>\n");
}

/* All that is known of an automaton that was read. */
static void show(report_page *page, const opac_automaton *automaton, const char *text)
{
    put_words(page, automaton);
    if (opac_automaton_states(automaton) <= MOST_STATES &&
        opac_automaton_edges(automaton) <= MOST_EDGES && !report_failed(page)) {
        report_raw(page, "<div class=\"picture scroll\">");
        report_fail(page,
                    opac_automaton_write_svg(automaton, MOST_STATES, NULL, page->out, page->error));
        report_raw(page, "</div>\n");
    }
    put_text(page, text);
}

/* False: the text is none, and *error says why. */
static opac_status read(const char *text, opac_automaton **automaton, opac_error *error)
{
    opac_hoa_reader *reader = NULL;
    *automaton = NULL;
    opac_status status = opac_hoa_reader_new(text, strlen(text), NULL, NULL, &reader, error);
    if (status == OPAC_OK)
        status = opac_hoa_reader_next(reader, automaton, error);
    if (status == OPAC_OK && *automaton == NULL)
        status = base_fail(error, OPAC_ERROR_SYNTAX, "there is none in the text");
    opac_hoa_reader_free(reader);
    return status;
}

void report_automaton(report_page *page, const char *text)
{
    opac_automaton *automaton = NULL;
    opac_error why = {0};
    if (report_failed(page))
        return;
    if (strlen(text) > MOST_TEXT) {
        report_raw(page, "<p>The automaton is too large to be shown.</p>\n");
        return;
    }
    opac_status status = read(text, &automaton, &why);
    if (status == OPAC_ERROR_MEMORY)
        report_fail(page, base_fail_memory(page->error));
    else if (status == OPAC_OK)
        show(page, automaton, text);
    else {
        report_raw(page, "<p>The automaton cannot be read: ");
        report_put(page, why.message);
        report_raw(page, ".</p>\n");
        put_text(page, text);
    }
    opac_automaton_free(automaton);
}
