/* SPDX-License-Identifier: MIT */
/*
 * Mutators that know the structure of what they change, so that most of what they make is accepted
 * and reaches what lies behind the reader. Byte by byte, nearly all mutants of a file are refused in
 * its first lines.
 *
 *     size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
 *     {
 *         return fuzz_mutate(data, size, most, seed, fuzz_change_statements, accepts);
 *     }
 *
 * Everything follows from the seed: the same input and seed give the same mutant.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "target.h"

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

uint32_t fuzz_below(fuzz_random *random, size_t bound); /* 0 if bound is 0 */

/* Bytes that are changed in place; what would be longer than `most` is not changed. */
typedef struct fuzz_bytes {
    uint8_t *data;
    size_t size, most;
} fuzz_bytes;

/* Puts `length` bytes, which may be bytes of the same text, in place of begin … end-1. */
bool fuzz_replace(fuzz_bytes *bytes, size_t begin, size_t end, const void *with, size_t length);

/* One change. */
typedef void (*fuzz_change)(fuzz_bytes *bytes, fuzz_random *random);
/* Whether the reader takes it. */
typedef bool (*fuzz_predicate)(const uint8_t *data, size_t size);

/*
 * One to four changes, again and again from the beginning until the result is accepted, but not
 * often: then what is refused is returned. Now and then bytes are changed instead.
 */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, fuzz_change change,
                   fuzz_predicate accepts);

/* Mutates a text of words, numbers and signs with statements that end in ';' (PRISM). */
void fuzz_change_statements(fuzz_bytes *bytes, fuzz_random *random);
/* The same, with a statement a line: HOA. */
void fuzz_change_lines(fuzz_bytes *bytes, fuzz_random *random);
/* Mutates JSON: numbers, strings, and elements of arrays. */
void fuzz_change_json(fuzz_bytes *bytes, fuzz_random *random);

/* Defined by the target: whether its reader accepts the input. */
bool fuzz_accepts(const uint8_t *data, size_t size);

/* As libFuzzer has it; driver.c has one without it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
