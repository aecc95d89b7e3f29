/* SPDX-License-Identifier: MIT */
/*
 * Automata on infinite words: translation from LTL, reading and writing HOA, and conversion between kinds.
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
 * Acceptance is transition-based. The condition is an Emerson-Lei condition: a Boolean formula over Inf(i),
 * "mark i is seen infinitely often", and its negation Fin(i). There are at most 63 marks and 64 propositions.
 *
 * An automaton is immutable: any number of threads may read it at once.
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

/* Which nondeterminism an automaton may have. */
typedef enum opac_automaton_kind {
    OPAC_KIND_DETERMINISTIC = 0, /* one run for each word */
    /*
     * Limit-deterministic Büchi; requires acceptance any or Büchi. The result is good for MDPs if it is made
     * from a formula or a deterministic automaton. Otherwise it is good for MDPs if the given automaton is.
     */
    OPAC_KIND_LDBA = 1,
    /* For conversions only: a deterministic automaton stays deterministic; others may stay
     * nondeterministic. */
    OPAC_KIND_ANY = 2
} opac_automaton_kind;

/* The form of an acceptance condition. */
typedef enum opac_acceptance {
    OPAC_ACCEPTANCE_ANY = 0,   /* any Emerson-Lei condition; the smallest automaton found */
    OPAC_ACCEPTANCE_BUCHI = 1, /* Inf(0) */
    OPAC_ACCEPTANCE_RABIN =
        2, /* for some pair, the first mark finitely and the second infinitely often */
    OPAC_ACCEPTANCE_PARITY = 3 /* max even */
} opac_acceptance;

/* "deterministic", "any" and so on; "unknown" for any other number. */
OPAC_API const char *opac_automaton_kind_name(opac_automaton_kind kind);
OPAC_API const char *opac_acceptance_name(opac_acceptance acceptance);
OPAC_API opac_status opac_automaton_kind_parse(const char *text, opac_automaton_kind *kind,
                                               opac_error *error);
OPAC_API opac_status opac_acceptance_parse(const char *text, opac_acceptance *acceptance,
                                           opac_error *error);

/* The requested form of an automaton. opac_automaton_defaults returns the defaults; a member that is zero
 * stands for its default. */
typedef struct opac_automaton_options {
    opac_automaton_kind kind; /* default: deterministic; for a formula, OPAC_KIND_ANY is the same */
    opac_acceptance acceptance; /* default: any */
    bool state_based;           /* all edges of a state have the same marks */
    bool complete;              /* every state has an edge for every letter */
    uint32_t state_limit;       /* with more states: OPAC_ERROR_LIMIT; default: one million */
    const opac_cancel *cancel;  /* polled; may be NULL */
    /*
     * Limit on units of work; a unit is a node or an edge that is created or visited. Beyond it, the result
     * is OPAC_ERROR_LIMIT, on every machine alike, and the message names the subformula. The default is 2^28,
     * which takes some 20 seconds; a conversion has 1024 more for each edge of the given automaton.
     */
    uint64_t work_limit;
} opac_automaton_options;

OPAC_API opac_automaton_options opac_automaton_defaults(void);

/* Translates a formula to an automaton that accepts exactly the words that satisfy it. options may be
 * NULL. */
OPAC_API opac_status opac_automaton_translate(const opac_formula *formula,
                                              const opac_automaton_options *options,
                                              opac_automaton **automaton, opac_error *error);

/*
 * Converts an automaton to a reduced one of the requested kind with the same language. If options is NULL,
 * the kind is OPAC_KIND_ANY. Determinization is not supported: if the language or the nondeterminism of the
 * given automaton rules out the kind, the result is OPAC_ERROR_UNSUPPORTED.
 */
OPAC_API opac_status opac_automaton_convert(const opac_automaton *given,
                                            const opac_automaton_options *options,
                                            opac_automaton **automaton, opac_error *error);
OPAC_API void opac_automaton_free(opac_automaton *automaton);

/*
 * Reads automata in the HOA format (Hanoi omega-automata, version 1). A text may contain several automata.
 * The text and the callback are borrowed until the reader is freed.
 */
typedef struct opac_hoa_reader opac_hoa_reader;

/* Makes a reader at the beginning of a text. `notice` is called for doubtful input, which is ignored; it may
 * be NULL. */
OPAC_API opac_status opac_hoa_reader_new(const char *text, size_t length,
                                         opac_notice_callback notice, void *notice_context,
                                         opac_hoa_reader **reader, opac_error *error);
/* Sets a handle that opac_hoa_reader_next polls; may be NULL. Borrowed until the reader is freed. */
OPAC_API void opac_hoa_reader_set_cancel(opac_hoa_reader *reader, const opac_cancel *cancel);
/*
 * Reads the next automaton; NULL if there are no more. An automaton that ends with --ABORT-- is skipped.
 * After an error the reader can only be freed.
 */
OPAC_API opac_status opac_hoa_reader_next(opac_hoa_reader *reader, opac_automaton **automaton,
                                          opac_error *error);
OPAC_API void opac_hoa_reader_free(opac_hoa_reader *reader);

/*
 * Writes an automaton in the HOA format. Reading it gives the same automaton. If the automaton is
 * deterministic and all states are reachable, the bytes do not depend on the numbering of states and the
 * order of edges; for other automata they nearly never do. A proposition "epsilon" cannot be written
 * (OPAC_ERROR_UNSUPPORTED).
 */
OPAC_API void opac_automaton_write_hoa(const opac_automaton *automaton, opac_output *out);
/* Writes an automaton in the DOT language of Graphviz. */
OPAC_API void opac_automaton_write_dot(const opac_automaton *automaton, opac_output *out);

/* Its size: states, edges, acceptance marks, propositions. */
OPAC_API uint32_t opac_automaton_states(const opac_automaton *automaton);
OPAC_API uint64_t opac_automaton_edges(const opac_automaton *automaton);
OPAC_API uint32_t opac_automaton_marks(const opac_automaton *automaton);
OPAC_API size_t opac_automaton_proposition_count(const opac_automaton *automaton);
/* Counts the states with a nonempty language: a rejecting sink does not count. */
OPAC_API opac_status opac_automaton_live_states(const opac_automaton *automaton, uint32_t *count,
                                                opac_error *error);
/* The name of a proposition. Borrowed from the automaton; index below the count. */
OPAC_API const char *opac_automaton_proposition(const opac_automaton *automaton, size_t index);
/* The name from a HOA file, or the formula of a translation; NULL if there is none. Borrowed. */
OPAC_API const char *opac_automaton_name(const opac_automaton *automaton);
/* Writes the condition in the syntax of HOA: "Inf(0) & Fin(1)". */
OPAC_API void opac_automaton_write_acceptance(const opac_automaton *automaton, opac_output *out);
/* Writes the name of the condition as in HOA's acc-name, such as "parity max even 3"; "Emerson-Lei" if it has
 * none. */
OPAC_API void opac_automaton_write_acceptance_name(const opac_automaton *automaton,
                                                   opac_output *out);

/* Whether there is at most one initial state, at most one edge for each letter in each state, and no epsilon
 * edge. */
OPAC_API bool opac_automaton_is_deterministic(const opac_automaton *automaton);
/* Whether there is an initial state, and in each state an edge for each letter. */
OPAC_API bool opac_automaton_is_complete(const opac_automaton *automaton);
/*
 * Whether the condition is t, f or a conjunction of Infs, and all states that are reachable from a component
 * with an accepting cycle are deterministic and without epsilon edges.
 */
OPAC_API opac_status opac_automaton_is_limit_deterministic(const opac_automaton *automaton,
                                                           bool *is_so, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
