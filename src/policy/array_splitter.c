/* SPDX-License-Identifier: MIT */
/* A pass over the JSON text that only recognises strings and brackets. Cost: linear, also for locating an
 * error. */
#include "policy/array_splitter.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/characters.h"
#include "base/utf8.h"

static size_t skip_blanks(const policy_splitter *splitter, size_t at, size_t end)
{
    while (at < end && base_is_space(splitter->text[at]))
        at++;
    return at;
}

/* The position after the string that begins at a quote; escapes are skipped without decoding. */
static size_t skip_string(const policy_splitter *splitter, size_t at, size_t end)
{
    for (at++; at < end && splitter->text[at] != '"'; at++)
        if (splitter->text[at] == '\\')
            at++;
    return at < end ? at + 1 : end;
}

/* The characters that skip_item examines; most others are skipped in its inner loop. */
static bool is_structure(char c)
{
    static const bool table[UCHAR_MAX + 1] = {
        ['"'] = true, [','] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true};
    return table[(unsigned char)c];
}

/* The end of the value or member that begins here: a comma or bracket outside of it. */
static size_t skip_item(const policy_splitter *splitter, size_t at, size_t end)
{
    size_t depth = 0;
    while (at < end) {
        char c = splitter->text[at];
        if (!is_structure(c)) {
            at++;
            continue;
        }
        if (c == '"') {
            at = skip_string(splitter, at, end);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            return at;
        if (c == '[' || c == '{')
            depth++;
        else if (c == ']' || c == '}')
            depth--;
        at++;
    }
    return end;
}

/* Whether the member that begins here has the given name and is an array; *begin is the position after its
 * bracket. */
static bool is_array(const policy_splitter *splitter, size_t at, const char *name, size_t *begin)
{
    size_t length = strlen(name), end = splitter->length;
    if (end - at < length + 2 || splitter->text[at] != '"' ||
        memcmp(splitter->text + at + 1, name, length) != 0 ||
        splitter->text[at + 1 + length] != '"')
        return false;
    at = skip_blanks(splitter, at + length + 2, end);
    if (at == end || splitter->text[at] != ':')
        return false;
    at = skip_blanks(splitter, at + 1, end);
    *begin = at + 1;
    return at < end && splitter->text[at] == '[';
}

/* The closing bracket of the array whose first item begins here, or the end of the text if there is none. */
static size_t find_end(const policy_splitter *splitter, size_t at)
{
    for (; at < splitter->length; at++) {
        at = skip_item(splitter, at, splitter->length);
        if (at < splitter->length && splitter->text[at] != ',')
            break;
    }
    return at < splitter->length && splitter->text[at] == ']' ? at : splitter->length;
}

void policy_splitter_init(policy_splitter *splitter, const char *text, size_t length,
                          const char *name)
{
    *splitter = (policy_splitter){.text = text, .length = length, .at_end = true};
    size_t begin, at = skip_blanks(splitter, 0, length);
    if (at == length || text[at] != '{')
        return;
    do {
        at = skip_blanks(splitter, at + 1, length);
        if (at < length && is_array(splitter, at, name, &begin)) {
            size_t end = find_end(splitter, begin);
            if (end == length)
                return;
            splitter->begin = splitter->at = begin;
            splitter->end = end;
            splitter->at_end = skip_blanks(splitter, begin, end) == end;
            return;
        }
        at = skip_item(splitter, at, length);
    } while (at < length && text[at] == ',');
}

char *policy_splitter_without_items(const policy_splitter *splitter, size_t *length)
{
    const char *text = splitter->text;
    char *rest = base_alloc(splitter->length + 1, 1);
    if (rest == NULL)
        return NULL;
    size_t at = splitter->begin;
    memcpy(rest, text, at);
    const char *line = text + splitter->begin, *end = text + splitter->end, *next;
    while ((next = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        rest[at++] = '\n';
        line = next + 1;
    }
    size_t width = base_utf8_count(line, (size_t)(end - line));
    memset(rest + at, ' ', width);
    at += width;
    memcpy(rest + at, text + splitter->end, splitter->length - splitter->end);
    *length = at + splitter->length - splitter->end;
    rest[*length] = '\0';
    return rest;
}

bool policy_splitter_next(policy_splitter *splitter)
{
    if (splitter->at_end)
        return false;
    size_t end = skip_item(splitter, splitter->at, splitter->end);
    splitter->at_end = end == splitter->end;
    splitter->item = skip_blanks(splitter, splitter->at, end);
    splitter->at = end + 1;
    while (end > splitter->item && base_is_space(splitter->text[end - 1]))
        end--;
    splitter->item_length = end - splitter->item;
    return true;
}

bool policy_splitter_peek(const policy_splitter *splitter, const char **text, size_t *length)
{
    size_t begin = skip_blanks(splitter, splitter->at, splitter->end);
    *text = splitter->text + begin;
    *length = splitter->end - begin;
    return !splitter->at_end;
}

bool policy_splitter_accept(policy_splitter *splitter, size_t length)
{
    size_t begin = skip_blanks(splitter, splitter->at, splitter->end);
    size_t after = skip_blanks(splitter, begin + length, splitter->end);
    if (after < splitter->end && splitter->text[after] != ',')
        return false;
    splitter->at_end = after == splitter->end;
    splitter->item = begin;
    splitter->item_length = length;
    splitter->at = after + 1;
    return true;
}

void policy_splitter_locate(const policy_splitter *splitter, opac_error *error)
{
    uint32_t line = 1;
    size_t begin = 0;
    if (error == NULL)
        return;
    for (size_t i = 0; i < splitter->item; i++)
        if (splitter->text[i] == '\n') {
            line += line < UINT32_MAX;
            begin = i + 1;
        }
    size_t before = base_utf8_count(splitter->text + begin, splitter->item - begin);
    if (error->line <= 1)
        error->column = (uint32_t)(before + (error->column > 0 ? error->column : 1));
    error->line = line + (error->line > 0 ? error->line - 1 : 0);
}
