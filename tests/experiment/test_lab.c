/* SPDX-License-Identifier: MIT */
/* The laboratory, with experiments of the test's own: what is written, in which order, and what is
 * not written when something fails. */
#include <math.h>
#include <time.h>

#include <jansson.h>

#include "experiment/folder.h"
#include "experiment/record.h"
#include "support/faults.h"

/* ---- an experiment ---- */

enum {
    RUNS = 50
};

typedef struct tally {
    const experiment_lab *lab;
    uint64_t results[RUNS];
} tally;

static opac_status count(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    tally *t = context;
    (void)error;
    assert_true(worker < experiment_lab_threads(t->lab));
    t->results[index] = experiment_lab_seed(t->lab, index) * 1000003;
    return OPAC_OK;
}

static void hand_over(experiment_lab *lab, const tally *t, unsigned rows)
{
    static const char *const columns[] = {"index", "long_result"};
    const double x[] = {1, 2, 3}, y[] = {3, 1, 2};
    drawing_series series = {.name = "y", .kind = DRAWING_CURVE, .x = x, .y = y, .count = 3};
    drawing_chart chart = {.title = "Three", .series = &series, .series_count = 1};
    experiment_table *table = experiment_lab_new_table(lab, "rows", columns, 2);
    for (unsigned i = 0; i < rows; i++) {
        experiment_table_uint(table, i);
        experiment_table_uint(table, t->results[i % RUNS]);
    }
    experiment_lab_param(lab, "number", "<7>");
    experiment_lab_say(lab, "First `code` & %d.", 42);
    experiment_lab_heading(lab, "Second");
    experiment_lab_chart(lab, "third", &chart, "Third, of `a<b`.");
    experiment_lab_table(lab, table, "Fourth, of `c` & 12345.");
    experiment_lab_finding(lab, "pi", "3", "%.2f", 3.14159);
    experiment_lab_remark(lab, "it has <more> digits");
    experiment_lab_finding(lab, "e", "", "2.72");
}

static opac_status good(experiment_lab *lab, opac_error *error)
{
    tally t = {.lab = lab};
    opac_status status = experiment_lab_repeat(lab, "counting", RUNS, count, &t, error);
    if (status == OPAC_OK)
        hand_over(lab, &t, EXPERIMENT_ROWS_SHOWN);
    if (experiment_lab_has_clock(lab))
        experiment_lab_finding(lab, "time", "", "%d s", experiment_lab_seconds() >= 0 ? 1 : 2);
    return status;
}

static opac_status long_table(experiment_lab *lab, opac_error *error)
{
    tally t = {.lab = lab};
    (void)error;
    hand_over(lab, &t, EXPERIMENT_ROWS_SHOWN + 1);
    return OPAC_OK;
}

static opac_experiment_options options_in(const folder *f)
{
    opac_experiment_options options = opac_experiment_defaults();
    options.folder = f->path;
    options.no_png = true;
    options.no_timing = true;
    return options;
}

static opac_status run_function(experiment_function function,
                                const opac_experiment_options *options,
                                opac_experiment_result **result, opac_error *error)
{
    static experiment_entry entry = {{"try", "an experiment"}, NULL}; /* the result knows it */
    entry.run = function;
    return experiment_run_entry(&entry, options, result, error);
}

/* Whether the texts stand in this order in a file. */
static void assert_order(const folder *f, const char *name, const char *const *texts)
{
    char *text = folder_read(f, name);
    assert_non_null(text);
    const char *at = text;
    for (; *texts != NULL; texts++) {
        at = strstr(at, *texts);
        if (at == NULL)
            fail_msg("%s: not there, or not in its order: %s", name, *texts);
    }
    free(text);
}

/* ---- what is written ---- */

static void the_page_has_all_in_its_order(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    assert_ok(run_function(good, &options, &result, &error), &error);
    opac_experiment_result_free(result);
    assert_order(&f, "try.html",
                 (const char *const[]){"<!DOCTYPE html>",
                                       "<h1>try</h1>",
                                       "an experiment",
                                       "<p>First <code>code</code> &amp; 42.</p>",
                                       "the paper",
                                       ">pi</th>",
                                       "<td data-label=\"the paper\">3</td>",
                                       "<td data-label=\"here\">3.14</td>",
                                       "<td data-label=\"why\">it has &lt;more&gt; digits",
                                       ">e</th>",
                                       "<td data-label=\"the paper\"></td>",
                                       "<h2>Second</h2>",
                                       "<svg",
                                       "Three",
                                       "</svg>",
                                       "<figcaption>Third, of <code>a&lt;b</code>. ",
                                       "try-third.svg",
                                       ">index</th>",
                                       ">long result</th>",
                                       "<td class=\"number\">39</td>",
                                       "<figcaption>Fourth, of <code>c</code> &amp; 12,345. ",
                                       "40 rows",
                                       "href=\"try-rows.csv\"",
                                       "<dt>number</dt><dd>&lt;7&gt;</dd>",
                                       "<dt>seed</dt><dd>1</dd>",
                                       "</html>",
                                       NULL});
    char *svg = folder_read(&f, "try-third.svg"), *page = folder_read(&f, "try.html");
    assert_non_null(strstr(page, svg)); /* the same picture */
    free(svg);
    free(page);
    assert_int_equal(folder_count(&f, false), 4);
    folder_remove(&f);
}

/* What a page makes of a text. */
static void assert_prose(const char *text, const char *expected)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    experiment_prose_write(out, text);
    assert_ok(opac_output_commit(out, &error), &error);
    const char *bytes = opac_output_bytes(out, &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(bytes, expected, length);
    opac_output_free(out);
}

static void long_numbers_are_grouped(void **state)
{
    (void)state;
    assert_prose("", "");
    assert_prose("9999", "9999");
    assert_prose("12345", "12,345");
    assert_prose("k = 71394132, (1000000) and 123456.", "k = 71,394,132, (1,000,000) and 123,456.");
    assert_prose("-12345 a -12345", "-12,345 a -12,345");
    assert_prose("18446744073709551615", "18,446,744,073,709,551,615");
    /* Those are no whole numbers, or part of something else. */
    assert_prose("0.123456 1.5e-12345 1e123456", "0.123456 1.5e-12345 1e123456");
    assert_prose("123456.5 123456e7 2^12345", "123456.5 123456e7 2^12345");
    assert_prose("s12345 12345s _12345 12345_", "s12345 12345s _12345 12345_");
    assert_prose("123456·10⁹ ε12345", "123456·10⁹ ε12345");
    assert_prose("<12345> `<12345>` 12345", "&lt;12,345&gt; <code>&lt;12345&gt;</code> 12,345");
    assert_prose("`12345", "<code>12345</code>");
    assert_prose("a-12345 10^-12345", "a-12345 10^-12345");
}

static void long_tables_are_linked(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    assert_ok(run_function(long_table, &options, &result, &error), &error);
    opac_experiment_result_free(result);
    char *page = folder_read(&f, "try.html");
    assert_null(strstr(page, "<td class=\"number\">"));
    assert_non_null(strstr(page, "41 rows: <a href=\"try-rows.csv\">"));
    free(page);
    folder_remove(&f);
}

static opac_status numbers(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"what", "number"};
    static const double values[] = {0.123456789, 1234567.8, -2.5e-9, 0, 1e300, NAN};
    experiment_table *table = experiment_lab_new_table(lab, "rows", columns, 2);
    (void)error;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        experiment_table_text(table, "a");
        experiment_table_double(table, values[i]);
    }
    experiment_lab_table(lab, table, "All.");
    return OPAC_OK;
}

/* Six digits, and all of whole parts, on the page; the files have them all. */
static void pages_round_what_files_do_not(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    assert_ok(run_function(numbers, &options, &result, &error), &error);
    assert_order(&f, "try.html",
                 (const char *const[]){
                     "<td class=\"number\">0.123457</td>", "<td class=\"number\">1,234,568</td>",
                     "<td class=\"number\">-2.5e-9</td>", "<td class=\"number\">0</td>",
                     "<td class=\"number\">1e300</td>", "<td class=\"number\"></td>", NULL});
    assert_order(&f, "try-rows.csv",
                 (const char *const[]){"what,number\r\na,0.123456789\r\na,1234567.8\r\n"
                                       "a,-2.5e-9\r\na,0\r\na,1e300\r\na,\r\n",
                                       NULL});
    opac_experiment_result_free(result);
    folder_remove(&f);
}

static void json_says_what_it_is(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    options.seed = 5;
    assert_ok(run_function(good, &options, &result, &error), &error);
    char *text = folder_read(&f, "try.json");
    json_error_t problem;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "schema")),
                        "omegapac.experiment/1");
    assert_string_equal(json_string_value(json_object_get(root, "name")), "try");
    assert_int_equal(json_integer_value(json_object_get(root, "seed")), 5);
    const json_t *params = json_object_get(root, "params");
    assert_string_equal(json_string_value(json_object_get(params, "number")), "<7>");
    const json_t *findings = json_object_get(root, "findings");
    assert_int_equal(json_array_size(findings), opac_experiment_finding_count(result));
    assert_int_equal(json_array_size(findings), 2);
    const json_t *files = json_object_get(root, "files");
    for (size_t i = 0; i < json_array_size(files); i++)
        assert_string_equal(json_string_value(json_array_get(files, i)),
                            opac_experiment_file_at(result, i));
    assert_null(opac_experiment_file_at(result, json_array_size(files)));
    assert_string_equal(opac_experiment_file_at(result, 0), "try.html");
    assert_string_equal(opac_experiment_finding_at(result, 0).remark, "it has <more> digits");
    assert_string_equal(opac_experiment_finding_at(result, 9).what, "");
    assert_string_equal(opac_experiment_result_name(result), "try");
    assert_string_equal(opac_experiment_result_note(result), "");
    /* The first row: the seed of the first run. */
    const json_t *rows =
        json_object_get(json_array_get(json_object_get(root, "tables"), 0), "rows");
    assert_int_equal(json_integer_value(json_array_get(json_array_get(rows, 1), 1)), 6 * 1000003);
    json_decref(root);
    free(text);
    opac_experiment_result_free(result);
    folder_remove(&f);
}

static void times_need_a_clock(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    options.no_timing = false;
    assert_ok(run_function(good, &options, &result, &error), &error);
    assert_int_equal(opac_experiment_finding_count(result), 3);
    opac_experiment_result_free(result);
    folder_remove(&f);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"try.html", "try.json", "try-rows.csv", "try-third.svg"};
    folder one = folder_make(), four = folder_make();
    opac_experiment_result *result;
    opac_error error;
    for (unsigned i = 0; i < 2; i++) {
        opac_experiment_options options = options_in(i == 0 ? &one : &four);
        options.threads = i == 0 ? 1 : 4;
        assert_ok(run_function(good, &options, &result, &error), &error);
        opac_experiment_result_free(result);
    }
    for (unsigned i = 0; i < 4; i++) {
        char *left = folder_read(&one, names[i]), *right = folder_read(&four, names[i]);
        assert_string_equal(left, right);
        free(left);
        free(right);
    }
    folder_remove(&one);
    folder_remove(&four);
}

/* ---- progress ---- */

typedef struct watch {
    unsigned reports;
    bool finished;
} watch;

static void look(void *context, const opac_progress_report *report)
{
    watch *w = context;
    assert_string_equal(report->what, "counting");
    w->reports++;
    w->finished = report->finished;
}

static opac_status slow(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};
    (void)context, (void)index, (void)worker, (void)error;
    nanosleep(&pause, NULL);
    return OPAC_OK;
}

static opac_status slowly(experiment_lab *lab, opac_error *error)
{
    return experiment_lab_repeat(lab, "counting", 30, slow, NULL, error);
}

static void progress_is_shown(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    watch w = {0};
    options.threads = 2;
    assert_ok(opac_progress_new(look, &w, &options.progress, &error), &error);
    assert_ok(run_function(slowly, &options, &result, &error), &error);
    assert_true(w.reports > 1 && w.finished);
    opac_progress_free(options.progress);
    opac_experiment_result_free(result);
    folder_remove(&f);
}

/* ---- what goes wrong ---- */

static opac_status fail_late(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)context, (void)worker;
    return index < 7 ? OPAC_OK : base_fail(error, OPAC_ERROR_LIMIT, "at %d", (int)index);
}

static opac_status failing(experiment_lab *lab, opac_error *error)
{
    return experiment_lab_repeat(lab, "failing", 20, fail_late, NULL, error);
}

static opac_status half_a_row(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"a", "b"};
    (void)error;
    experiment_table *table = experiment_lab_new_table(lab, "t", columns, 2);
    experiment_table_uint(table, 1);
    experiment_lab_table(lab, table, "");
    return OPAC_OK;
}

static opac_status same_name(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"a"};
    (void)error;
    experiment_lab_new_table(lab, "t", columns, 1);
    experiment_lab_new_table(lab, "t", columns, 1);
    return OPAC_OK;
}

static opac_status bad_name(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {"a"};
    (void)error;
    experiment_table_text(experiment_lab_new_table(lab, "../t", columns, 1), "x");
    return OPAC_OK;
}

static opac_status bad_figure(experiment_lab *lab, opac_error *error)
{
    drawing_chart chart = {.title = "x"};
    (void)error;
    experiment_lab_chart(lab, "a/b", &chart, "");
    return OPAC_OK;
}

static opac_status stray_remark(experiment_lab *lab, opac_error *error)
{
    (void)error;
    experiment_lab_remark(lab, "why");
    return OPAC_OK;
}

static opac_status ask_to_stop(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    (void)index, (void)worker, (void)error;
    opac_cancel_request(context);
    return OPAC_OK;
}

static opac_status stopping(experiment_lab *lab, opac_error *error)
{
    /* One body, so that none is left out: it was stopped all the same. */
    return experiment_lab_repeat(lab, "stopping", 1, ask_to_stop,
                                 (void *)experiment_lab_cancel(lab), error);
}

static void a_failure_writes_nothing(void **state)
{
    (void)state;
    static const struct {
        experiment_function function;
        opac_status status;
        const char *message;
    } cases[] = {{failing, OPAC_ERROR_LIMIT, "at 7"},
                 {half_a_row, OPAC_ERROR_INTERNAL, "row"},
                 {same_name, OPAC_ERROR_INTERNAL, "two tables"},
                 {bad_name, OPAC_ERROR_INTERNAL, "name"},
                 {bad_figure, OPAC_ERROR_INTERNAL, "name"},
                 {stray_remark, OPAC_ERROR_INTERNAL, "remark"},
                 {stopping, OPAC_ERROR_CANCELLED, "stopped"}};
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_error error;
    opac_cancel *cancel;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    options.cancel = cancel;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_experiment_result *result;
        assert_status(run_function(cases[i].function, &options, &result, &error), cases[i].status);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_null(result);
        assert_int_equal(folder_count(&f, false), 0);
    }
    opac_cancel_free(cancel);
    folder_remove(&f);
}

static void folders_that_cannot_be(void **state)
{
    (void)state;
    folder f = folder_make();
    char path[1024];
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    options.folder = folder_at(&f, "no/such", path);
    assert_status(run_function(good, &options, &result, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "cannot make the folder"));
    folder_write(&f, "file", "x", 0644);
    options.folder = folder_at(&f, "file", path);
    assert_status(run_function(good, &options, &result, &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "is a file, not a folder"));
    options.folder = "";
    assert_status(run_function(good, &options, &result, &error), OPAC_ERROR_ARGUMENT);
    options.folder = NULL;
    assert_status(run_function(good, &options, &result, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_experiment_write_index(NULL, 0, &options, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_experiment_run("no such", &options, &result, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no experiment 'no such'");
    /* A page that cannot be written is found before the work. */
    options.folder = f.path;
    assert_int_equal(mkdir(folder_at(&f, "try.html", path), 0755), 0);
    assert_true(run_function(good, &options, &result, &error) != OPAC_OK);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(folder_count(&f, false), 1);
    /* One of the others is found behind it, and none of the files is left then. */
    assert_int_equal(mkdir(folder_at(&f, "try.json", path), 0755), 0);
    assert_true(run_function(good, &options, &result, &error) != OPAC_OK);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(folder_count(&f, false), 1);
    /* One is made. */
    unlink(folder_at(&f, "file", path));
    folder made = {""};
    assert_true(strlen(f.path) + 5 < sizeof made.path);
    strcat(strcpy(made.path, f.path), "/new");
    options.folder = made.path;
    assert_ok(run_function(good, &options, &result, &error), &error);
    opac_experiment_result_free(result);
    folder_remove(&made);
    folder_remove(&f);
}

/* ---- PNG ---- */

static void without_a_converter_there_is_a_note(void **state)
{
    (void)state;
    folder f = folder_make(), empty = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result *result;
    opac_error error;
    const char *now = getenv("PATH");
    char *before = now != NULL ? strdup(now) : NULL;
    options.no_png = false;
    setenv("PATH", empty.path, 1);
    assert_ok(run_function(good, &options, &result, &error), &error);
    assert_non_null(strstr(opac_experiment_result_note(result), "no PNG: none of rsvg-convert"));
    opac_experiment_result_free(result);
    assert_int_equal(folder_count(&f, true), 4);
    /* One that fails: another note. One that works: a fifth file, which the JSON does not name. */
    folder_write(&empty, "rsvg-convert", "#!/bin/sh\nexit 3\n", 0755);
    assert_ok(run_function(good, &options, &result, &error), &error);
    assert_non_null(strstr(opac_experiment_result_note(result), "failed"));
    opac_experiment_result_free(result);
    folder_write(
        &empty, "rsvg-convert",
        "#!/bin/sh\nprintf '\\211PNG\\r\\n\\032\\nIEND\\256B`\\202' > \"${3#--output=}\"\n", 0755);
    assert_ok(run_function(good, &options, &result, &error), &error);
    assert_string_equal(opac_experiment_result_note(result), "");
    assert_string_equal(opac_experiment_file_at(result, 4), "try-third.png");
    opac_experiment_result_free(result);
    assert_int_equal(folder_count(&f, false), 5);
    char *json = folder_read(&f, "try.json");
    assert_null(strstr(json, ".png"));
    free(json);
    /* It does not outlive its picture. */
    options.no_png = true;
    assert_ok(run_function(good, &options, &result, &error), &error);
    opac_experiment_result_free(result);
    assert_int_equal(folder_count(&f, false), 4);
    if (before != NULL)
        setenv("PATH", before, 1);
    free(before);
    folder_remove(&f);
    folder_remove(&empty);
}

/* ---- the list and the index ---- */

static void the_list_has_names(void **state)
{
    (void)state;
    assert_true(opac_experiment_count() > 0);
    for (size_t i = 0; i < opac_experiment_count(); i++) {
        const opac_experiment *one = opac_experiment_at(i);
        assert_true(strlen(one->name) > 0 && strlen(one->summary) > 10);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(one->name, opac_experiment_at(j)->name);
    }
    assert_null(opac_experiment_at(opac_experiment_count()));
}

static void the_index_leads_to_pages(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    opac_experiment_result result = {.experiment = opac_experiment_at(0)};
    const opac_experiment_result *results[] = {&result};
    opac_error error;
    opac_experiment_finding finding = {"what", "paper", "<ours>", ""};
    char link[128];
    snprintf(link, sizeof link, "<a href=\"%s.html\">", result.experiment->name);
    /* None is there. */
    assert_ok(opac_experiment_write_index(NULL, 0, &options, &error), &error);
    char *page = folder_read(&f, "index.html");
    assert_null(strstr(page, "<h2>"));
    free(page);
    /* A page of before, and one with findings. */
    char name[64];
    snprintf(name, sizeof name, "%s.html", result.experiment->name);
    folder_write(&f, name, "x", 0644);
    assert_ok(opac_experiment_write_index(NULL, 0, &options, &error), &error);
    assert_order(&f, "index.html", (const char *const[]){link, "</html>", NULL});
    assert_ok(experiment_finding_vec_push(&result.findings, finding, &error), &error);
    assert_ok(opac_experiment_write_index(results, 1, &options, &error), &error);
    assert_order(&f, "index.html", (const char *const[]){link, "&lt;ours&gt;", "</html>", NULL});
    experiment_finding_vec_fini(&result.findings);
    folder_remove(&f);
}

static void models_are_part_of_it(void **state)
{
    (void)state;
    static const char *const names[] = {"chain", "counterexample", "gridworld", "gridworld-w2",
                                        "stay"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(strstr(experiment_model_text(names[i]), "endmodule"));
    assert_null(experiment_model_text("nothing"));
}

/* ---- memory ---- */

static opac_status whole(void *context, opac_error *error)
{
    const opac_experiment_options *options = context;
    opac_experiment_result *result;
    opac_status status = run_function(good, options, &result, error);
    if (status == OPAC_OK) {
        status = opac_experiment_write_index(NULL, 0, options, error);
        opac_experiment_result_free(result);
    }
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    folder f = folder_make();
    opac_experiment_options options = options_in(&f);
    options.threads = 2;
    assert_true(faults_sweep(whole, &options) > 50);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_has_all_in_its_order),
        cmocka_unit_test(long_numbers_are_grouped),
        cmocka_unit_test(long_tables_are_linked),
        cmocka_unit_test(pages_round_what_files_do_not),
        cmocka_unit_test(json_says_what_it_is),
        cmocka_unit_test(times_need_a_clock),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(progress_is_shown),
        cmocka_unit_test(a_failure_writes_nothing),
        cmocka_unit_test(folders_that_cannot_be),
        cmocka_unit_test(without_a_converter_there_is_a_note),
        cmocka_unit_test(the_list_has_names),
        cmocka_unit_test(the_index_leads_to_pages),
        cmocka_unit_test(models_are_part_of_it),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("experiment.lab", tests, NULL, NULL);
}
