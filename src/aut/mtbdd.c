/* SPDX-License-Identifier: MIT */
#include "aut/mtbdd.h"

aut_bdd aut_mtbdd_edges(const opac_automaton *automaton, uint32_t state)
{
    aut_bdd result = AUT_BDD_FALSE;
    for (uint32_t i = automaton->edge_begin[state];
         i < automaton->edge_begin[state + 1] && !aut_bdd_store_spend(automaton->labels, 1); i++)
        result = aut_bdd_ite(automaton->labels, automaton->edges[i].label,
                             aut_mtbdd_terminal(automaton->labels, i), result);
    return result;
}

/* ---- pairs ---- */

void aut_pairing_init(aut_pairing *pairing, aut_bdd_store *store)
{
    *pairing = (aut_pairing){.store = store};
    base_intern_init_fixed(&pairing->pairs, 2 * sizeof(aut_bdd));
    pairing->pairs.slots.work = pairing->results.slots.work = aut_bdd_store_work(store);
}

void aut_pairing_fini(aut_pairing *pairing)
{
    base_map_fini(&pairing->results);
    base_intern_fini(&pairing->pairs);
}

opac_status aut_pairing_check(const aut_pairing *pairing, opac_error *error)
{
    if (pairing->problem.code != OPAC_OK && error != NULL)
        *error = pairing->problem;
    return pairing->problem.code != OPAC_OK ? pairing->problem.code
                                            : aut_bdd_store_check(pairing->store, error);
}

static bool failed(const aut_pairing *pairing)
{
    return pairing->problem.code != OPAC_OK || pairing->is_full ||
           aut_bdd_store_failed(pairing->store);
}

static aut_bdd pair_terminals(aut_pairing *pairing, aut_bdd f, aut_bdd g)
{
    uint32_t id;
    aut_bdd key[2] = {f, g};
    if (pairing->limit != 0 && pairing->pairs.count >= pairing->limit) {
        pairing->is_full = true;
        return AUT_BDD_FALSE;
    }
    if (base_intern_add(&pairing->pairs, key, sizeof key, &id, NULL, &pairing->problem) != OPAC_OK)
        return AUT_BDD_FALSE;
    return aut_mtbdd_terminal(pairing->store, id);
}

/* The depth of the recursion is the number of variables. */
aut_bdd aut_pairing_make(aut_pairing *pairing, aut_bdd f, aut_bdd g)
{
    aut_bdd_store *store = pairing->store;
    if (failed(pairing) || aut_bdd_store_spend(store, 1))
        return AUT_BDD_FALSE;
    uint64_t key = (uint64_t)f << 32 | g, *found = base_map_find(&pairing->results, key);
    if (found != NULL)
        return (aut_bdd)*found;
    aut_bdd_node a = *aut_bdd_at(store, f), b = *aut_bdd_at(store, g);
    uint32_t variable = a.variable < b.variable ? a.variable : b.variable;
    aut_bdd result;
    if (variable == AUT_BDD_LEAF) {
        result = pair_terminals(pairing, f, g);
    } else {
        bool in_f = a.variable == variable, in_g = b.variable == variable;
        aut_bdd low = aut_pairing_make(pairing, in_f ? a.low : f, in_g ? b.low : g);
        aut_bdd high = aut_pairing_make(pairing, in_f ? a.high : f, in_g ? b.high : g);
        if (failed(pairing))
            return AUT_BDD_FALSE;
        result = aut_bdd_make(store, variable, low, high);
    }
    if (base_map_at(&pairing->results, key, &found, &pairing->problem) == OPAC_OK)
        *found = result;
    return result;
}

void aut_pairing_parts(const aut_pairing *pairing, uint32_t pair, aut_bdd *f, aut_bdd *g)
{
    size_t length;
    const aut_bdd *key =
        (const aut_bdd *)(const void *)base_intern_key(&pairing->pairs, pair, &length);
    *f = key[0];
    *g = key[1];
}

/* ---- replacing ---- */

typedef struct replacement_run {
    aut_bdd_store *store;
    base_map done; /* node ► its replacement */
    aut_mtbdd_callback callback;
    void *context;
} replacement_run;

/* The depth of the recursion is the number of variables. */
static opac_status replace(replacement_run *run, aut_bdd f, aut_bdd *mapped, opac_error *error)
{
    uint64_t *found = base_map_find(&run->done, f);
    *mapped = AUT_BDD_FALSE;
    if (f == AUT_BDD_FALSE || found != NULL) {
        *mapped = found != NULL ? (aut_bdd)*found : AUT_BDD_FALSE;
        return OPAC_OK;
    }
    aut_bdd_node node = *aut_bdd_at(run->store, f);
    if (aut_bdd_store_spend(run->store, 1))
        return aut_bdd_store_check(run->store, error);
    if (node.variable == AUT_BDD_LEAF) {
        TRY(run->callback(run->context, f, mapped, error));
    } else {
        aut_bdd low, high;
        TRY(replace(run, node.low, &low, error));
        TRY(replace(run, node.high, &high, error));
        *mapped = aut_bdd_make(run->store, node.variable, low, high);
    }
    TRY(base_map_at(&run->done, f, &found, error));
    *found = *mapped;
    return OPAC_OK;
}

opac_status aut_mtbdd_replace(aut_bdd_store *store, aut_bdd f, aut_mtbdd_callback callback,
                              void *context, aut_bdd *mapped, opac_error *error)
{
    replacement_run run = {.store = store, .callback = callback, .context = context};
    opac_status status = replace(&run, f, mapped, error);
    base_map_fini(&run.done);
    return status == OPAC_OK ? aut_bdd_store_check(store, error) : status;
}

/* ---- splitting ---- */

/* The classes of each visited node are a slice of one list. */
typedef struct split_run {
    aut_bdd_store *store;
    base_map slices; /* node ► begin << 32 | count */
    aut_letter_class_vec list;
} split_run;

/* Appends the merged classes of two branches to the list. Both are in ascending order of terminals. */
static opac_status join_classes(split_run *run, uint32_t variable, uint64_t low, uint64_t high,
                                opac_error *error)
{
    size_t i = low >> 32, i_end = i + (uint32_t)low, j = high >> 32, j_end = j + (uint32_t)high;
    while ((i < i_end || j < j_end) && run->list.items != NULL) {
        const aut_letter_class *classes = run->list.items;
        bool take_low = j == j_end || (i < i_end && classes[i].terminal <= classes[j].terminal);
        bool take_high = i == i_end || (j < j_end && classes[j].terminal <= classes[i].terminal);
        aut_letter_class part = {.terminal = take_low ? classes[i].terminal : classes[j].terminal};
        part.label = aut_bdd_make(run->store, variable, take_low ? classes[i].label : AUT_BDD_FALSE,
                                  take_high ? classes[j].label : AUT_BDD_FALSE);
        i += take_low;
        j += take_high;
        TRY(aut_bdd_store_spend(run->store, 1)
                ? aut_bdd_store_check(run->store, error)
                : aut_letter_class_vec_push(&run->list, part, error));
    }
    return OPAC_OK;
}

static opac_status split(split_run *run, aut_bdd f, uint64_t *slice, opac_error *error)
{
    uint64_t *found = base_map_find(&run->slices, f), low = 0, high = 0;
    if (found != NULL) {
        *slice = *found;
        return OPAC_OK;
    }
    aut_bdd_node node = *aut_bdd_at(run->store, f);
    if (node.variable != AUT_BDD_LEAF) {
        TRY(split(run, node.low, &low, error));
        TRY(split(run, node.high, &high, error));
    }
    size_t begin = run->list.count;
    if (node.variable != AUT_BDD_LEAF)
        TRY(join_classes(run, node.variable, low, high, error));
    else if (f != AUT_BDD_FALSE)
        TRY(aut_letter_class_vec_push(&run->list, (aut_letter_class){f, AUT_BDD_TRUE}, error));
    TRY(base_map_at(&run->slices, f, &found, error));
    *slice = *found = (uint64_t)begin << 32 | (uint32_t)(run->list.count - begin);
    return OPAC_OK;
}

opac_status aut_mtbdd_split(aut_bdd_store *store, aut_bdd f, aut_letter_class_vec *classes,
                            opac_error *error)
{
    split_run run = {.store = store};
    uint64_t slice = 0;
    classes->count = 0;
    opac_status status;
    TRY_OR(done, split(&run, f, &slice, error));
    for (size_t i = 0; i < (uint32_t)slice && run.list.items != NULL; i++)
        TRY_OR(done, aut_letter_class_vec_push(classes, run.list.items[(slice >> 32) + i], error));
    status = aut_bdd_store_check(store, error);
done:
    base_map_fini(&run.slices);
    aut_letter_class_vec_fini(&run.list);
    return status;
}
