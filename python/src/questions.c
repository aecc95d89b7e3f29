/* SPDX-License-Identifier: MIT */
/*
 * Questions about known models: check, evaluate, recurrence; and, without a
 * model, bound and verify. Each answers with a flat dict, of which Python makes
 * a result.
 */
#include "core.h"

#include <math.h>
#include <string.h>

/* ---- what several share ---- */

static PyObject *interval(opac_interval found, const char *fraction)
{
    return Py_BuildValue("(dddN)", found.value, found.lower, found.upper,
                         core_str_or_none(fraction));
}

/* A new dict with the text and the name of an objective; takes none of them. */
static PyObject *begin_answer(const core_objective *o)
{
    PyObject *dict = PyDict_New();
    if (dict == NULL)
        return NULL;
    if (core_put(dict, "objective", core_str_or_none(core_chars(o->text))) &&
        core_put(dict, "name", core_str_or_none(core_chars(o->name))))
        return dict;
    Py_DECREF(dict);
    return NULL;
}

/* The dict, or NULL if something went wrong on the way. */
static PyObject *end_answer(PyObject *dict, bool is_good)
{
    if (is_good)
        return dict;
    Py_XDECREF(dict);
    return NULL;
}

static const opac_policy *policy_of(PyObject *policy)
{
    return ((core_policy *)policy)->policy;
}

/* A policy of this model, or an exception. */
static bool expect_policy(PyObject *policy, PyObject *model)
{
    if (!core_expect(policy, CORE_POLICY, "policy") || !core_expect(model, CORE_MODEL, "model"))
        return false;
    if (((core_policy *)policy)->model == model)
        return true;
    PyErr_SetString(PyExc_ValueError, "the policy is not one of this model (the same object): "
                                      "load it with Policy.load(path, model)");
    return false;
}

/* ---- check ---- */

typedef struct checking {
    const opac_model *model;
    const opac_objective *objective;
    opac_check_options options;
    double max_seconds; /* 0: any */
    opac_solution *solution;
    opac_policy *policy;
} checking;

static opac_status check_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    checking *c = context;
    c->options.cancel = cancel;
    opac_status status = opac_check(c->model, c->objective, &c->options, &c->solution, error);
    if (status == OPAC_OK && c->options.policy)
        status = opac_solution_policy(c->solution, &c->policy, error);
    return status;
}

static PyObject *solution_stats(const opac_solution *solution)
{
    opac_solution_stats s = opac_solution_get_stats(solution);
    return Py_BuildValue(
        "{sksKsksksksksksksksK}", "automaton_states", (unsigned long)s.automaton_states,
        "product_states", (unsigned long long)s.product_states, "product_reachable",
        (unsigned long)s.product_reachable, "choices", (unsigned long)s.choices, "transitions",
        (unsigned long)s.transitions, "winning_components", (unsigned long)s.winning_components,
        "winning", (unsigned long)s.winning, "losing", (unsigned long)s.losing, "maybe",
        (unsigned long)s.maybe, "sweeps", (unsigned long long)s.sweeps);
}

static PyObject *solution_intervals(const checking *c)
{
    uint32_t count = opac_model_initial_count(c->model);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = interval(opac_solution_interval(c->solution, i),
                                  opac_solution_fraction(c->solution, i));
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *verdict(const opac_solution *solution)
{
    static const char *const words[] = {NULL, "true", "false", "undecided"};
    return core_str_or_none(words[opac_solution_verdict(solution)]);
}

/* Takes the policy. */
static PyObject *take_policy(opac_policy **policy, PyObject *model)
{
    opac_policy *taken = *policy;
    *policy = NULL;
    if (taken == NULL)
        Py_RETURN_NONE;
    return core_policy_wrap(taken, model);
}

static PyObject *check_answer(checking *c, const core_objective *o, PyObject *model)
{
    const opac_solution *s = c->solution;
    PyObject *dict = begin_answer(o);
    return end_answer(
        dict, dict != NULL && core_put(dict, "initial", solution_intervals(c)) &&
                  core_put(dict, "verdict", verdict(s)) &&
                  core_put(dict, "least", PyBool_FromLong(opac_solution_is_least(s))) &&
                  core_put(dict, "precise", PyBool_FromLong(opac_solution_is_precise(s))) &&
                  core_put(dict, "is_bound", PyBool_FromLong(opac_solution_is_bound(s))) &&
                  core_put(dict, "stats", solution_stats(s)) &&
                  core_put(dict, "automaton", core_automaton_copy(opac_solution_automaton(s))) &&
                  core_put(dict, "policy", take_policy(&c->policy, model)));
}

static PyObject *run_check(checking *c, PyObject *model, PyObject *given, bool is_property,
                           bool minimize)
{
    core_objective o;
    opac_error error;
    PyObject *answer = NULL;
    if (core_objective_init(&o, given, is_property, minimize, model)) {
        c->objective = &o.objective;
        if (core_run_for(check_work, c, c->max_seconds, &error) == OPAC_OK)
            answer = check_answer(c, &o, model);
        else
            core_raise(&error, NULL);
    }
    opac_policy_free(c->policy);
    opac_solution_free(c->solution);
    core_objective_fini(&o);
    return answer;
}

/* check(model, given, is_property, minimize, precision, exact, policy, kind, max_states, threads, max_seconds)
 */
static PyObject *check(PyObject *module, PyObject *args)
{
    checking c = {0};
    PyObject *model, *given;
    int is_property, minimize, exact, policy;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOppO&ppO&O&O&O&", &model, &given, &is_property, &minimize,
                          core_positive, &c.options.precision, &exact, &policy, core_kind,
                          &c.options.kind, core_above_zero, &c.options.max_states,
                          core_small_above_zero, &c.options.threads, core_positive,
                          &c.max_seconds) ||
        !core_expect(model, CORE_MODEL, "model"))
        return NULL;
    c.model = ((core_model *)model)->model;
    c.options.exact = exact != 0;
    c.options.policy = policy != 0;
    return run_check(&c, model, given, is_property != 0, minimize != 0);
}

/* ---- evaluate ---- */

typedef struct evaluating {
    const opac_policy *policy;
    const opac_objective *objective;
    opac_evaluation_options options;
    opac_evaluation *evaluation;
} evaluating;

static opac_status evaluate_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    evaluating *e = context;
    e->options.cancel = cancel;
    return opac_evaluate(e->policy, e->objective, &e->options, &e->evaluation, error);
}

static PyObject *evaluation_intervals(const opac_evaluation *evaluation, const opac_model *model)
{
    uint32_t count = opac_model_initial_count(model);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = interval(opac_evaluation_interval(evaluation, i),
                                  opac_evaluation_fraction(evaluation, i));
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *evaluation_answer(const evaluating *e, const core_objective *o,
                                   const opac_model *model)
{
    const opac_evaluation *found = e->evaluation;
    PyObject *dict = begin_answer(o);
    const char *bound = !opac_evaluation_is_bound(found)  ? NULL
                        : opac_evaluation_is_upper(found) ? "upper"
                                                          : "lower";
    return end_answer(
        dict,
        dict != NULL && core_put(dict, "initial", evaluation_intervals(found, model)) &&
            core_put(dict, "precise", PyBool_FromLong(opac_evaluation_is_precise(found))) &&
            core_put(dict, "bound", core_str_or_none(bound)) &&
            core_put(dict, "states", PyLong_FromUnsignedLong(opac_evaluation_states(found))) &&
            core_put(dict, "bottoms", PyLong_FromUnsignedLong(opac_evaluation_bottoms(found))) &&
            core_put(dict, "made_for", core_str(opac_policy_objective(e->policy))) &&
            core_put(dict, "memory", PyLong_FromUnsignedLong(opac_policy_memory(e->policy))) &&
            core_put(dict, "decisions",
                     PyLong_FromUnsignedLongLong(opac_policy_decisions(e->policy))));
}

/* evaluate(model, policy, given or None, is_property, exact, max_states) */
static PyObject *evaluate(PyObject *module, PyObject *args)
{
    evaluating e = {0};
    core_objective o = {0};
    PyObject *model, *policy, *given, *answer = NULL;
    int is_property, exact;
    double max_seconds = 0;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOppO&O&", &model, &policy, &given, &is_property, &exact,
                          core_above_zero, &e.options.max_states, core_positive, &max_seconds) ||
        !expect_policy(policy, model))
        return NULL;
    e.policy = policy_of(policy);
    e.options.exact = exact != 0;
    if (given == Py_None || core_objective_init(&o, given, is_property != 0, false, model)) {
        e.objective = given == Py_None ? NULL : &o.objective;
        if (core_run_for(evaluate_work, &e, max_seconds, &error) == OPAC_OK)
            answer = evaluation_answer(&e, &o, ((core_model *)model)->model);
        else
            core_raise(&error, NULL);
    }
    opac_evaluation_free(e.evaluation);
    core_objective_fini(&o);
    return answer;
}

/* ---- recurrence ---- */

typedef struct recurring {
    const opac_model *model;
    const opac_objective *objective;
    opac_recurrence_options options;
    opac_recurrence found;
} recurring;

static opac_status recurrence_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    recurring *r = context;
    r->options.cancel = cancel;
    return opac_recurrence_time(r->model, r->objective, &r->options, &r->found, error);
}

static PyObject *double_or_none(double value)
{
    if (isnan(value))
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

static bool put_sizes(PyObject *dict, const opac_recurrence *f)
{
    return core_put(dict, "automaton_states", PyLong_FromUnsignedLong(f->automaton_states)) &&
           core_put(dict, "product_states", PyLong_FromUnsignedLongLong(f->product_states)) &&
           core_put(dict, "product_reachable", PyLong_FromUnsignedLong(f->product_reachable)) &&
           core_put(dict, "policies", PyLong_FromUnsignedLongLong(f->policies));
}

static PyObject *recurrence_answer(const opac_recurrence *f, const core_objective *o)
{
    PyObject *dict = begin_answer(o);
    return end_answer(
        dict, dict != NULL && core_put(dict, "T", core_count(&f->steps)) &&
                  core_put(dict, "kind", core_str(opac_recurrence_kind_name(f->kind))) &&
                  core_put(dict, "before", double_or_none(f->before)) &&
                  core_put(dict, "reached", double_or_none(f->reached)) &&
                  core_put(dict, "lower", PyLong_FromUnsignedLongLong(f->lower)) &&
                  core_put(dict, "upper", PyLong_FromUnsignedLongLong(f->upper)) &&
                  core_put(dict, "one_policy", PyBool_FromLong(f->is_partial)) &&
                  core_put(dict, "least", PyFloat_FromDouble(f->least)) &&
                  core_put(dict, "N", PyLong_FromUnsignedLongLong(f->bound_states)) &&
                  core_put(dict, "bound", core_count(&f->bound)) &&
                  core_put(dict, "bound_reached", core_count(&f->bound_reached)) &&
                  core_put(dict, "published", core_count(&f->published)) && put_sizes(dict, f));
}

/* recurrence(model, given, is_property, policy or None, epsilon, literal, end_accepted, pmin, kind,
 * max_component, max_work, samples, delta, seed, threads, max_states) */
static PyObject *recurrence(PyObject *module, PyObject *args)
{
    recurring r = {0};
    opac_recurrence_options *s = &r.options;
    core_objective o;
    PyObject *model, *given, *policy, *answer = NULL;
    int is_property, literal, end_accepted;
    double max_seconds = 0;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOpOO&ppO&O&O&O&O&O&O&O&O&O&", &model, &given, &is_property,
                          &policy, core_number, &s->epsilon, &literal, &end_accepted, core_number,
                          &s->least, core_kind, &s->kind, core_small, &s->max_component, core_whole,
                          &s->max_work, core_whole, &s->samples, core_number, &s->delta, core_whole,
                          &s->seed, core_small_above_zero, &s->threads, core_above_zero,
                          &s->max_states, core_positive, &max_seconds) ||
        !core_expect(model, CORE_MODEL, "model") ||
        (policy != Py_None && !expect_policy(policy, model)))
        return NULL;
    r.model = ((core_model *)model)->model;
    s->literal = literal != 0;
    s->end_accepted = end_accepted != 0;
    s->policy = policy != Py_None ? policy_of(policy) : NULL;
    if (core_objective_init(&o, given, is_property != 0, false, model)) {
        r.objective = &o.objective;
        if (core_run_for(recurrence_work, &r, max_seconds, &error) == OPAC_OK)
            answer = recurrence_answer(&r.found, &o);
        else
            core_raise(&error, NULL);
    }
    core_objective_fini(&o);
    return answer;
}

/* ---- bound ---- */

static PyObject *offer_dict(const opac_bound_offer *offer)
{
    PyObject *dict = PyDict_New();
    return end_answer(
        dict,
        dict != NULL && core_put(dict, "k", core_count(&offer->k)) &&
            core_put(dict, "c", PyFloat_FromDouble(offer->accuracy)) &&
            core_put(dict, "error", PyFloat_FromDouble(offer->error)) &&
            core_put(dict, "samples", core_count(&offer->samples)) &&
            core_put(dict, "samples_approximate", PyFloat_FromDouble(offer->samples.approximate)) &&
            core_put(dict, "C", core_count(&offer->policy_steps)) &&
            core_put(dict, "C_approximate", PyFloat_FromDouble(offer->policy_steps.approximate)));
}

/* k by a rule's name, as a number, or, with a target, from it; one of them. */
static opac_status find_k(const opac_bound_params *params, PyObject *rule, uint64_t given,
                          double accuracy, opac_count *k, opac_error *error)
{
    opac_k_rule parsed;
    if (accuracy > 0)
        return opac_bound_k_for_accuracy(params, accuracy, k, error);
    if (rule == NULL) {
        *k = opac_count_of(given);
        return OPAC_OK;
    }
    opac_status status = opac_k_rule_parse(core_chars(rule), &parsed, error);
    return status == OPAC_OK ? opac_bound_k(params, parsed, k, error) : status;
}

/* bound(states, actions, horizon, epsilon, delta, branching, rule or None, k, accuracy) */
static PyObject *bound(PyObject *module, PyObject *args)
{
    opac_bound_params p = {0};
    opac_bound_offer offer = {0};
    PyObject *rule = NULL;
    uint64_t given = 0;
    double accuracy = 0;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&O&O&O&", core_whole, &p.states, core_whole, &p.actions,
                          core_whole, &p.horizon, core_number, &p.epsilon, core_number, &p.delta,
                          core_whole, &p.branching, core_text_or_none, &rule, core_whole, &given,
                          core_number, &accuracy))
        return NULL;
    opac_status status = opac_bound_check(&p, &error);
    if (status == OPAC_OK)
        status = find_k(&p, rule, given, accuracy, &offer.k, &error);
    opac_count k = offer.k;
    if (status == OPAC_OK)
        status = opac_bound_offer_for(&p, &k, &offer, &error);
    Py_XDECREF(rule);
    return status == OPAC_OK ? offer_dict(&offer) : core_raise(&error, NULL);
}

/* bound_episodes(k or its text, states, actions, c, slack): as for an offer with these */
static PyObject *bound_episodes(PyObject *module, PyObject *args)
{
    opac_bound_params p = {0};
    opac_bound_offer offer = {0};
    opac_count episodes;
    PyObject *rule = NULL;
    uint64_t given = 0;
    double accuracy = 0, slack = 0;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&O&O&O&O&", core_whole, &p.states, core_whole,
                          &p.actions, core_whole, &p.horizon, core_number, &p.epsilon, core_number,
                          &p.delta, core_whole, &p.branching, core_text_or_none, &rule, core_whole,
                          &given, core_number, &accuracy, core_number, &slack))
        return NULL;
    opac_status status = find_k(&p, rule, given, accuracy, &offer.k, &error);
    opac_count k = offer.k;
    if (status == OPAC_OK)
        status = opac_bound_offer_for(&p, &k, &offer, &error);
    if (status == OPAC_OK)
        status = opac_bound_episodes(&offer, slack, &episodes, &error);
    Py_XDECREF(rule);
    return status == OPAC_OK ? core_count(&episodes) : core_raise(&error, NULL);
}

/* ---- verify ---- */

typedef struct verifying {
    const char *path, *model;
    opac_verification found;
} verifying;

static opac_status verify_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    verifying *v = context;
    (void)cancel;
    return opac_verify_file(v->path, v->model, &v->found, error);
}

static PyObject *assumptions(char *const *texts)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && texts != NULL && texts[i] != NULL; i++) {
        PyObject *text = core_str(texts[i]);
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *verify_answer(const opac_verification *f)
{
    return Py_BuildValue(
        "{sNsNsNsNsNsNsdsdsdsNsNsKsKsKsKsKsK}", "holds", PyBool_FromLong(f->holds), "reason",
        core_str_or_none(f->reason), "statement", core_str_or_none(f->statement), "objective",
        core_str_or_none(f->objective), "model", core_str_or_none(f->model), "constants",
        core_str_or_none(f->constants), "lower", f->lower, "upper", f->upper, "confidence",
        f->confidence, "least", PyBool_FromLong(f->is_least), "assumes", assumptions(f->assumes),
        "states", (unsigned long long)f->states, "rows", (unsigned long long)f->pairs, "complete",
        (unsigned long long)f->complete, "samples", (unsigned long long)f->visits, "nodes",
        (unsigned long long)f->nodes, "winning", (unsigned long long)f->winning);
}

/* verify(path, model's path or None) */
static PyObject *verify(PyObject *module, PyObject *args)
{
    verifying v = {0};
    PyObject *path = NULL, *model = NULL, *answer = NULL;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&", PyUnicode_FSConverter, &path, core_path_or_none, &model))
        return NULL;
    v.path = core_chars(path);
    v.model = core_chars(model);
    opac_status status = core_run(verify_work, &v, &error);
    if (status == OPAC_OK)
        answer = verify_answer(&v.found);
    else
        core_raise(&error, &(core_source){.name = v.path, .is_path = true});
    opac_verification_fini(&v.found);
    Py_DECREF(path);
    Py_XDECREF(model);
    return answer;
}

static PyMethodDef functions[] = {
    {"bound", bound, METH_VARARGS, NULL},
    {"bound_episodes", bound_episodes, METH_VARARGS, NULL},
    {"check", check, METH_VARARGS, NULL},
    {"evaluate", evaluate, METH_VARARGS, NULL},
    {"recurrence", recurrence, METH_VARARGS, NULL},
    {"verify", verify, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

const core_part core_questions_part = {NULL, 0, functions};
