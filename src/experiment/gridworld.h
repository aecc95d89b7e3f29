/* SPDX-License-Identifier: MIT */
/*
 * The gridworld's runs: what experiment_gridworld tells about. World 0 is the paper's as printed (a
 * blocked move does not move), world 1 the one where the other direction gets its probability.
 */
#ifndef EXPERIMENT_GRIDWORLD_H
#define EXPERIMENT_GRIDWORLD_H

#include <omegapac/omegapac.h>

#include "experiment/lab.h"

enum {
    GRID_WORLDS = 2,
    GRID_RUNS = 20,
    GRID_MOST_TRACE = 256 /* entries that are kept of a run */
};

#define GRID_EPSILON (1.0 / 20)
#define GRID_DELTA   (1.0 / 10)

/* ---- what is known of the model ---- */

typedef struct grid_worlds {
    opac_model *models[GRID_WORLDS];
    opac_policy *fast[GRID_WORLDS]; /* the policy of examples/policies/gridworld-fast.json */
    opac_formula *formula;
    opac_objective objective;
} grid_worlds;

opac_status experiment_grid_open(grid_worlds *worlds, opac_error *error);
/* Takes one that was not opened, or in part, if it was zero before. */
void experiment_grid_close(grid_worlds *worlds);

/* The time until a bottom component is covered twice, with probability 1 - epsilon. */
typedef struct grid_cover {
    unsigned world;
    double epsilon;
    uint64_t slowest, fast; /* the recurrence time, and that of the fast policy */
    double slowest_before, slowest_reached, fast_reached;
} grid_cover;

opac_status experiment_grid_cover(const grid_worlds *worlds, grid_cover *cover,
                                  const opac_cancel *cancel, opac_error *error);

/* Transitions that the policy is expected to take for so many rounds, from s to g and back to s. */
opac_status experiment_grid_rounds(const opac_policy *policy, unsigned rounds, double *expected,
                                   opac_error *error);

/* ---- learning ---- */

typedef struct grid_setting {
    const char *name; /* "paper, T = 19" */
    unsigned world;
    uint64_t horizon; /* 0 with pmin */
    opac_k_rule rule;
    bool count_pairs;
    double pmin;
} grid_setting;

typedef struct grid_run {
    uint64_t k, samples, steps, episodes, known;
    double truth;         /* the policy's probability, by opac_evaluate */
    uint64_t policy_time; /* its recurrence time in the model */
    uint64_t found;       /* that of the learned chain, at epsilon + c; 0: was not computed */
    opac_horizon_check check;
    bool holds;
    double seconds;
    opac_trace_entry *trace; /* room for GRID_MOST_TRACE; NULL: none is wanted */
    size_t trace_count;
} grid_run;

opac_status experiment_grid_learn(const grid_worlds *worlds, const grid_setting *setting,
                                  uint64_t seed, const opac_cancel *cancel, grid_run *run,
                                  opac_error *error);

/* ---- the whole experiment ---- */

enum {
    GRID_EPSILONS = 13,
    GRID_TWENTIETH = 9, /* 1/20 among them */
    GRID_COVERS = GRID_WORLDS * GRID_EPSILONS
};

/* The settings, in the order of the table. */
enum {
    GRID_PAPER = 0,
    GRID_PAPER_TRUE,
    GRID_SOUND_TRUE,
    GRID_L1_TRUE,
    GRID_PMIN,
    GRID_OTHER_WORLD,
    GRID_OTHER_WORLD_TRUE,
    GRID_SETTINGS,
    GRID_ALL_RUNS = GRID_SETTINGS * GRID_RUNS
};

typedef struct grid_story {
    experiment_lab *lab;
    grid_worlds worlds;
    grid_cover covers[GRID_WORLDS][GRID_EPSILONS];
    grid_setting settings[GRID_SETTINGS];
    char names[GRID_SETTINGS][64];
    grid_run runs[GRID_SETTINGS][GRID_RUNS];
    double seconds;             /* of one run as the paper's; NAN: no clock */
    double rounds[GRID_WORLDS]; /* two of the fast policy */
    opac_trace_entry *traces;   /* of the first run of each setting */
} grid_story;

/* Hands it over. */
void experiment_grid_tell(grid_story *s);

#endif
