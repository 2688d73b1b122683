"""Files that the visitor wants: read beside the page, on whichever page that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from metrics.data.words import Text
from pages.widgets.shared import session
from pages.widgets.shared.translating import say
from pages.widgets.shared.waiting import wait_for
from reports.files.errors import Choice, LoadError
from reports.told import Told


def want(files: Sequence[tuple[str, session.Read]], columns: Told | None = None) -> None:
    """Have files read, in a callback; what was said of earlier ones is forgotten.

    Parameters
    ----------
    files : sequence of (str, Read)
        With their names.
    columns : Told, optional
        What is known of their columns.
    """
    session.refused().clear()
    for number, (name, read) in enumerate(files, start=1):
        place = Text("{number} of {all}", number=number, all=len(files))
        session.wanted().append(session.Wanted(name, read, columns or {}, place))


def read_wanted() -> None:
    """Read what is wanted; every page that shows reports begins with it."""
    while wanted := session.wanted():
        file = wanted[0]
        doing = Text("Reading {name} ({place})", name=file.name, place=file.place)
        choices: tuple[Choice, ...] = ()
        digest = ""
        try:
            do, stop = partial(file.read, file.columns), partial(wanted.remove, file)
            report = wait_for("file", file, say(doing), do, stop)
        except Choice as choice:
            choices = (choice.with_traceback(None),)  # which holds all that was read of the table
        except LoadError as error:
            session.refused().append(error.text)
        except Exception:
            wanted.pop(0)  # a fault of ours is shown once, not on every page from now on
            raise
        else:
            if report.digest in session.reports() and not file.columns:
                session.refused().append(Text("{file}: is loaded already.", file=file.name))
            session.reports()[report.digest] = report
            choices, digest = report.choices, report.digest
        session.answer(file, [session.Question(file, choice, digest) for choice in choices])
        wanted.pop(0)
