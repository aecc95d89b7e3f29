/* SPDX-License-Identifier: MIT */
/* opac_text_caret: examples, and invariants for random bytes. */
#include <omegapac/text.h>

#include "base/utf8.h"
#include "support/check.h"
#include "support/random.h"

static void shows(const char *text, uint32_t line, uint32_t column, size_t width,
                  const char *expected)
{
    char buffer[OPAC_CARET_SIZE];
    assert_string_equal(
        opac_text_caret(text, strlen(text), line, column, width, buffer, sizeof buffer), expected);
}

static void a_short_line_is_shown_whole(void **state)
{
    (void)state;
    shows("G (a & ) U b", 1, 8, 80, "G (a & ) U b\n       ^");
    shows("a\nb &\nc", 2, 4, 80, "b &\n   ^");
    shows("a\nb &\r\nc", 2, 4, 80, "b &\n   ^");
    shows("", 1, 1, 80, "\n^");
    shows("abc", 1, 1, 80, "abc\n^");
    shows("abc", 1, 4, 80, "abc\n   ^");
}

static void positions_after_the_text_are_its_end(void **state)
{
    (void)state;
    shows("abc", 1, 100, 80, "abc\n   ^");
    shows("abc\nde", 7, 1, 80, "de\n  ^");
    shows("abc\n", 2, 1, 80, "\n^");
    shows("abc", 0, 0, 80, "abc\n^");
}

static void odd_characters_keep_the_caret_in_place(void **state)
{
    (void)state;
    shows("\ta\tb", 1, 4, 80, " a b\n   ^");
    shows("\"äöü\" x", 1, 7, 80, "\"äöü\" x\n      ^");
    shows("a\x01 b", 1, 4, 80, "a\\x01 b\n      ^");
    shows("\xFF b", 1, 3, 80, "\\xFF b\n     ^");
    /* A mark that reorders text is one character, shown as its three bytes. */
    shows("\xE2\x80\xAEx", 1, 2, 80, "\\xE2\\x80\\xAEx\n            ^");
    shows("a\\b", 1, 3, 80, "a\\b\n  ^");
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
    (void)state;
    const char *text = "abcdefghijklmnopqrstuvwxyz0123456789";
    shows(text, 1, 1, 20, "abcdefghijklmnopq...\n^");
    shows(text, 1, 18, 20, "...klmnopqrstuvwx...\n          ^");
    shows(text, 1, 37, 20, "...uvwxyz0123456789\n                   ^");
    shows(text, 1, 18, 5, "pqrst\n  ^");
    shows(text, 1, 18, 1, "r\n^");
}

static void a_small_buffer_narrows_the_window(void **state)
{
    (void)state;
    char buffer[OPAC_CARET_SIZE];
    memset(buffer, 'x', sizeof buffer);
    opac_text_caret("abc", 3, 1, 2, 80, buffer, 0);
    assert_int_equal(buffer[0], 'x');
    assert_string_equal(opac_text_caret("abc", 3, 1, 2, 80, buffer, 6), "");
    assert_string_equal(opac_text_caret("abc", 3, 1, 2, 80, buffer, 7), "b\n^");
    assert_string_equal(opac_text_caret("abc", 3, 1, 2, 0, buffer, 80), "");
}

/* For any bytes and any position: two lines that fit, with the caret under the right character. */
static void any_bytes_give_two_printable_lines(void **state)
{
    (void)state;
    uint64_t random = random_seed(901);
    for (int round = 0; round < 20000; round++) {
        char text[400], buffer[OPAC_CARET_SIZE], shown[OPAC_CARET_SIZE];
        size_t length = random_below(&random, sizeof text);
        for (size_t i = 0; i < length; i++) {
            uint32_t byte = random_below(&random, 256);
            text[i] = random_below(&random, 3) == 0 ? (char)byte : "ab \n\t\xC3\xA4\xE2"[i % 8];
        }
        size_t width = random_below(&random, 40), size = random_below(&random, sizeof buffer);
        memset(buffer, 1, sizeof buffer);
        opac_text_caret(text, length, random_below(&random, 5), random_below(&random, 420), width,
                        buffer, size);
        for (size_t i = size; i < sizeof buffer; i++)
            assert_int_equal(buffer[i], 1);
        if (size == 0 || buffer[0] == '\0')
            continue;
        const char *second = strchr(buffer, '\n');
        assert_non_null(second);
        size_t first_length = (size_t)(second - buffer);
        assert_true(base_utf8_count(buffer, first_length) <= width);
        opac_text_show(buffer, first_length, shown, sizeof shown);
        assert_memory_equal(shown, buffer, first_length);
        size_t caret = strspn(second + 1, " ");
        assert_string_equal(second + 1 + caret, "^");
        assert_true(caret < width);
        assert_true(caret <= base_utf8_count(buffer, first_length));
    }
}

/* Text that is far from the caret does not change the result. */
static void distant_text_is_ignored(void **state)
{
    (void)state;
    static const char *const characters[] = {"a", "\t", "\xC3\xA4", "\x01", "\xFF", "\xE2\x80\xAE"};
    uint64_t random = random_seed(902);
    for (int round = 0; round < 2000; round++) {
        char near[1000] = "", far[2000] = "", expected[OPAC_CARET_SIZE], got[OPAC_CARET_SIZE];
        uint32_t more = random_below(&random, 200), width = 1 + random_below(&random, 40);
        uint32_t column = 50 + random_below(&random, 100);
        for (uint32_t i = 0; i < more; i++)
            strcat(far, characters[random_below(&random, 6)]);
        for (int i = 0; i < 200; i++)
            strcat(near, characters[random_below(&random, 6)]);
        strcat(far, near);
        for (uint32_t i = 0; i < more; i++)
            strcat(far, characters[random_below(&random, 6)]);
        opac_text_caret(near, strlen(near), 1, column, width, expected, sizeof expected);
        opac_text_caret(far, strlen(far), 1, column + more, width, got, sizeof got);
        assert_string_equal(got, expected);
    }
}

SUITE(caret)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_line_is_shown_whole),
        cmocka_unit_test(positions_after_the_text_are_its_end),
        cmocka_unit_test(odd_characters_keep_the_caret_in_place),
        cmocka_unit_test(a_long_line_is_cut_around_the_caret),
        cmocka_unit_test(a_small_buffer_narrows_the_window),
        cmocka_unit_test(any_bytes_give_two_printable_lines),
        cmocka_unit_test(distant_text_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
