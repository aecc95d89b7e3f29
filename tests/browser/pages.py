# SPDX-License-Identifier: MIT
"""The pages that are looked at: reports on results of all kinds, made by the program as users make
them."""
import json
import pathlib
import subprocess
import sys

GRID = ["-f", "(G F s) & (G F g)", "--epsilon", "1/20", "--delta", "1/10"]

# A policy for many states that are no places: only a table can show it.
LARGE = """mdp
module walk
    a : [0..99] init 0;
    b : [0..49] init 0;
    [left] true -> 1/2 : (a'=max(a-1,0)) + 1/2 : (b'=max(b-1,0));
    [right] true -> 1/2 : (a'=min(a+1,99)) + 1/2 : (b'=min(b+1,49));
endmodule
label "corner" = a=99 & b=49;
label "home" = a=0 & b=0;
"""

# A simulator whose every name is out for trouble.
EVIL = "<img/src=x/onerror=alert(1)>"
HOSTILE = f'''import random, sys
LEFT, RIGHT = "<script>document.title='taken'</script>", "\\"onclick=alert(1)//"
def say(*words):
    print(*words, flush=True)
say("omegapac-env 1 goal start=fixed")
for line in sys.stdin:
    verb, *rest = line.split()
    if verb == "bye":
        break
    if verb == "reset":
        chance, at = random.Random(int(rest[0])), 0
    elif at < 2 and chance.random() < 0.5:
        at += 1 if rest[0] == RIGHT else 0
    say("{EVIL}" + "&amp;</td>" * at, "goal" if at == 2 else "-", LEFT + "," + RIGHT)
'''


class Maker:
    """Runs the program; reports end up in a folder."""

    def __init__(self, program, examples, folder):
        self.program, self.examples, self.folder = program, examples, pathlib.Path(folder)
        self.grid = examples / "models" / "gridworld.prism"

    def run(self, *words, status=0):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if done.returncode != status:
            sys.exit(f"omegapac {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def result(self, name, *words, status=0):
        self.run(*words, "--json", "-q", "-o", f"{name}.json", status=status)
        return f"{name}.json"

    def save(self, name, result):
        (self.folder / f"{name}.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
        return f"{name}.json"

    def report(self, name, *results, title=None):
        self.run("report", *results, "-o", f"{name}.html", *(["--title", title] if title else []))
        return self.folder / f"{name}.html"

    def reports(self):
        """By name: the files of all reports."""
        (self.folder / "large.prism").write_text(LARGE, encoding="utf-8")
        (self.folder / "hostile.py").write_text(HOSTILE, encoding="utf-8")
        results = {
            "grid": self.result("grid", "learn", self.grid, *GRID, "-T", "306", "--k", "l1"),
            "refuted": self.result("refuted", "learn", self.grid, *GRID, "-T", "19", "--k", "l1", status=3),
            "bracket": self.result("bracket", "learn", self.grid, *GRID, "-T", "306"),
            "short": self.result("short", "learn", self.grid, *GRID, "-T", "19", status=3),
            "pmin": self.result("pmin", "learn", self.grid, *GRID, "--pmin", "1/5"),
            "check": self.result("check", "check", self.grid, "-f", "(G F s) & (G F g)"),
            "lake": self.result("lake", "learn", self.examples / "models" / "frozenlake.prism",
                                "-f", "F goal", "--pmin", "1/3", "--epsilon", "1/10", "--delta", "1/10"),
            "graph": self.result("graph", "learn", self.examples / "models" / "delivery.prism",
                                 "-f", "G F village", "--pmin", "1/10", "--epsilon", "1/10", "--delta", "1/10"),
            "layers": self.result("layers", "learn", self.examples / "gallery" / "carrier.prism", "-f", "(G F sack) & (G F free)",
                                  "--pmin", "1/10", "--epsilon", "1/20", "--delta", "1/10"),
            "wide": self.result("wide", "learn", self.examples / "gallery" / "mill.prism", "-f",
                                "(G F wind) & (G F grain) & (G F flour) & (G F bread)", "--pmin", "1/4",
                                "--epsilon", "1/20", "--delta", "1/10"),
            "large": self.result("large", "check", "large.prism", "-f", "(G F corner) & (G F home)"),
            "simulator": self.result("simulator", "learn",
                                     f"exec:sh '{self.examples}/simulators/gridworld.sh'", *GRID, "--pmin", "1/5"),
            "hostile": self.result("hostile", "learn", "exec:python3 hostile.py", "-f", "F goal",
                                   "--pmin", "1/2", "--epsilon", "1/5", "--delta", "1/10"),
            "runs": self.result("runs", "learn", self.grid, *GRID, "--pmin", "1/5", "--runs", "3"),
        }
        pages = {name: self.report(name, result) for name, result in results.items()}
        pages["several"] = self.report("several", *(results[name] for name in ("grid", "bracket", "pmin", "check")))
        return pages

    def steps(self, name):
        """The sampled trajectory of a result, as the page is to show it."""
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))["sample"]
