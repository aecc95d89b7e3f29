/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for cryptographic digests that other programs can compute, too.
 *
 *     base_sha256 hash;
 *     base_sha256_init(&hash);
 *     base_sha256_add(&hash, bytes, length);      any number of times
 *     base_sha256_finish(&hash, digest);
 *
 * Allocates nothing. Takes about ten cycles a byte.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum {
    BASE_SHA256_BYTES = 32,
    BASE_SHA256_TEXT = 72 /* "sha256:", 64 digits, NUL */
};

typedef struct base_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes added so far */
    unsigned char block[64];
} base_sha256;

void base_sha256_init(base_sha256 *hash);
/* bytes may be NULL if length is 0. */
void base_sha256_add(base_sha256 *hash, const void *bytes, size_t length);
/* Afterwards the hash must be initialised again. */
void base_sha256_finish(base_sha256 *hash, unsigned char digest[BASE_SHA256_BYTES]);
/* Writes the digest as "sha256:" and 64 lower-case digits. */
void base_sha256_finish_text(base_sha256 *hash, char text[BASE_SHA256_TEXT]);

#endif
