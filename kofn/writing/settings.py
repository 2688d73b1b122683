"""Settings of runs in words: one, several, and where two runs differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kofn.writing.joining import joined, listed
from metrics.data.words import Enumerated, Text, printable, some_of
from reports.run.differing import Differing
from reports.run.fingerprint import Setting

_NAMED = 6


def written(value: Setting) -> Text | str:
    """Return a setting as people read it.

    Examples
    --------
    >>> written(0.7), str(written(True)), written("GSM8K")
    ('0.7', 'yes', 'GSM8K')
    """
    if isinstance(value, bool):
        return Text("yes") if value else Text("no")
    return f"{value:g}" if isinstance(value, float) else printable(str(value))


def in_words(settings: Mapping[str, Setting]) -> Enumerated:
    """Name settings with their values.

    Examples
    --------
    >>> str(in_words({"temperature": 0.7, "n": 5}))
    'temperature 0.7, n 5'
    """
    return Enumerated(
        Text("{name} {value}", name=printable(name), value=written(value))
        for name, value in settings.items()
    )


def differences_in_words(differing: Sequence[Differing]) -> Text | None:
    """Say where the settings of two runs differ, which is no difference of the models.

    differing: From `reports.differing_settings`; what only one states is named after what both do.
    Returns: None where they state the same.

    Examples
    --------
    >>> str(differences_in_words([Differing("temperature", 0.2, 0.8)]))
    'They were run with different settings: temperature 0.2 against 0.8.'
    >>> str(differences_in_words([Differing("seed", None, 1)]))
    'Only one of them states seed.'
    """
    both = [each for each in differing if each.is_stated]
    one = [each for each in differing if not each.is_stated]
    sentences = []
    if both:
        settings = listed(map(_both_values, both))
        sentences.append(
            Text("They were run with different settings: {settings}.", settings=settings)
        )
    if one:
        names = some_of((printable(each.name) for each in one), _NAMED)
        sentences.append(Text("Only one of them states {names}.", names=names))
    return joined(sentences) if sentences else None


def _both_values(each: Differing) -> Text:
    assert each.a is not None
    assert each.b is not None
    name, a, b = printable(each.name), written(each.a), written(each.b)
    return Text("{name} {a} against {b}", name=name, a=a, b=b)
