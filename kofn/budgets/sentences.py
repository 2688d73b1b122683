"""What tokens and times of one run say, in words."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.budgets.analysis import BudgetCard
from kofn.card import limits
from kofn.choose_n.prices import quantity
from kofn.writing.estimates import NA, percent, points
from kofn.writing.joining import joined
from metrics import Answers, AnswerTimes, RightLengths, ShortOrLong
from metrics.data.results import Estimate
from metrics.data.words import Text

ASSUMED = Text(
    "An answer that is longer than a cut counts as wrong: it would not have been given. A model "
    "that is told its limit may answer shorter and right; these samples cannot say."
)


def amount(estimate: Estimate) -> Text:
    """Write an amount with its interval."""
    low, high = limits(estimate)
    if low is None or high is None:
        return Text("{value}", value=quantity(estimate.value))
    return Text(
        "{value} ({low} to {high})",
        value=quantity(estimate.value),
        low=quantity(low),
        high=quantity(high),
    )


def solved(answers: Answers) -> Text:
    """Write what answers solve, with its interval."""
    return percent(answers.value.value, *limits(answers.value))


def gained(split: ShortOrLong) -> Text:
    """Write what short answers solve more, with its interval."""
    return points(split.gain.value, *limits(split.gain))


def cut_of(answers: Answers) -> Text:
    """Write at how many tokens answers are cut."""
    return Text("∞") if answers.budget is None else Text("{cut}", cut=quantity(answers.budget))


def in_words(card: BudgetCard) -> Iterator[Text]:
    """Say of a run how long right answers are, and how long one waits for an answer."""
    if card.found is None:
        return
    if (unsplit := card.found.split[1]) is not None:
        yield unsplit
    lengths, why = card.found.lengths
    yield lengths_in_words(lengths) if lengths is not None else why or NA
    cut, of_all = card.found.unfinished
    if cut:
        yield Text(
            "{count} of {all} answer was cut at the run's own limit: what more tokens would make "
            "of it cannot be known.",
            "{count} of {all} answers were cut at the run's own limit: what more tokens would make "
            "of them cannot be known.",
            count=cut,
            all=of_all,
        )
    times, why = card.found.times
    if times is not None:
        yield times_in_words(times)
    elif why is not None:
        yield why
    if card.view.target == "benchmark":
        yield Text(
            "The intervals of tokens, lengths and times are for questions like these all the same."
        )


def lengths_in_words(found: RightLengths) -> Text:
    """Say whether right answers are longer than wrong ones to the same question."""
    longer = percent(found.longer.value, *limits(found.longer))
    if found.ratio is None or found.over_all is None:
        return Text(
            "Of a right and a wrong answer to the same question the right one is longer in "
            "{longer}.",
            longer=longer,
        )
    return Text(
        "To the same question right answers are {ratio} times as long as wrong ones ({right} "
        "against {wrong} tokens, {count} question that has both); of a pair the right one is "
        "longer in {longer}. Over all answers it is {over_all} times: hard questions have answers "
        "of another length, and more wrong ones.",
        "To the same question right answers are {ratio} times as long as wrong ones ({right} "
        "against {wrong} tokens, {count} questions that have both); of a pair the right one is "
        "longer in {longer}. Over all answers it is {over_all} times: hard questions have answers "
        "of another length, and more wrong ones.",
        ratio=amount(found.ratio),
        right=quantity(found.right),
        wrong=quantity(found.wrong),
        count=found.n_questions,
        longer=longer,
        over_all=amount(found.over_all),
    )


def times_in_words(found: AnswerTimes) -> Text:
    """Say how long one waits for k answers, and for the first right one."""
    if found.k == 1:
        return Text("An answer takes {time} s.", time=amount(found.all_at_once))
    said = [
        Text(
            "{k} answers at once are there after {at_once} s, the slowest of them, one after "
            "another after {in_turn} s{faster}.",
            k=found.k,
            at_once=amount(found.all_at_once),
            in_turn=amount(found.all_in_turn),
            faster=_faster(found.all_faster),
        )
    ]
    if found.right_at_once is None or found.right_in_turn is None:
        said.append(Text("No answer is right, so there is no time to a right one."))
    else:
        said.append(
            Text(
                "Where one of {k} is right, the first right one is there after {at_once} s, one "
                "after another after {in_turn} s{faster}; in {none} of cases none is.",
                k=found.k,
                at_once=amount(found.right_at_once),
                in_turn=amount(found.right_in_turn),
                faster=_faster(found.right_faster),
                none=percent(found.none_right.value, *limits(found.none_right)),
            )
        )
    said.append(Text("Times are as measured: it is assumed that asking at once makes none slower."))
    return joined(said)


def _faster(found: Estimate | None) -> Text:
    return Text("") if found is None else Text(", {times} times as long", times=amount(found))
