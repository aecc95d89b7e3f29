/* SPDX-License-Identifier: MIT */
/*
 * PRISM's labels files:
 *
 *     0="init" 1="deadlock" 2="goal"
 *     0: 0
 *     7: 1 2
 *
 * Numbers of labels count from 0. A state may have several lines, or none.
 * "deadlock" holds where the file says so, and where the .tra has no
 * transitions: a file that was written has loops there.
 */
#include <string.h>

#include <omegapac/text.h>

#include "model/explicit_read.h"
#include "model/model_limits.h"

typedef struct lab {
    model_reading reading;
    opac_model *model;
    base_intern names;  /* of the header, in its order */
    base_u32_vec label; /* a number of the header: the label of the model */
    bool has_init;      /* "init" is in the header */
    base_bitset given;  /* the initial states of the .tra, when it names some */
    uint32_t header_line;
    uint64_t max_memory;
} lab;

/*
 * Labels are sets of states: a long header and many states must not fill the
 * memory. A few hundred are taken as they come.
 */
static opac_status check_size(const lab *l, const char *name, opac_error *error)
{
    const model_scan *line = &l->reading.line;
    uint64_t bytes = ((uint64_t)l->model->labels.count + 1) * (l->model->process.state_count / 8);
    if (bytes <= l->max_memory && (l->model->labels.count < 256 || bytes <= UINT64_C(1) << 31))
        return OPAC_OK;
    return base_fail_at(error, OPAC_ERROR_LIMIT, line->number, model_scan_column(line, name),
                        "more than %zu labels of %u states each", l->model->labels.count,
                        (unsigned)l->model->process.state_count);
}

static opac_status add_label(lab *l, const char *name, size_t length, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const model_scan *line = &l->reading.line;
    uint32_t id, label = MODEL_LABEL_INIT;
    bool is_new;
    TRY(base_intern_add(&l->names, name, length, &id, &is_new, error));
    if (!is_new)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, name),
                            "the label '%s' is declared twice",
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

/* 2="goal" */
static opac_status read_declaration(lab *l, opac_error *error)
{
    model_scan *line = &l->reading.line;
    uint64_t number;
    model_scan_blanks(line);
    const char *begin = line->at;
    if (!model_scan_whole(line, &number))
        return model_scan_expected(line, "labels, as in 0=\"init\" 1=\"deadlock\"", error);
    if (number != l->label.count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, begin),
                            "expected label %zu, found %llu: labels are numbered from 0 on",
                            l->label.count, (unsigned long long)number);
    if (!model_scan_take(line, '='))
        return model_scan_expected(line, "'=' and a name in quotes", error);
    if (!model_scan_take(line, '"'))
        return model_scan_expected(line, "a name in quotes", error);
    const char *name = line->at;
    const char *quote = memchr(name, '"', (size_t)(line->end - name));
    if (quote == NULL)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scan_column(line, name - 1), "a name without a second quote");
    if (quote == name)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, name),
                            "a label without a name");
    if (memchr(name, '\0', (size_t)(quote - name)) != NULL)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, name),
                            "a label with a NUL in its name");
    line->at = quote + 1;
    return add_label(l, name, (size_t)(quote - name), error);
}

static opac_status read_header(lab *l, opac_error *error)
{
    TRY(model_reading_next(&l->reading, error));
    l->header_line = l->reading.line.number;
    if (l->reading.is_over)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "expected labels, as in 0=\"init\" 1=\"deadlock\", but the file is "
                            "empty");
    while (!model_scan_is_over(&l->reading.line))
        TRY(read_declaration(l, error));
    return OPAC_OK;
}

/* 7: 1 2 */
static opac_status read_state(lab *l, opac_error *error)
{
    model_scan *line = &l->reading.line;
    uint64_t state, number;
    const char *begin = line->at;
    if (!model_scan_whole(line, &state))
        return model_scan_expected(line, "the number of a state", error);
    if (state >= l->model->process.state_count)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, begin),
                            "state %llu, but the model has %u states", (unsigned long long)state,
                            (unsigned)l->model->process.state_count);
    if (!model_scan_take(line, ':'))
        return model_scan_expected(line, "':' and the numbers of labels", error);
    while (!model_scan_is_over(line)) {
        begin = line->at;
        if (!model_scan_whole(line, &number) ||
            (line->at < line->end && !base_is_space(*line->at))) {
            line->at = begin;
            return model_scan_expected(line, "the number of a label", error);
        }
        if (number >= l->label.count)
            return base_fail_at(
                error, OPAC_ERROR_SYNTAX, line->number, model_scan_column(line, begin),
                "label %llu, but line %u declares %zu labels", (unsigned long long)number,
                (unsigned)l->header_line, l->label.count);
        base_bitset_add(&l->model->labels.items[l->label.items[number]].states, (size_t)state);
    }
    return OPAC_OK;
}

/* What the file says about initial states, beside what the .tra said. */
static opac_status settle_initial(lab *l, opac_error *error)
{
    base_bitset *init = &l->model->labels.items[MODEL_LABEL_INIT].states;
    if (!l->has_init) {
        if (l->given.size == 0)
            model_report_warning(&l->reading.report, l->header_line, 1,
                                 "there is no label \"init\": the initial state is 0");
        return OPAC_OK;
    }
    if (l->given.size > 0 && !base_bitset_equal(init, &l->given))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "\"init\" holds in other states than the .tra names as initial");
    if (base_bitset_count(init) == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, l->header_line, 1,
                            "there is no initial state: \"init\" holds nowhere");
    return model_set_initial(l->model, error);
}

/* Keeps the initial states that the .tra named, and forgets them in the model. */
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
        TRY(model_reading_next(&l->reading, error));
        if (l->reading.is_over)
            return settle_initial(l, error);
        model_scan_blanks(&l->reading.line);
        TRY(read_state(l, error));
    }
}

opac_status model_lab_read(const model_source *source, bool has_initial, opac_model *model,
                           opac_error *error)
{
    lab l = {.model = model, .max_memory = model_max_memory(source->options)};
    base_intern_init(&l.names);
    opac_status status = model_reading_begin(&l.reading, source, "reading labels", error);
    if (status == OPAC_OK)
        status = read_all(&l, has_initial, error);
    base_intern_fini(&l.names);
    base_u32_vec_fini(&l.label);
    base_bitset_fini(&l.given);
    return model_reading_end(&l.reading, status, error);
}
