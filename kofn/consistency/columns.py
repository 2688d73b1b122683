"""Columns of votes and averages, for each run or segment and each k."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kofn.about import ABOUT, LEVEL, RUN, TARGET, remark_columns
from kofn.consistency.words import SCENARIOS, briefly, remarks
from kofn.writing.columns import Column, Columns, Table, at
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, NUMBER, SHARE, WORD, one_of
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.consistency.analysis import VoteCard


def _if_tied(path: str) -> Callable[[VoteCard], Any]:
    return lambda card: at(path)(card) if at("found.compared.tied")(card) else None


def _scenario(card: VoteCard) -> str | None:
    return card.found.compared.scenario(card.settings.margin).name if card.found else None


def _standing_out(card: VoteCard) -> str | None:
    return ", ".join(map(str, at("found.replicas.standing_out")(card) or ())) or None


def _run_to_run(card: VoteCard) -> Text | None:
    found = card.found.replicas if card.found else None
    return briefly(found) if found else None


COLUMNS: Columns[VoteCard] = (
    *ABOUT,
    Column(
        "k", None, COUNT, lambda card: card.settings.k, help=Text("empty where all samples vote")
    ),
    Column("vote", Text("vote"), WORD, at("found.compared.label")),
    Column("cons", Text("right by vote"), ESTIMATE, at("found.compared.cons")),
    Column("avg", Text("right on average"), ESTIMATE, at("found.compared.avg")),
    Column(
        "difference",
        Text("difference"),
        DIFFERENCE,
        at("found.compared.difference"),
        help=Text("paired, question by question"),
    ),
    Column("scenario", Text("scenario"), one_of(SCENARIOS), _scenario),
    Column(
        "tied",
        None,
        SHARE,
        at("found.compared.tied"),
        help=Text("the share of votes that tie, which count as wrong"),
    ),
    Column(
        "",
        Text("ties"),
        SHARE.optional,
        _if_tied("found.compared.tied"),
        ("page",),
    ),
    Column(
        "half_ties",
        None,
        SHARE,
        at("found.compared.with_half_ties"),
        help=Text("the vote if half of the ties counted as right"),
    ),
    Column(
        "",
        Text("right with half of the ties"),
        SHARE.optional,
        _if_tied("found.compared.with_half_ties"),
        ("page",),
    ),
    Column(
        "aisbench",
        Text("AISBench's formula"),
        SHARE.optional,
        at("found.compared.by_aisbench"),
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
        at("found.agreed.mean"),
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
        at("found.agreed.majority"),
        ("terminal",),
        help=Text("the share of questions where that is a majority"),
    ),
    Column(
        "confidently_wrong",
        Text("confidently wrong"),
        SHARE.optional,
        at("found.agreed.confidently_wrong"),
        ("terminal", "page"),
        help=Text("the share of questions whose answers agree and are wrong"),
    ),
    Column("", Text("run to run"), WORD, _run_to_run, ("page",)),
    Column(
        "spread",
        None,
        SHARE,
        at("found.replicas.spread"),
        help=Text(
            "the standard deviation of the averages of replicas: the first sample of every "
            "question, the second …"
        ),
    ),
    Column(
        "spread_by_chance",
        None,
        SHARE,
        at("found.replicas.spread_by_chance"),
        help=Text("what chance alone makes of it"),
    ),
    Column(
        "p_of_spread",
        None,
        NUMBER,
        at("found.replicas.p_of_spread"),
        help=Text("how likely chance makes it so large"),
    ),
    Column(
        "standing_out",
        None,
        WORD,
        _standing_out,
        help=Text("the replicas that chance does not explain"),
    ),
    Column(
        "flipped",
        None,
        ESTIMATE,
        at("found.replicas.flipped"),
        help=Text("the share of questions that some samples get right and others wrong"),
    ),
    Column(
        "flips",
        None,
        ESTIMATE,
        at("found.replicas.flips"),
        help=Text("the chance that two samples of a question disagree"),
    ),
    Column(
        "within",
        None,
        ESTIMATE,
        at("found.replicas.within"),
        help=Text("the share of the variance of verdicts within questions"),
    ),
    LEVEL,
    TARGET,
    Column("margin", None, NUMBER, lambda card: card.settings.margin),
    Column(
        "questions",
        None,
        COUNT,
        lambda card: card.found.compared.difference.n_questions if card.found else None,
    ),
    *remark_columns(remarks),
)
_FIRST = ("vote", "difference", "cons", "avg", "scenario")
ON_SCREEN: Columns[VoteCard] = (
    RUN,
    *sorted((each for each in COLUMNS if each.key in _FIRST), key=lambda c: _FIRST.index(c.key)),
    *remark_columns(remarks),
)
VOTES: Table[VoteCard, VoteCard] = Table("votes", COLUMNS, lambda cards: cards)
