#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A simulator that goes wrong: a walk from 0 to 3, the goal, or to -2, the trap.

usage: hostile.py FAULT AT TOKEN

With its AT-th request it does what FAULT says. TOKEN is there to be found again among processes.
With the FAULT "tally" it leaves a line with the number of its requests.
A FAULT that begins with "other-" is only that of processes that are not the first in their folder.
"""
import os
import random
import signal
import sys
import time

fault, at = sys.argv[1], int(sys.argv[2])
if fault.startswith("other-"):
    try:
        os.mkdir("first-" + sys.argv[3])
        fault = "none"
    except FileExistsError:
        fault = fault[len("other-"):]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def flood():
    while True:
        sys.stdout.write("x" * 65536)


def silent():
    """Somebody may want to know since when."""
    open("silent-" + sys.argv[3], "w").close()
    time.sleep(1000)


FAULTS = {"crash": lambda: os._exit(3), "quit": lambda: os._exit(0), "abort": os.abort,
          "garbage": lambda: say("\x1b[31mwhat?"), "silent": silent, "flood": flood,
          "twice": lambda: say("x0 - crawl,run\nx0 - crawl,run"),
          "labels": lambda: say("x0 goal crawl,run"), "actions": lambda: say("x0 - crawl"),
          "proposition": lambda: say("x9 gaol 2"), "few": lambda: say("x0 -"), "empty": lambda: say("")}
GREETINGS = {"hello": "hello", "version": "omegapac-env 2 goal", "same": "omegapac-env 1 goal goal",
             "option": "omegapac-env 1 goal speed=3"}
if fault == "mute":
    time.sleep(1000)
if fault == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault == "chatty":
    print("a word on standard error", file=sys.stderr, flush=True)
say(GREETINGS.get(fault, "omegapac-env 1 goal trap start=fixed"))
actions = "0" if fault == "stuck" else "on" if fault in ("chain", "unseeded") else "crawl,run"
unseeded = random.Random(1)
requests = x = 0
for line in iter(sys.stdin.readline, ""):
    verb, *rest = line.split()
    if verb == "bye":
        break
    requests += 1
    if fault == "slow":
        time.sleep(0.05)
    if requests == at and fault in FAULTS:
        FAULTS[fault]()
    if verb == "reset":
        rng, x = unseeded if fault == "unseeded" else random.Random(int(rest[0])), 0
    else:
        x += 1 if rng.random() < (0.75 if rest[0] == "run" else 0.5) else -1
    say(f"x{x} {'goal' if x == 3 else 'trap' if x == -2 else '-'} {'0' if x in (3, -2) else actions}")
if fault == "tally":
    with open("tally-" + sys.argv[3], "a") as tally:
        tally.write(f"{requests}\n")
if fault == "deaf":
    time.sleep(1000)
