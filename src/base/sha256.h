/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for digests that other programs can compute again and
 * nobody can aim at.
 *
 *     base_sha256 hash;
 *     base_sha256_init(&hash);
 *     base_sha256_add(&hash, bytes, length);      any number of times
 *     base_sha256_finish(&hash, digest);
 *
 * Allocates nothing. Some ten cycles a byte.
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
    uint64_t length; /* so far, in bytes */
    unsigned char block[64];
} base_sha256;

void base_sha256_init(base_sha256 *hash);
/* bytes may be NULL when length is 0. */
void base_sha256_add(base_sha256 *hash, const void *bytes, size_t length);
/* Afterwards it is to be begun anew. */
void base_sha256_finish(base_sha256 *hash, unsigned char digest[BASE_SHA256_BYTES]);
/* The same, as "sha256:" and 64 digits in lower case. */
void base_sha256_finish_text(base_sha256 *hash, char text[BASE_SHA256_TEXT]);

#endif
