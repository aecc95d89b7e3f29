/* SPDX-License-Identifier: MIT */
/* The names of status codes, and the functions that set errors. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

static const char *const status_names[] = {
    [OPAC_OK] = "ok",
    [OPAC_ERROR_ARGUMENT] = "argument",
    [OPAC_ERROR_SYNTAX] = "syntax",
    [OPAC_ERROR_UNSUPPORTED] = "unsupported",
    [OPAC_ERROR_IO] = "io",
    [OPAC_ERROR_MEMORY] = "memory",
    [OPAC_ERROR_LIMIT] = "limit",
    [OPAC_ERROR_CANCELLED] = "cancelled",
    [OPAC_ERROR_SIMULATOR] = "simulator",
    [OPAC_ERROR_INTERNAL] = "internal",
};

const char *opac_status_name(opac_status status)
{
    size_t count = sizeof status_names / sizeof status_names[0];
    return (size_t)status < count ? status_names[status] : "unknown";
}

/* Ends a message that did not fit with "...", without splitting a UTF-8 character. */
static void cut_message(char *message)
{
    size_t end = OPAC_MESSAGE_SIZE - 1 - strlen("...");
    while (end > 0 && ((unsigned char)message[end] & 0xC0) == 0x80)
        end--;
    strcpy(message + end, "...");
}

void base_set_parameter(opac_error *error, const char *parameter, uint64_t limit)
{
    if (error == NULL)
        return;
    error->parameter = parameter;
    error->limit = limit;
}

static opac_status fail(opac_error *error, opac_status code, uint32_t line, uint32_t column,
                        const char *format, va_list arguments)
{
    if (error == NULL)
        return code;
    error->code = code;
    error->line = line;
    error->column = column;
    base_set_parameter(error, NULL, 0);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    if (length >= OPAC_MESSAGE_SIZE)
        cut_message(error->message);
    return code;
}

opac_status base_fail(opac_error *error, opac_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, code, 0, 0, format, arguments);
    va_end(arguments);
    return code;
}

opac_status base_fail_at(opac_error *error, opac_status code, uint32_t line, uint32_t column,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, code, line, column, format, arguments);
    va_end(arguments);
    return code;
}

opac_status base_fail_limit(opac_error *error, const char *parameter, uint64_t limit,
                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, OPAC_ERROR_LIMIT, 0, 0, format, arguments);
    va_end(arguments);
    base_set_parameter(error, parameter, limit);
    return OPAC_ERROR_LIMIT;
}

opac_status base_fail_parameter(opac_error *error, opac_status code, const char *parameter,
                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(error, code, 0, 0, format, arguments);
    va_end(arguments);
    base_set_parameter(error, parameter, 0);
    return code;
}

opac_status base_check_fraction(const char *parameter, double value, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    if (value > 0 && value < 1)
        return OPAC_OK;
    return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, parameter,
                               "%s must lie strictly between 0 and 1, not %s", parameter,
                               opac_number_format(value, text));
}

static opac_status status_of(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return OPAC_ERROR_LIMIT;
    default:
        return OPAC_ERROR_IO;
    }
}

opac_status base_fail_system(opac_error *error, int number, const char *what)
{
    char reason[128] = "out of memory"; /* as base_fail_memory */
    if (number == ENOMEM)
        return base_fail(error, OPAC_ERROR_MEMORY, "%s: %s", what, reason);
    if (number == 0 || strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    return base_fail(error, status_of(number), "%s: %s", what, reason);
}

opac_status base_check_bounds(double lower, double upper, opac_error *error)
{
    if (lower >= 0 && lower <= upper && upper <= 1) /* false for NaN */
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_INTERNAL,
                     "internal error: %.17g and %.17g are not bounds of a probability; please "
                     "report this bug",
                     lower, upper);
}
