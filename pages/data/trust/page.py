"""Whether numbers can be trusted: what may have moved them, and whether they are as expected."""

from functools import partial

import streamlit as st

from kofn.candidates.choices import Picking
from kofn.choices.focus import Focus
from kofn.trust.command import TRUST
from kofn.trust.expectations import Stating
from metrics.data.words import Text
from pages.data.trust.expectations import answer_trust, choose_expected, hold_against
from pages.data.trust.judges import show_judges
from pages.data.trust.labelling import label_samples, runs_with_texts
from pages.data.trust.reading import choose_audited, look_at_runs
from pages.data.trust.references import references_of
from pages.data.trust.replicas import replicas_of
from pages.data.trust.showing import (
    explain_kinds,
    runs_with_doubts,
    show_causes,
    show_doubtful,
    show_readings,
)
from pages.shared.controls.notes import tell_notes
from pages.shared.controls.settings import choose_view
from pages.shared.loading.guards import require_runs
from pages.shared.showing.finish_reasons import look_at_ends, states_of
from pages.shared.showing.parts import Part, show_parts
from pages.shared.showing.remarks import tell_counted
from pages.shared.showing.tables import take_away_found
from pages.shared.translating import _

st.title(_("Trust"), anchor=False)
runs = require_runs(Focus, Stating, Picking)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
first = st.container()
shown = choose_audited(runs, view)
cards = look_at_runs(shown, view)
card, wanted = choose_expected(cards)
cards = hold_against(cards, wanted, view)
with first:
    answer_trust(cards)
show_causes(cards, card)
tell_counted(Text("Run to run"), {each.key: each.run for each in cards})
read, doubts = runs_with_texts(cards), runs_with_doubts(cards)

parts: dict[str, Part] = {"texts": (_("Verdicts against texts"), partial(show_readings, cards))}
if doubts:
    parts["samples"] = _("Doubtful samples"), partial(show_doubtful, doubts)
if read:
    parts["label"] = _("Label samples yourself"), partial(label_samples, read)
parts |= states_of(look_at_ends(shown, view)) | replicas_of(card) | references_of(cards, view)
parts["judges"] = _("Judges, and what to see to"), partial(show_judges, runs, view)
parts["reading"] = _("How texts are read"), explain_kinds
show_parts(parts, partial(take_away_found, TRUST, cards, "trust"), partial(tell_notes, view, runs))
