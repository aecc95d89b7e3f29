/* SPDX-License-Identifier: MIT */
/*
 * Lines of files and texts, compared with a simple split, and numbers in them, compared with
 * opac_number_parse.
 */
#include <math.h>
#include <unistd.h>

#include <omegapac/number.h>

#include "model/input.h"
#include "model/line_scanner.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"
#include "support/temporary.h"

static opac_error error;

/* ---- lines ---- */

/* Reads all lines of the input. */
static void assert_lines(model_input *input, const char *text, size_t length)
{
    const char *at = text, *end = text + length, *line;
    size_t got;
    uint32_t number = 0;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop != NULL ? stop + 1 : end;
        size_t expected = (size_t)((stop != NULL ? stop : end) - at);
        if (expected > 0 && at[expected - 1] == '\r')
            expected--;
        if (number == 0 && expected >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
            at += 3;
            expected -= 3;
        }
        assert_ok(model_input_next(input, &line, &got, &error), &error);
        assert_non_null(line);
        assert_int_equal(got, expected);
        if (got > 0)
            assert_memory_equal(line, at, got);
        assert_int_equal(model_input_number(input), ++number);
        at = next;
        assert_int_equal(model_input_done(input), (size_t)(at - text));
    }
    for (int i = 0; i < 2; i++) {
        assert_ok(model_input_next(input, &line, &got, &error), &error);
        assert_null(line);
        assert_int_equal(model_input_number(input), number);
    }
    assert_int_equal(model_input_total(input), length);
}

static void check_both(const char *path, const char *text, size_t length)
{
    model_input *input;
    assert_ok(model_input_open_text(text, length, NULL, &input, &error), &error);
    assert_lines(input, text, length);
    model_input_close(input);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
    assert_ok(model_input_open(path, NULL, &input, &error), &error);
    assert_lines(input, text, length);
    model_input_close(input);
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "a",
        "a\n",
        "a\nb",
        "a\r\nb\r\n",
        "\r\n\r\n",
        "a\r",
        "\n\na",
        "\r",
        ("\xEF\xBB\xBF"
         "a\n"),
        "\xEF\xBB\xBF",
        "\xEF\xBB",
    };
    char folder[256], path[300];
    uint64_t random = random_seed(1);
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/lines", folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_both(path, texts[i], strlen(texts[i]));
    check_both(path, "a\0b\n\0", 5);
    /* A text longer than the buffer, with lines across its end and one that is longer than several buffers. */
    size_t length = 5 << 20;
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i > 3 << 19 && i < 7 << 19       ? 'x'
                  : random_below(&random, 40) == 0 ? '\n'
                  : random_below(&random, 60) == 0 ? '\r'
                                                   : 'a';
    for (size_t cut = 0; cut < 3; cut++)
        check_both(path, text, length - cut);
    free(text);
    unlink(path);
    rmdir(folder);
}

static void test_errors(void **state)
{
    (void)state;
    model_input *input;
    const char *line;
    size_t length, size = ((size_t)1 << 26) + 2;
    char folder[256];
    assert_true(temporary_folder(folder, sizeof folder));
    assert_ok(model_input_open(folder, NULL, &input, &error), &error);
    assert_status(model_input_next(input, &line, &length, &error), OPAC_ERROR_IO);
    model_input_close(input);
    rmdir(folder);
    assert_status(model_input_open(folder, NULL, &input, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "omegapac-test"));
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    text[0] = '\n';
    assert_ok(model_input_open_text(text, size, NULL, &input, &error), &error);
    assert_ok(model_input_next(input, &line, &length, &error), &error);
    assert_status(model_input_next(input, &line, &length, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(error.line, 2);
    model_input_close(input);
    free(text);
    model_input_close(NULL);
}

static void test_cancel(void **state)
{
    (void)state;
    model_input *input;
    opac_cancel *cancel;
    const char *line;
    size_t length, count = 0;
    static char text[200000];
    memset(text, '\n', sizeof text);
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    assert_ok(model_input_open_text(text, sizeof text, cancel, &input, &error), &error);
    assert_ok(model_input_next(input, &line, &length, &error), &error);
    opac_cancel_request(cancel);
    while (model_input_next(input, &line, &length, &error) == OPAC_OK)
        assert_true(++count < sizeof text);
    assert_int_equal(error.code, OPAC_ERROR_CANCELLED);
    model_input_close(input);
    opac_cancel_free(cancel);
}

static opac_status open_and_read(void *context, opac_error *err)
{
    model_input *input;
    const char *line;
    size_t length;
    opac_status status = model_input_open(context, NULL, &input, err);
    if (status != OPAC_OK)
        return status;
    do {
        status = model_input_next(input, &line, &length, err);
    } while (status == OPAC_OK && line != NULL);
    model_input_close(input);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    char folder[256], path[300];
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/lines", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 3 << 20; i++)
        fputc('x', file);
    fclose(file);
    assert_true(faults_sweep(open_and_read, path) >= 3);
    unlink(path);
    rmdir(folder);
}

/* ---- numbers ---- */

static void assert_number(const char *text)
{
    double slow, fast;
    opac_error slow_error;
    opac_status expected = opac_number_parse(text, &slow, &slow_error);
    opac_status status = model_parse_number(text, strlen(text), &fast, NULL, &error);
    if (status != expected)
        fail_msg("'%s': %s", text, opac_status_name(status));
    if (status == OPAC_OK && memcmp(&fast, &slow, sizeof fast) != 0)
        fail_msg("'%s': %a, not %a", text, fast, slow);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "1",
        ".5",
        "5.",
        "0.1",
        "1e-3",
        "1E+3",
        "1/3",
        "0.5/1.5",
        "1/0",
        "",
        ".",
        "e5",
        "1e",
        "1e+",
        "1e-",
        "-1",
        "+1",
        "-0",
        "1.2.3",
        "0x10",
        "1 ",
        " 1",
        "1,5",
        "nan",
        "inf",
        "1e400",
        "1e-400",
        "9007199254740993",
        "9007199254740993e22",
        "9007199254740992e-22",
        "18446744073709551615",
        "18446744073709551616",
        "0.000000000000000000000000000000001",
        "00000000000000000000000000000.5",
        "0.500000000000000000000000000000",
        "1e22",
        "1e23",
        "1e27",
        "1e28",
        "123456789012345678e-27",
        "0.30000000000000004",
        "2.2250738585072011e-308",
        "4.9e-324",
        "0e99999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "9007199254740993.0",
        "4503599627370497.5",
        "4503599627370496.5",
        "9223372036854775807.5",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_number(texts[i]);
    uint64_t random = random_seed(2);
    for (int round = 0; round < 100000; round++) {
        char text[80];
        unsigned long long digits = random_u64(&random) >> random_below(&random, 64);
        int power = (int)random_below(&random, 64) - 40;
        snprintf(text, sizeof text, "%s%llue%d", random_below(&random, 2) ? "0." : "", digits,
                 power);
        assert_number(text);
        double value = ldexp((double)(random_u64(&random) >> 11), -53);
        snprintf(text, sizeof text, "%.*g", 1 + (int)random_below(&random, 20), value);
        assert_number(text);
    }
    /* Numbers halfway between doubles, and adjacent ones. */
    for (int round = 0; round < 20000; round++) {
        char text[80];
        uint64_t whole = (UINT64_C(1) << 53 | random_u64(&random) >> 11) * 2 + 1;
        whole += random_below(&random, 3) - UINT64_C(1);
        snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
        assert_number(text);
        snprintf(text, sizeof text, "%llu.%d", (unsigned long long)whole / 4,
                 25 * (int)(whole % 4));
        assert_number(text);
    }
}

static void test_fractions(void **state)
{
    (void)state;
    base_ratio ratio;
    double value;
    assert_ok(model_parse_number("1/3", 3, &value, &ratio, &error), &error);
    assert_true(value == 1.0 / 3);
    assert_true(ratio.numerator == 1);
    assert_true(ratio.denominator == 3);
    assert_ok(model_parse_number("0.125x", 5, &value, &ratio, &error), &error);
    assert_true(value == 0.125);
    assert_true(ratio.numerator == 1);
    assert_true(ratio.denominator == 8);
    assert_ok(model_parse_number("1e-30", 5, &value, &ratio, &error), &error);
    assert_false(base_ratio_is_known(ratio));
    /* Parts beyond 2^53, where the quotient of rounded parts would be wrong. */
    const char *wide = "9007199254740993/9223372036854775807";
    assert_ok(model_parse_number(wide, strlen(wide), &value, &ratio, &error), &error);
    assert_true(value == base_ratio_to_double(ratio));
    assert_status(model_parse_number("1\0"
                                     "2",
                                     3, &value, NULL, &error),
                  OPAC_ERROR_SYNTAX);
    char text[200];
    memset(text, '3', sizeof text);
    memcpy(text, "0.", 2);
    assert_ok(model_parse_number(text, sizeof text, &value, &ratio, &error), &error);
    assert_true(value == 1.0 / 3);
}

/* Fractions of any length, by both parsers. */
static void test_random_fractions(void **state)
{
    (void)state;
    uint64_t random = random_seed(9);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        base_ratio ratio;
        double value;
        uint64_t top = random_u64(&random) >> (1 + random_below(&random, 63));
        uint64_t bottom = 1 + (random_u64(&random) >> (2 + random_below(&random, 60)));
        size_t length = (size_t)snprintf(text, sizeof text, "%s%llu/%llu", i % 3 == 0 ? "0" : "",
                                         (unsigned long long)top, (unsigned long long)bottom);
        base_ratio expected = base_ratio_of((int64_t)top, (int64_t)bottom);
        assert_ok(model_parse_number(text, length, &value, &ratio, &error), &error);
        assert_true(value == base_ratio_to_double(expected));
        assert_int_equal(base_ratio_compare(ratio, expected), 0);
    }
    static const char *const wrong[] = {"1/0", "/3", "1/", "1/2/3", "1/2x", "1 /2", "/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value;
        if (model_parse_number(wrong[i], strlen(wrong[i]), &value, NULL, &error) == OPAC_OK)
            fail_msg("%s is taken for %g", wrong[i], value);
    }
}

static void test_integers(void **state)
{
    (void)state;
    static const char *const texts[] = {"18446744073709551615", "18446744073709551616",
                                        "99999999999999999999", "00000000000000000000000000007"};
    static const uint64_t values[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 7};
    for (size_t i = 0; i < 4; i++) {
        model_scanner s = {texts[i], texts[i], texts[i] + strlen(texts[i]), 1};
        uint64_t value;
        assert_true(model_scanner_uint(&s, &value));
        assert_true(value == values[i]);
        assert_true(model_scanner_at_end(&s));
        assert_false(model_scanner_uint(&s, &value));
    }
}

SUITE(input)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_errors),
        cmocka_unit_test(test_cancel),    cmocka_unit_test(test_faults),
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_random_fractions),
        cmocka_unit_test(test_fractions), cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
