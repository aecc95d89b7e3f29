/* SPDX-License-Identifier: MIT */
/* SHA-256 as specified in FIPS 180-4, section 6.2, with the names of the standard. */
#include "base/sha256.h"

#include <string.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* The first 32 bits of the fractions of the square roots of the first 8 primes. */
static const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const unsigned char *block, uint32_t w[64])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        uint32_t sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
        uint32_t sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ y >> 10;
        w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
}

static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
                    f = state[5], g = state[6], h = state[7];
    schedule(block, w);
    for (size_t t = 0; t < 64; t++) {
        uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + k[t] + w[t];
        uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void base_sha256_init(base_sha256 *hash)
{
    memcpy(hash->state, begin, sizeof begin);
    hash->length = 0;
}

void base_sha256_add(base_sha256 *hash, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    size_t used = hash->length % 64;
    hash->length += length;
    if (length > 0 && used > 0) {
        size_t part = length < 64 - used ? length : 64 - used;
        memcpy(hash->block + used, from, part);
        from += part;
        length -= part;
        if (used + part < 64)
            return;
        compress(hash->state, hash->block);
    }
    for (; length >= 64; from += 64, length -= 64)
        compress(hash->state, from);
    if (length > 0)
        memcpy(hash->block, from, length);
}

void base_sha256_finish(base_sha256 *hash, unsigned char digest[BASE_SHA256_BYTES])
{
    static const unsigned char padding[64] = {0x80};
    unsigned char bits[8];
    size_t used = hash->length % 64;
    for (size_t i = 0; i < 8; i++)
        bits[i] = (unsigned char)(hash->length << 3 >> (56 - 8 * i));
    base_sha256_add(hash, padding, used < 56 ? 56 - used : 120 - used);
    base_sha256_add(hash, bits, sizeof bits);
    for (size_t i = 0; i < BASE_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void base_sha256_finish_text(base_sha256 *hash, char text[BASE_SHA256_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[BASE_SHA256_BYTES];
    base_sha256_finish(hash, digest);
    memcpy(text, "sha256:", 7);
    for (size_t i = 0; i < BASE_SHA256_BYTES; i++) {
        text[7 + 2 * i] = digits[digest[i] >> 4];
        text[8 + 2 * i] = digits[digest[i] & 15];
    }
    text[7 + 2 * BASE_SHA256_BYTES] = '\0';
}
