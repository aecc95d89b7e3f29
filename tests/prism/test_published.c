/* SPDX-License-Identifier: MIT */
/*
 * Models of PRISM's case studies in full size. They are not part of the project; without them the test does
 * nothing. The numbers of states, choices and transitions must be the published ones, and the largest model
 * must need less than 200 bytes for each state in total.
 */
#include <sys/resource.h>

#include <omegapac/omegapac.h>

#include "model/model.h"
#include "support/check.h"
#include "support/columns.h"
#include "support/invariants.h"

enum {
    COLUMNS = 7,
    MAX_BYTES = 200, /* a state */
    LARGE = 6000000  /* states */
};

typedef struct published {
    char model[64], constants[128];
    uint32_t states, choices, transitions; /* 0: not published */
} published;

static opac_model *read_model(const published *of)
{
    char path[1024];
    opac_error error = {0};
    opac_model *model;
    opac_model_options options = {0};
    snprintf(path, sizeof path, "%s/models/%s", PUBLISHED_MODELS, of->model);
    assert_ok(opac_constants_new(&options.constants, &error), &error);
    if (of->constants[0] != '\0')
        assert_ok(opac_constants_add(options.constants, of->constants, &error), &error);
    if (opac_model_read(path, &options, &model, &error) != OPAC_OK)
        fail_msg("%s:%u:%u: %s", of->model, error.line, error.column, error.message);
    opac_constants_free(options.constants);
    return model;
}

static void check(const published *of)
{
    opac_error error;
    opac_model *model = read_model(of);
    print_message("%s %s: %u states, %u choices, %u transitions\n", of->model, of->constants,
                  opac_model_states(model), opac_model_choices(model),
                  opac_model_transitions(model));
    assert_int_equal(opac_model_states(model), of->states);
    if (of->choices > 0)
        assert_int_equal(opac_model_choices(model), of->choices);
    if (of->transitions > 0)
        assert_int_equal(opac_model_transitions(model), of->transitions);
    assert_ok(model_check(model, &error), &error);
    opac_model_free(model);
}

/* The models of the table that are large, or those that are not. A model with two properties counts once. */
static size_t check_table(bool large)
{
    char line[4096], *fields[COLUMNS];
    published last = {0};
    size_t count = 0;
    FILE *file = fopen(PUBLISHED_MODELS "/cases.tsv", "r");
    if (file == NULL)
        skip();
    while (fgets(line, sizeof line, file) != NULL) {
        published next = {0};
        if (split_columns(line, fields, COLUMNS) != COLUMNS || strcmp(fields[0], "model") == 0)
            continue;
        snprintf(next.model, sizeof next.model, "%.63s", fields[0]);
        snprintf(next.constants, sizeof next.constants, "%.127s", fields[1]);
        next.states = (uint32_t)strtoul(fields[2], NULL, 10);
        next.choices = (uint32_t)strtoul(fields[3], NULL, 10);
        next.transitions = (uint32_t)strtoul(fields[4], NULL, 10);
        if (memcmp(&next, &last, sizeof next) == 0 || (next.states > LARGE) != large)
            continue;
        check(&next);
        last = next;
        count++;
    }
    fclose(file);
    return count;
}

static void sizes_are_as_published(void **state)
{
    (void)state;
    assert_true(check_table(false) > 0);
}

static void ten_million_states_need_little_memory(void **state)
{
    struct rusage usage;
    (void)state;
    assert_true(check_table(true) > 0);
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    print_message("%ld MiB at the peak\n", usage.ru_maxrss / 1024);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__linux__)
    assert_true((double)usage.ru_maxrss * 1024 < (double)MAX_BYTES * 10131465);
#endif
}

SUITE(published)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_as_published),
        cmocka_unit_test(ten_million_states_need_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
