# SPDX-License-Identifier: MIT
"""JSON results of the command line, for comparison."""
import re

ARGUMENTS = re.compile(r'"arguments": \[("([^"\\]|\\.)*"(, )?)*\], ')
FILES = re.compile(r'"files": \{[^{}]*\}, ')


def computed(text):
    """The lines of JSON without the command lines that they repeat, and the files that these name."""
    return FILES.sub("", ARGUMENTS.sub("", text))
