/* SPDX-License-Identifier: MIT */
/* The table of subcommands, with their help texts. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

static const char bound_description[] =
    "Computes, before anything is sampled, what learning with a bound T on the "
    "epsilon-recurrence time costs: for omega-PAC (learn -T with --k) how many samples of each "
    "state-action pair it needs, which error they guarantee, and how long they take; for a "
    "bracket from T (learn -T without --k) a range of steps.\n"
    "\n"
    "N, K, M and T describe the product of the model and the automaton: N states, at most K "
    "actions in a state, at most M successors of a state-action pair, and T, a bound on the "
    "epsilon-recurrence time. A pair is known after k samples. If T is a valid bound, the "
    "policy that omega-PAC returns is within 2(epsilon + c) of the optimum with probability 1 "
    "- delta, where c bounds the error that k samples leave in the probability of a "
    "trajectory of T steps.\n"
    "\n"
    "The result compares three rules for k, each with the error that this theorem gives for "
    "its k: paper is Theorem 1 as published, which claims 6 epsilon; sound extends its union "
    "bound to the successors of a pair; l1 bounds the total variation distance, needs far "
    "fewer samples, and guarantees 4 epsilon. C is Theorem 2's bound on the number of steps "
    "with a policy that is not 9 epsilon-optimal, as published; its proof has a gap, so C "
    "guarantees nothing.\n"
    "\n"
    "A bracket of width W costs what the system requires. If the optimum is 1, it takes a "
    "number of episodes of T steps of a policy that wins all of them, which is computed exactly; "
    "the learned model may prove it earlier. If all N*K pairs matter, the result estimates the "
    "episodes after which T times the unseen mass of each pair is below a quarter of W - 2 "
    "epsilon, if every visit takes an episode; N and K are then those of the model. This is no "
    "bound: pairs that episodes rarely reach cost more, and probabilities strictly between 0 "
    "and 1 need samples of their own.";

static const char translate_description[] =
    "Translates formulas of linear temporal logic (LTL) to automata on infinite words, and "
    "writes them one after the other in the Hanoi omega-automata format (HOA).\n"
    "\n"
    "The syntax is that of Spot: ! & | -> <-> xor, X F G U W R M, also <> and [], and F[2:4] "
    "a for bounds. F, G and X bind tightly: F a & b is (F a) & b. A proposition is an "
    "identifier or any text in double quotes.\n"
    "\n"
    "If a formula of a file cannot be read or translated, the command reports its line and "
    "continues with the next one; the exit status is that of the first failure. Results "
    "appear on standard output as soon as they are computed; the file of --output is written "
    "at the end.";

static const char env_check_description[] =
    "Runs a simulator, checks that it conforms to the protocol that learning relies on, and "
    "explains each problem and how to fix it. The command prints one line for each finding: "
    "ok, note, warning (the simulator can be used with a limitation, such as runs that are "
    "not reproducible) or error. The last line is the verdict. The exit status is 4 if there "
    "is an error.\n"
    "\n"
    "The checks cover the greeting, resets and steps, with actions not taken before where "
    "there are any; that a state always has the same propositions and actions; that the same "
    "seed and actions give the same answers in one instance, in a second one and in each "
    "lane; that different seeds make a difference; where episodes begin; that states recur; "
    "and how a program ends.";

static const char convert_description[] =
    "Reads automata, reduces them and writes them with the same language, as the requested "
    "kind and with the requested acceptance condition; or reads a model and writes it in "
    "another format, with the same states. An automaton is not converted to a model, nor a "
    "model to an automaton.\n"
    "\n"
    "The suffixes determine the formats. Automata: reads .hoa (the Hanoi format, version 1); "
    "writes .hoa, .dot, .gv and .svg (a picture of one automaton). Models: reads the PRISM "
    "language (.prism .pm .nm .mdp .dtmc), PRISM's explicit files (.tra, with .lab and .sta "
    "beside it) and .drn; writes .tra, .drn, .dot, .gv and .json (the output of omegapac info "
    "--json). With OUT.tra the command also writes OUT.lab and, if the states have variables, "
    "OUT.sta; on standard output, or under a name without that suffix, .tra, .lab and .sta "
    "are written alone. - is standard input or output; if neither the other name nor --from "
    "and --to determine its format, it is HOA.\n"
    "\n"
    "A file may contain several automata, which are converted one after the other. OUT is "
    "written whole or not at all, and is never IN. If there are several output files, all are "
    "written under temporary names first, then renamed one after the other, .tra last.\n"
    "\n"
    "With --json, the command prints one JSON object per line for each automaton, or for the "
    "model, on standard output; if OUT is -, it prints nothing else.";

static const char info_description[] =
    "Reads a model, explores all of its reachable states, and prints its size, variables, "
    "actions and labels, its least transition probability, its strongly connected components "
    "and its end components.\n"
    "\n"
    "With -p, -P and -f, it also prints how each property is parsed over this model, and in "
    "how many states each proposition holds: a label, or a Boolean expression over the "
    "variables, such as x=3 & !done.\n"
    "\n"
    "An error in a model is shown with its line; if there are several, all of them are shown.";

static const char simulate_description[] =
    "Samples random traces of a model. A trace begins in the initial state, or in one of "
    "several, chosen uniformly at random. In each step it takes a choice of the state, "
    "uniformly at random, and a branch of that choice, with its probability. The output has "
    "one line for each state: the number of the step, the action that led to the state, the "
    "values of the variables, and the labels. If a state has several choices, one without an "
    "action is shown by its number, from 1.\n"
    "\n"
    "With --policy, the choices are those of the policy, and each line also shows the memory "
    "of the policy as mN. Where the policy has no decision, it takes the first choice.\n"
    "\n"
    "A simulator, exec:COMMAND or plugin:FILE.so, is run in the same way: its states are "
    "shown by their keys, and a trace ends in a state without actions.\n"
    "\n"
    "The same model, seed and episode number give the same trace on every machine. Lines are "
    "printed as they are sampled; the file of --output is written at the end.";

static const char check_description[] =
    "Computes the greatest (or least) probability, over all policies, that a run of a known "
    "model satisfies an objective, with proven bounds: Result: VALUE [LOWER, UPPER]. The true "
    "value lies between LOWER and UPPER, whose distance is at most --precision relative to "
    "the value. Probabilities 0 and 1 are determined on the graph and are exact.\n"
    "\n"
    "Objectives are formulas (-f), automata (-a) or PRISM properties (-p, -P); there may be "
    "several. For -f and -a the command computes the greatest probability, or the least with "
    "--min; a property says Pmax=? or Pmin=?. A property with a bound is true or false: "
    "P>=0.9 is about all policies, so about the least probability, and P<=0.1 about the "
    "greatest; Pmax>=0.9 is true if some policy reaches the bound. If the bound lies between "
    "LOWER and UPPER, the command increases the precision and finally computes in fractions.\n"
    "\n"
    "With --exact, it computes in fractions and prints the result as one: 13/120.\n"
    "\n"
    "--policy writes a policy that attains the optimum, a finite-memory controller, as JSON, "
    "or as the Markov chain that it induces: X.tra for PRISM, X.drn for Storm. --dot draws "
    "it.\n"
    "\n"
    "With a nondeterministic automaton that is not known to be good for MDPs, the value is "
    "only a lower bound, because a policy must choose the edges of the automaton without "
    "knowing the future. The automata that --kind ldba makes from formulas are good for MDPs.";

static const char learn_description[] =
    "Learns a policy from samples and reports how good it is: Result: VALUE [LOWER, UPPER]. "
    "If there is no guarantee, the line ends in (no guarantee), the text gives the reason, "
    "and the exit status is 3.\n"
    "\n"
    "The learner only samples MODEL: it observes the current state, its labels and its number "
    "of actions. MODEL may also be a simulator: a program (exec:COMMAND) or a "
    "shared library (plugin:FILE.so). For a model file, the output ends with the true "
    "probability of the policy and the optimum, which are computed from the model and are not "
    "visible to the learner. What is guaranteed depends on what is known:\n"
    "\n"
    "--pmin: a lower bound on all positive transition probabilities (for a six-sided die, "
    "1/6); or --graph: the successors of each action; or both. The learner then maintains a "
    "bracket around the optimal probability, and the run ends when the bracket is narrower "
    "than epsilon. If the start state is random, --pmin-start is a lower bound on the "
    "probabilities of start states; without it, and without --graph, the bracket accounts for "
    "start states that have not been sampled. With probability 1 - delta, the probability of "
    "the policy is at least LOWER and that of every policy is at most UPPER; this holds "
    "whenever the run ends, also after Ctrl-C. If the samples contradict what was given, the "
    "result says so. --certificate writes a certificate of a bracket, which omegapac verify "
    "checks.\n"
    "\n"
    "-T: a bound on the epsilon-recurrence time, the number of transitions after which, with "
    "probability 1 - epsilon, a run has covered a bottom component twice, under every "
    "positional policy (omegapac recurrence computes it from a model). The learner then "
    "maintains a bracket as above, from T alone: episodes of T steps under fixed policies raise "
    "LOWER, and UPPER is the greatest probability of winning within T steps, or of meeting what "
    "has not been seen. Both include epsilon. The run ends when the bracket is at most --target "
    "wide, by default 4 epsilon. If the samples contradict T, the run ends and the result says "
    "so; if they do not, that is no evidence for T.\n"
    "\n"
    "Without any of -T, --pmin and --graph, nothing is known. The learner then bounds the "
    "probability of its policy from below, for objectives that finite runs can satisfy, such as "
    "F goal or F (a & F b); it refuses others. Episodes that follow a policy after it was fixed "
    "give LOWER; UPPER is 1, and nothing is said of other policies. The run ends when LOWER is "
    "within epsilon of an upper confidence bound on the share of these episodes that satisfy the "
    "objective, and no policy is better by the observed frequencies. The only "
    "assumption is that episodes with the same policy are independent and have the same "
    "distribution.\n"
    "\n"
    "--at-least asks a question in place of a width: is there a policy that satisfies the "
    "objective with probability P or more? The run ends as soon as LOWER is at least P (yes, "
    "exit status 0), or UPPER is below P (no, exit status 1). Without -T, --epsilon "
    "may then be omitted. If the run ends before the answer is known, the exit status is 3. With "
    "--runs it is 0 if all runs answer yes, 1 if all answer no, and otherwise 3.\n"
    "\n"
    "-T with --k is omega-PAC, the algorithm of the paper, which needs many more samples: "
    "unknown actions count as accepting, episodes have T steps, and the run ends when the "
    "policy takes only state-action pairs that have been sampled k times. VALUE is the "
    "probability of the policy in the learned model; with probability 1 - delta, its true "
    "probability lies between LOWER and UPPER, and the policy is within the stated error of "
    "the optimum. --stop, --counts, --slack and --sampler population belong to it.\n"
    "\n"
    "The same options and seed give the same result for any number of threads, also if the "
    "run was stopped and resumed. Ctrl-C prints the result so far. If a simulator fails, the "
    "run ends with exit status 4 and keeps the checkpoint with all episodes before. A "
    "simulator whose episodes are not independent ends the run in the same way: a trial "
    "before the first episode compares episodes with the same actions and different seeds, "
    "and a test during the run detects episodes that repeat each other.";

static const char estimate_description[] =
    "Estimates the probability that a run of a Markov chain satisfies an objective from "
    "samples: Result: VALUE [LOWER, UPPER]. The chain is used only as a simulator; it may be "
    "one, exec:COMMAND or plugin:FILE.so. The command samples trajectories of T transitions, "
    "together with a deterministic automaton; the last strongly connected component of the "
    "observed product states decides whether a trajectory is accepted.\n"
    "\n"
    "If T bounds the epsilon-recurrence time of the product of chain and automaton, "
    "ln(2/delta) / (2 epsilon^2) trajectories give a VALUE within 2 epsilon of the true "
    "probability with probability 1 - delta. With --width, the command samples until an "
    "anytime-valid interval is narrow enough; the interval adapts to the variance, so that "
    "far fewer trajectories suffice if the probability is near 0 or 1.\n"
    "\n"
    "A run that ends early, at a limit or after Ctrl-C, also reports an interval that is "
    "valid with probability 1 - delta; it is wider than requested, and the exit status is not "
    "0.";

static const char evaluate_description[] =
    "Computes the probability that a run of a model satisfies an objective under a given "
    "policy: Result: VALUE [LOWER, UPPER]. The true value lies between LOWER and UPPER. This "
    "is an independent check of the results of check and learn, which shares no solver with "
    "them: it builds the Markov chain that the policy induces, runs a deterministic automaton "
    "beside it, classifies the bottom components, and solves the linear equations by "
    "elimination.\n"
    "\n"
    "The objective is a formula (-f), a deterministic automaton (-a) or a property (-p), "
    "whose bound and direction are ignored; by default it is the objective that the policy "
    "file names.\n"
    "\n"
    "With --exact, the command computes in fractions and prints the result as one: 13/120.";

static const char recurrence_description[] =
    "Computes the recurrence time T of a known model, the bound that learn -T needs: the "
    "least number of transitions within which, with probability 1 - E, a run visits every "
    "state of a bottom component of the product of model and automaton, and then visits every "
    "one of them again; the maximum over all positional policies of the product, or the time "
    "of one policy (--policy). Result: T (KIND).\n"
    "\n"
    "KIND says how T was computed. exact: T itself. lower-bound, printed as >= T: some policy "
    "needs that long, and others may need longer; the search starts from the optimal "
    "policies. A lower bound must not be given to learn, which needs an upper bound. "
    "estimate: from simulated runs, with an interval that is valid with probability 1 - D; "
    "printed as >= T if only some policies were simulated. upper-bound: from a lower bound on "
    "the transition probabilities (--pmin); it is also printed beside the other kinds, with "
    "Lemma 1 of the paper as published.\n"
    "\n"
    "The exit status is 0 for every kind.";

static const char report_description[] =
    "Makes one HTML page from results that other commands wrote with --json: the model, the "
    "objective and a drawing of the automaton; the answer, its guarantee and its assumptions; "
    "the progress of the learner; the policy as a picture and as a table with a search; a "
    "sample run, step by step; and the command that reproduces the result. The page needs no "
    "network and no other file, and can be printed.\n"
    "\n"
    "A file contains one result, or several, one per line, as learn --runs writes them. With "
    "several results the page begins with a table that compares them.\n"
    "\n"
    "Everything in a result is shown as text and never run as a script.";

static const char verify_description[] =
    "Checks a certificate written by learn --certificate. The checker uses only the counts in "
    "the certificate, rounds outwards, and shares no code with the learner. It prints Result: "
    "holds [LOWER, UPPER], or Result: refused and the first error, with exit status 3. A file "
    "that is not a certificate is an input error, with exit status 2.\n"
    "\n"
    "The checker verifies which rows of samples are complete, and the intervals of their "
    "probabilities; that the winning nodes are closed and accepting; that the lower and the "
    "upper values are inductive; that no end component outside the winning nodes accepts; and "
    "that the claim follows. What it cannot check, it lists under \"assumes\": that the counts are "
    "those of the samples, what was known before the run, and that the automaton recognises "
    "the objective.\n"
    "\n"
    "With MODEL, the file must have the digest that the certificate names.";

/* MODEL of commands that accept a simulator. */
#define SYSTEM_OPERAND                                                                             \
    {                                                                                              \
        .name = "MODEL", .type = CLI_PATH, .reads = CLI_READS_MODEL,                               \
        .help = "a model: in the PRISM language (.prism .pm .nm .mdp .dtmc), PRISM's explicit "    \
                "files (.tra, with .lab and .sta beside it) or .drn; - is standard input. Or a "   \
                "simulator: exec:COMMAND, a program that speaks the protocol of "                  \
                "docs/formats/simulator.md, or plugin:FILE.so, plugin:FILE.so?TEXT",               \
        .required = true                                                                           \
    }

#define MODEL_OPERAND                                                                              \
    {                                                                                              \
        .name = "MODEL", .type = CLI_PATH, .reads = CLI_READS_MODEL,                               \
        .help = "a model: in the PRISM language (.prism .pm .nm .mdp .dtmc), PRISM's explicit "    \
                "files (.tra, with .lab and .sta beside it) or .drn; - is standard input",         \
        .required = true                                                                           \
    }

const cli_command cli_commands[] = {
    {.name = "bound",
     .summary = "compute how many samples a guarantee needs",
     .description = bound_description,
     .uses = {{CLI_STATES, true, "number of states N of the product"},
              {CLI_ACTIONS, true, "maximum number K of actions of a state"},
              {CLI_HORIZON, true, NULL},
              {CLI_EPSILON, true, NULL},
              {CLI_DELTA, true, NULL},
              {CLI_BRANCHING, false,
               "maximum number of successors of a state-action pair, at most N (default: N)"},
              {CLI_BOUND_K, false, NULL},
              {CLI_TARGET, false,
               "required error, above 2 epsilon: use the least k that guarantees it (rule l1 "
               "with c = W/2 - epsilon); also the width of the bracket (default: 4 epsilon)"},
              {CLI_SLACK, false,
               "also stop when the policy meets an unknown pair with probability at most H, above "
               "c: this adds H to the error and bounds the expected number of episodes while the "
               "known pairs are accurate"},
              {CLI_JSON, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_BOUND_K, CLI_TARGET}}},
     .examples = {{"The gridworld of the paper, with the paper's rule:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 --k paper"},
                  {"The same, knowing that a pair has at most three successors, as JSON:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 "
                   "--branching 3 --json"}},
     .run = cli_run_bound},
    {.name = "check",
     .summary = "compute the optimal probability of an objective in a known model",
     .description = check_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_PROPERTIES, false, NULL},
              {CLI_MIN, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_PRECISION, false, NULL},
              {CLI_EXACT, false,
               "compute in fractions; a probability that is not a fraction is an error"},
              {CLI_KIND, false,
               "kind of automaton to translate a formula to; ldba: limit-deterministic Buchi"},
              {CLI_POLICY, false,
               "write an optimal policy to FILE: as JSON, or as the Markov chain that it induces "
               "if FILE ends in .tra (with .lab and .sta) or .drn"},
              {CLI_DOT_FILE, false, NULL},
              {CLI_DOT_LIMIT, false, "draw only policies with at most N pairs of state and memory"},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "fail with exit status 5 if the model or the product has more than N states"},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_THREADS, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .written = {{CLI_POLICY, CLI_FILE_POLICY}},
     .examples = {{"Compute the optimal probability, and write the policy:",
                   "check coin.prism -D p=1/3 -f 'F heads' --policy policy.json"},
                  {"Check a property with a bound, which is true or false:",
                   "check coin.prism -D p=1/3 -p 'P>=1/3 [ F \"heads\" ]'"},
                  {"Compute the least probability, as a fraction:",
                   "check coin.prism -D p=1/3 -f 'G !heads' --min --exact"}},
     .run = cli_run_check},
    {.name = "estimate",
     .summary = "estimate the probability of an objective in a Markov chain from samples",
     .description = estimate_description,
     .operands = {SYSTEM_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_HORIZON, true, NULL},
              {CLI_EPSILON, true, NULL},
              {CLI_DELTA, true, NULL},
              {CLI_WIDTH, false, NULL},
              {CLI_DETERMINISTIC, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_SEED, false, "seed of the random numbers; the same seed gives the same result"},
              {CLI_MAX_STEPS, false, NULL},
              {CLI_MAX_SECONDS, false,
               "stop after S seconds in total, including reading, translation and the comparison "
               "with the model; exit with status 3 if there is a result, else with 5"},
              {CLI_TEST_STEPS, false, NULL},
              {CLI_ENV_TIMEOUT, false, NULL},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false, NULL},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_THREADS, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULA, CLI_AUTOMATON}, .required = true}},
     .examples = {{"Estimate the probability of heads up to 0.1:",
                   "estimate coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1"},
                  {"Estimate it up to 0.02, with as few trajectories as necessary:",
                   "estimate coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.01 --delta 0.1 "
                   "--width 0.02"}},
     .one_objective = true,
     .run = cli_run_estimate},
    {.name = "evaluate",
     .summary = "compute the probability of an objective under a given policy",
     .description = evaluate_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_POLICY, true, NULL},
              {CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_EXACT, false,
               "compute in fractions; a probability that is not a fraction is an error"},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "fail with exit status 5 if the model or the chain has more than N states"},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULA, CLI_AUTOMATON, CLI_PROPERTY}}},
     .examples = {{"Compute a policy with check:",
                   "check coin.prism -D p=1/3 -f 'F heads' --policy policy.json"},
                  {"Evaluate it:", "evaluate coin.prism -D p=1/3 --policy policy.json"},
                  {"Evaluate it for another objective, as a fraction:",
                   "evaluate coin.prism -D p=1/3 --policy policy.json -f 'G !heads' --exact"}},
     .one_objective = true,
     .run = cli_run_evaluate},
    {.name = "learn",
     .summary = "learn a policy from samples, with a guarantee",
     .description = learn_description,
     .operands = {SYSTEM_OPERAND},
     .uses =
         {{CLI_FORMULA, false, NULL},
          {CLI_AUTOMATON, false, NULL},
          {CLI_KNOWN_HORIZON, false, NULL},
          {CLI_PMIN, false, "known: every positive transition probability is at least P"},
          {CLI_GRAPH, false, NULL},
          {CLI_PMIN_START, false, NULL},
          {CLI_ALIKE, false, NULL},
          {CLI_PMIN_OUTCOME, false, NULL},
          {CLI_DETERMINISTIC, false, NULL},
          {CLI_EPSILON, false,
           "accuracy, a decimal or a fraction such as 1/20; with --pmin or --graph the width of "
           "the bracket at which the run ends; without -T, --at-least makes it optional"},
          {CLI_AT_LEAST, false, NULL},
          {CLI_DELTA, true, NULL},
          {CLI_EXPLORE, false, NULL},
          {CLI_CERTIFICATE, false, NULL},
          {CLI_K, false, NULL},
          {CLI_TARGET, false, NULL},
          {CLI_SLACK, false, NULL},
          {CLI_STOP, false, NULL},
          {CLI_COUNTS, false, NULL},
          {CLI_SAMPLER, false, NULL},
          {CLI_STATES, false,
           "upper bound on the number of states (default: from the model; for a simulator "
           "unknown, and --k, if given, must be a number)"},
          {CLI_ACTIONS, false,
           "upper bound on the number of actions of a state (default: from the model)"},
          {CLI_BRANCHING, false,
           "upper bound on the number of successors of a state-action pair (default: from "
           "the model)"},
          {CLI_KIND, false,
           "kind of automaton to translate a formula to; ldba: limit-deterministic Buchi"},
          {CLI_CONSTANTS, false, NULL},
          {CLI_SEED, false, "seed of the random numbers; the same seed gives the same result"},
          {CLI_RUNS, false, NULL},
          {CLI_MAX_STEPS, false, NULL},
          {CLI_MAX_SECONDS, false,
           "stop after S seconds in total, including reading, translation and the comparison "
           "with the model; exit with status 3 if there is a result, else with 5"},
          {CLI_POLICY, false,
           "write the policy to FILE: as JSON, or as the Markov chain that it induces if "
           "FILE ends in .tra (with .lab and .sta) or .drn"},
          {CLI_DOT_FILE, false, NULL},
          {CLI_DOT_LIMIT, false, "draw only policies with at most N pairs of state and memory"},
          {CLI_TRACE, false, NULL},
          {CLI_CHECKPOINT, false, NULL},
          {CLI_CHECKPOINT_SECONDS, false, NULL},
          {CLI_RESUME, false, NULL},
          {CLI_TEST_STEPS, false, NULL},
          {CLI_ENV_TIMEOUT, false, NULL},
          {CLI_FROM, false, NULL},
          {CLI_MODEL_STATES, false, NULL},
          {CLI_MAX_MEMORY, false, NULL},
          {CLI_THREADS, false, NULL},
          {CLI_JSON, false, NULL},
          {CLI_NO_TIMING, false, NULL},
          {CLI_OUTPUT, false, NULL},
          {CLI_FORCE, false, NULL},
          {CLI_QUIET, false, "print no forecast, notes or warnings, only errors"},
          {CLI_VERBOSE, false, NULL},
          {CLI_NO_COLOR, false, NULL},
          {CLI_HELP, false, NULL},
          {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULA, CLI_AUTOMATON}, .required = true},
                {.options = {CLI_KNOWN_HORIZON, CLI_PMIN, CLI_GRAPH}, .several = true},
                {.options = {CLI_EPSILON, CLI_AT_LEAST}, .required = true, .several = true}},
     .written = {{CLI_POLICY, CLI_FILE_POLICY}},
     .examples = {{"Learn with a lower bound of 1/5 on the transition probabilities:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --pmin 1/5 --epsilon 0.05 --delta 0.1 "
                   "--certificate run.cert"},
                  {"Ask whether some policy reaches a probability of 0.7:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --pmin 1/5 --at-least 0.3 --delta 0.1"},
                  {"Learn with a recurrence time of at most four steps, to a width of 0.15:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1 "
                   "--target 0.15"},
                  {"The same by omega-PAC, with the rule of the paper; write the policy to a file:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1 "
                   "--k paper --counts product --policy policy.json"},
                  {"Start a long run that can be stopped:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --k l1 --epsilon 1/100 "
                   "--delta 1/100 --checkpoint run.ckpt"},
                  {"Resume it:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --k l1 --epsilon 1/100 "
                   "--delta 1/100 --checkpoint run.ckpt --resume"},
                  {"Learn without knowledge, 100 times, with the results as JSON lines:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --epsilon 0.05 --delta 0.1 "
                   "--runs 100 --json"}},
     .one_objective = true,
     .run = cli_run_learn},
    {.name = "env check",
     .summary = "check that a simulator conforms to the protocol",
     .description = env_check_description,
     .operands = {{.name = "SIMULATOR",
                   .type = CLI_TEXT,
                   .reads = CLI_READS_MODEL,
                   .help = "exec:COMMAND, a program that implements the simulator protocol "
                           "(docs/formats/simulator.md), or plugin:FILE.so",
                   .required = true}},
     .uses = {{CLI_TRIAL_EPISODES, false, NULL},
              {CLI_TRIAL_STEPS, false, NULL},
              {CLI_SEED, false, "seed of the random numbers; the same seed repeats the same test"},
              {CLI_ENV_TIMEOUT, false, "maximum time in seconds for an answer of a program"},
              {CLI_MAX_MEMORY, false,
               "fail with exit status 5 if the states seen take more than MIB mebibytes "
               "(default: 90% of the machine's memory)"},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, "print only warnings, errors and the verdict"},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"Check a program:", "env check 'exec:python3 lift.py'"},
                  {"Print only its problems, after a shorter test:",
                   "env check 'exec:python3 lift.py' --episodes 10 -q"}},
     .run = cli_run_env_check},
    {.name = "translate",
     .summary = "translate LTL formulas to automata",
     .description = translate_description,
     .operands =
         {{.name = "LTL",
           .type = CLI_TEXT,
           .reads = CLI_READS_STDIN,
           .help =
               "a formula, as one argument; - reads formulas from standard input, one per line"}},
     .uses = {{CLI_FORMULAS, false, NULL},
              {CLI_PRISM, false, NULL},
              {CLI_KIND, false, NULL},
              {CLI_ACCEPTANCE, false, NULL},
              {CLI_STATE_BASED, false, NULL},
              {CLI_COMPLETE, false, NULL},
              {CLI_MAX_STATES, false, NULL},
              {CLI_TRANSLATION_WORK, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_SIMPLIFY, false, NULL},
              {CLI_STYLE, false, NULL},
              {CLI_DOT, false, NULL},
              {CLI_JSON, false, "write one JSON object per line for each formula"},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULAS}, .required = true, .with_operand = true},
                {.options = {CLI_SIMPLIFY, CLI_DOT}}},
     .written = {{CLI_OUTPUT, CLI_FILE_HOA}},
     .examples = {{"Visit s and g infinitely often, and never the trap:",
                   "translate '(G F s) & (G F g) & G !trap'"},
                  {"Draw a limit-deterministic automaton:",
                   "translate '(F G a) | G F b' --kind ldba --dot"},
                  {"Count the states of a parity automaton:",
                   "translate '(G F a) -> G F b' --acceptance parity --json"}},
     .run = cli_run_translate},
    {.name = "convert",
     .summary = "convert automata and models between formats",
     .description = convert_description,
     .operands =
         {{.name = "IN",
           .type = CLI_PATH,
           .reads = CLI_READS_MODEL,
           .help = "input file with the suffix .hoa, .prism, .pm, .nm, .mdp, .dtmc, .tra or .drn; "
                   "any file with --from; - is standard input",
           .required = true},
          {.name = "OUT",
           .type = CLI_PATH,
           .writes = CLI_FILE_CONVERTED,
           .help = "output file with the suffix .hoa, .dot, .gv, .svg, .tra, .lab, .sta, .drn or "
                   ".json; any file with --to; - is standard output",
           .required = true}},
     .uses = {{CLI_FROM_ANY, false, NULL},
              {CLI_TO, false, NULL},
              {CLI_ANY_KIND, false, NULL},
              {CLI_ACCEPTANCE, false, NULL},
              {CLI_STATE_BASED, false, NULL},
              {CLI_COMPLETE, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_EXACT, false, NULL},
              {CLI_ANY_STATES, false, NULL},
              {CLI_TRANSLATION_WORK, false, NULL},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_DOT_LIMIT, false, NULL},
              {CLI_JSON, false,
               "write one JSON object per line for each automaton, or for the model"},
              {CLI_NO_TIMING, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"Convert a Rabin automaton to a parity automaton:",
                   "convert rabin.hoa parity.hoa --acceptance parity"},
                  {"Draw it:", "convert rabin.hoa rabin.svg"},
                  {"Draw it with Graphviz:", "convert rabin.hoa rabin.dot"},
                  {"Convert a PRISM model to explicit files, coin.tra, coin.lab and coin.sta:",
                   "convert coin.prism coin.tra -D p=1/3"}},
     .run = cli_run_convert},
    {.name = "info",
     .summary = "show the size, labels and components of a model",
     .description = info_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_CONSTANTS, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_PROPERTIES, false, NULL},
              {CLI_FORMULA, false, NULL},
              {CLI_FROM, false, NULL},
              {CLI_EXACT, false, NULL},
              {CLI_MODEL_STATES, false, NULL},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"Show a model with an undefined constant:", "info coin.prism -D p=1/3"},
                  {"Count the states where the propositions of a property hold:",
                   "info coin.prism -D p=1/3 -p 'P=? [ F \"heads\" & s>0 ]'"},
                  {"Print JSON:", "info coin.prism -Dp=1/3 --json --no-timing"}},
     .run = cli_run_info},
    {.name = "report",
     .summary = "make an HTML page from results",
     .description = report_description,
     .operands = {{.name = "RESULT",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help = "file with results written with --json; - is standard input",
                   .required = true,
                   .repeated = true}},
     .uses = {{CLI_TITLE, false, NULL},
              {CLI_OUTPUT, false,
               "write the page to FILE, atomically; links are followed; - is standard output "
               "(default: -)"},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, "do not print where the page is"},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .written = {{CLI_OUTPUT, CLI_FILE_PAGE}},
     .examples = {{"Write a result:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --pmin 1/5 --epsilon 0.05 --delta 0.1 "
                   "--json -o result.json"},
                  {"Make a page:", "report result.json -o report.html"},
                  {"Write another result:",
                   "check coin.prism -D p=1/3 -f 'F heads' --json -o exact.json"},
                  {"Compare both on one page:", "report result.json exact.json -o both.html"}},
     .run = cli_run_report},
    {.name = "recurrence",
     .summary = "compute the recurrence time of a known model",
     .description = recurrence_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_EPSILON, true, "fraction of runs that may take longer than T"},
              {CLI_POLICY, false, "compute the time of the policy in FILE, a policy for MODEL"},
              {CLI_PMIN, false, NULL},
              {CLI_LITERAL, false, NULL},
              {CLI_END_ACCEPTED, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_KIND, false,
               "kind of automaton to translate a formula to; ldba: limit-deterministic Buchi"},
              {CLI_MAX_COMPONENT, false, NULL},
              {CLI_MAX_WORK, false, NULL},
              {CLI_SAMPLES, false, NULL},
              {CLI_DELTA, false,
               "probability that the interval of an estimate is wrong (default: 0.01)"},
              {CLI_SEED, false, "seed of the random numbers of an estimate"},
              {CLI_THREADS, false, NULL},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "fail with exit status 5 if the model or the product has more than N states"},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULA, CLI_AUTOMATON, CLI_PROPERTY}, .required = true},
                {.options = {CLI_POLICY, CLI_PMIN}}},
     .examples = {{"A coin that is tossed once:",
                   "recurrence coin.prism -D p=1/3 -f 'F heads' --epsilon 1/20"},
                  {"The upper bound that follows from a least probability of 1/3, as JSON:",
                   "recurrence coin.prism -D p=1/3 -f 'F heads' --epsilon 1/20 --pmin 1/3 "
                   "--json"}},
     .one_objective = true,
     .run = cli_run_recurrence},
    {.name = "simulate",
     .summary = "sample random traces of a model",
     .description = simulate_description,
     .operands = {SYSTEM_OPERAND},
     .uses = {{CLI_CONSTANTS, false, NULL},
              {CLI_POLICY, false,
               "take the choices of the policy in FILE, a policy for MODEL, instead of random "
               "ones"},
              {CLI_EPISODES, false, NULL},
              {CLI_STEPS, false, NULL},
              {CLI_SEED, false, NULL},
              {CLI_ENV_TIMEOUT, false, NULL},
              {CLI_FROM, false, NULL},
              {CLI_EXACT, false, NULL},
              {CLI_MODEL_STATES, false, NULL},
              {CLI_MAX_MEMORY, false, NULL},
              {CLI_MAX_SECONDS, false, NULL},
              {CLI_JSON, false, "write one JSON object per line for each state of a trace"},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .written = {{CLI_OUTPUT, CLI_FILE_TRACES}},
     .examples = {{"Sample two traces of five steps:",
                   "simulate coin.prism -D p=1/3 --episodes 2 --steps 5"},
                  {"Sample another one, as JSON lines:",
                   "simulate coin.prism -D p=1/3 --seed 2 --json"}},
     .run = cli_run_simulate},
    {.name = "verify",
     .summary = "check a certificate written by learn",
     .description = verify_description,
     .operands = {{.name = "CERTIFICATE",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help = "file written by learn --certificate; - is standard input",
                   .required = true},
                  {.name = "MODEL",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help =
                       "model file that the certificate is about; only its digest is compared"}},
     .uses = {{CLI_JSON, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"Check a certificate:", "verify run.cert"},
                  {"Check also that it is about this model, and print JSON:",
                   "verify run.cert coin.prism --json"}},
     .run = cli_run_verify},
};

const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const cli_exit_meaning cli_exit_meanings[] = {
    {CLI_EXIT_DONE, "success; all properties are true, or the answer to --at-least is yes"},
    {CLI_EXIT_FALSE, "a property is false, or the answer to --at-least is no"},
    {CLI_EXIT_USAGE, "usage or input error, described on standard error"},
    {CLI_EXIT_UNGUARANTEED,
     "finished without a guarantee: not reached, undecided, or less precise than "
     "requested"},
    {CLI_EXIT_SIMULATOR, "the simulator failed"},
    {CLI_EXIT_RESOURCE, "a resource is exhausted: memory, disk space or a limit that was set"},
    {CLI_EXIT_HANGUP, "stopped by SIGHUP"},
    {CLI_EXIT_INTERRUPT, "stopped by Ctrl-C (SIGINT)"},
    {CLI_EXIT_TERMINATE, "stopped by SIGTERM"},
    {0, NULL},
};

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

const cli_command *cli_command_match(int count, char *const *words, int *used)
{
    char name[64];
    const cli_command *found = count > 0 ? cli_command_find(words[0]) : NULL;
    *used = 1;
    if (found != NULL || count < 2)
        return found;
    *used = 2;
    int length = snprintf(name, sizeof name, "%s %s", words[0], words[1]);
    bool is_whole = length > 0 && (size_t)length < sizeof name && strchr(words[0], ' ') == NULL;
    return is_whole ? cli_command_find(name) : NULL;
}

const cli_command *cli_command_of_family(const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < cli_command_count; i++)
        if (strncmp(cli_commands[i].name, word, length) == 0 && cli_commands[i].name[length] == ' ')
            return &cli_commands[i];
    return NULL;
}

const char *cli_command_hyphened(const cli_command *command, char *buffer)
{
    snprintf(buffer, 64, "%s", command->name);
    for (char *at = buffer; *at != '\0'; at++)
        *at = *at == ' ' ? '-' : *at;
    return buffer;
}

const cli_option_use *cli_command_use(const cli_command *command, cli_option_id option)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->option == option)
            return use;
    return NULL;
}

static bool group_has(const cli_group *group, cli_option_id option)
{
    if (option == CLI_NO_OPTION)
        return group->with_operand;
    for (const cli_option_id *choice = group->options; *choice != CLI_NO_OPTION; choice++)
        if (*choice == option)
            return true;
    return false;
}

const cli_group *cli_command_group(const cli_command *command, cli_option_id option)
{
    for (const cli_group *group = command->groups; group->options[0] != CLI_NO_OPTION; group++)
        if (group_has(group, option))
            return group;
    return NULL;
}

bool cli_command_repeats(const cli_command *command, cli_option_id option)
{
    bool is_objective = option == CLI_FORMULA || option == CLI_AUTOMATON || option == CLI_PROPERTY;
    return cli_options[option].repeatable && !(command->one_objective && is_objective);
}

cli_file cli_command_writes(const cli_command *command, cli_option_id option)
{
    for (const cli_written *own = command->written; own->option != CLI_NO_OPTION; own++)
        if (own->option == option)
            return own->file;
    return cli_options[option].writes;
}

const char *cli_use_help(const cli_option_use *use)
{
    return use->help != NULL ? use->help : cli_options[use->option].help;
}
