/* SPDX-License-Identifier: MIT */
/*
 * Parses and writes the lines of the protocol. An answer is split into words in one pass. Labels and actions
 * are parsed and checked only when their text has not occurred before (state_table.h).
 */
#include "env/protocol.h"

#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "base/digits.h"
#include "base/utf8.h"

static const char magic[] = "omegapac-env";

enum {
    FEW_NAMES = 8, /* up to this number, names are compared pairwise to find repetitions */
    SHOWN = 80     /* size of a quoted word in a message */
};

/* ---- words ---- */

/* Takes the next word off a text; false if there is none. */
static bool next_word(base_slice *text, base_slice *word)
{
    const char *at = text->bytes, *end = at + text->length;
    while (at < end && base_is_blank(*at))
        at++;
    const char *begin = at;
    while (at < end && !base_is_blank(*at))
        at++;
    *word = (base_slice){begin, (size_t)(at - begin)};
    *text = (base_slice){at, (size_t)(end - at)};
    return word->length > 0;
}

bool protocol_next_item(base_slice *list, bool *at_end, base_slice *item)
{
    if (*at_end)
        return false;
    const char *comma = list->length > 0 ? memchr(list->bytes, ',', list->length) : NULL;
    *at_end = comma == NULL;
    item->bytes = list->bytes;
    item->length = comma == NULL ? list->length : (size_t)(comma - list->bytes);
    size_t past = item->length + (comma == NULL ? 0 : 1);
    *list = (base_slice){list->bytes + past, list->length - past};
    return true;
}

/* Whether a word is UTF-8 without control characters, so that it can be shown and written as it is. */
static bool is_clean(base_slice word)
{
    for (size_t i = 0; i < word.length;) {
        unsigned char c = (unsigned char)word.bytes[i];
        size_t length =
            c < 0x80 ? c >= 0x20 && c != 0x7F : base_utf8_length(word.bytes + i, word.length - i);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

static size_t skip_digits(base_slice word, size_t at)
{
    while (at < word.length && base_is_digit(word.bytes[at]))
        at++;
    return at;
}

/* Whether a word is a number of any form (3, -1, 4.0, 1e3), which is not accepted as a name. */
static bool is_number(base_slice word)
{
    size_t at = 0, begin;
    if (at < word.length && (word.bytes[at] == '-' || word.bytes[at] == '+'))
        at++;
    begin = at;
    at = skip_digits(word, at);
    size_t digits = at - begin;
    if (at < word.length && word.bytes[at] == '.') {
        begin = ++at;
        at = skip_digits(word, at);
        digits += at - begin;
    }
    if (digits == 0)
        return false;
    if (at < word.length && (word.bytes[at] == 'e' || word.bytes[at] == 'E')) {
        at++;
        if (at < word.length && (word.bytes[at] == '-' || word.bytes[at] == '+'))
            at++;
        begin = at;
        at = skip_digits(word, at);
        if (at == begin)
            return false;
    }
    return at == word.length;
}

/* Sets an error whose message quotes a word. */
static opac_status fail_word(opac_error *error, const char *before, base_slice word,
                             const char *after)
{
    char shown[SHOWN];
    return base_fail(error, OPAC_ERROR_SIMULATOR, "%s\"%s\"%s", before,
                     opac_text_show(word.bytes, word.length, shown, sizeof shown), after);
}

/* ---- greetings ---- */

static opac_status read_option(base_slice word, protocol_greeting *g, opac_error *error)
{
    static const char lanes[] = "lanes=";
    size_t prefix = sizeof lanes - 1;
    uint64_t number;
    if (base_slice_is(word, "start=fixed") || base_slice_is(word, "start=random")) {
        g->random_start = base_slice_is(word, "start=random");
        return OPAC_OK;
    }
    if (base_slice_is(word, "outcomes=yes")) {
        g->tells_outcomes = true;
        return OPAC_OK;
    }
    if (word.length < prefix || memcmp(word.bytes, lanes, prefix) != 0)
        return fail_word(error, "unknown option ", word,
                         ": expected lanes=N, start=fixed, start=random or outcomes=yes");
    base_slice value = {word.bytes + prefix, word.length - prefix};
    if (!base_slice_number(value, PROTOCOL_MAX_LANES, &number) || number == 0)
        return fail_word(error, "", word, ": expected a number of lanes from 1 to 4096");
    g->lanes = (uint32_t)number;
    return OPAC_OK;
}

static opac_status read_proposition(base_slice word, protocol_greeting *g, opac_error *error)
{
    uint32_t id;
    bool is_new;
    if (base_slice_is(word, "-") || base_slice_is(word, ";") ||
        memchr(word.bytes, ',', word.length) != NULL)
        return fail_word(error, "", word, " is not a valid proposition");
    if (!is_clean(word))
        return fail_word(error, "the proposition ", word,
                         " must be UTF-8 without control characters");
    TRY(base_intern_add(&g->names, word.bytes, word.length, &id, &is_new, error));
    if (!is_new)
        return fail_word(error, "the proposition ", word, " occurs twice");
    return OPAC_OK;
}

/* Whether a word begins with a byte order mark, which would be invisible in a message. */
static bool has_byte_order_mark(base_slice word)
{
    return word.length > 3 && memcmp(word.bytes, "\xEF\xBB\xBF", 3) == 0;
}

static opac_status read_words(base_slice text, protocol_greeting *g, opac_error *error)
{
    base_slice word;
    bool has_word = next_word(&text, &word);
    if (has_word && has_byte_order_mark(word))
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "expected \"%s 1 PROP PROP ...\" without a byte order mark", magic);
    if (!has_word || !base_slice_is(word, magic))
        return base_fail(error, OPAC_ERROR_SIMULATOR, "expected \"%s 1 PROP PROP ...\"", magic);
    if (!next_word(&text, &word))
        return base_fail(error, OPAC_ERROR_SIMULATOR, "expected the version, \"%s 1\"", magic);
    if (!base_slice_is(word, "1"))
        return fail_word(error, "unknown protocol version ", word, ": expected 1");
    bool has_lanes = false, has_start = false, has_outcomes = false;
    while (next_word(&text, &word)) {
        if (memchr(word.bytes, '=', word.length) == NULL) {
            TRY(read_proposition(word, g, error));
            continue;
        }
        bool *has = word.bytes[0] == 'l'   ? &has_lanes
                    : word.bytes[0] == 'o' ? &has_outcomes
                                           : &has_start;
        TRY(read_option(word, g, error));
        if (*has)
            return fail_word(error, "", word, " occurs twice");
        *has = true;
    }
    return OPAC_OK;
}

opac_status protocol_read_greeting(const char *line, size_t length, protocol_greeting *greeting,
                                   opac_error *error)
{
    *greeting = (protocol_greeting){.lanes = 1, .random_start = true};
    base_intern_init(&greeting->names);
    opac_status status = read_words((base_slice){line, length}, greeting, error);
    if (status != OPAC_OK)
        protocol_greeting_fini(greeting);
    return status;
}

void protocol_greeting_fini(protocol_greeting *greeting)
{
    base_intern_fini(&greeting->names);
}

bool protocol_greeting_equals(const protocol_greeting *left, const protocol_greeting *right)
{
    if (left->lanes != right->lanes || left->random_start != right->random_start ||
        left->tells_outcomes != right->tells_outcomes || left->names.count != right->names.count)
        return false;
    for (uint32_t i = 0; i < left->names.count; i++) {
        size_t length, other;
        const unsigned char *name = base_intern_key(&left->names, i, &length);
        const unsigned char *same = base_intern_key(&right->names, i, &other);
        if (length != other || memcmp(name, same, length) != 0)
            return false;
    }
    return true;
}

/* ---- answers ---- */

static bool is_separator(base_slice word)
{
    return word.length == 1 && word.bytes[0] == ';';
}

/* Takes the words of an answer off the line. *has_more: a separator follows them. */
static opac_status read_answer(bool has_pair, base_slice *line, protocol_answer *answer,
                               bool *has_more, opac_error *error)
{
    static const char *const found[] = {"nothing", "one", "two", "three"};
    static const char *const expected[] = {"three words, STATE LABELS ACTIONS",
                                           "four words, STATE LABELS ACTIONS CLASS/OUTCOME"};
    base_slice *const words[] = {&answer->state, &answer->labels, &answer->actions, &answer->pair};
    char before[SHOWN];
    base_slice more;
    answer->pair = (base_slice){NULL, 0};
    for (int i = 0; i < (has_pair ? 4 : 3); i++)
        if (!next_word(line, words[i]) || is_separator(*words[i]))
            return base_fail(error, OPAC_ERROR_SIMULATOR,
                             "expected %s, found %s; other output must go to standard error",
                             expected[has_pair], found[i]);
    *has_more = next_word(line, &more);
    if (!*has_more || is_separator(more))
        return OPAC_OK;
    snprintf(before, sizeof before, "expected %s, found a %s, ", expected[has_pair],
             has_pair ? "fifth" : "fourth");
    return fail_word(
        error, before, more,
        "; a state must not contain blanks, and other output must go to standard error");
}

opac_status protocol_read_pair(base_slice pair, bool is_reset, base_slice *row_class,
                               base_slice *outcome, opac_error *error)
{
    *row_class = *outcome = (base_slice){NULL, 0};
    if (is_reset)
        return base_slice_is(pair, "-")
                   ? OPAC_OK
                   : fail_word(error, "expected \"-\" as fourth word after a reset, found ", pair,
                               "");
    const char *slash = memchr(pair.bytes, '/', pair.length);
    if (slash == NULL || slash == pair.bytes || slash + 1 == pair.bytes + pair.length)
        return fail_word(error, "expected CLASS/OUTCOME as fourth word, found ", pair, "");
    if (!is_clean(pair))
        return fail_word(error, "the pair ", pair, " must be UTF-8 without control characters");
    *row_class = (base_slice){pair.bytes, (size_t)(slash - pair.bytes)};
    *outcome = (base_slice){slash + 1, pair.length - row_class->length - 1};
    return OPAC_OK;
}

opac_status protocol_next_answer(const protocol_greeting *greeting, base_slice *line, uint32_t lane,
                                 protocol_answer *answer, opac_error *error)
{
    bool has_more = false;
    uint32_t lanes = greeting->lanes;
    TRY(read_answer(greeting->tells_outcomes, line, answer, &has_more, error));
    if (has_more == (lane + 1 < lanes))
        return OPAC_OK;
    if (has_more)
        return base_fail(error, OPAC_ERROR_SIMULATOR, "expected %u answer%s, found more",
                         (unsigned)lanes, lanes > 1 ? "s" : "");
    return base_fail(error, OPAC_ERROR_SIMULATOR, "expected %u answers, found %u", (unsigned)lanes,
                     (unsigned)lane + 1);
}

base_slice protocol_lane_part(base_slice line, uint32_t lane)
{
    base_slice word, part = {line.bytes, 0};
    while (next_word(&line, &word)) {
        if (is_separator(word) && lane-- == 0)
            break;
        if (is_separator(word))
            part = (base_slice){line.bytes, 0};
        else if (part.length == 0)
            part = word;
        else
            part.length = (size_t)(word.bytes + word.length - part.bytes);
    }
    return part;
}

opac_status protocol_check_state(base_slice state, opac_error *error)
{
    if (is_clean(state))
        return OPAC_OK;
    return fail_word(error, "the state ", state, " must be UTF-8 without control characters");
}

size_t protocol_label_words(const protocol_greeting *greeting)
{
    return greeting->names.count / 64 + 1;
}

opac_status protocol_read_labels(const protocol_greeting *greeting, base_slice labels,
                                 uint64_t *bits, opac_error *error)
{
    base_slice item;
    bool at_end = base_slice_is(labels, "-");
    memset(bits, 0, protocol_label_words(greeting) * sizeof *bits);
    while (protocol_next_item(&labels, &at_end, &item)) {
        uint32_t id;
        if (item.length == 0)
            return base_fail(error, OPAC_ERROR_SIMULATOR,
                             "expected propositions separated by commas, or \"-\" for none");
        if (!base_intern_find(&greeting->names, item.bytes, item.length, &id))
            return fail_word(error, "the proposition ", item,
                             " is not in the greeting, which must list all propositions");
        uint64_t bit = UINT64_C(1) << id % 64;
        if ((bits[id / 64] & bit) != 0)
            return fail_word(error, "the proposition ", item, " occurs twice");
        bits[id / 64] |= bit;
    }
    return OPAC_OK;
}

/* ---- actions ---- */

static opac_status check_name(base_slice name, opac_error *error)
{
    if (name.length == 0)
        return base_fail(error, OPAC_ERROR_SIMULATOR, "expected action names separated by commas");
    if (base_slice_is(name, "-") || base_slice_is(name, ";") || is_number(name))
        return fail_word(error, "expected the number of actions or their names, found ", name, "");
    if (!is_clean(name))
        return fail_word(error, "the action ", name, " must be UTF-8 without control characters");
    return OPAC_OK;
}

static bool is_same(base_slice left, base_slice right)
{
    return left.length == right.length && memcmp(left.bytes, right.bytes, left.length) == 0;
}

/* Fails if one of the first `before` items of the list is the same name. Uses the table if there is one,
 * else compares. */
static opac_status check_new(base_slice list, uint32_t before, base_slice name, base_intern *table,
                             opac_error *error)
{
    base_slice item;
    bool at_end = false, is_new = true;
    uint32_t id;
    if (table != NULL)
        TRY(base_intern_add(table, name.bytes, name.length, &id, &is_new, error));
    else
        for (uint32_t i = 0; i < before && protocol_next_item(&list, &at_end, &item); i++)
            is_new &= !is_same(item, name);
    return is_new ? OPAC_OK : fail_word(error, "the action ", name, " occurs twice");
}

static opac_status check_names(base_slice list, uint32_t count, base_intern *table,
                               opac_error *error)
{
    base_slice rest = list, name;
    bool at_end = false;
    for (uint32_t i = 0; i < count; i++) {
        protocol_next_item(&rest, &at_end, &name);
        TRY(check_name(name, error));
        TRY(check_new(list, i, name, table, error));
    }
    return OPAC_OK;
}

static opac_status fail_too_many(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_SIMULATOR, "a state may have at most %d actions",
                     PROTOCOL_MAX_ACTIONS);
}

opac_status protocol_read_actions(base_slice actions, uint32_t *count, bool *are_named,
                                  opac_error *error)
{
    uint64_t number;
    uint32_t commas = 0;
    base_intern table;
    *are_named = false;
    if (base_slice_number(actions, PROTOCOL_MAX_ACTIONS, &number)) {
        *count = (uint32_t)number;
        return OPAC_OK;
    }
    if (actions.length > 0 && skip_digits(actions, 0) == actions.length)
        return fail_too_many(error);
    for (size_t i = 0; i < actions.length && commas < PROTOCOL_MAX_ACTIONS; i++)
        commas += actions.bytes[i] == ',';
    if (commas == PROTOCOL_MAX_ACTIONS)
        return fail_too_many(error);
    *are_named = true;
    *count = commas + 1;
    if (*count <= FEW_NAMES)
        return check_names(actions, *count, NULL, error);
    base_intern_init(&table);
    opac_status status = check_names(actions, *count, &table, error);
    base_intern_fini(&table);
    return status;
}

/* ---- requests ---- */

static void add_number(base_text *text, uint64_t number)
{
    char digits[BASE_MAX_DIGITS], *end = digits + sizeof digits, *begin = base_digits(number, end);
    base_text_add_bytes(text, begin, (size_t)(end - begin));
}

void protocol_write_reset(base_text *text, uint64_t seed)
{
    base_text_add_bytes(text, "reset ", 6);
    add_number(text, seed);
}

void protocol_write_step(base_text *text, uint32_t action)
{
    base_text_add_bytes(text, "step ", 5);
    add_number(text, action);
}

void protocol_write_named_step(base_text *text, const char *name)
{
    base_text_add_bytes(text, "step ", 5);
    base_text_add(text, name);
}
