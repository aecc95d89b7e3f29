#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/doxygen-filter on small headers, and whether the public ones leave anything undocumented.

usage: reference.py FILTER INCLUDE-FOLDER...
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile

HEADER = """/* SPDX-License-Identifier: MIT */
/*
 * What it is for. See opac_thing, small.h and other.h; use --json, a@b, 3 < 4 & \\xNN, `a < b`.
 *
 *     opac_thing *thing;
 *     opac_thing_new(&thing);    // …
 *
 *     opac_thing_free(thing);
 *
 * or
 *
 *     small.h   words
 *     big.h     more < words
 *
 * or
 *
 *     name   meaning
 *     a      b
 *
 * ends; this line is followed by one that begins
 * - with a sign.
 */
#ifndef OMEGAPAC_SMALL_H
#define OMEGAPAC_SMALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_thing opac_thing;

/* Two words: opac_thing_options.size. */
OPAC_API int opac_thing_new(opac_thing **thing);
OPAC_API int opac_thing_copy(const opac_thing *thing,
                             opac_thing **other);
OPAC_API void opac_thing_free(opac_thing *thing);

OPAC_API int opac_thing_bare(void);

/* ---- sizes ---- */

/* Options. */
typedef struct opac_thing_options {
    uint64_t size;  /* at least 1,
                       and odd */
    double low, high; /* ends */
    uint32_t bare;
    /* Is called. */
    int (*call)(void *context, int n);
    void *call_context;
    /* ---- more ---- */
    const char *name; /* its */
} opac_thing_options;

typedef enum opac_kind {
    OPAC_KIND_A = 0, /* one */
    OPAC_KIND_B =
        1, /* two */
    OPAC_KIND_C = 2 /* three */
} opac_kind;

enum {
    OPAC_THING_SIZE = 3 /* of it */
};

/* A number. */
#if defined(__GNUC__)
#define OPAC_THING_MACRO 1
#else
#define OPAC_THING_MACRO 2
#endif

#ifdef __cplusplus
}
#endif

#endif
"""

EXPECTED = r"""/** @file
What it is for. See @ref opac_thing "opac_thing", @ref small.h "small.h" and other.h; use \--json, a\@b, 3 &lt; 4 &amp; \\xNN, <code>a &lt; b</code>.

@code{.c}
opac_thing *thing;
opac_thing_new(&thing);    // …

opac_thing_free(thing);
@endcode

or

<table class="headers">
<tr><td>@ref small.h "small.h"</td><td>words</td></tr>
<tr><td>big.h</td><td>more &lt; words</td></tr>
</table>

or

@verbatim
name   meaning
a      b
@endverbatim

ends; this line is followed by one that begins - with a sign. */
#include <stdint.h>
/** A handle: functions of this header create it, _free releases it. */ typedef struct opac_thing opac_thing;
/** Two words: @ref opac_thing_options "opac_thing_options".size. */ OPAC_API int opac_thing_new(opac_thing **thing);
/** Two words: @ref opac_thing_options "opac_thing_options".size. */ OPAC_API int opac_thing_copy(const opac_thing *thing,
                             opac_thing **other);
/** Releases the object and all that it owns. NULL is allowed. */ OPAC_API void opac_thing_free(opac_thing *thing);
OPAC_API int opac_thing_bare(void);
/** @name Sizes */
/** @{ */
/** Options. */ typedef struct opac_thing_options {
/** at least 1, and odd */ uint64_t size;
/** ends */ double low;
/** ends */ double high;
uint32_t bare;
/** Is called. */ int (*call)(void *context, int n);
/** Passed to the callback of this name. */ void *call_context;
/** @name More */
/** @{ */
/** its */ const char *name;
/** @} */
} opac_thing_options;
typedef enum opac_kind {
/** one */ OPAC_KIND_A = 0,
/** two */ OPAC_KIND_B =
        1,
/** three */ OPAC_KIND_C = 2
} opac_kind;
/** of it */ enum {
/** of it */ OPAC_THING_SIZE = 3
};
/** A number. */
#define OPAC_THING_MACRO 1
/** @} */
"""

README = """# omegapac

![A picture](docs/x.png)

**Learn** it, with [links](docs/x.md).

## Two commands

On some systems:

```
a picture
```
"""


def load(path):
    loader = importlib.machinery.SourceFileLoader("doxygen_filter", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("doxygen_filter", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def said(tool, *arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = tool.main(*map(str, arguments))
    return status, out.getvalue()


def check_snippets(tool, folder):
    header = folder / "small.h"
    header.write_text(HEADER, encoding="utf-8")
    status, text = said(tool, header)
    lines = text.split("\n")
    body = [line for line in lines[lines.index('#include <stdint.h>'):] if line]
    head = "\n".join(lines[:lines.index('#include <stdint.h>')]).rstrip("\n")
    shown = "\n".join([head, *body]) + "\n"
    assert status == 0 and shown == EXPECTED, shown
    for words in ("opac_thing_new(opac_thing **", "uint64_t size;"):  # for Doxygen's messages
        number = next(i for i, line in enumerate(HEADER.split("\n")) if words in line)
        assert words in lines[number], (words, number, lines[number])
    assert said(tool, "--carried", header)[1].splitlines() == [
        f"{header}: opac_thing_copy: Two words: opac_thing_options.size."]
    status, text = said(tool, "--bare", header)
    assert status == 1 and text.splitlines() == [
        f"{header}: opac_thing_bare", f"{header}: bare", f"{header}: typedef enum opac_kind {{"], text
    readme = folder / "README.md"
    readme.write_text(README, encoding="utf-8")
    status, text = said(tool, "--main", readme, header)
    assert text.startswith("/** @mainpage omegapac\n\n<b>Learn</b> it, with links.\n\n<hr>\n\nWhat it is for."), text
    assert "picture" not in text and "commands" not in text and text.count("*/") == 1


def main(path, *includes):
    tool = load(path)
    with tempfile.TemporaryDirectory() as folder:
        check_snippets(tool, pathlib.Path(folder))
    headers = sorted(header for include in includes for header in pathlib.Path(include, "omegapac").glob("*.h")
                     if header.name != "export.h")
    assert len(headers) > 20, headers
    status, text = said(tool, "--bare", *headers)
    print(text, end="")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
