/* SPDX-License-Identifier: MIT */
/*
 * Rows alike: checks that the class of a step is a function of state and action, and its successor one of state,
 * action and outcome. That the probabilities of outcomes depend on the class only is not checked.
 */
#include "env/conformance.h"

#include <string.h>

#include <omegapac/text.h>

/* A class, or a class and an outcome, in words. */
static const char *show(const base_intern *table, uint32_t id, char *buffer)
{
    size_t length;
    const unsigned char *bytes = base_intern_key(table, id, &length);
    return opac_text_show((const char *)bytes, length, buffer, CONF_SHOWN);
}

static opac_status fail_class(const conf_session *session, uint32_t state, uint32_t before,
                              uint32_t now, opac_error *error)
{
    char shown[CONF_SHOWN], one[CONF_SHOWN], other[CONF_SHOWN];
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "an action of state \"%s\" has class \"%s\" now and had \"%s\" before; the class must be a "
        "function of state and action",
        conf_show_state(session, state, shown), show(&session->classes, now, one),
        show(&session->classes, before, other));
}

static opac_status fail_successor(const conf_session *session, uint32_t state, uint32_t outcome,
                                  uint32_t before, uint32_t now, opac_error *error)
{
    char shown[CONF_SHOWN], name[CONF_SHOWN], one[CONF_SHOWN], other[CONF_SHOWN];
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "outcome \"%s\" of an action of state \"%s\" leads to \"%s\" now and led to "
                     "\"%s\" before; the "
                     "successor must be a function of state, action and outcome",
                     show(&session->outcomes, outcome, name),
                     conf_show_state(session, state, shown), conf_show_state(session, now, one),
                     conf_show_state(session, before, other));
}

opac_status conf_add_outcome(conf_session *session, uint32_t state, uint32_t action, uint32_t next,
                             const opac_observation *seen, opac_error *error)
{
    uint32_t class, outcome;
    uint64_t *entry;
    if (!session->traits.tells_outcomes)
        return OPAC_OK;
    const uint64_t *pair = base_map_find(&session->pair_of, (uint64_t)state << 32 | action);
    if (pair == NULL)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a transition is missing");
    uint64_t number = *pair;
    TRY(base_intern_add(&session->classes, seen->row_class, seen->row_class_length, &class, NULL,
                        error));
    TRY(base_intern_add(&session->outcomes, seen->outcome, seen->outcome_length, &outcome, NULL,
                        error));
    TRY(base_map_at(&session->class_of, number, &entry, error));
    if (*entry != 0 && *entry != (uint64_t) class + 1)
        return fail_class(session, state, (uint32_t)(*entry - 1), class, error);
    *entry = (uint64_t) class + 1;
    TRY(base_map_at(&session->successor_of, number << 32 | outcome, &entry, error));
    if (*entry != 0 && *entry != (uint64_t)next + 1)
        return fail_successor(session, state, outcome, (uint32_t)(*entry - 1), next, error);
    *entry = (uint64_t)next + 1;
    return OPAC_OK;
}

void conf_report_outcomes(conf_session *session)
{
    if (!session->traits.tells_outcomes)
        return;
    conf_report(session, OPAC_FINDING_PASSED, "outcomes",
                "%u class%s of state-action pairs and %u outcome%s, consistent with the observed "
                "successors",
                (unsigned)session->classes.count, session->classes.count == 1 ? "" : "es",
                (unsigned)session->outcomes.count, session->outcomes.count == 1 ? "" : "s");
}
