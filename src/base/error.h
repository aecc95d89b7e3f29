/* SPDX-License-Identifier: MIT */
/*
 * Functions that set an opac_error. Each returns the code, so that it can be used as
 *
 *     return base_fail(error, OPAC_ERROR_ARGUMENT, "epsilon must lie in (0, 1)");
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <omegapac/error.h>

#if defined(__GNUC__) || defined(__clang__)
#define BASE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BASE_PRINTF(text, first)
#endif

/* Return, or jump to a label, if the expression is not OPAC_OK (omegapac/error.h). */
#define TRY(expression)           OPAC_TRY(expression)
#define TRY_OR(label, expression) OPAC_TRY_OR(label, expression)

/* In all functions, error may be NULL. */
opac_status base_fail(opac_error *error, opac_status code, const char *format, ...)
    BASE_PRINTF(3, 4);
opac_status base_fail_at(opac_error *error, opac_status code, uint32_t line, uint32_t column,
                         const char *format, ...) BASE_PRINTF(5, 6);

/* OPAC_ERROR_LIMIT: the limit set by `parameter`, a static string, was exceeded. */
opac_status base_fail_limit(opac_error *error, const char *parameter, uint64_t limit,
                            const char *format, ...) BASE_PRINTF(4, 5);

/* An error with another code about a parameter that is not a limit. */
opac_status base_fail_parameter(opac_error *error, opac_status code, const char *parameter,
                                const char *format, ...) BASE_PRINTF(4, 5);

/* OPAC_ERROR_ARGUMENT unless the value of the parameter is strictly between 0 and 1; NaN is rejected, too. */
opac_status base_check_fraction(const char *parameter, double value, opac_error *error);

/* Sets the members parameter and limit; other functions set them to NULL and 0 unless they take them. */
void base_set_parameter(opac_error *error, const char *parameter, uint64_t limit);

/*
 * An error of a system call: what failed, and the reason by its errno. The code is OPAC_ERROR_LIMIT for a
 * full disk, OPAC_ERROR_MEMORY if memory is exhausted, else OPAC_ERROR_IO.
 */
opac_status base_fail_system(opac_error *error, int number, const char *what);

/*
 * Checks bounds of a probability before they are returned to the user: OPAC_ERROR_INTERNAL unless
 * 0 <= lower <= upper <= 1, which would be a bug of the library.
 */
opac_status base_check_bounds(double lower, double upper, opac_error *error);

/* Inline, so that static analysis sees that it never returns OPAC_OK. */
static inline opac_status base_fail_memory(opac_error *error)
{
    base_fail(error, OPAC_ERROR_MEMORY, "out of memory");
    return OPAC_ERROR_MEMORY;
}

#endif
