/* SPDX-License-Identifier: MIT */
/*
 * Filling error values. Each function returns the code that it was given, so
 * that the place that detects a problem reads
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

/* Passing on the failure of another function (omegapac/error.h). */
#define TRY(expression)           OPAC_TRY(expression)
#define TRY_OR(label, expression) OPAC_TRY_OR(label, expression)

/* All accept error == NULL. */
opac_status base_fail(opac_error *error, opac_status code, const char *format, ...)
    BASE_PRINTF(3, 4);
opac_status base_fail_at(opac_error *error, opac_status code, uint32_t line, uint32_t column,
                         const char *format, ...) BASE_PRINTF(5, 6);

/* A limit was reached, OPAC_ERROR_LIMIT: the one that `parameter` sets, a static string. */
opac_status base_fail_limit(opac_error *error, const char *parameter, uint64_t limit,
                            const char *format, ...) BASE_PRINTF(4, 5);

/* The same for another code, about a parameter that is no limit. */
opac_status base_fail_parameter(opac_error *error, opac_status code, const char *parameter,
                                const char *format, ...) BASE_PRINTF(4, 5);

/* OPAC_ERROR_ARGUMENT about the parameter if its value is not strictly between 0 and 1, or NaN. */
opac_status base_check_fraction(const char *parameter, double value, opac_error *error);

/* What the error is about, as opac_error has it; the functions above set both to none. */
void base_set_parameter(opac_error *error, const char *parameter, uint64_t limit);

/*
 * A failed system call: what could not be done, and why, by its errno. A full
 * disk is OPAC_ERROR_LIMIT, missing memory OPAC_ERROR_MEMORY; others OPAC_ERROR_IO.
 */
opac_status base_fail_system(opac_error *error, int number, const char *what);

/*
 * Bounds of a probability before they leave the library: 0 <= lower <= upper <= 1, or the library
 * has made a mistake, OPAC_ERROR_INTERNAL, and gives no result.
 */
opac_status base_check_bounds(double lower, double upper, opac_error *error);

/* In the header, so that static analysis sees that it never returns OPAC_OK. */
static inline opac_status base_fail_memory(opac_error *error)
{
    base_fail(error, OPAC_ERROR_MEMORY, "out of memory");
    return OPAC_ERROR_MEMORY;
}

#endif
