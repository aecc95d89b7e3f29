/* SPDX-License-Identifier: MIT */
/* Parts of the pictures of policies. */
#ifndef DRAWING_DRAW_POLICY_H
#define DRAWING_DRAW_POLICY_H

#include "drawing/draw_text.h"
#include "policy/policy.h"

/* The name of a state, truncated to `most` bytes. Like the next functions, it allocates the text in the
 * arena, and returns NULL if memory is exhausted. */
const char *drawing_policy_state(const opac_policy *policy, uint32_t state, size_t most,
                                 base_arena *arena);
/* The name of an action; if it has none, its number from 1 on: "#2". */
const char *drawing_policy_action(const opac_policy *policy, uint32_t state, uint32_t action,
                                  size_t most, base_arena *arena);
/* The labels of a state: "g, s"; "" if there are none. */
const char *drawing_policy_labels(const opac_policy *policy, uint32_t state, size_t most,
                                  base_arena *arena);
/* The heading of the picture: the objective. */
const char *drawing_policy_heading(const opac_policy *policy, base_arena *arena);

/* Writes the policy as a grid. `columns` is the number of columns if keys are numbers of cells, row by row; 0
 * if keys are pairs of coordinates. If the states are not on a grid, *is_drawn is false, and nothing is
 * written. */
opac_status drawing_policy_grid(const opac_policy *policy, uint32_t columns, base_arena *arena,
                                opac_output *out, bool *is_drawn, opac_error *error);

#endif
