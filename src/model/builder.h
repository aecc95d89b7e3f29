/* SPDX-License-Identifier: MIT */
/*
 * The data structure of an opac_builder, for readers of files. They append to its arrays without checks;
 * model_builder_finish checks everything, and its messages name lines of the file.
 *
 *     graph            states, choices and branches in the order in which they were added; branches
 *                      with the same target are merged by model_builder_finish
 *     exact            by branch: its fraction; empty until the first fraction is added, and from then
 *                      on as long as the branches; see MODEL_RATIO_OVERFLOW
 *     action           by choice: the number of its name; empty until the first name is added
 *     label_entries    pairs (label, state) where the label holds in the state, in any order
 *
 * Labels are numbered as in the model: 0 is "init", 1 is "deadlock", and the name of any other label l is
 * number l - 2 of label_names.
 */
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include <omegapac/builder.h>

#include "graph/graph_builder.h"
#include "model/model.h"
#include "model/model_report.h"

/*
 * Two kinds of unknown fractions. NONE: none was given, and the double is the exact value. OVERFLOW: the
 * value does not fit in a fraction, and the double is an approximation.
 */
#define MODEL_RATIO_NONE     ((base_ratio){0, 0})
#define MODEL_RATIO_OVERFLOW ((base_ratio){1, 0})

static inline bool model_ratio_is_given(base_ratio ratio)
{
    return ratio.numerator != 0 || ratio.denominator != 0;
}

typedef struct model_label_entry {
    uint32_t label, state;
} model_label_entry;

BASE_VEC(model_label_entry_vec, model_label_entry);
BASE_VEC(model_ratio_vec, base_ratio);

struct opac_builder {
    opac_model_type type;
    graph_builder graph;
    model_ratio_vec exact;
    base_u32_vec action;
    base_intern actions;
    base_intern label_names;
    model_label_entry_vec label_entries;
    model_layout layout;
    base_u64_vec rows;
};

/*
 * The line of a branch in the file that is read, for messages of model_builder_finish. Branches are numbered
 * in the order in which they were added; for a larger number the function returns the line of the last one.
 */
typedef struct model_branch_lines {
    const void *context;
    uint32_t (*line)(const void *context, size_t branch);
} model_branch_lines;

static inline size_t model_builder_states(const opac_builder *builder)
{
    return builder->graph.choice_begin.count;
}

/* The bytes that the items in the arrays take. The capacity of the arrays is up to half as much again. */
uint64_t model_builder_memory(const opac_builder *builder);

/* Adds a choice to the last state. The name of its action is any bytes; length 0: no name. */
opac_status model_builder_choice(opac_builder *builder, const char *action, size_t length,
                                 opac_error *error);
/*
 * Adds a branch to the last choice. Branches of probability 0 are dropped by model_builder_finish. The
 * fraction may be unknown; if it is known, prob must be its value.
 */
opac_status model_builder_branch(opac_builder *builder, uint32_t target, double prob,
                                 base_ratio ratio, opac_error *error);
/* The number of a label, which is added if it is new. */
opac_status model_builder_intern_label(opac_builder *builder, const char *name, size_t length,
                                       uint32_t *label, opac_error *error);
/* Records that the label holds in the state. The state may be added later. */
opac_status model_builder_set_label(opac_builder *builder, uint32_t label, uint32_t state,
                                    opac_error *error);

/* As opac_builder_finish. Warnings go to the report. Errors have lines unless `lines` is NULL. */
opac_status model_builder_finish(opac_builder *builder, bool exact, const model_branch_lines *lines,
                                 model_report *report, opac_model **model, opac_error *error);

/*
 * Checks that the builder has a valid model (see opac_builder_finish), without changing it. Warns of
 * probabilities whose sum differs slightly from 1.
 */
opac_status model_builder_check(const opac_builder *builder, bool exact,
                                const model_branch_lines *lines, model_report *report,
                                opac_error *error);
/* The probability of a branch as a fraction: the one that was given, or the exact value of the double. */
base_ratio model_builder_ratio(const opac_builder *builder, size_t branch);
/* The sum of the fractions of branches begin … end-1; unknown if it does not fit or one is unknown. */
base_ratio model_builder_ratio_sum(const opac_builder *builder, size_t begin, size_t end);

/* The branches of choice c: *begin … *end - 1. */
static inline void model_builder_branches(const opac_builder *builder, size_t c, size_t *begin,
                                          size_t *end)
{
    const graph_builder *graph = &builder->graph;
    *begin = graph->edge_begin.items[c];
    *end = c + 1 < graph->edge_begin.count ? graph->edge_begin.items[c + 1] : graph->target.count;
}

/* The choices of state s: *begin … *end - 1. */
static inline void model_builder_choices(const opac_builder *builder, size_t s, size_t *begin,
                                         size_t *end)
{
    const graph_builder *graph = &builder->graph;
    *begin = graph->choice_begin.items[s];
    *end = s + 1 < graph->choice_begin.count ? graph->choice_begin.items[s + 1]
                                             : graph->edge_begin.count;
}

#endif
