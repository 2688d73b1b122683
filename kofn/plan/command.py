"""``kofn plan``: what a benchmark can show about two runs, and what it takes to show more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.card import full_name, say
from kofn.choices.focus import Focus, runs_in_focus
from kofn.choices.runs import USUAL_K
from kofn.choices.view import View
from kofn.citing.used import DIFFERENCE, MethodNote, Used
from kofn.compare.choices import CompareChoices
from kofn.compare.command import match_shown
from kofn.compare.contest import require_named
from kofn.plan.analysis import PlanCard, plan_runs
from kofn.plan.choices import PlanChoices
from kofn.plan.columns import PLANNED, columns_of, lines_to_read, screen_columns
from kofn.plan.words import answer, answer_of
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, written
from kofn.writing.joining import with_name
from kofn.writing.layout import Row, short_name
from metrics.data.words import Text
from metrics.estimating.estimation import PAIRED
from reports.run.report import Run

DETAILS = Text("""\
The runs are the pilot: --base, or the first, and --other, or the best of the others. A single run
is compared with an imagined one that finds the same questions equally difficult, so that only
chance separates them: an optimistic plan. A difference counts as detected if the interval of `kofn
compare` excludes 0; plans are for questions like these. Plans with fewer samples drop some of the
pilot's; plans with more go up to 16 times as many, if the pilot's samples allow two draws of k.

For more than two runs, it says whether they can be ranked: by how much two must differ among all
pairs (Holm), and how many places a run may then have.

formats:
  table  a block for each dataset, a line for each number of samples of a question in each run
  json   {{"view", "focus", "choices", "goals": the settings, "plan": [one object for each dataset,
         number of samples and difference]}}
  csv    the same rows
  md     a Markdown table for each dataset
""")


def _compute(
    runs: Mapping[str, Run], view: View, focus: Focus, choices: CompareChoices, goals: PlanChoices
) -> Sequence[PlanCard]:
    runs = runs_in_focus(runs, focus)
    require_named((choices.base, choices.other), runs)
    return plan_runs(runs, view, goals, choices, focus, match_shown)


def _blocks(cards: Sequence[PlanCard]) -> Iterator[Block]:
    for card in cards:
        head = str(with_name(short_name(card.run.dataset), answer_of(card)))
        if card.found is None:
            yield Block(head, below=[full_name(card)])
        else:
            yield Block(head, columns_of(card), lines_to_read(card))


def _tables(cards: Sequence[PlanCard]) -> Iterator[Sequence[Row]]:
    for card in cards:
        if card.found is None:
            yield [{"run": full_name(card), "remarks": say(card.reason) or ""}]
        else:
            yield written(columns_of(card), lines_to_read(card), "paper")


def _used(cards: Sequence[PlanCard]) -> Iterator[Used | MethodNote]:
    for found in (card.found for card in cards if card.found):
        yield Used(found.plan.metric, found.plan.k)
        yield Used(DIFFERENCE, None, PAIRED)
        yield MethodNote(
            Text(
                "A difference counts as detected if its interval excludes 0 with a chance of "
                "{power:.0%}, for questions like these.",
                power=found.plan.power,
            )
        )


PLAN = Listing(
    about=DETAILS,
    result=Text("something to plan with"),
    view=("metric", "k", "level", "missing", "segment", "run"),
    defaults={
        "metric": "avg@n",
        "k": USUAL_K,
    },
    choices={
        "focus": (Focus, ()),
        "choices": (CompareChoices, ("base", "other")),
        "goals": (PlanChoices, ()),
    },
    compute=_compute,
    answer=answer,
    blocks=_blocks,
    screen=lambda cards: [Block("", screen_columns(cards), cards)],
    table=PLANNED,
    tables=_tables,
    used=_used,
    figure="kofn.plan.figures:picture",
)
