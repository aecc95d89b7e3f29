#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`omegapac translate` and `omegapac convert` against a second opinion that shares no code
with the library: LTL evaluated on lassos u·v^ω by its definition, HOA read by the parser
below, acceptance decided by a search for accepting cycles.

Random formulas in every --kind, --acceptance and form; what --json says against the HOA;
random automata converted; everything converted once more.

usage: automata.py PROGRAM [SEED [FORMULAS]]
"""
import itertools
import json
import random
import re
import subprocess
import sys

NAMES = ("a", "b", "c")
LETTERS = [frozenset(n for n, bit in zip(NAMES, bits) if bit)
           for bits in itertools.product((False, True), repeat=len(NAMES))]

# ---- formulas: (operator, operand...) ----

UNARY = ("!", "X", "F", "G")
BINARY = ("&", "|", "->", "<->", "xor", "U", "W", "R", "M")


def random_formula(rng, size):
    if size <= 1:
        return (rng.choice(NAMES),) if rng.random() < 0.95 else (rng.choice(("true", "false")),)
    if size == 2 or rng.random() < 0.45:
        return (rng.choice(UNARY), random_formula(rng, size - 1))
    left = rng.randint(1, size - 2)
    return (rng.choice(BINARY), random_formula(rng, left), random_formula(rng, size - 1 - left))


def show(f):
    if len(f) == 1:
        return f[0]
    if len(f) == 2:
        return f"{f[0]} {show(f[1])}" if len(f[1]) < 3 else f"{f[0]}({show(f[1])})"
    return " ".join((f"({show(x)})" if len(x) == 3 else show(x)) if i != 1 else f[0]
                    for i, x in enumerate((f[1], None, f[2])))


def holds(f, u, v):
    """Whether u·v^ω satisfies f: its truth at each position, temporal operators as fixpoints."""
    word = u + v
    after = [i + 1 for i in range(len(word))]
    after[-1] = len(u)

    def fixpoint(start, step):
        now = [start] * len(word)
        while True:
            then = [step(i, now[after[i]]) for i in range(len(word))]
            if then == now:
                return now
            now = then

    def truth(g):
        if len(g) == 1:
            return [g[0] == "true" or g[0] in letter for letter in word]
        x = truth(g[1])
        if len(g) == 2:
            if g[0] == "!":
                return [not t for t in x]
            if g[0] == "X":
                return [x[after[i]] for i in range(len(word))]
            if g[0] == "F":
                return fixpoint(False, lambda i, n: x[i] or n)
            return fixpoint(True, lambda i, n: x[i] and n)
        y = truth(g[2])
        if g[0] == "U":
            return fixpoint(False, lambda i, n: y[i] or (x[i] and n))
        if g[0] == "W":
            return fixpoint(True, lambda i, n: y[i] or (x[i] and n))
        if g[0] == "R":
            return fixpoint(True, lambda i, n: y[i] and (x[i] or n))
        if g[0] == "M":
            return fixpoint(False, lambda i, n: y[i] and (x[i] or n))
        return [{"&": s and t, "|": s or t, "->": not s or t, "<->": s == t, "xor": s != t}[g[0]]
                for s, t in zip(x, y)]

    return truth(f)[0]


# ---- HOA ----

TOKEN = re.compile(r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|--[A-Z]+--|@?[A-Za-z_][\w.-]*:?|\d+|[][(){}!&|]|\S""",
                   re.DOTALL)


class Hoa:
    """One automaton: edges[state] = [(label, target, marks)], label a predicate on a dict."""

    def __init__(self, tokens):
        self.header, self.start, self.ap, self.edges = {}, [], [], {}
        self.state_acceptance = False
        name = None
        while tokens[0] != "--BODY--":
            token = tokens.pop(0)
            if token.endswith(":"):
                name = token[:-1]
                self.header.setdefault(name, []).append([])
            else:
                self.header[name][-1].append(token)
        tokens.pop(0)
        self.states = int(self.header["States"][0][0])
        self.start = [int(words[0]) for words in self.header.get("Start", [])]
        self.ap = [json.loads(word) for word in self.header["AP"][0][1:]]
        self.marks = int(self.header["Acceptance"][0][0])
        self.condition_text = "".join(self.header["Acceptance"][0][1:])
        tree = condition(self.header["Acceptance"][0][1:] + ["end"])
        self.condition, self.opposite = disjuncts(tree), disjuncts(dual(tree))
        self.name = " ".join(self.header.get("acc-name", [["Emerson-Lei"]])[0])
        self.properties = [p for words in self.header.get("properties", []) for p in words]
        self.read_body(tokens)

    def read_body(self, tokens):
        state, state_label, state_marks = None, None, 0
        while tokens[0] != "--END--":
            if tokens[0] == "State:":
                tokens.pop(0)
                state_label = self.read_label(tokens)
                state = int(tokens.pop(0))
                if tokens[0].startswith('"'):
                    tokens.pop(0)
                state_marks = self.read_marks(tokens)
                assert state not in self.edges, state
                self.edges[state] = []
            else:
                label = self.read_label(tokens) or state_label
                assert label is not None, "implicit labels are not written by us"
                target = int(tokens.pop(0))
                self.edges[state].append((label, target, state_marks | self.read_marks(tokens)))
        tokens.pop(0)
        assert sorted(self.edges) == list(range(self.states))

    def read_marks(self, tokens):
        if tokens[0] != "{":
            return 0
        end = tokens.index("}")
        marks = sum(1 << int(mark) for mark in tokens[1:end])
        del tokens[:end + 1]
        return marks

    def read_label(self, tokens):
        if tokens[0] != "[":
            return None
        end = tokens.index("]")
        words = tokens[1:end] + ["end"]
        del tokens[:end + 1]
        names = self.ap
        return boolean(words, lambda word: (lambda letter: letter(names[int(word)])))

    def table(self):
        """[state][letter index] -> [(target, marks)] and [state] -> [(target, marks)] by epsilon."""
        steps, epsilons = [], []
        for state in range(self.states):
            steps.append([[(t, m) for label, t, m in self.edges[state] if label(letter.__contains__)]
                          for letter in LETTERS])
            epsilons.append([(t, m) for label, t, m in self.edges[state]
                             if "epsilon" in self.ap and label(lambda name: name == "epsilon")])
        return steps, epsilons


def boolean(words, atom):
    """t f ! & | ( ) over atoms, as predicates; | binds loosest."""
    def disjunction():
        parts = [conjunction()]
        while words[0] == "|":
            words.pop(0)
            parts.append(conjunction())
        return parts[0] if len(parts) == 1 else lambda x: any(p(x) for p in parts)

    def conjunction():
        parts = [literal()]
        while words[0] == "&":
            words.pop(0)
            parts.append(literal())
        return parts[0] if len(parts) == 1 else lambda x: all(p(x) for p in parts)

    def literal():
        word = words.pop(0)
        if word == "!":
            inner = literal()
            return lambda x: not inner(x)
        if word == "(":
            inner = disjunction()
            assert words.pop(0) == ")"
            return inner
        if word in ("t", "f"):
            return lambda x: word == "t"
        return atom(word)

    result = disjunction()
    assert words == ["end"], words
    return result


def condition(words):
    """A tree of ("or" | "and", parts), ("inf" | "fin", mark), True, False."""
    def chain(joint, name, part):
        parts = [part()]
        while words[0] == joint:
            words.pop(0)
            parts.append(part())
        return parts[0] if len(parts) == 1 else (name, parts)

    def disjunction():
        return chain("|", "or", lambda: chain("&", "and", literal))

    def literal():
        word = words.pop(0)
        if word == "(":
            inner = disjunction()
            assert words.pop(0) == ")"
            return inner
        if word in ("t", "f"):
            return word == "t"
        assert words.pop(0) == "("
        negated = words[0] == "!"
        assert not negated, "negated sets are not written by us"
        mark = int(words.pop(0))
        assert words.pop(0) == ")"
        return (word.lower(), mark)

    result = disjunction()
    assert words == ["end"], words
    return result


def dual(tree):
    """The condition that accepts what this one rejects."""
    if isinstance(tree, bool):
        return not tree
    name = {"inf": "fin", "fin": "inf", "or": "and", "and": "or"}[tree[0]]
    return (name, tree[1] if isinstance(tree[1], int) else [dual(part) for part in tree[1]])


def rabin(marks):
    """HOA's "Rabin n", where "Rabin 0" is false."""
    return ("or", [("and", [("fin", i), ("inf", i + 1)]) for i in range(0, marks, 2)])


def parity(marks):
    """HOA's "parity max even n", where n = 1 is Büchi, and n = 0 false."""
    if marks == 0:
        return False
    top = marks - 1
    return ("or", [("inf", top), parity(top)]) if top % 2 == 0 else ("and", [("fin", top), parity(top)])


def same_condition(hoa, tree):
    """Whether it accepts the same sets of marks."""
    def accepted(pairs, marks):
        return any(not marks & avoided and all(marks >> m & 1 for m in wanted) for avoided, wanted in pairs)
    return all(accepted(hoa.condition, marks) == accepted(disjuncts(tree), marks)
               for marks in range(1 << hoa.marks))


def disjuncts(tree):
    """{(marks that are avoided, marks of which each is met)}"""
    if isinstance(tree, bool):
        return {(0, frozenset())} if tree else set()
    if tree[0] == "inf":
        return {(0, frozenset([tree[1]]))}
    if tree[0] == "fin":
        return {(1 << tree[1], frozenset())}
    parts = [disjuncts(part) for part in tree[1]]
    if tree[0] == "or":
        return set().union(*parts)
    result = {(0, frozenset())}
    for part in parts:
        result = {(f | g, i | j) for f, i in result for g, j in part}
    return {(f, i) for f, i in result if not any(f >> mark & 1 for mark in i)}


def read_hoa(text):
    tokens = [t for t in TOKEN.findall(text) if not t.startswith("/*")]
    result = []
    while tokens:
        assert tokens.pop(0) == "HOA:" and tokens.pop(0) == "v1", text
        result.append(Hoa(tokens))
    return result


# ---- acceptance ----

def components(graph):
    """Strongly connected components (Tarjan), without recursion."""
    index, low, stack, on_stack, result = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for target, _ in successors:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    result.append(component)
    return result


def accepted_components(graph, condition_disjuncts):
    """Sets of nodes, with the edges between them, whose cycle through all is accepted: the largest
    for each disjunct."""
    for avoided, wanted in condition_disjuncts:
        kept = {n: [(t, m) for t, m in edges if not m & avoided] for n, edges in graph.items()}
        for component in components(kept):
            inside = {n: [(t, m) for t, m in kept[n] if t in component] for n in component}
            marks = [m for edges in inside.values() for _, m in edges]
            if marks and all(any(m >> mark & 1 for m in marks) for mark in wanted):
                yield inside


def accepts(hoa, table, u, v):
    """Whether some run on u·v^ω is accepted."""
    steps, epsilons = table
    word = [LETTERS.index(letter) for letter in u + v]
    graph, todo = {}, [(q, 0) for q in hoa.start]
    while todo:
        node = q, i = todo.pop()
        if node in graph:
            continue
        after = i + 1 if i + 1 < len(word) else len(u)
        graph[node] = [((t, after), m) for t, m in steps[q][word[i]]] + \
                      [((t, i), m) for t, m in epsilons[q]]
        todo += [target for target, _ in graph[node]]
    return any(True for _ in accepted_components(graph, hoa.condition))


def graph_of(hoa, table):
    steps, epsilons = table
    return {q: [e for edges in steps[q] for e in edges] + epsilons[q] for q in range(hoa.states)}


def live(hoa, table):
    """States from which some word is accepted."""
    graph = graph_of(hoa, table)
    good = {q for component in accepted_components(graph, hoa.condition) for q in component}
    while True:
        more = {q for q in graph if q in good or any(t in good for t, _ in graph[q])}
        if more == good:
            return good
        good = more


def has_buchi(hoa, table):
    """Whether the language of a deterministic automaton is that of a deterministic Büchi one: no
    rejected cycle goes through all of an accepted one (Landweber 1969)."""
    graph, reached, todo = graph_of(hoa, table), {}, list(hoa.start)
    while todo:
        state = todo.pop()
        if state not in reached:
            reached[state] = graph[state]
            todo += [target for target, _ in graph[state]]
    return not any(True for rejected in accepted_components(reached, hoa.opposite)
                   for _ in accepted_components(rejected, hoa.condition))


# ---- what is said of an automaton, computed again ----

def is_deterministic(hoa, table):
    steps, epsilons = table
    return len(hoa.start) == 1 and not any(epsilons) and \
        all(len(edges) <= 1 for row in steps for edges in row)


def is_complete(hoa, table):
    return len(hoa.start) >= 1 and all(edges for row in table[0] for edges in row)


def is_limit_deterministic(hoa, table):
    """Behind every accepting cycle there is at most one edge a letter, and no epsilon."""
    steps, epsilons = table
    graph = graph_of(hoa, table)
    behind = {q for component in accepted_components(graph, hoa.condition) for q in component}
    todo = list(behind)
    while todo:
        for target, _ in graph[todo.pop()]:
            if target not in behind:
                behind.add(target)
                todo.append(target)
    return all(not epsilons[q] and all(len(edges) <= 1 for edges in steps[q]) for q in behind)


def check_members(result, hoa, table, options):
    assert result["states"] == hoa.states
    assert result["edges"] == sum(len(edges) for edges in hoa.edges.values())
    assert result["marks"] == hoa.marks
    assert result["acceptance"].replace(" ", "") == hoa.condition_text
    assert result["acceptance_name"].split()[0] == hoa.name.split()[0], (result, hoa.name)
    assert result["propositions"] == [name for name in hoa.ap if name != "epsilon"]
    assert result["deterministic"] == is_deterministic(hoa, table)
    assert result["complete"] == is_complete(hoa, table)
    assert result["live_states"] == len(live(hoa, table)), result
    assert ("deterministic" in hoa.properties) == result["deterministic"]
    assert ("complete" in hoa.properties) == result["complete"]
    if "--complete" in options:
        assert result["complete"]
    if "--state-based" in options:
        assert "state-acc" in hoa.properties
        assert all(len({m for _, _, m in edges}) <= 1 for edges in hoa.edges.values())
    if "ldba" in options:
        assert result["limit_deterministic"] and result["acceptance"] == "Inf(0)"
        assert is_limit_deterministic(hoa, table), options
    elif "deterministic" in options:
        assert result["deterministic"]
    for word, wanted in (("buchi", lambda n: ("inf", 0)), ("rabin", rabin), ("parity", parity)):
        if word in options:
            assert same_condition(hoa, wanted(hoa.marks)), (options, result)


# ---- running ----

FORMS = [["--kind", kind, "--acceptance", acceptance, *based, *complete]
         for kind, acceptances in (("deterministic", ("any", "buchi", "rabin", "parity")),
                                   ("ldba", ("any", "buchi")))
         for acceptance in acceptances
         for based in ([], ["--state-based"])
         for complete in (([], ["--complete"]) if not based else ([],))]


def run(command, text, statuses=(0,)):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode in statuses, (command, done.returncode, done.stderr)
    return done.stdout, done.stderr


def random_lasso(rng):
    u = [rng.choice(LETTERS) for _ in range(rng.randint(0, 3))]
    return u, [rng.choice(LETTERS) for _ in range(rng.randint(1, 4))]


class Case:
    def __init__(self, formula, rng, lassos):
        self.formula, self.text = formula, show(formula)
        self.words = [(u, v, holds(formula, u, v))
                      for u, v in (random_lasso(rng) for _ in range(lassos))]


def check_language(text, hoa, table, words, options):
    for u, v, expected in words:
        found = accepts(hoa, table, u, v)
        assert found == expected, (
            f"{text} with {' '.join(options)}: the word {[*map(sorted, u)]} ({[*map(sorted, v)]})^w "
            f"is {'accepted' if found else 'rejected'}, wrongly")


def check_translations(program, cases, options):
    """All formulas in one run; returns {line: HOA text}."""
    text = "".join(case.text + "\n" for case in cases)
    statuses = (0, 2) if "buchi" in options and "ldba" not in options else (0,)
    command = [program, "translate", "-", "-q", *options]
    out, err = run([*command, "--json", "--no-timing"], text, statuses)
    made = {}
    for line in out.splitlines():
        found = json.loads(line)
        number = found["inputs"]["line"]
        case = cases[number - 1]
        assert found["inputs"]["formula"] == case.text
        assert found["params"]["kind"] == options[1] and found["params"]["acceptance"] == options[3]
        hoa, = read_hoa(found["automaton"])
        table = hoa.table()
        check_members(found["result"], hoa, table, options)
        check_language(case.text, hoa, table, case.words, options)
        if options == FORMS[0]:
            case.has_buchi = has_buchi(hoa, table)
        made[number] = found["automaton"]
    # what has no automaton of this form is said to have none, and has none
    missing = [number for number, case in enumerate(cases, 1) if number not in made]
    told = [int(line) for line in re.findall(r"\(<stdin>:(\d+)\): no deterministic B.*--kind ldba", err)]
    assert missing == told == [number for number, case in enumerate(cases, 1)
                               if statuses != (0,) and not case.has_buchi], (options, missing, err)
    plain, _ = run(command, text, statuses)
    assert plain == "".join(made[line] for line in sorted(made)), "--json has other automata"
    return made


def check_conversions(program, automata, options):
    """Each automaton in the form asked for accepts the same words; how many have one."""
    converted = 0
    for text, buchi, words in automata:
        possible = buchi or "buchi" not in options or "ldba" in options
        out, err = run([program, "convert", "-", "-", *options, "--json", "--no-timing"], text,
                       (0,) if possible else (2,))
        assert possible or "<stdin>: automaton 1: " in err, err
        for line in out.splitlines():
            found = json.loads(line)
            hoa, = read_hoa(found["automaton"])
            table = hoa.table()
            check_members(found["result"], hoa, table, options)
            check_language(f"the automaton\n{text}", hoa, table, words, options)
            converted += 1
    return converted


def check_kinds(program, rng, count):
    """Nondeterministic automata in every form: what comes out has the form, or nothing comes out and
    the error says why. A form that the automaton has already is never refused."""
    forms = [[*form[:1], kind, *form[2:]] for form in FORMS if form[1] == "deterministic"
             for kind in ("any", "deterministic")] + [form for form in FORMS if form[1] == "ldba"]
    made = refused = 0
    for _ in range(count):
        text = random_automaton(rng, nondeterministic=True)
        given, = read_hoa(text)
        table = given.table()
        words = [(u, v, accepts(given, table, u, v)) for u, v in (random_lasso(rng) for _ in range(12))]
        for options in forms:
            command = [program, "convert", "-", "-", *options]
            out, err = run([*command, "--json", "--no-timing"], text, (0, 2))
            if not out:
                assert "automaton 1: " in err and ("nondeterministic" in err or "B\u00fcchi" in err or
                                                   "limit-deterministic" in err), (options, err)
                assert options[1] != "deterministic" or "buchi" in options or \
                    not is_deterministic(given, table), text
                refused += 1
                continue
            found = json.loads(out)
            hoa, = read_hoa(found["automaton"])
            check_members(found["result"], hoa, hoa.table(), options)
            check_language(f"the automaton\n{text}", hoa, hoa.table(), words, options)
            plain, _ = run(command, text)
            assert plain == found["automaton"], options
            made += 1
    assert made > 0 and refused > 0, (made, refused)
    return made, refused


def check_formats(program):
    """--to says what is written: an automaton as HOA, DOT or SVG, and as nothing else."""
    text = "\n".join(["HOA: v1", "States: 1", "Start: 0", 'AP: 1 "a"', "Acceptance: 1 Inf(0)", "--BODY--",
                      "State: 0", "[0] 0 {0}", "[!0] 0", "--END--", ""])
    begins = {"hoa": "HOA: v1\n", "dot": "digraph", "svg": "<svg"}
    for form in ("hoa", "dot", "svg", "tra", "lab", "sta", "drn", "json"):
        command = [program, "convert", "-", "-", "--from", "hoa", "--to", form]
        out, err = run(command, text, (0,) if form in begins else (2,))
        assert out.startswith(begins[form]) if form in begins else err and not out, (form, out, err)


def random_condition(rng, marks, depth=3):
    if depth == 0 or rng.random() < 0.3:
        return f"{rng.choice(('Inf', 'Fin'))}({rng.randrange(marks)})"
    parts = [random_condition(rng, marks, depth - 1) for _ in range(2)]
    return f"({parts[0]}{rng.choice('&|')}{parts[1]})"


def random_automaton(rng, nondeterministic=False):
    """Not always complete, over three propositions, as HOA."""
    states, marks = rng.randint(1, 5), rng.randint(1, 4)
    starts = rng.sample(range(states), rng.randint(0, min(2, states))) if nondeterministic else [0]
    lines = ["HOA: v1", f"States: {states}", *(f"Start: {s}" for s in starts), 'AP: 3 "a" "b" "c"',
             f"Acceptance: {marks} {random_condition(rng, marks)}", "--BODY--"]
    for state in range(states):
        lines.append(f"State: {state}")
        extra = rng.sample(("t", "0", "1", "!0"), rng.randint(0, 1)) if nondeterministic else []
        for label in ("0", "!0&1", "!0&!1", *extra):
            if rng.random() < 0.9:
                chosen = " ".join(str(m) for m in range(marks) if rng.random() < 0.35)
                lines.append(f"[{label}] {rng.randrange(states)}" + (f" {{{chosen}}}" if chosen else ""))
    return "\n".join(lines + ["--END--", ""])


def known_to_be_buchi(program):
    for text in ("G F a", "G (a -> F b)", "G a", "a U b", "X X a", "G F a & G F b", "true", "false"):
        run([program, "translate", text, "--acceptance", "buchi"], "")
    for text in ("F G a", "F G a | G F b"):
        _, err = run([program, "translate", text, "--acceptance", "buchi"], "", (2,))
        assert "--kind ldba" in err, err


def main(program, seed="1", formulas="180"):
    formulas = int(formulas)
    rng = random.Random(int(seed))
    cases = [Case(random_formula(rng, rng.randint(1, 9)), rng, 8) for _ in range(formulas)]
    cases += [Case(("!", case.formula), rng, 5) for case in cases[:formulas // 3]]
    known_to_be_buchi(program)
    for options in FORMS:
        check_translations(program, cases, options)
    automata = []
    for _ in range(formulas // 7):
        text = random_automaton(rng)
        hoa, = read_hoa(text)
        table = hoa.table()
        lassos = [random_lasso(rng) for _ in range(20)]
        automata.append((text, has_buchi(hoa, table), [(u, v, accepts(hoa, table, u, v)) for u, v in lassos]))
    converted = sum(check_conversions(program, automata, options)
                    for options in FORMS if "--complete" not in options)
    made, refused = check_kinds(program, rng, formulas // 4)
    check_formats(program)
    print(f"{made} conversions of nondeterministic automata, {refused} refused")
    print(f"{len(cases)} formulas in {len(FORMS)} forms, {converted} conversions of {len(automata)} "
          f"automata: all words and all members agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
