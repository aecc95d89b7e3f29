/* SPDX-License-Identifier: MIT */
/* Counting work, limits, and deadlines of handles. */
#include "base/work.h"

#include "base/cancel.h"
#include "base/slots.h"
#include "support/check.h"

static void a_limit_is_a_count(void **state)
{
    base_work work;
    opac_error error = {0};
    (void)state;
    base_work_init(&work, NULL, 100000);
    for (uint32_t i = 1; i < 100000; i++)
        assert_false(base_work_spend(&work, 1));
    assert_true(base_work_spend(&work, 1));
    assert_true(base_work_spend(&work, 0)); /* and stays so */
    assert_status(base_work_fail(&work, "counting", &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "counting takes more than 100000 units of work");
    base_work_init(&work, NULL, 0);
    assert_false(base_work_spend(&work, UINT64_C(1) << 62));
    assert_false(base_work_spend(NULL, 1));
}

static void requests_are_polled(void **state)
{
    base_work work;
    opac_cancel *cancel;
    opac_error error = {0};
    uint64_t units = 0;
    (void)state;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    base_work_init(&work, cancel, 0);
    assert_false(base_work_spend(&work, 1));
    opac_cancel_request(cancel);
    while (!base_work_spend(&work, 1))
        assert_true(++units <= BASE_WORK_POLL);
    assert_status(base_work_fail(&work, "counting", &error), OPAC_ERROR_CANCELLED);
    assert_string_equal(error.message, "stopped while counting");
    opac_cancel_free(cancel);
}

static void handles_follow_others(void **state)
{
    opac_cancel *first, *second;
    opac_error error = {0};
    (void)state;
    assert_ok(opac_cancel_new(&first, &error), &error);
    assert_ok(opac_cancel_new(&second, &error), &error);
    base_cancel_follow(second, first);
    assert_false(opac_cancel_requested(second));
    opac_cancel_request(first);
    assert_int_equal(opac_cancel_get_reason(second), OPAC_CANCEL_REQUEST);
    opac_cancel_reset(second);
    assert_false(opac_cancel_requested(second));
    base_cancel_follow(second, first);
    opac_cancel_reset(first);
    assert_false(opac_cancel_requested(second));
    opac_cancel_request(second);
    assert_true(opac_cancel_requested(second));
    assert_false(opac_cancel_requested(first));
    opac_cancel_free(second);
    opac_cancel_free(first);
}

static void deadlines(void **state)
{
    opac_cancel *cancel;
    opac_error error = {0};
    (void)state;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_set_deadline(cancel, 1e30);
    assert_false(opac_cancel_requested(cancel));
    opac_cancel_set_deadline(cancel, 1e-9);
    while (!opac_cancel_requested(cancel)) {
    }
    assert_int_equal(opac_cancel_get_reason(cancel), OPAC_CANCEL_TIME);
    assert_status(base_fail_stopped(&error, cancel, "waiting"), OPAC_ERROR_CANCELLED);
    assert_string_equal(error.message, "the time limit was reached while waiting");
    opac_cancel_request(cancel);
    assert_int_equal(opac_cancel_get_reason(cancel), OPAC_CANCEL_REQUEST);
    opac_cancel_reset(cancel);
    assert_int_equal(opac_cancel_get_reason(cancel), OPAC_CANCEL_NONE);
    opac_cancel_set_deadline(cancel, 1e-9);
    opac_cancel_set_deadline(cancel, 0);
    assert_int_equal(opac_cancel_get_reason(cancel), OPAC_CANCEL_NONE);
    assert_int_equal(opac_cancel_get_reason(NULL), OPAC_CANCEL_NONE);
    opac_cancel_free(cancel);
}

/* A table whose growth is stopped is unchanged. */
static void growing_is_stopped(void **state)
{
    base_work work;
    base_slots table = {.work = &work};
    opac_error error = {0};
    (void)state;
    base_work_init(&work, NULL, 1000);
    assert_ok(base_slots_grow(&table, 12000, &error), &error);
    size_t before = base_slots_memory(&table);
    assert_status(base_slots_grow(&table, 24000, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(base_slots_memory(&table), before);
    base_slots_fini(&table);
}

/* After a deadline has expired, the clock has passed it. */
static void the_clock_goes_on(void **state)
{
    opac_cancel *cancel;
    opac_error error = {0};
    (void)state;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    double begin = opac_clock_seconds();
    opac_cancel_set_deadline(cancel, 0.002);
    while (!opac_cancel_requested(cancel))
        continue;
    assert_true(opac_clock_seconds() >= begin + 0.0019);
    opac_cancel_free(cancel);
}

SUITE(work)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_a_count),    cmocka_unit_test(requests_are_polled),
        cmocka_unit_test(handles_follow_others), cmocka_unit_test(deadlines),
        cmocka_unit_test(growing_is_stopped),    cmocka_unit_test(the_clock_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
