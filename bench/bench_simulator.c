/* SPDX-License-Identifier: MIT */
/*
 * The overhead of a step of a simulator that is a program: CPU time of this process, user and system, with
 * one lane and with many, relative to writing and reading the same bytes without parsing. Then a learning
 * run.
 *
 * The time of the simulator, and the time waiting for it, are not included.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <omegapac/omegapac.h>

#include "bench.h"

enum {
    MOST_LANES = 1024
};

/* Of this process alone, without its children. */
static double own_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void check(opac_status status, const opac_error *error)
{
    if (status == OPAC_OK)
        return;
    fprintf(stderr, "bench_simulator: %s\n", error->message);
    exit(1);
}

static uint64_t messages_for(uint32_t lanes)
{
    return bench_times(20000 / (1 + lanes / 16));
}

/* ---- the same bytes, unread ---- */

static void read_line(int from)
{
    static char bytes[1 << 16];
    ssize_t got;
    do
        got = read(from, bytes, sizeof bytes);
    while (got > 0 && bytes[got - 1] != '\n');
    if (got <= 0)
        exit(1);
}

static void write_line(int to, const char *bytes, size_t length)
{
    if (write(to, bytes, length) != (ssize_t)length)
        exit(1);
}

static double exchange_bytes(int to, int from, uint32_t lanes)
{
    static char reset[MOST_LANES * 16], step[MOST_LANES * 16];
    size_t r = 0, s = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        const char *end = i + 1 < lanes ? " ; " : "\n";
        r += (size_t)sprintf(reset + r, "reset %u%s", (unsigned)i, end);
        s += (size_t)sprintf(step + s, "step %s%s", i % 2 == 0 ? "se" : "nw", end);
    }
    read_line(from);
    write_line(to, reset, r);
    read_line(from);
    double begin = own_seconds();
    uint64_t messages = messages_for(lanes);
    for (uint64_t i = 0; i < messages; i++) {
        write_line(to, step, s);
        read_line(from);
    }
    return (own_seconds() - begin) / ((double)messages * lanes);
}

static double measure_bytes(uint32_t lanes)
{
    int to[2], from[2];
    char count[16];
    snprintf(count, sizeof count, "%u", (unsigned)lanes);
    if (pipe(to) != 0 || pipe(from) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        execl(GRIDWORLD, GRIDWORLD, count, (char *)NULL);
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    double cost = exchange_bytes(to[1], from[0], lanes);
    close(to[1]);
    close(from[0]);
    waitpid(child, NULL, 0);
    return cost;
}

/* ---- steps ---- */

static opac_environment *open_gridworld(uint32_t lanes)
{
    char name[4096];
    opac_environment *env;
    opac_error error = {0};
    snprintf(name, sizeof name, "exec:exec %s %u", GRIDWORLD, (unsigned)lanes);
    check(opac_environment_open(name, NULL, &env, &error), &error);
    return env;
}

static double measure_steps(uint32_t lanes)
{
    static opac_lane_request orders[MOST_LANES];
    static opac_observation seen[MOST_LANES];
    opac_environment *env = open_gridworld(lanes);
    opac_error error = {0};
    for (uint32_t i = 0; i < lanes; i++)
        orders[i] = (opac_lane_request){.is_reset = true, .seed = i};
    check(opac_environment_step_many(env, orders, seen, &error), &error);
    double begin = own_seconds();
    uint64_t messages = messages_for(lanes);
    for (uint64_t i = 0; i < messages; i++) {
        for (uint32_t lane = 0; lane < lanes; lane++)
            orders[lane] = (opac_lane_request){.action = lane % 2 == 0 ? 2 : 1};
        check(opac_environment_step_many(env, orders, seen, &error), &error);
    }
    double cost = (own_seconds() - begin) / ((double)messages * lanes);
    opac_environment_free(env);
    return cost;
}

static void compare(uint32_t lanes)
{
    char what[64];
    double bytes = measure_bytes(lanes), steps = measure_steps(lanes);
    snprintf(what, sizeof what, "a step, %4u lane%s: %.2f us of CPU", (unsigned)lanes,
             lanes > 1 ? "s" : "", 1e6 * steps);
    bench_ratio(what, "its bytes", steps, bytes);
}

/* ---- learning ---- */

static void learn(uint32_t lanes)
{
    char what[64];
    opac_environment *env = open_gridworld(lanes);
    opac_formula *formula = NULL;
    opac_learning *learning = NULL;
    opac_learn_options options = opac_learn_defaults();
    opac_error error = {0};
    options.horizon = 50;
    options.epsilon = 0.1;
    options.delta = 0.1;
    options.k = 20000;
    options.threads = 1;
    options.max_steps = bench_times(lanes > 1 ? 2000000 : 50000);
    check(opac_formula_parse("G F s & G F g", NULL, &formula, &error), &error);
    double begin = own_seconds();
    check(opac_learn(env, &(opac_objective){.formula = formula}, &options, &learning, &error),
          &error);
    double cost = (own_seconds() - begin) / (double)opac_learning_report(learning)->steps;
    snprintf(what, sizeof what, "a step of learning, %2u lane%s: %.2f us of CPU", (unsigned)lanes,
             lanes > 1 ? "s" : "", 1e6 * cost);
    bench_ratio(what, "its bytes", cost, measure_bytes(lanes));
    opac_learning_free(learning);
    opac_formula_free(formula);
    opac_environment_free(env);
}

int main(void)
{
    static const uint32_t lanes[] = {1, 8, 64, MOST_LANES};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        compare(lanes[i]);
    learn(1);
    learn(64);
    return 0;
}
