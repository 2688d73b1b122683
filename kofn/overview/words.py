"""What the loaded runs show, what is stated wrongly, and what to be careful about, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from charts.grid import GridCell
from kofn.choices.view import View, treatment_in_words
from kofn.choose_n.analysis import ChoiceCard, choose_means, choose_runs
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import checked_answers
from kofn.inventory.stated import StatedNumber
from kofn.inventory.words import GROUPED_BY_FILE, UNGROUPED, stated_in_words
from kofn.leaderboard.field import SOFT, Field, assumed_in
from kofn.leaderboard.words import exclusions, leaders_in_words, unlike_runs_of
from kofn.overview.analysis import Dataset, GlanceCard, datasets_of, suite_of
from kofn.overview.doubts import Doubt, Kind
from kofn.overview.wins import Win
from kofn.writing.estimates import chance_in_percent, percent_of, points_of
from kofn.writing.joining import joined, some, with_name
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS
from reports.run.report import Run


def wrong_numbers(stated: Sequence[StatedNumber], *, worst: bool = True) -> Iterator[Text]:
    """Say what is wrong with stated numbers, if anything is, and which is the worst of them."""
    if any(each.is_wrong or each.is_doubtful for each in stated):
        yield from stated_in_words(stated, worst=worst)


def stated_in(dataset: Dataset) -> list[StatedNumber]:
    """Return what the files state of a dataset."""
    return [each for fact in dataset.facts.values() for each in fact.stated]


def cautions(dataset: Dataset, view: View) -> Iterator[Text]:
    """Say what to be careful of before using the numbers of a dataset."""
    field, facts = dataset.field, dataset.facts
    silent = [name for key, name in field.names.items() if key not in facts]
    if silent and facts:
        yield Text("{names}: the file does not say which samples were right.", names=some(silent))
    doubts: dict[Kind, dict[str, Doubt]] = {}
    for key, fact in facts.items():
        for doubt in fact.doubts:
            doubts.setdefault(doubt.kind, {})[field.names[key]] = doubt
    for kind, doubted in doubts.items():
        if kind == "failed":
            yield _failed(field, doubted, view)
        elif kind == "unsettled":
            yield _unsettled(doubted)
        elif kind == "odd":
            yield from _odd(doubted)
        elif kind in _DOUBTS:
            yield with_name(some(doubted), _DOUBTS[kind])
    fewest = min((fact.questions for fact in facts.values()), default=FEW_QUESTIONS)
    if fewest < FEW_QUESTIONS and view.target == "population":
        yield Text(
            "{count} question says nothing about questions like it.",
            "{count} questions are too few for a claim about questions like them.",
            count=fewest,
        )
    yield from unlike_runs_of(field)
    yield from dataset.verdicts


def _odd(found: Mapping[str, Doubt]) -> Iterator[Text]:
    """Say which replicas of the first such run are unlike, and name the others."""
    (first, doubt), *others = found.items()
    yield with_name(first, doubt.text)
    if others:
        yield Text(
            "Replicas of {names} differ by more than chance, too.",
            names=some(name for name, _ in others),
        )


_DOUBTS: dict[Kind, Text] = {
    "unknown": UNGROUPED,
    "stated": GROUPED_BY_FILE,
    "unfinished": Text(
        "unfinished, it goes on, ended early or was cut short. What came first may not be like the "
        "rest."
    ),
    "copied": Text("samples repeat one another, or look like it."),
}


def _unsettled(found: Mapping[str, Doubt]) -> Text:
    if len(found) == 1:
        ((name, doubt),) = found.items()
        return with_name(name, doubt.text)
    return Text(
        "{count} of {all} samples of {names} were cut off at a limit or have no answer.",
        count=sum(doubt.count for doubt in found.values()),
        all=sum(doubt.all for doubt in found.values()),
        names=some(found),
    )


def _failed(field: Field, found: Mapping[str, Doubt], view: View) -> Text:
    failed = sum(doubt.count for doubt in found.values())
    return Text(
        "{count} of {all} requests of {names} failed and {treatment}.",
        "{count} of {all} requests of {names} failed and {treatment}.",
        count=failed,
        all=sum(doubt.all for doubt in found.values()),
        names=some(found),
        treatment=treatment_in_words(view.missing, failed),
    )


Choose = Callable[[Mapping[str, Run], View, Pricing], Sequence[ChoiceCard]]


def answer(cards: Sequence[GlanceCard], checked: Text | None = None) -> Text:
    """Say who leads over all datasets, or the only one, and what is stated wrongly.

    checked: What answers that can be checked solve; see `best_with_checks`.
    """
    return joined([who_leads(cards, checked), *wrong_numbers(stated_of(cards))])


def who_leads(cards: Sequence[GlanceCard], checked: Text | None = None) -> Text:
    """Say who leads over all datasets, or the only one; parameters as of `answer`."""
    fields, suite = [dataset.field for dataset in datasets_of(cards)], suite_of(cards)
    beside = [] if checked is None else [checked]
    return joined([*leaders_in_words(fields, suite), *beside, *exclusions(suite)])


def stated_of(cards: Sequence[GlanceCard]) -> list[StatedNumber]:
    """Return what the files state of the runs of some cards."""
    return [each for card in cards if card.found for each in card.found.stated]


def best_with_checks(
    runs: Mapping[str, Run], view: View, choose: Choose = choose_runs, over: Choose = choose_means
) -> Text | None:
    """Say which model solves most for its cost where answers can be checked, as Choose n does.

    None of a single model, and where nobody but kofn says which answers are right.

    choose, over: In place of `choose_runs` on one dataset and `choose_means` over several, such as
        ones with a cache.
    """
    if len({run.model for run in runs.values()}) < 2 or assumed_in(runs.values()) is not None:
        return None
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    chosen = over(runs, settings, Pricing())
    if not chosen and len({run.dataset for run in runs.values()}) == 1:
        chosen = choose(runs, settings, Pricing())
    return checked_answers(chosen) if chosen else None


def scope(cards: Sequence[GlanceCard]) -> Text:
    """Say what is looked at."""
    own = [card for card in cards if card.found and card.found.dataset]
    return Text(
        "{runs}, {models}, {datasets}",
        runs=Text("{count} run", "{count} runs", count=len(own)),
        models=Text("{count} model", "{count} models", count=len({c.run.model for c in own})),
        datasets=Text("{count} dataset", "{count} datasets", count=len(datasets_of(own))),
    )


def in_words(win: Win) -> Text:
    """Say who wins, with what, and by how much; and what is assumed to be right."""
    if win.assumed is None or win.standing.metric == SOFT:
        return _who_wins(win)
    return Text(
        "{who} (right above {threshold:g}, assumed)", who=_who_wins(win), threshold=win.assumed
    )


def _who_wins(win: Win) -> Text:
    standing, names = win.standing, win.names
    value = percent_of(standing.estimates[standing.first])
    if len(standing.leaders) > 1:
        second, *more = (names[line] for line in standing.leaders if line != standing.first)
        others: Text | str = second
        if more:
            others = Text("one of {count} others", count=1 + len(more))
        if standing.best is None:
            return Text(
                "too close to call: {first} with {value}, or {others}",
                first=names[standing.first],
                value=value,
                others=others,
            )
        return Text(
            "too close to call: {first} with {value}, chance {chance}, or {others}",
            first=names[standing.first],
            value=value,
            chance=chance_in_percent(standing.best[0][0]),
            others=others,
        )
    ahead = next(iter(standing.paired.values()))
    return Text(
        "{name} with {value}, ahead by {gain}",
        name=names[standing.first],
        value=value,
        gain=points_of(ahead),
    )


# The figure --------------------------------------------------------------------------------------


def cell_detail(*, run: object, metric: object, value: object, count: int) -> Text:
    """Say what a number rests on."""
    return Text(
        "{run}: {metric} {value}, {count} question",
        "{run}: {metric} {value}, {count} questions",
        run=run,
        metric=metric,
        value=value,
        count=count,
    )


def with_doubt(*, sentence: object, doubt: object) -> Text:
    """Add a doubt."""
    return Text("{said}. {doubt}", said=sentence, doubt=doubt)


def describe_grid(cells: Sequence[GridCell], lines: Sequence[str], columns: Sequence[str]) -> Text:
    """Say in words what `charts.grid.grid` shows, for those who do not see it."""
    known = [cell for cell in cells if cell.value is not None]
    if not known:
        return Text("A grid without any number.")
    best = max(known, key=lambda cell: cell.value or 0.0)
    return Text(
        "Numbers with their intervals of {lines} by {columns}. The highest is {text}, of {line} "
        "on {column}. The table has the same numbers.",
        lines=len(lines),
        columns=len(columns),
        text=best.text,
        line=lines[best.line],
        column=columns[best.column],
    )


def drawn_lines(most: int, lines: int) -> Text:
    """Say how many models the picture shows, where it does not show all."""
    if lines <= most:
        return Text("")
    return Text(
        "The picture shows the first {most} of {count} models; the table has all.",
        most=most,
        count=lines,
    )


def grid_scale(low: float, high: float) -> Text:
    """Say from where to where each line of the grid runs."""
    return Text("Each line runs from {low:.0%} to {high:.0%}.", low=low, high=high)
