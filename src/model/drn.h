/* SPDX-License-Identifier: MIT */
/*
 * What the reader and the writer of Storm's DRN must agree on. A file:
 *
 *     // Written by omegapac 0.2.0          comments; behind this first one, those that say
 *     // label goal                         which labels there are, in their order (one may
 *     // variable x [0..3]                  hold nowhere), and what the variables range over:
 *     // variable done bool                 DRN itself has no place for either
 *     @type: MDP
 *     @value_type: rational                 only where probabilities are fractions
 *     @parameters                           each with a line behind it
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
 *     	action go                          or the position of the choice, when none has a name,
 *     		0 : 0.5                        or __NOLABEL__
 *     		1 : 0.5
 *     state 1 goal
 *     …
 *
 * This follows what Storm's reader accepts and its writer writes.
 */
#ifndef MODEL_DRN_H
#define MODEL_DRN_H

#define DRN_SIGNATURE "// Written by omegapac"
#define DRN_LABEL     "// label "
#define DRN_VARIABLE  "// variable "
#define DRN_NO_NAME   "__NOLABEL__"

#endif
