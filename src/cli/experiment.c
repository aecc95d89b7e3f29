/* SPDX-License-Identifier: MIT */
/* omegapac experiment: the experiments of the paper and ours, one after the other. */
#include <stdio.h>
#include <string.h>

#include <omegapac/experiment.h>

#include "cli/files.h"
#include "cli/follow.h"
#include "cli/interrupt.h"
#include "cli/lines.h"
#include "cli/result.h"

enum {
    MOST = 32 /* experiments */
};

typedef struct session {
    const cli_arguments *arguments;
    opac_experiment_options options;
    const char *names[MOST]; /* those to run, each once */
    opac_experiment_result *results[MOST];
    size_t count, done;
    cli_sink sink;
} session;

/* ---- which ---- */

static const opac_experiment *find(const char *name)
{
    for (size_t i = 0; i < opac_experiment_count(); i++)
        if (strcmp(opac_experiment_at(i)->name, name) == 0)
            return opac_experiment_at(i);
    return NULL;
}

static opac_status fail_unknown(const char *name, opac_error *error)
{
    const char *words[MOST + 2] = {"list", "all"};
    size_t count = 2;
    for (size_t i = 0; i < opac_experiment_count() && i < MOST; i++)
        words[count++] = opac_experiment_at(i)->name;
    return cli_fail(error,
                    "there is no experiment %s%s; omegapac experiment list tells which there are",
                    cli_quote(name).text, cli_suggest_of(words, count, name).text);
}

static void add(session *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    if (s->count < MOST)
        s->names[s->count++] = name;
}

/* The names, before anything runs. *is_list: they are to be listed. */
static opac_status choose(session *s, bool *is_list, opac_error *error)
{
    cli_walk walk = {0};
    const char *word;
    size_t words = 0;
    *is_list = false;
    while ((word = cli_next_operand(s->arguments, 0, &walk)) != NULL) {
        words++;
        if (strcmp(word, "list") == 0) {
            *is_list = true;
        } else if (strcmp(word, "all") == 0) {
            for (size_t i = 0; i < opac_experiment_count(); i++)
                add(s, opac_experiment_at(i)->name);
        } else if (find(word) != NULL) {
            add(s, find(word)->name);
        } else {
            return fail_unknown(word, error);
        }
    }
    if (*is_list && words > 1)
        return cli_fail(error, "list stands alone, without names of experiments");
    return OPAC_OK;
}

/* ---- text ---- */

/* How many columns a text takes: its characters. */
static size_t columns_of(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void write_padded(opac_output *out, const char *text, size_t width)
{
    opac_output_text(out, text);
    for (size_t i = columns_of(text); i < width + 2; i++)
        opac_output_text(out, " ");
}

static size_t widest(size_t width, const char *text)
{
    size_t columns = columns_of(text);
    return columns > width ? columns : width;
}

static void write_findings(const opac_experiment_result *result, opac_output *out)
{
    size_t count = opac_experiment_finding_count(result);
    size_t what = columns_of("quantity"), paper = columns_of("the paper");
    for (size_t i = 0; i < count; i++) {
        opac_experiment_finding finding = opac_experiment_finding_at(result, i);
        what = widest(what, finding.what);
        paper = widest(paper, finding.paper);
    }
    write_padded(out, "quantity", what);
    write_padded(out, "the paper", paper);
    opac_output_text(out, "here\n");
    for (size_t i = 0; i < count; i++) {
        opac_experiment_finding finding = opac_experiment_finding_at(result, i);
        write_padded(out, finding.what, what);
        write_padded(out, finding.paper[0] != '\0' ? finding.paper : "-", paper);
        opac_output_print(out, "%s\n", finding.ours);
    }
}

/* DIR/file, where a reader of the output finds it. */
static void write_place(const session *s, const char *file, opac_output *out)
{
    const char *folder = s->options.folder;
    size_t length = strlen(folder);
    cli_write_path(out, folder);
    opac_output_print(out, "%s%s", length > 0 && folder[length - 1] == '/' ? "" : "/", file);
}

static void write_text(const session *s, const opac_experiment_result *result, opac_output *out)
{
    if (s->done > 0)
        opac_output_text(out, "\n");
    opac_output_print(out, "Result: %s, ", opac_experiment_result_name(result));
    write_place(s, opac_experiment_file_at(result, 0), out);
    opac_output_text(out, "\n\n");
    write_findings(result, out);
}

/* ---- JSON ---- */

static void echo_findings(const opac_experiment_result *result, opac_json *json)
{
    opac_json_key(json, "findings");
    opac_json_begin_array(json);
    for (size_t i = 0; i < opac_experiment_finding_count(result); i++) {
        opac_experiment_finding finding = opac_experiment_finding_at(result, i);
        opac_json_begin_object(json);
        cli_echo_text(json, "what", finding.what);
        cli_echo_text(json, "paper", finding.paper);
        cli_echo_text(json, "ours", finding.ours);
        cli_echo_text(json, "remark", finding.remark);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

static void echo_result(const session *s, const opac_experiment_result *result, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    cli_echo_text(json, "experiment", opac_experiment_result_name(result));
    cli_echo_text(json, "folder", s->options.folder);
    echo_findings(result, json);
    opac_json_key(json, "files");
    opac_json_begin_array(json);
    for (size_t i = 0; opac_experiment_file_at(result, i) != NULL; i++)
        opac_json_string(json, opac_experiment_file_at(result, i));
    opac_json_end_array(json);
    opac_json_end_object(json);
}

static void write_json(const session *s, const opac_experiment_result *result, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, s->arguments);
    cli_echo_params(s->arguments, &json);
    echo_result(s, result, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* ---- the list ---- */

static void list_text(opac_output *out)
{
    size_t width = 0;
    for (size_t i = 0; i < opac_experiment_count(); i++)
        width = widest(width, opac_experiment_at(i)->name);
    for (size_t i = 0; i < opac_experiment_count(); i++) {
        write_padded(out, opac_experiment_at(i)->name, width);
        opac_output_print(out, "%s\n", opac_experiment_at(i)->summary);
    }
}

static void list_json(const session *s, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, s->arguments);
    opac_json_key(&json, "result");
    opac_json_begin_object(&json);
    opac_json_key(&json, "experiments");
    opac_json_begin_array(&json);
    for (size_t i = 0; i < opac_experiment_count(); i++) {
        opac_json_begin_object(&json);
        cli_echo_text(&json, "name", opac_experiment_at(i)->name);
        cli_echo_text(&json, "summary", opac_experiment_at(i)->summary);
        opac_json_end_object(&json);
    }
    opac_json_end_array(&json);
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

static opac_status list(session *s, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = cli_sink_begin(&s->sink, &out, error);
    if (status != OPAC_OK)
        return status;
    if (s->arguments->values[CLI_JSON].given)
        list_json(s, out);
    else
        list_text(out);
    return cli_sink_end(&s->sink, error);
}

/* ---- running ---- */

/* The same thing is missing in all of them, as a rule: said once. */
static void tell_note(const session *s, const opac_experiment_result *result)
{
    const char *note = opac_experiment_result_note(result);
    if (*note == '\0' || s->arguments->values[CLI_QUIET].given)
        return;
    for (size_t i = 0; i < s->done; i++)
        if (strcmp(opac_experiment_result_note(s->results[i]), note) == 0)
            return;
    fprintf(stderr, "omegapac experiment: note: %s\n", note);
}

static opac_status deliver(session *s, const opac_experiment_result *result, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = cli_sink_begin(&s->sink, &out, error);
    if (status != OPAC_OK)
        return status;
    if (s->arguments->values[CLI_JSON].given)
        write_json(s, result, out);
    else
        write_text(s, result, out);
    return cli_sink_end(&s->sink, error);
}

/* One experiment, and the index anew: who stops behind it finds all that is finished. */
static opac_status run_one(session *s, const char *name, opac_error *error)
{
    opac_experiment_result *result = NULL;
    opac_status status = opac_experiment_run(name, &s->options, &result, error);
    if (status != OPAC_OK)
        return status;
    tell_note(s, result);
    s->results[s->done] = result;
    status = opac_experiment_write_index((const opac_experiment_result *const *)s->results,
                                         s->done + 1, &s->options, error);
    if (status == OPAC_OK)
        status = deliver(s, result, error);
    s->done++;
    return status;
}

static opac_status run_all(session *s, opac_error *error)
{
    const cli_value *values = s->arguments->values;
    opac_cancel *cancel = NULL;
    opac_progress *progress = NULL;
    opac_status status = cli_interrupt_begin(s->arguments, &cancel, error);
    if (status != OPAC_OK)
        return status;
    status = cli_follow(s->arguments, cli_follow_draw, (void *)s->arguments, &progress, error);
    s->options = opac_experiment_defaults();
    s->options.folder = values[CLI_FOLDER].text;
    s->options.seed = values[CLI_SEED].count;
    s->options.threads = (unsigned)values[CLI_THREADS].count;
    s->options.no_timing = values[CLI_NO_TIMING].given;
    s->options.cancel = cancel;
    s->options.progress = progress;
    for (size_t i = 0; i < s->count && status == OPAC_OK; i++)
        status = run_one(s, s->names[i], error);
    /* Behind the last one there were pictures to convert, of which some are missing then. */
    if (status == OPAC_OK)
        status = cli_check_stop(cancel, error);
    opac_progress_free(progress);
    cli_interrupt_end(cancel);
    return status;
}

cli_exit cli_run_experiment(const cli_arguments *arguments)
{
    session s = {.arguments = arguments};
    opac_error error = {0};
    bool is_list;
    cli_sink_init(&s.sink, NULL);
    opac_status status = choose(&s, &is_list, &error);
    if (status == OPAC_OK)
        status = is_list ? list(&s, &error) : run_all(&s, &error);
    cli_sink_fini(&s.sink);
    for (size_t i = 0; i < s.done; i++)
        opac_experiment_result_free(s.results[i]);
    return status == OPAC_OK ? CLI_EXIT_DONE : cli_report(arguments->command, &error);
}
