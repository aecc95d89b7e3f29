/* SPDX-License-Identifier: MIT */
/*
 * Is a simulator right? Runs it, and says what is wrong with it and how to mend that.
 *
 *     static void hear(void *context, const opac_finding *finding)
 *     {
 *         printf("%s %s: %s\n", opac_finding_kind_name(finding->kind), finding->check, finding->text);
 *     }
 *
 *     opac_conformance_options options = opac_conformance_defaults();
 *     opac_conformance outcome;
 *     opac_conformance_check("exec:python3 lift.py", &options, hear, NULL, &outcome, &error);
 *     printf("%s\n", outcome.conforms ? "it conforms" : "it does not conform");
 *
 * The simulator is started for the check, and gone when it returns. The listener is called in the
 * thread that asked.
 */
#ifndef OMEGAPAC_CONFORMANCE_H
#define OMEGAPAC_CONFORMANCE_H

#include <stdbool.h>

#include <omegapac/cancel.h>
#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How bad a finding is. */
typedef enum opac_finding_kind {
    OPAC_FINDING_PASSED = 0, /* as it should be */
    OPAC_FINDING_NOTE = 1,   /* good to know: lanes, terminal states, random starts */
    OPAC_FINDING_WARNING =
        2,                 /* it can be used, but something will be lost: not reproducible, slow */
    OPAC_FINDING_ERROR = 3 /* it breaks the contract */
} opac_finding_kind;

/* "ok", "note", "warning", "error". */
OPAC_API const char *opac_finding_kind_name(opac_finding_kind kind);

/* What one check found; texts live until the listener returns. */
typedef struct opac_finding {
    opac_finding_kind kind; /* how bad it is */
    const char *check;      /* a short name: "greeting", "reset", "same seed", "bye" … */
    const char *text;       /* what was found, and, of a warning or an error, what to do about it */
    const char *line;       /* what the simulator wrote, escaped; NULL: it is not about a line */
    const char *parameter;  /* the options that the advice is about, as in opac_error; NULL: none */
} opac_finding;

/* Hears each finding, in the order of the checks. */
typedef void (*opac_finding_listener)(void *context, const opac_finding *finding);

/* As opac_conformance_defaults gives it. */
typedef struct opac_conformance_options {
    double timeout;            /* seconds that an answer may take; 10 */
    uint64_t episodes;         /* 100 */
    uint64_t steps;            /* of an episode; 100 */
    uint64_t seed;             /* of what is tried; 1 */
    uint64_t max_memory;       /* bytes by which this process may grow; 0: nine tenths of the
                                  machine's memory. More are OPAC_ERROR_LIMIT */
    const opac_cancel *cancel; /* may be NULL */
} opac_conformance_options;

OPAC_API opac_conformance_options opac_conformance_defaults(void);

/* The outcome. */
typedef struct opac_conformance {
    bool conforms;                            /* no error was found */
    uint32_t passed, notes, warnings, errors; /* findings, by kind */
    uint64_t episodes, steps, states;         /* that were run, and seen */
    double seconds;                           /* that the simulator took for them */
} opac_conformance;

/* The name: as for opac_environment_open. What is wrong with the simulator is a finding, and
 * OPAC_OK; another status: it could not be tried at all (no memory, cancelled, no such file). */
OPAC_API opac_status opac_conformance_check(const char *name,
                                            const opac_conformance_options *options,
                                            opac_finding_listener listener, void *context,
                                            opac_conformance *outcome, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
