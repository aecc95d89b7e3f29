/* SPDX-License-Identifier: MIT */
/*
 * SHA-256: the examples that NIST publishes with FIPS 180-4 (including the message of a million a's),
 * messages of all lengths around a block, and messages that are added in parts of all sizes.
 */
#include <omegapac/verification.h>

#include "base/sha256.h"
#include "support/check.h"
#include "support/temporary.h"

static void check_digest(const void *bytes, size_t length, const char *expected)
{
    base_sha256 hash;
    char text[BASE_SHA256_TEXT];
    base_sha256_init(&hash);
    base_sha256_add(&hash, bytes, length);
    base_sha256_finish_text(&hash, text);
    assert_int_equal(strncmp(text, "sha256:", 7), 0);
    assert_string_equal(text + 7, expected);
}

static void published_vectors(void **state)
{
    (void)state;
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const char *four = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjkl"
                       "mnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    check_digest(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_digest(two, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_digest(four, 112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    check_digest("\xbd", 1, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

static void a_million(void **state)
{
    (void)state;
    char *many = malloc(1000000);
    assert_non_null(many);
    memset(many, 'a', 1000000);
    check_digest(many, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

/* The longer examples of NIST, of zeros: at 55 to 64 bytes, the padding needs another block. */
static void zeros_around_a_block(void **state)
{
    (void)state;
    static const unsigned char zeros[1000] = {0};
    check_digest(zeros, 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
    check_digest(zeros, 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
    check_digest(zeros, 57, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785");
    check_digest(zeros, 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    check_digest(zeros, 1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53");
}

static void pieces_do_not_matter(void **state)
{
    (void)state;
    unsigned char bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37 + 11);
    for (size_t length = 0; length <= sizeof bytes; length += 7) {
        base_sha256 whole, parts;
        unsigned char first[BASE_SHA256_BYTES], second[BASE_SHA256_BYTES];
        base_sha256_init(&whole);
        base_sha256_add(&whole, bytes, length);
        base_sha256_finish(&whole, first);
        for (size_t piece = 1; piece < 140; piece++) {
            base_sha256_init(&parts);
            for (size_t at = 0; at < length; at += piece)
                base_sha256_add(&parts, bytes + at, length - at < piece ? length - at : piece);
            base_sha256_add(&parts, NULL, 0);
            base_sha256_finish(&parts, second);
            assert_memory_equal(first, second, sizeof first);
        }
    }
}

static void digests_of_files(void **state)
{
    (void)state;
    char text[OPAC_DIGEST_SIZE];
    opac_error error;
    char folder[256], path[300];
    assert_true(temporary_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/many", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < 1000000; i++)
        putc('a', file);
    assert_int_equal(fclose(file), 0);
    assert_ok(opac_digest_file(path, text, &error), &error);
    assert_string_equal(text, "sha256:cdc76e5c9914fb9281a1c7e284d73e67"
                              "f1809a48a497200e046d39ccc7112cd0");
    remove(path);
    assert_status(opac_digest_file(path, text, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "cannot read "));
    assert_string_equal(text, "");
    assert_int_equal(remove(folder), 0);
    assert_status(opac_digest_file(".", text, &error), OPAC_ERROR_IO);
    assert_status(opac_digest_file("no\nsuch", text, NULL), OPAC_ERROR_IO);
}

SUITE(sha256)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),    cmocka_unit_test(a_million),
        cmocka_unit_test(zeros_around_a_block), cmocka_unit_test(pieces_do_not_matter),
        cmocka_unit_test(digests_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
