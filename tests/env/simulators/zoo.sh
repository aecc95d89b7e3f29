#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Simulators of a ring of five states, for tests: a good one, and others that each break one rule.
# usage: zoo.sh KIND [SEED]
#
#     go     one state further with probability 3/4
#     stay
#
# The numbers are drawn by a linear congruential generator, one for each lane.
kind=$1
only=$2 # of seldom: the one episode in which something is random
lanes=1
calls=0
trap '' PIPE

case $kind in
dead) exit 7 ;;
silent) exec sleep 5 ;;
wordy) echo 'hello, world' ;;
newer) echo 'omegapac-env 2 goal' ;;
twice) echo 'omegapac-env 1 goal goal' ;;
lanes | shared | fewer) lanes=3 && echo 'omegapac-env 1 goal start=fixed lanes=3' ;;
begins | counter) echo 'omegapac-env 1 goal start=random' ;;
idle) echo 'omegapac-env 1 goal never start=fixed' ;;
outcomes | pairless | classes | successors)
    echo 'omegapac-env 1 goal start=fixed outcomes=yes' ;;
unclear) echo 'omegapac-env 1 goal' ;;
*) echo 'omegapac-env 1 goal start=fixed' ;;
esac

# What state $state of lane $lane looks like.
show() {
    label=-
    [ "$state" = 4 ] && label=goal
    actions=go,stay
    word=$state
    case $kind in
    unknown) [ "$state" = 2 ] && label=gaol ;;
    actions) [ "$state" = 2 ] && [ $((calls % 2)) = 0 ] && actions=go ;;
    labels) [ "$state" = 2 ] && [ $((calls % 2)) = 0 ] && label=goal ;;
    short) [ "$state" = 3 ] && actions= ;;
    ends) [ "$state" = 4 ] && actions=0 ;;
    counter) word=$episode.$time ;;
    esac
    case $kind in
    outcomes | pairless | classes | successors) actions="$actions $pair" ;;
    esac
    answer="$answer${answer:+ ; }$word $label $actions"
}

draw() {
    eval "x=\$x$lane"
    x=$(((x * 1103515245 + 12345) & 2147483647))
    eval "x$lane=$x"
    dice=$(((x >> 16) & 3))
}

begin() {
    state=0 time=0 episode=$1 pair=-
    case $kind in
    unseeded) eval "x$lane=\${x$lane:-1}" ;;
    constant) eval "x$lane=1" ;;
    process) eval "x$lane=$((($1 ^ ($$ * 7919)) & 2147483647))" ;;
    shared) x1=$(($1 & 2147483647)) ;;
    *) eval "x$lane=$((($1 ^ ($1 >> 31)) & 2147483647))" ;;
    esac
    case $kind in
    begins | starts) draw && state=$dice ;;
    esac
}

step() {
    time=$((time + 1))
    case $kind in
    late) [ "$state" = 2 ] && sleep 5 ;;
    crash) [ "$state" = 3 ] && exit 3 ;;
    certain) dice=0 ;;
    seldom) dice=0 && [ "$episode" = "$only" ] && draw ;;
    shared) real=$lane lane=1 && draw && lane=$real ;;
    *) draw ;;
    esac
    [ "$1" = go ] && [ "$dice" != 3 ] && state=$(((state + 1) % 5))
    pair=$1/$dice
    case $kind in
    pairless) pair=$1 ;;
    classes) [ $((calls % 7)) = 0 ] && pair=other/$dice ;;
    successors) pair=$1/always ;;
    esac
}

while read -r line; do
    [ "$line" = bye ] && [ "$kind" != stays ] && exit 0
    [ "$line" = bye ] && continue
    calls=$((calls + 1))
    lane=1 answer=
    set -f
    set -- $line
    while [ $# -gt 0 ]; do
        [ "$1" = ';' ] && shift
        eval "state=\${s$lane:-0} time=\${t$lane:-0} episode=\${e$lane:-0}"
        case $1 in
        reset) begin "$2" ;;
        step) step "$2" ;;
        esac
        show
        eval "s$lane=$state t$lane=$time e$lane=$episode"
        shift 2
        lane=$((lane + 1))
    done
    [ "$kind" = fewer ] && answer=${answer%;*}
    [ "$kind" = garbage ] && answer='what?'
    [ "$kind" = chatty ] && answer="$answer
$answer"
    [ "$kind" = torn ] && [ $calls = 9 ] && printf '%s' "$answer" && exit 0
    echo "$answer"
done
[ "$kind" = stays ] && exec sleep 5
exit 0
