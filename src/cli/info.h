/* SPDX-License-Identifier: MIT */
/* What omegapac info says of a model, for those who say it as well. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cli/models.h"

/* The members "model" and, unless --no-timing, "stats". */
void cli_info_echo(const cli_model *m, const opac_model_summary *summary, opac_json *json);
/* All of the JSON result of a model, as one line. */
void cli_info_write_json(const cli_model *m, const opac_model_summary *summary, opac_output *out);

/* ---- properties ---- */

typedef struct cli_property_list cli_property_list;

/* All of -p, -P and -f, read and with their propositions counted. */
opac_status cli_properties_read(cli_model *m, cli_property_list **list, opac_error *error);
void cli_properties_free(cli_property_list *list);
/* Nothing when there are none. */
void cli_properties_write(const cli_property_list *list, opac_output *out);
void cli_properties_echo(const cli_property_list *list, opac_json *json);

#endif
