/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of the parser. It uses recursive descent where the nesting depth of the grammar is
 * bounded, and explicit stacks where it is not (expressions, systems).
 *
 * A prism_read_* or prism_expect_* function returns whether it succeeded. false means that an error was
 * reported, or that memory is exhausted or a limit exceeded. Callers return false as well, up to the function
 * that reads a whole statement, which skips to the beginning of the next one (prism_recover). Errors with an
 * obvious correction (== for =) are reported and corrected, and parsing continues.
 *
 * If memory is exhausted or a limit exceeded, `status` is set and the next token is the end of the text, so
 * that every loop over tokens ends.
 */
#ifndef PRISM_PARSER_H
#define PRISM_PARSER_H

#include "base/text.h"
#include "prism/prism_lexer.h"
#include "prism/syntax.h"

enum {
    PRISM_MAX_PARSED = 10000000, /* nodes of an expression */
    PRISM_MAX_NESTING = 1000000, /* pending parentheses, calls and operators */
    PRISM_SHOWN_SIZE = 96        /* of a quotation in a message */
};

/* An element of the operator stack: an operator without its last operand, or an open parenthesis. */
typedef enum prism_pending_kind {
    PRISM_PENDING_OPERATOR,
    PRISM_PENDING_QUESTION,    /* c ? a, with the colon still missing */
    PRISM_PENDING_CONDITIONAL, /* c ? a :, which is one operator */
    PRISM_PENDING_OPEN,        /* an open parenthesis */
    PRISM_PENDING_CALL         /* the open parenthesis of a function call */
} prism_pending_kind;

typedef struct prism_pending {
    uint8_t kind;    /* prism_pending_kind */
    uint8_t op;      /* prism_op */
    uint8_t binding; /* of an operator: its precedence */
    uint32_t arity;
    uint32_t name; /* of a called function */
    prism_place place;
    prism_place open; /* of the parenthesis */
} prism_pending;

/* The same for system … endsystem; a parenthesis has binding 0. */
typedef struct prism_system_pending {
    prism_system_node node;
    unsigned binding;
} prism_system_pending;

BASE_VEC(prism_pending_vec, prism_pending);
BASE_VEC(prism_system_pending_vec, prism_system_pending);
BASE_VEC(prism_assignment_syntax_vec, prism_assignment_syntax);
BASE_VEC(prism_branch_syntax_vec, prism_branch_syntax);
BASE_VEC(prism_command_syntax_vec, prism_command_syntax);
BASE_VEC(prism_renaming_vec, prism_renaming);
BASE_VEC(prism_name_vec, prism_name);
BASE_VEC(prism_system_node_vec, prism_system_node);
BASE_VEC(prism_reward_syntax_vec, prism_reward_syntax);

typedef struct prism_parser {
    prism_lexer lexer;
    prism_token token; /* the current token, not consumed yet */
    prism_file *file;  /* NULL if only an expression is parsed */
    base_arena *arena;
    base_intern *names;
    model_report *report; /* NULL if the first error is returned instead */
    opac_error *error;
    opac_status status; /* OPAC_OK as long as parsing has not failed */
    bool quiet;         /* suppresses further errors */
    /* Errors that are reported once: each reserved word as a name, intervals, clocks. */
    bool reported_word[PRISM_WORD_COUNT];
    bool reported_interval, reported_clock;

    /* Unfinished lists; a finished one is copied into the arena. */
    prism_node_vec nodes;
    prism_pending_vec pending;
    base_text label;
    prism_assignment_syntax_vec assignments;
    prism_branch_syntax_vec branches;
    prism_command_syntax_vec commands;
    prism_variable_syntax_vec variables;
    prism_renaming_vec renamings;
    prism_name_vec actions;
    prism_system_node_vec system;
    prism_system_pending_vec system_pending;
    prism_reward_syntax_vec rewards;
} prism_parser;

void prism_parser_fini(prism_parser *parser);

/* ---- tokens ---- */

/* Reads the next token. */
void prism_next(prism_parser *parser);
/* The token `ahead` tokens after the current one. */
prism_token prism_peek(const prism_parser *parser, unsigned ahead);
bool prism_at(const prism_parser *parser, prism_token_kind kind);
bool prism_at_word(const prism_parser *parser, prism_word word);
/* Whether the tokens from `ahead` on (0: the current one) are ( NAME ' */
bool prism_at_assignment(const prism_parser *parser, unsigned ahead);

/* The prism_expect functions consume a token of some kind, or report an error that says what was expected. */

/* `expected` is the text of the message. */
bool prism_expect(prism_parser *parser, prism_token_kind kind, const char *expected);
bool prism_expect_word(prism_parser *parser, prism_word word, const char *after);
/* A name; `what` is "the name of a module" and the like. */
bool prism_expect_name(prism_parser *parser, const char *what, prism_name *name);
/* A name, or the reserved words min and max, which are names of functions. */
bool prism_expect_function(prism_parser *parser, const char *what, prism_name *name);
/* "name" in quotes. */
bool prism_expect_label(prism_parser *parser, const char *what, prism_name *name);
/* An equals sign after something; := == and : are reported and accepted. */
bool prism_expect_equals(prism_parser *parser, const char *after);
/* The semicolon after `what`, followed by the name if there is one. */
bool prism_expect_semicolon(prism_parser *parser, const char *what, prism_name name);

/* ---- errors (parse_errors.c) ---- */

/* Reports an error; returns false. */
bool prism_error_at(prism_parser *parser, opac_status code, prism_place place, const char *format,
                    ...) BASE_PRINTF(4, 5);
/* Reports "expected X, found …" with the current token; returns false. */
bool prism_error_expected(prism_parser *parser, const char *format, ...) BASE_PRINTF(2, 3);
/* A token for a message: "'x'" or "the end of the text". */
const char *prism_show_token(const prism_token *token, char *buffer, size_t size);
const char *prism_show_name(const prism_parser *parser, prism_name name, char *buffer, size_t size);

/* Sets the status and ends the text; returns false. */
bool prism_fail(prism_parser *parser, opac_status status);
bool prism_fail_limit(prism_parser *parser, prism_place place, const char *what,
                      unsigned long long most);
static inline bool prism_check_status(prism_parser *parser, opac_status status)
{
    return status == OPAC_OK || prism_fail(parser, status);
}
/* Suppresses further errors and ends the text. */
void prism_stop(prism_parser *parser);

/*
 * Error recovery: skips to the first token after a semicolon, or to a token that ends any statement before
 * it: a word that opens or closes a section, a bracket at the beginning of a line, the end of the text.
 */
void prism_recover(prism_parser *parser);
/*
 * Skips a token if the lexer is still at `before`. Loops over statements call this in each iteration, since
 * recovery may stop at the token that caused the error.
 */
void prism_ensure_progress(prism_parser *parser, size_t before);
/* Whether recovery ends at the current token. */
bool prism_at_boundary(const prism_parser *parser);

/* ---- nonterminals of the grammar ---- */

bool prism_read_expression(prism_parser *parser, prism_expression *expression);
bool prism_read_variable(prism_parser *parser, prism_variable_syntax *variable);
void prism_read_module(prism_parser *parser);
bool prism_read_command(prism_parser *parser, prism_command_syntax *command);
void prism_read_system(prism_parser *parser);
/* A section that begins with a keyword (const, label, …); false if there is none here. */
bool prism_read_section(prism_parser *parser);

/* ---- unsupported parts of the language (parse_unsupported.c) ---- */

/* If the text is not a PRISM model at all: reports that and ends the text. */
bool prism_reject_text(prism_parser *parser);
/* An unsupported model type or section: reports and skips it. */
bool prism_reject_section(prism_parser *parser);
/* An unsupported type of a variable, as clock or int. */
bool prism_reject_variable_type(prism_parser *parser);
/* An interval [low, high] as the probability of an update. */
bool prism_reject_interval(prism_parser *parser);
void prism_reject_invariant(prism_parser *parser);

/* Copies a finished list into the arena; NULL if it is empty, and after prism_fail. */
void *prism_copy_list(prism_parser *parser, const void *items, size_t count, size_t size);

#endif
