/* SPDX-License-Identifier: MIT */
/*
 * Draws a policy as a text grid, for models with integer variables x and y and at most six combinations of
 * the values of other variables.
 *
 *     load=0, memory 0            load=1, memory 0
 *     +------+------+------+      +------+------+------+
 *     | ↓    |      |      |      | ↓    | ←    | ← a  |
 *     +------+------+------+      +------+------+------+
 *     | →    | →    | ta   |      | le b |      |      |
 *     +------+------+------+      +------+------+------+
 */
#ifndef RESULT_MAP_H
#define RESULT_MAP_H

#include <omegapac/policy.h>

/*
 * Writes one panel, with y upwards, for each memory value and each combination of the other variables
 * that the policy reaches. Writes nothing if the model is not such a grid, or has more than 40 by 20
 * cells, six combinations or six panels. A cell shows the labels and, if the policy reaches it, the
 * action: an arrow for compass directions (n, se, north, …) and up, down, left, right, otherwise the
 * first two letters.
 */
void result_write_map(const opac_policy *policy, const opac_model *model, opac_output *out);

#endif
