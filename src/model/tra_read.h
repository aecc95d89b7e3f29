/* SPDX-License-Identifier: MIT */
/*
 * Reading .tra: the parts that its files share. Transitions in the order of
 * states and choices go straight into the arrays of a builder. At the first
 * one that is not, all become a list, which is sorted in the end.
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

/* From the branch number `branch` on, each one stands a line below the one before it. */
typedef struct model_run {
    uint32_t branch, line;
} model_run;

BASE_VEC(model_run_vec, model_run);

typedef struct model_tra {
    model_reading reading;
    opac_builder *builder;
    /* the header */
    bool is_mdp;
    uint64_t states, choices, transitions;
    uint32_t header_line, column[3];
    /* in order */
    uint32_t choice; /* of the last line */
    bool is_mixed;   /* a DTMC: the actions of the last state differ */
    model_run_vec runs;
    /* out of order */
    bool is_list;
    model_transition_vec list;
    model_ratio_vec ratios; /* of the list, when exact ones are wanted */
    base_u32_vec lines;     /* of the branches, after sorting */
    /* counts */
    uint64_t seen;       /* transitions */
    uint32_t mixed_line; /* the first where actions of a state of a DTMC differ; 0: none */
    bool has_initial;
} model_tra;

/* Reads up to the line of numbers; they are within the limits. */
opac_status model_tra_header(model_tra *tra, opac_error *error);
/* Whether what the header announces fits in the limit, with so many more bytes a transition. */
opac_status model_tra_check_memory(const model_tra *tra, size_t more, opac_error *error);

/* Everything that is in the builder goes to the list. */
opac_status model_tra_unfold(model_tra *tra, opac_error *error);
/* Sorts the list by state and choice, and fills the builder with it. */
opac_status model_tra_sort(model_tra *tra, opac_error *error);

/*
 * Numbers the actions by their first use, choice by choice, and drops the names
 * that no choice has: as if the file had been in order, and written by us.
 */
opac_status model_tra_number_actions(model_tra *tra, opac_error *error);

/* Adds a transition to the builder: one of the last state or of a later one, in order. */
opac_status model_tra_append(model_tra *tra, const model_transition *transition, base_ratio ratio,
                             opac_error *error);
/* The line of a branch in the builder. */
uint32_t model_tra_line(const model_tra *tra, size_t branch);

#endif
