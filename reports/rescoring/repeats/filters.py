"""How lm-evaluation-harness filters the answers to a question before comparing one of them.

A task has filters, each a chain of functions. Some find the answer in each text; others choose: the
first answer, the first k, or the one that most agree on.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reports.rescoring.patterns import NotRegular, found, without

Ending = Literal["all", "first", "vote"]
Steps = tuple[Callable[[Sequence[str]], Sequence[str]], ...]

_DROPPED = (
    ("ignore_punctuation", str.maketrans("", "", string.punctuation)),
    ("ignore_numbers", str.maketrans("", "", string.digits)),
)


@dataclass(frozen=True)
class Chain:
    """A filter."""

    steps: Steps  # Each takes texts and gives as many.
    ending: Ending  # Which answers of a question are left.
    finds: str = ""  # What the steps are; equal where they are the same.
    # Of the answers of a question only so many, the first ones, are looked at.
    most: int | None = None

    def answers(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the answer in each text."""
        for step in self.steps:
            texts = step(texts)
        return texts


def chain_of(described: Any) -> Chain | None:
    """Return the chain that a task's configuration describes; None where kofn cannot follow it.

    Examples
    --------
    >>> found = chain_of(
    ...     [
    ...         {"function": "regex", "regex_pattern": "is ([0-9]+)"},
    ...         {"function": "majority_vote"},
    ...         {"function": "take_first"},
    ...     ]
    ... )
    >>> found.answers(["It is 7.", "no"]), found.ending
    (['7', '[invalid]'], 'vote')
    """
    steps: list[Callable[[Sequence[str]], Sequence[str]]] = []
    ending: Ending = "all"
    most: int | None = None
    finds: list[str] = []
    for step in described if isinstance(described, list) else [None]:
        match step:
            case {"function": "take_first"}:
                ending = "first" if ending == "all" else ending
            case {"function": "majority_vote"}:
                ending = "vote"
            case {"function": "take_first_k", "k": int(k)} if ending == "all":
                most = k
            case {"function": str(name), **options} if name in _EACH and ending == "all":
                steps.append(_EACH[name]({str(key): value for key, value in options.items()}))
                finds.append(json.dumps(step, sort_keys=True))
            case _:
                return None
    return Chain(tuple(steps), ending, "\n".join(finds), most)


def compared(texts: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    r"""Return texts as exact_match compares them, with the options of its entry.

    Examples
    --------
    >>> compared(["It is #### 1,200."], {"regexes_to_ignore": [",", "(?s).*#### ", r"\.$"]})
    ['1200']
    """
    left = list(texts)
    ignored = options.get("regexes_to_ignore")
    for pattern in ignored if isinstance(ignored, list) else []:
        left = without(str(pattern), left)
    if options.get("ignore_case"):
        left = [text.lower() for text in left]
    for name, table in _DROPPED:
        if options.get(name):
            left = [text.translate(table) for text in left]
    return left


def _by_pattern(options: Mapping[str, Any]) -> Callable[[Sequence[str]], Sequence[str]]:
    pattern = options.get("regex_pattern", r"#### (\-?[0-9\.\,]+)")
    which, fallback = options.get("group_select", 0), options.get("fallback", "[invalid]")

    def step(texts: Sequence[str]) -> Sequence[str]:
        if not isinstance(pattern, str) or not isinstance(which, int):
            raise NotRegular(str(pattern))
        return [
            str(fallback) if text is None else text.strip() for text in found(pattern, texts, which)
        ]

    return step


def _by_map(options: Mapping[str, Any]) -> Callable[[Sequence[str]], Sequence[str]]:
    known, default = options.get("mapping_dict"), options.get("default_value")
    mapping = known if isinstance(known, Mapping) else {}
    return lambda texts: [str(mapping.get(text, default)) for text in texts]


_EACH: Mapping[str, Callable[[Mapping[str, Any]], Callable[[Sequence[str]], Sequence[str]]]] = {
    "regex": _by_pattern,
    "map": _by_map,
    "lowercase": lambda _: lambda texts: [text.lower() for text in texts],
    "uppercase": lambda _: lambda texts: [text.upper() for text in texts],
    "remove_whitespace": lambda _: lambda texts: [text.removeprefix(" ") for text in texts],
}
"""Functions that find the answer in each text."""
