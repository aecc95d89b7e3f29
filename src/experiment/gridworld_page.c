/* SPDX-License-Identifier: MIT */
/* The gridworld's findings, tables, figures and texts. What was found is told as it was found: no
 * number is in a text that was not computed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "experiment/gridworld.h"
#include "experiment/trial.h"

/* ---- counting ---- */

static bool is_optimal(double truth)
{
    return truth > 1 - 1e-9;
}

typedef struct summary {
    unsigned optimal, refuted, holds;
    uint64_t least_time, most_time; /* of the learned policies */
    uint64_t steps, samples;        /* medians */
} summary;

static summary summarize(const grid_story *s, int setting)
{
    summary sum = {.least_time = UINT64_MAX};
    uint64_t steps[GRID_RUNS], samples[GRID_RUNS];
    for (unsigned i = 0; i < GRID_RUNS; i++) {
        const grid_run *run = &s->runs[setting][i];
        sum.optimal += is_optimal(run->truth) ? 1 : 0;
        sum.refuted += run->check == OPAC_HORIZON_REFUTED ? 1 : 0;
        sum.holds += run->holds ? 1 : 0;
        sum.least_time = run->policy_time < sum.least_time ? run->policy_time : sum.least_time;
        sum.most_time = run->policy_time > sum.most_time ? run->policy_time : sum.most_time;
        steps[i] = run->steps;
        samples[i] = run->samples;
    }
    sum.steps = experiment_median(steps, GRID_RUNS);
    sum.samples = experiment_median(samples, GRID_RUNS);
    return sum;
}

/* ---- findings ---- */

static void tell_time(grid_story *s)
{
    char time[OPAC_QUANTITY_SIZE];
    if (isnan(s->seconds))
        return;
    experiment_lab_finding(s->lab, "time of a run, T = 19", "about 40 minutes", "%s",
                           opac_duration_format(s->seconds, time, sizeof time));
    experiment_lab_remark(s->lab,
                          "between two changes of its policy the learner draws all episodes "
                          "together, by how often each step is taken; the law of the outcome is "
                          "that of one step at a time");
}

/* What the paper reports, and what it rests on. */
static void tell_paper(grid_story *s)
{
    experiment_lab *lab = s->lab;
    summary paper = summarize(s, GRID_PAPER);
    experiment_lab_finding(lab, "k by Theorem 1, T = 19", "71394132 (by its formula)", "%" PRIu64,
                           s->runs[GRID_PAPER][0].k);
    tell_time(s);
    experiment_lab_finding(lab, "optimal policies, T = 19", "in all runs observed",
                           "in %u of %d runs", paper.optimal, (int)GRID_RUNS);
    experiment_lab_finding(lab, "T = 19, after learning", "", "refuted in %u of %d runs",
                           paper.refuted, (int)GRID_RUNS);
    experiment_lab_remark(lab, "refuted: the learned chain has a longer recurrence time, at "
                               "ε + c, than a valid T would allow. The policy may be good, but the "
                               "theorem does not say so");
    if (paper.least_time == paper.most_time)
        experiment_lab_finding(lab, "recurrence time of the learned policies",
                               "at most 19, by its T", "%" PRIu64, paper.least_time);
    else
        experiment_lab_finding(lab, "recurrence time of the learned policies",
                               "at most 19, by its T", "%" PRIu64 " to %" PRIu64, paper.least_time,
                               paper.most_time);
}

static void tell_recurrence(grid_story *s)
{
    experiment_lab *lab = s->lab;
    const grid_cover *first = &s->covers[0][GRID_TWENTIETH],
                     *second = &s->covers[1][GRID_TWENTIETH];
    experiment_lab_finding(lab, "recurrence time T at ε = 1/20", "19",
                           "%" PRIu64 " (probability %.6f at %" PRIu64 ", %.6f at %" PRIu64 ")",
                           first->slowest, first->slowest_before, first->slowest - 1,
                           first->slowest_reached, first->slowest);
    experiment_lab_remark(lab, "the greatest over all positional policies, as the definition has "
                               "it");
    experiment_lab_finding(lab, "the same of the fastest optimal policy", "at most 19, by its T",
                           "%" PRIu64, first->fast);
    experiment_lab_finding(lab, "T with other walls (W2)", "", "%" PRIu64, second->slowest);
    experiment_lab_remark(lab, "W2: where one direction is blocked, the other one gets its "
                               "probability");
    experiment_lab_finding(lab, "expected time of two rounds in W2", "", "%.3f", s->rounds[1]);
    experiment_lab_remark(lab, "of the policy that is fastest there and optimal; it matches the "
                               "paper's T, but is an expectation, not a quantile");
    experiment_lab_finding(lab, "the same in the world as printed", "", "%.3f", s->rounds[0]);
}

/* What it takes when T is right, and what other knowledge is worth. */
static void tell_costs(grid_story *s)
{
    experiment_lab *lab = s->lab;
    summary real = summarize(s, GRID_PAPER_TRUE);
    experiment_lab_finding(lab, "k by Theorem 1, the true T", "", "%" PRIu64,
                           s->runs[GRID_PAPER_TRUE][0].k);
    experiment_lab_finding(lab, "guarantee, the true T", "", "holds in %u of %d runs", real.holds,
                           (int)GRID_RUNS);
    static const struct {
        int setting, digits;
        const char *what;
    } told[] = {{GRID_PAPER, 3, "steps, paper's k, T = 19"},
                {GRID_PAPER_TRUE, 3, "steps, paper's k, the true T"},
                {GRID_L1_TRUE, 3, "steps, rule l1, the true T"},
                {GRID_PMIN, 4, "steps, knowing pmin = 1/5"}};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        experiment_lab_finding(
            lab, told[i].what, "", "%s",
            experiment_show((double)summarize(s, told[i].setting).steps, told[i].digits).text);
    experiment_lab_remark(lab, "a bracket around the best probability closes; it is right whenever "
                               "one stops, and T is not needed");
}

/* ---- tables ---- */

static const char *check_name(opac_horizon_check check)
{
    switch (check) {
    case OPAC_HORIZON_CONSISTENT:
        return "consistent";
    case OPAC_HORIZON_REFUTED:
        return "refuted";
    case OPAC_HORIZON_UNCHECKED:
        break;
    }
    return "unchecked";
}

static void write_summary(grid_story *s)
{
    static const char *const columns[] = {"setting", "k",       "steps_median", "samples_median",
                                          "optimal", "refuted", "guaranteed",   "runs"};
    experiment_table *table = experiment_lab_new_table(s->lab, "summary", columns, 8);
    for (int i = 0; i < GRID_SETTINGS; i++) {
        summary sum = summarize(s, i);
        experiment_table_text(table, s->settings[i].name);
        if (s->settings[i].horizon > 0)
            experiment_table_uint(table, s->runs[i][0].k);
        else
            experiment_table_double(table, NAN); /* no k: a bracket closes */
        experiment_table_uint(table, sum.steps);
        experiment_table_uint(table, sum.samples);
        experiment_table_uint(table, sum.optimal);
        experiment_table_uint(table, sum.refuted);
        experiment_table_uint(table, sum.holds);
        experiment_table_uint(table, GRID_RUNS);
    }
    experiment_lab_table(s->lab, table,
                         "Steps are all that were taken, samples those that counted. Of each "
                         "setting, the runs whose policy is optimal, that refuted their T, and "
                         "whose guarantee holds.");
}

static void write_runs(grid_story *s)
{
    static const char *const columns[] = {"setting",  "seed",      "k",       "steps",
                                          "samples",  "episodes",  "known",   "probability",
                                          "T_policy", "T_learned", "T_check", "guaranteed"};
    experiment_table *table = experiment_lab_new_table(s->lab, "runs", columns, 12);
    for (unsigned i = 0; i < GRID_ALL_RUNS; i++) {
        const grid_run *run = &s->runs[i / GRID_RUNS][i % GRID_RUNS];
        experiment_table_text(table, s->settings[i / GRID_RUNS].name);
        experiment_table_uint(table, experiment_lab_seed(s->lab, i % GRID_RUNS));
        experiment_table_double(table, run->k != 0 ? (double)run->k : NAN);
        experiment_table_uint(table, run->steps);
        experiment_table_uint(table, run->samples);
        experiment_table_uint(table, run->episodes);
        experiment_table_uint(table, run->known);
        experiment_table_double(table, run->truth);
        experiment_table_uint(table, run->policy_time);
        experiment_table_double(table, run->found != 0 ? (double)run->found : NAN);
        experiment_table_text(table, check_name(run->check));
        experiment_table_text(table, run->holds ? "yes" : "no");
    }
    experiment_lab_table(s->lab, table, "All runs.");
}

static void write_covers(grid_story *s)
{
    static const char *const columns[] = {"world",       "epsilon", "T",
                                          "probability", "T_fast",  "probability_fast"};
    experiment_table *table = experiment_lab_new_table(s->lab, "cover", columns, 6);
    for (unsigned i = 0; i < GRID_COVERS; i++) {
        const grid_cover *cover = &s->covers[i / GRID_EPSILONS][i % GRID_EPSILONS];
        experiment_table_text(table, cover->world == 0 ? "W1" : "W2");
        experiment_table_double(table, cover->epsilon);
        experiment_table_uint(table, cover->slowest);
        experiment_table_double(table, cover->slowest_reached);
        experiment_table_uint(table, cover->fast);
        experiment_table_double(table, cover->fast_reached);
    }
    experiment_lab_table(
        s->lab, table,
        "Recurrence times at several ε, and the probability reached by then: of the "
        "model, which is that of its slowest policy, and of the fastest optimal "
        "policy.");
}

static void write_traces(grid_story *s)
{
    static const char *const columns[] = {"setting", "step", "known", "optimistic", "probability"};
    experiment_table *table = experiment_lab_new_table(s->lab, "trace", columns, 5);
    for (unsigned i = 0; i < GRID_SETTINGS; i++) {
        const grid_run *run = &s->runs[i][0];
        for (size_t j = 0; j < run->trace_count; j++) {
            experiment_table_text(table, s->settings[i].name);
            experiment_table_uint(table, run->trace[j].step);
            experiment_table_uint(table, run->trace[j].known);
            experiment_table_double(table, run->trace[j].value);
            experiment_table_double(table, run->trace[j].truth);
        }
    }
    experiment_lab_table(s->lab, table,
                         "The policies that the first run of each setting went through: when, and "
                         "their probability in the optimistic model and in the real one.");
}

/* ---- figures ---- */

static void draw_steps(grid_story *s)
{
    double x[GRID_SETTINGS], y[3][GRID_SETTINGS];
    const char *places[GRID_SETTINGS];
    static const char *const names[] = {"steps taken", "steps that counted", "k"};
    drawing_series series[3];
    char label[64];
    snprintf(label, sizeof label, "median of %d runs", (int)GRID_RUNS);
    for (int i = 0; i < GRID_SETTINGS; i++) {
        summary sum = summarize(s, i);
        x[i] = i;
        y[0][i] = (double)sum.steps;
        y[1][i] = (double)sum.samples;
        y[2][i] = s->settings[i].horizon > 0 ? (double)s->runs[i][0].k : NAN;
        places[i] = s->settings[i].name;
    }
    for (unsigned i = 0; i < 3; i++)
        series[i] = (drawing_series){
            .name = names[i], .kind = DRAWING_POINTS, .x = x, .y = y[i], .count = GRID_SETTINGS};
    drawing_chart chart = {.title = "What a policy costs, by rule for k and by T",
                           .description = "Medians of steps, of steps that counted, and k, for "
                                          "seven settings: from a thousand steps with pmin to "
                                          "24 million millions with the paper's k and T = 306",
                           .x = {.names = places, .name_count = GRID_SETTINGS},
                           .y = {.label = label, .scale = DRAWING_LOG},
                           .series = series,
                           .series_count = 3,
                           .width = 760};
    experiment_lab_chart(
        s->lab, "steps", &chart,
        "Steps until the learner stops, how many of them counted, and k. The setting "
        "with pmin has no k: it ends when a bracket is narrower than ε, and all of "
        "its steps count. W2 is the world with the other walls.");
}

static void draw_covers(grid_story *s)
{
    static const char *const names[] = {"as printed, slowest policy", "as printed, fastest optimal",
                                        "W2, slowest policy", "W2, fastest optimal"};
    double x[4][GRID_EPSILONS], y[4][GRID_EPSILONS];
    drawing_series series[4];
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < GRID_EPSILONS; j++) {
            const grid_cover *cover = &s->covers[i / 2][j];
            x[i][j] = (double)(i % 2 == 0 ? cover->slowest : cover->fast);
            y[i][j] = i % 2 == 0 ? cover->slowest_reached : cover->fast_reached;
        }
        series[i] = (drawing_series){
            .name = names[i], .kind = DRAWING_CURVE, .x = x[i], .y = y[i], .count = GRID_EPSILONS};
    }
    char time[32];
    double slowest = (double)s->covers[0][GRID_TWENTIETH].slowest;
    snprintf(time, sizeof time, "T = %.0f", slowest);
    const drawing_rule rules[] = {{.vertical = true, .at = 19, .label = "the paper's 19"},
                                  {.vertical = true, .at = slowest, .label = time},
                                  {.at = 1 - GRID_EPSILON, .label = "1 − ε"}};
    drawing_chart chart = {
        .title = "How soon a run has shown what it will do for ever",
        .x = {.label = "steps", .scale = DRAWING_LOG},
        .y = {.label = "probability of having covered it twice", .low = 0, .high = 1},
        .series = series,
        .series_count = 4,
        .rules = rules,
        .rule_count = 3,
        .width = 760};
    experiment_lab_chart(s->lab, "cover", &chart,
                         "The probability that a bottom component is covered twice within so many "
                         "steps. The recurrence time is where the curve of the slowest policy "
                         "reaches 1 − ε. At 19 only the fastest policy of W2 is near it.");
}

static void draw_traces(grid_story *s)
{
    static const int shown[] = {GRID_PMIN, GRID_PAPER, GRID_L1_TRUE, GRID_PAPER_TRUE};
    double x[4][GRID_MOST_TRACE], y[4][GRID_MOST_TRACE], best_x[4 * GRID_MOST_TRACE],
        best_y[4 * GRID_MOST_TRACE];
    drawing_series series[5];
    size_t best = 0;
    for (unsigned i = 0; i < 4; i++) {
        const grid_run *run = &s->runs[shown[i]][0];
        for (size_t j = 0; j < run->trace_count; j++) {
            x[i][j] = (double)run->trace[j].step;
            y[i][j] = (double)run->trace[j].known;
            if (is_optimal(run->trace[j].truth)) {
                best_x[best] = x[i][j];
                best_y[best++] = y[i][j];
            }
        }
        series[i] = (drawing_series){.name = s->settings[shown[i]].name,
                                     .kind = DRAWING_STAIRS,
                                     .x = x[i],
                                     .y = y[i],
                                     .count = run->trace_count,
                                     .plain = true};
    }
    series[4] = (drawing_series){.name = "policy is optimal",
                                 .kind = DRAWING_POINTS,
                                 .x = best_x,
                                 .y = best_y,
                                 .count = best};
    drawing_chart chart = {.title = "What is known, step by step, in one run of each setting",
                           .x = {.label = "steps", .scale = DRAWING_LOG},
                           .y = {.label = "known pairs of state and action"},
                           .series = series,
                           .series_count = 5,
                           .width = 760};
    experiment_lab_chart(s->lab, "learning", &chart,
                         "Pairs of a state and an action that count as known; crosses where the "
                         "policy of the moment is optimal. The paper's settings count pairs of the "
                         "product, the others those of the model.");
}

/* ---- the page ---- */

static void write_params(experiment_lab *lab)
{
    experiment_lab_param(lab, "models", "gridworld.prism, gridworld-w2.prism");
    experiment_lab_param(lab, "objective", "(G F s) & (G F g)");
    experiment_lab_param(lab, "epsilon", "1/20");
    experiment_lab_param(lab, "delta", "1/10");
    char runs[16];
    snprintf(runs, sizeof runs, "%d", (int)GRID_RUNS);
    experiment_lab_param(lab, "runs of each setting", runs);
}

static void say_paper(grid_story *s)
{
    summary paper = summarize(s, GRID_PAPER);
    experiment_lab_heading(s->lab, "The paper's parameters");
    experiment_lab_say(
        s->lab,
        "With these parameters %u of %d runs end with an optimal policy, as the paper reports. But "
        "it is not the theorem that says so. After learning, the program computes the recurrence "
        "time of the chain that it has learned; if T were valid, this would be at most T, at "
        "ε + c, where c is what the learned chain may be off by. It is found to be longer than 19 "
        "in %u of the %d runs: then nothing is "
        "promised (exit status 3 of `omegapac learn`), although the policies are good.",
        paper.optimal, (int)GRID_RUNS, paper.refuted, (int)GRID_RUNS);
    experiment_lab_say(
        s->lab, "Time is another matter. The learner that took 40 minutes took one step after the "
                "other. As long as the policy stays the same, only counts matter: how often each "
                "state is left for each other one. They can be drawn for all episodes together, "
                "with the same law, and the number of steps hardly matters any more.");
    write_summary(s);
    draw_steps(s);
}

static void say_recurrence(grid_story *s)
{
    const grid_cover *first = &s->covers[0][GRID_TWENTIETH],
                     *second = &s->covers[1][GRID_TWENTIETH];
    experiment_lab_heading(s->lab, "The recurrence time");
    experiment_lab_say(
        s->lab,
        "By its definition T is the time by which, whatever positional policy is followed, a "
        "bottom component is covered twice with probability 1 − ε. Computed exactly, it is "
        "%" PRIu64 " in the world as printed, where a move into a wall does not move, and %" PRIu64
        " in the world W2, where the other direction gets the probability. The optimal policy with "
        "the shortest time takes %" PRIu64 " in the first and %" PRIu64 " in the second.",
        first->slowest, second->slowest, first->fast, second->fast);
    experiment_lab_say(
        s->lab,
        "Where 19 may come from: in W2, that policy takes %.3f steps on average for two rounds "
        "from "
        "`s` to `g` and back (%.3f in the world as printed). Each of the four legs has one step "
        "that "
        "stays in the corner, and then three moves of 1.25 steps. That is an expectation, as "
        "the paper has it where it introduces the time informally, where its definition has a "
        "quantile, and it is of the fastest policy, where the definition has the "
        "slowest. So 19 is a parameter here, which we pass as the paper does.",
        s->rounds[1], s->rounds[0]);
    draw_covers(s);
    write_covers(s);
}

void experiment_grid_tell(grid_story *s)
{
    experiment_lab *lab = s->lab;
    write_params(lab);
    tell_paper(s);
    tell_recurrence(s);
    tell_costs(s);
    experiment_lab_say(
        lab, "A robot in six cells, one of them a trap, shall visit `s` and `g` again and again. "
             "Each action names two directions: either is taken with probability 0.4, and with 0.2 "
             "the robot stays. The paper learns a policy with ε = 1/20, δ = 1/10, T = 19 "
             "and the k of its Theorem 1, on the product of 12 states and 4 actions.");
    say_paper(s);
    say_recurrence(s);
    experiment_lab_heading(lab, "How it learns");
    draw_traces(s);
    write_traces(s);
    write_runs(s);
}
