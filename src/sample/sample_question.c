/* SPDX-License-Identifier: MIT */
/*
 * The question of a run: all options that its result depends on, as text with one "name=value" in each
 * line. It does not contain threads, limits and callbacks. A checkpoint is resumed only with the same
 * question.
 */
#include <inttypes.h>

#include <omegapac/number.h>
#include <omegapac/output.h>

#include "sample/strategy.h"

void sample_question_number(base_text *text, const char *name, double value)
{
    char number[OPAC_NUMBER_SIZE];
    base_text_format(text, "%s=%s\n", name, opac_number_format(value, number));
}

void sample_question_count(base_text *text, const char *name, uint64_t value)
{
    base_text_format(text, "%s=%" PRIu64 "\n", name, value);
}

void sample_question_accuracy(base_text *text, const opac_learn_options *o)
{
    sample_question_number(text, "epsilon", o->epsilon);
    sample_question_number(text, "delta", o->delta);
}

void sample_question_model(base_text *text, const char *name, const opac_environment *env)
{
    uint64_t fingerprint = env_fingerprint(env);
    if (fingerprint != 0)
        base_text_format(text, "%s=%016" PRIx64 "\n", name, fingerprint);
    else
        base_text_format(text, "%s=yes\n", name);
}

static void add_options(base_text *text, const opac_learning *l)
{
    const opac_learn_options *o = &l->options;
    l->run.strategy->describe(o, text);
    sample_question_count(text, "states", l->declared.states);
    sample_question_count(text, "actions", l->declared.actions);
    sample_question_count(text, "branching", l->declared.branching);
    sample_question_count(text, "seed", o->seed);
    sample_question_count(text, "random start", l->traits.random_start);
    if (l->traits.is_model)
        sample_question_model(text, "model", l->run.stats.env);
    else
        base_text_add(text, "model=no\n");
    sample_question_count(text, "untested", o->untested);
    base_text_format(text, "objective=%s\n", l->least ? "least" : "greatest");
}

opac_status sample_question(opac_learning *l, opac_error *error)
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
