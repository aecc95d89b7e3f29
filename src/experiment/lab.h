/* SPDX-License-Identifier: MIT */
/*
 * What experiments are made of. One is a function that is given a laboratory: it runs things there
 * in parallel, and hands over what is to be written, in the order in which the page shows it.
 *
 *     opac_status experiment_chain(experiment_lab *lab, opac_error *error)
 *     {
 *         experiment_lab_say(lab, "A chain of six states, and in each of them a gamble…");
 *         experiment_lab_param(lab, "epsilon", "1/60");
 *         status = experiment_lab_repeat(lab, "chain", count, run_once, &runs, error);
 *         …
 *         experiment_table *table = experiment_lab_new_table(lab, "runs", columns, 3);
 *         experiment_table_uint(table, k);
 *         experiment_table_uint(table, seed);
 *         experiment_table_double(table, value);           // a row is full, the next begins
 *         experiment_lab_table(lab, table, "All runs.");   // chain-runs.csv, and in chain.json
 *         experiment_lab_chart(lab, "values", &chart, "What is seen, in a sentence.");
 *         experiment_lab_finding(lab, "optimum", "0.5", "%s", found);
 *     }
 *
 * Handing over cannot fail by itself: the first problem (memory, say) is remembered, and ends the
 * experiment with its error.
 */
#ifndef EXPERIMENT_LAB_H
#define EXPERIMENT_LAB_H

#include <omegapac/bound.h>
#include <omegapac/experiment.h>

#include "base/pool.h"
#include "drawing/chart.h"

typedef struct experiment_lab experiment_lab;

/* ---- running ---- */

/*
 * body(context, 0), … body(context, count - 1) in parallel, with progress and cancellation. Bodies
 * depend on their index alone, so that results stored by index do not depend on threads. They run
 * learners with one thread each.
 */
opac_status experiment_lab_repeat(experiment_lab *lab, const char *what, uint64_t count,
                                  base_pool_body body, void *context, opac_error *error);
/* The seed of the index-th run, a function of the options' seed: seed + index. */
uint64_t experiment_lab_seed(const experiment_lab *lab, uint64_t index);
/* For learners that a body runs; NULL: none. */
const opac_cancel *experiment_lab_cancel(const experiment_lab *lab);
unsigned experiment_lab_threads(const experiment_lab *lab);
/* Whether times may be handed over. Who measures when they may not only wastes time. */
bool experiment_lab_has_clock(const experiment_lab *lab);
double experiment_lab_seconds(void); /* of a monotonic clock */

/* ---- tables ---- */

typedef struct experiment_table experiment_table;

/* name: "runs", of letters, digits and hyphens. Columns: their names, as CSV heads and in JSON, of
 * letters, digits and underscores; docs/formats/experiment.md says what each of them is. Freed by
 * the lab, also after an error. Never NULL. */
experiment_table *experiment_lab_new_table(experiment_lab *lab, const char *name,
                                           const char *const *columns, size_t count);
/* The next cell; behind the last of a row, the next row begins. */
void experiment_table_text(experiment_table *table, const char *text);
void experiment_table_uint(experiment_table *table, uint64_t value);
void experiment_table_double(experiment_table *table, double value); /* NAN: empty, null */
/* All digits as long as they fit, else what is nearest among doubles. */
void experiment_table_count(experiment_table *table, const opac_count *count);
/* The table stands on the page here, too, if it has at most 40 rows; else a link to its file
 * does. */
void experiment_lab_table(experiment_lab *lab, experiment_table *table, const char *caption);

/* ---- the page ---- */

void experiment_lab_heading(experiment_lab *lab, const char *text);
/* A paragraph; `code` between backquotes. printf's format. */
void experiment_lab_say(experiment_lab *lab, const char *format, ...) BASE_PRINTF(2, 3);
/* What was given to the experiment: in JSON, and in a list on the page. */
void experiment_lab_param(experiment_lab *lab, const char *name, const char *value);
/* Ours beside the paper's, as in experiment.h; remark may be "". All are texts for people. */
void experiment_lab_finding(experiment_lab *lab, const char *what, const char *paper,
                            const char *ours_format, ...) BASE_PRINTF(4, 5);
/* Why the last finding differs. */
void experiment_lab_remark(experiment_lab *lab, const char *text);
/* NAME-name.svg, and .png if a converter is there; on the page with the caption below it. */
void experiment_lab_chart(experiment_lab *lab, const char *name, const drawing_chart *chart,
                          const char *caption);

/* ---- models ---- */

/* The text of an example that is part of the library: "gridworld", "gridworld-w2", "chain",
 * "robust", "stay", "counterexample" (examples/models); NULL: there is none. */
const char *experiment_model_text(const char *name);

/* ---- the experiments, one a file ---- */

typedef opac_status (*experiment_function)(experiment_lab *lab, opac_error *error);

opac_status experiment_chain(experiment_lab *lab, opac_error *error);
opac_status experiment_counterexample(experiment_lab *lab, opac_error *error);
opac_status experiment_gridworld(experiment_lab *lab, opac_error *error);
opac_status experiment_robust(experiment_lab *lab, opac_error *error);
opac_status experiment_samples(experiment_lab *lab, opac_error *error);
opac_status experiment_sequence(experiment_lab *lab, opac_error *error);
opac_status experiment_speed(experiment_lab *lab, opac_error *error);

#endif
