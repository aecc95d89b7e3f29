/* SPDX-License-Identifier: MIT */
/*
 * Reads PRISM's transitions files. A DTMC:    An MDP:
 *
 *     2 3           states, transitions       2 3 4         states, choices, transitions
 *     0 0 0.5       from, to, probability     0 0 0 0.5 a   from, choice, to, probability, action
 *     0 1 0.5                                 0 0 1 0.5 a
 *     1 1 1                                   0 1 1 1 b
 *                                             1 0 1 1
 *
 * A line that begins with '#' is a comment. Recent versions of PRISM begin the file with one such as
 * "# Transitions (CTMC)", which names the type. Lines "- 3 -" ("- - 3 -" in an MDP) name initial states.
 *
 * Memory: the arrays of the model, and about 40 more bytes for each line if transitions are out of order.
 * Memory is reserved for the sizes in the header only as far as the file is large enough for them.
 */
#include "model/tra_read.h"

#include <string.h>

#include <omegapac/text.h>

/* Reserves memory for the sizes in the header, but not for more lines than the file can have. */
static opac_status reserve(model_tra *tra, opac_error *error)
{
    enum {
        SHORTEST_LINE = 6 /* bytes of "0 0 1\n" */
    };
    uint64_t lines = model_input_total(tra->reader.input) / SHORTEST_LINE + 1;
    size_t choices = (size_t)(tra->choices < lines ? tra->choices : lines);
    size_t states = (size_t)(tra->states < lines ? tra->states : lines);
    size_t transitions = (size_t)(tra->transitions < lines ? tra->transitions : lines);
    return graph_builder_reserve(&tra->builder->graph, states, choices, transitions, error);
}

/* ---- a line ---- */

static opac_status fail_state(const model_tra *tra, const char *at, uint64_t state,
                              opac_error *error)
{
    const model_scanner *line = &tra->reader.line;
    return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, model_scanner_column(line, at),
                        "state %llu does not exist: line %u declares %llu states",
                        (unsigned long long)state, (unsigned)tra->header_line,
                        (unsigned long long)tra->states);
}

/*
 * Reads an integer that is followed by a blank. A colon is the row format, which PRISM writes but not
 * reads.
 */
static opac_status read_index(model_tra *tra, const char *what, uint64_t *value, opac_error *error)
{
    model_scanner *line = &tra->reader.line;
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    if (model_scanner_uint(line, value)) {
        if (line->at == line->end || base_is_space(*line->at))
            return OPAC_OK;
        if (*line->at == ':')
            return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, line->number,
                                model_scanner_column(line, begin),
                                "transitions in rows are not supported: write one transition per "
                                "line");
    }
    line->at = begin;
    return model_scanner_expected(line, what, error);
}

static opac_status read_state(model_tra *tra, const char *what, uint32_t *state, opac_error *error)
{
    uint64_t value;
    model_scanner_skip_blanks(&tra->reader.line);
    const char *begin = tra->reader.line.at;
    TRY(read_index(tra, what, &value, error));
    if (value >= tra->states)
        return fail_state(tra, begin, value, error);
    *state = (uint32_t)value;
    return OPAC_OK;
}

static opac_status read_choice(model_tra *tra, uint32_t *choice, opac_error *error)
{
    uint64_t value;
    model_scanner *line = &tra->reader.line;
    model_scanner_skip_blanks(line);
    const char *begin = line->at;
    TRY(read_index(tra, "the number of a choice", &value, error));
    if (value >= tra->choices)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number,
                            model_scanner_column(line, begin),
                            "choice %llu does not exist: line %u declares %llu choices in total",
                            (unsigned long long)value, (unsigned)tra->header_line,
                            (unsigned long long)tra->choices);
    *choice = (uint32_t)value;
    return OPAC_OK;
}

static opac_status fail_probability(model_tra *tra, const char *word, size_t length, double prob,
                                    opac_status status, const opac_error *inner, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const model_scanner *line = &tra->reader.line;
    uint32_t column = model_scanner_column(line, word);
    opac_text_show(word, length, shown, sizeof shown);
    if (word[0] == '[')
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, line->number, column,
                            "interval probabilities are not supported");
    if (status == OPAC_ERROR_SYNTAX)
        return base_fail_at(error, status, line->number, column,
                            "expected a probability, found '%s'", shown);
    if (status != OPAC_OK)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, column,
                            "the probability '%s': %s", shown, inner->message);
    if (model_is_too_small(prob))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, column,
                            "the probability '%s' is too small for a double", shown);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, line->number, column,
                        "the probability '%s' is not in [0, 1]%s", shown,
                        word[0] == '-' ? "" : "; rates (continuous-time models) are not supported");
}

static opac_status read_probability(model_tra *tra, double *prob, base_ratio *ratio,
                                    opac_error *error)
{
    opac_error inner = {0};
    size_t length;
    const char *word = model_scanner_word(&tra->reader.line, &length);
    *prob = 0;
    if (length == 0)
        return model_scanner_expected(&tra->reader.line, "a probability", error);
    opac_status status = model_parse_number(
        word, length, prob, tra->reader.source.options->exact ? ratio : NULL, &inner);
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    if (status != OPAC_OK || !(*prob >= 0 && *prob <= 1) || model_is_too_small(*prob))
        return fail_probability(tra, word, length, *prob, status, &inner, error);
    if (*prob == 0)
        *prob = 0; /* no negative zero */
    if (tra->reader.source.options->exact && !base_ratio_is_known(*ratio))
        *ratio = MODEL_RATIO_OVERFLOW; /* the double is rounded */
    return OPAC_OK;
}

static opac_status read_action(model_tra *tra, uint32_t *action, opac_error *error)
{
    model_scanner *line = &tra->reader.line;
    size_t length;
    const char *word = model_scanner_word(line, &length);
    *action = 0;
    if (length == 0)
        return OPAC_OK;
    if (!model_scanner_at_end(line))
        return model_scanner_expected(line, "the end of the line after the action", error);
    return model_action_add(&tra->builder->actions, word, length, action, error);
}

/* Reads an initial state, "- 3 -" or "- - 3 -". */
static opac_status read_initial(model_tra *tra, opac_error *error)
{
    uint32_t state =
        0; /* initialised for static analysis, which does not see that failures return */
    model_scanner *line = &tra->reader.line;
    if (!model_scanner_accept(line, '-') || (tra->is_mdp && !model_scanner_accept(line, '-')))
        return model_scanner_expected(line, "'-', as in all lines of initial states", error);
    TRY(read_state(tra, "an initial state", &state, error));
    if (!model_scanner_accept(line, '-') || !model_scanner_at_end(line))
        return model_scanner_expected(line, "'-' and the end of the line", error);
    tra->has_initial = true;
    return model_builder_set_label(tra->builder, MODEL_LABEL_INIT, state, error);
}

static opac_status read_line(model_tra *tra, model_transition *t, base_ratio *ratio,
                             opac_error *error)
{
    *t = (model_transition){.line = tra->reader.line.number};
    TRY(read_state(tra, "the number of a state", &t->state, error));
    if (tra->is_mdp)
        TRY(read_choice(tra, &t->choice, error));
    TRY(read_state(tra, "the number of the state it leads to", &t->target, error));
    TRY(read_probability(tra, &t->prob, ratio, error));
    TRY(read_action(tra, &t->action, error));
    if (tra->seen++ == tra->transitions)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, t->line, 1,
                            "the file has more transitions than the %llu that line %u declares",
                            (unsigned long long)tra->transitions, (unsigned)tra->header_line);
    return OPAC_OK;
}

/* ---- adding to the builder ---- */

uint32_t model_tra_line(const model_tra *tra, size_t branch)
{
    if (tra->is_list)
        return tra->lines.count == 0
                   ? 0
                   : tra->lines.items[branch < tra->lines.count ? branch : tra->lines.count - 1];
    size_t low = 0, high = tra->runs.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(tra->runs.items[middle].branch <= branch ? &low : &high) = middle;
    }
    return high == 0 ? 0
                     : tra->runs.items[low].line + (uint32_t)(branch - tra->runs.items[low].branch);
}

/* Records the line of the next branch. */
static opac_status add_line(model_tra *tra, uint32_t line, opac_error *error)
{
    size_t branch = tra->builder->graph.target.count;
    model_line_run_vec *runs = &tra->runs;
    if (runs->count > 0) {
        const model_line_run *last = &runs->items[runs->count - 1];
        if (last->line + (uint32_t)(branch - last->branch) == line)
            return OPAC_OK;
    }
    return model_line_run_vec_push(runs, (model_line_run){(uint32_t)branch, line}, error);
}

/* Handles a second action of a choice: an error in an MDP; in a DTMC the choice becomes nameless. */
static opac_status add_second_action(model_tra *tra, const model_transition *t, uint32_t *own,
                                     opac_error *error)
{
    char first[OPAC_SHOWN_SIZE], second[OPAC_SHOWN_SIZE];
    const base_intern *names = &tra->builder->actions;
    size_t first_length = 1, second_length = 1;
    const char *first_name =
        *own == 0 ? "" : (const char *)base_intern_key(names, *own, &first_length);
    const char *second_name =
        t->action == 0 ? "" : (const char *)base_intern_key(names, t->action, &second_length);
    if (tra->is_mdp)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, t->line, 1,
                            "choice %u of state %u has the action '%s' here and '%s' before",
                            (unsigned)t->choice, (unsigned)t->state,
                            opac_text_show(second_name, second_length - 1, second, sizeof second),
                            opac_text_show(first_name, first_length - 1, first, sizeof first));
    if (tra->mixed_line == 0)
        tra->mixed_line = t->line;
    tra->is_mixed = true;
    *own = 0;
    return OPAC_OK;
}

/* Adds a choice with the number of its action. */
static opac_status add_choice(model_tra *tra, uint32_t action, opac_error *error)
{
    opac_builder *builder = tra->builder;
    size_t count = builder->graph.edge_begin.count;
    bool keep = action != 0 || builder->action.count > 0;
    if (keep)
        TRY(base_u32_vec_reserve(&builder->action, count + 1, error));
    TRY(graph_builder_choice(&builder->graph, error));
    if (!keep)
        return OPAC_OK;
    while (builder->action.count < count)
        builder->action.items[builder->action.count++] = 0;
    builder->action.items[builder->action.count++] = action;
    return OPAC_OK;
}

opac_status model_tra_append(model_tra *tra, const model_transition *t, base_ratio ratio,
                             opac_error *error)
{
    opac_builder *builder = tra->builder;
    graph_builder *graph = &builder->graph;
    bool is_new = t->state >= graph->choice_begin.count;
    while (t->state >= graph->choice_begin.count)
        TRY(graph_builder_state(graph, error));
    if (is_new || t->choice != tra->choice) {
        TRY(add_choice(tra, t->action, error));
        tra->choice = t->choice;
        tra->is_mixed = false;
    } else if (!tra->is_mixed && (t->action != 0 || builder->action.count > 0)) {
        uint32_t none = 0;
        uint32_t *own =
            builder->action.count > 0 ? &builder->action.items[builder->action.count - 1] : &none;
        if (*own != t->action)
            TRY(add_second_action(tra, t, own, error));
    }
    return model_builder_branch(builder, t->target, t->prob, ratio, error);
}

enum {
    /* A file may have this many states without transitions, and so many more for each transition. */
    MOST_EMPTY = 100000,
    MOST_EMPTY_PER_LINE = 64
};

/*
 * Whether the transition can be appended. If it skips too many states, it is kept for the check at the
 * end.
 */
static bool is_next(const model_tra *tra, const model_transition *t)
{
    size_t count = tra->builder->graph.choice_begin.count;
    if (t->state >= count)
        return t->choice == 0 && t->state < MOST_EMPTY + MOST_EMPTY_PER_LINE * tra->seen;
    return t->state + (size_t)1 == count &&
           (t->choice == tra->choice || t->choice == tra->choice + 1);
}

static opac_status add_transition(model_tra *tra, const model_transition *t, base_ratio ratio,
                                  opac_error *error)
{
    if (!tra->is_list && !is_next(tra, t))
        TRY(model_tra_make_list(tra, error));
    if (tra->is_list) {
        TRY(model_transition_vec_push(&tra->list, *t, error));
        if (tra->reader.source.options->exact)
            TRY(model_ratio_vec_push(&tra->ratios, ratio, error));
        return OPAC_OK;
    }
    TRY(add_line(tra, t->line, error));
    return model_tra_append(tra, t, ratio, error);
}

static opac_status read_lines(model_tra *tra, opac_error *error)
{
    for (;;) {
        TRY(model_reader_next(&tra->reader, error));
        if (tra->reader.at_end)
            return OPAC_OK;
        model_scanner_skip_blanks(&tra->reader.line);
        if (*tra->reader.line.at == '-') {
            TRY(read_initial(tra, error));
        } else {
            model_transition transition;
            base_ratio ratio = MODEL_RATIO_NONE;
            TRY(read_line(tra, &transition, &ratio, error));
            TRY(add_transition(tra, &transition, ratio, error));
        }
    }
}

/* ---- completion ---- */

/* Checks the counts in the header, before memory proportional to them is allocated. */
static opac_status check_counts(const model_tra *tra, opac_error *error)
{
    if (tra->seen < tra->transitions)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, tra->header_line,
                            tra->column[tra->is_mdp ? 2 : 1],
                            "%llu transitions are declared, but the file has %llu",
                            (unsigned long long)tra->transitions, (unsigned long long)tra->seen);
    if (tra->states > MOST_EMPTY + MOST_EMPTY_PER_LINE * tra->seen)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, tra->header_line, tra->column[0],
                            "%llu states are declared, but the file has only %llu transitions",
                            (unsigned long long)tra->states, (unsigned long long)tra->seen);
    return OPAC_OK;
}

static opac_status check_choices(const model_tra *tra, opac_error *error)
{
    size_t choices = tra->builder->graph.edge_begin.count;
    if (tra->is_mdp && choices != tra->choices)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, tra->header_line, tra->column[1],
                            "%llu choices are declared, but the file has %zu",
                            (unsigned long long)tra->choices, choices);
    return OPAC_OK;
}

/* Adds what the transitions do not mention: states after the last transition, and an initial state. */
static opac_status complete(model_tra *tra, opac_error *error)
{
    TRY(check_counts(tra, error));
    if (tra->is_list)
        TRY(model_tra_sort(tra, error));
    TRY(check_choices(tra, error));
    if (tra->is_list || tra->mixed_line > 0)
        TRY(model_tra_number_actions(tra, error));
    while (model_builder_states(tra->builder) < tra->states)
        TRY(graph_builder_state(&tra->builder->graph, error));
    if (!tra->has_initial)
        TRY(model_builder_set_label(tra->builder, MODEL_LABEL_INIT, 0, error));
    return OPAC_OK;
}

static uint32_t line_of(const void *context, size_t branch)
{
    return model_tra_line(context, branch);
}

static opac_status read_all(model_tra *tra, opac_model **model, opac_error *error)
{
    model_branch_lines lines = {tra, line_of};
    TRY(model_tra_header(tra, error));
    TRY(opac_builder_new(tra->is_mdp ? OPAC_MODEL_MDP : OPAC_MODEL_DTMC, &tra->builder, error));
    TRY(reserve(tra, error));
    TRY(read_lines(tra, error));
    TRY(complete(tra, error));
    if (tra->mixed_line > 0)
        model_report_warning(&tra->reader.report, tra->mixed_line, 1,
                             "transitions from one state of a DTMC have different actions; the "
                             "actions of such states are ignored");
    return model_builder_finish(tra->builder, tra->reader.source.options->exact, &lines,
                                &tra->reader.report, model, error);
}

opac_status model_tra_read(const model_source *source, opac_model **model, bool *has_initial,
                           opac_error *error)
{
    model_tra tra = {0};
    opac_status status = model_reader_open(&tra.reader, source, "reading", error);
    if (status == OPAC_OK)
        status = read_all(&tra, model, error);
    *has_initial = tra.has_initial;
    opac_builder_free(tra.builder);
    model_line_run_vec_fini(&tra.runs);
    model_transition_vec_fini(&tra.list);
    model_ratio_vec_fini(&tra.ratios);
    base_u32_vec_fini(&tra.lines);
    return model_reader_close(&tra.reader, status, error);
}
