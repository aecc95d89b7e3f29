/* SPDX-License-Identifier: MIT */
/* Texts, UTF-8 and the nearest word, each compared with a slower implementation of its definition. */
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/edit_distance.h"
#include "base/text.h"
#include "base/utf8.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

static void texts_grow(void **state)
{
    (void)state;
    base_text text = {0};
    opac_error error = {0};
    assert_string_equal(base_text_get(&text), "");
    base_text_add(&text, "state ");
    base_text_format(&text, "%d of %s", 3, "many");
    base_text_add_char(&text, '.');
    base_text_add_bytes(&text, "\0x", 2);
    base_text_add_bytes(&text, NULL, 0);
    assert_ok(base_text_check(&text, &error), &error);
    assert_int_equal(text.length, 18);
    assert_memory_equal(base_text_get(&text), "state 3 of many.\0x", 19);
    base_text_clear(&text);
    assert_string_equal(base_text_get(&text), "");
    for (int i = 0; i < 10000; i++)
        base_text_format(&text, "%d,", i % 10);
    assert_int_equal(text.length, 20000);
    for (size_t i = 0; i < 20000; i++)
        assert_int_equal(text.bytes[i], i % 2 == 1 ? ',' : (char)('0' + i / 2 % 10));
    base_text_fini(&text);
    base_text_fini(&text);
}

static void taking_leaves_an_empty_text(void **state)
{
    (void)state;
    base_text text = {0};
    char *nothing = base_text_take(&text);
    assert_string_equal(nothing, "");
    base_text_add(&text, "abc");
    char *taken = base_text_take(&text);
    assert_string_equal(taken, "abc");
    assert_null(text.bytes);
    base_free(taken);
    base_free(nothing);
}

static opac_status write_some(void *context, opac_error *error)
{
    (void)context;
    base_text text = {0};
    for (int i = 0; i < 100; i++) {
        base_text_format(&text, "%d", i);
        base_text_add(&text, "; ");
        assert_int_equal(strlen(base_text_get(&text)), text.length);
    }
    opac_status status = base_text_check(&text, error);
    char *taken = base_text_take(&text);
    assert_int_equal(taken != NULL, status == OPAC_OK);
    base_free(taken);
    base_text_fini(&text);
    return status;
}

static void failure_is_remembered(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(write_some, NULL), 4, 30);
    base_text text = {0};
    faults_fail_at(1);
    base_text_add(&text, "lost");
    base_text_add(&text, "and this, though there is memory again");
    assert_status(base_text_check(&text, NULL), OPAC_ERROR_MEMORY);
    assert_string_equal(base_text_get(&text), "");
    base_text_clear(&text);
    base_text_add(&text, "new start");
    assert_status(base_text_check(&text, NULL), OPAC_OK);
    base_text_fini(&text);
}

/* Encodes a code point by the definition; the length is 0 if it has no encoding. */
static size_t encode(uint32_t point, char *to)
{
    if ((point >= 0xD800 && point < 0xE000) || point > 0x10FFFF)
        return 0;
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char firsts[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--, point >>= 6)
        to[i] = (char)(0x80 | (point & 0x3F));
    to[0] = (char)(firsts[size] | point);
    return size;
}

/* All code points are accepted; and among all sequences of 3 bytes nothing else is. */
static void exactly_the_encodings_are_valid(void **state)
{
    (void)state;
    size_t valid[5] = {0}, encodings[5] = {0};
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        char bytes[4];
        size_t size = encode(point, bytes);
        encodings[size]++;
        if (size > 0)
            assert_true(base_utf8_length(bytes, size) == size);
        for (size_t cut = 0; cut < size; cut++)
            assert_true(base_utf8_length(bytes, cut) == 0);
    }
    for (uint32_t word = 0; word < 0x1000000; word++) {
        char bytes[3] = {(char)(word >> 16), (char)(word >> 8), (char)word};
        size_t size = base_utf8_length(bytes, 3);
        valid[size] += size == 3 || (size == 2 && bytes[2] == 0) ||
                       (size == 1 && bytes[1] == 0 && bytes[2] == 0);
    }
    for (size_t size = 1; size <= 3; size++)
        assert_int_equal(valid[size], encodings[size]);
    for (uint32_t word = 0; word < 0x10000; word++) { /* four bytes: the first two decide */
        char bytes[4] = {(char)(word >> 8), (char)word, (char)0x80, (char)0xBF};
        valid[4] += base_utf8_length(bytes, 4) == 4;
    }
    assert_int_equal(valid[4] * 64 * 64, encodings[4]);
}

static void first_bad_byte_is_placed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
    } cases[] = {
        {"\xFF", 1, 1},
        {"abc\x80", 1, 4},
        {"abcdefgh12345678\xC3", 1, 17},
        {"one\ntwo\n\xC3\xA9\xE2\x82\xACx\xED\xA0\x80", 3, 4},
        {"\n\n\xC0\x80", 3, 1},
        {"\xF4\x90\x80\x80", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_error error = {0};
        assert_status(base_utf8_check(cases[i].text, strlen(cases[i].text), &error),
                      OPAC_ERROR_SYNTAX);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
    }
    opac_error error = {0};
    base_utf8_check("ab\xFE", 3, &error);
    assert_string_equal(error.message, "invalid UTF-8: unexpected byte 0xFE");
    assert_status(base_utf8_check(NULL, 0, NULL), OPAC_OK);
    assert_status(base_utf8_check("na\xC3\xAFve \xF0\x9F\x98\x80\0", 12, NULL), OPAC_OK);
    assert_int_equal(base_utf8_count("na\xC3\xAFve \xF0\x9F\x98\x80", 11), 7);
    assert_int_equal(base_utf8_count("a\xFF\xC3z", 4), 4);
}

static void shown(const char *bytes, size_t length, size_t size, const char *expected)
{
    char buffer[100];
    memset(buffer, '?', sizeof buffer);
    assert_string_equal(opac_text_show(bytes, length, buffer, size), expected);
    assert_int_equal(buffer[size], '?');
}

static void hostile_bytes_are_escaped(void **state)
{
    (void)state;
    shown("plain \\ text", 12, 50, "plain \\ text");
    shown("\x1B[31m\r\n\t\x7F\0z", 11, 50, "\\x1B[31m\\x0D\\x0A\\x09\\x7F\\x00z");
    shown("\xC3\xA9\xC2\x9Bm\xC2\xA0", 7, 50, "\xC3\xA9\\xC2\\x9Bm\xC2\xA0");
    shown("\xFF\xC3", 2, 50, "\\xFF\\xC3");
    shown("a\xE2\x80\xAE"
          "b\xE2\x81\xA6\xE2\x82\xAC",
          11, 50, "a\\xE2\\x80\\xAEb\\xE2\\x81\\xA6\xE2\x82\xAC");
    shown("", 0, 4, "");
    shown("abc", 3, 4, "abc");
    shown("abcd", 4, 4, "...");
    shown("abcdefgh", 8, 8, "abcd...");
    shown("abcdefg", 7, 8, "abcdefg");
    shown("abc\xE2\x82\xAC\xE2\x82\xAC", 9, 9, "abc...");
    shown("a\xE2\x80\x8B"
          "b\xC2\xAD"
          "c\xEF\xBB\xBF",
          11, 50, "a\\xE2\\x80\\x8Bb\\xC2\\xADc\\xEF\\xBB\\xBF");
    shown("ab\x01\x01", 4, 9, "ab...");
}

static void shown_path(const char *path, size_t size, const char *expected)
{
    char buffer[100];
    memset(buffer, '?', sizeof buffer);
    assert_ptr_equal(opac_text_show_path(path, buffer, size), buffer);
    buffer[sizeof buffer - 1] = '\0';
    if (size > 0)
        assert_string_equal(buffer, expected);
    assert_int_equal(buffer[size], '?');
}

/* A long path is truncated at its beginning, since its end names the file. */
static void paths_are_cut_in_front(void **state)
{
    (void)state;
    shown_path("a/b.prism", 50, "a/b.prism");
    shown_path("a/b.prism", 10, "a/b.prism");
    shown_path("a/b.prism", 9, "...prism");
    shown_path("a/b.prism", 5, "...m");
    shown_path("a/b.prism", 4, "...");
    shown_path("a/b.prism", 3, "..");
    shown_path("a/b.prism", 0, "");
    shown_path("", 1, "");
    shown_path("a/\xC3\xA9\xE2\x82\xAC", 8, "a/\xC3\xA9\xE2\x82\xAC");
    shown_path("a/\xC3\xA9\xE2\x82\xAC", 7, "...\xE2\x82\xAC"); /* no half of a character */
    shown_path("a/\xC3\xA9\xE2\x82\xAC", 6, "...");
    shown_path("a\x1B/folder/\x1B.hoa", 13, ".../\\x1B.hoa"); /* and none of an escape */
    shown_path("a\x1B/folder/\x1B.hoa", 12, "...\\x1B.hoa");
    shown_path("a\x1B/folder/\x1B.hoa", 11, "....hoa");
}

/* On the heap, so that ASan detects writes after the end. */
static void shown_text_fits_every_size(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "a",    "ab",       "abc",
                                        "abcd", "\x01", "\xC3\xA9", "\xE2\x82\xAC"};
    static const char *const expected[][8] = {
        [1] = {"", "", "", "", "", "", "", ""},
        [2] = {"", "a", ".", ".", ".", ".", ".", "."},
        [3] = {"", "a", "ab", "..", "..", "..", "\xC3\xA9", ".."},
        [4] = {"", "a", "ab", "abc", "...", "...", "\xC3\xA9", "\xE2\x82\xAC"},
        [5] = {"", "a", "ab", "abc", "abcd", "\\x01", "\xC3\xA9", "\xE2\x82\xAC"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char untouched = '?';
        assert_ptr_equal(opac_text_show(texts[i], strlen(texts[i]), &untouched, 0), &untouched);
        assert_int_equal(untouched, '?');
        for (size_t size = 1; size <= 5; size++) {
            char *buffer = malloc(size);
            assert_non_null(buffer);
            assert_ptr_equal(opac_text_show(texts[i], strlen(texts[i]), buffer, size), buffer);
            assert_string_equal(buffer, expected[size][i]);
            free(buffer);
        }
    }
}

/* For any input, the output fits, is valid UTF-8, and contains no control characters. */
static void shown_bytes_are_always_harmless(void **state)
{
    (void)state;
    uint64_t random = random_seed(5);
    for (int i = 0; i < 20000; i++) {
        char bytes[30], buffer[40];
        size_t length = random_below(&random, sizeof bytes + 1);
        for (size_t j = 0; j < length; j++)
            bytes[j] = (char)(random_u32(&random) >> 24);
        size_t size = 1 + random_below(&random, sizeof buffer);
        opac_text_show(bytes, length, buffer, size);
        size_t used = strlen(buffer);
        assert_true(used < size);
        assert_status(base_utf8_check(buffer, used, NULL), OPAC_OK);
        for (size_t j = 0; j < used; j++) {
            assert_true((unsigned char)buffer[j] >= 0x20);
            assert_true(buffer[j] != 0x7F);
        }
    }
}

/* Optimal string alignment, by its recursive definition. */
static size_t naive_distance(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t best = naive_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    size_t other = naive_distance(a, m - 1, b, n) + 1;
    best = other < best ? other : best;
    other = naive_distance(a, m, b, n - 1) + 1;
    best = other < best ? other : best;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        other = naive_distance(a, m - 2, b, n - 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void random_word(char *word, uint64_t *random)
{
    size_t length = random_below(random, 7);
    for (size_t i = 0; i < length; i++)
        word[i] = (char)('a' + random_below(random, 3));
    word[length] = '\0';
}

static void edit_distance_equals_the_definition(void **state)
{
    (void)state;
    uint64_t random = random_seed(11);
    for (int i = 0; i < 1500; i++) {
        char a[8], b[8];
        random_word(a, &random);
        random_word(b, &random);
        size_t expected = naive_distance(a, strlen(a), b, strlen(b));
        assert_int_equal(base_edit_distance(a, b), expected);
        assert_int_equal(base_edit_distance(b, a), expected);
    }
    char longest[BASE_LONGEST_WORD + 1], longer[BASE_LONGEST_WORD + 2];
    memset(longest, 'x', sizeof longest);
    memset(longer, 'x', sizeof longer);
    longest[sizeof longest - 1] = longer[sizeof longer - 1] = '\0';
    assert_int_equal(base_edit_distance(longest, longest), 0);
    assert_int_equal(base_edit_distance(longest, ""), BASE_LONGEST_WORD);
    assert_int_equal(base_edit_distance(longest, longer), BASE_LONGEST_WORD + 1);
}

static void nearest_words(void **state)
{
    (void)state;
    static const char *const commands[] = {"learn", "estimate", "check", "evaluate", "info", "x"};
    static const struct {
        const char *word, *expected;
    } cases[] = {
        {"lern", "learn"},
        {"chekc", "check"},
        {"evalaute", "evaluate"},
        {"learn", "learn"},
        {"estmiae", "estimate"},
        {"ifno", "info"},
        {"frobnicate", NULL},
        {"", NULL},
        {"y", NULL},
        {"xy", "x"},
        {"simulate", NULL},
        {"lea", "learn"},
        {"e", NULL},
        {"eva", "evaluate"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = opac_text_nearest(cases[i].word, commands, 6);
        if (cases[i].expected == NULL)
            assert_null(found);
        else
            assert_string_equal(found, cases[i].expected);
    }
    assert_null(opac_text_nearest("learn", NULL, 0));
}

SUITE(text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_grow),
        cmocka_unit_test(taking_leaves_an_empty_text),
        cmocka_unit_test(failure_is_remembered),
        cmocka_unit_test(exactly_the_encodings_are_valid),
        cmocka_unit_test(first_bad_byte_is_placed),
        cmocka_unit_test(hostile_bytes_are_escaped),
        cmocka_unit_test(paths_are_cut_in_front),
        cmocka_unit_test(shown_text_fits_every_size),
        cmocka_unit_test(shown_bytes_are_always_harmless),
        cmocka_unit_test(edit_distance_equals_the_definition),
        cmocka_unit_test(nearest_words),
    };
    return cmocka_run_group_tests_name("base.text", tests, NULL, NULL);
}
