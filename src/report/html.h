/* SPDX-License-Identifier: MIT */
/*
 * Pages of HTML that stand alone: the frame with style and script in it, and texts that are made
 * harmless. Used by reports and by the pages of experiments.
 *
 * A page allows itself nothing from outside (a content security policy says so), follows the
 * light or dark of the reader's system, and can be read without its script, which only adds
 * filters and buttons.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include <omegapac/output.h>

/* The assets, made part of the program by the build; they end with NUL. */
extern const char report_style[];  /* page.css */
extern const char report_script[]; /* page.js */

/* From the doctype to <main>, with the title as a text (escaped here); with_script: page.js,
 * too. */
void report_html_begin(opac_output *out, const char *title, bool with_script);
/* From </main> on; the footer names the program and its version. */
void report_html_end(opac_output *out);

/* As text between tags, or as the value of an attribute in double quotes. What cannot be printed,
 * and what reorders text, is escaped as opac_text_show does it. */
void report_html_text(opac_output *out, const char *text);
void report_html_bytes(opac_output *out, const char *text, size_t length);

#endif
