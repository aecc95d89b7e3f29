/* SPDX-License-Identifier: MIT */
/*
 * Splits checkpoints (docs/formats/checkpoint.md) into sections and the numbers in them. A number is
 * changed, copied, removed or repeated; then lengths and digest are corrected.
 */
#include "mutate_checkpoint.h"

#include "base/hash.h"

enum {
    HEAD = 22,
    WORD = 8,
    MOST_SECTIONS = 16,
    LONGEST_NUMBER = 10
};

typedef struct section {
    size_t begin, end; /* of its bytes; the word before them is their number */
} section;

static uint64_t get_word(const uint8_t *at)
{
    uint64_t word = 0;
    for (int i = WORD - 1; i >= 0; i--)
        word = word << 8 | at[i];
    return word;
}

static void put_word(uint8_t *at, uint64_t word)
{
    for (int i = 0; i < WORD; i++)
        at[i] = (uint8_t)(word >> (8 * i));
}

void fuzz_seal_checkpoint(uint8_t *data, size_t size)
{
    memcpy(data, "omegapac checkpoint 5\n", HEAD);
    put_word(data + HEAD, size);
    put_word(data + size - WORD, base_hash_fnv(BASE_FNV_BEGIN, data, size - WORD));
}

static size_t find_sections(const fuzz_bytes *b, section *sections)
{
    size_t count = 0;
    for (size_t at = HEAD + WORD; count < MOST_SECTIONS && at + 3 * WORD <= b->size;) {
        uint64_t length = get_word(b->data + at + WORD);
        at += 2 * WORD;
        if (length > b->size - WORD - at)
            break;
        sections[count++] = (section){at, at + (size_t)length};
        at += (size_t)length;
    }
    return count;
}

/* The number that contains a random byte of the section. Returns its begin. */
static size_t pick_number(const fuzz_bytes *b, const section *s, fuzz_random *random, size_t *end)
{
    size_t begin = s->begin + fuzz_below(random, s->end - s->begin);
    while (begin > s->begin && (b->data[begin - 1] & 0x80) != 0)
        begin--;
    for (*end = begin; *end < s->end && (b->data[*end] & 0x80) != 0;)
        ++*end;
    if (*end < s->end)
        ++*end;
    return begin;
}

static uint64_t read_number(const fuzz_bytes *b, size_t begin, size_t end)
{
    uint64_t value = 0;
    for (size_t i = 0; begin + i < end && i < LONGEST_NUMBER - 1; i++)
        value |= (uint64_t)(b->data[begin + i] & 0x7F) << (7 * i);
    return value;
}

static size_t write_number(uint8_t *to, uint64_t value)
{
    size_t length = 0;
    do {
        to[length++] = (uint8_t)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
    return length;
}

static uint64_t draw_value(uint64_t old, fuzz_random *random)
{
    static const uint64_t values[] = {0, 1, 2, 3, 4, 7, 127, 128, 1000, UINT32_MAX};
    switch (fuzz_below(random, 3)) {
    case 0:
        return values[fuzz_below(random, sizeof values / sizeof *values)];
    case 1:
        return old + 1;
    default:
        return old > 0 ? old - 1 : 1;
    }
}

void fuzz_change_checkpoint(fuzz_bytes *bytes, fuzz_random *random)
{
    section sections[MOST_SECTIONS];
    uint8_t number[LONGEST_NUMBER];
    size_t count = find_sections(bytes, sections);
    if (count == 0)
        return;
    const section *s = &sections[fuzz_below(random, count)];
    if (s->begin == s->end)
        return;
    size_t size = bytes->size, end, begin = pick_number(bytes, s, random, &end), other_end;
    switch (fuzz_below(random, 8)) {
    case 0:
        fuzz_replace(bytes, begin, end, "", 0);
        break;
    case 1:
        fuzz_replace(bytes, begin, begin, bytes->data + begin, end - begin);
        break;
    case 2: {
        size_t other = pick_number(bytes, s, random, &other_end);
        fuzz_replace(bytes, begin, end, bytes->data + other, other_end - other);
        break;
    }
    default:
        fuzz_replace(bytes, begin, end, number,
                     write_number(number, draw_value(read_number(bytes, begin, end), random)));
        break;
    }
    put_word(bytes->data + s->begin - WORD, s->end - s->begin + bytes->size - size);
    fuzz_seal_checkpoint(bytes->data, bytes->size);
}
