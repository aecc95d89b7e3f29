/* SPDX-License-Identifier: MIT */
/*
 * Answers questions about confidence sequences, one a line, for sequence_oracle.py:
 *
 *     jeffreys S N LOG_ALPHA              the two ends
 *     hoeffding S N LOG_ALPHA
 *     success S N LOG_ALPHA               the lower bound of success_bound.h
 *     visits PMIN SUCCESSORS LOG_ALPHA    a number
 *
 * Doubles are read and printed in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/sequence.h"
#include "stat/success_bound.h"

static void print(stat_interval interval)
{
    printf("%a %a ", interval.lower, interval.upper);
}

/* false: not a question. */
static int answer(char *line)
{
    char *rest = strchr(line, ' ');
    if (rest == NULL)
        return 0;
    *rest++ = 0;
    if (strcmp(line, "jeffreys") == 0 || strcmp(line, "hoeffding") == 0) {
        uint64_t successes = strtoull(rest, &rest, 10), trials = strtoull(rest, &rest, 10);
        double log_alpha = strtod(rest, NULL);
        print(line[0] == 'j' ? stat_sequence_jeffreys(successes, trials, log_alpha)
                             : stat_sequence_hoeffding(successes, trials, log_alpha));
    } else if (strcmp(line, "success") == 0) {
        uint64_t successes = strtoull(rest, &rest, 10), trials = strtoull(rest, &rest, 10);
        printf("%a", stat_success_lower(successes, trials, strtod(rest, NULL)));
    } else if (strcmp(line, "visits") == 0) {
        double pmin = strtod(rest, &rest), successors = strtod(rest, &rest);
        printf("%" PRIu64, stat_support_visits(pmin, successors, strtod(rest, NULL)));
    } else {
        return 0;
    }
    putchar('\n');
    return 1;
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin) != NULL)
        if (!answer(line))
            return 1;
    return 0;
}
