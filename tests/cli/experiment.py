#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac experiment: what is left behind, by runs that end and by those that are stopped.

usage: experiment.py PROGRAM DOCS quick|full|all
"""
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from on_terminal import Terminal
from stopping import hear_interrupts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "house"))
import examples  # noqa: E402


def run(program, *words, status=0, **settings):
    done = subprocess.run([program, "experiment", *words], capture_output=True, text=True, check=False,
                          **settings)
    assert done.returncode == status, (words, done)
    return done


def names_of(program):
    listed = json.loads(run(program, "list", "--json").stdout)["result"]["experiments"]
    assert [item["name"] for item in listed] == \
        [line.split()[0] for line in run(program, "list").stdout.splitlines()]
    return [item["name"] for item in listed]


def files_of(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def await_path(process, path):
    """Until it is there; a program that has ended will not make it any more."""
    while not path.exists():
        assert process.poll() is None or path.exists(), process.returncode
        time.sleep(0.01)


def check_interrupt(program, folder):
    """Stopped on the way: exit status 130, and nothing of it is there."""
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        target = pathlib.Path(folder, number.name)
        with subprocess.Popen([program, "experiment", "gridworld", "-o", str(target)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            await_path(process, target)
            time.sleep(0.1)
            process.send_signal(number)
            out, err = process.communicate(timeout=600)
        assert process.returncode == status and out == "", (process.returncode, out, err)
        assert err == "omegapac experiment: stopped\n", err
        assert not files_of(target), files_of(target).keys()


def check_folders(program, folder):
    """What cannot be a folder to write into is refused in one line, and nothing runs."""
    file = pathlib.Path(folder, "file")
    file.write_text("mine", encoding="utf-8")
    for where, said in (("-", "--output needs the name of a folder: standard output is for the results"),
                        ("", "--output needs the name of a folder, not ''"),
                        ("file", "cannot write into 'file': it is a file, not a folder"),
                        ("file/x", "cannot make the folder 'file/x': Not a directory"),
                        ("a/b", "cannot make the folder 'a/b': No such file or directory"),
                        ("/dev/full", "cannot write into '/dev/full': it is a file, not a folder")):
        done = run(program, "gridworld", "-o", where, status=2, cwd=folder)
        assert done.stdout == "" and done.stderr == f"omegapac experiment: {said}\n", (where, done)
    assert list(files_of(folder).items()) == [("file", b"mine")]
    run(program, "list", "-o", "-")


def check_same_bytes(program, folder, name):
    """For any number of threads, and again; with a converter and without, but for PNG."""
    empty = pathlib.Path(folder, "empty")
    empty.mkdir()
    found = []
    for index, threads in enumerate(("1", "4", "4")):
        target = pathlib.Path(folder, str(index))
        settings = {"env": dict(os.environ, PATH=str(empty))} if index == 0 else {}
        done = run(program, name, "-o", str(target), "--threads", threads, "--no-timing", **settings)
        if index == 0:
            assert done.stderr.startswith("omegapac experiment: note: no PNG: "), done.stderr
        found.append({name: text for name, text in files_of(target).items() if not name.endswith(".png")})
        assert done.stdout.startswith(f"Result: {name}, {target}/{name}.html\n"), done.stdout
    assert found[0] == found[1] == found[2]
    for row in csv.DictReader(io.StringIO(found[0][f"{name}-runs.csv"].decode(), newline="")):
        if row["setting"].startswith("pmin"):  # which has neither: no number stands for that
            assert row["k"] == row["T_learned"] == "", row
    files = json.loads(found[0][f"{name}.json"])["files"]
    assert sorted([*files, "index.html"]) == sorted(found[0]), files
    quiet = run(program, name, "-o", str(target), "-q", "--json", "--no-timing",
                env=dict(os.environ, PATH=str(empty)))
    line = json.loads(quiet.stdout)
    assert quiet.stderr == "" and line["result"]["files"] == files
    assert line["result"]["findings"] == json.loads(found[0][f"{name}.json"])["findings"]


def check_progress(program, folder):
    """A line on a terminal, which is gone in the end."""
    terminal = Terminal()
    with subprocess.Popen([program, "experiment", "gridworld", "-o", str(pathlib.Path(folder, "shown"))],
                          stdout=subprocess.DEVNULL, stderr=terminal.side, env=dict(os.environ, TERM="xterm")) as process:
        text = terminal.read(process)
    assert process.returncode == 0 and b"gridworld" in text and b"%" in text, text


def check_stays(program, folder):
    """What was finished before Ctrl-C stays, and the index leads to it."""
    names = names_of(program)
    target = pathlib.Path(folder, "stays")
    with subprocess.Popen([program, "experiment", "gridworld", *names[1:], "-o", str(target), "-q"],
                          stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE) as process:
        await_path(process, target / "index.html")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
    assert len(names) > 1 and process.returncode == 130, process.returncode
    assert (target / "gridworld.html").exists()
    assert b'href="gridworld.html"' in (target / "index.html").read_bytes()


def check_pictures(program, folder):
    """Ctrl-C while the last pictures are converted: all but PNG is there, and nobody else is blamed."""
    tools, target = pathlib.Path(folder, "tools"), pathlib.Path(folder, "pictures")
    tools.mkdir()
    (tools / "rsvg-convert").write_text(f"#!/bin/sh\n: > '{tools}/begun'\nexec {shutil.which('sleep')} 1000\n")
    (tools / "rsvg-convert").chmod(0o755)
    with subprocess.Popen([program, "experiment", "gridworld", "-o", str(target), "--no-timing"],
                          stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE,
                          env=dict(os.environ, PATH=str(tools))) as process:
        while not (tools / "begun").exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=600)
    assert process.returncode == 130 and said[0].startswith("Result: gridworld, "), said
    assert "stopped before all pictures" in said[1] and "failed" not in said[1], said
    assert (target / "index.html").exists() and not list(target.glob("*.png"))


def check_all(program, folder):
    """Every page and table of all of them, and the same bytes once more with other threads."""
    target, again = pathlib.Path(folder, "all"), pathlib.Path(folder, "again")
    run(program, "all", "-o", str(target), "-q", "--no-timing", "--threads", "2")
    run(program, "all", "-o", str(again), "-q", "--no-timing", "--threads", "3",
        env=dict(os.environ, PATH=folder))  # no converter there
    assert files_of(again) == {name: text for name, text in files_of(target).items() if not name.endswith(".png")}
    index = (target / "index.html").read_text(encoding="utf-8")
    places = [index.index(f'href="{name}.html"') for name in names_of(program)]
    assert places == sorted(places)
    for name in names_of(program):
        document = json.loads((target / f"{name}.json").read_text(encoding="utf-8"))
        assert document["schema"] == "omegapac.experiment/1" and document["findings"], name
        assert all((target / file).stat().st_size > 0 for file in document["files"])


def check_documents(program, docs):
    """Blocks of the documentation that take some seconds."""
    folder = pathlib.Path(program).resolve().parent
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    for name in ("experiments.md", "formats/experiment.md"):
        done, failed = examples.run_file(pathlib.Path(docs, name), environment, "console full")
        assert done > 0 and failed == 0, name


def main(program, docs, part):
    hear_interrupts()
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        if part == "quick":
            names_of(program)
            check_folders(program, folder)
            check_interrupt(program, folder)
        elif part == "full":
            check_same_bytes(program, folder, "gridworld")
            check_progress(program, folder)
            check_stays(program, folder)
            check_pictures(program, folder)
            check_documents(program, docs)
        else:
            check_all(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
