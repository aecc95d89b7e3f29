/* SPDX-License-Identifier: MIT */
/*
 * Checks that a simulator conforms to the protocol that learning relies on, and explains how to fix
 * problems.
 *
 *     static void on_finding(void *context, const opac_finding *finding)
 *     {
 *         printf("%s %s: %s\n", opac_finding_kind_name(finding->kind), finding->check, finding->text);
 *     }
 *
 *     opac_conformance_options options = opac_conformance_defaults();
 *     opac_conformance outcome;
 *     opac_conformance_check("exec:python3 lift.py", &options, on_finding, NULL, &outcome, &error);
 *     printf("%s\n", outcome.conforms ? "it conforms" : "it does not conform");
 *
 * The simulator is started for the check and ended before the function returns. The listener is called in
 * the calling thread.
 */
#ifndef OMEGAPAC_CONFORMANCE_H
#define OMEGAPAC_CONFORMANCE_H

#include <stdbool.h>

#include <omegapac/cancel.h>
#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The severity of a finding. */
typedef enum opac_finding_kind {
    OPAC_FINDING_PASSED = 0,  /* a check passed */
    OPAC_FINDING_NOTE = 1,    /* information: lanes, terminal states, random starts */
    OPAC_FINDING_WARNING = 2, /* it can be used with a limitation: not reproducible, slow */
    OPAC_FINDING_ERROR = 3    /* it violates the protocol */
} opac_finding_kind;

/* "ok", "note", "warning", "error". */
OPAC_API const char *opac_finding_kind_name(opac_finding_kind kind);

/* The result of one check. The texts are valid until the listener returns. */
typedef struct opac_finding {
    opac_finding_kind kind; /* its severity */
    const char *check;      /* a short name: "greeting", "reset", "same seed", "bye" … */
    const char *text;       /* what was found and, for a warning or an error, how to fix it */
    const char *line;       /* the line of the simulator, escaped; NULL if it is not about a line */
    const char *parameter; /* the options that the advice is about, as in opac_error; may be NULL */
} opac_finding;

/* Called for each finding, in the order of the checks. */
typedef void (*opac_finding_listener)(void *context, const opac_finding *finding);

/* Options of opac_conformance_check; initialise them with opac_conformance_defaults. */
typedef struct opac_conformance_options {
    double timeout;    /* maximum time of an answer in seconds; default: 10 */
    uint64_t episodes; /* number of episodes; default: 100 */
    uint64_t steps;    /* maximum number of steps of an episode; default: 100 */
    uint64_t seed;     /* of the random actions; default: 1 */
    /* maximum growth of this process in bytes; more is OPAC_ERROR_LIMIT. 0: 90% of the machine's
     * memory */
    uint64_t max_memory;
    const opac_cancel *cancel; /* may be NULL */
} opac_conformance_options;

OPAC_API opac_conformance_options opac_conformance_defaults(void);

/* The outcome of a check. */
typedef struct opac_conformance {
    bool conforms;                            /* no error was found */
    uint32_t passed, notes, warnings, errors; /* number of findings by kind */
    uint64_t episodes, steps, states;         /* episodes and steps run, states seen */
    double seconds;                           /* time of the simulator for them */
} opac_conformance;

/* Checks a simulator; name: as for opac_environment_open. Problems of the simulator are findings, and the
 * function returns OPAC_OK. Another status means that it could not be run (out of memory, cancelled, no
 * such file). It runs at most `episodes` episodes of `steps` steps, and some of them again to compare the
 * answers. */
OPAC_API opac_status opac_conformance_check(const char *name,
                                            const opac_conformance_options *options,
                                            opac_finding_listener listener, void *context,
                                            opac_conformance *outcome, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
