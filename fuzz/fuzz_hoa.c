/* SPDX-License-Identifier: MIT */
/*
 * Reads arbitrary bytes as HOA. If they are accepted, the automaton is well-formed, and writing it gives a
 * text that is read without a notice and written with the same bytes again.
 */
#include <omegapac/text.h>

#include "aut/automaton.h"
#include "mutate.h"
#include "support/invariants.h"

enum {
    MOST_STATES = 2000 /* of automata that are written: a text of 20 bytes can declare a million */
};

static void take_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    bool *seen = context;
    *seen = true;
    fuzz_require(line > 0 && column > 0);
    fuzz_require_message(text);
}

static void check_error(opac_status status, const opac_error *error)
{
    fuzz_require(status == error->code);
    fuzz_require(status == OPAC_ERROR_SYNTAX || status == OPAC_ERROR_LIMIT ||
                 status == OPAC_ERROR_UNSUPPORTED);
    fuzz_require(error->line > 0 && error->column > 0);
    fuzz_require_message(error->message);
}

/* Writes an automaton to an output, which the caller frees. */
static opac_output *write_automaton(const opac_automaton *automaton, const char **text,
                                    size_t *length)
{
    opac_output *out;
    opac_error error = {0};
    fuzz_require(opac_output_open_memory(&out, &error) == OPAC_OK);
    opac_automaton_write_hoa(automaton, out);
    *text = opac_output_bytes(out, length);
    fuzz_require(*text != NULL);
    return out;
}

static void check_round_trip(const opac_automaton *automaton)
{
    const char *first, *second;
    size_t first_length, second_length;
    opac_hoa_reader *reader;
    opac_automaton *again, *none;
    opac_error error = {0};
    bool noticed = false;
    opac_output *out = write_automaton(automaton, &first, &first_length);
    fuzz_require(opac_hoa_reader_new(first, first_length, take_notice, &noticed, &reader, &error) ==
                 OPAC_OK);
    fuzz_require(opac_hoa_reader_next(reader, &again, &error) == OPAC_OK && again != NULL);
    fuzz_require(opac_hoa_reader_next(reader, &none, &error) == OPAC_OK && none == NULL);
    fuzz_require(!noticed);
    fuzz_require(opac_automaton_states(again) == opac_automaton_states(automaton));
    fuzz_require(opac_automaton_edges(again) == opac_automaton_edges(automaton));
    opac_output *other = write_automaton(again, &second, &second_length);
    fuzz_require(first_length == second_length && memcmp(first, second, first_length) == 0);
    opac_automaton_write_dot(again, other);
    opac_output_free(out);
    opac_output_free(other);
    opac_automaton_free(again);
    opac_hoa_reader_free(reader);
}

/* Whether the text has at least one automaton and no error. */
bool fuzz_accepts(const uint8_t *data, size_t size)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_status status;
    bool is_there = false;
    fuzz_require(opac_hoa_reader_new((const char *)data, size, NULL, NULL, &reader, NULL) ==
                 OPAC_OK);
    do {
        status = opac_hoa_reader_next(reader, &automaton, NULL);
        is_there |= automaton != NULL;
        opac_automaton_free(automaton);
    } while (status == OPAC_OK && automaton != NULL);
    opac_hoa_reader_free(reader);
    return status == OPAC_OK && is_there;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return fuzz_mutate(data, size, most, seed, fuzz_change_lines, fuzz_accepts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error = {0};
    opac_status status;
    bool noticed = false;
    fuzz_require(opac_hoa_reader_new((const char *)data, size, take_notice, &noticed, &reader,
                                     &error) == OPAC_OK);
    do {
        status = opac_hoa_reader_next(reader, &automaton, &error);
        if (status != OPAC_OK)
            check_error(status, &error);
        if (automaton != NULL && opac_automaton_states(automaton) <= MOST_STATES) {
            fuzz_require(aut_check(automaton, &error) == OPAC_OK);
            check_round_trip(automaton);
        }
        opac_automaton_free(automaton);
    } while (status == OPAC_OK && automaton != NULL);
    opac_hoa_reader_free(reader);
    return 0;
}
