"""Sentences about questions: how many are lost and how, their kinds, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from charts.heat import HeatWords, Panel
from kofn.leaderboard.words import with_assumption
from kofn.questions.filters import Kind
from kofn.questions.losses import CountedQuestions, Losses
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import short_name
from metrics import AGREED
from metrics.data.words import Enumerated, Text, some_of

NO_TEXTS = Text("Texts are searched where they are loaded; those of this run stay where they are.")
NAMED = 5
"""Questions that a verdict names."""


class KindName(NamedTuple):
    """What a kind of questions is called, and what it is."""

    name: Text
    meaning: Text


KINDS: Mapping[Kind, KindName] = {
    "all": KindName(Text("All"), Text("Every question.")),
    "always": KindName(Text("Always right"), Text("Every sample is right.")),
    "never": KindName(
        Text("Never right"), Text("No sample is right: more samples would not help.")
    ),
    "flaky": KindName(Text("Flaky"), Text("Some samples are right, others are not.")),
    "majority-wrong": KindName(
        Text("Majority wrong but solvable"),
        Text("Some samples are right, but no more than half: a vote would fail."),
    ),
    "picked-wrong": KindName(
        Text("Solvable but picked wrong"),
        Text("Some sample is right, but not the one that a signal picks."),
    ),
    "confidently-wrong": KindName(
        Text("Confidently wrong"),
        Text("At least {share:.0%} of the samples agree on one wrong answer.", share=AGREED),
    ),
    "a-beats-b": KindName(
        Text("Right in A, wrong in B"),
        Text("More than half of the samples of A are right, and no more than half of those of B."),
    ),
    "a-above-b": KindName(
        Text("Better in A than in B"), Text("A has a larger share of right samples than B.")
    ),
    "a-equals-b": KindName(
        Text("As good in A as in B"), Text("A and B have the same share of right samples.")
    ),
    "failed": KindName(
        Text("With failed requests"),
        Text("At least one sample has no answer, because its request failed."),
    ),
    "cut": KindName(Text("With cut samples"), Text("At least one sample was cut off at a limit.")),
    "no-answer": KindName(
        Text("Without an answer"), Text("At least one sample has no answer that could be found.")
    ),
    "soft-gap": KindName(
        Text("Soft and hard differ"),
        Text("The mean soft score differs from the share of right samples."),
    ),
    "disputed": KindName(
        Text("Verdict against score"),
        Text("A verdict of the evaluator contradicts the sample's soft score."),
    ),
    "missed": KindName(
        Text("Missed"),
        Text("A sample is judged wrong, although its text ends by stating the reference."),
    ),
    "generous": KindName(
        Text("Generous"), Text("A sample is judged right, although its text states another answer.")
    ),
    "divided": KindName(Text("Divided"), Text("The text of a sample states several answers.")),
    "unsupported": KindName(
        Text("Unsupported"), Text("The text of a sample states no final answer.")
    ),
}


def answer(runs: Sequence[CountedQuestions], assumed: float | None = None) -> Text:
    """Say what questions of a run are lost and how; of several, of the one that loses most.

    assumed: The score above which a try counts as right, where that is assumed.
    """
    first, *others = _answer_of(runs)
    return joined([with_assumption(assumed, first), *others])


def _answer_of(runs: Sequence[CountedQuestions]) -> Iterator[Text]:
    most = max(runs, key=lambda run: run.losses.share)
    samples = max(run.losses.most for run in runs)
    if len(runs) == 1 or not samples:
        yield with_name(short_name(most.key), _losses_of_run(most.losses))
        yield from _agreed_on_wrong(most.losses)
    elif samples == 1:
        yield Text(
            "{count} runs have one sample of each question, which does not tell luck from skill.",
            count=len(runs),
        )
    elif not most.losses.share:
        yield Text("None of {count} runs loses a question by a vote.", count=len(runs))
    else:
        yield Text(
            "Of {count} runs {run} loses most: {lost}",
            count=len(runs),
            run=short_name(most.key),
            lost=_losses_of_run(most.losses),
        )
        yield from _agreed_on_wrong(most.losses)


def _losses_of_run(found: Losses) -> Text:
    asked = found.asked
    if not asked:
        return Text("No question has a sample that can be graded.")
    if found.most == 1 == asked:
        return Text(
            "The only question is {verdict}. One sample does not tell luck from skill.",
            verdict=Text("right") if found.right else Text("wrong"),
        )
    if found.most == 1:
        return Text(
            "{count} of {all} questions is right. One sample does not tell luck from skill.",
            "{count} of {all} questions are right. One sample does not tell luck from skill.",
            count=found.right,
            all=asked,
        )
    return Text(
        "{lost}, {never}.",
        lost=Text(
            "{count} of {asked} is solvable but lost by a vote",
            "{count} of {asked} are solvable but lost by a vote",
            count=found.majority_wrong,
            asked=Text("{count} question", "{count} questions", count=asked),
        ),
        never=Text("{count} is never solved", "{count} are never solved", count=found.never),
    )


def _agreed_on_wrong(found: Losses) -> Iterator[Text]:
    if found.most > 1 and found.confidently_wrong:
        yield Text(
            "On {count} at least {share:.0%} of the samples agree on one wrong answer, as if the "
            "reference were wrong.",
            count=found.confidently_wrong,
            share=AGREED,
        )


def count_in_words(listed: int, every: int) -> Text:
    """Say how many questions are listed, and of how many."""
    return Text(
        "{listed} of {count} question",
        "{listed} of {count} questions",
        listed=listed,
        count=every,
    )


def part_in_words(first: int, last: int) -> Text:
    """Say which part of a list is shown."""
    return Text("{first} to {last} are listed, other pages by --page", first=first, last=last)


def none_listed(reason: Text | None) -> Text:
    """Say why no question is listed."""
    return Text("No question can be listed: {why}", why=reason or "")


def unknown_kind(run: str, kind: Kind) -> Text:
    """Say that a run does not tell which of its questions are of a kind."""
    return Text(
        "{run} has nothing to tell this kind of questions by: {kind}.",
        run=run,
        kind=KINDS[kind].name,
    )


def no_column(name: str, columns: Iterable[str]) -> Text:
    """Say that there is no such column, and which there are."""
    return Text(
        "There is no column {name}; there are: {columns}.", name=name, columns=Enumerated(columns)
    )


def no_such_page(count: int) -> Text:
    """Say that there are not as many pages."""
    return Text(
        "There is {count} page of such questions.",
        "There are {count} pages of such questions.",
        count=count,
    )


def references_to_check(dataset: str, sentence: Text) -> Text:
    """Say of a dataset which references are worth checking."""
    return Text(
        "Check the reference, {dataset}: {said}",
        dataset=short_name(dataset),
        said=sentence,
    )


def more_in_json(count: int) -> Text:
    """Say that there are more of them than a terminal lists."""
    return Text("and {count} more; JSON has all of them.", count=count)


def too_few_right(question: str, right: int, required: int) -> Text:
    """Say how many samples of a question are right, and how many have to be."""
    return Text(
        "{question} with {right} of {required}",
        question=short_name(question),
        right=right,
        required=required,
    )


def required_in_words(
    key: str, count: int, failed: Sequence[Text], unknown: Sequence[str], open_: int
) -> Text:
    """Say of how many required questions enough samples are right, and of which not."""
    fine = count - len(failed) - len(unknown) - open_
    sentence = Text(
        "{run}: {enough} of {count} required question has enough right samples.",
        "{run}: {enough} of {count} required questions have enough right samples.",
        run=short_name(key),
        enough=fine,
        count=count,
    )
    for more in _further_failures(failed, unknown, open_):
        sentence = Text("{said} {more}", said=sentence, more=more)
    return sentence


def _further_failures(failed: Sequence[Text], unknown: Sequence[str], open_: int) -> Iterator[Text]:
    if failed:
        yield Text("Too few: {names}.", names=some_of(map(str, failed), NAMED))
    if unknown:
        names = some_of((short_name(each) for each in unknown), NAMED)
        yield Text("The run has no question called {names}.", names=names)
    if open_:
        yield Text("Missing samples leave {open} open.", open=open_)


def not_a_list(path: str) -> Text:
    """Say what a list of required questions has to be."""
    return Text(
        "{file} must be a CSV with the columns question_id and least: each question once, with how "
        "many of its samples have to be right, from 1 on.",
        file=path,
    )


# The figure --------------------------------------------------------------------------------------


def describe_heat(panels: Sequence[Panel], questions: int) -> Text:
    """Say in words what `charts.heat.heat` shows, for those who do not see it."""
    return Text(
        "Heat map of {questions} questions by samples of {count} run, the easiest questions on "
        "the left. The table has the same outcomes.",
        "Heat map of {questions} questions by samples of {count} runs, the easiest questions on "
        "the left. The table has the same outcomes.",
        questions=questions,
        count=len(panels),
    )


def heat_words(soft: bool) -> HeatWords:
    """Return what the heat map says, of scores or of verdicts."""
    return HeatWords(
        Text("Questions, the easiest first"),
        Text("Sample"),
        Text("Score") if soft else Text("Right"),
        lambda question, sample: Text(
            "question {question}, sample {sample}", question=question, sample=sample
        ),
        lambda share: (
            Text("score: {share}", share=share) if soft else Text("right: {share}", share=share)
        ),
        lambda share: Text("failed: {share}", share=share),
    )
