/* SPDX-License-Identifier: MIT */
/* The subcommands, each described once. */
#include "cli/commands.h"

#include <string.h>

static const char bound_description[] =
    "Tells, before anything is sampled, how many samples of each state-action pair the "
    "omega-PAC learner asks for, what error that promises, and how long it will take.\n"
    "\n"
    "N, K, M and T are those of the product of model and automaton: N states, at most K actions "
    "a state, at most M successors of a state-action pair, and T a bound on the "
    "epsilon-recurrence time. A pair is known after k samples. If T is a true bound, the policy "
    "that omega-PAC returns is within 2(epsilon + c) of the best with probability 1 - delta, "
    "where c is what k samples leave unknown of a trajectory of T steps: more samples, smaller "
    "error.\n"
    "\n"
    "Three rules for k stand side by side, each with the error that this theorem gives its k: "
    "paper is Theorem 1 as published, which itself promises 6 epsilon; sound mends its union "
    "bound over successors; l1 bounds the total variation, needs far fewer samples, and promises "
    "4 epsilon. C is Theorem 2's bound on the steps with a policy that is not 9 epsilon-optimal, "
    "as published; its proof has a gap, and nothing is promised by it.";

const cli_command cli_commands[] = {
    {.name = "bound",
     .summary = "how many samples a guarantee costs",
     .description = bound_description,
     .uses = {{CLI_STATES, true, "states N of the product"},
              {CLI_ACTIONS, true, "largest number K of actions of a state"},
              {CLI_HORIZON, true, NULL},
              {CLI_EPSILON, true, NULL},
              {CLI_DELTA, true, NULL},
              {CLI_BRANCHING, false,
               "largest number of successors of a state-action pair, at most N (default: N)"},
              {CLI_K, false, NULL},
              {CLI_TARGET, false, NULL},
              {CLI_SLACK, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"The gridworld of the paper, by its own rule:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 --k paper"},
                  {"The same knowing that a pair has at most three successors, as JSON:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 "
                   "--branching 3 --json"}},
     .run = cli_run_bound},
};

const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const cli_exit_meaning cli_exit_meanings[] = {
    {CLI_EXIT_DONE, "done"},
    {CLI_EXIT_USAGE, "usage or input error; one line on standard error says which"},
    {CLI_EXIT_RESOURCE, "out of a resource, such as memory or disk space"},
    {0, NULL},
};

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

const cli_option_use *cli_command_use(const cli_command *command, cli_option_id option)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->option == option)
            return use;
    return NULL;
}

const char *cli_use_help(const cli_option_use *use)
{
    return use->help != NULL ? use->help : cli_options[use->option].help;
}
