/* SPDX-License-Identifier: MIT */
/* The policy of a result: its members in the JSON, and its lines in the text. */
#ifndef RESULT_POLICY_H
#define RESULT_POLICY_H

#include <omegapac/json.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/*
 * The members policy, chain and states. The policy is whole while it has at most OPAC_MOST_EMBEDDED
 * decisions; else it is the path of its file, if there is one, the digest of that, and the number of
 * decisions. A brief result has the numbers that the text says.
 */
void result_put_policy(opac_json *json, const opac_policy *policy, const opac_result_files *files,
                       const opac_result_source *source);
/* The member files: the paths that were written. None if there are none. */
void result_put_files(opac_json *json, const opac_result_files *files);

/* "9 decisions, 2 memory values", and the files; nothing if the result has no policy. */
void result_lines_policy(opac_output *out, base_json_value result);

#endif
