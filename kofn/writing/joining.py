"""Join sentences and phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metrics.data.words import Enumerated, Text

NAMED = 3
"""The most names in a sentence."""


def joined(sentences: Sequence[Text]) -> Text:
    """Put sentences one after the other; there is one at least.

    Examples
    --------
    >>> str(joined([Text("A leads."), Text("B is second.")]))
    'A leads. B is second.'
    """
    first, *rest = sentences
    return Text("{first} {rest}", first=first, rest=joined(rest)) if rest else first


def sentences(text: Text) -> list[Text]:
    """Return the sentences that `joined` put one after the other.

    Examples
    --------
    >>> both = joined([Text("A leads."), joined([Text("B is second."), Text("C is third.")])])
    >>> [str(each) for each in sentences(both)]
    ['A leads.', 'B is second.', 'C is third.']
    >>> [str(each) for each in sentences(with_name("maths", both))]
    ['maths: A leads.', 'B is second.', 'C is third.']
    """
    if text.template == "{name}: {said}" and isinstance(text.fields["said"], Text):
        first, *rest = sentences(text.fields["said"])
        return [with_name(text.fields["name"], first), *rest]
    if text.template != "{first} {rest}":
        return [text]
    return [each for part in text.fields.values() for each in sentences(part)]


def listed(phrases: Iterable[Text]) -> Text:
    """Put phrases of a sentence one after the other; there is one at least.

    Examples
    --------
    >>> str(listed([Text("one"), Text("two")]))
    'one; two'
    """
    first, *rest = phrases
    return Text("{first}; {rest}", first=first, rest=listed(rest)) if rest else first


def in_a_row(phrases: Iterable[Text]) -> Text:
    """Put phrases one after the other with commas; there is one at least.

    Examples
    --------
    >>> str(in_a_row([Text("one"), Text("two")]))
    'one, two'
    """
    first, *rest = phrases
    return Text("{first}, {rest}", first=first, rest=in_a_row(rest)) if rest else first


def some(names: Iterable[str]) -> Text:
    """Name several things, and say that there are more.

    Examples
    --------
    >>> str(some(["a"])), str(some(["a", "b"])), str(some("abcde"))
    ('a', 'a and b', 'a, b and 3 more')
    """
    every = list(names)
    if len(every) > NAMED:
        return Text(
            "{names} and {count} more",
            names=Enumerated(every[: NAMED - 1]),
            count=len(every) - NAMED + 1,
        )
    *before, last = every
    if not before:
        return Text("{name}", name=last)
    return Text("{names} and {last}", names=Enumerated(before), last=last)


def any_of(names: Sequence[str]) -> Text:
    """Name things of which one is meant; there is one at least.

    Examples
    --------
    >>> str(any_of(["a", "b", "c"]))
    'a or b or c'
    """
    first, *rest = names
    if not rest:
        return Text("{name}", name=first)
    return Text("{first} or {rest}", first=first, rest=any_of(rest))


def below_one_another(lines: Sequence[Text]) -> Text:
    """Put each text on a line of its own; there is one at least."""
    first, *rest = lines
    return Text("{first}\n{rest}", first=first, rest=below_one_another(rest)) if rest else first


def with_name(name: object, sentence: object) -> Text:
    """Name what something is said of, and say it.

    Examples
    --------
    >>> str(with_name("7B", Text("It leads.")))
    '7B: It leads.'
    """
    return Text("{name}: {said}", name=name, said=sentence)
