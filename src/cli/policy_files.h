/* SPDX-License-Identifier: MIT */
/* Writes the files of --policy and --dot. */
#ifndef CLI_POLICY_FILES_H
#define CLI_POLICY_FILES_H

#include <omegapac/policy.h>

#include "cli/models.h"

/*
 * Writes the policy, or the Markov chain that it induces: X.tra with X.lab and X.sta, or X.drn; and the
 * picture. All files are written together. With --json, sets *digest to the opac_output_digest of the file
 * of --policy.
 */
opac_status cli_policy_files_write(const cli_model *m, const opac_policy *policy, uint64_t *digest,
                                   opac_error *error);

#endif
