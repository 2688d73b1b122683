"""The entry point: `streamlit run app.py`, or `kofn serve`."""

import streamlit as st
from starlette.middleware import Middleware

import kofn.malloc  # noqa: F401 (before numpy, to keep it to one thread and few heaps)
from pages.shared.internals import settings_of_environment, use_own_settings
from pages.shared.loading.copying import offer_link
from pages.shared.loading.linked import load_given
from pages.shared.memory.language import choose_language, name_uploaders, speak
from pages.shared.navigation import navigate
from pages.shared.server.in_browsers import InBrowsers
from pages.shared.server.packed import Packed
from pages.shared.server.serving import serving
from pages.shared.server.trusted_hosts import TrustedHosts
from pages.shared.translating import _

if __name__ == "__main__":
    st.set_page_config(page_title="kofn", layout="wide")
    language = speak()
    load_given()
    results = {
        "overview": _("Overview"),
        "compare": _("Compare"),
        "trade_offs": _("Trade-offs"),
        "choose_n": _("Choose n"),
    }
    behaviour = {
        "saturation": _("Saturation"),
        "consistency": _("Consistency"),
        "guidance": _("Guidance"),
        "soft_vs_hard": _("Soft vs hard"),
    }
    data = {"reports": _("Reports"), "trust": _("Trust"), "questions": _("Questions")}
    with st.sidebar:
        st.space("xxsmall")
        choose_language(language)
    name_uploaders(language)
    navigate(
        {
            "results": (_("Results"), results),
            "behaviour": (_("Behaviour"), behaviour),
            "data": (_("Data"), data),
        },
        moved={
            "scorecard": ("results/overview", {"form": "metrics"}),
            "candidates": ("results/choose_n", {"more": "best-of-n"}),
            "budgets": ("results/choose_n", {"more": "short-answers"}),
        },
    )
    offer_link()
else:
    # The server imports this file once, before its first visitor.
    use_own_settings()
    app = st.App(
        __file__,
        lifespan=serving,
        middleware=[Middleware(TrustedHosts), Middleware(Packed), Middleware(InBrowsers)],
    )
    environment = settings_of_environment  # for kofn serve
