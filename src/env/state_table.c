/* SPDX-License-Identifier: MIT */
/* The state table. A function that fails does so before it changes anything. */
#include "env/state_table.h"

#include "env/env.h"

#include <string.h>

#include <omegapac/text.h>

enum {
    SHOWN = 80
};

void env_state_table_init(env_state_table *table, const protocol_greeting *greeting)
{
    uint32_t count = greeting->names.count;
    *table = (env_state_table){.greeting = greeting, .bound = count < 64 ? count : 64};
    base_intern_init(&table->states);
    base_intern_init(&table->texts);
    for (uint32_t i = 0; i < table->bound; i++)
        table->from[i] = i;
}

void env_state_table_fini(env_state_table *table)
{
    base_intern_fini(&table->states);
    base_u32_vec_fini(&table->signature_of);
    base_intern_fini(&table->texts);
    env_signature_vec_fini(&table->signatures);
    base_u64_vec_fini(&table->bits);
    base_text_fini(&table->scratch);
    base_arena_fini(&table->arena);
}

/* ---- letters ---- */

static uint64_t *signature_bits(const env_state_table *s, size_t signature)
{
    return s->bits.items + signature * protocol_label_words(s->greeting);
}

static uint64_t letter_of(const env_state_table *s, const uint64_t *bits)
{
    uint64_t letter = 0;
    for (uint32_t i = 0; i < s->bound; i++)
        letter |= (bits[s->from[i] / 64] >> s->from[i] % 64 & 1) << i;
    return letter;
}

void env_state_table_bind(env_state_table *table, const uint32_t *from, uint32_t count)
{
    if (count > 0)
        memcpy(table->from, from, count * sizeof *from);
    table->bound = count;
    for (size_t i = 0; i < table->signatures.count; i++)
        table->signatures.items[i].letter = letter_of(table, signature_bits(table, i));
}

/* ---- signatures ---- */

static opac_status copy_names(env_state_table *s, base_slice list, env_signature *signature,
                              opac_error *error)
{
    base_slice name;
    bool at_end = false;
    signature->names = base_arena_alloc(&s->arena, signature->actions, sizeof *signature->names);
    if (signature->names == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; protocol_next_item(&list, &at_end, &name); i++) {
        signature->names[i] = base_arena_copy_text(&s->arena, name.bytes, name.length);
        if (signature->names[i] == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

/* "LABELS ACTIONS": a part of the line if the words are separated by one blank, else a copy. */
static opac_status make_text(env_state_table *s, const protocol_answer *answer, base_slice *key,
                             opac_error *error)
{
    const base_slice *labels = &answer->labels, *actions = &answer->actions;
    size_t length = labels->length + 1 + actions->length;
    if (actions->bytes == labels->bytes + labels->length + 1 && actions->bytes[-1] == ' ') {
        *key = (base_slice){labels->bytes, length};
        return OPAC_OK;
    }
    base_text_clear(&s->scratch);
    base_text_add_bytes(&s->scratch, labels->bytes, labels->length);
    base_text_add_char(&s->scratch, ' ');
    base_text_add_bytes(&s->scratch, actions->bytes, actions->length);
    *key = (base_slice){base_text_get(&s->scratch), length};
    return base_text_check(&s->scratch, error);
}

/* Parses a signature. Its bits go into the row after the last one, which the caller has reserved. */
static opac_status read_signature(env_state_table *s, const protocol_answer *answer,
                                  env_signature *signature, opac_error *error)
{
    bool are_named = false;
    uint64_t *bits = signature_bits(s, s->signatures.count);
    *signature = (env_signature){.labels = (uint32_t)answer->labels.length};
    TRY(protocol_read_labels(s->greeting, answer->labels, bits, error));
    TRY(protocol_read_actions(answer->actions, &signature->actions, &are_named, error));
    if (are_named)
        TRY(copy_names(s, answer->actions, signature, error));
    signature->letter = letter_of(s, bits);
    return OPAC_OK;
}

static opac_status add_signature(env_state_table *s, const protocol_answer *answer, base_slice key,
                                 uint32_t *id, opac_error *error)
{
    env_signature signature;
    size_t rows = s->signatures.count + 1;
    TRY(base_u64_vec_reserve(&s->bits, rows * protocol_label_words(s->greeting), error));
    TRY(env_signature_vec_reserve(&s->signatures, rows, error));
    TRY(read_signature(s, answer, &signature, error));
    TRY(base_intern_add(&s->texts, key.bytes, key.length, id, NULL, error));
    return env_signature_vec_push(&s->signatures, signature, error);
}

static opac_status find_signature(env_state_table *s, const protocol_answer *answer, uint32_t *id,
                                  opac_error *error)
{
    base_slice key;
    TRY(make_text(s, answer, &key, error));
    if (base_intern_find(&s->texts, key.bytes, key.length, id))
        return OPAC_OK;
    return add_signature(s, answer, key, id, error);
}

/* ---- known states ---- */

static bool is_same(const void *left, size_t length, base_slice right)
{
    return length == right.length && memcmp(left, right.bytes, length) == 0;
}

static opac_status fail_contradiction(const env_state_table *s, const protocol_answer *answer,
                                      uint32_t signature, opac_error *error)
{
    char state[SHOWN], now[SHOWN], before[SHOWN];
    size_t length;
    const char *key = (const char *)base_intern_key(&s->texts, signature, &length);
    const char *end = answer->actions.bytes + answer->actions.length;
    opac_text_show(answer->state.bytes, answer->state.length, state, sizeof state);
    opac_text_show(answer->labels.bytes, (size_t)(end - answer->labels.bytes), now, sizeof now);
    opac_text_show(key, length, before, sizeof before);
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "the state \"%s\" has the labels and actions \"%s\" now and had \"%s\" "
                     "before; give different states different names",
                     state, now, before);
}

/* Whether the actions are those of a signature, possibly written differently (3 and 03). */
static opac_status compare_actions(const env_state_table *s, base_slice actions, uint32_t id,
                                   bool *are_same, opac_error *error)
{
    const env_signature *signature = &s->signatures.items[id];
    bool are_named;
    uint32_t count;
    size_t length;
    const unsigned char *key = base_intern_key(&s->texts, id, &length);
    *are_same = is_same(key + signature->labels + 1, length - signature->labels - 1, actions);
    if (*are_same)
        return OPAC_OK;
    opac_status status = protocol_read_actions(actions, &count, &are_named, error);
    *are_same = !are_named && signature->names == NULL && count == signature->actions;
    return status;
}

/* Fails unless labels and actions that are written differently have the same meaning. */
static opac_status compare_meaning(env_state_table *s, const protocol_answer *answer, uint32_t id,
                                   opac_error *error)
{
    size_t words = protocol_label_words(s->greeting);
    bool are_same = false;
    TRY(base_u64_vec_reserve(&s->bits, (s->signatures.count + 1) * words, error));
    uint64_t *bits = signature_bits(s, s->signatures.count);
    TRY(protocol_read_labels(s->greeting, answer->labels, bits, error));
    TRY(compare_actions(s, answer->actions, id, &are_same, error));
    if (!are_same || memcmp(bits, signature_bits(s, id), words * sizeof *bits) != 0)
        return fail_contradiction(s, answer, id, error);
    return OPAC_OK;
}

static opac_status check_known(env_state_table *s, const protocol_answer *answer, uint32_t state,
                               opac_error *error)
{
    uint32_t id = s->signature_of.items[state], labels = s->signatures.items[id].labels;
    size_t length;
    const unsigned char *key = base_intern_key(&s->texts, id, &length);
    if (is_same(key, labels, answer->labels) &&
        is_same(key + labels + 1, length - labels - 1, answer->actions))
        return OPAC_OK;
    return compare_meaning(s, answer, id, error);
}

opac_status env_state_table_add(env_state_table *table, const protocol_answer *answer,
                                uint32_t *state, opac_error *error)
{
    const base_slice *word = &answer->state;
    uint32_t signature;
    if (base_intern_find(&table->states, word->bytes, word->length, state))
        return check_known(table, answer, *state, error);
    TRY(protocol_check_state(*word, error));
    if (base_meter_is_full(&table->meter))
        return env_fail_memory_limit(table->states.count, &table->meter, error);
    TRY(find_signature(table, answer, &signature, error));
    TRY(base_u32_vec_reserve(&table->signature_of, table->signature_of.count + 1, error));
    TRY(base_intern_add(&table->states, word->bytes, word->length, state, NULL, error));
    return base_u32_vec_push(&table->signature_of, signature, error);
}

/* ---- reading ---- */

const env_signature *env_state_table_signature(const env_state_table *table, uint32_t state)
{
    return &table->signatures.items[table->signature_of.items[state]];
}

void env_state_table_observe(const env_state_table *table, uint32_t state,
                             opac_observation *observation)
{
    const env_signature *signature = env_state_table_signature(table, state);
    observation->key = base_intern_key(&table->states, state, &observation->length);
    observation->letter = signature->letter;
    observation->actions = signature->actions;
}
