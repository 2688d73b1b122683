"""Prompts of every form as turns, pictures only where they are whole and what they say they are."""

import base64

import pytest

from reports.run.texts import Image, Turn
from reports.run.turns import MAX_IMAGE, reference_text, turns, written

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


def address(data, kind="image/png"):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def shown(url):
    (turn,) = turns(
        [{"role": "HUMAN", "prompt": [{"type": "image_url", "image_url": {"url": url}}]}]
    )
    return turn


@pytest.mark.parametrize("key", ["prompt", "content"])
def test_a_message_is_a_turn(key):
    few_shot = [{"role": "HUMAN", key: "2 + 2?"}, {"role": "BOT", key: "4"}]
    assert turns(few_shot) == (Turn("HUMAN", "2 + 2?"), Turn("BOT", "4"))


def test_a_plain_text_is_a_turn_of_nobody():
    assert turns("<b>") == (Turn("", "<b>"),)
    assert turns("") == (Turn("", ""),)
    assert turns(None) == ()


def test_parts_stay_in_their_order():
    parts = [
        {"type": "text", "text": "before"},
        {"type": "image_url", "image_url": {"url": address(PNG)}},
        {"type": "text", "text": "after"},
    ]
    assert turns([{"role": "user", "content": parts}]) == (
        Turn("user", "before"),
        Turn("user", "", Image(PNG, "image/png")),
        Turn("user", "after"),
    )


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x10\0\0\nWEBP", "image/webp"),
    ],
)
def test_the_first_bytes_say_what_a_picture_is(start, kind):
    assert shown(address(start + b"rest", "image/svg+xml")).image == Image(start + b"rest", kind)


@pytest.mark.parametrize(
    "url",
    [
        address(b"<svg onload='alert(1)'>", "image/svg+xml"),
        address(b"<html>", "text/html"),
        address(PNG)[:-8] + " ...",
        "data:image/png;base64,%%%%",
        "data:image/png,plain",
        "/data/images/1.png",
        "https://example.org/1.png",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_whole_picture_is_only_named(url):
    assert shown(url) == Turn("HUMAN", url)


def test_a_cut_address_is_shown_by_its_beginning():
    url = address(b"x" * 10_000)
    assert shown(url).text == url[:200] + " …"


def test_a_picture_beyond_the_bound_is_only_named():
    assert shown(address(PNG + b"\0" * MAX_IMAGE)).image is None


@pytest.mark.parametrize(
    "odd",
    [[[]], [1, None, True], {"role": 3, "prompt": {"a": [1]}}, [{"role": "x"}], 7, [{}], [[["a"]]]],
)
def test_odd_prompts_are_written_out(odd):
    assert all(isinstance(turn.text, str) for turn in turns(odd))
    assert all(isinstance(turn.role, str) for turn in turns(odd))


def test_references_are_texts():
    assert reference_text("#### 7") == "#### 7"
    assert reference_text(None) is None
    assert reference_text(["ein", "zwei"]) == '["ein", "zwei"]'
    assert reference_text([{"answer": "a"}, {"answer": "a"}, {"answer": 3}]) == "a (2), 3 (1)"


def test_what_is_nested_too_deeply_is_left_out():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert written(deep) == "…"
