/* SPDX-License-Identifier: MIT */
/*
 * The gridworld of examples/models/gridworld.prism as a fast program, with as
 * many lanes as its argument says.
 *
 *     cc -O2 -o gridworld examples/simulators/gridworld.c
 *     omegapac learn 'exec:./gridworld 64' --formula 'G F s & G F g' ...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LANES = 4096
};

typedef struct robot {
    uint64_t random;
    int x, y;
} robot;

/* Steele, Lea and Flood's splitmix64: every seed begins a stream of its own. */
static uint64_t draw(robot *r)
{
    uint64_t z = r->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* "ne": n or e with probability 0.4 each; with 0.2 the robot stays. */
static void step(robot *r, const char *action)
{
    uint64_t u = draw(r) % 5;
    if (u == 4 || (r->x == 1 && r->y == 1))
        return;
    switch (action[u / 2]) {
    case 'n':
        r->y = 1;
        break;
    case 's':
        r->y = 0;
        break;
    case 'e':
        r->x += r->x < 2;
        break;
    case 'w':
        r->x -= r->x > 0;
        break;
    }
}

static void obey(robot *r, const char *request)
{
    if (strncmp(request, "reset ", 6) == 0)
        *r = (robot){.random = strtoull(request + 6, NULL, 10), .x = 0, .y = 1};
    else
        step(r, request + 5);
}

static void answer(const robot *r)
{
    static const char *const labels[2][3] = {{"-", "-", "g"}, {"s", "trap", "-"}};
    printf("%d,%d %s ne,nw,se,sw", r->x, r->y, labels[r->y][r->x]);
}

int main(int count, char **arguments)
{
    static robot robots[MOST_LANES];
    static char line[MOST_LANES * 32];
    int lanes = count > 1 ? atoi(arguments[1]) : 1;
    if (lanes < 1 || lanes > MOST_LANES)
        return 2;
    printf("omegapac-env 1 s g trap start=fixed lanes=%d\n", lanes);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL && strcmp(line, "bye\n") != 0) {
        const char *request = line;
        for (int i = 0; i < lanes; i++) {
            obey(&robots[i], request);
            answer(&robots[i]);
            fputs(i + 1 < lanes ? " ; " : "\n", stdout);
            request = strchr(request, ';') != NULL ? strchr(request, ';') + 2 : request;
        }
        fflush(stdout);
    }
    return 0;
}
