/* SPDX-License-Identifier: MIT */
/*
 * States are read one after the other. The label of a state, or its first edge, determines whether all of its
 * edges have the label of the state, labels of their own, or implicit labels.
 *
 * Edges with implicit labels are collected and sorted, so that all letters with the same target and marks
 * become one label.
 *
 * The number of states is that of the header, or else one more than the largest number that occurs. The only
 * data for each state is a bit that tells whether it is defined.
 */
#include "aut/hoa_body.h"

#include <stdlib.h>

#include "base/bits.h"

typedef enum label_kind {
    LABELS_UNKNOWN,  /* no edge so far */
    LABELS_OF_STATE, /* State: [label] … */
    LABELS_OF_EDGES, /* [label] target */
    LABELS_IMPLICIT  /* target target … */
} label_kind;

/* An edge without a label. */
typedef struct implicit_edge {
    uint32_t target;
    uint64_t sets, letter;
} implicit_edge;

/* Implicit edges with the same target and sets, and the first of their letters. */
typedef struct implicit_group {
    size_t begin, end;
    uint64_t letter;
} implicit_group;

BASE_VEC(implicit_vec, implicit_edge);
BASE_VEC(group_vec, implicit_group);

typedef struct hoa_body {
    hoa_header *header;
    hoa_lexer *lexer;
    aut_builder *builder;
    hoa_usage *usage;
    base_u64_vec defined;  /* a bit for each state */
    uint32_t state_count;  /* one more than the largest number that occurred */
    implicit_vec implicit; /* of the state that is being read */
    group_vec groups;
    base_u64_vec letters; /* of a group */
} hoa_body;

/* The state whose edges are being read. */
typedef struct open_state {
    uint32_t number;
    uint64_t sets;
    label_kind kind;
    aut_bdd label;               /* of the state */
    hoa_position label_position; /* of the label, or of the first edge without a label */
    uint64_t edge_count;
} open_state;

static opac_status read_state_number(hoa_body *body, const char *expected, uint32_t *state,
                                     opac_error *error)
{
    TRY(hoa_read_state_number(body->header, body->lexer, expected, state, error));
    if (*state >= body->state_count)
        body->state_count = *state + 1;
    return OPAC_OK;
}

/* ---- states ---- */

static opac_status define(hoa_body *body, uint32_t state, hoa_position position, opac_error *error)
{
    while (body->defined.count <= state / 64)
        TRY(base_u64_vec_push(&body->defined, 0, error));
    uint64_t *word = &body->defined.items[state / 64], bit = UINT64_C(1) << (state % 64);
    if ((*word & bit) != 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "state %u is defined twice", state);
    *word |= bit;
    return OPAC_OK;
}

static opac_status read_label(hoa_body *body, aut_bdd *label, opac_error *error)
{
    TRY(hoa_lexer_next(body->lexer, error));
    TRY(hoa_label_read(&body->header->labels, body->lexer, label, error));
    return hoa_read_sign(body->lexer, ']', "an operator or ']' at the end of a label", error);
}

static opac_status read_state_name(hoa_body *body, uint32_t state, opac_error *error)
{
    base_text *scratch = &body->header->scratch;
    base_text_clear(scratch);
    hoa_token_decode(&body->lexer->token, scratch);
    TRY(base_text_check(scratch, error));
    aut_builder_state_name(body->builder, state, base_text_get(scratch), scratch->length);
    return hoa_lexer_next(body->lexer, error);
}

/* Reads "State:" and the tokens up to the first edge. */
static opac_status read_state_line(hoa_body *body, open_state *state, opac_error *error)
{
    hoa_lexer *lexer = body->lexer;
    *state = (open_state){.kind = LABELS_UNKNOWN};
    TRY(hoa_lexer_next(lexer, error));
    if (hoa_at_sign(lexer, '[')) {
        state->kind = LABELS_OF_STATE;
        state->label_position = lexer->token.position;
        body->usage->state_labels = true;
        TRY(read_label(body, &state->label, error));
    }
    hoa_position position = lexer->token.position;
    TRY(read_state_number(body, "the number of a state", &state->number, error));
    TRY(define(body, state->number, position, error));
    if (lexer->token.kind == HOA_TOKEN_STRING)
        TRY(read_state_name(body, state->number, error));
    TRY(hoa_marks_read(&body->header->acceptance, lexer, &state->sets, error));
    body->usage->state_marks = body->usage->state_marks || state->sets != 0;
    return OPAC_OK;
}

/* ---- edges ---- */

static uint64_t letters(const hoa_body *body)
{
    uint32_t count = body->header->labels.count;
    return count < 64 ? UINT64_C(1) << count : UINT64_MAX;
}

static opac_status fail_mixed(const open_state *state, hoa_position position, opac_error *error)
{
    if (state->kind == LABELS_OF_STATE)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "labels are mixed: state %u has a label, so its edges must have none",
                            state->number);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                        state->kind == LABELS_OF_EDGES
                            ? "labels are mixed: previous edges of state %u have labels; expected "
                              "'['"
                            : "labels are mixed: previous edges of state %u have no labels; "
                              "expected a state number",
                        state->number);
}

/* Finds the label of the next edge, over the propositions of the file, unless it is implicit. */
static opac_status find_label(hoa_body *body, open_state *state, aut_bdd *label, opac_error *error)
{
    hoa_position position = body->lexer->token.position;
    bool is_explicit = hoa_at_sign(body->lexer, '[');
    if (state->kind == LABELS_UNKNOWN)
        state->kind = is_explicit ? LABELS_OF_EDGES : LABELS_IMPLICIT;
    if (is_explicit != (state->kind == LABELS_OF_EDGES))
        return fail_mixed(state, position, error);
    if (state->kind == LABELS_OF_STATE) {
        *label = state->label;
        return OPAC_OK;
    }
    if (is_explicit) {
        body->usage->edge_labels = true;
        return read_label(body, label, error);
    }
    body->usage->implicit_labels = true;
    if (state->edge_count == 0)
        state->label_position = position;
    if (state->edge_count == letters(body))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, position.line, position.column,
                            "state %u has too many edges without labels: expected 2^%u, one for "
                            "each letter",
                            state->number, body->header->labels.count);
    return OPAC_OK;
}

static opac_status add_edge(hoa_body *body, const open_state *state, aut_bdd label,
                            hoa_position position, uint32_t target, uint64_t sets,
                            opac_error *error)
{
    bool with_epsilon;
    aut_edge edge = {.target = target,
                     .marks = hoa_acceptance_marks(&body->header->acceptance, sets)};
    TRY(hoa_label_move(&body->header->labels, label, position, &edge.label, &with_epsilon, error));
    aut_builder_edge(body->builder, state->number, edge);
    if (with_epsilon) {
        edge.label = AUT_EPSILON;
        aut_builder_edge(body->builder, state->number, edge);
    }
    return OPAC_OK;
}

static opac_status read_edge(hoa_body *body, open_state *state, opac_error *error)
{
    hoa_lexer *lexer = body->lexer;
    hoa_position position = lexer->token.position;
    uint32_t target = 0;
    uint64_t sets = 0;
    aut_bdd label = AUT_BDD_FALSE;
    TRY(find_label(body, state, &label, error));
    TRY(read_state_number(body, "the number of the state that the edge leads to", &target, error));
    if (hoa_at_sign(lexer, '&'))
        return base_fail_at(error, OPAC_ERROR_UNSUPPORTED, lexer->token.position.line,
                            lexer->token.position.column,
                            "universal branching is not supported: expected one state, found '&'");
    TRY(hoa_marks_read(&body->header->acceptance, lexer, &sets, error));
    uint64_t letter = state->edge_count++;
    body->usage->edge_marks = body->usage->edge_marks || sets != 0;
    sets |= state->sets;
    body->usage->uncoloured = body->usage->uncoloured || base_popcount(sets) != 1;
    if (state->kind == LABELS_IMPLICIT)
        return implicit_vec_push(&body->implicit, (implicit_edge){target, sets, letter}, error);
    return add_edge(body, state, label,
                    state->kind == LABELS_OF_STATE ? state->label_position : position, target, sets,
                    error);
}

static int compare_implicit(const void *a, const void *b)
{
    const implicit_edge *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->sets != y->sets)
        return x->sets < y->sets ? -1 : 1;
    return (x->letter > y->letter) - (x->letter < y->letter);
}

static int compare_groups(const void *a, const void *b)
{
    const implicit_group *x = a, *y = b;
    return (x->letter > y->letter) - (x->letter < y->letter);
}

/* Groups are sorted by their first letters, so that equal states get their edges in the same order. */
static opac_status find_groups(hoa_body *body, opac_error *error)
{
    implicit_edge *edges = body->implicit.items;
    size_t count = body->implicit.count;
    body->groups.count = 0;
    qsort(edges, count, sizeof *edges, compare_implicit);
    for (size_t i = 0; i < count;) {
        implicit_group group = {.begin = i, .letter = edges[i].letter};
        while (i < count && edges[i].target == edges[group.begin].target &&
               edges[i].sets == edges[group.begin].sets)
            i++;
        group.end = i;
        TRY(group_vec_push(&body->groups, group, error));
    }
    qsort(body->groups.items, body->groups.count, sizeof *body->groups.items, compare_groups);
    return OPAC_OK;
}

/* Adds the implicit edges of a state, joined if they have the same target and marks. */
static opac_status add_implicit(hoa_body *body, const open_state *state, opac_error *error)
{
    const implicit_edge *edges = body->implicit.items;
    TRY(find_groups(body, error));
    for (size_t i = 0; i < body->groups.count; i++) {
        implicit_group group = body->groups.items[i];
        aut_bdd label = AUT_BDD_FALSE;
        body->letters.count = 0;
        for (size_t j = group.begin; j < group.end; j++)
            TRY(base_u64_vec_push(&body->letters, edges[j].letter, error));
        TRY(hoa_label_of_letters(&body->header->labels, body->letters.items, body->letters.count,
                                 state->label_position, &label, error));
        TRY(add_edge(body, state, label, state->label_position, edges[group.begin].target,
                     edges[group.begin].sets, error));
    }
    return OPAC_OK;
}

static opac_status read_state(hoa_body *body, opac_error *error)
{
    open_state state;
    hoa_lexer *lexer = body->lexer;
    TRY(read_state_line(body, &state, error));
    body->implicit.count = 0;
    while (hoa_at_sign(lexer, '[') || lexer->token.kind == HOA_TOKEN_NUMBER)
        TRY(read_edge(body, &state, error));
    if (state.kind != LABELS_IMPLICIT)
        return OPAC_OK;
    if (state.edge_count < letters(body))
        return base_fail_at(error, OPAC_ERROR_SYNTAX, lexer->token.position.line,
                            lexer->token.position.column,
                            "state %u has too few edges without labels: expected 2^%u, one for "
                            "each letter",
                            state.number, body->header->labels.count);
    return add_implicit(body, &state, error);
}

/* ---- the whole ---- */

static void report_undefined(const hoa_body *body)
{
    uint32_t first = 0, count = 0;
    for (uint32_t state = body->state_count; state-- > 0;) {
        bool is_defined = state / 64 < body->defined.count &&
                          (body->defined.items[state / 64] >> (state % 64)) & 1;
        if (is_defined)
            continue;
        first = state;
        count++;
    }
    if (count == 1)
        hoa_notice(body->lexer, body->lexer->token.position,
                   "state %u is not defined, so it accepts no word", first);
    else if (count > 1)
        hoa_notice(body->lexer, body->lexer->token.position,
                   "%u states are not defined, the first is %u, so they accept no word", count,
                   first);
}

static opac_status read_all(hoa_body *body, opac_error *error)
{
    const hoa_token *token = &body->lexer->token;
    while (hoa_token_is(token, HOA_TOKEN_HEADER, "State:"))
        TRY(read_state(body, error));
    if (token->kind == HOA_TOKEN_END)
        return OPAC_OK;
    return hoa_fail_expected(body->lexer,
                             body->defined.count > 0 ? "an edge, 'State:' or '--END--'"
                                                     : "'State:' or '--END--'",
                             error);
}

opac_status hoa_body_read(hoa_header *header, hoa_lexer *lexer, aut_builder *builder,
                          hoa_usage *usage, opac_error *error)
{
    hoa_body body = {.header = header,
                     .lexer = lexer,
                     .builder = builder,
                     .usage = usage,
                     .state_count = header->has_states ? header->states : 0};
    for (size_t i = 0; i < header->starts.count; i++) {
        uint32_t state = header->starts.items[i].state;
        aut_builder_initial(builder, state);
        body.state_count = state >= body.state_count ? state + 1 : body.state_count;
    }
    opac_status status;
    TRY_OR(done, read_all(&body, error));
    report_undefined(&body);
    aut_builder_add_states(builder, body.state_count);
done:
    base_u64_vec_fini(&body.defined);
    implicit_vec_fini(&body.implicit);
    group_vec_fini(&body.groups);
    base_u64_vec_fini(&body.letters);
    return status;
}
