/* SPDX-License-Identifier: MIT */
/*
 * A certificate with a hundred thousand states: a walk along a line whose end is accepting, where each
 * step succeeds with probability at least 0.9 and otherwise ends in a trap. It must be checked within
 * seconds, and refused if one number is wrong.
 */
#include <inttypes.h>
#include <math.h>

#include <omegapac/number.h>
#include <omegapac/output.h>

#include <omegapac/verification.h>

#include "base/sha256.h"
#include "support/check.h"

enum {
    COUNT = 100000
};

static void write_states(opac_output *out)
{
    opac_output_text(out, "\"states\": [");
    for (uint32_t i = 0; i < COUNT; i++)
        opac_output_print(out, "{\"key\": \"%08" PRIx32 "\", \"letter\": %d, \"actions\": %d},\n",
                          i, i + 1 == COUNT, 1);
    opac_output_text(out, "{\"key\": \"ffffffff\", \"letter\": 0, \"actions\": 0}],\n");
}

/* Every 10000th step may fail; all others go on, or stay for a while. */
static bool is_risky(uint32_t i)
{
    return i % 10000 == 5000;
}

static void write_rows(opac_output *out)
{
    opac_output_text(out, "\"rows\": [");
    for (uint32_t i = 0; i < COUNT; i++) {
        opac_output_print(
            out, "%s{\"index\": %" PRIu32 ", \"state\": %" PRIu32 ", \"action\": 0, \"counts\": [",
            i > 0 ? ",\n" : "", i + 1, i);
        if (i + 1 == COUNT)
            opac_output_print(out, "[%" PRIu32 ", 10000]]}", i);
        else if (is_risky(i))
            opac_output_print(out, "[%" PRIu32 ", 99000], [%d, 1000]]}", i + 1, COUNT);
        else
            opac_output_print(out, "[%" PRIu32 ", 500], [%" PRIu32 ", 500]]}", i, i + 1);
    }
    opac_output_text(out, "],\n");
}

static void write_nodes(opac_output *out, uint32_t wrong, double *lower, double *upper)
{
    char low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    int left = COUNT / 10000; /* risky steps to come */
    opac_output_text(out, "\"nodes\": [");
    for (uint32_t i = 0; i < COUNT; i++) {
        double x = pow(0.98, left), u = pow(0.995, left);
        if (i == 0) {
            *lower = x;
            *upper = u;
        }
        opac_output_print(
            out,
            "{\"state\": %" PRIu32 ", \"memory\": 0, \"upper\": %s, \"lower\": %s, "
            "\"wins\": %s, \"rank\": %" PRIu32 ", \"action\": 0, \"next\": 0, \"marks\": [%s]},\n",
            i, opac_number_format(i == wrong ? u * 0.999 : u, high), opac_number_format(x, low),
            i + 1 == COUNT ? "true" : "false", COUNT - 1 - i, i + 1 == COUNT ? "0" : "");
        left -= is_risky(i);
    }
    opac_output_print(out,
                      "{\"state\": %d, \"memory\": 0, \"upper\": 0, \"lower\": 0, \"wins\": false, "
                      "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null}],\n",
                      COUNT);
}

static opac_output *write_all(uint32_t wrong)
{
    opac_output *out;
    opac_error error;
    double lower, upper;
    size_t length;
    char low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE], digest[BASE_SHA256_TEXT];
    base_sha256 hash;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_output_text(
        out, "{\"schema\": \"omegapac.certificate/1\", \"version\": \"0\", \"inputs\": {\"model\": "
             "null, \"digest\": null, \"constants\": null, \"objective\": null, \"formula\": null, "
             "\"least\": false, \"seed\": 1},\n\"assumes\": {\"pmin\": 0.005, \"graph\": false, "
             "\"states\": null, \"actions\": null, \"branching\": 2}, \"epsilon\": 0.5, \"delta\": "
             "{\"total\": 0.125, \"support\": 0.1, \"interval\": 0.025},\n\"automaton\": \"HOA: "
             "v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nAcceptance: 1 Inf(0)\\n--BODY--\\n"
             "State: 0\\n[!0] 0\\n[0] 0 {0}\\n--END--\\n\",\n");
    write_states(out);
    opac_output_text(out, "\"start\": 0,\n");
    write_rows(out);
    write_nodes(out, wrong, &lower, &upper);
    opac_output_print(out,
                      "\"claim\": {\"lower\": %s, \"upper\": %s, \"confidence\": 0.875, \"value\": "
                      "null, \"statement\": null},\n",
                      opac_number_format(lower, low), opac_number_format(upper, high));
    const char *text = opac_output_bytes(out, &length);
    base_sha256_init(&hash);
    base_sha256_add(&hash, text, length);
    base_sha256_finish_text(&hash, digest);
    opac_output_print(out, "\"digest\": \"%s\"}\n", digest);
    return out;
}

static void check(uint32_t wrong, const char *reason)
{
    opac_output *out = write_all(wrong);
    opac_verification found;
    opac_error error;
    size_t length;
    const char *text = opac_output_bytes(out, &length);
    assert_ok(opac_verify_text(text, length, NULL, &found, &error), &error);
    if (found.holds != (reason == NULL))
        fail_msg("%s", found.holds ? "holds" : found.reason);
    if (reason != NULL)
        assert_string_equal(found.reason, reason);
    opac_verification_fini(&found);
    opac_output_free(out);
}

static void test_line(void **state)
{
    (void)state;
    check(COUNT, NULL);
    check(77777, "nodes[77777]: upper is below the greatest expected value of one of its choices");
}

SUITE(large)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
