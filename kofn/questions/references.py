"""Questions of a dataset whose reference is worth checking, by what several models say of them."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kofn.card import Finding, attempt, say
from kofn.choices.focus import by_dataset
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.standings.field import names_of
from kofn.standings.pairs import Matching, match_by_texts
from kofn.writing.estimates import MINUS
from kofn.writing.joining import joined, listed, some
from kofn.writing.layout import named
from kofn.writing.rendering import ENGLISH, printable
from metrics import Estimate, Suspect, Suspects, estimate, suspects, without
from metrics.analyses.suspects.suspects import REASONS, Reason
from metrics.data.words import Text
from reports.run.report import Run

NAMES: Mapping[Reason, Text] = {
    "agreed": Text("Models agree on one wrong answer"),
    "inverse": Text("Better models do worse"),
    "never": Text("Nobody ever succeeds"),
}
LOOK_ALIKE = Text(
    "A hard question and a common mistake look the same, and models of one family share mistakes: "
    "read them."
)
_LETTERS = 80
_METRICS: Final = ("avg@n", "pass@k", "cons@n")


@dataclass(frozen=True, eq=False)
class References:
    """What the models of a dataset say of its references.

    Attributes
    ----------
    dataset : str
    names : mapping of str to str
        How the runs are called, by key.
    left_out : tuple of str
        Runs whose questions are not known to be the same as those of the first.
    suspects : Suspects
    """

    dataset: str
    names: Mapping[str, str]
    left_out: tuple[str, ...]
    suspects: Suspects

    @property
    def strong(self) -> tuple[Reason, ...]:
        """The reasons that say more than that a question is hard, or all where none of them is."""
        found = tuple(each for each in REASONS[:2] if self.suspects.of({each}))
        return found or REASONS


def check_references(
    runs: Mapping[str, Run], view: View, same: Matching = match_by_texts
) -> dict[str, Finding[References]]:
    """Look for questions to check in every dataset that two models or more ran.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
        Its segment, level and treatment of failed requests count.
    same : callable
        Says which questions of two runs are the same.
    """
    groups = {name: one_each(group) for name, group in by_dataset(runs).items()}
    return {
        name: attempt(check, group, view, same) for name, group in groups.items() if len(group) > 1
    }


def one_each(runs: Mapping[str, Run]) -> dict[str, Run]:
    """Return of each model of a dataset the run with the most samples that has verdicts."""
    best: dict[str, str] = {}
    for key, run in runs.items():
        if run.outcomes is None:
            continue
        held = runs[best[run.model]].outcomes if run.model in best else None
        if held is None or run.outcomes.shape[1] > held.shape[1]:
            best[run.model] = key
    return {key: runs[key] for key in runs if key in best.values()}


def check(runs: Mapping[str, Run], view: View, same: Matching = match_by_texts) -> References:
    """Look for questions to check; raise MetricError where fewer than two runs can be compared."""
    first, *others = runs
    matched = [key for key in others if same(runs[first], runs[key])]
    shown = {key: runs[key] for key in (first, *matched)}
    found = suspects(shown, missing=view.missing, segment=view.segment, confidence_level=view.level)
    dataset = runs[first].dataset
    return References(
        dataset,
        names_of({key: run.model for key, run in shown.items()}, dataset),
        tuple(key for key in others if key not in matched),
        found,
    )


def answer(found: References) -> Text:
    """Say how many questions are worth checking, and why.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> runs = {name: Run(name, "maths", Outcomes([[0], [1], [1]])) for name in ("a", "b")}
    >>> str(answer(check(runs, View())))
    'Of 3 questions no sample of the 2 models solves 1.'
    """
    counts = {reason: len(found.suspects.of({reason})) for reason in REASONS}
    every, models = found.suspects.n_questions, len(found.names)
    said = []
    if counts["agreed"]:
        said.append(
            Text(
                "on {count} the models agree on one wrong answer, more than chance explains",
                count=counts["agreed"],
            )
        )
    if counts["inverse"]:
        said.append(Text("on {count} better models surely do worse", count=counts["inverse"]))
    never = Text(
        "no sample of the {models} models solves {count}", models=models, count=counts["never"]
    )
    if not said:
        return Text("Of {all:,} questions {never}.", all=every, never=never)
    if counts["never"]:
        said.append(never)
    return Text("Of {all:,} questions, {why}.", all=every, why=listed(said))


def why(suspect: Suspect, found: References) -> Text:
    """Say why a question is suspected."""
    return joined(list(_why(suspect, found)))


def _why(suspect: Suspect, found: References) -> Iterator[Text]:
    if suspect.agreed is not None:
        agreed = suspect.agreed
        yield Text(
            "{count} of {all} models say {answer}: {models}.",
            count=len(agreed.runs),
            all=len(found.names),
            answer=printable(agreed.answer)[:_LETTERS],
            models=some(found.names[key] for key in agreed.runs),
        )
    if suspect.inverse is not None:
        tau, (low, high) = suspect.inverse
        yield Text(
            "Better models do worse: tau {tau} ({low} to {high}).",
            tau=_signed(tau),
            low=_signed(low),
            high=_signed(high),
        )
    if suspect.never:
        yield Text(
            "Its only sample is wrong.",
            "None of {count} samples is right.",
            count=suspect.samples,
        )


def _signed(number: float) -> str:
    return f"{number:.2f}".replace("-", MINUS)


def left_out(reasons: Collection[Reason]) -> Text:
    """Say which questions are left out of the numbers beside, and why these have no interval."""
    return Text(
        "Left out: {reasons}. These numbers have no interval, as the questions were chosen by the "
        "very outcomes.",
        reasons=listed([NAMES[each] for each in REASONS if each in reasons]),
    )


def remarks(found: References) -> Iterator[Text]:
    """Say what these runs cannot tell, and what is to be known of the list."""
    yield from found.suspects.unknown.values()
    if found.suspects.n_dropped:
        yield Text(
            "{count} question that not all models have is not looked at.",
            "{count} questions that not all models have are not looked at.",
            count=found.suspects.n_dropped,
        )
    if found.left_out:
        yield Text(
            "Left out, since nothing tells that they were asked the same: {runs}.",
            runs=some(map(named, found.left_out)),
        )
    if found.suspects.questions:
        yield LOOK_ALIKE


def rows(
    found: References, translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay the questions to check out flat."""
    return [
        {
            "question": printable(each.question),
            "reasons": list(each.reasons),
            "why": say(why(each, found), translations),
            "right": each.right,
            "samples": each.samples,
            "answer": each.agreed and printable(each.agreed.answer),
            "models_agreeing": each.agreed and len(each.agreed.runs),
            "p_value": each.agreed and each.agreed.p_value,
            "tau": each.inverse and each.inverse.tau,
            "tau_low": each.inverse and each.inverse.interval.low,
            "tau_high": each.inverse and each.inverse.interval.high,
        }
        for each in found.suspects.questions
    ]


def beside(
    found: References, runs: Mapping[str, Run], view: View, reasons: Collection[Reason]
) -> list[dict[str, Any]]:
    """Set metrics of each run beside those without the questions that have one of some reasons.

    Returns
    -------
    list of dict
        run, metric, k, value, and without: fractions; None where no question would be left.
    """
    out = {each.question for each in found.suspects.of(reasons)}
    shown = {key: runs[key] for key in found.names}
    k = shared_k(shown.values(), view.missing, view.segment)
    asked: dict[str, Any] = {"missing": view.missing, "segment": view.segment}
    one: Callable[..., Estimate] = estimate
    lines = []
    for key, run in shown.items():
        for metric in _METRICS if k > 1 else _METRICS[:1]:
            drawn = k if metric == "pass@k" else None
            value, _reason = attempt(one, run, metric, drawn, **asked)
            rest, _reason = attempt(without, run, out, metric, drawn, **asked)
            lines.append(
                {
                    "run": key,
                    "metric": metric,
                    "k": drawn,
                    "value": value and value.value,
                    "without": rest,
                }
            )
    return lines
