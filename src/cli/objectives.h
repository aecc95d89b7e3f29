/* SPDX-License-Identifier: MIT */
/*
 * The objectives of a command line: -p, -P, -f and -a, over a model, in this
 * order and each in that of the command line.
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
    opac_objective objective; /* with --min, those of -f and -a ask for the least probability */
    const char *name;         /* of a property; "" when it has none */
    const char *text;         /* as it was written: a property, a formula, the path of an automaton;
                                 also objective.text */
} cli_objective;

typedef struct cli_objectives cli_objectives;

/* Mistakes are shown where they are. The list is due for cli_objectives_free in any case. */
opac_status cli_objectives_read(cli_model *m, cli_objectives **list, opac_error *error);
void cli_objectives_free(cli_objectives *list);

/*
 * Whether the model knows the propositions of all formulas and automata, to know
 * before anything long is computed. (Those of properties were asked when read.)
 */
opac_status cli_objectives_check(cli_model *m, const cli_objectives *list, opac_error *error);

/* Shows a mistake in a proposition, by its number, where it is. */
void cli_objective_tell(cli_model *m, const cli_objective *given, size_t index,
                        const opac_error *error);

size_t cli_objectives_count(const cli_objectives *list);
const cli_objective *cli_objectives_get(const cli_objectives *list, size_t index);

/* Out of memory, as everywhere. */
opac_status cli_fail_memory(opac_error *error);

#endif
