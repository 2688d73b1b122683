"""``kofn score``: the scorecard of every run in some files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from kofn.card import Card, attempt, title
from kofn.choices.runs import USUAL_K
from kofn.citing.used import Used, used_of_score
from kofn.finish_reasons.analysis import EndedCard, count_finish_reasons
from kofn.finish_reasons.columns import ENDED
from kofn.finish_reasons.words import in_words
from kofn.leaderboard.lines import whole_suites
from kofn.leaderboard.words import unlike_runs_by_dataset
from kofn.run_columns import without_names
from kofn.scorecard.analysis import ScoreCard, score_runs, scores_of
from kofn.scorecard.brief import screen
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.columns import COLUMNS, SCORES, caveats_of, lines_of, side_by_side
from kofn.scorecard.gate import LineChoices, judge
from kofn.scorecard.rewards_and_priors import Given
from kofn.scorecard.suites import pool_suites
from kofn.scorecard.words import HOW_TO_SEE_MORE, answer_of, fields_of, suite_of
from kofn.terminal.gate import Gate
from kofn.terminal.remarks import Remark
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, member, written
from kofn.writing.estimates import distinct_percents
from kofn.writing.layout import Row, short_name
from metrics.data.words import Text
from reports.run.reconcile import Comparison, reconcile, reconcile_suite
from reports.run.report import Report

Compared = tuple[str, Sequence[Comparison]]
"""The name of a run or suite, and what its file states."""

DETAILS = Text(
    """\
If numbers that a file states differ from those of its samples, a line on standard error says so.

With --fail-under, a line for each run says whether its lower limit is high enough at every k that
is shown; a run without a value fails. Each limit holds for its run alone.

formats:
  table  a block for each run, its caveats numbered below
  json   {{"view", "chosen": the settings, "scores": [one object for each run, metric and k],
         "states": [how the samples of each run ended, and how much that leaves open in avg@n]}},
         and with --fail-under "gate": {{"status", "verdicts": [{{"passed", "says"}}]}}
  csv    the same rows
  md     one Markdown table, below a list of what --fail-under finds
  latex  with --metrics a row for each run and a column for each metric; without, as md
"""
)


def _block(card: ScoreCard) -> Block:
    lines = lines_of(card)
    count = max((member("score.estimate.n_questions")(line) or 0 for line in lines), default=0)
    questions = Text("{count} question", "{count} questions", count=count)
    heading = title(card, card.found.pooled if card.found else None, questions if count else None)
    below = [f"[{n}] {caveat!s}" for n, caveat in enumerate(caveats_of(card), start=1)]
    if (ended := _ended(card)).found and ended.found.is_notable:
        below.append(str(in_words(ended.found)))
    return Block(heading, without_names(COLUMNS), lines, below, head=False)


def _ended(card: ScoreCard) -> EndedCard:
    """Return how the samples of a run ended."""
    return Card(
        card.key, card.run, card.view, None, *attempt(count_finish_reasons, card.run, card.view)
    )


def _states(cards: Sequence[ScoreCard]) -> list[dict[str, Any]]:
    return ENDED.rows([_ended(card) for card in cards if card.run.known is not None])


def _paper(cards: Sequence[ScoreCard]) -> list[Sequence[Row]]:
    chosen = any(card.settings.names for card in cards)
    return [written(side_by_side(cards), cards, "paper") if chosen else SCORES.written(cards)]


def _score_remarks(reports: Sequence[Report], scored: Sequence[ScoreCard]) -> Iterator[Remark]:
    yield from (
        Remark("note", "", sentence) for sentence in unlike_runs_by_dataset(_fields(tuple(scored)))
    )
    yield from _differences(_compared(scored))
    yield from _differences(_compared_suites(reports, scored))


def _compared(scored: Sequence[ScoreCard]) -> Iterator[Compared]:
    return ((card.key, reconcile(card.run)) for card in scored if card.found)


def _compared_suites(reports: Sequence[Report], scored: Sequence[ScoreCard]) -> Iterator[Compared]:
    return ((key, reconcile_suite(suite)) for key, suite, _ in whole_suites(reports, scored))


def _differences(compared: Iterable[Compared]) -> Iterator[Remark]:
    for key, lines in compared:
        for line in lines:
            if not line.agrees and line.recomputed is not None:
                reported, recomputed = distinct_percents(line.reported, line.recomputed)
                difference = Text(
                    "{metric} is {reported} in the file and {recomputed} by its samples: {reason}",
                    metric=line.metric,
                    reported=reported,
                    recomputed=recomputed,
                    reason=line.reason,
                )
                yield Remark("difference", short_name(key), difference)


_fields = lru_cache(maxsize=1)(fields_of)
_suite = lru_cache(maxsize=1)(suite_of)


def _cards_of_runs(cards: Sequence[ScoreCard]) -> tuple[ScoreCard, ...]:
    """Return the cards of runs, without those of suites."""
    return tuple(card for card in cards if not (card.found and card.found.pooled))


def _answer(cards: Sequence[ScoreCard]) -> Text:
    own = _cards_of_runs(cards)
    return answer_of(_fields(own), _suite(own))


def _screen(cards: Sequence[ScoreCard]) -> Iterator[Block]:
    own = _cards_of_runs(cards)
    return screen(cards, _fields(own), _suite(own))


def _used(cards: Sequence[ScoreCard]) -> Iterator[Used]:
    for card in cards:
        for score in scores_of(card):
            yield from used_of_score(score)


SCORECARD = Listing(
    about=DETAILS,
    result=Text("a score"),
    view=("k", "level", "target", "missing", "segment", "run"),
    defaults={"k": USUAL_K},
    choices={"chosen": (ScoreChoices, ScoreChoices.KEYS), "given": (Given, ())},
    compute=score_runs,
    found=lambda card: any(score.estimate for score in scores_of(card)),
    answer=_answer,
    blocks=lambda cards: map(_block, cards),
    screen=_screen,
    whole_if_short=False,
    beyond=HOW_TO_SEE_MORE,
    table=SCORES,
    paper=_paper,
    used=_used,
    figure="kofn.scorecard.figures:picture",
    document=lambda cards: {"states": _states(cards)},
    pooled=pool_suites,
    remarks=_score_remarks,
    gate=Gate(LineChoices, judge),
    judged=Text("  1  with --fail-under, some run is not surely high enough\n"),
)
