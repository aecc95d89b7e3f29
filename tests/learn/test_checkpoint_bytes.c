/* SPDX-License-Identifier: MIT */
/* The encoding of numbers and words, windows of files, and the comparison of questions. */
#include <unistd.h>

#include "sample/checkpoint_question.h"
#include "support/check.h"
#include "support/checkpoint_memory.h"
#include "support/random.h"
#include "support/temporary.h"

enum {
    MANY = 40000 /* numbers: several windows and sinks full */
};

static uint64_t any_number(uint64_t *random)
{
    return random_u64(random) >> random_below(random, 64);
}

static void put_all(sample_sink *sink)
{
    uint64_t random = random_seed(1);
    char block[5000];
    memset(block, 'b', sizeof block);
    for (size_t i = 0; i < MANY; i++) {
        uint64_t number = any_number(&random);
        sample_sink_number(sink, number);
        if (i % 3 == 0)
            sample_sink_word(sink, number);
        if (i % 1000 == 0)
            sample_sink_bytes(sink, block, random_below(&random, sizeof block));
    }
    sample_sink_flush(sink);
}

static void take_all(sample_source *source)
{
    uint64_t random = random_seed(1);
    char block[5000];
    opac_error error;
    for (size_t i = 0; i < MANY; i++) {
        uint64_t number = any_number(&random), got;
        assert_ok(sample_source_number(source, "it", number, &got, &error), &error);
        assert_true(got == number);
        if (i % 3 == 0) {
            assert_ok(sample_source_word(source, &got, &error), &error);
            assert_true(got == number);
        }
        if (i % 1000 == 0) {
            size_t length = random_below(&random, sizeof block);
            assert_ok(sample_source_bytes(source, block, length, &error), &error);
            assert_true(length == 0 || (block[0] == 'b' && block[length - 1] == 'b'));
        }
    }
    assert_true(sample_source_left(source) == 0);
}

static void test_round_trip(void **state)
{
    (void)state;
    char folder[4096], path[5000];
    opac_error error;
    opac_output *out, *memory;
    sample_sink counter = {.out = NULL};
    sample_source source;
    uint64_t length;
    size_t size;
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/bytes", folder);
    put_all(&counter);
    assert_ok(opac_output_open_file(path, &out, &error), &error);
    assert_ok(opac_output_open_memory(&memory, &error), &error);
    sample_sink sink = {.out = out}, other = {.out = memory};
    put_all(&sink);
    put_all(&other);
    assert_true(sink.length == counter.length);
    assert_true(other.length == counter.length);
    assert_ok(opac_output_commit(out, &error), &error);
    opac_output_free(out);

    assert_ok(sample_source_open(&source, path, &length, &error), &error);
    assert_true(length == counter.length);
    for (int i = 0; i < 2; i++) {
        source.limit = length;
        take_all(&source);
        assert_ok(sample_source_rewind(&source, &error), &error);
    }
    sample_source_fini(&source);
    const char *bytes = opac_output_bytes(memory, &size);
    assert_true(size == length);
    learn_source_open_memory(&source, "memory", bytes, size);
    for (int i = 0; i < 2; i++) {
        source.limit = length;
        take_all(&source);
        assert_ok(sample_source_rewind(&source, &error), &error);
    }
    sample_source_fini(&source);
    opac_output_free(memory);
    unlink(path);
    rmdir(folder);
}

static void check_refused(const char *bytes, size_t length, uint64_t limit, uint64_t most,
                          const char *expected)
{
    sample_source source;
    uint64_t number;
    opac_error error;
    learn_source_open_memory(&source, "a\nb", bytes, length);
    source.limit = limit;
    source.section = "states  ";
    assert_status(sample_source_number(&source, "a letter", most, &number, &error),
                  OPAC_ERROR_ARGUMENT);
    if (strstr(error.message, expected) == NULL || strstr(error.message, "a\\x0Ab") == NULL)
        fail_msg("%s", error.message);
    sample_source_fini(&source);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    const char *max = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    check_refused("\x80\x00", 2, 2, UINT64_MAX, "longer than it needs");
    check_refused("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", 10, 10, UINT64_MAX, "64 bits");
    check_refused("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x81\x00", 11, 11, UINT64_MAX, "64 bits");
    check_refused("\x80", 1, 1, UINT64_MAX, "section ends too early");
    check_refused("\x80\x01", 2, 1, UINT64_MAX, "section ends too early");
    check_refused("\x80", 1, 2, UINT64_MAX, "file ends too early");
    check_refused("\x05", 1, 1, 4, "before byte 1: a letter is 5, but can be at most 4");
    check_refused(max, 10, 10, UINT64_MAX - 1, "is 18446744073709551615");
}

static void test_counts(void **state)
{
    (void)state;
    sample_source source;
    uint64_t count;
    opac_error error;
    learn_source_open_memory(&source, "x",
                             "\x03"
                             "abc",
                             4);
    source.limit = 4;
    assert_ok(sample_source_count(&source, "states", &count, &error), &error);
    assert_true(count == 3);
    sample_source_fini(&source);
    learn_source_open_memory(&source, "x",
                             "\x04"
                             "abc",
                             4);
    source.limit = 4;
    assert_status(sample_source_count(&source, "the number of states", &count, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "'x' is not a valid checkpoint: the number of states is 4, but "
                        "only 3 bytes follow");
    sample_source_fini(&source);
}

static void test_no_file(void **state)
{
    (void)state;
    sample_source source;
    uint64_t length;
    opac_error error;
    assert_status(sample_source_open(&source, "/nowhere/at all", &length, &error), OPAC_ERROR_IO);
    assert_string_equal(error.message,
                        "cannot read the checkpoint '/nowhere/at all': No such file or directory");
    assert_status(sample_source_open(&source, "/", &length, &error), OPAC_ERROR_IO);
    assert_status(sample_source_open(&source, "/dev/null", &length, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
}

/* ---- questions ---- */

static void check_question(const char *there, const char *here, const char *expected)
{
    opac_error error = {0};
    opac_status status =
        sample_question_compare("f", there, strlen(there), here, strlen(here), &error);
    if (expected == NULL) {
        assert_status(status, OPAC_OK);
        return;
    }
    char message[OPAC_MESSAGE_SIZE];
    snprintf(message, sizeof message, "the checkpoint 'f' is of another run: %s", expected);
    assert_status(status, OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
}

static void test_questions(void **state)
{
    (void)state;
    const char *hoa = "epsilon=0.1\nautomaton=HOA: v1\nAP: 1 \"x=1\"\nState: 0\nend=1\n";
    const char *other = "epsilon=0.1\nautomaton=HOA: v1\nAP: 1 \"x=1\"\nState: 1\nend=1\n";
    check_question("", "", NULL);
    check_question(hoa, hoa, NULL);
    check_question("epsilon=0.05\nT=3\n", "epsilon=0.1\nT=4\n",
                   "epsilon is 0.05 there, and 0.1 here");
    check_question("epsilon=0.1\nT=3", "epsilon=0.1\nT=4", "T is 3 there, and 4 here");
    check_question(hoa, other, "automaton is different there");
    check_question("a=1\nhoa=x\ny\nb=2\n", "a=1\nhoa=x\nb=2\n", "hoa is different there");
    check_question("a=1\n", "a=1\nb=2\n", "b is different there");
    check_question("a=1\nb=2\n", "a=1\n", "b is different there");
    check_question("a=1\n", "a=1", "the question is different there");
    check_question("x", "y", "the question is different there");
    check_question("model=a\x1b[2J\n", "model=b\n", "model is a\\x1B[2J there, and b here");
    check_question("long=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
                   "long=b\n", "long is different there");
}

SUITE(checkpoint_bytes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
