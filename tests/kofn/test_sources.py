"""Where reports came from is spelled in an address, and read from whatever an address says."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kofn.choices.sources import DIGITS, ReportSource
from metrics.data.words import MetricError

NAMES = st.text(st.characters(codec="utf-8"), min_size=1)


@settings(max_examples=30)
@given(
    st.builds(
        ReportSource,
        st.sampled_from(["sample", "path", "file"]),
        NAMES,
        digest=st.text("0123456789abcdef", max_size=DIGITS),
        key=st.text("aZ0-_", max_size=8),
        columns=st.dictionaries(st.sampled_from(["correct", "model"]), NAMES)
        | st.fixed_dictionaries(
            {"setting": st.lists(NAMES, min_size=2, max_size=2, unique=True).map(tuple)}
        ),
    )
)
def test_what_is_spelled_is_read_again(source):
    assert ReportSource.read(source.spelled()) == source


@settings(max_examples=30)
@given(NAMES)
def test_whatever_an_address_says_is_read_or_refused(text):
    with suppress(MetricError):
        assert ReportSource.read(text).name


@pytest.mark.parametrize("text", ["", "path=", "sample", "key=x", "file"])
def test_what_names_nothing_is_refused(text):
    with pytest.raises(MetricError):
        ReportSource.read(text)


def test_a_fingerprint_tells_files_apart():
    source = ReportSource("file", "a.csv").known_as("a" * 64)
    assert source.is_alike("a" * 64)
    assert not source.is_alike("b" * 64)
    assert not source.is_alike("a" * (DIGITS - 1) + "b" * 64)
    assert ReportSource("sample", "a.zip").known_as("a" * 64).digest == ""
