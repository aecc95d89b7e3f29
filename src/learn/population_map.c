/* SPDX-License-Identifier: MIT */
/*
 * The map of the population sampler, made anew for each batch: that costs as much
 * as a single step of the batch.
 */
#include "learn/population_map.h"

#include "learn/world_form.h"

void population_map_fini(population_map *map)
{
    population_node_vec_fini(&map->nodes);
    base_u32_vec_fini(&map->targets);
    population_tally_vec_fini(&map->tallies);
    base_u32_vec_fini(&map->node_of);
    base_u32_vec_fini(&map->tally_of);
}

/* ---- building ---- */

/* The pair that a branch of a sampled choice leads to, if both were met; else LEARN_NONE. */
static uint32_t find(const learn_world *world, uint32_t choice, uint32_t state)
{
    return state != LEARN_NONE ? learn_world_find(world, state, world->choices.items[choice].memory)
                               : LEARN_NONE;
}

/* As long as `count`, and nothing is in it. */
static opac_status blank(base_u32_vec *vec, size_t count, opac_error *error)
{
    opac_status status = base_u32_vec_reserve(vec, count, error);
    if (status != OPAC_OK)
        return status;
    for (size_t i = vec->count; i < count; i++)
        vec->items[i] = LEARN_NONE;
    vec->count = count;
    return OPAC_OK;
}

static void forget(population_map *map)
{
    for (size_t i = 0; i < map->nodes.count; i++)
        map->node_of.items[map->nodes.items[i].pair] = LEARN_NONE;
    for (size_t i = 0; i < map->tallies.count; i++)
        map->tally_of.items[map->tallies.items[i].counter] = LEARN_NONE;
    map->nodes.count = map->targets.count = map->tallies.count = 0;
}

static opac_status add_tally(population_map *map, const learn_world *world, uint32_t counter,
                             uint32_t *tally, opac_error *error)
{
    uint32_t *slot = &map->tally_of.items[counter];
    if (*slot == LEARN_NONE) {
        population_tally item = {.counter = counter, .room = learn_counter_room(world, counter)};
        opac_status status = population_tally_vec_push(&map->tallies, item, error);
        if (status != OPAC_OK)
            return status;
        *slot = (uint32_t)map->tallies.count - 1;
    }
    *tally = *slot;
    return OPAC_OK;
}

/* The node of a pair; a new one has no edges yet. */
static opac_status add_node(population_map *map, const learn_run *run, uint32_t pair,
                            uint32_t *node, opac_error *error)
{
    *node = POPULATION_OVER;
    if (map->node_of.items[pair] != LEARN_NONE) {
        *node = map->node_of.items[pair];
        return OPAC_OK;
    }
    if (learn_run_is_over(run, pair))
        return OPAC_OK;
    population_node item = {.pair = pair,
                            .choice = learn_run_choice(run, pair),
                            .row = LEARN_NONE,
                            .tally = LEARN_NONE};
    const learn_choice *choice = &run->world.choices.items[item.choice];
    opac_status status = OPAC_OK;
    if (!learn_choice_is_free(choice)) {
        item.row = run->world.counters.items[choice->counter].row;
        if (!run->world.counters.items[choice->counter].known)
            status = add_tally(map, &run->world, choice->counter, &item.tally, error);
    }
    if (status == OPAC_OK)
        status = population_node_vec_push(&map->nodes, item, error);
    if (status != OPAC_OK)
        return status;
    *node = map->node_of.items[pair] = (uint32_t)map->nodes.count - 1;
    return OPAC_OK;
}

static opac_status add_edge(population_map *map, const learn_run *run, uint32_t pair,
                            opac_error *error)
{
    uint32_t node = POPULATION_GAP;
    opac_status status = OPAC_OK;
    if (pair != LEARN_NONE)
        status = add_node(map, run, pair, &node, error);
    return status == OPAC_OK ? base_u32_vec_push(&map->targets, node, error) : status;
}

static opac_status add_edges(population_map *map, learn_run *run, uint32_t number,
                             opac_error *error)
{
    population_node node = map->nodes.items[number];
    learn_world *world = &run->world;
    opac_status status = OPAC_OK;
    node.edge = (uint32_t)map->targets.count;
    node.width = 1;
    if (node.row == LEARN_NONE) {
        status = add_edge(map, run, world->choices.items[node.choice].target, error);
    } else {
        if (world->is_tabulated)
            status = learn_world_adopt(world, node.row, error);
        learn_row row = world->rows.items[node.row];
        node.width = row.width;
        for (uint32_t b = 0; b < node.width && status == OPAC_OK; b++)
            status = add_edge(map, run,
                              find(world, node.choice, world->targets.items[row.begin + b]), error);
    }
    if (status == OPAC_OK && map->targets.count >= UINT32_MAX)
        status = base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions under the policy",
                           UINT32_MAX);
    map->nodes.items[number].edge = node.edge;
    map->nodes.items[number].width = node.width;
    return status;
}

opac_status population_map_build(population_map *map, learn_run *run, opac_error *error)
{
    const learn_world *world = &run->world;
    uint32_t start;
    forget(map);
    opac_status status = blank(&map->node_of, world->pairs.count, error);
    if (status == OPAC_OK)
        status = blank(&map->tally_of, world->counters.count, error);
    if (status == OPAC_OK)
        status = add_node(map, run, world->start, &start, error);
    for (uint32_t i = 0; i < map->nodes.count && status == OPAC_OK; i++)
        status = add_edges(map, run, i, error);
    return status;
}
