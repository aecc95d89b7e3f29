/* SPDX-License-Identifier: MIT */
/*
 * Reads PRISM's labels files:
 *
 *     0="init" 1="deadlock" 2="goal"
 *     0: 0
 *     7: 1 2
 *
 * Labels are numbered from 0. A state may have several lines or none. "deadlock" holds in the states for
 * which the file says so, because a .tra file that was written has self-loops in deadlocks, and in the
 * states without transitions.
 */
#include <string.h>

#include <omegapac/text.h>

#include "model/explicit_read.h"
#include "model/model_limits.h"

typedef struct lab {
    model_reader reader;
    opac_model *model;
    base_intern names;  /* of the header, in its order */
    base_u32_vec label; /* by number in the header: the label of the model */
    bool has_init;      /* whether "init" is in the header */
    base_bitset given;  /* the initial states that the .tra names, if any */
    uint32_t header_line;
    uint64_t max_memory;
} lab;

/*
 * Limits the memory of the labels, each of which is a bitset over all states, for long headers and many
 * states. The first 256 labels are limited only by max_memory.
 */
static opac_status check_size(const lab *l, const char *name, opac_error *error)
{
    const model_scanner *line = &l->reader.line;
    uint64_t bytes = ((uint64_t)l->model->labels.count + 1) * (l->model->process.state_count / 8);
    if (bytes <= l->max_memory && (l->model->labels.count < 256 || bytes <= UINT64_C(1) << 31))
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_LIMIT, line->number, model_scanner_column(line, name),
                        "too much memory is needed for more than %zu labels of %u states each",
                        l->model->labels.count, (unsigned)l->model->process.state_count);
}

static opac_status add_label(lab *l, const char *name, size_t length, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const model_scanner *line = &l->reader.line;
    uint32_t id, label = MODEL_LABEL_INIT;
    bool is_new;
    TRY(base_intern_add(&l->names, name, length, &id, &is_new, error));
    if (!is_new)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name), "the label '%s' is declared twice",
                            opac_text_show(name, length, shown, sizeof shown));
    if (length == 4 && memcmp(name, "init", 4) == 0) {
        l->has_init = true;
    } else if (length == 8 && memcmp(name, "deadlock", 8) == 0) {
        label = MODEL_LABEL_DEADLOCK;
    } else {
        label = (uint32_t)l->model->labels.count;
        TRY(check_size(l, name, error));
        TRY(model_label_add(l->model, name, length, error));
    }
    return base_u32_vec_push(&l->label, label, error);
}

/* Reads a declaration such as 2="goal". */
static opac_status read_declaration(lab *l, opac_error *error)
{
    model_scanner *line = &l->reader.line;
    uint64_t number;
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    if (!model_scanner_uint(line, &number))
        return model_scanner_expected(line, "labels, as in 0=\"init\" 1=\"deadlock\"", error);
    if (number != l->label.count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin),
                            "expected label %zu, found %llu: labels must be numbered from 0",
                            l->label.count, (unsigned long long)number);
    if (!model_scanner_accept(line, '='))
        return model_scanner_expected(line, "'=' and a name in quotes", error);
    if (!model_scanner_accept(line, '"'))
        return model_scanner_expected(line, "a name in quotes", error);
    const char *name = line->at;
    const char *quote = memchr(name, '"', (size_t)(line->end - name));
    if (quote == NULL)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name - 1),
                            "the closing quotation mark is missing");
    if (quote == name)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name), "the name of the label is empty");
    if (memchr(name, '\0', (size_t)(quote - name)) != NULL)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, name),
                            "the name of the label contains a NUL byte");
    line->at = quote + 1;
    return add_label(l, name, (size_t)(quote - name), error);
}

static opac_status read_header(lab *l, opac_error *error)
{
    TRY(model_reader_next(&l->reader, error));
    l->header_line = l->reader.line.number;
    if (l->reader.at_end)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "expected labels, as in 0=\"init\" 1=\"deadlock\", but the file is "
                            "empty");
    while (!model_scanner_at_end(&l->reader.line))
        TRY(read_declaration(l, error));
    return OPAC_OK;
}

/* Reads the labels of a state, such as 7: 1 2. */
static opac_status read_state(lab *l, opac_error *error)
{
    model_scanner *line = &l->reader.line;
    uint64_t state, number;
    const char *begin = line->at;
    if (!model_scanner_uint(line, &state))
        return model_scanner_expected(line, "the number of a state", error);
    if (state >= l->model->process.state_count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin),
                            "state %llu does not exist: the model has %u states",
                            (unsigned long long)state, (unsigned)l->model->process.state_count);
    if (!model_scanner_accept(line, ':'))
        return model_scanner_expected(line, "':' and the numbers of labels", error);
    while (!model_scanner_at_end(line)) {
        begin = line->at;
        if (!model_scanner_uint(line, &number) ||
            (line->at < line->end && !base_is_space(*line->at))) {
            line->at = begin;
            return model_scanner_expected(line, "the number of a label", error);
        }
        if (number >= l->label.count)
            return base_fail_at(
                error, OPAC_ERROR_SYNTAX, line->number, model_scanner_column(line, begin),
                "label %llu does not exist: line %u declares %zu labels",
                (unsigned long long)number, (unsigned)l->header_line, l->label.count);
        base_bitset_add(&l->model->labels.items[l->label.items[number]].states, (size_t)state);
    }
    return OPAC_OK;
}

/* Sets the initial states from "init", which must agree with the initial states of the .tra. */
static opac_status end_initial(lab *l, opac_error *error)
{
    base_bitset *init = &l->model->labels.items[MODEL_LABEL_INIT].states;
    if (!l->has_init) {
        if (l->given.size == 0)
            model_report_warning(&l->reader.report, l->header_line, 1,
                                 "there is no label \"init\"; state 0 is the initial state");
        return OPAC_OK;
    }
    if (l->given.size > 0 && !base_bitset_equal(init, &l->given))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "the states with the label \"init\" are not the initial states of the "
                            ".tra file");
    if (base_bitset_count(init) == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "there is no initial state: no state has the label \"init\"");
    return model_set_initial(l->model, error);
}

/* Copies the initial states that the .tra names. If the file has "init", removes them from the model. */
static opac_status begin_initial(lab *l, bool has_initial, opac_error *error)
{
    base_bitset *init = &l->model->labels.items[MODEL_LABEL_INIT].states;
    if (has_initial) {
        TRY(base_bitset_init(&l->given, init->size, error));
        base_bitset_copy(&l->given, init);
    }
    if (l->has_init)
        base_bitset_clear(init);
    return OPAC_OK;
}

static opac_status read_all(lab *l, bool has_initial, opac_error *error)
{
    TRY(read_header(l, error));
    TRY(begin_initial(l, has_initial, error));
    for (;;) {
        TRY(model_reader_next(&l->reader, error));
        if (l->reader.at_end)
            return end_initial(l, error);
        model_scanner_skip_blanks(&l->reader.line);
        TRY(read_state(l, error));
    }
}

opac_status model_lab_read(const model_source *source, bool has_initial, opac_model *model,
                           opac_error *error)
{
    lab l = {.model = model, .max_memory = model_max_memory(source->options)};
    base_intern_init(&l.names);
    opac_status status = model_reader_open(&l.reader, source, "reading labels", error);
    if (status == OPAC_OK)
        status = read_all(&l, has_initial, error);
    base_intern_fini(&l.names);
    base_u32_vec_fini(&l.label);
    base_bitset_fini(&l.given);
    return model_reader_close(&l.reader, status, error);
}
