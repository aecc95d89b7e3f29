/* SPDX-License-Identifier: MIT */
/*
 * How fast samples are drawn: by counts, step by step, on several threads, and beside a bare loop
 * that bounds it, all measured in one run, one after the other.
 *
 * Where times are not wanted, what remains are the numbers of steps, which depend on seeds alone.
 * Costs some five seconds on a quiet machine.
 */
#include "experiment/speed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    CASES = 4,
    PAPER = 0, /* in the table below */
    STEPS = 2,
    LARGE = 3,
    TRIES = 3,
    MOST_THREADS = 8 /* powers of two: 1 to 128 */
};

static const double paper_seconds = 2400; /* "approximately 40 minutes" */

typedef struct work {
    experiment_lab *lab;
    experiment_speed_case cases[CASES];
    experiment_speed_run runs[CASES]; /* the best, in one thread */
    double rate[CASES][MOST_THREADS]; /* steps a second, by power of two */
    double bare[CASES][MOST_THREADS]; /* of eight walks a thread */
    double alone[CASES];              /* of one walk */
    double draws;
    size_t powers; /* thread counts: 1, 2, 4 … */
} work;

static void prepare(work *w, experiment_lab *lab, uint64_t steps)
{
    *w = (work){.lab = lab,
                .cases = {{"gridworld", 12, 3, 19, OPAC_SAMPLER_POPULATION, 0},
                          {"gridworld", 12, 3, 306, OPAC_SAMPLER_POPULATION, 0},
                          {"gridworld", 12, 3, 306, OPAC_SAMPLER_STEP, steps},
                          {"shift", 10000, 2, 1000, OPAC_SAMPLER_STEP, steps / 2}}};
    w->powers = 1;
    while (experiment_lab_has_clock(lab) && w->powers < MOST_THREADS &&
           1u << w->powers <= experiment_lab_threads(lab))
        w->powers++;
}

/* ---- measuring ---- */

static opac_status measure_case(work *w, size_t index, const experiment_question *question,
                                size_t power, opac_error *error)
{
    opac_status status = OPAC_OK;
    int tries = experiment_lab_has_clock(w->lab) ? TRIES : 1;
    for (int i = 0; i < tries && status == OPAC_OK; i++) {
        experiment_speed_run run = {0};
        status = experiment_speed_measure(question, &w->cases[index], 1u << power,
                                          experiment_lab_seed(w->lab, 0),
                                          experiment_lab_cancel(w->lab), &run, error);
        double rate = (double)run.steps / run.seconds;
        if (i > 0 && rate <= w->rate[index][power])
            continue;
        w->rate[index][power] = rate;
        if (power == 0)
            w->runs[index] = run;
    }
    return status;
}

static opac_status measure_bare(work *w, size_t index, opac_error *error)
{
    const experiment_speed_case *one = &w->cases[index];
    experiment_bare *bare;
    opac_status status = experiment_bare_new(one->states, one->width, &bare, error);
    if (status != OPAC_OK)
        return status;
    status = experiment_bare_rate(bare, true, 1, one->steps / 4, &w->alone[index], error);
    for (size_t p = 0; p < w->powers && status == OPAC_OK; p++)
        status = experiment_bare_rate(bare, false, 1u << p, one->steps, &w->bare[index][p], error);
    experiment_bare_free(bare);
    return status;
}

/* Threads matter to those alone that take steps. */
static opac_status measure(work *w, size_t index, opac_error *error)
{
    experiment_question question;
    bool steps = w->cases[index].steps != 0;
    opac_status status = experiment_speed_open(&w->cases[index], &question, error);
    if (status != OPAC_OK)
        return status;
    for (size_t p = 0; p < (steps ? w->powers : 1) && status == OPAC_OK; p++)
        status = measure_case(w, index, &question, p, error);
    experiment_question_close(&question);
    if (status == OPAC_OK && steps && experiment_lab_has_clock(w->lab))
        status = measure_bare(w, index, error);
    return status;
}

/* ---- tables ---- */

static const char *sampler_name(const work *w, size_t index)
{
    return w->cases[index].sampler == OPAC_SAMPLER_STEP ? "step" : "population";
}

static void tell_counts(const work *w)
{
    static const char *const columns[] = {"model", "states", "sampler", "T",
                                          "k",     "steps",  "episodes"};
    experiment_table *table = experiment_lab_new_table(w->lab, "counts", columns, 7);
    for (size_t i = 0; i < CASES; i++) {
        experiment_table_text(table, w->cases[i].name);
        experiment_table_uint(table, w->cases[i].states);
        experiment_table_text(table, sampler_name(w, i));
        experiment_table_uint(table, w->cases[i].horizon);
        experiment_table_uint(table, w->runs[i].k);
        experiment_table_uint(table, w->runs[i].steps);
        experiment_table_uint(table, w->runs[i].episodes);
    }
    experiment_lab_table(w->lab, table,
                         "What is run. The first two are whole runs with the k of Theorem 1; the "
                         "others take as many steps as are measured, and k is so large that no "
                         "pair becomes known.");
}

static void tell_times(const work *w)
{
    static const char *const columns[] = {
        "model",      "states",         "sampler",  "T",        "threads", "steps_per_second",
        "bare_eight", "share_of_eight", "bare_one", "times_one"};
    experiment_table *table = experiment_lab_new_table(w->lab, "times", columns, 10);
    for (size_t i = 0; i < CASES; i++)
        for (size_t p = 0; p < (w->cases[i].steps != 0 ? w->powers : 1); p++) {
            bool steps = w->cases[i].steps != 0;
            double one = steps && p == 0 ? w->alone[i] : NAN, rate = w->rate[i][p];
            experiment_table_text(table, w->cases[i].name);
            experiment_table_uint(table, w->cases[i].states);
            experiment_table_text(table, sampler_name(w, i));
            experiment_table_uint(table, w->cases[i].horizon);
            experiment_table_uint(table, UINT64_C(1) << p);
            experiment_table_double(table, rate);
            experiment_table_double(table, steps ? w->bare[i][p] : NAN);
            experiment_table_double(table, steps ? rate / w->bare[i][p] : NAN);
            experiment_table_double(table, one);
            experiment_table_double(table, rate / one);
        }
    experiment_lab_table(
        w->lab, table,
        "Steps a second, the best of three tries, beside the bare walk: eight at a time on as "
        "many threads, and one alone.");
}

/* ---- figures ---- */

static void draw_kinds(const work *w)
{
    static const char *const names[] = {
        "paper, T = 19", "one bare walk",      "eight bare walks",   "step",
        "random draws",  "population, T = 19", "population, T = 306"};
    enum {
        BARS = sizeof names / sizeof names[0]
    };
    double x[BARS], y[BARS] = {(double)w->runs[PAPER].steps / paper_seconds,
                               w->alone[STEPS],
                               w->bare[STEPS][0],
                               w->rate[STEPS][0],
                               w->draws,
                               w->rate[PAPER][0],
                               w->rate[PAPER + 1][0]};
    for (size_t i = 0; i < BARS; i++)
        x[i] = (double)i;
    drawing_series series = {.kind = DRAWING_POINTS, .x = x, .y = y, .count = BARS};
    drawing_chart chart = {
        .title = "Steps a second on the gridworld, one thread",
        .description = "Rates on a logarithmic axis, in ascending order more or less: the paper's, "
                       "bare walks, the sampler of steps, random draws, and counts in place of "
                       "steps far above them",
        .x = {.names = names, .name_count = BARS},
        .y = {.label = "steps a second", .scale = DRAWING_LOG, .low = 1e6, .high = NAN},
        .series = &series,
        .series_count = 1,
        .width = 760};
    experiment_lab_chart(
        w->lab, "samplers", &chart,
        "The paper's number follows from its 40 minutes and the steps of such a run, on another "
        "machine. No sampler of steps can be faster than the generator draws numbers; one that "
        "draws counts (`population`) is not bound by that. Best of three tries.");
}

static void draw_threads(const work *w)
{
    static const char *const names[MOST_THREADS] = {"1", "2", "4", "8", "16", "32", "64", "128"};
    static const char *const labels[] = {"gridworld", "gridworld, bare walks", "10000 states",
                                         "10000 states, bare walks"};
    const double *rates[] = {w->rate[STEPS], w->bare[STEPS], w->rate[LARGE], w->bare[LARGE]};
    double x[MOST_THREADS];
    drawing_series series[4];
    for (size_t p = 0; p < w->powers; p++)
        x[p] = (double)p;
    for (size_t i = 0; i < 4; i++)
        series[i] = (drawing_series){
            .name = labels[i], .kind = DRAWING_BARS, .x = x, .y = rates[i], .count = w->powers};
    drawing_chart chart = {.title = "Steps a second, by threads",
                           .x = {.label = "threads", .names = names, .name_count = w->powers},
                           .y = {.label = "steps a second"},
                           .series = series,
                           .series_count = 4,
                           .width = 760};
    experiment_lab_chart(w->lab, "threads", &chart,
                         "The step sampler, and bare walks eight at a time, on as many threads: "
                         "where these gain nothing from another thread, nobody does.");
}

/* ---- texts ---- */

static void introduce(const work *w)
{
    experiment_lab_say(
        w->lab,
        "What a sample costs in time. The sampler `step` takes transitions one by one: a random "
        "number, and three loads, each of which waits for the one before. `population` draws "
        "counts: between two changes of the policy all episodes have the same law, so it can be "
        "drawn how many of them go where. Both give results of the same distribution.");
    experiment_lab_say(w->lab, "The limit is measured in the same run. A bare loop walks through "
                               "tables of the same layout and size, without episodes, policies "
                               "or counters: one walk alone pays for every load in full, eight "
                               "walks side by side hide one's waiting behind the others' work. "
                               "Ratios of one run are of interest, not times: those depend on "
                               "the machine, and on who else uses it.");
    experiment_lab_param(w->lab, "epsilon", "1/20");
    experiment_lab_param(w->lab, "delta", "1/10");
}

static void find_steps(const work *w, const char *what, size_t index, const char *remark)
{
    double rate = w->rate[index][0];
    experiment_lab_finding(
        w->lab, what, "", "%s steps a second: %s of eight bare walks, %s times one",
        experiment_show(rate, 2).text, experiment_show(rate / w->bare[index][0], 2).text,
        experiment_show(rate / w->alone[index], 2).text);
    experiment_lab_remark(w->lab, remark);
}

static void find_speed(const work *w)
{
    double theirs = (double)w->runs[PAPER].steps / paper_seconds;
    experiment_digits slow = experiment_show(theirs, 2);
    char paper[128];
    snprintf(paper, sizeof paper, "some 40 minutes: about %s steps a second", slow.text);
    experiment_lab_finding(w->lab, "the gridworld's run, T = 19", paper,
                           "%s s: as if %s steps a second",
                           experiment_show(w->runs[PAPER].seconds, 2).text,
                           experiment_show(w->rate[PAPER][0], 2).text);
    experiment_lab_remark(w->lab, "counts are drawn in place of steps; the paper's is derived from "
                                  "the steps of our run, on another machine");
    find_steps(w, "one step at a time, one thread", STEPS, "the bare walks count nothing");
    find_steps(w, "the same with 10000 states", LARGE,
               "some of the steps discover states, which is slower");
}

static void explain(const work *w)
{
    size_t last = w->powers - 1;
    experiment_lab_say(
        w->lab,
        "One thread draws %s random numbers a second, takes %s steps, and a bare walk %s; eight "
        "of them together %s. With %u threads it is %s steps, %s times as many as with one; the "
        "bare walks gain %s. By counts the run of the paper takes %s s, and that with the true T "
        "of 306, of %s steps, %s s.",
        experiment_show(w->draws, 2).text, experiment_show(w->rate[STEPS][0], 2).text,
        experiment_show(w->alone[STEPS], 2).text, experiment_show(w->bare[STEPS][0], 2).text,
        1u << last, experiment_show(w->rate[STEPS][last], 2).text,
        experiment_show(w->rate[STEPS][last] / w->rate[STEPS][0], 2).text,
        experiment_show(w->bare[STEPS][last] / w->bare[STEPS][0], 2).text,
        experiment_show(w->runs[PAPER].seconds, 2).text,
        experiment_show((double)w->runs[PAPER + 1].steps, 3).text,
        experiment_show(w->runs[PAPER + 1].seconds, 2).text);
}

/* ---- all ---- */

opac_status experiment_speed_page(experiment_lab *lab, uint64_t steps, opac_error *error)
{
    work w;
    opac_status status = OPAC_OK;
    prepare(&w, lab, steps);
    introduce(&w);
    for (size_t i = 0; i < CASES && status == OPAC_OK; i++)
        status = measure(&w, i, error);
    if (status != OPAC_OK)
        return status;
    experiment_lab_finding(lab, "steps of the gridworld's run, T = 19", "", "%" PRIu64,
                           w.runs[PAPER].steps);
    if (experiment_lab_has_clock(lab)) {
        w.draws = experiment_draw_rate(steps);
        find_speed(&w);
        draw_kinds(&w);
        explain(&w);
        draw_threads(&w);
        tell_times(&w);
    }
    tell_counts(&w);
    return OPAC_OK;
}

opac_status experiment_speed(experiment_lab *lab, opac_error *error)
{
    return experiment_speed_page(lab, 20000000, error);
}
