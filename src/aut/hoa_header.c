/* SPDX-License-Identifier: MIT */
/*
 * The items of a header may come in any order, so what depends on two of them is checked at "--BODY--":
 * initial states and the number of states, aliases and propositions, the acceptance condition and its name.
 */
#include "aut/hoa_header.h"

#include <string.h>

#include <omegapac/text.h>

enum {
    NODES_A_BYTE = 4,      /* limit on the nodes of decision diagrams for each byte of the text, */
    LEAST_NODES = 1 << 20, /* which is at least this */
    SHORTEST_STATE = 8     /* bytes of "State:0 ", the shortest definition of a state */
};

typedef opac_status (*item_reader)(hoa_header *header, hoa_lexer *lexer, opac_error *error);

typedef struct header_item {
    const char *name;
    item_reader read; /* starts at the token after the name */
    bool may_repeat;
} header_item;

void hoa_header_fini(hoa_header *header)
{
    hoa_start_vec_fini(&header->starts);
    hoa_labels_fini(&header->labels);
    hoa_acceptance_fini(&header->acceptance);
    base_arena_fini(&header->arena);
    base_text_fini(&header->scratch);
}

/* ---- states ---- */

opac_status hoa_read_state_number(const hoa_header *header, hoa_lexer *lexer, const char *expected,
                                  uint32_t *state, opac_error *error)
{
    hoa_position position = lexer->token.position;
    TRY(hoa_read_number(lexer, expected, state, error));
    if (header->has_states && *state >= header->states)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "state %u does not exist: 'States:' declares %u, numbered from 0",
                            *state, header->states);
    if (*state >= header->state_limit)
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "state %u: a text of this length can have at most %u states", *state,
                            header->state_limit);
    return OPAC_OK;
}

static opac_status read_states(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    hoa_position position = lexer->token.position;
    TRY(hoa_read_number(lexer, "the number of states", &header->states, error));
    header->has_states = true;
    if (header->states > header->state_limit)
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "%u states: a text of this length can have at most %u", header->states,
                            header->state_limit);
    return OPAC_OK;
}

static opac_status read_start(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    hoa_start start = {.position = lexer->token.position};
    TRY(hoa_read_number(lexer, "the number of an initial state", &start.state, error));
    if (hoa_at_sign(lexer, '&'))
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, lexer->token.position.line,
                            lexer->token.position.column,
                            "universal branching is not supported: expected one initial state, "
                            "found '&'");
    return hoa_start_vec_push(&header->starts, start, error);
}

/* "States:" may come after "Start:". */
static opac_status check_starts(const hoa_header *header, opac_error *error)
{
    for (size_t i = 0; i < header->starts.count; i++) {
        hoa_start start = header->starts.items[i];
        if (header->has_states && start.state >= header->states)
            return base_fail_at(error, OPAC_ERROR_SYNTAX, start.position.line,
                                start.position.column,
                                "initial state %u does not exist: 'States:' declares %u, numbered "
                                "from 0",
                                start.state, header->states);
        if (start.state >= header->state_limit)
            return base_fail_at(error, OPAC_ERROR_LIMIT, start.position.line, start.position.column,
                                "initial state %u: a text of this length can have at most %u "
                                "states",
                                start.state, header->state_limit);
    }
    return OPAC_OK;
}

/* ---- texts and propositions ---- */

/* Copies a string token to the arena, with a terminating NUL. */
static opac_status read_string(hoa_header *header, hoa_lexer *lexer, const char *expected,
                               const char **string, opac_error *error)
{
    if (lexer->token.kind != HOA_TOKEN_STRING)
        return hoa_fail_expected(lexer, expected, error);
    base_text_clear(&header->scratch);
    hoa_token_decode(&lexer->token, &header->scratch);
    TRY(base_text_check(&header->scratch, error));
    *string = base_arena_copy_text(&header->arena, base_text_get(&header->scratch),
                                   header->scratch.length);
    return *string != NULL ? hoa_lexer_next(lexer, error) : base_fail_memory(error);
}

static opac_status read_name(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    return read_string(header, lexer, "a name in quotes", &header->name, error);
}

static opac_status read_tool(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    const char *ignored;
    TRY(read_string(header, lexer, "the name of a tool in quotes", &ignored, error));
    if (lexer->token.kind == HOA_TOKEN_STRING)
        TRY(hoa_lexer_next(lexer, error));
    return OPAC_OK;
}

static opac_status read_proposition(hoa_header *header, hoa_lexer *lexer, uint32_t index,
                                    uint32_t count, uint32_t *epsilon, opac_error *error)
{
    char expected[64];
    const char *name = "";
    hoa_position position = lexer->token.position;
    snprintf(expected, sizeof expected, "the name of proposition %u of %u in quotes", index, count);
    TRY(read_string(header, lexer, expected, &name, error));
    bool is_epsilon = strcmp(name, "epsilon") == 0, is_double = is_epsilon && *epsilon != HOA_NONE;
    for (uint32_t i = 0; i < header->name_count; i++)
        is_double = is_double || strcmp(header->names[i], name) == 0;
    if (is_double) {
        char shown[OPAC_SHOWN_SIZE];
        opac_text_show(name, strlen(name), shown, sizeof shown);
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "duplicate proposition '%s'", shown);
    }
    if (is_epsilon)
        *epsilon = index;
    else
        header->names[header->name_count++] = name;
    return OPAC_OK;
}

static opac_status read_propositions(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    hoa_position position = lexer->token.position;
    uint32_t count = 0, epsilon = HOA_NONE;
    TRY(hoa_read_number(lexer, "the number of propositions", &count, error));
    for (uint32_t i = 0; i < count && count <= HOA_MOST_PROPOSITIONS; i++)
        TRY(read_proposition(header, lexer, i, count, &epsilon, error));
    if (count > (epsilon == HOA_NONE ? AUT_MOST_PROPOSITIONS : HOA_MOST_PROPOSITIONS))
        return base_fail_at(error, OPAC_ERROR_LIMIT, position.line, position.column,
                            "%u propositions; at most %d are supported", count,
                            AUT_MOST_PROPOSITIONS);
    if (lexer->token.kind == HOA_TOKEN_STRING)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                            lexer->token.position.column,
                            "'AP:' declares %u propositions but has more names", count);
    return hoa_labels_count(&header->labels, count, epsilon, error);
}

/* ---- other items ---- */

static opac_status read_alias(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    return hoa_alias_read(&header->labels, lexer, error);
}

static opac_status read_acceptance(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    TRY(hoa_acceptance_read(&header->acceptance, lexer, &header->labels.stacks, error));
    if (lexer->token.kind == HOA_TOKEN_WORD || lexer->token.kind == HOA_TOKEN_SIGN)
        return hoa_fail_expected(
            lexer, "'&', '|', a header or '--BODY--' after the acceptance condition", error);
    return OPAC_OK;
}

static opac_status read_acceptance_name(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    header->acceptance.name_position = lexer->token.position;
    return hoa_acceptance_read_name(&header->acceptance, lexer, error);
}

static opac_status read_properties(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    return hoa_claims_read(&header->claims, lexer, error);
}

static const header_item items[] = {
    {"States:", read_states, false},
    {"Start:", read_start, true},
    {"AP:", read_propositions, false},
    {"Alias:", read_alias, true},
    {"Acceptance:", read_acceptance, false},
    {"acc-name:", read_acceptance_name, false},
    {"tool:", read_tool, false},
    {"name:", read_name, false},
    {"properties:", read_properties, true},
};

enum {
    ITEM_COUNT = sizeof items / sizeof items[0],
    ACCEPTANCE_ITEM = 4
};

static const char *nearest_item(const hoa_token *token)
{
    const char *candidates[ITEM_COUNT];
    char word[32] = "";
    if (token->length < sizeof word)
        memcpy(word, token->text, token->length);
    for (size_t i = 0; i < ITEM_COUNT; i++)
        candidates[i] = items[i].name;
    return word[0] != '\0' ? opac_text_nearest(word, candidates, ITEM_COUNT) : NULL;
}

/* Skips a header item that the format does not define. A capital letter means that it changes the
 * semantics. */
static opac_status skip_unknown(hoa_lexer *lexer, opac_error *error)
{
    hoa_token name = lexer->token;
    char shown[OPAC_SHOWN_SIZE];
    const char *nearest = nearest_item(&name);
    bool is_capital = name.text[0] >= 'A' && name.text[0] <= 'Z';
    opac_text_show(name.text, name.length, shown, sizeof shown);
    if (is_capital && nearest != NULL)
        hoa_notice(lexer, name.position,
                   "the header '%s' is unknown and ignored, although it may change the language "
                   "of the automaton; did you mean '%s'?",
                   shown, nearest);
    else if (is_capital)
        hoa_notice(lexer, name.position,
                   "the header '%s' is unknown and ignored, although it may change the language "
                   "of the automaton",
                   shown);
    else if (nearest != NULL)
        hoa_notice(lexer, name.position, "the header '%s' is ignored; did you mean '%s'?", shown,
                   nearest);
    TRY(hoa_lexer_next(lexer, error));
    while (lexer->token.kind == HOA_TOKEN_WORD || lexer->token.kind == HOA_TOKEN_NUMBER ||
           lexer->token.kind == HOA_TOKEN_STRING)
        TRY(hoa_lexer_next(lexer, error));
    return OPAC_OK;
}

/* Fails on header items that cannot be ignored. */
static opac_status reject_unsupported(const hoa_lexer *lexer, opac_error *error)
{
    const hoa_token *token = &lexer->token;
    if (hoa_token_is(token, HOA_TOKEN_HEADER, "Alphabet:"))
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, token->position.line,
                            token->position.column,
                            "'Alphabet:' is not supported: expected letters that are sets of "
                            "propositions ('AP:')");
    if (hoa_token_is(token, HOA_TOKEN_HEADER, "HOA:") ||
        hoa_token_is(token, HOA_TOKEN_HEADER, "State:"))
        return hoa_fail_expected(lexer, "'--BODY--' at the end of the header", error);
    return OPAC_OK;
}

static opac_status read_item(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    for (size_t i = 0; i < ITEM_COUNT; i++) {
        const header_item *item = &items[i];
        if (!hoa_token_is(&lexer->token, HOA_TOKEN_HEADER, item->name))
            continue;
        if (!item->may_repeat && (header->seen >> i) & 1)
            return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                                lexer->token.position.column, "duplicate header '%s'", item->name);
        header->seen |= UINT32_C(1) << i;
        TRY(hoa_lexer_next(lexer, error));
        return item->read(header, lexer, error);
    }
    TRY(reject_unsupported(lexer, error));
    return skip_unknown(lexer, error);
}

/* ---- the whole ---- */

static opac_status read_version(hoa_lexer *lexer, opac_error *error)
{
    if (!hoa_token_is(&lexer->token, HOA_TOKEN_HEADER, "HOA:"))
        return hoa_fail_expected(lexer, "'HOA:' at the beginning of an automaton", error);
    TRY(hoa_lexer_next(lexer, error));
    const hoa_token *token = &lexer->token;
    if (token->kind != HOA_TOKEN_WORD)
        return hoa_fail_expected(lexer, "the version 'v1'", error);
    if (!hoa_token_is(token, HOA_TOKEN_WORD, "v1") &&
        !hoa_token_is(token, HOA_TOKEN_WORD, "v1.1")) {
        char shown[OPAC_SHOWN_SIZE];
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, token->position.line,
                            token->position.column,
                            "version '%s' of HOA is not supported: expected 'v1' or 'v1.1'",
                            opac_text_show(token->text, token->length, shown, sizeof shown));
    }
    return hoa_lexer_next(lexer, error);
}

/* Checks what depends on several items. */
static opac_status check_header(hoa_header *header, const hoa_lexer *lexer, opac_error *error)
{
    if (((header->seen >> ACCEPTANCE_ITEM) & 1) == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                            lexer->token.position.column,
                            "expected the header 'Acceptance:' before '--BODY--'");
    TRY(check_starts(header, error));
    if (header->labels.count == HOA_NONE)
        TRY(hoa_labels_count(&header->labels, 0, HOA_NONE, error));
    return hoa_acceptance_check_name(&header->acceptance, lexer, error);
}

opac_status hoa_header_read(hoa_header *header, hoa_lexer *lexer, opac_error *error)
{
    size_t states = lexer->length / SHORTEST_STATE, nodes = NODES_A_BYTE * lexer->length;
    *header = (hoa_header){.state_limit = AUT_STATE_LIMIT};
    if (states > AUT_STATE_LIMIT)
        header->state_limit = states < INT32_MAX ? (uint32_t)states : INT32_MAX;
    nodes = nodes < LEAST_NODES ? LEAST_NODES : nodes;
    TRY(hoa_labels_init(&header->labels, nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX,
                        lexer->work, error));
    TRY(read_version(lexer, error));
    while (lexer->token.kind == HOA_TOKEN_HEADER)
        TRY(read_item(header, lexer, error));
    if (lexer->token.kind != HOA_TOKEN_BODY)
        return hoa_fail_expected(lexer, "a header or '--BODY--'", error);
    TRY(check_header(header, lexer, error));
    return hoa_lexer_next(lexer, error);
}
