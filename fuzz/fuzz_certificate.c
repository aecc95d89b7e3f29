/* SPDX-License-Identifier: MIT */
/*
 * Verifies any bytes as a certificate, and then the same bytes with a correct digest. The result is an error,
 * or a verdict: a reason if the certificate is refused, a bracket and a statement if it holds.
 */
#include <omegapac/verification.h>

#include "base/sha256.h"
#include "mutate.h"

/*
 * Whether a number in the object after "sweeps" has many digits or an exponent. The checker would do that many
 * sweeps, which is right, but takes longer than a fuzzer waits.
 */
static bool is_slow(const char *text, size_t size)
{
    static const char word[] = "\"sweeps\"";
    enum {
        DIGITS = 4
    };
    bool is_inside = false;
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (i + sizeof word <= size && memcmp(text + i, word, sizeof word - 1) == 0)
            is_inside = true;
        else if (text[i] == '}')
            is_inside = false;
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        bool is_exponent = digits > 0 && (text[i] == 'e' || text[i] == 'E');
        digits = is_digit ? digits + 1 : 0;
        if (is_inside && (is_exponent || digits > DIGITS))
            return true;
    }
    return false;
}

static void check(const char *text, size_t size)
{
    if (is_slow(text, size))
        return;
    opac_verification found;
    opac_error error = {0};
    opac_status status = opac_verify_text(text, size, NULL, &found, &error);
    if (status != OPAC_OK) {
        fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_ARGUMENT ||
                     status == OPAC_ERROR_UNSUPPORTED || status == OPAC_ERROR_LIMIT);
        fuzz_require_message(error.message);
        return;
    }
    fuzz_require(found.holds == (found.reason == NULL));
    fuzz_require(found.holds == (found.statement != NULL));
    if (found.holds)
        fuzz_require(found.lower >= 0 && found.lower <= found.upper && found.upper <= 1);
    else
        fuzz_require_message(found.reason);
    opac_verification_fini(&found);
}

/* Corrects the digest in place. Returns false if no line begins with "digest". */
static bool seal(char *text, size_t size)
{
    static const char word[] = "\n\"digest\": \"";
    char digest[BASE_SHA256_TEXT];
    base_sha256 hash;
    bool is_sealed = false;
    for (size_t i = 0; i + sizeof word + BASE_SHA256_TEXT <= size; i++) {
        if (memcmp(text + i, word, sizeof word - 1) != 0)
            continue;
        base_sha256_init(&hash);
        base_sha256_add(&hash, text, i + 1);
        base_sha256_finish_text(&hash, digest);
        memcpy(text + i + sizeof word - 1, digest, BASE_SHA256_TEXT - 1);
        is_sealed = true;
    }
    return is_sealed;
}

bool fuzz_accepts(const uint8_t *data, size_t size)
{
    opac_verification found;
    if (is_slow((const char *)data, size) ||
        opac_verify_text((const char *)data, size, NULL, &found, NULL) != OPAC_OK)
        return false;
    bool holds = found.holds;
    opac_verification_fini(&found);
    return holds;
}

static void change(fuzz_bytes *bytes, fuzz_random *random)
{
    fuzz_change_json(bytes, random);
    seal((char *)bytes->data, bytes->size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate(data, size, most, seed, change, fuzz_accepts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A copy of exactly this size, so that reading after its end is detected. */
    char *text = calloc(size > 0 ? size : 1, 1);
    fuzz_require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    check(text, size);
    if (seal(text, size))
        check(text, size);
    free(text);
    return 0;
}
