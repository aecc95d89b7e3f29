/* SPDX-License-Identifier: MIT */
/*
 * The data structure of an opac_model: a decision process with action names, labels and variables.
 *
 *     process    compressed sparse rows with probabilities; every state has a choice
 *     action     by choice: the number of its name in `actions`; NULL if no choice has a name;
 *                number 0 is "", the choice without a name
 *     labels     the set of states of each label; "init" and "deadlock" are the first two
 *     layout     the variables
 *     rows       the packed values of the variables in each state
 *
 * Invariants: probabilities are in (0, 1], and those of a choice sum to 1 within MODEL_SUM_ROUNDING; the
 * branches of a choice have distinct targets; in a DTMC each state has one choice; initial states are
 * sorted, and "init" is the set of them; values are in the ranges of their variables.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <omegapac/model.h>

#include "base/bitset.h"
#include "base/intern.h"
#include "base/ratio.h"
#include "base/vec.h"
#include "graph/process.h"
#include "model/model_commands.h"
#include "model/model_values.h"

enum {
    MODEL_LABEL_INIT = 0,
    MODEL_LABEL_DEADLOCK = 1
};

#define MODEL_DEFAULT_MAX_STATES UINT64_C(50000000)
/* Largest difference from 1 of the sum of a choice's probabilities; a larger one is an error. */
#define MODEL_SUM_TOLERANCE 1e-5
/* A larger difference from 1 is normalised with a warning. */
#define MODEL_SUM_WARNING 1e-9
/*
 * A row of probabilities represents its numbers divided by their exact sum. If the sum differs from 1 by
 * more than this, the numbers are divided by it. Afterwards the difference is at most 3/4 of this bound (one
 * rounding for each number and two of the sum), so a row is not changed by a second division.
 */
#define MODEL_SUM_ROUNDING 0x1p-51
/* The smallest probability: smaller doubles are not precise to a relative error of 2^-53. */
#define MODEL_LEAST_PROBABILITY 0x1p-1022

/*
 * Whether a sum is 1 within MODEL_SUM_TOLERANCE. Both ends are included despite rounding: 0.99999 and 1.00001
 * are accepted. NaN is not.
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
 * Evaluates expressions over the model's variables, in the language in which the model was written. All
 * zeros if there is none.
 */
typedef struct model_vocabulary {
    void *context;
    /* Adds the states in which a Boolean expression holds to `states`, an empty set. */
    opac_status (*evaluate)(const void *context, const struct opac_model *model, const char *text,
                            size_t length, base_bitset *states, opac_error *error);
    void (*release)(void *context);
} model_vocabulary;

struct opac_model {
    opac_model_type type;
    graph_process process; /* owned */
    base_ratio *exact;     /* by branch: its probability as a fraction; NULL unless read exactly */
    uint32_t *action;      /* by choice; NULL: none has a name */
    base_intern actions;   /* names including their NUL, see model_action_add; 0 is "" */
    base_u32_vec initial;
    model_label_vec labels;
    model_layout layout;
    uint64_t *rows; /* layout.words for each state; NULL if that is 0 */
    model_vocabulary vocabulary;
    model_commands *commands; /* NULL unless it was read with opac_model_options.commands */
};

static inline const uint64_t *model_row(const opac_model *model, uint32_t state)
{
    return model->layout.words == 0 ? NULL : model->rows + (size_t)state * model->layout.words;
}

/* The number of a name, which is added if it is new. Before the first name, "" is added as number 0. */
opac_status model_action_add(base_intern *actions, const char *name, size_t length, uint32_t *id,
                             opac_error *error);

/* The number of the label with this name; UINT32_MAX if there is none. */
uint32_t model_label_find(const opac_model *model, const char *name, size_t length);

/* Appends a label that holds in no state. The number of states must be set. Copies the name. */
opac_status model_label_add(opac_model *model, const char *name, size_t length, opac_error *error);
/* Sets the initial states from the label "init". */
opac_status model_set_initial(opac_model *model, opac_error *error);

#endif
