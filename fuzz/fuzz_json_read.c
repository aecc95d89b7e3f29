/* SPDX-License-Identifier: MIT */
/* Parses any bytes and walks over all values with all accessors, right and wrong ones. */
#include <omegapac/text.h>

#include "base/json_read.h"
#include "base/utf8.h"
#include "target.h"

/* Messages are printed on terminals, so they must not contain control characters. */
static void check_error(const opac_error *error)
{
    char shown[2 * OPAC_MESSAGE_SIZE];
    size_t length = strlen(error->message);
    fuzz_require(length > 0 && length < OPAC_MESSAGE_SIZE);
    opac_text_show(error->message, length, shown, sizeof shown);
    fuzz_require(strcmp(shown, error->message) == 0);
}

/* Each accessor either fits the kind or fails with a message. */
static void try_accessors(base_json_value value)
{
    const char *text;
    size_t length;
    bool flag;
    double real;
    int64_t whole;
    uint64_t count;
    base_json_value inner;
    opac_error error = {0};
    base_json_kind kind = base_json_kind_of(value);
    fuzz_require((base_json_string(value, &text, &length, &error) == OPAC_OK) ==
                 (kind == BASE_JSON_STRING));
    if (kind == BASE_JSON_STRING)
        fuzz_require(strlen(text) == length && base_utf8_check(text, length, NULL) == OPAC_OK);
    else
        check_error(&error);
    fuzz_require((base_json_bool(value, &flag, &error) == OPAC_OK) == (kind == BASE_JSON_BOOL));
    if (base_json_double(value, &real, &error) != OPAC_OK)
        check_error(&error);
    bool fits = base_json_int64(value, INT64_MIN, INT64_MAX, &whole, &error) == OPAC_OK;
    if (base_json_uint64(value, 0, UINT64_MAX, &count, &error) == OPAC_OK && fits)
        fuzz_require(whole >= 0 && (uint64_t)whole == count);
    fuzz_require(base_json_at(value, (size_t)-1, &inner, &error) != OPAC_OK);
    check_error(&error);
}

static void walk(base_json_value value, int depth, int *budget)
{
    static const char *const names[] = {"name", "states"};
    opac_error error = {0};
    if (--*budget < 0 || depth > 3000)
        return;
    try_accessors(value);
    base_json_value inner = {0}, same;
    while (base_json_next(value, &inner)) {
        fuzz_require(base_json_member(value, inner.key, &same, &error) == OPAC_OK);
        fuzz_require(same.node == inner.node && same.key == inner.key);
        walk(inner, depth + 1, budget);
    }
    if (base_json_only(value, names, 2, &error) != OPAC_OK)
        check_error(&error);
    size_t length;
    if (base_json_length(value, &length, &error) != OPAC_OK)
        length = 0;
    for (size_t i = 0; i<length && * budget> 0; i++) {
        fuzz_require(base_json_at(value, i, &inner, &error) == OPAC_OK);
        walk(inner, depth + 1, budget);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    base_json *document;
    opac_error error = {0};
    int budget = 200; /* values to visit: finding the path of an error is a walk of its own */
    if (base_json_parse((const char *)data, size, &document, &error) == OPAC_OK)
        walk(base_json_root(document), 0, &budget);
    else
        check_error(&error);
    base_json_free(document);
    return 0;
}
