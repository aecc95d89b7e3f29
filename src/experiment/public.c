/* SPDX-License-Identifier: MIT */
/*
 * Running an experiment, and writing what it has handed over. Nothing is written before it has
 * ended well: one that fails, or is stopped, leaves the folder as it was. The page comes last, so
 * that all that it leads to is there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/output.h"
#include "experiment/record.h"

static const double png_seconds = 30; /* for one picture */

opac_experiment_options opac_experiment_defaults(void)
{
    return (opac_experiment_options){.folder = "experiments", .seed = 1};
}

/* ---- results ---- */

void opac_experiment_result_free(opac_experiment_result *result)
{
    if (result == NULL)
        return;
    experiment_finding_vec_fini(&result->findings);
    experiment_text_vec_fini(&result->files);
    base_arena_fini(&result->arena);
    base_free(result);
}

const char *opac_experiment_result_name(const opac_experiment_result *result)
{
    return result->experiment->name;
}

size_t opac_experiment_finding_count(const opac_experiment_result *result)
{
    return result->findings.count;
}

opac_experiment_finding opac_experiment_finding_at(const opac_experiment_result *result,
                                                   size_t index)
{
    if (index >= result->findings.count)
        return (opac_experiment_finding){"", "", "", ""};
    return result->findings.items[index];
}

const char *opac_experiment_file_at(const opac_experiment_result *result, size_t index)
{
    return index < result->files.count ? result->files.items[index] : NULL;
}

const char *opac_experiment_result_note(const opac_experiment_result *result)
{
    return result->note;
}

/* ---- one file ---- */

typedef void (*writer)(experiment_lab *lab, const experiment_part *part, opac_output *out);

static void write_page(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    (void)part;
    experiment_page_write(lab, out);
}

static void write_json(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    (void)part;
    experiment_json_write(lab, out);
}

static void write_csv(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    (void)lab;
    experiment_table_write_csv(part->table, out);
}

static void write_picture(experiment_lab *lab, const experiment_part *part, opac_output *out)
{
    (void)lab;
    opac_output_write(out, part->picture, part->picture_length);
}

/* Under another name, until it is committed. */
static opac_status write_file(experiment_lab *lab, const char *name, writer write,
                              const experiment_part *part, opac_output **out, opac_error *error)
{
    char *path = experiment_path(lab->options->folder, name);
    if (path == NULL)
        return base_fail_memory(error);
    opac_status status = opac_output_open_file(path, out, error);
    base_free(path);
    if (status != OPAC_OK)
        return status;
    write(lab, part, *out);
    if (lab->status == OPAC_OK)
        return base_output_flush(*out, error);
    if (error != NULL)
        *error = lab->error;
    return lab->status;
}

/* ---- all files ---- */

static opac_status push_name(experiment_lab *lab, const char *part, const char *suffix,
                             opac_error *error)
{
    const char *name = experiment_lab_file_name(lab, part, suffix);
    if (name == NULL)
        return base_fail_memory(error);
    return experiment_text_vec_push(&lab->result->files, name, error);
}

/* Names of the files: page, JSON, then tables and pictures in the order of the page. */
static opac_status name_files(experiment_lab *lab, opac_error *error)
{
    opac_status status = push_name(lab, NULL, "html", error);
    if (status == OPAC_OK)
        status = push_name(lab, NULL, "json", error);
    for (size_t i = 0; i < lab->parts.count && status == OPAC_OK; i++) {
        const experiment_part *part = &lab->parts.items[i];
        if (part->kind == EXPERIMENT_PART_TABLE)
            status = push_name(lab, part->table->name, "csv", error);
        else if (part->kind == EXPERIMENT_PART_CHART)
            status = push_name(lab, part->name, "svg", error);
    }
    return status;
}

typedef struct written { /* whole, and not named yet */
    opac_output *out;
} written;

static opac_status prepare_files(experiment_lab *lab, written *files, opac_error *error)
{
    const char *const *names = lab->result->files.items;
    opac_status status = OPAC_OK;
    size_t next = 2;
    for (size_t i = 0; i < lab->parts.count && status == OPAC_OK; i++) {
        const experiment_part *part = &lab->parts.items[i];
        bool is_table = part->kind == EXPERIMENT_PART_TABLE;
        if (!is_table && part->kind != EXPERIMENT_PART_CHART)
            continue;
        status = write_file(lab, names[next], is_table ? write_csv : write_picture, part,
                            &files[next].out, error);
        next++;
    }
    if (status == OPAC_OK)
        status = write_file(lab, names[1], write_json, NULL, &files[1].out, error);
    if (status == OPAC_OK)
        status = write_file(lab, names[0], write_page, NULL, &files[0].out, error);
    return status;
}

/* All are written before the first one gets its name, the page last: a full disk leaves none. */
static opac_status write_files(experiment_lab *lab, opac_error *error)
{
    size_t count = lab->result->files.count;
    written *files = base_alloc_zeroed(count, sizeof *files);
    if (files == NULL)
        return base_fail_memory(error);
    opac_status status = prepare_files(lab, files, error);
    for (size_t i = count; i-- > 0 && status == OPAC_OK;)
        status = opac_output_commit(files[i].out, error);
    for (size_t i = 0; i < count; i++)
        opac_output_free(files[i].out);
    base_free(files);
    return status;
}

/* ---- PNG ---- */

/* One picture; a PNG of before, which may show something else, does not outlive it. */
static opac_status convert(experiment_lab *lab, experiment_converter *converter, const char *name,
                           opac_error *error)
{
    const char *svg_name = experiment_lab_file_name(lab, name, "svg");
    const char *png_name = experiment_lab_file_name(lab, name, "png");
    if (svg_name == NULL || png_name == NULL)
        return base_fail_memory(error);
    char *svg = experiment_path(lab->options->folder, svg_name);
    char *png = experiment_path(lab->options->folder, png_name);
    opac_status status = svg != NULL && png != NULL ? OPAC_OK : base_fail_memory(error);
    bool made = false;
    if (status == OPAC_OK) {
        unlink(png);
        status = experiment_converter_run(converter, svg, png, png_seconds, lab->options->cancel,
                                          &made, error);
    }
    if (status == OPAC_OK && made)
        status = experiment_text_vec_push(&lab->result->files, png_name, error);
    else if (status == OPAC_OK && converter->path != NULL)
        lab->result->note =
            opac_cancel_requested(lab->options->cancel)
                ? "stopped before all pictures were there as PNG, too"
                : "the converter to PNG failed: not all pictures are there as PNG, too";
    base_free(svg);
    base_free(png);
    return status;
}

/* What does not work here costs a picture, and no more. */
static opac_status write_png(experiment_lab *lab, opac_error *error)
{
    experiment_converter converter = {.path = NULL};
    opac_status status = OPAC_OK;
    if (!lab->options->no_png) {
        status = experiment_converter_find(getenv("PATH"), &converter, error);
        if (converter.path == NULL)
            lab->result->note =
                "no PNG: none of rsvg-convert, inkscape, magick and convert is installed";
    }
    for (size_t i = 0; i < lab->parts.count && status == OPAC_OK; i++)
        if (lab->parts.items[i].kind == EXPERIMENT_PART_CHART)
            status = convert(lab, &converter, lab->parts.items[i].name, error);
    experiment_converter_fini(&converter);
    return status;
}

/* ---- running ---- */

static const experiment_entry *find_entry(const char *name)
{
    for (size_t i = 0; i < experiment_entry_count(); i++)
        if (strcmp(experiment_entry_at(i)->listed.name, name) == 0)
            return experiment_entry_at(i);
    return NULL;
}

/* Whether the page could be written, asked before the work and not behind it. */
static opac_status try_page(experiment_lab *lab, opac_error *error)
{
    opac_output *out = NULL;
    const char *name = experiment_lab_file_name(lab, NULL, "html");
    char *path = name != NULL ? experiment_path(lab->options->folder, name) : NULL;
    opac_status status =
        path != NULL ? opac_output_open_file(path, &out, error) : base_fail_memory(error);
    opac_output_free(out);
    base_free(path);
    return status;
}

static opac_status run_in(experiment_lab *lab, experiment_function run, opac_error *error)
{
    opac_status status = try_page(lab, error);
    if (status == OPAC_OK)
        status = run(lab, error);
    if (status == OPAC_OK && lab->status != OPAC_OK) {
        status = lab->status;
        if (error != NULL)
            *error = lab->error;
    }
    if (status == OPAC_OK && opac_cancel_requested(lab->options->cancel))
        status = base_fail(error, OPAC_ERROR_CANCELLED, "stopped on request");
    if (status == OPAC_OK)
        status = name_files(lab, error);
    if (status == OPAC_OK)
        status = write_files(lab, error);
    return status == OPAC_OK ? write_png(lab, error) : status;
}

opac_status experiment_run_entry(const experiment_entry *entry,
                                 const opac_experiment_options *options,
                                 opac_experiment_result **result, opac_error *error)
{
    experiment_lab lab;
    *result = NULL;
    opac_status status = experiment_folder_make(options->folder, error);
    if (status != OPAC_OK)
        return status;
    opac_experiment_result *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->experiment = &entry->listed;
    made->note = "";
    status = experiment_lab_init(&lab, &entry->listed, options, made, error);
    if (status == OPAC_OK)
        status = run_in(&lab, entry->run, error);
    experiment_lab_fini(&lab);
    if (status == OPAC_OK)
        *result = made;
    else
        opac_experiment_result_free(made);
    return status;
}

opac_status opac_experiment_run(const char *name, const opac_experiment_options *options,
                                opac_experiment_result **result, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    const experiment_entry *entry = find_entry(name);
    *result = NULL;
    if (entry == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "there is no experiment '%s'",
                         opac_text_show(name, strlen(name), shown, sizeof shown));
    return experiment_run_entry(entry, options, result, error);
}

/* ---- the index ---- */

static opac_status find_pages(const char *folder, bool *is_there, opac_error *error)
{
    for (size_t i = 0; i < experiment_entry_count(); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.html", experiment_entry_at(i)->listed.name);
        char *path = experiment_path(folder, name);
        if (path == NULL)
            return base_fail_memory(error);
        is_there[i] = access(path, R_OK) == 0;
        base_free(path);
    }
    return OPAC_OK;
}

opac_status opac_experiment_write_index(const opac_experiment_result *const *results, size_t count,
                                        const opac_experiment_options *options, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = experiment_folder_make(options->folder, error);
    if (status != OPAC_OK)
        return status;
    bool *is_there = base_alloc_zeroed(experiment_entry_count(), sizeof *is_there);
    char *path = experiment_path(options->folder, "index.html");
    status = is_there != NULL && path != NULL ? OPAC_OK : base_fail_memory(error);
    if (status == OPAC_OK)
        status = find_pages(options->folder, is_there, error);
    if (status == OPAC_OK)
        status = opac_output_open_file(path, &out, error);
    if (status == OPAC_OK) {
        experiment_index_write(results, count, is_there, out);
        status = opac_output_commit(out, error);
    }
    opac_output_free(out);
    base_free(is_there);
    base_free(path);
    return status;
}
