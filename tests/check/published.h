/* SPDX-License-Identifier: MIT */
/*
 * Compares with published values of PRISM's tests and case studies, if they are available (they are not
 * part of the project). A value is a truth value, a fraction, or a decimal; a decimal with many digits is
 * rounded to its last digit.
 */
#ifndef CHECK_PUBLISHED_H
#define CHECK_PUBLISHED_H

#include <math.h>

#include <omegapac/omegapac.h>

#include "base/ratio.h"
#include "base/rational.h"
#include "support/check.h"
#include "support/columns.h"

enum {
    PUBLISHED_EXACT_DIGITS = 6, /* behind the point; a decimal with more of them was rounded */
    PUBLISHED_SMALL = 3000      /* states: what is checked in several ways */
};

typedef struct published_case {
    char model[128], constants[128], property[512], expected[64];
    uint32_t states; /* 0: not published */
} published_case;

static inline opac_model *published_read(const char *folder, const published_case *of, bool exact)
{
    char path[1024];
    opac_error error = {0};
    opac_model *model;
    opac_model_options options = {.exact = exact};
    snprintf(path, sizeof path, "%s/models/%s", folder, of->model);
    assert_ok(opac_constants_new(&options.constants, &error), &error);
    if (of->constants[0] != '\0')
        assert_ok(opac_constants_add(options.constants, of->constants, &error), &error);
    if (opac_model_read(path, &options, &model, &error) != OPAC_OK)
        fail_msg("%s:%u:%u: %s", of->model, error.line, error.column, error.message);
    opac_constants_free(options.constants);
    return model;
}

/* How far the published number may be from the truth. */
static inline double published_tolerance(const char *text)
{
    const char *point = strchr(text, '.'), *power = strchr(text, 'e');
    if (point == NULL)
        return 0;
    int digits = (int)strspn(point + 1, "0123456789");
    int shift = power != NULL ? atoi(power + 1) : 0;
    return digits > PUBLISHED_EXACT_DIGITS ? pow(10, shift - digits) : 0;
}

static inline void published_compare(const published_case *of, const opac_solution *solution)
{
    opac_verdict verdict = opac_solution_verdict(solution);
    opac_interval found = opac_solution_interval(solution, 0);
    bool is_true = strcmp(of->expected, "true") == 0;
    assert_true(found.lower <= found.value);
    assert_true(found.value <= found.upper);
    if (is_true || strcmp(of->expected, "false") == 0) {
        if (verdict != (is_true ? OPAC_VERDICT_TRUE : OPAC_VERDICT_FALSE))
            fail_msg("%s %s: expected %s", of->model, of->property, of->expected);
        return;
    }
    base_ratio ratio = base_ratio_parse(of->expected, strlen(of->expected));
    assert_true(base_ratio_is_known(ratio));
    double expected = base_ratio_to_double(ratio), tolerance = published_tolerance(of->expected);
    if (verdict != OPAC_VERDICT_NONE || !opac_solution_is_precise(solution) ||
        found.upper - found.lower > 1e-6 * found.lower ||
        !(found.lower - tolerance <= nextafter(expected, 2) &&
          found.upper + tolerance >= nextafter(expected, -1)))
        fail_msg("%s %s %s: %s expected, %.12g [%.12g, %.12g] found", of->model, of->constants,
                 of->property, of->expected, found.value, found.lower, found.upper);
}

/* With the options; the objective is the one that the file has. */
static inline void published_check(const published_case *of, const opac_model *model,
                                   const opac_check_options *options)
{
    opac_error error = {0};
    opac_properties *properties;
    opac_solution *solution;
    assert_ok(opac_properties_parse(of->property, model, NULL, &properties, &error), &error);
    opac_objective objective = opac_objective_of(properties, 0);
    assert_ok(opac_check(model, &objective, options, &solution, &error), &error);
    published_compare(of, solution);
    if (options->exact && strchr(of->expected, '/') != NULL) {
        char text[BASE_RATIO_SIZE];
        base_ratio_format(base_ratio_parse(of->expected, strlen(of->expected)), text);
        assert_string_equal(opac_solution_fraction(solution, 0), text);
    }
    opac_solution_free(solution);
    opac_properties_free(properties);
}

/* What is done with each case of a file. */
typedef void (*published_use)(const char *folder, const published_case *of);

/*
 * Runs all cases of a folder whose number of states (0 if it is not published) is in the range; skips the
 * test if the folder does not exist. The columns of cases.tsv begin with model and constants and end with
 * property and expected value; with seven, the third is the states.
 */
static inline void published_each(const char *folder, int columns, uint32_t least, uint32_t most,
                                  published_use use)
{
    char line[4096], path[1024], *fields[8];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/cases.tsv", folder);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        skip();
    while (fgets(line, sizeof line, file) != NULL) {
        published_case next = {0};
        if (split_columns(line, fields, columns) != columns || strcmp(fields[0], "model") == 0)
            continue;
        next.states = columns == 7 ? (uint32_t)strtoul(fields[2], NULL, 10) : 0;
        snprintf(next.model, sizeof next.model, "%.127s", fields[0]);
        snprintf(next.constants, sizeof next.constants, "%.127s", fields[1]);
        snprintf(next.property, sizeof next.property, "%.511s", fields[columns - 2]);
        snprintf(next.expected, sizeof next.expected, "%.63s", fields[columns - 1]);
        if (next.states < least || next.states > most)
            continue;
        use(folder, &next);
        count++;
    }
    fclose(file);
    print_message("%zu properties\n", count);
    assert_true(count > 0);
}

#endif
