/* SPDX-License-Identifier: MIT */
#include "result/result_policy.h"

#include <inttypes.h>
#include <stdio.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"

/* ---- JSON ---- */

static void put_file(opac_json *json, const opac_result_files *files)
{
    char digest[32];
    snprintf(digest, sizeof digest, "fnv1a64:%016" PRIx64, files->digest);
    result_put_text(json, "path", files->policy);
    result_put_text(json, "digest", digest);
}

/* The sizes, at the same place as in an embedded policy. */
static void put_numbers(opac_json *json, const opac_policy *policy)
{
    result_put_uint(json, "decisions", opac_policy_decisions(policy));
    opac_json_key(json, "memory");
    opac_json_begin_object(json);
    result_put_uint(json, "count", opac_policy_memory(policy));
    opac_json_end_object(json);
}

void result_put_policy(opac_json *json, const opac_policy *policy, const opac_result_files *files,
                       const opac_result_source *source)
{
    bool is_brief = result_is_brief(source);
    opac_json_key(json, "policy");
    if (!is_brief && opac_policy_decisions(policy) <= OPAC_MAX_EMBEDDED_DECISIONS) {
        opac_policy_write_json(policy, json);
        opac_policy_write_chain_json(policy, OPAC_MAX_CHAIN_STATES, json);
        opac_policy_write_states_json(policy, OPAC_MAX_LISTED_STATES, json);
        return;
    }
    opac_json_begin_object(json);
    if (is_brief) {
        put_numbers(json, policy);
    } else {
        if (files->policy != NULL)
            put_file(json, files);
        result_put_uint(json, "decisions", opac_policy_decisions(policy));
    }
    opac_json_end_object(json);
}

void result_put_files(opac_json *json, const opac_result_files *files)
{
    if (files->policy == NULL && files->dot == NULL)
        return;
    opac_json_key(json, "files");
    opac_json_begin_object(json);
    if (files->policy != NULL)
        result_put_text(json, "policy", files->policy);
    if (files->dot != NULL)
        result_put_text(json, "dot", files->dot);
    opac_json_end_object(json);
}

/* ---- text ---- */

/* The decisions of an embedded policy are counted. */
static uint64_t decisions_of(base_json_value policy)
{
    uint64_t listed = result_count(result_get(policy, "decisions"));
    return listed > 0 ? listed : result_get_uint(policy, "decisions");
}

static void write_path(opac_output *out, const char *path)
{
    if (path != NULL)
        result_line_path(out, "written to", path);
}

void result_lines_policy(opac_output *out, base_json_value result)
{
    base_json_value policy = result_get(result, "policy");
    if (!base_json_is_there(policy))
        return;
    result_line_policy(out, decisions_of(policy), result_get_uint(policy, "memory.count"));
    write_path(out, result_get_text(result, "files.policy"));
    write_path(out, result_get_text(result, "files.dot"));
}
