/* SPDX-License-Identifier: MIT */
/*
 * The allocation-failure sweep: run an action once for each n with its n-th
 * allocation failing, until it no longer reaches an n-th one. Each failing run
 * must report OPAC_ERROR_MEMORY and release whatever it had allocated.
 */
#ifndef SUPPORT_FAULTS_H
#define SUPPORT_FAULTS_H

#include <stddef.h>

#include <omegapac/error.h>

/* Performs the whole action, releases everything, and returns the status. */
typedef opac_status (*fault_action)(void *context, opac_error *error);

/* Fails the test on a wrong status and on a leak. Returns the number of failing runs. */
size_t faults_sweep(fault_action action, void *context);
/* The same with n = 1, 1 + stride, 1 + 2·stride, …: for long actions. Returns the last n. */
size_t faults_sweep_some(fault_action action, size_t stride, void *context);

/* Makes the n-th allocation from now on (counted from 1) fail once; 0: none. For special cases. */
void faults_fail_at(size_t n);

#endif
