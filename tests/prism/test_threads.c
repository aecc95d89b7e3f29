/* SPDX-License-Identifier: MIT */
/*
 * Several threads use one model at the same time: expressions, labels, written files, properties. Each gets
 * the same results as a single thread.
 */
#include <pthread.h>

#include <omegapac/property.h>

#include "support/check.h"

enum {
    THREADS = 4,
    ROUNDS = 10
};

static const char text[] = "mdp\n"
                           "const int N = 7;\n"
                           "formula odd = mod(x, 2) = 1;\n"
                           "module a\n"
                           "  x : [0..N];\n"
                           "  [up] x<N -> 0.9:(x'=x+1) + 0.1:true;\n"
                           "  [down] x>0 -> (x'=x-1);\n"
                           "endmodule\n"
                           "module b\n"
                           "  y : bool;\n"
                           "  [up] true -> (y'=!y);\n"
                           "endmodule\n"
                           "label \"top\" = x=N;\n";

typedef struct task {
    pthread_t thread;
    const opac_model *model;
    opac_output *out;
    bool failed;
} task;

static void evaluate(task *own, const char *proposition)
{
    uint64_t bits = 0;
    if (opac_model_evaluate(own->model, proposition, &bits, NULL) != OPAC_OK)
        own->failed = true;
    opac_output_print(own->out, "%llx\n", (unsigned long long)bits);
}

static void ask(task *own)
{
    opac_properties *properties;
    uint64_t bits = 0;
    if (opac_properties_parse("Pmax=? [ F odd & \"top\" ]", own->model, NULL, &properties, NULL) !=
            OPAC_OK ||
        opac_properties_evaluate(properties, "odd", &bits, NULL) != OPAC_OK) {
        own->failed = true;
        return;
    }
    opac_output_print(own->out, "%llx\n", (unsigned long long)bits);
    opac_properties_free(properties);
}

static void *look_often(void *context)
{
    task *own = context;
    for (int i = 0; i < ROUNDS; i++) {
        evaluate(own, "top");
        evaluate(own, "odd & !y | x=N-1");
        ask(own);
        opac_model_write_drn(own->model, own->out);
        opac_model_write_tra(own->model, own->out);
        opac_model_write_sta(own->model, own->out);
    }
    return NULL;
}

static void threads_get_the_same_results(void **unused)
{
    task tasks[THREADS] = {0};
    opac_model *model;
    opac_error error;
    size_t first_length, length;
    (void)unused;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, sizeof text - 1, NULL, &model, &error),
              &error);
    assert_in_range(opac_model_states(model), 1, 64);
    for (int i = 0; i < THREADS; i++) {
        tasks[i].model = model;
        assert_ok(opac_output_open_memory(&tasks[i].out, &error), &error);
        assert_int_equal(pthread_create(&tasks[i].thread, NULL, look_often, &tasks[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(tasks[i].thread, NULL), 0);
    const char *first = opac_output_bytes(tasks[0].out, &first_length);
    for (int i = 0; i < THREADS; i++) {
        const char *bytes = opac_output_bytes(tasks[i].out, &length);
        assert_false(tasks[i].failed);
        assert_int_equal(length, first_length);
        assert_memory_equal(bytes, first, length);
    }
    for (int i = 0; i < THREADS; i++)
        opac_output_free(tasks[i].out);
    opac_model_free(model);
}

SUITE(threads)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_get_the_same_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
