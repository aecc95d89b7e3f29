/* SPDX-License-Identifier: MIT */
/* The one function of a fuzz target, as libFuzzer names it, and what targets share. */
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

/* The input with a NUL behind it, for readers of C strings; the target releases it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A message: it goes to terminals, so it is never raw; it is one line, and not empty. */
static inline void fuzz_require_message(const char *text)
{
    char shown[2 * OPAC_MESSAGE_SIZE];
    size_t length = strlen(text);
    fuzz_require(length > 0 && length < OPAC_MESSAGE_SIZE);
    opac_text_show(text, length, shown, sizeof shown);
    fuzz_require(strcmp(shown, text) == 0);
}

#endif
