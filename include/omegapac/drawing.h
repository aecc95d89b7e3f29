/* SPDX-License-Identifier: MIT */
/*
 * Pictures: automata and policies as SVG that stands alone, to be put into a page or a notebook.
 *
 *     opac_output *out;
 *     opac_output_open_file("automaton.svg", &out, &error);
 *     opac_automaton_write_svg(automaton, 100, NULL, out, &error);
 *     opac_output_commit(out, &error);
 *     opac_output_free(out);
 *
 * The same input gives the same bytes. Pictures are readable on light and on dark paper, and in
 * black and white; texts are escaped, whatever they hold.
 *
 * What is drawn may be shared by threads; an output is used by one at a time.
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

/* States as circles, edges with their letters and marks. More than max_states are
 * OPAC_ERROR_LIMIT; 0: 100. cancel: polled, and then OPAC_ERROR_CANCELLED; NULL: none. The output is
 * not committed. */
OPAC_API opac_status opac_automaton_write_svg(const opac_automaton *automaton, uint32_t max_states,
                                              const opac_cancel *cancel, opac_output *out,
                                              opac_error *error);

/*
 * What a policy does. Of a model with whole-numbered variables x and y (or a simulator whose keys are two
 * numbers, "3,1", "(3, 1)" or "terminal((3, 1))") that tell states apart: a grid for each memory value, x to the right and y
 * upwards, with the action of each cell. If states of a model share a place, there is one for each combination of the
 * other variables as well, up to twelve of them, with at least four places each in the mean. Else, of a model: the pairs of state and memory that are reached, and
 * what leads from one to another, up to 60 of them. Else: a table of the decisions.
 * More than max_states decisions are OPAC_ERROR_LIMIT; 0: 1000.
 */
OPAC_API opac_status opac_policy_write_svg(const opac_policy *policy, uint32_t max_states,
                                           opac_output *out, opac_error *error);

/*
 * The same, of a simulator whose keys hold the number of a place, as in "7" or "(7, ('fall',))": row * columns
 * + column, from 0 on. The grid has its rows downwards, as such numbers are read. With columns 0, and where two
 * states are in one place, it is opac_policy_write_svg.
 */
OPAC_API opac_status opac_policy_write_grid_svg(const opac_policy *policy, uint32_t columns,
                                                uint32_t max_states, opac_output *out,
                                                opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
