/* SPDX-License-Identifier: MIT */
/*
 * What the files of the parser share. Recursive descent where the grammar is
 * flat, explicit stacks where it nests (expressions, systems).
 *
 * A reading function returns whether its piece could be read. false means that
 * the mistake was told, or that memory or a limit ran out; the caller passes it
 * on to the function that reads a whole statement, which then moves on to where
 * the next one may begin (prism_recover). Slips with an obvious meaning (== for
 * =) are told and read as what they mean, and do not stop anything.
 *
 * When memory or a limit runs out, the text ends (status is then set), so that
 * every loop that ends with the text ends.
 */
#ifndef PRISM_PARSER_H
#define PRISM_PARSER_H

#include "base/text.h"
#include "prism/prism_lexer.h"
#include "prism/syntax.h"

enum {
    PRISM_MOST_PARSED = 10000000, /* of an expression */
    PRISM_MOST_NESTING = 1000000, /* of parentheses, calls and operators that wait */
    PRISM_SHOWN_SIZE = 96         /* of a piece of text in a message */
};

/* What waits for its last operand: an operator, or what is still open. */
typedef enum prism_pending_kind {
    PRISM_PENDING_OPERATOR,
    PRISM_PENDING_QUESTION,    /* c ? a      : must come */
    PRISM_PENDING_CONDITIONAL, /* c ? a : b  is one operator */
    PRISM_PENDING_OPEN,        /* a parenthesis */
    PRISM_PENDING_CALL         /* of a function, with its parenthesis */
} prism_pending_kind;

typedef struct prism_pending {
    uint8_t kind;    /* prism_pending_kind */
    uint8_t op;      /* prism_op */
    uint8_t binding; /* of an operator: the higher, the tighter */
    uint32_t arity;
    uint32_t name; /* of a called function */
    prism_place place;
    prism_place open; /* of the parenthesis */
} prism_pending;

/* The same of a system: an operator, or a parenthesis, which binds with 0. */
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
    prism_token token; /* the next one */
    prism_file *file;  /* NULL: an expression alone is read */
    base_arena *arena;
    base_intern *names;
    model_report *report; /* NULL: the first mistake is the failure */
    opac_error *error;
    opac_status status;          /* OPAC_OK while there is no failure */
    bool quiet;                  /* nothing more is told */
    bool told[PRISM_WORD_COUNT]; /* reserved words that were used as names, and told once */
    bool told_interval;          /* so are intervals and clocks, which come in numbers */
    bool told_clock;

    /* Lists while they grow; a finished one is copied into the arena. */
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

/* Moves on to the next token. */
void prism_next(prism_parser *parser);
/* The token so many behind the current one, 1 or more. */
prism_token prism_peek(const prism_parser *parser, unsigned ahead);
bool prism_at(const prism_parser *parser, prism_token_kind kind);
bool prism_at_word(const prism_parser *parser, prism_word word);
/* Whether the tokens from this one on (0: the current) are ( NAME ' */
bool prism_at_assignment(const prism_parser *parser, unsigned ahead);

/* Takes a token of this kind, or tells that `expected` was. */
bool prism_take(prism_parser *parser, prism_token_kind kind, const char *expected);
bool prism_take_word(prism_parser *parser, prism_word word, const char *behind);
/* A name; `what` is "the name of a module" and the like. */
bool prism_take_name(prism_parser *parser, const char *what, prism_name *name);
/* A name, or min or max, which are functions. */
bool prism_take_function(prism_parser *parser, const char *what, prism_name *name);
/* "name" in quotes. */
bool prism_take_label(prism_parser *parser, const char *what, prism_name *name);
/* The equals sign behind something; := == and : are told and taken. */
bool prism_take_equals(prism_parser *parser, const char *behind);
/* The semicolon at the end of `what` (of the name, if there is one). */
bool prism_take_semicolon(prism_parser *parser, const char *what, prism_name name);

/* ---- mistakes (errors.c) ---- */

/* Tells a mistake; returns false. */
bool prism_complain(prism_parser *parser, opac_status code, prism_place place, const char *format,
                    ...) BASE_PRINTF(4, 5);
/* "expected X, found the current token"; returns false. */
bool prism_expected(prism_parser *parser, const char *format, ...) BASE_PRINTF(2, 3);
/* The current token for a message: 'x', or that the text ends. */
const char *prism_show_token(const prism_token *token, char *buffer, size_t size);
const char *prism_show_name(const prism_parser *parser, prism_name name, char *buffer, size_t size);

/* Notes a failure and ends the text; returns false. */
bool prism_fail(prism_parser *parser, opac_status status);
bool prism_fail_limit(prism_parser *parser, prism_place place, const char *what,
                      unsigned long long most);
static inline bool prism_check(prism_parser *parser, opac_status status)
{
    return status == OPAC_OK || prism_fail(parser, status);
}
/* From here on nothing is told, and the text is over. */
void prism_stop(prism_parser *parser);

/*
 * Behind a mistake: moves on behind a semicolon, or to a token in front
 * of which a statement must have ended: a word that opens or closes a part, a
 * bracket that begins a line, the end.
 */
void prism_recover(prism_parser *parser);
/*
 * At the end of each round of a loop over statements: moves on if the lexer is
 * where it was. Recovery may stop at the very token that was the mistake.
 */
void prism_ensure_progress(prism_parser *parser, size_t before);
/* Whether the current token is one at which recovery ends. */
bool prism_at_boundary(const prism_parser *parser);

/* ---- pieces of the grammar ---- */

bool prism_read_expression(prism_parser *parser, prism_expression *expression);
bool prism_read_variable(prism_parser *parser, prism_variable_syntax *variable);
void prism_read_module(prism_parser *parser);
bool prism_read_command(prism_parser *parser, prism_command_syntax *command);
void prism_read_system(prism_parser *parser);
/* A definition with a keyword (const, label, …); false: there is none here. */
bool prism_read_section(prism_parser *parser);

/* ---- what is not supported (refuse.c) ---- */

/* Whether the text is no PRISM model at all; told, and the text is over. */
bool prism_refuse_text(prism_parser *parser);
/* A type of models, a part of a file that is not supported: told and passed. */
bool prism_refuse_section(prism_parser *parser);
/* clock, int: what stands for the type of a variable. */
bool prism_refuse_variable_type(prism_parser *parser);
/* [low, high] : in front of an update. */
bool prism_refuse_interval(prism_parser *parser);
void prism_refuse_invariant(prism_parser *parser);

/* A finished list in the arena; NULL for an empty one, and after prism_fail. */
void *prism_keep(prism_parser *parser, const void *items, size_t count, size_t size);

#endif
