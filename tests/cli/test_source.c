/* SPDX-License-Identifier: MIT */
/* Files and lines as they are read: all bytes, every kind of line end, no memory. */
#include "cli/source.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/faults.h"
#include "support/temporary.h"

static char folder[256], path[300];

static int make_folder(void **state)
{
    (void)state;
    if (!temporary_folder(folder, sizeof folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* ---- whole files ---- */

static void assert_reads(const char *bytes, size_t length)
{
    opac_output *text;
    opac_error error;
    size_t found;
    write_file(bytes, length);
    assert_ok(cli_read_file(path, NULL, &text, &error), &error);
    const char *read = opac_output_bytes(text, &found);
    assert_int_equal(found, length);
    assert_memory_equal(read, bytes, length);
    opac_output_free(text);
}

static void files_are_read_whole(void **state)
{
    (void)state;
    static char long_text[100000];
    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = (char)(i * i >> 3);
    assert_reads("", 0);
    assert_reads("a\0b\r\n\xFF", 6);
    assert_reads(long_text, 1 << 14); /* one chunk, exactly */
    assert_reads(long_text, sizeof long_text);
}

static void read_errors_are_reported(void **state)
{
    (void)state;
    opac_output *text;
    opac_error error;
    char expected[400];
    unlink(path);
    assert_status(cli_read_file(path, NULL, &text, &error), OPAC_ERROR_IO);
    snprintf(expected, sizeof expected, "cannot read %s: No such file or directory", path);
    assert_string_equal(error.message, expected);
    assert_null(text);
    assert_status(cli_read_file(folder, NULL, &text, &error), OPAC_ERROR_IO);
    snprintf(expected, sizeof expected, "cannot read %s: Is a directory", folder);
    assert_string_equal(error.message, expected);
    write_file("", 0);
    assert_int_equal(truncate(path, (1L << 30) + 1), 0);
    assert_status(cli_read_file(path, NULL, &text, &error), OPAC_ERROR_LIMIT);
}

static void a_request_stops_reading(void **state)
{
    (void)state;
    opac_cancel *cancel;
    opac_output *text;
    opac_error error;
    cli_lines lines;
    const char *line;
    size_t length;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    write_file("a\nb\n", 4);
    assert_status(cli_read_file(path, cancel, &text, &error), OPAC_ERROR_CANCELLED);
    assert_ok(cli_lines_open(&lines, path, cancel, &error), &error);
    assert_status(cli_lines_next(&lines, &line, &length, &error), OPAC_ERROR_CANCELLED);
    cli_lines_close(&lines);
    opac_cancel_free(cancel);
}

/* ---- lines ---- */

static void next_line(cli_lines *lines, const char *bytes, size_t length)
{
    opac_error error;
    const char *line;
    size_t found;
    assert_ok(cli_lines_next(lines, &line, &found, &error), &error);
    if (bytes == NULL) {
        assert_null(line);
        return;
    }
    assert_non_null(line);
    assert_int_equal(found, length);
    assert_memory_equal(line, bytes, length);
    assert_int_equal(line[length], '\0');
}

static void lines_lose_their_ends(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF"
                               "a\r\n\n\r\nb\rc\0d\n\xEF\xBB\xBF"
                               "e\r";
    cli_lines lines;
    opac_error error;
    write_file(text, sizeof text - 1);
    assert_ok(cli_lines_open(&lines, path, NULL, &error), &error);
    next_line(&lines, "a", 1);
    next_line(&lines, "", 0);
    next_line(&lines, "", 0);
    next_line(&lines, "b\rc\0d", 5);
    assert_int_equal(lines.number, 4);
    next_line(&lines,
              "\xEF\xBB\xBF"
              "e\r",
              5); /* no line end, and no mark in the middle */
    next_line(&lines, NULL, 0);
    next_line(&lines, NULL, 0);
    cli_lines_close(&lines);
}

/* The CR may be the last byte of a chunk, or the first of the next. */
static void long_lines(void **state)
{
    (void)state;
    static char text[(1 << 15) + 16];
    for (size_t length = (1 << 14) - 2; length <= (1 << 15) + 2; length++) {
        cli_lines lines;
        opac_error error;
        memset(text, 'x', length);
        memcpy(text + length, "\r\ny\n", 4);
        write_file(text, length + 4);
        assert_ok(cli_lines_open(&lines, path, NULL, &error), &error);
        next_line(&lines, text, length);
        next_line(&lines, "y", 1);
        next_line(&lines, NULL, 0);
        cli_lines_close(&lines);
        if (length == (1 << 14) + 2)
            length = (1 << 15) - 3;
    }
}

/* ---- no memory ---- */

static opac_status read_whole(void *context, opac_error *error)
{
    opac_output *text;
    opac_status status = cli_read_file(context, NULL, &text, error);
    opac_output_free(text);
    return status;
}

static opac_status read_lines(void *context, opac_error *error)
{
    cli_lines lines;
    const char *line = "";
    size_t length;
    opac_status status = cli_lines_open(&lines, context, NULL, error);
    while (status == OPAC_OK && line != NULL)
        status = cli_lines_next(&lines, &line, &length, error);
    cli_lines_close(&lines);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    static char text[40000];
    memset(text, 'x', sizeof text);
    text[20000] = '\n';
    write_file(text, sizeof text);
    assert_true(faults_sweep(read_whole, path) > 1);
    assert_true(faults_sweep(read_lines, path) > 3);
}

SUITE(source)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(read_errors_are_reported),
        cmocka_unit_test(a_request_stops_reading),
        cmocka_unit_test(lines_lose_their_ends),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("cli.source", tests, make_folder, remove_folder);
}
