# SPDX-License-Identifier: MIT
"""Tokens (kind, text, line). Kinds: a keyword or a sign is its own kind; 'name', 'primed' (x'),
'number', 'decimal', 'end'."""
import re

from .errors import PrismError

KEYWORDS = frozenset("""
A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards
endsystem false formula filter func F global G init invariant I int label max mdp min module X
nondeterministic observable observables Pmax Pmin P pomdp popta probabilistic prob pta rate rewards
Rmax Rmin R S stochastic system true U W smg
""".split())

TOKEN = re.compile(r"""
    (?P<blank>[ \t\r\n\f\v]+ | //[^\n]*)
  | (?P<decimal>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)? | \.[0-9]+(?:[eE][+-]?[0-9]+)? | [0-9]+[eE][+-]?[0-9]+)
  | (?P<number>[0-9]+)
  | (?P<primed>[A-Za-z_][A-Za-z0-9_]*\s*')
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<sign><=>|=>|->|<-|<=|>=|!=|\.\.|[-!&|:;,()\[\]{}=<>+*/^?"'])
""", re.VERBOSE)


def tokens(text):
    found, at, line = [], 1 if text.startswith("\ufeff") else 0, 1
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise PrismError("syntax", line, f"unexpected character {text[at]!r}")
        kind, word = match.lastgroup, match.group()
        if kind == "name" and word in KEYWORDS or kind == "sign":
            found.append((word, word, line))
        elif kind != "blank":
            found.append((kind, word, line))
        line += word.count("\n")
        at = match.end()
    found.append(("end", "", line))
    return found
