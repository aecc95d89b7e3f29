/* SPDX-License-Identifier: MIT */
/* Reads files and lines, limited in size, and prints messages with places in them. */
#include "cli/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <omegapac/text.h>

#include "cli/colour.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/result.h"

enum {
    LARGEST_FILE = 1 << 30,
    LONGEST_LINE = 1 << 26,
    CHUNK = 1 << 14
};

const char *cli_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

/* ---- messages ---- */

enum {
    SHOWN_PATH = 256
};

/* "file:3:7: ", or "omegapac translate: " without a place. */
static void write_place(const cli_source *source, uint32_t line, uint32_t column, cli_style style)
{
    char shown[SHOWN_PATH];
    opac_text_show_path(source->name, shown, sizeof shown);
    fputs(cli_style_code(stderr, style), stderr);
    if (line == 0)
        fprintf(stderr, "%s %s:", CLI_PROGRAM, source->arguments->command->name);
    else if (column == 0)
        fprintf(stderr, "%s:%lu:", shown, (unsigned long)source->first_line + line - 1);
    else
        fprintf(stderr, "%s:%lu:%lu:", shown, (unsigned long)source->first_line + line - 1,
                (unsigned long)column);
    fprintf(stderr, "%s ", cli_style_code(stderr, CLI_PLAIN));
}

/* The line and the caret, each indented by two blanks. */
static void write_caret(const cli_source *source, uint32_t line, uint32_t column)
{
    enum {
        WIDTH = 76
    };
    char shown[OPAC_CARET_SIZE];
    opac_text_caret(source->text, source->length, line, column, WIDTH, shown, sizeof shown);
    size_t length = strcspn(shown, "\n");
    fprintf(stderr, "  %.*s\n  %s%s%s\n", (int)length, shown, cli_style_code(stderr, CLI_GOOD),
            shown[length] != '\0' ? shown + length + 1 : "", cli_style_code(stderr, CLI_PLAIN));
}

cli_exit cli_report_at(const cli_source *source, const opac_error *error)
{
    if (error->line == 0)
        return cli_report(source->arguments->command, error);
    opac_error advised = *error;
    cli_advise(source->arguments->command, &advised);
    write_place(source, error->line, error->column, CLI_BAD);
    fprintf(stderr, "%s\n", advised.message);
    if (error->column > 0 && source->length > 0)
        write_caret(source, error->line, error->column);
    return cli_exit_for(error->code);
}

static void remark(const cli_source *source, uint32_t line, uint32_t column, const char *kind,
                   const char *text)
{
    if (source->arguments->values[CLI_QUIET].given)
        return;
    write_place(source, line, column, CLI_STRONG);
    fprintf(stderr, "%s%s:%s %s\n", cli_style_code(stderr, CLI_REMARK), kind,
            cli_style_code(stderr, CLI_PLAIN), text);
}

void cli_notice(void *source, uint32_t line, uint32_t column, const char *text)
{
    remark(source, line, column, "note", text);
}

void cli_warn(const cli_source *source, uint32_t line, uint32_t column, const char *text)
{
    remark(source, line, column, "warning", text);
}

/* ---- reading ---- */

static opac_status fail_reading(const char *path, const char *reason, opac_status code,
                                opac_error *error)
{
    char shown[SHOWN_PATH];
    const char *name = cli_file_name(path);
    *error = (opac_error){.code = code};
    snprintf(error->message, sizeof error->message, "cannot read %s: %s",
             opac_text_show_path(name, shown, sizeof shown), reason);
    return code;
}

static opac_status fail_by_number(const char *path, int number, opac_error *error)
{
    if (number == ENOMEM)
        return fail_reading(path, "out of memory", OPAC_ERROR_MEMORY, error);
    return fail_reading(path, strerror(number), OPAC_ERROR_IO, error);
}

/*
 * A request to stop interrupts a wait for input, or for the writer of a named pipe (stream is then NULL).
 * The error is then OPAC_ERROR_CANCELLED.
 */
static opac_status check_stream(FILE *stream, const char *path, const opac_cancel *cancel,
                                int reason, opac_error *error)
{
    opac_cancel_reason why = opac_cancel_get_reason(cancel);
    if (why != OPAC_CANCEL_NONE)
        return fail_reading(path,
                            why == OPAC_CANCEL_TIME ? "the time limit was reached" : "stopped",
                            OPAC_ERROR_CANCELLED, error);
    return stream == NULL || ferror(stream) ? fail_by_number(path, reason, error) : OPAC_OK;
}

static FILE *open_stream(const char *path, const opac_cancel *cancel, opac_error *error)
{
    errno = 0;
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (stream == NULL)
        check_stream(NULL, path, cancel, errno, error);
    return stream;
}

static void close_stream(FILE *stream)
{
    if (stream != NULL && stream != stdin)
        fclose(stream);
}

static opac_status fail_large(const char *path, opac_error *error)
{
    return fail_reading(path, "the file is larger than 1 GiB", OPAC_ERROR_LIMIT, error);
}

static opac_status read_all(FILE *stream, const char *path, const opac_cancel *cancel,
                            opac_output *text, opac_error *error)
{
    char chunk[CHUNK];
    size_t total = 0;
    for (;;) {
        errno = 0;
        size_t length = fread(chunk, 1, sizeof chunk, stream);
        TRY(check_stream(stream, path, cancel, errno, error));
        opac_output_write(text, chunk, length);
        total += length;
        if (total > LARGEST_FILE)
            return fail_large(path, error);
        if (length < sizeof chunk)
            return OPAC_OK;
    }
}

/* Refuses a regular file that is too large before reading it. */
static opac_status check_size(FILE *stream, const char *path, opac_error *error)
{
    struct stat status;
    bool large = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) &&
                 status.st_size > LARGEST_FILE;
    return large ? fail_large(path, error) : OPAC_OK;
}

opac_status cli_read_file(const char *path, const opac_cancel *cancel, opac_output **text,
                          opac_error *error)
{
    TRY(opac_output_open_memory(text, error));
    cli_interrupt_begin_wait();
    FILE *stream = open_stream(path, cancel, error);
    opac_status status = stream != NULL ? check_size(stream, path, error) : error->code;
    if (status == OPAC_OK)
        status = read_all(stream, path, cancel, *text, error);
    cli_interrupt_end_wait();
    close_stream(stream);
    if (status == OPAC_OK && opac_output_bytes(*text, &(size_t){0}) == NULL)
        status = opac_output_commit(*text, error); /* returns the error */
    if (status != OPAC_OK) {
        opac_output_free(*text);
        *text = NULL;
    }
    return status;
}

opac_status cli_lines_open(cli_lines *lines, const char *path, const opac_cancel *cancel,
                           opac_error *error)
{
    *lines = (cli_lines){.path = path, .cancel = cancel};
    cli_interrupt_begin_wait();
    lines->stream = open_stream(path, cancel, error);
    cli_interrupt_end_wait();
    return lines->stream != NULL ? OPAC_OK : error->code;
}

/* Appends a line without its end to `line`; sets *found to false at the end of the input. */
static opac_status read_line(cli_lines *lines, bool *found, opac_error *error)
{
    char chunk[CHUNK]; /* keeps the last byte read, which may be a CR, until the next one */
    size_t length = 0, total = 0;
    int byte;
    errno = 0;
    while ((byte = getc(lines->stream)) != EOF && byte != '\n') {
        if (length == sizeof chunk) {
            opac_output_write(lines->line, chunk, length);
            total += length;
            length = 0;
        }
        if (total > LONGEST_LINE)
            return fail_reading(lines->path, "a line is longer than 64 MiB", OPAC_ERROR_LIMIT,
                                error);
        chunk[length++] = (char)byte;
    }
    opac_status status = check_stream(lines->stream, lines->path, lines->cancel, errno, error);
    *found = byte == '\n' || length > 0;
    length -= byte == '\n' && length > 0 && chunk[length - 1] == '\r';
    if (length > 0)
        opac_output_write(lines->line, chunk, length);
    return status;
}

opac_status cli_lines_next(cli_lines *lines, const char **text, size_t *length, opac_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool found = false;
    *text = NULL;
    opac_output_free(lines->line);
    lines->line = NULL;
    opac_status status = opac_output_open_memory(&lines->line, error);
    cli_interrupt_begin_wait();
    if (status == OPAC_OK)
        status = read_line(lines, &found, error);
    cli_interrupt_end_wait();
    if (status != OPAC_OK || !found)
        return status;
    *text = opac_output_bytes(lines->line, length);
    if (*text == NULL)
        return opac_output_commit(lines->line, error);
    lines->number++;
    if (lines->number == 1 && *length >= 3 && memcmp(*text, mark, 3) == 0) {
        *text += 3;
        *length -= 3;
    }
    return OPAC_OK;
}

void cli_lines_close(cli_lines *lines)
{
    opac_output_free(lines->line);
    close_stream(lines->stream);
}
