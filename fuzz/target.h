/* SPDX-License-Identifier: MIT */
/* The one function of a fuzz target, as libFuzzer names it, and what targets share. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

#endif
