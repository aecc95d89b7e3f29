/* SPDX-License-Identifier: MIT */
/*
 * Reads PRISM's states files:
 *
 *     (x,done)
 *     0:(3,false)
 *     1:(4,true)
 *
 * The values of a variable determine whether it is Boolean or an integer, and its range. The file is
 * therefore read twice: first for the ranges, then for the values, which are packed by these ranges.
 */
#include <string.h>

#include <omegapac/text.h>

#include "model/explicit_read.h"

/* The type and range of a variable, by the values read so far. */
typedef struct column {
    opac_value_type type;
    int64_t low, high;
} column;

BASE_VEC(column_vec, column);

typedef struct sta {
    model_reader reader;
    opac_model *model;
    column_vec columns;
    base_intern names; /* of the columns */
    base_bitset seen;  /* states that have a line */
    uint32_t header_line;
    bool is_second; /* in the second pass, which stores the values */
} sta;

/* ---- the header ---- */

static opac_status add_column(sta *s, const char *name, size_t length, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const model_scanner *line = &s->reader.line;
    bool is_new;
    uint32_t id;
    if (length == 0)
        return model_scanner_expected(&s->reader.line, "the name of a variable", error);
    TRY(base_intern_add(&s->names, name, length, &id, &is_new, error));
    opac_text_show(name, length, shown, sizeof shown);
    if (memchr(name, '\0', length) != NULL)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name),
                            "the name of the variable contains a NUL byte");
    if (!is_new)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name), "the variable '%s' is declared twice",
                            shown);
    return column_vec_push(&s->columns, (column){.low = INT64_MAX, .high = INT64_MIN}, error);
}

/* Reads up to ',', ')' or the end of the line, without blanks at the beginning and the end. */
static const char *read_item(model_scanner *line, size_t *length)
{
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    while (line->at < line->end && *line->at != ',' && *line->at != ')')
        line->at++;
    const char *end = line->at;
    while (end > begin && base_is_space(end[-1]))
        end--;
    *length = (size_t)(end - begin);
    return begin;
}

static opac_status read_names(sta *s, opac_error *error)
{
    model_scanner *line = &s->reader.line;
    if (!model_scanner_accept(line, '('))
        return model_scanner_expected(line, "the names of the variables, as in (x,y)", error);
    if (!model_scanner_accept(line, ')')) {
        do {
            size_t length;
            const char *name = read_item(line, &length);
            TRY(add_column(s, name, length, error));
        } while (model_scanner_accept(line, ','));
        if (!model_scanner_accept(line, ')'))
            return model_scanner_expected(line, "',' or ')'", error);
    }
    if (!model_scanner_at_end(line))
        return model_scanner_expected(line, "the end of the line", error);
    return OPAC_OK;
}

static opac_status read_header(sta *s, opac_error *error)
{
    TRY(model_reader_next(&s->reader, error));
    s->header_line = s->reader.line.number;
    if (s->reader.at_end)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, s->header_line, 1,
                            "expected the names of the variables, as in (x,y), but the file is "
                            "empty");
    return s->is_second ? OPAC_OK : read_names(s, error);
}

/* ---- values ---- */

static bool read_word(model_scanner *line, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(line->end - line->at) < length || memcmp(line->at, word, length) != 0)
        return false;
    line->at += length;
    return true;
}

static opac_status read_value(sta *s, size_t index, bool is_first, int64_t *value,
                              opac_error *error)
{
    model_scanner *line = &s->reader.line;
    column *of = &s->columns.items[index];
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    opac_value_type type = OPAC_VALUE_BOOL;
    if (read_word(line, "true")) {
        *value = 1;
    } else if (read_word(line, "false")) {
        *value = 0;
    } else if (model_parse_integer(&line->at, line->end, value)) {
        type = OPAC_VALUE_INT;
    } else {
        line->at = begin;
        return model_scanner_expected(line, "an integer, true or false", error);
    }
    if (is_first)
        of->type = type;
    if (of->type != type)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin),
                            "expected %s for variable %zu, as in the lines above",
                            of->type == OPAC_VALUE_BOOL ? "true or false" : "an integer", index);
    of->low = *value < of->low ? *value : of->low;
    of->high = *value > of->high ? *value : of->high;
    return OPAC_OK;
}

static opac_status read_values(sta *s, uint32_t state, bool is_first, opac_error *error)
{
    model_scanner *line = &s->reader.line;
    model_layout *layout = &s->model->layout;
    uint64_t *row =
        s->is_second && layout->words > 0 ? s->model->rows + (size_t)state * layout->words : NULL;
    for (size_t i = 0; i < s->columns.count; i++) {
        int64_t value = 0;
        if (i > 0 && !model_scanner_accept(line, ','))
            return model_scanner_expected(line, "',' and the value of the next variable", error);
        TRY(read_value(s, i, is_first, &value, error));
        if (row == NULL)
            continue;
        if (value < layout->variables[i].low || value > layout->variables[i].high)
            return base_fail_at(error, OPAC_ERROR_IO, line->number, 1,
                                "the file changed while it was read");
        model_value_set(&layout->variables[i], row, value);
    }
    if (!model_scanner_accept(line, ')'))
        return model_scanner_expected(line, "')' after the value of the last variable", error);
    return model_scanner_at_end(line) ? OPAC_OK
                                      : model_scanner_expected(line, "the end of the line", error);
}

/* Reads the values of a state, such as 7:(3,false). */
static opac_status read_state(sta *s, bool is_first, opac_error *error)
{
    model_scanner *line = &s->reader.line;
    uint64_t state;
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    if (!model_scanner_uint(line, &state))
        return model_scanner_expected(line, "the number of a state", error);
    if (state >= s->model->process.state_count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin),
                            "state %llu does not exist: the model has %u states",
                            (unsigned long long)state, (unsigned)s->model->process.state_count);
    if (!s->is_second && base_bitset_has(&s->seen, (size_t)state))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin), "state %llu has two lines",
                            (unsigned long long)state);
    base_bitset_add(&s->seen, (size_t)state);
    if (!model_scanner_accept(line, ':'))
        return model_scanner_expected(line, "':' and the values of the variables", error);
    if (!model_scanner_accept(line, '('))
        return model_scanner_expected(line, "'(' and the values of the variables", error);
    return read_values(s, (uint32_t)state, is_first, error);
}

static opac_status read_states(sta *s, opac_error *error)
{
    bool is_first = !s->is_second;
    TRY(read_header(s, error));
    for (;;) {
        TRY(model_reader_next(&s->reader, error));
        if (s->reader.at_end)
            return OPAC_OK;
        TRY(read_state(s, is_first, error));
        is_first = false;
    }
}

/* ---- between the two passes ---- */

static opac_status check_all(const sta *s, opac_error *error)
{
    const model_scanner *line = &s->reader.line;
    for (size_t state = 0; state < s->seen.size; state++)
        if (!base_bitset_has(&s->seen, state))
            return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, 1,
                                "state %zu is missing: the model has %zu states", state,
                                s->seen.size);
    return OPAC_OK;
}

static opac_status add_variable(sta *s, size_t index, opac_error *error)
{
    const column *of = &s->columns.items[index];
    bool is_bool = of->type == OPAC_VALUE_BOOL;
    char shown[OPAC_SHOWN_SIZE];
    opac_error inner = {0};
    size_t length;
    const char *name = (const char *)base_intern_key(&s->names, (uint32_t)index, &length);
    char *copy = base_copy_text(name, length);
    if (copy == NULL)
        return base_fail_memory(error);
    opac_status status = model_layout_add(&s->model->layout, copy, of->type, is_bool ? 0 : of->low,
                                          is_bool ? 1 : of->high, &inner);
    if (status == OPAC_ERROR_LIMIT)
        base_fail_at(error, status, s->header_line, 1, "variable '%s': %s",
                     opac_text_show(name, length, shown, sizeof shown), inner.message);
    else if (status != OPAC_OK)
        base_fail_memory(error);
    base_free(copy);
    return status;
}

/* Makes the layout from the ranges, and rows of zeros. */
static opac_status make_layout(sta *s, opac_error *error)
{
    opac_model *model = s->model;
    for (size_t i = 0; i < s->columns.count; i++)
        TRY(add_variable(s, i, error));
    if (model->layout.words == 0)
        return OPAC_OK;
    model->rows =
        base_alloc_zeroed(model->process.state_count, model->layout.words * sizeof *model->rows);
    return model->rows != NULL ? OPAC_OK : base_fail_memory(error);
}

static opac_status read_twice(sta *s, opac_error *error)
{
    TRY(base_bitset_init(&s->seen, s->model->process.state_count, error));
    TRY(read_states(s, error));
    TRY(check_all(s, error));
    TRY(make_layout(s, error));
    if (s->model->layout.words == 0)
        return OPAC_OK;
    s->is_second = true;
    TRY(model_reader_rewind(&s->reader, error));
    return read_states(s, error);
}

opac_status model_sta_read(const model_source *source, opac_model *model, opac_error *error)
{
    sta s = {.model = model};
    base_intern_init(&s.names);
    opac_status status = model_reader_open(&s.reader, source, "reading states", error);
    if (status == OPAC_OK)
        status = read_twice(&s, error);
    base_intern_fini(&s.names);
    column_vec_fini(&s.columns);
    base_bitset_fini(&s.seen);
    return model_reader_close(&s.reader, status, error);
}
