/* SPDX-License-Identifier: MIT */
/* The findings that follow from all observations: initial states, propositions, terminal states, growth of
 * the state space and speed; and the check of `draw` and `successors`. */
#include "env/conformance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/quantity.h>
#include <omegapac/text.h>

static bool is_program(const conf_session *session)
{
    return strncmp(session->name, "exec:", 5) == 0;
}

/* How the simulator declares a fixed initial state. */
static const char *fixed_start(const conf_session *session)
{
    return is_program(session) ? "start=fixed in its greeting" : "random_start = false";
}

static void report_start(conf_session *session)
{
    char one[CONF_SHOWN], other[CONF_SHOWN];
    size_t count = session->starts.count;
    uint64_t episodes = session->outcome->episodes;
    if (count > 1 && !session->traits.random_start)
        conf_report(session, OPAC_FINDING_ERROR, "start",
                    "episodes begin in \"%s\" and in \"%s\", although the simulator declares %s: "
                    "always begin in the same state, or remove the declaration",
                    conf_show_state(session, (uint32_t)session->starts.entries[0].key, one),
                    conf_show_state(session, (uint32_t)session->starts.entries[1].key, other),
                    fixed_start(session));
    else if (count > 1)
        conf_report(session, OPAC_FINDING_PASSED, "start",
                    "random: %zu initial states in %" PRIu64 " episodes", count, episodes);
    else if (count == 1 && session->traits.random_start && episodes > 1)
        conf_report(session, OPAC_FINDING_NOTE, "start",
                    "all %" PRIu64 " episodes began in \"%s\": if they always do, %s saves samples",
                    episodes,
                    conf_show_state(session, (uint32_t)session->starts.entries[0].key, one),
                    fixed_start(session));
    else if (count == 1)
        conf_report(session, OPAC_FINDING_PASSED, "start", "fixed: \"%s\"",
                    conf_show_state(session, (uint32_t)session->starts.entries[0].key, one));
}

static void report_terminal(conf_session *session)
{
    char shown[CONF_SHOWN];
    uint32_t ends = 0, first = 0;
    for (uint32_t i = 0; i < session->facts.count; i++)
        if (session->facts.items[i].actions == 0 && ends++ == 0)
            first = i;
    if (ends > 0)
        conf_report(
            session, OPAC_FINDING_NOTE, "terminal states",
            "%u without actions, such as \"%s\": a run that reaches one stays there forever, "
            "with the same labels",
            (unsigned)ends, conf_show_state(session, first, shown));
}

/* If the state contains a time or a counter, no state is visited twice, and nothing can be learned. */
static void report_growth(conf_session *session)
{
    enum {
        ENOUGH = 50 /* least number of steps for this warning */
    };
    if (session->late_steps >= ENOUGH && session->late_new * 2 > session->late_steps)
        conf_report(session, OPAC_FINDING_WARNING, "new states",
                    "of the last %" PRIu64 " steps, %" PRIu64 " led to a new state: nothing can be "
                    "learned about states that are visited once; remove from the state what does "
                    "not affect the future, such as a time, a counter or a random number",
                    session->late_steps, session->late_new);
}

static void report_speed(conf_session *session)
{
    const opac_conformance *outcome = session->outcome;
    char shown[OPAC_QUANTITY_SIZE];
    double speed = outcome->seconds > 0 ? (double)outcome->steps / outcome->seconds : 0;
    if (outcome->steps == 0 || outcome->seconds <= 0 || session->has_failed)
        return;
    conf_report(session, OPAC_FINDING_NOTE, "speed", "%s steps a second%s",
                opac_quantity_format(speed, shown, sizeof shown),
                is_program(session) && session->traits.lanes <= 1 && speed < 2e5
                    ? "; several episodes in parallel (lanes=N in the greeting) are faster"
                    : "");
}

void conf_summarize(conf_session *session)
{
    report_start(session);
    report_terminal(session);
    report_growth(session);
    report_speed(session);
}

/* ---- propositions and successors ---- */

static void check_propositions(conf_session *session)
{
    char shown[40], names[CONF_REQUESTS_SIZE] = "";
    size_t never = 0;
    for (size_t i = 0; i < session->propositions && i < 64; i++) {
        const char *name = opac_environment_proposition(session->env, i);
        size_t used = strlen(names);
        if (session->held >> i & 1)
            continue;
        if (never++ < 8)
            snprintf(names + used, sizeof names - used, "%s%s", never > 1 ? ", " : "",
                     opac_text_show(name, strlen(name), shown, sizeof shown));
    }
    if (never > 0 && session->outcome->steps > 0)
        conf_report(session, OPAC_FINDING_NOTE, "propositions",
                    "never true in an observed state: %s%s", names, never > 8 ? ", ..." : "");
}

/* The successors that `draw` or `successors` reports for a state-action pair. */
typedef struct reported {
    conf_session *session;
    base_map successors;
} reported;

static opac_status add_successor(void *context, const opac_observation *successor, uint64_t count,
                                 opac_error *error)
{
    reported *t = context;
    uint32_t state;
    uint64_t *entry;
    bool is_new;
    (void)count;
    TRY(conf_add_state(t->session, successor, &state, &is_new, error));
    return base_map_at(&t->successors, state, &entry, error);
}

static opac_observation observe(const conf_session *session, uint32_t state)
{
    opac_observation seen = {.letter = session->facts.items[state].letter,
                             .actions = session->facts.items[state].actions};
    const unsigned char *key = base_intern_key(&session->states, state, &seen.length);
    seen.key = seen.length > 0 ? (const void *)key : "";
    return seen;
}

/* Requests the successors of a pair. The key is copied, since new successors may move the table of keys. */
static opac_status request_successors(conf_session *session, const conf_pair *pair, bool is_graph,
                                      reported *t, opac_error *error)
{
    opac_observation seen = observe(session, pair->state);
    char *key = base_copy_text(seen.key, seen.length);
    if (key == NULL)
        return base_fail_memory(error);
    seen.key = key;
    opac_status status =
        is_graph ? env_successors(session->env, &seen, pair->action, add_successor, t, error)
                 : env_draw(session->env, &seen, pair->action, 100, session->options->seed,
                            add_successor, t, error);
    base_free(key);
    return status;
}

/* Fails unless all observed successors of a pair are reported. */
static opac_status compare_graph(const conf_session *session, size_t pair, const reported *t,
                                 opac_error *error)
{
    char from[CONF_SHOWN], to[CONF_SHOWN];
    for (size_t i = 0; i < session->edges.count; i++) {
        uint64_t edge = session->edges.entries[i].key;
        if (edge >> 32 == pair && base_map_find(&t->successors, edge & UINT32_MAX) == NULL)
            return base_fail(
                error, OPAC_ERROR_SIMULATOR,
                "action %u of \"%s\" led to \"%s\", which `successors` does not report: "
                "it must report all successors",
                (unsigned)session->pairs.items[pair].action,
                conf_show_state(session, session->pairs.items[pair].state, from),
                conf_show_state(session, (uint32_t)edge, to));
    }
    return OPAC_OK;
}

static opac_status check_pairs(conf_session *session, bool is_graph, opac_error *error)
{
    enum {
        MAX_PAIRS = 200 /* number of pairs that are checked */
    };
    const char *check = is_graph ? "successors" : "draw";
    opac_error found = {0};
    opac_status status = OPAC_OK;
    size_t pairs = session->pairs.count < MAX_PAIRS ? session->pairs.count : MAX_PAIRS;
    for (size_t i = 0; i < pairs && status == OPAC_OK; i++) {
        reported t = {.session = session};
        status = request_successors(session, &session->pairs.items[i], is_graph, &t, &found);
        if (status == OPAC_OK && is_graph)
            status = compare_graph(session, i, &t, &found);
        base_map_fini(&t.successors);
    }
    if (status != OPAC_OK)
        return conf_report_failure(session, check, "", &found, error);
    conf_report(session, OPAC_FINDING_PASSED, check,
                "%s of %zu state-action pairs agree with the exploration",
                is_graph ? "the successors" : "the draws", pairs);
    return OPAC_OK;
}

opac_status conf_check_successors(conf_session *session, opac_error *error)
{
    if (session->env == NULL)
        return OPAC_OK;
    check_propositions(session);
    if (session->traits.knows_graph && session->pairs.count > 0)
        TRY(check_pairs(session, true, error));
    if (session->traits.can_draw && session->pairs.count > 0)
        TRY(check_pairs(session, false, error));
    return OPAC_OK;
}
