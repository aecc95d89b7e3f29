/* SPDX-License-Identifier: MIT */
/* Rulers of charts: ends, ticks, labels, places. */
#include <math.h>

#include "drawing/chart_parts.h"
#include "support/check.h"
#include "support/random.h"

static double unit(uint64_t *state)
{
    return (double)(random_u64(state) >> 11) / 9007199254740992.0;
}

static drawing_ruler fit(drawing_axis axis, drawing_range range, double size)
{
    drawing_ruler ruler = {.from = 100, .to = 100 + size};
    drawing_ruler_fit(&ruler, &axis, &range, size, 60);
    assert_true(ruler.low < ruler.high && isfinite(ruler.low) && isfinite(ruler.high));
    return ruler;
}

static const drawing_range nothing = {.least = NAN, .greatest = NAN};

/* What a reader takes a label for. */
static double read_label(const drawing_tick *tick)
{
    char plain[128] = "", *end = plain;
    double value;
    const char *at = tick->label;
    while (*at != '\0') {
        if (strncmp(at, "\xE2\x88\x92", 3) == 0) {
            *end++ = '-';
            at += 3;
        } else if (strncmp(at, "\xE2\x80\x89", 3) == 0) {
            at += 3; /* a gap between thousands */
        } else if (strncmp(at, "\xC2\xB7", 2) == 0) {
            break;
        } else {
            *end++ = *at++;
        }
    }
    if (tick->has_power && strcmp(plain, "10") == 0 && *at == '\0') {
        snprintf(plain, sizeof plain, "1e%d", tick->power);
    } else if (tick->has_power) {
        assert_string_equal(at, "\xC2\xB7"
                                "10");
        snprintf(end, sizeof plain - (size_t)(end - plain), "e%d", tick->power);
    }
    value = strtod(plain, &end);
    assert_int_equal(*end, '\0');
    assert_true(end != plain);
    return value;
}

static void assert_labels(const drawing_ruler *ruler)
{
    for (size_t i = 0; i < ruler->tick_count; i++) {
        const drawing_tick *tick = &ruler->ticks[i];
        if (i > 0)
            assert_true(tick->value > ruler->ticks[i - 1].value);
        if (tick->is_minor)
            continue;
        assert_true(fabs(read_label(tick) - tick->value) <= 4e-16 * fabs(tick->value));
        assert_true(strlen(tick->label) < DRAWING_LABEL_SIZE - 1);
        assert_string_not_equal(tick->label, "\xE2\x88\x92"
                                             "0");
        for (size_t k = 0; k < i; k++)
            assert_true(ruler->ticks[k].is_minor || ruler->ticks[k].power != tick->power ||
                        strcmp(ruler->ticks[k].label, tick->label) != 0);
    }
}

static size_t count_labels(const drawing_ruler *ruler)
{
    size_t count = 0;
    for (size_t i = 0; i < ruler->tick_count; i++)
        count += !ruler->ticks[i].is_minor;
    return count;
}

/* The nearest of 1, 2 and 5 times a power of ten. */
static double round_step(double step)
{
    static const double digits[] = {1, 2, 5};
    int power = (int)floor(log10(step) + 1e-3);
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double known = power < 0 ? digits[i] / pow(10, -power) : digits[i] * pow(10, power);
        if (fabs(known - step) < fabs(best - step))
            best = known;
    }
    return best;
}

static void linear_ticks_are_round_even_and_complete(void **test)
{
    (void)test;
    uint64_t state = random_seed(1);
    for (int turn = 0; turn < 20000; turn++) {
        double middle = (unit(&state) - 0.5) * pow(10, 40 * unit(&state) - 20);
        double length = (unit(&state) + 1e-3) * pow(10, 8 * unit(&state) - 6) * fabs(middle);
        double low = turn % 3 == 0 ? 0 : middle - length / 2, high = low + length;
        drawing_ruler ruler =
            fit((drawing_axis){.low = low, .high = high}, nothing, 60 + 900 * unit(&state));
        assert_true(ruler.low == low && ruler.high == high);
        assert_labels(&ruler);
        size_t count = ruler.tick_count;
        assert_in_range(count, 3, 10);
        double step = (ruler.ticks[count - 1].value - ruler.ticks[0].value) / (double)(count - 1);
        double dust = 1e-4 * step; /* of digits that doubles do not have */
        assert_true(fabs(step - round_step(step)) < dust);
        step = round_step(step);
        for (size_t i = 0; i < count; i++) {
            double value = ruler.ticks[i].value;
            assert_true(value >= low - dust && value <= high + dust);
            assert_true(fabs(value - ruler.ticks[0].value - (double)i * step) < dust);
            assert_true(fabs(value / step - round(value / step)) < 1e-4);
        }
        /* All multiples that are in sight are named. */
        assert_true(ruler.ticks[0].value - step < low &&
                    ruler.ticks[count - 1].value + step > high);
    }
}

static void labels_are_as_people_write_them(void **test)
{
    (void)test;
    static const struct {
        double low, high;
        const char *labels; /* joined by '|', thin spaces as '_', powers behind '^' */
        drawing_scale scale;
    } cases[] = {
        {0, 1, "0.0|0.2|0.4|0.6|0.8|1.0", DRAWING_LINEAR},
        {-1, 1, "-1.0|-0.5|0.0|0.5|1.0", DRAWING_LINEAR},
        {0, 20000, "0|5000|10_000|15_000|20_000", DRAWING_LINEAR},
        {0, 500000, "0|100_000|200_000|300_000|400_000|500_000", DRAWING_LINEAR},
        {0, 4e6, "0|1*10^6|2*10^6|3*10^6|4*10^6", DRAWING_LINEAR},
        {0, 5e-5, "0|1*10^-5|2*10^-5|3*10^-5|4*10^-5|5*10^-5", DRAWING_LINEAR},
        {1000000, 1000008, "1_000_000|1_000_002|1_000_004|1_000_006|1_000_008", DRAWING_LINEAR},
        {0.5, 20000, "1|10|100|1000|10_000", DRAWING_LOG},
        {0.001, 1, "0.001|0.01|0.1|1", DRAWING_LOG},
        {2, 3e6, "10^1|10^2|10^3|10^4|10^5|10^6", DRAWING_LOG},
        {1e-6, 1e-2, "10^-6|10^-5|10^-4|10^-3|10^-2", DRAWING_LOG},
        {30, 300, "50|100|200", DRAWING_LOG},
        {2e6, 2e7, "2*10^6|5*10^6|10^7|2*10^7", DRAWING_LOG},
        {3, 6.5, "3|4|5|6", DRAWING_LOG},
        {310, 350, "310|320|330|340|350", DRAWING_LOG},
        {1e-300, 1e300, "10^-300|10^-200|10^-100|10^0|10^100|10^200|10^300", DRAWING_LOG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drawing_axis axis = {.low = cases[i].low, .high = cases[i].high, .scale = cases[i].scale};
        drawing_ruler ruler = fit(axis, nothing, 430);
        char all[256] = "";
        for (size_t k = 0; k < ruler.tick_count; k++) {
            const drawing_tick *tick = &ruler.ticks[k];
            char *end = all + strlen(all);
            if (tick->is_minor)
                continue;
            if (end != all)
                *end++ = '|';
            for (const char *at = tick->label; *at != '\0'; at++)
                if ((unsigned char)*at < 0x80)
                    *end++ = *at;
                else if (strncmp(at, "\xE2\x88\x92", 3) == 0 || strncmp(at, "\xE2\x80\x89", 3) == 0)
                    at += 2, *end++ = at[0] == '\x89' ? '_' : '-';
                else
                    at += 1, *end++ = '*';
            if (tick->has_power)
                snprintf(end, 16, "^%d", tick->power);
        }
        assert_string_equal(all, cases[i].labels);
    }
}

static void log_ticks_are_named_everywhere(void **test)
{
    (void)test;
    uint64_t state = random_seed(2);
    for (int turn = 0; turn < 20000; turn++) {
        double length = pow(10, 4.7 * unit(&state) - 2); /* of 0.01 to 500 powers of ten */
        double first = -300 + unit(&state) * (600 - length);
        if (turn % 2 == 0)
            first = fmin(-6 + 12 * unit(&state), 300 - length);
        drawing_axis axis = {
            .low = pow(10, first), .high = pow(10, first + length), .scale = DRAWING_LOG};
        drawing_ruler ruler = fit(axis, nothing, 60 + 900 * unit(&state));
        size_t named = count_labels(&ruler);
        assert_in_range(named, 3, 10);
        assert_labels(&ruler);
        for (size_t i = 0; i < ruler.tick_count; i++) {
            double at = log10(ruler.ticks[i].value);
            assert_true(at >= ruler.low - 1e-6 && at <= ruler.high + 1e-6);
            double place = drawing_ruler_place(&ruler, ruler.ticks[i].value);
            assert_true(place >= ruler.from - 0.01 && place <= ruler.to + 0.01);
        }
    }
}

/* Every digit between named powers has a mark. */
static void minor_ticks_are_complete(void **test)
{
    (void)test;
    drawing_ruler ruler =
        fit((drawing_axis){.low = 1, .high = 1000, .scale = DRAWING_LOG}, nothing, 400);
    assert_int_equal(ruler.tick_count, 28);
    for (size_t i = 0; i < 28; i++) {
        double value = (double)(i % 9 + 1) * pow(10, (double)(i / 9));
        assert_true(fabs(ruler.ticks[i].value - value) < 1e-9 * value);
        assert_int_equal(ruler.ticks[i].is_minor, i % 9 != 0);
    }
}

static void ends_hold_the_data(void **test)
{
    (void)test;
    uint64_t state = random_seed(3);
    for (int turn = 0; turn < 20000; turn++) {
        double a = (unit(&state) - 0.3) * pow(10, 300 * unit(&state) * (turn % 2 ? 1 : -1));
        double b = turn % 5 == 0 ? a : (unit(&state) - 0.3) * pow(10, 600 * unit(&state) - 300);
        drawing_scale scale = turn % 3 == 0 ? DRAWING_LOG : DRAWING_LINEAR;
        if (scale == DRAWING_LOG)
            a = fabs(a) + 1e-300, b = fabs(b) + 1e-300;
        drawing_range range = {.least = fmin(a, b),
                               .greatest = fmax(a, b),
                               .is_tight = turn % 4 == 0,
                               .has_bars = turn % 7 == 0};
        drawing_ruler ruler = fit((drawing_axis){.scale = scale}, range, 400);
        double low = drawing_ruler_place(&ruler, range.least);
        double high = drawing_ruler_place(&ruler, range.greatest);
        assert_true(low >= 100 - 1e-3 && low <= high && high <= 500 + 1e-3);
        assert_in_range(count_labels(&ruler), 3, 10);
        assert_labels(&ruler);
        double zero = drawing_ruler_place(&ruler, 0);
        if (range.has_bars && scale == DRAWING_LINEAR)
            assert_true(zero >= 100 - 1e-3 && zero <= 500 + 1e-3);
        /* Data are not squeezed into a corner. */
        if (scale == DRAWING_LINEAR && a != b && range.is_tight && !range.has_bars &&
            fabs(b - a) > 1e-6 * fmax(fabs(a), fabs(b)))
            assert_true(high - low > 350);
    }
}

static void ends_that_are_given_are_kept(void **test)
{
    (void)test;
    const drawing_range range = {.least = 3, .greatest = 7};
    drawing_ruler ruler = fit((drawing_axis){.low = 2, .high = NAN}, range, 400);
    assert_true(ruler.low == 2 && ruler.high >= 7 && ruler.high < 8);
    ruler = fit((drawing_axis){.low = NAN, .high = 9}, range, 400);
    assert_true(ruler.high == 9 && ruler.low > 1 && ruler.low <= 3);
    ruler = fit((drawing_axis){.low = 8, .high = 1}, range, 400); /* the wrong way round */
    assert_true(ruler.low == 1 && ruler.high == 8);
    ruler = fit((drawing_axis){.low = 10, .high = NAN}, range, 400); /* beyond the data */
    assert_true(ruler.low <= 10 && ruler.high >= 10);
    ruler = fit((drawing_axis){.low = 0, .high = 100, .scale = DRAWING_LOG}, range, 400);
    assert_true(ruler.high == 2 && ruler.low > 0 && ruler.low <= log10(3));
    ruler = fit((drawing_axis){.low = 0, .high = 0}, nothing, 400);
    assert_true(ruler.low == 0 && ruler.high >= 1);
    ruler = fit((drawing_axis){.scale = DRAWING_LOG}, nothing, 400);
    assert_true(count_labels(&ruler) >= 3);
    ruler = fit((drawing_axis){.low = INFINITY, .high = -INFINITY}, range, 400);
    assert_true(ruler.low <= 3 && ruler.high >= 7);
}

/* What an axis makes of data. */
static void ends_are_sensible(void **test)
{
    (void)test;
    static const struct {
        drawing_range range;
        double low, high;
    } cases[] = {
        {{.least = 1, .greatest = 9.3, .is_upright = true}, 0, 10},
        {{.least = 1, .greatest = 9, .is_upright = true}, 0, 9.4},
        {{.least = 4, .greatest = 9.4, .is_upright = true}, 3.73, 9.67},
        {{.least = 2, .greatest = 9}, 1.65, 9.35},
        {{.least = 0.1, .greatest = 9}, 0, 9.445},
        {{.least = 0, .greatest = 95, .has_bars = true, .is_upright = true}, 0, 100},
        {{.least = -95, .greatest = -20, .has_bars = true, .is_upright = true}, -100, 0},
        {{.least = 50, .greatest = 95, .has_bars = true, .is_upright = true}, 0, 100},
        {{.least = 3, .greatest = 99.6, .is_tight = true}, 3, 100},
        {{.least = 3, .greatest = 93, .is_tight = true}, 3, 93},
        {{.least = 5, .greatest = 5}, 4.5, 5.5},
        {{.least = 0, .greatest = 0, .is_upright = true}, -1, 1},
        {{.least = 0, .greatest = 3, .gap = 1}, -0.6, 3.6}, /* half a bar, and air */
        {{.least = 7, .greatest = 7, .gap = INFINITY}, 6.3, 7.7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drawing_ruler ruler = fit((drawing_axis){0}, cases[i].range, 400);
        double slack = 0.11 * (cases[i].high - cases[i].low); /* what is added around data */
        bool has_slack = cases[i].range.least == cases[i].range.greatest;
        assert_true(fabs(ruler.low - cases[i].low) <= (has_slack ? slack : 1e-9));
        assert_true(fabs(ruler.high - cases[i].high) <= (has_slack ? slack : 1e-9));
    }
}

static void places_are_in_order(void **test)
{
    (void)test;
    uint64_t state = random_seed(4);
    for (int turn = 0; turn < 200; turn++) {
        drawing_scale scale = turn % 2 == 0 ? DRAWING_LOG : DRAWING_LINEAR;
        double low = pow(10, 10 * unit(&state) - 5), high = low * pow(10, 3 * unit(&state) + 0.1);
        drawing_ruler ruler =
            fit((drawing_axis){.low = low, .high = high, .scale = scale}, nothing, 400);
        assert_true(fabs(drawing_ruler_place(&ruler, low) - 100) < 1e-6);
        assert_true(fabs(drawing_ruler_place(&ruler, high) - 500) < 1e-6);
        double before = drawing_ruler_place(&ruler, low / 10);
        for (double value = low / 10; value < 10 * high; value *= 1.01) {
            double place = drawing_ruler_place(&ruler, value);
            assert_true(place >= before);
            before = place;
        }
        double middle = scale == DRAWING_LOG ? sqrt(low * high) : (low + high) / 2;
        assert_true(fabs(drawing_ruler_place(&ruler, middle) - 300) < 1e-6);
        assert_true(isnan(drawing_ruler_place(&ruler, NAN)));
        assert_true(drawing_ruler_place(&ruler, INFINITY) == 1e6);
        assert_true(scale == DRAWING_LOG ? isnan(drawing_ruler_place(&ruler, 0))
                                         : drawing_ruler_place(&ruler, -INFINITY) == -1e6);
    }
}

static void names_stand_at_their_places(void **test)
{
    (void)test;
    static const char *names[500];
    for (size_t i = 0; i < 500; i++)
        names[i] = i == 1 ? NULL : "name";
    drawing_axis axis = {.names = names, .name_count = 4, .scale = DRAWING_LOG};
    drawing_ruler ruler = fit(axis, nothing, 400);
    assert_int_equal(ruler.tick_count, 4);
    assert_string_equal(ruler.ticks[1].name, "");
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(drawing_ruler_place(&ruler, (double)i) - (150 + 100.0 * (double)i)) <
                    1e-9);
    axis.name_count = 500;
    ruler = fit(axis, nothing, 400);
    assert_in_range(ruler.tick_count, 5, 25);
    for (size_t i = 1; i < ruler.tick_count; i++)
        assert_true(ruler.ticks[i].value - ruler.ticks[i - 1].value ==
                    ruler.ticks[1].value - ruler.ticks[0].value);
}

/* The p-quantile by its definition: values are knots at 0, 1/(n-1), … 1, straight in between. */
static double quantile(const double *values, size_t count, double part)
{
    double found = NAN;
    for (size_t i = 0; i + 1 < count; i++) {
        double from = (double)i / (double)(count - 1), to = (double)(i + 1) / (double)(count - 1);
        if (part >= from && part <= to)
            found = values[i] + (part - from) / (to - from) * (values[i + 1] - values[i]);
    }
    return count == 1 ? values[0] : found;
}

static void quartiles_are_those_of_sorted_values(void **test)
{
    (void)test;
    uint64_t state = random_seed(5);
    for (size_t count = 1; count < 60; count++) {
        double x[60], y[60], sorted[60];
        for (size_t i = 0; i < count; i++) {
            x[i] = 1;
            y[i] = floor(20 * unit(&state)) - 10;
            size_t at = i; /* insertion, as one sorts by hand */
            for (; at > 0 && sorted[at - 1] > y[i]; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = y[i];
        }
        drawing_plot plot = {0};
        drawing_series series = {.x = x, .y = y, .count = count};
        drawing_value *values;
        size_t kept;
        opac_error error = {0};
        assert_ok(drawing_sort_values(&plot, &series, &values, &kept, &error), &error);
        assert_int_equal(kept, count);
        for (int i = 0; i <= 4; i++) {
            double part = 0.25 * i;
            assert_true(fabs(drawing_quantile(values, kept, part) - quantile(sorted, count, part)) <
                        1e-9);
        }
        base_free(values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_round_even_and_complete),
        cmocka_unit_test(labels_are_as_people_write_them),
        cmocka_unit_test(log_ticks_are_named_everywhere),
        cmocka_unit_test(minor_ticks_are_complete),
        cmocka_unit_test(ends_hold_the_data),
        cmocka_unit_test(ends_that_are_given_are_kept),
        cmocka_unit_test(ends_are_sensible),
        cmocka_unit_test(places_are_in_order),
        cmocka_unit_test(names_stand_at_their_places),
        cmocka_unit_test(quartiles_are_those_of_sorted_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
