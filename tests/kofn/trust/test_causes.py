"""What may have moved a number: every cause with the points that a person would count."""

from fractions import Fraction

import numpy as np
import pytest

from charts.causes import causes
from kofn.choices.view import View
from kofn.trust.analysis import trust
from kofn.trust.figures import bars_of
from kofn.trust.words import causes_words, describe_causes
from metrics import Outcomes, replicas
from metrics.data.words import Text
from reports import load
from reports.files.notes import Unfinished
from reports.run.report import Run


def of(run, view=None):
    (card,) = trust({"7B / t": run}, view or View())
    return {cause.kind: cause for cause in card.found.causes}, card


def test_each_kind_of_verdict_moves_the_mean_by_its_share():
    said = {
        "missed": (0, "The answer is B."),
        "generous": (1, "The answer is C."),
        "divided": (0, "The answer is C. The answer is B."),
        "unsupported": (1, "I cannot say."),
        "agrees": (1, "The answer is B."),
    }
    counts = {"missed": 5, "generous": 2, "divided": 3, "unsupported": 4, "agrees": 26}
    rows = ["question_id,correct,reference,prediction"]
    for kind, count in counts.items():
        rows += [f"{kind}{q},{said[kind][0]},B,{said[kind][1]}" for q in range(count)]
    (run,) = load(("t.csv", "\n".join(rows).encode())).runs
    found, _ = of(run)
    share = {kind: float(Fraction(count, 40)) for kind, count in counts.items()}
    assert (found["missed"].low, found["missed"].high) == (pytest.approx(share["missed"]),) * 2
    assert found["generous"].high == pytest.approx(-share["generous"])
    assert (found["divided"].low, found["divided"].high) == (0, pytest.approx(share["divided"]))
    assert found["unsupported"].low == pytest.approx(-share["unsupported"])
    assert [found[kind].is_sure for kind in ("missed", "generous", "divided")] == [
        True,
        True,
        False,
    ]
    assert (found["missed"].count, found["missed"].all) == (5, 40)


def test_failed_requests_lie_between_all_wrong_and_all_right():
    run = Run("7B", "t", Outcomes([[1, -1], [0, 1]]))
    for missing, low, high in (("wrong", 0, 0.25), ("right", -0.25, 0)):
        found, _ = of(run, View(missing=missing))
        assert (found["failed"].low, found["failed"].high) == (low, high)
        assert (found["failed"].count, found["failed"].all) == (1, 4)


def test_questions_that_are_not_there_and_what_a_tool_averaged_wrongly():
    note = Unfinished(Text("not ended"), done=2, planned=4)
    run = Run("7B", "t", Outcomes([[1, 1], [0, 1]]), {"avg@2": 0.5}, notes=(note,))
    found, _ = of(run)
    assert (found["missing"].low, found["missing"].high) == (-0.375, 0.125)
    assert found["aggregation"].high == -0.25
    assert found["aggregation"].is_sure


def test_questions_that_stand_twice_count_once():
    asked = ["What is 2 + 2?", "What is 3 + 5?", "What is 7 + 1?", "What is 2 + 2?"]
    rows = ["question_id,correct,prompt,reference,prediction"]
    rows += [
        f"q{place},{right},{text},{place % 3},I think of {place % 3}."
        for place, (text, right) in enumerate(zip(asked, (1, 0, 0, 1), strict=True))
    ]
    (run,) = load(("t.csv", "\n".join(rows).encode())).runs
    found, _ = of(run)
    assert found["doubled"].high == found["doubled"].low == pytest.approx(1 / 3 - 1 / 2)
    assert found["doubled"].is_sure
    assert (found["doubled"].count, found["doubled"].all) == (1, 4)


def test_an_odd_replica_is_left_out():
    correct = (np.random.default_rng(3).random((40, 5)) < 0.6).astype(int)
    correct[:, 4] = 0
    found, _ = of(Run("7B", "t", Outcomes(correct)))
    expected = correct[:, :4].mean() - correct.mean()
    assert found["replicas"].high == pytest.approx(expected)
    assert found["replicas"].count == 1


def test_of_many_runs_a_replica_must_stand_out_the_more():
    def drawn(seed):
        return (np.random.default_rng(seed).random((40, 5)) < 0.6).astype(int)

    odd = next(seed for seed in range(400) if 0.01 < replicas(drawn(seed)).p_value.min() < 0.04)
    alone = Run("7B", "t", Outcomes(drawn(odd)))
    found, _ = of(alone)
    assert found["replicas"].count == 1
    others = {f"{name} / t": Run(f"{name}", "t", Outcomes(drawn(1000 + name))) for name in range(5)}
    cards = trust({"7B / t": alone} | others, View())
    assert not any(cause.kind == "replicas" for card in cards for cause in card.found.causes)
    single = {f"{name} / s": Run(f"{name}", "s", Outcomes(drawn(name)[:, :1])) for name in range(5)}
    cards = trust({"7B / t": alone} | single, View())
    assert any(cause.kind == "replicas" for cause in cards[0].found.causes), "these have none"


def test_causes_are_drawn_around_the_number_the_largest_on_top():
    note = Unfinished(Text("not ended"), done=2, planned=4)
    found, card = of(Run("7B", "t", Outcomes([[1, -1], [0, 1]]), {"avg@2": 0.1}, notes=(note,)))
    reaches = [cause.reach for cause in card.found.causes]
    assert reaches == sorted(reaches, reverse=True)
    bars = bars_of(card.found.causes)
    figure = causes(bars, 0.5, 0.9, words=causes_words())
    drawn = {}
    for trace in figure.data:
        for place, base, width in zip(trace.y, trace.base, trace.x, strict=True):
            drawn[place] = (base, base + width, trace.name)
    for place, cause in enumerate(card.found.causes):
        low, high, name = drawn[place]
        assert (low, high) == pytest.approx((100 * min(0, cause.low), 100 * max(0, cause.high)))
        assert (name == "moves it surely") == cause.is_sure
    assert [round(line.x0, 6) for line in figure.layout.shapes] == [0, 40]
    assert "chance" in str(describe_causes(bars))
    one, two, three = (
        causes((bars * 3)[:count], 0.5, words=causes_words()).layout.height for count in (1, 2, 3)
    )
    assert one == two < three
    assert len(found) == len(bars)
