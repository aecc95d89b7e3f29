/* SPDX-License-Identifier: MIT */
/*
 * The commands behind the choices of a model of a program: which choices are alike (docs/theory.md, Definition
 * 14). A choice has a class, the tuple of the commands that it executes, and outcomes, the tuples of their branches,
 * whose probabilities depend on the class only.
 *
 *     choice ──► class ──► probability of each outcome
 *        └─────► target of each outcome, one for each probability of the class
 *
 * Several outcomes of a choice may lead to the same state, which is one branch of the choice.
 */
#ifndef MODEL_MODEL_COMMANDS_H
#define MODEL_MODEL_COMMANDS_H

#include "base/intern.h"
#include "base/vec.h"

typedef struct model_commands {
    base_intern names;         /* of the classes */
    base_u32_vec first;        /* by class: its first probability; one more at the end */
    base_double_vec prob;      /* of the outcomes, class by class */
    base_u32_vec class_of;     /* by choice */
    base_u32_vec first_target; /* by choice: that of its first outcome */
    base_u32_vec targets;      /* states, choice by choice */
} model_commands;

opac_status model_commands_new(model_commands **commands, opac_error *error);
void model_commands_free(model_commands *commands);

/*
 * Adds the next choice, with the name of its class and `count` outcomes. If a choice with this name had another number
 * of outcomes or other probabilities, the choice becomes a class of its own.
 */
opac_status model_commands_add(model_commands *commands, const char *name, size_t length,
                               const uint32_t *targets, const double *prob, size_t count,
                               opac_error *error);

/* Size of the elements in the arrays, in bytes. */
static inline uint64_t model_commands_memory(const model_commands *c)
{
    return (c->class_of.count + c->first_target.count + c->targets.count + c->first.count) *
               sizeof(uint32_t) +
           c->prob.count * sizeof(double) + c->names.keys_used;
}

static inline uint32_t model_commands_width(const model_commands *commands, uint32_t class)
{
    return commands->first.items[class + 1] - commands->first.items[class];
}

#endif
