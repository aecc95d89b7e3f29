/* SPDX-License-Identifier: MIT */
/* The program of a module's tests, test_MODULE SUITE: runs the suite that test_SUITE.c defines
 * (SUITE in check.h). CTest starts one process for each suite. CMake writes suites.h, one
 * NAMED(suite) for each. */
#include <stdio.h>
#include <string.h>

#define NAMED(name) int suite_##name(void);
#include "suites.h"
#undef NAMED

#define NAMED(name) {#name, suite_##name},
static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#include "suites.h"
};

int main(int count, char **arguments)
{
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        if (count == 2 && strcmp(arguments[1], suites[i].name) == 0)
            return suites[i].run() != 0;
    fprintf(stderr, "usage: %s SUITE, which is one of\n", arguments[0]);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        fprintf(stderr, "    %s\n", suites[i].name);
    return 2;
}
