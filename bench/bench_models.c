/* SPDX-License-Identifier: MIT */
/*
 * Exploring PRISM programs with 10^4 to 10^7 states, relative to interning as many random keys of 8 bytes
 * one by one (base/intern.h), which is roughly the minimum for a table of states. The program models a
 * radio protocol: two stations that sense, back off for a random time, send and collide, a medium, and a
 * shared clock whose range determines the size. Each size runs in a process of its own, to measure its peak
 * memory. Also some published models, if available.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/omegapac.h>

#include "apart.h"
#include "base/intern.h"
#include "base/text.h"
#include "bench.h"

typedef struct result {
    bool good;
    uint32_t states, choices, transitions;
    double seconds; /* of the processor, to explore */
    double intern;  /* seconds for as many random keys */
    double peak;    /* bytes */
} result;

/* A model: its text, or else its path. */
typedef struct source {
    const char *text, *path, *constants;
} source;

static const char station[] =
    "module station1\n"
    "  s1 : [1..6]; x1 : [0..7]; slot1 : [0..3]; back1 : [0..7]; tries1 : [0..3];\n"
    "  [time] s1=1 & x1<3 & c1=0 & c2=0 -> (x1'=min(x1+1,7));\n"
    "  [] s1=1 & (x1=3 | x1=2) -> (s1'=2) & (x1'=0);\n"
    "  [] s1=1 & (c1>0 | c2>0) -> (s1'=2) & (x1'=0);\n"
    "  [] s1=2 & tries1=0 -> 1/2:(s1'=3)&(slot1'=0) + 1/2:(s1'=3)&(slot1'=1);\n"
    "  [] s1=2 & tries1>0 -> 1/4:(s1'=3)&(slot1'=0) + 1/4:(s1'=3)&(slot1'=1)"
    " + 1/4:(s1'=3)&(slot1'=2) + 1/4:(s1'=3)&(slot1'=3);\n"
    "  [] s1=3 -> 1/8:(back1'=0)&(s1'=4) + 1/8:(back1'=1)&(s1'=4) + 1/8:(back1'=2)&(s1'=4)"
    " + 1/8:(back1'=3)&(s1'=4) + 1/8:(back1'=4)&(s1'=4) + 1/8:(back1'=5)&(s1'=4)"
    " + 1/8:(back1'=6)&(s1'=4) + 1/8:(back1'=7)&(s1'=4);\n"
    "  [time] s1=4 & c1=0 & c2=0 & back1>0 -> (back1'=back1-1);\n"
    "  [time] s1=4 & c1=0 & c2=0 & back1=0 & slot1>0 -> (back1'=7) & (slot1'=slot1-1);\n"
    "  [time] s1=4 & (c1>0 | c2>0) -> true;\n"
    "  [send1] s1=4 & back1=0 & slot1=0 -> (s1'=5) & (x1'=0);\n"
    "  [time] s1=5 & x1<6 -> (x1'=x1+1);\n"
    "  [finish1] s1=5 & x1>=4 & c1=1 -> (s1'=6) & (x1'=0);\n"
    "  [finish1] s1=5 & x1>=4 & c1=2 -> (s1'=2) & (x1'=0) & (tries1'=min(tries1+1,TRIES));\n"
    "  [time] s1=6 -> true;\n"
    "  [] s1=6 & c2=0 -> (s1'=1) & (tries1'=0) & (x1'=0) & (slot1'=0) & (back1'=0);\n"
    "endmodule\n";

static const char medium[] = "module medium\n"
                             "  c1 : [0..2]; c2 : [0..2];\n"
                             "  [send1] c1=0 & c2=0 -> (c1'=1);\n"
                             "  [send2] c1=0 & c2=0 -> (c2'=1);\n"
                             "  [send1] c1=0 & c2>0 -> (c1'=2) & (c2'=2);\n"
                             "  [send2] c2=0 & c1>0 -> (c1'=2) & (c2'=2);\n"
                             "  [finish1] c1>0 -> (c1'=0);\n"
                             "  [finish2] c2>0 -> (c2'=0);\n"
                             "endmodule\n";

typedef struct family {
    unsigned tries, deadline;
} family;

static void write_program(base_text *text, family size)
{
    base_text_format(text, "mdp const int TRIES = %u;\n", size.tries);
    base_text_add(text, medium);
    base_text_add(text, station);
    base_text_add(text, "module station2 = station1 [s1=s2, s2=s1, x1=x2, slot1=slot2, "
                        "back1=back2, tries1=tries2, c1=c2, c2=c1, send1=send2, finish1=finish2] "
                        "endmodule\n");
    base_text_format(text,
                     "module timer t : [0..%u];\n"
                     "  [time] t<%u -> (t'=t+1);\n"
                     "  [time] t=%u -> true;\n"
                     "endmodule\nlabel \"done\" = s1=6 & s2=6;\n",
                     size.deadline, size.deadline, size.deadline);
}

/* Seconds to intern `count` random keys, every second of which is there already. */
static double seconds_to_intern(uint32_t count)
{
    base_intern table;
    uint64_t random = 1;
    base_intern_init_fixed(&table, sizeof(uint64_t));
    double begin = bench_cpu_seconds();
    for (uint32_t i = 0; i < 2 * count; i++) {
        uint32_t id;
        if (i % 2 == 0)
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (base_intern_add(&table, &random, sizeof random, &id, NULL, NULL) != OPAC_OK)
            abort();
    }
    double seconds = bench_cpu_seconds() - begin;
    base_intern_fini(&table);
    return seconds;
}

/* The text, or the file. Small ones again and again, for a time that can be measured. */
static void explore(const void *context, void *out)
{
    const char *text = ((const source *)context)->text, *path = ((const source *)context)->path;
    const char *constants = ((const source *)context)->constants;
    result *r = out;
    opac_model_options options = {0};
    opac_error error = {0};
    double begin = bench_cpu_seconds(), rounds = 0;
    do {
        opac_model *model = NULL;
        if (opac_constants_new(&options.constants, &error) != OPAC_OK ||
            (constants[0] != '\0' &&
             opac_constants_add(options.constants, constants, &error) != OPAC_OK) ||
            (text != NULL ? opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), &options,
                                                 &model, &error)
                          : opac_model_read(path, &options, &model, &error)) != OPAC_OK) {
            fprintf(stderr, "bench_models: %s\n", error.message);
            return;
        }
        r->states = opac_model_states(model);
        r->choices = opac_model_choices(model);
        r->transitions = opac_model_transitions(model);
        opac_model_free(model);
        opac_constants_free(options.constants);
        rounds++;
    } while (bench_cpu_seconds() - begin < 0.2);
    r->seconds = (bench_cpu_seconds() - begin) / rounds;
    r->peak = bench_peak();
    r->intern = seconds_to_intern(r->states);
    r->good = true;
}

static result measure(const char *text, const char *path, const char *constants)
{
    result r = {0};
    if (!bench_apart(explore, &(source){text, path, constants}, &r, sizeof r))
        r.good = false;
    return r;
}

static void print_result(const char *name, const result *r, double *smallest)
{
    double cost = r->seconds / r->states;
    if (!r->good)
        return;
    printf("  %-24s %9u states %9u transitions  %6.2f x  ", name, (unsigned)r->states,
           (unsigned)r->transitions, r->seconds / r->intern);
    if (smallest != NULL) {
        *smallest = *smallest > 0 ? *smallest : cost;
        printf("growth %.2f  ", cost / *smallest);
    }
    printf("%5.0f bytes/state  %.2f M states/s\n", r->peak / r->states, 1e-6 / cost);
}

static void own_models(void)
{
    static const family sizes[] = {{1, 2}, {3, 15}, {3, 45}, {3, 340}};
    double smallest = 0;
    for (size_t i = 0; i < bench_sizes(sizeof sizes / sizeof sizes[0]); i++) {
        base_text text = {0};
        char name[32];
        write_program(&text, sizes[i]);
        snprintf(name, sizeof name, "two stations, time %u", sizes[i].deadline);
        result r = measure(base_text_get(&text), NULL, "");
        print_result(name, &r, &smallest);
        base_text_fini(&text);
    }
}

static void published_models(void)
{
    static const char *const models[][2] = {
        {"wlan5.nm", "COL=0"}, {"csma3_4.nm", ""}, {"zeroconf.nm", "N=1000,K=8,reset=false"}};
    for (size_t i = 0; i < bench_sizes(sizeof models / sizeof models[0]); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/models/%s", PUBLISHED_MODELS, models[i][0]);
        if (access(path, R_OK) != 0)
            continue;
        result r = measure(NULL, path, models[i][1]);
        print_result(models[i][0], &r, NULL);
    }
}

int main(void)
{
    printf("Reading and exploring, relative to interning twice as many random keys of 8 bytes as "
           "there\n"
           "are states; growth: cost a state over that of the smallest, 1 is linear. Bytes are of\n"
           "the whole process at its peak.\n");
    own_models();
    published_models();
    return 0;
}
