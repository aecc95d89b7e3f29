# SPDX-License-Identifier: MIT
"""Reads a few bytes at a time, and answers each part of a message as soon as it is there: whoever
writes a whole message before it reads waits forever, as both pipes are full."""
import os
import sys

LANES = int(sys.argv[1])
NAME = b"n" * 100
STATE = b"s" * 100


def write(data):
    while data:
        data = data[os.write(1, data):]


write(b"omegapac-env 1 lanes=%d\n" % LANES)
line = b""
lane = 0
while chunk := os.read(0, 512):
    line += chunk
    while True:
        cuts = [at for at in (line.find(b";"), line.find(b"\n")) if at >= 0]
        if not cuts:
            break
        is_last = line[min(cuts):min(cuts) + 1] == b"\n"
        line = line[min(cuts) + 1:]
        lane = lane + 1
        if lane == 1 and is_last:  # bye
            sys.exit()
        write(STATE + b" - " + NAME + (b"\n" if is_last else b" ; "))
        lane = 0 if is_last else lane
