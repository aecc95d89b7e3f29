/* SPDX-License-Identifier: MIT */
/* Reads a file in parts. Its length need not be known, so pipes are supported. */
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

enum {
    PIECE = 1 << 16
};

/* Whether the first character is not one of `begins`. */
static bool is_rejected(const base_text *text, const char *begins)
{
    return begins != NULL && text->length > 0 &&
           (text->bytes[0] == '\0' || strchr(begins, text->bytes[0]) == NULL);
}

opac_status base_text_read_file(base_text *text, const char *path, const char *begins,
                                opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], piece[PIECE], message[OPAC_SHOWN_SIZE + 32];
    size_t got;
    opac_text_show_path(path, shown, sizeof shown);
    snprintf(message, sizeof message, "cannot read %s", shown);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return base_fail_system(error, errno, message);
    while (!text->failed && !is_rejected(text, begins) &&
           (got = fread(piece, 1, sizeof piece, file)) > 0)
        base_text_add_bytes(text, piece, got);
    opac_status status = base_text_check(text, error);
    if (status == OPAC_OK && ferror(file))
        status = base_fail_system(error, errno, message);
    fclose(file);
    return status;
}
