"""The entry point: `streamlit run app.py`, or `kofn serve`."""

import streamlit as st
from starlette.middleware import Middleware

import kofn.heaps  # noqa: F401 (before numpy, to keep it to one thread and few heaps)
from pages.shared.internals import settings_of_environment, use_own_settings
from pages.shared.loading.copying import offer_link
from pages.shared.loading.guards import open_first_page
from pages.shared.loading.linked import load_given
from pages.shared.server.in_browsers import InBrowsers
from pages.shared.server.serving import serving
from pages.shared.server.trusted_hosts import TrustedHosts
from pages.shared.translating import _

if __name__ == "__main__":
    st.set_page_config(page_title="kofn", layout="wide")
    load_given()
    home = st.Page(open_first_page, title="kofn", default=True, visibility="hidden")
    overview = st.Page("pages/results/overview/page.py", title=_("Overview"), url_path="overview")
    reports = st.Page("pages/data/reports/page.py", title=_("Reports"), url_path="reports")
    questions = st.Page("pages/data/questions/page.py", title=_("Questions"), url_path="questions")
    trust = st.Page("pages/data/trust/page.py", title=_("Trust"), url_path="trust")
    scorecard = st.Page(
        "pages/results/overview/scorecard/page.py", title=_("Scorecard"), url_path="scorecard"
    )
    consistency = st.Page(
        "pages/behaviour/consistency/page.py", title=_("Consistency"), url_path="consistency"
    )
    soft_vs_hard = st.Page(
        "pages/behaviour/soft_vs_hard/page.py", title=_("Soft vs hard"), url_path="soft-vs-hard"
    )
    candidates = st.Page(
        "pages/results/choose_n/candidates/page.py", title=_("Candidates"), url_path="candidates"
    )
    saturation = st.Page(
        "pages/behaviour/saturation/page.py", title=_("Saturation"), url_path="saturation"
    )
    trade_offs = st.Page(
        "pages/results/trade_offs/page.py", title=_("Trade-offs"), url_path="trade-offs"
    )
    budgets = st.Page(
        "pages/results/choose_n/budgets/page.py", title=_("Budgets"), url_path="budgets"
    )
    choose_n = st.Page("pages/results/choose_n/page.py", title=_("Choose n"), url_path="choose-n")
    compare = st.Page("pages/results/compare/page.py", title=_("Compare"), url_path="compare")
    guidance = st.Page("pages/behaviour/guidance/page.py", title=_("Guidance"), url_path="guidance")
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
