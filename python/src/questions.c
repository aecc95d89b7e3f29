/* SPDX-License-Identifier: MIT */
/*
 * The functions check, evaluate and recurrence about known models, and bound and verify, which
 * need no model. Each returns the JSON of its result.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* ---- common functions ---- */

/* A question about a model, and its result. */
typedef struct question {
    PyObject *name, *params, *call; /* parts of the result that Python provides, as bytes or NULL */
    opac_result_source source;      /* borrows from these */
    const opac_model *model;
    core_objective objective;
    double max_seconds; /* 0: no limit */
    opac_result *result;
} question;

/* Converter for "O&": a tuple of the model's name or None, the params as JSON, and the call. */
static int read_source(PyObject *tuple, void *target)
{
    question *q = target;
    if (!PyArg_ParseTuple(tuple, "O&O&O&", core_path_or_none, &q->name, core_text_or_none,
                          &q->params, core_text_or_none, &q->call))
        return 0;
    q->source = (opac_result_source){
        .model = core_chars(q->name), .params = core_chars(q->params), .call = core_chars(q->call)};
    return 1;
}

static void question_fini(question *q)
{
    core_objective_fini(&q->objective);
    opac_result_free(q->result);
    Py_XDECREF(q->name);
    Py_XDECREF(q->params);
    Py_XDECREF(q->call);
}

/* Runs the work and returns the JSON of its result; NULL with an exception. given: the objective, or None. */
static PyObject *run_question(question *q, PyObject *model, PyObject *given, bool is_property,
                              core_work work, void *context)
{
    opac_error error;
    q->model = ((core_model *)model)->model;
    if (given != Py_None && !core_objective_init(&q->objective, given, is_property, false, model))
        return NULL;
    if (core_run_for(work, context, q->max_seconds, &error) != OPAC_OK)
        return core_raise(&error, NULL);
    return core_consume_result(&q->result);
}

static const opac_policy *policy_of(PyObject *policy)
{
    return ((core_policy *)policy)->policy;
}

/* False with an exception unless `policy` is a policy for this model. */
static bool expect_policy(PyObject *policy, PyObject *model)
{
    if (!core_expect(policy, CORE_POLICY, "policy") || !core_expect(model, CORE_MODEL, "model"))
        return false;
    if (((core_policy *)policy)->model == model)
        return true;
    PyErr_SetString(PyExc_ValueError, "the policy belongs to another Model object: load it with "
                                      "Policy.load(path, model)");
    return false;
}

/* ---- check ---- */

/* Several questions about one model, each with a result; with is_list also a result for all of them. */
typedef struct checking {
    question all; /* its source, model, max_seconds and result */
    question *items;
    opac_check_outcome *outcomes; /* one for each item */
    size_t count;
    bool is_list, minimize;
    opac_check_options options;
} checking;

static opac_status check_one(const checking *c, size_t index, opac_error *error)
{
    question *q = &c->items[index];
    const opac_objective *objective = &q->objective.objective;
    opac_check_outcome *found = &c->outcomes[index];
    const opac_check_answer answer = {.model = c->all.model, .outcomes = found, .count = 1};
    OPAC_TRY(opac_check(c->all.model, objective, &c->options, &found->solution, error));
    if (c->options.policy)
        OPAC_TRY(opac_solution_policy(found->solution, &found->policy, error));
    found->name = core_chars(q->objective.name);
    found->objective = objective->text;
    return opac_result_of_check(&answer, &q->source, &q->result, error);
}

/* Prefixes an error with the objective that it is about, if there are several. */
static void name_objective(const checking *c, size_t index, opac_error *error)
{
    char message[OPAC_MESSAGE_SIZE];
    if (!c->is_list)
        return;
    PyOS_snprintf(message, sizeof message, "'%.100s': %s", c->items[index].objective.objective.text,
                  error->message);
    memcpy(error->message, message, sizeof message);
}

static opac_status check_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    checking *c = context;
    c->options.cancel = cancel;
    for (size_t i = 0; i < c->count; i++) {
        opac_status status = check_one(c, i, error);
        if (status != OPAC_OK) {
            name_objective(c, i, error);
            return status;
        }
    }
    const opac_check_answer answer = {
        .model = c->all.model, .outcomes = c->outcomes, .count = c->count, .is_list = true};
    return c->is_list ? opac_result_of_check(&answer, &c->all.source, &c->all.result, error)
                      : OPAC_OK;
}

/* Makes a Python object that owns the policy, or None; sets the policy to NULL. */
static PyObject *wrap_policy(opac_policy **policy, PyObject *model)
{
    opac_policy *taken = *policy;
    *policy = NULL;
    if (taken == NULL)
        Py_RETURN_NONE;
    return core_policy_wrap(taken, model);
}

static PyObject *make_item(const checking *c, size_t index, PyObject *model)
{
    opac_check_outcome *found = &c->outcomes[index];
    return Py_BuildValue("(NNN)", core_consume_result(&c->items[index].result),
                         core_automaton_copy(opac_solution_automaton(found->solution)),
                         wrap_policy(&found->policy, model));
}

static PyObject *make_items(checking *c, PyObject *model)
{
    PyObject *list = PyList_New((Py_ssize_t)c->count);
    for (size_t i = 0; i < c->count && list != NULL; i++) {
        PyObject *item = make_item(c, i, model);
        if (item == NULL || PyList_SetItem(list, (Py_ssize_t)i, item) != 0)
            Py_CLEAR(list);
    }
    if (list == NULL || !c->is_list)
        return list == NULL ? NULL : Py_BuildValue("(NO)", list, Py_None);
    return Py_BuildValue("(NN)", list, core_consume_result(&c->all.result));
}

/* Reads a list of (given, is_property, source). */
static bool read_items(checking *c, PyObject *list, PyObject *model)
{
    size_t count = (size_t)PyList_Size(list);
    c->items = calloc(count + 1, sizeof *c->items);
    c->outcomes = calloc(count + 1, sizeof *c->outcomes);
    if (c->items == NULL || c->outcomes == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (c->count = 0; c->count < count;) {
        question *q = &c->items[c->count++];
        PyObject *given;
        int is_property;
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)c->count - 1), "OpO&", &given,
                              &is_property, read_source, q) ||
            !core_objective_init(&q->objective, given, is_property != 0, c->minimize, model))
            return false;
    }
    return true;
}

static void checking_fini(checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        opac_policy_free(c->outcomes[i].policy);
        opac_solution_free(c->outcomes[i].solution);
        question_fini(&c->items[i]);
    }
    free(c->items);
    free(c->outcomes);
    question_fini(&c->all);
}

/* check(model, [(given, is_property, source)], is_list, minimize, precision, exact, policy, kind, max_states,
 * threads, max_seconds, source) -> ([(JSON, automaton, policy or None)], JSON of the list or None) */
static PyObject *check(PyObject *module, PyObject *args)
{
    checking c = {.count = 0};
    PyObject *model, *list, *answer = NULL;
    int is_list, minimize, exact, policy;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!ppO&ppO&O&O&O&O&", &model, &PyList_Type, &list, &is_list,
                          &minimize, core_positive_double, &c.options.precision, &exact, &policy,
                          core_kind, &c.options.kind, core_positive_uint64, &c.options.max_states,
                          core_positive_uint32, &c.options.threads, core_positive_double,
                          &c.all.max_seconds, read_source, &c.all))
        return NULL;
    c.is_list = is_list != 0;
    c.minimize = minimize != 0;
    c.options.exact = exact != 0;
    c.options.policy = policy != 0;
    if (core_expect(model, CORE_MODEL, "model") && read_items(&c, list, model)) {
        c.all.model = ((core_model *)model)->model;
        if (core_run_for(check_work, &c, c.all.max_seconds, &error) == OPAC_OK)
            answer = make_items(&c, model);
        else
            core_raise(&error, NULL);
    }
    checking_fini(&c);
    return answer;
}

/* ---- evaluate ---- */

typedef struct evaluating {
    question q;
    const opac_policy *policy;
    opac_evaluation_options options;
    opac_evaluation *evaluation;
} evaluating;

static opac_status evaluate_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    evaluating *e = context;
    const opac_objective *objective =
        e->q.objective.given != NULL ? &e->q.objective.objective : NULL;
    e->options.cancel = cancel;
    OPAC_TRY(opac_evaluate(e->policy, objective, &e->options, &e->evaluation, error));
    const opac_evaluate_answer answer = {.model = e->q.model,
                                         .policy = e->policy,
                                         .policy_name = "policy",
                                         .objective = objective != NULL ? objective->text : NULL,
                                         .evaluation = e->evaluation};
    return opac_result_of_evaluate(&answer, &e->q.source, &e->q.result, error);
}

/* evaluate(model, policy, given or None, is_property, exact, max_states, max_seconds, source) -> JSON */
static PyObject *evaluate(PyObject *module, PyObject *args)
{
    evaluating e = {0};
    PyObject *model, *policy, *given, *answer = NULL;
    int is_property, exact;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOppO&O&O&", &model, &policy, &given, &is_property, &exact,
                          core_positive_uint64, &e.options.max_states, core_positive_double,
                          &e.q.max_seconds, read_source, &e.q))
        return NULL;
    e.options.exact = exact != 0;
    if (expect_policy(policy, model)) {
        e.policy = policy_of(policy);
        answer = run_question(&e.q, model, given, is_property != 0, evaluate_work, &e);
    }
    opac_evaluation_free(e.evaluation);
    question_fini(&e.q);
    return answer;
}

/* ---- recurrence ---- */

typedef struct recurring {
    question q;
    opac_recurrence_options options;
} recurring;

static opac_status recurrence_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    recurring *r = context;
    const opac_objective *objective = &r->q.objective.objective;
    opac_recurrence found;
    r->options.cancel = cancel;
    OPAC_TRY(opac_recurrence_time(r->q.model, objective, &r->options, &found, error));
    const opac_recurrence_answer answer = {.model = r->q.model,
                                           .policy = r->options.policy,
                                           .policy_name = "policy",
                                           .objective = objective->text,
                                           .recurrence = &found};
    return opac_result_of_recurrence(&answer, &r->q.source, &r->q.result, error);
}

/* recurrence(model, given, is_property, policy or None, epsilon, literal, end_accepted, pmin, kind,
 * max_component, max_work, samples, delta, seed, threads, max_states, max_seconds, source) -> JSON */
static PyObject *recurrence(PyObject *module, PyObject *args)
{
    recurring r = {0};
    opac_recurrence_options *s = &r.options;
    PyObject *model, *given, *policy, *answer = NULL;
    int is_property, literal, end_accepted;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOpOO&ppO&O&O&O&O&O&O&O&O&O&O&", &model, &given, &is_property,
                          &policy, core_double, &s->epsilon, &literal, &end_accepted, core_double,
                          &s->least, core_kind, &s->kind, core_uint32, &s->max_component,
                          core_uint64, &s->max_work, core_uint64, &s->samples, core_double,
                          &s->delta, core_uint64, &s->seed, core_positive_uint32, &s->threads,
                          core_positive_uint64, &s->max_states, core_positive_double,
                          &r.q.max_seconds, read_source, &r.q))
        return NULL;
    s->literal = literal != 0;
    s->end_accepted = end_accepted != 0;
    if (core_expect(model, CORE_MODEL, "model") &&
        (policy == Py_None || expect_policy(policy, model))) {
        s->policy = policy != Py_None ? policy_of(policy) : NULL;
        answer = run_question(&r.q, model, given, is_property != 0, recurrence_work, &r);
    }
    question_fini(&r.q);
    return answer;
}

/* ---- bound ---- */

/* bound(states, actions, horizon, epsilon, delta, branching, rule or None, k, target, slack, source)
 * -> JSON */
static PyObject *bound(PyObject *module, PyObject *args)
{
    opac_bound_question b = {0};
    question q = {0};
    PyObject *rule = NULL, *answer;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&O&O&O&O&O&", core_uint64, &b.params.states,
                          core_uint64, &b.params.actions, core_uint64, &b.params.horizon,
                          core_double, &b.params.epsilon, core_double, &b.params.delta, core_uint64,
                          &b.params.branching, core_text_or_none, &rule, core_uint64, &b.k,
                          core_double, &b.target, core_double, &b.slack, read_source, &q))
        return NULL;
    bool is_good =
        opac_bound_check(&b.params, &error) == OPAC_OK &&
        (rule == NULL || opac_k_rule_parse(core_chars(rule), &b.k_rule, &error) == OPAC_OK) &&
        opac_result_of_bound(&b, &q.source, &q.result, &error) == OPAC_OK;
    answer = is_good ? core_consume_result(&q.result) : core_raise(&error, NULL);
    Py_XDECREF(rule);
    question_fini(&q);
    return answer;
}

/* ---- verify ---- */

typedef struct verifying {
    question q; /* its source.model is compared with the model of the certificate */
    const char *path;
    opac_verification found;
} verifying;

static opac_status verify_work(void *context, const opac_cancel *cancel, opac_error *error)
{
    verifying *v = context;
    (void)cancel;
    OPAC_TRY(opac_verify_file(v->path, v->q.source.model, &v->found, error));
    return opac_result_of_verify(&v->found, v->path, &v->q.source, &v->q.result, error);
}

/* verify(path, source) -> JSON */
static PyObject *verify(PyObject *module, PyObject *args)
{
    verifying v = {0};
    PyObject *path = NULL, *answer;
    opac_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&", PyUnicode_FSConverter, &path, read_source, &v.q))
        return NULL;
    v.path = core_chars(path);
    answer = core_run(verify_work, &v, &error) == OPAC_OK
                 ? core_consume_result(&v.q.result)
                 : core_raise(&error, &(core_source){.name = v.path, .is_path = true});
    opac_verification_fini(&v.found);
    question_fini(&v.q);
    Py_DECREF(path);
    return answer;
}

static PyMethodDef functions[] = {
    {"bound", bound, METH_VARARGS, NULL},       {"check", check, METH_VARARGS, NULL},
    {"evaluate", evaluate, METH_VARARGS, NULL}, {"recurrence", recurrence, METH_VARARGS, NULL},
    {"verify", verify, METH_VARARGS, NULL},     {NULL, NULL, 0, NULL},
};

const core_part core_questions_part = {NULL, 0, functions};
