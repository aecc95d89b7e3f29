/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines of a file through a buffer of one megabyte; a text in memory is its own buffer. The end of
 * a line is found by memchr, and the caller gets a pointer into the buffer. The only bytes that are copied
 * are those of an incomplete line at the end of the buffer.
 *
 *     buffer   │ lines already read │ lines not yet read          │ free │
 *              0                    at                            end    capacity
 */
#include "model/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/work.h"

enum {
    FIRST_CAPACITY = 1 << 20,
    LONGEST_LINE = 1 << 26,
    LINES_PER_CHECK = 1 << 14 /* lines between two checks for cancellation */
};

struct model_input {
    FILE *file;         /* NULL: a text */
    const char *buffer; /* memory, or the text */
    char *memory;       /* buffer of a file */
    size_t capacity, at, end;
    bool at_end; /* whether the whole file has been read into the buffer */
    uint64_t read, total;
    uint64_t number;
    const opac_cancel *cancel;
    char name[OPAC_SHOWN_SIZE];
};

static opac_status open_input(const opac_cancel *cancel, model_input **input, opac_error *error)
{
    *input = base_alloc_zeroed(1, sizeof **input);
    if (*input == NULL)
        return base_fail_memory(error);
    (*input)->cancel = cancel;
    return OPAC_OK;
}

/* Fails with the reason given by errno. An interrupted wait for input is cancellation, not a file error. */
static opac_status fail_file(const model_input *input, int number, opac_error *error)
{
    if (number == EINTR && opac_cancel_requested(input->cancel))
        return base_fail_stopped(error, input->cancel, "reading the model");
    char message[OPAC_SHOWN_SIZE + 32];
    snprintf(message, sizeof message, "cannot read %s", input->name);
    return base_fail_system(error, number, message);
}

/* The size of a file; 0 if it has none, such as a pipe. */
static uint64_t size_of(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    if (fseek(file, 0, SEEK_SET) != 0 || size < 0)
        clearerr(file);
    return size > 0 ? (uint64_t)size : 0;
}

opac_status model_input_open(const char *path, const opac_cancel *cancel, model_input **input,
                             opac_error *error)
{
    model_input *made;
    opac_status status;
    TRY(open_input(cancel, &made, error));
    opac_text_show_path(path, made->name, sizeof made->name);
    errno = 0;
    made->file = fopen(path, "rb");
    TRY_OR(done, made->file != NULL ? OPAC_OK : fail_file(made, errno, error));
    made->total = size_of(made->file);
    made->memory = base_alloc(FIRST_CAPACITY, 1);
    made->capacity = FIRST_CAPACITY;
    made->buffer = made->memory;
    TRY_OR(done, made->memory != NULL ? OPAC_OK : base_fail_memory(error));
    *input = made;
    made = NULL;
done:
    model_input_close(made);
    return status;
}

opac_status model_input_open_text(const char *text, size_t length, const opac_cancel *cancel,
                                  model_input **input, opac_error *error)
{
    TRY(open_input(cancel, input, error));
    (*input)->buffer = length > 0 ? text : "";
    (*input)->end = length;
    (*input)->at_end = true;
    (*input)->read = (*input)->total = length;
    return OPAC_OK;
}

void model_input_close(model_input *input)
{
    if (input == NULL)
        return;
    if (input->file != NULL)
        fclose(input->file);
    base_free(input->memory);
    base_free(input);
}

opac_status model_input_rewind(model_input *input, opac_error *error)
{
    if (input->file != NULL) {
        if (fseek(input->file, 0, SEEK_SET) != 0)
            return base_fail(error, OPAC_ERROR_IO,
                             "cannot read %s twice, which is needed: it is not a regular file",
                             input->name);
        input->end = 0;
        input->read = 0;
        input->at_end = false;
    }
    input->at = 0;
    input->number = 0;
    return OPAC_OK;
}

/* ---- reading ---- */

/* Makes space at the end of the buffer: moves the unread bytes to the front, or else enlarges the buffer. */
static opac_status make_space(model_input *input, opac_error *error)
{
    size_t left = input->end - input->at;
    if (input->at > 0) {
        memmove(input->memory, input->memory + input->at, left);
        input->at = 0;
        input->end = left;
    }
    if (left < input->capacity)
        return OPAC_OK;
    if (left > LONGEST_LINE)
        return base_fail_at(error, OPAC_ERROR_LIMIT, model_input_number(input) + 1, 1,
                            "the line has more than %d bytes", LONGEST_LINE);
    void *grown = base_allocate(input->memory, 2 * input->capacity, false);
    if (grown == NULL)
        return base_fail_memory(error);
    input->memory = grown;
    input->buffer = grown;
    input->capacity *= 2;
    return OPAC_OK;
}

static opac_status refill(model_input *input, opac_error *error)
{
    TRY(make_space(input, error));
    errno = 0;
    size_t wanted = input->capacity - input->end;
    size_t got = fread(input->memory + input->end, 1, wanted, input->file);
    if (got < wanted && ferror(input->file))
        return fail_file(input, errno, error);
    input->at_end = got < wanted;
    input->end += got;
    input->read += got;
    return OPAC_OK;
}

static opac_status check_cancel(const model_input *input, opac_error *error)
{
    if (input->number % LINES_PER_CHECK == 0 && opac_cancel_requested(input->cancel))
        return base_fail_stopped(error, input->cancel, "reading the model");
    return OPAC_OK;
}

/* Reads the whole line at `at` into the buffer. *newline is its line feed, or NULL if the file ends first. */
static opac_status find_end(model_input *input, const char **newline, opac_error *error)
{
    size_t searched = 0;
    *newline = NULL;
    for (;;) {
        const char *from = input->buffer + input->at + searched;
        size_t left = input->end - input->at - searched;
        *newline = left > 0 ? memchr(from, '\n', left) : NULL;
        if (*newline != NULL || input->at_end)
            return OPAC_OK;
        searched += left;
        TRY(refill(input, error));
    }
}

opac_status model_input_next(model_input *input, const char **line, size_t *length,
                             opac_error *error)
{
    const char *newline;
    TRY(check_cancel(input, error));
    TRY(find_end(input, &newline, error));
    *line = NULL;
    *length = 0;
    if (input->at == input->end)
        return OPAC_OK;
    const char *begin = input->buffer + input->at;
    const char *end = newline != NULL ? newline : input->buffer + input->end;
    input->at = (size_t)(end - input->buffer) + (newline != NULL);
    if ((size_t)(end - begin) > LONGEST_LINE)
        return base_fail_at(error, OPAC_ERROR_LIMIT, model_input_number(input) + 1, 1,
                            "the line has more than %d bytes", LONGEST_LINE);
    if (end > begin && end[-1] == '\r')
        end--;
    if (input->number++ == 0 && end - begin >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0)
        begin += 3;
    *line = begin;
    *length = (size_t)(end - begin);
    return OPAC_OK;
}

const char *model_input_find(model_input *input, uint32_t number, size_t *length)
{
    const char *line = NULL;
    if (input->number >= number && model_input_rewind(input, NULL) != OPAC_OK)
        return NULL;
    do {
        if (model_input_next(input, &line, length, NULL) != OPAC_OK)
            return NULL;
    } while (line != NULL && input->number < number);
    return line;
}

uint32_t model_input_number(const model_input *input)
{
    return input->number < UINT32_MAX ? (uint32_t)input->number : UINT32_MAX;
}

uint64_t model_input_done(const model_input *input)
{
    return input->read - (input->end - input->at);
}

uint64_t model_input_total(const model_input *input)
{
    return input->total;
}
