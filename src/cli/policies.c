/* SPDX-License-Identifier: MIT */
/* Reads policy files, and prints errors with their place in the file. */
#include "cli/policies.h"

#include <stdio.h>

#include <omegapac/text.h>

#include "cli/result.h"
#include "cli/source.h"

/* Adds the file name to an error without a place. */
static void name_file(const char *name, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], before[OPAC_SHOWN_SIZE + 4];
    snprintf(before, sizeof before, "%s: ", opac_text_show_path(name, shown, sizeof shown));
    if (error->code != OPAC_ERROR_MEMORY)
        cli_prepend(error, before);
}

opac_status cli_policy_load(cli_model *m, opac_policy **policy, opac_error *error)
{
    const char *path = m->arguments->values[CLI_POLICY].text;
    opac_output *text = NULL;
    TRY(cli_read_file(path, m->cancel, &text, error));
    cli_source source = {.arguments = m->arguments, .name = cli_file_name(path), .first_line = 1};
    source.text = opac_output_bytes(text, &source.length);
    opac_status status = opac_policy_parse(source.text, source.length, m->model, policy, error);
    if (status != OPAC_OK && error->line > 0) {
        cli_report_at(&source, error);
        m->is_reported = true;
    } else if (status != OPAC_OK) {
        name_file(source.name, error);
    }
    opac_output_free(text);
    return status;
}
