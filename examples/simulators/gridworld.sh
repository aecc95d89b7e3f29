#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The gridworld of examples/models/gridworld.prism as a program in plain shell.
#
#     omegapac learn 'exec:sh examples/simulators/gridworld.sh' --formula 'G F s & G F g' ...

# Moves the robot in direction n, e, s or w. A move into a wall does not move, and nothing leaves the trap.
move() {
    case $x,$y,$1 in
        1,1,*) ;;
        *,n) y=1 ;;
        *,s) y=0 ;;
        [01],*,e) x=$((x + 1)) ;;
        [12],*,w) x=$((x - 1)) ;;
    esac
}

echo omegapac-env 1 s g trap start=fixed
while read -r verb word; do
    case $verb in
        reset) random=$((word % 2147483646 + 1)) x=0 y=1 ;;
        step) # "ne" moves to n or e with probability 0.4 each; with 0.2 the robot stays
            random=$((random * 16807 % 2147483647))
            case $((random / 97 % 5)) in
                0 | 1) move "${word%?}" ;;
                2 | 3) move "${word#?}" ;;
            esac ;;
        bye) exit ;;
    esac
    case $x,$y in 0,1) label='s' ;; 2,0) label='g' ;; 1,1) label='trap' ;; *) label='-' ;; esac
    echo "$x,$y $label ne,nw,se,sw"
done
