"""Columns of votes and averages, for each run or segment and each k."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kofn.consistency.words import SCENARIOS, remarks, replicas_in_short
from kofn.run_columns import ABOUT, LEVEL, RUN, TARGET, remark_columns
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, NUMBER, SHARE, WORD, one_of
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.consistency.analysis import VoteCard


def _if_tied(path: str) -> Callable[[VoteCard], Any]:
    return lambda card: member(path)(card) if member("found.compared.tied")(card) else None


def _scenario(card: VoteCard) -> str | None:
    return card.found.compared.scenario(card.settings.margin).name if card.found else None


def _standing_out(card: VoteCard) -> str | None:
    return ", ".join(map(str, member("found.replicas.standing_out")(card) or ())) or None


def _run_to_run(card: VoteCard) -> Text | None:
    found = card.found.replicas if card.found else None
    return replicas_in_short(found) if found else None


COLUMNS: Columns[VoteCard] = (
    *ABOUT,
    in_files("k", COUNT, member("settings.k"), Text("empty where all samples vote")),
    Column("vote", Text("vote"), WORD, member("found.compared.label")),
    Column("cons", Text("right by vote"), ESTIMATE, member("found.compared.cons")),
    Column("avg", Text("right on average"), ESTIMATE, member("found.compared.avg")),
    Column(
        "difference",
        Text("difference"),
        DIFFERENCE,
        member("found.compared.difference"),
        help=Text("paired, question by question"),
    ),
    Column("scenario", Text("scenario"), one_of(SCENARIOS), _scenario),
    in_files(
        "tied",
        SHARE,
        member("found.compared.tied"),
        Text("the share of votes that tie, which count as wrong"),
    ),
    for_people(Text("ties"), SHARE.optional, _if_tied("found.compared.tied"), ("page",)),
    in_files(
        "half_ties",
        SHARE,
        member("found.compared.with_half_ties"),
        Text("the vote if half of the ties counted as right"),
    ),
    for_people(
        Text("right with half of the ties"),
        SHARE.optional,
        _if_tied("found.compared.with_half_ties"),
        ("page",),
    ),
    Column(
        "aisbench",
        Text("AISBench's formula"),
        SHARE.optional,
        member("found.compared.by_aisbench"),
        ("page",),
        help=Text(
            "what AISBench's own formula for cons@k gives where k is less than n, which is no "
            "majority of k"
        ),
    ),
    Column(
        "agreement",
        Text("samples with the most common answer"),
        SHARE.optional,
        member("found.agreed.mean"),
        ("terminal",),
        help=Text(
            "where answers were extracted, the mean share of samples that give the most common "
            "answer"
        ),
    ),
    Column(
        "agreed",
        Text("majority for one answer"),
        SHARE.optional,
        member("found.agreed.majority"),
        ("terminal",),
        help=Text("the share of questions where that is a majority"),
    ),
    Column(
        "confidently_wrong",
        Text("confidently wrong"),
        SHARE.optional,
        member("found.agreed.confidently_wrong"),
        ("terminal", "page"),
        help=Text("the share of questions whose answers agree and are wrong"),
    ),
    for_people(Text("run to run"), WORD, _run_to_run, ("page",)),
    in_files(
        "spread",
        SHARE,
        member("found.replicas.spread"),
        Text(
            "the standard deviation of the averages of replicas: the first sample of every "
            "question, the second …"
        ),
    ),
    in_files(
        "spread_by_chance",
        SHARE,
        member("found.replicas.spread_by_chance"),
        Text("what chance alone makes of it"),
    ),
    in_files(
        "p_of_spread",
        NUMBER,
        member("found.replicas.p_of_spread"),
        Text("how likely chance makes it so large"),
    ),
    in_files(
        "standing_out", WORD, _standing_out, Text("the replicas that chance does not explain")
    ),
    in_files(
        "flipped",
        ESTIMATE,
        member("found.replicas.flipped"),
        Text("the share of questions that some samples get right and others wrong"),
    ),
    in_files(
        "flips",
        ESTIMATE,
        member("found.replicas.flips"),
        Text("the chance that two samples of a question disagree"),
    ),
    in_files(
        "within",
        ESTIMATE,
        member("found.replicas.within"),
        Text("the share of the variance of verdicts within questions"),
    ),
    LEVEL,
    TARGET,
    in_files("margin", NUMBER, member("settings.margin")),
    in_files("questions", COUNT, member("found.compared.difference.n_questions")),
    *remark_columns(remarks),
)
_FIRST = ("vote", "difference", "cons", "avg", "scenario")
ON_SCREEN: Columns[VoteCard] = (
    RUN,
    *sorted((each for each in COLUMNS if each.key in _FIRST), key=lambda c: _FIRST.index(c.key)),
    *remark_columns(remarks),
)
VOTES: Table[VoteCard, VoteCard] = Table("votes", COLUMNS, lambda cards: cards)
