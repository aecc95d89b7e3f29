/* SPDX-License-Identifier: MIT */
/*
 * The objectives of a command line: those of -p, -P, -f and -a, in this order, each in the order of the
 * command line.
 *
 *     cli_objectives *list;
 *     status = cli_objectives_read(&m, &list, &error);
 *     for (size_t i = 0; i < cli_objectives_count(list); i++)
 *         … cli_objectives_get(list, i)->objective
 *     cli_objectives_free(list);
 */
#ifndef CLI_OBJECTIVES_H
#define CLI_OBJECTIVES_H

#include <omegapac/objective.h>

#include "cli/models.h"

typedef struct cli_objective {
    opac_objective objective; /* with --min, -f and -a are about the least probability */
    const char *name;         /* of a property; "" if it has none */
    /* as written: a property, a formula or the path of an automaton; equals objective.text */
    const char *text;
} cli_objective;

typedef struct cli_objectives cli_objectives;

/* Prints errors with their place. The list must be freed even if reading fails. */
opac_status cli_objectives_read(cli_model *m, cli_objectives **list, opac_error *error);
void cli_objectives_free(cli_objectives *list);

/*
 * Checks that the model has the propositions of all formulas and automata, before a long computation. Those
 * of properties were checked when they were read.
 */
opac_status cli_objectives_check(cli_model *m, const cli_objectives *list, opac_error *error);

/* Prints an error in the proposition with this index, with its place. */
void cli_objective_report(cli_model *m, const cli_objective *given, size_t index,
                          const opac_error *error);

size_t cli_objectives_count(const cli_objectives *list);
const cli_objective *cli_objectives_get(const cli_objectives *list, size_t index);

/* Sets the error "out of memory". */
opac_status cli_fail_memory(opac_error *error);

#endif
