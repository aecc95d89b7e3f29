# SPDX-License-Identifier: MIT
"""Syntax trees of expressions and files."""
from dataclasses import dataclass, field


@dataclass
class Node:
    """op: 'bool' 'int' 'real' (value), 'name' (value), 'label' (value), 'call' (value: the
    function), or an operator with its operands."""
    op: str
    line: int
    operands: tuple = ()
    value: object = None


@dataclass
class Constant:
    name: str
    type: str
    value: object
    line: int


@dataclass
class Variable:
    name: str
    type: str
    low: object
    high: object
    initial: object
    line: int


@dataclass
class Branch:
    probability: object
    assignments: list  # of (name, Node, line)
    line: int


@dataclass
class Command:
    action: str  # "": none
    guard: Node
    branches: list
    line: int


@dataclass
class Module:
    name: str
    line: int
    variables: list = field(default_factory=list)
    commands: list = field(default_factory=list)
    base: str = None
    renaming: list = field(default_factory=list)  # of (old, new, line)


@dataclass
class File:
    type: str = None
    constants: list = field(default_factory=list)
    formulas: list = field(default_factory=list)  # of (name, Node, line)
    labels: list = field(default_factory=list)    # of (name, Node, line)
    globals: list = field(default_factory=list)
    modules: list = field(default_factory=list)
    rewards: list = field(default_factory=list)   # of (action or None, guard, value)
    reward_names: set = field(default_factory=set)
    initial: Node = None
    system: tuple = None
    system_line: int = 0
