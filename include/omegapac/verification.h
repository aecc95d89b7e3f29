/* SPDX-License-Identifier: MIT */
/*
 * A second opinion on a certificate of opac_learning_write_certificate. It is
 * computed by a part of the library that shares no code with the learner, the
 * solver or the automata: from the counts alone, with outward rounding.
 *
 *     opac_verification verification;
 *     if (opac_verify_file("run.cert", NULL, &verification, &error) == OPAC_OK && verification.holds)
 *         printf("%s\n", verification.statement);
 *     opac_verification_fini(&verification);
 *
 * A verification belongs to the caller; opac_verification_fini releases it, also after a failure,
 * and takes one that is all zeros. Any number of threads may verify.
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

/* The verdict, and what it rests on. */
typedef struct opac_verification {
    bool holds;          /* everything was checked, and is as the certificate says */
    char *reason;        /* if it does not: the first thing that is wrong */
    char *statement;     /* what is shown, in a sentence, in the checker's own words */
    char *objective;     /* as the certificate calls it; not checked */
    char *model;         /* likewise; NULL: it names none */
    char *constants;     /* of the model, "N=3"; likewise */
    double lower, upper; /* the bracket around the greatest probability of the automaton (for
                            a least probability: around the least one of the objective) */
    double confidence;   /* 1 - delta, as the certificate claims it and the counts bear out */
    bool is_least;       /* it is about a least probability */
    char **assumes;      /* one after the other, what is taken for granted; NULL behind the last */
    /* What it looked at. */
    uint64_t states, pairs, complete, visits, nodes, winning;
} opac_verification;

/*
 * model: a file whose digest is to be the one in the certificate; NULL: not looked at.
 *
 *     OPAC_OK                  a verdict: it holds, or it is refused, with a reason
 *     OPAC_ERROR_SYNTAX        no certificate: not JSON; line and column are set
 *     OPAC_ERROR_ARGUMENT      no certificate: no object, or one of another schema
 *     OPAC_ERROR_UNSUPPORTED   a certificate of a version that this library does not know
 *     OPAC_ERROR_IO            a file cannot be read
 *     OPAC_ERROR_MEMORY, OPAC_ERROR_LIMIT     no verdict for want of memory, or beyond a limit
 *
 * A certificate that is malformed otherwise, by a member that is missing or out of its range, is refused.
 */
OPAC_API opac_status opac_verify_file(const char *path, const char *model,
                                      opac_verification *verification, opac_error *error);
OPAC_API opac_status opac_verify_text(const char *text, size_t length, const char *model_digest,
                                      opac_verification *verification, opac_error *error);
/* Releases what it points to; it is then all zeros. */
OPAC_API void opac_verification_fini(opac_verification *verification);

/* "sha256:" and 64 digits, of the bytes of a file; text: at least OPAC_DIGEST_SIZE. */
#define OPAC_DIGEST_SIZE 80
OPAC_API opac_status opac_digest_file(const char *path, char *text, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
