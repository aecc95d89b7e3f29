#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stopped at any moment while it writes -o FILE, the program leaves the old file or the new
one; stopped by SIGINT or SIGTERM, it leaves nothing else beside it.

usage: interrupt.py PROGRAM
"""
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

COMMAND = ["bound", "--states", "12", "--actions", "4", "-T", "19", "--epsilon", "1/20",
           "--delta", "1/10", "--json", "-o"]


def main(program):
    program = str(pathlib.Path(program).resolve())
    generator = random.Random(1)
    old_seen = new_seen = 0
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "result.json")
        subprocess.run([program, *COMMAND, target], check=True)
        new = target.read_text()
        start = time.monotonic()
        subprocess.run([program, *COMMAND, target], check=True)
        duration = time.monotonic() - start
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for _ in range(60):
                target.write_text("old")
                process = subprocess.Popen([program, *COMMAND, target])
                time.sleep(generator.random() * duration)
                process.send_signal(sent)
                process.wait()
                text = target.read_text()
                assert text in ("old", new), text
                old_seen, new_seen = old_seen + (text == "old"), new_seen + (text == new)
                left = [path for path in pathlib.Path(folder).iterdir() if path != target]
                assert sent == signal.SIGKILL or not left, left
                for path in left:
                    path.unlink()
    print(f"{old_seen} times the old file, {new_seen} times the new one, never another")


if __name__ == "__main__":
    main(sys.argv[1])
