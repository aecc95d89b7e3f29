/* SPDX-License-Identifier: MIT */
/*
 * Hash maps from uint64_t to uint64_t, read back in the order of insertion.
 *
 *     base_map map = {0};
 *     uint64_t *count;
 *     if (base_map_at(&map, key, &count, error) == OPAC_OK)
 *         *count += 1;                        a new key starts at 0
 *     for (size_t i = 0; i < map.count; i++)
 *         use(map.entries[i].key, map.entries[i].value);
 *     base_map_fini(&map);
 *
 *     slots     hash ► position in entries; see base/slots.h
 *     entries   │ key, value │ key, value │ …      in order of insertion
 *
 * 27 to 37 bytes an entry, and the slack of a growing array. Keys are never
 * removed one by one. A map of all zeros is empty and owns nothing. One thread
 * writes; any number may read while nobody writes.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/slots.h"

typedef struct base_map_entry {
    uint64_t key, value;
} base_map_entry;

typedef struct base_map {
    base_slots slots;
    base_map_entry *entries;
    size_t count, capacity;
} base_map;

void base_map_fini(base_map *map);

/* Forgets all entries and keeps the memory. */
void base_map_clear(base_map *map);

/* The value of a key, NULL when it is not there; the pointer dies with the next new key. */
uint64_t *base_map_find(const base_map *map, uint64_t key);

/*
 * The value of a key, which is added with the value 0 when it is new; the
 * pointer dies with the next new key. On failure the map is as it was.
 */
opac_status base_map_at(base_map *map, uint64_t key, uint64_t **value, opac_error *error);

#endif
