/* SPDX-License-Identifier: MIT */
/*
 * The sections of a result's article. Each takes the whole result, and writes nothing if it has
 * nothing to say about it.
 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/page.h"

/* One result among those of a page. */
typedef struct report_result {
    report_value root;
    const char *command; /* borrowed from the document, as is all else */
    const char *file;    /* where it stands */
    uint32_t line;       /* 0: it has a file of its own */
} report_result;

/* What a run from samples promises. */
typedef enum report_promise {
    REPORT_KEPT = 0,   /* what was asked for */
    REPORT_WEAKER = 1, /* its bounds are right, but wider than that */
    REPORT_NONE = 2,
    REPORT_CONTRADICTED = 3 /* it was earned, and is not so: the model is known */
} report_promise;
report_promise report_promise_of(report_page *page, report_value root);

/* All in a sentence: what was asked, how good it is, how sure that is, and on what it rests. */
void report_summary(report_page *page, const report_result *result);
/* What was asked: system, objective, automaton. */
/*
 * Whether the result is of a simulator, which JSON calls by the name of its model: a program, a
 * plugin, or an environment of Python, that is no file of a model and comes without its truth.
 */
bool report_is_simulated(report_page *page, const report_result *result);
void report_question(report_page *page, const report_result *result);
/* What was found, and what is promised about it. */
void report_answer(report_page *page, const report_result *result);
/* Likewise, of commands whose answer is no probability. */
void report_answer_verify(report_page *page, const report_result *result);
void report_answer_env(report_page *page, const report_result *result);
void report_answer_bound(report_page *page, const report_result *result);
void report_answer_recurrence(report_page *page, const report_result *result);
void report_answer_any(report_page *page, const report_result *result);
/* "The guarantee holds.", with a sign: words tell it, the colour comes on top. */
void report_verdict(report_page *page, bool is_good, const char *words);
/* A statement without "no guarantee: ", where a verdict says that already; NULL of NULL. */
const char *report_reason(const char *statement);
/* A text of a result as a sentence of its own; NULL: none. */
void report_sentence(report_page *page, const char *text);
/* What it rests on, as a list. */
void report_assumptions(report_page *page, report_value list);
/* An enclosure of a probability, drawn on a scale from 0 to 1; NAN: there is no such number. */
void report_scale(report_page *page, double value, double lower, double upper);
/* How it got there: charts over the trace of learn. */
void report_course(report_page *page, const report_result *result);
/* The policy as a picture, and as a table. */
void report_policy(report_page *page, const report_result *result);
/* A trajectory, to be stepped through. */
void report_sample(report_page *page, const report_result *result);
/* Parameters, costs, and what does it again. */
void report_parameters(report_page *page, const report_result *result);
/* The command line that does it again, shell-quoted; false: there is none, and nothing was
 * written. */
bool report_command(report_page *page, const report_result *result);

/* An automaton in HOA: in words, drawn if it is small, and its text. */
void report_automaton(report_page *page, const char *text);

/* learn --runs: the lines of runs, of which the last is the summary. */
void report_runs(report_page *page, const report_result *results, size_t count);
/* All results of the page beside each other. */
void report_overview(report_page *page, const report_result *results, size_t count);

#endif
