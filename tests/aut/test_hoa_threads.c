/* SPDX-License-Identifier: MIT */
/* Several threads write the same automaton at once, and get the same bytes. */
#include <pthread.h>

#include <omegapac/automaton.h>

#include "support/check.h"

enum {
    THREADS = 4,
    ROUNDS = 20
};

static const char text[] =
    "HOA: v1 States: 3 Start: 0 Start: 1 AP: 3 \"a\" \"b\" \"epsilon\" Acceptance: 2 Inf(0) | "
    "Fin(1) "
    "--BODY-- State: 0 [0&!1 | !0&1] 1 {0} [0] 2 [2] 1 State: 1 \"x\" [!0|!1] 0 {1} [0] 1 "
    "State: 2 [t] 2 {0 1} --END--";

typedef struct task {
    pthread_t thread;
    const opac_automaton *automaton;
    opac_output *out;
} task;

static void *write_often(void *context)
{
    task *own = context;
    for (int i = 0; i < ROUNDS; i++) {
        opac_automaton_write_hoa(own->automaton, own->out);
        opac_automaton_write_dot(own->automaton, own->out);
    }
    return NULL;
}

static void threads_write_the_same(void **unused)
{
    task tasks[THREADS];
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    size_t first_length, length;
    (void)unused;
    assert_ok(opac_hoa_reader_new(text, sizeof text - 1, NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    for (int i = 0; i < THREADS; i++) {
        tasks[i].automaton = automaton;
        assert_ok(opac_output_open_memory(&tasks[i].out, &error), &error);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&tasks[i].thread, NULL, write_often, &tasks[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(tasks[i].thread, NULL), 0);
    const char *first = opac_output_bytes(tasks[0].out, &first_length);
    for (int i = 0; i < THREADS; i++) {
        const char *bytes = opac_output_bytes(tasks[i].out, &length);
        assert_int_equal(length, first_length);
        assert_memory_equal(bytes, first, length);
    }
    for (int i = 0; i < THREADS; i++)
        opac_output_free(tasks[i].out);
    opac_automaton_free(automaton);
    opac_hoa_reader_free(reader);
}

SUITE(hoa_threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_write_the_same),
    };
    return cmocka_run_group_tests_name("hoa_threads", tests, NULL, NULL);
}
