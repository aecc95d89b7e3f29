/* SPDX-License-Identifier: MIT */
/*
 * Parses any bytes as the output of a simulator: the first line is its greeting, the others are answers.
 * Accepted answers have printable names, and give the same state when they are repeated; errors have
 * printable messages.
 */
#include "env/protocol.h"

#include "env/state_table.h"
#include "target.h"

static void check_error(opac_status status, const opac_error *error)
{
    fuzz_require(status == OPAC_ERROR_SIMULATOR && error->code == status);
    fuzz_require_message(error->message);
}

static base_slice next_line(base_slice *text)
{
    const char *end = text->length > 0 ? memchr(text->bytes, '\n', text->length) : NULL;
    base_slice line = {text->bytes, end == NULL ? text->length : (size_t)(end - text->bytes)};
    size_t past = line.length + (end != NULL);
    *text = (base_slice){text->bytes + past, text->length - past};
    return line;
}

/* Every state has a signature with valid names, if any, and a letter over the bound propositions. */
static void check_state(const env_state_table *table, uint32_t state)
{
    opac_observation seen;
    const env_signature *signature = env_state_table_signature(table, state);
    fuzz_require(state < table->states.count);
    env_state_table_observe(table, state, &seen);
    fuzz_require(seen.length > 0 && seen.actions == signature->actions);
    fuzz_require(seen.actions <= PROTOCOL_MAX_ACTIONS);
    fuzz_require(table->bound >= 64 || seen.letter >> table->bound == 0);
    for (uint32_t i = 0; signature->names != NULL && i < signature->actions; i++)
        fuzz_require(signature->names[i][0] != '\0' &&
                     strpbrk(signature->names[i], " \t,") == NULL);
}

/* The parts of a pair are within it, and not empty. */
static void check_pair(base_slice pair)
{
    base_slice row_class, outcome;
    for (int is_reset = 0; is_reset < 2; is_reset++) {
        if (protocol_read_pair(pair, is_reset != 0, &row_class, &outcome, NULL) != OPAC_OK)
            continue;
        fuzz_require(is_reset != 0 || (row_class.length > 0 && outcome.length > 0));
        fuzz_require(is_reset != 0 || row_class.length + 1 + outcome.length == pair.length);
    }
}

static bool check_line(env_state_table *table, base_slice line)
{
    base_slice rest = line;
    uint32_t lanes = table->greeting->lanes, state, again;
    for (uint32_t i = 0; i < lanes; i++) {
        protocol_answer answer;
        opac_error error = {0};
        base_slice part = protocol_lane_part(line, i);
        fuzz_require(part.bytes >= line.bytes &&
                     part.bytes + part.length <= line.bytes + line.length);
        opac_status status = protocol_next_answer(table->greeting, &rest, i, &answer, &error);
        if (status == OPAC_OK && table->greeting->tells_outcomes)
            check_pair(answer.pair);
        if (status == OPAC_OK)
            status = env_state_table_add(table, &answer, &state, &error);
        if (status != OPAC_OK) {
            check_error(status, &error);
            return false;
        }
        fuzz_require(answer.state.bytes == part.bytes);
        check_state(table, state);
        fuzz_require(env_state_table_add(table, &answer, &again, NULL) == OPAC_OK &&
                     again == state);
    }
    return true;
}

static void check_bind(env_state_table *table)
{
    uint32_t from[64], count = table->greeting->names.count;
    for (uint32_t i = 0; i < 64; i++)
        from[i] = count > 0 ? (count - 1 - i % count) : 0;
    env_state_table_bind(table, from, count < 64 ? count : 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    protocol_greeting greeting;
    env_state_table table;
    opac_error error = {0};
    /* A copy of exactly this size, so that reading after its end is detected. */
    char *copy = malloc(size > 0 ? size : 1);
    fuzz_require(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    base_slice text = {copy, size}, line = next_line(&text);
    opac_status status = protocol_read_greeting(line.bytes, line.length, &greeting, &error);
    if (status != OPAC_OK)
        check_error(status, &error);
    else {
        env_state_table_init(&table, &greeting);
        bool is_good = true;
        while (text.length > 0 && is_good) {
            is_good = check_line(&table, next_line(&text));
            check_bind(&table);
        }
        env_state_table_fini(&table);
        protocol_greeting_fini(&greeting);
    }
    free(copy);
    return 0;
}
