/* SPDX-License-Identifier: MIT */
/*
 * Lines of simulators: examples of valid and invalid ones, and all short lines over a few characters,
 * compared with a second, simpler parser.
 */
#include "env/protocol.h"

#include "env/state_table.h"
#include "support/check.h"
#include "support/faults.h"

static opac_status greet(const char *line, protocol_greeting *greeting, opac_error *error)
{
    return protocol_read_greeting(line, strlen(line), greeting, error);
}

static void test_good_greetings(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t names, lanes;
        bool random_start;
    } cases[] = {
        {"omegapac-env 1", 0, 1, true},
        {"omegapac-env 1 a b", 2, 1, true},
        {"  omegapac-env\t1   a ", 1, 1, true},
        {"omegapac-env 1 lanes=1", 0, 1, true},
        {"omegapac-env 1 lanes=4096 a", 1, 4096, true},
        {"omegapac-env 1 a lanes=064 b start=fixed", 2, 64, false},
        {"omegapac-env 1 start=random", 0, 1, true},
        {"omegapac-env 1 -- a-b 1 1.5 \xC3\xA4 ;; a;b lanes", 8, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        protocol_greeting greeting;
        opac_error error = {0};
        assert_ok(greet(cases[i].line, &greeting, &error), &error);
        assert_int_equal(greeting.names.count, cases[i].names);
        assert_int_equal(greeting.lanes, cases[i].lanes);
        assert_int_equal(greeting.random_start, cases[i].random_start);
        assert_true(protocol_greeting_equals(&greeting, &greeting));
        protocol_greeting_fini(&greeting);
    }
}

#define EXPECTED    "expected \"omegapac-env 1 PROP PROP ...\""
#define LANES(word) "\"" word "\": expected a number of lanes from 1 to 4096"
#define OPTION(word)                                                                               \
    "unknown option \"" word "\": expected lanes=N, start=fixed, start=random or outcomes=yes"

static void test_bad_greetings(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"", EXPECTED},
        {"hello", EXPECTED},
        {"omegapac-env1", EXPECTED},
        {"\xEF\xBB\xBFomegapac-env 1",
         "expected \"omegapac-env 1 PROP PROP ...\" without a byte order mark"},
        {"omegapac-env", "expected the version, \"omegapac-env 1\""},
        {"omegapac-env 2 a", "unknown protocol version \"2\": expected 1"},
        {"omegapac-env a", "unknown protocol version \"a\": expected 1"},
        {"omegapac-env 1 lanes=0", LANES("lanes=0")},
        {"omegapac-env 1 lanes=4097", LANES("lanes=4097")},
        {"omegapac-env 1 lanes=", LANES("lanes=")},
        {"omegapac-env 1 lanes=-1", LANES("lanes=-1")},
        {"omegapac-env 1 lanes=18446744073709551617", LANES("lanes=18446744073709551617")},
        {"omegapac-env 1 lanes=2 lanes=2", "\"lanes=2\" occurs twice"},
        {"omegapac-env 1 start=fixed start=random", "\"start=random\" occurs twice"},
        {"omegapac-env 1 start=other", OPTION("start=other")},
        {"omegapac-env 1 x=1", OPTION("x=1")},
        {"omegapac-env 1 =", OPTION("=")},
        {"omegapac-env 1 a b a", "the proposition \"a\" occurs twice"},
        {"omegapac-env 1 -", "\"-\" is not a valid proposition"},
        {"omegapac-env 1 ;", "\";\" is not a valid proposition"},
        {"omegapac-env 1 a,b", "\"a,b\" is not a valid proposition"},
        {"omegapac-env 1 \xFF",
         "the proposition \"\\xFF\" must be UTF-8 without control characters"},
        {"omegapac-env 1 a\r",
         "the proposition \"a\\x0D\" must be UTF-8 without control characters"},
        {"omegapac-env 1 \x7F",
         "the proposition \"\\x7F\" must be UTF-8 without control characters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        protocol_greeting greeting;
        opac_error error = {0};
        assert_status(greet(cases[i].line, &greeting, &error), OPAC_ERROR_SIMULATOR);
        assert_string_equal(error.message, cases[i].message);
    }
}

static void test_other_greetings(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "omegapac-env 1 a b",         "omegapac-env 1 b a",  "omegapac-env 1 a",
        "omegapac-env 1 a b lanes=2", "omegapac-env 1 a bb", "omegapac-env 1 a b start=fixed",
        "omegapac-env 1 a c",
    };
    enum {
        COUNT = sizeof lines / sizeof *lines
    };
    protocol_greeting greetings[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(greet(lines[i], &greetings[i], NULL), OPAC_OK);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            assert_int_equal(protocol_greeting_equals(&greetings[i], &greetings[j]), i == j);
    for (size_t i = 0; i < COUNT; i++)
        protocol_greeting_fini(&greetings[i]);
}

/* ---- answers ---- */

/* Reads a line as an environment does; returns the observation of the last lane. */
static opac_status read_line(env_state_table *sights, const char *line, size_t length,
                             uint32_t lanes, uint32_t *id, opac_error *error)
{
    base_slice rest = {line, length};
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < lanes && status == OPAC_OK; i++) {
        const protocol_greeting greeting = {.lanes = lanes};
        protocol_answer answer;
        status = protocol_next_answer(&greeting, &rest, i, &answer, error);
        if (status == OPAC_OK)
            status = env_state_table_add(sights, &answer, id, error);
    }
    return status;
}

#define WORDS(count)                                                                               \
    "expected three words, STATE LABELS ACTIONS, found " count                                     \
    "; other output must go to standard error"
#define FOURTH(word)                                                                               \
    "expected three words, STATE LABELS ACTIONS, found a fourth, \"" word                          \
    "\"; a state must not contain blanks, and other output must go to standard error"
#define UNLISTED(name)                                                                             \
    "the proposition \"" name "\" is not in the greeting, which must list all propositions"
#define NUMBER_OR_NAMES(word) "expected the number of actions or their names, found \"" word "\""

static void test_answers(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message; /* NULL: it is a good one */
    } cases[] = {
        {"s - 1", NULL},
        {"s - 0", NULL},
        {"s - 1048576", NULL},
        {"s - up", NULL},
        {"s a,b up,down", NULL},
        {"- - 1", NULL},
        {"a;b - x;y,;;", NULL},
        {"1 - e2,2x,1e,x1,+,1.2.3,.,inf,a,b,c", NULL},
        {"\xE2\x98\x83 - \xC3\xA4", NULL},
        {"", WORDS("nothing")},
        {" \t", WORDS("nothing")},
        {"s", WORDS("one")},
        {"s -", WORDS("two")},
        {"; - 1", WORDS("nothing")},
        {"s - 1 x", FOURTH("x")},
        {"s - 1 ;", "expected 1 answer, found more"},
        {"s - 1 ; t - 1", "expected 1 answer, found more"},
        {"s c 1", UNLISTED("c")},
        {"s a,- 1", UNLISTED("-")},
        {"s a, 1", "expected propositions separated by commas, or \"-\" for none"},
        {"s ,a 1", "expected propositions separated by commas, or \"-\" for none"},
        {"s a,b,a 1", "the proposition \"a\" occurs twice"},
        {"s - 1048577", "a state may have at most 1048576 actions"},
        {"s - 99999999999999999999999", "a state may have at most 1048576 actions"},
        {"s - -1", NUMBER_OR_NAMES("-1")},
        {"s - 4.0", NUMBER_OR_NAMES("4.0")},
        {"s - +3", NUMBER_OR_NAMES("+3")},
        {"s - .5", NUMBER_OR_NAMES(".5")},
        {"s - 1e3", NUMBER_OR_NAMES("1e3")},
        {"s - 1.E-3", NUMBER_OR_NAMES("1.E-3")},
        {"s - -", NUMBER_OR_NAMES("-")},
        {"s - a,;", NUMBER_OR_NAMES(";")},
        {"s - a,0", NUMBER_OR_NAMES("0")},
        {"s - 0,1", NUMBER_OR_NAMES("0")},
        {"s - a,,b", "expected action names separated by commas"},
        {"s - a,", "expected action names separated by commas"},
        {"s - a,b,a", "the action \"a\" occurs twice"},
        {"s - a,b,c,d,e,f,g,h,i,a", "the action \"a\" occurs twice"},
        {"s - a\x01", "the action \"a\\x01\" must be UTF-8 without control characters"},
        {"\x1B[1m - 1", "the state \"\\x1B[1m\" must be UTF-8 without control characters"},
        {"\xC3 - 1", "the state \"\\xC3\" must be UTF-8 without control characters"},
    };
    protocol_greeting greeting;
    assert_int_equal(greet("omegapac-env 1 a b", &greeting, NULL), OPAC_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        env_state_table sights;
        opac_error error = {0};
        uint32_t id;
        env_state_table_init(&sights, &greeting);
        opac_status status =
            read_line(&sights, cases[i].line, strlen(cases[i].line), 1, &id, &error);
        env_state_table_fini(&sights);
        if (cases[i].message == NULL)
            assert_ok(status, &error);
        else {
            assert_status(status, OPAC_ERROR_SIMULATOR);
            assert_string_equal(error.message, cases[i].message);
        }
    }
    protocol_greeting_fini(&greeting);
}

static void assert_part(const char *line, uint32_t lane, const char *part)
{
    base_slice found = protocol_lane_part((base_slice){line, strlen(line)}, lane);
    assert_int_equal(found.length, strlen(part));
    assert_memory_equal(found.bytes, part, found.length);
}

static void test_parts(void **state)
{
    (void)state;
    assert_part("a b c", 0, "a b c");
    assert_part("  a b  ; c;d \t e ;; ;f", 0, "a b");
    assert_part("  a b  ; c;d \t e ;; ;f", 1, "c;d \t e ;; ;f");
    assert_part("a ; ; c", 1, "");
    assert_part("a ; ; c ", 2, "c");
    assert_part("a", 3, "a");
    assert_part("", 0, "");
}

static void test_requests(void **state)
{
    (void)state;
    base_text text = {0};
    protocol_write_reset(&text, 0);
    base_text_add(&text, "|");
    protocol_write_reset(&text, (UINT64_C(1) << 63) - 1);
    base_text_add(&text, "|");
    protocol_write_step(&text, UINT32_MAX);
    base_text_add(&text, "|");
    protocol_write_named_step(&text, "up");
    assert_string_equal(base_text_get(&text),
                        "reset 0|reset 9223372036854775807|step 4294967295|step up");
    base_text_fini(&text);
}

/* ---- all short lines, compared with a simple parser ---- */

enum {
    LONGEST = 7
};

typedef char token[LONGEST + 1];

/* Splits a text at a character; pieces may be empty. */
static int split(const char *text, char at, token *pieces)
{
    int count = 0, length = 0;
    for (;; text++) {
        if (*text == at || *text == '\0') {
            pieces[count++][length] = '\0';
            length = 0;
        } else
            pieces[count][length++] = *text;
        if (*text == '\0')
            return count;
    }
}

static bool has_twins(token *pieces, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(pieces[i], pieces[j]) == 0)
                return true;
    return false;
}

/* Over "-1a,; ": a number may have a sign. */
static bool plain_number(const char *text, bool may_be_signed)
{
    text += may_be_signed && *text == '-';
    return *text != '\0' && strspn(text, "1") == strlen(text);
}

static bool plain_answer(token *words, int count, uint32_t *bits, uint32_t *actions)
{
    token pieces[LONGEST + 1];
    *bits = 0;
    if (count != 3)
        return false;
    int labels = split(words[1], ',', pieces);
    for (int i = 0; i < labels && strcmp(words[1], "-") != 0; i++) {
        if (strcmp(pieces[i], "a") != 0 && strcmp(pieces[i], "1") != 0)
            return false;
        *bits |= pieces[i][0] == 'a' ? 1 : 2;
    }
    if (has_twins(pieces, labels))
        return false;
    *actions = (uint32_t)atoi(words[2]);
    if (plain_number(words[2], false))
        return true;
    *actions = (uint32_t)split(words[2], ',', pieces);
    for (uint32_t i = 0; i < *actions; i++)
        if (strlen(pieces[i]) == 0 || strcmp(pieces[i], "-") == 0 || strcmp(pieces[i], ";") == 0 ||
            plain_number(pieces[i], true))
            return false;
    return !has_twins(pieces, (int)*actions);
}

static bool plain_line(const char *line, int lanes, uint32_t *bits, uint32_t *actions)
{
    token pieces[LONGEST + 1], words[LONGEST + 1];
    int count = split(line, ' ', pieces), have = 0, answers = 0;
    for (int i = 0; i <= count; i++) {
        if (i < count && strlen(pieces[i]) == 0)
            continue;
        if (i < count && strcmp(pieces[i], ";") != 0) {
            strcpy(words[have++], pieces[i]);
            continue;
        }
        if (++answers > lanes || !plain_answer(words, have, bits, actions))
            return false;
        have = 0;
    }
    return answers == lanes;
}

static void check_line(const protocol_greeting *greeting, const char *line, int lanes)
{
    env_state_table sights;
    uint32_t id = 0, bits = 0, actions = 0;
    env_state_table_init(&sights, greeting);
    opac_error error = {0};
    opac_status status = read_line(&sights, line, strlen(line), (uint32_t)lanes, &id, &error);
    bool is_good = plain_line(line, lanes, &bits, &actions);
    if (is_good != (status == OPAC_OK))
        fail_msg("\"%s\": %s", line, is_good ? error.message : "is bad");
    if (is_good) {
        opac_observation seen;
        env_state_table_observe(&sights, id, &seen);
        assert_int_equal(seen.letter, bits);
        assert_int_equal(seen.actions, actions);
    }
    env_state_table_fini(&sights);
}

static void test_every_line(void **state)
{
    (void)state;
    static const char alphabet[] = "-1a,; ";
    size_t letters = strlen(alphabet), lines = 1;
    protocol_greeting greeting;
    assert_int_equal(greet("omegapac-env 1 a 1", &greeting, NULL), OPAC_OK);
    for (size_t length = 0; length <= LONGEST; length++, lines *= letters)
        for (size_t n = 0; n < lines; n++) {
            char line[LONGEST + 1] = "";
            for (size_t i = 0, rest = n; i < length; i++, rest /= letters)
                line[i] = alphabet[rest % letters];
            check_line(&greeting, line, 1);
        }
    protocol_greeting_fini(&greeting);
}

/* Two lanes: lines that join two short ones, and some invalid ones. */
static void test_lanes(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t lanes;
        const char *message;
    } cases[] = {
        {"s - 1 ; t - 1", 2, NULL},
        {"s - 1 ; t a 1 ; s - 1", 3, NULL},
        {"s - 1 ;\tt - 1", 2, NULL},
        {"s - 1", 2, "expected 2 answers, found 1"},
        {"s - 1 ; t - 1", 3, "expected 3 answers, found 2"},
        {"s - 1 ; t - 1 ; u - 1", 2, "expected 2 answers, found more"},
        {"s - 1 ; t - 1 ;", 2, "expected 2 answers, found more"},
        {"s - 1 ; ; t - 1", 2, WORDS("nothing")},
        {"s - 1; t - 1", 2, FOURTH("t")},
        {"s - 1 ; s - 2", 2,
         "the state \"s\" has the labels and actions \"- 2\" now and had \"- 1\" before; give "
         "different states different names"},
    };
    protocol_greeting greeting;
    assert_int_equal(greet("omegapac-env 1 a b", &greeting, NULL), OPAC_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        env_state_table sights;
        opac_error error = {0};
        uint32_t id;
        env_state_table_init(&sights, &greeting);
        opac_status status =
            read_line(&sights, cases[i].line, strlen(cases[i].line), cases[i].lanes, &id, &error);
        env_state_table_fini(&sights);
        assert_status(status, cases[i].message == NULL ? OPAC_OK : OPAC_ERROR_SIMULATOR);
        if (cases[i].message != NULL)
            assert_string_equal(error.message, cases[i].message);
    }
    protocol_greeting_fini(&greeting);
}

/* ---- memory ---- */

static opac_status use(void *context, opac_error *error)
{
    static const char *const lines[] = {"s a one,two", "t - a,b,c,d,e,f,g,h,i,j", "s a one,two",
                                        "u b  2", "u b 02"};
    protocol_greeting greeting;
    env_state_table sights;
    uint32_t id;
    (void)context;
    opac_status status = greet("omegapac-env 1 a b c d e f", &greeting, error);
    if (status != OPAC_OK)
        return status;
    env_state_table_init(&sights, &greeting);
    for (size_t i = 0; i < sizeof lines / sizeof *lines && status == OPAC_OK; i++)
        status = read_line(&sights, lines[i], strlen(lines[i]), 1, &id, error);
    env_state_table_fini(&sights);
    protocol_greeting_fini(&greeting);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    assert_true(faults_sweep(use, NULL) > 10);
}

SUITE(protocol)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_greetings),  cmocka_unit_test(test_bad_greetings),
        cmocka_unit_test(test_other_greetings), cmocka_unit_test(test_answers),
        cmocka_unit_test(test_parts),           cmocka_unit_test(test_requests),
        cmocka_unit_test(test_every_line),      cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
