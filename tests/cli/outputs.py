#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No command destroys a file: for each command and each of its outputs, as --help lists them, the
output is given the name of each input, and of a file of another kind. Then disks that are full,
folders that vanish, and runs at the same time. test_outputs.c checks the same on the tables.

usage: outputs.py PROGRAM EXAMPLES PLUGIN
"""
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COIN = """dtmc
module coin
    s : [0..2] init 0;
    [] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);
    [] s>0 -> true;
endmodule
label "heads" = s=1;
"""
FORMULA = ["-f", "F heads"]
PMIN = ["--pmin", "1/3", "--epsilon", "0.1", "--delta", "0.1", "-q"]

# A command line of each command that works in the folder of prepare(), with all kinds of inputs; and
# by the option or operand what is read besides.
LINES = {
    "bound": [["bound", "--states", "2", "--actions", "2", "-T", "5", "--epsilon", "1/4", "--delta", "1/4"]],
    "check": [["check", "coin.prism", "-P", "coin.props"], ["check", "coin.tra", "-a", "heads.hoa"]],
    "estimate": [["estimate", "coin.prism", "-a", "heads.hoa", "-T", "4", "--epsilon", "0.2", "--delta", "0.2", "-q"]],
    "evaluate": [["evaluate", "coin.prism", "--policy", "policy.json", "-a", "heads.hoa"]],
    "learn": [["learn", "coin.prism", "-a", "heads.hoa", "--graph", "graph.prism", *PMIN]],
    "env check": [["env check", "exec:python3 sim.py", "--episodes", "2", "-q"],
                  ["env check", "plugin:./sim.so", "--episodes", "2", "-q"]],
    "translate": [["translate", "-F", "formulas.ltl"]],
    "convert": [["convert", "coin.prism", "OUT", "--to", "drn"], ["convert", "heads.hoa", "OUT", "--to", "dot"],
                ["convert", "coin.tra", "OUT", "--to", "tra"]],
    "info": [["info", "coin.prism", "-P", "coin.props"], ["info", "coin.tra"]],
    "report": [["report", "result.json", "other.json"]],
    "recurrence": [["recurrence", "coin.prism", "-a", "heads.hoa", "--epsilon", "0.1", "--policy", "policy.json"]],
    "simulate": [["simulate", "exec:python3 sim.py"], ["simulate", "coin.prism", "--policy", "policy.json"]],
    "verify": [["verify", "run.cert", "coin.prism"]],
}
INPUTS = ["coin.prism", "coin.props", "heads.hoa", "policy.json", "graph.prism", "sim.py", "sim.so", "formulas.ltl",
          "coin.tra", "coin.lab", "coin.sta", "result.json", "other.json", "run.cert"]


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words, **options):
        first, *rest = words
        return subprocess.run([self.program, *first.split(), *map(str, rest)], cwd=self.folder, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False, **options)

    def good(self, *words, status=0, **options):
        done = self.run(*words, **options)
        assert done.returncode == status, (words, done)
        return done


def prepare(runner, examples, plugin):
    folder = runner.folder
    (folder / "coin.prism").write_text(COIN)
    (folder / "graph.prism").write_text(COIN)
    (folder / "coin.props").write_text('P=? [ F "heads" ]\n')
    (folder / "formulas.ltl").write_text("F heads\n")
    shutil.copy(examples / "simulators" / "gridworld.py", folder / "sim.py")
    shutil.copy(plugin, folder / "sim.so")
    runner.good("translate", "F heads", "-o", "heads.hoa")
    runner.good("convert", "coin.prism", "coin.tra")
    runner.good("check", "coin.prism", *FORMULA, "--policy", "policy.json", "--json", "-o", "result.json")
    runner.good("check", "coin.prism", *FORMULA, "--json", "-o", "other.json")
    runner.good("learn", "coin.prism", *FORMULA, *PMIN, "--certificate", "run.cert")


def outputs_of(runner, command):
    """The options of a command that name files to write, by their help."""
    found = [match for match in re.findall(r"^  (?:-(\w), )?(?:--([\w-]+))? (FILE|DIR)(?=\s)", runner.good(
        command, "--help").stdout, re.M)]
    spelled = ["--" + name if name else "-" + letter for letter, name, _ in found]
    reads = {"--properties", "--file", *(["--policy"] if command in ("evaluate", "simulate", "recurrence") else [])}
    return [option for option in spelled if option not in reads]


def with_output(line, option, path):
    if option == "OUT":
        return [path if word == "OUT" else word for word in line]
    return [*line, option, path]


def state_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def inputs_survive(runner):
    commands = set(re.findall(r"^  ([a-z]+(?: check)?) {2,}", runner.good("--help").stdout, re.M)) - {"help"}
    assert commands == set(LINES), commands ^ set(LINES)
    before, cases = state_of(runner.folder), 0
    for command, lines in LINES.items():
        options = ["OUT"] if command == "convert" else outputs_of(runner, command)
        assert options, command
        for line, option in itertools.product(lines, options):
            read = [name for name in INPUTS if any(name in word for word in line)]
            read += ["coin.lab", "coin.sta"] if "coin.tra" in line else []
            for name, force in itertools.product(read, ([], ["--force"])):
                done = runner.run(*with_output(line, option, name), *force)
                assert done.returncode == 2 and " is also the input " in done.stderr, (line, option, name, done)
                cases += 1
            for name in {"coin.prism", "coin.props"} - {*read}:
                done = runner.run(*with_output(line, option, name))
                assert done.returncode == 2 and "--force" in done.stderr, (line, option, name, done)
                cases += 1
        assert state_of(runner.folder) == before, command
    print(f"{cases} outputs that were not written")


def again_is_no_error(runner):
    """What a command has written, the same command may replace; text and JSON alike."""
    for command, lines in LINES.items():
        for line, option in itertools.product(lines, ["OUT"] if command == "convert" else outputs_of(runner, command)):
            if option == "--checkpoint" or any("exec:" in word for word in line):
                continue
            path = "new.tra" if "tra" in line else "new"
            forms = [[], ["--json"]] if option in ("-o", "--output") and command != "report" else [[]]
            if command in ("translate", "simulate"):
                forms = forms[:1]
            for form in [*forms, *forms]:
                done = runner.run(*with_output(line, option, path), *form)
                assert done.returncode in (0, 3) and (runner.folder / path).exists(), (line, option, form, done)
            for old in runner.folder.glob("new*"):
                old.unlink()


# ---- disks ----

LEARN = ["learn", "coin.prism", *FORMULA, *PMIN]


def full_disks_are_told(runner):
    """By whatever file; the result is printed, also where another file has failed."""
    for option in "--checkpoint", "--trace", "--certificate", "--policy", "--dot":
        done = runner.good(*LEARN, option, "/dev/full", status=5)
        assert done.stdout.startswith("Result: ") and "No space left on device" in done.stderr, done
    for command, lines in LINES.items():
        option = "OUT" if command == "convert" else "-o"
        done = runner.good(*with_output(lines[-1], option, "/dev/full"), status=5)
        assert "No space left on device" in done.stderr, done


def small_files_are_told(runner):
    """A limit on the size of files is a disk that is full in the middle; nothing is left of them."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    before = state_of(runner.folder)
    for option in "--checkpoint", "--trace", "--certificate", "--policy", "--dot":
        done = runner.good(*LEARN, option, "new", status=5, preexec_fn=limit)
        assert done.stdout.startswith("Result: ") and "File too large" in done.stderr, done
        assert state_of(runner.folder) == before, option
    done = runner.good(*LEARN, "-o", "new", status=5, preexec_fn=limit)
    assert state_of(runner.folder) == before


def vanished_folders_are_told(runner):
    """The folder is there when the run begins, and gone when it ends."""
    endless = ["learn", "coin.prism", *FORMULA, "--pmin", "1/3", "--epsilon", "1e-9", "--delta", "0.1",
               "--no-timing"]
    for option, status in ("--checkpoint", 5), ("--trace", 2), ("--certificate", 2), ("--policy", 2):
        (runner.folder / "gone").mkdir()
        process = subprocess.Popen([runner.program, *endless, option, "gone/file"], cwd=runner.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert all(process.stderr.readline() for _ in range(2))  # the forecast
        time.sleep(0.1)
        shutil.rmtree(runner.folder / "gone")
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(timeout=60)
        assert process.returncode == status and out.startswith("Result: "), (option, process.returncode, out, err)
        assert "No such file or directory" in err, err


def readers_that_leave(runner):
    """A closed pipe ends the program, behind the files that were written."""
    for ignored in False, True:
        reader, writer = os.pipe()
        os.close(reader)
        action = signal.SIG_IGN if ignored else signal.SIG_DFL
        done = subprocess.run([runner.program, *LEARN, "--checkpoint", "pipe.ckpt", "--policy", "pipe.json"],
                              cwd=runner.folder, stdout=writer, stderr=subprocess.PIPE, check=False, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGPIPE, action))
        os.close(writer)
        assert done.returncode == (2 if ignored else -signal.SIGPIPE), done
        assert json.loads((runner.folder / "pipe.json").read_text())["schema"] == "omegapac.policy/1"
        (runner.folder / "pipe.ckpt").unlink()
        (runner.folder / "pipe.json").unlink()
    assert not list(runner.folder.glob(".*.tmp"))


# ---- runs at the same time ----

def one_run_has_the_checkpoint(runner):
    endless = ["learn", "coin.prism", *FORMULA, "--pmin", "1/3", "--epsilon", "1e-9", "--delta", "0.1",
               "--checkpoint", "run.ckpt", "--checkpoint-seconds", "0.01", "--no-timing"]
    checkpoint = runner.folder / "run.ckpt"
    process = subprocess.Popen([runner.program, *endless], cwd=runner.folder, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    try:
        while not checkpoint.exists() or not checkpoint.read_bytes():
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        for more in ["--resume"], ["--force"]:
            done = runner.good(*endless, *more, status=2)
            assert "the checkpoint 'run.ckpt' is in use by another run" in done.stderr, done
        refused_in_use(runner)
    finally:
        process.kill()
        process.communicate()
    runner.good(*endless, "--resume", "--max-seconds", "0.1", status=3)  # a lock does not outlive its run
    checkpoint.unlink()
    assert not list(runner.folder.glob(".*.tmp"))


def refused_in_use(runner):
    for more in [], ["--force"]:
        done = runner.good("info", "coin.prism", "-o", "run.ckpt", *more, status=2)
        assert "'run.ckpt' is the checkpoint of a run in progress" in done.stderr, done


def one_run_has_a_checkpoint_to_come(runner):
    """The file is there from the beginning, and empty."""
    process = subprocess.Popen([runner.program, "learn", "coin.prism", *FORMULA, "--pmin", "1/3", "--epsilon", "1e-9",
                                "--delta", "0.1", "--checkpoint", "run.ckpt", "--checkpoint-seconds", "1000"],
                               cwd=runner.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert all(process.stderr.readline().startswith("omegapac learn: ") for _ in range(2))  # it learns
        while not (runner.folder / "run.ckpt").exists():
            time.sleep(0.01)
        refused_in_use(runner)
        assert not (runner.folder / "run.ckpt").read_bytes()
    finally:
        process.kill()
        process.communicate()
    (runner.folder / "run.ckpt").unlink()


def odd_names(runner):
    for name in "new\nline", "-dash", " ", "ü\udcff".encode("utf-8", "surrogateescape"):
        path = os.path.join(os.fsencode(runner.folder), os.fsencode(name))
        runner.good("info", "coin.prism", "--output=" + os.fsdecode(name))
        assert open(path, "rb").read().startswith(b"Result: ")
        with open(path, "wb") as file:
            file.write(b"precious")
        done = runner.good("info", "coin.prism", "--output=" + os.fsdecode(name), status=2)
        assert done.stderr.count("\n") == 1 and "--force" in done.stderr, done
        os.unlink(path)


def main(program, examples, plugin):
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(str(pathlib.Path(program).resolve()), pathlib.Path(folder))
        prepare(runner, pathlib.Path(examples).resolve(), pathlib.Path(plugin).resolve())
        inputs_survive(runner)
        again_is_no_error(runner)
        full_disks_are_told(runner)
        small_files_are_told(runner)
        vanished_folders_are_told(runner)
        readers_that_leave(runner)
        one_run_has_the_checkpoint(runner)
        one_run_has_a_checkpoint_to_come(runner)
        odd_names(runner)


if __name__ == "__main__":
    main(*sys.argv[1:])
