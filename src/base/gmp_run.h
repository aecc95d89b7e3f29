/* SPDX-License-Identifier: MIT */
/*
 * Calls of GMP that survive a failed allocation. GMP itself ends the process
 * when it gets no memory. Inside a run, a failed allocation ends the run
 * instead, by a jump, and base_gmp_run returns OPAC_ERROR_MEMORY:
 *
 *     static opac_status multiply(void *context, opac_error *error);   calls GMP
 *     status = base_gmp_run(multiply, &context, error);
 *
 * Rules for the work:
 *
 *   - Everything that GMP allocates in a run is released at its end, whether
 *     it was cleared or not. Nothing of GMP crosses the border of a run; results
 *     leave as base_rational (rational_gmp.h) or as plain numbers.
 *   - A jump skips the cleanup of the functions between. So whatever else the
 *     work owns (base_alloc, vectors) hangs on its context, and the caller
 *     of base_gmp_run releases it. After a failure, no mpz_t or mpq_t is touched,
 *     not even cleared: GMP may have left it half-changed.
 *   - A run inside a run is one more place to jump to; what GMP allocated in it
 *     is released by the outermost one. Its error is passed on.
 *   - User code (callbacks) is called between base_gmp_suspend and
 *     base_gmp_resume: its use of GMP is its own.
 *
 * GMP's memory functions are global to the process. They are replaced while at
 * least one run is active, and restored after the last one. Calls of GMP
 * by threads outside of runs are passed to the functions that were set before
 * (docs/decisions/0037-gmp-out-of-memory.md). Runs may be active in several threads.
 */
#ifndef BASE_GMP_RUN_H
#define BASE_GMP_RUN_H

#include "base/error.h"

typedef opac_status (*base_gmp_function)(void *context, opac_error *error);

/*
 * Returns what the work returns; OPAC_ERROR_MEMORY when GMP gets no memory, OPAC_ERROR_LIMIT when it wants
 * more than 4 GiB for one number (beyond about four times that, GMP would end the process).
 */
opac_status base_gmp_run(base_gmp_function work, void *context, opac_error *error);

/* The thread's run, to be resumed later, NULL outside of runs; until then the thread has none. */
struct base_gmp_run *base_gmp_suspend(void);
void base_gmp_resume(struct base_gmp_run *run);

#endif
