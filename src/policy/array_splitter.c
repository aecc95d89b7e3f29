/* SPDX-License-Identifier: MIT */
/* One pass over a JSON text that knows strings and brackets. Linear; placing errors, too. */
#include "policy/array_splitter.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/characters.h"
#include "base/utf8.h"

static size_t skip_blanks(const policy_splitter *split, size_t at, size_t end)
{
    while (at < end && base_is_space(split->text[at]))
        at++;
    return at;
}

/* Behind the string that begins at a quote; escapes are passed over unread. */
static size_t skip_string(const policy_splitter *split, size_t at, size_t end)
{
    for (at++; at < end && split->text[at] != '"'; at++)
        if (split->text[at] == '\\')
            at++;
    return at < end ? at + 1 : end;
}

/* What skip_item looks at; all other bytes are passed over, most of them in the inner loop. */
static bool is_structure(char c)
{
    static const bool table[UCHAR_MAX + 1] = {
        ['"'] = true, [','] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true};
    return table[(unsigned char)c];
}

/* Behind the value or the member that begins here: at a comma or a bracket that is not its own. */
static size_t skip_item(const policy_splitter *split, size_t at, size_t end)
{
    size_t depth = 0;
    while (at < end) {
        char c = split->text[at];
        if (!is_structure(c)) {
            at++;
            continue;
        }
        if (c == '"') {
            at = skip_string(split, at, end);
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

/* Whether the member that begins here has the name and an array; *begin is behind its bracket. */
static bool is_array(const policy_splitter *split, size_t at, const char *name, size_t *begin)
{
    size_t length = strlen(name), end = split->length;
    if (end - at < length + 2 || split->text[at] != '"' ||
        memcmp(split->text + at + 1, name, length) != 0 || split->text[at + 1 + length] != '"')
        return false;
    at = skip_blanks(split, at + length + 2, end);
    if (at == end || split->text[at] != ':')
        return false;
    at = skip_blanks(split, at + 1, end);
    *begin = at + 1;
    return at < end && split->text[at] == '[';
}

/* The bracket that ends an array whose first item begins here; the end of the text: there is none.
 */
static size_t find_end(const policy_splitter *split, size_t at)
{
    for (; at < split->length; at++) {
        at = skip_item(split, at, split->length);
        if (at < split->length && split->text[at] != ',')
            break;
    }
    return at < split->length && split->text[at] == ']' ? at : split->length;
}

void policy_splitter_init(policy_splitter *split, const char *text, size_t length, const char *name)
{
    *split = (policy_splitter){.text = text, .length = length, .is_over = true};
    size_t begin, at = skip_blanks(split, 0, length);
    if (at == length || text[at] != '{')
        return;
    do {
        at = skip_blanks(split, at + 1, length);
        if (at < length && is_array(split, at, name, &begin)) {
            size_t end = find_end(split, begin);
            if (end == length)
                return;
            split->begin = split->at = begin;
            split->end = end;
            split->is_over = skip_blanks(split, begin, end) == end;
            return;
        }
        at = skip_item(split, at, length);
    } while (at < length && text[at] == ',');
}

char *policy_splitter_without_items(const policy_splitter *split, size_t *length)
{
    const char *text = split->text;
    char *rest = base_alloc(split->length + 1, 1);
    if (rest == NULL)
        return NULL;
    size_t at = split->begin;
    memcpy(rest, text, at);
    const char *line = text + split->begin, *end = text + split->end, *next;
    while ((next = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        rest[at++] = '\n';
        line = next + 1;
    }
    size_t width = base_utf8_count(line, (size_t)(end - line));
    memset(rest + at, ' ', width);
    at += width;
    memcpy(rest + at, text + split->end, split->length - split->end);
    *length = at + split->length - split->end;
    rest[*length] = '\0';
    return rest;
}

bool policy_splitter_next(policy_splitter *split)
{
    if (split->is_over)
        return false;
    size_t end = skip_item(split, split->at, split->end);
    split->is_over = end == split->end;
    split->item = skip_blanks(split, split->at, end);
    split->at = end + 1;
    while (end > split->item && base_is_space(split->text[end - 1]))
        end--;
    split->item_length = end - split->item;
    return true;
}

bool policy_splitter_peek(const policy_splitter *split, const char **text, size_t *length)
{
    size_t begin = skip_blanks(split, split->at, split->end);
    *text = split->text + begin;
    *length = split->end - begin;
    return !split->is_over;
}

bool policy_splitter_accept(policy_splitter *split, size_t length)
{
    size_t begin = skip_blanks(split, split->at, split->end);
    size_t behind = skip_blanks(split, begin + length, split->end);
    if (behind < split->end && split->text[behind] != ',')
        return false;
    split->is_over = behind == split->end;
    split->item = begin;
    split->item_length = length;
    split->at = behind + 1;
    return true;
}

void policy_splitter_locate(const policy_splitter *split, opac_error *error)
{
    uint32_t line = 1;
    size_t begin = 0;
    if (error == NULL)
        return;
    for (size_t i = 0; i < split->item; i++)
        if (split->text[i] == '\n') {
            line += line < UINT32_MAX;
            begin = i + 1;
        }
    size_t before = base_utf8_count(split->text + begin, split->item - begin);
    if (error->line <= 1)
        error->column = (uint32_t)(before + (error->column > 0 ? error->column : 1));
    error->line = line + (error->line > 0 ? error->line - 1 : 0);
}
