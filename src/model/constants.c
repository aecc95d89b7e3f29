/* SPDX-License-Identifier: MIT */
/* Parses values of constants, such as "N=3,p=0.2,b=true", into a list. */
#include "model/constants.h"

#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/characters.h"
#include "base/ratio.h"
#include "base/utf8.h"
#include "base/vec.h"

enum {
    LONGEST_SUGGESTION = 64 /* bytes of a suggested name, with its NUL */
};

typedef struct entry {
    char *name, *text;
    model_constant value;
    bool is_used;
    char suggestion
        [LONGEST_SUGGESTION]; /* a similar name that was looked up without success; or "" */
} entry;

BASE_VEC(entry_vec, entry);

struct opac_constants {
    entry_vec entries; /* in the given order; few, so the search is linear */
};

opac_status opac_constants_new(opac_constants **constants, opac_error *error)
{
    *constants = base_alloc_zeroed(1, sizeof **constants);
    return *constants != NULL ? OPAC_OK : base_fail_memory(error);
}

static void release(entry_vec *entries, size_t keep)
{
    while (entries->count > keep) {
        entries->count--;
        base_free(entries->items[entries->count].name);
        base_free(entries->items[entries->count].text);
    }
}

void opac_constants_free(opac_constants *constants)
{
    if (constants == NULL)
        return;
    release(&constants->entries, 0);
    entry_vec_fini(&constants->entries);
    base_free(constants);
}

static entry *find(const opac_constants *constants, const char *name, size_t length)
{
    for (size_t i = 0; i < constants->entries.count; i++) {
        entry *e = &constants->entries.items[i];
        if (strlen(e->name) == length && memcmp(e->name, name, length) == 0)
            return e;
    }
    return NULL;
}

/* ---- reading ---- */

typedef struct scan {
    const char *text, *at, *end;
} scan;

static uint32_t column_of(const scan *s, const char *at)
{
    return (uint32_t)base_utf8_count(s->text, (size_t)(at - s->text)) + 1;
}

static void skip_blanks(scan *s)
{
    while (s->at < s->end && base_is_space(*s->at))
        s->at++;
}

/* The text at the position, up to a blank, '=' or ',', for a message. */
static const char *show_word(const scan *s, char *shown)
{
    const char *end = s->at;
    while (end < s->end && !base_is_space(*end) && *end != '=' && *end != ',')
        end++;
    if (end == s->at && end < s->end)
        end++;
    return opac_text_show(s->at, (size_t)(end - s->at), shown, OPAC_SHOWN_SIZE);
}

static opac_status read_name(scan *s, size_t *length, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const char *begin = s->at;
    if (s->at == s->end)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, column_of(s, s->at),
                            "expected the name of a constant, but the text ends here");
    if (!base_is_name_start(*s->at))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, column_of(s, s->at),
                            "expected the name of a constant, found '%s'", show_word(s, shown));
    while (s->at < s->end && (base_is_name_character(*s->at)))
        s->at++;
    *length = (size_t)(s->at - begin);
    skip_blanks(s);
    if (s->at < s->end && *s->at == '=') {
        s->at++;
        skip_blanks(s);
        return OPAC_OK;
    }
    opac_text_show(begin, *length, shown, sizeof shown);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, column_of(s, s->at),
                        "expected '=' and a value after the constant '%s'", shown);
}

/* Parses an integer with an optional sign; false if it is not one or does not fit in an int64_t. */
static bool read_integer(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    const char *at = text + (*text == '-' || *text == '+');
    uint64_t limit = negative ? UINT64_C(1) << 63 : INT64_MAX, result = 0;
    if (*at == '\0')
        return false;
    for (; base_is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (result > (limit - digit) / 10)
            return false;
        result = result * 10 + digit;
    }
    if (negative && result == limit)
        *value = INT64_MIN;
    else
        *value = negative ? -(int64_t)result : (int64_t)result;
    return *at == '\0';
}

/* Parses a value: true, false or a number. */
static opac_status read_value(const char *text, model_constant *value, opac_error *error)
{
    bool is_true = strcmp(text, "true") == 0;
    *value = (model_constant){.kind = MODEL_CONSTANT_BOOL, .integer = is_true, .text = text};
    if (is_true || strcmp(text, "false") == 0)
        return OPAC_OK;
    value->kind = MODEL_CONSTANT_INT;
    if (read_integer(text, &value->integer)) {
        value->real = (double)value->integer;
        return OPAC_OK;
    }
    TRY(opac_number_parse(text, &value->real, error));
    const char *unsigned_text = text + (*text == '+');
    base_ratio ratio = base_ratio_parse(unsigned_text, strlen(unsigned_text));
    if (base_ratio_is_known(ratio) && ratio.denominator == 1) {
        value->integer = ratio.numerator;
        value->real = (double)ratio.numerator;
    } else {
        value->kind = MODEL_CONSTANT_REAL;
    }
    return OPAC_OK;
}

/* A copy of the text up to the next comma, without blanks at the beginning and the end. */
static char *copy_value(scan *s)
{
    const char *begin = s->at;
    while (s->at < s->end && *s->at != ',')
        s->at++;
    const char *end = s->at;
    while (end > begin && base_is_space(end[-1]))
        end--;
    return base_copy_text(begin, (size_t)(end - begin));
}

/* Reads an entry, which must be zeroed. The caller frees its members, also after a failure. */
static opac_status read_entry(scan *s, const opac_constants *constants, entry *made,
                              opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_error inner = {0};
    size_t length = 0;
    skip_blanks(s);
    const char *name = s->at;
    TRY(read_name(s, &length, error));
    opac_text_show(name, length, shown, sizeof shown);
    if (find(constants, name, length) != NULL)
        return base_fail_at(error, OPAC_ERROR_ARGUMENT, 1, column_of(s, name),
                            "the constant '%s' is given twice", shown);
    const char *value = s->at;
    made->name = base_copy_text(name, length);
    made->text = copy_value(s);
    if (made->name == NULL || made->text == NULL)
        return base_fail_memory(error);
    opac_status status = read_value(made->text, &made->value, &inner);
    if (status == OPAC_OK)
        return OPAC_OK;
    char found[OPAC_SHOWN_SIZE];
    opac_text_show(made->text, strlen(made->text), found, sizeof found);
    if (status == OPAC_ERROR_SYNTAX)
        return base_fail_at(error, status, 1, column_of(s, value),
                            "the value '%s' of the constant '%s' must be a number, a fraction, "
                            "true or false",
                            found, shown);
    return base_fail_at(error, status, 1, column_of(s, value),
                        "the value '%s' of the constant '%s': %s", found, shown, inner.message);
}

opac_status opac_constants_add(opac_constants *constants, const char *text, opac_error *error)
{
    scan s = {text, text, text + strlen(text)};
    size_t before = constants->entries.count;
    opac_status status;
    entry made;
    do {
        made = (entry){0};
        TRY_OR(done, read_entry(&s, constants, &made, error));
        TRY_OR(done, entry_vec_push(&constants->entries, made, error));
    } while (s.at < s.end && *s.at++ == ',');
    return OPAC_OK;
done:
    base_free(made.name);
    base_free(made.text);
    release(&constants->entries, before);
    return status;
}

/* ---- lookup ---- */

/* An undefined constant: records its name as a suggestion for the given constants that are similar to it. */
static void add_suggestions(opac_constants *constants, const char *name, size_t length)
{
    char wanted[LONGEST_SUGGESTION];
    const char *candidate = wanted;
    if (length >= sizeof wanted)
        return;
    memcpy(wanted, name, length);
    wanted[length] = '\0';
    for (size_t i = 0; i < constants->entries.count; i++) {
        entry *e = &constants->entries.items[i];
        if (e->suggestion[0] == '\0' && opac_text_nearest(e->name, &candidate, 1) != NULL)
            memcpy(e->suggestion, wanted, length + 1);
    }
}

bool model_constants_use(opac_constants *constants, const char *name, size_t length,
                         model_constant *value)
{
    entry *found = constants != NULL ? find(constants, name, length) : NULL;
    if (found == NULL && constants != NULL)
        add_suggestions(constants, name, length);
    if (found == NULL)
        return false;
    found->is_used = true;
    *value = found->value;
    return true;
}

const char *opac_constants_unused(const opac_constants *constants)
{
    for (size_t i = 0; i < constants->entries.count; i++)
        if (!constants->entries.items[i].is_used)
            return constants->entries.items[i].name;
    return NULL;
}

const char *opac_constants_suggest(const opac_constants *constants, const char *name)
{
    const entry *found = find(constants, name, strlen(name));
    return found != NULL && found->suggestion[0] != '\0' ? found->suggestion : NULL;
}
