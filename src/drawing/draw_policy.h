/* SPDX-License-Identifier: MIT */
/* The parts of drawing a policy. */
#ifndef DRAWING_DRAW_POLICY_H
#define DRAWING_DRAW_POLICY_H

#include "drawing/draw_text.h"
#include "policy/policy.h"

/* Texts of a picture, in its arena; NULL: no memory. */
const char *drawing_policy_state(const opac_policy *policy, uint32_t state, size_t most,
                                 base_arena *arena);
/* The name of an action; without one, "#2", its number from 1 on. */
const char *drawing_policy_action(const opac_policy *policy, uint32_t state, uint32_t action,
                                  size_t most, base_arena *arena);
/* What holds in a state: "g, s"; "" for nothing. */
const char *drawing_policy_labels(const opac_policy *policy, uint32_t state, size_t most,
                                  base_arena *arena);
/* Above the picture. */
const char *drawing_policy_heading(const opac_policy *policy, base_arena *arena);

/* columns: of keys that are numbered places; 0: keys are pairs of numbers.
 * *is_drawn false: the states are no places in a grid, and nothing was written. */
opac_status drawing_policy_grid(const opac_policy *policy, uint32_t columns, base_arena *arena,
                                opac_output *out, bool *is_drawn, opac_error *error);

#endif
