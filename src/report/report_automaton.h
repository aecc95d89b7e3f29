/* SPDX-License-Identifier: MIT */
/* An automaton of a result on the page: its picture, and its properties for the script. */
#ifndef REPORT_AUTOMATON_H
#define REPORT_AUTOMATON_H

#include <omegapac/json.h>

#include "base/error.h"

/*
 * Writes one JSON value: kind, name, states and acceptance of the automaton, or the error if the
 * text is no automaton, or large, or null for a text that is NULL. The picture goes to `picture`, or
 * nothing if it would have too many states.
 */
opac_status report_automaton(const char *hoa, opac_json *json, opac_output *picture,
                             opac_error *error);

#endif
