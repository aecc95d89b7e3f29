/* SPDX-License-Identifier: MIT */
/* Certificates by hand: those that hold, and false ones, each refused for the right reason. */
#include <math.h>

#include "support/faults.h"
#include "verify/sealed.h"

#define REACH   sealed_reach
#define GUESS   sealed_guess
#define OPEN    sealed_open
#define SEEN    sealed_seen
#define UPPER_0 "\"upper\": 0, \"lower\": 0, \"wins\": false, \"rank\": null"

static const sealed_sample samples[] = {
    {REACH, {{0}}, NULL},
    {GUESS, {{0}}, NULL},
    /* A reset that may lead to more than was seen. */
    {OPEN, {{0}}, NULL},
    {OPEN,
     {{"\"lower\": 0.945065", "\"lower\": 0.945066"},
      {"\"lower\": 0.945065", "\"lower\": 0.945066"}},
     "nodes[0]: lower exceeds the least expected value of its choice"},
    {OPEN,
     {{"[2, 97]", "[2, 96]"}},
     "nodes[0]: lower exceeds the least expected value of its choice"},
    {OPEN,
     {{"[2, 97]", "[2, 98]"}},
     "rows[0]: quiet exceeds the number of visits without another successor"},
    {OPEN,
     {{"[2, 97]", "[1, 97]"}},
     "rows[0]: quiet exceeds the number of visits without another successor"},
    {OPEN,
     {{"[2, 97]", "[1, 1]"}},
     "nodes[0]: lower exceeds the least expected value of its choice"},
    {OPEN, {{"[2, 97]", "[0, 97]"}}, "quiet[0]: expected a whole number from 1 to 2"},
    {OPEN, {{"[2, 97]", "[3, 97]"}}, "quiet[0]: expected a whole number from 1 to 2"},
    {OPEN,
     {{"[2, 97]", "[2]"}},
     "rows[0]: quiet must be a number of successors and a number of visits"},
    {OPEN, {{", \"quiet\": [2, 97]", ""}}, "member 'quiet' is missing"},
    {OPEN, {{"\"discovered\": [[0, 1, 1], [1, 3, 1]], ", ""}}, "member 'discovered' is missing"},
    {OPEN, {{"[1, 3, 1]]", "[1, 3, 0]]"}}, "expected a whole number from 1 to 100"},
    {OPEN, {{"[0, 1, 1]", "[0, 1, 0]"}}, "expected a whole number from 1 to 100"},
    {OPEN,
     {{"[0, 1, 1]", "[0, 2, 1]"}},
     "rows[0]: the first discovery does not fit the first visits"},
    {OPEN, {{"[1, 3, 1]]", "[1, 3, 3]]"}}, "rows[0]: discoveries do not fit the visits before"},
    {OPEN, {{"[1, 3, 1]]", "[1, 3, 4]]"}}, "rows[0]: a discovery does not fit the counts"},
    {OPEN, {{"[1, 3, 1]]", "[1, 62, 1]]"}}, "rows[0]: a discovery does not fit the counts"},
    {OPEN,
     {{"[[0, 1, 1], [1, 3, 1]]", "[[0, 3, 1], [1, 1, 1]]"}},
     "rows[0]: discoveries are not in order of time"},
    {OPEN, {{"[[0, 1, 1], [1, 3, 1]]", "[[0, 1, 1]]"}}, "rows[0]: discovered must have one item"},
    {OPEN, {{"[[0, 1, 1], [1, 3, 1]]", "[[0, 1, 1], [0, 3, 1]]"}}, "rows[0]: a successor is disc"},
    {OPEN,
     {{"[[0, 60], [1, 40]]", "[[0, 60]]"}},
     "rows[0]: discovered must have one item for each successor"},
    {OPEN,
     {{"[[0, 60], [1, 40]]", "[[1, 40]]"},
      {"[[0, 1, 1], [1, 3, 1]]", "[[1, 3, 1]]"},
      {"[2, 97]", "[1, 37]"}},
     "rows[0]: a discovery does not fit the counts"},
    {OPEN,
     {{"\"support\": 0.05", "\"support\": 0.06"}},
     "delta: support plus interval exceeds total"},
    {OPEN,
     {{"\"support\": 0.05", "\"support\": 0.04"}},
     "nodes[0]: lower exceeds the least expected value of its choice"},
    {OPEN,
     {{"\"upper\": 1, \"lower\": 0.945065, \"wins\": false, \"rank\": 1",
       "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0"},
      {"\"lower\": 0.945065", "\"lower\": 1"}},
     "nodes[0]: wins, but the row of its choice may lead to an unseen state"},
    {OPEN, {{"\"pmin_start\": null", "\"pmin_start\": 0.4"}}, "unknown member 'discovered'"},
    {OPEN, {{"\"graph\": false", "\"graph\": true"}}, "unknown member 'discovered'"},
    {OPEN, {{"\"pmin_start\": null", "\"pmin_start\": 0"}}, "pmin_start must be above 0"},
    /* With as many successors as there can be nothing is unseen. */
    {OPEN,
     {{"\"branching\": null", "\"branching\": 2"},
      {"\"lower\": 0.945065", "\"lower\": 0.9999999999"},
      {"\"lower\": 0.945065", "\"lower\": 0.9999999999"}},
     NULL},
    /* With a bound it is complete, as any row. */
    {OPEN,
     {{"\"pmin_start\": null", "\"pmin_start\": 0.4"},
      {", \"discovered\": [[0, 1, 1], [1, 3, 1]], \"quiet\": [2, 97]", ""}},
     NULL},
    {OPEN,
     {{"\"pmin_start\": null", "\"pmin_start\": 0.01"},
      {", \"discovered\": [[0, 1, 1], [1, 3, 1]], \"quiet\": [2, 97]", ""}},
     "the row of its choice is not complete"},
    /* Rows that are not complete, with pmin. */
    {SEEN, {{0}}, NULL},
    {SEEN,
     {{"\"lower\": 0.3", "\"lower\": 0.45"}, {"\"lower\": 0.3", "\"lower\": 0.45"}},
     "nodes[0]: lower exceeds the least expected value of its choice"},
    {SEEN,
     {{"\"upper\": 0.9", "\"upper\": 0.7"}, {"\"upper\": 0.9", "\"upper\": 0.7"}},
     "nodes[0]: upper is below the greatest expected value"},
    {SEEN,
     {{", \"discovered\": [[1, 1, 1], [2, 3, 1]], \"quiet\": [2, 97]", ""}},
     "rows[0]: it is not complete, and its discoveries are not given"},
    {SEEN,
     {{", \"discovered\": [[2, 1, 1]], \"quiet\": [1, 149]", ""}},
     "rows[2]: it is not complete, and its discoveries are not given"},
    {SEEN,
     {{"\"quiet\": [1, 149]", "\"quiet\": [1, 100]"}},
     "nodes[2]: upper is below the greatest expected value"},
    {SEEN,
     {{"\"quiet\": [1, 149]", "\"quiet\": [1, 150]"}},
     "rows[2]: quiet exceeds the number of visits without another successor"},
    {SEEN,
     {{"[[1, 1, 1], [2, 3, 1]]", "[[1, 3, 1], [2, 1, 1]]"}},
     "rows[0]: discoveries are not in order of time"},
    {SEEN,
     {{"[[1, 1, 1], [2, 3, 1]]", "[[1, 1, 1], [2, 3, 3]]"}},
     "rows[0]: discoveries do not fit"},
    {SEEN, {{"[[1, 1, 1], [2, 3, 1]]", "[[1, 1, 1]]"}}, "rows[0]: discovered must have one item"},
    {SEEN,
     {{"\"counts\": [[1, 200]]",
       "\"counts\": [[1, 50]], \"discovered\": [[1, 1, 1]], \"quiet\": [1, 49]"}},
     "nodes[1]: wins, but the row of its choice may lead to an unseen state"},
    {SEEN, {{"\"counts\": [[1, 200]]", "\"counts\": [[1, 50]]"}}, "rows[1]: it is not complete"},
    {SEEN, {{"\"unseen\": 0.04", "\"unseen\": 0.05"}}, "delta: the parts exceed total"},
    {SEEN, {{"\"unseen\": 0.04", "\"unseen\": 0"}}, "delta: unseen and discovery must be above 0"},
    {SEEN, {{"\"discovery\": 0.005", "\"discovery\": 0"}}, "delta: unseen and discovery must be"},
    {SEEN, {{", \"discovery\": 0.005", ""}}, "member 'discovery' is missing"},
    {SEEN, {{"\"unseen\": 0.04, \"discovery\"", "\"discovery\""}}, "unknown member 'discovery'"},
    {SEEN, {{", \"unseen\": 0.04, \"discovery\": 0.005", ""}}, "unknown member 'discovered'"},
    {SEEN, {{"\"graph\": false", "\"graph\": true"}}, "unknown member 'unseen'"},
    {SEEN, {{"\"pmin\": 0.05", "\"pmin\": 0.06"}}, NULL},
    {SEEN, {{"\"pmin\": 0.05", "\"pmin\": 0.03"}}, "rows[1]: it is not complete"},
    /* What is not checked may be anything. */
    {REACH, {{"\"value\": 0.6", "\"value\": 0.5"}}, NULL},
    {REACH, {{"\"value\": 0.6", "\"value\": 0.8"}}, "claim: value is not between lower and upper"},
    {REACH, {{"\"value\": 0.6", "\"value\": 0.4"}}, "claim: value is not between lower and upper"},
    {REACH, {{"\"seed\": 1", "\"seed\": 18446744073709551615"}}, NULL},
    {REACH, {{"\"letter\": 1", "\"letter\": 3"}}, "states[1]: its letter has bits beyond"},
    /* Shape. */
    {REACH, {{"\"start\": 0,\n", ""}}, "member 'start' is missing"},
    {REACH, {{"\"start\": 0", "\"start\": 0, \"stop\": 1"}}, "unknown member 'stop'"},
    {REACH, {{"\"start\": 0", "\"start\": 3"}}, "start: expected a whole number from 0 to 2"},
    {REACH, {{"\"start\": 0", "\"start\": -1"}}, "start: expected a whole number"},
    {REACH, {{"\"start\": 0", "\"start\": 0.5"}}, "start: expected a whole number"},
    {REACH, {{"\"start\": 0", "\"start\": \"0\""}}, "start: expected a number, found a string"},
    {REACH, {{"\"start\": 0", "\"start\": 1e999"}}, "start: "},
    {REACH, {{"certificate/1", "certificate/2"}}, "member 'pmin_start' is missing"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"graph\": false", "\"pmin_start\": null, \"graph\": false"}},
     NULL},
    {REACH,
     {{"\"graph\": false", "\"pmin_start\": null, \"graph\": false"}},
     "unknown member 'pmin_start'"},
    {REACH, {{"\"least\": false", "\"least\": 0"}}, "inputs.least: expected a boolean"},
    {REACH, {{"\"upper\": 0.79", "\"upper\": 1.79"}}, "upper: expected a number from 0 to 1"},
    {REACH, {{"\"upper\": 0.79", "\"upper\": -0.79"}}, "upper: expected a number from 0 to 1"},
    {REACH, {{"\"upper\": 0.79", "\"upper\": 1e400"}}, "upper: "},
    /* Each row has its own pmin. */
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     NULL},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 1}"}},
     NULL},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.6}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "rows[0]: more successors than assumed"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": null}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "rows[1]: pmin must not be null without a graph"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "pmin must be above 0"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 1.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "pmin: expected a number from 0 to 1"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]]}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "member 'pmin' is missing"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"row\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "pmin must be a number, null or"},
    {REACH,
     {{"certificate/1", "certificate/1"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "unknown member 'pmin_start'"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": 0.2, \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.5}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "unknown member 'pmin'"},
    {REACH,
     {{"certificate/1", "certificate/2"},
      {"\"pmin\": 0.2, \"graph\"", "\"pmin\": \"rows\", \"pmin_start\": null, \"graph\""},
      {"[[1, 60], [2, 40]]}", "[[1, 60], [2, 40]], \"pmin\": 0.2}"},
      {"[[0, 30]]}", "[[0, 30]], \"pmin\": 0.05}"},
      {"[[1, 40]]}", "[[1, 40]], \"pmin\": 0.2}"}},
     "nodes[0]: upper is below 1, but some of its rows are neither complete nor open"},
    /* Assumptions and delta. */
    {REACH, {{"\"pmin\": 0.2", "\"pmin\": null"}}, "neither pmin nor the graph"},
    {REACH, {{"\"pmin\": 0.2", "\"pmin\": 0"}}, "pmin must be above 0"},
    {REACH, {{"\"pmin\": 0.2", "\"pmin\": 1.5"}}, "pmin: expected a number from 0 to 1"},
    {REACH, {{"\"total\": 0.1", "\"total\": 0.09"}}, "support plus interval exceeds total"},
    {REACH, {{"\"total\": 0.1", "\"total\": 1"}}, "total must be below 1"},
    {REACH,
     {{"\"support\": 0.05, \"interval\": 0.05", "\"support\": 0, \"interval\": 0.1"}},
     "support must be above 0 without a graph"},
    {REACH, {{"\"interval\": 0.05", "\"interval\": 0"}}, "interval must be above 0"},
    {REACH, {{"\"support\": 0.05", "\"support\": -0.05"}}, "support: expected a number from 0"},
    {REACH, {{"\"states\": null", "\"states\": 2"}}, "states: more than assumed"},
    {REACH, {{"\"actions\": null", "\"actions\": 1"}}, "states[0]: more actions than assumed"},
    {REACH, {{"\"branching\": null", "\"branching\": 1"}}, "rows[0]: more successors than assumed"},
    {REACH, {{"\"pmin\": 0.2", "\"pmin\": 0.6"}}, "rows[0]: more successors than assumed"},
    {REACH, {{"\"states\": null, \"actions\": null", "\"states\": 3, \"actions\": 2"}}, NULL},
    {REACH,
     {{"\"states\": null, \"actions\": null", "\"states\": 3, \"actions\": 2"},
      {"\"index\": 3", "\"index\": 8"}},
     "rows[2]: its index is beyond"},
    /* States. */
    {REACH, {{"\"key\": \"01\"", "\"key\": \"00\""}}, "states: two have the same key"},
    {REACH, {{"\"key\": \"01\"", "\"key\": \"0\""}}, "states[1]: key must consist of bytes"},
    {REACH, {{"\"key\": \"01\"", "\"key\": \"0A\""}}, "states[1]: key must consist of bytes"},
    {REACH, {{"\"letter\": 0", "\"letter\": \"0\""}}, "letter must be a number, not a string"},
    {REACH,
     {{"\"letter\": 0", "\"letter\": \"99999999999999999999\""}},
     "must be an integer below 2^64"},
    {REACH, {{"\"letter\": 0", "\"letter\": 9007199254740992"}}, "letter: expected a whole number"},
    {REACH, {{"\"letter\": 1", "\"letter\": 0"}}, "its choice is not a choice of the node"},
    /* Rows. */
    {REACH, {{"\"index\": 2", "\"index\": 1"}}, "rows[1]: duplicate index"},
    {REACH, {{"\"index\": 2", "\"index\": 0"}}, "index: expected a whole number from 1"},
    {REACH,
     {{"\"state\": 0, \"action\": 1", "\"state\": 0, \"action\": 0"}},
     "rows[1]: the action is listed twice"},
    {REACH, {{"\"state\": 0, \"action\": 1", "\"state\": 0, \"action\": 2"}}, "from 0 to 1"},
    {REACH,
     {{"\"state\": 0, \"action\": 1", "\"state\": 2, \"action\": 0"}},
     "action: refers to an item of an empty list"},
    {REACH,
     {{"\"state\": 0, \"action\": 1", "\"state\": 0, \"action\": null"}},
     "state and action must both be null"},
    {REACH,
     {{"\"state\": 0, \"action\": 1", "\"state\": null, \"action\": null"}},
     "rows[1]: row of a reset, but start is a state"},
    {REACH, {{"[2, 40]", "[1, 40]"}}, "rows[0]: successors do not ascend"},
    {REACH, {{"[2, 40]", "[3, 40]"}}, "counts[1][0]: expected a whole number from 0 to 2"},
    {REACH, {{"[2, 40]", "[2, 0]"}}, "counts[1][1]: expected a whole number from 1"},
    {REACH, {{"[2, 40]", "[2, -40]"}}, "counts[1][1]: expected a whole number from 1"},
    {REACH, {{"[2, 40]", "[2, 9007199254740992]"}}, "rows[0]: more than 2^53 visits"},
    {REACH, {{"[2, 40]", "[2, 18446744073709551615]"}}, "counts[1][1]: expected a whole number"},
    {REACH, {{"[2, 40]", "[2, 40, 1]"}}, "an item of counts must be a state"},
    {REACH, {{"[[1, 60], [2, 40]]", "[]"}}, "rows[0]: no successors"},
    {REACH,
     {{"[[1, 60], [2, 40]]", "[[1, 12], [2, 8]]"}},
     "nodes[0]: the row of its choice is not"},
    {REACH, {{"[[0, 30]]", "[[0, 28]]"}}, "nodes[0]: upper is below 1, but some"},
    {REACH, {{"[[1, 40]]", "[[1, 31]]"}}, "nodes[1]: the row of its choice is not complete"},
    {REACH, {{"[[1, 40]]", "[[1, 32]]"}}, NULL},
    {REACH,
     {{"\"index\": 3", "\"index\": 300"}},
     "nodes[1]: the row of its choice is not complete"},
    {REACH, {{"[[1, 60], [2, 40]]", "[[1, 9960], [2, 40]]"}}, "the counts contradict what"},
    {REACH,
     {{"[1, 60], [2, 40]", "[1, 40], [2, 60]"}},
     "lower exceeds the least expected value of its choice"},
    {REACH,
     {{"[1, 60], [2, 40]", "[1, 66], [2, 34]"}},
     "upper is below the greatest expected value"},
    /* Nodes. */
    {REACH, {{"\"upper\": 0.79", "\"upper\": 0.7"}}, "nodes[0]: upper is below the greatest"},
    {REACH, {{"\"upper\": 0.79", "\"upper\": 0.4"}}, "nodes[0]: lower is above upper"},
    {REACH,
     {{"\"lower\": 0.41", "\"lower\": 0.5"}},
     "nodes[0]: lower exceeds the least expected value"},
    {REACH, {{"\"rank\": 1", "\"rank\": 0"}}, "nodes[0]: no successor has a smaller rank"},
    {REACH,
     {{"\"rank\": 1", "\"rank\": null"}},
     "nodes[0]: rank must be null if and only if lower is 0"},
    {REACH,
     {{"\"rank\": 1, \"action\": 0", "\"rank\": 1, \"action\": 1"}},
     "nodes[0]: no successor has a smaller rank"},
    {REACH,
     {{"\"rank\": 1, \"action\": 0", "\"rank\": 1, \"action\": 2"}},
     "nodes[0]: its choice is not a choice of the node"},
    {REACH,
     {{"\"rank\": 1, \"action\": 0", "\"rank\": 1, \"action\": null"}},
     "nodes[0]: its choice is not a choice of the node"},
    {REACH,
     {{"\"marks\": [0]", "\"marks\": []"}},
     "nodes[1]: its choice is not a choice of the node"},
    {REACH,
     {{"\"marks\": []", "\"marks\": [0]"}},
     "nodes[0]: its choice is not a choice of the node"},
    {REACH, {{"\"marks\": [0]", "\"marks\": [0, 0]"}}, "nodes[1]: marks do not ascend"},
    {REACH, {{"\"marks\": [0]", "\"marks\": [63]"}}, "marks[0]: expected a whole number"},
    {REACH, {{"\"marks\": [0]", "\"marks\": null"}}, "next and marks must both be null"},
    {REACH, {{"\"next\": 0", "\"next\": 1"}}, "next: expected a whole number from 0 to 0"},
    {REACH,
     {{"\"state\": 1, \"memory\": 0", "\"state\": 0, \"memory\": 0"}},
     "nodes[1]: it is listed twice"},
    {REACH,
     {{"\"state\": 1, \"memory\": 0", "\"state\": null, \"memory\": 0"}},
     "state and memory must both be null"},
    {REACH,
     {{"\"state\": 1, \"memory\": 0", "\"state\": null, \"memory\": null"}},
     "a node before the reset is listed, but the reset is not random"},
    {REACH, {{"\"start\": 0", "\"start\": 1"}}, "nodes[0]: must be the start"},
    {REACH, {{"\"start\": 0", "\"start\": null"}}, "nodes[0]: must be the node before the reset"},
    /* Winning: not closed, not accepting. */
    {REACH,
     {{"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1",
       "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0"}},
     "nodes[0]: wins, but a successor does not"},
    {REACH,
     {{"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0",
       "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, \"action\": 1"}},
     "nodes[0]: the marks of its component do not satisfy"},
    {REACH, {{"\"wins\": true", "\"wins\": false"}}, "nodes[1]: no successor has a smaller rank"},
    {REACH,
     {{"\"upper\": 1, \"lower\": 1, \"wins\": true",
       "\"upper\": 0.9, \"lower\": 0.9, \"wins\": true"}},
     "nodes[1]: wins, but upper and lower are not 1"},
    /* A winning component that is left out, and called worth nothing. */
    {REACH,
     {{"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, \"next\": "
       "0, "
       "\"marks\": []",
       UPPER_0 ", \"action\": null, \"next\": null, \"marks\": null"},
      {"\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, \"action\": 0, \"next\": 0, "
       "\"marks\": [0]",
       UPPER_0 ", \"action\": null, \"next\": null, \"marks\": null"},
      {"\"lower\": 0.41, \"upper\": 0.79", "\"lower\": 0, \"upper\": 0"}},
     "nodes[1]: upper is below 1, but it lies in a component that can be accepted"},
    /* What is marked once, on the way to the trap, is worth nothing: it is no end component. */
    {REACH,
     {{"[[1, 40]]", "[[2, 40]]"},
      {"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, \"next\": "
       "0, "
       "\"marks\": []",
       UPPER_0 ", \"action\": null, \"next\": null, \"marks\": null"},
      {"\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, \"action\": 0, \"next\": 0, "
       "\"marks\": [0]",
       UPPER_0 ", \"action\": null, \"next\": null, \"marks\": null"},
      {"\"lower\": 0.41, \"upper\": 0.79", "\"lower\": 0, \"upper\": 0"},
      {"\"value\": 0.6", "\"value\": 0"},
      {"at least 0.41, and no policy with more than 0.79",
       "at least 0, and no policy with more than 0"}},
     NULL},
    /* An action that was never tried, and a reset that was not. */
    {REACH,
     {{"{\"index\": 2, \"state\": 0, \"action\": 1, \"counts\": [[0, 30]]},\n", ""}},
     "nodes[0]: upper is below 1, but some of its rows are neither complete nor open"},
    {GUESS,
     {{"{\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, 50]]},\n", ""},
      {"\"upper\": 1, \"lower\": 0.8, \"wins\": false, \"rank\": 1, \"action\": null, \"next\": 0, "
       "\"marks\": []",
       UPPER_0 ", \"action\": null, \"next\": null, \"marks\": null"}},
     "nodes[0]: upper is below 1, but some of its rows are neither complete nor open"},
    /* Two moves that look alike: the one that reads a letter is taken. */
    {GUESS,
     {{"\"letter\": 1, \"actions\": 1", "\"letter\": 1, \"actions\": 0"},
      {",\n{\"index\": 3, \"state\": 1, \"action\": 0, \"counts\": [[1, 0]]}", ""},
      {"[0] 1 {0}\\n", "[2] 1 {0}\\n[0] 1 {0}\\n"},
      {"\"action\": 0, \"next\": 1, \"marks\": [0]",
       "\"action\": null, \"next\": 1, \"marks\": [0]"}},
     NULL},
    /* The trap left out: worth 1, for all one knows. */
    {REACH,
     {{"\"state\": 2, \"memory\": 0, \"upper\": 0", "\"state\": 2, \"memory\": 0, \"upper\": 0.2"}},
     "nodes[0]: upper is below the greatest"},
    /* The claim. */
    {REACH,
     {{"\"claim\": {\"lower\": 0.41", "\"claim\": {\"lower\": 0.42"}},
     "claim: lower and upper"},
    {REACH, {{"\"upper\": 0.79, \"conf", "\"upper\": 0.78, \"conf"}}, "claim: lower and upper"},
    {REACH, {{"\"confidence\": 0.9", "\"confidence\": 0.95"}}, "claim: confidence is not 1 -"},
    {REACH, {{"\"total\": 0.1", "\"total\": 0.2"}}, "claim: confidence is not 1 -"},
    /* 1 - 1e-20 rounds to 1, but nothing is that sure. */
    {REACH,
     {{"0.1, \"support\": 0.05, \"interval\": 0.05",
       "1e-20, \"support\": 5e-21, \"interval\": 5e-21"},
      {"\"confidence\": 0.9", "\"confidence\": 1"},
      {"[1, 60], [2, 40]", "[1, 6000], [2, 4000]"},
      {"[[0, 30]]", "[[0, 300]]"},
      {"[[1, 40]]", "[[1, 400]]"},
      {"at least 0.9 over", "at least 0.9999999999999999 over"}},
     NULL},
    {REACH,
     {{"0.1, \"support\": 0.05, \"interval\": 0.05",
       "1e-20, \"support\": 5e-21, \"interval\": 5e-21"},
      {"\"confidence\": 0.9", "\"confidence\": 1"},
      {"[1, 60], [2, 40]", "[1, 6000], [2, 4000]"},
      {"[[0, 30]]", "[[0, 300]]"},
      {"[[1, 40]]", "[[1, 400]]"},
      {"at least 0.9 over", "at least 1 over"}},
     "claim: the statement differs"},
    {REACH,
     {{"at least 0.41", "at least 0.5"}},
     "claim: the statement differs from the one that the certificate shows: with"},
    {REACH,
     {{"more than 0.79", "more than 0.7"}},
     "claim: the statement differs from the one that the certificate shows"},
    {REACH, {{"at least 0.9 over", "at least 0.99 over"}}, "claim: the statement differs"},
    {REACH,
     {{"\"least\": false", "\"least\": true"}},
     "claim: the statement differs from the one that the certificate shows"},
    /* The automaton. */
    {REACH, {{"HOA: v1", "HOA: v2"}}, "automaton: line 1: expected HOA: v1"},
    {REACH, {{"Inf(0)", "Inf(!0)"}}, "automaton: line 7: expected a number"},
    {REACH, {{"Inf(0)", "Inf(1)"}}, "a number is too large for what it refers to"},
    {REACH, {{"Inf(0)", "Fin(0)"}}, "nodes[1]: the marks of its component"},
    {REACH, {{"Inf(0)", "Inf(0) & Fin(0)"}}, "nodes[1]: the marks of its component"},
    {REACH, {{"Inf(0)", "f"}}, "nodes[1]: the marks of its component"},
    {REACH, {{"Inf(0)", "Inf(0) | (Fin(0) & f)"}}, NULL},
    {REACH, {{"Inf(0)", "Fin(0) & Inf(0) | Inf(0) & t"}}, NULL},
    {REACH, {{"Inf(0)", "Inf(0"}}, "expected ) after a set"},
    {REACH, {{"[!0] 0", "[!1] 0"}}, "a label is not made of"},
    {REACH, {{"[!0] 0", "[!0 0"}}, "a label is not made of"},
    {REACH, {{"[!0] 0", "[!0] 1"}}, "a number is too large"},
    {REACH, {{"[!0] 0", "[!0] 0&0"}}, "universal branching"},
    {REACH, {{"[!0] 0", "[@1] 0"}}, "a label is not made of"},
    {REACH, {{"[!0] 0", "0"}}, "expected State:, [label] or --END--"},
    {REACH, {{"[!0] 0", "[!(!(!(0)) & t | f)] 0"}}, NULL},
    {REACH, {{"[!0] 0", "[!( ! (! ! (0)) & t | f) ] 0"}}, "nodes[0]: its choice is not a choice"},
    {REACH, {{"[!0] 0", "[!(!(!(!0)) | f)] 0"}}, "nodes[0]: its choice is not a choice"},
    {REACH,
     {{"acc-name: Buchi", "Alias: @0 !0\\nAlias: @1 @0&t | f"},
      {"[!0] 0\\n[0]", "[@1] 0\\n[!(@1 | @0)]"}},
     NULL},
    {REACH,
     {{"acc-name: Buchi", "Alias: @0 !0\\nAlias: @1 !@0"}, {"[!0] 0", "[@1] 0"}},
     "nodes[0]: its choice is not a choice of the node"},
    {REACH, {{"acc-name: Buchi", "Alias: @0 @0"}}, "a label is not made of"},
    {REACH, {{"acc-name: Buchi", "Alias: @1 0"}}, "expected aliases @0, @1, "},
    {REACH, {{"AP: 1", "Alias: @0 0\\nAP: 1"}}, "expected aliases @0, @1, "},
    {REACH, {{"name: ", "Alias: "}}, "expected aliases @0, @1, "},
    {REACH, {{"--END--", "--ABORT--"}}, "expected State:"},
    {REACH, {{"--END--", "--END-- HOA: v1"}}, "something follows --END--"},
    {REACH, {{"States: 1", "States: 4000000000"}}, "States: is repeated, or has more"},
    {REACH, {{"States: 1", "States: 1\\nStates: 1"}}, "States: is repeated"},
    {REACH, {{"Start: 0", "Start: 0\\nStart: 0"}}, "an initial state is repeated"},
    /* What another reader would not see, or see where this one does not. */
    {REACH, {{"name: ", "tool: \\\"x\\\" Start: 0\\nname: "}}, "expected one header on a line"},
    {REACH, {{"name: ", "tool: x /*\\nname: "}}, "automaton: line 2: comments are not read"},
    {REACH, {{"name: \\\"G F a\\\"", "name: \\\"Start: 0\\nStart: 0\\\""}}, NULL},
    {REACH, {{"name: \\\"G F a\\\"", "name: \\\"G F a"}}, "automaton: line "},
    {REACH, {{"name: ", "name "}}, "expected one header on a line"},
    {REACH, {{"AP: 1 ", "AP: 0\\nAP: 1 "}}, "AP: is repeated"},
    {REACH, {{"AP: 1 \\\"a\\\"", "AP: 2 \\\"a\\\" \\\"a\\\""}}, "a proposition is repeated"},
    {REACH, {{"Start: 0\\n", ""}}, "nodes[0]: must be the node before the reset"},
    {REACH, {{"State: 0\\n", "State: 0\\n[f] 0\\nState: 0\\n"}}, "a state is repeated"},
    /* With a graph, a reset, an epsilon move and a universal memory. */
    {GUESS, {{"\"lower\": 0.8, \"wins\"", "\"lower\": 0.9, \"wins\""}}, "nodes[0]: lower exceeds"},
    {GUESS, {{"\"lower\": 0.7", "\"lower\": 0.9"}}, "nodes[1]: lower exceeds"},
    {GUESS,
     {{"\"index\": 1, \"state\": null, \"action\": null",
       "\"index\": 1, \"state\": 1, \"action\": 0"},
      {"\"index\": 3, \"state\": 1, \"action\": 0, \"counts\": [[1, 0]]",
       "\"index\": 3, \"state\": 0, \"action\": 0, \"counts\": [[1, 0]]"},
      {"\"index\": 2, \"state\": 0", "\"index\": 2, \"state\": 1"}},
     "listed twice"},
    {GUESS, {{"\"graph\": true", "\"graph\": false"}}, "neither pmin nor the graph"},
    {GUESS, {{"[2] 1\\n", "[2 & 0] 1\\n"}}, "a label is not made of"},
    {GUESS,
     {{"\\\"b\\\" \\\"epsilon\\\"", "\\\"epsilon\\\" \\\"b\\\""}},
     "epsilon is not the last one"},
    {GUESS, {{"[!(0 | !1)] 2", "[!(0 | 1)] 2"}}, "nodes[4]: wins, but a successor does not"},
    {GUESS, {{"State: 2 {0}", "State: 2 {0 1}"}}, "nodes[4]: wins, but a successor does not"},
    {GUESS, {{"State: 2 {0}", "State: 2"}}, "nodes[4]: wins, but a successor does not"},
    {GUESS, {{"Fin(1) & Inf(0)", "Fin(1)"}}, "nodes[7]: upper is below 1, but it lies in a"},
    {GUESS,
     {{"\"state\": 3, \"memory\": 0", "\"state\": 3, \"memory\": 2"}},
     "nodes[7]: its memory is universal"},
    /* Epsilon moves alone are no run: a loop of them that carries marks. */
    {GUESS,
     {{"[2] 1\\n", "[2] 1\\n[2] 0 {0}\\n"},
      {"\"action\": null, \"next\": 1, \"marks\": []}",
       "\"action\": null, \"next\": 0, \"marks\": [0]}"}},
     "nodes[2]: its component reads no letter"},
    /* A word that cannot be read on is rejected, but what is not listed may win. */
    {GUESS,
     {{"\"state\": 3, \"memory\": 1, \"upper\": 0", "\"state\": 2, \"memory\": 1, \"upper\": 0"}},
     "nodes[7]: upper is below the greatest"},
    {GUESS,
     {{"\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, 50]]",
       "\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, 50], [2, 1], "
       "[3, 1]]"}},
     "rows[0]: more successors than assumed"},
    {GUESS,
     {{"{\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, 50]]},\n", ""}},
     "nodes[0]: its choice is not a choice of the node"},
    /* Every word is accepted: the first node is listed all the same, and needs no choice. */
    {REACH,
     {{"[!0] 0\\n[0] 0 {0}", "[!0] 0 {0}\\n[0] 0 {0}"},
      {"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, \"next\": "
       "0, "
       "\"marks\": []},\n{\"state\": 1, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
       "\"rank\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]},\n{\"state\": 2, \"memory\": "
       "0, " UPPER_0,
       "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0"},
      {"\"lower\": 0.41, \"upper\": 0.79", "\"lower\": 1, \"upper\": 1"},
      {"\"value\": 0.6", "\"value\": 1"},
      {"at least 0.41, and no policy with more than 0.79",
       "at least 1, and no policy with more than 1"}},
     NULL},
    {REACH,
     {{"[!0] 0\\n[0] 0 {0}", "[t] 0 {0}"}},
     "nodes[0]: its memory is universal, so it must win"},
    {REACH,
     {{"[!0] 0\\n[0] 0 {0}", "[t] 0 {0}\\n[f] 0"},
      {"\"upper\": 0.79, \"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, \"next\": "
       "0, "
       "\"marks\": []",
       "\"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, \"action\": null, \"next\": null, "
       "\"marks\": null"}},
     "nodes[1]: its memory is universal"},
    /* A choice with a universal memory is worth 1 whatever its row does: it needs none. But the
     * action is one of the state's. */
    {GUESS,
     {{"\"letter\": 2, \"actions\": 0", "\"letter\": 2, \"actions\": 1"},
      {"\"action\": null, \"next\": 2", "\"action\": 0, \"next\": 2"}},
     NULL},
    {GUESS,
     {{"\"letter\": 2, \"actions\": 0", "\"letter\": 2, \"actions\": 1"},
      {"\"action\": null, \"next\": 2", "\"action\": 1, \"next\": 2"}},
     "nodes[4]: its choice is not a choice of the node"},
    {GUESS,
     {{"\"letter\": 2, \"actions\": 0", "\"letter\": 2, \"actions\": 1"}},
     "nodes[4]: its choice is not a choice of the node"},
    {GUESS,
     {{"\"action\": null, \"next\": 2", "\"action\": 0, \"next\": 2"}},
     "nodes[4]: its choice is not a choice of the node"},
    {GUESS,
     {{"\"letter\": 2, \"actions\": 0", "\"letter\": 2, \"actions\": 1"},
      {"\"state\": 2, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, \"rank\": 0, "
       "\"action\": null",
       "\"state\": 2, \"memory\": 0, \"upper\": 0.9, \"lower\": 0.9, \"wins\": false, \"rank\": "
       "1, \"action\": 0"}},
     "nodes[4]: upper is below the greatest expected value"},
    {GUESS,
     {{"{\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, 50]]},\n", ""},
      {"Start: 0", "Start: 2"},
      {"\"lower\": 0.8, \"wins\": false, \"rank\": 1, \"action\": null, \"next\": 0",
       "\"lower\": 1, \"wins\": false, \"rank\": 1, \"action\": null, \"next\": 2"},
      {"\"lower\": 0.8", "\"lower\": 1"}},
     NULL},
    /* Bounds that are not those of a node before the reset. */
    {GUESS,
     {{"\"state\": null, \"memory\": null, \"upper\": 1",
       "\"state\": null, \"memory\": null, \"upper\": 0.9"}},
     "nodes[0]: upper is below the greatest"},
    /* Outside of W: marks of a Fin are avoided, those of an Inf are found. */
    {GUESS,
     {{"[!1] 0\\n", "[!1] 0 {0 1}\\n"},
      {"\"action\": 0, \"next\": 0, \"marks\": []",
       "\"action\": 0, \"next\": 0, \"marks\": [0, 1]"}},
     NULL},
    {GUESS,
     {{"[!1] 0\\n", "[!1] 0 {0}\\n"},
      {"\"action\": 0, \"next\": 0, \"marks\": []", "\"action\": 0, \"next\": 0, \"marks\": [0]"}},
     "nodes[7]: upper is below 1, but it lies in a component"},
    /* Epsilon moves alone are not accepted, whatever their marks. */
    {GUESS, {{"[0] 1 {0}\\n", "[0] 1 {0}\\n[2] 1 {0}\\n"}}, NULL},
    /* Values that are all the same are exact. */
    {REACH,
     {{"[[1, 60], [2, 40]]", "[[0, 60], [2, 40]]"},
      {"\"lower\": 0.41, \"wins\": false, \"rank\": 1, \"action\": 0, \"next\": 0, \"marks\": []",
       "\"lower\": 0, \"wins\": false, \"rank\": null, \"action\": null, \"next\": null, "
       "\"marks\": null"},
      {"\"upper\": 0, ", "\"upper\": 0.79, "},
      {"\"lower\": 0.41", "\"lower\": 0"},
      {"at least 0.41", "at least 0"}},
     NULL},
};

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        sealed_check(&samples[i]);
}

static void test_statement(void **state)
{
    (void)state;
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&(sealed_sample){.text = REACH}, text);
    assert_ok(opac_verify_text(text, strlen(text), "sha256:12", &found, &error), &error);
    assert_true(found.holds);
    assert_true(found.lower == 0.41);
    assert_true(found.upper == 0.79);
    assert_false(found.is_least);
    assert_string_equal(found.statement,
                        "with probability at least 0.9 over what was sampled, the policy meets the "
                        "objective with probability at least 0.41, and no policy with more than "
                        "0.79");
    assert_string_equal(found.objective, "G F a");
    assert_string_equal(found.assumes[0], "every positive transition probability is at least 0.2");
    assert_true(found.states == 3);
    assert_true(found.pairs == 3);
    assert_true(found.complete == 3);
    assert_true(found.visits == 170);
    assert_true(found.nodes == 3);
    assert_true(found.winning == 1);
    opac_verification_fini(&found);
    assert_ok(opac_verify_text(text, strlen(text), "sha256:13", &found, &error), &error);
    assert_false(found.holds);
    assert_string_equal(found.reason,
                        "inputs: the model has another digest than the one in the certificate");
    opac_verification_fini(&found);
}

/* What a reset rests on is told: in version 1, pmin, whether or not the run was told so. */
static void test_reset(void **state)
{
    static const sealed_sample one = {
        .text = OPEN,
        .changes = {{"certificate/2", "certificate/1"},
                    {"\"pmin_start\": null, ", ""},
                    {"\"pmin\": 1", "\"pmin\": 0.4"},
                    {", \"discovered\": [[0, 1, 1], [1, 3, 1]], \"quiet\": [2, 97]", ""}}};
    static const sealed_sample two = {.text = OPEN};
    const sealed_sample *const samples_of[] = {&one, &two};
    static const char *const told[] = {
        "every start state has a probability of at least 0.4",
        "start states were drawn independently of each other; no bound on their probabilities is "
        "assumed"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[SEALED_SIZE];
        opac_verification found;
        opac_error error;
        sealed_build(samples_of[i], text);
        assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
        if (!found.holds)
            fail_msg("%s", found.reason);
        assert_string_equal(found.assumes[0],
                            i == 0 ? "every positive transition probability is at least 0.4"
                                   : "every positive transition probability is at least 1");
        assert_string_equal(found.assumes[1], told[i]);
        opac_verification_fini(&found);
    }
}

static void test_least(void **state)
{
    (void)state;
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(&(sealed_sample){.text = GUESS}, text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    if (!found.holds)
        fail_msg("%s", found.reason);
    assert_true(found.is_least);
    assert_true(found.lower == 0);
    assert_true(fabs(found.upper - 0.2) < 1e-12);
    assert_true(found.upper < 1);
    opac_verification_fini(&found);
    assert_ok(opac_verify_text(text, strlen(text), "sha256:12", &found, &error), &error);
    assert_string_equal(found.reason, "inputs: the certificate has no digest of a model");
    opac_verification_fini(&found);
}

/* ---- damage ---- */

/* Refused, or no certificate at all. */
static bool is_damaged(const char *text, size_t length)
{
    opac_verification found;
    opac_error error;
    opac_status status = opac_verify_text(text, length, NULL, &found, &error);
    bool holds = found.holds;
    if (status != OPAC_OK && status != OPAC_ERROR_SYNTAX && status != OPAC_ERROR_ARGUMENT &&
        status != OPAC_ERROR_UNSUPPORTED)
        fail_msg("%s", error.message);
    opac_verification_fini(&found);
    return !holds;
}

/* Each byte changed without a new digest, and each end cut off. */
static void test_damage(void **state)
{
    (void)state;
    static const char *const texts[] = {REACH, GUESS};
    char text[SEALED_SIZE];
    for (size_t t = 0; t < 2; t++) {
        sealed_build(&(sealed_sample){.text = texts[t]}, text);
        size_t length = strlen(text);
        for (size_t i = 0; i + 1 < length; i++) {
            bool is_cut = is_damaged(text, i);
            assert_true(is_cut || i + 2 >= length);
            char old = text[i];
            if (text[i] == '\n' && i + 3 >= length)
                continue; /* blanks around the last brace do not matter */
            text[i] = (char)(text[i] ^ 1);
            if (!is_damaged(text, length))
                fail_msg("byte %zu", i);
            text[i] = old;
        }
    }
}

static opac_status verify_it(void *context, opac_error *error)
{
    opac_verification found;
    opac_status status = opac_verify_text(context, strlen(context), NULL, &found, error);
    if (status == OPAC_OK)
        opac_verification_fini(&found);
    return status;
}

static void test_faults(void **state)
{
    (void)state;
    char text[SEALED_SIZE];
    static const char *const texts[] = {REACH, GUESS};
    for (size_t t = 0; t < 2; t++) {
        sealed_build(&(sealed_sample){.text = texts[t]}, text);
        assert_true(faults_sweep(verify_it, text) > 5);
    }
    sealed_build(&(sealed_sample){.text = REACH, .changes = {{"\"rank\": 1", "\"rank\": 0"}}},
                 text);
    assert_true(faults_sweep(verify_it, text) > 5);
}

SUITE(certificates)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples), cmocka_unit_test(test_statement),
        cmocka_unit_test(test_reset),   cmocka_unit_test(test_least),
        cmocka_unit_test(test_damage),  cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
