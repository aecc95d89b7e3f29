/* SPDX-License-Identifier: MIT */
/*
 * Checking a model, from its text to value and policy, relative to exploring it only. Our own model:
 * processes that toss coins and move a shared counter up or down, and a scheduler that decides which
 * process is next; the objective is that the counter finally stays at the top forever. Also some published
 * models, if available. Each case runs in a process of its own, to measure its peak memory. Times are
 * wall-clock times, because the solver may use several threads.
 */
#include <string.h>

#include <omegapac/omegapac.h>

#include "apart.h"
#include "base/text.h"
#include "bench.h"

typedef struct instance {
    const char *path; /* NULL: our own, of the two numbers */
    unsigned processes, half;
    const char *constants, *property;
} instance;

typedef struct result {
    bool good;
    uint32_t states;
    opac_solution_stats stats;
    double exploring, solving; /* seconds */
    double peak;               /* bytes */
    opac_interval interval;
} result;

static void write_program(base_text *text, unsigned processes, unsigned half)
{
    base_text_format(text, "mdp const int N = %u;\nmodule counter c : [0..N] init %u;\n", 2 * half,
                     half);
    for (unsigned i = 1; i <= processes; i++)
        base_text_format(
            text, "  [up%u] true -> (c'=min(c+1,N)); [down%u] true -> (c'=max(c-1,0));\n", i, i);
    base_text_add(text, "endmodule\n");
    for (unsigned i = 1; i <= processes; i++)
        base_text_format(text,
                         "module p%u s%u : [0..2];\n"
                         "  [] s%u=0 & c>0 & c<N -> 0.5:(s%u'=1) + 0.5:(s%u'=2);\n"
                         "  [up%u] s%u=1 -> (s%u'=0); [down%u] s%u=2 -> (s%u'=0);\n"
                         "endmodule\n",
                         i, i, i, i, i, i, i, i, i, i, i);
    base_text_add(text, "label \"top\" = c=N;\n");
}

static opac_status read_model(const instance *at, opac_model **model, opac_constants *constants,
                              opac_error *error)
{
    opac_model_options options = {.constants = constants};
    base_text text = {0};
    if (at->path != NULL)
        return opac_model_read(at->path, &options, model, error);
    write_program(&text, at->processes, at->half);
    const char *bytes = base_text_get(&text);
    opac_status status =
        opac_model_read_text(OPAC_FORMAT_PRISM, bytes, strlen(bytes), &options, model, error);
    base_text_fini(&text);
    return status;
}

static void check(const void *context, void *out)
{
    const instance *at = context;
    result *r = out;
    opac_constants *constants = NULL;
    opac_properties *properties = NULL;
    opac_model *model = NULL;
    opac_solution *solution = NULL;
    opac_error error = {0};
    opac_check_options options = {.policy = true};
    double begin = bench_seconds();
    if (opac_constants_new(&constants, &error) == OPAC_OK &&
        (at->constants == NULL ||
         opac_constants_add(constants, at->constants, &error) == OPAC_OK) &&
        read_model(at, &model, constants, &error) == OPAC_OK) {
        r->exploring = bench_seconds() - begin;
        r->states = opac_model_states(model);
        begin = bench_seconds();
        if (opac_properties_parse(at->property, model, NULL, &properties, &error) == OPAC_OK) {
            opac_objective objective = opac_objective_of(properties, 0);
            r->good = opac_check(model, &objective, &options, &solution, &error) == OPAC_OK;
        }
        r->solving = bench_seconds() - begin;
    }
    if (r->good) {
        r->stats = opac_solution_get_stats(solution);
        r->interval = opac_solution_interval(solution, 0);
    } else {
        fprintf(stderr, "bench_check: %s\n", error.message);
    }
    r->peak = bench_peak();
    opac_solution_free(solution);
    opac_properties_free(properties);
    opac_model_free(model);
    opac_constants_free(constants);
}

static void show(const char *name, const instance *at)
{
    result r = {0};
    if (!bench_apart(check, at, &r, sizeof r) || !r.good)
        return;
    printf("%s: %u states, value in [%.9g, %.9g]\n", name, r.states, r.interval.lower,
           r.interval.upper);
    printf("  product %u states, %u undecided by the graph, %llu sweeps, %.0f bytes a state\n",
           r.stats.product_reachable, r.stats.maybe, (unsigned long long)r.stats.sweeps,
           r.peak / r.states);
    bench_ratio("from objective to value and policy", "exploring the model", r.solving,
                r.exploring);
}

static void show_own(void)
{
    static const unsigned sizes[][2] = {{4, 8}, {6, 8}, {8, 8}};
    for (size_t i = 0; i < bench_sizes(sizeof sizes / sizeof *sizes); i++) {
        char name[64];
        instance at = {
            .processes = sizes[i][0], .half = sizes[i][1], .property = "Pmax=? [ F G \"top\" ]"};
        snprintf(name, sizeof name, "%u processes", at.processes);
        show(name, &at);
    }
}

static void show_published(void)
{
    static const struct {
        const char *name;
        instance at;
    } cases[] = {
        {"coin4.nm",
         {.constants = "K=2", .property = "Pmax=? [ F G (\"finished\" & \"all_coins_equal_1\") ]"}},
        {"csma3_4.nm", {.property = "Pmax=? [ !\"collision_max_backoff\" U \"all_delivered\" ]"}},
        {"zeroconf.nm",
         {.constants = "N=1000,K=8,reset=false", .property = "Pmax=? [ F (l=4 & ip=1) ]"}},
        {"wlan_dl6.nm", {.constants = "deadline=80", .property = "Pmin=? [ F s1=12 & s2=12 ]"}},
    };
    for (size_t i = 0; i < bench_sizes(sizeof cases / sizeof *cases); i++) {
        char path[4096];
        instance at = cases[i].at;
        snprintf(path, sizeof path, "%s/models/%s", PUBLISHED_MODELS, cases[i].name);
        at.path = path;
        if (access(path, R_OK) == 0)
            show(cases[i].name, &at);
    }
}

int main(void)
{
    show_own();
    show_published();
    return 0;
}
