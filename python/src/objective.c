/* SPDX-License-Identifier: MIT */
/* Objectives: an LTL formula, an automaton, or a PRISM property. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static bool fail(core_objective *o, const opac_error *error, const core_source *source)
{
    core_notes_raise(&o->notes, error, source);
    return false;
}

/* ---- LTL ---- */

static bool parse_formula(core_objective *o, const opac_model *model)
{
    const char *text = core_chars(o->text);
    uint32_t count = model != NULL ? opac_model_label_count(model) : 0;
    const char **labels = calloc((size_t)count + 1, sizeof *labels);
    opac_error error;
    if (labels == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        labels[i] = opac_model_label(model, i);
    opac_formula_options options = {.labels = labels, .label_count = count};
    opac_status status = opac_formula_parse(text, &options, &o->formula, &error);
    free(labels);
    if (status == OPAC_OK)
        return true;
    core_raise(&error, &(core_source){.name = "formula", .text = text, .length = strlen(text)});
    return false;
}

/* ---- properties ---- */

static bool parse_property(core_objective *o, core_model *model)
{
    const char *text = core_chars(o->text);
    core_source source = {.name = "property", .text = text, .length = strlen(text)};
    opac_property_options options = {.constants = model != NULL ? model->constants : NULL,
                                     .listener = core_notes_listen,
                                     .listener_context = &o->notes};
    opac_error error;
    opac_status status = opac_properties_parse(text, model != NULL ? model->model : NULL, &options,
                                               &o->properties, &error);
    if (status != OPAC_OK)
        return fail(o, &error, &source);
    if (opac_properties_count(o->properties) != 1) {
        PyErr_Format(PyExc_ValueError, "property: expected one property, found %zu",
                     opac_properties_count(o->properties));
        return false;
    }
    const opac_property *property = opac_properties_get(o->properties, 0);
    Py_DECREF(o->text);
    o->text = PyBytes_FromString(property->text);
    if (*property->name != '\0')
        o->name = PyBytes_FromString(property->name);
    o->objective = opac_objective_of(o->properties, 0);
    return o->text != NULL && !PyErr_Occurred();
}

/* ---- propositions ---- */

static size_t count_propositions(const opac_objective *objective)
{
    return objective->formula != NULL ? opac_formula_proposition_count(objective->formula)
                                      : opac_automaton_proposition_count(objective->automaton);
}

static const char *get_proposition(const opac_objective *objective, size_t index)
{
    return objective->formula != NULL ? opac_formula_proposition(objective->formula, index)
                                      : opac_automaton_proposition(objective->automaton, index);
}

/* Evaluates all propositions before the computation, so that an unknown one is reported at once, with
 * its position. */
static bool check_propositions(const core_objective *o, const opac_model *model)
{
    size_t words = ((size_t)opac_model_states(model) + 63) / 64;
    uint64_t *bits = calloc(words, sizeof *bits);
    opac_error error;
    bool is_good = bits != NULL;
    if (!is_good)
        PyErr_NoMemory();
    for (size_t i = 0; is_good && i < count_propositions(&o->objective); i++) {
        const char *text = get_proposition(&o->objective, i);
        is_good = opac_model_evaluate(model, text, bits, &error) == OPAC_OK;
        if (!is_good)
            core_raise(&error,
                       &(core_source){.name = "proposition", .text = text, .length = strlen(text)});
    }
    free(bits);
    return is_good;
}

/* ---- the objective ---- */

static bool use_automaton(core_objective *o, PyObject *given)
{
    const opac_automaton *automaton = ((core_automaton *)given)->automaton;
    const char *name = opac_automaton_name(automaton);
    o->objective.automaton = automaton;
    o->text = PyBytes_FromString(name != NULL ? name : "automaton");
    return o->text != NULL;
}

static bool read_given(core_objective *o, PyObject *given, bool is_property, core_model *model)
{
    if (!is_property && core_is(given, CORE_AUTOMATON))
        return use_automaton(o, given);
    if (!PyUnicode_Check(given)) {
        PyErr_SetString(PyExc_TypeError, is_property
                                             ? "property must be a str"
                                             : "objective must be a str (LTL) or an Automaton");
        return false;
    }
    if (!core_text(given, &o->text))
        return false;
    if (is_property)
        return parse_property(o, model);
    if (!parse_formula(o, model != NULL ? model->model : NULL))
        return false;
    o->objective.formula = o->formula;
    return true;
}

bool core_objective_init(core_objective *o, PyObject *given, bool is_property, bool minimize,
                         PyObject *model)
{
    *o = (core_objective){.given = given};
    Py_INCREF(given);
    if (!read_given(o, given, is_property, (core_model *)model))
        return false;
    if (!is_property)
        o->objective.direction = minimize ? OPAC_DIRECTION_MIN : OPAC_DIRECTION_MAX;
    o->objective.text = core_chars(o->text);
    if (!is_property && model != NULL && !check_propositions(o, ((core_model *)model)->model))
        return false;
    return core_notes_warn(&o->notes);
}

void core_objective_fini(core_objective *o)
{
    opac_formula_free(o->formula);
    opac_properties_free(o->properties);
    Py_XDECREF(o->text);
    Py_XDECREF(o->name);
    Py_XDECREF(o->given);
    core_notes_fini(&o->notes);
}
