/* SPDX-License-Identifier: MIT */
/*
 * The paper's gridworld (section Experiments): ε = 1/20, δ = 1/10, T = 19 and k by Theorem 1; then
 * with the recurrence time that its definition gives, with smaller k, and without T. In two worlds,
 * since the paper's T is that of neither, but can be found in the second.
 *
 * Costs some seconds: a run with the true T a tenth of one, and a recurrence time, which looks at
 * thousands of policies, about as much.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "experiment/gridworld.h"
#include "experiment/trial.h"

static const double epsilons[GRID_EPSILONS] = {0.9, 0.8, 0.7,  0.6,  0.5,  0.4,  0.3,
                                               0.2, 0.1, 0.05, 0.02, 0.01, 0.001};

enum {
    TIMED = 5 /* runs with a clock, of which the median counts */
};

/* ---- computing ---- */

static opac_status find_cover(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    grid_story *s = context;
    (void)worker;
    return experiment_grid_cover(&s->worlds,
                                 &s->covers[index / GRID_EPSILONS][index % GRID_EPSILONS],
                                 experiment_lab_cancel(s->lab), error);
}

static opac_status learn(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    grid_story *s = context;
    (void)worker;
    return experiment_grid_learn(
        &s->worlds, &s->settings[index / GRID_RUNS], experiment_lab_seed(s->lab, index % GRID_RUNS),
        experiment_lab_cancel(s->lab), &s->runs[index / GRID_RUNS][index % GRID_RUNS], error);
}

static void set(grid_story *s, int index, const char *what, unsigned world, uint64_t horizon,
                opac_k_rule rule)
{
    grid_setting *setting = &s->settings[index];
    snprintf(s->names[index], sizeof s->names[index], "%s", what);
    *setting = (grid_setting){.name = s->names[index],
                              .world = world,
                              .horizon = horizon,
                              .rule = rule,
                              .count_pairs = rule != OPAC_K_L1};
    if (horizon > 0)
        snprintf(s->names[index], sizeof s->names[index], "%s, T = %" PRIu64, what, horizon);
}

static void set_all(grid_story *s)
{
    uint64_t first = s->covers[0][GRID_TWENTIETH].slowest,
             second = s->covers[1][GRID_TWENTIETH].slowest;
    set(s, GRID_PAPER, "paper", 0, 19, OPAC_K_PAPER);
    set(s, GRID_PAPER_TRUE, "paper", 0, first, OPAC_K_PAPER);
    set(s, GRID_SOUND_TRUE, "sound", 0, first, OPAC_K_SOUND);
    set(s, GRID_L1_TRUE, "l1", 0, first, OPAC_K_L1);
    set(s, GRID_PMIN, "pmin = 1/5", 0, 0, OPAC_K_L1);
    s->settings[GRID_PMIN].pmin = 1.0 / 5;
    set(s, GRID_OTHER_WORLD, "W2: paper", 1, 19, OPAC_K_PAPER);
    set(s, GRID_OTHER_WORLD_TRUE, "W2: l1", 1, second, OPAC_K_L1);
    for (unsigned i = 0; i < GRID_SETTINGS; i++)
        s->runs[i][0].trace = s->traces + (size_t)i * GRID_MOST_TRACE;
}

/* With nothing beside it. */
static opac_status measure(grid_story *s, opac_error *error)
{
    double seconds[TIMED];
    opac_status status = OPAC_OK;
    s->seconds = NAN;
    if (!experiment_lab_has_clock(s->lab))
        return OPAC_OK;
    for (unsigned i = 0; i < TIMED && status == OPAC_OK; i++) {
        grid_run run = {.trace = NULL};
        status = experiment_grid_learn(&s->worlds, &s->settings[GRID_PAPER],
                                       experiment_lab_seed(s->lab, i),
                                       experiment_lab_cancel(s->lab), &run, error);
        seconds[i] = run.seconds;
    }
    if (status == OPAC_OK)
        s->seconds = experiment_middle(seconds, TIMED);
    return status;
}

static opac_status compute(grid_story *s, opac_error *error)
{
    opac_status status = experiment_grid_open(&s->worlds, error);
    for (unsigned i = 0; i < GRID_COVERS; i++) {
        s->covers[i / GRID_EPSILONS][i % GRID_EPSILONS].world = i / GRID_EPSILONS;
        s->covers[i / GRID_EPSILONS][i % GRID_EPSILONS].epsilon = epsilons[i % GRID_EPSILONS];
    }
    if (status == OPAC_OK)
        status =
            experiment_lab_repeat(s->lab, "recurrence times", GRID_COVERS, find_cover, s, error);
    if (status == OPAC_OK) {
        set_all(s);
        status = experiment_lab_repeat(s->lab, "gridworld", GRID_ALL_RUNS, learn, s, error);
    }
    for (unsigned i = 0; i < GRID_WORLDS && status == OPAC_OK; i++)
        status = experiment_grid_rounds(s->worlds.fast[i], 2, &s->rounds[i], error);
    return status == OPAC_OK ? measure(s, error) : status;
}

opac_status experiment_gridworld(experiment_lab *lab, opac_error *error)
{
    grid_story *s = base_alloc_zeroed(1, sizeof *s);
    opac_trace_entry *traces =
        base_alloc_zeroed((size_t)GRID_SETTINGS * GRID_MOST_TRACE, sizeof *traces);
    opac_status status = OPAC_OK;
    if (s == NULL || traces == NULL) {
        status = base_fail_memory(error);
    } else {
        s->lab = lab;
        s->traces = traces;
        status = compute(s, error);
        if (status == OPAC_OK)
            experiment_grid_tell(s);
        experiment_grid_close(&s->worlds);
    }
    base_free(s);
    base_free(traces);
    return status;
}
