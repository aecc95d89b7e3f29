/* SPDX-License-Identifier: MIT */
/*
 * The representation of a JSON document, shared by its parser and its accessors.
 *
 *     node     kind | count | text, items or members
 *     text     strings without escapes and numbers as written, each followed by a NUL
 *     items    the nodes of an array, in order
 *     members  the members of an object, in the order of the text
 *     sorted   the same members by key, if there are more than JSON_FEW
 *
 * Nodes are in one arena and texts in one buffer, which are released with the document.
 */
#ifndef BASE_JSON_NODE_H
#define BASE_JSON_NODE_H

#include "base/arena.h"
#include "base/json_read.h"

enum {
    JSON_FEW = 8 /* up to this number, members are searched linearly */
};

struct base_json_node {
    base_json_kind kind;
    bool is_true;
    size_t count; /* bytes of a text, items or members */
    union {
        const char *text;
        struct base_json_node *items;
        struct base_json_pair *members;
    } as;
    struct base_json_pair **sorted; /* of an object; NULL for few members */
};

typedef struct base_json_pair {
    const char *key;
    size_t at; /* position of the key in the source, in bytes */
    struct base_json_node value;
} base_json_pair;

struct base_json {
    struct base_json_node root;
    base_arena arena;
    char *texts;
};

/* The member of an object by its key; NULL if there is none. */
base_json_pair *base_json_find(const struct base_json_node *object, const char *key);

#endif
