/* SPDX-License-Identifier: MIT */
/* Splits texts into words, numbers, strings and signs, and into statements, and changes these. */
#include <ctype.h>
#include <stdio.h>

#include "mutate.h"

enum {
    MOST_TOKENS = 4096
};

typedef enum token_kind {
    WORD,
    NUMBER,
    STRING,
    SIGN,
    KINDS
} token_kind;

typedef struct token {
    size_t begin, end;
    token_kind kind;
} token;

typedef struct tokens {
    token items[MOST_TOKENS];
    size_t count;
} tokens;

/* ---- splitting ---- */

static size_t skip_blanks(const uint8_t *data, size_t size, size_t at)
{
    for (;;) {
        while (at < size && isspace(data[at]))
            at++;
        if (at + 1 < size && data[at] == '/' && data[at + 1] == '/')
            while (at < size && data[at] != '\n')
                at++;
        else if (at + 1 < size && data[at] == '/' && data[at + 1] == '*') {
            for (at += 2; at + 1 < size && !(data[at] == '*' && data[at + 1] == '/');)
                at++;
            at = at + 2 < size ? at + 2 : size;
        } else
            return at;
    }
}

static bool is_wordy(uint8_t byte)
{
    return isalnum(byte) || byte == '_' || byte == '@' || byte == '\'';
}

static size_t number_end(const uint8_t *data, size_t size, size_t at)
{
    while (at < size &&
           (isdigit(data[at]) || (data[at] == '.' && at + 1 < size && isdigit(data[at + 1]))))
        at++;
    if (at + 1 < size && (data[at] == 'e' || data[at] == 'E') &&
        (isdigit(data[at + 1]) || data[at + 1] == '-'))
        for (at += 2; at < size && isdigit(data[at]);)
            at++;
    return at;
}

/* Signs of two characters are one token. */
static size_t sign_end(const uint8_t *data, size_t size, size_t at)
{
    static const char *const pairs[] = {"<=", ">=", "!=", "=>", "->", "..", "<-", "||"};
    for (size_t i = 0; at + 1 < size && i < sizeof pairs / sizeof *pairs; i++)
        if (memcmp(data + at, pairs[i], 2) == 0)
            return at + 2;
    return at + 1;
}

static token next_token(const uint8_t *data, size_t size, size_t at)
{
    token found = {.begin = at, .kind = SIGN};
    if (isdigit(data[at])) {
        found.kind = NUMBER;
        found.end = number_end(data, size, at);
    } else if (is_wordy(data[at])) {
        found.kind = WORD;
        while (at < size && is_wordy(data[at]))
            at++;
        found.end = at;
    } else if (data[at] == '"') {
        found.kind = STRING;
        for (at++; at < size && data[at] != '"' && data[at] != '\n';)
            at += data[at] == '\\' && at + 1 < size ? 2 : 1;
        found.end = at < size ? at + 1 : size;
    } else
        found.end = sign_end(data, size, at);
    return found;
}

static void read_tokens(const fuzz_bytes *bytes, tokens *list)
{
    list->count = 0;
    for (size_t at = skip_blanks(bytes->data, bytes->size, 0);
         at < bytes->size && list->count < MOST_TOKENS;) {
        token found = next_token(bytes->data, bytes->size, at);
        list->items[list->count++] = found;
        at = skip_blanks(bytes->data, bytes->size, found.end);
    }
}

/* A random token of the kind; NULL if there is none. */
static const token *pick(const tokens *list, token_kind kind, fuzz_random *random)
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

/* ---- changes of tokens ---- */

static void change_number(fuzz_bytes *bytes, const tokens *list, fuzz_random *random)
{
    static const char *const numbers[] = {"0",   "1",    "2",    "3",     "7",          "16",
                                          "0.5", "0.25", "1e-9", "1e300", "4294967295", "0.1"};
    const token *t = pick(list, NUMBER, random);
    char text[32] = "", number[32];
    if (t == NULL)
        return;
    size_t length = t->end - t->begin < sizeof text - 1 ? t->end - t->begin : sizeof text - 1;
    memcpy(text, bytes->data + t->begin, length);
    if (fuzz_below(random, 2) == 0 && strchr(text, '.') == NULL && strchr(text, 'e') == NULL) {
        unsigned long long value = strtoull(text, NULL, 10);
        snprintf(number, sizeof number, "%llu",
                 fuzz_below(random, 2) == 0 && value > 0 ? value - 1 : value + 1);
    } else
        snprintf(number, sizeof number, "%s",
                 numbers[fuzz_below(random, sizeof numbers / sizeof *numbers)]);
    fuzz_replace(bytes, t->begin, t->end, number, strlen(number));
}

/* Replaces a token by another one of the same kind. */
static void copy_token(fuzz_bytes *bytes, const tokens *list, fuzz_random *random)
{
    token_kind kind = (token_kind)fuzz_below(random, KINDS);
    const token *to = pick(list, kind, random), *from = pick(list, kind, random);
    if (to != NULL)
        fuzz_replace(bytes, to->begin, to->end, bytes->data + from->begin, from->end - from->begin);
}

/* Replaces an operator or keyword by another one that is allowed in its place. */
static void change_sign(fuzz_bytes *bytes, const tokens *list, fuzz_random *random)
{
    static const char *const classes[] = {"+ - * /", "< <= > >= = !=", "& | =>",  "Inf Fin",
                                          "t f",     "true false",     "min max", "mdp dtmc"};
    const token *t = pick(list, fuzz_below(random, 2) == 0 ? SIGN : WORD, random);
    char own[16] = "";
    if (t == NULL || t->end - t->begin >= sizeof own)
        return;
    memcpy(own, bytes->data + t->begin, t->end - t->begin);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        char words[64], *others[8];
        size_t count = 0;
        bool is_one = false;
        snprintf(words, sizeof words, "%s", classes[i]);
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
            is_one |= strcmp(word, own) == 0;
            others[count++] = word;
        }
        if (!is_one)
            continue;
        const char *other = others[fuzz_below(random, count)];
        fuzz_replace(bytes, t->begin, t->end, other, strlen(other));
        return;
    }
}

/* Puts a word or a number in parentheses, "(a)" or "!(a)". */
static void wrap_token(fuzz_bytes *bytes, const tokens *list, fuzz_random *random)
{
    const token *t = pick(list, fuzz_below(random, 3) == 0 ? NUMBER : WORD, random);
    char text[80];
    if (t == NULL || t->end - t->begin > 60)
        return;
    int length = snprintf(text, sizeof text, "%s(%.*s)", fuzz_below(random, 2) == 0 ? "!" : "",
                          (int)(t->end - t->begin), (const char *)bytes->data + t->begin);
    fuzz_replace(bytes, t->begin, t->end, text, (size_t)length);
}

static void add_blank(fuzz_bytes *bytes, const tokens *list, fuzz_random *random)
{
    static const char *const blanks[] = {" ", "\n", "\t", "\r\n", " /* c */ "};
    const char *blank = blanks[fuzz_below(random, sizeof blanks / sizeof *blanks)];
    if (list->count == 0)
        return;
    size_t at = list->items[fuzz_below(random, list->count)].begin;
    fuzz_replace(bytes, at, at, blank, strlen(blank));
}

/* ---- changes of statements ---- */

/* A random statement, from after one end character to after the next. False if there is none. */
static bool pick_statement(const fuzz_bytes *bytes, char end, fuzz_random *random, size_t *from,
                           size_t *to)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes->size; i++)
        count += bytes->data[i] == (uint8_t)end;
    if (count < 2)
        return false;
    size_t wanted = fuzz_below(random, count - 1);
    *from = *to = 0;
    for (size_t i = 0; i < bytes->size; i++) {
        if (bytes->data[i] != (uint8_t)end)
            continue;
        if (*from != 0) {
            *to = i + 1;
            return true;
        }
        if (wanted-- == 0)
            *from = i + 1;
    }
    return false;
}

static void change_statement(fuzz_bytes *bytes, char end, fuzz_random *random)
{
    size_t from, to, other, other_end;
    if (!pick_statement(bytes, end, random, &from, &to) ||
        !pick_statement(bytes, end, random, &other, &other_end))
        return;
    switch (fuzz_below(random, 3)) {
    case 0: /* remove it */
        fuzz_replace(bytes, from, to, "", 0);
        break;
    case 1: /* copy it before another one */
        fuzz_replace(bytes, other, other, bytes->data + from, to - from);
        break;
    default: /* replace another one */
        fuzz_replace(bytes, other, other_end, bytes->data + from, to - from);
        break;
    }
}

static void change_text(fuzz_bytes *bytes, char end, fuzz_random *random)
{
    tokens *list = malloc(sizeof *list);
    fuzz_require(list != NULL);
    read_tokens(bytes, list);
    switch (fuzz_below(random, 8)) {
    case 0:
    case 1:
        change_number(bytes, list, random);
        break;
    case 2:
    case 3:
        copy_token(bytes, list, random);
        break;
    case 4:
        change_sign(bytes, list, random);
        break;
    case 5:
        wrap_token(bytes, list, random);
        break;
    case 6:
        add_blank(bytes, list, random);
        break;
    default:
        change_statement(bytes, end, random);
        break;
    }
    free(list);
}

void fuzz_change_statements(fuzz_bytes *bytes, fuzz_random *random)
{
    change_text(bytes, ';', random);
}

void fuzz_change_lines(fuzz_bytes *bytes, fuzz_random *random)
{
    change_text(bytes, '\n', random);
}
