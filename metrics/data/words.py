"""Sentences that people read, kept apart from their numbers until they are shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from itertools import islice
from numbers import Integral
from string import Formatter
from typing import Any, Protocol

_CHINESE = r"[\u2e80-\u9fff\uff00-\uffef]"
_NO_SPACE = f"{_CHINESE}(?: \n|\n ){_CHINESE}"
AS_GIVEN = frozenset({"got", "high", "k", "low", "n", "status"})
"""Fields of which whole numbers are written without commas, such as k in pass@1024."""
_LISTED = 40
"""Names that are listed of many."""
_LIKENED = 2000
"""Names that are likened to another, which takes time for each."""


class Catalogue(Hashable, Protocol):
    """Sentences in another language, such as `gettext.GNUTranslations`."""

    def gettext(self, message: str, /) -> str:
        """Return the translation of a template."""

    def ngettext(self, one: str, several: str, count: int, /) -> str:
        """Return the translation of a template with its plural."""


_READ_IN: ContextVar[Catalogue | None] = ContextVar("read_in", default=None)


def reader() -> Catalogue | None:
    """Return the catalogue of whoever reads what this thread says; None for English."""
    return _READ_IN.get()


def read_in(catalogue: Catalogue | None) -> None:
    """Have sentences rendered by a catalogue, in this thread and from here on; None for English."""
    _READ_IN.set(catalogue)


@contextmanager
def reading_in(catalogue: Catalogue | None) -> Iterator[None]:
    """Have sentences rendered by a catalogue for a while, in this thread; None for English."""
    before = _READ_IN.set(catalogue)
    try:
        yield
    finally:
        _READ_IN.reset(before)


class Text:
    """A sentence in English with named fields, rendered in the reader's language where it is shown.

    The templates are string literals, so that ``pybabel extract`` collects them.

    Parameters
    ----------
    template : str
        A ``str.format`` template, such as ``"{count} question was dropped."``.
    plural : str, optional
        The template when the field ``count`` is not 1.
    **fields
        The values of the template; a value may be another `Text`.

    Examples
    --------
    >>> str(Text("{count} question was dropped.", "{count} questions were dropped.", count=2))
    '2 questions were dropped.'
    >>> str(Text("{share:.1%} of the samples failed.", share=0.055))
    '5.5% of the samples failed.'
    """

    __slots__ = ("_items", "plural", "template")
    template: str
    plural: str | None
    _items: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, plural: str | None = None, /, **fields: Any) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "plural", plural)
        object.__setattr__(self, "_items", tuple(sorted(fields.items())))

    @property
    def fields(self) -> dict[str, Any]:
        """The values of the template, by name."""
        return dict(self._items)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Text is immutable; cannot set {name}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.template, self.plural, self.fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        """Render it, and every sentence within it, in the language of the reader."""
        fields, catalogue = _with_commas(self._items), _READ_IN.get()
        if not self.template:
            return ""
        if self.plural is None:
            template = catalogue.gettext(self.template) if catalogue else self.template
        elif catalogue:
            count = 1 if fields["count"] == 1 else 2  # of which there may be parts, or unknown ones
            template = catalogue.ngettext(self.template, self.plural, count)
        else:
            template = self.template if fields["count"] == 1 else self.plural
        return _filled(template, fields) if catalogue else template.format(**fields)

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"

    def _key(self) -> tuple[Any, ...]:
        return self.template, self.plural, self._items


class _Count(int):
    """A whole number that is written with commas where a template does not ask otherwise."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return format(int(self), spec or ",")


def _with_commas(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a template, counts with commas.

    Examples
    --------
    >>> str(Text("{count} of {all} samples, n = {n}", count=1000, all=19900, n=1024))
    '1,000 of 19,900 samples, n = 1024'
    """
    return {
        name: _Count(value)
        if isinstance(value, Integral) and name not in AS_GIVEN and int(value) >= 1000
        else value
        for name, value in items
    }


def _filled(template: str, fields: Mapping[str, Any]) -> str:
    """Fill a template; a space beside a field goes where Chinese stands on both of its sides.

    Whether a field begins or ends with Chinese, a translation cannot know.

    Examples
    --------
    >>> _filled("就是 {what} 的", {"what": "公布的 5%"}), _filled("{a} 和 b", {"a": "5%（4 至 6）"})
    ('就是公布的 5% 的', '5%（4 至 6）和 b')
    """
    filled = ""
    for literal, name, spec, conversion in Formatter().parse(template):
        filled = _joined(filled, literal)
        if name is not None:
            field = f"{{{name}{f'!{conversion}' if conversion else ''}:{spec}}}"
            filled = _joined(filled, field.format(**fields))
    return filled


def _joined(before: str, right: str) -> str:
    between = f"{before[-2:]}\n{right[:2]}"
    if not between.isascii() and re.search(_NO_SPACE, between):
        return before.rstrip(" ") + right.lstrip(" ")
    return before + right


def restored(template: str, plural: str | None, fields: dict[str, Any]) -> Text:
    """Return a sentence as it was pickled."""
    return Text(template, plural, **fields)


class Enumerated(tuple[object, ...]):
    """Names one after the other, with the commas of the reader's language between them.

    Examples
    --------
    >>> str(Enumerated(["a", "b"])), str(Text("There are: {known}.", known=Enumerated("ab")))
    ('a, b', 'There are: a, b.')
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Write them, in the language of the reader."""
        return str(Text(", ")).join(map(str, self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class ListedApart(Enumerated):
    """Names that may have commas themselves, with semicolons between them.

    Examples
    --------
    >>> str(ListedApart(["a, b", "c"]))
    'a, b; c'
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Write them, in the language of the reader."""
        return str(Text("; ")).join(map(str, self))


def some_of(names: Iterable[object], most: int) -> Enumerated:
    """Return the first names, and that there are more.

    Examples
    --------
    >>> str(some_of("abc", 3)), str(some_of("abcd", 3))
    ('a, b, c', 'a, b, c, …')
    """
    shown = list(islice(names, most + 1))
    return Enumerated([*shown[:most], *(["…"] if len(shown) > most else [])])


def instead_of(name: str, known: Iterable[str]) -> Text:
    """Say which name may be meant where one is not known, and which there are.

    Examples
    --------
    >>> instead_of("corect", ["correct", "score"])
    Text('Did you mean "correct"? There are: correct, score.')
    >>> instead_of("x", ["correct", "score"]), instead_of("x", [])
    (Text('There are: correct, score.'), Text('There are none.'))
    """
    names = [*known]
    if not names:
        return Text("There are none.")
    plain = {each.casefold(): each for each in names[:_LIKENED]}
    listed = some_of(names, _LISTED)
    for near in get_close_matches(name.casefold(), plain, 1):
        return Text('Did you mean "{near}"? There are: {known}.', near=plain[near], known=listed)
    return Text("There are: {known}.", known=listed)


def shortened(name: str, width: int) -> str:
    """Return a name of at most `width` letters, cut in the middle if need be.

    Examples
    --------
    >>> shortened("qwen3-235b-a22b-instruct-2507", 20)
    'qwen3-235b-a…ct-2507'
    """
    if len(name) <= width:
        return name
    tail = (width - 1) * 2 // 5
    return f"{name[: width - 1 - tail]}…{name[-tail:]}"


class MetricError(ValueError):
    """The data cannot support the estimate asked for.

    Parameters
    ----------
    text : Text
        What was asked, what is allowed and what was given.

    Examples
    --------
    >>> from metrics import estimate
    >>> try:
    ...     estimate([[1, 0, 1], [0, 0, 1]], "pass@k", 4)
    ... except MetricError as error:
    ...     print(error)
    pass@4 needs 4 samples of every question; 2 of 2 questions have fewer (at least 3).
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return str(self.text)


def printable(text: str) -> str:
    r"""Escape what could steer a terminal or reorder a line.

    Control and format characters (escape sequences, line breaks, direction marks), lone
    surrogates and unassigned code points are written as Python writes them in a literal.

    Examples
    --------
    >>> print(printable("model\x1b[2J\n7B"))
    model\x1b[2J\n7B
    """
    return text if text.isprintable() else "".join(_escaped(character) for character in text)


def plain(text: Text | str) -> str:
    r"""Render a sentence for a terminal, or another place that takes no Markdown.

    Examples
    --------
    >>> print(plain(Text("{run} has no texts.", run="model\x1b[2J")))
    model\x1b[2J has no texts.
    """
    return printable(str(text))


def _escaped(character: str) -> str:
    category = unicodedata.category(character)
    if category.startswith("C") or category in ("Zl", "Zp"):
        return character.encode("unicode_escape").decode("ascii")
    return character
