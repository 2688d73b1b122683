"""Whether the verdicts can be believed: the final answers of the texts, read again."""

import streamlit as st

from kofn.card import runs_of
from kofn.choices.focus import Focus
from kofn.trust.answer import answer
from pages.widgets import (
    _,
    audit_verdicts,
    choose_audited,
    choose_view,
    compare_readings,
    download_trust,
    explain_intervals,
    explain_kinds,
    label_samples,
    require_runs,
    show_answer,
    show_doubtful,
    show_readings,
)

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
