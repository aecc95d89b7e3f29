/* SPDX-License-Identifier: MIT */
/*
 * Builds alias tables in place. Weights are scaled to a mean of 1; an outcome is light if its scaled weight
 * is below 1, and heavy otherwise. Each light slot is filled up to 1 by a heavy outcome, which keeps the
 * rest of its weight and may become light.
 *
 * Two cursors move forward: `light` visits all slots; `heavy` is at the first slot that is still heavy. An
 * outcome that becomes light is filled at once if the light cursor has passed it, and otherwise when the
 * cursor reaches it. Until a slot is filled, its threshold holds its scaled weight.
 */
#include "stat/alias.h"

#include <stdbool.h>
#include <string.h>

#include "stat/weights.h"

static const uint32_t unfilled = UINT32_MAX; /* the alias of a slot that is not filled yet */

typedef struct builder {
    stat_alias_slot *slots;
    uint32_t count, heavy;
} builder;

static void store_scaled(stat_alias_slot *slot, double scaled)
{
    memcpy(&slot->threshold, &scaled, sizeof scaled);
    slot->alias = unfilled;
}

static double load_scaled(const stat_alias_slot *slot)
{
    double scaled;
    memcpy(&scaled, &slot->threshold, sizeof scaled);
    return scaled;
}

/* Moves to the next heavy slot; false if there is none. */
static bool find_heavy(builder *b)
{
    while (b->heavy < b->count) {
        const stat_alias_slot *slot = &b->slots[b->heavy];
        if (slot->alias == unfilled && load_scaled(slot) >= 1)
            return true;
        b->heavy++;
    }
    return false;
}

/* Fills the light slot, and slots that become light as a result and that the cursor has passed. */
static void fill_from(builder *b, uint32_t light)
{
    uint32_t cursor = light;
    while (find_heavy(b)) {
        double scaled = load_scaled(&b->slots[light]);
        double left = load_scaled(&b->slots[b->heavy]) - (1 - scaled);
        b->slots[light].threshold = (uint64_t)(scaled * 0x1p64);
        b->slots[light].alias = b->heavy;
        store_scaled(&b->slots[b->heavy], left);
        if (left >= 1 || b->heavy > cursor)
            return;
        light = b->heavy;
    }
}

/*
 * Fills the remaining slots. Without rounding, their scaled weights would be exactly 1, so each gets its own
 * outcome. A slot of weight 0 that remains because of rounding gets the heaviest outcome.
 */
static void fill_rest(stat_alias_slot *slots, const double *weights, uint32_t count)
{
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < count; i++)
        if (weights[i] > weights[heaviest])
            heaviest = i;
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].alias == unfilled)
            slots[i] =
                weights[i] > 0 ? (stat_alias_slot){UINT64_MAX, i} : (stat_alias_slot){0, heaviest};
}

opac_status stat_alias_build(const double *weights, uint32_t count, stat_alias_slot *slots,
                             opac_error *error)
{
    double sum;
    if (count == unfilled)
        return base_fail(error, OPAC_ERROR_LIMIT, "too many outcomes for an alias table");
    TRY(stat_weights_check(weights, count, &sum, error));
    for (uint32_t i = 0; i < count; i++)
        store_scaled(&slots[i], weights[i] / sum * count);
    builder b = {slots, count, 0};
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].alias == unfilled && load_scaled(&slots[i]) < 1)
            fill_from(&b, i);
    fill_rest(slots, weights, count);
    return OPAC_OK;
}
