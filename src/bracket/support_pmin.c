/* SPDX-License-Identifier: MIT */
/*
 * p_min as a function of state and action. A row's value is asked for at the first refresh after its state was
 * discovered, and kept. In that round the row may have been tried before, in another thread: it does not
 * matter when the function is called, because it is assumed to have been fixed before the first sample. A
 * resumed run compares the values it had with those it gets now.
 */
#include <math.h>

#include "bracket/support_form.h"
#include "env/kind.h"
#include "sample/assumptions.h"
#include "sample/statistics_form.h"

/* Fails because of a value, which is not in (0, 1]. */
static opac_status refuse_value(const bracket_support *s, const sample_statistics *stats,
                                uint32_t row, double pmin, opac_error *error)
{
    char shown[SAMPLE_ROW_SHOWN];
    return base_fail_parameter(
        error, OPAC_ERROR_ARGUMENT, "pmin_of", "the function for pmin gave %s for %s; %s",
        sample_show(pmin).text, sample_statistics_show_row(stats, row, shown, sizeof shown),
        pmin == 0 && s->options.pmin == 0 ? "pmin is not given, so it must lie in (0, 1]"
                                          : "it must lie in (0, 1]");
}

opac_status bracket_support_ask(const bracket_support *s, const sample_statistics *stats,
                                uint32_t row, double *pmin, opac_error *error)
{
    const bracket_support_options *o = &s->options;
    const sample_row *r = &stats->rows.items[row];
    base_u64_vec key = {0};
    opac_observation state;
    opac_error found = {.message = ""};
    opac_status status;
    *pmin = 0;
    TRY_OR(done, sample_statistics_get_observation(stats, r->state, &key, &state, error));
    status = o->pmin_of(o->pmin_context, state.key, state.length, r->action, pmin, &found);
    if (status != OPAC_OK && found.message[0] == '\0')
        base_fail(&found, status, "the function for pmin failed without a message");
    TRY_OR(done, env_convert_failure(status, &found, error));
    if (!(*pmin >= 0 && *pmin <= 1) || (*pmin == 0 && o->pmin == 0 && o->graph == NULL))
        TRY_OR(done, refuse_value(s, stats, row, *pmin, error));
    if (*pmin == 0)
        *pmin = o->pmin;
done:
    base_u64_vec_fini(&key);
    return status;
}

opac_status bracket_support_compare(const bracket_support *s, opac_error *error)
{
    char shown[SAMPLE_ROW_SHOWN];
    double now;
    for (uint32_t row = 0; s->options.pmin_of != NULL && row < s->rows.count; row++) {
        double before = s->rows.items[row].pmin;
        if (row == s->stats->reset_row)
            continue;
        TRY(bracket_support_ask(s, s->stats, row, &now, error));
        if (now != before)
            return base_fail_parameter(
                error, OPAC_ERROR_ARGUMENT, "pmin_of",
                "the run cannot be resumed: the function for pmin gave %s for %s before the "
                "interruption, and gives %s now",
                sample_show(before).text,
                sample_statistics_show_row(s->stats, row, shown, sizeof shown),
                sample_show(now).text);
    }
    return OPAC_OK;
}

opac_status bracket_support_find_least(bracket_support *s, double *least, opac_error *error)
{
    *least = 1;
    TRY(bracket_support_grow(s, error));
    for (uint32_t row = 0; row < s->rows.count; row++)
        if (row != s->stats->reset_row)
            *least = fmin(*least, bracket_support_pmin(s, row));
    return OPAC_OK;
}
