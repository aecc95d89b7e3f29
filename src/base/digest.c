/* SPDX-License-Identifier: MIT */
/* Computes the digest of a file, which is read in parts. */
#include <omegapac/verification.h>

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include <omegapac/text.h>

#include "base/error.h"
#include "base/sha256.h"

static_assert(OPAC_DIGEST_SIZE >= BASE_SHA256_TEXT, "a digest must fit");

static opac_status fail_file(const char *path, int number, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE], message[OPAC_SHOWN_SIZE + 32];
    opac_text_show_path(path, shown, sizeof shown);
    snprintf(message, sizeof message, "cannot read %s", shown);
    return base_fail_system(error, number, message);
}

opac_status opac_digest_file(const char *path, char *text, opac_error *error)
{
    base_sha256 hash;
    char piece[16384];
    size_t count;
    errno = 0;
    FILE *file = fopen(path, "rb");
    text[0] = '\0';
    if (file == NULL)
        return fail_file(path, errno, error);
    base_sha256_init(&hash);
    while ((count = fread(piece, 1, sizeof piece, file)) > 0)
        base_sha256_add(&hash, piece, count);
    int number = ferror(file) ? errno : 0;
    bool is_read = !ferror(file);
    fclose(file);
    if (!is_read)
        return fail_file(path, number, error);
    base_sha256_finish_text(&hash, text);
    return OPAC_OK;
}
