"""Whether the verdicts can be believed: the final answers of the texts, read again."""

import streamlit as st

from kofn.card import runs_of
from kofn.choices.focus import Focus
from kofn.trust.answer import answer
from pages.data.trust.labelling import label_samples
from pages.data.trust.reading import audit_verdicts, choose_audited, compare_readings
from pages.data.trust.showing import (
    download_trust,
    explain_kinds,
    show_doubtful,
    show_readings,
)
from pages.shared.controls.settings import choose_view, explain_intervals
from pages.shared.loading.guards import require_runs
from pages.shared.showing.answers import show_answer
from pages.shared.translating import _

st.title(_("Trust"), anchor=False)
runs = require_runs(Focus)
view = choose_view(runs, ("run", "segment", "target", "level", "missing"))
first = st.container()
cards = audit_verdicts(choose_audited(runs, view), view)
claimed = compare_readings(cards)
with first:
    show_answer(answer(cards, claimed), runs_of(cards))
show_readings(cards, claimed)
show_doubtful(cards)
label_samples(cards)
explain_intervals(view, runs)
explain_kinds()
download_trust(cards)
