/* SPDX-License-Identifier: MIT */
/* The text of a stored result of env check is what was shown finding by finding. */
#include "base/json_read.h"
#include "result/result_text.h"
#include "support/check.h"
#include "support/faults.h"

static const opac_finding findings[] = {
    {.kind = OPAC_FINDING_PASSED, .check = "greeting", .text = "propositions a, b"},
    {.kind = OPAC_FINDING_ERROR, .check = "reset", .text = "no state", .line = "\\x00"},
};

static const opac_conformance outcome = {.errors = 1, .warnings = 2, .episodes = 3, .seconds = 0.5};

static opac_status make(const opac_conformance *of, opac_result **result, opac_error *error)
{
    const opac_result_source source = {.model = "exec:sim", .params = "{}", .has_times = true};
    opac_output *text;
    opac_json json;
    size_t length;
    TRY(opac_output_open_memory(&text, error));
    opac_json_init(&json, text);
    opac_json_begin_array(&json);
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++)
        opac_finding_write_json(&findings[i], &json);
    opac_json_end_array(&json);
    const char *bytes = opac_output_bytes(text, &length);
    opac_status status = bytes == NULL
                             ? opac_output_commit(text, error)
                             : opac_result_of_env_check(of, bytes, &source, result, error);
    opac_output_free(text);
    return status;
}

static opac_status tell(void *context, opac_error *error)
{
    opac_result *result;
    TRY(make(context, &result, error));
    opac_result_free(result);
    return OPAC_OK;
}

static void assert_verdict(const opac_conformance *of, const char *verdict)
{
    opac_result *result;
    opac_output *shown, *stored;
    opac_error error;
    size_t length;
    assert_ok(make(of, &result, &error), &error);
    assert_ok(opac_output_open_memory(&shown, &error), &error);
    assert_ok(opac_output_open_memory(&stored, &error), &error);
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++)
        opac_finding_write(&findings[i], shown);
    opac_output_text(shown, verdict);
    assert_ok(opac_result_write_text(result, stored, &error), &error);
    assert_string_equal(opac_output_bytes(stored, &length), opac_output_bytes(shown, &length));
    opac_output_free(shown);
    opac_output_free(stored);
    opac_result_free(result);
}

static void stored_and_shown(void **state)
{
    (void)state;
    assert_verdict(&outcome, "Result: does not conform (1 error)\n");
    assert_verdict(&(opac_conformance){.conforms = true, .warnings = 2},
                   "Result: conforms (2 warnings)\n");
    assert_verdict(&(opac_conformance){.conforms = true}, "Result: conforms\n");
}

static void members(void **state)
{
    (void)state;
    opac_result *result;
    opac_error error;
    assert_ok(make(&outcome, &result, &error), &error);
    assert_non_null(
        strstr(opac_result_json(result, NULL),
               "\"inputs\": {\"simulator\": \"exec:sim\"}, \"params\": {}, \"findings\": "
               "[{\"kind\": \"ok\", \"check\": \"greeting\", \"text\": \"propositions a, "
               "b\"}, {\"kind\": \"error\", \"check\": \"reset\", \"text\": \"no state\", "
               "\"line\": \"\\\\x00\"}], \"result\": {\"conforms\": false, \"errors\": 1, "
               "\"warnings\": 2}, \"stats\": {\"episodes\": 3, \"steps\": 0, \"states\": "
               "0, \"simulator_seconds\": 0.5}}"));
    opac_result_free(result);
    assert_int_equal(opac_result_of_env_check(&outcome, "[", NULL, &result, &error),
                     OPAC_ERROR_SYNTAX);
}

static void allocations_that_fail(void **state)
{
    (void)state;
    assert_true(faults_sweep(tell, (void *)&outcome) > 5);
}

SUITE(env_check)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_and_shown),
        cmocka_unit_test(members),
        cmocka_unit_test(allocations_that_fail),
    };
    return cmocka_run_group_tests_name("result.env_check", tests, NULL, NULL);
}
