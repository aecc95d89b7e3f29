/* SPDX-License-Identifier: MIT */
/*
 * A page that is being written from results that are being read, both of unknown quality. What goes
 * wrong first is kept; from then on nothing is read or written, and neutral values are given. So
 * sections are straight, and the whole is checked once, at its end.
 *
 * A member that is null counts as one that is not there.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/arena.h"
#include "base/json_read.h"
#include "report/html.h"

typedef base_json_value report_value;

typedef struct report_page {
    opac_output *out;
    opac_error *error; /* never NULL */
    opac_status status;
    base_arena arena; /* for what lives as long as a result is written */
    unsigned number;  /* of the result, from 1 */
    unsigned level;   /* of the headings of sections: 2 on a page with one result, else 3 */
    const struct report_result *at;    /* which one is read, for messages */
    const struct report_result *wrong; /* and which one was, when it went wrong */
} report_page;

/* What went wrong, unless something did before. */
void report_fail(report_page *page, opac_status status);
static inline bool report_failed(const report_page *page)
{
    return page->status != OPAC_OK;
}

/* ---- reading ---- */

/* Whether it is there, and not null. */
bool report_has(report_value value);
/* Of what is not there, nothing is there. What is there and no object is an error. */
report_value report_member(report_page *page, report_value object, const char *name);
/* NULL, or no number (NAN), or false: it is not there. A number beyond all doubles is infinite. */
const char *report_text(report_page *page, report_value object, const char *name);
double report_number(report_page *page, report_value object, const char *name);
bool report_flag(report_page *page, report_value object, const char *name);
/* Of an array; 0 items of one that is not there. */
size_t report_length(report_page *page, report_value array);
report_value report_item(report_page *page, report_value array, size_t index);
/* Whether a member is this word. */
bool report_is(report_page *page, report_value object, const char *name, const char *word);

/* ---- writing ---- */

/* As it stands in the source; what is data goes through report_put. */
void report_raw(report_page *page, const char *html);
/* As printf, with numbers of our own alone. */
void report_print(report_page *page, const char *format, ...) BASE_PRINTF(2, 3);
void report_put(report_page *page, const char *text);
void report_code(report_page *page, const char *text);
/* Numbers: "0.9", "136,191,660", "1.63e1003". Whole ones have all their digits, in groups; others
 * have six, rounded to the nearest, or so that a bound stays one. NAN is unknown. */
typedef enum report_rounding {
    REPORT_NEAREST,
    REPORT_DOWN,
    REPORT_UP
} report_rounding;
/* Of a confidence below 1, which six digits must not make 1. */
report_rounding report_confidence_rounding(double confidence);
void report_put_rounded(report_page *page, double value, report_rounding how);
/* Likewise, with all digits for who points at it; not for attributes. */
void report_put_glance(report_page *page, double value, report_rounding how);
void report_put_number_value(report_page *page, report_value value, report_rounding how);
/* "[0.9, 1]", rounded outwards. */
void report_put_interval(report_page *page, double lower, double upper);
/* "3.4 s", "about 36 hours". */
void report_put_duration(report_page *page, double seconds);
/* Any value: texts and numbers as they are, lists with commas. */
void report_put_value(report_page *page, report_value value);

/* <section class="policy" id="r1-policy"><h2>title</h2>, and its end. */
void report_section(report_page *page, const char *name, const char *title);
void report_section_end(report_page *page);

/* A heading within a section. */
void report_heading(report_page *page, const char *text);

/* Rows of <table class="facts">: what, and its value; nothing if it is not there. */
void report_facts(report_page *page);
void report_facts_end(report_page *page);
void report_fact(report_page *page, const char *what, report_value value);
void report_fact_bound(report_page *page, const char *what, report_value value,
                       report_rounding how);
void report_fact_duration(report_page *page, const char *what, double seconds);
void report_fact_text(report_page *page, const char *what, const char *text);
/* All members of an object, by their names, but those listed; a NULL ends the list. Seconds are in
 * words. */
void report_fact_members(report_page *page, report_value object, const char *const *without);

#endif
