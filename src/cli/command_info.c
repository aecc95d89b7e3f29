/* SPDX-License-Identifier: MIT */
/*
 * omegapac info: shows a model, and how properties and formulas are parsed over it. The number of states
 * where each proposition holds lets users check a property before a long computation.
 */
#include <stdlib.h>

#include "cli/objectives.h"
#include "cli/result.h"

typedef struct description {
    cli_model model;
    opac_model_summary summary;
    cli_objectives *objectives;
    opac_info_property *properties; /* by objective */
    uint32_t **counts;              /* by objective; NULL if not counted yet */
    uint64_t *bits;                 /* one per state, for the proposition being counted */
} description;

/* ---- where propositions hold ---- */

static opac_status evaluate(const description *d, const opac_objective *objective,
                            const char *proposition, opac_error *error)
{
    return objective->properties != NULL
               ? opac_properties_evaluate(objective->properties, proposition, d->bits, error)
               : opac_model_evaluate(d->model.model, proposition, d->bits, error);
}

static uint32_t count_bits(const uint64_t *bits, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t word = bits[i]; word != 0; word &= word - 1)
            count++;
    return count;
}

static opac_status count_one(description *d, const cli_objective *given, uint32_t **counts,
                             opac_error *error)
{
    const opac_formula *formula = given->objective.formula;
    size_t words = ((size_t)opac_model_states(d->model.model) + 63) / 64;
    size_t count = opac_formula_proposition_count(formula);
    *counts = calloc(count + 1, sizeof **counts);
    if (*counts == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        opac_status status =
            evaluate(d, &given->objective, opac_formula_proposition(formula, i), error);
        if (status != OPAC_OK) {
            cli_objective_report(&d->model, given, i, error);
            return status;
        }
        (*counts)[i] = count_bits(d->bits, words);
    }
    return OPAC_OK;
}

static opac_status count_all(description *d, opac_error *error)
{
    size_t count = cli_objectives_count(d->objectives);
    d->bits = calloc((size_t)opac_model_states(d->model.model) / 64 + 1, sizeof *d->bits);
    d->properties = calloc(count + 1, sizeof *d->properties);
    d->counts = calloc(count + 1, sizeof *d->counts);
    if (d->bits == NULL || d->properties == NULL || d->counts == NULL)
        return cli_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const cli_objective *given = cli_objectives_get(d->objectives, i);
        TRY(count_one(d, given, &d->counts[i], error));
        d->properties[i] = (opac_info_property){.name = given->name,
                                                .text = given->text,
                                                .objective = &given->objective,
                                                .counts = d->counts[i]};
    }
    return OPAC_OK;
}

/* ---- the command ---- */

static opac_status print(const description *d, opac_error *error)
{
    const cli_arguments *arguments = d->model.arguments;
    const opac_info_answer answer = {.model = d->model.model,
                                     .summary = &d->summary,
                                     .properties = d->properties,
                                     .property_count = cli_objectives_count(d->objectives)};
    cli_frame frame;
    TRY(cli_frame_open(&frame, arguments, CLI_NO_OPTION, error));
    frame.source.read_seconds = d->model.seconds;
    return cli_frame_print(
        &frame, opac_result_of_info(&answer, &frame.source, &frame.result, error), error);
}

static opac_status run(description *d, const cli_arguments *arguments, opac_error *error)
{
    TRY(cli_model_begin(&d->model, arguments, error));
    TRY(cli_model_load(&d->model, arguments->operands[0], error));
    TRY(cli_objectives_read(&d->model, &d->objectives, error));
    TRY(count_all(d, error));
    TRY(cli_model_check_constants(&d->model, error));
    TRY(opac_model_summarize(d->model.model, d->model.cancel, &d->summary, error));
    return print(d, error);
}

cli_exit cli_run_info(const cli_arguments *arguments)
{
    description d = {0};
    opac_error error;
    opac_status status = run(&d, arguments, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&d.model, &error);
    for (size_t i = 0; d.counts != NULL && i < cli_objectives_count(d.objectives); i++)
        free(d.counts[i]);
    free(d.counts);
    free(d.properties);
    free(d.bits);
    cli_objectives_free(d.objectives);
    cli_model_end(&d.model);
    return exit;
}
