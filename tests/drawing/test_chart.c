/* SPDX-License-Identifier: MIT */
/* Charts as pictures, of all kinds and of odd data: all is within them, and nothing does harm. */
#include "chart_scene.h"
#include "support/faults.h"

/* ---- all kinds of charts ---- */

enum {
    SERIES = 6,
    POINTS = 120
};

typedef struct sketch {
    double x[SERIES][POINTS], y[SERIES][POINTS], y2[SERIES][POINTS];
    drawing_series series[SERIES];
    drawing_rule rules[5];
    drawing_chart chart;
} sketch;

static double odd_value(uint64_t *state, double value)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e300, -1e308, 5e-324};
    return random_below(state, 40) == 0 ? odd[random_below(state, 8)] : value;
}

/* Anything: few or many series of any kinds, gaps, infinities, one value or many. */
static void make_sketch(uint64_t *state, sketch *s, bool is_odd)
{
    static const char *const names[] = {
        "a", "<&>\"'", "a rather long name of a series, so it is", "\xCE\xB5 = 1/60", NULL, ""};
    double size = pow(10, 12 * unit(state) - 6);
    *s = (sketch){0};
    size_t series_count = random_below(state, SERIES + 1);
    for (size_t i = 0; i < series_count; i++) {
        size_t points = random_below(state, POINTS + 1), places = 1 + random_below(state, 9);
        drawing_series_kind kind = random_below(state, 7);
        for (size_t k = 0; k < points; k++) {
            bool is_wide = kind >= DRAWING_STRIP && kind != DRAWING_BAND;
            double x = is_wide ? (double)random_below(state, (uint32_t)places) : (double)k;
            double values[] = {size * (1 + x), size * unit(state), size * (1 + unit(state))};
            for (int v = 0; v < 3; v++)
                (v == 0   ? s->x
                 : v == 1 ? s->y
                          : s->y2)[i][k] = is_odd ? odd_value(state, values[v]) : values[v];
        }
        s->series[i] = (drawing_series){.name = names[random_below(state, 6)],
                                        .kind = kind,
                                        .x = s->x[i],
                                        .y = s->y[i],
                                        .y2 = random_below(state, 5) > 0 ? s->y2[i] : NULL,
                                        .count = points,
                                        .plain = random_below(state, 2) == 0};
    }
    size_t rule_count = random_below(state, 6);
    for (size_t i = 0; i < rule_count; i++)
        s->rules[i] = (drawing_rule){.vertical = random_below(state, 2) == 0,
                                     .at = size * 2 * unit(state),
                                     .label = names[random_below(state, 6)]};
    s->chart = (drawing_chart){
        .title = names[random_below(state, 6)],
        .x = {.label = names[random_below(state, 6)], .scale = random_below(state, 3) == 0},
        .y = {.label = names[random_below(state, 6)], .scale = random_below(state, 3) == 0},
        .series = s->series,
        .series_count = series_count,
        .rules = s->rules,
        .rule_count = rule_count,
        .width = random_below(state, 3) == 0 ? 1000 * unit(state) : 0,
        .height = random_below(state, 3) == 0 ? 700 * unit(state) : 0};
    if (random_below(state, 4) == 0) {
        s->chart.x.names = names;
        s->chart.x.name_count = 1 + random_below(state, 6);
    }
    if (random_below(state, 4) == 0) {
        s->chart.y.low = size * 0.3;
        s->chart.y.high = random_below(state, 2) == 0 ? NAN : size * 0.6;
    }
}

static void everything_is_within_the_picture(void **test)
{
    (void)test;
    uint64_t state = random_seed(7);
    sketch *s = malloc(sizeof *s);
    assert_non_null(s);
    for (uint32_t turn = 0; turn < random_rounds(100, 1000); turn++) {
        make_sketch(&state, s, turn % 2 == 1);
        char *text = draw(&s->chart), *again = draw(&s->chart);
        assert_string_equal(text, again);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        scene *seen = read_scene(text);
        assert_within(seen);
        assert_legend_hides_nothing(seen);
        free_scene(seen);
        free(text);
        free(again);
    }
    free(s);
}

static void no_chart_is_too_empty(void **test)
{
    (void)test;
    const double nan[] = {NAN, NAN}, one[] = {5, 5}, minus[] = {-1, -2};
    drawing_series series = {.x = nan, .y = nan, .y2 = nan, .count = 2};
    drawing_chart chart = {0};
    free(draw(&chart));
    chart = (drawing_chart){.series = &series, .series_count = 1};
    for (int kind = 0; kind <= DRAWING_BARS; kind++)
        for (int turn = 0; turn < 12; turn++) {
            series.kind = (drawing_series_kind)kind;
            series.x = turn % 3 == 0 ? nan : turn % 3 == 1 ? one : minus;
            series.y = series.x;
            series.count = (size_t)turn / 3 % 3;
            chart.x.scale = chart.y.scale = turn < 6 ? DRAWING_LINEAR : DRAWING_LOG;
            char *text = draw(&chart);
            scene *seen = read_scene(text);
            assert_within(seen);
            free_scene(seen);
            free(text);
        }
    series = (drawing_series){.x = one, .y = one, .count = 1, .kind = DRAWING_POINTS};
    char *text = draw(&chart);
    assert_int_equal(count(text, "opac-full\""), 1);
    free(text);
}

/* ---- pages ---- */

/* Rules speak of charts alone, and nothing has a name of its own. */
static void styles_do_not_leak(void **test)
{
    (void)test;
    char *text = draw(&(drawing_chart){0});
    char *end = strstr(text, "</style>");
    assert_null(strstr(text, " id="));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "opac-drawing"));
    assert_null(strstr(text, "var("));
    *end = '\0';
    for (char *at = strstr(text, "<style>\n") + 8; *at != '\0';) {
        char *brace = strchr(at, '{');
        if (brace == NULL)
            break;
        *brace = '\0';
        if (strncmp(at, "@media", 6) != 0)
            for (const char *selector = at; selector != NULL; selector = strchr(selector, ',')) {
                selector += *selector == ',';
                assert_memory_equal(selector, ".opac-chart ", 12);
            }
        bool is_media = strncmp(at, "@media", 6) == 0;
        at = is_media ? brace + 1 : strchr(brace + 1, '}') + 1;
        at += strspn(at, "\n}");
    }
    free(text);
}

static void texts_are_harmless(void **test)
{
    (void)test;
    const char hostile[] = "</svg><script>x('\"&')</script>\xE2\x80\xAE\xFF\x01]]><!-- -->";
    const char *const names[] = {hostile, hostile};
    const double x[] = {0, 1};
    char many[5001];
    memset(many, 'm', 5000);
    many[5000] = '\0';
    for (int turn = 0; turn < 2; turn++) {
        const char *word = turn == 0 ? hostile : many;
        drawing_series series = {.name = word, .kind = DRAWING_BARS, .x = x, .y = x, .count = 2};
        drawing_rule rule = {.at = 0.5, .label = word};
        drawing_chart chart = {.title = word,
                               .description = word,
                               .x = {.label = word, .names = names, .name_count = 2},
                               .y = {.label = word, .names = names, .name_count = 2},
                               .series = &series,
                               .series_count = 1,
                               .rules = &rule,
                               .rule_count = 1};
        char *text = draw(&chart);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "<!--"));
        assert_null(strchr(text, '\xFF'));
        assert_null(strstr(text, "\xE2\x80\xAE"));
        assert_true(turn == 1 || strstr(text, "&lt;script&gt;") != NULL);
        assert_true(strlen(text) < 20000);
        scene *s = read_scene(text);
        assert_within(s);
        free_scene(s);
        free(text);
    }
}

/* ---- many points ---- */

enum {
    MILLION = 1000000
};

static void many_points_make_small_files(void **test)
{
    (void)test;
    uint64_t state = random_seed(9);
    const size_t many = random_rounds(MILLION / 5, MILLION);
    double *x = malloc(many * sizeof *x), *y = malloc(many * sizeof *y);
    assert_true(x != NULL && y != NULL);
    static const size_t most[] = {60000, 60000, 2000000, 600000, 8000, 120000, 0};
    for (int kind = 0; kind < DRAWING_BARS; kind++) {
        size_t points = kind == DRAWING_STRIP || kind == DRAWING_BOXES ? many / 10 : many;
        bool is_wide = kind == DRAWING_STRIP || kind == DRAWING_BOXES;
        for (size_t i = 0; i < points; i++) {
            x[i] = is_wide ? (double)(i % 5) : kind == DRAWING_POINTS ? unit(&state) : (double)i;
            y[i] = unit(&state);
        }
        if (!is_wide)
            y[points / 2] = 9; /* a spike */
        drawing_series series = {
            .kind = (drawing_series_kind)kind, .x = x, .y = y, .y2 = x, .count = points};
        drawing_chart chart = {.y = {.low = 0, .high = 10}, .series = &series, .series_count = 1};
        char *text = draw(&chart);
        assert_true(strlen(text) < most[kind]);
        if (kind == DRAWING_CURVE || kind == DRAWING_STAIRS) {
            scene *s = read_scene(text);
            const path *line = find_path(s, "opac-line", 0);
            paper p = find_paper(s);
            bool is_seen = false;
            for (size_t i = 0; i < line->count; i++)
                is_seen = is_seen || is_at(p, s->spots[line->first + i], 5, 9);
            assert_true(is_seen);
            free_scene(s);
        }
        free(text);
    }
    for (size_t i = 0; i < many; i++) /* to and fro */
        x[i] = unit(&state);
    drawing_series series = {.x = x, .y = y, .count = many};
    drawing_chart chart = {.series = &series, .series_count = 1};
    char *text = draw(&chart);
    assert_true(strlen(text) < 400000);
    free(text);
    free(x);
    free(y);
}

/* ---- failures ---- */

static opac_status try_chart(void *chart, opac_error *error)
{
    return picture_try(write_chart, chart, error);
}

static void failing_allocations_are_reported(void **test)
{
    (void)test;
    static const char *const names[] = {"one", "two and more words than there is room for",
                                        "three"};
    double x[3000], y[3000];
    drawing_series series[8];
    drawing_rule rule = {.at = 1, .label = "rule"};
    drawing_chart chart = {.title = "T",
                           .x = {.label = "X", .names = names, .name_count = 3},
                           .y = {.label = "Y"},
                           .series = series,
                           .series_count = 8,
                           .rules = &rule,
                           .rule_count = 1};
    for (size_t i = 0; i < 3000; i++) {
        x[i] = (double)(i % 3);
        y[i] = (double)(i * 7919 % 3001);
    }
    for (size_t i = 0; i < 8; i++)
        series[i] = (drawing_series){.name = "a name of a series",
                                     .kind = (drawing_series_kind)(i % 7),
                                     .x = x,
                                     .y = y,
                                     .y2 = x,
                                     .count = i % 7 == DRAWING_POINTS ? 3000 : 30};
    assert_true(faults_sweep(try_chart, &chart) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_within_the_picture),
        cmocka_unit_test(no_chart_is_too_empty),
        cmocka_unit_test(styles_do_not_leak),
        cmocka_unit_test(texts_are_harmless),
        cmocka_unit_test(many_points_make_small_files),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
