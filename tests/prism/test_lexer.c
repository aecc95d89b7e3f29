/* SPDX-License-Identifier: MIT */
/* Tokens of the PRISM language, their places, and reserved words. */
#include "prism/prism_lexer.h"
#include "support/check.h"
#include "support/random.h"

/* One letter for each kind of token, so that a row of the table is a string. */
static char letter(const prism_token *token)
{
    switch (token->kind) {
    case PRISM_TOKEN_NAME:
        return 'n';
    case PRISM_TOKEN_WORD:
        return 'w';
    case PRISM_TOKEN_INTEGER:
        return 'i';
    case PRISM_TOKEN_DECIMAL:
        return 'd';
    case PRISM_TOKEN_BAD_NUMBER:
        return 'b';
    case PRISM_TOKEN_QUOTED:
        return 'q';
    case PRISM_TOKEN_UNCLOSED:
        return 'u';
    case PRISM_TOKEN_UNKNOWN:
        return '?';
    case PRISM_TOKEN_NUL:
        return '0';
    case PRISM_TOKEN_HASH:
        return '#';
    case PRISM_TOKEN_BLOCK_COMMENT:
        return 'c';
    default:
        return 's';
    }
}

static const struct {
    const char *text, *kinds, *last; /* `last` is the text of the last token */
} rows[] = {
    {"", "", ""},
    {"x y_1 _z X1 module", "nnnnw", "module"},
    {"0..3", "isi", "3"},
    {"0...5", "isd", ".5"},
    {"[0.5..1]", "sdsis", "]"},
    {"1 1.5 .5 1e3 1E-3 1.5e+10", "iddddd", "1.5e+10"},
    {"1.", "b", "1."},
    {"1.x", "bn", "x"},
    {"2x", "b", "2x"},
    {"1e", "b", "1e"},
    {"1e+", "bs", "+"},
    {"007", "i", "007"},
    {"x'=1", "nssi", "1"},
    {"x  '", "ns", "'"},
    {"a<=>b", "nsn", "b"},
    {"a<=b", "nsn", "b"},
    {"a<-b", "nsn", "b"},
    {"a<>b", "nsn", "b"},
    {"a=>b==c=<d:=e", "nsnsnsnsn", "e"},
    {"a|b||c|||d|[x]|e", "nsnsnsnssnssn", "e"},
    {"a->b-c", "nsnsn", "c"},
    {"!a!=b", "snsn", "b"},
    {"a // b \" /*\nc", "nn", "c"},
    {"a // b\rc", "nn", "c"},
    {"a // b", "n", "a"},
    {"a /* b\n c */ d", "ncn", "d"},
    {"/* open", "c", "/* open"},
    {"\"a\" \"b c\" \"\"", "qqq", "\"\""},
    {"\"a\\\"b\"", "q", "\"a\\\"b\""},
    {"\"open\nx", "un", "x"},
    {"gr\xC3\xB6\xC3\x9F"
     "e",
     "n?n", "e"},
    {"a\xFF\xFE"
     "b",
     "n?n", "b"},
    {"a @ $", "n??", "$"},
    {"#x#", "#n#", "#"},
    {"\xEF\xBB\xBFmdp", "w", "mdp"},
    {"a\f\vb\r\nc", "nnn", "c"},
};

static void kinds(void **state)
{
    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        char found[64] = "", last[64] = "";
        size_t count = 0;
        prism_lexer lexer;
        prism_token token;
        prism_lexer_open(&lexer, rows[row].text, strlen(rows[row].text), (prism_place){1, 1});
        for (prism_lexer_next(&lexer, &token); token.kind != PRISM_TOKEN_END;
             prism_lexer_next(&lexer, &token)) {
            found[count++] = letter(&token);
            snprintf(last, sizeof last, "%.*s", (int)token.length, token.text);
        }
        if (strcmp(found, rows[row].kinds) != 0 || strcmp(last, rows[row].last) != 0)
            fail_msg("\"%s\": %s, last '%s'", rows[row].text, found, last);
    }
}

static void nul_bytes(void **state)
{
    (void)state;
    prism_lexer lexer;
    prism_token token;
    prism_lexer_open(&lexer, "a\0// b\0c", 8, (prism_place){1, 1});
    const char expected[] = "n0"
                            "0n";
    for (size_t i = 0; i < 4; i++) {
        prism_lexer_next(&lexer, &token);
        assert_int_equal(letter(&token), expected[i]);
    }
    assert_int_equal(token.place.column, 8);
}

static void places(void **state)
{
    (void)state;
    static const char text[] = "ab \xC3\xA4 c\n\t// \xE2\x86\x92\r\n  d e";
    static const struct {
        uint32_t line, column;
        bool begins_line;
    } expected[] = {{1, 1, true}, {1, 4, false}, {1, 6, false},
                    {3, 3, true}, {3, 5, false}, {3, 6, false}};
    prism_lexer lexer;
    prism_token token;
    prism_lexer_open(&lexer, text, sizeof text - 1, (prism_place){1, 1});
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        prism_lexer_next(&lexer, &token);
        assert_int_equal(token.place.line, expected[i].line);
        assert_int_equal(token.place.column, expected[i].column);
        assert_int_equal(token.begins_line, expected[i].begins_line);
    }
    assert_int_equal(token.kind, PRISM_TOKEN_END);
    prism_lexer_open(&lexer, "x", 1, (prism_place){7, 40});
    prism_lexer_next(&lexer, &token);
    assert_int_equal(token.place.line, 7);
    assert_int_equal(token.place.column, 40);
}

/* Each word is found, in the order of the table; its neighbours by a letter are not. */
static void reserved_words(void **state)
{
    (void)state;
    for (prism_word word = PRISM_WORD_NONE + 1; word < PRISM_WORD_COUNT; word++) {
        const char *text = prism_word_text(word);
        char longer[32];
        size_t length = strlen(text);
        assert_int_equal(prism_word_find(text, length), word);
        snprintf(longer, sizeof longer, "%s_", text);
        assert_int_equal(prism_word_find(longer, length + 1), PRISM_WORD_NONE);
        if (word + 1 < PRISM_WORD_COUNT)
            assert_true(strcmp(text, prism_word_text(word + 1)) < 0);
    }
    assert_int_equal(prism_word_find("", 0), PRISM_WORD_NONE);
    assert_int_equal(prism_word_find("mod", 3), PRISM_WORD_NONE);
    assert_int_equal(prism_word_nearest("modul", 5), PRISM_WORD_MODULE);
    assert_int_equal(prism_word_nearest("endmodlue", 9), PRISM_WORD_ENDMODULE);
    assert_int_equal(prism_word_nearest("xyzzy", 5), PRISM_WORD_NONE);
}

/* Tokens and the blanks between them make up any text, in order, with increasing places. */
static void random_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "ab1.e+-\"'/*\n\r <=>|&!#\\\xC3\xA4\xFF[]():;x0";
    uint64_t random = random_seed(11);
    for (unsigned round = 0; round < 20000; round++) {
        char text[24];
        size_t length = random_below(&random, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[random_below(&random, sizeof alphabet)];
        prism_lexer lexer;
        prism_token token;
        const char *end = text;
        prism_place place = {1, 0};
        prism_lexer_open(&lexer, text, length, (prism_place){1, 1});
        for (prism_lexer_next(&lexer, &token); token.kind != PRISM_TOKEN_END;
             prism_lexer_next(&lexer, &token)) {
            assert_true(token.length > 0);
            assert_true(token.text >= end);
            assert_true(token.place.line > place.line ||
                        (token.place.line == place.line && token.place.column > place.column));
            end = token.text + token.length;
            place = token.place;
        }
        assert_true(end <= text + length);
        assert_true(token.text == text + length);
    }
}

SUITE(lexer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),          cmocka_unit_test(nul_bytes),    cmocka_unit_test(places),
        cmocka_unit_test(reserved_words), cmocka_unit_test(random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
