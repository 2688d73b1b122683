"""One browser and one server for all tests; a fresh visitor for each."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import chromium, serving, visitor

expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as started:
        yield started


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visitor(browser, address) as page:
        yield page
