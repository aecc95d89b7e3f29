/* SPDX-License-Identifier: MIT */
/*
 * Automata on infinite words: translation from LTL, reading and writing HOA, and conversion.
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
 * The acceptance condition is a Boolean combination of Inf(i), mark i is seen infinitely often, and Fin(i),
 * its negation (Emerson-Lei acceptance). Marks are on edges. An automaton has at most 63 marks and 64
 * propositions.
 *
 * An automaton is immutable; several threads may use it at the same time.
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

/* The nondeterminism of an automaton. */
typedef enum opac_automaton_kind {
    OPAC_KIND_DETERMINISTIC = 0, /* at most one run for each word */
    /*
     * Limit-deterministic Büchi; requires acceptance ANY or BUCHI. Good for MDPs if it is made from a
     * formula or a deterministic automaton. A conversion of a nondeterministic automaton keeps its choices,
     * so the result is good for MDPs only if the input is.
     */
    OPAC_KIND_LDBA = 1,
    /* For conversions only: keep the kind of the given automaton. */
    OPAC_KIND_ANY = 2
} opac_automaton_kind;

/* The form of the acceptance condition. */
typedef enum opac_acceptance {
    OPAC_ACCEPTANCE_ANY = 0,   /* Emerson-Lei; the form that gives the smallest automaton */
    OPAC_ACCEPTANCE_BUCHI = 1, /* Inf(0) */
    OPAC_ACCEPTANCE_RABIN = 2, /* a disjunction of Fin(2i) & Inf(2i+1) */
    OPAC_ACCEPTANCE_PARITY = 3 /* parity max even */
} opac_acceptance;

/* The names "deterministic", "ldba", "any" and "any", "buchi", "rabin", "parity"; "unknown" for other
 * numbers. The parsers accept the same names, and fail with OPAC_ERROR_ARGUMENT for others. */
OPAC_API const char *opac_automaton_kind_name(opac_automaton_kind kind);
OPAC_API const char *opac_acceptance_name(opac_acceptance acceptance);
OPAC_API opac_status opac_automaton_kind_parse(const char *text, opac_automaton_kind *kind,
                                               opac_error *error);
OPAC_API opac_status opac_acceptance_parse(const char *text, opac_acceptance *acceptance,
                                           opac_error *error);

/* Options of a translation or conversion. opac_automaton_defaults returns the defaults; a member that is
 * zero also stands for its default. */
typedef struct opac_automaton_options {
    /* default: deterministic; OPAC_KIND_ANY means the same for a formula */
    opac_automaton_kind kind;
    opac_acceptance acceptance; /* default: any */
    bool state_based;           /* put the same marks on all edges of a state */
    bool complete;              /* give every state an edge for every letter */
    uint32_t state_limit;       /* more states are OPAC_ERROR_LIMIT; 0: one million */
    const opac_cancel *cancel;  /* polled; NULL disables it */
    /*
     * Maximum number of units of work; a unit is a node or an edge that is created or visited. More are
     * OPAC_ERROR_LIMIT, with the subformula in the message, independently of the machine. 0: 2^28 (about 20
     * seconds), in a conversion plus 1024 for each edge of the given automaton.
     */
    uint64_t work_limit;
} opac_automaton_options;

OPAC_API opac_automaton_options opac_automaton_defaults(void);

/*
 * Translates a formula to an automaton that accepts exactly the words that satisfy it. options may be NULL.
 * The caller frees *automaton with opac_automaton_free. Fails with OPAC_ERROR_LIMIT beyond a limit of the
 * options, and with OPAC_ERROR_UNSUPPORTED if the kind and acceptance cannot express the formula, such as
 * deterministic Büchi for F G a. The automaton may have doubly exponentially many states in the length of
 * the formula.
 */
OPAC_API opac_status opac_automaton_translate(const opac_formula *formula,
                                              const opac_automaton_options *options,
                                              opac_automaton **automaton, opac_error *error);

/*
 * Makes a reduced automaton with the same language as the given one, of the kind and acceptance of the
 * options; NULL stands for OPAC_KIND_ANY. The caller frees *automaton. Automata are not determinised: if
 * the language or the nondeterminism of the given automaton rules out the requested form, it fails with
 * OPAC_ERROR_UNSUPPORTED.
 */
OPAC_API opac_status opac_automaton_convert(const opac_automaton *given,
                                            const opac_automaton_options *options,
                                            opac_automaton **automaton, opac_error *error);
OPAC_API void opac_automaton_free(opac_automaton *automaton);

/*
 * Reads HOA (Hanoi omega-automata format, version 1). A text may contain several automata:
 *
 *     opac_hoa_reader_new(text, length, NULL, NULL, &reader, &error);
 *     while (opac_hoa_reader_next(reader, &automaton, &error) == OPAC_OK && automaton != NULL)
 *         opac_automaton_free(automaton);
 *     opac_hoa_reader_free(reader);
 */
typedef struct opac_hoa_reader opac_hoa_reader;

/* Makes a reader at the beginning of a text. The text is borrowed until the reader is freed. notice
 * receives notes about ignored parts, and may be NULL. */
OPAC_API opac_status opac_hoa_reader_new(const char *text, size_t length,
                                         opac_notice_callback notice, void *notice_context,
                                         opac_hoa_reader **reader, opac_error *error);
/* Sets a handle that opac_hoa_reader_next polls; borrowed until the reader is freed. NULL disables it. */
OPAC_API void opac_hoa_reader_set_cancel(opac_hoa_reader *reader, const opac_cancel *cancel);
/*
 * Reads the next automaton, which the caller frees; sets *automaton to NULL at the end of the text.
 * Automata that end with --ABORT-- are skipped. After an error (OPAC_ERROR_SYNTAX with line and column,
 * OPAC_ERROR_UNSUPPORTED) the reader may only be freed.
 */
OPAC_API opac_status opac_hoa_reader_next(opac_hoa_reader *reader, opac_automaton **automaton,
                                          opac_error *error);
OPAC_API void opac_hoa_reader_free(opac_hoa_reader *reader);

/*
 * Writes HOA. Reading it back gives the same automaton. The output is canonical for deterministic automata
 * whose states are all reachable: it does not depend on the numbering of states or the order of edges. A
 * proposition with the name "epsilon" makes the output fail with OPAC_ERROR_UNSUPPORTED (see output.h).
 */
OPAC_API void opac_automaton_write_hoa(const opac_automaton *automaton, opac_output *out);
/* Writes a Graphviz file. */
OPAC_API void opac_automaton_write_dot(const opac_automaton *automaton, opac_output *out);

/* The numbers of states, edges, acceptance marks and propositions. */
OPAC_API uint32_t opac_automaton_states(const opac_automaton *automaton);
OPAC_API uint64_t opac_automaton_edges(const opac_automaton *automaton);
OPAC_API uint32_t opac_automaton_marks(const opac_automaton *automaton);
OPAC_API size_t opac_automaton_proposition_count(const opac_automaton *automaton);
/* Counts the states from which some word is accepted. Linear in the automaton, times its acceptance
 * condition. */
OPAC_API opac_status opac_automaton_live_states(const opac_automaton *automaton, uint32_t *count,
                                                opac_error *error);
/* The name of a proposition; index below the count. Owned by the automaton. */
OPAC_API const char *opac_automaton_proposition(const opac_automaton *automaton, size_t index);
/* The name of the automaton, from a HOA file or a translation; NULL if it has none. Owned by the
 * automaton. */
OPAC_API const char *opac_automaton_name(const opac_automaton *automaton);
/* Writes the acceptance condition in HOA syntax: "Inf(0) & Fin(1)". */
OPAC_API void opac_automaton_write_acceptance(const opac_automaton *automaton, opac_output *out);
/* Writes the name of the condition: "Buchi", "parity max even 3", …; "Emerson-Lei" if it has no other
 * name. */
OPAC_API void opac_automaton_write_acceptance_name(const opac_automaton *automaton,
                                                   opac_output *out);

/* Whether there is exactly one initial state, at most one edge for each state and letter, and no epsilon
 * edge. */
OPAC_API bool opac_automaton_is_deterministic(const opac_automaton *automaton);
/* Whether there is an initial state, and an edge for each state and letter. */
OPAC_API bool opac_automaton_is_complete(const opac_automaton *automaton);
/*
 * Whether the automaton is limit-deterministic: the condition is t, f or a conjunction of Infs, and the
 * part reachable from components with an accepting cycle is deterministic and has no epsilon edges.
 */
OPAC_API opac_status opac_automaton_is_limit_deterministic(const opac_automaton *automaton,
                                                           bool *is_so, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
