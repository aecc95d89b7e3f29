/* SPDX-License-Identifier: MIT */
#include "support/picture.h"

#include "support/check.h"

char *picture_draw(picture_artist artist, const void *subject)
{
    opac_error error = {0};
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(artist(subject, out, &error), &error);
    const char *bytes = opac_output_bytes(out, &length);
    assert_non_null(bytes);
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length + 1);
    opac_output_free(out);
    return copy;
}

opac_status picture_try(picture_artist artist, const void *subject, opac_error *error)
{
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    status = artist(subject, out, error);
    if (status == OPAC_OK)
        status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}
