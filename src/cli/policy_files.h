/* SPDX-License-Identifier: MIT */
/* Writing policies: --policy FILE and --dot FILE. */
#ifndef CLI_POLICY_FILES_H
#define CLI_POLICY_FILES_H

#include <omegapac/policy.h>

#include "cli/models.h"

/*
 * The policy, or the chain that it makes of the model: X.tra with X.lab and
 * X.sta, or X.drn; and the picture. All appear together. *digest is that of the
 * file of --policy (opac_output_digest), for --json; otherwise it stays.
 */
opac_status cli_policy_files_write(const cli_model *m, const opac_policy *policy, uint64_t *digest,
                                   opac_error *error);

#endif
