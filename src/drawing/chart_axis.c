/* SPDX-License-Identifier: MIT */
/*
 * Rulers: where an axis ends, and which values it names. Steps are 1, 2 or 5 times a power of ten.
 * A logarithmic axis names its powers of ten, or some of them; with fewer than three in sight also
 * 2 and 5 times them, or all digits, or what a linear axis would name.
 *
 * A tick is kept as a whole number times a power of ten until it is written: no digit is rounded.
 */
#include <math.h>
#include <string.h>

#include "drawing/chart_parts.h"

#define MOST_VALUE 1e300 /* linear axes end there at the latest: differences must not overflow */

enum {
    LEAST_TICKS = 3,
    MOST_LABELS = 8, /* and one more at each end, where ends are moved to a tick */
    LEAST_POWER = -307,
    MOST_POWER = 308
};

/* ---- ends ---- */

double drawing_scale_value(drawing_scale scale, double value)
{
    if (scale == DRAWING_LOG)
        return value > 0 ? log10(value) : NAN;
    return isfinite(value) ? fmax(-MOST_VALUE, fmin(MOST_VALUE, value)) : value;
}

/* The end that an axis was given, on the scale; NAN: none. */
static double given_end(const drawing_axis *axis, double end)
{
    bool is_none = (axis->low == 0 && axis->high == 0) || !isfinite(end);
    return is_none ? NAN : drawing_scale_value(axis->scale, end);
}

/* Apart by what can be shown; else around the middle. */
static void part_ends(drawing_ruler *ruler)
{
    double largest = fmax(fabs(ruler->low), fabs(ruler->high));
    double least = ruler->scale == DRAWING_LOG ? 0.02 : fmax(largest * 1e-9, 1e-290);
    if (ruler->high - ruler->low >= least)
        return;
    double middle = ruler->low / 2 + ruler->high / 2;
    double reach = ruler->scale == DRAWING_LOG ? 0.5 : largest < 1e-280 ? 1 : largest * 0.1;
    ruler->low = middle - reach;
    ruler->high = middle + reach;
}

/* Beyond the data, so that no marker stands on the frame; but not beyond zero for that. An
 * upright axis begins at zero where that is not far. */
static void pad(drawing_ruler *ruler, const drawing_range *range, bool pads_low, bool pads_high)
{
    double length = ruler->high - ruler->low, more = range->is_tight ? 0 : 0.05 * length;
    bool is_linear = ruler->scale == DRAWING_LINEAR;
    if (range->gap > 0)
        more = fmax(more, isfinite(range->gap) ? fmin(0.6 * range->gap, length / 2) : 0);
    double near = range->is_upright ? 0.25 * ruler->high : more;
    bool begins_at_zero = is_linear && ruler->low >= 0 && ruler->low <= near && range->gap == 0;
    bool ends_at_zero = is_linear && ruler->high <= 0 && range->has_bars;
    if (pads_low)
        ruler->low = begins_at_zero ? 0 : ruler->low - more;
    if (pads_high)
        ruler->high = ends_at_zero ? 0 : ruler->high + more;
}

/* Which ends are ours to move. */
typedef struct freedom {
    bool low, high;
} freedom;

static freedom find_ends(drawing_ruler *ruler, const drawing_axis *axis, const drawing_range *range)
{
    double low = given_end(axis, axis->low), high = given_end(axis, axis->high);
    double least = drawing_scale_value(axis->scale, range->least);
    double greatest = drawing_scale_value(axis->scale, range->greatest);
    freedom free = {isnan(low), isnan(high)};
    if (range->has_bars && axis->scale == DRAWING_LINEAR) {
        least = fmin(least, 0);
        greatest = fmax(greatest, 0);
    }
    if (isnan(least) || isnan(greatest)) {
        least = isnan(high) ? 0 : high - 1;
        greatest = isnan(low) ? 1 : low + 1;
    }
    ruler->low = free.low ? least : low;
    ruler->high = free.high ? greatest : high;
    if (ruler->low > ruler->high) { /* given the wrong way round, or data beyond what was given */
        double swap = ruler->low;
        ruler->low = ruler->high;
        ruler->high = swap;
    }
    part_ends(ruler);
    pad(ruler, range, free.low, free.high);
    return free;
}

double drawing_ruler_place(const drawing_ruler *ruler, double value)
{
    double at = drawing_scale_value(ruler->scale, value);
    double part = (at - ruler->low) / (ruler->high - ruler->low);
    double place = ruler->from + (ruler->to - ruler->from) * part;
    return isnan(place) ? NAN : fmax(-1e6, fmin(1e6, place));
}

/* ---- numbers ---- */

static double power_of_ten(int exponent)
{
    return pow(10, exponent);
}

/* number / 10^decimals, with a thin space between thousands from five digits on. */
static void format_decimal(int64_t number, int decimals, char *label)
{
    char digits[24], *end = label;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int count = 0;
    for (; rest > 0 || count <= decimals; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    if (number < 0)
        end += strlen(strcpy(end, "\xE2\x88\x92")); /* a minus sign, which is no hyphen */
    bool has_gaps = count - decimals > 4;
    for (int i = count - 1; i >= 0; i--) {
        *end++ = digits[i];
        if (i == decimals && decimals > 0)
            *end++ = '.';
        else if (has_gaps && i > decimals && (i - decimals) % 3 == 0)
            end += strlen(strcpy(end, "\xE2\x80\x89"));
    }
    *end = '\0';
}

static int digit_count(int64_t number)
{
    int count = 1;
    for (number = number < 0 ? -number : number; number >= 10; number /= 10)
        count++;
    return count;
}

static drawing_tick *add_tick(drawing_ruler *ruler)
{
    if (ruler->tick_count == DRAWING_MOST_TICKS)
        return NULL;
    drawing_tick *tick = &ruler->ticks[ruler->tick_count++];
    *tick = (drawing_tick){0};
    return tick;
}

/* number · 10^exponent; power: what is written behind it, 0: nothing. */
static void add_number(drawing_ruler *ruler, int64_t number, int exponent, int power)
{
    drawing_tick *tick = add_tick(ruler);
    if (tick == NULL)
        return;
    tick->value = exponent < 0 ? (double)number / power_of_ten(-exponent)
                               : (double)number * power_of_ten(exponent);
    for (exponent -= power; exponent > 0; exponent--)
        number *= 10;
    while (exponent < 0 && number % 10 == 0 && power != 0) {
        number /= 10;
        exponent++;
    }
    format_decimal(number, -exponent, tick->label);
    tick->has_power = power != 0 && number != 0;
    tick->power = power;
    if (tick->has_power)
        strcat(tick->label, "\xC2\xB7"
                            "10");
}

/* ---- linear axes ---- */

typedef struct steps {
    int64_t first, last; /* multiples of the step that are in sight */
    int digit, exponent; /* digit · 10^exponent */
} steps;

/* In sight of the ends, but for rounding. */
static steps count_steps(double low, double high, int digit, int exponent)
{
    double step = digit * power_of_ten(exponent);
    return (steps){(int64_t)ceil(low / step - 1e-9), (int64_t)floor(high / step + 1e-9), digit,
                   exponent};
}

/* The finest steps that are not more than wanted, unless that were fewer than three. */
static steps choose_steps(double low, double high, double wanted)
{
    static const int digits[] = {5, 2, 1};
    steps best = {0};
    int exponent = (int)floor(log10((high - low) / wanted)) + 1;
    for (int i = 0;; i = (i + 1) % 3) {
        steps found = count_steps(low, high, digits[i], exponent);
        double count = (double)(found.last - found.first) + 1;
        if (count > wanted && best.digit != 0)
            return best;
        if (count >= LEAST_TICKS)
            best = found;
        if (count >= wanted)
            return best;
        exponent -= i == 2;
    }
}

/* To the next tick, where it is nearer than so many steps. */
static void move_ends(drawing_ruler *ruler, freedom free, steps found, double near)
{
    double step = found.digit * power_of_ten(found.exponent);
    double before = (double)(found.first - 1) * step, behind = (double)(found.last + 1) * step;
    if (free.low && ruler->low - before < near * step)
        ruler->low = before;
    if (free.high && behind - ruler->high < near * step)
        ruler->high = behind;
}

static void add_linear_ticks(drawing_ruler *ruler, steps found)
{
    int64_t largest = found.last > -found.first ? found.last : -found.first;
    int top = digit_count(largest * found.digit) - 1 + found.exponent;
    bool is_wide = top >= 6 && (found.exponent >= 3 || top >= 12);
    int power = is_wide || top <= -4 ? top : 0;
    for (int64_t k = found.first; k <= found.last; k++)
        add_number(ruler, k * found.digit, found.exponent, power);
}

/* ---- logarithmic axes ---- */

static bool is_in_sight(const drawing_ruler *ruler, int digit, int exponent)
{
    double at = exponent + log10(digit);
    return at >= ruler->low - 1e-9 && at <= ruler->high + 1e-9;
}

/* Digits as bits: bit d for d times a power of ten. */
static size_t count_digits(const drawing_ruler *ruler, unsigned digits, int first, int last)
{
    size_t count = 0;
    for (int exponent = first; exponent <= last; exponent++)
        for (int digit = 1; digit <= 9; digit++)
            count += (digits >> digit & 1) && is_in_sight(ruler, digit, exponent);
    return count;
}

static void add_minor(drawing_ruler *ruler, int digit, int exponent)
{
    drawing_tick *tick = add_tick(ruler);
    if (tick != NULL) {
        tick->value = digit * power_of_ten(exponent);
        tick->is_minor = true;
    }
}

/* Plain below 10^5; a digit of 1 is left out before a power. */
static void add_power(drawing_ruler *ruler, int digit, int exponent, bool is_plain)
{
    if (is_plain) {
        add_number(ruler, digit, exponent, 0);
        return;
    }
    drawing_tick *tick = add_tick(ruler);
    if (tick == NULL)
        return;
    tick->value = digit * power_of_ten(exponent);
    tick->has_power = true;
    tick->power = exponent;
    format_decimal(digit, 0, tick->label);
    strcpy(tick->label + (digit == 1 ? 0 : 1), digit == 1 ? "10"
                                                          : "\xC2\xB7"
                                                            "10");
}

/* From one power that is named to the next: so that not more than wanted are, but three. */
static int power_step(const drawing_ruler *ruler, double wanted)
{
    static const int known[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};
    int step = 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double first = fmax(ceil(ruler->low - 1e-9), LEAST_POWER);
        double last = fmin(floor(ruler->high + 1e-9), MOST_POWER);
        double count = floor(last / known[i]) - ceil(first / known[i]) + 1;
        if (count < LEAST_TICKS)
            break;
        step = known[i];
        if (count <= wanted)
            break;
    }
    return step;
}

static void add_log_ticks(drawing_ruler *ruler, double wanted)
{
    static const unsigned one = 1u << 1, some = 1u << 1 | 1u << 2 | 1u << 5, all = 0x3FE;
    int first = (int)fmax(LEAST_POWER, floor(ruler->low));
    int last = (int)fmin(MOST_POWER, ceil(ruler->high));
    bool is_plain = ruler->low >= -3.01 && ruler->high <= 5 - 1e-6;
    size_t powers = count_digits(ruler, one, first, last);
    unsigned digits = one;
    if (powers < LEAST_TICKS)
        digits = count_digits(ruler, some, first, last) >= LEAST_TICKS ? some : all;
    if (count_digits(ruler, digits, first, last) < LEAST_TICKS) {
        add_linear_ticks(ruler, choose_steps(pow(10, ruler->low), pow(10, ruler->high), wanted));
        return;
    }
    int step = power_step(ruler, wanted);
    bool has_minor = powers <= (step == 1 ? 12 : 64);
    for (int exponent = first; exponent <= last; exponent++)
        for (int digit = 1; digit <= (step == 1 ? 9 : 1); digit++) {
            if (!is_in_sight(ruler, digit, exponent))
                continue;
            if ((digits >> digit & 1) && exponent % step == 0)
                add_power(ruler, digit, exponent, is_plain);
            else if (has_minor)
                add_minor(ruler, digit, exponent);
        }
}

/* ---- the whole ---- */

static void add_names(drawing_ruler *ruler, const drawing_axis *axis, double size, double spacing)
{
    size_t most = (size_t)fmax(1, fmin(size / fmin(spacing, 16), DRAWING_MOST_TICKS));
    size_t step = (axis->name_count + most - 1) / most;
    ruler->low = -0.5;
    ruler->high = (double)axis->name_count - 0.5;
    for (size_t i = 0; i < axis->name_count; i += step) {
        drawing_tick *tick = add_tick(ruler);
        if (tick == NULL)
            return;
        tick->value = (double)i;
        tick->name = axis->names[i] != NULL ? axis->names[i] : "";
    }
}

void drawing_ruler_fit(drawing_ruler *ruler, const drawing_axis *axis, const drawing_range *range,
                       double size, double spacing)
{
    bool has_names = axis->names != NULL && axis->name_count > 0;
    double wanted = fmax(LEAST_TICKS, fmin(MOST_LABELS, floor(size / spacing)));
    ruler->tick_count = 0;
    ruler->scale = has_names || axis->scale != DRAWING_LOG ? DRAWING_LINEAR : DRAWING_LOG;
    if (has_names) {
        add_names(ruler, axis, size, spacing);
        return;
    }
    freedom free = find_ends(ruler, axis, range);
    if (ruler->scale == DRAWING_LOG) {
        add_log_ticks(ruler, wanted);
        return;
    }
    steps found = choose_steps(ruler->low, ruler->high, wanted);
    if (range->gap == 0)
        move_ends(ruler, free, found, range->is_tight ? 0.05 : 0.25);
    add_linear_ticks(ruler, count_steps(ruler->low, ruler->high, found.digit, found.exponent));
}

double drawing_tick_width(const drawing_tick *tick)
{
    double width =
        drawing_text_width_in(tick->name != NULL ? tick->name : tick->label, DRAWING_SMALL);
    if (tick->has_power)
        width += 6.5 * (digit_count(tick->power) + (tick->power < 0));
    return tick->is_minor ? 0 : width;
}

double drawing_ruler_width(const drawing_ruler *ruler)
{
    double width = 0;
    for (size_t i = 0; i < ruler->tick_count; i++)
        width = fmax(width, drawing_tick_width(&ruler->ticks[i]));
    return width;
}
