#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Links between the pages lead somewhere: to a file, and to a heading of it where one is named;
every page can be reached from the README; the table of modules for people is that of src/LAYERS.

usage: links.py PROJECT-FOLDER
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^ {0,3}```.*?^ {0,3}```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
MODULE = re.compile(r"^\|? *(\d+) *\|? +(\w+)\b", re.MULTILINE)


def headings(page):
    """What a link to a place in the page may say behind #, as the usual readers make it."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    lines = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in lines}


def links(page):
    text = CODE.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))
    for link in LINK.findall(text):
        if not re.match(r"[a-z]+:", link):
            path, _, place = link.partition("#")
            yield link, (page.parent / path).resolve() if path else page, place


def problems(project):
    pages = [page.resolve() for page in (*project.glob("*.md"), *project.glob("docs/**/*.md"),
                                         *project.glob("examples/**/*.md"))]
    for page in pages:
        for link, path, place in links(page):
            if not path.exists():
                yield f"{page.relative_to(project)}: {link}: there is no such file"
            elif place and path.suffix == ".md" and place not in headings(path):
                yield f"{page.relative_to(project)}: {link}: there is no such heading"
    reached, new = set(), {project / "README.md"}
    while new:
        reached |= new
        new = {path for page in new for _, path, _ in links(page) if path in pages} - reached
    for page in sorted(set(pages) - reached):
        if not page.is_relative_to(project / "docs" / "decisions"):
            yield f"{page.relative_to(project)}: cannot be reached from the README"
    if modules(project / "CONTRIBUTING.md") != modules(project / "src" / "LAYERS"):
        yield "CONTRIBUTING.md: its table of modules is not that of src/LAYERS"


def modules(path):
    return sorted(MODULE.findall(path.read_text(encoding="utf-8")))


def main(project):
    found = list(problems(pathlib.Path(project).resolve()))
    print("\n".join(found) or "links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
