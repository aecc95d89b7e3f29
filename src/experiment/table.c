/* SPDX-License-Identifier: MIT */
/* Tables of an experiment: filling them, and writing them as CSV (RFC 4180) and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <inttypes.h>

#include <omegapac/json.h>
#include <omegapac/number.h>

#include "experiment/record.h"

/* ---- filling ---- */

static void push(experiment_table *table, experiment_cell cell)
{
    experiment_lab *lab = table->lab;
    opac_error error;
    if (lab->status == OPAC_OK && experiment_cell_vec_push(&table->cells, cell, &error) != OPAC_OK)
        experiment_lab_fail(lab, error.code, error.message);
}

void experiment_table_text(experiment_table *table, const char *text)
{
    push(table, (experiment_cell){.kind = EXPERIMENT_CELL_TEXT,
                                  .value.text = experiment_lab_keep(table->lab, text)});
}

void experiment_table_uint(experiment_table *table, uint64_t value)
{
    push(table, (experiment_cell){.kind = EXPERIMENT_CELL_UINT, .value.whole = value});
}

void experiment_table_double(experiment_table *table, double value)
{
    push(table, (experiment_cell){.kind = EXPERIMENT_CELL_DOUBLE, .value.number = value});
}

void experiment_table_count(experiment_table *table, const opac_count *count)
{
    if (count->value != UINT64_MAX)
        experiment_table_uint(table, count->value);
    else
        experiment_table_double(table, count->approximate);
}

size_t experiment_table_rows(const experiment_table *table)
{
    return table->column_count == 0 ? 0 : table->cells.count / table->column_count;
}

const char *experiment_cell_text(const experiment_cell *cell, char *buffer)
{
    switch (cell->kind) {
    case EXPERIMENT_CELL_TEXT:
        return cell->value.text;
    case EXPERIMENT_CELL_UINT:
        snprintf(buffer, OPAC_NUMBER_SIZE, "%" PRIu64, cell->value.whole);
        return buffer;
    case EXPERIMENT_CELL_DOUBLE:
        break;
    }
    return isnan(cell->value.number) ? "" : opac_number_format(cell->value.number, buffer);
}

/* ---- CSV ---- */

static void write_field(opac_output *out, const char *text)
{
    if (text[strcspn(text, "\",\r\n")] == '\0') {
        opac_output_text(out, text);
        return;
    }
    opac_output_text(out, "\"");
    for (;;) {
        size_t run = strcspn(text, "\"");
        opac_output_write(out, text, run);
        text += run;
        if (*text == '\0')
            break;
        opac_output_text(out, "\"\"");
        text++;
    }
    opac_output_text(out, "\"");
}

void experiment_table_write_csv(const experiment_table *table, opac_output *out)
{
    char buffer[OPAC_NUMBER_SIZE];
    size_t columns = table->column_count;
    for (size_t i = 0; i < columns; i++) {
        opac_output_text(out, i > 0 ? "," : "");
        write_field(out, table->columns[i]);
    }
    opac_output_text(out, "\r\n");
    for (size_t row = 0; row < experiment_table_rows(table); row++) {
        for (size_t i = 0; i < columns; i++) {
            opac_output_text(out, i > 0 ? "," : "");
            write_field(out, experiment_cell_text(&table->cells.items[row * columns + i], buffer));
        }
        opac_output_text(out, "\r\n");
    }
}

/* ---- JSON ---- */

static void write_cell(opac_json *json, const experiment_cell *cell)
{
    switch (cell->kind) {
    case EXPERIMENT_CELL_TEXT:
        opac_json_string(json, cell->value.text);
        break;
    case EXPERIMENT_CELL_UINT:
        opac_json_uint(json, cell->value.whole);
        break;
    case EXPERIMENT_CELL_DOUBLE:
        opac_json_double(json, cell->value.number);
        break;
    }
}

void experiment_table_write_json(const experiment_table *table, opac_json *json)
{
    size_t columns = table->column_count, rows = experiment_table_rows(table);
    opac_json_begin_object(json);
    opac_json_key(json, "name");
    opac_json_string(json, table->name);
    opac_json_key(json, "caption");
    opac_json_string(json, table->caption);
    opac_json_key(json, "columns");
    opac_json_begin_array(json);
    for (size_t i = 0; i < columns; i++)
        opac_json_string(json, table->columns[i]);
    opac_json_end_array(json);
    opac_json_key(json, "rows");
    opac_json_begin_array(json);
    for (size_t row = 0; row < rows; row++) {
        opac_json_begin_array(json);
        for (size_t i = 0; i < columns; i++)
            write_cell(json, &table->cells.items[row * columns + i]);
        opac_json_end_array(json);
    }
    opac_json_end_array(json);
    opac_json_end_object(json);
}
