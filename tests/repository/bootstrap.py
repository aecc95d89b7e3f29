#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/bootstrap with a PATH of stand-ins: what does it ask for, and how?

usage: bootstrap.py SCRIPT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

BASIC = ["sh", "sort", "sed", "tr", "cut", "mktemp", "rm", "printf", "tail", "cat", "env"]
COMPILER = 'for word in "$@"; do case $word in -o) next=1;; *) [ "$next" = 1 ] && : >"$word"; next=;; esac; done'


def stand_in(folder, name, body="exit 0"):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def machine(folder, tools, apt=True, root=True, sudo=False, apt_body=None):
    """A PATH with the basic tools, the given stand-ins, and an apt-get that makes what it installs."""
    for name in BASIC:
        real = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True).stdout.strip()
        if real.startswith("/"):
            (folder / name).symlink_to(real)
    stand_in(folder, "id", f"echo {0 if root else 1000}")
    for name in tools:
        stand_in(folder, name, COMPILER if name in ("cc", "clang") else "exit 0")
    if apt:
        default = f'''echo "$*" >>"{folder}/apt.calls"
[ "$1" = install ] || exit 0
for word in "$@"; do
    case $word in
    gcc) cp_to=cc;; python3|make|cmake|pkg-config) cp_to=$word;; *) continue;;
    esac
    printf '#!/bin/sh\\n{COMPILER}\\n' >"{folder}/$cp_to"; /bin/chmod 755 "{folder}/$cp_to"
done'''.replace("$@", "$@")
        stand_in(folder, "apt-get", apt_body or default)
    if sudo:
        stand_in(folder, "sudo", f'echo sudo >>"{folder}/apt.calls"; exec "$@"')
    return {"PATH": str(folder), "TMPDIR": os.environ.get("TMPDIR", "/tmp")}


def bootstrap(script, purpose, **options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = machine(folder, **options)
        done = subprocess.run(["/bin/sh", script, purpose], env=environment, capture_output=True, text=True)
        calls = folder / "apt.calls"
        return done.returncode, done.stdout + done.stderr, calls.read_text() if calls.exists() else ""


def main(script):
    everything = ["cc", "make", "cmake", "pkg-config", "python3"]

    status, said, calls = bootstrap(script, "check", tools=everything)
    assert (status, said, calls) == (0, "", ""), ("nothing missing must be silent", said, calls)

    status, said, calls = bootstrap(script, "check", tools=["cc", "make", "pkg-config"])
    assert status == 0 and said == "bootstrap: installing cmake python3\n", said
    assert len(calls.splitlines()) == 1 and "cmake python3" in calls and "sudo" not in calls, calls

    status, said, calls = bootstrap(script, "build", tools=["cc", "make", "pkg-config"], root=False, sudo=True)
    assert status == 0 and calls.startswith("sudo\n"), (said, calls)

    status, said, calls = bootstrap(script, "build", tools=["cc", "make", "pkg-config"], root=False)
    assert status == 1 and "run as root" in said and "cmake" in said and calls == "", said

    status, said, _ = bootstrap(script, "build", tools=["cc", "make"], apt=False)
    assert status == 1, said
    assert said == "bootstrap: install these packages (Debian's names): cmake\n", said

    # No compiler, and nothing that would find a header.
    status, said, _ = bootstrap(script, "build", tools=["make", "cmake", "pkg-config"], apt=False)
    assert status == 1 and "names): gcc libc6-dev libgmp-dev\n" in said, said

    status, said, _ = bootstrap(script, "build", tools=["cc"], apt_body="echo no network >&2; exit 100")
    assert status == 1 and "could not install" in said and "no network" in said, said

    status, said, _ = bootstrap(script, "build", tools=["cc"], apt_body="exit 0")
    assert status == 1 and "still missing" in said, said

    status, said, _ = bootstrap(script, "docs", tools=["python3"], apt=False)
    assert status == 1 and said == "bootstrap: install these packages (Debian's names): doxygen\n", said

    status, said, _ = bootstrap(script, "dinner", tools=everything)
    assert status == 2 and "unknown purpose 'dinner'" in said, said
    print("bootstrap asks for what is missing, and for nothing else")


if __name__ == "__main__":
    main(sys.argv[1])
