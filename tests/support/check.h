/* SPDX-License-Identifier: MIT */
/* cmocka with the headers that it needs, assertions for status values, and suites. */
#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <omegapac/error.h>

/* Evaluates a call once; on failure shows the message of `error`. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        if ((call) != OPAC_OK)                                                                     \
            fail_msg("%s: %s", #call, (error)->message);                                           \
    } while (0)

#define assert_status(call, expected)                                                              \
    assert_string_equal(opac_status_name(call), opac_status_name(expected))

/* Opens the function that runs the tests of test_NAME.c and returns how many failed (main.c). */
#define SUITE(name)                                                                                \
    int suite_##name(void);                                                                        \
    int suite_##name(void)

#endif
