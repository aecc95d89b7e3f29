/* SPDX-License-Identifier: MIT */
/*
 * The inside of an opac_builder, for readers of files: they add to its arrays
 * as fast as they can, and let the end do the checks, which then name lines.
 *
 *     graph      states, choices and branches in the order of their addition; branches with
 *                the same target are joined at the end
 *     exact      a branch: its fraction; empty until the first fraction comes, and then as
 *                long as the branches; see MODEL_RATIO_LOST
 *     action     a choice: its name; empty until the first name comes
 *     marks      "label l holds in state s", in any order
 *
 * Labels are numbered as in the model: 0 is "init", 1 is "deadlock", and l is
 * the name l - 2.
 */
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include <omegapac/builder.h>

#include "graph/graph_builder.h"
#include "model/model.h"
#include "model/model_report.h"

/*
 * Fractions that are unknown: none was given, and the double is the number
 * itself; or it does not fit in one, and the double is only close to it.
 */
#define MODEL_RATIO_NONE ((base_ratio){0, 0})
#define MODEL_RATIO_LOST ((base_ratio){1, 0})

static inline bool model_ratio_is_given(base_ratio ratio)
{
    return ratio.numerator != 0 || ratio.denominator != 0;
}

typedef struct model_mark {
    uint32_t label, state;
} model_mark;

BASE_VEC(model_mark_vec, model_mark);
BASE_VEC(model_ratio_vec, base_ratio);

struct opac_builder {
    opac_model_type type;
    graph_builder graph;
    model_ratio_vec exact;
    base_u32_vec action;
    base_intern actions;
    base_intern label_names;
    model_mark_vec marks;
    model_layout layout;
    base_u64_vec rows;
};

/*
 * Where things stand in a file, for the messages of the end: the line of a
 * branch, by its number in the order of addition (that of the last one, for a
 * number behind all). NULL: no file.
 */
typedef struct model_places {
    const void *context;
    uint32_t (*line)(const void *context, size_t branch);
} model_places;

static inline size_t model_builder_states(const opac_builder *builder)
{
    return builder->graph.choice_begin.count;
}

/* What was added takes, in bytes; arrays have room for up to half as much again. */
uint64_t model_builder_memory(const opac_builder *builder);

/* The next choice of the last state, by a name of any bytes; length 0: no name. */
opac_status model_builder_choice(opac_builder *builder, const char *action, size_t length,
                                 opac_error *error);
/* A branch of the last choice; of probability 0: none in the end. The fraction may be unknown; otherwise prob is its value. */
opac_status model_builder_branch(opac_builder *builder, uint32_t target, double prob,
                                 base_ratio ratio, opac_error *error);
/* The number of a label, which is added when it is new. */
opac_status model_builder_label(opac_builder *builder, const char *name, size_t length,
                                uint32_t *label, opac_error *error);
/* The label holds in the state, which may be added later. */
opac_status model_builder_mark(opac_builder *builder, uint32_t label, uint32_t state,
                               opac_error *error);

/*
 * As opac_builder_finish: warnings go to the report, errors have lines when
 * places is not NULL.
 */
opac_status model_builder_finish(opac_builder *builder, bool exact, const model_places *places,
                                 model_report *report, opac_model **model, opac_error *error);

/*
 * Whether what was added makes a model, in the words of opac_builder_finish;
 * nothing is changed. Warns of sums that are not quite 1.
 */
opac_status model_builder_check(const opac_builder *builder, bool exact, const model_places *places,
                                model_report *report, opac_error *error);
/* The fraction of a branch, by what was given: also a double is one, if it is a short enough one. */
base_ratio model_builder_ratio(const opac_builder *builder, size_t branch);
/* The sum of a choice's branches begin … end-1; unknown when it does not fit, or one is unknown. */
base_ratio model_builder_ratio_sum(const opac_builder *builder, size_t begin, size_t end);

/* The branches of the choice number c, in the order of addition: *begin … *end - 1. */
static inline void model_builder_branches(const opac_builder *builder, size_t c, size_t *begin,
                                          size_t *end)
{
    const graph_builder *graph = &builder->graph;
    *begin = graph->edge_begin.items[c];
    *end = c + 1 < graph->edge_begin.count ? graph->edge_begin.items[c + 1] : graph->target.count;
}

/* The choices of a state, likewise. */
static inline void model_builder_choices(const opac_builder *builder, size_t s, size_t *begin,
                                         size_t *end)
{
    const graph_builder *graph = &builder->graph;
    *begin = graph->choice_begin.items[s];
    *end = s + 1 < graph->choice_begin.count ? graph->choice_begin.items[s + 1]
                                             : graph->edge_begin.count;
}

#endif
