"""Make pages fill the window where Streamlit has no option for it."""

import streamlit as st

_STYLE = """
a:focus-visible { outline: 2px solid currentColor !important; outline-offset: -2px; }
@media (min-width: 768px) {
    [data-testid=stMainBlockContainer] { padding: 1rem min(5rem, 6vw) 2rem; }
    [data-testid=stHeader] { background: none; pointer-events: none; }
    [data-testid=stHeader] button { pointer-events: auto; }
}
@media (max-width: 1023px) {
    .st-key-kofn-parts { flex-direction: column; align-items: stretch; }
    .st-key-kofn-parts > div { flex: none; }
    .st-key-kofn-beside [data-testid=stColumn] { min-width: 100%; }
}
"""


def fill_window() -> None:
    """Let a title stand beside Streamlit's buttons, and in a narrow window nothing beside parts.

    A link that has the focus has an outline, as buttons have.
    """
    st.html(f"<style>{_STYLE}</style>")
