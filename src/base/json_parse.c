/* SPDX-License-Identifier: MIT */
/*
 * Parses JSON (RFC 8259) in one pass, without recursion: open containers are on a stack of at most
 * MAX_DEPTH. Texts are written to a buffer of the length of the source plus one. That is enough, since a
 * string loses its quotes, and a number gets a NUL in place of the delimiter after it. Children are
 * collected on a stack, and copied to the arena when their container is closed, so the number of
 * allocations is logarithmic in the length.
 *
 * Cost: linear time, and n log n for an object of n members.
 */
#include <stdlib.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/characters.h"
#include "base/json_node.h"
#include "base/utf8.h"
#include "base/vec.h"

enum {
    MAX_DEPTH = 2048,
    SHOWN = 60 /* size of a token in a message */
};

typedef struct base_json_node json_node;

/* A container that is not closed yet. */
typedef struct json_open {
    base_json_pair self; /* the container, with its key */
    size_t first;        /* index of its first child on the stack */
} json_open;

BASE_VEC(pair_vec, base_json_pair);
BASE_VEC(open_vec, json_open);

typedef struct json_parser {
    const char *bytes;
    size_t length, at;
    char *out; /* end of the texts so far */
    base_json *document;
    pair_vec children; /* stack: children of the open containers */
    open_vec open;     /* stack: open containers */
    bool allows_twice; /* accept repeated keys */
    opac_error *error;
} json_parser;

/* ---- errors ---- */

static opac_status fail_here(const json_parser *p, size_t at, opac_status code, const char *message)
{
    uint32_t line, column;
    base_utf8_place(p->bytes, at, &line, &column);
    return base_fail_at(p->error, code, line, column, "%s", message);
}

static bool is_word(char c)
{
    return base_is_name_character(c) || c == '+' || c == '-' || c == '.';
}

/* The byte at a position; NUL after the end. */
static char peek(const json_parser *p, size_t at)
{
    return at < p->length ? p->bytes[at] : '\0';
}

/* The length of the word at a position, or of one character if there is no word. */
static size_t token_length(const json_parser *p, size_t at)
{
    size_t end = at;
    while (is_word(peek(p, end)))
        end++;
    return end > at ? end - at : base_utf8_length(p->bytes + at, p->length - at);
}

static opac_status fail_expected(const json_parser *p, const char *wanted)
{
    char shown[SHOWN];
    uint32_t line, column;
    base_utf8_place(p->bytes, p->at, &line, &column);
    if (p->at == p->length)
        return base_fail_at(p->error, OPAC_ERROR_SYNTAX, line, column,
                            "expected %s, found the end of the text", wanted);
    opac_text_show(p->bytes + p->at, token_length(p, p->at), shown, sizeof shown);
    return base_fail_at(p->error, OPAC_ERROR_SYNTAX, line, column, "expected %s, found '%s'",
                        wanted, shown);
}

/* ---- characters ---- */

static void skip_blanks(json_parser *p)
{
    char c = peek(p, p->at);
    while (base_is_space(c))
        c = peek(p, ++p->at);
}

static bool accept(json_parser *p, char c)
{
    skip_blanks(p);
    if (p->at == p->length || p->bytes[p->at] != c)
        return false;
    p->at++;
    return true;
}

static int hex_digit(char c)
{
    if (base_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The value of the four digits of \uXXXX at a position; -1 if there are other characters. */
static long hex_unit(const json_parser *p, size_t at)
{
    long unit = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(peek(p, at + i));
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static void write_utf8(json_parser *p, unsigned long code)
{
    if (code < 0x80) {
        *p->out++ = (char)code;
        return;
    }
    if (code < 0x800) {
        *p->out++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *p->out++ = (char)(0xE0 | code >> 12);
        } else {
            *p->out++ = (char)(0xF0 | code >> 18);
            *p->out++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *p->out++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *p->out++ = (char)(0x80 | (code & 0x3F));
}

/* Reads \uXXXX, with p->at on the u; two surrogates are one character. */
static opac_status read_unicode(json_parser *p)
{
    size_t begin = p->at - 1;
    long code = hex_unit(p, p->at + 1), low;
    p->at += 5;
    if (code < 0)
        return fail_here(p, begin, OPAC_ERROR_SYNTAX,
                         "an escape \\u needs four hexadecimal digits");
    if (code == 0)
        return fail_here(p, begin, OPAC_ERROR_SYNTAX,
                         "a string contains the character NUL (\\u0000)");
    if (code >= 0xD800 && code < 0xE000) {
        low = peek(p, p->at) == '\\' && peek(p, p->at + 1) == 'u' ? hex_unit(p, p->at + 2) : -1;
        if (code >= 0xDC00 || low < 0xDC00 || low >= 0xE000)
            return fail_here(p, begin, OPAC_ERROR_SYNTAX,
                             "a surrogate (\\ud800 to \\udfff) without its other half");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        p->at += 6;
    }
    write_utf8(p, (unsigned long)code);
    return OPAC_OK;
}

/* Reads the escape after a backslash. */
static opac_status read_escape(json_parser *p)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = peek(p, p->at);
    const char *found = c != '\0' ? strchr(names, c) : NULL;
    if (c == 'u')
        return read_unicode(p);
    if (found == NULL)
        return fail_here(p, p->at - 1, OPAC_ERROR_SYNTAX, "unknown escape in a string");
    *p->out++ = values[found - names];
    p->at++;
    return OPAC_OK;
}

/* A string, with p->at on its quote. */
static opac_status read_string(json_parser *p, const char **text, size_t *count)
{
    size_t begin = p->at++;
    *text = p->out;
    while (p->at < p->length && p->bytes[p->at] != '"') {
        char c = p->bytes[p->at];
        if ((unsigned char)c < 0x20)
            return fail_here(p, p->at, OPAC_ERROR_SYNTAX,
                             c == '\n' ? "a string contains a line end; write it as \\n"
                                       : "a string contains a control character");
        p->at++;
        if (c == '\\')
            TRY(read_escape(p));
        else
            *p->out++ = c;
    }
    if (p->at == p->length)
        return fail_here(p, begin, OPAC_ERROR_SYNTAX, "a string is not closed");
    p->at++;
    *count = (size_t)(p->out - *text);
    *p->out++ = '\0';
    return OPAC_OK;
}

static size_t skip_digits(const json_parser *p, size_t at)
{
    while (base_is_digit(peek(p, at)))
        at++;
    return at;
}

/* The end of the JSON number at a position; the position itself if there is none. */
static size_t number_end(const json_parser *p, size_t at)
{
    size_t whole = at + (peek(p, at) == '-'), end = skip_digits(p, whole), begin;
    if (end == whole || (peek(p, whole) == '0' && end > whole + 1))
        return at;
    if (peek(p, end) == '.') {
        begin = end + 1;
        end = skip_digits(p, begin);
        if (end == begin)
            return at;
    }
    if (peek(p, end) == 'e' || peek(p, end) == 'E') {
        begin = end + 1 + (peek(p, end + 1) == '+' || peek(p, end + 1) == '-');
        end = skip_digits(p, begin);
        if (end == begin)
            return at;
    }
    return end;
}

/* ---- values ---- */

/* Orders members by key, and equal keys by position. */
static int compare_members(const void *a, const void *b)
{
    const base_json_pair *left = *(base_json_pair *const *)a;
    const base_json_pair *right = *(base_json_pair *const *)b;
    int order = strcmp(left->key, right->key);
    return order != 0 ? order : (left->at > right->at) - (left->at < right->at);
}

static opac_status fail_twice(const json_parser *p, const base_json_pair *member)
{
    char shown[SHOWN];
    uint32_t line, column;
    base_utf8_place(p->bytes, member->at, &line, &column);
    opac_text_show(member->key, strlen(member->key), shown, sizeof shown);
    return base_fail_at(p->error, OPAC_ERROR_SYNTAX, line, column,
                        "the key '%s' occurs twice in an object", shown);
}

/* Sorts the members for base_json_find, if there are many, and rejects repeated keys. */
static opac_status index_members(json_parser *p, json_node *node)
{
    base_json_pair *members = node->as.members, *few[JSON_FEW], **sorted = few;
    if (node->count > JSON_FEW) {
        sorted = base_arena_alloc(&p->document->arena, node->count, sizeof(base_json_pair *));
        if (sorted == NULL)
            return base_fail_memory(p->error);
        node->sorted = sorted;
    }
    for (size_t i = 0; i < node->count; i++)
        sorted[i] = &members[i];
    qsort(sorted, node->count, sizeof(base_json_pair *), compare_members);
    const base_json_pair *twice = NULL; /* the first member in the text that repeats a key */
    for (size_t i = 1; i < node->count; i++)
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0 &&
            (twice == NULL || sorted[i]->at < twice->at))
            twice = sorted[i];
    return twice != NULL && !p->allows_twice ? fail_twice(p, twice) : OPAC_OK;
}

static opac_status read_number(json_parser *p, json_node *node)
{
    size_t end = number_end(p, p->at), length = end - p->at;
    if (length == 0 || is_word(peek(p, end)))
        return fail_expected(p, "a JSON number");
    node->kind = BASE_JSON_NUMBER;
    node->count = length;
    node->as.text = p->out;
    memcpy(p->out, p->bytes + p->at, length);
    p->out[length] = '\0';
    p->out += length + 1;
    p->at = end;
    return OPAC_OK;
}

static opac_status read_word(json_parser *p, json_node *node)
{
    static const struct {
        const char *text;
        base_json_kind kind;
        bool is_true;
    } words[] = {{"true", BASE_JSON_BOOL, true},
                 {"false", BASE_JSON_BOOL, false},
                 {"null", BASE_JSON_NULL, false}};
    size_t length = p->at < p->length ? token_length(p, p->at) : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].text) == length &&
            memcmp(words[i].text, p->bytes + p->at, length) == 0) {
            node->kind = words[i].kind;
            node->is_true = words[i].is_true;
            p->at += length;
            return OPAC_OK;
        }
    return fail_expected(p, "a JSON value");
}

/* A value that is not a container. */
static opac_status read_scalar(json_parser *p, json_node *node)
{
    char c = peek(p, p->at);
    if (c == '-' || base_is_digit(c))
        return read_number(p, node);
    if (c != '"')
        return read_word(p, node);
    node->kind = BASE_JSON_STRING;
    return read_string(p, &node->as.text, &node->count);
}

/* ---- containers ---- */

static opac_status open_container(json_parser *p, const base_json_pair *self)
{
    json_open opened = {.self = *self, .first = p->children.count};
    if (p->open.count == MAX_DEPTH)
        return fail_here(p, p->at - 1, OPAC_ERROR_LIMIT, "nested too deep");
    return open_vec_push(&p->open, opened, p->error);
}

/* Moves the children of the innermost container from the stack to the arena. */
static opac_status close_container(json_parser *p, base_json_pair *self)
{
    json_open *open = &p->open.items[--p->open.count];
    base_arena *arena = &p->document->arena;
    *self = open->self;
    json_node *node = &self->value;
    node->count = p->children.count - open->first;
    p->children.count = open->first;
    if (p->children.items == NULL ||
        node->count == 0) /* the stack is allocated with the first child */
        return OPAC_OK;
    const base_json_pair *children = p->children.items + open->first;
    if (node->kind == BASE_JSON_OBJECT) {
        node->as.members = base_arena_alloc(arena, node->count, sizeof *children);
        if (node->as.members == NULL)
            return base_fail_memory(p->error);
        memcpy(node->as.members, children, node->count * sizeof *children);
        return index_members(p, node);
    }
    node->as.items = base_arena_alloc(arena, node->count, sizeof *node);
    if (node->as.items == NULL)
        return base_fail_memory(p->error);
    for (size_t i = 0; i < node->count; i++)
        node->as.items[i] = children[i].value;
    return OPAC_OK;
}

/* The key of the next member. */
static opac_status read_key(json_parser *p, base_json_pair *member)
{
    size_t length;
    skip_blanks(p);
    if (peek(p, p->at) != '"')
        return fail_expected(p, "a key in double quotes");
    member->at = p->at;
    TRY(read_string(p, &member->key, &length));
    return accept(p, ':') ? OPAC_OK : fail_expected(p, "':'");
}

static bool is_in_object(const json_parser *p)
{
    return p->open.count > 0 &&
           p->open.items[p->open.count - 1].self.value.kind == BASE_JSON_OBJECT;
}

/*
 * Called after a complete value: closes the containers that end here, each of which becomes the value.
 * *more: another value follows in the innermost container that is still open.
 */
static opac_status close_containers(json_parser *p, base_json_pair *value, bool *more)
{
    *more = false;
    while (p->open.count > 0) {
        TRY(pair_vec_push(&p->children, *value, p->error));
        *more = accept(p, ',');
        if (*more)
            return OPAC_OK;
        if (!accept(p, is_in_object(p) ? '}' : ']'))
            return fail_expected(p, is_in_object(p) ? "',' or '}'" : "',' or ']'");
        TRY(close_container(p, value));
    }
    return OPAC_OK;
}

/* Reads a scalar, an empty container or (*opened) the beginning of a container with children. */
static opac_status begin_value(json_parser *p, base_json_pair *value, bool *opened)
{
    bool is_object;
    *opened = false;
    skip_blanks(p);
    if ((is_object = accept(p, '{')) || accept(p, '[')) {
        value->value.kind = is_object ? BASE_JSON_OBJECT : BASE_JSON_ARRAY;
        TRY(open_container(p, value));
        *opened = !accept(p, is_object ? '}' : ']');
        return *opened ? OPAC_OK : close_container(p, value);
    }
    return read_scalar(p, &value->value);
}

static opac_status read_all(json_parser *p)
{
    base_json_pair value;
    bool more = true;
    while (more) {
        value = (base_json_pair){.key = NULL};
        if (is_in_object(p))
            TRY(read_key(p, &value));
        TRY(begin_value(p, &value, &more));
        if (!more)
            TRY(close_containers(p, &value, &more));
    }
    p->document->root = value.value;
    skip_blanks(p);
    return p->at == p->length ? OPAC_OK : fail_expected(p, "the end of the text");
}

static opac_status read_document(const char *bytes, size_t length, bool allows_twice,
                                 base_json *document, opac_error *error)
{
    json_parser p = {.bytes = bytes,
                     .length = length,
                     .document = document,
                     .allows_twice = allows_twice,
                     .error = error};
    document->texts = length < SIZE_MAX ? base_alloc(length + 1, 1) : NULL;
    if (document->texts == NULL)
        return base_fail_memory(error);
    p.out = document->texts;
    opac_status status = read_all(&p);
    pair_vec_fini(&p.children);
    open_vec_fini(&p.open);
    return status;
}

static opac_status parse(const char *bytes, size_t length, bool allows_twice, base_json **document,
                         opac_error *error)
{
    *document = NULL;
    if (length == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, 1, "expected a JSON value, found nothing");
    TRY(base_utf8_check(bytes, length, error));
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, 1,
                            "JSON must not begin with a byte order mark");
    base_json *result = base_alloc_zeroed(1, sizeof *result);
    if (result == NULL)
        return base_fail_memory(error);
    opac_status status = read_document(bytes, length, allows_twice, result, error);
    if (status == OPAC_OK)
        *document = result;
    else
        base_json_free(result);
    return status;
}

opac_status base_json_parse(const char *bytes, size_t length, base_json **document,
                            opac_error *error)
{
    return parse(bytes, length, false, document, error);
}

opac_status base_json_parse_own(const char *bytes, size_t length, base_json **document,
                                opac_error *error)
{
    return parse(bytes, length, true, document, error);
}

void base_json_free(base_json *document)
{
    if (document == NULL)
        return;
    base_arena_fini(&document->arena);
    base_free(document->texts);
    base_free(document);
}

/* ---- lookup ---- */

base_json_pair *base_json_find(const json_node *object, const char *key)
{
    if (object->sorted == NULL) {
        for (size_t i = 0; i < object->count; i++)
            if (strcmp(object->as.members[i].key, key) == 0)
                return &object->as.members[i];
        return NULL;
    }
    size_t first = 0, end = object->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        int order = strcmp(object->sorted[middle]->key, key);
        if (order == 0)
            return object->sorted[middle];
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}
