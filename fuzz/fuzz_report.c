/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as results. If they are accepted, the page begins and ends as a page must, has one
 * script and, for each result, data without markup, and writing it again gives the same bytes. Otherwise
 * the error names the input, and nothing is written.
 */
#include <omegapac/report.h>

#include "mutate.h"

static opac_status write(const char *text, size_t length, opac_output **out, opac_error *error)
{
    opac_report_input input = {.name = "input.json", .text = text, .length = length};
    fuzz_require(opac_output_open_memory(out, NULL) == OPAC_OK);
    return opac_report_write(&input, 1, NULL, *out, error);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        found++;
    return found;
}

static void check_page(const char *page, const char *again)
{
    static const char end[] = "</body>\n</html>\n";
    size_t length = strlen(page);
    fuzz_require(strncmp(page, "<!DOCTYPE html>", 15) == 0);
    fuzz_require(length > sizeof end && strcmp(page + length - (sizeof end - 1), end) == 0);
    size_t articles = count(page, "<article");
    fuzz_require(count(page, "<script") == articles + 1);
    fuzz_require(count(page, "</script") == articles + 1);
    fuzz_require(articles == count(page, "</article>"));
    fuzz_require(count(page, "<svg") == count(page, "</svg>"));
    for (const char *at = page; (at = strstr(at, "class=\"data\">")) != NULL; at++) {
        const char *mark = strpbrk(strchr(at, '>') + 1, "<>&");
        fuzz_require(strncmp(mark, "</script>\n</article>", 20) == 0);
    }
    fuzz_require(strcmp(page, again) == 0);
}

bool fuzz_accepts(const uint8_t *data, size_t size)
{
    opac_output *out;
    bool is_accepted = write((const char *)data, size, &out, NULL) == OPAC_OK;
    opac_output_free(out);
    return is_accepted;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate(data, size, most, seed, fuzz_change_json, fuzz_accepts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    opac_output *out, *second;
    opac_error error = {0};
    size_t length, other;
    /* A copy of exactly this size, so that reading after its end is detected. */
    char *text = malloc(size > 0 ? size : 1);
    fuzz_require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    opac_status status = write(text, size, &out, &error);
    const char *page = opac_output_bytes(out, &length);
    fuzz_require(page != NULL);
    if (status != OPAC_OK) {
        fuzz_require(status == error.code && length == 0);
        fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_LIMIT ||
                     status == OPAC_ERROR_UNSUPPORTED || status == OPAC_ERROR_ARGUMENT);
        fuzz_require(strncmp(error.message, "input.json", 10) == 0);
        fuzz_require_message(error.message);
    } else {
        fuzz_require(write(text, size, &second, NULL) == OPAC_OK);
        check_page(page, opac_output_bytes(second, &other));
        opac_output_free(second);
    }
    opac_output_free(out);
    free(text);
    return 0;
}
