/* SPDX-License-Identifier: MIT */
/*
 * Constants of Storm's DRN format that its reader and its writer share. A file:
 *
 *     // Written by omegapac 0.2.0          after this first comment, further ones list the labels
 *     // label goal                         in order (a label may hold in no state) and the ranges
 *     // variable x [0..3]                  of the variables, which DRN itself cannot express
 *     // variable done bool
 *     @type: MDP
 *     @value_type: rational                 only if probabilities are fractions
 *     @parameters                           this item and the next ones have their value in a line below
 *
 *     @reward_models
 *
 *     @nr_states
 *     2
 *     @nr_choices
 *     2
 *     @model
 *     state 0 init "two words"
 *     //[x=0	& !done]                    the values of the variables, as Storm writes them
 *     	action go                          the name; if no choice has one, the position of the choice;
 *     		0 : 0.5                        if only this choice has none, __NOLABEL__
 *     		1 : 0.5
 *     state 1 goal
 *     …
 *
 * This is the subset that Storm's reader accepts and its writer produces.
 */
#ifndef MODEL_DRN_H
#define MODEL_DRN_H

#define DRN_SIGNATURE "// Written by omegapac"
#define DRN_LABEL     "// label "
#define DRN_VARIABLE  "// variable "
#define DRN_NO_NAME   "__NOLABEL__"

#endif
