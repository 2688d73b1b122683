"""``kofn choose-n``: how many samples to pay for, for every run in some files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kofn.card import Finding, cards_by_dataset, say, title, value_of
from kofn.choices.focus import Focus, runs_in_focus
from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard, choose_means, choose_runs, joint_choice
from kofn.choose_n.columns import (
    CHOSEN,
    WITH_SEQUENTIAL,
    every_line,
    line_columns,
    lines,
    rule_columns,
    rules,
    step_columns,
    steps,
)
from kofn.choose_n.frontier import Offer, frontiers
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending, SequentialVotes, pays
from kofn.choose_n.words import (
    advice,
    answer,
    answer_of,
    best_in_words,
    orders_in_words,
    reasons,
    reliability,
    rule_name,
)
from kofn.citing.sources import AGGARWAL, LI_WINDOWS
from kofn.citing.used import PICKED, MethodNote, Used
from kofn.leaderboard.lines import cards_of_runs, cards_over_datasets
from kofn.terminal import waiting
from kofn.terminal.subcommand import Listing
from kofn.writing.columns import Block, written
from kofn.writing.joining import with_name
from kofn.writing.layout import Grid, Lines, Row, short_name
from metrics import AdaptiveCurve, AdaptiveVote
from metrics.data.evidence import Evidence
from metrics.data.words import Text, printable
from metrics.estimating.estimation import METHODS
from reports.run.report import Run

DETAILS = Text("""\
All runs of a dataset have one aim: --value (go on while an additional question solved costs at most
that), else --budget (the most that fits, for a question) or --total (for all of them, or for
--questions many), else --quality (the cheapest that is sure to solve as many), else --reach (the
cheapest that comes close to the best of all runs). The answer is about all datasets that every
model ran on, which count equally, or about the one that --dataset names. Intervals are about
questions like these.

Costs are what is known best: tokens if all runs have them, else seconds, else samples; what has a
price, or --basis, decides otherwise. --value, --budget and --total are in the same unit. If another
unit of cost would lead to another choice, the answer says both.

If answers vote (--verifier no), kofn also says what the chosen run takes if votes end early;
--stop, --confidence, --window and --cap say how.

formats:
  table  the answer; for each dataset what it rests on, its runs at the n to use, and which is best
         for its cost; then for each run a table of some n
  json   {{"answer", "view", "pricing", "focus": the settings, "together": the same as of each
         dataset, of models over all of them, "datasets": {{dataset: its answer, the run to take,
         its aim and why, what another count of costs would take (otherwise), and of each run with
         an n to use chance_of_best, that none is better by the aim at its own, and
         expected_loss, by how much the best is better on average, in shares of questions within a
         budget, else in the unit of costs}}, "choices": [what is said of each run], "table": [one
         object for each run and n], "frontiers": {{dataset: [each run and n]}}, "early": [votes
         that end early, of the run to take of each dataset: each rule at the cap, and its curve]}}
  csv    the table, and below it votes that end early
  md     the runs at the n to use as one Markdown table, and one of the votes that end early
""")


def _tokens(run: Run) -> Tokens:
    with waiting.show_progress(Text("Counting tokens of {source}", source=run.source)) as progress:
        return estimate_tokens(run, progress)


def _choose(
    runs: Mapping[str, Run], view: View, pricing: Pricing, focus: Focus, ending: Ending
) -> Sequence[ChoiceCard]:
    runs_in_focus(runs, focus)
    chosen = choose_runs(runs, view, pricing, focus, ending, _tokens)
    return chosen if focus.dataset else [*chosen, *choose_means(runs, view, pricing, _tokens)]


def _blocks(chosen: Sequence[ChoiceCard]) -> Iterator[Lines]:
    datasets = cards_by_dataset(chosen)
    for dataset, cards in datasets.items():
        yield _dataset(dataset if len(datasets) > 1 else None, cards)
    yield from map(_run, chosen)


def _screen(chosen: Sequence[ChoiceCard]) -> Iterator[Block]:
    found = every_line(chosen)
    yield Block("", line_columns(found), found)


def _dataset(dataset: str | None, cards: Sequence[ChoiceCard]) -> Lines:
    """Say what the runs of a dataset say together; its answer where it is one of several."""
    if dataset is not None:
        yield str(with_name(short_name(dataset), answer_of(cards)))
    yield from map(str, reasons(cards))
    if (held := reliability(cards)) is not None:
        yield str(held)
    shown = lines(cards)
    if any(line.n for line in shown):
        yield Grid(written(line_columns(shown), shown, "terminal"))
    if (best := best_in_words(cards)) is not None:
        yield str(best)


def _run(card: ChoiceCard) -> Lines:
    """Say which n the aim asks of a run, with some n and with its votes that end early."""
    yield str(with_name(title(card), advice(card)))
    if card.found is None:
        return
    priced = card.found.priced
    yield from map(str, (priced.basis, *card.found.choice.remarks))
    shown = steps(card)
    yield Grid(written(step_columns(shown), shown, "terminal"))
    sequential, _ = card.found.sequential
    if sequential is not None:
        yield str(Text("Votes of up to {cap} that end early:", cap=sequential.cap))
        yield Grid(written(rule_columns(priced), rules(card), "terminal"))
        yield from map(str, orders_in_words(sequential))


def _tables(chosen: Sequence[ChoiceCard]) -> Iterator[Sequence[Row]]:
    found = every_line(chosen)
    yield written(line_columns(found), found, "paper")
    for card in chosen:
        if ended := rules(card):
            assert card.found is not None
            yield written(rule_columns(card.found.priced), ended, "paper")


def _document(chosen: Sequence[ChoiceCard]) -> dict[str, Any]:
    datasets = cards_by_dataset(cards_of_runs(chosen)).items()
    whole = cards_over_datasets(chosen)
    return {
        "datasets": {printable(dataset): _joint_document(cards) for dataset, cards in datasets},
        **({"together": _joint_document(whole)} if whole else {}),
        "choices": list(map(_advice, cards_of_runs(chosen))),
        "table": CHOSEN.rows(cards_of_runs(chosen)),
        "frontiers": {
            printable(dataset): list(map(_offer, offers))
            for dataset, offers in frontiers(cards_of_runs(chosen)).items()
        },
        "early": [
            _sequential(one.key, one.found.sequential)
            for one in chosen
            if one.found is not None and any(one.found.sequential)
        ],
    }


def _joint_document(cards: Sequence[ChoiceCard]) -> dict[str, Any]:
    joint = joint_choice(cards)
    selection = joint.selection
    taken = None if selection is None or selection.run is None else selection.choices[selection.run]
    return {
        "answer": say(answer_of(cards)),
        "reasons": [say(reason) for reason in reasons(cards)],
        "rule": None if selection is None else selection.aim.rule,
        "limit": None if selection is None else selection.aim.limit,
        "target": None if selection is None else selection.aim.target,
        "run": None if selection is None else selection.run,
        "n": None if taken is None else taken.safe_n,
        "chance_of_best": None if selection is None else dict(selection.chances),
        "expected_loss": None if selection is None else dict(selection.losses),
        "otherwise": [
            {"basis": other.basis, "run": other.run, "n": other.n}
            for other in next((each.otherwise for each in joint.found.values()), ())
        ],
    }


def _sequential(key: str, sequential: Finding[SequentialVotes]) -> dict[str, Any]:
    """Return what JSON holds of the votes of a run that end early, or why there are none."""
    found, reason = sequential
    if found is None:
        return {"run": key, "cap": None, "rule": None, "reason": say(reason), "rules": []}
    return {
        "run": key,
        "cap": found.cap,
        "rule": found.rule,
        "reason": None,
        "rules": [
            {
                "rule": name,
                "called": say(rule_name(curve.rule)),
                "pays": pays(curve, found.cap),
                **_of_vote(curve.at(found.cap)),
                "as_accurate": curve.fewest(found.cap),
                "curve": list(_points(curve)),
            }
            for name, curve in found.curves.items()
        ],
    }


def _of_vote(vote: AdaptiveVote) -> dict[str, Any]:
    names = ("samples", "saved", "cost", "value", "gain")
    return {**{name: value_of(getattr(vote, name)) for name in names}, "orders": vote.orders}


def _points(curve: AdaptiveCurve) -> Iterator[dict[str, Any]]:
    columns = ("samples", "cost", "value", "low", "high", "voted")
    for row, cap in enumerate(curve.cap.tolist()):
        numbers = {column: float(getattr(curve, column)[row]) for column in columns}
        yield {"cap": cap, **numbers, "as_accurate": curve.fewest(cap)}


def _offer(offer: Offer) -> dict[str, Any]:
    names = ("n", "cost", "quality", "low", "high", "best", "chosen")
    return {"run": offer.key, **{name: getattr(offer, name) for name in names}}


def _advice(one: ChoiceCard) -> dict[str, Any]:
    about = {"run": one.key, "advice": say(advice(one))}
    if one.found is None:
        return {**about, "rule": None, "n": None, "interval": None, "safe_n": None}
    choice, priced = one.found.choice, one.found.priced
    return {
        **about,
        "rule": choice.rule,
        "n": choice.n,
        "interval": choice.interval,
        "safe_n": choice.safe_n,
        "metric": choice.metric,
        "basis": say(priced.basis),
        "unit": say(priced.unit),
        "method": say(choice.method),
        "held": say(choice.held),
        "remarks": [say(remark) for remark in choice.remarks],
    }


def _used(chosen: Sequence[ChoiceCard]) -> Iterator[Used | MethodNote]:
    for one in cards_of_runs(chosen):
        if one.found is not None:
            clustered = Evidence(one.run).clusters is not None
            method = METHODS["clustered" if clustered else "population"]
            yield Used(one.found.choice.metric, None, method)
            if one.found.choice.metric == "selected@k":
                yield PICKED
            yield _BOOTSTRAPPED
            if one.found.sequential[0] is not None:
                yield _REPLAYED


_BOOTSTRAPPED = MethodNote(Text("The interval of n is that of bootstraps of the questions."))
_REPLAYED = MethodNote(
    Text(
        "Votes that end early are the stored samples replayed: Adaptive-Consistency is the rule of "
        "{confidence}, early-stopping self-consistency that of {windows}.",
        confidence=AGGARWAL.short,
        windows=LI_WINDOWS.short,
    ),
    (AGGARWAL, LI_WINDOWS),
)


CHOOSE_N = Listing(
    about=DETAILS,
    result=Text("an n to choose"),
    view=("level", "missing", "segment", "run"),
    choices={"pricing": (Pricing, ()), "focus": (Focus, ()), "ending": (Ending, ())},
    compute=_choose,
    answer=answer,
    blocks=_blocks,
    screen=_screen,
    table=WITH_SEQUENTIAL,
    tables=_tables,
    used=_used,
    figure="kofn.choose_n.figures:picture",
    document=_document,
)
