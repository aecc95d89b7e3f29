/* SPDX-License-Identifier: MIT */
/* Data in a page of HTML: texts, JSON, and digests for the content security policy. */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stddef.h>

#include <omegapac/output.h>

/* As text between tags, or as the value of an attribute in double quotes. Characters that are
 * invisible or that reorder text are escaped as opac_text_show does it. */
void report_html_text(opac_output *out, const char *text);
void report_html_bytes(opac_output *out, const char *text, size_t length);
/* The same for each of several lines; the line feeds stay. */
void report_html_lines(opac_output *out, const char *text, size_t length);

/* JSON as ASCII without <, > and &: these can only be in its strings, where \u003c is the same
 * character. So no text of the JSON ends a script element or begins a comment. */
void report_json_bytes(opac_output *out, const char *json, size_t length);

/* "'sha256-...'", in base 64, as a content security policy names a style or script. */
void report_hash(opac_output *out, const char *bytes, size_t length);

#endif
