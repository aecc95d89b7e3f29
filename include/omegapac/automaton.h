/* SPDX-License-Identifier: MIT */
/*
 * Automata on infinite words: from LTL, from HOA files, and between kinds.
 *
 *     opac_automaton_options options = {.acceptance = OPAC_ACCEPTANCE_PARITY};
 *     opac_automaton *automaton;
 *     opac_error error;
 *     if (opac_automaton_translate(formula, &options, &automaton, &error) != OPAC_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *     printf("%u states\n", opac_automaton_states(automaton));
 *     opac_automaton_write_hoa(automaton, out);
 *     opac_automaton_free(automaton);
 *
 * Acceptance is a Boolean formula over Inf(i) and Fin(i), "mark i is seen
 * infinitely often" and its negation (Emerson-Lei), with marks on edges. There
 * are at most 63 marks and 64 propositions.
 *
 * An automaton is immutable: any number of threads may read one.
 */
#ifndef OMEGAPAC_AUTOMATON_H
#define OMEGAPAC_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/cancel.h>
#include <omegapac/error.h>
#include <omegapac/export.h>
#include <omegapac/formula.h>
#include <omegapac/output.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_automaton opac_automaton;

/* How much an automaton may guess. */
typedef enum opac_automaton_kind {
    OPAC_KIND_DETERMINISTIC = 0, /* one run for each word */
    /*
     * Limit-deterministic Büchi; needs acceptance any or Büchi. Good for MDPs
     * when it is made from a formula or a deterministic automaton; a
     * nondeterministic one keeps the choices that it came with, good or not.
     */
    OPAC_KIND_LDBA = 1,
    /* For conversions only: a deterministic automaton stays so, a nondeterministic one may too. */
    OPAC_KIND_ANY = 2
} opac_automaton_kind;

/* The form that an acceptance condition is to have. */
typedef enum opac_acceptance {
    OPAC_ACCEPTANCE_ANY = 0,   /* Emerson-Lei: whatever is smallest */
    OPAC_ACCEPTANCE_BUCHI = 1, /* some mark again and again */
    OPAC_ACCEPTANCE_RABIN = 2, /* some pair: its first mark finitely, its second infinitely often */
    OPAC_ACCEPTANCE_PARITY = 3 /* max even */
} opac_acceptance;

/* "deterministic", "any" and so on; "unknown" for any other number. */
OPAC_API const char *opac_automaton_kind_name(opac_automaton_kind kind);
OPAC_API const char *opac_acceptance_name(opac_acceptance acceptance);
OPAC_API opac_status opac_automaton_kind_parse(const char *text, opac_automaton_kind *kind,
                                               opac_error *error);
OPAC_API opac_status opac_acceptance_parse(const char *text, opac_acceptance *acceptance,
                                           opac_error *error);

/* What is asked of an automaton, as opac_automaton_defaults gives it; a member that is zero means
 * its default. */
typedef struct opac_automaton_options {
    opac_automaton_kind kind;   /* deterministic; of a formula, OPAC_KIND_ANY is the same */
    opac_acceptance acceptance; /* any */
    bool state_based;           /* marks are the same on all edges of a state */
    bool complete;              /* every state has an edge for every letter */
    uint32_t state_limit;       /* 0: one million; beyond it OPAC_ERROR_LIMIT */
    const opac_cancel *cancel;  /* NULL: cannot be cancelled */
    /*
     * Units of work, a unit being a node or an edge that is made or looked at. Beyond the limit
     * OPAC_ERROR_LIMIT, on every machine alike, with the subformula. 0: 2^28, which take some
     * 20 seconds; in a conversion 1024 more for each edge of the given automaton.
     */
    uint64_t work_limit;
} opac_automaton_options;

OPAC_API opac_automaton_options opac_automaton_defaults(void);

/* An automaton that accepts exactly the words that satisfy the formula. options may be NULL. */
OPAC_API opac_status opac_automaton_translate(const opac_formula *formula,
                                              const opac_automaton_options *options,
                                              opac_automaton **automaton, opac_error *error);

/*
 * An automaton with the same language as the given one, reduced, of the kind
 * asked for: NULL asks for OPAC_KIND_ANY. Nothing is determinised: a kind that the
 * language or the nondeterminism rules out is OPAC_ERROR_UNSUPPORTED.
 */
OPAC_API opac_status opac_automaton_convert(const opac_automaton *given,
                                            const opac_automaton_options *options,
                                            opac_automaton **automaton, opac_error *error);
OPAC_API void opac_automaton_free(opac_automaton *automaton);

/*
 * Reading HOA (Hanoi omega-automata, version 1): a text may hold several
 * automata. Text and callback are borrowed until the reader is released.
 */
typedef struct opac_hoa_reader opac_hoa_reader;

/* A reader at the beginning of a text; notice is told what is passed over, and may be NULL. */
OPAC_API opac_status opac_hoa_reader_new(const char *text, size_t length,
                                         opac_notice_callback notice, void *notice_context,
                                         opac_hoa_reader **reader, opac_error *error);
/* A handle that opac_hoa_reader_next polls (NULL: none), borrowed until the reader is released. */
OPAC_API void opac_hoa_reader_set_cancel(opac_hoa_reader *reader, const opac_cancel *cancel);
/*
 * The next automaton; NULL when there are no more. An automaton that was given
 * up with --ABORT-- is skipped. After an error the reader may only be released.
 */
OPAC_API opac_status opac_hoa_reader_next(opac_hoa_reader *reader, opac_automaton **automaton,
                                          opac_error *error);
OPAC_API void opac_hoa_reader_free(opac_hoa_reader *reader);

/*
 * Reading what was written gives the same automaton. Copies of a deterministic
 * automaton that differ in how states are numbered and edges are ordered give
 * equal bytes, if every state can be reached; others nearly always do. A
 * proposition with the name "epsilon" cannot be written (OPAC_ERROR_UNSUPPORTED).
 */
OPAC_API void opac_automaton_write_hoa(const opac_automaton *automaton, opac_output *out);
/* For Graphviz. */
OPAC_API void opac_automaton_write_dot(const opac_automaton *automaton, opac_output *out);

/* Its size: states, edges, acceptance marks, propositions. */
OPAC_API uint32_t opac_automaton_states(const opac_automaton *automaton);
OPAC_API uint64_t opac_automaton_edges(const opac_automaton *automaton);
OPAC_API uint32_t opac_automaton_marks(const opac_automaton *automaton);
OPAC_API size_t opac_automaton_proposition_count(const opac_automaton *automaton);
/* The states from which some word is accepted: not counting a sink. */
OPAC_API opac_status opac_automaton_live_states(const opac_automaton *automaton, uint32_t *count,
                                                opac_error *error);
/* The name of a proposition. Borrowed from the automaton; index below the count. */
OPAC_API const char *opac_automaton_proposition(const opac_automaton *automaton, size_t index);
/* The name that a HOA file or a translation gave it; NULL: none. Borrowed. */
OPAC_API const char *opac_automaton_name(const opac_automaton *automaton);
/* The condition as HOA writes it: "Inf(0) & Fin(1)". */
OPAC_API void opac_automaton_write_acceptance(const opac_automaton *automaton, opac_output *out);
/* "Buchi", "parity max even 3", …; "Emerson-Lei" when it has no name of its own. */
OPAC_API void opac_automaton_write_acceptance_name(const opac_automaton *automaton,
                                                   opac_output *out);

/* One initial state, and at most one edge for each letter; no epsilon. */
OPAC_API bool opac_automaton_is_deterministic(const opac_automaton *automaton);
/* An initial state, and an edge for each letter everywhere. */
OPAC_API bool opac_automaton_is_complete(const opac_automaton *automaton);
/*
 * The condition is t, f or a conjunction of Infs, and everything that can be
 * reached from a component with an accepting cycle is deterministic and without
 * epsilon edges.
 */
OPAC_API opac_status opac_automaton_is_limit_deterministic(const opac_automaton *automaton,
                                                           bool *is_so, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
