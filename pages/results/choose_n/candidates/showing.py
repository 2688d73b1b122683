"""What candidates are worth: a picture, the numbers by k, and every run beside the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from charts.ways import describe_ways, ways
from kofn.candidates.analysis import CandidateCard, examine_runs
from kofn.candidates.choices import Further
from kofn.candidates.command import CANDIDATES
from kofn.candidates.figures import axis_title, called, courses
from kofn.candidates.sentences import remarks
from kofn.candidates.tables import COSTS, WHO, Line, frame, lines
from kofn.card import Finding, names
from kofn.choose_n.prices import quantity
from kofn.questions.filters import QuestionFilter
from kofn.writing.estimates import percent
from metrics.data.results import Estimate
from metrics.data.words import Text
from pages.shared.showing.charts import draw
from pages.shared.showing.downloads import download_table
from pages.shared.showing.links import link_to_questions
from pages.shared.translating import _, plain, say, translations
from reports.run.report import Run


def show_candidates(card: CandidateCard) -> None:
    """Draw quality against the number of candidates, by who picks."""
    drawn = courses(card)
    if card.found is None or card.found.k == 1:
        return
    figure = ways(drawn, axis_title(card), plain)
    draw(figure, describe_ways(drawn), f"candidates of {card.key}")


def list_candidates(card: CandidateCard) -> None:
    """Show the numbers of the run by k, with what k candidates take."""
    if card.found is None or card.found.k == 1:
        return
    table = pd.DataFrame([_row(card, line) for line in lines(card.found)])
    st.dataframe(table, hide_index=True, alt=_("What k candidates are worth, by who picks"))
    for text in dict.fromkeys(remarks(card.found)):
        st.caption(say(text))
    if card.found.signal is not None:
        chosen = QuestionFilter(a=card.key, kind="picked-wrong", signal=card.settings.signal)
        label = _("The questions that it loses though some sample is right")
        link_to_questions(label, chosen, card.view)


def _row(card: CandidateCard, line: Line) -> dict[str, object]:
    assert card.found is not None
    labels = {"tokens": _("Tokens"), "seconds": _("Seconds"), "cost": _("Cost")}
    return {
        _("k"): line.k,
        **{
            plain(called(card.found, way)): plain(percent(*line.worth.get(way.who, (None,))))
            for way in card.found.ways
        },
        **{labels[what]: quantity(line.costs[what]) for what in COSTS if what in line.costs},
    }


def list_pickers(cards: Sequence[CandidateCard]) -> None:
    """Set every run beside the others, where there are several."""
    if len(cards) < 2:
        return
    st.header(_("Every run"), anchor=False)
    table = pd.DataFrame(
        [_summary(name, card) for name, card in zip(names(cards), cards, strict=True)]
    )
    table = table.loc[:, (table != "").any()]
    st.dataframe(table, hide_index=True, alt=_("What picking gains for each run"))


def _summary(name: str, card: CandidateCard) -> dict[str, object]:
    found = card.found
    if found is None:
        return {_("Run"): name, _("Why not"): plain(card.reason or Text("N/A"))}
    solved = {plain(WHO[who]): _value(found.value(who)) for who in WHO}
    return {
        _("Run"): name,
        _("Picked by"): plain(found.signal) if found.signal else "",
        _("Of what is possible"): _estimated(found.efficiency),
        **solved,
        _("Ranks right above wrong"): _estimated(found.ranking),
        _("k"): str(found.k),
    }


def _value(value: float | None) -> str:
    return "" if value is None else plain(percent(value))


def _estimated(what: Finding[Estimate] | None) -> str:
    if what is None:
        return ""
    found, _reason = what
    return plain(percent(None) if found is None else percent(found.value, *(found.interval or ())))


def download_candidates(card: CandidateCard, runs: Mapping[str, Run]) -> None:
    """Offer the numbers of runs at every k, picked as one of them is; they are made when wanted."""
    catalogue = translations()
    download_table(
        lambda: frame(examine_runs(runs, card.view, card.settings), catalogue),
        "candidates",
        lambda: CANDIDATES.cited(
            CANDIDATES.compute(runs, card.view, card.settings, Further()), card.view
        ),
    )


def explain_candidates() -> None:
    """Say what each number is."""
    with st.expander(_("What each line is")):
        st.markdown(
            _(
                "- **An oracle** picks a right candidate where there is one: pass@k, the most that "
                "any way of picking can reach.\n"
                "- **The pick** is the candidate with the highest signal, exactly over all sets of "
                "k samples of a question; candidates with the same value share it.\n"
                "- **A majority vote** takes the most common answer, or more than half of the "
                "verdicts where answers are not known.\n"
                "- **One sample** is what a candidate is worth on average.\n\n"
                "Of what is possible: (pick − one sample) / (oracle − one sample). 0% says "
                "nothing, 100% is an oracle, less than 0% harms."
            )
        )
