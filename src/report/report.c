/* SPDX-License-Identifier: MIT */
/*
 * Reports: texts become results, results become articles. The page is made in memory and handed
 * over whole, so that a mistake in the last result leaves nothing behind.
 *
 * A text is one result, however it is broken into lines, or several, a line each; it is the latter
 * if its first line is JSON by itself.
 */
#include <omegapac/report.h>

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/vec.h"
#include "report/sections.h"

enum {
    MOST_BYTES = 100 * 1000 * 1000, /* of a text */
    MOST_RESULTS = 10000
};

typedef base_json *document;
BASE_VEC(document_vec, document);
BASE_VEC(result_vec, report_result);

/* What stands in an article: one result, or all runs of a question. */
typedef struct group {
    size_t begin, count;
} group;
BASE_VEC(group_vec, group);

typedef struct report {
    document_vec documents;
    result_vec results;
    group_vec groups;
    report_result *heads; /* of each group the result that stands for it */
    opac_error *error;
} report;

opac_report_options opac_report_defaults(void)
{
    return (opac_report_options){.title = NULL};
}

/* ---- messages ---- */

/* "result.json:3: " in front of what is wrong. */
static opac_status fail_in(const char *file, uint32_t line, uint32_t column, opac_status status,
                           opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], place[OPAC_SHOWN_SIZE + 32], message[OPAC_MESSAGE_SIZE];
    if (status == OPAC_ERROR_MEMORY)
        return status;
    opac_text_show_path(file, shown, sizeof shown);
    if (line > 0 && column > 0)
        snprintf(place, sizeof place, "%s:%u:%u", shown, (unsigned)line, (unsigned)column);
    else if (line > 0)
        snprintf(place, sizeof place, "%s:%u", shown, (unsigned)line);
    else
        snprintf(place, sizeof place, "%s", shown);
    memcpy(message, error->message, sizeof message);
    message[sizeof message - 1] = '\0';
    if (line == 0 || column == 0)
        return base_fail(error, status, "%s: %s", place, message);
    return base_fail_at(error, status, line, column, "%s: %s", place, message);
}

static opac_status fail_at(const report_result *at, opac_status status, opac_error *error)
{
    return at != NULL ? fail_in(at->file, at->line, 0, status, error) : status;
}

/* ---- what kind of thing it is ---- */

static opac_status name_schema(const char *schema, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(schema, strlen(schema), shown, sizeof shown);
    if (strncmp(schema, "omegapac.experiment/", strlen("omegapac.experiment/")) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "these are the data of an experiment, which has a page of its own: the "
                         ".html beside it");
    if (strncmp(schema, "omegapac.policy/", strlen("omegapac.policy/")) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "this is a policy, not a result: give what check or learn writes with "
                         "--json");
    if (strncmp(schema, "omegapac.certificate/", strlen("omegapac.certificate/")) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "this is a certificate, not a result: give what learn or verify writes "
                         "with --json");
    if (strncmp(schema, "omegapac.result/", strlen("omegapac.result/")) == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the result is of the schema '%s', this version reads "
                         "'omegapac.result/1'",
                         shown);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "expected a result, 'omegapac.result/1', got the schema '%s'", shown);
}

static opac_status check_schema(base_json_value root, opac_error *error)
{
    base_json_value schema, episode, step;
    const char *text;
    opac_status status = base_json_optional(root, "schema", &schema, error);
    if (status == OPAC_OK)
        status = base_json_optional(root, "episode", &episode, error);
    if (status == OPAC_OK)
        status = base_json_optional(root, "step", &step, error);
    if (status != OPAC_OK)
        return status;
    if (!base_json_is_there(schema) && base_json_is_there(episode) && base_json_is_there(step))
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "these are steps of simulate, or of learn --trace, not a result: give what "
            "a command writes with --json");
    status = base_json_member(root, "schema", &schema, error);
    if (status == OPAC_OK)
        status = base_json_string(schema, &text, NULL, error);
    if (status == OPAC_OK && strcmp(text, "omegapac.result/1") != 0)
        status = name_schema(text, error);
    return status;
}

/* ---- reading ---- */

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0')
            return false;
    return true;
}

/* Of what does not even begin as a result does, its first wrong sign tells nothing. */
static opac_status fail_json(const char *text, size_t length, opac_status status, opac_error *error)
{
    size_t begin = 0;
    while (begin < length && is_blank(text + begin, 1))
        begin++;
    if (status == OPAC_ERROR_SYNTAX && begin < length && text[begin] != '{' && text[begin] != '[' &&
        text[begin] != '\xEF') /* a byte order mark has a message of its own */
        return base_fail_at(error, status, error->line, error->column,
                            "this is not JSON: give what a command writes with --json");
    return status;
}

static opac_status add_document(report *r, const opac_report_input *input, const char *text,
                                size_t length, uint32_t line)
{
    base_json *parsed = NULL;
    base_json_value command;
    report_result result = {.file = input->name, .line = line, .command = ""};
    opac_error *error = r->error;
    opac_status status = base_json_parse(text, length, &parsed, error);
    if (status != OPAC_OK)
        status = fail_json(text, length, status, error);
    if (status != OPAC_OK)
        return fail_in(input->name, line > 0 ? line : error->line, error->column, status, error);
    status = document_vec_push(&r->documents, parsed, error);
    if (status != OPAC_OK) {
        base_json_free(parsed);
        return status;
    }
    result.root = base_json_root(parsed);
    status = check_schema(result.root, error);
    if (status == OPAC_OK)
        status = base_json_member(result.root, "command", &command, error);
    if (status == OPAC_OK)
        status = base_json_string(command, &result.command, NULL, error);
    if (status == OPAC_OK && r->results.count >= MOST_RESULTS)
        status = base_fail(error, OPAC_ERROR_LIMIT, "more than %d results", (int)MOST_RESULTS);
    if (status != OPAC_OK)
        return fail_in(input->name, line, 0, status, error);
    return result_vec_push(&r->results, result, error);
}

static size_t line_length(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return end != NULL ? (size_t)(end - text) : length;
}

/* Whether the first line that is not blank is JSON, and not the last. */
static opac_status is_by_lines(const char *text, size_t length, bool *is_so, opac_error *error)
{
    base_json *parsed = NULL;
    size_t first;
    while (length > 0 && is_blank(text, first = line_length(text, length))) {
        first += first < length;
        text += first;
        length -= first;
    }
    *is_so = false;
    first = line_length(text, length);
    if (is_blank(text + first, length - first))
        return OPAC_OK;
    opac_status status = base_json_parse(text, first, &parsed, error);
    *is_so = status == OPAC_OK;
    base_json_free(parsed);
    return status == OPAC_ERROR_MEMORY ? status : OPAC_OK;
}

static opac_status read_lines(report *r, const opac_report_input *input)
{
    const char *at = input->text;
    size_t left = input->length;
    opac_status status = OPAC_OK;
    for (uint32_t line = 1; left > 0 && status == OPAC_OK; line++) {
        size_t length = line_length(at, left), whole = length + (length < left);
        if (!is_blank(at, length))
            status = add_document(r, input, at, length, line);
        at += whole;
        left -= whole;
    }
    return status;
}

static opac_status read_input(report *r, const opac_report_input *input)
{
    bool has_lines = false;
    if (input->length > MOST_BYTES) {
        base_fail(r->error, OPAC_ERROR_LIMIT, "longer than %d megabytes",
                  (int)(MOST_BYTES / 1000000));
        return fail_in(input->name, 0, 0, OPAC_ERROR_LIMIT, r->error);
    }
    if (is_blank(input->text, input->length)) {
        base_fail(r->error, OPAC_ERROR_SYNTAX, "there is no result in it");
        return fail_in(input->name, 0, 0, OPAC_ERROR_SYNTAX, r->error);
    }
    opac_status status = is_by_lines(input->text, input->length, &has_lines, r->error);
    if (status != OPAC_OK)
        return status;
    return has_lines ? read_lines(r, input) : add_document(r, input, input->text, input->length, 0);
}

/* ---- articles ---- */

static bool has_member(const report_result *result, const char *name)
{
    base_json_value member = {0};
    return base_json_optional(result->root, name, &member, NULL) == OPAC_OK &&
           base_json_is_there(member);
}

/* A run among many does not say what was asked. */
static bool is_run(const report_result *result)
{
    return strcmp(result->command, "learn") == 0 && !has_member(result, "inputs") &&
           !has_member(result, "summary");
}

/* Runs and the summary behind them belong together. */
static opac_status find_groups(report *r, base_arena *arena)
{
    const report_result *results = r->results.items;
    size_t count = r->results.count;
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < count && status == OPAC_OK;) {
        size_t end = i;
        while (end < count && is_run(&results[end]) &&
               strcmp(results[end].file, results[i].file) == 0)
            end++;
        if (end == i || (end < count && has_member(&results[end], "summary") &&
                         strcmp(results[end].file, results[i].file) == 0))
            end++;
        status = group_vec_push(&r->groups, (group){i, end - i}, r->error);
        i = end;
    }
    if (status != OPAC_OK)
        return status;
    r->heads = base_arena_alloc(arena, r->groups.count + 1, sizeof *r->heads);
    if (r->heads == NULL)
        return base_fail_memory(r->error);
    for (size_t i = 0; i < r->groups.count; i++)
        r->heads[i] = results[r->groups.items[i].begin + r->groups.items[i].count - 1];
    return OPAC_OK;
}

static void write_heading(report_page *page, const report_result *result)
{
    report_value inputs = report_member(page, result->root, "inputs");
    const char *objective = report_text(page, inputs, "objective");
    const char *formula = report_text(page, inputs, "formula");
    const char *subject = objective != NULL ? objective : formula;
    if (subject == NULL)
        subject = report_text(page, inputs, "model");
    report_print(page, "<h2>%u. ", page->number);
    report_put(page, result->command);
    if (subject != NULL) {
        report_raw(page, ": ");
        report_code(page, subject);
    }
    report_raw(page, "</h2>\n");
}

static void write_article(report_page *page, const report *r, size_t index)
{
    group g = r->groups.items[index];
    const report_result *head = &r->heads[index];
    page->number = (unsigned)(index + 1);
    page->at = head;
    report_print(page, "<article class=\"result\" id=\"r%u\" data-command=\"", page->number);
    report_put(page, head->command);
    report_raw(page, "\">\n");
    if (page->level > 2)
        write_heading(page, head);
    if (!is_run(head)) /* the summary of many runs was lost */
        report_summary(page, head);
    if (g.count > 1 || has_member(head, "summary") || is_run(head))
        report_runs(page, &r->results.items[g.begin], g.count);
    else {
        report_question(page, head);
        report_answer(page, head);
        report_course(page, head);
        report_policy(page, head);
        report_sample(page, head);
        report_parameters(page, head);
    }
    report_raw(page, "</article>\n");
}

/* ---- the page ---- */

/* "G F s: learn", or how many results there are. */
static const char *find_title(report_page *page, const report *r)
{
    char text[200], shown[OPAC_SHOWN_SIZE];
    const report_result *first = &r->heads[0];
    page->at = first;
    report_value inputs = report_member(page, first->root, "inputs");
    const char *subject = report_text(page, inputs, "objective");
    if (subject == NULL)
        subject = report_text(page, inputs, "formula");
    if (subject == NULL)
        subject = report_text(page, inputs, "model");
    if (r->groups.count > 1)
        snprintf(text, sizeof text, "%zu results of omegapac", r->groups.count);
    else
        snprintf(
            text, sizeof text, "omegapac %.60s%s%s", first->command, subject != NULL ? ": " : "",
            subject != NULL ? opac_text_show(subject, strlen(subject), shown, sizeof shown) : "");
    char *title = base_arena_copy_text(&page->arena, text, strlen(text));
    if (title == NULL)
        report_fail(page, base_fail_memory(page->error));
    return title != NULL ? title : "";
}

static void write_page(report_page *page, const report *r, const opac_report_options *options)
{
    base_arena all = {0};
    const char *title = options != NULL ? options->title : NULL;
    if (title == NULL)
        title = find_title(page, r);
    if (report_failed(page))
        return;
    report_html_begin(page->out, title, true);
    report_raw(page, "<h1>");
    report_put(page, title);
    report_raw(page, "</h1>\n");
    page->level = r->groups.count > 1 ? 3 : 2;
    if (r->groups.count > 1)
        report_overview(page, r->heads, r->groups.count);
    all = page->arena;
    for (size_t i = 0; i < r->groups.count && !report_failed(page); i++) {
        page->arena = (base_arena){0};
        write_article(page, r, i);
        base_arena_fini(&page->arena);
    }
    page->arena = all;
    if (!report_failed(page))
        report_html_end(page->out);
}

/* Whole, or not at all. */
static opac_status hand_over(opac_output *page, opac_output *out, opac_error *error)
{
    size_t length;
    const char *bytes = opac_output_bytes(page, &length);
    if (bytes == NULL)
        return base_fail_memory(error);
    opac_output_write(out, bytes, length);
    return OPAC_OK;
}

static opac_status write_report(report *r, const opac_report_options *options, opac_output *out)
{
    report_page page = {.error = r->error};
    opac_status status = find_groups(r, &page.arena);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&page.out, r->error);
    if (status == OPAC_OK) {
        write_page(&page, r, options);
        status = page.status == OPAC_OK ? hand_over(page.out, out, r->error)
                                        : fail_at(page.wrong, page.status, r->error);
    }
    opac_output_free(page.out);
    base_arena_fini(&page.arena);
    return status;
}

static void report_fini(report *r)
{
    for (size_t i = 0; i < r->documents.count; i++)
        base_json_free(r->documents.items[i]);
    document_vec_fini(&r->documents);
    result_vec_fini(&r->results);
    group_vec_fini(&r->groups);
}

opac_status opac_report_write(const opac_report_input *inputs, size_t count,
                              const opac_report_options *options, opac_output *out,
                              opac_error *error)
{
    opac_error local = {0};
    report r = {.error = error != NULL ? error : &local};
    opac_status status = OPAC_OK;
    if (count == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a report needs a result");
    for (size_t i = 0; i < count && status == OPAC_OK; i++)
        status = read_input(&r, &inputs[i]);
    if (status == OPAC_OK)
        status = write_report(&r, options, out);
    report_fini(&r);
    return status;
}
