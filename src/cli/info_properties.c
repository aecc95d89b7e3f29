/* SPDX-License-Identifier: MIT */
/*
 * Properties and formulas over a model: how each was read, and in how many
 * states each of its propositions holds. So one sees that it means what it
 * should before anything long is computed with it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/property.h>
#include <omegapac/text.h>

#include "cli/info.h"
#include "cli/source.h"

/* One -p, -P or -f. */
typedef struct entry {
    struct entry *next;
    opac_properties *properties; /* of -p and -P; NULL: -f */
    opac_formula *formula;       /* of -f */
    const char *text;            /* of -f, borrowed */
    opac_output *read;           /* all formulas as they were read, a NUL behind each */
    const char *read_text;       /* its bytes */
    uint32_t *counts;            /* states where each proposition holds, of all formulas in turn */
} entry;

struct cli_property_list {
    entry *first, **end;
    uint64_t *bits; /* one a state, for whichever proposition is counted */
};

static opac_status fail_memory(opac_error *error)
{
    *error = (opac_error){.code = OPAC_ERROR_MEMORY};
    snprintf(error->message, sizeof error->message, "out of memory");
    return error->code;
}

static size_t formula_count(const entry *e)
{
    return e->properties != NULL ? opac_properties_count(e->properties) : 1;
}

static const opac_formula *formula_of(const entry *e, size_t index)
{
    return e->properties != NULL ? opac_properties_get(e->properties, index)->formula : e->formula;
}

/* ---- where propositions hold ---- */

static opac_status evaluate(const cli_model *m, const entry *e, const char *proposition,
                            uint64_t *bits, opac_error *error)
{
    return e->properties != NULL ? opac_properties_evaluate(e->properties, proposition, bits, error)
                                 : opac_model_evaluate(m->model, proposition, bits, error);
}

static uint32_t count_bits(const uint64_t *bits, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t word = bits[i]; word != 0; word &= word - 1)
            count++;
    return count;
}

/* The place is one in the proposition, so that is what is shown. */
static void report(cli_model *m, const char *proposition, const opac_error *error)
{
    cli_source source = {.arguments = m->arguments,
                         .name = "proposition",
                         .first_line = 1,
                         .text = proposition,
                         .length = strlen(proposition)};
    if (error->line == 0)
        return;
    cli_report_at(&source, error);
    m->told = true;
}

static opac_status count_all(cli_model *m, cli_property_list *list, entry *e, opac_error *error)
{
    size_t words = ((size_t)opac_model_states(m->model) + 63) / 64, total = 0, at = 0;
    for (size_t i = 0; i < formula_count(e); i++)
        total += opac_formula_proposition_count(formula_of(e, i));
    if (list->bits == NULL)
        list->bits = calloc(words, sizeof *list->bits);
    e->counts = calloc(total + 1, sizeof *e->counts);
    if (list->bits == NULL || e->counts == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < formula_count(e); i++)
        for (size_t j = 0; j < opac_formula_proposition_count(formula_of(e, i)); j++) {
            const char *proposition = opac_formula_proposition(formula_of(e, i), j);
            opac_status status = evaluate(m, e, proposition, list->bits, error);
            if (status != OPAC_OK) {
                report(m, proposition, error);
                return status;
            }
            e->counts[at++] = count_bits(list->bits, words);
        }
    return OPAC_OK;
}

/* ---- how they were read ---- */

/* "Pmax>=0.9", in a buffer of 64 characters. */
static const char *operator_of(const opac_property *property, char *buffer)
{
    static const char *const directions[] = {"P", "Pmin", "Pmax"};
    static const char *const comparisons[] = {"=?", "<", "<=", ">", ">="};
    char bound[OPAC_NUMBER_SIZE] = "";
    if (property->comparison != OPAC_COMPARISON_VALUE)
        opac_number_format(property->bound, bound);
    snprintf(buffer, 64, "%s%s%s", directions[property->direction],
             comparisons[property->comparison], bound);
    return buffer;
}

static void write_read_one(const entry *e, size_t index, opac_output *out)
{
    char text[64];
    if (e->properties == NULL) {
        opac_formula_write(e->formula, OPAC_FORMULA_INFIX, out);
        return;
    }
    opac_output_print(out, "%s [ ", operator_of(opac_properties_get(e->properties, index), text));
    opac_formula_write(formula_of(e, index), OPAC_FORMULA_PRISM, out);
    opac_output_text(out, " ]");
}

/* Made once, so that writing the result later cannot run out of memory. */
static opac_status read_back(entry *e, opac_error *error)
{
    opac_status status = opac_output_open_memory(&e->read, error);
    if (status != OPAC_OK)
        return status;
    for (size_t i = 0; i < formula_count(e); i++) {
        write_read_one(e, i, e->read);
        opac_output_write(e->read, "", 1);
    }
    e->read_text = opac_output_bytes(e->read, &(size_t){0});
    return e->read_text != NULL ? OPAC_OK : opac_output_commit(e->read, error);
}

/* ---- reading ---- */

static entry *add_entry(cli_property_list *list, opac_error *error)
{
    entry *e = calloc(1, sizeof *e);
    if (e == NULL) {
        fail_memory(error);
        return NULL;
    }
    *list->end = e;
    list->end = &e->next;
    return e;
}

static opac_status look_at(cli_model *m, cli_property_list *list, entry *e, opac_error *error)
{
    opac_status status = read_back(e, error);
    return status == OPAC_OK ? count_all(m, list, e, error) : status;
}

static opac_status read_properties(cli_model *m, cli_property_list *list, const char *name,
                                   const char *text, opac_error *error)
{
    const char *model_name = m->name;
    opac_property_options options = {
        .constants = m->constants, .listener = cli_model_listen, .listener_context = m};
    entry *e = add_entry(list, error);
    if (e == NULL)
        return error->code;
    m->name = name;
    opac_status status = opac_properties_parse(text, m->model, &options, &e->properties, error);
    if (status != OPAC_OK && error->line > 0 && !m->told)
        cli_model_listen(m, &(opac_message){.code = error->code,
                                            .line = error->line,
                                            .column = error->column,
                                            .text = error->message});
    if (status == OPAC_OK)
        status = look_at(m, list, e, error);
    m->name = model_name;
    return status;
}

static opac_status read_file(cli_model *m, cli_property_list *list, const char *path,
                             opac_error *error)
{
    opac_output *text = NULL;
    size_t length;
    opac_status status = cli_read_file(path, m->cancel, &text, error);
    if (status == OPAC_OK) {
        const char *bytes = opac_output_bytes(text, &length);
        status = strlen(bytes) == length
                     ? read_properties(m, list, cli_file_name(path), bytes, error)
                     : cli_fail(error, "%s: a NUL byte, which no property has",
                                cli_show(cli_file_name(path)).text);
    }
    opac_output_free(text);
    return status;
}

static opac_status parse_formula(cli_model *m, const char *text, opac_formula **formula,
                                 opac_error *error)
{
    uint32_t count = opac_model_label_count(m->model);
    const char **labels = calloc((size_t)count + 1, sizeof *labels);
    cli_source source = {.arguments = m->arguments,
                         .name = "formula",
                         .first_line = 1,
                         .text = text,
                         .length = strlen(text)};
    if (labels == NULL)
        return fail_memory(error);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = opac_model_label(m->model, i);
    opac_formula_options options = {
        .labels = labels, .label_count = count, .notice = cli_notice, .notice_context = &source};
    opac_status status = opac_formula_parse(text, &options, formula, error);
    if (status != OPAC_OK && error->line > 0) {
        cli_report_at(&source, error);
        m->told = true;
    }
    free(labels);
    return status;
}

static opac_status read_formula(cli_model *m, cli_property_list *list, const char *text,
                                opac_error *error)
{
    entry *e = add_entry(list, error);
    if (e == NULL)
        return error->code;
    e->text = text;
    opac_status status = parse_formula(m, text, &e->formula, error);
    return status == OPAC_OK ? look_at(m, list, e, error) : status;
}

static opac_status read_all(cli_model *m, cli_property_list *list, opac_error *error)
{
    const cli_arguments *arguments = m->arguments;
    opac_status status = OPAC_OK;
    const char *text;
    for (cli_walk walk = {0};
         status == OPAC_OK && (text = cli_next_value(arguments, CLI_PROPERTY, &walk)) != NULL;)
        status = read_properties(m, list, "property", text, error);
    for (cli_walk walk = {0};
         status == OPAC_OK && (text = cli_next_value(arguments, CLI_PROPERTIES, &walk)) != NULL;)
        status = read_file(m, list, text, error);
    for (cli_walk walk = {0};
         status == OPAC_OK && (text = cli_next_value(arguments, CLI_FORMULA, &walk)) != NULL;)
        status = read_formula(m, list, text, error);
    return status;
}

opac_status cli_properties_read(cli_model *m, cli_property_list **list, opac_error *error)
{
    *list = calloc(1, sizeof **list);
    if (*list == NULL)
        return fail_memory(error);
    (*list)->end = &(*list)->first;
    return read_all(m, *list, error);
}

void cli_properties_free(cli_property_list *list)
{
    if (list == NULL)
        return;
    for (entry *e = list->first, *next; e != NULL; e = next) {
        next = e->next;
        opac_properties_free(e->properties);
        opac_formula_free(e->formula);
        opac_output_free(e->read);
        free(e->counts);
        free(e);
    }
    free(list->bits);
    free(list);
}

/* ---- writing ---- */

static void write_shown(const char *text, opac_output *out)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_output_text(out, opac_text_show(text, strlen(text), shown, sizeof shown));
}

/* Which property of an entry is at hand, and what was found about it. */
typedef struct cursor {
    const entry *entry;
    size_t index;
    const char *read;
    const uint32_t *counts;
} cursor;

static void enter(cursor *at, const entry *e)
{
    while (e != NULL && formula_count(e) == 0) /* a file of constants and labels only */
        e = e->next;
    *at = (cursor){.entry = e};
    if (e != NULL) {
        at->read = e->read_text;
        at->counts = e->counts;
    }
}

static bool find_first(const cli_property_list *list, cursor *at)
{
    enter(at, list != NULL ? list->first : NULL);
    return at->entry != NULL;
}

static bool find_next(cursor *at)
{
    if (at->index + 1 == formula_count(at->entry)) {
        enter(at, at->entry->next);
        return at->entry != NULL;
    }
    at->counts += opac_formula_proposition_count(formula_of(at->entry, at->index));
    at->read += strlen(at->read) + 1;
    at->index++;
    return true;
}

static const char *name_of(const cursor *at)
{
    const opac_properties *properties = at->entry->properties;
    return properties != NULL ? opac_properties_get(properties, at->index)->name : "";
}

static const char *text_of(const cursor *at)
{
    const opac_properties *properties = at->entry->properties;
    return properties != NULL ? opac_properties_get(properties, at->index)->text : at->entry->text;
}

/* As written, as read, and a line for each proposition. */
static void write_one(const cursor *at, opac_output *out)
{
    const opac_formula *formula = formula_of(at->entry, at->index);
    opac_output_text(out, "\nproperty  ");
    if (*name_of(at) != '\0') {
        opac_output_text(out, "\"");
        write_shown(name_of(at), out);
        opac_output_text(out, "\": ");
    }
    write_shown(text_of(at), out);
    opac_output_text(out, "\nread as   ");
    write_shown(at->read, out);
    opac_output_text(out, "\n");
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++) {
        uint32_t count = at->counts[i];
        opac_output_print(out, "holds in  %" PRIu32 " state%s: ", count, count == 1 ? "" : "s");
        write_shown(opac_formula_proposition(formula, i), out);
        opac_output_text(out, "\n");
    }
}

void cli_properties_write(const cli_property_list *list, opac_output *out)
{
    cursor at;
    for (bool more = find_first(list, &at); more; more = find_next(&at))
        write_one(&at, out);
}

static void echo_one(const cursor *at, opac_json *json)
{
    const opac_formula *formula = formula_of(at->entry, at->index);
    opac_json_begin_object(json);
    if (*name_of(at) != '\0') {
        opac_json_key(json, "name");
        opac_json_string(json, name_of(at));
    }
    opac_json_key(json, "text");
    opac_json_string(json, text_of(at));
    opac_json_key(json, "read");
    opac_json_string(json, at->read);
    opac_json_key(json, "propositions");
    opac_json_begin_object(json);
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++) {
        opac_json_key(json, opac_formula_proposition(formula, i));
        opac_json_uint(json, at->counts[i]);
    }
    opac_json_end_object(json);
    opac_json_end_object(json);
}

void cli_properties_echo(const cli_property_list *list, opac_json *json)
{
    cursor at;
    if (!find_first(list, &at))
        return;
    opac_json_key(json, "properties");
    opac_json_begin_array(json);
    for (bool more = true; more; more = find_next(&at))
        echo_one(&at, json);
    opac_json_end_array(json);
}
