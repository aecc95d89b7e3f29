/* SPDX-License-Identifier: MIT */
/* Cancel handles that follow another one. */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <omegapac/cancel.h>

/*
 * Makes `cancel` requested whenever `other` is requested, in addition to its own request and deadline.
 * `other`, which may be NULL, is borrowed until opac_cancel_reset, which ends the dependence, or until
 * `cancel` is released. No other thread may use `cancel` during the call.
 */
void base_cancel_follow(opac_cancel *cancel, const opac_cancel *other);

#endif
