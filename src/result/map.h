/* SPDX-License-Identifier: MIT */
/*
 * A policy as a picture, where the states are places: the model has integer
 * variables x and y, and no others, or others of few values.
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
 * One panel for each memory value, and each combination of the values of other
 * variables, in which the policy gets anywhere, y upwards; nothing when the model
 * is no such grid, or one of more than 40 by 20 places, or six combinations, or
 * there are more than six panels. A place shows what the policy does
 * there, if it gets there, and the labels that hold. Arrows for the directions
 * of the compass (n, se, north, …) and up, down, left and right; of other
 * actions, the first two letters.
 */
void result_write_map(const opac_policy *policy, const opac_model *model, opac_output *out);

#endif
