/* SPDX-License-Identifier: MIT */
/*
 * What a run was asked, in words: one item a line, all that its outcome depends
 * on. Not in it: threads, budgets, and what only listens.
 */
#include <inttypes.h>

#include <omegapac/number.h>
#include <omegapac/output.h>

#include "learn/learning.h"

static void add_number(base_text *text, const char *name, double value)
{
    char number[OPAC_NUMBER_SIZE];
    base_text_format(text, "%s=%s\n", name, opac_number_format(value, number));
}

static void add_count(base_text *text, const char *name, uint64_t value)
{
    base_text_format(text, "%s=%" PRIu64 "\n", name, value);
}

/* What is asked of a run with T. */
static void add_bound(base_text *text, const opac_learn_options *o)
{
    if (o->k > 0)
        add_count(text, "k", o->k);
    else
        base_text_format(text, "k=%s\n", opac_k_rule_name(o->k_rule));
    add_number(text, "target", o->target);
    add_number(text, "slack", o->slack);
    base_text_format(text, "stop=%s\n", o->stop == OPAC_STOP_POLICY ? "policy" : "all-actions");
    base_text_format(text, "sampler=%s\n",
                     o->sampler == OPAC_SAMPLER_STEP         ? "step"
                     : o->sampler == OPAC_SAMPLER_POPULATION ? "population"
                                                             : "auto");
    base_text_format(text, "counts=%s\n", o->count_pairs ? "product" : "model");
}

/* Which model it is, or that it is no model. */
static void add_model(base_text *text, const char *name, const opac_environment *env)
{
    uint64_t fingerprint = env_fingerprint(env);
    if (fingerprint != 0)
        base_text_format(text, "%s=%016" PRIx64 "\n", name, fingerprint);
    else
        base_text_format(text, "%s=yes\n", name);
}

static void add_bracket(base_text *text, const opac_learn_options *o)
{
    add_number(text, "pmin", o->pmin);
    add_number(text, "pmin-start", o->pmin_start);
    if (o->graph != NULL)
        add_model(text, "graph", o->graph);
    else
        base_text_add(text, "graph=no\n");
    base_text_format(text, "explore=%s\n",
                     o->explore == OPAC_EXPLORE_GENERATIVE ? "generative" : "episodes");
}

static void add_options(base_text *text, const opac_learning *l)
{
    const opac_learn_options *o = &l->options;
    bool is_bracket = learn_certify_is_asked(o);
    if (!is_bracket)
        add_count(text, "T", o->horizon);
    add_number(text, "epsilon", o->epsilon);
    add_number(text, "delta", o->delta);
    if (is_bracket)
        add_bracket(text, o);
    else
        add_bound(text, o);
    add_count(text, "states", l->declared.states);
    add_count(text, "actions", l->declared.actions);
    add_count(text, "branching", l->declared.branching);
    add_count(text, "seed", o->seed);
    add_count(text, "random start", l->traits.random_start);
    if (l->traits.is_tabulated)
        add_model(text, "model", l->run.world.env);
    else
        base_text_add(text, "model=no\n");
    add_count(text, "untested", o->untested);
    base_text_format(text, "objective=%s\n", l->least ? "least" : "greatest");
}

opac_status learn_question(opac_learning *l, opac_error *error)
{
    base_text text = {0};
    opac_output *out;
    size_t length;
    opac_status status;
    TRY(opac_output_open_memory(&out, error));
    add_options(&text, l);
    base_text_add(&text, "automaton=");
    opac_automaton_write_hoa(l->automaton, out);
    const char *bytes = opac_output_bytes(out, &length);
    if (bytes == NULL)
        TRY_OR(done, base_fail_memory(error));
    base_text_add_bytes(&text, bytes, length);
    TRY_OR(done, base_text_check(&text, error));
    l->question = base_text_take(&text);
done:
    opac_output_free(out);
    base_text_fini(&text);
    return status;
}
