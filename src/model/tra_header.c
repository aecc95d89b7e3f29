/* SPDX-License-Identifier: MIT */
/*
 * Reads the first lines of a .tra file: comments, one of which may name the type of the model, and the
 * numbers of states, choices and transitions.
 */
#include <string.h>

#include <omegapac/text.h>

#include "model/model_limits.h"
#include "model/tra_read.h"

static opac_status unsupported(const char *word, size_t length, model_tra *tra, const char *at,
                               opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const model_scanner *line = &tra->reader.line;
    return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, line->number, model_scanner_column(line, at),
                        "models of the type %s are not supported, only DTMCs and MDPs",
                        opac_text_show(word, length, shown, sizeof shown));
}

/* Reads a comment. "# Transitions (CTMC)" names the type; other comments are ignored. */
static opac_status read_comment(model_tra *tra, opac_error *error)
{
    static const char head[] = "Transitions";
    model_scanner *line = &tra->reader.line;
    size_t length;
    if (!model_scanner_accept(line, '#'))
        return OPAC_OK;
    const char *word = model_scanner_word(line, &length);
    if (length != sizeof head - 1 || memcmp(word, head, length) != 0 ||
        !model_scanner_accept(line, '('))
        return OPAC_OK;
    const char *type = line->at, *end = memchr(type, ')', (size_t)(line->end - type));
    length = (size_t)((end != NULL ? end : line->end) - type);
    if ((length == 4 && memcmp(type, "DTMC", 4) == 0) ||
        (length == 3 && memcmp(type, "MDP", 3) == 0))
        return OPAC_OK;
    return unsupported(type, length, tra, type, error);
}

/* Goes to the first line that is not a comment. */
static opac_status next_header(model_tra *tra, opac_error *error)
{
    for (;;) {
        TRY(model_reader_next_raw(&tra->reader, error));
        if (tra->reader.at_end || !model_reader_is_comment(&tra->reader))
            return OPAC_OK;
        TRY(read_comment(tra, error));
    }
}

opac_status model_tra_check_memory(const model_tra *tra, size_t more, opac_error *error)
{
    const opac_model_options *options = tra->reader.source.options;
    uint64_t branch = sizeof(uint32_t) + sizeof(double) + (options->exact ? sizeof(base_ratio) : 0);
    uint64_t bytes =
        sizeof(uint32_t) * (tra->states + 2 * tra->choices) + (branch + more) * tra->transitions;
    uint64_t most = model_max_memory(options);
    if (bytes <= most)
        return OPAC_OK;
    base_fail_at(error, OPAC_ERROR_LIMIT, tra->header_line, tra->column[0],
                 "the model needs %llu MiB of memory, but the limit is %llu MiB",
                 (unsigned long long)((bytes + (1 << 20) - 1) >> 20),
                 (unsigned long long)(most >> 20));
    base_set_parameter(error, "max_memory", most);
    return OPAC_ERROR_LIMIT;
}

static opac_status check_header(model_tra *tra, opac_error *error)
{
    const opac_model_options *options = tra->reader.source.options;
    uint32_t most = model_max_states(options);
    if (tra->states == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, tra->header_line, tra->column[0],
                            "a model must have at least one state");
    if (tra->states > most) {
        base_fail_at(error, OPAC_ERROR_LIMIT, tra->header_line, tra->column[0],
                     "the model has %llu states, but the limit is %u",
                     (unsigned long long)tra->states, (unsigned)most);
        base_set_parameter(error, "max_states", most);
        return OPAC_ERROR_LIMIT;
    }
    if (tra->choices > GRAPH_LARGEST || tra->transitions > GRAPH_LARGEST)
        return base_fail_at(error, OPAC_ERROR_LIMIT, tra->header_line, tra->column[1],
                            "the model has more than %u choices or transitions",
                            (unsigned)GRAPH_LARGEST);
    return model_tra_check_memory(tra, 0, error);
}

opac_status model_tra_header(model_tra *tra, opac_error *error)
{
    enum {
        MOST_NUMBERS = 4
    };
    uint64_t numbers[MOST_NUMBERS];
    size_t count = 0;
    TRY(next_header(tra, error));
    model_scanner *line = &tra->reader.line;
    if (tra->reader.at_end)
        return base_fail_at(
            error, OPAC_ERROR_SYNTAX, line->number, 1,
            "expected the numbers of states and transitions, but the file is empty");
    tra->header_line = line->number;
    while (count < MOST_NUMBERS && !model_scanner_at_end(line)) {
        const char *begin = line->at;
        if (count < 3)
            tra->column[count] = model_scanner_column(line, begin);
        if (!model_scanner_uint(line, &numbers[count++]) ||
            (line->at < line->end && !base_is_space(*line->at))) {
            line->at = begin;
            return model_scanner_expected(
                line, "the numbers of states, choices (of an MDP) and transitions", error);
        }
    }
    if (count == MOST_NUMBERS && model_scanner_at_end(line))
        return unsupported("POMDP", 5, tra, line->begin, error);
    if (count < 2 || !model_scanner_at_end(line))
        return model_scanner_expected(
            line, count < 2 ? "the number of transitions" : "the end of the line", error);
    tra->is_mdp = count == 3;
    tra->states = numbers[0];
    tra->choices = tra->is_mdp ? numbers[1] : numbers[0];
    tra->transitions = numbers[count - 1];
    return check_header(tra, error);
}
