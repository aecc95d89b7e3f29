/* SPDX-License-Identifier: MIT */
/*
 * Several files that appear together. Each is written beside its name first;
 * when all are whole, they take their names, in the order of opening. Only when
 * the system fails in between, by a name that it refuses after others, are some
 * files new and some old; the message then names the one.
 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <omegapac/cancel.h>
#include <omegapac/model.h>

enum {
    CLI_MOST_FILES = 8,
    CLI_LONGEST_PATH = 4096
};

/* All zeros: no file yet. */
typedef struct cli_files {
    opac_output *out[CLI_MOST_FILES];
    char held[CLI_LONGEST_PATH]; /* the last path; "": only standard output */
    int count;
    bool keep_digests;
} cli_files;

/* "-" is standard output. */
opac_status cli_files_open(cli_files *files, const char *path, opac_output **out,
                           opac_error *error);
/*
 * X.tra with X.lab and, if the states have variables, X.sta, the .tra last: who
 * finds it new finds all new. A path without the suffix is the .tra alone.
 */
opac_status cli_files_write_explicit(cli_files *files, const char *path, const opac_model *model,
                                     const opac_cancel *cancel, opac_error *error);
/* Nothing is renamed once a request is there. */
opac_status cli_files_commit(cli_files *files, const opac_cancel *cancel, opac_error *error);
/* Without a commit before it, all files are left as they were. */
void cli_files_close(cli_files *files);

/* OPAC_ERROR_CANCELLED when a request is there. */
opac_status cli_check_stop(const opac_cancel *cancel, opac_error *error);

#endif
