/* SPDX-License-Identifier: MIT */
/*
 * The page: the template report.html with data at its marks. {{name}} is a value; {{#name}} to
 * {{/name}} is a block that is repeated, or left out. The style, the script and all other markup
 * are in the template.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <omegapac/output.h>

#include "base/json_read.h"

/* The template, made part of the program by the build. */
extern const char report_template[];

/* One result among those of a page. */
typedef struct report_result {
    base_json_value root;
    const char *command; /* borrowed from the document, as is all else */
    const char *file;    /* that has it */
    uint32_t line;       /* 0: it has a file of its own */
} report_result;

/* One result, or the runs of a question and their summary. */
typedef struct report_article {
    const report_result *results;
    size_t count;
} report_article;

/* The result that stands for an article: the last one. */
static inline const report_result *report_head(const report_article *article)
{
    return &article->results[article->count - 1];
}

/* The objective, the formula or the model of an article; NULL: it has none. */
const char *report_subject(const report_article *article);

/* *wrong: on an error about a result, which one. */
opac_status report_page_write(const char *title, const report_article *articles, size_t count,
                              opac_output *out, const report_result **wrong, opac_error *error);

#endif
