/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include "base/hash.h"

enum {
    MOST_TRIES = 24, /* mutants made until one is accepted */
    MOST_CHANGES = 4,
    BYTES_SHARE = 32 /* one mutant of this many changes bytes without regard to structure */
};

uint32_t fuzz_below(fuzz_random *random, size_t bound)
{
    random->state = base_hash_word(random->state + 1);
    return bound == 0 ? 0 : (uint32_t)(random->state % bound);
}

bool fuzz_replace(fuzz_bytes *bytes, size_t begin, size_t end, const void *with, size_t length)
{
    if (bytes->size - (end - begin) + length > bytes->most)
        return false;
    uint8_t *copy = malloc(length > 0 ? length : 1);
    fuzz_require(copy != NULL);
    if (length > 0)
        memcpy(copy, with, length);
    memmove(bytes->data + begin + length, bytes->data + end, bytes->size - end);
    if (length > 0)
        memcpy(bytes->data + begin, copy, length);
    bytes->size = bytes->size - (end - begin) + length;
    free(copy);
    return true;
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed, fuzz_change change,
                   fuzz_predicate accepts)
{
    fuzz_random random = {.state = base_hash_word(seed)};
    uint8_t *first = malloc(size > 0 ? size : 1);
    fuzz_bytes bytes = {.data = data, .size = size, .most = most};
    fuzz_require(first != NULL);
    if (size > 0)
        memcpy(first, data, size);
    if (size > most || fuzz_below(&random, BYTES_SHARE) == 0) {
        free(first);
        return LLVMFuzzerMutate(data, size < most ? size : most, most);
    }
    for (int i = 0; i < MOST_TRIES; i++) {
        bytes.size = size;
        if (size > 0)
            memcpy(data, first, size);
        for (uint32_t k = fuzz_below(&random, MOST_CHANGES) + 1; k > 0; k--)
            change(&bytes, &random);
        bool is_new = bytes.size != size || memcmp(data, first, size) != 0;
        if (is_new && accepts(data, bytes.size))
            break;
    }
    free(first);
    return bytes.size;
}
