/* SPDX-License-Identifier: MIT */
/*
 * The laboratory: runs in parallel, and what was handed over.
 *
 * Bodies run in the threads of a pool, but only the caller's thread feeds the progress object,
 * which bears one thread at a time: between two bodies of its own it tells how many are done in
 * all.
 *
 * What is handed over is copied at once, and a chart drawn at once, so that nothing of the
 * experiment's needs to live longer than the call.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* newlocale, uselocale */
#endif

#include "experiment/lab.h"

#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/text.h"
#include "experiment/record.h"

/* ---- running ---- */

typedef struct repetition {
    base_pool_body body;
    void *context;
    opac_progress *progress;
    uint64_t count;
    _Atomic uint64_t done;
} repetition;

static opac_status run_body(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    repetition *all = context;
    opac_status status = all->body(all->context, index, worker, error);
    uint64_t done = atomic_fetch_add(&all->done, 1) + 1;
    if (worker == 0 && all->progress != NULL)
        opac_progress_update(all->progress, done, all->count);
    return status;
}

opac_status experiment_lab_repeat(experiment_lab *lab, const char *what, uint64_t count,
                                  base_pool_body body, void *context, opac_error *error)
{
    const opac_cancel *cancel = lab->options->cancel;
    repetition all = {
        .body = body, .context = context, .progress = lab->options->progress, .count = count};
    atomic_init(&all.done, 0);
    if (all.progress != NULL)
        opac_progress_start(all.progress, what);
    opac_status status = base_pool_for(lab->pool, count, run_body, &all, cancel, error);
    if (all.progress != NULL)
        opac_progress_finish(all.progress);
    /* A learner that was stopped has a result, which is not the one that was asked for. */
    if (status == OPAC_OK && opac_cancel_requested(cancel))
        status = base_fail(error, OPAC_ERROR_CANCELLED, "stopped on request");
    return status;
}

uint64_t experiment_lab_seed(const experiment_lab *lab, uint64_t index)
{
    return lab->options->seed + index;
}

const opac_cancel *experiment_lab_cancel(const experiment_lab *lab)
{
    return lab->options->cancel;
}

unsigned experiment_lab_threads(const experiment_lab *lab)
{
    return base_pool_threads(lab->pool);
}

bool experiment_lab_has_clock(const experiment_lab *lab)
{
    return !lab->options->no_timing;
}

double experiment_lab_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- life ---- */

opac_status experiment_lab_init(experiment_lab *lab, const opac_experiment *experiment,
                                const opac_experiment_options *options,
                                opac_experiment_result *result, opac_error *error)
{
    *lab = (experiment_lab){.experiment = experiment, .options = options, .result = result};
    lab->spare = (experiment_table){.lab = lab, .name = "", .caption = ""};
    return base_pool_new(options->threads, &lab->pool, error);
}

void experiment_lab_fini(experiment_lab *lab)
{
    for (size_t i = 0; i < lab->tables.count; i++)
        experiment_cell_vec_fini(&lab->tables.items[i]->cells);
    experiment_table_vec_fini(&lab->tables);
    experiment_part_vec_fini(&lab->parts);
    experiment_param_vec_fini(&lab->params);
    base_pool_free(lab->pool);
}

void experiment_lab_fail(experiment_lab *lab, opac_status status, const char *message)
{
    if (lab->status == OPAC_OK)
        lab->status = base_fail(&lab->error, status, "%s", message);
}

/* Whether it worked; the first failure is remembered. */
static bool accept(experiment_lab *lab, opac_status status, const opac_error *error)
{
    if (status != OPAC_OK)
        experiment_lab_fail(lab, status, error->message);
    return status == OPAC_OK;
}

const char *experiment_lab_keep(experiment_lab *lab, const char *text)
{
    if (lab->status != OPAC_OK)
        return NULL;
    const char *copy = base_arena_copy_text(&lab->result->arena, text, strlen(text));
    if (copy == NULL)
        experiment_lab_fail(lab, OPAC_ERROR_MEMORY, "out of memory");
    return copy;
}

const char *experiment_lab_file_name(experiment_lab *lab, const char *part, const char *suffix)
{
    const char *name = lab->experiment->name;
    size_t size = strlen(name) + strlen(suffix) + (part != NULL ? strlen(part) : 0) + 3;
    char *text = lab->status == OPAC_OK ? base_arena_alloc(&lab->result->arena, size, 1) : NULL;
    if (text == NULL) {
        experiment_lab_fail(lab, OPAC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    snprintf(text, size, "%s%s%s.%s", name, part != NULL ? "-" : "", part != NULL ? part : "",
             suffix);
    return text;
}

static const char *print(experiment_lab *lab, const char *format, va_list arguments)
{
    base_text text = {0};
    opac_error error;
    base_text_format_list(&text, format, arguments);
    const char *copy = NULL;
    if (accept(lab, base_text_check(&text, &error), &error))
        copy = experiment_lab_keep(lab, base_text_get(&text));
    base_text_fini(&text);
    return copy;
}

/* printf into the arena, in every locale alike; NULL as above. */
static const char *keep_printed(experiment_lab *lab, const char *format, va_list arguments)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        experiment_lab_fail(lab, OPAC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    locale_t before = uselocale(plain);
    const char *text = print(lab, format, arguments);
    uselocale(before);
    freelocale(plain);
    return text;
}

/* ---- the page ---- */

static void push_part(experiment_lab *lab, experiment_part part)
{
    opac_error error;
    if (lab->status == OPAC_OK)
        accept(lab, experiment_part_vec_push(&lab->parts, part, &error), &error);
}

void experiment_lab_heading(experiment_lab *lab, const char *text)
{
    push_part(lab, (experiment_part){.kind = EXPERIMENT_PART_HEADING,
                                     .text = experiment_lab_keep(lab, text)});
}

void experiment_lab_say(experiment_lab *lab, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = keep_printed(lab, format, arguments);
    va_end(arguments);
    push_part(lab, (experiment_part){.kind = EXPERIMENT_PART_PARAGRAPH, .text = text});
}

void experiment_lab_param(experiment_lab *lab, const char *name, const char *value)
{
    opac_error error;
    experiment_param param = {experiment_lab_keep(lab, name), experiment_lab_keep(lab, value)};
    if (lab->status == OPAC_OK)
        accept(lab, experiment_param_vec_push(&lab->params, param, &error), &error);
}

void experiment_lab_finding(experiment_lab *lab, const char *what, const char *paper,
                            const char *ours_format, ...)
{
    opac_error error;
    opac_experiment_finding finding = {.what = experiment_lab_keep(lab, what),
                                       .paper = experiment_lab_keep(lab, paper),
                                       .remark = ""};
    va_list arguments;
    va_start(arguments, ours_format);
    finding.ours = keep_printed(lab, ours_format, arguments);
    va_end(arguments);
    if (lab->status == OPAC_OK)
        accept(lab, experiment_finding_vec_push(&lab->result->findings, finding, &error), &error);
}

void experiment_lab_remark(experiment_lab *lab, const char *text)
{
    const char *copy = experiment_lab_keep(lab, text);
    experiment_finding_vec *findings = &lab->result->findings;
    if (findings->count == 0)
        experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "a remark without a finding");
    if (lab->status == OPAC_OK)
        findings->items[findings->count - 1].remark = copy;
}

static bool is_part_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    return *name != '\0' && name[strspn(name, allowed)] == '\0';
}

/* The SVG, into the part. */
static opac_status draw(experiment_lab *lab, const drawing_chart *chart, experiment_part *part,
                        opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = opac_output_open_memory(&out, error);
    if (status == OPAC_OK)
        status = drawing_chart_write(chart, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    if (status == OPAC_OK) {
        const char *bytes = opac_output_bytes(out, &part->picture_length);
        part->picture = base_arena_copy_text(&lab->result->arena, bytes, part->picture_length);
        if (part->picture == NULL)
            status = base_fail_memory(error);
    }
    opac_output_free(out);
    return status;
}

void experiment_lab_chart(experiment_lab *lab, const char *name, const drawing_chart *chart,
                          const char *caption)
{
    opac_error error;
    const experiment_part_vec *parts = &lab->parts;
    experiment_part part = {.kind = EXPERIMENT_PART_CHART,
                            .name = experiment_lab_keep(lab, name),
                            .text = experiment_lab_keep(lab, caption)};
    if (!is_part_name(name))
        experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "a figure whose name is none of a file");
    for (size_t i = 0; i < parts->count && lab->status == OPAC_OK; i++)
        if (parts->items[i].kind == EXPERIMENT_PART_CHART &&
            strcmp(parts->items[i].name, name) == 0)
            experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "two figures of one name");
    if (lab->status == OPAC_OK && accept(lab, draw(lab, chart, &part, &error), &error))
        push_part(lab, part);
}

/* ---- tables ---- */

/* A table with its own copies of the names; NULL: no memory. */
static experiment_table *make_table(experiment_lab *lab, const char *name,
                                    const char *const *columns, size_t count)
{
    base_arena *arena = &lab->result->arena;
    experiment_table *table = base_arena_alloc_zeroed(arena, 1, sizeof *table);
    const char **heads = base_arena_alloc_zeroed(arena, count, sizeof *heads);
    if (table == NULL || heads == NULL) {
        experiment_lab_fail(lab, OPAC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        heads[i] = experiment_lab_keep(lab, columns[i]);
    *table = (experiment_table){.lab = lab,
                                .name = experiment_lab_keep(lab, name),
                                .caption = "",
                                .columns = heads,
                                .column_count = count};
    return table;
}

experiment_table *experiment_lab_new_table(experiment_lab *lab, const char *name,
                                           const char *const *columns, size_t count)
{
    opac_error error;
    if (!is_part_name(name) || count == 0)
        experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "a table without a name or without columns");
    for (size_t i = 0; i < lab->tables.count && lab->status == OPAC_OK; i++)
        if (strcmp(lab->tables.items[i]->name, name) == 0)
            experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "two tables of one name");
    if (lab->status != OPAC_OK)
        return &lab->spare;
    experiment_table *table = make_table(lab, name, columns, count);
    if (lab->status == OPAC_OK)
        accept(lab, experiment_table_vec_push(&lab->tables, table, &error), &error);
    return lab->status == OPAC_OK ? table : &lab->spare;
}

void experiment_lab_table(experiment_lab *lab, experiment_table *table, const char *caption)
{
    if (lab->status == OPAC_OK && table->cells.count % table->column_count != 0)
        experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "a row of a table is not full");
    if (lab->status == OPAC_OK && table->is_given)
        experiment_lab_fail(lab, OPAC_ERROR_INTERNAL, "a table is handed over twice");
    const char *copy = experiment_lab_keep(lab, caption);
    if (lab->status != OPAC_OK)
        return;
    table->caption = copy;
    table->is_given = true;
    push_part(lab, (experiment_part){.kind = EXPERIMENT_PART_TABLE, .table = table});
}
