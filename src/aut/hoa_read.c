/* SPDX-License-Identifier: MIT */
/*
 * Reads automata from a HOA text, one after the other.
 *
 * Errors have a message and a position; doubtful input gives a notice. Memory is proportional to the length
 * of the text, plus a constant: numbers in the text are limited by its length (hoa_header.c).
 */
#include "aut/hoa_body.h"
#include "base/alloc.h"

struct opac_hoa_reader {
    hoa_lexer lexer;
    bool is_started;
    bool has_failed;
    bool is_at_end; /* the current token is the "--END--" of an automaton */
    base_work work;
};

opac_status opac_hoa_reader_new(const char *text, size_t length, opac_notice_callback notice,
                                void *notice_context, opac_hoa_reader **reader, opac_error *error)
{
    opac_hoa_reader *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->lexer = (hoa_lexer){
        .text = text, .length = length, .notice = notice, .notice_context = notice_context};
    base_work_init(&made->work, NULL, 0);
    made->lexer.work = &made->work;
    *reader = made;
    return OPAC_OK;
}

void opac_hoa_reader_set_cancel(opac_hoa_reader *reader, const opac_cancel *cancel)
{
    base_work_init(&reader->work, cancel, 0);
}

void opac_hoa_reader_free(opac_hoa_reader *reader)
{
    base_free(reader);
}

static opac_status read_body(hoa_header *header, hoa_lexer *lexer, opac_automaton **automaton,
                             opac_error *error)
{
    aut_builder *builder = NULL;
    hoa_usage usage = {0};
    opac_status status;
    TRY(aut_builder_new(header->labels.own, &builder, error));
    builder->state_limit = header->state_limit;
    aut_builder_propositions(builder, header->names, header->name_count);
    if (header->name != NULL)
        aut_builder_name(builder, header->name);
    TRY_OR(done, hoa_body_read(header, lexer, builder, &usage, error));
    aut_builder_condition(builder, &header->acceptance.condition, header->acceptance.mark_count);
    TRY(hoa_locate_limit(aut_builder_finish(builder, automaton, error), lexer->token.position,
                         error));
    aut_bdd_store_limit((*automaton)->labels, AUT_BDD_NODE_LIMIT);
    aut_bdd_store_set_work((*automaton)->labels, NULL);
    hoa_claims_check(&header->claims, &usage, *automaton, lexer);
    return OPAC_OK;
done:
    aut_builder_free(builder);
    return status;
}

static opac_status read_automaton(hoa_lexer *lexer, opac_automaton **automaton, opac_error *error)
{
    hoa_header header;
    opac_status status = hoa_header_read(&header, lexer, error);
    if (status == OPAC_OK)
        status = read_body(&header, lexer, automaton, error);
    hoa_header_fini(&header);
    return status;
}

/* Advances to the next automaton or the end of the text. Skips "--END--", and automata that end with
 * "--ABORT--". */
static opac_status find_next(opac_hoa_reader *reader, opac_error *error)
{
    hoa_lexer *lexer = &reader->lexer;
    bool was_started = reader->is_started;
    reader->is_started = true;
    if (!was_started)
        TRY(hoa_lexer_start(lexer, error));
    else if (reader->is_at_end)
        TRY(hoa_lexer_next(lexer, error));
    while (lexer->token.kind == HOA_TOKEN_ABORT)
        TRY(hoa_lexer_next(lexer, error));
    if (reader->is_at_end && lexer->token.kind != HOA_TOKEN_EOF &&
        !hoa_token_is(&lexer->token, HOA_TOKEN_HEADER, "HOA:"))
        return hoa_fail_expected(lexer, "'HOA:' or the end of the text after '--END--'", error);
    return OPAC_OK;
}

opac_status opac_hoa_reader_next(opac_hoa_reader *reader, opac_automaton **automaton,
                                 opac_error *error)
{
    hoa_lexer *lexer = &reader->lexer;
    opac_automaton *made = NULL;
    *automaton = NULL;
    if (reader->has_failed)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the HOA reader cannot be used after it has failed");
    opac_status status = find_next(reader, error);
    while (status == OPAC_OK && lexer->token.kind != HOA_TOKEN_EOF) {
        status = read_automaton(lexer, &made, error);
        if (status == OPAC_OK) {
            reader->is_at_end = true;
            break;
        }
        /* An automaton that ends with "--ABORT--" is skipped; any other error is returned. */
        if (status != OPAC_ERROR_SYNTAX || lexer->token.kind != HOA_TOKEN_ABORT)
            break;
        reader->is_at_end = false;
        status = find_next(reader, error);
    }
    reader->has_failed = status != OPAC_OK;
    if (status == OPAC_OK) {
        *automaton = made;
        return OPAC_OK;
    }
    opac_automaton_free(made);
    return status;
}
