/* SPDX-License-Identifier: MIT */
/* omegapac bound: how many samples a guarantee needs, by each rule. */
#include "cli/result.h"

static opac_status read_question(const cli_arguments *arguments, opac_bound_question *question,
                                 opac_error *error)
{
    const cli_value *values = arguments->values;
    *question = (opac_bound_question){.params = {.states = values[CLI_STATES].count,
                                                 .actions = values[CLI_ACTIONS].count,
                                                 .horizon = values[CLI_HORIZON].count,
                                                 .epsilon = values[CLI_EPSILON].number,
                                                 .delta = values[CLI_DELTA].number,
                                                 .branching = values[CLI_BRANCHING].count},
                                      .target = values[CLI_TARGET].number,
                                      .slack = values[CLI_SLACK].number};
    if (values[CLI_BOUND_K].word != NULL)
        return opac_k_rule_parse(values[CLI_BOUND_K].word, &question->k_rule, error);
    question->k = values[CLI_BOUND_K].count;
    return OPAC_OK;
}

static opac_status run(const cli_arguments *arguments, opac_error *error)
{
    opac_bound_question question;
    cli_frame frame;
    TRY(read_question(arguments, &question, error));
    TRY(cli_frame_open(&frame, arguments, CLI_NO_OPTION, error));
    return cli_frame_print(
        &frame, opac_result_of_bound(&question, &frame.source, &frame.result, error), error);
}

cli_exit cli_run_bound(const cli_arguments *arguments)
{
    opac_error error;
    return run(arguments, &error) == OPAC_OK ? CLI_EXIT_DONE
                                             : cli_report(arguments->command, &error);
}
