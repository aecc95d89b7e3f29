#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac env check: verdicts, exit statuses, JSON, and what is left behind.

usage: env_check.py PROGRAM FOLDER-OF-SIMULATORS [--slow]
"""
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from stopping import hear_interrupts

QUICK = ["--episodes", "10", "--steps", "20", "--env-timeout", "20"]


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.zoo = shlex.quote(str(pathlib.Path(folder, "zoo.sh")))

    def run(self, kind, *options):
        return subprocess.run([self.program, "env", "check", f"exec:sh {self.zoo} {kind}", *QUICK, *options],
                              capture_output=True, text=True)


def check_text(checker):
    good = checker.run("good")
    assert good.returncode == 0 and good.stderr == "", good
    lines = good.stdout.splitlines()
    assert lines[-1] == "Result: conforms", lines
    assert all(line.split()[0] in ("ok", "note") for line in lines[:-1]), lines
    assert checker.run("good", "-q").stdout == "Result: conforms\n"
    bad = checker.run("garbage")
    assert bad.returncode == 4, bad
    errors = [line for line in bad.stdout.splitlines() if line.startswith("error ")]
    assert len(errors) == 1 and '"what?"' in errors[0], bad.stdout
    assert bad.stdout.endswith("Result: does not conform (1 error)\n")
    warned = checker.run("unseeded", "-q")
    assert warned.returncode == 0 and warned.stdout.startswith("warning  same seed"), warned
    assert warned.stdout.endswith("Result: conforms (1 warning)\n")


def check_json(checker):
    texts = [checker.run("good", "--json", "--no-timing").stdout for _ in range(2)]
    assert texts[0] == texts[1]
    good = json.loads(texts[0])
    assert good["schema"] == "omegapac.result/1" and good["command"] == "env check"
    assert good["inputs"]["simulator"].startswith("exec:sh ")
    assert good["params"] == {"episodes": 10, "steps": 20, "seed": 1}
    assert good["result"] == {"conforms": True, "errors": 0, "warnings": 0}
    assert good["stats"] == {"episodes": 10, "steps": 200, "states": 5}
    assert {"kind": "ok", "check": "reset", "text": "the simulator answers"} in good["findings"]
    assert all(finding["check"] != "speed" for finding in good["findings"])
    bad = checker.run("starts", "--json")
    assert bad.returncode == 4
    assert [f["check"] for f in json.loads(bad.stdout)["findings"] if f["kind"] == "error"] == ["start"]
    assert json.loads(bad.stdout)["result"] == {"conforms": False, "errors": 1, "warnings": 0}


def check_usage(checker):
    def run(*words):
        return subprocess.run([checker.program, *words], capture_output=True, text=True)
    for words in (["env"], ["env", "chekc"], ["env", "check"], ["env", "check", "coin.prism"],
                  ["env", "check", "plugin:./nowhere.so"], ["env check", "exec:true", "--steps", "0"]):
        result = run(*words)
        assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, (words, result)
    assert "omegapac env check" in run("env").stderr
    for words in (["env", "check", "--help"], ["help", "env", "check"], ["env", "--help"],
                  ["help", "env"]):
        assert run(*words).stdout.startswith("omegapac env check: "), words
    hidden = run("env", "check", "exec:printf 'omegapac-env 1\\033[2J\\n'", "-q")
    assert hidden.returncode == 4 and "\033" not in hidden.stdout, hidden
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report.txt")
        assert checker.run("good", "-q", "-o", str(path)).stdout == ""
        assert path.read_text() == "Result: conforms\n"


def children_of(pid):
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.parent.name))
    return found


def check_interrupt(checker):
    """Ctrl-C while an answer is waited for: it stops at once, and so does the simulator."""
    with subprocess.Popen([checker.program, "env", "check", f"exec:sh {checker.zoo} silent"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for _ in range(500):
            started = children_of(process.pid)
            if started:
                break
            time.sleep(0.01)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=10)
    assert process.returncode == 130 and b"stopped" in error, (process.returncode, error)
    assert started and not any(os.path.exists(f"/proc/{pid}") for pid in started)


def check_stays(checker):
    """One that ends neither at bye nor at the end of its input is warned of, and ended."""
    result = checker.run("stays", "-q")
    lines = result.stdout.splitlines()
    assert result.returncode == 0 and len(lines) == 3, result
    assert lines[0].startswith("warning  bye ") and lines[1].startswith("warning  end of input "), lines


def main(program, folder, *options):
    hear_interrupts()
    checker = Checker(program, folder)
    if options:
        check_stays(checker)
        return
    check_text(checker)
    check_json(checker)
    check_usage(checker)
    if sys.platform == "linux":
        check_interrupt(checker)
    print("env check says what it should")


if __name__ == "__main__":
    main(*sys.argv[1:])
