/* SPDX-License-Identifier: MIT */
/*
 * Implements omegapac/report.h: parses results, groups them into articles, and writes the page. The page is written
 * to memory first, so that an error in any result leaves no partial output.
 *
 * A text contains either one result, with arbitrary line breaks, or one result per line. It is read line by line if
 * its first nonblank line is a complete JSON value and other lines follow.
 */
#include <omegapac/report.h>

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/text.h"
#include "base/vec.h"
#include "report/page.h"
#include "report/report_shape.h"
#include "result/result_read.h"

enum {
    MOST_BYTES = 100 * 1000 * 1000, /* of a text */
    MOST_RESULTS = 10000
};

typedef base_json *document;
BASE_VEC(document_vec, document);
BASE_VEC(result_vec, report_result);
BASE_VEC(report_article_vec, report_article);

typedef struct report {
    document_vec documents;
    result_vec results;
    report_article_vec articles;
    opac_error *error;
} report;

opac_report_options opac_report_defaults(void)
{
    return (opac_report_options){.title = NULL};
}

/* ---- messages ---- */

/* Puts the place in front of the message: "result.json:3: ". */
static opac_status fail_in(const char *file, uint32_t line, uint32_t column, opac_status status,
                           opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], place[32] = "";
    opac_error given = *error;
    if (status == OPAC_ERROR_MEMORY)
        return status;
    if (line > 0 && column > 0)
        snprintf(place, sizeof place, ":%u:%u", (unsigned)line, (unsigned)column);
    else if (line > 0)
        snprintf(place, sizeof place, ":%u", (unsigned)line);
    opac_text_show_path(file, shown, sizeof shown);
    if (line == 0 || column == 0)
        base_fail(error, status, "%s%s: %s", shown, place, given.message);
    else
        base_fail_at(error, status, line, column, "%s%s: %s", shown, place, given.message);
    base_set_parameter(error, given.parameter, given.limit);
    return status;
}

/* ---- inputs that are not results ---- */

/* Names the parameter "results", so that each interface can add how its user obtains a result. */
static opac_status refuse(opac_error *error, opac_status status, const char *message)
{
    return base_fail_parameter(error, status, "results", "%s", message);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static opac_status refuse_schema(const char *schema, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(schema, strlen(schema), shown, sizeof shown);
    if (begins(schema, "omegapac.experiment/"))
        return refuse(error, OPAC_ERROR_ARGUMENT,
                      "these are the data of an experiment, not a result");
    if (begins(schema, "omegapac.policy/"))
        return refuse(error, OPAC_ERROR_ARGUMENT, "this is a policy, not a result");
    if (begins(schema, "omegapac.certificate/"))
        return refuse(error, OPAC_ERROR_ARGUMENT, "this is a certificate, not a result");
    if (begins(schema, "omegapac.result/"))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the result has schema '%s'; this version reads 'omegapac.result/1'",
                         shown);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "expected a result with schema 'omegapac.result/1', found schema '%s'", shown);
}

static opac_status check_schema(base_json_value root, opac_error *error)
{
    base_json_value schema;
    const char *text;
    TRY(base_json_optional(root, "schema", &schema, error));
    if (!base_json_is_there(schema) && base_json_is_there(result_get(root, "episode")) &&
        base_json_is_there(result_get(root, "step")))
        return refuse(error, OPAC_ERROR_ARGUMENT, "these are the steps of a trace, not a result");
    TRY(base_json_member(root, "schema", &schema, error));
    TRY(base_json_string(schema, &text, NULL, error));
    return strcmp(text, "omegapac.result/1") == 0 ? OPAC_OK : refuse_schema(text, error);
}

/* ---- reading ---- */

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0')
            return false;
    return true;
}

/* If the text does not begin like JSON, the position of the first error does not help, so the message omits it. */
static opac_status fail_json(const char *text, size_t length, opac_status status, opac_error *error)
{
    uint32_t line = error->line, column = error->column;
    size_t begin = 0;
    while (begin < length && is_blank(text + begin, 1))
        begin++;
    if (status != OPAC_ERROR_SYNTAX || begin == length ||
        strchr("{[\xEF", text[begin]) != NULL) /* a byte order mark has a message of its own */
        return status;
    base_fail_at(error, status, line, column, "this is not JSON");
    base_set_parameter(error, "results", 0);
    return status;
}

static opac_status read_result(report *r, const base_json *parsed, report_result *result)
{
    base_json_value command;
    result->root = base_json_root(parsed);
    TRY(check_schema(result->root, r->error));
    TRY(base_json_member(result->root, "command", &command, r->error));
    TRY(base_json_string(command, &result->command, NULL, r->error));
    TRY(report_check_shape(result->root, r->error));
    if (r->results.count >= MOST_RESULTS)
        return base_fail(r->error, OPAC_ERROR_LIMIT, "more than %d results", (int)MOST_RESULTS);
    return result_vec_push(&r->results, *result, r->error);
}

/* `line` is the line of the input that the text is; 0 if the text is the whole input. */
static opac_status add_document(report *r, const opac_report_input *input, const char *text,
                                size_t length, uint32_t line)
{
    base_json *parsed = NULL;
    report_result result = {.file = input->name, .line = line};
    opac_error *error = r->error;
    opac_status status = base_json_parse(text, length, &parsed, error);
    if (status != OPAC_OK) {
        status = fail_json(text, length, status, error);
        return fail_in(input->name, line > 0 ? line : error->line, error->column, status, error);
    }
    status = document_vec_push(&r->documents, parsed, error);
    if (status != OPAC_OK) {
        base_json_free(parsed);
        return status;
    }
    status = read_result(r, parsed, &result);
    return status == OPAC_OK ? OPAC_OK : fail_in(input->name, line, 0, status, error);
}

static size_t line_length(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return end != NULL ? (size_t)(end - text) : length;
}

/* Whether the first nonblank line is a complete JSON value and other nonblank lines follow. */
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
    const char *at = input->text, *end = at + input->length;
    for (uint32_t line = 1; at < end; line++) {
        size_t length = line_length(at, (size_t)(end - at));
        if (!is_blank(at, length))
            TRY(add_document(r, input, at, length, line));
        at += length + (at + length < end);
    }
    return OPAC_OK;
}

static opac_status read_input(report *r, const opac_report_input *input)
{
    bool has_lines = false;
    opac_status status = OPAC_OK;
    if (input->length > MOST_BYTES)
        status = base_fail(r->error, OPAC_ERROR_LIMIT, "longer than %d megabytes",
                           (int)(MOST_BYTES / 1000000));
    else if (is_blank(input->text, input->length))
        status = base_fail(r->error, OPAC_ERROR_SYNTAX, "the file contains no result");
    if (status != OPAC_OK)
        return fail_in(input->name, 0, 0, status, r->error);
    TRY(is_by_lines(input->text, input->length, &has_lines, r->error));
    return has_lines ? read_lines(r, input) : add_document(r, input, input->text, input->length, 0);
}

/* ---- articles ---- */

static bool has_member(const report_result *result, const char *name)
{
    base_json_value member = result_get(result->root, name);
    return base_json_is_there(member) && base_json_kind_of(member) != BASE_JSON_NULL;
}

/* Whether the result is one of several runs, which omit their inputs. */
static bool is_run(const report_result *result)
{
    return strcmp(result->command, "learn") == 0 && !has_member(result, "inputs") &&
           !has_member(result, "summary");
}

/* Consecutive runs of a file and the summary that follows them become one article. */
static opac_status find_articles(report *r)
{
    const report_result *results = r->results.items;
    size_t count = r->results.count;
    for (size_t i = 0, end; i < count; i = end) {
        end = i;
        while (end < count && is_run(&results[end]) &&
               strcmp(results[end].file, results[i].file) == 0)
            end++;
        if (end == i || (end < count && has_member(&results[end], "summary") &&
                         strcmp(results[end].file, results[i].file) == 0))
            end++;
        TRY(report_article_vec_push(&r->articles, (report_article){&results[i], end - i},
                                    r->error));
    }
    return OPAC_OK;
}

/* ---- the page ---- */

/* "omegapac learn: G F s", or the number of results. */
static opac_status find_title(const report *r, base_text *title, opac_error *error)
{
    const report_article *first = &r->articles.items[0];
    const char *subject = report_subject(first), *command = report_head(first)->command;
    char shown[OPAC_SHOWN_SIZE];
    if (r->articles.count > 1)
        base_text_format(title, "%zu results of omegapac", r->articles.count);
    else
        base_text_format(
            title, "omegapac %.60s%s%s", command, subject != NULL ? ": " : "",
            subject != NULL ? opac_text_show(subject, strlen(subject), shown, sizeof shown) : "");
    return base_text_check(title, error);
}

/* Copies the finished page to the output. */
static opac_status hand_over(opac_output *page, opac_output *out, opac_error *error)
{
    size_t length;
    const char *bytes = opac_output_bytes(page, &length);
    if (bytes == NULL)
        return opac_output_commit(page, error);
    opac_output_write(out, bytes, length);
    return OPAC_OK;
}

static opac_status write_report(const report *r, const opac_report_options *options,
                                opac_output *out)
{
    base_text title = {0};
    opac_output *page = NULL;
    const report_result *wrong = NULL;
    opac_status status = OPAC_OK;
    if (options != NULL && options->title != NULL)
        base_text_add(&title, options->title);
    else
        TRY_OR(done, find_title(r, &title, r->error));
    TRY_OR(done, base_text_check(&title, r->error));
    TRY_OR(done, opac_output_open_memory(&page, r->error));
    status = report_page_write(base_text_get(&title), r->articles.items, r->articles.count, page,
                               &wrong, r->error);
    if (status == OPAC_OK)
        status = hand_over(page, out, r->error);
    else if (wrong != NULL)
        status = fail_in(wrong->file, wrong->line, 0, status, r->error);
done:
    opac_output_free(page);
    base_text_fini(&title);
    return status;
}

static void report_fini(report *r)
{
    for (size_t i = 0; i < r->documents.count; i++)
        base_json_free(r->documents.items[i]);
    document_vec_fini(&r->documents);
    result_vec_fini(&r->results);
    report_article_vec_fini(&r->articles);
}

opac_status opac_report_write(const opac_report_input *inputs, size_t count,
                              const opac_report_options *options, opac_output *out,
                              opac_error *error)
{
    opac_error local = {0};
    report r = {.error = error != NULL ? error : &local};
    opac_status status = OPAC_OK;
    if (count == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a report needs at least one result");
    for (size_t i = 0; i < count && status == OPAC_OK; i++)
        status = read_input(&r, &inputs[i]);
    if (status == OPAC_OK)
        status = find_articles(&r);
    if (status == OPAC_OK)
        status = write_report(&r, options, out);
    report_fini(&r);
    return status;
}
