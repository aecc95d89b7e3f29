/* SPDX-License-Identifier: MIT */
/*
 * Writes the HTML page of a report by expanding the template report.html. In the template, {{name}} stands for a
 * value, and {{#name}} ... {{/name}} encloses a block that is written once for each item, possibly never. All
 * markup, style and script is in the template.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <omegapac/output.h>

#include "base/json_read.h"

/* The bytes of report.html; the build generates the definition. */
extern const char report_template[];

/* One result of a page. */
typedef struct report_result {
    base_json_value root;
    const char *command; /* borrowed from the parsed document, like root */
    const char *file;    /* the file of the result */
    uint32_t line;       /* 0 if the file contains no other result */
} report_result;

/* One result, or several runs with their summary. */
typedef struct report_article {
    const report_result *results;
    size_t count;
} report_article;

/* The result that describes the article: the last one. */
static inline const report_result *report_head(const report_article *article)
{
    return &article->results[article->count - 1];
}

/* The objective, formula or model of an article, whichever is given first; NULL if it has none. */
const char *report_subject(const report_article *article);

/* Writes the page. If an error concerns one of the results, *wrong is that result, else NULL. */
opac_status report_page_write(const char *title, const report_article *articles, size_t count,
                              opac_output *out, const report_result **wrong, opac_error *error);

#endif
