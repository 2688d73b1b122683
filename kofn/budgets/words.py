"""Sentences about tokens and times, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kofn.budgets.analysis import NO_TOKENS, BudgetCard, Budgeted, dearest, taken
from kofn.budgets.frontier import best_of
from kofn.budgets.rivals import Rival, rivals_of
from kofn.card import cards_by_dataset, limits, names, runs_of, side_of
from kofn.choose_n.prices import in_tokens, quantity
from kofn.leaderboard.lines import whole_lines
from kofn.leaderboard.same_tokens import standing_for_tokens
from kofn.leaderboard.words import exclusions_among, tokens_in_words
from kofn.writing.estimates import NA, percent, percent_of, points_of
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import short_name
from metrics import Answers, AnswerTimes, Difference, RightLengths
from metrics.data.results import Estimate
from metrics.data.words import Text

WITH_TOKENS = Text(
    "Short answers need the number of tokens of each answer. Reports of Inspect, EvalScope, "
    "HELM, tau-bench and Every Eval Ever have it; so do performance runs of AISBench beside a "
    "run that judges, tables with a column such as tokens_out, and the bundled sample."
)
ASSUMED = Text(
    "An answer longer than the cut counts as wrong, because it would not have been given. A "
    "model that knows its limit may give shorter answers that are right; these samples cannot "
    "show that."
)
AT_ONCE = Text(
    "Intervals of several answers of other runs against one hold simultaneously: they are "
    "adjusted for the number of runs (Bonferroni)."
)


def answer(cards: Sequence[BudgetCard]) -> Text:
    """Say what is better for the same tokens over all datasets, else on the first, named."""
    first = next(iter(cards))
    if first.settings.metric == "pass@k" and whole_lines(runs_of(cards)) is not None:
        together = standing_for_tokens(runs_of(cards), replace(first.view, k=()))
        if together is not None:
            return joined([*tokens_in_words(together), *exclusions_among(runs_of(cards))])
    groups = {
        dataset: group
        for dataset, group in cards_by_dataset(cards).items()
        if any(card.found for card in group)
    } or cards_by_dataset(cards)
    dataset, group = next(iter(groups.items()))
    sentence = answer_of(group, rivals_of(dearest(group), group))
    if len(cards_by_dataset(cards)) == 1:
        return sentence
    return with_name(short_name(dataset), sentence)


def answer_of(cards: Sequence[BudgetCard], rivals: Sequence[Rival]) -> Text:
    """Return the answer for the runs of one dataset, told of the one whose answers are longest.

    It is set against several answers of the other runs, and without any against its own, cut short.
    """
    return rivals_in_words(dearest(cards), rivals) or split_in_words(cards)


def split_in_words(cards: Sequence[BudgetCard]) -> Text:
    """Say of the run whose answers are longest whether several short ones are better."""
    measured = [
        (name, card.found) for name, card in zip(names(cards), cards, strict=True) if card.found
    ]
    if not measured:
        reasons = list(dict.fromkeys(card.reason for card in cards if card.reason is not None))
        return reasons[0] if len(reasons) == 1 else NO_TOKENS
    name, first = max(measured, key=lambda each: taken(each[1].budgets))
    sentence = with_name(short_name(name), _split_of_run(first))
    if len(measured) == 1:
        return sentence
    splits = [split for _, each in measured if (split := each.split[0]) is not None]
    sides = [side_of(split.gain) for split in splits]
    return Text(
        "{said} Short answers are surely better for {more} of {all} runs and surely worse for "
        "{fewer}.",
        said=sentence,
        all=len(measured),
        more=sides.count(1),
        fewer=sides.count(-1),
    )


def _split_of_run(found: Budgeted) -> Text:
    split, reason = found.split
    if split is None:
        return reason or NA
    if found.k == 1:
        return Text(
            "Cut at {cut} tokens, half of the usual {spent}, {short} of the answers are right, "
            "uncut {value}: {gain}.",
            cut=cut_length(split.short),
            spent=quantity(split.long.spent.value),
            short=percent_of(split.short.value),
            value=percent_of(split.long.value),
            gain=points_of(split.gain),
        )
    sentence = Text(
        "Cut at {cut} tokens, {k} answers solve {short} for the {spent} tokens of one uncut "
        "answer, which solves {long}: {gain}.",
        cut=cut_length(split.short),
        k=found.k,
        short=percent_of(split.short.value),
        spent=quantity(split.long.spent.value),
        long=percent(split.long.value.value),
        gain=points_of(split.gain),
    )
    return joined([sentence, *_open(split.gain)])


OPEN = Text("That is too close to call.")


def _open(gain: Estimate | Difference) -> Iterator[Text]:
    if side_of(gain) == 0:
        yield OPEN


def rivals_in_words(card: BudgetCard | None, rivals: Sequence[Rival]) -> Text | None:
    """Say what the best of other runs solves for the same tokens; None without any."""
    if not rivals or card is None or card.found is None:
        return None
    best, table = rivals[0], card.found.budgets
    sentence = Text(
        "For at most {spent} {k} answer of {rival} solves {value}, one of {run} {one}: {more}.",
        "For at most {spent} {k} answers of {rival} solve {value}, one of {run} {one}: {more}.",
        count=best.k,
        k=best.k,
        spent=in_tokens(taken(table)),
        rival=short_name(best.name),
        run=short_name(card.run.model),
        value=percent_of(best.value),
        one=percent(float(table.value[table.k == 1][-1])),
        more=points_of(best.more),
    )
    return joined([sentence, *_open(best.more)])


def best_in_words(cards: Sequence[BudgetCard]) -> Text | None:
    """Say up to how many tokens one answer is best, and what solves most; None without any."""
    best = best_of(cards)
    if not best:
        return None
    alone = [each.spent for each in best if each.k == 1]
    most = best[-1]
    several = sum(card.found is not None for card in cards) > 1
    whose = Text(" of {run}", run=short_name(names(cards)[most.run])) if several else Text("")
    sentence = Text(
        "{k} answer{whose} of at most {budget} solves the most: {value} for {spent} a question.",
        "{k} answers{whose} of at most {budget} solve the most: {value} for {spent} a question.",
        k=most.k,
        count=most.k,
        whose=whose,
        budget=in_tokens(most.budget),
        value=percent(most.value),
        spent=in_tokens(most.spent),
    )
    if not alone or most.k == 1:
        return sentence
    return Text(
        "As measured, one answer can be the best use of up to {spent} a question; above that, "
        "several answers are better. {told}",
        spent=in_tokens(max(alone)),
        told=sentence,
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


def cut_length(answers: Answers) -> Text:
    """Write at how many tokens answers are cut, of which several share what one takes."""
    assert answers.budget is not None
    return Text("{cut}", cut=quantity(answers.budget))


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
            "{count} of {all} answer was cut at the run's own limit; it is unknown what more "
            "tokens would have given.",
            "{count} of {all} answers were cut at the run's own limit; it is unknown what more "
            "tokens would have given.",
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
            "The intervals of tokens, lengths and times are nevertheless for questions like these."
        )


def lengths_in_words(found: RightLengths) -> Text:
    """Say whether right answers are longer than wrong ones to the same question."""
    longer = percent_of(found.longer)
    if found.ratio is None or found.over_all is None:
        return Text(
            "When a question has a right and a wrong answer, the right one is longer in "
            "{longer} of pairs.",
            longer=longer,
        )
    return Text(
        "Right answers are {ratio} times as long as wrong answers to the same question ({right} "
        "against {wrong} tokens, {count} question that has both); the right one is longer in "
        "{longer} of pairs. Over all answers they are {over_all} times as long: hard questions "
        "have answers of another length, and more of them are wrong.",
        "Right answers are {ratio} times as long as wrong answers to the same question ({right} "
        "against {wrong} tokens, {count} questions that have both); the right one is longer in "
        "{longer} of pairs. Over all answers they are {over_all} times as long: hard questions "
        "have answers of another length, and more of them are wrong.",
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
    sentences = [
        Text(
            "{k} answers take {at_once} s if asked at once, as long as the slowest, and "
            "{in_turn} s one after another{faster}.",
            k=found.k,
            at_once=amount(found.all_at_once),
            in_turn=amount(found.all_in_turn),
            faster=_faster(found.all_faster),
        )
    ]
    if found.right_at_once is None or found.right_in_turn is None:
        sentences.append(Text("No answer is right, so there is no time to a right one."))
    else:
        sentences.append(
            Text(
                "If one of {k} is right, the first right one arrives after {at_once} s if asked "
                "at once and after {in_turn} s one after another{faster}; in {none} of cases "
                "none is right.",
                k=found.k,
                at_once=amount(found.right_at_once),
                in_turn=amount(found.right_in_turn),
                faster=_faster(found.right_faster),
                none=percent_of(found.none_right),
            )
        )
    sentences.append(
        Text("Times are as measured, assuming that asking at once slows no answer down.")
    )
    return joined(sentences)


def _faster(estimate: Estimate | None) -> Text:
    return Text("") if estimate is None else Text(", {times} times as long", times=amount(estimate))


# The figure --------------------------------------------------------------------------------------

AXIS_OF_TOKENS = Text("Tokens of the answers to a question, on average")


def cut_answers_name(*, k: object, count: int, budget: object, cut: float) -> Text:
    """Name a number of answers cut at a budget, and how many are cut off."""
    return Text(
        "{k} answer of at most {budget} tokens ({cut:.0%} cut off)",
        "{k} answers of at most {budget} tokens ({cut:.0%} cut off)",
        k=k,
        count=count,
        budget=budget,
        cut=cut,
    )


def tokens_per_question(spent: object) -> Text:
    """Say what answers take."""
    return Text("{spent} tokens a question", spent=spent)
