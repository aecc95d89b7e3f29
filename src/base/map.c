/* SPDX-License-Identifier: MIT */
/* Maps. All memory is reserved before a key is added. */
#include "base/map.h"

#include "base/alloc.h"
#include "base/hash.h"

void base_map_fini(base_map *map)
{
    base_slots_fini(&map->slots);
    base_free(map->entries);
    *map = (base_map){0};
}

void base_map_clear(base_map *map)
{
    base_slots_clear(&map->slots);
    map->count = 0;
}

/* The slot that holds the key, or the empty one where it belongs. */
static uint64_t probe(const base_map *map, uint64_t key)
{
    uint64_t hash = base_hash_word(key);
    uint64_t at = base_slots_first(&map->slots, hash);
    while (!base_slots_is_empty(&map->slots, at)) {
        if (base_slots_may_hold(&map->slots, at, hash) &&
            map->entries[base_slots_position(&map->slots, at)].key == key)
            break;
        at = base_slots_next(&map->slots, at);
    }
    return at;
}

uint64_t *base_map_find(const base_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    uint64_t at = probe(map, key);
    if (base_slots_is_empty(&map->slots, at))
        return NULL;
    return &map->entries[base_slots_position(&map->slots, at)].value;
}

/* Reserves memory for one more entry. */
static opac_status reserve_one(base_map *map, opac_error *error)
{
    void *entries = map->entries;
    opac_status status =
        base_reserve(&entries, &map->capacity, map->count + 1, sizeof *map->entries, error);
    map->entries = entries;
    return status;
}

/* The slots grow before probing, so that the slot found can be filled. */
opac_status base_map_at(base_map *map, uint64_t key, uint64_t **value, opac_error *error)
{
    TRY(base_slots_grow(&map->slots, (uint64_t)map->count + 1, error));
    uint64_t at = probe(map, key);
    if (base_slots_is_empty(&map->slots, at)) {
        TRY(reserve_one(map, error));
        base_slots_fill(&map->slots, at, base_hash_word(key), map->count);
        map->entries[map->count++] = (base_map_entry){.key = key};
    }
    *value = &map->entries[base_slots_position(&map->slots, at)].value;
    return OPAC_OK;
}
