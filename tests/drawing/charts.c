/* SPDX-License-Identifier: MIT */
/*
 * Charts of all kinds, as files for other programs to look at: charts FOLDER. The data are made up,
 * in the shape of those that experiments and reports show.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/chart.h"

enum {
    MOST = 100000
};

static double x[8][MOST], y[8][MOST], y2[8][MOST];

/* Numbers in [0, 1), the same in every run. */
static double chance(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void save(const char *folder, const char *name, const drawing_chart *chart)
{
    char path[1024];
    opac_output *out = NULL;
    opac_error error = {0};
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    opac_status status = opac_output_open_file(path, &out, &error);
    if (status == OPAC_OK)
        status = drawing_chart_write(chart, out, &error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, &error);
    opac_output_free(out);
    if (status != OPAC_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        exit(1);
    }
}

/* Values of learned policies for more and more samples. */
static size_t fill_runs(size_t series, size_t runs)
{
    size_t count = 0;
    for (int k = 0; k < 9; k++)
        for (size_t run = 0; run < runs; run++, count++) {
            double samples = pow(10, 0.5 * k), good = 1 - exp(-samples / 30);
            x[series][count] = round(samples);
            y[series][count] =
                chance() < good ? 0.5 - 0.02 * chance() * (k < 6) : 0.5 * pow(chance(), 0.5) * 0.9;
        }
    return count;
}

static void draw_chain(const char *folder)
{
    const drawing_rule rules[] = {{.at = 0.5, .label = "optimum 1/2"},
                                  {.at = 0.4, .label = "6\xCE\xB5 threshold 2/5"},
                                  {.vertical = true, .at = 4000, .label = "Theorem 1"}};
    drawing_series series = {.kind = DRAWING_BOXES, .x = x[0], .y = y[0]};
    drawing_chart chart = {.title = "Satisfaction probability of learned policies",
                           .x = {.label = "samples of each pair, k", .scale = DRAWING_LOG},
                           .y = {.label = "probability", .low = 0, .high = 0.55},
                           .series = &series,
                           .series_count = 1,
                           .rules = rules,
                           .rule_count = 3};
    series.count = fill_runs(0, 100);
    save(folder, "boxes", &chart);
    series.kind = DRAWING_STRIP;
    series.count = fill_runs(0, 20);
    save(folder, "strip", &chart);
    series.count = fill_runs(0, 1000);
    save(folder, "strip-1000", &chart);
    drawing_series both[] = {{.name = "Rmax", .kind = DRAWING_BOXES, .x = x[0], .y = y[0]},
                             {.name = "certifying", .kind = DRAWING_BOXES, .x = x[1], .y = y[1]}};
    both[0].count = fill_runs(0, 50);
    both[1].count = fill_runs(1, 50);
    chart.series = both;
    chart.series_count = 2;
    save(folder, "boxes-two", &chart);
}

static void draw_curves(const char *folder)
{
    static const char *const names[] = {"Theorem 1", "Weissman", "Hoeffding",
                                        "used by the learner"};
    drawing_series series[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 8; i++) {
            x[s][i] = 5 * pow(2, i);
            y[s][i] = pow(10, 7 - 1.1 * s) * pow(x[s][i], 2 - 0.3 * s);
        }
        series[s] = (drawing_series){.name = names[s], .x = x[s], .y = y[s], .count = 8};
    }
    drawing_chart chart = {.title = "Samples against the number of states",
                           .x = {.label = "states N", .scale = DRAWING_LOG},
                           .y = {.label = "samples", .scale = DRAWING_LOG},
                           .series = series,
                           .series_count = 4};
    save(folder, "curves", &chart);
    chart.y.scale = DRAWING_LINEAR;
    save(folder, "curves-linear", &chart);
}

static void draw_learning(const char *folder)
{
    drawing_series series[] = {
        {.name = "known pairs", .kind = DRAWING_STAIRS, .x = x[0], .y = y[0], .count = 40},
        {.name = "pairs that can be reached",
         .kind = DRAWING_STAIRS,
         .x = x[1],
         .y = y[1],
         .count = 40}};
    drawing_chart chart = {.title = "What is known",
                           .x = {.label = "steps"},
                           .y = {.label = "state\xE2\x80\x93"
                                          "action pairs"},
                           .series = series,
                           .series_count = 2};
    for (int i = 0; i < 40; i++) {
        x[0][i] = x[1][i] = 25000.0 * i * i / 40;
        y[0][i] = floor(120 * (1 - exp(-i / 12.0)));
        y[1][i] = floor(120 * (1 - exp(-i / 5.0)));
    }
    save(folder, "stairs", &chart);
    for (int i = 0; i < MOST; i++) {
        x[0][i] = x[1][i] = i;
        y[0][i] = 0.72 + 0.28 * exp(-i / 9000.0) + 0.002 * chance();
        y2[0][i] = 0.71 - 0.7 * exp(-i / 15000.0) - 0.002 * chance();
        y[1][i] = i < 90000 ? (y[0][i] + y2[0][i]) / 2 : NAN;
    }
    drawing_series bracket[] = {
        {.name = "[L, U]", .kind = DRAWING_BAND, .x = x[0], .y = y[0], .y2 = y2[0], .count = MOST},
        {.name = "value of the policy", .x = x[1], .y = y[1], .count = MOST}};
    drawing_rule value = {.at = 0.708, .label = "value"};
    drawing_chart closing = {.title = "A bracket that closes",
                             .x = {.label = "samples"},
                             .y = {.label = "probability", .low = 0, .high = 1},
                             .series = bracket,
                             .series_count = 2,
                             .rules = &value,
                             .rule_count = 1};
    save(folder, "band", &closing);
}

static void draw_bars(const char *folder)
{
    static const char *const names[] = {"gridworld", "chain", "counterexample", "stay",
                                        "mutex of Pnueli and Zuck"};
    drawing_series series[] = {
        {.name = "1 thread", .kind = DRAWING_BARS, .x = x[0], .y = y[0], .count = 5},
        {.name = "2 threads", .kind = DRAWING_BARS, .x = x[0], .y = y[1], .count = 5},
        {.name = "the machine's limit", .kind = DRAWING_BARS, .x = x[0], .y = y[2], .count = 5}};
    drawing_chart chart = {.title = "Steps a second",
                           .x = {.names = names, .name_count = 5},
                           .y = {.label = "million steps a second"},
                           .series = series,
                           .series_count = 3};
    for (int i = 0; i < 5; i++) {
        x[0][i] = i;
        y[0][i] = 20 + 7 * i;
        y[1][i] = 1.8 * y[0][i];
        y[2][i] = 95;
    }
    save(folder, "bars", &chart);
    chart.series_count = 2;
    y[0][2] = -30;
    save(folder, "bars-negative", &chart);
}

static void draw_points(const char *folder)
{
    drawing_series series[8];
    char names[8][32];
    for (int s = 0; s < 8; s++) {
        snprintf(names[s], sizeof names[s], "series \xE2\x84\x96 %d", s + 1);
        for (int i = 0; i < 30; i++) {
            x[s][i] = 30000 * chance();
            y[s][i] = (s + 1) * 0.004 * (1 + 0.2 * chance()) - 0.016;
        }
        series[s] = (drawing_series){
            .name = names[s], .kind = DRAWING_POINTS, .x = x[s], .y = y[s], .count = 30};
    }
    drawing_chart chart = {.title = "Eight series of points",
                           .x = {.label = "x"},
                           .y = {.label = "y"},
                           .series = series,
                           .series_count = 8};
    save(folder, "points", &chart);
    for (int s = 0; s < 8; s++) {
        series[s].kind = DRAWING_CURVE;
        for (int i = 0; i < 30; i++)
            x[s][i] = i, y[s][i] = s + sin(i / 3.0);
    }
    save(folder, "eight", &chart);
    for (int i = 0; i < MOST; i++) {
        x[0][i] = pow(10, 3 * chance() - 1);
        y[0][i] = x[0][i] * pow(10, chance());
    }
    series[0].kind = DRAWING_POINTS;
    series[0].count = MOST;
    chart.series_count = 1;
    chart.x.scale = chart.y.scale = DRAWING_LOG;
    save(folder, "points-many", &chart);
}

static void draw_odd(const char *folder)
{
    const double odd_x[] = {1, 2, NAN, 3, 4}, odd_y[] = {1, INFINITY, 2, -INFINITY, 1};
    const char hostile[] = "</svg><script>alert('&\"')</script> \xE2\x80\xAE \xFF\x01 ]]> <!-- -->";
    drawing_rule rules[12];
    drawing_series series = {.name = hostile, .x = odd_x, .y = odd_y, .count = 5};
    drawing_chart chart = {.title = hostile,
                           .description = hostile,
                           .x = {.label = hostile},
                           .y = {.label = hostile},
                           .series = &series,
                           .series_count = 1,
                           .rules = rules,
                           .rule_count = 12};
    for (int i = 0; i < 12; i++)
        rules[i] = (drawing_rule){.vertical = i % 2 == 1,
                                  .at = i % 2 == 1 ? 3 + 0.01 * i : 1 + 0.001 * i,
                                  .label = i < 3 ? hostile : "a rule"};
    save(folder, "hostile", &chart);
    save(folder, "empty", &(drawing_chart){0});
    drawing_chart one = {.series = &series, .series_count = 1};
    series.count = 1;
    series.name = NULL;
    save(folder, "one", &one);
    const double far[] = {1e-300, 1, 1e300}, far_y[] = {-1e308, 0, 1e308};
    series = (drawing_series){.x = far, .y = far_y, .count = 3};
    one.x.scale = DRAWING_LOG;
    save(folder, "far", &one);
    const double near[] = {3100, 3300, 3600};
    series = (drawing_series){.x = near, .y = far, .count = 3};
    one.y.scale = DRAWING_LOG;
    save(folder, "near", &one);
}

int main(int count, char **words)
{
    if (count != 2)
        return 2;
    draw_chain(words[1]);
    draw_curves(words[1]);
    draw_learning(words[1]);
    draw_bars(words[1]);
    draw_points(words[1]);
    draw_odd(words[1]);
    return 0;
}
