/* SPDX-License-Identifier: MIT */
#include "cli/automata.h"

#include <string.h>

#include "cli/result.h"

/* translate and convert have different defaults for --kind, so they use two options with this name. */
static const char *kind_word(const cli_value *values)
{
    return values[CLI_KIND].word != NULL ? values[CLI_KIND].word : values[CLI_ANY_KIND].word;
}

opac_status cli_automaton_options(const cli_arguments *arguments, const opac_cancel *cancel,
                                  opac_automaton_options *options, opac_error *error)
{
    const cli_value *values = arguments->values;
    *options = (opac_automaton_options){.state_based = values[CLI_STATE_BASED].given,
                                        .complete = values[CLI_COMPLETE].given,
                                        .state_limit = (uint32_t)values[CLI_MAX_STATES].count,
                                        .work_limit = values[CLI_TRANSLATION_WORK].count,
                                        .cancel = cancel};
    TRY(opac_automaton_kind_parse(kind_word(values), &options->kind, error));
    TRY(opac_acceptance_parse(values[CLI_ACCEPTANCE].word, &options->acceptance, error));
    /* Checked here so that it is reported once for a batch of formulas. */
    if (options->kind == OPAC_KIND_LDBA && options->acceptance != OPAC_ACCEPTANCE_ANY &&
        options->acceptance != OPAC_ACCEPTANCE_BUCHI)
        return cli_fail(error, "--kind ldba requires --acceptance any or buchi");
    return OPAC_OK;
}

void cli_automaton_advise(const cli_arguments *arguments, bool deterministic, opac_error *error)
{
    const cli_value *values = arguments->values;
    if (error->code == OPAC_ERROR_UNSUPPORTED && deterministic &&
        strcmp(kind_word(values), "ldba") != 0 && strcmp(values[CLI_ACCEPTANCE].word, "buchi") == 0)
        cli_append(error, "; use --kind ldba");
}
