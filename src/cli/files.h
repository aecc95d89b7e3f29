/* SPDX-License-Identifier: MIT */
/*
 * Writes several files together. All are written under temporary names first, then renamed in the order in
 * which they were opened. Only if a rename fails after another has succeeded are some files new and some
 * old; the error names the file that failed.
 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <omegapac/cancel.h>
#include <omegapac/model.h>

enum {
    CLI_MAX_FILES = 8,
    CLI_MAX_PATH = 4096
};

/* All zeros: no file yet. */
typedef struct cli_files {
    opac_output *out[CLI_MAX_FILES];
    char held[CLI_MAX_PATH]; /* the last path; "" if there is only standard output */
    int count;
    bool keep_digests;
} cli_files;

/* "-" is standard output. */
opac_status cli_files_open(cli_files *files, const char *path, opac_output **out,
                           opac_error *error);
/*
 * Writes X.tra with X.lab and, if the states have variables, X.sta. The .tra is renamed last: if it is new,
 * all files are. A path without the suffix is written as .tra alone.
 */
opac_status cli_files_write_explicit(cli_files *files, const char *path, const opac_model *model,
                                     const opac_cancel *cancel, opac_error *error);
/* Renames no file after a request to stop. */
opac_status cli_files_commit(cli_files *files, const opac_cancel *cancel, opac_error *error);
/* Without a commit before, all files are left unchanged. */
void cli_files_close(cli_files *files);

/* Fails with OPAC_ERROR_CANCELLED after a request to stop. */
opac_status cli_check_stop(const opac_cancel *cancel, opac_error *error);

#endif
