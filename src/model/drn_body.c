/* SPDX-License-Identifier: MIT */
/*
 * Reads the states of a DRN file line by line; only the model and one line are in memory. States are in
 * order. Targets are compared with the number of states in the header. The sum of a choice's probabilities
 * is checked when the next choice or state begins.
 */
#include "model/drn_body.h"

#include <math.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/sum.h"
#include "base/utf8.h"
#include "model/drn.h"
#include "model/model_limits.h"

enum {
    LINES_PER_CHECK = 4096 /* lines between two checks of limits and updates of progress */
};

/* After an error the rest of the file is checked, but not added to the builder. */
static bool is_building(const drn_body *body)
{
    return !model_report_has_errors(&body->reader->report);
}

/* ---- the end of a choice ---- */

static void check_sum(drn_body *body)
{
    char text[OPAC_NUMBER_SIZE];
    bool exact = body->reader->options->exact;
    model_report *report = &body->reader->report;
    double sum = body->choice.sum + body->choice.rest;
    if (exact && base_ratio_is_known(body->choice.exact))
        sum = base_ratio_to_double(body->choice.exact);
    if (exact && !base_ratio_is_known(body->choice.exact)) {
        model_report_error(report, OPAC_ERROR_LIMIT, body->choice.line, body->choice.column,
                           "the sum of the probabilities does not fit in a fraction of 64-bit "
                           "numbers");
    } else if (!model_sum_is_tolerable(sum)) {
        model_report_error(report, OPAC_ERROR_ARGUMENT, body->choice.line, body->choice.column,
                           "the probabilities sum to %s instead of 1",
                           opac_number_format(sum, text));
    } else if (fabs(sum - 1) > MODEL_SUM_WARNING && body->inexact_line == 0) {
        body->inexact = body->choice.first_branch;
        body->inexact_line = body->choice.line;
    }
}

static void close_choice(drn_body *body)
{
    if (!body->choice.is_open)
        return;
    if (body->choice.branches == 0)
        model_report_error(&body->reader->report, OPAC_ERROR_SYNTAX, body->choice.line,
                           body->choice.column, "the action has no branches");
    else if (!body->choice.has_error)
        check_sum(body);
    body->choice.is_open = false;
}

static opac_status open_choice(drn_body *body, base_slice name, const char *at, opac_error *error)
{
    drn_reader *reader = body->reader;
    opac_builder *builder = reader->builder;
    uint32_t actions = builder->actions.count;
    size_t before = base_utf8_count(reader->line, (size_t)(at - reader->line));
    body->choices++;
    body->position++;
    body->choice = (drn_choice){.is_open = true,
                                .line = reader->number,
                                .column = (uint32_t)before + 1,
                                .first_branch = builder->graph.target.count,
                                .exact = base_ratio_of_integer(0)};
    if (is_building(body))
        TRY(model_builder_choice(builder, name.bytes, name.length, error));
    if (builder->actions.count > actions && !drn_is_text(name.bytes, name.length))
        drn_error(reader, OPAC_ERROR_SYNTAX, name.bytes,
                  "the name of the action is invalid UTF-8 or has control characters");
    return OPAC_OK;
}

/* ---- states ---- */

/* Skips rewards such as "[1, 2.5]". Returns false if the closing bracket is missing. */
static bool skip_rewards(drn_reader *reader)
{
    if (reader->at == reader->end || *reader->at != '[')
        return true;
    const char *close = memchr(reader->at, ']', (size_t)(reader->end - reader->at));
    if (close == NULL) {
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at, "expected ']' after the rewards");
        return false;
    }
    reader->at = close + 1;
    drn_skip_blanks(reader);
    return true;
}

/* Reads the next label; false at the end of the line or after an error. */
static bool read_label(drn_reader *reader, base_slice *label)
{
    drn_skip_blanks(reader);
    if (reader->at == reader->end)
        return false;
    if (drn_at_comment(reader)) {
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at,
                  "a comment must be on a line of its own; a label that begins with // must be in "
                  "quotation marks");
        return false;
    }
    if (*reader->at != '"') {
        *label = drn_read_word(reader);
        const char *quote = memchr(label->bytes, '"', label->length);
        if (quote != NULL)
            drn_error(reader, OPAC_ERROR_SYNTAX, quote, "the label contains a quotation mark");
        return quote == NULL;
    }
    const char *open = reader->at++;
    const char *close = memchr(reader->at, '"', (size_t)(reader->end - reader->at));
    if (close == NULL || close == reader->at) {
        drn_error(reader, OPAC_ERROR_SYNTAX, open,
                  close == NULL ? "the closing quotation mark is missing"
                                : "the name of the label is empty");
        return false;
    }
    *label = (base_slice){.bytes = reader->at, .length = (size_t)(close - reader->at)};
    reader->at = close + 1;
    return true;
}

static opac_status read_labels(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    opac_builder *builder = reader->builder;
    base_slice label;
    while (read_label(reader, &label)) {
        uint32_t id = UINT32_MAX, known = builder->label_names.count;
        if (!is_building(body))
            continue;
        TRY(model_builder_intern_label(builder, label.bytes, label.length, &id, error));
        TRY(model_builder_set_label(builder, id, (uint32_t)(body->states - 1), error));
        body->has_initial = body->has_initial || id == MODEL_LABEL_INIT;
        if (builder->label_names.count > known && !drn_is_text(label.bytes, label.length))
            drn_error(reader, OPAC_ERROR_SYNTAX, label.bytes,
                      "the name of the label is invalid UTF-8 or has control characters");
    }
    return OPAC_OK;
}

/* Reports what unsupported types of models have between the number of a state and its labels. */
static bool check_type(drn_reader *reader)
{
    char sign = reader->at < reader->end ? *reader->at : ' ';
    if (sign == '!')
        drn_error(reader, OPAC_ERROR_UNSUPPORTED, reader->at,
                  "rates (continuous-time models) are not supported");
    if (sign == '{')
        drn_error(reader, OPAC_ERROR_UNSUPPORTED, reader->at,
                  "observations (POMDPs) are not supported");
    return sign != '!' && sign != '{';
}

/* Reads the number of a state, which must be the next one. False if the rest of the line cannot be read. */
static bool read_state_number(drn_body *body)
{
    drn_reader *reader = body->reader;
    char shown[OPAC_SHOWN_SIZE];
    uint64_t number;
    drn_skip_blanks(reader);
    base_slice word = drn_read_word(reader);
    if (!base_slice_number(word, UINT64_MAX, &number)) {
        drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "expected the number of the state%s%s%s",
                  word.length > 0 ? ", found '" : "",
                  opac_text_show(word.bytes, word.length, shown, sizeof shown),
                  word.length > 0 ? "'" : "");
        return false;
    }
    if (number != body->states)
        drn_error(reader, OPAC_ERROR_ARGUMENT, word.bytes,
                  "expected state %llu, found %llu: states must be numbered 0, 1, 2 … in order",
                  (unsigned long long)body->states, (unsigned long long)number);
    else if (number >= reader->header.states)
        drn_error(reader, OPAC_ERROR_ARGUMENT, word.bytes,
                  "state %llu does not exist: line %u declares %llu states",
                  (unsigned long long)number, reader->header.states_line,
                  (unsigned long long)reader->header.states);
    body->states = number < GRAPH_LARGEST ? number : body->states; /* continue from this number */
    drn_skip_blanks(reader);
    return true;
}

static opac_status read_state(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    close_choice(body);
    body->deadlocks += body->states > 0 && body->position == 0;
    bool is_valid = read_state_number(body);
    body->states++;
    body->position = 0;
    if (is_building(body))
        TRY(opac_builder_state(reader->builder, error));
    if (!is_valid || !check_type(reader) || !skip_rewards(reader) || !check_type(reader))
        return OPAC_OK;
    return read_labels(body, error);
}

/* ---- choices ---- */

static opac_status read_action(drn_body *body, const char *begin, opac_error *error)
{
    drn_reader *reader = body->reader;
    char shown[OPAC_SHOWN_SIZE];
    uint64_t number;
    close_choice(body);
    drn_skip_blanks(reader);
    base_slice name = drn_read_word(reader);
    if (body->states == 0)
        drn_error(reader, OPAC_ERROR_SYNTAX, begin, "an action before the first state");
    else if (body->choice.is_implicit && body->position > 0)
        drn_error(reader, OPAC_ERROR_SYNTAX, begin, "an action after branches without an action");
    else if (reader->header.type == OPAC_MODEL_DTMC && body->position > 0)
        drn_error(reader, OPAC_ERROR_ARGUMENT, begin,
                  "a state of a DTMC must not have more than one action");
    else if (name.length == 0)
        drn_error(reader, OPAC_ERROR_SYNTAX, name.bytes, "expected the name of the action");
    bool is_number = base_slice_number(name, UINT64_MAX, &number) && number == body->position &&
                     (name.length == 1 || name.bytes[0] != '0');
    if (is_number || base_slice_is(name, DRN_NO_NAME))
        name.length = 0;
    TRY(open_choice(body, name, begin, error));
    drn_skip_blanks(reader);
    if (skip_rewards(reader) && reader->at < reader->end)
        drn_error(
            reader, OPAC_ERROR_SYNTAX, reader->at, "expected the end of the line, found '%s'",
            opac_text_show(reader->at, (size_t)(reader->end - reader->at), shown, sizeof shown));
    return OPAC_OK;
}

static bool read_target(drn_body *body, base_slice word, uint64_t *target)
{
    drn_reader *reader = body->reader;
    char shown[OPAC_SHOWN_SIZE];
    if (!base_slice_number(word, UINT64_MAX, target)) {
        drn_error(reader, OPAC_ERROR_SYNTAX, word.bytes, "expected a state, found '%s'",
                  opac_text_show(word.bytes, word.length, shown, sizeof shown));
        return false;
    }
    if (*target >= reader->header.states) {
        drn_error(reader, OPAC_ERROR_ARGUMENT, word.bytes,
                  "state %llu does not exist: line %u declares %llu states",
                  (unsigned long long)*target, reader->header.states_line,
                  (unsigned long long)reader->header.states);
        return false;
    }
    return true;
}

static void add_to_sum(drn_body *body, drn_number number)
{
    body->choice.sum = base_sum_add(body->choice.sum, number.value, &body->choice.rest);
    if (body->reader->options->exact)
        body->choice.exact = base_ratio_add(body->choice.exact, number.ratio);
}

static opac_status read_probability(drn_reader *reader, drn_number *number, bool *found,
                                    opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    base_slice word = {.bytes = reader->at, .length = (size_t)(reader->end - reader->at)};
    TRY(drn_read_number(reader, word, number, found, error));
    if (!*found)
        return OPAC_OK;
    *found = number->value >= 0 && number->value <= 1 && !model_is_too_small(number->value);
    if (model_is_too_small(number->value))
        drn_error(reader, OPAC_ERROR_ARGUMENT, word.bytes,
                  "the probability %s is too small for a double",
                  opac_number_format(number->value, text));
    else if (!*found)
        drn_error(reader, OPAC_ERROR_ARGUMENT, word.bytes, "the probability %s is not in [0, 1]",
                  opac_number_format(number->value, text));
    return OPAC_OK;
}

/* Reads "target : probability". Clears *found if there is an error, which is reported. */
static opac_status read_target_and_probability(drn_body *body, uint64_t *target, drn_number *number,
                                               bool *found, opac_error *error)
{
    drn_reader *reader = body->reader;
    const char *begin = reader->at;
    while (reader->at < reader->end && !base_is_blank(*reader->at) && *reader->at != ':')
        reader->at++;
    base_slice word = {.bytes = begin, .length = (size_t)(reader->at - begin)};
    bool is_target = read_target(body, word, target);
    drn_skip_blanks(reader);
    *found = false;
    if (reader->at == reader->end || *reader->at != ':') {
        drn_error(reader, OPAC_ERROR_SYNTAX, begin, "expected 'state : probability'");
        return OPAC_OK;
    }
    reader->at++;
    drn_skip_blanks(reader);
    TRY(read_probability(reader, number, found, error));
    *found = *found && is_target;
    return OPAC_OK;
}

/* Reads a branch. Branches of probability 0 are not added to the builder. */
static opac_status read_branch(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    drn_number number;
    uint64_t target;
    bool found;
    if (!body->choice.is_open && body->states > 0 && body->position == 0) {
        TRY(open_choice(body, (base_slice){0}, reader->at, error));
        body->choice.is_implicit = true;
    } else if (!body->choice.is_open) {
        drn_error(reader, OPAC_ERROR_SYNTAX, reader->at, "a branch before the first state");
    }
    body->choice.branches++;
    TRY(read_target_and_probability(body, &target, &number, &found, error));
    if (!found) {
        body->choice.has_error = true;
        return OPAC_OK;
    }
    add_to_sum(body, number);
    if (number.value > 0 && is_building(body))
        TRY(model_builder_branch(reader->builder, (uint32_t)target, number.value, number.ratio,
                                 error));
    return OPAC_OK;
}

/* ---- lines ---- */

static opac_status read_comment(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    bool had_values = reader->values.states > 0;
    if (reader->end - reader->at < 3 || reader->at[2] != '[' || body->states == 0 ||
        body->position > 0)
        return OPAC_OK;
    TRY(drn_values_read(&reader->values, (uint32_t)(body->states - 1), reader->at + 2,
                        (size_t)(reader->end - reader->at) - 2, error));
    if (had_values && reader->values.ended && !body->warned) {
        model_report_warning(&reader->report, reader->number, 1,
                             "not all states have values of the same variables; the values are "
                             "ignored");
        body->warned = true;
    }
    return OPAC_OK;
}

static void refuse_line(drn_body *body, base_slice word)
{
    static const char *const words[] = {"state", "action"};
    char shown[OPAC_SHOWN_SIZE];
    opac_text_show(word.bytes, word.length, shown, sizeof shown);
    const char *near = opac_text_nearest(shown, words, 2);
    drn_error(body->reader, OPAC_ERROR_SYNTAX, word.bytes,
              "expected 'state', 'action' or a branch 'state : probability', found '%s'%s%s%s",
              shown, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
              near != NULL ? "'?" : "");
    body->choice.has_error = true;
}

static opac_status read_line(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    const char *begin = reader->at;
    if (begin == reader->end)
        return OPAC_OK;
    if (base_is_digit(*begin))
        return read_branch(body, error);
    if (drn_at_comment(reader))
        return read_comment(body, error);
    base_slice word = drn_read_word(reader);
    if (base_slice_is(word, "state"))
        return read_state(body, error);
    if (base_slice_is(word, "action"))
        return read_action(body, begin, error);
    refuse_line(body, word);
    return OPAC_OK;
}

static opac_status check_memory(const drn_body *body, opac_error *error)
{
    uint64_t bytes = model_builder_memory(body->reader->builder);
    if (bytes <= body->max_memory)
        return OPAC_OK;
    return base_fail_limit(error, "max_memory", body->max_memory,
                           "%llu states need more memory than the limit of %llu MiB",
                           (unsigned long long)body->states,
                           (unsigned long long)(body->max_memory >> 20));
}

/* Updates the progress and checks the memory limit every LINES_PER_CHECK lines. */
static opac_status check_periodically(drn_body *body, opac_error *error)
{
    const model_input *input = body->reader->input;
    if (++body->line_count % LINES_PER_CHECK != 0)
        return OPAC_OK;
    if (body->reader->options->progress != NULL)
        opac_progress_update(body->reader->options->progress, model_input_done(input),
                             model_input_total(input));
    return check_memory(body, error);
}

opac_status drn_read_lines(drn_body *body, opac_error *error)
{
    drn_reader *reader = body->reader;
    body->max_memory = model_max_memory(reader->options);
    while (reader->report.error_count < MODEL_MOST_ERRORS) {
        TRY(drn_next(reader, error));
        if (reader->line != NULL)
            TRY(read_line(body, error));
        TRY(check_periodically(body, error));
        if (reader->line == NULL)
            break;
    }
    close_choice(body);
    body->deadlocks += body->states > 0 && body->position == 0;
    reader->report.excerpt = NULL; /* the buffer of the last line is no longer valid */
    reader->report.input = reader->report.text == NULL ? reader->input : NULL;
    return check_memory(body, error);
}
