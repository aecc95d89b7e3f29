/* SPDX-License-Identifier: MIT */
/*
 * State that the parts of the .tra reader share. Transitions in the order of states and choices are added
 * directly to a builder. At the first one that is out of order, all transitions become a list, which is
 * sorted at the end.
 */
#ifndef MODEL_TRA_READ_H
#define MODEL_TRA_READ_H

#include "model/builder.h"
#include "model/explicit_read.h"

/* A line of the file. */
typedef struct model_transition {
    uint32_t state, choice, target;
    uint32_t action; /* 0: none */
    uint32_t line;
    double prob; /* may be 0 */
} model_transition;

BASE_VEC(model_transition_vec, model_transition);

/* From branch number `branch` on, the branches are on consecutive lines, starting at `line`. */
typedef struct model_line_run {
    uint32_t branch, line;
} model_line_run;

BASE_VEC(model_line_run_vec, model_line_run);

typedef struct model_tra {
    model_reader reader;
    opac_builder *builder;
    /* header */
    bool is_mdp;
    uint64_t states, choices, transitions;
    uint32_t header_line, column[3]; /* position of the line of numbers, columns of the numbers */
    /* transitions in order */
    uint32_t choice; /* of the last line */
    bool is_mixed;   /* in a DTMC: the actions of the last state differ */
    model_line_run_vec runs;
    /* transitions out of order */
    bool is_list;
    model_transition_vec list;
    model_ratio_vec ratios; /* of the list, if the model is read exactly */
    base_u32_vec lines;     /* by branch, after sorting */
    /* both */
    uint64_t seen;       /* number of transitions read */
    uint32_t mixed_line; /* first line where actions of a state of a DTMC differ; 0: none */
    bool has_initial;
} model_tra;

/* Reads up to the line of numbers and checks these against the limits. */
opac_status model_tra_header(model_tra *tra, opac_error *error);
/* Fails if the sizes in the header, with `more` additional bytes for each transition, exceed the limit. */
opac_status model_tra_check_memory(const model_tra *tra, size_t more, opac_error *error);

/* Moves all transitions from the builder to the list. */
opac_status model_tra_make_list(model_tra *tra, opac_error *error);
/* Sorts the list by state and choice, and adds it to the builder. */
opac_status model_tra_sort(model_tra *tra, opac_error *error);

/*
 * Renumbers the actions in the order of their first use by a choice, and drops names that no choice has.
 * The result is the same as for a file in order.
 */
opac_status model_tra_number_actions(model_tra *tra, opac_error *error);

/* Adds a transition to the builder. It must be in order: of the last state or a later one. */
opac_status model_tra_append(model_tra *tra, const model_transition *transition, base_ratio ratio,
                             opac_error *error);
/* The line of a branch in the builder. */
uint32_t model_tra_line(const model_tra *tra, size_t branch);

#endif
