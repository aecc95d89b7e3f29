/* SPDX-License-Identifier: MIT */
/* Collects errors, sorts them by position and reports them with the line in which they are. */
#include "model/model_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void model_report_init(model_report *report, opac_listener listener, void *context,
                       const char *path, const char *text, size_t length)
{
    *report = (model_report){
        .listener = listener, .context = context, .path = path, .text = text, .length = length};
}

void model_report_fini(model_report *report)
{
    for (size_t i = 0; i < report->lines.count; i++)
        base_free(report->lines.items[i].text);
    model_line_vec_fini(&report->lines);
    model_error_vec_fini(&report->errors);
}

/* ---- reporting ---- */

/* Finds a line of a text that is read line by line: the current line, a copy, or by reading again. */
static void find_kept_line(const model_report *report, uint32_t line, opac_message *message)
{
    if (report->excerpt_line == 0 || report->excerpt_line == line) {
        message->excerpt = report->excerpt;
        message->excerpt_length = report->excerpt_length;
    }
    for (size_t i = 0; i < report->lines.count; i++)
        if (report->lines.items[i].number == line) {
            message->excerpt = report->lines.items[i].text;
            message->excerpt_length = report->lines.items[i].length;
        }
    if (message->excerpt == NULL && report->input != NULL)
        message->excerpt = model_input_find(report->input, line, &message->excerpt_length);
}

/* Finds a line of the text, without its end. Takes linear time for each message. */
static void find_line(const model_report *report, uint32_t line, opac_message *message)
{
    if (report->text == NULL) {
        find_kept_line(report, line, message);
        return;
    }
    const char *at = report->text, *end = report->text + report->length;
    for (uint32_t number = 1; number < line; number++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        if (next == NULL)
            break;
        at = next + 1;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop != NULL ? stop : end;
    if (stop > at && stop[-1] == '\r')
        stop--;
    message->excerpt = at;
    message->excerpt_length = (size_t)(stop - at);
}

static void send_message(const model_report *report, const opac_error *error)
{
    opac_message message = {.code = error->code,
                            .path = report->path,
                            .line = error->line,
                            .column = error->column,
                            .text = error->message,
                            .parameter = error->parameter,
                            .limit = error->limit};
    if (report->listener == NULL)
        return;
    if (error->line > 0)
        find_line(report, error->line, &message);
    report->listener(report->context, &message);
}

void model_report_warning(model_report *report, uint32_t line, uint32_t column, const char *format,
                          ...)
{
    opac_error warning = {.code = OPAC_OK, .line = line, .column = column};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning.message, sizeof warning.message, format, arguments);
    va_end(arguments);
    send_message(report, &warning);
}

/* ---- collecting ---- */

/* Copies the current line if it has this number. */
static void keep_line(model_report *report, uint32_t number)
{
    if (report->listener == NULL || report->excerpt == NULL || report->excerpt_line == 0 ||
        report->excerpt_line != number)
        return;
    model_line line = {.number = number,
                       .text = base_copy_text(report->excerpt, report->excerpt_length),
                       .length = report->excerpt_length};
    if (line.text == NULL || model_line_vec_push(&report->lines, line, NULL) != OPAC_OK) {
        base_free(line.text);
        report->failed = true;
    }
}

void model_report_add(model_report *report, const opac_error *error)
{
    const model_error_vec *errors = &report->errors;
    for (size_t i = 0; i < errors->count; i++)
        if (errors->items[i].line == error->line && errors->items[i].column == error->column)
            return;
    report->error_count++;
    if (errors->count == MODEL_MOST_ERRORS)
        return;
    keep_line(report, error->line);
    if (model_error_vec_push(&report->errors, *error, NULL) != OPAC_OK)
        report->failed = true;
}

void model_report_error(model_report *report, opac_status code, uint32_t line, uint32_t column,
                        const char *format, ...)
{
    opac_error error = {.code = code, .line = line, .column = column};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    model_report_add(report, &error);
}

bool model_report_has_errors(const model_report *report)
{
    return report->error_count > 0;
}

static int compare_positions(const void *a, const void *b)
{
    const opac_error *left = a, *right = b;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

opac_status model_report_end(model_report *report, opac_error *error)
{
    model_error_vec *errors = &report->errors;
    if (report->failed)
        return base_fail_memory(error);
    if (errors->count == 0)
        return OPAC_OK;
    qsort(errors->items, errors->count, sizeof *errors->items, compare_positions);
    for (size_t i = 0; i < errors->count; i++)
        send_message(report, &errors->items[i]);
    if (report->error_count > errors->count) {
        opac_error rest;
        base_fail(&rest, errors->items[0].code, "%llu more errors are not shown",
                  (unsigned long long)(report->error_count - errors->count));
        send_message(report, &rest);
    }
    report->is_reported = true;
    opac_status code = errors->items[0].code;
    if (error != NULL)
        *error = errors->items[0];
    errors->count = 0;
    report->error_count = 0;
    return code;
}
