/* SPDX-License-Identifier: MIT */
/* The options, each described once. */
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

/* A macro, not a constant: static initialisers need it. */
#define AT_LEAST_1                                                                                 \
    {                                                                                              \
        .low = 1, .high = INFINITY, .high_open = true                                              \
    }
#define AT_LEAST_0                                                                                 \
    {                                                                                              \
        .low = 0, .high = INFINITY, .high_open = true                                              \
    }
#define BETWEEN_0_AND_1                                                                            \
    {                                                                                              \
        .low = 0, .high = 1, .low_open = true, .high_open = true                                   \
    }
#define ABOVE_0_AT_MOST_1                                                                          \
    {                                                                                              \
        .low = 0, .high = 1, .low_open = true                                                      \
    }

const cli_option cli_options[CLI_OPTION_COUNT] = {
    [CLI_STATES] = {.name = "states",
                    .type = CLI_COUNT,
                    .placeholder = "N",
                    .range = AT_LEAST_1,
                    .key = "states",
                    .help = "number of states"},
    [CLI_ACTIONS] = {.name = "actions",
                     .type = CLI_COUNT,
                     .placeholder = "K",
                     .range = AT_LEAST_1,
                     .key = "actions",
                     .help = "largest number of actions of a state"},
    [CLI_BRANCHING] = {.name = "branching",
                       .type = CLI_COUNT,
                       .placeholder = "M",
                       .range = AT_LEAST_1,
                       .key = "branching",
                       .help = "largest number of successors of a state-action pair"},
    [CLI_HORIZON] = {.letter = 'T',
                     .type = CLI_COUNT,
                     .placeholder = "N",
                     .range = AT_LEAST_1,
                     .key = "T",
                     .help = "bound on the epsilon-recurrence time, in transitions"},
    [CLI_EPSILON] = {.name = "epsilon",
                     .type = CLI_NUMBER,
                     .placeholder = "E",
                     .range = BETWEEN_0_AND_1,
                     .key = "epsilon",
                     .help = "accuracy; a decimal or a fraction such as 1/20"},
    [CLI_DELTA] = {.name = "delta",
                   .type = CLI_NUMBER,
                   .placeholder = "D",
                   .range = BETWEEN_0_AND_1,
                   .key = "delta",
                   .help = "probability with which the guarantee may fail"},
    [CLI_K] = {.name = "k",
               .type = CLI_WORD_OR_COUNT,
               .placeholder = "RULE",
               .range = AT_LEAST_1,
               .words = {"paper", "sound", "l1"},
               .fallback = "l1",
               .key = "k_rule",
               .count_key = "k",
               .help = "samples that make a state-action pair known: by the rule paper "
                       "(Theorem 1), sound (its union bound mended) or l1 (total variation), "
                       "or a number"},
    [CLI_TARGET] = {.name = "target",
                    .type = CLI_NUMBER,
                    .placeholder = "E",
                    .range = ABOVE_0_AT_MOST_1,
                    .key = "target",
                    .help = "error of the policy to aim at, above 2 epsilon: k is the least that "
                            "promises it (rule l1 with c = E/2 - epsilon)"},
    [CLI_SLACK] = {.name = "slack",
                   .type = CLI_NUMBER,
                   .placeholder = "H",
                   .range = BETWEEN_0_AND_1,
                   .key = "slack",
                   .help = "also stop when an unknown pair is met with probability at most H, "
                           "above c: the error grows by H, the expected number of episodes "
                           "becomes bounded while the known pairs are accurate"},
    [CLI_KNOWN_HORIZON] = {.letter = 'T',
                           .type = CLI_WORD_OR_COUNT,
                           .placeholder = "N|auto",
                           .range = AT_LEAST_1,
                           .words = {"auto"},
                           .key = "T",
                           .count_key = "T",
                           .help = "what you know: the epsilon-recurrence time is at most N "
                                   "transitions; auto doubles N until what was learned no longer "
                                   "refutes it, and promises nothing"},
    [CLI_STOP] = {.name = "stop",
                  .type = CLI_WORD,
                  .placeholder = "WHEN",
                  .words = {"policy", "all-actions"},
                  .fallback = "policy",
                  .key = "stop",
                  .help = "stop when the pairs that the policy takes are known, or all actions of "
                          "the states that it visits"},
    [CLI_COUNTS] = {.name = "counts",
                    .type = CLI_WORD,
                    .placeholder = "OF",
                    .words = {"model", "product"},
                    .fallback = "model",
                    .key = "counts",
                    .help = "count observations by state and action of the model, or of the "
                            "product with the automaton, as the paper does"},
    [CLI_SAMPLER] = {.name = "sampler",
                     .type = CLI_WORD,
                     .placeholder = "NAME",
                     .words = {"auto", "population", "step"},
                     .fallback = "auto",
                     .key = "sampler",
                     .help = "how to sample: many episodes together, by counts, or one transition "
                             "at a time; auto takes what is expected to be faster"},
    [CLI_GRAPH] = {.name = "graph",
                   .type = CLI_PATH,
                   .placeholder = "model|FILE",
                   .reads = CLI_READS_MODEL,
                   .key = "graph",
                   .help = "what you know: where each action can lead to, as in MODEL itself, or "
                           "as in FILE, a model whose probabilities are not looked at"},
    [CLI_EXPLORE] = {.name = "explore",
                     .type = CLI_WORD,
                     .placeholder = "HOW",
                     .words = {"episodes", "generative"},
                     .key = "explore",
                     .help = "with --pmin or --graph: sample by episodes (the default), or at any "
                             "state, where it narrows the bracket most"},
    [CLI_CERTIFICATE] = {.name = "certificate",
                         .type = CLI_PATH,
                         .placeholder = "FILE",
                         .writes = CLI_FILE_CERTIFICATE,
                         .help =
                             "with --pmin or --graph: write what omegapac verify needs to check "
                             "the bracket"},
    [CLI_RUNS] = {.name = "runs",
                  .type = CLI_COUNT,
                  .placeholder = "N",
                  .range = AT_LEAST_1,
                  .key = "runs",
                  .help = "learn N times, with the seeds from --seed on: a line for each, then a "
                          "summary"},
    [CLI_ENV_TIMEOUT] = {.name = "env-timeout",
                         .type = CLI_NUMBER,
                         .placeholder = "S",
                         .range = {.low = 0, .high = INFINITY, .low_open = true, .high_open = true},
                         .fallback = "10",
                         .help = "of a simulator that is a program: fail, with exit status 4, when "
                                 "an answer takes longer than S seconds"},
    [CLI_WIDTH] = {.name = "width",
                   .type = CLI_NUMBER,
                   .placeholder = "W",
                   .range = ABOVE_0_AT_MOST_1,
                   .key = "width",
                   .help = "sample until the estimate is within W of the probability, above "
                           "epsilon, by an interval that is valid at any time, rather than a "
                           "number of trajectories that is fixed before"},
    [CLI_MAX_STEPS] = {.name = "max-steps",
                       .type = CLI_COUNT,
                       .placeholder = "N",
                       .range = AT_LEAST_1,
                       .key = "max_steps",
                       .help = "end the run before it takes more than N steps, with exit status 3"},
    [CLI_MAX_SECONDS] = {.name = "max-seconds",
                         .type = CLI_NUMBER,
                         .placeholder = "S",
                         .range = {.low = 0, .high = INFINITY, .low_open = true, .high_open = true},
                         .key = "max_seconds",
                         .help = "end after S seconds of all: reading, translating, exploring, "
                                 "computing, sampling; with exit status 5 when there is no "
                                 "result yet"},
    [CLI_TRACE] = {.name = "trace",
                   .type = CLI_PATH,
                   .placeholder = "FILE",
                   .writes = CLI_FILE_TRACE,
                   .help = "write the policies that the run went through, one JSON object a line"},
    [CLI_CHECKPOINT] = {.name = "checkpoint",
                        .type = CLI_PATH,
                        .placeholder = "FILE",
                        .writes = CLI_FILE_CHECKPOINT,
                        .help = "keep a file from which the run can be resumed: written now and "
                                "then, when the run is stopped, and at its end"},
    [CLI_CHECKPOINT_SECONDS] =
        {.name = "checkpoint-seconds",
         .type = CLI_NUMBER,
         .placeholder = "S",
         .range = {.low = 0, .high = INFINITY, .low_open = true, .high_open = true},
         .fallback = "60",
         .needs = CLI_CHECKPOINT,
         .help = "how often the checkpoint is written"},
    [CLI_RESUME] = {.name = "resume",
                    .type = CLI_FLAG,
                    .needs = CLI_CHECKPOINT,
                    .help = "go on from the file of --checkpoint; the result is that of a run "
                            "that was never interrupted"},
    [CLI_CONSTANTS] = {.letter = 'D',
                       .type = CLI_TEXT,
                       .placeholder = "N=V",
                       .repeatable = true,
                       .key = "constants",
                       .help = "values of constants that the model leaves open, or others than "
                               "it gives: -D N=3,p=1/5"},
    [CLI_FROM] = {.name = "from",
                  .type = CLI_WORD,
                  .placeholder = "FORMAT",
                  .words = {"prism", "tra", "drn"},
                  .key = "from",
                  .help = "the format of MODEL, whatever its suffix"},
    [CLI_FROM_ANY] = {.name = "from",
                      .type = CLI_WORD,
                      .placeholder = "FORMAT",
                      .words = {"hoa", "prism", "tra", "drn"},
                      .key = "from",
                      .help = "the format to read, whatever the suffix of IN"},
    [CLI_FORMULA] = {.name = "formula",
                     .letter = 'f',
                     .type = CLI_TEXT,
                     .placeholder = "LTL",
                     .repeatable = true,
                     .key = "formulas",
                     .help = "an objective in LTL, over labels of the model and expressions in "
                             "double quotes"},
    [CLI_PROPERTY] = {.name = "property",
                      .letter = 'p',
                      .type = CLI_TEXT,
                      .placeholder = "TEXT",
                      .repeatable = true,
                      .key = "properties",
                      .help = "a property as PRISM writes it: Pmax=? [ F s=3 ]"},
    [CLI_PROPERTIES] = {.name = "properties",
                        .letter = 'P',
                        .type = CLI_PATH,
                        .placeholder = "FILE",
                        .reads = CLI_READS_FILE,
                        .repeatable = true,
                        .key = "property_files",
                        .help = "a file of such properties"},
    [CLI_AUTOMATON] = {.name = "automaton",
                       .letter = 'a',
                       .type = CLI_PATH,
                       .placeholder = "FILE.hoa",
                       .reads = CLI_READS_FILE,
                       .repeatable = true,
                       .key = "automata",
                       .help = "an objective as an automaton in the Hanoi format, over labels of "
                               "the model and expressions in double quotes"},
    [CLI_MIN] = {.name = "min",
                 .type = CLI_FLAG,
                 .key = "min",
                 .help = "for -f and -a: the least probability over all policies, not the "
                         "greatest"},
    [CLI_PRECISION] = {.name = "precision",
                       .type = CLI_NUMBER,
                       .placeholder = "X",
                       .range = BETWEEN_0_AND_1,
                       .fallback = "1e-6",
                       .key = "precision",
                       .help = "how wide the enclosure may be, relative to the value"},
    [CLI_THREADS] = {.name = "threads",
                     .type = CLI_COUNT,
                     .placeholder = "N",
                     .range = {.low = 1, .high = 1024},
                     .help = "how many threads compute, by default as many as there are "
                             "processors; the result is the same"},
    [CLI_DOT_FILE] = {.name = "dot",
                      .type = CLI_PATH,
                      .placeholder = "FILE",
                      .writes = CLI_FILE_DOT,
                      .help = "draw the policy for Graphviz"},
    [CLI_POLICY] = {.name = "policy",
                    .type = CLI_PATH,
                    .placeholder = "FILE",
                    .reads = CLI_READS_FILE,
                    .help = "the file of a policy for MODEL"},
    [CLI_EPISODES] = {.name = "episodes",
                      .type = CLI_COUNT,
                      .placeholder = "N",
                      .range = AT_LEAST_1,
                      .fallback = "1",
                      .key = "episodes",
                      .help = "how many traces"},
    [CLI_STEPS] = {.name = "steps",
                   .type = CLI_COUNT,
                   .placeholder = "N",
                   .range = AT_LEAST_0,
                   .fallback = "20",
                   .key = "steps",
                   .help = "how many transitions a trace has"},
    [CLI_TRIAL_EPISODES] = {.name = "episodes",
                            .type = CLI_COUNT,
                            .placeholder = "N",
                            .range = AT_LEAST_1,
                            .fallback = "100",
                            .key = "episodes",
                            .help = "how many episodes are tried"},
    [CLI_TRIAL_STEPS] = {.name = "steps",
                         .type = CLI_COUNT,
                         .placeholder = "N",
                         .range = AT_LEAST_1,
                         .fallback = "100",
                         .key = "steps",
                         .help = "how many steps an episode has at most"},
    [CLI_DETERMINISTIC] = {.name = "deterministic",
                           .type = CLI_FLAG,
                           .key = "deterministic",
                           .help =
                               "what you know: there is one initial state, and an action of a "
                               "state always leads to the same state; without this, a simulator "
                               "that answers all seeds alike is refused"},
    [CLI_TEST_STEPS] = {.name = "trial-steps",
                        .type = CLI_COUNT,
                        .placeholder = "N",
                        .range = AT_LEAST_0,
                        .key = "trial_steps",
                        .help =
                            "try whether different seeds make a difference in a simulator, in "
                            "at most N steps before the first episode (default: 4096); 0: do "
                            "not test whether episodes are independent, neither then nor later"},
    [CLI_SEED] = {.name = "seed",
                  .type = CLI_COUNT,
                  .placeholder = "N",
                  .range = AT_LEAST_0,
                  .fallback = "1",
                  .key = "seed",
                  .help = "number of the random stream: the same seed gives the same traces"},
    [CLI_LITERAL] = {.name = "literal",
                     .type = CLI_FLAG,
                     .key = "literal",
                     .help = "the paper's own definition: every state of some bottom component "
                             "is seen twice, in whatever order"},
    [CLI_PMIN] = {.name = "pmin",
                  .type = CLI_NUMBER,
                  .placeholder = "P",
                  .range = ABOVE_0_AT_MOST_1,
                  .key = "pmin",
                  .help = "a lower bound on the positive probabilities of MODEL: only the upper "
                          "bound from it is computed"},
    [CLI_PMIN_START] = {.name = "pmin-start",
                        .type = CLI_NUMBER,
                        .placeholder = "P",
                        .range = ABOVE_0_AT_MOST_1,
                        .key = "pmin_start",
                        .help =
                            "with --pmin or --graph, of a random start: every start state has a "
                            "probability of at least P; --pmin says nothing about it. Without "
                            "this the bracket allows for start states not seen yet"},
    [CLI_END_ACCEPTED] = {.name = "end-accepted",
                          .type = CLI_FLAG,
                          .key = "end_accepted",
                          .help = "a run is over once its automaton accepts whatever follows; the "
                                  "time can only become shorter"},
    [CLI_MAX_COMPONENT] = {.name = "max-component",
                           .type = CLI_COUNT,
                           .placeholder = "N",
                           .range = {.low = 1, .high = 31},
                           .fallback = "20",
                           .key = "max_component",
                           .help = "compute exactly up to N states of a bottom component (with "
                                   "--literal at most 20), beyond that simulate"},
    [CLI_MAX_WORK] = {.name = "max-work",
                      .type = CLI_COUNT,
                      .placeholder = "N",
                      .range = AT_LEAST_1,
                      .fallback = "4000000000",
                      .key = "max_work",
                      .help = "give up the exact time after N elementary steps"},
    [CLI_TRANSLATION_WORK] = {.name = "max-work",
                              .type = CLI_COUNT,
                              .placeholder = "N",
                              .range = AT_LEAST_1,
                              .key = "max_work",
                              .help = "give up a translation or conversion, with exit status 5, "
                                      "after N units of work (nodes and edges that are made or "
                                      "looked at); the default is 2^28, and 1024 more for each "
                                      "edge of an automaton that is converted"},
    [CLI_SAMPLES] = {.name = "samples",
                     .type = CLI_COUNT,
                     .placeholder = "N",
                     .range = {.low = 1, .high = 1099511627776.0},
                     .fallback = "100000",
                     .key = "samples",
                     .help = "how many runs are simulated for an estimate"},
    [CLI_EXACT] = {.name = "exact",
                   .type = CLI_FLAG,
                   .key = "exact",
                   .help = "read probabilities as fractions; one that is none is an error"},
    [CLI_FORMULAS] = {.name = "file",
                      .letter = 'F',
                      .type = CLI_PATH,
                      .placeholder = "FILE",
                      .reads = CLI_READS_FILE,
                      .help = "read the formulas from FILE, one a line, where empty lines and "
                              "those that begin with # are skipped; - is standard input"},
    [CLI_PRISM] = {.name = "prism",
                   .type = CLI_FLAG,
                   .key = "prism",
                   .help = "formulas are written as in PRISM's properties, where temporal "
                           "operators bind loosest"},
    [CLI_SIMPLIFY] = {.name = "simplify",
                      .type = CLI_FLAG,
                      .key = "simplify",
                      .help = "write the simplified formula, not an automaton"},
    [CLI_STYLE] = {.name = "style",
                   .type = CLI_WORD,
                   .placeholder = "STYLE",
                   .words = {"infix", "prism", "latex"},
                   .fallback = "infix",
                   .needs = CLI_SIMPLIFY,
                   .key = "style",
                   .help = "how formulas are written"},
    [CLI_KIND] = {.name = "kind",
                  .type = CLI_WORD,
                  .placeholder = "KIND",
                  .words = {"deterministic", "ldba"},
                  .fallback = "deterministic",
                  .key = "kind",
                  .help = "the kind of automaton; ldba is limit-deterministic Buchi"},
    [CLI_ANY_KIND] = {.name = "kind",
                      .type = CLI_WORD,
                      .placeholder = "KIND",
                      .words = {"any", "deterministic", "ldba"},
                      .fallback = "any",
                      .key = "kind",
                      .help = "the kind of automaton; any: as it is given; ldba is "
                              "limit-deterministic Buchi. What cannot be had is an error: nothing "
                              "is determinised"},
    [CLI_ACCEPTANCE] = {.name = "acceptance",
                        .type = CLI_WORD,
                        .placeholder = "NAME",
                        .words = {"any", "buchi", "rabin", "parity"},
                        .fallback = "any",
                        .key = "acceptance",
                        .help = "the acceptance condition; any is whatever is smallest, parity is "
                                "max even"},
    [CLI_STATE_BASED] = {.name = "state-based",
                         .type = CLI_FLAG,
                         .key = "state_based",
                         .help = "put the marks of acceptance on states, not on edges"},
    [CLI_COMPLETE] = {.name = "complete",
                      .type = CLI_FLAG,
                      .key = "complete",
                      .help = "give every state an edge for every letter"},
    [CLI_MAX_STATES] = {.name = "max-states",
                        .type = CLI_COUNT,
                        .placeholder = "N",
                        .range = {.low = 1, .high = 4294967294.0},
                        .fallback = "1000000",
                        .key = "max_states",
                        .help = "give up beyond N states, with exit status 5"},
    [CLI_MODEL_STATES] = {.name = "max-states",
                          .type = CLI_COUNT,
                          .placeholder = "N",
                          .range = {.low = 1, .high = 4294967294.0},
                          .fallback = "50000000",
                          .key = "max_states",
                          .help = "give up beyond N states, with exit status 5"},
    [CLI_ANY_STATES] = {.name = "max-states",
                        .type = CLI_COUNT,
                        .placeholder = "N",
                        .range = {.low = 1, .high = 4294967294.0},
                        .key = "max_states",
                        .help = "give up beyond N states, with exit status 5; by default a "
                                "million of an automaton, fifty million of a model"},
    [CLI_MAX_MEMORY] = {.name = "max-memory",
                        .type = CLI_COUNT,
                        .placeholder = "MIB",
                        .range = {.low = 1, .high = 17592186044415.0},
                        .key = "max_memory",
                        .help = "give up when the model, or what was learned of a simulator, "
                                "takes more than so many mebibytes, with exit status 5; by default "
                                "nine tenths of the machine's memory"},
    [CLI_DOT_LIMIT] = {.name = "dot-limit",
                       .type = CLI_COUNT,
                       .placeholder = "N",
                       .range = {.low = 1, .high = 4294967294.0},
                       .fallback = "1000",
                       .key = "dot_limit",
                       .help = "draw models of at most N states"},
    [CLI_DOT] = {.name = "dot", .type = CLI_FLAG, .help = "write Graphviz, not HOA"},
    [CLI_TO] = {.name = "to",
                .type = CLI_WORD,
                .placeholder = "FORMAT",
                .words = {"hoa", "dot", "svg", "tra", "lab", "sta", "drn", "json"},
                .key = "to",
                .help = "the format to write, whatever the suffix of OUT"},
    [CLI_JSON] = {.name = "json", .type = CLI_FLAG, .help = "write the result as one JSON object"},
    [CLI_NO_TIMING] = {.name = "no-timing",
                       .type = CLI_FLAG,
                       .help = "leave measured times out, so that the same input gives the same "
                               "bytes"},
    [CLI_OUTPUT] = {.name = "output",
                    .letter = 'o',
                    .type = CLI_PATH,
                    .placeholder = "FILE",
                    .writes = CLI_FILE_RESULT,
                    .help = "write the result to FILE, whole or not at all; links are followed, "
                            "- is standard output"},
    [CLI_FOLDER] = {.name = "output",
                    .letter = 'o',
                    .type = CLI_PATH,
                    .placeholder = "DIR",
                    .writes = CLI_FILE_FOLDER,
                    .fallback = "experiments",
                    .help = "the folder to write into; it is made, if it is not there"},
    [CLI_FORCE] = {.name = "force",
                   .type = CLI_FLAG,
                   .help = "replace files of another kind, and the checkpoint of another run; "
                           "inputs are never replaced"},
    [CLI_TITLE] = {.name = "title",
                   .type = CLI_TEXT,
                   .placeholder = "TEXT",
                   .help = "the title of the page (default: what the first result is about)"},
    [CLI_QUIET] = {.name = "quiet",
                   .letter = 'q',
                   .type = CLI_FLAG,
                   .help = "no notes and warnings on standard error, only errors"},
    [CLI_VERBOSE] = {.name = "verbose",
                     .letter = 'v',
                     .type = CLI_FLAG,
                     .help = "say on standard error what was done, and how long it took"},
    [CLI_NO_COLOR] = {.name = "no-color",
                      .type = CLI_FLAG,
                      .help = "no colours on a terminal, as with NO_COLOR in the environment"},
    [CLI_HELP] = {.name = "help", .letter = 'h', .type = CLI_FLAG, .help = "show this help"},
    [CLI_VERSION] = {.name = "version", .type = CLI_FLAG, .help = "show the version"},
};

const char *cli_option_spelling(const cli_option *option, char *buffer)
{
    if (option->name != NULL)
        snprintf(buffer, 32, "--%s", option->name);
    else
        snprintf(buffer, 32, "-%c", option->letter);
    return buffer;
}

bool cli_option_is_folder(const cli_option *option)
{
    return option->type == CLI_PATH && strcmp(option->placeholder, "DIR") == 0;
}

const char *cli_option_words(const cli_option *option, char *buffer)
{
    enum {
        SIZE = 128
    };
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; option->words[i] != NULL && length < SIZE; i++) {
        const char *joint = i == 0 ? "" : option->words[i + 1] == NULL ? " or " : ", ";
        int added = snprintf(buffer + length, SIZE - length, "%s%s", joint, option->words[i]);
        length += (size_t)added;
    }
    return buffer;
}

bool cli_range_has(const cli_range *range, double value)
{
    bool above = range->low_open ? value > range->low : value >= range->low;
    bool below = range->high_open ? value < range->high : value <= range->high;
    return above && below;
}

const char *cli_range_words(const cli_range *range, char *buffer)
{
    enum {
        SIZE = 96
    };
    char low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    opac_number_format(range->low, low);
    opac_number_format(range->high, high);
    if (isinf(range->high))
        snprintf(buffer, SIZE, "must be %s %s", range->low_open ? "above" : "at least", low);
    else if (range->low_open && range->high_open)
        snprintf(buffer, SIZE, "must lie strictly between %s and %s", low, high);
    else
        snprintf(buffer, SIZE, "must be %s %s and %s %s", range->low_open ? "above" : "at least",
                 low, range->high_open ? "below" : "at most", high);
    return buffer;
}
