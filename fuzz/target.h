/* SPDX-License-Identifier: MIT */
/* The function that each fuzz target defines for libFuzzer, and functions that targets share. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/error.h>
#include <omegapac/text.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that every input must have; a violation is a finding. */
static inline void fuzz_require(bool holds)
{
    if (!holds)
        abort();
}

/* The input followed by a NUL, for readers of C strings. The caller frees it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Requires a message to be one nonempty line without control characters, since it is printed on terminals. */
static inline void fuzz_require_message(const char *text)
{
    char shown[2 * OPAC_MESSAGE_SIZE];
    size_t length = strlen(text);
    fuzz_require(length > 0 && length < OPAC_MESSAGE_SIZE);
    opac_text_show(text, length, shown, sizeof shown);
    fuzz_require(strcmp(shown, text) == 0);
}

#endif
