/* SPDX-License-Identifier: MIT */
/*
 * Certificates from a bound T on the recurrence time, by hand: those that hold, and false ones, each refused
 * for the right reason. The claims are those of tests/learn/recurrence_certificate.py.
 */
#include "support/faults.h"
#include "verify/sealed.h"

#define TIMED sealed_timed
#define FREE  sealed_free
#define LOST  "trial: it has wins, but no episode of so many transitions can be won"
#define LOWER "\"lower\": 0.4564767"
#define UPPER "\"upper\": 0.7271737"
#define TRIAL "{\"index\": 2, \"episodes\": 500, \"wins\": 300}"
/* Rows and nodes of the sample. */
#define COIN                                                                                       \
    "\"counts\": [[1, 600], [2, 400]], \"discovered\": [[1, 1, 1], [2, 3, 1]], \"quiet\": [2, "    \
    "997]"
#define TRAP                                                                                       \
    ",\n{\"index\": 3, \"state\": 2, \"action\": 0, \"counts\": [[2, 2000]], "                     \
    "\"discovered\": [[2, 1, 1]], \"quiet\": [1, 1999]}"
#define NODE_0 "{\"state\": 0, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": []}"
#define NODE_1 "{\"state\": 1, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]}"
#define NODE_2 "{\"state\": 2, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": []}"
/* A node where the policy takes an epsilon move to itself. */
#define SILENT(state)                                                                              \
    "{\"state\": " #state ", \"memory\": 0, \"action\": null, \"next\": 0, \"marks\": [0]}"
#define ABOVE    "claim: lower exceeds what the trial and the nodes show"
#define BELOW    "claim: upper is below what the nodes show"
#define FAR_LOW  "claim: lower is far below what the trial and the nodes show"
#define FAR_HIGH "claim: upper is far above what the nodes show"

static const sealed_sample samples[] = {
    {TIMED, {{0}}, NULL},
    /* The claim may be weaker by about 1e-6. */
    {TIMED, {{LOWER, "\"lower\": 0.4564761"}, {UPPER, "\"upper\": 0.7271743"}}, NULL},
    {TIMED, {{LOWER, "\"lower\": 0.4564770"}}, ABOVE},
    {TIMED, {{UPPER, "\"upper\": 0.7271735"}}, BELOW},
    {TIMED, {{LOWER, "\"lower\": 0.456475"}}, FAR_LOW},
    {TIMED, {{LOWER, "\"lower\": 0"}}, FAR_LOW},
    {TIMED, {{UPPER, "\"upper\": 0.727175"}}, FAR_HIGH},
    {TIMED, {{UPPER, "\"upper\": 1"}}, FAR_HIGH},
    {TIMED, {{"\"confidence\": 0.9", "\"confidence\": 0.91"}}, "claim: confidence is not"},
    {TIMED, {{"\"value\": 0.6", "\"value\": 0.8"}}, "claim: value is not between"},
    {TIMED, {{"\"value\": 0.6", "\"value\": null"}}, NULL},
    /* The trial. */
    {TIMED, {{"\"wins\": 300", "\"wins\": 301"}}, FAR_LOW},
    {TIMED, {{"\"wins\": 300", "\"wins\": 299"}}, ABOVE},
    {TIMED, {{"\"wins\": 300", "\"wins\": 301"}, {LOWER, "\"lower\": 0.4585065"}}, NULL},
    {TIMED,
     {{"\"wins\": 300", "\"wins\": 500"}, {LOWER, "\"lower\": 0.9391478"}},
     "claim: lower is above upper"},
    {TIMED, {{"\"wins\": 300", "\"wins\": 501"}}, "wins: expected a whole number from 0 to 500"},
    {TIMED, {{"\"wins\": 300", "\"wins\": -1"}}, "wins: expected a whole number"},
    {TIMED, {{"\"episodes\": 500", "\"episodes\": 501"}}, ABOVE},
    {TIMED,
     {{"\"episodes\": 500, \"wins\": 300", "\"episodes\": 0, \"wins\": 0"}},
     "episodes: expected a whole number from 1"},
    {TIMED, {{"\"index\": 2, \"episodes\"", "\"index\": 1, \"episodes\""}}, FAR_LOW},
    {TIMED, {{"\"index\": 2, \"episodes\"", "\"index\": 3, \"episodes\""}}, ABOVE},
    {TIMED,
     {{"\"index\": 2, \"episodes\"", "\"index\": 0, \"episodes\""}},
     "index: expected a whole number from 1"},
    {TIMED, {{TRIAL, "null"}}, ABOVE},
    {TIMED, {{TRIAL, "null"}, {LOWER, "\"lower\": 0"}}, NULL},
    {TIMED,
     {{TRIAL, "{\"index\": 2, \"episodes\": 500, \"wins\": 0}"}, {LOWER, "\"lower\": 0"}},
     NULL},
    {TIMED,
     {{TRIAL, "{\"index\": 1, \"episodes\": 1, \"wins\": 1}"}, {LOWER, "\"lower\": 0"}},
     NULL},
    /* L by the model: where it is greater, it counts. */
    {TIMED, {{"\"risk\": 0", "\"risk\": 10"}}, FAR_LOW},
    {TIMED, {{"\"risk\": 0", "\"risk\": 10"}, {LOWER, "\"lower\": 0.4692175"}}, NULL},
    {TIMED,
     {{"\"risk\": 0", "\"risk\": 10"}, {LOWER, "\"lower\": 0.4692175"}, {TRIAL, "null"}},
     NULL},
    {TIMED, {{"\"risk\": 0", "\"risk\": 10"}, {LOWER, "\"lower\": 0.4692178"}}, ABOVE},
    {TIMED,
     {{"\"risk\": 0", "\"risk\": 3"}, {LOWER, "\"lower\": 0.4591120"}, {TRIAL, "null"}},
     NULL},
    {TIMED,
     {{"\"risk\": 0", "\"risk\": 3"}, {LOWER, "\"lower\": 0.4591122"}, {TRIAL, "null"}},
     ABOVE},
    {TIMED, {{"\"risk\": 0", "\"risk\": 11"}}, "risk: expected a whole number from 0 to 10"},
    /* Fewer sweeps than T: what later ones may add counts. */
    {TIMED, {{"\"upper\": 10", "\"upper\": 4"}}, BELOW},
    {TIMED, {{"\"upper\": 10", "\"upper\": 4"}, {UPPER, "\"upper\": 0.7408155"}}, NULL},
    {TIMED, {{"\"upper\": 10", "\"upper\": 4"}, {UPPER, "\"upper\": 0.7408154"}}, BELOW},
    {TIMED, {{"\"upper\": 10", "\"upper\": 0"}}, BELOW},
    {TIMED, {{"\"upper\": 10", "\"upper\": 0"}, {UPPER, "\"upper\": 1"}}, NULL},
    {TIMED, {{"\"upper\": 10", "\"upper\": 11"}}, "upper: expected a whole number from 0 to 10"},
    {TIMED, {{"\"T\": 10", "\"T\": 1000000"}}, BELOW},
    {TIMED, {{"\"T\": 10", "\"T\": 1000000"}, {UPPER, "\"upper\": 1"}}, NULL},
    {TIMED, {{"\"T\": 10", "\"T\": 11"}}, BELOW},
    {TIMED, {{"\"T\": 10", "\"T\": 9"}}, "upper: expected a whole number from 0 to 9"},
    {TIMED,
     {{"\"T\": 10", "\"T\": 1"},
      {"\"upper\": 10", "\"upper\": 1"},
      {UPPER, "\"upper\": 0.7170370"},
      {"\"wins\": 300", "\"wins\": 0"},
      {LOWER, "\"lower\": 0"}},
     NULL},
    /* Rows. */
    {TIMED, {{"[1, 600], [2, 400]", "[1, 601], [2, 399]"}}, "claim: upper is below"},
    {TIMED, {{"[1, 600], [2, 400]", "[1, 599], [2, 401]"}}, FAR_HIGH},
    {TIMED, {{"[2, 997]", "[2, 998]"}}, "rows[0]: quiet exceeds the number of visits"},
    {TIMED, {{"[[2, 1, 1]], \"quiet\": [1, 1999]", "[[2, 1, 1]], \"quiet\": [1, 1998]"}}, BELOW},
    {TIMED, {{"[1, 1, 1], [2, 3, 1]", "[1, 3, 1], [2, 1, 1]"}}, "rows[0]: discoveries are not in"},
    {TIMED, {{"[1, 1, 1], [2, 3, 1]", "[1, 1, 1], [2, 3, 0]"}}, "expected a whole number from 1"},
    /* Discoveries in a batch: the quiet visits come before its hits. */
    {TIMED,
     {{COIN, "\"counts\": [[1, 1], [2, 999]], \"discovered\": [[1, 1, 1], [2, 1000, 999]], "
             "\"quiet\": [1, 998]"}},
     "rows[0]: quiet exceeds the number of visits"},
    {TIMED,
     {{COIN, "\"counts\": [[1, 600], [2, 400]], \"discovered\": [[1, 1, 1], [2, 10, 4]], "
             "\"quiet\": [1, 6]"}},
     "rows[0]: quiet exceeds the number of visits"},
    {TIMED, /* but as many as there are others: then the claim is what fails */
     {{COIN, "\"counts\": [[1, 600], [2, 400]], \"discovered\": [[1, 1, 1], [2, 10, 4]], "
             "\"quiet\": [1, 5]"}},
     "claim: "},
    {TIMED, /* more hits than draws since the discovery before */
     {{COIN, "\"counts\": [[0, 10], [1, 590], [2, 400]], "
             "\"discovered\": [[0, 1, 1], [1, 11, 1], [2, 12, 2]], \"quiet\": [3, 988]"}},
     "rows[0]: discoveries do not fit the visits before them"},
    {TIMED, /* draws before a discovery that nothing can have filled */
     {{COIN, "\"counts\": [[0, 1], [1, 500], [2, 499]], "
             "\"discovered\": [[0, 1, 1], [1, 101, 1], [2, 102, 1]], \"quiet\": [1, 99]"}},
     "rows[0]: discoveries do not fit the visits before them"},
    {TIMED, {{"\"index\": 1", "\"index\": 2"}}, "rows[1]: duplicate index"},
    {TIMED, {{"\"index\": 3", "\"index\": 4"}}, BELOW},
    {TIMED, {{", \"quiet\": [2, 997]", ""}}, "member 'quiet' is missing"},
    {TIMED,
     {{"\"discovered\": [[2, 1, 1]], \"quiet\"", "\"quiet\""}},
     "member 'discovered' is missing"},
    /* A row that was never tried is all unseen, wherever it is. */
    {TIMED, {{TRAP, ""}}, BELOW},
    {TIMED, {{TRAP, ""}, {UPPER, "\"upper\": 1"}}, NULL},
    {TIMED, {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 2"}}, BELOW},
    {TIMED,
     {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 2"}, {UPPER, "\"upper\": 1"}},
     NULL},
    {TIMED, /* also where the policy takes it */
     {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 2"},
      {UPPER, "\"upper\": 1"},
      {NODE_0, "{\"state\": 0, \"memory\": 0, \"action\": 1, \"next\": 0, \"marks\": []}"},
      {"\"wins\": 300", "\"wins\": 0"},
      {LOWER, "\"lower\": 0"}},
     NULL},
    {TIMED, /* but then it cannot have won */
     {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 2"},
      {UPPER, "\"upper\": 1"},
      {NODE_0, "{\"state\": 0, \"memory\": 0, \"action\": 1, \"next\": 0, \"marks\": []}"}},
     LOST},
    {TIMED, /* then nothing follows from the model */
     {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 2"},
      {UPPER, "\"upper\": 1"},
      {NODE_0, "{\"state\": 0, \"memory\": 0, \"action\": 1, \"next\": 0, \"marks\": []}"},
      {TRIAL, "null"},
      {"\"risk\": 0", "\"risk\": 10"},
      {LOWER, "\"lower\": 0.0001"}},
     ABOVE},
    {TIMED, /* it is not losing, but unseen, one transition later */
     {{"\"T\": 10", "\"T\": 1"},
      {TRAP, ""},
      {TRIAL, "null"},
      {"\"upper\": 10, \"risk\": 0", "\"upper\": 0, \"risk\": 1"},
      {LOWER, "\"lower\": 0.9438266"},
      {"\"upper\": 0.7271737, \"confidence\": 0.9, \"value\": 0.6",
       "\"upper\": 1, \"confidence\": 0.9, \"value\": null"}},
     NULL},
    {TIMED, /* a component that reads no letter loses */
     {{"AP: 1 \\\"a\\\"", "AP: 2 \\\"a\\\" \\\"epsilon\\\""},
      {"[!0] 0\\n[0] 0 {0}", "[!0] 0\\n[0] 0 {0}\\n[1] 0 {0}"},
      {NODE_0 ",\n" NODE_1 ",\n" NODE_2, SILENT(0) ",\n" SILENT(1) ",\n" SILENT(2)},
      {TRIAL, "null"},
      {"\"upper\": 10, \"risk\": 0", "\"upper\": 0, \"risk\": 10"},
      {LOWER ", " UPPER, "\"lower\": 0, \"upper\": 1"}},
     NULL},
    /* A declared number of successors ends what is unseen, and limits them. */
    {TIMED, {{"\"branching\": null", "\"branching\": 2"}, {UPPER, "\"upper\": 0.7232903"}}, NULL},
    {TIMED, {{"\"branching\": null", "\"branching\": 1"}}, "rows[0]: more successors than assumed"},
    {TIMED, {{"\"states\": null", "\"states\": 2"}}, "states: more than assumed"},
    /* Nodes: all that were seen, each with a choice. */
    {TIMED, {{",\n" NODE_2, ""}}, "nodes[0]: a successor of one of its choices is not listed"},
    {TIMED, {{NODE_1 ",\n", ""}}, "nodes[0]: a successor of one of its choices is not listed"},
    {TIMED, {{NODE_0 ",\n", ""}}, "nodes[0]: must be the start"},
    {TIMED,
     {{NODE_2, "{\"state\": 2, \"memory\": 0, \"action\": null, \"next\": null, \"marks\": null}"}},
     "nodes[2]: it has a choice, but none is given"},
    {TIMED,
     {{NODE_2, "{\"state\": 2, \"memory\": 0, \"action\": 0, \"next\": null, \"marks\": null}"}},
     "nodes[2]: an action without a next memory"},
    {TIMED,
     {{NODE_2, "{\"state\": 2, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]}"}},
     "nodes[2]: its choice is not a choice of the node"},
    {TIMED,
     {{NODE_2, "{\"state\": 2, \"memory\": 0, \"action\": 1, \"next\": 0, \"marks\": []}"}},
     "nodes[2]: its choice is not a choice of the node"},
    {TIMED, {{NODE_2, NODE_1}}, "nodes[2]: it is listed twice"},
    {TIMED,
     {{"\"action\": 0, \"next\"", "\"upper\": 1, \"action\": 0, \"next\""}},
     "unknown member"},
    /* Which components win depends on the automaton alone. */
    {TIMED, {{"[0] 0 {0}", "[0] 0"}, {"[0]}", "[]}"}}, LOST},
    {TIMED,
     {{"[0] 0 {0}", "[0] 0"},
      {"[0]}", "[]}"},
      {TRIAL, "null"},
      {"\"upper\": 0.7271737, \"confidence\": 0.9, \"value\": 0.6",
       "\"upper\": 0.5, \"confidence\": 0.9, \"value\": null"},
      {LOWER, "\"lower\": 0"}},
     FAR_HIGH},
    {TIMED, /* a trap that wins by wrong marks does not win in the chain */
     {{"[!0] 0", "[!0] 0 {0}"}, {"[0] 0 {0}", "[0] 0"}, {"[0]}", "[]}"}},
     "nodes[0]: its choice is not a choice of the node"},
    /* A universal memory at the start. */
    {TIMED,
     {{"[!0] 0\\n[0] 0 {0}", "[t] 0 {0}"},
      {NODE_0 ",\n" NODE_1 ",\n" NODE_2,
       "{\"state\": 0, \"memory\": 0, \"action\": null, \"next\": null, \"marks\": null}"},
      {TRIAL, "null"},
      {"\"risk\": 0", "\"risk\": 1"},
      {LOWER, "\"lower\": 0.9499999"},
      {"\"upper\": 0.7271737, \"confidence\": 0.9, \"value\": 0.6",
       "\"upper\": 1, \"confidence\": 0.9, \"value\": null"}},
     NULL},
    {TIMED, {{"[!0] 0\\n[0] 0 {0}", "[t] 0 {0}"}}, "nodes[0]: its memory is universal"},
    /* Assumptions and parts of delta. */
    {TIMED, {{"\"T\": 10", "\"T\": 0"}}, "T: expected a whole number from 1"},
    {TIMED, {{"\"T\": 10", "\"T\": 9007199254740992"}}, "T: expected a whole number from 1"},
    {TIMED, {{"\"T\": 10", "\"T\": null"}}, "trial: member 'steps' is missing"},
    {TIMED, {{"\"T\": 10, ", ""}}, "assumes: neither pmin nor the graph is assumed"},
    {TIMED, {{"\"T\": 10, ", ""}, {"\"pmin\": null", "\"pmin\": 0.1"}}, "unknown member 'sweeps'"},
    {TIMED, {{"certificate/2", "certificate/1"}}, "unknown member 'pmin_start'"},
    {TIMED, {{"\"pmin\": null", "\"pmin\": 0.1"}}, "assumes: T with pmin, pmin_start or the graph"},
    {TIMED, {{"\"pmin_start\": null", "\"pmin_start\": 0.1"}}, "assumes: T with pmin"},
    {TIMED, {{"\"graph\": false", "\"graph\": true"}}, "assumes: T with pmin"},
    {TIMED, {{"\"epsilon\": 0.05", "\"epsilon\": 0"}}, "epsilon: must be above 0 and below 1"},
    {TIMED, {{"\"epsilon\": 0.05", "\"epsilon\": 1"}}, "epsilon: must be above 0 and below 1"},
    {TIMED, {{"\"epsilon\": 0.05", "\"epsilon\": 0.04"}}, FAR_LOW},
    {TIMED, {{"\"epsilon\": 0.05", "\"epsilon\": 0.06"}}, ABOVE},
    {TIMED, {{"\"episodes\": 0.05", "\"episodes\": 0"}}, "delta: episodes must be above 0"},
    {TIMED,
     {{"\"episodes\": 0.05", "\"episodes\": 0.051"}},
     "delta: support, interval and episodes"},
    {TIMED, {{"\"interval\": 0.025", "\"interval\": 0"}}, "delta: interval must be above 0"},
    {TIMED, {{"\"support\": 0.025", "\"support\": 0"}}, "delta: support must be above 0"},
    {TIMED, {{"\"support\": 0.025", "\"support\": 0.024"}}, BELOW},
    {TIMED, {{", \"episodes\": 0.05", ""}}, "member 'episodes' is missing"},
    /* Episodes that can be won: within the transitions, along the policy's choices. */
    {TIMED, {{"\"T\": 10", "\"T\": 1"}, {"\"upper\": 10", "\"upper\": 1"}}, LOST},
    {TIMED, {{"\"T\": 10", "\"T\": 2"}, {"\"upper\": 10", "\"upper\": 2"}}, FAR_HIGH},
    {TIMED,
     {{"\"counts\": [[1, 600], [2, 400]], \"discovered\": [[1, 1, 1], [2, 3, 1]], \"quiet\": [2, "
       "997]",
       "\"counts\": [[2, 400]], \"discovered\": [[2, 1, 1]], \"quiet\": [1, 399]"}},
     LOST},
    /* Without knowledge. */
    {FREE, {{0}}, NULL},
    {FREE, {{"\"steps\": 2", "\"steps\": 1"}}, LOST},
    {FREE,
     {{"\"steps\": 2", "\"steps\": 1"},
      {"\"wins\": 500", "\"wins\": 0"},
      {"\"lower\": 0.9913236", "\"lower\": 0"}},
     NULL},
    {FREE, /* the start is absorbing */
     {{"\"letter\": 0, \"actions\": 1", "\"letter\": 0, \"actions\": 0"},
      {"\"action\": 0", "\"action\": null"}},
     LOST},
    {FREE, /* no listed state has the letter */
     {{"\"letter\": 1", "\"letter\": 0"}, {"\"next\": 1", "\"next\": 0"}},
     LOST},
    {FREE, /* the universal memory is not reached */
     {{"[0] 1", "[0] 0"}, {"\"next\": 1", "\"next\": 0"}},
     LOST},
    {FREE, /* the random reset is a transition */
     {{"\"start\": 0", "\"start\": null"},
      {NODE_0, "{\"state\": null, \"memory\": null, \"action\": null, \"next\": 0, \"marks\": "
               "[]},\n" NODE_0}},
     NULL},
    {FREE,
     {{"\"start\": 0", "\"start\": null"},
      {NODE_0, "{\"state\": null, \"memory\": null, \"action\": null, \"next\": 0, \"marks\": "
               "[]},\n" NODE_0},
      {"\"steps\": 2", "\"steps\": 1"}},
     LOST},
    {FREE, {{"\"epsilon\": 0.05", "\"epsilon\": 1"}}, "epsilon: must be below 1"},
    /* Members. */
    {TIMED, {{"\"trial\": " TRIAL ",\n", ""}}, "member 'trial' is missing"},
    {TIMED, {{"\"sweeps\": {\"upper\": 10, \"risk\": 0},\n", ""}}, "member 'sweeps' is missing"},
    {TIMED, {{", \"risk\": 0", ""}}, "member 'risk' is missing"},
    {TIMED, {{"\"risk\": 0", "\"risk\": 0, \"most\": 0"}}, "unknown member 'most'"},
    {TIMED, {{", \"wins\": 300", ""}}, "member 'wins' is missing"},
    {TIMED, {{"\"wins\": 300", "\"wins\": 300, \"lost\": 200"}}, "unknown member 'lost'"},
};

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        sealed_check(&samples[i]);
}

/* ---- what a verdict shows ---- */

static void test_statement(void **state)
{
    (void)state;
    static const sealed_sample sample = {TIMED, {{0}}, NULL};
    static const char *const assumes[] = {
        "10 bounds the 0.05-recurrence time: under every positional policy of the product, a run "
        "covers one of its bottom components twice within 10 transitions, resets and epsilon moves "
        "included, with probability at least 1 - 0.05",
        "delta, its split and the recurrence time with its epsilon were fixed before the first "
        "sample "
        "was drawn",
        "the counts are the samples that were drawn in the model: none was left out, added or "
        "changed",
        "the samples of a row are independent draws from one distribution, which belongs to the "
        "state "
        "and the action and does not change over time",
        "the discoveries and quiet visits of a row are those of its samples in the order in which "
        "they were drawn, which the counts do not show",
        "the index of a row was given before the row was first sampled",
        "the episodes of the trial are all those that were run with the policy after the policy "
        "and its index were fixed, and no other policy that was tried has this index",
        "each episode began with the reset; it is won if within 10 transitions it came to a "
        "universal memory, or if after 10 transitions its last strongly connected component "
        "satisfies the condition, and lost otherwise; one that was cut off, or that took anything "
        "but the first action without a change of memory in a product state that was not "
        "known when the policy was fixed, may count as lost",
        "the run was not selected by its outcome among several, such as runs with other seeds",
        "the letter of a state (the propositions that are true in it), the number of its actions "
        "and "
        "the state where runs begin are as in the model, and each state has one key",
        "the automaton recognises the objective",
        "the policy is the one that the nodes describe, and takes the first choice in product "
        "states "
        "that are not listed: no policy file was compared",
    };
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&sample, text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    assert_true(found.holds);
    assert_string_equal(
        found.statement,
        "with probability at least 0.9 over what was sampled, the policy meets the "
        "objective with probability at least 0.4564767, and no policy with more than "
        "0.7271737");
    for (size_t i = 0; i < sizeof assumes / sizeof *assumes; i++)
        assert_string_equal(found.assumes[i], assumes[i]);
    assert_null(found.assumes[sizeof assumes / sizeof *assumes]);
    assert_int_equal(found.recurrence_time, 10);
    assert_int_equal(found.episodes, 500);
    assert_int_equal(found.wins, 300);
    assert_int_equal(found.winning, 1);
    assert_int_equal(found.nodes, 3);
    assert_int_equal(found.complete, 0);
    opac_verification_fini(&found);
}

/* Where the automaton has several initial memories, one of them is chosen. */
static void test_initial_memories(void **state)
{
    (void)state;
    static const sealed_sample sample = {
        TIMED,
        {{"States: 1\\nStart: 0", "States: 2\\nStart: 0\\nStart: 1"},
         {"[0] 0 {0}", "[0] 0 {0}\\nState: 1"},
         {"\"upper\": 10", "\"upper\": 0"},
         {UPPER, "\"upper\": 1"},
         {NODE_0,
          "{\"state\": null, \"memory\": null, \"action\": null, \"next\": 0, \"marks\": []},\n"
          "{\"state\": 0, \"memory\": 1, \"action\": null, \"next\": null, \"marks\": null},"
          "\n" NODE_0}},
        NULL};
    static const char *const time =
        "10 bounds the 0.05-recurrence time: under every positional policy of the product, a run "
        "covers one of its bottom components twice within 10 transitions, resets, epsilon moves "
        "and the choice of an initial memory included, with probability at least 1 - 0.05";
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&sample, text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    if (!found.holds)
        fail_msg("%s", found.reason);
    assert_string_equal(found.assumes[0], time);
    opac_verification_fini(&found);
}

/* The trial is not mentioned where the model alone gives L. */
static void test_unused_trial(void **state)
{
    (void)state;
    static const sealed_sample sample = {
        TIMED, {{"\"risk\": 0", "\"risk\": 10"}, {LOWER, "\"lower\": 0.4692175"}}, NULL};
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&sample, text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    assert_true(found.holds);
    for (size_t i = 0; found.assumes[i] != NULL; i++) {
        assert_null(strstr(found.assumes[i], "trial"));
        assert_null(strstr(found.assumes[i], "each episode"));
    }
    opac_verification_fini(&found);
}

/* Too many sweeps are a limit, not a refusal. */
static void test_limit(void **state)
{
    (void)state;
    static const sealed_sample sample = {
        TIMED,
        {{"\"T\": 10", "\"T\": 9007199254740991"}, {"\"upper\": 10", "\"upper\": 500000000"}},
        NULL};
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&sample, text);
    assert_status(opac_verify_text(text, strlen(text), NULL, &found, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "sweeps: 10 successors, 500000000 and 0 times, are beyond the "
                        "limit of 4000000000");
    assert_false(found.holds);
}

static opac_status verify_again(void *context, opac_error *error)
{
    opac_verification found;
    opac_status status = opac_verify_text(context, strlen(context), NULL, &found, error);
    if (status == OPAC_OK) {
        assert_true(found.holds);
        opac_verification_fini(&found);
    }
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    static const sealed_sample sample = {
        TIMED, {{"\"risk\": 0", "\"risk\": 10"}, {LOWER, "\"lower\": 0.4692175"}}, NULL};
    char text[SEALED_SIZE];
    sealed_build(&sample, text);
    assert_true(faults_sweep(verify_again, text) > 20);
}

SUITE(recurrence)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_statement),
                                       cmocka_unit_test(test_initial_memories),
                                       cmocka_unit_test(test_unused_trial),
                                       cmocka_unit_test(test_limit),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
