/* SPDX-License-Identifier: MIT */
/*
 * Splits a JSON text into the items of one long array and the text around it. A tree of a million small
 * objects would take gigabytes; so the text is parsed with the array empty, and then each item by itself.
 *
 *     {"schema": …, "decisions": [ {…}, {…}, {…} … ], … }
 *                                ╰─ begin … end ─╯
 *
 * Only the nesting is checked here. If the rest and all items are valid JSON, so is the whole text.
 */
#ifndef POLICY_ARRAY_SPLITTER_H
#define POLICY_ARRAY_SPLITTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct policy_splitter {
    const char *text; /* borrowed */
    size_t length;
    size_t begin, end; /* the text between the brackets; both 0 if there is no such array */
    size_t at;         /* where the next item begins */
    bool at_end;
    size_t item, item_length; /* the current item, without blanks around it */
} policy_splitter;

/* Finds the array: a member of the outermost object whose name is written without escapes. */
void policy_splitter_init(policy_splitter *splitter, const char *text, size_t length,
                          const char *name);

/*
 * The text with the array empty, to be released by base_free; NULL if memory is exhausted. It has the same
 * number of lines and, after the array, the same columns, so that the places of errors are correct.
 */
char *policy_splitter_without_items(const policy_splitter *splitter, size_t *length);

/* Moves to the next item; false if there is none. Its text may be empty, which is not valid JSON. */
bool policy_splitter_next(policy_splitter *splitter);

/* The text from the next item to the end of the array, for a reader that finds the end of the item itself;
 * false if there is no item. */
bool policy_splitter_peek(const policy_splitter *splitter, const char **text, size_t *length);
/* Moves to the next item, if it has the given length; else returns false. */
bool policy_splitter_accept(policy_splitter *splitter, size_t length);

/* Converts the place of an error in the current item to its place in the whole text. */
void policy_splitter_locate(const policy_splitter *splitter, opac_error *error);

#endif
