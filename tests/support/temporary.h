/* SPDX-License-Identifier: MIT */
/* Temporary folders for the files of a test. */
#ifndef SUPPORT_TEMPORARY_H
#define SUPPORT_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Creates an empty folder in TMPDIR, or in /tmp if that is not set, and writes its path to the buffer.
 * False if this fails, or the buffer is too small. The test must remove the folder.
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
