/* SPDX-License-Identifier: MIT */
/* PNG by a program from outside, which here is a script of ours that does what one may do wrong. */
#include <stdlib.h>

#include "experiment/folder.h"
#include "experiment/record.h"
#include "support/faults.h"

/* The bytes with which a PNG begins and ends, and no pixels between: as printf of a shell writes
 * them. */
#define WHOLE "'\\211PNG\\r\\n\\032\\npixelsIEND\\256B`\\202'"

/* A script with the name of a program; $3 is --output=FILE of rsvg-convert. */
static experiment_converter converter_of(const folder *f, const char *name, const char *script)
{
    experiment_converter converter;
    opac_error error;
    char text[512];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    folder_write(f, name, text, 0755);
    assert_ok(experiment_converter_find(f->path, &converter, &error), &error);
    assert_non_null(converter.path);
    return converter;
}

/* What the script does to in.svg: whether a PNG was made. */
static bool try(const folder *f, const char *name, const char *script, double seconds)
{
    experiment_converter converter = converter_of(f, name, script);
    char svg[1024], png[1024], part[1024];
    bool made;
    opac_error error;
    folder_at(f, "in.svg", svg);
    folder_at(f, "out.png", png);
    folder_write(f, "in.svg", "<svg/>", 0644);
    assert_ok(experiment_converter_run(&converter, svg, png, seconds, NULL, &made, &error), &error);
    assert_int_equal(access(png, F_OK) == 0, made);
    assert_int_equal(access(folder_at(f, "out.png.part.png", part), F_OK), -1); /* none is left */
    experiment_converter_fini(&converter);
    folder_count(f, true);
    return made;
}

static void what_is_made_is_looked_at(void **state)
{
    (void)state;
    folder f = folder_make();
    assert_true(try(&f, "rsvg-convert", "printf " WHOLE " > \"${3#--output=}\"", 10));
    assert_true(try(&f, "inkscape", "printf " WHOLE " > \"${3#--export-filename=}\"", 10));
    assert_true(try(&f, "magick", "printf " WHOLE " > \"${4#PNG:}\"", 10));
    assert_true(try(&f, "convert", "printf " WHOLE " > \"${4#PNG:}\"", 10));
    assert_false(try(&f, "rsvg-convert", "printf " WHOLE " > \"${3#--output=}\"; exit 1", 10));
    assert_false(try(&f, "rsvg-convert", "echo no picture > \"${3#--output=}\"", 10));
    assert_false(
        try(&f, "rsvg-convert", "printf '\\211PNG\\r\\n\\032\\n' > \"${3#--output=}\"", 10));
    assert_false(try(&f, "rsvg-convert", "exit 0", 10));
    assert_false(try(&f, "rsvg-convert", "kill -9 $$", 10));
    folder_remove(&f);
}

static void one_that_hangs_is_killed(void **state)
{
    (void)state;
    folder f = folder_make();
    double begin = experiment_lab_seconds();
    assert_false(
        try(&f, "rsvg-convert", "printf " WHOLE " > \"${3#--output=}\"; sleep 1000", 0.05));
    assert_true(experiment_lab_seconds() - begin < 500);
    folder_remove(&f);
}

static void one_that_hangs_is_not_tried_again(void **state)
{
    (void)state;
    folder f = folder_make();
    char mark[1024], script[2048];
    snprintf(script, sizeof script, "echo x >> '%s'; sleep 1000", folder_at(&f, "mark", mark));
    experiment_converter converter = converter_of(&f, "rsvg-convert", script);
    opac_error error;
    bool made = true;
    /* A second, so that the first one has come to its mark. */
    for (int i = 0; i < 3; i++) {
        assert_ok(experiment_converter_run(&converter, "/a", "/b", 1, NULL, &made, &error), &error);
        assert_false(made);
    }
    char *text = folder_read(&f, "mark");
    assert_true(text == NULL || strcmp(text, "x\n") == 0);
    assert_true(converter.hung);
    free(text);
    experiment_converter_fini(&converter);
    folder_remove(&f);
}

static void a_request_ends_it(void **state)
{
    (void)state;
    folder f = folder_make();
    experiment_converter converter = converter_of(&f, "rsvg-convert", "sleep 1000");
    opac_cancel *cancel;
    opac_error error;
    bool made = true;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    assert_ok(experiment_converter_run(&converter, "/a", "/b", 500, cancel, &made, &error), &error);
    assert_false(made);
    opac_cancel_free(cancel);
    experiment_converter_fini(&converter);
    folder_remove(&f);
}

static void the_first_in_the_path_counts(void **state)
{
    (void)state;
    folder f = folder_make(), other = folder_make();
    char search[2048], expected[1024];
    experiment_converter converter;
    opac_error error;
    /* Nothing there; nothing that may be run; nothing that is absolute. */
    assert_ok(experiment_converter_find(f.path, &converter, &error), &error);
    assert_null(converter.path);
    assert_ok(experiment_converter_find(NULL, &converter, &error), &error);
    assert_null(converter.path);
    folder_write(&f, "convert", "", 0644);
    snprintf(search, sizeof search, "%s::.:nowhere", f.path);
    assert_ok(experiment_converter_find(search, &converter, &error), &error);
    assert_null(converter.path);
    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f.path), 0);
    folder_write(&f, "magick", "", 0755);
    assert_ok(experiment_converter_find("::.:", &converter, &error), &error);
    assert_null(converter.path);
    assert_int_equal(chdir(here), 0);
    /* rsvg-convert before the others, wherever it is. */
    folder_write(&f, "inkscape", "", 0755);
    folder_write(&other, "rsvg-convert", "", 0755);
    snprintf(search, sizeof search, "%s:%s", f.path, other.path);
    assert_ok(experiment_converter_find(search, &converter, &error), &error);
    assert_string_equal(converter.path, folder_at(&other, "rsvg-convert", expected));
    experiment_converter_fini(&converter);
    folder_remove(&f);
    folder_remove(&other);
}

static opac_status find_and_run(void *context, opac_error *error)
{
    const folder *f = context;
    experiment_converter converter;
    bool made;
    opac_status status = experiment_converter_find(f->path, &converter, error);
    if (status == OPAC_OK)
        status = experiment_converter_run(&converter, "-a.svg", "-a.png", 10, NULL, &made, error);
    experiment_converter_fini(&converter);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    folder f = folder_make();
    folder_write(&f, "inkscape", "#!/bin/sh\nexit 1\n", 0755);
    assert_true(faults_sweep(find_and_run, &f) > 4);
    folder_remove(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_made_is_looked_at),
                                       cmocka_unit_test(one_that_hangs_is_killed),
                                       cmocka_unit_test(one_that_hangs_is_not_tried_again),
                                       cmocka_unit_test(a_request_ends_it),
                                       cmocka_unit_test(the_first_in_the_path_counts),
                                       cmocka_unit_test(no_memory_is_an_error)};
    return cmocka_run_group_tests_name("experiment.converter", tests, NULL, NULL);
}
