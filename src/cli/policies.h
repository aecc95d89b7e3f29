/* SPDX-License-Identifier: MIT */
/* Reads the policy of a command. */
#ifndef CLI_POLICIES_H
#define CLI_POLICIES_H

#include <omegapac/policy.h>

#include "cli/models.h"

/*
 * Reads the file of --policy, which must be given, for the loaded model. Prints an error that has a place;
 * cli_model_report does not print it again.
 */
opac_status cli_policy_load(cli_model *m, opac_policy **policy, opac_error *error);

#endif
