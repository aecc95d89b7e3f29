/* SPDX-License-Identifier: MIT */
/* Releases an opac_learning, and passes notices to the caller. */
#include "sample/learning.h"

#include <stdio.h>

#include "sample/strategy.h"

void sample_notice(const opac_learning *l, const char *message)
{
    if (l->options.notice != NULL)
        l->options.notice(l->options.notice_context, 0, 0, message);
}

void sample_report_failure(const opac_learning *l, const char *what, const opac_error *why)
{
    const opac_learn_options *o = &l->options;
    opac_notice_callback listener = o->failure != NULL ? o->failure : o->notice;
    char text[sizeof why->message + 64];
    snprintf(text, sizeof text, "%s: %s", what, why->message);
    if (listener != NULL)
        listener(o->notice_context, 0, 0, text);
}

/* Called at the end of the run, so that the result does not keep processes and plugins alive. */
void sample_free_forks(opac_learning *l)
{
    for (unsigned i = 1; l->forks != NULL && i < l->threads; i++)
        opac_environment_free(l->forks[i]);
    base_free(l->forks);
    l->forks = NULL;
    l->run.forks = NULL;
}

void opac_learning_free(opac_learning *learning)
{
    if (learning == NULL)
        return;
    sample_run_free_strategy(&learning->run);
    if (learning->has_statistics)
        sample_statistics_fini(&learning->run.stats);
    sample_free_forks(learning);
    base_pool_free(learning->run.pool);
    for (size_t i = 0; i < learning->assumptions.count; i++)
        base_free(learning->assumptions.items[i]);
    sample_text_vec_fini(&learning->assumptions);
    sample_trace_vec_fini(&learning->trace);
    product_rabin_pair_vec_fini(&learning->pairs);
    opac_automaton_free(learning->automaton);
    base_free(learning->objective);
    base_free(learning->formula);
    base_free(learning->question);
    base_free(learning->statement);
    base_free(learning);
}
