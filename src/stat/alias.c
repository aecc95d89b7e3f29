/* SPDX-License-Identifier: MIT */
/*
 * Building alias tables in place. Scaled so that the mean is 1, an outcome is
 * light (below 1) or heavy. Each light slot is filled up to 1 by a heavy
 * outcome, which keeps the rest of its weight and may become light itself.
 *
 * Two cursors, both moving forward: `light` runs over all slots; `heavy` stands
 * at the first slot that is still heavy. An outcome that becomes light behind
 * the light cursor is filled at once, one before it when the cursor comes to
 * it. While a slot waits, its threshold holds its scaled weight.
 */
#include "stat/alias.h"

#include <stdbool.h>
#include <string.h>

#include "stat/weights.h"

static const uint32_t waiting = UINT32_MAX; /* the alias of a slot that is not yet filled */

typedef struct builder {
    stat_alias_slot *slots;
    uint32_t count, heavy;
} builder;

static void keep_scaled(stat_alias_slot *slot, double scaled)
{
    memcpy(&slot->threshold, &scaled, sizeof scaled);
    slot->alias = waiting;
}

static double kept_scaled(const stat_alias_slot *slot)
{
    double scaled;
    memcpy(&scaled, &slot->threshold, sizeof scaled);
    return scaled;
}

/* Moves to the next heavy slot; false when none is left. */
static bool find_heavy(builder *b)
{
    while (b->heavy < b->count) {
        const stat_alias_slot *slot = &b->slots[b->heavy];
        if (slot->alias == waiting && kept_scaled(slot) >= 1)
            return true;
        b->heavy++;
    }
    return false;
}

/* Fills the light slot, and the slots that become light by it behind the cursor. */
static void fill_from(builder *b, uint32_t light)
{
    uint32_t cursor = light;
    while (find_heavy(b)) {
        double scaled = kept_scaled(&b->slots[light]);
        double left = kept_scaled(&b->slots[b->heavy]) - (1 - scaled);
        b->slots[light].threshold = (uint64_t)(scaled * 0x1p64);
        b->slots[light].alias = b->heavy;
        keep_scaled(&b->slots[b->heavy], left);
        if (left >= 1 || b->heavy > cursor)
            return;
        light = b->heavy;
    }
}

/*
 * What waits at the end would weigh exactly 1 but for rounding: it keeps its
 * slot whole. An outcome of weight 0 that rounding left here gives its slot to
 * the heaviest.
 */
static void fill_rest(stat_alias_slot *slots, const double *weights, uint32_t count)
{
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < count; i++)
        if (weights[i] > weights[heaviest])
            heaviest = i;
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].alias == waiting)
            slots[i] =
                weights[i] > 0 ? (stat_alias_slot){UINT64_MAX, i} : (stat_alias_slot){0, heaviest};
}

opac_status stat_alias_build(const double *weights, uint32_t count, stat_alias_slot *slots,
                             opac_error *error)
{
    double sum;
    if (count == waiting)
        return base_fail(error, OPAC_ERROR_LIMIT, "too many outcomes for an alias table");
    TRY(stat_weights_check(weights, count, &sum, error));
    for (uint32_t i = 0; i < count; i++)
        keep_scaled(&slots[i], weights[i] / sum * count);
    builder b = {slots, count, 0};
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].alias == waiting && kept_scaled(&slots[i]) < 1)
            fill_from(&b, i);
    fill_rest(slots, weights, count);
    return OPAC_OK;
}
