/* SPDX-License-Identifier: MIT */
/* The policy of a result: its JSON members and its lines of text. */
#ifndef RESULT_POLICY_H
#define RESULT_POLICY_H

#include <omegapac/json.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/*
 * The members policy, chain and states. A policy of at most OPAC_MAX_EMBEDDED_DECISIONS decisions is embedded; a
 * larger one is represented by the path and digest of its file, if there is one, and its number of
 * decisions. A brief result only has the numbers that the text needs.
 */
void result_put_policy(opac_json *json, const opac_policy *policy, const opac_result_files *files,
                       const opac_result_source *source);
/* The member files: the paths that were written. Omitted if there are none. */
void result_put_files(opac_json *json, const opac_result_files *files);

/* The lines "policy" and "written to"; nothing if the result has no policy. */
void result_lines_policy(opac_output *out, base_json_value result);

#endif
