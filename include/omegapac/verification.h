/* SPDX-License-Identifier: MIT */
/*
 * Checks a certificate of opac_learning_write_certificate. The checker uses only the counts in the
 * certificate, rounds outwards, and shares no code with the learner, the solver or the automata.
 *
 *     opac_verification verification;
 *     if (opac_verify_file("run.cert", NULL, &verification, &error) == OPAC_OK && verification.holds)
 *         printf("%s\n", verification.statement);
 *     opac_verification_fini(&verification);
 *
 * A verification is owned by the caller. opac_verification_fini releases its members; it may be called
 * after a failure, and for a zeroed struct. The functions are thread-safe. They take time linear in the
 * certificate, except for sorting, and in rare cases quadratic in the number of nodes. With a recurrence time
 * they take time linear in the number of sweeps that the certificate requests times its size; above 4e9
 * successors, which take about a minute, they fail with OPAC_ERROR_LIMIT.
 */
#ifndef OMEGAPAC_VERIFICATION_H
#define OMEGAPAC_VERIFICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The verdict, and the assumptions that it is based on. */
typedef struct opac_verification {
    bool holds;      /* all checks have passed */
    char *reason;    /* if it does not hold: the first error; else NULL */
    char *statement; /* the statement that is proven */
    char *objective; /* as named in the certificate; not checked */
    char *model;     /* as named in the certificate; not checked; may be NULL */
    char *constants; /* of the model, "N=3"; not checked; may be NULL */
    double lower,
        upper; /* the bracket around the greatest probability of the automaton (or, with is_least,
                            around the least probability of the objective) */
    double confidence; /* 1 - delta */
    bool is_least;     /* the bracket is about a least probability */
    char **assumes;    /* the assumptions, which are not checked; ends with NULL */
    /* The sizes of the certificate: states, rows, complete rows, visits, nodes, winning nodes. With a recurrence
     * time no row is complete, and winning nodes are those in winning end components of what was seen. */
    uint64_t states, pairs, complete, visits, nodes, winning;
    /* The assumed bound T on the recurrence time, or, if nothing is assumed of the system, the transitions of an
     * episode of the trial; 0 with p_min or a graph. The episodes of the trial, and those won. */
    uint64_t recurrence_time, episodes, wins;
} opac_verification;

/*
 * Checks a certificate in a file or in memory. model: a file whose digest must be the one in the
 * certificate; NULL disables this check. model_digest: the same as text of opac_digest_file.
 *
 *     OPAC_OK                  verdict: the certificate holds, or is refused with a reason
 *     OPAC_ERROR_SYNTAX        not a certificate: not JSON; line and column are set
 *     OPAC_ERROR_ARGUMENT      not a certificate: not an object, or another schema
 *     OPAC_ERROR_UNSUPPORTED   a certificate of a version that this library does not support
 *     OPAC_ERROR_IO            a file cannot be read
 *     OPAC_ERROR_MEMORY, OPAC_ERROR_LIMIT     no verdict: out of memory, or a limit was reached
 *
 * Any other malformed certificate, such as one with a missing member, is refused.
 */
OPAC_API opac_status opac_verify_file(const char *path, const char *model,
                                      opac_verification *verification, opac_error *error);
OPAC_API opac_status opac_verify_text(const char *text, size_t length, const char *model_digest,
                                      opac_verification *verification, opac_error *error);
/* Releases the members, and zeroes the struct. */
OPAC_API void opac_verification_fini(opac_verification *verification);

/* Writes the digest of a file, "sha256:" and 64 hexadecimal digits, into a buffer of OPAC_DIGEST_SIZE
 * bytes. Fails with OPAC_ERROR_IO. */
#define OPAC_DIGEST_SIZE 80
OPAC_API opac_status opac_digest_file(const char *path, char *text, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
