/* SPDX-License-Identifier: MIT */
#include "cli/follow.h"

#include <stdio.h>

#include <omegapac/quantity.h>

#include "cli/colour.h"
#include "cli/help.h"

opac_status cli_follow(const cli_arguments *arguments, opac_progress_callback draw, void *context,
                       opac_progress **progress, opac_error *error)
{
    *progress = NULL;
    if (arguments->values[CLI_QUIET].given)
        return OPAC_OK;
    opac_status status = opac_progress_new(draw, context, progress, error);
    if (status == OPAC_OK && arguments->values[CLI_VERBOSE].given)
        opac_progress_report_all_ends(*progress);
    return status;
}

/* "omegapac check: exploring: 3 ms" */
void cli_follow_report(const cli_arguments *arguments, const opac_progress_report *report)
{
    char duration[OPAC_QUANTITY_SIZE];
    if (!report->finished || !arguments->values[CLI_VERBOSE].given)
        return;
    fprintf(stderr, "%s%s %s:%s %s: ", cli_style_code(stderr, CLI_STRONG), CLI_PROGRAM,
            arguments->command->name, cli_style_code(stderr, CLI_PLAIN), report->what);
    fprintf(stderr, "%s\n", opac_duration_format(report->seconds, duration, sizeof duration));
}

void cli_follow_draw(void *arguments, const opac_progress_report *report)
{
    opac_progress_line_draw(stderr, report);
    cli_follow_report(arguments, report);
}
