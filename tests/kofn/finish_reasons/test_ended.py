"""How samples ended is counted by hand, and said with what it leaves open of the score."""

import json

import numpy as np
import pytest

from charts.shares import shares
from kofn.card import Card, attempt
from kofn.choices.view import View
from kofn.command import main
from kofn.finish_reasons.analysis import EndedCard, count_finish_reasons
from kofn.finish_reasons.columns import ENDED
from kofn.finish_reasons.figures import BARS, bars
from kofn.finish_reasons.words import (
    NAMES,
    caution,
    describe_shares,
    heading,
    in_words,
    shares_words,
)
from kofn.overview.analysis import summarize_runs
from kofn.overview.columns import GLANCES
from kofn.overview.words import cautions
from kofn.writing.columns import dtypes
from metrics import Outcomes, score_range
from reports import Run
from reports.run.labels import Labels

STATED = ("stop", "length")


def run(correct, reasons=None, model="7B", dataset="aime", **fields) -> Run:
    labels = {} if reasons is None else {"finish_reason": Labels(np.array(reasons), STATED)}
    return Run(model, dataset, Outcomes(correct), labels=labels, **fields)


def card(of: Run, view: View | None = None) -> EndedCard:
    asked = view or View()
    return Card(
        f"{of.model} / {of.dataset}", of, asked, None, *attempt(count_finish_reasons, of, asked)
    )


CUT = run([[1, 1, 0, 0], [1, 0, 0, 1]], [[0, 0, 1, 1], [0, 0, 1, 1]])


def test_a_run_whose_samples_were_cut() -> None:
    found = count_finish_reasons(CUT, View())
    assert (found.samples, found.unsettled, found.cut_right) == (8, 4, 1)
    assert str(caution(found)) == (
        "4 of 8 samples were cut off at a limit; 1 of them right nevertheless; on one try "
        "the score is between 37.5% if all of these are wrong and 87.5% if all are right."
    )
    said = str(in_words(found))
    assert said.startswith(
        "8 samples: 3 right; 1 wrong; 4 cut off at a limit (1 of them right; by the reason that "
        "the file gives). It is unknown whether an answer was found in them. avg@n is 50.0% ("
    )
    expected = score_range(CUT, CUT.states.unsettled)
    for each in (expected.judged, expected.all_wrong, expected.all_right, expected.answered):
        low, high = each.interval
        assert f"{each.value:.1%} ({100 * low:.1f} to {100 * high:.1f})" in said
    assert "This can mislead" in said
    assert str(heading([found, found])) == "How the samples ended: 8 cut, of 16"


def test_a_segment_and_the_settings_of_a_view_count() -> None:
    outcomes = Outcomes(CUT.outcomes.correct, segments={"level": ["a", "b"]})
    part = run([[0]], None)
    part = Run("7B", "aime", outcomes, labels=CUT.labels)
    found = count_finish_reasons(part, View(segment=("level", "b"), level=0.8, target="benchmark"))
    assert (found.samples, found.counts["cut"], found.cut_right) == (4, 2, 1)
    expected = score_range(
        part,
        part.states.unsettled,
        segment=("level", "b"),
        confidence_level=0.8,
        target="benchmark",
    )
    assert found.range.all_right.interval == expected.all_right.interval


def test_what_nothing_tells_is_said_to_be_unknown() -> None:
    found = count_finish_reasons(run([[1, 0]]), View())
    assert "It is unknown whether samples were cut off at a limit or have no answer" in str(
        in_words(found)
    )
    assert (caution(found), found.range, str(heading([found]))) == (
        None,
        None,
        "How the samples ended",
    )
    some = count_finish_reasons(run([[1, 0, 0]], [[0, 1, -1]]), View())
    assert "For 2 of 3 samples it is known whether they were cut off." in str(in_words(some))
    few = count_finish_reasons(run(np.zeros((100, 2), int), np.eye(100, 2, dtype=int) * 0), View())
    assert caution(few) is None
    refused = card(run([[2, 0]]))
    assert "categories" in str(refused.reason)


def test_overview_cautions_with_the_number_of_a_run_and_of_several() -> None:
    runs = {"a": CUT, "b": run([[1], [0]], [[0], [0]], "70B")}
    cards = summarize_runs(runs, View())
    doubts = [row["doubts"] for row in GLANCES.rows(cards)]
    assert any("4 of 8 samples were cut" in doubt for doubt in doubts[0])
    assert not any("cut" in doubt for doubt in doubts[1])
    told = " ".join(map(str, cautions(cards[0].found.dataset, View())))
    assert "7B: 4 of 8 samples were cut off at a limit; 1 of them right" in told
    both = summarize_runs({"a": CUT, "b": run([[0, 0]], [[1, 0]], "70B")}, View())
    told = " ".join(map(str, cautions(both[0].found.dataset, View())))
    assert "5 of 10 samples of 7B and 70B were cut off at a limit or have no answer." in told


def test_rows_have_every_number_or_a_reason() -> None:
    found, plain, none = ENDED.rows([card(CUT), card(run([[1, 0]])), card(run([[2, 0]]))])
    assert found.keys() == dtypes(ENDED.columns).keys()
    assert [found[name] for name in ("right", "wrong", "no_answer", "cut", "failed")] == [
        *(3, 1, 0, 4, 0)
    ]
    assert (found["cut_right"], found["cut_known"], found["cut_by"]) == (1, 8, "reason")
    assert (found["all_wrong"], found["all_right"], found["answered"]) == (0.375, 0.875, 0.75)
    assert found["all_wrong_low"] < found["all_wrong"] < found["all_wrong_high"]
    assert (plain["cut_known"], plain["judged"]) == (0, None)
    assert "categories" in none["reason"]
    assert list(ENDED.frame([card(CUT)]).columns) == list(dtypes(ENDED.columns))


def test_the_picture_has_a_bar_for_each_run_and_every_sample_in_it() -> None:
    several = [card(CUT), card(run([[1, 0]], model="70B", dataset="maths"))]
    drawn = bars(several)
    assert [whole.counts for whole in drawn.wholes] == [(3, 1, 0, 4, 0), (1, 1, 0, 0, 0)]
    assert [(whole.name, whole.block) for whole in drawn.wholes] == [
        ("7B", "aime"),
        ("70B", "maths"),
    ]
    figure = shares(drawn.wholes, tuple(NAMES.values()), words=shares_words())
    assert [bar.name for bar in figure.data] == ["right", "wrong", "cut off at a limit"]
    assert np.sum([bar.x for bar in figure.data], axis=0).tolist() == [100, 100]
    assert len({bar.marker.color for bar in figure.data}) == 3
    assert "of 7B most are cut off at a limit, 50%" in str(
        describe_shares(drawn.wholes, tuple(NAMES.values()))
    )
    many = bars([card(run([[1, 0]], model=str(i))) for i in range(BARS)] + several)
    assert (len(many.wholes), many.left_out) == (BARS, 2)
    assert "7B" in {whole.name for whole in many.wholes}


def test_bars_stand_in_the_order_of_datasets_though_some_runs_are_left_out() -> None:
    settled = card(run([[1, 0]], model="70B", dataset="aime"))
    odd = [card(run([[-1, 0]], model=str(i), dataset="maths")) for i in range(BARS - 1)]
    drawn = bars([settled, *odd, card(CUT)])
    assert [whole.block for whole in drawn.wholes] == ["aime"] + ["maths"] * (BARS - 1)


@pytest.mark.parametrize("subcommand", ["overview", "score"])
def test_the_command_tells(tmp_path, capsys: pytest.CaptureFixture, subcommand: str) -> None:
    lines = ["question_id,sample,correct,finish_reason"]
    for question, (verdicts, ended) in enumerate(
        zip(CUT.outcomes.correct, CUT.labels["finish_reason"].codes, strict=True)
    ):
        pairs = enumerate(zip(verdicts, ended, strict=True))
        lines += [f"q{question},{s},{right},{STATED[code]}" for s, (right, code) in pairs]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert main([subcommand, str(tmp_path / "t.csv"), "--format", "json"]) == 0
    (states,) = json.loads(capsys.readouterr().out)["states"]
    assert (states["cut"], states["cut_right"], states["all_right"]) == (4, 1, 0.875)
    assert main([subcommand, str(tmp_path / "t.csv"), "--all"]) == 0
    assert "4 of 8 samples were cut" in (out := capsys.readouterr().out) or "4 cut off at" in out
