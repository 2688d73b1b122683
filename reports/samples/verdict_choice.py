"""Ask which of several verdicts or filters is meant, where they differ; never guess."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics.data.words import Text, some_of
from reports.column_mapping import VERDICTS, ColumnMapping, columns_in_role
from reports.files.errors import VerdictChoice
from reports.files.notes import Note
from reports.files.tree import Tree

DISAGREE = Text("several metrics could be the verdict, and they disagree")
_SHOWN = 8


class VerdictChooser:
    """What a user told of verdicts and filters, and whether any file of a report has it.

    told: ``correct`` says which verdict is meant, ``filter`` which filter's.

    Examples
    --------
    >>> from reports.files.archive import open_tree
    >>> tree = open_tree(("log.json", b"{}"))
    >>> asking = VerdictChooser({"correct": ("match", "includes")})
    >>> asking.choose(tree, "", ["includes", "model_graded"], Text("several scorers"))
    'includes'
    """

    def __init__(self, mapping: ColumnMapping | None) -> None:
        self._mapped = {role: columns_in_role(mapping or {}, role) for role in VERDICTS}
        self._there: dict[str, dict[str, None]] = {}
        self._met: set[str] = set()

    def chosen_among(self, role: str, names: Sequence[str]) -> str | None:
        """Return which of some names was told, if any of them was."""
        self._there.setdefault(role, {}).update(dict.fromkeys(names))
        fitting = next((name for name in self._mapped[role] if name in names), None)
        if fitting is not None:
            self._met.add(role)
        return fitting

    def choose(
        self,
        tree: Tree,
        path: str,
        names: Sequence[str],
        problem: Text,
        role: str = "correct",
        *,
        alike: bool = False,
    ) -> str:
        """Return which is meant: what was told, the only one, or the first of some that are alike.

        Raises VerdictChoice if there are several that differ, and none of them was told.
        """
        if (fitting := self.chosen_among(role, names)) is not None:
            return fitting
        if len(names) == 1 or alike:
            return names[0]
        if wrong := self._mapped[role]:
            problem = Text(
                "{problem}, and {told} is none of them",
                "{problem}, and {told} are none of them",
                count=len(wrong),
                problem=problem,
                told=some_of(wrong, _SHOWN),
            )
        place = path if len(tree.files) > 1 else ""
        raise VerdictChoice(tree.name, problem, place, role, tuple(names))

    def require_met(self, tree: Tree) -> None:
        """Refuse what was told if no file of the report has it.

        Raises VerdictChoice with the names that there are.
        """
        for role, names in self._there.items():
            if (wrong := self._mapped[role]) and role not in self._met:
                problem = Text(
                    "{told} is none of the verdicts or filters",
                    "{told} are none of the verdicts or filters",
                    count=len(wrong),
                    told=some_of(wrong, _SHOWN),
                )
                raise VerdictChoice(tree.name, problem, "", role, tuple(names))


def unused_columns(mapping: ColumnMapping) -> Iterator[Note]:
    """Say what was told that files of tools do not take, or of which they have only one."""
    for role in mapping:
        names = some_of(columns_in_role(mapping, role), _SHOWN)
        what = Text(
            "{role}={names} is ignored here: it applies to tables of outcomes only.",
            role=role,
            names=names,
        )
        if role in VERDICTS:
            what = Text(
                "{role}={names} is ignored here: there is nothing to choose.",
                role=role,
                names=names,
            )
        yield Note(what, severity="warning")


def same_verdicts(taken: str, names: Sequence[str], place: str) -> Iterator[Note]:
    """Say which others are the same in every sample as the verdict that was taken."""
    if others := [name for name in names if name != taken]:
        what = Text(
            "{taken} says which samples are right; {others} is the same in every sample.",
            "{taken} says which samples are right; {others} are the same in every sample.",
            count=len(others),
            taken=taken,
            others=some_of(others, _SHOWN),
        )
        yield Note(what, place)
