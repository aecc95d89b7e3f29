/* SPDX-License-Identifier: MIT */
/* Experiments that are run small, into folders of their own. */
#ifndef EXPERIMENT_SMALL_H
#define EXPERIMENT_SMALL_H

#include "experiment/folder.h"
#include "experiment/record.h"
#include "support/faults.h"

typedef struct small_run {
    const experiment_entry *entry;
    opac_experiment_options options;
} small_run;

static inline small_run small_in(const experiment_entry *entry, const folder *f, unsigned threads)
{
    small_run run = {.entry = entry, .options = opac_experiment_defaults()};
    run.options.folder = f->path;
    run.options.no_png = true;
    run.options.no_timing = true;
    run.options.threads = threads;
    return run;
}

/* What it found, of that name; the test fails without it. The result is the caller's. */
static inline const char *small_finding(const opac_experiment_result *result, const char *what)
{
    for (size_t i = 0; i < opac_experiment_finding_count(result); i++)
        if (strcmp(opac_experiment_finding_at(result, i).what, what) == 0)
            return opac_experiment_finding_at(result, i).ours;
    fail_msg("there is no finding %s", what);
    return "";
}

/* A text that a file has. */
typedef struct small_text {
    const char *file, *text;
} small_text;

static inline void small_read(const folder *f, const small_text *texts)
{
    for (; texts->file != NULL; texts++) {
        char *file = folder_read(f, texts->file);
        assert_non_null(file);
        if (strstr(file, texts->text) == NULL)
            fail_msg("%s does not say: %s", texts->file, texts->text);
        free(file);
    }
}

/* All files of a run with one thread are those of a run with four, byte for byte, and have the
 * texts, of which the last has no file. Returns the result. */
static inline opac_experiment_result *small_same(const experiment_entry *entry, int files,
                                                 const small_text *texts)
{
    folder one = folder_make(), four = folder_make();
    opac_experiment_result *result, *other;
    opac_error error;
    small_run alone = small_in(entry, &one, 1), together = small_in(entry, &four, 4);
    assert_ok(experiment_run_entry(entry, &alone.options, &result, &error), &error);
    assert_ok(experiment_run_entry(entry, &together.options, &other, &error), &error);
    assert_int_equal(folder_count(&one, false), files);
    assert_int_equal(folder_count(&four, false), files);
    for (size_t i = 0; opac_experiment_file_at(result, i) != NULL; i++) {
        const char *name = opac_experiment_file_at(result, i);
        char *text = folder_read(&one, name), *again = folder_read(&four, name);
        assert_true(text != NULL && again != NULL && *text != '\0');
        if (strcmp(text, again) != 0)
            fail_msg("%s depends on threads", name);
        free(text);
        free(again);
    }
    small_read(&one, texts);
    opac_experiment_result_free(other);
    folder_remove(&one);
    folder_remove(&four);
    return result;
}

static inline opac_status small_whole(void *context, opac_error *error)
{
    small_run *run = context;
    opac_experiment_result *result;
    opac_status status = experiment_run_entry(run->entry, &run->options, &result, error);
    if (status == OPAC_OK)
        opac_experiment_result_free(result);
    return status;
}

/* Runs it for what it computes, and throws the page away. */
static inline void small_with(const experiment_entry *entry, unsigned threads)
{
    folder f = folder_make();
    small_run run = small_in(entry, &f, threads);
    opac_error error;
    assert_ok(small_whole(&run, &error), &error);
    folder_remove(&f);
}

static inline void small_compute(const experiment_entry *entry)
{
    small_with(entry, 2);
}

/* A function that makes assertions about what it is given, in a laboratory of its own. */
static inline void small_once(experiment_function function, unsigned threads)
{
    experiment_entry entry = {{"small", "small"}, function};
    small_with(&entry, threads);
}

/* Every stride-th allocation fails, and is reported. */
static inline void small_sweep(const experiment_entry *entry, size_t stride)
{
    folder f = folder_make();
    small_run run = small_in(entry, &f, 1);
    assert_true(faults_sweep_some(small_whole, stride, &run) > 10);
    folder_remove(&f);
}

#endif
