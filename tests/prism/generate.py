# SPDX-License-Identifier: MIT
"""Generates random PRISM models that use all of the language. Most are valid; some have a deliberate error.

    text, constants = generate.model(random.Random(seed))
"""
import re

INT_FUNCTIONS = ("floor", "ceil", "round")


class Names:
    """The names that an expression may use."""

    def __init__(self):
        self.ints, self.bools = [], []           # names of variables and formulas
        self.ranges = {}                         # of int variables
        self.int_constants, self.bool_constants, self.reals = [], [], []

    def copy(self):
        other = Names()
        other.__dict__ = {k: v.copy() for k, v in self.__dict__.items()}
        return other


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.values = {}      # of constants
        self.given = {}       # for -D
        self.lines = []
        self.counter = 0

    # ---- small helpers ----

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, *options):
        return self.rng.choice(options)

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}" if self.chance(0.8) else f"_{stem}_{self.counter}"

    # ---- expressions: (text, level); a looser operand of a tighter operator gets parentheses ----
    # levels: 0 ?:, 1 =>, 2 <=>, 3 |, 4 &, 5 !, 6 = !=, 7 < >, 8 + -, 9 * /, 10 unary -, 11 ^, 12

    def put(self, expression, level):
        text, own = expression
        if own < level or self.chance(0.08):
            return f"({text})"
        return text

    def binary(self, op, level, left, right):
        """Left-associative: the right operand has higher precedence."""
        right = self.put(right, level + 1)
        return f"{self.put(left, level)}{op}{right}", level

    def integer(self, names, depth):
        if depth <= 0 or self.chance(0.25):
            return self.integer_leaf(names)
        kind = self.rng.randrange(13)
        sub = lambda: self.integer(names, depth - 1)  # noqa: E731
        if kind <= 3:
            return self.binary(self.pick("+", "-", " + ", " - "), 8, sub(), sub())
        if kind == 4:
            return self.binary("*", 9, sub(), self.integer_leaf(names))
        if kind == 5:
            return f"-{self.put(sub(), 12)}", 10
        if kind == 6:
            name = self.pick("min", "max")
            arguments = ",".join(self.put(sub(), 0) for _ in range(self.rng.randint(2, 4)))
            return (f"func({name},{arguments})" if self.chance(0.2) else f"{name}({arguments})"), 12
        if kind == 7:
            return f"mod({self.put(sub(), 0)},{self.rng.randint(1, 5)})", 12
        if kind == 8:
            text, _ = self.exact_real(names, depth - 1)
            name = self.pick(*INT_FUNCTIONS)
            return (f"func({name}, {text})" if self.chance(0.15) else f"{name}({text})"), 12
        if kind == 9:
            condition = self.put(self.boolean(names, depth - 1), 1)
            return f"{condition}?{self.put(sub(), 1)}:{self.put(sub(), 0)}", 0
        if kind == 10:
            exponent, base = str(self.rng.randint(0, 3)), self.integer_leaf(names)
            if self.chance(0.6):
                exponent = f"mod({self.put(sub(), 0)},3)"
            if self.chance(0.5):
                return f"pow({self.put(base, 0)},{exponent})", 12
            if self.chance(0.3):
                exponents = f"{self.rng.randint(0, 2)}^{self.rng.randint(0, 2)}"
                return f"{self.put(base, 12)}^{exponents}", 11
            return f"{self.put(base, 12)}^{exponent}", 11
        if kind == 11:
            argument = f"max(1,{self.put(sub(), 0)})"
            return f"floor(log({argument},{self.pick('2', '3', '10', '2.5')})+0.2137)", 12
        return f"({self.put(sub(), 0)})", 12

    def integer_leaf(self, names):
        options = names.ints * 3 + names.int_constants * 2 + [str(self.rng.randint(0, 5))]
        text = self.rng.choice(options)
        return text, 12

    def exact_real(self, names, depth):
        """A real that doubles compute exactly, or one so far from integers that rounding is not affected."""
        whole = self.integer(names, depth - 1)
        kind = self.rng.randrange(5)
        if kind == 0:
            return self.binary("/", 9, whole, (str(self.rng.randint(1, 7)), 12))
        if kind == 1:
            return self.binary("*", 9, whole, (self.pick("0.5", "0.25", ".75", "1.5e0", "25e-2"), 12))
        if kind == 2:
            return self.binary(self.pick("+", "-"), 8, whole, (self.pick("0.5", "1.25", "5E-1"), 12))
        if kind == 3:
            return self.binary("/", 9, (f"(2*{self.put(whole, 9)}+1)", 12), ("2", 12))
        return whole

    def boolean(self, names, depth):
        if depth <= 0 or self.chance(0.15):
            return self.boolean_leaf(names)
        kind = self.rng.randrange(13)
        sub = lambda: self.boolean(names, depth - 1)  # noqa: E731
        number = lambda: self.integer(names, depth - 1)  # noqa: E731
        if kind <= 2:
            return self.binary(self.pick("=", "!="), 6, number(), number())
        if kind <= 4:
            return self.binary(self.pick("<", "<=", ">", ">="), 7, number(), number())
        if kind == 5:
            return self.binary(self.pick("&", " & "), 4, sub(), sub())
        if kind == 6:
            return self.binary(self.pick("|", " | "), 3, sub(), sub())
        if kind == 7:
            return f"!{self.put(sub(), 5)}", 5
        if kind == 8:
            return self.binary("=>", 1, sub(), sub())
        if kind == 9:
            return self.binary("<=>", 2, sub(), sub())
        if kind == 10:
            return self.binary(self.pick("=", "!="), 6, sub(), sub())
        if kind == 11:
            return f"{self.put(sub(), 1)} ? {self.put(sub(), 1)} : {self.put(sub(), 0)}", 0
        if self.chance(0.3):
            constant = self.rng.choice(names.reals)[0] if names.reals else "0.37"
            return self.binary(self.pick("<", ">"), 7, self.exact_real(names, depth - 1),
                               (f"{constant}+0.0137", 8))
        return self.binary(self.pick("<", "<=", ">", ">=") if self.chance(0.6) else "=", 7,
                           self.exact_real(names, depth - 1), self.exact_real(names, 1))

    def boolean_leaf(self, names):
        roll = self.rng.random()
        if names.ranges and roll < 0.6:
            name = self.rng.choice(sorted(names.ranges))
            low, high = names.ranges[name]
            op = self.pick("=", "!=", "<", "<=", ">", ">=")
            return f"{name}{op}{self.rng.randint(low, high)}", 6 if op in ("=", "!=") else 7
        options = names.bools * 3 + names.bool_constants + ["true", "false", "true"]
        return self.rng.choice(options), 12

    # ---- constants ----

    def constants(self, names):
        declared = []
        for _ in range(self.rng.randint(0, 5)):
            kind = self.pick("int", "int", "", "double", "double", "bool")
            name = self.fresh("K")
            if kind in ("int", ""):
                value = self.rng.randint(-2, 4)
                text = str(value)
                if self.chance(0.4) and names.int_constants:
                    other = self.rng.choice(names.int_constants)
                    text, value = self.pick(
                        (f"{other}+1", self.values[other] + 1),
                        (f"mod({other},3)", self.values[other] % 3),
                        (f"-{other}", -self.values[other]),
                        (f"max({other},2)", max(self.values[other], 2)),
                        (f"floor({other}/2)", self.values[other] // 2))
                names.int_constants.append(name)
            elif kind == "bool":
                value = self.chance(0.5)
                text = str(value).lower()
                if names.int_constants and self.chance(0.4):
                    other = self.rng.choice(names.int_constants)
                    text, value = f"{other}>0", self.values[other] > 0
                names.bool_constants.append(name)
            else:
                text = self.pick("0.3", "1/3", "0.5", ".25", "1", "0", "2/7", "1e-1", "1-0.4",
                                 "pow(0.5,2)", "0.5^3", "log(2,4)")
                if names.reals and self.chance(0.4):
                    text = self.pick("1-{}", "{}/2", "{}*{}", "({}+1)/2")
                    text = text.replace("{}", self.rng.choice(names.reals)[0])
                value = None
                names.reals.append((name,))
            self.values[name] = value
            line = f"const {kind} {name}"
            if value is not None and self.chance(0.15) or kind == "double" and self.chance(0.1):
                if value is None:
                    self.given[name] = self.pick("0.4", "1/3", "0.125", "1", "0", "1e-2")
                else:
                    self.given[name] = str(value).lower()
                if self.chance(0.5):
                    text = {"bool": "false", "double": "0.5"}.get(kind, "17")
                    line += f" = {text}"
            else:
                line += f" = {text}"
            declared.append(line + ";")
        self.rng.shuffle(declared)
        return declared

    # ---- variables ----

    def variable(self, names, own, stem, with_init):
        name = self.fresh(stem)
        if self.chance(0.3):
            names.bools.append(name)
            own.append((name, None))
            initial = self.pick("", "", " init true", " init false", " init !false", " init 1=2")
            return f"{name} : bool{initial if with_init else ''};"
        low = self.rng.randint(-3, 2)
        high = low + self.rng.choice((0, 1, 1, 2, 2, 3, 4))
        low_text, high_text = str(low), str(high)
        for constant in names.int_constants:
            if self.chance(0.3):
                low_text = self.shifted(constant, low)
            if self.chance(0.3):
                high_text = self.shifted(constant, high)
        names.ints.append(name)
        names.ranges[name] = (low, high)
        own.append((name, (low_text, high_text)))
        initial = ""
        if with_init and self.chance(0.6):
            value = self.rng.randint(low, high)
            initial = f" init {self.pick(str(value), low_text if self.chance(0.5) else high_text)}"
        return f"{name} : [{low_text}..{high_text}]{initial};"

    def shifted(self, constant, value):
        difference = value - self.values[constant]
        if difference == 0:
            return constant
        return f"{constant}{'+' if difference > 0 else '-'}{abs(difference)}"

    # ---- commands ----

    def assignment(self, variable, names):
        name, bounds = variable
        if bounds is None:
            text, _ = self.boolean(names, 2)
        else:
            low, high = bounds
            kind = self.rng.randrange(6)
            text, _ = self.integer(names, 2)
            if kind == 0:
                text = self.pick(low, high, name)
            elif kind <= 2:
                text = f"min({high}, max({low}, {text}))"
            elif kind == 3:
                text = f"{low}+mod({text},({high})-({low})+1)"
            elif kind == 4:
                text = f"({text})<({low})?({low}):({text})>({high})?({high}):{text}"
            else:
                text = f"{name}<({high})?{name}+1:{low}"
        return f"({name}'={text})"

    def update(self, writable, names):
        chosen = [v for v in writable if self.chance(0.5)]
        self.rng.shuffle(chosen)
        if not chosen:
            return "true"
        return self.pick("&", " & ").join(self.assignment(v, names) for v in chosen)

    def out_of_range_update(self, writable):
        """An update that would leave the range."""
        far = [f"({name}'={bounds[1]}+5)" for name, bounds in writable if bounds is not None]
        return self.rng.choice(far) if far else "true"

    def updates(self, writable, names):
        one = lambda: self.update(writable, names)  # noqa: E731
        kind = self.rng.randrange(12)
        if kind <= 2:
            return one()
        if kind == 3:
            return f"1:{one()}"
        if kind == 4:
            n = self.rng.randint(2, 5)
            return " + ".join(f"1/{n} : {one()}" for _ in range(n))
        if kind == 5:
            parts = self.pick(("0.2", "0.8"), ("0.1", "0.2", "0.7"), ("1/3", "2/3"),
                              ("1e-3", "0.999"), (".5", "0.25", "25e-2"), ("1/7", "2/7", "4/7"),
                              ("1-0.3", "0.3"))
            return " + ".join(f"{p}:{one()}" for p in parts)
        if kind == 6 and names.reals:
            p = self.rng.choice(names.reals)[0]
            q = self.rng.choice(names.reals)[0]
            return self.pick(f"{p}:{one()} + 1-{p}:{one()}",
                             f"{p}/2+{p}/2 : {one()}+(1-{p}):{one()}",
                             f"{p}*{q}:{one()}+{p}*(1-{q}):{one()}+1-{p}:{one()}")
        if kind == 7 and names.ranges:
            x = self.rng.choice(sorted(names.ranges))
            low, high = names.ranges[x]
            span = high - low + self.rng.randint(0, 2)
            if span > 0:
                top = f"({x}-({low}))"
                return f"{top}/{span}:{one()}+1-{top}/{span}:{one()}"
        if kind == 8 and len(names.ranges) >= 2:
            x, y = self.rng.sample(sorted(names.ranges), 2)
            a = f"({x}-({names.ranges[x][0]}))"
            b = f"({y}-({names.ranges[y][0]}))"
            total = f"({a}+{b}+1)"
            return f"{a}/{total}:{one()}+{b}/{total}:{one()}+1/{total}:{one()}"
        if kind == 9:
            zero = self.pick("0", "0.0", "1-1", "0*0.5", "0/3", "pow(0,1)")
            rest = [f"{zero}:{self.out_of_range_update(writable)}", f"0.5:{one()}", f"0.5:{one()}"]
            self.rng.shuffle(rest)
            return "+".join(rest)
        if kind == 10:
            b, _ = self.boolean(names, 1)
            return f"(({b})?0.25:1):{one()}+(({b})?0.75:0):{self.update(writable, names)}"
        if kind == 11:
            b, _ = self.boolean_leaf(names)
            return f"{b}?0.125:0.5:{one()}+({b}?7/8:1/2):{one()}"
        return one()

    def command(self, action, own, global_variables, names):
        roll = self.rng.random()
        if roll < 0.12:
            guard = "true"
        elif roll < 0.45:
            guard = self.put(self.boolean_leaf(names), 3)
            if self.chance(0.6):
                guard += f" | {self.put(self.boolean(names, 2), 4)}"
        else:
            guard, _ = self.boolean(names, self.rng.choice((0, 1, 2, 3)))
            if self.chance(0.2):
                guard = f"({guard})"
        writable = own + (global_variables if not action else [])
        return f"[{action}] {guard} -> {self.updates(writable, names)};"

    def synchronising_commands(self, actions, own, names):
        """Synchronising commands that are enabled in most states."""
        found = []
        for action in actions:
            if self.chance(0.8):
                guard = "true" if self.chance(0.6) else f"{self.put(self.boolean_leaf(names), 4)}"
                update = self.update(own, names)
                if self.chance(0.4):
                    update = f"1/2:{update} + 0.5:{self.update(own, names)}"
                found.append(f"[{action}] {guard} -> {update};")
        return found

    def changing_command(self, own):
        """A command that changes the state, so that the model is not a single state."""
        name, bounds = self.rng.choice(own)
        if bounds is None:
            return f"[] true -> 0.5:({name}'=!{name}) + 0.5:true;"
        if self.chance(0.5):
            return f"[] {name}<({bounds[1]}) -> ({name}'={name}+1);"
        up, down = f"({name}'=min({bounds[1]},{name}+1))", f"({name}'=max({bounds[0]},{name}-1))"
        return f"[]true->0.75:{up}+0.25:{down};"

    # ---- rewards, labels ----

    def rewards(self, names, actions):
        name = f' "{self.fresh("r")}"' if self.chance(0.7) else ""
        items = []
        for _ in range(self.rng.randint(0, 3)):
            head = self.pick("", "[] ", f"[{self.rng.choice(actions)}] " if actions else "")
            items.append(f"  {head}{self.boolean(names, 1)[0]} : {self.exact_real(names, 1)[0]};")
        return "\n".join([f"rewards{name}", *items, "endrewards"])

    # ---- composition ----

    def some(self, actions):
        return ",".join(self.rng.sample(actions, self.rng.randint(1, len(actions))))

    def system(self, modules, actions):
        parts = list(modules)
        self.rng.shuffle(parts)
        while len(parts) > 1 or self.chance(0.3):
            if len(parts) > 1:
                left, right = parts.pop(), parts.pop(0)
                op = self.pick("||", "|||", "[]") if actions else "||"
                if op == "[]":
                    op = f"|[{self.some(actions)}]|"
                new = f"({left} {op} {right})"
            else:
                new = parts.pop()
            if actions and self.chance(0.25):
                new += f"/{{{self.some(actions)}}}"
            if actions and self.chance(0.25):
                olds = self.rng.sample(actions, self.rng.randint(1, len(actions)))
                new += "{" + ",".join(f"{o}<-{self.rng.choice(actions)}" for o in olds) + "}"
            parts.append(new)
            if len(parts) == 1 and self.chance(0.7):
                break
        text = parts[0]
        return f"system {text} endsystem"

    # ---- the model ----

    def model(self):
        rng = self.rng
        kind = rng.choice(("mdp", "mdp", "mdp", "dtmc", "dtmc", "probabilistic",
                           "nondeterministic", ""))
        names = Names()
        constants = self.constants(names)
        use_init = self.chance(0.15)
        crowded = self.chance(0.2)  # many modules that synchronise on few actions, most of which are enabled
        actions = [self.fresh("a") for _ in range(rng.randint(1, 2) if crowded else rng.randint(0, 3))]
        global_lines, global_variables = [], []
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            global_lines.append("global " + self.variable(names, global_variables, "g", not use_init))
        plans = []
        for _ in range(rng.randint(3, 4) if crowded else rng.randint(1, 3)):
            own = []
            declarations = [self.variable(names, own, "x", not use_init)
                            for _ in range(rng.choice((0, 1, 1, 1, 2, 2)))]
            plans.append((self.fresh("M"), own, declarations))
        visible = names.copy()
        labels = self.labels(visible)
        formulas = self.formulas(visible)
        labels += self.labels(visible)
        modules, items = [], []
        for name, own, declarations in plans:
            commands = []
            if own and self.chance(0.5):
                commands.append(self.changing_command(own))
            for _ in range(rng.choice((0, 1, 2, 3, 3, 4))):
                action = rng.choice(actions) if actions and self.chance(0.55) else ""
                commands.append(self.command(action, own, global_variables, visible))
            if crowded:
                commands += self.synchronising_commands(actions, own, visible)
            if actions and self.chance(0.1):
                commands.append(f"[{rng.choice(actions)}] false -> true;")
            body = [f"module {name}", *("  " + line for line in declarations + commands), "endmodule"]
            items.append("\n".join(body))
            modules.append((name, own))
        all_modules = [name for name, _ in modules]
        while self.chance(0.3) and len(all_modules) < 5:
            base, own = rng.choice(modules)
            all_modules.append(self.fresh("N"))
            items.insert(rng.randint(0, len(items)),
                         self.renaming(all_modules[-1], base, own, actions, names))
        items += formulas + labels
        if self.chance(0.25):
            items.append(self.rewards(visible, actions))
        if self.chance(0.5 if crowded else 0.3):
            used = [a for a in actions if any(f"[{a}]" in item for item in items)]
            items.append(self.system(all_modules, used if self.chance(0.9) else actions))
        if use_init:
            items.append(f"init {self.initial(visible)} endinit")
        items += constants + global_lines
        if self.chance(0.4):
            rng.shuffle(items)
        else:
            items = constants + global_lines + [i for i in items if i not in constants + global_lines]
        text = "\n\n".join(([kind] if kind else []) + items) + "\n"
        return text

    def formulas(self, names):
        made = []
        for _ in range(self.rng.choice((0, 0, 1, 2, 3))):
            name = self.fresh("f")
            if self.chance(0.5):
                made.append(f"formula {name} = {self.integer(names, 2)[0]};")
                names.ints.append(name)
            else:
                made.append(f"formula {name} = {self.boolean(names, 2)[0]};")
                names.bools.append(name)
        return made

    def labels(self, names):
        made = []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            name = f'"{self.fresh("l")}"'
            made.append(f"label {name} = {self.boolean(names, 2)[0]};")
            if self.chance(0.6):
                names.bools.append(name)
        self.rng.shuffle(made)
        return made

    def initial(self, names):
        roll = self.rng.random()
        if roll < 0.15:
            return "true"
        if roll < 0.6 and names.ranges:
            name = self.rng.choice(sorted(names.ranges))
            low, high = names.ranges[name]
            return f"{name}={self.rng.randint(low, high)}"
        return self.boolean(names, 3)[0]

    def renaming(self, name, base, own, actions, names):
        pairs = []
        for variable, bounds in own:
            new = self.fresh("y")
            pairs.append((variable, new))
        for action in actions:
            if self.chance(0.4):
                pairs.append((action, self.pick(*actions, self.fresh("a"))))
        if self.chance(0.3) and len(names.reals) >= 2:
            pairs.append((names.reals[0][0], names.reals[1][0]))
        if self.chance(0.2) and len(names.bool_constants) >= 2:
            pairs.append(tuple(names.bool_constants[:2]))
        if self.chance(0.15):
            pairs.append(("floor", "ceil"))
            if self.chance(0.5):
                pairs.append(("ceil", self.pick("floor", "round")))
        elif self.chance(0.05):
            pairs += [("min", "max"), ("max", "min")]
        if not pairs:
            pairs.append((self.fresh("unused"), self.fresh("unused")))
        self.rng.shuffle(pairs)
        return f"module {name} = {base} [ {', '.join(f'{a}={b}' for a, b in pairs)} ] endmodule"


# ---- formatting ----

WORDS = re.compile(r"""//[^\n]*|[A-Za-z_]\w*'?|\d*\.\d+(?:[eE]-?\d+)?|\d+(?:[eE]-?\d+)?|"\w+\"|"""
                   r"""<=>|=>|->|<-|<=|>=|!=|\.\.|\|+|\S""")


def tokens(text):
    return WORDS.findall(text)


def needs_blank(a, b):
    return (a[-1].isalnum() or a[-1] in "_.'") and (b[0].isalnum() or b[0] in "_.") and not (
        a == ".." or b == "..") or (a in ("<", "!", "-", "=", "<=", ".") and b[0] in "->=.<")


def compact(text):
    words = tokens(text)
    result = words[:1]
    for a, b in zip(words, words[1:]):
        result.append((" " if needs_blank(a, b) else "") + b)
    return "".join(result)


def sprawl(rng, text):
    blanks = (" ", " ", "\n", "\t", "  ", "\r\n", " // a note: x'=1 ;\n", "\n\n", " //\n")
    words = tokens(text)
    return "".join(word + rng.choice(blanks) for word in words)


def decorate(rng, text):
    roll = rng.random()
    if roll < 0.75:
        return text
    if roll < 0.85:
        return compact(text)
    return sprawl(rng, text)


# ---- breaking ----

def replace_line(rng, text, pattern, replacement):
    """Replaces one of the matches; None if there is none."""
    found = list(re.finditer(pattern, text))
    if not found:
        return None
    match = rng.choice(found)
    return text[:match.start()] + match.expand(replacement) + text[match.end():]


BREAKS = (
    (r"-> ", r"-> 0.5:"),                              # leaves a sum, or nonsense
    (r"1/3", "1/2"), (r"0\.8", "0.9"), (r"0\.5:", "0.4:"),
    (r"0\.2:", "-0.2:"), (r"0\.7:", "1.7:"),
    (r"\bmin\(", "minimum("), (r"\bx(\d+)\b", r"z\1"), (r"\b_?K_?(\d+)\b", r"C\1"),
    (r"&", "+"), (r"=>", "+"), (r"\+", "&"), (r">=", "&"), (r"=", "<=>"),
    (r"\bfalse\b", "0"), (r"\btrue\b", "1"), (r"\b1\b", "1.5"),
    (r"mod\(([^(),]+),[1-5]\)", r"mod(\1,0)"),
    (r"endmodule", ""), (r";", ""), (r"\(", ""), (r"\)", ""), (r"\]", ""), (r"->", "=>"),
    (r"\.\.", "."), (r"'=", "="), (r'"', ""), (r"\bmodule\b", ""),
    (r"(\(\w+'=[^()&]*\))", r"\1&\1"),
    (r"\bmdp\b", "ctmc"), (r"\bdtmc\b", "pta"), (r"\bmdp\b", "pomdp"), (r"\bdtmc\b", "mdp mdp"),
    (r"\[\] ", "[F] "), (r": bool", ": clock"), (r": bool", ": int"), (r": bool", ": real"),
    (r"(const int \w+) =[^;]*;", r"\1;"),
    (r"(const (?:int|double|) ?(\w+)) =[^;]*;", r"\1 = \2+1;"),
    (r"(const int \w+) =[^;]*;", r"\1 = 7/2;"),
    (r"(const bool \w+) =[^;]*;", r"\1 = 1;"),
    (r"(formula (\w+)) =[^;]*;", r"\1 = \2;"),
    (r'(label ("\w+")) =[^;]*;', r"\1 = !\2;"), (r'label "(\w+)"', r'label "z\1"'),
    (r'"\w+"', '"init"'), (r"(const bool \w+) =[^;]*;", r'\1 = "l1";'),
    (r"(\w+ : \[[^]]*\])[^;]*;", r"\1 init 99;"),
    (r"(\w+) : \[[^]]*\]", r"\1 : [3..1]"),
    (r"(\w+) : \[[^]]*\]", r"\1 : [0..0.5]"),
    (r"(\w+ : [^;]*;)", r"\1 \1"),
    (r"(label [^;]*;)", r"\1 \1"),
    (r"(formula [^;]*;)", r"\1 \1"),
    (r"(const [^;]*;)", r"\1 \1"),
    (r"system [^;]*? endsystem", "system nobody endsystem"),
    (r"\w+'=", "nobody'="),
    (r"\((\w+)'=[^()&]*\)", r"(\1'=\1+100)"),
    (r"\((\w+)'=[^()&]*\)", r"(\1'=0.5)"),
    (r"\((\w+)'=[^()&]*\)", r"(\1'=true)"),
    (r"endinit", "& false endinit"),
    (r"(\w+) \[ ", r"nobody [ "),
)


def broken(rng, text):
    """A model that probably has an error."""
    for _ in range(20):
        if rng.random() < 0.2:
            words = tokens(text)
            at = rng.randrange(len(words))
            found = list(re.finditer(re.escape(words[at]), text))
            match = rng.choice(found)
            other = rng.choice((rng.choice(words), "", "$", "#", "(", "true", "1.", "\"", "é"))
            return text[:match.start()] + other + text[match.end():]
        changed = replace_line(rng, text, *rng.choice(BREAKS))
        if changed is not None:
            return changed
    return text + "endmodule"


def model(rng):
    """(text, {constant: value})"""
    generator = Generator(rng)
    text = generator.model()
    if rng.random() < 0.2:
        return broken(rng, text), generator.given
    return decorate(rng, text), generator.given
