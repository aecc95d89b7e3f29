/* SPDX-License-Identifier: MIT */
/* Lines of a table, as fields between tabs. */
#ifndef SUPPORT_COLUMNS_H
#define SUPPORT_COLUMNS_H

#include <string.h>

/* Splits the line in place, into at most `most` fields; returns how many there are. */
static inline int split_columns(char *line, char **fields, int most)
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *field = line; field != NULL && count < most; count++) {
        fields[count] = field;
        field = strchr(field, '\t');
        if (field != NULL)
            *field++ = '\0';
    }
    return count;
}

#endif
