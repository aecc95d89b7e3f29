/* SPDX-License-Identifier: MIT */
/* The picture of a result's automaton, and its properties for the script. */
#ifndef REPORT_AUTOMATON_H
#define REPORT_AUTOMATON_H

#include <omegapac/json.h>

#include "base/error.h"

/*
 * Writes one JSON value: an object with kind, name, states and acceptance of the automaton; an object with `error`
 * if the text is not an automaton, or with `large` if it is too long to be read; null if the text is NULL. Writes
 * the SVG to `picture` unless the automaton has too many states for a picture.
 */
opac_status report_automaton(const char *hoa, opac_json *json, opac_output *picture,
                             opac_error *error);

#endif
