/* SPDX-License-Identifier: MIT */
/*
 * Mutators that respect the structure of their input, so that most mutants are accepted and reach the code
 * after the reader. If single bytes are changed, nearly all mutants of a file are refused in its first
 * lines.
 *
 *     size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
 *     {
 *         return fuzz_mutate(data, size, most, seed, fuzz_change_statements, accepts);
 *     }
 *
 * The same input and seed give the same mutant.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "target.h"

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

uint32_t fuzz_below(fuzz_random *random, size_t bound); /* 0 if bound is 0 */

/* Bytes that are changed in place. A change that would make them longer than `most` is not made. */
typedef struct fuzz_bytes {
    uint8_t *data;
    size_t size, most;
} fuzz_bytes;

/* Replaces bytes begin … end-1 by `length` bytes, which may be part of the same text. Returns false if the
 * result would be too long. */
bool fuzz_replace(fuzz_bytes *bytes, size_t begin, size_t end, const void *with, size_t length);

/* Makes one change. */
typedef void (*fuzz_change)(fuzz_bytes *bytes, fuzz_random *random);
/* Whether the reader accepts the input. */
typedef bool (*fuzz_predicate)(const uint8_t *data, size_t size);

/*
 * Makes one to four changes. If the result is refused, starts again from the input, for a limited number of
 * times; then a refused mutant is returned. One mutant of 32 has changed bytes instead.
 */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, fuzz_change change,
                   fuzz_predicate accepts);

/* Mutates a text of words, numbers and signs with statements that end in ';' (PRISM). */
void fuzz_change_statements(fuzz_bytes *bytes, fuzz_random *random);
/* The same, where each line is a statement (HOA). */
void fuzz_change_lines(fuzz_bytes *bytes, fuzz_random *random);
/* Mutates JSON: numbers, strings, and elements of arrays. */
void fuzz_change_json(fuzz_bytes *bytes, fuzz_random *random);

/* Defined by the target: whether its reader accepts the input. */
bool fuzz_accepts(const uint8_t *data, size_t size);

/* Provided by libFuzzer, or else by driver.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
