/* SPDX-License-Identifier: MIT */
/* Texts of reports: see assumptions.h. */
#include "sample/assumptions.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "sample/statistics_form.h"

sample_number sample_show(double value)
{
    sample_number n;
    opac_number_format(value, n.text);
    return n;
}

sample_number sample_show_up(double value)
{
    sample_number n;
    opac_number_format_up(value, 6, n.text);
    return n;
}

sample_number sample_show_down(double value)
{
    sample_number n;
    opac_number_format_down(value, 6, n.text);
    return n;
}

double sample_confidence(double delta)
{
    return fmin(1 - delta, nextafter(1, 0));
}

sample_number sample_show_confidence(double confidence)
{
    double rounded = rint(confidence * 1e12) / 1e12;
    return sample_show(fabs(rounded - confidence) <= DBL_EPSILON && rounded < 1 ? rounded
                                                                                : confidence);
}

const char *sample_end_reason(const opac_learning *l)
{
    switch (l->report.end) {
    case OPAC_END_STEPS:
        return l->options.max_steps > 0 ? "the limit on steps ended the run"
                                        : "the run took as many steps as can be counted";
    case OPAC_END_SECONDS:
        return "the limit on time ended the run";
    case OPAC_END_CANCELLED:
        return "the run was stopped";
    case OPAC_END_MEMORY:
        return "the limit on memory ended the run";
    case OPAC_END_LIVELOCK:
        return "the environment no longer shows transitions that it showed before (livelock): its "
               "episodes are not independent";
    default:
        return NULL;
    }
}

/* Names the row with two successors, in a system that was declared deterministic. */
static void describe_second_successor(const opac_learning *l, base_text *text)
{
    const sample_statistics *stats = &l->run.stats;
    char shown[SAMPLE_ROW_SHOWN], key[64];
    size_t i = 0;
    while (i < stats->rows.count && stats->rows.items[i].seen < 2)
        i++;
    const sample_row *row = &stats->rows.items[i];
    base_text_format(text, "the system was declared deterministic and is not: %s led to ",
                     sample_statistics_show_row(stats, (uint32_t)i, shown, sizeof shown));
    for (uint32_t b = 0, shown_count = 0; b < row->width && shown_count < 2; b++) {
        uint32_t state = stats->targets.items[row->begin + b];
        if (state == SAMPLE_NONE)
            continue;
        base_text_format(text, "%sstate '%s'", shown_count++ > 0 ? " and to " : "",
                         sample_statistics_show(stats, state, key, sizeof key));
    }
}

void sample_describe_exceeded(const opac_learning *l, base_text *text)
{
    const sample_limits *most = &l->run.stats.most;
    const char *what = l->report.exceeded;
    bool states = what[0] == 's', actions = what[0] == 'a';
    uint64_t seen = states ? most->states : actions ? most->actions : most->branching;
    uint64_t declared = states    ? l->declared.states
                        : actions ? l->declared.actions
                                  : l->declared.branching;
    if (!states && !actions && l->options.deterministic) {
        describe_second_successor(l, text);
        return;
    }
    base_text_format(text, "there are more %s than the declared %" PRIu64 ": at least %" PRIu64,
                     states    ? "states"
                     : actions ? "actions of a state"
                               : "successors of an action",
                     declared, seen);
}

opac_status sample_set_statement(opac_learning *l, base_text *text, opac_error *error)
{
    opac_status status = base_text_check(text, error);
    if (status == OPAC_OK)
        l->statement = base_text_take(text);
    base_text_fini(text);
    return status;
}

opac_status sample_assume(opac_learning *l, opac_error *error, const char *format, ...)
{
    base_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    base_text_format_list(&text, format, arguments);
    va_end(arguments);
    opac_status status;
    TRY_OR(done, base_text_check(&text, error));
    TRY_OR(done, sample_text_vec_reserve(&l->assumptions, l->assumptions.count + 1, error));
    l->assumptions.items[l->assumptions.count++] = base_text_take(&text);
done:
    base_text_fini(&text);
    return status;
}

/* A simulator without a random start declares that the start is fixed, which cannot be verified. */
static opac_status assume_start(opac_learning *l, opac_error *error)
{
    if (l->traits.is_model || l->traits.random_start)
        return OPAC_OK;
    return sample_assume(l, error, "every episode begins in the same state");
}

opac_status sample_assume_deterministic(opac_learning *l, opac_error *error)
{
    return sample_assume(
        l, error,
        "the system is deterministic: it has one initial state, and an action of a "
        "state always leads to the same state");
}

/* For a resumed run of a simulator whose random numbers are not a function of the seed. */
static opac_status assume_interruption(opac_learning *l, opac_error *error)
{
    if (!l->lost_episode)
        return OPAC_OK;
    return sample_assume(l, error,
                         "the earlier interruption of the run was independent of the episode in "
                         "progress, which was lost");
}

/* Whether a state without actions was observed. */
static bool has_absorbing(const sample_statistics *stats)
{
    for (size_t i = 0; i < stats->states.count; i++)
        if (stats->states.items[i].actions == 0)
            return true;
    return false;
}

opac_status sample_assume_episodes(opac_learning *l, opac_error *error)
{
    TRY(sample_assume(l, error,
                      "episodes with the same policy are independent, and have the same "
                      "distribution"));
    TRY(assume_interruption(l, error));
    return has_absorbing(&l->run.stats) ? sample_assume(l, error, SAMPLE_ASSUMES_ABSORBING)
                                        : OPAC_OK;
}

opac_status sample_assume_sampling(opac_learning *l, opac_error *error)
{
    TRY(sample_assume(l, error, SAMPLE_ASSUMES_INDEPENDENT));
    TRY(assume_start(l, error));
    TRY(assume_interruption(l, error));
    if (has_absorbing(&l->run.stats))
        TRY(sample_assume(l, error, SAMPLE_ASSUMES_ABSORBING));
    if (l->report.is_guess)
        TRY(sample_assume(l, error, "the automaton is good for MDPs"));
    return OPAC_OK;
}
