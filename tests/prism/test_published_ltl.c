/* SPDX-License-Identifier: MIT */
/*
 * Small models of PRISM's tests with their LTL properties. They are not part of the project; without them the
 * test does nothing. Every model loads, every property is parsed, and each proposition can be evaluated.
 */
#include <omegapac/omegapac.h>

#include "model/model.h"
#include "support/check.h"
#include "support/columns.h"
#include "support/invariants.h"

enum {
    COLUMNS = 4
};

static opac_model *read_model(const char *name)
{
    char path[1024];
    opac_error error = {0};
    opac_model *model;
    snprintf(path, sizeof path, "%s/models/%.255s", PUBLISHED_MODELS, name);
    if (opac_model_read(path, NULL, &model, &error) != OPAC_OK)
        fail_msg("%s:%u:%u: %s", name, error.line, error.column, error.message);
    assert_ok(model_check(model, &error), &error);
    return model;
}

static void check_property(const char *name, const char *text)
{
    opac_model *model = read_model(name);
    opac_error error = {0};
    opac_properties *properties;
    if (opac_properties_parse(text, model, NULL, &properties, &error) != OPAC_OK)
        fail_msg("%s: %s: %u: %s", name, text, error.column, error.message);
    assert_int_equal(opac_properties_count(properties), 1);
    const opac_formula *formula = opac_properties_get(properties, 0)->formula;
    size_t words = ((size_t)opac_model_states(model) + 63) / 64;
    uint64_t *bits = calloc(words, sizeof *bits);
    assert_non_null(bits);
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++)
        assert_ok(opac_properties_evaluate(properties, opac_formula_proposition(formula, i), bits,
                                           &error),
                  &error);
    free(bits);
    opac_properties_free(properties);
    opac_model_free(model);
}

static void models_and_properties_are_read(void **state)
{
    char line[4096], *fields[COLUMNS];
    size_t count = 0;
    FILE *file = fopen(PUBLISHED_MODELS "/cases.tsv", "r");
    (void)state;
    if (file == NULL)
        skip();
    while (fgets(line, sizeof line, file) != NULL) {
        if (split_columns(line, fields, COLUMNS) != COLUMNS || strcmp(fields[0], "model") == 0)
            continue;
        check_property(fields[0], fields[2]);
        count++;
    }
    fclose(file);
    print_message("%zu properties\n", count);
    assert_true(count > 0);
}

SUITE(published_ltl)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_and_properties_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
