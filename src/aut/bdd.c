/* SPDX-License-Identifier: MIT */
/*
 * Nodes are interned in a hash table. Results of operations are cached in a table with one entry for each
 * slot, in which new entries replace old ones; it bounds memory and keeps operations polynomial in practice.
 */
#include "aut/bdd.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/slots.h"
#include "base/vec.h"

BASE_VEC(node_vec, aut_bdd_node);

typedef enum cached_operation {
    CACHE_UNUSED, /* the entry is empty */
    CACHED_NOT,
    CACHED_AND,
    CACHED_OR,
    CACHED_ITE,
    CACHED_RESTRICT
} cached_operation;

typedef struct cache_entry {
    uint32_t operation, f, g, h;
    aut_bdd result;
} cache_entry;

enum {
    CACHE_SMALLEST = 1 << 10,
    CACHE_LARGEST = 1 << 20
};

struct aut_bdd_store {
    node_vec nodes;
    base_slots slots;
    cache_entry *cache;
    size_t cache_size; /* a power of two; grows with the nodes */
    unsigned references;
    uint32_t node_limit;
    opac_error problem; /* the first failure; its code is OPAC_OK if there is none */
    base_work *work;    /* borrowed; may be NULL */
};

static aut_bdd fail(aut_bdd_store *store, const opac_error *error)
{
    if (store->problem.code == OPAC_OK)
        store->problem = *error;
    return AUT_BDD_FALSE;
}

bool aut_bdd_store_failed(const aut_bdd_store *store)
{
    return store->problem.code != OPAC_OK;
}

void aut_bdd_store_set_work(aut_bdd_store *store, base_work *work)
{
    store->work = store->slots.work = work;
}

base_work *aut_bdd_store_work(const aut_bdd_store *store)
{
    return store->work;
}

bool aut_bdd_store_spend(aut_bdd_store *store, uint64_t units)
{
    opac_error error;
    if (aut_bdd_store_failed(store))
        return true;
    if (!base_work_spend(store->work, units))
        return false;
    base_work_fail(store->work, "building decision diagrams", &error);
    fail(store, &error);
    return true;
}

opac_status aut_bdd_store_check(const aut_bdd_store *store, opac_error *error)
{
    if (store->problem.code != OPAC_OK && error != NULL)
        *error = store->problem;
    return store->problem.code;
}

opac_status aut_bdd_store_new(aut_bdd_store **store, opac_error *error)
{
    opac_status status;
    aut_bdd_store *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    made->references = 1;
    made->node_limit = AUT_BDD_NODE_LIMIT;
    made->cache_size = CACHE_SMALLEST;
    made->cache = base_alloc_zeroed(made->cache_size, sizeof *made->cache);
    TRY_OR(done, made->cache != NULL ? OPAC_OK : base_fail_memory(error));
    aut_bdd_terminal(made, 0);
    aut_bdd_terminal(made, 1);
    TRY_OR(done, aut_bdd_store_check(made, error));
    *store = made;
    made = NULL;
done:
    aut_bdd_store_free(made);
    return status;
}

aut_bdd_store *aut_bdd_store_share(aut_bdd_store *store)
{
    store->references++;
    return store;
}

void aut_bdd_store_free(aut_bdd_store *store)
{
    if (store == NULL || --store->references > 0)
        return;
    node_vec_fini(&store->nodes);
    base_slots_fini(&store->slots);
    base_free(store->cache);
    base_free(store);
}

uint32_t aut_bdd_store_count(const aut_bdd_store *store)
{
    return (uint32_t)store->nodes.count;
}

void aut_bdd_store_limit(aut_bdd_store *store, uint32_t nodes)
{
    store->node_limit = nodes < AUT_BDD_NODE_LIMIT ? nodes : AUT_BDD_NODE_LIMIT;
}

const aut_bdd_node *aut_bdd_at(const aut_bdd_store *store, aut_bdd f)
{
    assert(f < store->nodes.count);
    return &store->nodes.items[f];
}

/* ---- nodes ---- */

/* The cache grows with the number of nodes, to keep the rate of misses low. Old entries are dropped. */
static void grow_cache(aut_bdd_store *store)
{
    size_t size = store->cache_size * 4;
    cache_entry *cache = base_alloc_zeroed(size, sizeof *cache);
    opac_error error;
    if (cache == NULL) {
        base_fail_memory(&error);
        fail(store, &error);
        return;
    }
    base_free(store->cache);
    store->cache = cache;
    store->cache_size = size;
}

static opac_status append(aut_bdd_store *store, aut_bdd_node node, uint64_t at, uint64_t hash,
                          opac_error *error)
{
    if (store->nodes.count >= store->node_limit)
        return base_fail(error, OPAC_ERROR_LIMIT, "the decision diagrams grow beyond %u nodes",
                         store->node_limit);
    TRY(node_vec_push(&store->nodes, node, error));
    base_slots_fill(&store->slots, at, hash, store->nodes.count - 1);
    if (store->nodes.count > store->cache_size && store->cache_size < CACHE_LARGEST)
        grow_cache(store);
    return OPAC_OK;
}

static aut_bdd intern(aut_bdd_store *store, aut_bdd_node node)
{
    opac_error error;
    if (aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    if (!base_slots_fit(&store->slots, store->nodes.count + 1) &&
        base_slots_grow(&store->slots, store->nodes.count + 1, &error) != OPAC_OK)
        return fail(store, &error);
    uint64_t hash =
        base_hash_word(base_hash_word((uint64_t)node.low << 32 | node.high) + node.variable);
    uint64_t at = base_slots_first(&store->slots, hash);
    for (; !base_slots_is_empty(&store->slots, at); at = base_slots_next(&store->slots, at)) {
        if (!base_slots_may_hold(&store->slots, at, hash))
            continue;
        uint64_t position = base_slots_position(&store->slots, at);
        const aut_bdd_node *other = &store->nodes.items[position];
        if (other->variable == node.variable && other->low == node.low && other->high == node.high)
            return (aut_bdd)position;
    }
    if (append(store, node, at, hash, &error) != OPAC_OK)
        return fail(store, &error);
    return (aut_bdd)(store->nodes.count - 1);
}

aut_bdd aut_bdd_terminal(aut_bdd_store *store, uint32_t value)
{
    return intern(store, (aut_bdd_node){.variable = AUT_BDD_LEAF, .low = value, .high = 0});
}

aut_bdd aut_bdd_make(aut_bdd_store *store, uint32_t variable, aut_bdd low, aut_bdd high)
{
    if (low == high)
        return low;
    assert(variable < aut_bdd_at(store, low)->variable);
    assert(variable < aut_bdd_at(store, high)->variable);
    return intern(store, (aut_bdd_node){.variable = variable, .low = low, .high = high});
}

aut_bdd aut_bdd_variable(aut_bdd_store *store, uint32_t variable)
{
    return aut_bdd_make(store, variable, AUT_BDD_FALSE, AUT_BDD_TRUE);
}

/* ---- operations ---- */

static cache_entry *cache_slot(aut_bdd_store *store, uint32_t operation, uint32_t f, uint32_t g,
                               uint32_t h)
{
    uint64_t hash = base_hash_word(base_hash_word((uint64_t)f << 32 | g) + h) + operation;
    return &store->cache[base_hash_word(hash) & (store->cache_size - 1)];
}

static bool cache_find(aut_bdd_store *store, uint32_t operation, uint32_t f, uint32_t g, uint32_t h,
                       aut_bdd *result)
{
    const cache_entry *entry = cache_slot(store, operation, f, g, h);
    if (entry->operation != operation || entry->f != f || entry->g != g || entry->h != h)
        return false;
    *result = entry->result;
    return true;
}

static aut_bdd cache_store(aut_bdd_store *store, uint32_t operation, uint32_t f, uint32_t g,
                           uint32_t h, aut_bdd result)
{
    if (!aut_bdd_store_failed(store))
        *cache_slot(store, operation, f, g, h) =
            (cache_entry){.operation = operation, .f = f, .g = g, .h = h, .result = result};
    return result;
}

/* The cofactor of f for a value of `variable`, which is at most the variable of f. */
static aut_bdd cofactor(const aut_bdd_store *store, aut_bdd f, uint32_t variable, bool value)
{
    const aut_bdd_node *node = aut_bdd_at(store, f);
    if (node->variable != variable)
        return f;
    return value ? node->high : node->low;
}

static uint32_t first_variable(const aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    uint32_t a = aut_bdd_at(store, f)->variable, b = aut_bdd_at(store, g)->variable;
    return a < b ? a : b;
}

/*
 * Each level of a recursion fixes one variable, so the depth is the number of variables. Every operation
 * first checks whether the store has failed: results are not cached after that, and without a cache the cost
 * is exponential.
 */

aut_bdd aut_bdd_not(aut_bdd_store *store, aut_bdd f)
{
    aut_bdd result;
    if (aut_bdd_is_constant(f))
        return AUT_BDD_TRUE - f;
    if (cache_find(store, CACHED_NOT, f, 0, 0, &result))
        return result;
    if (aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    aut_bdd_node node = *aut_bdd_at(store, f);
    aut_bdd low = aut_bdd_not(store, node.low), high = aut_bdd_not(store, node.high);
    if (aut_bdd_store_failed(store))
        return AUT_BDD_FALSE;
    result = aut_bdd_make(store, node.variable, low, high);
    cache_store(store, CACHED_NOT, result, 0, 0, f);
    return cache_store(store, CACHED_NOT, f, 0, 0, result);
}

/* Sets *result if f and g are equal or f is constant. Requires f <= g. */
static bool find_trivial(cached_operation operation, aut_bdd f, aut_bdd g, aut_bdd *result)
{
    aut_bdd neutral = operation == CACHED_AND ? AUT_BDD_TRUE : AUT_BDD_FALSE;
    if (f == g || f == neutral)
        *result = g;
    else if (aut_bdd_is_constant(f))
        *result = f;
    else
        return false;
    return true;
}

/* The conjunction (CACHED_AND) or disjunction (CACHED_OR) of f and g. */
static aut_bdd apply(aut_bdd_store *store, cached_operation operation, aut_bdd f, aut_bdd g)
{
    aut_bdd result;
    if (f > g) {
        aut_bdd swap = f;
        f = g;
        g = swap;
    }
    if (find_trivial(operation, f, g, &result) || cache_find(store, operation, f, g, 0, &result))
        return result;
    if (aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    uint32_t variable = first_variable(store, f, g);
    aut_bdd low = apply(store, operation, cofactor(store, f, variable, false),
                        cofactor(store, g, variable, false));
    aut_bdd high = apply(store, operation, cofactor(store, f, variable, true),
                         cofactor(store, g, variable, true));
    if (aut_bdd_store_failed(store))
        return AUT_BDD_FALSE;
    return cache_store(store, operation, f, g, 0, aut_bdd_make(store, variable, low, high));
}

aut_bdd aut_bdd_and(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return apply(store, CACHED_AND, f, g);
}

aut_bdd aut_bdd_or(aut_bdd_store *store, aut_bdd f, aut_bdd g)
{
    return apply(store, CACHED_OR, f, g);
}

aut_bdd aut_bdd_ite(aut_bdd_store *store, aut_bdd f, aut_bdd g, aut_bdd h)
{
    aut_bdd result;
    if (aut_bdd_is_constant(f))
        return f == AUT_BDD_TRUE ? g : h;
    if (g == h)
        return g;
    if (g == AUT_BDD_TRUE && h == AUT_BDD_FALSE)
        return f;
    if (cache_find(store, CACHED_ITE, f, g, h, &result))
        return result;
    if (aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    uint32_t variable = first_variable(store, f, g), third = aut_bdd_at(store, h)->variable;
    variable = third < variable ? third : variable;
    aut_bdd low =
        aut_bdd_ite(store, cofactor(store, f, variable, false), cofactor(store, g, variable, false),
                    cofactor(store, h, variable, false));
    aut_bdd high =
        aut_bdd_ite(store, cofactor(store, f, variable, true), cofactor(store, g, variable, true),
                    cofactor(store, h, variable, true));
    if (aut_bdd_store_failed(store))
        return AUT_BDD_FALSE;
    return cache_store(store, CACHED_ITE, f, g, h, aut_bdd_make(store, variable, low, high));
}

aut_bdd aut_bdd_restrict(aut_bdd_store *store, aut_bdd f, uint32_t variable, bool value)
{
    aut_bdd result;
    aut_bdd_node node = *aut_bdd_at(store, f);
    if (node.variable > variable)
        return f;
    if (node.variable == variable)
        return value ? node.high : node.low;
    if (cache_find(store, CACHED_RESTRICT, f, variable, value, &result))
        return result;
    if (aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    aut_bdd low = aut_bdd_restrict(store, node.low, variable, value);
    aut_bdd high = aut_bdd_restrict(store, node.high, variable, value);
    if (aut_bdd_store_failed(store))
        return AUT_BDD_FALSE;
    return cache_store(store, CACHED_RESTRICT, f, variable, value,
                       aut_bdd_make(store, node.variable, low, high));
}

/* ---- reading ---- */

aut_bdd aut_bdd_evaluate(const aut_bdd_store *store, aut_bdd f, uint64_t letter)
{
    const aut_bdd_node *node = aut_bdd_at(store, f);
    while (node->variable != AUT_BDD_LEAF) {
        assert(node->variable < 64);
        f = (letter >> node->variable) & 1 ? node->high : node->low;
        node = aut_bdd_at(store, f);
    }
    return f;
}

static opac_status collect_support(const aut_bdd_store *store, aut_bdd f, base_map *seen,
                                   uint64_t *variables, opac_error *error)
{
    const aut_bdd_node *node = aut_bdd_at(store, f);
    uint64_t *mark;
    if (node->variable >= 64)
        return OPAC_OK;
    if (base_work_spend(store->work, 1))
        return base_work_fail(store->work, "building decision diagrams", error);
    TRY(base_map_at(seen, f, &mark, error));
    if (*mark != 0)
        return OPAC_OK;
    *mark = 1;
    *variables |= UINT64_C(1) << node->variable;
    TRY(collect_support(store, node->low, seen, variables, error));
    return collect_support(store, node->high, seen, variables, error);
}

opac_status aut_bdd_support(const aut_bdd_store *store, aut_bdd f, uint64_t *variables,
                            opac_error *error)
{
    base_map seen = {0};
    *variables = 0;
    opac_status status = collect_support(store, f, &seen, variables, error);
    base_map_fini(&seen);
    return status;
}

/* ---- sums of products ---- */

typedef struct cube_walk {
    aut_bdd_store *store;
    aut_cube_callback callback;
    void *context;
    bool stopped;
} cube_walk;

/*
 * Calls back with cubes, each extending `cube`, whose union is at least `lower` and at most `upper`; returns
 * the union (Minato 1992). Valuations that may be covered for both values of a variable get cubes without it.
 */
static aut_bdd walk_cubes(cube_walk *walk, aut_bdd lower, aut_bdd upper, aut_cube cube)
{
    aut_bdd_store *store = walk->store;
    if (lower == AUT_BDD_FALSE || walk->stopped || aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    if (upper == AUT_BDD_TRUE) {
        if (!walk->callback(walk->context, cube))
            walk->stopped = true;
        return AUT_BDD_TRUE;
    }
    uint32_t variable = first_variable(store, lower, upper);
    uint64_t bit = UINT64_C(1) << variable;
    aut_bdd lower0 = cofactor(store, lower, variable, false);
    aut_bdd lower1 = cofactor(store, lower, variable, true);
    aut_bdd upper0 = cofactor(store, upper, variable, false);
    aut_bdd upper1 = cofactor(store, upper, variable, true);
    aut_bdd covered1 = walk_cubes(walk, aut_bdd_and_not(store, lower1, upper0), upper1,
                                  (aut_cube){cube.care | bit, cube.value | bit});
    aut_bdd covered0 = walk_cubes(walk, aut_bdd_and_not(store, lower0, upper1), upper0,
                                  (aut_cube){cube.care | bit, cube.value});
    aut_bdd rest = aut_bdd_or(store, aut_bdd_and_not(store, lower0, covered0),
                              aut_bdd_and_not(store, lower1, covered1));
    aut_bdd covered = walk_cubes(walk, rest, aut_bdd_and(store, upper0, upper1), cube);
    if (aut_bdd_store_failed(store))
        return AUT_BDD_FALSE;
    return aut_bdd_or(store, covered, aut_bdd_make(store, variable, covered0, covered1));
}

void aut_bdd_cubes(aut_bdd_store *store, aut_bdd f, aut_cube_callback callback, void *context)
{
    cube_walk walk = {.store = store, .callback = callback, .context = context};
    walk_cubes(&walk, f, f, (aut_cube){0, 0});
}

/* ---- copying ---- */

static aut_bdd copy(const aut_bdd_store *from, aut_bdd f, aut_bdd_store *to, const uint32_t *map,
                    base_map *done)
{
    if (aut_bdd_is_constant(f) || aut_bdd_store_failed(to))
        return aut_bdd_is_constant(f) ? f : AUT_BDD_FALSE;
    uint64_t *found = base_map_find(done, f);
    if (found != NULL)
        return (aut_bdd)*found;
    aut_bdd_node node = *aut_bdd_at(from, f);
    aut_bdd low = copy(from, node.low, to, map, done), high = copy(from, node.high, to, map, done);
    uint32_t variable = map != NULL ? map[node.variable] : node.variable;
    aut_bdd result = aut_bdd_ite(to, aut_bdd_variable(to, variable), high, low);
    opac_error error;
    if (base_map_at(done, f, &found, &error) != OPAC_OK)
        return fail(to, &error);
    *found = result;
    return result;
}

aut_bdd aut_bdd_copy(const aut_bdd_store *from, aut_bdd f, aut_bdd_store *to, const uint32_t *map)
{
    base_map done = {0};
    aut_bdd result = copy(from, f, to, map, &done);
    base_map_fini(&done);
    return result;
}
