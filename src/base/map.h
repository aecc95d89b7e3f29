/* SPDX-License-Identifier: MIT */
/*
 * Hash maps from uint64_t to uint64_t that keep the order of insertion.
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
 * Cost: 27 to 37 bytes an entry, plus the unused part of a growing array. Single keys cannot be removed. A
 * zeroed map is empty. Several threads may read at the same time if no thread writes.
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

/* Removes all entries and keeps the memory. */
void base_map_clear(base_map *map);

/* The value of a key, or NULL if it does not exist; the pointer is valid until the next new key. */
uint64_t *base_map_find(const base_map *map, uint64_t key);

/*
 * The value of a key, which is added with the value 0 if it is new; the pointer is valid until the next new
 * key. On failure the map is unchanged.
 */
opac_status base_map_at(base_map *map, uint64_t key, uint64_t **value, opac_error *error);

#endif
