/* SPDX-License-Identifier: MIT */
/*
 * Splits JSON into values, each with its position and the array that it is an element of. A text that is not
 * JSON is split as far as possible.
 */
#include <ctype.h>
#include <stdio.h>

#include "mutate.h"

enum {
    MOST_VALUES = 8192,
    DEEPEST = 32
};

typedef enum value_kind {
    NUMBER,
    STRING,
    WORD,  /* null, true, false */
    OTHERS /* arrays and objects */
} value_kind;

typedef struct value {
    size_t begin, end;
    value_kind kind;
    uint32_t array; /* the number of the array that it is an element of; 0 if none */
} value;

typedef struct values {
    value items[MOST_VALUES];
    size_t count;
} values;

static size_t string_end(const fuzz_bytes *b, size_t at)
{
    for (at++; at < b->size && b->data[at] != '"';)
        at += b->data[at] == '\\' && at + 1 < b->size ? 2 : 1;
    return at < b->size ? at + 1 : b->size;
}

static size_t skip_blanks(const fuzz_bytes *b, size_t at)
{
    while (at < b->size && isspace(b->data[at]))
        at++;
    return at;
}

static size_t scalar_end(const fuzz_bytes *b, size_t at)
{
    while (at < b->size && strchr(",]}:", b->data[at]) == NULL && !isspace(b->data[at]))
        at++;
    return at;
}

/* The open containers: the number of an array, 0 for an object. */
typedef struct scan {
    uint32_t open[DEEPEST], arrays, depth;
    size_t begin[DEEPEST]; /* by depth: index of the container in the list of values */
} scan;

static void add_value(values *list, const scan *s, value_kind kind, size_t begin, size_t end)
{
    if (list->count < MOST_VALUES)
        list->items[list->count++] =
            (value){begin, end, kind, s->depth > 0 ? s->open[s->depth - 1] : 0};
}

static size_t read_scalar(const fuzz_bytes *b, size_t at, values *list, const scan *s)
{
    size_t end = b->data[at] == '"' ? string_end(b, at) : scalar_end(b, at);
    if (end == at)
        return at + 1;
    bool is_key =
        b->data[at] == '"' && skip_blanks(b, end) < b->size && b->data[skip_blanks(b, end)] == ':';
    if (!is_key)
        add_value(list, s,
                  b->data[at] == '"'                           ? STRING
                  : isdigit(b->data[at]) || b->data[at] == '-' ? NUMBER
                                                               : WORD,
                  at, end);
    return end;
}

static void open_value(const fuzz_bytes *b, size_t at, values *list, scan *s)
{
    s->begin[s->depth] = list->count;
    add_value(list, s, OTHERS, at, at);
    s->open[s->depth++] = b->data[at] == '[' ? ++s->arrays : 0;
}

static void read_values(const fuzz_bytes *b, values *list)
{
    scan s = {.depth = 0};
    list->count = 0;
    for (size_t at = skip_blanks(b, 0); at < b->size; at = skip_blanks(b, at)) {
        uint8_t byte = b->data[at];
        if ((byte == '[' || byte == '{') && s.depth < DEEPEST)
            open_value(b, at++, list, &s);
        else if ((byte == ']' || byte == '}') && s.depth > 0) {
            at++;
            if (s.begin[--s.depth] < list->count)
                list->items[s.begin[s.depth]].end = at;
        } else if (strchr("[]{},:", byte) != NULL)
            at++;
        else
            at = read_scalar(b, at, list, &s);
    }
}

static const value *pick(const values *list, value_kind kind, fuzz_random *random)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].kind == kind;
    size_t wanted = fuzz_below(random, count);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind && wanted-- == 0)
            return &list->items[i];
    return NULL;
}

/* A random element of an array; *other: a random element of the same array, possibly the same. */
static const value *pick_element(const values *list, fuzz_random *random, const value **other)
{
    size_t count = 0, begin = fuzz_below(random, list->count);
    const value *found = NULL;
    for (size_t i = 0; i < list->count && found == NULL; i++) {
        const value *v = &list->items[(begin + i) % list->count];
        if (v->array != 0 && v->end > v->begin)
            found = v;
    }
    for (size_t i = 0; found != NULL && i < list->count; i++)
        if (list->items[i].array == found->array && list->items[i].end > list->items[i].begin &&
            fuzz_below(random, ++count) == 0)
            *other = &list->items[i];
    return found;
}

/* ---- changes ---- */

static void change_number(fuzz_bytes *b, const values *list, fuzz_random *random)
{
    static const char *const numbers[] = {
        "0",    "1",  "2",          "3",      "-1",    "0.5",    "0.9",   "0.1",     "1e-12",
        "1e18", "64", "4294967296", "5e-324", "1e308", "-1e308", "1e400", "-1e-300", "1.5"};
    const value *v = pick(list, NUMBER, random), *other = pick(list, NUMBER, random);
    char text[40] = "", number[40];
    if (v == NULL)
        return;
    size_t length = v->end - v->begin < sizeof text - 1 ? v->end - v->begin : sizeof text - 1;
    memcpy(text, b->data + v->begin, length);
    bool is_whole = strpbrk(text, ".eE-") == NULL;
    switch (fuzz_below(random, 4)) {
    case 0:
        snprintf(number, sizeof number, "%s",
                 numbers[fuzz_below(random, sizeof numbers / sizeof *numbers)]);
        break;
    case 1:
        fuzz_replace(b, v->begin, v->end, b->data + other->begin, other->end - other->begin);
        return;
    default:
        if (is_whole)
            snprintf(number, sizeof number, "%llu",
                     strtoull(text, NULL, 10) + (fuzz_below(random, 2) == 0 ? 1 : ~0ULL));
        else
            snprintf(number, sizeof number, "%.17g",
                     strtod(text, NULL) * (fuzz_below(random, 2) == 0 ? 0.999 : 1.001));
        break;
    }
    fuzz_replace(b, v->begin, v->end, number, strlen(number));
}

/* Replaces a string by another one of the text, or changes one of its characters. */
static void change_string(fuzz_bytes *b, const values *list, fuzz_random *random)
{
    const value *v = pick(list, STRING, random), *other = pick(list, STRING, random);
    if (v == NULL)
        return;
    if (fuzz_below(random, 3) == 0) {
        fuzz_replace(b, v->begin, v->end, b->data + other->begin, other->end - other->begin);
        return;
    }
    size_t at = v->begin + 1 + fuzz_below(random, v->end - v->begin - 1);
    if (at + 1 < v->end && isalnum(b->data[at]))
        b->data[at] = (uint8_t) "0123456789abcdef"[fuzz_below(random, 16)];
}

static void change_word(fuzz_bytes *b, const values *list, fuzz_random *random)
{
    static const char *const words[] = {"null", "true", "false", "0", "\"\"", "[]"};
    const value *v = pick(list, WORD, random);
    const char *word = words[fuzz_below(random, sizeof words / sizeof *words)];
    if (v != NULL)
        fuzz_replace(b, v->begin, v->end, word, strlen(word));
}

static void remove_element(fuzz_bytes *b, const value *v)
{
    size_t end = skip_blanks(b, v->end), begin = v->begin;
    if (end < b->size && b->data[end] == ',') {
        fuzz_replace(b, begin, end + 1, "", 0);
        return;
    }
    while (begin > 0 && isspace(b->data[begin - 1]))
        begin--;
    if (begin > 0 && b->data[begin - 1] == ',')
        begin--;
    fuzz_replace(b, begin, v->end, "", 0);
}

static void change_element(fuzz_bytes *b, const values *list, fuzz_random *random)
{
    const value *other = NULL, *v = pick_element(list, random, &other);
    if (v == NULL)
        return;
    switch (fuzz_below(random, 3)) {
    case 0:
        remove_element(b, v);
        break;
    case 1: /* repeat it, after a comma */
        if (fuzz_replace(b, v->begin, v->begin, b->data + v->begin, v->end - v->begin))
            fuzz_replace(b, v->end, v->end, ",", 1);
        break;
    default: /* replace another element of the same array */
        fuzz_replace(b, other->begin, other->end, b->data + v->begin, v->end - v->begin);
        break;
    }
}

void fuzz_change_json(fuzz_bytes *bytes, fuzz_random *random)
{
    values *list = malloc(sizeof *list);
    fuzz_require(list != NULL);
    read_values(bytes, list);
    uint32_t which = list->count > 0 ? fuzz_below(random, 8) : 8;
    if (which < 4)
        change_number(bytes, list, random);
    else if (which < 5)
        change_string(bytes, list, random);
    else if (which < 6)
        change_word(bytes, list, random);
    else if (which < 8)
        change_element(bytes, list, random);
    free(list);
}
