/* SPDX-License-Identifier: MIT */
#include "cli/policy_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/lines.h"
#include "cli/outputs.h"

static opac_status write_drn(const opac_model *chain, const char *path, cli_files *files,
                             opac_error *error)
{
    opac_output *out;
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        opac_model_write_drn(chain, out);
    return status;
}

static opac_status write_chain(const cli_model *m, const opac_policy *policy, const char *path,
                               cli_files *files, opac_error *error)
{
    opac_model *chain = NULL;
    opac_status status = opac_policy_induce(policy, m->cancel, &chain, error);
    if (status == OPAC_OK && cli_file_of_policy(path) == CLI_FILE_DRN)
        status = write_drn(chain, path, files, error);
    else if (status == OPAC_OK)
        status = cli_files_write_explicit(files, path, chain, m->cancel, error);
    opac_model_free(chain);
    return status;
}

static opac_status write_policy(const cli_model *m, const opac_policy *policy, const char *path,
                                cli_files *files, opac_error *error)
{
    opac_output *out;
    if (cli_file_of_policy(path) != CLI_FILE_POLICY)
        return write_chain(m, policy, path, files, error);
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        opac_policy_write(policy, out);
    return status;
}

static opac_status write_dot(const cli_model *m, const opac_policy *policy, const char *path,
                             cli_files *files, opac_error *error)
{
    opac_output *out;
    uint32_t limit = (uint32_t)m->arguments->values[CLI_DOT_LIMIT].count;
    opac_status status = cli_files_open(files, path, &out, error);
    if (status == OPAC_OK)
        status = opac_policy_write_dot(policy, limit, out, error);
    if (status == OPAC_ERROR_LIMIT) {
        size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length,
                 "; --dot-limit allows more");
    }
    return status;
}

opac_status cli_policy_files_write(const cli_model *m, const opac_policy *policy, uint64_t *digest,
                                   opac_error *error)
{
    const char *path = m->arguments->values[CLI_POLICY].text;
    const char *dot = m->arguments->values[CLI_DOT_FILE].text;
    cli_files files = {.keep_digests = m->arguments->values[CLI_JSON].given};
    opac_status status = OPAC_OK;
    if (dot != NULL)
        status = write_dot(m, policy, dot, &files, error);
    if (status == OPAC_OK && path != NULL)
        status = write_policy(m, policy, path, &files, error);
    if (status == OPAC_OK)
        status = cli_files_commit(&files, m->cancel, error);
    if (status == OPAC_OK && path != NULL && files.keep_digests)
        *digest = opac_output_digest(files.out[files.count - 1]); /* of X.tra, too: it is last */
    cli_files_close(&files);
    return status;
}

void cli_policy_echo(const opac_policy *policy, const char *path, uint64_t digest, opac_json *json)
{
    opac_json_key(json, "policy");
    if (opac_policy_decisions(policy) <= CLI_MOST_EMBEDDED) {
        opac_policy_echo(policy, json);
        opac_policy_echo_chain(policy, OPAC_MOST_CHAIN, json);
        opac_policy_echo_states(policy, OPAC_MOST_LISTED, json);
        return;
    }
    opac_json_begin_object(json);
    if (path != NULL) {
        char text[32];
        snprintf(text, sizeof text, "fnv1a64:%016" PRIx64, digest);
        opac_json_key(json, "path");
        opac_json_string(json, path);
        opac_json_key(json, "digest");
        opac_json_string(json, text);
    }
    cli_echo_number(json, "decisions", opac_policy_decisions(policy));
    opac_json_end_object(json);
}
