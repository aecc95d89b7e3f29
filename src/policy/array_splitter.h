/* SPDX-License-Identifier: MIT */
/*
 * A JSON text in pieces: the items of one long array, and all the rest. A tree
 * of a million small objects takes gigabytes; so the rest is parsed with the
 * array empty, and then each item for itself.
 *
 *     {"schema": …, "decisions": [ {…}, {…}, … ], … }
 *                                ╰─ begin … end ─╯
 *
 * Nothing is checked here but the nesting. If the rest and all items are JSON,
 * then so was the whole text.
 */
#ifndef POLICY_ARRAY_SPLITTER_H
#define POLICY_ARRAY_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct policy_splitter {
    const char *text; /* borrowed */
    size_t length;
    size_t begin, end; /* between the brackets; both 0: there is no such array */
    size_t at;         /* where the next item begins */
    bool is_over;
    size_t item, item_length; /* the current one, without blanks around it */
} policy_splitter;

/* The array that is a member of the outermost object; its name is written without escapes. */
void policy_splitter_init(policy_splitter *split, const char *text, size_t length,
                          const char *name);

/*
 * The text with the array empty, in as many lines and, behind it, with the same
 * columns; if the array is long, much shorter. For the caller to release (base_free). NULL when out of memory.
 */
char *policy_splitter_without_items(const policy_splitter *split, size_t *length);

/* The next item; false when there are no more. Its text may be empty, which is no JSON. */
bool policy_splitter_next(policy_splitter *split);

/*
 * The text from where the next item begins to where the array ends, for who can
 * tell how long the item is; false when there are no more.
 */
bool policy_splitter_peek(const policy_splitter *split, const char **text, size_t *length);
/* Takes so much of it as the next item; false, and nothing is taken, when the item is longer. */
bool policy_splitter_accept(policy_splitter *split, size_t length);

/* An error about the current item gets its place in the whole text. */
void policy_splitter_locate(const policy_splitter *split, opac_error *error);

#endif
