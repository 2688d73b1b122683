"""Places along k: the first is on top, a star is a sure leader, names stand at the ends."""

import pytest

from charts.order import Climb, order
from kofn.trade_offs.words import describe_order, order_words
from metrics import Text

KS = (1, 2, 4)


def climbs(count: int = 3) -> list[Climb]:
    made = []
    for number in range(count):
        places = (1 + number, 1 + number, count - number)
        first = (number == 0, False, number == count - 1)
        ranks = [(place, count) for place in places]
        made.append(Climb(f"m{number}", number, places, ranks, first, [Text("here")] * 3))
    return made


def test_the_first_is_on_top_and_sure_leaders_are_stars():
    figure = order(climbs(), KS, words=order_words())
    assert figure.layout.yaxis.range == (3.5, 0.5)
    assert [list(trace.y) for trace in figure.data] == [[1, 1, 3], [2, 2, 2], [3, 3, 1]]
    stars = [[each == "star" for each in trace.marker.symbol] for trace in figure.data]
    assert stars == [[True, False, False], [False] * 3, [False, False, True]]
    assert [note.text for note in figure.layout.annotations] == ["m0", "m1", "<b>m2</b>"]


def test_the_places_that_the_chosen_run_may_have_are_drawn():
    banded = [
        trace
        for trace in order(climbs(), KS, 1, words=order_words()).data
        if trace.fill == "toself"
    ]
    assert len(banded) == 1
    assert (min(banded[0].y), max(banded[0].y)) == pytest.approx((1.6, 3.4))


@pytest.mark.parametrize("count", [2, 20, 60])
def test_any_number_of_runs_has_room(count):
    figure = order(climbs(count), KS, words=order_words())
    assert 200 < figure.layout.height <= 700
    assert len(figure.layout.annotations) == count


def test_it_is_described():
    assert str(describe_order(climbs(), KS, "pass@k")) == (
        "The places of 3 runs by pass@k over k: m0 is first at k = 1, m2 at k = 4."
    )
