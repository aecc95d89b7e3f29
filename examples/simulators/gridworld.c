/* SPDX-License-Identifier: MIT */
/*
 * The gridworld of examples/models/gridworld.prism as a program in C. Its argument is the number of
 * lanes: the number of episodes that run side by side, so that one line carries a request for each.
 *
 *     cc -O2 -o gridworld examples/simulators/gridworld.c
 *     omegapac learn 'exec:./gridworld 64' --formula 'G F s & G F g' ...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LANES = 4096
};

typedef struct robot {
    uint64_t random;
    int x, y;
} robot;

/* splitmix64 (Steele, Lea and Flood, 2014). Each seed starts another sequence. */
static uint64_t next_random(robot *r)
{
    uint64_t z = r->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The action "ne" moves to n or e with probability 0.4 each. With 0.2 the robot stays. A move into a wall
 * does not move, and nothing leaves the trap. */
static void step(robot *r, const char *action)
{
    uint64_t u = next_random(r) % 5;
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

static void process_request(robot *r, const char *request)
{
    if (strncmp(request, "reset ", 6) == 0)
        *r = (robot){.random = strtoull(request + 6, NULL, 10), .x = 0, .y = 1};
    else
        step(r, request + 5);
}

static void print_answer(const robot *r)
{
    static const char *const labels[2][3] = {{"-", "-", "g"}, {"s", "trap", "-"}};
    printf("%d,%d %s ne,nw,se,sw", r->x, r->y, labels[r->y][r->x]);
}

int main(int count, char **arguments)
{
    static robot robots[MAX_LANES];
    static char line[MAX_LANES * 32];
    int lanes = count > 1 ? atoi(arguments[1]) : 1;
    if (lanes < 1 || lanes > MAX_LANES)
        return 2;
    printf("omegapac-env 1 s g trap start=fixed lanes=%d\n", lanes);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL && strcmp(line, "bye\n") != 0) {
        const char *request = line;
        for (int i = 0; i < lanes; i++) {
            process_request(&robots[i], request);
            print_answer(&robots[i]);
            fputs(i + 1 < lanes ? " ; " : "\n", stdout);
            request = strchr(request, ';') != NULL ? strchr(request, ';') + 2 : request;
        }
        fflush(stdout);
    }
    return 0;
}
