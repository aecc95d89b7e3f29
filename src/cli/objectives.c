/* SPDX-License-Identifier: MIT */
/* Reads objectives from options. */
#include "cli/objectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/result.h"
#include "cli/source.h"

/* One -p, -P, -f or -a: owns what its objectives borrow. */
typedef struct origin {
    struct origin *next;
    opac_properties *properties;
    opac_formula *formula;
    opac_automaton *automaton;
} origin;

struct cli_objectives {
    origin *origins;
    cli_objective *items;
    size_t count, capacity;
};

opac_status cli_fail_memory(opac_error *error)
{
    *error = (opac_error){.code = OPAC_ERROR_MEMORY};
    snprintf(error->message, sizeof error->message, "out of memory");
    return error->code;
}

/* ---- the list ---- */

static origin *add_origin(cli_objectives *list, opac_error *error)
{
    origin *o = calloc(1, sizeof *o);
    if (o == NULL) {
        cli_fail_memory(error);
        return NULL;
    }
    o->next = list->origins;
    list->origins = o;
    return o;
}

static opac_status add_item(cli_objectives *list, cli_objective item, opac_error *error)
{
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 4;
        cli_objective *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL)
            return cli_fail_memory(error);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return OPAC_OK;
}

size_t cli_objectives_count(const cli_objectives *list)
{
    return list != NULL ? list->count : 0;
}

const cli_objective *cli_objectives_get(const cli_objectives *list, size_t index)
{
    return &list->items[index];
}

void cli_objectives_free(cli_objectives *list)
{
    if (list == NULL)
        return;
    for (origin *o = list->origins, *next; o != NULL; o = next) {
        next = o->next;
        opac_properties_free(o->properties);
        opac_formula_free(o->formula);
        opac_automaton_free(o->automaton);
        free(o);
    }
    free(list->items);
    free(list);
}

/* ---- properties ---- */

static opac_status add_properties(cli_objectives *list, const opac_properties *properties,
                                  opac_error *error)
{
    for (size_t i = 0; i < opac_properties_count(properties); i++) {
        const opac_property *property = opac_properties_get(properties, i);
        const cli_objective item = {.objective = opac_objective_of(properties, i),
                                    .name = property->name,
                                    .text = property->text};
        TRY(add_item(list, item, error));
    }
    return OPAC_OK;
}

static opac_status read_properties(cli_model *m, cli_objectives *list, const char *name,
                                   const char *text, opac_error *error)
{
    const char *model_name = m->name;
    opac_property_options options = {
        .constants = m->constants, .listener = cli_model_listen, .listener_context = m};
    origin *o = add_origin(list, error);
    if (o == NULL)
        return error->code;
    m->name = name;
    opac_status status = opac_properties_parse(text, m->model, &options, &o->properties, error);
    if (status != OPAC_OK && error->line > 0 && !m->is_reported)
        cli_model_listen(m, &(opac_message){.code = error->code,
                                            .line = error->line,
                                            .column = error->column,
                                            .text = error->message,
                                            .parameter = error->parameter});
    m->name = model_name;
    return status == OPAC_OK ? add_properties(list, o->properties, error) : status;
}

static opac_status read_file(cli_model *m, cli_objectives *list, const char *path,
                             opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    TRY(cli_read_file(path, m->cancel, &text, error));
    const char *bytes = opac_output_bytes(text, &length);
    opac_status status =
        strlen(bytes) == length
            ? read_properties(m, list, cli_file_name(path), bytes, error)
            : cli_fail(error, "%s: unexpected NUL byte", cli_show_path(cli_file_name(path)).text);
    opac_output_free(text);
    return status;
}

/* ---- formulas and automata ---- */

static opac_direction direction_of(const cli_model *m)
{
    return m->arguments->values[CLI_MIN].given ? OPAC_DIRECTION_MIN : OPAC_DIRECTION_MAX;
}

/* Prints an error that has a place. */
static void report_at(cli_model *m, const cli_source *source, const opac_error *error)
{
    if (error->line == 0)
        return;
    cli_report_at(source, error);
    m->is_reported = true;
}

static size_t count_labels(const cli_model *m)
{
    size_t count = 0;
    if (m->simulator == NULL)
        return opac_model_label_count(m->model);
    while (opac_environment_proposition(m->simulator, count) != NULL)
        count++;
    return count;
}

static const char *get_label(const cli_model *m, size_t index)
{
    return m->simulator != NULL ? opac_environment_proposition(m->simulator, index)
                                : opac_model_label(m->model, (uint32_t)index);
}

static cli_source formula_source(const cli_model *m, const char *text)
{
    return (cli_source){.arguments = m->arguments,
                        .name = "formula",
                        .first_line = 1,
                        .text = text,
                        .length = strlen(text)};
}

/* Suggests -p for a PRISM property that was given as a formula. */
static void advise(const cli_model *m, opac_error *error)
{
    bool has_property = false;
    for (const cli_option_use *use = m->arguments->command->uses; use->option != CLI_NO_OPTION;
         use++)
        has_property |= use->option == CLI_PROPERTY;
    if (has_property && strstr(error->message, "PRISM propert") != NULL)
        cli_append(error, "; use -p for properties");
}

static opac_status parse_formula(cli_model *m, const char *text, opac_formula **formula,
                                 opac_error *error)
{
    size_t count = count_labels(m);
    const char **labels = calloc(count + 1, sizeof *labels);
    cli_source source = formula_source(m, text);
    if (labels == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        labels[i] = get_label(m, i);
    opac_formula_options options = {.labels = labels,
                                    .label_count = count,
                                    .notice = cli_notice,
                                    .notice_context = &source,
                                    .cancel = m->cancel};
    opac_status status = opac_formula_parse(text, &options, formula, error);
    if (status != OPAC_OK) {
        advise(m, error);
        report_at(m, &source, error);
    }
    free(labels);
    return status;
}

static opac_status read_formula(cli_model *m, cli_objectives *list, const char *text,
                                opac_error *error)
{
    origin *o = add_origin(list, error);
    if (o == NULL)
        return error->code;
    TRY(parse_formula(m, text, &o->formula, error));
    opac_objective objective = {.formula = o->formula, .direction = direction_of(m), .text = text};
    return add_item(list, (cli_objective){objective, "", text}, error);
}

/* Reads exactly one automaton. */
static opac_status parse_automaton(cli_model *m, const cli_source *source,
                                   opac_automaton **automaton, opac_error *error)
{
    opac_hoa_reader *reader;
    opac_automaton *second = NULL;
    TRY(opac_hoa_reader_new(source->text, source->length, cli_notice, (void *)source, &reader,
                            error));
    opac_hoa_reader_set_cancel(reader, m->cancel);
    opac_status status = opac_hoa_reader_next(reader, automaton, error);
    if (status == OPAC_OK && *automaton != NULL)
        status = opac_hoa_reader_next(reader, &second, error);
    if (status != OPAC_OK)
        report_at(m, source, error);
    else if (*automaton == NULL)
        status =
            cli_fail(error, "%s: the file contains no automaton", cli_show_path(source->name).text);
    else if (second != NULL)
        status = cli_fail(error, "%s: the file contains several automata, expected one",
                          cli_show_path(source->name).text);
    opac_automaton_free(second);
    opac_hoa_reader_free(reader);
    return status;
}

static opac_status read_automaton(cli_model *m, cli_objectives *list, const char *path,
                                  opac_error *error)
{
    opac_output *text = NULL;
    cli_source source = {.arguments = m->arguments, .name = cli_file_name(path), .first_line = 1};
    origin *o = add_origin(list, error);
    if (o == NULL)
        return error->code;
    TRY(cli_read_file(path, m->cancel, &text, error));
    source.text = opac_output_bytes(text, &source.length);
    opac_status status = parse_automaton(m, &source, &o->automaton, error);
    opac_output_free(text);
    TRY(status);
    opac_objective objective = {
        .automaton = o->automaton, .direction = direction_of(m), .text = path};
    return add_item(list, (cli_objective){objective, "", path}, error);
}

/* ---- all of them ---- */

typedef opac_status (*reader_of_one)(cli_model *m, cli_objectives *list, const char *text,
                                     opac_error *error);

static opac_status read_property(cli_model *m, cli_objectives *list, const char *text,
                                 opac_error *error)
{
    return read_properties(m, list, "property", text, error);
}

static opac_status read_each(cli_model *m, cli_objectives *list, cli_option_id option,
                             reader_of_one read, opac_error *error)
{
    cli_walk walk = {0};
    for (const char *text; (text = cli_next_value(m->arguments, option, &walk)) != NULL;)
        TRY(read(m, list, text, error));
    return OPAC_OK;
}

opac_status cli_objectives_read(cli_model *m, cli_objectives **list, opac_error *error)
{
    *list = calloc(1, sizeof **list);
    if (*list == NULL)
        return cli_fail_memory(error);
    TRY(read_each(m, *list, CLI_PROPERTY, read_property, error));
    TRY(read_each(m, *list, CLI_PROPERTIES, read_file, error));
    TRY(read_each(m, *list, CLI_FORMULA, read_formula, error));
    return read_each(m, *list, CLI_AUTOMATON, read_automaton, error);
}

/* ---- propositions ---- */

static size_t count_propositions(const opac_objective *objective)
{
    return objective->formula != NULL ? opac_formula_proposition_count(objective->formula)
                                      : opac_automaton_proposition_count(objective->automaton);
}

static const char *get_proposition(const opac_objective *objective, size_t index)
{
    return objective->formula != NULL ? opac_formula_proposition(objective->formula, index)
                                      : opac_automaton_proposition(objective->automaton, index);
}

/* Reports an error in a proposition at its place in the formula. Returns false if the formula spells the name
 * differently. */
static bool report_in_formula(cli_model *m, const cli_objective *given, size_t index,
                              const char *proposition, const opac_error *error)
{
    opac_error there = *error;
    uint32_t line, column;
    if (given->objective.formula == NULL || error->line != 1 ||
        strpbrk(proposition, "\\\"\n") != NULL)
        return false;
    opac_formula_proposition_position(given->objective.formula, index, &line, &column);
    if (line == 0)
        return false;
    there.line = line;
    there.column = column + error->column - 1;
    cli_source source = formula_source(m, given->text);
    report_at(m, &source, &there);
    return true;
}

/* The place of the error is within the proposition, which is shown alone if it cannot be found in a
 * formula. */
void cli_objective_report(cli_model *m, const cli_objective *given, size_t index,
                          const opac_error *error)
{
    const char *proposition = get_proposition(&given->objective, index);
    if (report_in_formula(m, given, index, proposition, error))
        return;
    char name[sizeof(cli_piece) + 32] = "proposition";
    if (given->objective.automaton != NULL)
        snprintf(name, sizeof name, "proposition of %s", cli_show(given->text).text);
    cli_source source = {.arguments = m->arguments,
                         .name = name,
                         .first_line = 1,
                         .text = proposition,
                         .length = strlen(proposition)};
    report_at(m, &source, error);
}

static opac_status check_one(cli_model *m, const cli_objective *given, uint64_t *bits,
                             opac_error *error)
{
    const opac_objective *objective = &given->objective;
    if (objective->properties != NULL)
        return OPAC_OK;
    for (size_t i = 0; i < count_propositions(objective); i++) {
        const char *proposition = get_proposition(objective, i);
        opac_status status = opac_model_evaluate(m->model, proposition, bits, error);
        if (status != OPAC_OK) {
            cli_objective_report(m, given, i, error);
            return status;
        }
    }
    return OPAC_OK;
}

/* A simulator has propositions only by name, no expressions. */
static opac_status check_names(cli_model *m, const opac_objective *objective, opac_error *error)
{
    size_t count = count_propositions(objective);
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = get_proposition(objective, i);
    opac_status status = opac_environment_bind(m->simulator, names, count, error);
    free(names);
    return status;
}

static opac_status check_simulator(cli_model *m, const cli_objectives *list, opac_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        TRY(check_names(m, &list->items[i].objective, error));
    return OPAC_OK;
}

opac_status cli_objectives_check(cli_model *m, const cli_objectives *list, opac_error *error)
{
    if (m->simulator != NULL)
        return check_simulator(m, list, error);
    size_t words = ((size_t)opac_model_states(m->model) + 63) / 64;
    uint64_t *bits = calloc(words, sizeof *bits);
    if (bits == NULL)
        return cli_fail_memory(error);
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < list->count && status == OPAC_OK; i++)
        status = check_one(m, &list->items[i], bits, error);
    free(bits);
    return status;
}
