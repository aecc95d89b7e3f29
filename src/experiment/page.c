/* SPDX-License-Identifier: MIT */
/*
 * Pages of experiments: the first paragraph, the paper's numbers beside ours, then what else was
 * handed over, in its order, then what was given and what was written; and the page that leads to
 * them.
 */
#include <math.h>
#include <string.h>

#include <omegapac/number.h>

#include "experiment/record.h"
#include "report/html.h"

/* ---- pieces ---- */

static void write_element(opac_output *out, const char *open, const char *text, const char *close)
{
    opac_output_text(out, open);
    report_html_text(out, text);
    opac_output_text(out, close);
}

/* <a href="file">text</a> */
static void write_link(opac_output *out, const char *file, const char *text)
{
    write_element(out, "<a href=\"", file, "\">");
    write_element(out, "", text, "</a>");
}

static void write_prose(opac_output *out, const char *open, const char *text, const char *close)
{
    opac_output_text(out, open);
    experiment_prose_write(out, text);
    opac_output_text(out, close);
}

/* A cell that names its column, for narrow screens, on which rows are no rows. */
static void write_finding(opac_output *out, const opac_experiment_finding *finding)
{
    write_prose(out, "<tr><th scope=\"row\">", finding->what, "</th>");
    write_prose(out, "<td data-label=\"the paper\">", finding->paper, "</td>");
    write_prose(out, "<td data-label=\"here\">", finding->ours, "</td>");
    write_prose(out, "<td data-label=\"why\">", finding->remark, "</td></tr>\n");
}

static void write_findings(opac_output *out, const opac_experiment_result *result)
{
    if (result->findings.count == 0)
        return;
    opac_output_text(out, "<div class=\"scroll\"><table class=\"findings\">\n<thead><tr>"
                          "<th scope=\"col\">quantity</th><th scope=\"col\">the paper</th>"
                          "<th scope=\"col\">here</th><th scope=\"col\">why</th></tr></thead>\n"
                          "<tbody>\n");
    for (size_t i = 0; i < result->findings.count; i++)
        write_finding(out, &result->findings.items[i]);
    opac_output_text(out, "</tbody>\n</table></div>\n");
}

/* ---- tables and pictures ---- */

/* Six digits are enough for people; the files have all of them. */
static const char *show_cell(const experiment_cell *cell, char *buffer)
{
    experiment_cell rounded = *cell;
    double value = cell->value.number;
    if (cell->kind == EXPERIMENT_CELL_DOUBLE && isfinite(value) && value != 0) {
        double unit = pow(10, fmax(5 - floor(log10(fabs(value))), 0));
        if (isfinite(value * unit))
            rounded.value.number = round(value * unit) / unit;
    }
    return experiment_cell_text(&rounded, buffer);
}

/* "steps_median" for programs, "steps median" for people. */
static void write_head(opac_output *out, const char *name)
{
    for (;;) {
        size_t run = strcspn(name, "_");
        report_html_bytes(out, name, run);
        if (name[run] == '\0')
            return;
        opac_output_text(out, " ");
        name += run + 1;
    }
}

static void write_rows(opac_output *out, const experiment_table *table)
{
    char buffer[OPAC_NUMBER_SIZE];
    opac_output_text(out, "<thead><tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_text =
            table->cells.count == 0 || table->cells.items[i].kind == EXPERIMENT_CELL_TEXT;
        opac_output_text(out,
                         is_text ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">");
        write_head(out, table->columns[i]);
        opac_output_text(out, "</th>");
    }
    opac_output_text(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < experiment_table_rows(table); row++) {
        opac_output_text(out, "<tr>");
        for (size_t i = 0; i < table->column_count; i++) {
            const experiment_cell *cell = &table->cells.items[row * table->column_count + i];
            bool is_text = cell->kind == EXPERIMENT_CELL_TEXT;
            write_prose(out, is_text ? "<td>" : "<td class=\"number\">", show_cell(cell, buffer),
                        "</td>");
        }
        opac_output_text(out, "</tr>\n");
    }
    opac_output_text(out, "</tbody>\n");
}

static void write_table(experiment_lab *lab, const experiment_table *table, opac_output *out)
{
    const char *file = experiment_lab_file_name(lab, table->name, "csv");
    size_t rows = experiment_table_rows(table);
    if (file == NULL)
        return;
    opac_output_text(out, "<figure class=\"table\">\n");
    if (rows <= EXPERIMENT_ROWS_SHOWN) {
        opac_output_text(out, "<div class=\"scroll\"><table class=\"data\">\n");
        write_rows(out, table);
        opac_output_text(out, "</table></div>\n");
    }
    write_prose(out, "<figcaption>", table->caption, " ");
    opac_output_print(out, "%zu row%s: ", rows, rows == 1 ? "" : "s");
    write_link(out, file, file);
    opac_output_text(out, "</figcaption>\n</figure>\n");
}

static void write_chart(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    const char *file = experiment_lab_file_name(lab, part->name, "svg");
    if (file == NULL)
        return;
    opac_output_text(out, "<figure>\n<div class=\"picture\">\n");
    opac_output_write(out, part->picture, part->picture_length);
    write_prose(out, "</div>\n<figcaption>", part->text, " ");
    write_link(out, file, file);
    opac_output_text(out, "</figcaption>\n</figure>\n");
}

static void write_part(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    switch (part->kind) {
    case EXPERIMENT_PART_HEADING:
        write_element(out, "<h2>", part->text, "</h2>\n");
        break;
    case EXPERIMENT_PART_PARAGRAPH:
        write_prose(out, "<p>", part->text, "</p>\n");
        break;
    case EXPERIMENT_PART_TABLE:
        write_table(lab, part->table, out);
        break;
    case EXPERIMENT_PART_CHART:
        write_chart(lab, part, out);
        break;
    }
}

static void write_parameters(experiment_lab *lab, opac_output *out)
{
    opac_output_text(out, "<h2>Parameters</h2>\n<dl class=\"parameters\">\n");
    for (size_t i = 0; i < lab->params.count; i++) {
        write_element(out, "<dt>", lab->params.items[i].name, "</dt>");
        write_element(out, "<dd>", lab->params.items[i].value, "</dd>\n");
    }
    opac_output_print(out, "<dt>seed</dt><dd>%llu</dd>\n</dl>\n",
                      (unsigned long long)lab->options->seed);
    opac_output_print(out, "<p>Done again by <code>omegapac experiment %s --seed %llu</code>. ",
                      lab->experiment->name, (unsigned long long)lab->options->seed);
    opac_output_text(out, "All numbers of this page, and its tables, are in ");
    const char *file = experiment_lab_file_name(lab, NULL, "json");
    if (file != NULL)
        write_link(out, file, file);
    opac_output_text(out, ".</p>\n");
}

void experiment_page_write(experiment_lab *lab, opac_output *out)
{
    const opac_experiment *experiment = lab->experiment;
    report_html_begin(out, experiment->name, false);
    opac_output_text(out, "<article class=\"experiment\">\n");
    write_element(out, "<h1>", experiment->name, "</h1>\n");
    write_element(out, "<p class=\"lead\">", experiment->summary, "</p>\n");
    size_t first = lab->parts.count > 0 && lab->parts.items[0].kind == EXPERIMENT_PART_PARAGRAPH;
    if (first > 0)
        write_part(lab, &lab->parts.items[0], out);
    write_findings(out, lab->result);
    for (size_t i = first; i < lab->parts.count; i++)
        write_part(lab, &lab->parts.items[i], out);
    write_parameters(lab, out);
    opac_output_text(out, "<p><a href=\"index.html\">All experiments</a></p>\n</article>\n");
    report_html_end(out);
}

/* ---- the page of pages ---- */

static const opac_experiment_result *find_result(const opac_experiment_result *const *results,
                                                 size_t count, const opac_experiment *experiment)
{
    for (size_t i = 0; i < count; i++)
        if (results[i]->experiment == experiment)
            return results[i];
    return NULL;
}

void experiment_index_write(const opac_experiment_result *const *results, size_t count,
                            const bool *is_there, opac_output *out)
{
    report_html_begin(out, "Experiments", false);
    opac_output_text(out, "<article class=\"experiment\">\n<h1>Experiments</h1>\n"
                          "<p>What the paper says, and what was found here: by "
                          "<code>omegapac experiment</code>, experiment by experiment.</p>\n");
    for (size_t i = 0; i < experiment_entry_count(); i++) {
        const opac_experiment *experiment = &experiment_entry_at(i)->listed;
        const opac_experiment_result *result = find_result(results, count, experiment);
        if (result == NULL && !is_there[i])
            continue;
        opac_output_print(out, "<section>\n<h2><a href=\"%s.html\">%s</a></h2>\n", experiment->name,
                          experiment->name);
        write_element(out, "<p class=\"lead\">", experiment->summary, "</p>\n");
        if (result != NULL)
            write_findings(out, result);
        opac_output_text(out, "</section>\n");
    }
    opac_output_text(out, "</article>\n");
    report_html_end(out);
}
