/* SPDX-License-Identifier: MIT */
/*
 * Draws automata and policies as self-contained SVG, for pages and notebooks.
 *
 *     opac_output *out;
 *     opac_output_open_file("automaton.svg", &out, &error);
 *     opac_automaton_write_svg(automaton, 100, NULL, out, &error);
 *     opac_output_commit(out, &error);
 *     opac_output_free(out);
 *
 * The same input gives the same bytes. Pictures are readable on light and dark backgrounds, and without
 * colours. Texts are escaped.
 *
 * Several threads may draw the same automaton or policy; an output must be used by one thread at a time.
 */
#ifndef OMEGAPAC_DRAWING_H
#define OMEGAPAC_DRAWING_H

#include <omegapac/automaton.h>
#include <omegapac/cancel.h>
#include <omegapac/output.h>
#include <omegapac/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws an automaton: states as circles, edges with their labels and marks. More than max_states states (0:
 * 100) are OPAC_ERROR_LIMIT. cancel is polled and may be NULL. Does not commit the output. */
OPAC_API opac_status opac_automaton_write_svg(const opac_automaton *automaton, uint32_t max_states,
                                              const opac_cancel *cancel, opac_output *out,
                                              opac_error *error);

/*
 * Draws a policy, in the first of these forms that fits:
 *
 * 1. A grid for each memory value, with the action of each cell, x to the right and y upwards; for a model
 *    with integer variables x and y, or a simulator whose keys are two numbers ("3,1", "(3, 1)" or
 *    "terminal((3, 1))"). If states of a model share a cell, there is a grid for each combination of the
 *    other variables, up to twelve, if they have at least four cells each on average.
 * 2. For a model: the induced Markov chain of at most 60 reachable pairs of state and memory.
 * 3. A table of the decisions.
 *
 * More than max_states decisions (0: 1000) are OPAC_ERROR_LIMIT. Does not commit the output.
 */
OPAC_API opac_status opac_policy_write_svg(const opac_policy *policy, uint32_t max_states,
                                           opac_output *out, opac_error *error);

/*
 * The same for a simulator whose keys contain the number of a cell, such as "7" or "(7, ('fall',))": row *
 * columns + column, from 0. Rows are drawn downwards. Equal to opac_policy_write_svg if columns is 0 or two
 * states share a cell.
 */
OPAC_API opac_status opac_policy_write_grid_svg(const opac_policy *policy, uint32_t columns,
                                                uint32_t max_states, opac_output *out,
                                                opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
