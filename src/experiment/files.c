/* SPDX-License-Identifier: MIT */
/* The folder that an experiment writes into. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "experiment/record.h"

char *experiment_path(const char *folder, const char *name)
{
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = base_alloc(size, 1);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name);
    return path;
}

opac_status experiment_folder_make(const char *folder, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], what[OPAC_SHOWN_SIZE + 64];
    struct stat found;
    if (folder == NULL || *folder == '\0')
        return base_fail(error, OPAC_ERROR_ARGUMENT, "a folder to write into is missing");
    opac_text_show_path(folder, shown, sizeof shown);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        int number = errno;
        snprintf(what, sizeof what, "cannot make the folder '%s'", shown);
        return base_fail_system(error, number, what);
    }
    bool is_there = stat(folder, &found) == 0;
    if (is_there && !S_ISDIR(found.st_mode))
        return base_fail(error, OPAC_ERROR_IO, "cannot write into '%s': it is a file, not a folder",
                         shown);
    if (!is_there || access(folder, W_OK | X_OK) != 0) {
        int number = errno;
        snprintf(what, sizeof what, "cannot write into the folder '%s'", shown);
        return base_fail_system(error, number, what);
    }
    return OPAC_OK;
}
