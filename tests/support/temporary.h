/* SPDX-License-Identifier: MIT */
/* Folders for the files that a test makes, where the environment wants them. */
#ifndef SUPPORT_TEMPORARY_H
#define SUPPORT_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Makes a new empty folder in TMPDIR, or in /tmp when that is not set, and
 * writes its path to buffer. False when there is no such place, or no room for
 * the path. The test removes the folder.
 */
static inline bool temporary_folder(char *buffer, size_t size)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] == '\0')
        place = "/tmp";
    int length = snprintf(buffer, size, "%s/omegapac-test-XXXXXX", place);
    return length > 0 && (size_t)length < size && mkdtemp(buffer) != NULL;
}

#endif
