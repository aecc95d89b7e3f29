/* SPDX-License-Identifier: MIT */
/*
 * Reads any bytes as what a simulator writes: the first line is its greeting,
 * the others are answers. What is accepted is clean and means the same when it
 * comes again; what is not has a message that can be shown.
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

/* Every state has a face, names where it has names, and a letter within the bound ones. */
static void check_state(const env_state_table *sights, uint32_t state)
{
    opac_observation seen;
    const env_signature *face = env_state_table_signature(sights, state);
    fuzz_require(state < sights->states.count);
    env_state_table_observe(sights, state, &seen);
    fuzz_require(seen.length > 0 && seen.actions == face->actions);
    fuzz_require(seen.actions <= PROTOCOL_MAX_ACTIONS);
    fuzz_require(sights->bound >= 64 || seen.letter >> sights->bound == 0);
    for (uint32_t i = 0; face->names != NULL && i < face->actions; i++)
        fuzz_require(face->names[i][0] != '\0' && strpbrk(face->names[i], " \t,") == NULL);
}

static bool check_line(env_state_table *sights, base_slice line)
{
    base_slice rest = line;
    uint32_t lanes = sights->greeting->lanes, state, again;
    for (uint32_t i = 0; i < lanes; i++) {
        protocol_answer answer;
        opac_error error = {0};
        base_slice part = protocol_lane_part(line, i);
        fuzz_require(part.bytes >= line.bytes &&
                     part.bytes + part.length <= line.bytes + line.length);
        opac_status status = protocol_next_answer(&rest, i, lanes, &answer, &error);
        if (status == OPAC_OK)
            status = env_state_table_add(sights, &answer, &state, &error);
        if (status != OPAC_OK) {
            check_error(status, &error);
            return false;
        }
        fuzz_require(answer.state.bytes == part.bytes);
        check_state(sights, state);
        fuzz_require(env_state_table_add(sights, &answer, &again, NULL) == OPAC_OK &&
                     again == state);
    }
    return true;
}

static void check_bind(env_state_table *sights)
{
    uint32_t from[64], count = sights->greeting->names.count;
    for (uint32_t i = 0; i < 64; i++)
        from[i] = count > 0 ? (count - 1 - i % count) : 0;
    env_state_table_bind(sights, from, count < 64 ? count : 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    protocol_greeting greeting;
    env_state_table sights;
    opac_error error = {0};
    /* A copy of exactly this size, so that reading behind it shows. */
    char *copy = malloc(size > 0 ? size : 1);
    fuzz_require(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    base_slice text = {copy, size}, line = next_line(&text);
    opac_status status = protocol_read_greeting(line.bytes, line.length, &greeting, &error);
    if (status != OPAC_OK)
        check_error(status, &error);
    else {
        env_state_table_init(&sights, &greeting);
        bool is_good = true;
        while (text.length > 0 && is_good) {
            is_good = check_line(&sights, next_line(&text));
            check_bind(&sights);
        }
        env_state_table_fini(&sights);
        protocol_greeting_fini(&greeting);
    }
    free(copy);
    return 0;
}
