/* SPDX-License-Identifier: MIT */
/* Meeting states. Whatever can fail does so before anything is changed. */
#include "env/state_table.h"

#include "env/env.h"

#include <string.h>

#include <omegapac/text.h>

enum {
    SHOWN = 80
};

void env_state_table_init(env_state_table *sights, const protocol_greeting *greeting)
{
    uint32_t count = greeting->names.count;
    *sights = (env_state_table){.greeting = greeting, .bound = count < 64 ? count : 64};
    base_intern_init(&sights->states);
    base_intern_init(&sights->keys);
    for (uint32_t i = 0; i < sights->bound; i++)
        sights->from[i] = i;
}

void env_state_table_fini(env_state_table *sights)
{
    base_intern_fini(&sights->states);
    base_u32_vec_fini(&sights->face_of);
    base_intern_fini(&sights->keys);
    env_signature_vec_fini(&sights->faces);
    base_u64_vec_fini(&sights->bits);
    base_text_fini(&sights->scratch);
    base_arena_fini(&sights->arena);
}

/* ---- letters ---- */

static uint64_t *bits_of(const env_state_table *s, size_t face)
{
    return s->bits.items + face * protocol_label_words(s->greeting);
}

static uint64_t letter_of(const env_state_table *s, const uint64_t *bits)
{
    uint64_t letter = 0;
    for (uint32_t i = 0; i < s->bound; i++)
        letter |= (bits[s->from[i] / 64] >> s->from[i] % 64 & 1) << i;
    return letter;
}

void env_state_table_bind(env_state_table *sights, const uint32_t *from, uint32_t count)
{
    if (count > 0)
        memcpy(sights->from, from, count * sizeof *from);
    sights->bound = count;
    for (size_t i = 0; i < sights->faces.count; i++)
        sights->faces.items[i].letter = letter_of(sights, bits_of(sights, i));
}

/* ---- faces ---- */

static opac_status copy_names(env_state_table *s, base_slice list, env_signature *face,
                              opac_error *error)
{
    base_slice name;
    bool is_over = false;
    face->names = base_arena_alloc(&s->arena, face->actions, sizeof *face->names);
    if (face->names == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; protocol_next_item(&list, &is_over, &name); i++) {
        face->names[i] = base_arena_copy_text(&s->arena, name.bytes, name.length);
        if (face->names[i] == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

/* The bytes that a face is known by: those of the line, where one blank is between the words. */
static opac_status make_key(env_state_table *s, const protocol_answer *answer, base_slice *key,
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

/* Reads a face into the row behind the last one, which is there. */
static opac_status read_face(env_state_table *s, const protocol_answer *answer, env_signature *face,
                             opac_error *error)
{
    bool are_named = false;
    uint64_t *bits = bits_of(s, s->faces.count);
    *face = (env_signature){.labels = (uint32_t)answer->labels.length};
    TRY(protocol_read_labels(s->greeting, answer->labels, bits, error));
    TRY(protocol_read_actions(answer->actions, &face->actions, &are_named, error));
    if (are_named)
        TRY(copy_names(s, answer->actions, face, error));
    face->letter = letter_of(s, bits);
    return OPAC_OK;
}

static opac_status add_face(env_state_table *s, const protocol_answer *answer, base_slice key,
                            uint32_t *id, opac_error *error)
{
    env_signature face;
    size_t rows = s->faces.count + 1;
    TRY(base_u64_vec_reserve(&s->bits, rows * protocol_label_words(s->greeting), error));
    TRY(env_signature_vec_reserve(&s->faces, rows, error));
    TRY(read_face(s, answer, &face, error));
    TRY(base_intern_add(&s->keys, key.bytes, key.length, id, NULL, error));
    return env_signature_vec_push(&s->faces, face, error);
}

static opac_status find_face(env_state_table *s, const protocol_answer *answer, uint32_t *id,
                             opac_error *error)
{
    base_slice key;
    TRY(make_key(s, answer, &key, error));
    if (base_intern_find(&s->keys, key.bytes, key.length, id))
        return OPAC_OK;
    return add_face(s, answer, key, id, error);
}

/* ---- states that come again ---- */

static bool is_same(const void *left, size_t length, base_slice right)
{
    return length == right.length && memcmp(left, right.bytes, length) == 0;
}

static opac_status fail_other(const env_state_table *s, const protocol_answer *answer,
                              uint32_t face, opac_error *error)
{
    char state[SHOWN], now[SHOWN], before[SHOWN];
    size_t length;
    const char *key = (const char *)base_intern_key(&s->keys, face, &length);
    const char *end = answer->actions.bytes + answer->actions.length;
    opac_text_show(answer->state.bytes, answer->state.length, state, sizeof state);
    opac_text_show(answer->labels.bytes, (size_t)(end - answer->labels.bytes), now, sizeof now);
    opac_text_show(key, length, before, sizeof before);
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "the state \"%s\" has the labels and actions \"%s\" now, and had \"%s\" "
                     "before; the same state always has the same",
                     state, now, before);
}

/* Whether the actions are those of a face, by other bytes at most: 3 and 03. */
static opac_status compare_actions(const env_state_table *s, base_slice actions, uint32_t id,
                                   bool *are_same, opac_error *error)
{
    const env_signature *face = &s->faces.items[id];
    bool are_named;
    uint32_t count;
    size_t length;
    const unsigned char *key = base_intern_key(&s->keys, id, &length);
    *are_same = is_same(key + face->labels + 1, length - face->labels - 1, actions);
    if (*are_same)
        return OPAC_OK;
    opac_status status = protocol_read_actions(actions, &count, &are_named, error);
    *are_same = !are_named && face->names == NULL && count == face->actions;
    return status;
}

/* Whether words that differ mean the same. */
static opac_status compare(env_state_table *s, const protocol_answer *answer, uint32_t id,
                           opac_error *error)
{
    size_t words = protocol_label_words(s->greeting);
    bool are_same = false;
    TRY(base_u64_vec_reserve(&s->bits, (s->faces.count + 1) * words, error));
    uint64_t *bits = bits_of(s, s->faces.count);
    TRY(protocol_read_labels(s->greeting, answer->labels, bits, error));
    TRY(compare_actions(s, answer->actions, id, &are_same, error));
    if (!are_same || memcmp(bits, bits_of(s, id), words * sizeof *bits) != 0)
        return fail_other(s, answer, id, error);
    return OPAC_OK;
}

static opac_status recognise(env_state_table *s, const protocol_answer *answer, uint32_t state,
                             opac_error *error)
{
    uint32_t id = s->face_of.items[state], labels = s->faces.items[id].labels;
    size_t length;
    const unsigned char *key = base_intern_key(&s->keys, id, &length);
    if (is_same(key, labels, answer->labels) &&
        is_same(key + labels + 1, length - labels - 1, answer->actions))
        return OPAC_OK;
    return compare(s, answer, id, error);
}

opac_status env_state_table_add(env_state_table *sights, const protocol_answer *answer,
                                uint32_t *state, opac_error *error)
{
    const base_slice *word = &answer->state;
    uint32_t face;
    if (base_intern_find(&sights->states, word->bytes, word->length, state))
        return recognise(sights, answer, *state, error);
    TRY(protocol_check_state(*word, error));
    if (base_meter_is_full(&sights->meter))
        return env_fail_memory_limit(sights->states.count, &sights->meter, error);
    TRY(find_face(sights, answer, &face, error));
    TRY(base_u32_vec_reserve(&sights->face_of, sights->face_of.count + 1, error));
    TRY(base_intern_add(&sights->states, word->bytes, word->length, state, NULL, error));
    return base_u32_vec_push(&sights->face_of, face, error);
}

/* ---- looking back ---- */

const env_signature *env_state_table_signature(const env_state_table *sights, uint32_t state)
{
    return &sights->faces.items[sights->face_of.items[state]];
}

void env_state_table_observe(const env_state_table *sights, uint32_t state,
                             opac_observation *observation)
{
    const env_signature *face = env_state_table_signature(sights, state);
    observation->key = base_intern_key(&sights->states, state, &observation->length);
    observation->letter = face->letter;
    observation->actions = face->actions;
}
