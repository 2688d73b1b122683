"""The entry point: `streamlit run app.py`, or `kofn serve`."""

import streamlit as st
from starlette.middleware import Middleware

import kofn.heaps  # noqa: F401 (before numpy, to keep it to one thread and few heaps)
from pages.widgets import (
    InBrowsers,
    TrustedHosts,
    _,
    load_given,
    offer_link,
    open_first_page,
    serving,
    settings_of_environment,
    use_own_settings,
)

if __name__ == "__main__":
    st.set_page_config(page_title="kofn", layout="wide")
    load_given()
    home = st.Page(open_first_page, title="kofn", default=True, visibility="hidden")
    overview = st.Page("pages/data/overview.py", title=_("Overview"), url_path="overview")
    reports = st.Page("pages/data/inventory.py", title=_("Reports"), url_path="reports")
    questions = st.Page("pages/data/questions.py", title=_("Questions"), url_path="questions")
    trust = st.Page("pages/data/trust.py", title=_("Trust"), url_path="trust")
    scorecard = st.Page("pages/measure/scorecard.py", title=_("Scorecard"), url_path="scorecard")
    consistency = st.Page(
        "pages/measure/consistency.py", title=_("Consistency"), url_path="consistency"
    )
    soft_vs_hard = st.Page(
        "pages/measure/soft_vs_hard.py", title=_("Soft vs hard"), url_path="soft-vs-hard"
    )
    candidates = st.Page(
        "pages/measure/candidates.py", title=_("Candidates"), url_path="candidates"
    )
    saturation = st.Page("pages/decide/saturation.py", title=_("Saturation"), url_path="saturation")
    trade_offs = st.Page("pages/decide/trade_offs.py", title=_("Trade-offs"), url_path="trade-offs")
    budgets = st.Page("pages/decide/budgets.py", title=_("Budgets"), url_path="budgets")
    choose_n = st.Page("pages/decide/choose_n.py", title=_("Choose n"), url_path="choose-n")
    compare = st.Page("pages/decide/compare.py", title=_("Compare"), url_path="compare")
    guidance = st.Page("pages/decide/guidance.py", title=_("Guidance"), url_path="guidance")
    st.navigation(
        {
            _("Data"): [home, overview, reports, trust, questions],
            _("Measure"): [scorecard, consistency, soft_vs_hard, candidates],
            _("Decide"): [compare, saturation, choose_n, budgets, trade_offs, guidance],
        },
        expanded=True,
    ).run()
    offer_link()
else:
    # The server imports this file once, before its first visitor.
    use_own_settings()
    app = st.App(
        __file__, lifespan=serving, middleware=[Middleware(TrustedHosts), Middleware(InBrowsers)]
    )
    environment = settings_of_environment  # for kofn serve
