"""Programs that were tested, with the test outcomes that LiveCodeBench's evaluator keeps.

The list of a program ends at its first failed test, so it tells whether all tests were passed, but
not how many of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.grouping import Grouping

NOT_RUN = -1
"""The outcome of a test that broke or was not run at all."""

_ALL_OR_NOTHING = Text(
    "A program is right if it passes every test. The list of its tests ends at the first that "
    "fails, so the share of tests passed is not in the file, and there is no soft score."
)


def passed_tests(results: Any) -> NDArray[np.int8] | None:
    """Return which programs pass every test, shape (D, n).

    results: ``eval_results``: for each of the n samples, or as the only one, a dict of D numbered
        questions, each with the outcomes of its tests in a list of one list. A test is passed if
        its outcome is above 0.
    Returns: None if it is nothing of the kind. Shape (D, n).

    Examples
    --------
    >>> passed_tests([{"0": [[True, False]], "1": [[1, 1]]}, {"0": [[-2]], "1": [[-1]]}]).tolist()
    [[0, 0], [1, 0]]
    """
    columns = [_outcomes(replica) for replica in _replicas(results)]
    if not columns or len({column and len(column) for column in columns}) > 1 or not columns[0]:
        return None
    passed = [[all(test > 0 for test in program) for program in column or ()] for column in columns]
    return np.array(passed, dtype=np.int8).T


def any_test_ran(results: Any) -> bool:
    """Return whether any test of any program has another outcome than that of one not run."""
    return any(
        test != NOT_RUN
        for replica in _replicas(results)
        for program in _outcomes(replica) or ()
        for test in program
    )


def grade_programs(passed: NDArray[np.int8], mixes: bool) -> Grades:
    """Grade programs by whether they pass every test.

    passed: Shape (D, n).
    mixes: Whether the tool mixes the samples of different questions in what it makes of the
        verdicts.
    """
    questions, n = passed.shape
    grouping = Grouping((questions, n), mixes and questions > 1 and n > 1)
    return Grades(passed, None, None, None, grouping, judged=True, remark=_ALL_OR_NOTHING)


def _replicas(results: Any) -> list[Any]:
    return results if isinstance(results, list) else [results]


def _outcomes(replica: Any) -> list[list[float]] | None:
    """Return the outcomes of the tests of each question's program."""
    if not isinstance(replica, Mapping) or not replica:
        return None
    programs: list[list[float]] = []
    for i in range(len(replica)):
        match replica.get(str(i)):
            case [[*tests]] if tests and all(isinstance(test, int | float) for test in tests):
                programs.append(tests)
            case _:
                return None
    return programs
