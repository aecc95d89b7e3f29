/* SPDX-License-Identifier: MIT */
/*
 * Operator-precedence parser with an explicit stack, without recursion and in linear time. The parser
 * expects either an operand or an operator, which also determines how a word is read: Up is a name in "p U
 * Up", and "a Wb" is a W b.
 */
#include "ltl/parse_infix.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"
#include "ltl/compare_grammars.h"
#include "ltl/operand_stack.h"

/* The precedence of operators. An open parenthesis is a frame that no operator reduces. */
enum {
    BIND_PARENTHESIS,
    BIND_IMPLIES,
    BIND_OR,
    BIND_XOR,
    BIND_AND,
    BIND_UNTIL,
    BIND_PREFIX
};

typedef struct frame {
    uint8_t bind;
    bool is_prefix;
    ltl_op op;
    uint32_t line, column;
    ltl_bounds bounds;
} frame;

BASE_VEC(frame_vec, frame);

typedef struct infix {
    ltl_lexer lexer;
    ltl_operand_stack operands;
    frame_vec frames;
    base_text name;
    const opac_formula_options *options; /* may be NULL */
    ltl_words words;
    opac_error *error;
} infix;

static const char *const property_words[] = {"P", "Pmin", "Pmax", "R", "Rmin", "Rmax", "S"};
static const char *const binary_words[] = {"U", "W", "R", "M", "V"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- frames ---- */

/* Sets the position of a limit error in the construction of a formula to that of the operator. */
static opac_status set_position(const infix *parser, opac_status status, uint32_t line,
                                uint32_t column)
{
    if (status == OPAC_ERROR_LIMIT && parser->error != NULL && parser->error->line == 0) {
        parser->error->line = line;
        parser->error->column = column;
    }
    return status;
}

static opac_status push_frame(infix *parser, frame top)
{
    if (parser->frames.count >= LTL_NESTING_LIMIT)
        return base_fail_at(parser->error, OPAC_ERROR_LIMIT, top.line, top.column,
                            "more than %d operators and parentheses are open here",
                            LTL_NESTING_LIMIT);
    return frame_vec_push(&parser->frames, top, parser->error);
}

static opac_status reduce(infix *parser)
{
    frame top = parser->frames.items[--parser->frames.count];
    opac_status status =
        top.is_prefix
            ? ltl_operand_stack_unary(&parser->operands, top.op, top.bounds, parser->error)
            : ltl_operand_stack_binary(&parser->operands, top.op, top.bounds, parser->error);
    return set_position(parser, status, top.line, top.column);
}

/* Reduces all frames with a higher precedence, or also those with the same one if and_equal is set. */
static opac_status reduce_above(infix *parser, unsigned bind, bool and_equal)
{
    while (parser->frames.count > 0) {
        unsigned inner = parser->frames.items[parser->frames.count - 1].bind;
        if (inner < bind || (inner == bind && !and_equal))
            break;
        TRY(reduce(parser));
    }
    return OPAC_OK;
}

/* ---- operands ---- */

static bool same_letters(const ltl_lexer *lexer, const ltl_token *token, const char *lower)
{
    size_t size = strlen(lower);
    if (token->end - token->begin != size)
        return false;
    for (size_t i = 0; i < size; i++)
        if ((lexer->text[token->begin + i] | 0x20) != lower[i])
            return false;
    return true;
}

static const char *find_label(const infix *parser, const ltl_token *token)
{
    size_t count = parser->options != NULL ? parser->options->label_count : 0;
    for (size_t i = 0; i < count; i++)
        if (ltl_token_is(&parser->lexer, token, parser->options->labels[i]))
            return parser->options->labels[i];
    return NULL;
}

/* Pushes a proposition; `offset` is the number of characters of the token before the name. */
static opac_status push_name(infix *parser, const ltl_token *token, uint32_t offset,
                             const char *name, size_t length)
{
    ltl_formula formula =
        ltl_ap_at(parser->operands.store, name, length, token->line, token->column + offset);
    return ltl_operand_stack_push(&parser->operands, formula, parser->error);
}

static opac_status push_quoted(infix *parser, const ltl_token *token)
{
    base_text_clear(&parser->name);
    ltl_token_unquote(&parser->lexer, token, &parser->name);
    TRY(base_text_check(&parser->name, parser->error));
    return push_name(parser, token, 1, base_text_get(&parser->name), parser->name.length);
}

/* Pushes a label whose name would otherwise be read differently, such as Goal, GFa or tt. */
static opac_status push_label(infix *parser, const ltl_token *token, const char *label)
{
    if (parser->options->notice != NULL) {
        char shown[OPAC_SHOWN_SIZE], text[OPAC_SHOWN_SIZE + 64];
        opac_text_show(label, strlen(label), shown, sizeof shown);
        snprintf(text, sizeof text, "'%s' is read as the label of that name", shown);
        parser->options->notice(parser->options->notice_context, token->line, token->column, text);
    }
    return push_name(parser, token, 0, label, strlen(label));
}

/* The value of a bound. A number that is too large has a value beyond all limits, but not LTL_UNBOUNDED. */
static uint64_t read_number(const infix *parser, const ltl_token *token)
{
    uint64_t value = 0;
    for (size_t at = token->begin; at < token->end; at++)
        value = value < UINT32_MAX ? value * 10 + (uint64_t)(parser->lexer.text[at] - '0') : value;
    return value;
}

static bool is_comparison(ltl_token_kind kind)
{
    return kind == LTL_TOKEN_EQUAL || kind == LTL_TOKEN_LESS || kind == LTL_TOKEN_LESS_EQUAL ||
           kind == LTL_TOKEN_GREATER || kind == LTL_TOKEN_GREATER_EQUAL;
}

/* Reads an integer after a comparison; false for other expressions, such as 5.5, 5*k, (1+2) or k. */
static bool read_plain_bound(const infix *parser, uint64_t *value)
{
    ltl_lexer ahead = parser->lexer;
    ltl_token number;
    ltl_lexer_next(&ahead, LTL_LEX_BOUND, &number);
    if (number.kind != LTL_TOKEN_NUMBER)
        return false;
    *value = read_number(parser, &number);
    const char *text = parser->lexer.text, *after = text + number.end, *end = text + ahead.length;
    bool is_word = after < end && (isalnum((unsigned char)*after) || strchr("._", *after));
    while (after < end && base_is_blank(*after))
        after++;
    return !is_word && (after == end || !strchr("+-*/", *after)) && *value < UINT32_MAX;
}

/* Writes a PRISM bound such as F<=5 in the infix syntax; false if the bound is not an integer or empty. */
static bool write_bound(const infix *parser, ltl_op op, const ltl_token *token, char *text,
                        size_t size)
{
    uint64_t n;
    char letter = op == LTL_X ? 'X' : op == LTL_F ? 'F' : 'G';
    bool is_strict = token->kind == LTL_TOKEN_LESS || token->kind == LTL_TOKEN_GREATER;
    if (!read_plain_bound(parser, &n) || (n == 0 && token->kind == LTL_TOKEN_LESS))
        return false;
    if (op == LTL_X)
        snprintf(text, size, "X[%" PRIu64 "]", n);
    else if (token->kind == LTL_TOKEN_GREATER || token->kind == LTL_TOKEN_GREATER_EQUAL)
        snprintf(text, size, "%c[%" PRIu64 ",]", letter, n + is_strict);
    else if (token->kind == LTL_TOKEN_EQUAL)
        snprintf(text, size, "%c[%" PRIu64 ",%" PRIu64 "]", letter, n, n);
    else
        snprintf(text, size, "%c[0,%" PRIu64 "]", letter, n - is_strict);
    return true;
}

/* Fails because of a bound in PRISM syntax after the operator that was read last. */
static opac_status fail_bound(const infix *parser, ltl_op op, const ltl_token *token)
{
    char shown[OPAC_SHOWN_SIZE], bound[64];
    ltl_token_show(&parser->lexer, token, shown, sizeof shown);
    if (op != LTL_F && op != LTL_G && op != LTL_X)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operand, found %s; bounds of U, W, R and M are supported "
                            "in PRISM properties only",
                            shown);
    bool is_plain = write_bound(parser, op, token, bound, sizeof bound);
    return base_fail_at(
        parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
        "expected an operand, found %s; in a formula %s%s, the other form is for "
        "PRISM properties",
        shown, is_plain ? "this bound is written " : "bounds are whole numbers in brackets, as in ",
        is_plain      ? bound
        : op == LTL_X ? "X[5]"
        : op == LTL_F ? "F[0,5]"
                      : "G[0,5]");
}

static opac_status next_number(infix *parser, uint64_t *value)
{
    ltl_token token;
    ltl_lexer_next(&parser->lexer, LTL_LEX_BOUND, &token);
    if (token.kind != LTL_TOKEN_NUMBER)
        return ltl_token_unexpected(&parser->lexer, &token, "a number of steps", parser->error);
    *value = read_number(parser, &token);
    return OPAC_OK;
}

/* Reads the second bound of F[m:n], up to the bracket. */
static opac_status read_upper(infix *parser, const frame *top, ltl_bounds *bounds)
{
    ltl_token token;
    char letter = top->op == LTL_F ? 'F' : 'G';
    ltl_lexer_next(&parser->lexer, LTL_LEX_BOUND, &token);
    if (token.kind == LTL_TOKEN_CLOSE_BRACKET)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token.line, token.column,
                            "%c takes two bounds, as in %c[0:%" PRIu64 "]", letter, letter,
                            bounds->low);
    if (token.kind != LTL_TOKEN_COLON && token.kind != LTL_TOKEN_COMMA &&
        token.kind != LTL_TOKEN_DOTS)
        return ltl_token_unexpected(&parser->lexer, &token, "':' and a second bound",
                                    parser->error);
    bounds->high = LTL_UNBOUNDED;
    if (ltl_lexer_peek(&parser->lexer, &token) == LTL_TOKEN_CLOSE_BRACKET)
        return OPAC_OK;
    TRY(next_number(parser, &bounds->high));
    if (bounds->high < bounds->low)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token.line, token.column,
                            "the second bound, %" PRIu64 ", is below the first, %" PRIu64,
                            bounds->high, bounds->low);
    return OPAC_OK;
}

/* Reads [n] after X, or [m:n] after F and G, if there is one. The symbol [] is the operator G. */
static opac_status read_bounds(infix *parser, frame *top)
{
    ltl_token token;
    if (ltl_lexer_peek(&parser->lexer, NULL) != LTL_TOKEN_OPEN_BRACKET)
        return OPAC_OK;
    ltl_lexer_next(&parser->lexer, LTL_LEX_BOUND, &token);
    if (is_comparison(ltl_lexer_peek(&parser->lexer, NULL))) {
        ltl_lexer_next(&parser->lexer, LTL_LEX_BOUND, &token);
        return fail_bound(parser, top->op, &token);
    }
    top->bounds.given = true;
    TRY(next_number(parser, &top->bounds.low));
    if (top->op == LTL_X)
        top->bounds.high = top->bounds.low;
    else
        TRY(read_upper(parser, top, &top->bounds));
    ltl_lexer_next(&parser->lexer, LTL_LEX_BOUND, &token);
    if (token.kind != LTL_TOKEN_CLOSE_BRACKET)
        return ltl_token_unexpected(&parser->lexer, &token, "']'", parser->error);
    return OPAC_OK;
}

static opac_status push_prefix(infix *parser, const ltl_token *token, ltl_op op)
{
    frame top = {.bind = BIND_PREFIX,
                 .is_prefix = true,
                 .op = op,
                 .line = token->line,
                 .column = token->column};
    if (token->kind == LTL_TOKEN_WORD)
        TRY(read_bounds(parser, &top));
    return push_frame(parser, top);
}

static ltl_op prefix_of(char letter)
{
    if (letter == 'X')
        return LTL_X;
    return letter == 'F' ? LTL_F : LTL_G;
}

static ltl_lexer at_start(const ltl_lexer *lexer)
{
    ltl_lexer start = *lexer;
    start.at = start.word_end = 0;
    start.line = start.column = 1;
    return start;
}

/* The position of the first token. */
static size_t first_of(const ltl_lexer *lexer)
{
    ltl_lexer start = at_start(lexer);
    ltl_token first;
    ltl_lexer_next(&start, LTL_LEX_FORMULA, &first);
    return first.begin;
}

static opac_status fail_property(const infix *parser, const ltl_token *first)
{
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, first->line, first->column,
                        "this looks like a PRISM property; expected only a formula, without "
                        "P=? [ and ]");
}

/* Reads a word: pushes an operand and sets *is_operand, or pushes a prefix operator and clears it. */
static opac_status read_word(infix *parser, ltl_token *token, bool *is_operand)
{
    ltl_lexer *lexer = &parser->lexer;
    *is_operand = true;
    if (same_letters(lexer, token, "true") || same_letters(lexer, token, "false")) {
        bool is_true = token->end - token->begin == 4;
        return ltl_operand_stack_push(&parser->operands, is_true ? LTL_TRUE : LTL_FALSE,
                                      parser->error);
    }
    bool is_constant = ltl_token_is(lexer, token, "tt") || ltl_token_is(lexer, token, "ff");
    bool is_prefix = ltl_token_is_prefix(lexer, token, parser->words);
    bool is_letter = token->end - token->begin == 1;
    if (is_constant || (is_prefix && !is_letter)) {
        const char *label = find_label(parser, token);
        if (label != NULL)
            return push_label(parser, token, label);
    }
    if (is_constant)
        return ltl_operand_stack_push(&parser->operands,
                                      lexer->text[token->begin] == 't' ? LTL_TRUE : LTL_FALSE,
                                      parser->error);
    if (is_prefix) {
        *is_operand = false;
        ltl_lexer_split(lexer, token);
        return push_prefix(parser, token, prefix_of(lexer->text[token->begin]));
    }
    if (token->begin == first_of(lexer) && is_comparison(ltl_lexer_peek(lexer, NULL)) &&
        ltl_token_is_one_of(lexer, token, property_words, COUNT(property_words)))
        return fail_property(parser, token);
    if (ltl_token_is_one_of(lexer, token, binary_words, COUNT(binary_words)) ||
        ltl_token_is(lexer, token, "xor")) {
        char shown[OPAC_SHOWN_SIZE];
        ltl_token_show(lexer, token, shown, sizeof shown);
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operand, found the operator %s; a proposition with that "
                            "name must be in quotes",
                            shown);
    }
    return push_name(parser, token, 0, lexer->text + token->begin, token->end - token->begin);
}

static opac_status push_constant(infix *parser, const ltl_token *token)
{
    bool is_true = ltl_token_is(&parser->lexer, token, "1");
    if (!is_true && !ltl_token_is(&parser->lexer, token, "0")) {
        char shown[OPAC_SHOWN_SIZE];
        ltl_token_show(&parser->lexer, token, shown, sizeof shown);
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operand, found the number %s; only 0 and 1 are formulas",
                            shown);
    }
    return ltl_operand_stack_push(&parser->operands, is_true ? LTL_TRUE : LTL_FALSE, parser->error);
}

/* Fails at the end of the text: the text is empty, or the operand of an operator is missing. */
static opac_status fail_at_end(const infix *parser, const ltl_token *token)
{
    if (parser->frames.count == 0)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "the formula is empty");
    return ltl_token_unexpected(&parser->lexer, token, "an operand", parser->error);
}

static opac_status fail_operand(const infix *parser, const ltl_token *token)
{
    if (parser->frames.count > 0) {
        const frame *top = &parser->frames.items[parser->frames.count - 1];
        bool is_next = top->is_prefix && top->op != LTL_NOT;
        bool is_until = !top->is_prefix && top->bind == BIND_UNTIL;
        if ((is_comparison(token->kind) && (is_next || is_until)) ||
            (token->kind == LTL_TOKEN_OPEN_BRACKET && is_until))
            return fail_bound(parser, top->op, token);
    }
    return ltl_token_unexpected(&parser->lexer, token, "an operand", parser->error);
}

/* Reads one token where an operand is expected. */
static opac_status read_operand(infix *parser, bool *is_operand)
{
    ltl_token token;
    ltl_lexer_next(&parser->lexer, LTL_LEX_FORMULA, &token);
    *is_operand = false;
    switch (token.kind) {
    case LTL_TOKEN_OPEN:
        return push_frame(parser, (frame){.line = token.line, .column = token.column});
    case LTL_TOKEN_NOT:
        return push_prefix(parser, &token, LTL_NOT);
    case LTL_TOKEN_DIAMOND:
        return push_prefix(parser, &token, LTL_F);
    case LTL_TOKEN_BOX:
        return push_prefix(parser, &token, LTL_G);
    case LTL_TOKEN_WORD:
        return read_word(parser, &token, is_operand);
    case LTL_TOKEN_NUMBER:
        *is_operand = true;
        return push_constant(parser, &token);
    case LTL_TOKEN_QUOTED:
        *is_operand = true;
        return push_quoted(parser, &token);
    case LTL_TOKEN_END:
        return fail_at_end(parser, &token);
    default:
        return fail_operand(parser, &token);
    }
}

/* ---- operators ---- */

/* Fails because of a comparison, which is part of a PRISM property or of an expression without quotes. */
static opac_status fail_comparison(const infix *parser, const ltl_token *token)
{
    ltl_lexer start = at_start(&parser->lexer);
    ltl_token first, second;
    char shown[OPAC_SHOWN_SIZE];
    ltl_lexer_next(&start, LTL_LEX_FORMULA, &first);
    ltl_lexer_next(&start, LTL_LEX_FORMULA, &second);
    if (second.begin == token->begin &&
        ltl_token_is_one_of(&start, &first, property_words, COUNT(property_words)))
        return fail_property(parser, &first);
    ltl_token_show(&parser->lexer, token, shown, sizeof shown);
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                        "expected an operator, found the comparison %s; an expression of the "
                        "model's variables must be in quotes, as in \"x=3\"",
                        shown);
}

/* The symbol of an operator that is spelled as a word; NULL for other tokens. */
static const char *sign_of(const ltl_lexer *lexer, const ltl_token *token)
{
    static const struct {
        const char *word, *sign;
    } words[] = {{"and", "&"},      {"AND", "&"},   {"or", "|"},    {"OR", "|"},
                 {"implies", "->"}, {"iff", "<->"}, {"until", "U"}, {"release", "R"}};
    for (size_t i = 0; token->kind == LTL_TOKEN_WORD && i < COUNT(words); i++)
        if (ltl_token_is(lexer, token, words[i].word))
            return words[i].sign;
    return NULL;
}

/* A hint if the word before the token is an operator of another notation; "" otherwise. */
static const char *hint_of_previous(const ltl_lexer *lexer, const ltl_token *token)
{
    static const char negation[] = "; negation is written '!'";
    static const char quantifier[] = "; path quantifiers (A, E) are not part of LTL";
    static const struct {
        const char *word, *hint;
    } words[] = {{"not", negation},  {"NOT", negation},  {"A", quantifier},  {"E", quantifier},
                 {"AG", quantifier}, {"AF", quantifier}, {"EG", quantifier}, {"EF", quantifier}};
    size_t end = token->begin;
    while (end > 0 && base_is_space(lexer->text[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && base_is_name_character(lexer->text[begin - 1]))
        begin--;
    const ltl_token previous = {.begin = begin, .end = end};
    for (size_t i = 0; i < COUNT(words); i++)
        if (ltl_token_is(lexer, &previous, words[i].word))
            return words[i].hint;
    return "";
}

static opac_status fail_operator(const infix *parser, const ltl_token *token)
{
    char shown[OPAC_SHOWN_SIZE];
    ltl_token_show(&parser->lexer, token, shown, sizeof shown);
    const char *sign = sign_of(&parser->lexer, token);
    if (is_comparison(token->kind))
        return fail_comparison(parser, token);
    if (sign != NULL)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operator, found %s, which is written '%s'", shown, sign);
    switch (token->kind) {
    case LTL_TOKEN_MINUS:
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operator, found '-'; implication is written '->'");
    case LTL_TOKEN_WORD:
    case LTL_TOKEN_NUMBER:
    case LTL_TOKEN_QUOTED:
    case LTL_TOKEN_OPEN:
    case LTL_TOKEN_NOT:
    case LTL_TOKEN_BOX:
    case LTL_TOKEN_DIAMOND:
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "expected an operator between two operands, found %s%s", shown,
                            hint_of_previous(&parser->lexer, token));
    default:
        return ltl_token_unexpected(&parser->lexer, token, "an operator", parser->error);
    }
}

/* Finds the binary operator of the token. A word that begins with an operator is split. */
static bool find_binary(infix *parser, ltl_token *token, frame *top)
{
    *top = (frame){.line = token->line, .column = token->column, .bind = BIND_UNTIL};
    switch (token->kind) {
    case LTL_TOKEN_IMPLIES:
    case LTL_TOKEN_IFF:
        top->bind = BIND_IMPLIES;
        top->op = token->kind == LTL_TOKEN_IFF ? LTL_IFF : LTL_IMPLIES;
        return true;
    case LTL_TOKEN_AND:
        top->bind = BIND_AND;
        top->op = LTL_AND;
        return true;
    case LTL_TOKEN_OR:
        top->bind = BIND_OR;
        top->op = LTL_OR;
        return true;
    case LTL_TOKEN_XOR:
        break;
    case LTL_TOKEN_WORD:
        if (ltl_token_is(&parser->lexer, token, "xor"))
            break;
        switch (parser->lexer.text[token->begin]) {
        case 'U':
            top->op = LTL_U;
            break;
        case 'W':
            top->op = LTL_W;
            break;
        case 'M':
            top->op = LTL_M;
            break;
        case 'R':
        case 'V':
            top->op = LTL_R;
            break;
        default:
            return false;
        }
        if (parser->words == LTL_WORDS_WHOLE && token->end - token->begin > 1)
            return false;
        ltl_lexer_split(&parser->lexer, token);
        return true;
    default:
        return false;
    }
    top->bind = BIND_XOR;
    top->op = LTL_XOR;
    return true;
}

static opac_status close_parenthesis(infix *parser, const ltl_token *token)
{
    TRY(reduce_above(parser, BIND_PARENTHESIS, false));
    if (parser->frames.count == 0)
        return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, token->line, token->column,
                            "this ')' has no '(' before it");
    parser->frames.count--;
    return OPAC_OK;
}

static opac_status close_all(infix *parser, const ltl_token *end)
{
    TRY(reduce_above(parser, BIND_PARENTHESIS, false));
    if (parser->frames.count == 0)
        return OPAC_OK;
    const frame *open = &parser->frames.items[parser->frames.count - 1];
    return base_fail_at(parser->error, OPAC_ERROR_SYNTAX, end->line, end->column,
                        "expected ')', found the end of the formula; the parenthesis opened at "
                        "line %u, column %u is not closed",
                        open->line, open->column);
}

/* Reads one token where an operator is expected. */
static opac_status read_operator(infix *parser, bool *is_operator, bool *is_end)
{
    ltl_token token;
    frame top;
    ltl_lexer_next(&parser->lexer, LTL_LEX_FORMULA, &token);
    *is_operator = false;
    if (token.kind == LTL_TOKEN_CLOSE)
        return close_parenthesis(parser, &token);
    if (token.kind == LTL_TOKEN_END) {
        *is_end = true;
        return close_all(parser, &token);
    }
    *is_operator = true;
    if (!find_binary(parser, &token, &top))
        return fail_operator(parser, &token);
    bool is_left = top.bind == BIND_XOR || top.bind == BIND_AND || top.bind == BIND_OR;
    TRY(reduce_above(parser, top.bind, is_left));
    TRY(set_position(parser,
                     ltl_operand_stack_begin_binary(&parser->operands, top.op, parser->error),
                     top.line, top.column));
    return push_frame(parser, top);
}

static opac_status run(infix *parser, ltl_formula *formula)
{
    bool is_operand, is_operator, is_end = false;
    while (!is_end) {
        do
            TRY(read_operand(parser, &is_operand));
        while (!is_operand);
        do
            TRY(read_operator(parser, &is_operator, &is_end));
        while (!is_operator && !is_end);
    }
    return set_position(parser, ltl_operand_stack_pop(&parser->operands, formula, parser->error), 1,
                        1);
}

opac_status ltl_read_infix(ltl_store *store, const char *text, size_t length,
                           const opac_formula_options *options, ltl_words words,
                           ltl_formula *formula, opac_error *error)
{
    infix parser = {
        .operands = {.store = store}, .options = options, .words = words, .error = error};
    opac_status status;
    TRY_OR(done, ltl_lexer_open(&parser.lexer, LTL_GRAMMAR_INFIX, text, length, error));
    TRY_OR(done, ltl_store_check(store, error));
    status = run(&parser, formula);
done:
    ltl_operand_stack_fini(&parser.operands);
    frame_vec_fini(&parser.frames);
    base_text_fini(&parser.name);
    return status;
}

opac_status ltl_parse_infix(ltl_store *store, const char *text, size_t length,
                            const opac_formula_options *options, ltl_formula *formula,
                            opac_error *error)
{
    TRY(ltl_read_infix(store, text, length, options, LTL_WORDS_SPLIT, formula, error));
    if (options != NULL && options->notice != NULL)
        TRY(ltl_compare_grammars(LTL_GRAMMAR_INFIX, text, length, 1, 1, options, error));
    return OPAC_OK;
}
