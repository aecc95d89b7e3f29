/* SPDX-License-Identifier: MIT */
/* What commands that read a policy share. */
#ifndef CLI_POLICIES_H
#define CLI_POLICIES_H

#include <omegapac/policy.h>

#include "cli/models.h"

/*
 * The policy in the file of --policy, which is given, for the model that was
 * loaded. A mistake that has a place is shown there; cli_model_report then says
 * no more of it.
 */
opac_status cli_policy_load(cli_model *m, opac_policy **policy, opac_error *error);

#endif
