/* SPDX-License-Identifier: MIT */
/*
 * Runs code that calls GMP so that a failed allocation is an error. By default, GMP aborts the process when
 * an allocation fails. Inside a run, a failed allocation ends the run by longjmp, and base_gmp_run returns
 * OPAC_ERROR_MEMORY:
 *
 *     static opac_status multiply(void *context, opac_error *error);   calls GMP
 *     status = base_gmp_run(multiply, &context, error);
 *
 * Rules for the function:
 *
 *   - The memory that GMP allocates in a run is released at its end, whether or not variables were cleared.
 *     GMP variables must not be used outside of the run; results are returned as base_rational
 *     (rational_gmp.h) or as plain numbers.
 *   - The jump skips the cleanup of the functions that were called. So all other memory (base_alloc, vectors)
 *     must be reachable from the context, and is released by the caller of base_gmp_run. After a failure, no
 *     mpz_t or mpq_t may be used, not even cleared: GMP may have left it in an invalid state.
 *   - Runs may be nested: a failure ends the innermost run, which returns the error. The outermost run
 *     releases the memory of all.
 *   - User code (callbacks) must be called between base_gmp_suspend and base_gmp_resume, so that its own use
 *     of GMP is not affected.
 *
 * The memory functions of GMP are global to the process. They are replaced while at least one run is
 * active, and restored after the last one. Calls of GMP by threads outside of runs are passed on to the
 * functions that were set before (docs/decisions/0037-gmp-out-of-memory.md). Several threads may have runs.
 */
#ifndef BASE_GMP_RUN_H
#define BASE_GMP_RUN_H

#include "base/error.h"

typedef opac_status (*base_gmp_function)(void *context, opac_error *error);

/*
 * Returns the result of the function, OPAC_ERROR_MEMORY if an allocation of GMP fails, or OPAC_ERROR_LIMIT
 * if a number needs more than 4 GiB (beyond about four times that, GMP would abort the process).
 */
opac_status base_gmp_run(base_gmp_function work, void *context, opac_error *error);

/* Suspends the current run of the thread until base_gmp_resume, and returns it; NULL outside of runs. */
struct base_gmp_run *base_gmp_suspend(void);
void base_gmp_resume(struct base_gmp_run *run);

#endif
