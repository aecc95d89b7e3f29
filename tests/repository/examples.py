#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples of the documentation and compares what they print.

Every fenced block says by its info string how it is checked, or why not:

    console              commands behind "$ " and, below each, exactly what it prints (a line "..."
                         stands for any lines, a sign "…" for anything in its line)
    console python       the same, where the Python package was built
    console gymnasium    needs what is not everywhere: run by tests/python/test_gymnasium.py
    console full         takes long: run by a test with the label full
    sh                   commands of ours that would take too long: only that there are such
                         commands and options is checked
    LANGUAGE file=NAME   is written to that file first, beside which the commands run. The project's
                         folders `examples` and `experiments` are there, too; a block that names a file
                         of them, or of `src`, `include`, `tests`, shows that file, "..." for what it leaves out
    c                    is compiled, as the examples of the headers are
    python               is run, where the package was built, together with the page's others; a
                         comment behind an expression or a print is what it gives
    ltl equal [prism]    pairs of formulas that are the same when read
    picture              a drawing
    LANGUAGE form        the shape of something, with parts to be filled in; json and python must
                         still be well-formed
    sh setup             what a reader does once, and .ci/run does, too (a target of make is looked
                         for there)

Other files than pages (models, properties, automata) have such commands in their comments, each
with what it prints below it, up to an empty comment or the end.

usage: examples.py BUILD-FOLDER FILE...
       examples.py --update BUILD-FOLDER FILE...    write into the files what commands now print; read the
                                                    difference before you commit it
       examples.py --self-test BUILD-FOLDER
"""
import ast
import contextlib
import difflib
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import headers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ("examples/", "experiments/", "src/", "include/", "tests/")
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^(?://|#| \*) (\$ .*\n(?:(?://|#| \*) .*\n)*)", re.MULTILINE)


def pieces(path):
    """[(info, text)] of the fenced blocks of a page, or of the commands in a file's comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return FENCE.findall(text)
    return [("console", re.sub(r"^(?://|#| \*) ", "", block, flags=re.MULTILINE))
            for block in COMMENT.findall(text)]


def commands(block):
    """[(command, expected output)] of a console block; a trailing backslash continues."""
    result = []
    continued = False
    for line in block.splitlines(keepends=True):
        if continued:
            result[-1][0] += line
        elif line.startswith("$ "):
            result.append([line[2:], ""])
        else:
            result[-1][1] += line
        continued = line.endswith("\\\n") and (continued or line.startswith("$ "))
    return result


def matches(expected, printed):
    pattern = "".join(".*" if line == "...\n" else re.escape(line).replace("…", "[^\n]*")
                      for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def window(part, lines, first):
    """Where in the lines, from the first on, a part of the expected output most likely stands."""
    return max(range(first, max(first, len(lines) - len(part)) + 1), key=lambda at: sum(
        difflib.SequenceMatcher(None, old, new).ratio() for old, new in zip(part, lines[at:])))


def updated(expected, printed):
    """The expected output with the printed lines in the place of its own; lines "..." stay, and a line with
    a sign "…" that still matches."""
    lines, result, at = printed.splitlines(keepends=True), [], 0
    parts = [part.splitlines(keepends=True) for part in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)]
    if len(parts) == 1:
        parts = [parts[0][:len(lines)] + [""] * (len(lines) - len(parts[0]))]
    for number, part in enumerate(parts):
        if number > 0:
            result.append("...\n")
            at = window(part, lines, at) if number < len(parts) - 1 else max(at, len(lines) - len(part))
        for old, new in zip(part, lines[at:]):
            result.append(old if matches(old, new) else new)
        at += len(part)
    return "".join(result)


def rewrite(path, command, expected, printed):
    """Puts what a command printed into the page, or into the comment that the command stands in."""
    text = path.read_text(encoding="utf-8")
    for sign in ("", "// ", "# ", " * "):
        old, new = ("".join(sign + line for line in part.splitlines(keepends=True))
                    for part in (f"$ {command}{expected}", f"$ {command}{updated(expected, printed)}"))
        if "\n" + old in "\n" + text:  # whole lines: without a sign, not the rest of a comment
            path.write_text(("\n" + text).replace("\n" + old, "\n" + new)[1:], encoding="utf-8")
            return


def run_file(path, environment, kind="console", update=False):
    run = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "experiments"):
            pathlib.Path(folder, name).symlink_to(ROOT / name)
        for info, block in pieces(path):
            name = re.search(r"\bfile=(\S+)", info)
            if name and name.group(1).startswith(OURS):
                if not matches(block, (ROOT / name.group(1)).read_text(encoding="utf-8")):
                    failed += 1
                    print(f"{path.name}: does not show {name.group(1)} as it is")
            elif name:
                pathlib.Path(folder, name.group(1)).write_text(block)
            if info.strip() != kind:
                continue
            for command, expected in commands(block):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                run += 1
                if not matches(expected, done.stdout):
                    failed += 1
                    if update:
                        rewrite(path, command, expected, done.stdout)
                    print(f"{path.name}: $ {command}--- expected\n{expected}--- printed\n{done.stdout}")
    return run, failed


# ---- blocks without commands: each function says what is wrong, or nothing ----


def wrong_c(blocks, build):
    """They are compiled one by one: each page has its own names."""
    for block in blocks:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "example.c")
            source.write_text(headers.program("omegapac.h", [block.replace("…", "")]), encoding="utf-8")
            done = subprocess.run(["cc", *headers.FLAGS, f"-I{ROOT / 'include'}", f"-I{build}/include", str(source)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                yield done.stderr


def wrong_python(blocks):
    """Runs in a process of its own, with the package (see below); "# text" is what a line gives."""
    names = {}
    for block in blocks:
        for statement in ast.parse(block).body:
            source = ast.get_source_segment(block, statement)
            behind = re.search(r"  # (.*)$", block.splitlines()[statement.end_lineno - 1])
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                if isinstance(statement, ast.Expr):
                    value = eval(source, names)
                else:
                    value = exec(source, names)
            given = printed.getvalue().strip() if value is None else repr(value)
            if behind and isinstance(statement, ast.Expr) and given != behind.group(1):
                yield f"{source}: gives {given}, not {behind.group(1)}"


def wrong_equal(block, environment, words):
    for line in block.splitlines():
        told = [subprocess.run(["omegapac", "translate", "--simplify", "-q", *words, formula], env=environment,
                               capture_output=True, text=True).stdout
                for formula in re.split(r" {2,}", line.strip())]
        if len(told) != 2 or told[0] != told[1] or not told[0]:
            yield f"{line}: {told}"


def wrong_form(language, block):
    try:
        if language == "json":
            json.loads(block)
        elif language == "python":
            ast.parse(block)
    except (SyntaxError, ValueError) as error:
        yield f"{error}"


def wrong_usage(block, environment):
    for line in block.splitlines():
        program, *words = shlex.split(line, comments=True) or ["omegapac"]
        command = [word for word in words[:2] if re.fullmatch("[a-z]+", word)]
        said = [subprocess.run(["omegapac", *command[:count], "--help"], env=environment, capture_output=True,
                               text=True) for count in range(len(command), 0, -1)]
        helps = [done.stdout for done in said if done.returncode == 0 and not done.stderr]
        options = [word.split("=")[0] for word in words if re.match("-[-a-zA-Z]", word)]
        if program != "omegapac" or (words and not helps):
            yield f"{line}: no such command"
        for option in options:
            if helps and not re.search(rf"(?<![-\w]){option}\b", helps[0]):
                yield f"{line}: no such option: {option}"


def wrong_setup(block):
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", block, re.MULTILINE):
        if not re.search(rf"make .*\b{target}\b", steps):
            yield f".ci/run has no 'make {target}'"


def wrong_block(info, block, environment):
    words = info.split()
    if words[:2] == ["ltl", "equal"]:
        return wrong_equal(block, environment, [f"--{word}" for word in words[2:]])
    if len(words) == 2 and words[1] == "form":
        return wrong_form(words[0], block)
    if words == ["sh", "setup"]:
        return wrong_setup(block)
    if words == ["sh"]:
        return wrong_usage(block, environment)
    if words[:1] == ["console"] and words[1:] in ([], ["python"], ["gymnasium"], ["full"]) or words in (["c"], ["python"], ["picture"]) or "file=" in info:
        return []
    return [f"```{info}: says neither how it is run nor why not; see tests/repository/examples.py"]


def check_blocks(path, build, environment, package):
    text = path.read_text(encoding="utf-8")
    blocks = FENCE.findall(text)
    wrong = [problem for info, block in blocks for problem in wrong_block(info, block, environment)]
    wrong += wrong_c([block for info, block in blocks if info.strip() == "c"], build)
    if package and any(info.strip() == "python" for info, _ in blocks):
        done = subprocess.run([sys.executable, __file__, "--python", str(path)], cwd=ROOT, env=environment,
                              capture_output=True, text=True)
        wrong += [done.stdout + done.stderr] if done.returncode != 0 else []
    if len(re.findall(r"^ *```", text, re.MULTILINE)) != 2 * len(blocks):
        wrong.append("a block that is indented, or does not end")
    for problem in wrong:
        print(f"{path.name}: {problem}")
    return len(blocks), len(wrong)


def main(build, *paths, update=False):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        libraries = next(pathlib.Path(prefix).rglob("libomegapac.so")).parent
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}",
                           LD_LIBRARY_PATH=str(libraries),
                           PKG_CONFIG_PATH=str(libraries / "pkgconfig"), NO_COLOR="1", LC_ALL="C.UTF-8")
        environment.pop("PYTHONPATH", None)
        counts = [run_file(pathlib.Path(path), environment, update=update) for path in paths]
        package = pathlib.Path(build, "python")
        has_package = bool(list(package.glob("omegapac/_core*.so")))
        if has_package:
            environment.update(PYTHONPATH=str(package.resolve()), PYTHONDONTWRITEBYTECODE="1")
        blocks, wrong = (sum(column) for column in zip(
            *(check_blocks(pathlib.Path(path), build, environment, has_package) for path in paths)))
        if has_package:
            counts += [run_file(pathlib.Path(path), environment, "console python", update) for path in paths]
        else:
            print("blocks of Python are skipped: the package was not built")
    run, failed = (sum(column) for column in zip(*counts))
    print(f"{run} commands, {failed} wrong; {blocks} blocks, {wrong} wrong by themselves")
    return 1 if failed or wrong or run == 0 else 0


def self_test(build):
    assert matches("a\n...\nb …!\n", "a\n1\n2\nb c!\n") and not matches("b …!\n", "b\n!\n")
    assert updated("x\n", "y\nz\n") == "y\nz\n" and updated("x\ny\n", "z\n") == "z\n"
    assert updated("top\n...\nabc 1\nb …\n...\nend 1\n", "top\nabc 1 2\nb 3\nx\nend 2\n") == \
        "top\n...\nabc 1 2\nb …\n...\nend 2\n"
    assert commands("$ a \\\n  b\nout\n$ c\n") == [["a \\\n  b\n", "out\n"], ["c\n", ""]]
    assert not list(wrong_c(["opac_formula *f;\nopac_formula_free(f);\n"], build))
    assert list(wrong_c(["opac_formula_free(nobody);\n"], build))
    assert not list(wrong_python(["x = 1 + 1\nx    # 2\nprint(x, 'a')   # 2 a\n", "x * x  # 4\n"]))
    assert list(wrong_python(["x = 2\nx * x  # 5\n"])) == ["x * x: gives 4, not 5"]
    assert not list(wrong_block("json form", '{"a": "…"}', {})) and list(wrong_block("json form", "{", {}))
    assert not list(wrong_block("python form", "f(…)".replace("…", "..."), {}))
    assert not list(wrong_block("sh setup", "make check  # words\n. env/bin/activate\n", {}))
    assert list(wrong_block("sh setup", "make nothing\n", {}))
    assert not list(wrong_block("picture", "", {})) and not list(wrong_block("console full", "", {}))
    assert list(wrong_block("console x", "", {}))
    assert list(wrong_block("", "", {})) and list(wrong_block("text", "", {}))
    with_program = dict(os.environ, PATH=f"{pathlib.Path(build).resolve()}:{os.environ['PATH']}")
    assert not list(wrong_usage("omegapac env check 'exec:a b' -q  # words\nomegapac check m.prism --exact\n", with_program))
    for line in ("omegapac chekc m.prism", "omegapac check m.prism --exactly", "rm -r x"):
        assert list(wrong_usage(line, with_program)), line
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("a.prism", "// A\n//\n// $ a\n//  b\n// $ c\n//\n// d\nmdp\n"),
                           ("a.tra", "# $ a\n#  b\n# $ c\n1 2\n"), ("a.hoa", "/* A\n * $ a\n *  b\n * $ c\n */\n")):
            pathlib.Path(folder, name).write_text(text)
            assert pieces(pathlib.Path(folder, name)) == [("console", "$ a\n b\n$ c\n")], name
    print("blocks are told apart")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--self-test"]:
        sys.exit(self_test(sys.argv[2]))
    if sys.argv[1:2] == ["--python"]:
        found = FENCE.findall(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        problems = list(wrong_python([block for info, block in found if info.strip() == "python"]))
        print("\n".join(problems))
        sys.exit(1 if problems else 0)
    if sys.argv[1:2] == ["--update"]:
        sys.exit(main(*sys.argv[2:], update=True))
    sys.exit(main(*sys.argv[1:]))
