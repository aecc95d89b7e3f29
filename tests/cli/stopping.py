# SPDX-License-Identifier: MIT
"""Sends signals to runs of omegapac learn."""
import pathlib
import re
import signal
import time


def hear_interrupts():
    """Also in what a shell started with &, which does not hear them, nor does what that starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def until_listening(process):
    """Until it has a handler for SIGINT; where that cannot be seen, a second."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    if not status.exists():
        time.sleep(1)
        return
    while process.poll() is None:
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read_text(), re.M)
        if caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1:
            return
        time.sleep(0.01)


def stop(process, seconds, sent, lines=2):
    """Behind the lines of the forecast it learns."""
    assert all(process.stderr.readline().startswith("omegapac learn: ") for _ in range(lines))
    time.sleep(seconds)
    process.send_signal(sent)
    out, err = process.communicate()
    return process.returncode, out, err


def stop_endless(start, sent, is_enough=bool, lines=2):
    """Of a run that does not end by itself: stopped as soon as it has something to tell (what is
    said is enough), however slow the machine."""
    seconds = 0.05
    while True:
        status, out, err = stop(start(), seconds, sent, lines)
        if is_enough(out):
            return status, out, err
        seconds *= 2
