/* SPDX-License-Identifier: MIT */
/* What a run found, piece by piece; omegapac/learning.py makes the result of it. */
#include <math.h>
#include <string.h>

#include "learn.h"

static learned *of(PyObject *object)
{
    return (learned *)(void *)object;
}

static const opac_model *model_of(const learned *self)
{
    bool is_model = self->owner != NULL && core_is(self->owner, CORE_MODEL);
    return is_model ? ((core_model *)(void *)self->owner)->model : NULL;
}

/* ---- numbers ---- */

static PyObject *whole(uint64_t number)
{
    return PyLong_FromUnsignedLongLong(number);
}

/* Unknown: None. */
static PyObject *number(double value)
{
    if (isnan(value))
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

static bool put_sizes(PyObject *d, const opac_learn_report *r)
{
    return core_put(d, "states", whole(r->states)) && core_put(d, "actions", whole(r->actions)) &&
           core_put(d, "branching", whole(r->branching)) &&
           core_put(d, "automaton_states", whole(r->automaton_states)) &&
           core_put(d, "product_states", core_count(&r->product_states)) &&
           core_put(d, "product_reachable", whole(r->product_reachable)) &&
           core_put(d, "T", whole(r->horizon)) && core_put(d, "k", whole(r->k)) &&
           core_put(d, "sampler", whole((uint64_t)r->sampler)) &&
           core_put(d, "is_least", PyBool_FromLong(r->is_least)) &&
           core_put(d, "is_guess", PyBool_FromLong(r->is_guess));
}

static bool put_numbers(PyObject *d, const opac_learn_report *r)
{
    return core_put(d, "value", number(r->value)) && core_put(d, "lower", number(r->lower)) &&
           core_put(d, "upper", number(r->upper)) &&
           core_put(d, "optimum_upper", number(r->optimum_upper)) &&
           core_put(d, "holds", PyBool_FromLong(r->holds)) &&
           core_put(d, "end", whole((uint64_t)r->end)) && core_put(d, "c", number(r->accuracy)) &&
           core_put(d, "eta", number(r->solver)) && core_put(d, "risk", number(r->risk)) &&
           core_put(d, "error", number(r->error)) &&
           core_put(d, "confidence", number(r->confidence)) &&
           core_put(d, "exceeded", core_str_or_none(r->exceeded)) &&
           core_put(d, "T_check", whole((uint64_t)r->horizon_check)) &&
           core_put(d, "T_found", whole(r->horizon_found)) &&
           core_put(d, "T_found_is_bound", PyBool_FromLong(r->horizon_is_bound)) &&
           core_put(d, "is_bracket", PyBool_FromLong(r->is_bracket)) &&
           core_put(d, "refutation", whole((uint64_t)r->refutation)) &&
           core_put(d, "refuted_count", whole(r->refuted_count)) &&
           core_put(d, "refuted_visits", whole(r->refuted_visits));
}

static bool put_statistics(PyObject *d, const opac_learn_report *r)
{
    return core_put(d, "episodes", whole(r->episodes)) && core_put(d, "steps", whole(r->steps)) &&
           core_put(d, "known", whole(r->known)) && core_put(d, "complete", whole(r->complete)) &&
           core_put(d, "policies", whole(r->policies)) && core_put(d, "solves", whole(r->solves)) &&
           core_put(d, "samples", whole(r->samples)) &&
           core_put(d, "states_seen", whole(r->states_seen)) &&
           core_put(d, "pairs_seen", whole(r->pairs_seen)) &&
           core_put(d, "resumed", PyBool_FromLong(r->resumed)) &&
           core_put(d, "seconds", number(r->seconds)) &&
           core_put(d, "sampling_seconds", number(r->sampling_seconds)) &&
           core_put(d, "solving_seconds", number(r->solving_seconds));
}

static PyObject *report(PyObject *self, PyObject *unused)
{
    const opac_learn_report *r = opac_learning_report(of(self)->learning);
    PyObject *d = PyDict_New();
    (void)unused;
    if (d != NULL && put_sizes(d, r) && put_numbers(d, r) && put_statistics(d, r))
        return d;
    Py_XDECREF(d);
    return NULL;
}

/* ---- words ---- */

static PyObject *statement(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_str(opac_learning_statement(of(self)->learning));
}

static PyObject *tested(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_str_or_none(opac_learning_tested(of(self)->learning));
}

static PyObject *assumptions(PyObject *self, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const char *item;
    (void)unused;
    for (size_t i = 0;
         list != NULL && (item = opac_learning_assumption(of(self)->learning, i)) != NULL; i++) {
        PyObject *text = core_str(item);
        if (text == NULL || PyList_Append(list, text) != 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *objective_text(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_str(core_chars(of(self)->objective.text));
}

/* ---- the pair that refutes ---- */

static PyObject *key_or_none(const void *key, size_t length)
{
    if (key == NULL)
        Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(key, (Py_ssize_t)length);
}

/* (key, action, name of the action, key of the successor), or None */
static PyObject *refuted(PyObject *self, PyObject *unused)
{
    opac_refuted_pair pair;
    const learned *l = of(self);
    (void)unused;
    if (!opac_learning_refuted(l->learning, &pair))
        Py_RETURN_NONE;
    const char *name = pair.key == NULL ? ""
                                        : opac_environment_action_name(l->environment, pair.key,
                                                                       pair.length, pair.action);
    return Py_BuildValue("(NkNN)", key_or_none(pair.key, pair.length), (unsigned long)pair.action,
                         core_str(name == NULL ? "" : name),
                         key_or_none(pair.successor, pair.successor_length));
}

/* ---- objects ---- */

static PyObject *automaton(PyObject *self, PyObject *unused)
{
    (void)unused;
    return core_automaton_copy(opac_learning_automaton(of(self)->learning));
}

static PyObject *policy(PyObject *self, PyObject *unused)
{
    opac_policy *made = NULL;
    opac_error error;
    const opac_model *model = model_of(of(self));
    (void)unused;
    if (opac_learning_policy(of(self)->learning, model, &made, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    return core_policy_wrap(made, model == NULL ? NULL : of(self)->owner);
}

static PyObject *trace(PyObject *self, PyObject *unused)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(of(self)->learning, &count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    (void)unused;
    for (size_t i = 0; i < count && list != NULL; i++) {
        const opac_trace_entry *e = &entries[i];
        PyObject *entry =
            Py_BuildValue("(KKKKNNNN)", (unsigned long long)e->episode, (unsigned long long)e->step,
                          (unsigned long long)e->known, (unsigned long long)e->horizon,
                          number(e->value), number(e->lower), number(e->upper), number(e->truth));
        if (entry == NULL || PyList_SetItem(list, (Py_ssize_t)i, entry) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* ---- the truth ---- */

static bool expect_model(const opac_model *model)
{
    if (model == NULL)
        PyErr_SetString(PyExc_TypeError, "only of a run on a model");
    return model != NULL;
}

/* Done without the GIL. */
typedef struct truth_work {
    const opac_model *model;
    const learned *self;
    opac_policy *policy;
    double value, optimum;
    unsigned threads;
    opac_automaton_kind kind;
} truth_work;

static double average_optimum(const opac_solution *solution, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_solution_interval(solution, i).value;
    return sum / count;
}

static opac_status find_optimum(truth_work *t, const opac_cancel *cancel, opac_error *error)
{
    opac_check_options options = {.kind = t->kind, .threads = t->threads, .cancel = cancel};
    opac_solution *solution = NULL;
    opac_status status =
        opac_check(t->model, &t->self->objective.objective, &options, &solution, error);
    if (status == OPAC_OK)
        t->optimum = average_optimum(solution, opac_model_initial_count(t->model));
    opac_solution_free(solution);
    return status;
}

static opac_status find_value(truth_work *t, const opac_cancel *cancel, opac_error *error)
{
    const opac_objective *objective = &t->self->objective.objective;
    bool is_guess =
        objective->automaton != NULL && !opac_automaton_is_deterministic(objective->automaton);
    opac_evaluation *evaluation = NULL;
    opac_evaluation_options options = {.cancel = cancel};
    opac_status status =
        opac_evaluate(t->policy, is_guess ? NULL : objective, &options, &evaluation, error);
    if (status == OPAC_OK)
        t->value = learn_average(evaluation, opac_model_initial_count(t->model));
    opac_evaluation_free(evaluation);
    return status;
}

static bool is_noted(opac_status status)
{
    return status != OPAC_OK && status != OPAC_ERROR_CANCELLED && status != OPAC_ERROR_MEMORY;
}

typedef struct noted {
    truth_work work;
    opac_error note; /* code OPAC_OK: none */
} noted;

/* What cannot be computed is no reason to fail: it is only beside what was asked for. */
static opac_status find_truth(void *context, const opac_cancel *cancel, opac_error *error)
{
    noted *n = context;
    opac_status status = find_optimum(&n->work, cancel, error);
    if (is_noted(status)) {
        n->note = *error;
        status = OPAC_OK;
    }
    if (status == OPAC_OK)
        status = find_value(&n->work, cancel, error);
    if (is_noted(status)) {
        n->note = *error;
        status = OPAC_OK;
    }
    return status;
}

/* _truth(policy, kind, threads) -> (policy, optimum, note, whether it contradicts the report) */
static PyObject *truth(PyObject *self, PyObject *args)
{
    PyObject *given;
    opac_error error = {.code = OPAC_OK};
    noted n = {
        .work = {.self = of(self), .model = model_of(of(self)), .value = NAN, .optimum = NAN}};
    n.work.kind = opac_learn_defaults().kind;
    if (!PyArg_ParseTuple(args, "OO&O&", &given, core_kind, &n.work.kind, core_small,
                          &n.work.threads) ||
        !core_expect(given, CORE_POLICY, "policy") || !expect_model(n.work.model))
        return NULL;
    n.work.policy = ((core_policy *)(void *)given)->policy;
    if (core_run(find_truth, &n, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    bool contradicts = opac_learn_contradicts(opac_learning_report(of(self)->learning),
                                              n.work.value, n.work.optimum);
    return Py_BuildValue("(NNNO)", number(n.work.value), number(n.work.optimum),
                         core_str_or_none(n.note.code == OPAC_OK ? NULL : n.note.message),
                         contradicts ? Py_True : Py_False);
}

/* ---- a sample ---- */

/* _sample(policy, seed, steps) -> [(state, memory, choice of the model)]; of a model alone */
static PyObject *sample(PyObject *self, PyObject *args)
{
    PyObject *given, *list;
    uint64_t seed = 0;
    uint32_t steps = 0;
    opac_simulation *simulation = NULL;
    opac_error error;
    if (!PyArg_ParseTuple(args, "OO&O&", &given, core_whole, &seed, core_small, &steps) ||
        !core_expect(given, CORE_POLICY, "policy") || !expect_model(model_of(of(self))))
        return NULL;
    const opac_policy *machine = ((core_policy *)(void *)given)->policy;
    if (opac_simulation_new(model_of(of(self)), seed, &simulation, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    opac_simulation_reset(simulation, 0);
    uint32_t memory = opac_policy_start(machine, opac_simulation_state(simulation));
    list = PyList_New(0);
    for (uint32_t i = 0; i <= steps && list != NULL; i++) {
        uint32_t state = opac_simulation_state(simulation), before = memory;
        uint32_t choice = opac_policy_act(machine, state, &memory);
        const char *name = opac_model_choice_action(model_of(of(self)), choice);
        PyObject *entry = Py_BuildValue("(kkN)", (unsigned long)state, (unsigned long)before,
                                        core_str(name == NULL ? "" : name));
        if (entry == NULL || PyList_Append(list, entry) != 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
        opac_simulation_step(simulation, choice);
    }
    opac_simulation_free(simulation);
    return list;
}

/* ---- the certificate ---- */

/* _certificate(path, model, digest, constants) */
static PyObject *certificate(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *model = NULL, *constants = NULL;
    char digest[OPAC_DIGEST_SIZE] = "";
    opac_output *out = NULL;
    opac_error error;
    if (!PyArg_ParseTuple(args, "O&O&O&", PyUnicode_FSConverter, &path, core_path_or_none, &model,
                          core_text_or_none, &constants))
        return NULL;
    opac_status status = OPAC_OK;
    if (model != NULL)
        status = opac_digest_file(core_chars(model), digest, &error);
    const opac_certificate_inputs inputs = {.model = core_chars(model),
                                            .model_digest = model == NULL ? NULL : digest,
                                            .constants = core_chars(constants)};
    if (status == OPAC_OK)
        status = opac_output_open_file(core_chars(path), &out, &error);
    if (status == OPAC_OK) {
        status = opac_learning_write_certificate(of(self)->learning, &inputs, out, &error);
        if (status == OPAC_OK)
            status = opac_output_commit(out, &error);
        opac_output_free(out);
    }
    const core_source source = {.name = core_chars(path), .is_path = true};
    if (status != OPAC_OK)
        core_raise(&error, status == OPAC_ERROR_IO ? &source : NULL);
    Py_XDECREF(path);
    Py_XDECREF(model);
    Py_XDECREF(constants);
    if (status != OPAC_OK)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef learn_methods[] = {
    {"_assumptions", assumptions, METH_NOARGS, NULL},
    {"_tested", tested, METH_NOARGS, NULL},
    {"_automaton", automaton, METH_NOARGS, NULL},
    {"_certificate", certificate, METH_VARARGS, NULL},
    {"_objective", objective_text, METH_NOARGS, NULL},
    {"_policy", policy, METH_NOARGS, NULL},
    {"_refuted", refuted, METH_NOARGS, NULL},
    {"_report", report, METH_NOARGS, NULL},
    {"_sample", sample, METH_VARARGS, NULL},
    {"_statement", statement, METH_NOARGS, NULL},
    {"_trace", trace, METH_NOARGS, NULL},
    {"_truth", truth, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
