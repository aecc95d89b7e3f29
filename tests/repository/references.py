#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""References in the code to pages of the documentation exist: the page, and the section or numbered
statement that is named behind it.

Checked are docs/PAGE.md in comments and strings of all tracked source files, and behind it

    docs/theory.md, Theorem 3            a heading of the page that begins with "Theorem 3"
    docs/learn.md, "Stopping early"      a heading with that text

where line breaks and comment signs may stand between the words. "Theorem 3 of docs/theory.md" is the same.

usage: references.py PROJECT-FOLDER    check, print each dangling reference, exit 1 if any
       references.py --self-test       test the check itself
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = ("src", "include", "python", "tests", "fuzz", "bench", "experiments", "examples", "scripts", "cmake")
SUFFIXES = {".c", ".h", ".def", ".py", ".pyi", ".txt", ".cmake", ".in", ".html", ""}
KIND = r"(?:Theorem|Lemma|Definition|Corollary|Proposition|Example)"
NUMBERED = rf"{KIND} \d+"
PAGE = r"\bdocs/([\w./-]+?\.md)\b"
BEHIND = re.compile(rf"{PAGE}(?:`+)?(?:, ((?:{NUMBERED})(?:(?:, | and )(?:{NUMBERED}))*|\"[^\"]+\"))?")
BEFORE = re.compile(rf"({NUMBERED}) (?:of|in) {PAGE}")
HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)


def flat(text):
    """The text without line breaks, and without the signs with which a comment's lines begin."""
    return re.sub(r"\s*\n[ \t]*(?:\*(?!/)|//|#)?[ \t]*", " ", text)


def headings(page):
    return HEADING.findall(page.read_text(encoding="utf-8"))


def is_named(title, named):
    """Whether a heading is the one that a reference names."""
    if named.startswith('"'):
        return title.lower() == named.strip('"').lower()
    return re.match(rf"\**{named}\b", title) is not None


def references(text):
    """(page, named or None) for each reference."""
    text = flat(text)
    for found in BEHIND.finditer(text):
        named = found.group(2)
        if named is None or named.startswith('"'):
            yield found.group(1), named
        else:
            yield from ((found.group(1), one) for one in re.findall(NUMBERED, named))
    yield from ((found.group(2), found.group(1)) for found in BEFORE.finditer(text))


def problems(project):
    count = 0
    for folder in FOLDERS:
        for path in sorted((project / folder).rglob("*")):
            if not path.is_file() or path.suffix not in SUFFIXES or "corpus" in path.parts:
                continue
            if path.resolve().parent == pathlib.Path(__file__).resolve().parent:
                continue  # its own examples
            for page, named in references(path.read_text(encoding="utf-8", errors="replace")):
                count += 1
                target = project / "docs" / page
                if not target.is_file():
                    yield f"{path.relative_to(project)}: docs/{page} does not exist"
                elif named and not any(is_named(title, named) for title in headings(target)):
                    yield f"{path.relative_to(project)}: docs/{page} has no heading {named}"
    if count == 0:
        yield "no reference to a page was found"


def self_test():
    with tempfile.TemporaryDirectory() as name:
        project = pathlib.Path(name)
        (project / "docs" / "formats").mkdir(parents=True)
        (project / "src").mkdir()
        (project / "docs" / "theory.md").write_text("# Theory\n### Theorem 3 (bracket)\n## Confidence sequences\n")
        (project / "docs" / "formats" / "x.md").write_text("# X\n")
        good = ("/* See docs/theory.md, Theorem 3. */\n/*\n * docs/theory.md, Theorem\n * 3\n */\n"
                "// docs/theory.md, \"Confidence sequences\"; Theorem 3 of docs/theory.md, docs/formats/x.md.\n")
        (project / "src" / "good.c").write_text(good)
        assert list(problems(project)) == [], list(problems(project))
        for bad in ("docs/none.md", "docs/theory.md, Theorem 30", "docs/theory.md, \"Sequences\"",
                    "Lemma 3 of docs/theory.md", "docs/theory.md, Theorem 3 and Theorem 4",
                    "docs/theory.md,\n * Theorem\n * 7"):
            (project / "src" / "bad.c").write_text(f"/* {bad} */\n")
            assert len(list(problems(project))) == 1, bad
        (project / "src" / "bad.c").unlink()
        (project / "src" / "good.c").write_text("/* none */\n")
        assert len(list(problems(project))) == 1
    return 0


def main(argument):
    if argument == "--self-test":
        return self_test()
    found = list(problems(pathlib.Path(argument).resolve()))
    print("\n".join(found) or "references exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
