# SPDX-License-Identifier: MIT
"""Common functions of the experiments: options, output files, formatting of numbers, figures.

An experiment is a function of a ``Lab`` and a size. It computes with the package ``omegapac`` and
adds findings, tables and figures to the lab, which writes them when the experiment has ended.
"""
import argparse
import bisect
import concurrent.futures
import importlib.util
import json
import math
import os
import pathlib
import signal
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
if importlib.util.find_spec("omegapac") is None:
    sys.path.insert(0, str(ROOT / "build" / "python"))

import omegapac as op  # noqa: E402

MODELS = ROOT / "examples" / "models"
POLICIES = ROOT / "examples" / "policies"
GRIDWORLD = "(G F s) & (G F g)"  # the objective of the paper's gridworld
CHAIN = "G F won"  # the objective of the paper's chain


def model(name, **constants):
    """Loads a model of examples/models, with values for its constants."""
    return op.Model.load(MODELS / f"{name}.prism", constants)


# ---- numbers ----


def number(value):
    """Formats a number as the shortest decimal that is read as the same double: 0.00001, 5e-6, 314609466884273."""
    mantissa, exponent = f"{value!r}", 0
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    if "e" in mantissa:
        mantissa, power = mantissa.split("e")
        exponent = int(power)
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent += len(whole) - 1 - (len(whole + fraction) - len(digits))  # of the first digit
    digits = digits.rstrip("0")
    if not digits:
        return "0"
    if not -5 <= exponent <= 15:
        return f"{sign}{digits[0]}{'.' * (len(digits) > 1)}{digits[1:]}e{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    digits = digits.ljust(exponent + 1, "0")
    return f"{sign}{digits[:exponent + 1]}{'.' * (len(digits) > exponent + 1)}{digits[exponent + 1:]}"


def rounded(value, digits):
    """Formats a number with this many significant digits."""
    return number(float(f"{value:.{digits - 1}e}"))


def show(value, digits):
    """Formats a number for reading: from 10^5 on as "1.6·10⁹"."""
    if not math.isfinite(value) or value < 1e5:
        return rounded(value, digits)
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{number(float(mantissa))}·10{str(int(exponent)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def median(numbers):
    """The median; for an even count the lower of the two middle numbers."""
    return sorted(numbers)[(len(numbers) - 1) // 2]


def quartiles(numbers):
    """(minimum, lower quartile, median, upper quartile, maximum), each of which is one of the numbers."""
    ordered, last = sorted(numbers), len(numbers) - 1
    return ordered[0], ordered[last // 4], median(ordered), ordered[last - last // 4], ordered[last]


def mean(numbers):
    return sum(numbers) / len(numbers)


def spread(numbers):
    """Formats the mean, minimum and maximum for reading: "10495 on average, 10059 to 11828"."""
    return f"{mean(numbers):.0f} on average, {min(numbers)} to {max(numbers)}"


def log_spaced(most, count):
    """At most `count` distinct integers from 1 to `most`, evenly spaced on a logarithmic scale."""
    numbers = []
    for i in range(count):
        value = most if i + 1 == count else math.floor(float(most) ** (i / (count - 1)) + 0.5)
        if not numbers or value > numbers[-1]:
            numbers.append(value)
    return numbers


def slope(x, y):
    """The slope, on logarithmic scales, of the line through the first and the last point."""
    return math.log(float(y[-1]) / float(y[0])) / math.log(x[-1] / x[0])


def share_interval(runs, probability, alpha=0.01):
    """An interval that contains the observed share of an event, over so many runs, with probability 1 - alpha."""

    class Levels:  # the sequence of P(B <= j), for a binary search
        def __len__(self):
            return runs

        def __getitem__(self, j):
            return op.binomial_at_most(runs, probability, j)

    return tuple(bisect.bisect_left(Levels(), level) / runs for level in (alpha / 2, 1 - alpha / 2))


# ---- brackets ----


def contains(run, optimum):
    """Whether lower <= the policy's probability, and the optimum <= optimum_upper; False if the run has no bounds."""
    return run.lower is not None and run.lower <= run.truth + 1e-9 and optimum <= run.optimum_upper + 1e-9


def errors(runs):
    """The errors that the runs guarantee (with brackets, their widths); none if a run has no guarantee."""
    return [run.error for run in runs] if all(run.holds for run in runs) else []


def widths(runs):
    """Formats the widths of brackets for reading: "0.187 to 0.196"."""
    found = errors(runs)
    if not found:
        return "not reached in all runs"
    least, most = rounded(min(found), 3), rounded(max(found), 3)
    return least if least == most else f"{least} to {most}"


def spread_cells(runs):
    """Cells of a table: of the steps the least, mean and greatest, of the errors the least and greatest."""
    steps, found = [run.steps for run in runs], errors(runs)
    return min(steps), mean(steps), max(steps), min(found, default=None), max(found, default=None)


# ---- output of an experiment ----


def encode(value):
    """Encodes as JSON on one line, numbers in their shortest form; None and NaN become null."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{encode(key)}: {encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(encode, value)) + "]"
    if isinstance(value, float):
        return number(value) if math.isfinite(value) else "null"
    return json.dumps(value, ensure_ascii=False)


def field(value):
    """Formats a cell of a CSV file (RFC 4180); None is empty."""
    text = value if isinstance(value, str) else "" if value is None else encode(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


class Lab:
    """The options of an experiment, and its findings, tables and figures."""

    def __init__(self, name, *, seed=1, threads=None, timing=True, notice=None):
        self.name, self.seed, self.timing = name, seed, timing
        self.threads = threads or len(os.sched_getaffinity(0))
        self.params, self.findings, self.tables, self.figures = {}, [], [], []
        self._notice = notice

    # ---- running ----

    def progress(self, what):
        """Shows what is being computed."""
        if self._notice is not None:
            self._notice(f"{self.name}: {what}")

    def learn(self, of, objective, runs, first=0, **options):
        """Learning runs with consecutive seeds, starting with that of run number ``first``."""
        return op.learn_runs(of, objective, runs, seed=self.seed + first, threads=self.threads, **options)

    def map(self, function, items):
        """[function(item) for item in items], in parallel threads (the library releases the GIL)."""
        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            try:
                return list(pool.map(function, items))
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    # ---- adding results ----

    def param(self, name, value):
        """Records a parameter of the experiment, as a text."""
        self.params[name] = value

    def finding(self, what, paper, ours, remark=""):
        """Adds a quantity: its value in the paper ("" if not given), its value here, and why they differ."""
        self.findings.append({"what": what, "paper": paper, "ours": ours, "remark": remark})

    def table(self, name, columns, rows, caption):
        """Adds the table NAME-name.csv. Cells are texts, numbers or None."""
        rows = [list(row) for row in rows]
        assert all(len(row) == len(columns) for row in rows), name
        self.tables.append({"name": name, "caption": caption, "columns": list(columns), "rows": rows})

    def figure(self, name, draw):
        """Adds the figure NAME-name.pdf and .svg; draw(plot) is called with a ``figures.Plot`` when figures are made."""
        self.figures.append((name, draw))

    # ---- files ----

    def data(self):
        """The JSON and CSV files: {name: bytes}."""
        files = {f"{self.name}.json": b""}
        for table in self.tables:
            lines = [table["columns"], *table["rows"]]
            text = "".join(",".join(map(field, line)) + "\r\n" for line in lines)
            files[f"{self.name}-{table['name']}.csv"] = text.encode()
        document = {"schema": "omegapac.experiment/1", "name": self.name, "version": op.__version__, "seed": self.seed,
                    "params": self.params, "findings": self.findings, "tables": self.tables, "files": list(files)}
        files[f"{self.name}.json"] = (encode(document) + "\n").encode()
        return files

    def pictures(self, formats):
        """The figures: {name: bytes}."""
        import figures

        return {f"{self.name}-{name}.{suffix}": picture for name, draw in self.figures
                for suffix, picture in figures.render(draw, formats).items()}

    def summary(self):
        """The findings as a table in plain text."""
        rows = [("quantity", "the paper", "here")]
        rows += [(found["what"], found["paper"] or "-", found["ours"]) for found in self.findings]
        widths = [max(len(row[column]) for row in rows) + 2 for column in (0, 1)]
        return "".join(f"{row[0]:{widths[0]}}{row[1]:{widths[1]}}{row[2]}\n" for row in rows)


def write_files(folder, files):
    """Writes all files or none: all are written under temporary names before the first is renamed."""
    made = {}
    try:
        for name, content in files.items():
            handle, scratch = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
            made[scratch] = folder / name
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                os.fchmod(file.fileno(), 0o666 & ~_umask())
        for scratch, path in made.items():
            os.replace(scratch, path)
    except BaseException:
        for scratch in filter(os.path.exists, made):
            os.unlink(scratch)
        raise


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def make_folder(folder):
    """Makes the folder if needed, and checks that files can be created in it."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


# ---- the command line ----


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def seed(text):
    value = int(text)
    if not 0 <= value < 2**64:
        raise ValueError
    return value


def parser_of(name, summary):
    parser = argparse.ArgumentParser(prog=f"{name}.py", description=summary)
    parser.add_argument("-o", "--output", metavar="DIR", type=pathlib.Path, default=pathlib.Path("results"),
                        help="output folder, created if needed (default: results)")
    parser.add_argument("--runs", type=positive, metavar="N", help="number of learning runs of each setting")
    parser.add_argument("--small", action="store_true", help="small settings, for a test of about a second")
    parser.add_argument("--seed", type=seed, default=1, metavar="N",
                        help="seed of the first run; further runs have consecutive seeds (default: 1)")
    parser.add_argument("--threads", type=positive, metavar="N",
                        help="number of threads (default: number of processors); the data do not depend on it")
    parser.add_argument("--no-timing", action="store_true", help="omit measured times, so that the output is reproducible")
    parser.add_argument("--no-figures", action="store_true", help="write tables only, without matplotlib")
    parser.add_argument("--png", action="store_true", help="also write figures as PNG")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not print the findings")
    return parser


def notice_on(stream):
    """A function that shows progress on one line of a terminal; None if the stream is not a terminal."""
    if not stream.isatty():
        return None
    return lambda text: print(f"\r\x1b[K{text}", end="", file=stream, flush=True)


def execute(name, run, size, given):
    """Runs the experiment, and writes its files when all of them are complete."""
    formats = [] if given.no_figures else ["pdf", "svg"] + ["png"] * given.png
    if formats and importlib.util.find_spec("matplotlib") is None:
        raise SystemExit(f"{name}: matplotlib is missing: install it (apt-get install python3-matplotlib), or use "
                         "--no-figures")
    make_folder(given.output)
    notice = notice_on(sys.stderr)
    lab = Lab(name, seed=given.seed, threads=given.threads, timing=not given.no_timing, notice=notice)
    run(lab, size)
    files = lab.data()
    if formats:
        lab.progress("figures")
        files.update(lab.pictures(formats))
    write_files(given.output, files)
    if notice is not None:
        notice("")
    if not given.quiet:
        print(f"Result: {name}, {given.output / f'{name}.json'}\n\n{lab.summary()}", end="")


def main(name, summary, run, full, small, with_runs):
    """The program of an experiment. with_runs(size, N) returns the size with N runs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    given = parser_of(name, summary).parse_args()
    size = small if given.small else full
    if given.runs is not None:
        size = with_runs(size, given.runs)
    try:
        execute(name, run, size, given)
    except KeyboardInterrupt:
        print(f"{name}: stopped", file=sys.stderr)
        sys.exit(130)
    except (op.Error, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2)
