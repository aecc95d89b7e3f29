/* SPDX-License-Identifier: MIT */
/*
 * The states that a simulator has shown, each with the labels and actions that
 * it came with: its face. The same state always has the same face.
 *
 *     state ──► face ──► bits of all propositions │ letter over the bound ones │ actions, names
 *
 * A face is known by its bytes, "LABELS ACTIONS", so that a state that comes
 * again costs one look in a table and one comparison. Faces are few where states
 * are many: memory is linear in the states seen, and in nothing else.
 */
#ifndef ENV_STATE_TABLE_H
#define ENV_STATE_TABLE_H

#include <omegapac/environment.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/vec.h"
#include "env/protocol.h"

typedef struct env_signature {
    uint64_t letter;
    uint32_t labels; /* bytes of the key before the blank */
    uint32_t actions;
    const char **names; /* of the actions, in the arena; NULL: they have numbers */
} env_signature;

BASE_VEC(env_signature_vec, env_signature);

typedef struct env_state_table {
    const protocol_greeting *greeting; /* borrowed */
    base_intern states;
    base_u32_vec face_of; /* by state */
    base_intern keys;     /* of faces */
    env_signature_vec faces;
    base_u64_vec bits; /* protocol_label_words for each face, and a row to read into */
    base_text scratch;
    base_arena arena;
    base_meter meter;  /* of memory; not set: no limit */
    uint32_t from[64]; /* bit i of a letter is this proposition */
    uint32_t bound;
} env_state_table;

/* Letters are over the first 64 propositions. Allocates nothing. */
void env_state_table_init(env_state_table *sights, const protocol_greeting *greeting);
void env_state_table_fini(env_state_table *sights);

/* Bit i of a letter is proposition from[i], from now on. */
void env_state_table_bind(env_state_table *sights, const uint32_t *from, uint32_t count);

/* The number of the state that an answer shows. One that does not fit what was seen is
 * OPAC_ERROR_SIMULATOR, and changes nothing. */
opac_status env_state_table_add(env_state_table *sights, const protocol_answer *answer,
                                uint32_t *state, opac_error *error);

/* Lives until the next state is met. */
void env_state_table_observe(const env_state_table *sights, uint32_t state,
                             opac_observation *observation);
const env_signature *env_state_table_signature(const env_state_table *sights, uint32_t state);

#endif
