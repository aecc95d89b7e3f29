/* SPDX-License-Identifier: MIT */
#include "cli/policy_files.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/files.h"
#include "cli/outputs.h"

static opac_status write_drn(const opac_model *chain, const char *path, cli_files *files,
                             opac_error *error)
{
    opac_output *out;
    TRY(cli_files_open(files, path, &out, error));
    opac_model_write_drn(chain, out);
    return OPAC_OK;
}

static opac_status write_chain(const cli_model *m, const opac_policy *policy, const char *path,
                               cli_files *files, opac_error *error)
{
    opac_model *chain;
    TRY(opac_policy_induce(policy, m->cancel, &chain, error));
    opac_status status = cli_file_of_policy(path) == CLI_FILE_DRN
                             ? write_drn(chain, path, files, error)
                             : cli_files_write_explicit(files, path, chain, m->cancel, error);
    opac_model_free(chain);
    return status;
}

static opac_status write_policy(const cli_model *m, const opac_policy *policy, const char *path,
                                cli_files *files, opac_error *error)
{
    opac_output *out;
    if (cli_file_of_policy(path) != CLI_FILE_POLICY)
        return write_chain(m, policy, path, files, error);
    TRY(cli_files_open(files, path, &out, error));
    opac_policy_write(policy, out);
    return OPAC_OK;
}

static opac_status write_dot(const cli_model *m, const opac_policy *policy, const char *path,
                             cli_files *files, opac_error *error)
{
    opac_output *out;
    uint32_t limit = (uint32_t)m->arguments->values[CLI_DOT_LIMIT].count;
    TRY(cli_files_open(files, path, &out, error));
    opac_status status = opac_policy_write_dot(policy, limit, out, error);
    if (status == OPAC_ERROR_LIMIT)
        error->parameter = "dot_limit";
    return status;
}

opac_status cli_policy_files_write(const cli_model *m, const opac_policy *policy, uint64_t *digest,
                                   opac_error *error)
{
    const char *path = m->arguments->values[CLI_POLICY].text;
    const char *dot = m->arguments->values[CLI_DOT_FILE].text;
    cli_files files = {.keep_digests = m->arguments->values[CLI_JSON].given};
    opac_status status;
    if (dot != NULL)
        TRY_OR(done, write_dot(m, policy, dot, &files, error));
    if (path != NULL)
        TRY_OR(done, write_policy(m, policy, path, &files, error));
    TRY_OR(done, cli_files_commit(&files, m->cancel, error));
    if (path != NULL && files.keep_digests)
        *digest =
            opac_output_digest(files.out[files.count - 1]); /* also for X.tra, which is last */
    status = OPAC_OK;
done:
    cli_files_close(&files);
    return status;
}
