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
#include <omegapac/text.h>

#include "cli/info.h"
#include "cli/objectives.h"
#include "cli/source.h"

/* What is told of one of them. */
typedef struct entry {
    const cli_objective *given;
    size_t read;      /* where its text as it was read begins */
    uint32_t *counts; /* states where each proposition holds */
} entry;

struct cli_property_list {
    cli_objectives *objectives;
    entry *entries; /* by objective */
    opac_output *read;
    const char *read_text; /* its bytes: all formulas as they were read, a NUL behind each */
    uint64_t *bits;        /* one a state, for whichever proposition is counted */
};

/* ---- where propositions hold ---- */

static opac_status evaluate(const cli_model *m, const entry *e, const char *proposition,
                            uint64_t *bits, opac_error *error)
{
    const opac_properties *properties = e->given->objective.properties;
    return properties != NULL ? opac_properties_evaluate(properties, proposition, bits, error)
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

static opac_status count_all(cli_model *m, cli_property_list *list, entry *e, opac_error *error)
{
    const opac_formula *formula = e->given->objective.formula;
    size_t words = ((size_t)opac_model_states(m->model) + 63) / 64;
    size_t count = opac_formula_proposition_count(formula);
    if (list->bits == NULL)
        list->bits = calloc(words, sizeof *list->bits);
    e->counts = calloc(count + 1, sizeof *e->counts);
    if (list->bits == NULL || e->counts == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const char *proposition = opac_formula_proposition(formula, i);
        opac_status status = evaluate(m, e, proposition, list->bits, error);
        if (status != OPAC_OK) {
            cli_objective_tell(m, e->given, i, error);
            return status;
        }
        e->counts[i] = count_bits(list->bits, words);
    }
    return OPAC_OK;
}

/* ---- how they were read ---- */

/* "Pmax>=0.9", in a buffer of 64 characters. */
static const char *operator_of(const opac_objective *objective, char *buffer)
{
    static const char *const directions[] = {"P", "Pmin", "Pmax"};
    static const char *const comparisons[] = {"=?", "<", "<=", ">", ">="};
    char bound[OPAC_NUMBER_SIZE] = "";
    if (objective->comparison != OPAC_COMPARISON_VALUE)
        opac_number_format(objective->bound, bound);
    snprintf(buffer, 64, "%s%s%s", directions[objective->direction],
             comparisons[objective->comparison], bound);
    return buffer;
}

static void write_read_one(const opac_objective *objective, opac_output *out)
{
    char text[64];
    if (objective->properties == NULL) {
        opac_formula_write(objective->formula, OPAC_FORMULA_INFIX, out);
        return;
    }
    opac_output_print(out, "%s [ ", operator_of(objective, text));
    opac_formula_write(objective->formula, OPAC_FORMULA_PRISM, out);
    opac_output_text(out, " ]");
}

/* Made once, so that writing the result later cannot run out of memory. */
static opac_status read_back(cli_property_list *list, opac_error *error)
{
    opac_status status = opac_output_open_memory(&list->read, error);
    for (size_t i = 0; i < cli_objectives_count(list->objectives) && status == OPAC_OK; i++) {
        opac_output_bytes(list->read, &list->entries[i].read);
        write_read_one(&list->entries[i].given->objective, list->read);
        opac_output_write(list->read, "", 1);
    }
    if (status != OPAC_OK)
        return status;
    list->read_text = opac_output_bytes(list->read, &(size_t){0});
    return list->read_text != NULL ? OPAC_OK : opac_output_commit(list->read, error);
}

/* ---- reading ---- */

static opac_status look_at_all(cli_model *m, cli_property_list *list, opac_error *error)
{
    size_t count = cli_objectives_count(list->objectives);
    list->entries = calloc(count + 1, sizeof *list->entries);
    if (list->entries == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        list->entries[i].given = cli_objectives_get(list->objectives, i);
    opac_status status = read_back(list, error);
    for (size_t i = 0; i < count && status == OPAC_OK; i++)
        status = count_all(m, list, &list->entries[i], error);
    return status;
}

opac_status cli_properties_read(cli_model *m, cli_property_list **list, opac_error *error)
{
    *list = calloc(1, sizeof **list);
    if (*list == NULL)
        return cli_fail_memory(error);
    opac_status status = cli_objectives_read(m, &(*list)->objectives, error);
    return status == OPAC_OK ? look_at_all(m, *list, error) : status;
}

void cli_properties_free(cli_property_list *list)
{
    if (list == NULL)
        return;
    for (size_t i = 0; list->entries != NULL && i < cli_objectives_count(list->objectives); i++)
        free(list->entries[i].counts);
    free(list->entries);
    cli_objectives_free(list->objectives);
    opac_output_free(list->read);
    free(list->bits);
    free(list);
}

/* ---- writing ---- */

static void write_shown(const char *text, opac_output *out)
{
    char shown[OPAC_SHOWN_SIZE];
    opac_output_text(out, opac_text_show(text, strlen(text), shown, sizeof shown));
}

/* As written, as read, and a line for each proposition. */
static void write_one(const cli_property_list *list, const entry *e, opac_output *out)
{
    const opac_formula *formula = e->given->objective.formula;
    opac_output_text(out, "\nproperty  ");
    if (*e->given->name != '\0') {
        opac_output_text(out, "\"");
        write_shown(e->given->name, out);
        opac_output_text(out, "\": ");
    }
    write_shown(e->given->text, out);
    opac_output_text(out, "\nread as   ");
    write_shown(list->read_text + e->read, out);
    opac_output_text(out, "\n");
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++) {
        uint32_t count = e->counts[i];
        opac_output_print(out, "holds in  %" PRIu32 " state%s: ", count, count == 1 ? "" : "s");
        write_shown(opac_formula_proposition(formula, i), out);
        opac_output_text(out, "\n");
    }
}

static size_t entry_count(const cli_property_list *list)
{
    return list != NULL ? cli_objectives_count(list->objectives) : 0;
}

void cli_properties_write(const cli_property_list *list, opac_output *out)
{
    for (size_t i = 0; i < entry_count(list); i++)
        write_one(list, &list->entries[i], out);
}

static void echo_one(const cli_property_list *list, const entry *e, opac_json *json)
{
    const opac_formula *formula = e->given->objective.formula;
    opac_json_begin_object(json);
    if (*e->given->name != '\0') {
        opac_json_key(json, "name");
        opac_json_string(json, e->given->name);
    }
    opac_json_key(json, "text");
    opac_json_string(json, e->given->text);
    opac_json_key(json, "read");
    opac_json_string(json, list->read_text + e->read);
    opac_json_key(json, "propositions");
    opac_json_begin_object(json);
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++) {
        opac_json_key(json, opac_formula_proposition(formula, i));
        opac_json_uint(json, e->counts[i]);
    }
    opac_json_end_object(json);
    opac_json_end_object(json);
}

void cli_properties_echo(const cli_property_list *list, opac_json *json)
{
    if (entry_count(list) == 0)
        return;
    opac_json_key(json, "properties");
    opac_json_begin_array(json);
    for (size_t i = 0; i < entry_count(list); i++)
        echo_one(list, &list->entries[i], json);
    opac_json_end_array(json);
}
