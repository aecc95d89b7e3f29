/* SPDX-License-Identifier: MIT */
/*
 * The states that a simulator has reported, each with its labels and actions. Labels and actions belong
 * to a state: a simulator that reports others for a known state is in error.
 *
 *     state ──► signature ──► bits of all propositions │ letter over the bound ones │ actions, names
 *
 * A signature holds the labels and actions of a state; states with the same labels and actions share it.
 * It is identified by its text in the answer, "LABELS ACTIONS", so a known state costs one table lookup
 * and one comparison. There are few signatures even if there are many states: memory is linear in the
 * number of states.
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
    uint32_t labels; /* length of the labels in the text */
    uint32_t actions;
    const char **names; /* of the actions, in the arena; NULL: they are numbered */
} env_signature;

BASE_VEC(env_signature_vec, env_signature);

typedef struct env_state_table {
    const protocol_greeting *greeting; /* borrowed */
    base_intern states;                /* keys */
    base_u32_vec signature_of;         /* by state */
    base_intern texts;                 /* by signature: "LABELS ACTIONS" */
    env_signature_vec signatures;
    base_u64_vec
        bits; /* protocol_label_words for each signature; the words after them are scratch */
    base_text scratch;
    base_arena arena;
    base_meter meter;  /* limit on memory; zeroed: none */
    uint32_t from[64]; /* bit i of a letter is proposition from[i] of the greeting */
    uint32_t bound;    /* propositions of a letter */
} env_state_table;

/* Letters are over the first 64 propositions. Allocates nothing. */
void env_state_table_init(env_state_table *table, const protocol_greeting *greeting);
void env_state_table_fini(env_state_table *table);

/* Sets the propositions of letters: bit i is proposition from[i]. */
void env_state_table_bind(env_state_table *table, const uint32_t *from, uint32_t count);

/* The number of the state in an answer, which is added if it is new. Fails with OPAC_ERROR_SIMULATOR,
 * without changing anything, if the state is known with other labels or actions. */
opac_status env_state_table_add(env_state_table *table, const protocol_answer *answer,
                                uint32_t *state, opac_error *error);

/* The observation of a state; valid until the next addition. */
void env_state_table_observe(const env_state_table *table, uint32_t state,
                             opac_observation *observation);
const env_signature *env_state_table_signature(const env_state_table *table, uint32_t state);

#endif
