#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""omegapac report: pages of all kinds of results, and of what is none.

Every page is read by a parser that knows which elements end and which do not: tags are balanced, ids
are unique, links lead somewhere, and nothing comes from outside. Its data are the results; what its
script makes of them is tested in a browser (tests/browser).

usage: report.py PROGRAM FOLDER-OF-EXAMPLES ROUNDS
"""
import base64
import copy
import hashlib
import html.parser
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

from results import computed

VOID = {"meta", "input", "br", "link", "img"}
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u202e\u0007\u200b\u2066\u200f\u00ad\ufeff\U000e0041"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.classes, self.text = [], [], [], [], []
        self.tags, self.places, self.data, self.is_data = [], [], [], False
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        assert len(self.ids) == len(set(self.ids)), "an id is used twice"
        for link in self.links:
            assert link.startswith("#") and link[1:] in self.ids, f"{link} leads nowhere"
        assert self.tags.count("script") == len(self.data) + 1 == self.tags.count("article") + 1

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        assert not any(name.startswith("on") for name in names), f"<{tag}> runs something"
        given = dict(attributes)
        assert "src" not in given and "style" not in given, (tag, given)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        self.classes += given.get("class", "").split()
        if tag == "g" and "data-place" in given:
            self.places.append(given)
        self.is_data = given.get("type") == "application/json"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> ends {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.is_data:
            assert data.isascii() and not set("<>&") & set(data)
            self.data.append(json.loads(data))
        if "style" not in self.open and "script" not in self.open:
            self.text.append(data)

    @property
    def words(self):
        """What a reader without scripts sees."""
        return " ".join("".join(self.text).split())


def digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class Reporter:
    def __init__(self, program, examples, folder):
        self.program, self.examples, self.folder = program, pathlib.Path(examples), pathlib.Path(folder)

    def run(self, *arguments, check=None, text=None):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, input=text,
                              cwd=self.folder)
        if check is not None:
            assert done.returncode == check, (arguments, done)
        return done

    def model(self, name):
        return self.examples / "models" / name

    def results(self, *arguments):
        done = self.run(*arguments, "--json")
        assert done.stdout, done.stderr
        return done.stdout

    def page(self, text):
        """The page of a text; checked."""
        done = self.run("report", "-", check=0, text=text)
        assert done.stderr == ""
        plain = done.stdout.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in plain and "https:" not in plain and "url(" not in plain, "something from outside"
        # Of all scripts and styles, a browser uses these alone.
        script = done.stdout.split('<script type="module">')[1].split("</script>")[0]
        assert f"script-src {digest(script)}\">" in done.stdout
        allowed = done.stdout.split("style-src ")[1].split(";")[0].split()
        styles = re.findall("<style>(.*?)</style>", done.stdout, re.DOTALL)
        assert styles and set(map(digest, styles)) <= set(allowed) and len(allowed) == 2
        return Page(done.stdout)

    def error(self, text, *parts):
        done = self.run("report", "-", text=text) if isinstance(text, str) else subprocess.run(
            [self.program, "report", "-"], input=text, capture_output=True)
        message = done.stderr if isinstance(text, str) else done.stderr.decode()
        assert done.returncode in (2, 5) and not done.stdout, done
        assert message.count("\n") == 1 and message.startswith("omegapac report: "), message
        for part in parts:
            assert part in message, (part, message)
        return message


def all_commands(r):
    """A result of every command."""
    grid, coins, channel = r.model("gridworld.prism"), r.model("two-coins.prism"), r.model("channel.prism")
    learn = ["--epsilon", "1/20", "--delta", "1/10", "--no-timing", "-q"]
    r.run("learn", grid, "-f", "G F s", "--pmin", "1/5", *learn, "--certificate", "run.cert", check=0)
    r.run("check", channel, "-f", "F delivered", "--policy", "policy.json", check=0)
    simulator = "exec:python3 " + shlex.quote(str(r.examples / "simulators" / "gridworld.py"))
    return {
        "bracket": ["learn", grid, "-f", "(G F s) & (G F g)", "--pmin", "1/5", *learn],
        "generative": ["learn", grid, "-f", "F g", "--graph", "model", "--explore", "generative", *learn],
        "horizon": ["learn", grid, "-f", "(G F s) & (G F g)", "-T", "306", "--k", "60", "--seed", "3", *learn],
        "auto": ["learn", grid, "-f", "G F s", "-T", "auto", "--target", "1/5", "--sampler", "step", "--max-steps",
                 "9999", *learn],
        "declared": ["learn", grid, "-f", "G F s", "--pmin", "1/5", "--states", "9", "--actions", "5", "--branching",
                     "4", *learn],
        "refuted": ["learn", channel, "-f", "F delivered", "--pmin", "1/3", *learn],
        "kind": ["learn", coins, "-D", "p=1/3", "-f", "F both", "--pmin", "1/3", "--kind", "ldba", *learn],
        "simulator": ["learn", simulator, "-f", "G F s & G F g", "--pmin", "1/5", *learn],
        "runs": ["learn", grid, "-f", "G F s", "--pmin", "1/5", "--runs", "4", *learn],
        "check": ["check", channel, "-f", "F delivered", "--no-timing"],
        "least": ["check", grid, "-f", "G F s", "--min", "--exact", "--no-timing"],
        "several": ["check", grid, "-f", "G F s", "-f", "F \"x=2\"", "-p", 'P>=1/2 [ F "s" ]', "--no-timing"],
        "verdict": ["check", coins, "-D", "p=1/3", "-p", 'P<1/9 [ F "both" ]', "--no-timing"],
        "evaluate": ["evaluate", channel, "--policy", "policy.json", "--exact", "--no-timing"],
        "estimate": ["estimate", coins, "-D", "p=1/2", "-f", "F both", "-T", "4", *learn],
        "bound": ["bound", "--states", "12", "--actions", "4", "-T", "19", "--epsilon", "1/20", "--delta", "1/10",
                  "--slack", "1/5"],
        "huge": ["bound", "--states", "12", "--actions", "4", "-T", "1000", "--epsilon", "1e-300", "--delta", "1/10",
                 "--k", "paper"],
        "recurrence": ["recurrence", grid, "--epsilon", "1/20", "-f", "G F s", "--no-timing"],
        "policy time": ["recurrence", channel, "--epsilon", "1/20", "-f", "F delivered", "--policy", "policy.json",
                        "--no-timing"],
        "verify": ["verify", "run.cert", grid],
        "env": ["env", "check", simulator, "--episodes", "5", "--steps", "5", "--no-timing"],
        "info": ["info", grid, "--no-timing", "-f", "G F s"],
        "translate": ["translate", "(G F a) -> G F b", "--kind", "ldba", "--no-timing"],
    }


def check_all(r):
    """Each result has a page with the result in it, whose arguments give the same result."""
    pages, texts = {}, {}
    for name, arguments in all_commands(r).items():
        texts[name] = r.results(*arguments)
        page = pages[name] = r.page(texts[name])
        assert page.ids.count("r1") == 1 and "r2" not in page.ids, name
        results = page.data[0]["results"]
        assert results == [json.loads(line) for line in texts[name].splitlines()], name
        words = results[-1]["arguments"]
        assert computed(r.run(*words).stdout) == computed(texts[name]), (name, words)
    return pages, texts


def check_contents(r, pages, texts):
    """What a reader without scripts sees, and the pictures."""
    words = {name: page.words for name, page in pages.items()}
    assert "999/1000" in words["evaluate"] and re.search(r"e\d{3,}", words["huge"]), words
    assert "holds" in words["verify"]
    for finding in json.loads(texts["env"])["findings"]:
        assert finding["check"] in words["env"] and finding["text"].split('"')[0] in words["env"], (finding, words["env"])
    assert json.loads(texts["estimate"])["guarantee"]["statement"].split(",")[0] in words["estimate"]
    for name, text in texts.items():
        assert len(words[name]) > 100, (name, words[name])
    for name in ("bracket", "check", "horizon"):
        result = json.loads(texts[name])
        page, places = pages[name], pages[name].data[0]["places"]
        drawn = {(given["data-memory"], given["data-place"]) for given in page.places}
        named = {(str(item["memory"]), places["names"][number]) for key, list in
                 (("decisions", result["policy"]["decisions"]), ("sample", result.get("sample", [])))
                 for item, number in zip(list, places[key], strict=True)}
        assert {place for _, place in named} <= {place for _, place in drawn}, name
        assert {(str(d["memory"]), places["names"][n]) for d, n in
                zip(result["policy"]["decisions"], places["decisions"])} <= drawn, name
    assert pages["bracket"].data[0]["places"]["picture"] == "grid"
    assert "r1-picture" in pages["simulator"].ids and pages["simulator"].data[0]["simulated"]
    assert pages["translate"].data[0]["automata"][0]["kind"] == "limit-deterministic"
    assert "opac-node" in pages["runs"].classes  # the automaton of all of them
    # By coordinates a grid, else a graph of the chain.
    assert "opac-cell" in pages["bracket"].classes and "opac-node" in pages["check"].classes
    large = r.page(r.results("check", r.examples / "gallery" / "mill.prism", "-f",
                             "(G F wind) & (G F grain) & (G F flour) & (G F bread)", "--no-timing"))
    assert "opac-node" in large.classes and large.data[0]["places"]["picture"] == "graph"
    # Where states share a place, a grid for each combination of the other variables.
    layers = r.results("check", r.examples / "gallery" / "warehouse.prism", "-D", "width=8,height=4", "-f",
                       "(G F full) & (G F vacant)", "--no-timing")
    page = r.page(layers)
    states = json.loads(layers)["states"]
    drawn = {given["data-place"] for given in page.places}
    assert drawn == {", ".join(f"{name}={json.dumps(value)}" for name, value in state["values"].items())
                     for state in states}
    assert page.classes.count("opac-panel") == 6 and page.data[0]["places"]["picture"] == "layers"
    # All cells of the grid, also those where nothing is decided.
    result = json.loads(texts["bracket"])
    memories = {decision["memory"] for decision in result["policy"]["decisions"]}
    assert len(result["states"]) == 6 and any("trap" in state["labels"] for state in result["states"])
    assert pages["bracket"].classes.count("opac-place") == 6 * len(memories)
    assert pages["check"].classes.count("opac-place") == len(json.loads(texts["check"])["chain"]["nodes"])


def check_chain(r, texts):
    """The chain in a result is that of the policy: rows are distributions, and decisions are its actions."""
    for name in ("bracket", "check", "least", "kind"):
        result = json.loads(texts[name])
        chain, decisions = result["chain"], result["policy"]["decisions"]
        actions = {(d["memory"], d["state"]): (d["action"], d["next"]) for d in decisions}
        sums = [0] * len(chain["nodes"])
        for edge in chain["edges"]:
            sums[edge["from"]] += edge["probability"]
            node, target = chain["nodes"][edge["from"]], chain["nodes"][edge["to"]]
            # Where nothing is decided, nothing matters: the first action, and the memory stays.
            action, following = actions.get((node["memory"], node["state"]), (node["action"], node["memory"]))
            assert node["action"] == action and target["memory"] == following, (name, edge)
        assert all(abs(total - 1) < 1e-9 for total in sums), (name, sums)
        met = {(n["memory"], n["state"]) for n in chain["nodes"]}
        assert len(met) == len(chain["nodes"]) and set(actions) <= met, name
    large = json.loads(r.results("check", r.model("frozenlake.prism"), "-f", "F goal"))
    assert len(large["policy"]["decisions"]) < 61 or "chain" not in large


def check_several(r, texts):
    pathlib.Path(r.folder, "one.json").write_text(texts["bracket"])
    pathlib.Path(r.folder, "two.json").write_text(json.dumps(json.loads(texts["check"]), indent=2))
    pathlib.Path(r.folder, "three.json").write_text(texts["runs"] + "\n" + texts["bound"])
    done = r.run("report", "one.json", "two.json", "three.json", "-o", "all.html", "--title", "A <title>", check=0)
    assert done.stdout == "" and done.stderr == "omegapac report: wrote 'all.html'\n", done
    page = Page(pathlib.Path(r.folder, "all.html").read_text())
    assert page.classes.count("result") == 4 and [len(data["results"]) for data in page.data] == [1, 1, 5, 1]
    assert page.words.count("A <title>") == 2 and page.tags.count("h1") == 1 and page.tags.count("h2") == 4
    again = r.run("report", "one.json", "two.json", "three.json", "-o", "again.html", "--title", "A <title>", "-q")
    assert again.stderr == ""
    assert pathlib.Path(r.folder, "all.html").read_bytes() == pathlib.Path(r.folder, "again.html").read_bytes()
    # Runs whose summary was lost.
    cut = r.page("".join(texts["runs"].splitlines(True)[:2]))
    assert len(cut.data) == 1 and len(cut.data[0]["results"]) == 2


def check_files(r):
    before = pathlib.Path(r.folder, "one.json").read_bytes()
    for output in ("one.json", "./one.json"):
        done = r.run("report", "one.json", "-o", output, check=2)
        assert "which is not overwritten" in done.stderr, done
    pathlib.Path(r.folder, "link.html").symlink_to("one.json")
    assert "not overwritten" in r.run("report", "one.json", "-o", "link.html", check=2).stderr
    assert pathlib.Path(r.folder, "one.json").read_bytes() == before
    assert "can be read only once" in r.run("report", "-", "-", check=2, text="").stderr
    assert "missing RESULT" in r.run("report", check=2).stderr
    assert "cannot read" in r.run("report", "nowhere.json", check=2).stderr
    r.run("report", "one.json", "-o", "nowhere/report.html", check=2)
    # A policy that is too large for its result.
    result = json.loads(before)
    result["policy"] = {"path": "p.json", "digest": "fnv1a64:0123456789abcdef", "decisions": 123456}
    del result["chain"]
    assert r.page(json.dumps(result)).data[0]["places"]["decisions"] == []


def check_none(r, texts):
    """What is no result is said to be none, and what it is."""
    r.error("", "the file contains no result")
    r.error(" \n\n", "the file contains no result")
    r.error("nonsense", "<stdin>:1:")
    r.error(texts["bracket"][:500], "<stdin>:1:")
    r.error("[]", "expected an object, found an array")
    r.error("{}", "member 'schema' is missing")
    r.error('{"schema": 3}', "schema: expected a string")
    r.error('{"schema": "omegapac.result/1"}', "member 'command' is missing")
    r.error('{"schema": "omegapac.result/2", "command": "learn"}', "omegapac.result/2", "omegapac.result/1")
    r.error('{"schema": "omegapac.experiment/1"}', "experiment")
    r.error('{"schema": "omegapac.policy/1"}', "policy, not a result: give a file written with --json")
    r.error('{"schema": "other"}', "'other'")
    r.error(r.results("simulate", r.model("gridworld.prism"), "--steps", "2"), "the steps of a trace", "<stdin>:1", "with --json")
    r.error(texts["bound"] + "{}\n", "<stdin>:2: member 'schema'")
    r.error(texts["bound"].encode() + b"\xff\n", "<stdin>:2:")
    r.error(texts["bound"].replace('"bound"', '"bo\\u0000und"'), "NUL")
    r.error("[" * 5000, "nested too deep")
    r.error('{"schema": "omegapac.result/1", "command": "learn", "inputs": {"objective": ' + "[" * 100 + "]" * 100 + "}}",
            "inputs.objective: expected a string")


def paths_of(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths_of(item, path + (key,))


def put(value, path, item):
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = item
    return value


def check_wrong_types(r, texts, rounds):
    """Any member of any type: a page, or an error in one line that names it."""
    values = [None, True, -1, 0.5, "", EVIL, [], {}, [[]], [{}], {"x": {}}, [1, "a"], 10**400]
    source = random.Random(1)
    cases = []
    for name in sorted(set(texts) - {"huge"}):  # Python has no such numbers
        lines = texts[name].splitlines()
        result = json.loads(lines[-1])
        for member in ("trace", "sample"):
            if member in result:
                result[member] = result[member][:2]
        if "decisions" in result.get("policy", {}):
            result["policy"]["decisions"] = result["policy"]["decisions"][:3]
        paths = [path for path in paths_of(result) if path and path not in (("schema",), ("command",))]
        cases += [(result, path, source.choice(values)) for path in source.sample(paths, min(len(paths), rounds))]
    for result, path, value in cases:
        text = json.dumps(put(result, path, value))
        done = r.run("report", "-", text=text)
        if done.returncode == 0:
            Page(done.stdout)
        else:
            assert done.returncode == 2 and not done.stdout and done.stderr.count("\n") == 1, (path, value, done)
            assert str([k for k in path if isinstance(k, str)][0]) in done.stderr or "chain" in path, (path, value, done)


def poison(value):
    """Every text, and every name of a variable or property, becomes markup."""
    if isinstance(value, dict):
        return {key + EVIL if key in ("x", "y", "tries") else key: item if key in ("schema", "command") else
                poison(item) for key, item in value.items()}
    if isinstance(value, list):
        return [poison(item) for item in value]
    return value + EVIL if isinstance(value, str) else value


def check_hostile(r, texts):
    for name in sorted(set(texts) - {"huge"}):
        text = "".join(json.dumps(poison(json.loads(line))) + "\n" for line in texts[name].splitlines())
        done = r.run("report", "-", "--title", EVIL, check=0, text=text)
        page = Page(done.stdout)
        assert "img" not in page.tags, name
        for unseen in "\u202e\u0007\u200b\u2066\u200f\u00ad\ufeff\U000e0041":
            assert unseen not in done.stdout, (name, unseen)
    command = json.loads(texts["bound"])
    command["command"] = EVIL
    assert "img" not in r.page(json.dumps(command)).tags


def main():
    program, examples = map(lambda p: str(pathlib.Path(p).resolve()), sys.argv[1:3])
    rounds = int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        r = Reporter(program, examples, folder)
        pages, texts = check_all(r)
        check_contents(r, pages, texts)
        check_chain(r, texts)
        check_several(r, texts)
        check_files(r)
        check_none(r, texts)
        check_wrong_types(r, texts, rounds)
        check_hostile(r, texts)


main()
