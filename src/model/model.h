/* SPDX-License-Identifier: MIT */
/*
 * What an opac_model is: a decision process with names beside it.
 *
 *     process    CSR with probabilities; every state has a choice
 *     action     one number a choice into actions, absent when no choice has a name;
 *                action 0 is "", the choice without a name
 *     labels     a set of states each; "init" and "deadlock" are the first two
 *     layout     the variables, and rows: the packed values of each state
 *
 * Invariants: probabilities lie in (0, 1] and sum to 1 within MODEL_SUM_ROUNDING; no choice has a target twice; a DTMC has one choice a state; initial
 * states ascend, and "init" is their set; rows lie in the ranges.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <omegapac/model.h>

#include "base/bitset.h"
#include "base/intern.h"
#include "base/ratio.h"
#include "base/vec.h"
#include "graph/process.h"
#include "model/model_values.h"

enum {
    MODEL_LABEL_INIT = 0,
    MODEL_LABEL_DEADLOCK = 1
};

#define MODEL_DEFAULT_MAX_STATES UINT64_C(50000000)
#define MODEL_SUM_TOLERANCE      1e-5 /* of a choice's probabilities; beyond is an error */
#define MODEL_SUM_WARNING        1e-9 /* beyond: renormalised with a warning */
/*
 * A row of probabilities stands for the numbers in it divided by their exact sum. Beyond this
 * distance of the sum from 1 they are divided, which leaves 3/4 of it at most (a rounding each, and
 * two of the sum), so that a row that was divided once is not changed again.
 */
#define MODEL_SUM_ROUNDING 0x1p-51
/* The least probability: below it doubles are not precise to a relative 2^-53. */
#define MODEL_LEAST_PROBABILITY 0x1p-1022

/*
 * Whether a sum is 1 within MODEL_SUM_TOLERANCE, both ends included, however their sum is rounded: 0.99999 and
 * 1.00001 are. NaN is not.
 */
static inline bool model_sum_is_tolerable(double sum)
{
    const double most = MODEL_SUM_TOLERANCE + 0x1p-50;
    return sum - 1 >= -most && sum - 1 <= most;
}

static inline bool model_is_too_small(double probability)
{
    return probability > 0 && probability < MODEL_LEAST_PROBABILITY;
}

typedef struct model_label {
    char *name;
    base_bitset states;
} model_label;

BASE_VEC(model_label_vec, model_label);

struct opac_model;

/*
 * Who understands expressions over the model's variables: the language that
 * the model was written in. All zeros: nobody.
 */
typedef struct model_vocabulary {
    void *context;
    /* The states where a Boolean expression holds; a bitset of the size of the model, empty. */
    opac_status (*evaluate)(const void *context, const struct opac_model *model, const char *text,
                            size_t length, base_bitset *states, opac_error *error);
    void (*release)(void *context);
} model_vocabulary;

struct opac_model {
    opac_model_type type;
    graph_process process; /* owned */
    base_ratio *exact;     /* a branch: its probability as a fraction; NULL unless asked for */
    uint32_t *action;      /* a choice; NULL: none has a name */
    base_intern actions;   /* names with their NUL, see model_action_add; 0 is "" */
    base_u32_vec initial;
    model_label_vec labels;
    model_layout layout;
    uint64_t *rows; /* layout.words a state; NULL when there are none */
    model_vocabulary vocabulary;
};

static inline const uint64_t *model_row(const opac_model *model, uint32_t state)
{
    return model->layout.words == 0 ? NULL : model->rows + (size_t)state * model->layout.words;
}

/* The number of a name, which is added when it is new; as the first one, "" is added before it. */
opac_status model_action_add(base_intern *actions, const char *name, size_t length, uint32_t *id,
                             opac_error *error);

/* A label by its name; UINT32_MAX when there is none. */
uint32_t model_label_find(const opac_model *model, const char *name, size_t length);

/* A label that holds nowhere, behind all others; the states are counted. Copies the name. */
opac_status model_label_add(opac_model *model, const char *name, size_t length, opac_error *error);
/* The initial states from the label "init". */
opac_status model_set_initial(opac_model *model, opac_error *error);

#endif
