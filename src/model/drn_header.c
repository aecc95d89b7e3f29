/* SPDX-License-Identifier: MIT */
/*
 * Reads the header of a DRN file: items that begin with @, in any order, most of them with a value in the
 * next line, up to "@model". All repeated, unknown, missing and unsupported items are reported before the
 * states are read.
 */
#include <string.h>

#include <omegapac/text.h>

#include "model/drn.h"
#include "model/drn_reader.h"
#include "model/line_scanner.h"
#include "model/model_limits.h"

static const char *const item_names[DRN_ITEM_COUNT] = {
    "@type",       "@value_type", "@parameters", "@placeholders", "@reward_models",
    "@nr_players", "@nr_states",  "@nr_choices", "@model"};

/* The text in lower case, for comparison, in a buffer of OPAC_SHOWN_SIZE bytes. */
static const char *lower(const char *text, size_t length, char *buffer)
{
    opac_text_show(text, length, buffer, OPAC_SHOWN_SIZE);
    for (char *at = buffer; *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    return buffer;
}

static bool is_among(const char *text, const char *const *names)
{
    while (*names != NULL && strcmp(text, *names) != 0)
        names++;
    return *names != NULL;
}

/* ---- items with a value in the same line ---- */

static void read_type(drn_reader *reader)
{
    static const char *const others[] = {
        "ctmc", "ma", "markov automaton", "pomdp", "s2pg", "smg", "pta", "popta", "stpg", NULL};
    char shown[OPAC_SHOWN_SIZE], lowered[OPAC_SHOWN_SIZE];
    size_t length = (size_t)(reader->end - reader->at);
    lower(reader->at, length, lowered);
    if (strcmp(lowered, "dtmc") == 0)
        reader->header.type = OPAC_MODEL_DTMC;
    else if (strcmp(lowered, "mdp") == 0)
        reader->header.type = OPAC_MODEL_MDP;
    else if (is_among(lowered, others))
        drn_error(reader, OPAC_ERROR_UNSUPPORTED, reader->at, "%s models are not supported",
                  lowered);
    else
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at,
                  "expected a model type, DTMC or MDP, found '%s'",
                  opac_text_show(reader->at, length, shown, sizeof shown));
}

static void read_value_type(drn_reader *reader)
{
    static const char *const known[] = {"double", "rational", NULL};
    static const char *const others[] = {"double-interval", "rational-interval", "parametric",
                                         NULL};
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(reader->at, (size_t)(reader->end - reader->at), shown, sizeof shown);
    if (is_among(shown, others))
        drn_error(reader, OPAC_ERROR_UNSUPPORTED, reader->at, "%s models are not supported", shown);
    else if (!is_among(shown, known))
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at,
                  "expected a value type, double or rational, found '%s'", shown);
}

/* ---- items with a value in the next line ---- */

/* Reads the line after an item. If that begins the next item, it is left, and the item has no value. */
static opac_status next_value(drn_reader *reader, bool *found, opac_error *error)
{
    TRY(drn_next(reader, error));
    bool has_text = reader->line != NULL && reader->at < reader->end;
    *found = has_text && *reader->at != '@';
    if (has_text && !*found)
        reader->is_pushed_back = true;
    return OPAC_OK;
}

static opac_status read_parameters(drn_reader *reader, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    bool found;
    TRY(next_value(reader, &found, error));
    if (found)
        drn_error(
            reader, OPAC_ERROR_UNSUPPORTED, reader->at,
            "models with parameters are not supported (here: '%s')",
            opac_text_show(reader->at, (size_t)(reader->end - reader->at), shown, sizeof shown));
    return OPAC_OK;
}

static opac_status read_count(drn_reader *reader, drn_item item, uint64_t *count, uint32_t *line,
                              opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    bool found;
    TRY(next_value(reader, &found, error));
    base_slice word = {.bytes = reader->at, .length = (size_t)(reader->end - reader->at)};
    *line = reader->number;
    if (!found)
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at, "expected a number after %s",
                  item_names[item]);
    else if (!base_slice_number(word, UINT64_MAX, count))
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at, "expected a number after %s, found '%s'",
                  item_names[item], opac_text_show(word.bytes, word.length, shown, sizeof shown));
    return OPAC_OK;
}

static opac_status read_states(drn_reader *reader, opac_error *error)
{
    drn_header *header = &reader->header;
    uint32_t most = model_max_states(reader->options);
    uint64_t before = reader->report.error_count;
    TRY(read_count(reader, DRN_NR_STATES, &header->states, &header->states_line, error));
    if (reader->report.error_count > before)
        return OPAC_OK;
    if (header->states == 0)
        drn_error(reader, OPAC_ERROR_ARGUMENT, reader->at, "a model must have at least one state");
    if (header->states > most) {
        opac_error limit;
        base_fail_at(&limit, OPAC_ERROR_LIMIT, reader->number, drn_column(reader, reader->at),
                     "the model has %llu states, but the limit is %u",
                     (unsigned long long)header->states, (unsigned)most);
        base_set_parameter(&limit, "max_states", most);
        model_report_add(&reader->report, &limit);
    }
    return OPAC_OK;
}

/* ---- placeholders ---- */

static opac_status read_placeholder(drn_reader *reader, opac_error *error)
{
    drn_header *header = &reader->header;
    base_slice name = drn_read_word(reader);
    char shown[OPAC_SHOWN_SIZE];
    drn_number number;
    uint32_t id;
    bool is_new, found;
    opac_text_show(name.bytes, name.length, shown, sizeof shown);
    drn_skip_blanks(reader);
    if (name.length < 2 || name.bytes[0] != '$' || reader->at == reader->end ||
        *reader->at != ':') {
        drn_error(reader, OPAC_ERROR_SYNTAX, name.bytes, "expected '$name : value', found '%s'",
                  shown);
        return OPAC_OK;
    }
    reader->at++;
    drn_skip_blanks(reader);
    base_slice value = {.bytes = reader->at, .length = (size_t)(reader->end - reader->at)};
    TRY(drn_read_number(reader, value, &number, &found, error));
    if (!found)
        return OPAC_OK;
    TRY(drn_number_vec_reserve(&header->placeholder_values, header->placeholder_values.count + 1,
                               error));
    TRY(base_intern_add(&header->placeholders, name.bytes + 1, name.length - 1, &id, &is_new,
                        error));
    if (is_new)
        header->placeholder_values.items[header->placeholder_values.count++] = number;
    else
        drn_error(reader, OPAC_ERROR_SYNTAX, name.bytes, "the placeholder '%s' is defined twice",
                  shown);
    return OPAC_OK;
}

static opac_status read_placeholders(drn_reader *reader, opac_error *error)
{
    for (;;) {
        bool found;
        TRY(next_value(reader, &found, error));
        if (found && !drn_at_comment(reader))
            TRY(read_placeholder(reader, error));
        if (reader->line == NULL || reader->is_pushed_back)
            return OPAC_OK;
    }
}

/* ---- comments ---- */

/* In files written by omegapac: "// label name" or "// label "two words"". */
static opac_status read_label_comment(drn_reader *reader, opac_error *error)
{
    uint32_t id;
    const char *name = reader->at;
    size_t length = (size_t)(reader->end - name);
    if (length >= 2 && name[0] == '"' && name[length - 1] == '"') {
        name++;
        length -= 2;
    }
    if (length == 0 || memchr(name, '"', length) != NULL)
        return OPAC_OK;
    return base_intern_add(&reader->header.labels, name, length, &id, NULL, error);
}

/* Parses a range such as "[-1..3]". */
static bool read_range(base_slice word, int64_t *low, int64_t *high)
{
    const char *at = word.bytes + 1, *end = word.bytes + word.length;
    if (word.length == 0 || word.bytes[0] != '[' || !model_parse_integer(&at, end, low) ||
        end - at < 2 || memcmp(at, "..", 2) != 0)
        return false;
    at += 2;
    return model_parse_integer(&at, end, high) && end - at == 1 && *at == ']';
}

/* "// variable x [0..3]", "// variable done bool". */
static opac_status read_variable_comment(drn_reader *reader, opac_error *error)
{
    int64_t low = 0, high = 1;
    base_slice name = drn_read_word(reader);
    drn_skip_blanks(reader);
    base_slice range = {.bytes = reader->at, .length = (size_t)(reader->end - reader->at)};
    if (base_slice_is(range, "bool"))
        return drn_values_declare(&reader->values, name.bytes, name.length, OPAC_VALUE_BOOL, 0, 1,
                                  error);
    if (!read_range(range, &low, &high))
        return OPAC_OK;
    return drn_values_declare(&reader->values, name.bytes, name.length, OPAC_VALUE_INT, low, high,
                              error);
}

static bool skip_prefix(drn_reader *reader, const char *prefix)
{
    size_t length = strlen(prefix);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, prefix, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static opac_status read_comment(drn_reader *reader, bool *is_ours, opac_error *error)
{
    if (reader->number == 1)
        *is_ours = skip_prefix(reader, DRN_SIGNATURE);
    else if (*is_ours && skip_prefix(reader, DRN_LABEL))
        return read_label_comment(reader, error);
    else if (*is_ours && skip_prefix(reader, DRN_VARIABLE))
        return read_variable_comment(reader, error);
    return OPAC_OK;
}

/* ---- the whole header ---- */

/* The item that the line begins, or DRN_ITEM_COUNT. Skips the name and an optional colon. */
static drn_item find_item(drn_reader *reader)
{
    base_slice word = {.bytes = reader->at};
    while (reader->at < reader->end && !base_is_blank(*reader->at) && *reader->at != ':')
        reader->at++;
    word.length = (size_t)(reader->at - word.bytes);
    int item = 0;
    while (item < DRN_ITEM_COUNT && !base_slice_is(word, item_names[item]))
        item++;
    drn_skip_blanks(reader);
    if (reader->at < reader->end && *reader->at == ':')
        reader->at++;
    drn_skip_blanks(reader);
    return (drn_item)item;
}

static void refuse_item(drn_reader *reader, const char *at)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t length = (size_t)(reader->end - at);
    opac_text_show(at, length, shown, sizeof shown);
    const char *near = at[0] == '@' ? opac_text_nearest(shown, item_names, DRN_ITEM_COUNT) : NULL;
    drn_error(reader, OPAC_ERROR_SYNTAX, at,
              "expected an item of the header such as @type: or @model, found '%s'%s%s%s", shown,
              near != NULL ? "; did you mean " : "", near != NULL ? near : "",
              near != NULL ? "?" : "");
}

static opac_status read_item(drn_reader *reader, opac_error *error)
{
    drn_header *header = &reader->header;
    const char *begin = reader->at;
    uint64_t players = 0;
    uint32_t line;
    bool found;
    drn_item item = find_item(reader);
    if (item == DRN_ITEM_COUNT) {
        refuse_item(reader, begin);
        return OPAC_OK;
    }
    if (header->seen[item] > 0)
        drn_error(reader, OPAC_ERROR_SYNTAX, begin, "%s is repeated; line %u already has it",
                  item_names[item], header->seen[item]);
    header->seen[item] = reader->number;
    if (item > DRN_VALUE_TYPE && reader->at < reader->end)
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at, "expected the end of the line after %s",
                  item_names[item]);
    switch (item) {
    case DRN_TYPE:
        read_type(reader);
        break;
    case DRN_VALUE_TYPE:
        read_value_type(reader);
        break;
    case DRN_PARAMETERS:
        return read_parameters(reader, error);
    case DRN_PLACEHOLDERS:
        return read_placeholders(reader, error);
    case DRN_REWARD_MODELS: /* rewards are ignored */
        return next_value(reader, &found, error);
    case DRN_NR_PLAYERS:
        return read_count(reader, item, &players, &line, error);
    case DRN_NR_STATES:
        return read_states(reader, error);
    case DRN_NR_CHOICES:
        return read_count(reader, item, &header->choices, &header->choices_line, error);
    case DRN_MODEL:
    case DRN_ITEM_COUNT:
        break;
    }
    return OPAC_OK;
}

static void check_header(drn_reader *reader)
{
    const uint32_t *seen = reader->header.seen;
    if (seen[DRN_MODEL] == 0) {
        if (!model_report_has_errors(&reader->report))
            drn_error(reader, OPAC_ERROR_SYNTAX, reader->line,
                      "the file ends before @model, which must precede the states");
    } else if (seen[DRN_TYPE] == 0 || seen[DRN_NR_STATES] == 0) {
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->line, "missing before @model: %s%s%s",
                  seen[DRN_TYPE] == 0 ? "@type:" : "",
                  seen[DRN_TYPE] == 0 && seen[DRN_NR_STATES] == 0 ? ", " : "",
                  seen[DRN_NR_STATES] == 0 ? "@nr_states" : "");
    }
}

/*
 * Whether to stop reading: there are too many errors, or the first item is an error, in which case the file
 * is probably not in this format.
 */
static bool is_abandoned(const drn_reader *reader)
{
    if (!model_report_has_errors(&reader->report))
        return false;
    for (int item = 0; item < DRN_ITEM_COUNT; item++)
        if (reader->header.seen[item] > 0)
            return reader->report.error_count >= MODEL_MOST_ERRORS;
    return true;
}

opac_status drn_read_header(drn_reader *reader, opac_error *error)
{
    bool is_ours = false;
    while (reader->header.seen[DRN_MODEL] == 0 && !is_abandoned(reader)) {
        TRY(drn_next(reader, error));
        if (reader->line == NULL)
            break;
        if (reader->at == reader->end)
            continue;
        if (drn_at_comment(reader))
            TRY(read_comment(reader, &is_ours, error));
        else
            TRY(read_item(reader, error));
    }
    check_header(reader);
    return OPAC_OK;
}
