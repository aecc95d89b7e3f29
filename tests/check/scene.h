/* SPDX-License-Identifier: MIT */
/* Models, objectives and solutions for tests, each in a line or two. */
#ifndef CHECK_SCENE_H
#define CHECK_SCENE_H

#include <omegapac/omegapac.h>

#include "support/check.h"

/* A PRISM model from its text; exact: with fractions. */
static inline opac_model *scene_model(const char *text, bool exact)
{
    opac_error error = {0};
    opac_model *model;
    const opac_model_options options = {.exact = exact};
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options, &model, &error),
              &error);
    return model;
}

static inline opac_formula *scene_formula(const char *text)
{
    opac_error error = {0};
    opac_formula *formula;
    assert_ok(opac_formula_parse(text, NULL, &formula, &error), &error);
    return formula;
}

static inline opac_automaton *scene_automaton(const char *hoa)
{
    opac_error error = {0};
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    assert_ok(opac_hoa_reader_new(hoa, strlen(hoa), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    opac_hoa_reader_free(reader);
    return automaton;
}

static inline opac_solution *scene_solve(const opac_model *model, const opac_objective *objective,
                                         const opac_check_options *options)
{
    opac_error error = {0};
    opac_solution *solution;
    assert_ok(opac_check(model, objective, options, &solution, &error), &error);
    return solution;
}

/* A property, solved; the solution borrows the model alone. */
static inline opac_solution *scene_property(const opac_model *model, const char *text,
                                            const opac_check_options *options)
{
    opac_error error = {0};
    opac_properties *properties;
    assert_ok(opac_properties_parse(text, model, NULL, &properties, &error), &error);
    opac_objective objective = opac_objective_of(properties, 0);
    opac_solution *solution = scene_solve(model, &objective, options);
    opac_properties_free(properties);
    return solution;
}

#endif
