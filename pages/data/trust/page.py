"""Whether numbers can be believed: what may have moved them, and whether they are as expected."""

import streamlit as st

from kofn.candidates.choices import Picking
from kofn.choices.focus import Focus
from kofn.trust.stating import Stating
from pages.data.trust.expecting import answer_trust, choose_expected, hold_against
from pages.data.trust.judges import show_judges
from pages.data.trust.labelling import label_samples
from pages.data.trust.reading import choose_audited, look_at_runs
from pages.data.trust.references import show_references
from pages.data.trust.replicas import show_replicas
from pages.data.trust.showing import (
    download_trust,
    explain_kinds,
    show_causes,
    show_doubtful,
    show_readings,
)
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs
from pages.shared.showing.states import look_at_ends, show_states
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
show_readings(cards)
show_doubtful(cards)
label_samples(cards)
show_states(look_at_ends(shown, view))
show_replicas(cards, card)
show_references(cards, view)
show_judges(runs, view)
explain_intervals(view, runs)
explain_kinds()
download_trust(cards)
