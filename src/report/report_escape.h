/* SPDX-License-Identifier: MIT */
/* Escapes texts and JSON for an HTML page, and computes hashes for its content security policy. */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stddef.h>

#include <omegapac/output.h>

/* Escapes a text for use between tags, or as an attribute value in double quotes. Characters that are
 * invisible or reorder text are escaped as by opac_text_show. */
void report_html_text(opac_output *out, const char *text);
void report_html_bytes(opac_output *out, const char *text, size_t length);
/* The same for each line of a text; line feeds are kept. */
void report_html_lines(opac_output *out, const char *text, size_t length);

/* Writes JSON as ASCII without <, > and &. These characters occur in strings only, where \u003c is equivalent, so
 * no string can end the script element or begin a comment. */
void report_json_bytes(opac_output *out, const char *json, size_t length);

/* Writes 'sha256-...', in base 64, which identifies a style or script in a content security policy. */
void report_hash(opac_output *out, const char *bytes, size_t length);

#endif
