/* SPDX-License-Identifier: MIT */
/* Handles that depend on another one. */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <omegapac/cancel.h>

/*
 * From now on `cancel` counts as requested whenever `other` does, and has its own request and
 * deadline besides. `other` is borrowed until opac_cancel_reset, which ends the dependence, or until
 * `cancel` is released; NULL: none. Not while another thread uses `cancel`.
 */
void base_cancel_follow(opac_cancel *cancel, const opac_cancel *other);

#endif
