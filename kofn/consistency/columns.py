"""What is told of votes against averages, for each run or segment and each k."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kofn.about import ABOUT, LEVEL, TARGET, told
from kofn.consistency.replicas import briefly
from kofn.consistency.words import SCENARIOS, remarks
from kofn.writing.columns import Column, Columns, Table
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, NUMBER, SHARE, WORD, one_of
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.consistency.analysis import VoteCard

Value = Callable[["VoteCard"], Any]


def compared(name: str) -> Value:
    """Return what gives a number of a vote against the average."""
    return lambda card: getattr(card.found.compared, name) if card.found else None


def agreed(name: str) -> Value:
    """Return what gives a number of how far answers agree."""
    return lambda card: getattr(card.found.agreed, name, None) if card.found else None


def replicas(name: str) -> Value:
    """Return what gives a number of the replicas."""
    return lambda card: getattr(card.found.replicas, name, None) if card.found else None


def _scenario(card: VoteCard) -> str | None:
    return card.found.compared.scenario(card.settings.margin).name if card.found else None


def _standing_out(card: VoteCard) -> str | None:
    return ", ".join(map(str, replicas("standing_out")(card) or ())) or None


def _run_to_run(card: VoteCard) -> Text | None:
    found = card.found.replicas if card.found else None
    return briefly(found) if found else None


COLUMNS: Columns[VoteCard] = (
    *ABOUT,
    Column("k", None, COUNT, lambda card: card.settings.k, help="empty where all samples vote"),
    Column("vote", Text("vote"), WORD, compared("label")),
    Column("cons", Text("right by vote"), ESTIMATE, compared("cons")),
    Column("avg", Text("right on average"), ESTIMATE, compared("avg")),
    Column(
        "difference",
        Text("difference"),
        DIFFERENCE,
        compared("difference"),
        help="paired, question by question",
    ),
    Column("scenario", Text("scenario"), one_of(SCENARIOS), _scenario),
    Column(
        "tied",
        None,
        SHARE,
        compared("tied"),
        help="the share of votes that tie, which count as wrong",
    ),
    Column(
        "", Text("ties"), SHARE.optional, lambda card: compared("tied")(card) or None, ("page",)
    ),
    Column(
        "half_ties",
        Text("right with half of the ties"),
        SHARE.optional,
        compared("with_half_ties"),
        ("page",),
        help="the vote if half of the ties counted as right",
    ),
    Column(
        "aisbench",
        Text("AISBench's formula"),
        SHARE.optional,
        compared("by_aisbench"),
        ("page",),
        help="what AISBench's own formula for cons@k gives where k is less than n, which is no "
        "majority of k",
    ),
    Column(
        "agreement",
        Text("samples with the most common answer"),
        SHARE.optional,
        agreed("mean"),
        ("terminal",),
        help="where answers were extracted, the mean share of samples that give the most common "
        "answer",
    ),
    Column(
        "agreed",
        Text("majority for one answer"),
        SHARE.optional,
        agreed("majority"),
        ("terminal",),
        help="the share of questions where that is a majority",
    ),
    Column(
        "confidently_wrong",
        Text("confidently wrong"),
        SHARE.optional,
        agreed("confidently_wrong"),
        ("terminal", "page"),
        help="the share of questions whose answers agree and are wrong",
    ),
    Column("", Text("run to run"), WORD, _run_to_run, ("page",)),
    Column(
        "spread",
        None,
        SHARE,
        replicas("spread"),
        help="the standard deviation of the averages of replicas: the first sample of every "
        "question, the second …",
    ),
    Column(
        "spread_by_chance",
        None,
        SHARE,
        replicas("spread_by_chance"),
        help="what chance alone makes of it",
    ),
    Column(
        "p_of_spread",
        None,
        NUMBER,
        replicas("p_of_spread"),
        help="how likely chance makes it so large",
    ),
    Column(
        "standing_out",
        None,
        WORD,
        _standing_out,
        help="the replicas that chance does not explain",
    ),
    Column(
        "flipped",
        None,
        ESTIMATE,
        replicas("flipped"),
        help="the share of questions that some samples get right and others wrong",
    ),
    Column(
        "flips",
        None,
        ESTIMATE,
        replicas("flips"),
        help="the chance that two samples of a question disagree",
    ),
    Column(
        "within",
        None,
        ESTIMATE,
        replicas("within"),
        help="the share of the variance of verdicts within questions",
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
    *told(remarks),
)
VOTES: Table[VoteCard, VoteCard] = Table("votes", COLUMNS, lambda cards: cards)
