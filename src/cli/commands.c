/* SPDX-License-Identifier: MIT */
/* The subcommands, each described once. */
#include "cli/commands.h"

#include <stdio.h>
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

static const char translate_description[] =
    "Translates formulas of linear temporal logic into automata on infinite words, without any "
    "other tool, and writes them in the Hanoi format (HOA), one after the other.\n"
    "\n"
    "The syntax is that of Spot's users: ! & | -> <-> xor, X F G U W R M, also <> and [], and "
    "F[2:4] a for bounds; F, G and X bind tightly, so F a & b is (F a) & b. Propositions are "
    "identifiers, or any text in double quotes.\n"
    "\n"
    "In a file, a formula that cannot be read or translated is reported with its line, and the "
    "next one follows; the exit status is then that of the first failure. Results appear on "
    "standard output as they are found, but in the file of --output all together at the end.";

static const char env_check_description[] =
    "Runs a simulator, and says whether it keeps the contract that learning relies on: what is "
    "wrong with it, and how to mend that. A line for each finding: ok, note, warning (it can be "
    "used, but something is lost, such as that runs can be repeated) or error. The last line is "
    "the verdict; the exit status is 4 when there are errors.\n"
    "\n"
    "Tried are its greeting, resets and steps, with actions that were not taken before where "
    "there are some; whether a state has the same propositions and actions each time; whether "
    "the same seed and actions give the same answers, in the same instance, in a second one and "
    "in each lane; whether other seeds make a difference; where episodes begin; whether states "
    "come again; and how a program ends.";

static const char convert_description[] =
    "Reads automata and writes them reduced, with the same language, of the kind and with the "
    "acceptance condition asked for; or reads a model and writes it in another format, state for "
    "state. Neither becomes the other.\n"
    "\n"
    "Formats follow from the suffixes. Automata: .hoa (the Hanoi format, version 1) is read; "
    ".hoa, .dot, .gv and .svg (a picture, of one automaton) are written. Models: the PRISM "
    "language (.prism .pm .nm .mdp .dtmc), "
    "PRISM's explicit files (.tra, with .lab and .sta beside it) and .drn are read; .tra, .drn, "
    ".dot and .gv are written, and .json, which is what omegapac info --json writes. OUT.tra comes "
    "with OUT.lab and, if the states have variables, OUT.sta; written to -, or to a name without "
    "that suffix, .tra, .lab and .sta stand alone. - is standard input or output; where neither "
    "the other name nor --from and --to say what it holds, it is HOA.\n"
    "\n"
    "A file may hold several automata: they are converted one after the other. OUT appears whole "
    "or not at all, and is never IN. Of several files none appears before all are written; then "
    "they get their names one after the other, the .tra last.\n"
    "\n"
    "With --json, one JSON object a line about each automaton, or about the model, goes to "
    "standard output; if OUT is -, nothing else does.";

static const char info_description[] =
    "Reads a model, exploring all of its reachable states, and tells what it is like: its size, "
    "variables, actions and labels, the least probability, strongly connected components and end "
    "components.\n"
    "\n"
    "With -p, -P and -f it also shows how properties are read over this model, and in how many "
    "states each proposition holds: a label, or a Boolean expression over the variables, such as "
    "x=3 & !done.\n"
    "\n"
    "A mistake in a model is shown with its line; when there are several, all of them are.";

static const char simulate_description[] =
    "Draws traces through a model: it begins in the initial state (uniformly in one of several), "
    "and again and again takes one of the choices of the state, uniformly, and one of its "
    "branches, by their probabilities. A trace is a line for each state: the number of the step, "
    "the action that led there, the values of the variables, and the labels that hold. A choice "
    "without an action is shown by its number, from 1, where there are several.\n"
    "\n"
    "With --policy, the choices are those of a policy, and each line also has what the policy "
    "remembers in the state, after an m. Where it says nothing, it takes the first choice.\n"
    "\n"
    "A simulator, exec:COMMAND or plugin:FILE.so, is run likewise: its states are shown by their "
    "keys, and a trace ends in a state without actions.\n"
    "\n"
    "The same model, seed and number of an episode give the same trace, on every machine. Lines "
    "are written as they are drawn; but the file of --output appears at the end, whole.";

static const char check_description[] =
    "Computes the greatest probability, over all policies, that a run of a known model meets an "
    "objective, or the least, with bounds that are proven: Result: VALUE [LOWER, UPPER]. The true "
    "value lies between them, up to --precision of its size apart. Whatever is 0 or 1 is found on "
    "the graph and is exact.\n"
    "\n"
    "Objectives are formulas (-f), automata (-a) or properties as PRISM writes them (-p, -P), in "
    "any "
    "number. -f and -a ask for the greatest probability, with --min for the least; Pmax=? and "
    "Pmin=? "
    "say it themselves. A property with a bound is true or false: P>=0.9 speaks of all policies, "
    "so "
    "of the least probability, P<=0.1 of the greatest; Pmax>=0.9 asks whether some policy reaches "
    "it. When the bound lies between LOWER and UPPER, more is computed, at last in fractions.\n"
    "\n"
    "With --exact all is computed in fractions, and so is the result: 13/120.\n"
    "\n"
    "--policy writes a policy that attains the optimum, a finite-memory machine, as JSON, or "
    "as the Markov chain that it makes of the model: X.tra for PRISM, X.drn for Storm. --dot draws "
    "it.\n"
    "\n"
    "A nondeterministic automaton has to guess, and a policy cannot see the future: the value is "
    "then "
    "called a lower bound. (Automata that --kind ldba makes of formulas are good for this.)";

static const char learn_description[] =
    "Learns a policy from samples alone, and says how good it is: Result: VALUE [LOWER, UPPER]. "
    "Where nothing is earned, the line ends in (no guarantee), the text says why, and the exit "
    "status is 3.\n"
    "\n"
    "MODEL is run, not looked at: the learner is told which state it is in, what holds there, and "
    "how many actions there are. So it may be a simulator, a program (exec:COMMAND) or a shared "
    "library (plugin:FILE.so). Of a model file, what is computed from the model itself, the true "
    "probability of the policy and that of the best one, stands apart at the end. No guarantee "
    "comes from samples alone, so one of three things has to be known:\n"
    "\n"
    "--pmin: a lower bound on the probabilities of all transitions that can happen (a die has six "
    "sides: 1/6). Or --graph: where each action can lead to. Or both. Then a bracket around the "
    "best probability closes as samples come in, and the run ends when it is narrower than "
    "epsilon. Where runs begin may be random, too: that has a bound of its own, --pmin-start. "
    "Without it, and without --graph, nothing is assumed about it, and the bracket allows for "
    "start "
    "states that were not drawn yet. With probability 1 - delta the policy's probability is at "
    "least LOWER, and that of "
    "no policy is above UPPER; this is true whenever the run ends, also after Ctrl-C. If samples "
    "contradict what was given, the result says so. --certificate writes what a second program, "
    "omegapac verify, needs to check the bracket.\n"
    "\n"
    "-T: a bound on the epsilon-recurrence time, the number of transitions after which a run has "
    "shown, with probability 1 - epsilon, what it will do for ever, under whatever positional "
    "policy (omegapac recurrence computes it from a model). This is omega-PAC: unknown actions "
    "are taken for good ones, episodes have T steps, and the run is done when the policy takes "
    "only pairs of state and action that were seen k times. VALUE is the policy's probability in "
    "the model that was learned; its true one lies between the other two with probability 1 - "
    "delta, and the policy is within the error that is stated of the best there is. If what was "
    "learned contradicts T, the result says so; if it does not, that is no evidence for T.\n"
    "\n"
    "The same options and seed give the same result, for any number of threads, and also when the "
    "run was stopped and resumed. Ctrl-C prints the result so far. A simulator that fails ends the "
    "run with exit status 4; the checkpoint is kept, and has all episodes before. So does one "
    "whose "
    "episodes are not independent: before the first episode, a trial compares episodes with the "
    "same "
    "actions and different seeds, and a test watches the run for episodes that repeat each other.";

static const char estimate_description[] =
    "Estimates the probability that a run of a Markov chain meets an objective, from samples "
    "alone: Result: VALUE [LOWER, UPPER]. The chain is run and not looked at; it may be a "
    "simulator, "
    "exec:COMMAND or plugin:FILE.so. Trajectories of T "
    "transitions are drawn; of each, the last strongly connected component of what it saw, beside "
    "a deterministic automaton, decides whether it wins.\n"
    "\n"
    "If T bounds the epsilon-recurrence time of the product of chain and automaton, "
    "ln(2/delta) / (2 epsilon^2) trajectories put VALUE within 2 epsilon of the truth with "
    "probability 1 - delta. With --width, trajectories are drawn until an interval that is valid "
    "at any time is narrow enough; it follows the variance, and takes far fewer where the "
    "probability is near 0 or 1.\n"
    "\n"
    "A run that is ended early, by a limit or by Ctrl-C, also has an interval that holds with "
    "probability 1 - delta; it is wider than what was asked for, and the exit status says so.";

static const char evaluate_description[] =
    "Computes the probability that a run of a model meets an objective when a given policy makes "
    "all decisions: Result: VALUE [LOWER, UPPER]. The true value lies between them. This is a "
    "second opinion on what check and learn find, and shares none of their code: it builds the "
    "Markov chain that the policy makes of the model beside a deterministic automaton, judges its "
    "bottom components, and solves its linear equations by elimination.\n"
    "\n"
    "The objective is a formula (-f), a deterministic automaton (-a) or a property (-p), of whose "
    "bound and direction nothing is made; without one, it is what the policy was made for, as its "
    "file says.\n"
    "\n"
    "With --exact all is computed in fractions, and so is the result: 13/120.";

static const char recurrence_description[] =
    "Computes the recurrence time T of a known model, which learn -T takes on trust: the least "
    "number of transitions within which, with probability 1 - E, a run has seen every state of a "
    "bottom component of the product of model and automaton, and then has seen every one of them "
    "again; the longest over all positional policies of the product, or that of one policy "
    "(--policy). Result: T (KIND).\n"
    "\n"
    "The kind says what the number is. exact: T itself. lower-bound, printed as >= T: some policy "
    "takes that long, and others may take longer; the optimal policies were tried, and a search "
    "begins with them. A lower bound is no T for learn, which needs an upper bound. estimate: from "
    "simulated runs, with an interval that holds "
    "with probability 1 - D; where it is of one policy among others, >= says so. "
    "upper-bound: from a lower bound on the probabilities (--pmin); it stands beside the others, "
    "too, with Lemma 1 of the paper as it was published.\n"
    "\n"
    "The exit status is 0 whatever the kind.";

static const char report_description[] =
    "Makes one page of HTML of what commands have written with --json: the question (model, "
    "objective, automaton drawn), the answer with its guarantee and what that assumes, how a "
    "learner "
    "got there, the policy as a picture and as a table that can be searched, a run to step "
    "through, "
    "and the command that does it again. The page needs no network and no other file, and can be "
    "printed.\n"
    "\n"
    "A file has one result, or several, a line each, such as learn --runs writes. Of several "
    "results "
    "the page begins with a table that puts them beside each other.\n"
    "\n"
    "Whatever a result holds is shown as text, never run.";

static const char verify_description[] =
    "Checks a certificate that learn --certificate has left, from the counts alone, with outward "
    "rounding, by a part of the program that shares no code with the learner: Result: holds "
    "[LOWER, UPPER], or Result: refused, with the first thing that is wrong. The exit status is "
    "then 3. A file that is no certificate is an input error, with exit status 2.\n"
    "\n"
    "What is checked: which rows of samples are complete, and the intervals of their "
    "probabilities; that the winning nodes are closed and accepted; that the lower and the upper "
    "values are inductive; that nothing else can be accepted for ever; and that the claim is what "
    "follows. What cannot be checked stands under if: that the counts are true, what was known "
    "beforehand, and that the automaton recognises the objective.\n"
    "\n"
    "With MODEL, the file is to have the digest that the certificate names.";

/* Of commands that only run it. */
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
              {CLI_FORCE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_K, CLI_TARGET}}},
     .examples = {{"The gridworld of the paper, by its own rule:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 --k paper"},
                  {"The same knowing that a pair has at most three successors, as JSON:",
                   "bound --states 12 --actions 4 -T 19 --epsilon 1/20 --delta 1/10 "
                   "--branching 3 --json"}},
     .run = cli_run_bound},
    {.name = "check",
     .summary = "the optimal probability of an objective in a known model, and a policy",
     .description = check_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_PROPERTIES, false, NULL},
              {CLI_MIN, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_PRECISION, false, NULL},
              {CLI_EXACT, false, "compute in fractions; a probability that is none is an error"},
              {CLI_KIND, false,
               "the kind of automaton that a formula becomes; ldba is "
               "limit-deterministic Buchi"},
              {CLI_POLICY, false,
               "write an optimal policy to FILE; X.tra (with X.lab and X.sta) or X.drn: "
               "the chain that it induces"},
              {CLI_DOT_FILE, false, NULL},
              {CLI_DOT_LIMIT, false, "draw policies of at most N pairs of state and memory"},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "give up beyond N states of the model or of the product, "
               "with exit status 5"},
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
     .examples = {{"The best that a policy can do, and the policy:",
                   "check coin.prism -D p=1/3 -f 'F heads' --policy policy.json"},
                  {"A property with a bound, which is true or false:",
                   "check coin.prism -D p=1/3 -p 'P>=1/3 [ F \"heads\" ]'"},
                  {"The least probability, as a fraction:",
                   "check coin.prism -D p=1/3 -f 'G !heads' --min --exact"}},
     .run = cli_run_check},
    {.name = "estimate",
     .summary = "the probability of an objective in a Markov chain, from samples",
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
              {CLI_SEED, false, "number of the random stream: the same seed gives the same result"},
              {CLI_MAX_STEPS, false, NULL},
              {CLI_MAX_SECONDS, false,
               "end after S seconds of all: reading, translating, exploring, sampling, comparing "
               "with the model; the result so far has exit status 3, none exit status 5"},
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
     .examples = {{"How likely heads are, up to a tenth:",
                   "estimate coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1"},
                  {"Up to two hundredths, with as few trajectories as that takes:",
                   "estimate coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.01 --delta 0.1 "
                   "--width 0.02"}},
     .one_objective = true,
     .run = cli_run_estimate},
    {.name = "evaluate",
     .summary = "the probability of an objective under a given policy",
     .description = evaluate_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_POLICY, true, NULL},
              {CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_EXACT, false, "compute in fractions; a probability that is none is an error"},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "give up beyond N states of the model or of the chain, with exit status 5"},
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
     .examples = {{"A policy, from check:",
                   "check coin.prism -D p=1/3 -f 'F heads' --policy policy.json"},
                  {"What it is worth:", "evaluate coin.prism -D p=1/3 --policy policy.json"},
                  {"For another objective, as a fraction:",
                   "evaluate coin.prism -D p=1/3 --policy policy.json -f 'G !heads' --exact"}},
     .one_objective = true,
     .run = cli_run_evaluate},
    {.name = "learn",
     .summary = "a policy from samples, with a guarantee",
     .description = learn_description,
     .operands = {SYSTEM_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_KNOWN_HORIZON, false, NULL},
              {CLI_PMIN, false,
               "what you know: no transition that can happen is less likely than P"},
              {CLI_GRAPH, false, NULL},
              {CLI_PMIN_START, false, NULL},
              {CLI_DETERMINISTIC, false, NULL},
              {CLI_EPSILON, true, NULL},
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
               "there are at most N states (default: as many as the model has; of a simulator, "
               "unknown, and then --k is a number)"},
              {CLI_ACTIONS, false, "no state has more than K actions (default: likewise)"},
              {CLI_BRANCHING, false,
               "no state-action pair has more than M successors (default: likewise)"},
              {CLI_KIND, false,
               "the kind of automaton that a formula becomes; ldba is "
               "limit-deterministic Buchi"},
              {CLI_CONSTANTS, false, NULL},
              {CLI_SEED, false, "number of the random stream: the same seed gives the same result"},
              {CLI_RUNS, false, NULL},
              {CLI_MAX_STEPS, false, NULL},
              {CLI_MAX_SECONDS, false,
               "end after S seconds of all: reading, translating, exploring, sampling, comparing "
               "with the model; the result so far has exit status 3, none exit status 5"},
              {CLI_POLICY, false,
               "write the policy to FILE; X.tra (with X.lab and X.sta) or X.drn: "
               "the chain that it induces"},
              {CLI_DOT_FILE, false, NULL},
              {CLI_DOT_LIMIT, false, "draw policies of at most N pairs of state and memory"},
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
              {CLI_QUIET, false, "no forecast, notes and warnings on standard error, only errors"},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .groups = {{.options = {CLI_FORMULA, CLI_AUTOMATON}, .required = true},
                {.options = {CLI_KNOWN_HORIZON, CLI_PMIN, CLI_GRAPH},
                 .required = true,
                 .several = true},
                {.options = {CLI_K, CLI_TARGET}}},
     .written = {{CLI_POLICY, CLI_FILE_POLICY}},
     .examples = {{"Learn how likely heads are, knowing that no probability is below 1/5:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --pmin 1/5 --epsilon 0.05 --delta 0.1 "
                   "--certificate run.cert"},
                  {"The same, when four steps of a run say it all:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1"},
                  {"By the rule of the paper, with the policy in a file:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1 "
                   "--k paper --counts product --policy policy.json"},
                  {"A long run that can be stopped:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 1/100 --delta 1/100 "
                   "--checkpoint run.ckpt"},
                  {"And gone on with:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 1/100 --delta 1/100 "
                   "--checkpoint run.ckpt --resume"},
                  {"A hundred runs, as JSON lines:",
                   "learn coin.prism -D p=1/3 -f 'F heads' -T 4 --epsilon 0.05 --delta 0.1 "
                   "--runs 100 --json"}},
     .one_objective = true,
     .run = cli_run_learn},
    {.name = "env check",
     .summary = "test a simulator, and explain what is wrong with it",
     .description = env_check_description,
     .operands = {{.name = "SIMULATOR",
                   .type = CLI_TEXT,
                   .reads = CLI_READS_MODEL,
                   .help = "exec:COMMAND, a program that speaks the simulator protocol, or "
                           "plugin:FILE.so",
                   .required = true}},
     .uses = {{CLI_TRIAL_EPISODES, false, NULL},
              {CLI_TRIAL_STEPS, false, NULL},
              {CLI_SEED, false, "number of the random stream: the same seed tries the same"},
              {CLI_ENV_TIMEOUT, false, "seconds that an answer of a program may take"},
              {CLI_MAX_MEMORY, false,
               "give up when the states that were seen take more than so many mebibytes, with exit "
               "status 5; by default nine tenths of the machine's memory"},
              {CLI_JSON, false, NULL},
              {CLI_NO_TIMING, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, "show only warnings, errors and the verdict"},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"A program:", "env check 'exec:python3 lift.py'"},
                  {"Only what is wrong with it, quickly:",
                   "env check 'exec:python3 lift.py' --episodes 10 -q"}},
     .run = cli_run_env_check},
    {.name = "translate",
     .summary = "from LTL to automata",
     .description = translate_description,
     .operands = {{.name = "LTL",
                   .type = CLI_TEXT,
                   .reads = CLI_READS_STDIN,
                   .help = "a formula, as one argument; - reads formulas from standard input, one "
                           "a line"}},
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
              {CLI_JSON, false, "write one JSON object a line for each formula"},
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
     .examples = {{"Visit s and g again and again, and never the trap:",
                   "translate '(G F s) & (G F g) & G !trap'"},
                  {"A limit-deterministic automaton, drawn:",
                   "translate '(F G a) | G F b' --kind ldba --dot"},
                  {"How many states a parity automaton has:",
                   "translate '(G F a) -> G F b' --acceptance parity --json"}},
     .run = cli_run_translate},
    {.name = "convert",
     .summary = "automata and models from one format to another",
     .description = convert_description,
     .operands = {{.name = "IN",
                   .type = CLI_PATH,
                   .reads = CLI_READS_MODEL,
                   .help = "what to read: a file with the suffix .hoa, .prism, .pm, .nm, .mdp, "
                           ".dtmc, .tra or .drn, any file with --from, or -",
                   .required = true},
                  {.name = "OUT",
                   .type = CLI_PATH,
                   .writes = CLI_FILE_CONVERTED,
                   .help =
                       "where to write: a file with the suffix .hoa, .dot, .gv, .svg, .tra, .lab, "
                       ".sta, .drn or .json, any file with --to, or -",
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
              {CLI_JSON, false, "write one JSON object a line for each automaton, or the model"},
              {CLI_NO_TIMING, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"A Rabin automaton made a parity automaton:",
                   "convert rabin.hoa parity.hoa --acceptance parity"},
                  {"Drawn:", "convert rabin.hoa rabin.svg"},
                  {"Drawn for Graphviz:", "convert rabin.hoa rabin.dot"},
                  {"A PRISM model as explicit files, coin.tra, coin.lab and coin.sta:",
                   "convert coin.prism coin.tra -D p=1/3"}},
     .run = cli_run_convert},
    {.name = "info",
     .summary = "what a model is like: sizes, labels, components",
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
     .examples = {{"A model with a constant that it leaves open:", "info coin.prism -D p=1/3"},
                  {"Where the propositions of a property hold:",
                   "info coin.prism -D p=1/3 -p 'P=? [ F \"heads\" & s>0 ]'"},
                  {"As JSON:", "info coin.prism -Dp=1/3 --json --no-timing"}},
     .run = cli_run_info},
    {.name = "report",
     .summary = "results as a page for people",
     .description = report_description,
     .operands = {{.name = "RESULT",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help = "a file with results, as --json writes them; - is standard input",
                   .required = true,
                   .repeated = true}},
     .uses = {{CLI_TITLE, false, NULL},
              {CLI_OUTPUT, false,
               "write the page to FILE, whole or not at all; links are followed, - is standard "
               "output (the default)"},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, "do not say where the page is"},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .written = {{CLI_OUTPUT, CLI_FILE_PAGE}},
     .examples = {{"A result, with the policy and all else that a page shows:",
                   "learn coin.prism -D p=1/3 -f 'F heads' --pmin 1/5 --epsilon 0.05 --delta 0.1 "
                   "--json -o result.json"},
                  {"The page:", "report result.json -o report.html"},
                  {"Another result:",
                   "check coin.prism -D p=1/3 -f 'F heads' --json -o exact.json"},
                  {"Both on one page, beside each other:",
                   "report result.json exact.json -o both.html"}},
     .run = cli_run_report},
    {.name = "recurrence",
     .summary = "how long runs take to show what they do for ever",
     .description = recurrence_description,
     .operands = {MODEL_OPERAND},
     .uses = {{CLI_FORMULA, false, NULL},
              {CLI_AUTOMATON, false, NULL},
              {CLI_PROPERTY, false, NULL},
              {CLI_EPSILON, true, "the share of runs that may take longer than T"},
              {CLI_POLICY, false, "the time of the policy in FILE, a policy for MODEL"},
              {CLI_PMIN, false, NULL},
              {CLI_LITERAL, false, NULL},
              {CLI_END_ACCEPTED, false, NULL},
              {CLI_CONSTANTS, false, NULL},
              {CLI_KIND, false,
               "the kind of automaton that a formula becomes; ldba is "
               "limit-deterministic Buchi"},
              {CLI_MAX_COMPONENT, false, NULL},
              {CLI_MAX_WORK, false, NULL},
              {CLI_SAMPLES, false, NULL},
              {CLI_DELTA, false,
               "probability with which an estimate's interval may fail "
               "(default: 0.01)"},
              {CLI_SEED, false, "number of the random stream of an estimate"},
              {CLI_THREADS, false, NULL},
              {CLI_FROM, false, NULL},
              {CLI_MODEL_STATES, false,
               "give up beyond N states of the model or of the product, "
               "with exit status 5"},
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
     .examples = {{"Of a coin that is tossed once:",
                   "recurrence coin.prism -D p=1/3 -f 'F heads' --epsilon 1/20"},
                  {"Knowing only that no probability is below 1/3, as JSON:",
                   "recurrence coin.prism -D p=1/3 -f 'F heads' --epsilon 1/20 --pmin 1/3 "
                   "--json"}},
     .one_objective = true,
     .run = cli_run_recurrence},
    {.name = "simulate",
     .summary = "random traces through a model",
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
              {CLI_JSON, false, "write one JSON object a line for each state of a trace"},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_QUIET, false, NULL},
              {CLI_VERBOSE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .written = {{CLI_OUTPUT, CLI_FILE_TRACES}},
     .examples = {{"Two traces of five steps:",
                   "simulate coin.prism -D p=1/3 --episodes 2 --steps 5"},
                  {"Another one, for a program to read:",
                   "simulate coin.prism -D p=1/3 --seed 2 --json"}},
     .run = cli_run_simulate},
    {.name = "verify",
     .summary = "check a certificate of learn",
     .description = verify_description,
     .operands = {{.name = "CERTIFICATE",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help = "a file that learn --certificate has written; - is standard input",
                   .required = true},
                  {.name = "MODEL",
                   .type = CLI_PATH,
                   .reads = CLI_READS_FILE,
                   .help = "the file of the model that it is about; only its digest is looked at"}},
     .uses = {{CLI_JSON, false, NULL},
              {CLI_OUTPUT, false, NULL},
              {CLI_FORCE, false, NULL},
              {CLI_NO_COLOR, false, NULL},
              {CLI_HELP, false, NULL},
              {CLI_VERSION, false, NULL}},
     .examples = {{"Does it hold?", "verify run.cert"},
                  {"Is it about this model? As JSON:", "verify run.cert coin.prism --json"}},
     .run = cli_run_verify},
};

const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

const cli_exit_meaning cli_exit_meanings[] = {
    {CLI_EXIT_DONE, "done; all properties are true"},
    {CLI_EXIT_FALSE, "some property is false"},
    {CLI_EXIT_USAGE, "usage or input error; standard error says which"},
    {CLI_EXIT_UNGUARANTEED,
     "finished without the guarantee: not earned, undecided, or not as precise as asked"},
    {CLI_EXIT_SIMULATOR, "the simulator failed"},
    {CLI_EXIT_RESOURCE, "out of a resource, such as memory, disk space or a stated limit"},
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
