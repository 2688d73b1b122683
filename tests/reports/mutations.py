"""Damage: bytes, JSON, lines of text and members of archives, changed at random by a seed."""

import codecs
import io
import json
import re
import zipfile

DIGITS = "1234567890" * 1000
"""An integer that Python itself refuses to read."""
DEEP = 100_000
TEXTS = (
    *("", " ", "\0", "\ud800", "\U0001f600", "\x1b[2J\x07", "<script>alert(1)</script>"),
    *(
        "=1+1",
        "../../etc/passwd",
        "a" * 70_000,
        "\u202e",
        "NaN",
        "null",
        "0",
        "1",
        "true",
        "[1, 0]",
    ),
    *("{field}", "%s", "\\boxed{9^{9^{9^{9}}}}", "\r\n", '"', "'", "G-Pass@3_0.0", "avg@999999"),
)
NUMBERS = (
    *(0, 1, -1, 2, 7, 100, 0.5, 1e308, -0.0, 5e-324, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63),
    *(10**30, float("nan"), float("inf"), True, False, None),
)
UNREADABLE = (ValueError, RecursionError)
WORDS = (b"\0", b"\xff", b"\x80", b'"', b"{", b"[", b"]", b"}", b",", b"\n", b"\r\n", b"\\u0000")


def damaged(data, rng, other=b""):
    """Change some bytes; other is what pieces may come from, besides the data itself."""
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = _position(data, rng)
        end = min(len(data), at + rng.choice([1, 2, 4, 8, 64, 1024]))
        match rng.randrange(9):
            case 0 | 1:
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
            case 2 if data:
                at = min(at, len(data) - 1)
                data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
            case 3:
                data = data[:at] if rng.random() < 0.3 else data[:at] + data[end:]
            case 4:
                data = data[:at] + data[at:end] * rng.choice([2, 3, 100]) + data[end:]
            case 5:
                data = data[:at] + rng.choice(WORDS) + data[at:]
            case 6:
                piece = other or data
                start = rng.randrange(len(piece) + 1)
                data = data[:at] + piece[start : start + rng.choice([4, 64, 4096])] + data[end:]
            case 7:
                size = rng.choice([1, 2, 4, 8])
                number = rng.choice([0, 1, -1, 127, 1 << 15, 1 << 31, (1 << 63) - 1])
                number %= 1 << (8 * size)
                order = rng.choice(["little", "big"])
                data = data[:at] + number.to_bytes(size, order) + data[at + size :]
            case 8:
                data = data[:at] + rng.randbytes(end - at) + data[end:]
    return data


def _position(data, rng):
    """Anywhere, but as often near the ends, where formats keep what matters."""
    size = len(data) + 1
    near = min(size, 600)
    return rng.choice([rng.randrange(size), rng.randrange(near), size - 1 - rng.randrange(near)])


def damaged_json(data, rng):
    """Change some values and keys of a JSON text, and write it again."""
    value = {"": json.loads(data)}
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        _change(value, rng)
    text = json.dumps(value.get(""), ensure_ascii=True, indent=rng.choice([None, 4, 4]))
    text = text.replace('"@digits"', DIGITS).replace('"@deep"', "[" * DEEP + "]" * DEEP)
    if rng.random() < 0.2:
        text = text.replace("\n", "\r\n")
    return text.encode(rng.choice(["utf-8"] * 18 + ["utf-8-sig", "utf-16"]))


def _change(value, rng):
    here = value
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = rng.choice(keys)
        below = here[key]
        if not (isinstance(below, dict | list) and below) or rng.random() < 0.15:
            break
        here = below
    match rng.randrange(10):
        case 0 | 1:
            here[key] = rng.choice(NUMBERS)
        case 2 | 3:
            here[key] = rng.choice([*TEXTS, "@digits", "@deep"])
        case 4:
            here[key] = rng.choice([[], {}, [[]], [None], {"0": {}}, [[1], [0]], {"": ""}])
        case 5 if here is not value:
            del here[key]
        case 6:
            here[key] = [below] * rng.choice([0, 1, 2, 5])
        case 7 if isinstance(below, list) and below:
            below.insert(rng.randrange(len(below)), rng.choice(below))
        case 8 if isinstance(here, dict) and here is not value:
            name = rng.choice([*TEXTS, *map(str, range(5)), *here, key + "x"])
            here[name] = here.pop(key)
        case _:
            other = rng.choice(keys)
            here[key], here[other] = here[other], here[key]


def damaged_lines(data, rng):
    """Change some lines of a text: JSON where they are JSON, cells where they have some."""
    lines = data.split(b"\n")
    for _ in range(rng.choice([1, 1, 3, 10])):
        at = rng.randrange(len(lines)) if rng.random() < 0.7 else 0
        match rng.randrange(8):
            case 0 if len(lines) > 1:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice([*lines, b"", b"{}", b"[]", b"null", b","]))
            case 2:
                lines[at] = damaged(lines[at], rng, data)
            case 3:
                lines[at] += rng.choice([b"\r", b" ", b",", b"\t0", b'"', b"\0", b"\x85"])
            case _ if lines[at].lstrip().startswith((b"{", b"[")):
                try:
                    lines[at] = damaged_json(lines[at], rng).replace(b"\n", b" ")
                except UNREADABLE:
                    lines[at] = damaged(lines[at], rng, data)
            case _:
                cells = re.split(rb"([,;|\t ])", lines[at])
                text = str(rng.choice([*TEXTS, *NUMBERS, DIGITS])).encode("utf-8", "surrogatepass")
                cells[rng.randrange(len(cells))] = text
                lines[at] = b"".join(cells)
    end = rng.choice([b"\n"] * 5 + [b"\r\n", b"\r"])
    data = end.join(lines)
    return _other_encoding(data, rng) if rng.random() < 0.05 else data


def _other_encoding(data, rng):
    text = data.decode("utf-8", "replace")
    mark, name = rng.choice(
        [
            (b"", "utf-16"),
            (b"", "utf-16-le"),
            (b"", "utf-32"),
            (codecs.BOM_UTF8, "utf-8"),
            (codecs.BOM_UTF16_LE, "utf-8"),
            (b"", "utf-7"),
        ]
    )
    return mark + text.encode(name, "replace")


def damaged_content(name, data, rng, other=b""):
    """Damage a file as its format suggests, or just its bytes."""
    if rng.random() < 0.3:
        return damaged(data, rng, other)
    try:
        return damaged_json(data, rng) if name.endswith(".json") else damaged_lines(data, rng)
    except UNREADABLE:
        return damaged(data, rng, other)


def damaged_members(members, rng, damage=damaged_content):
    """Damage, drop, rename, copy and exchange some members of an archive."""
    members = dict(members)
    for _ in range(rng.choice([1, 1, 2, 4])):
        name, other = rng.choice(list(members)), rng.choice(list(members))
        match rng.randrange(9):
            case 0 if len(members) > 1:
                del members[name]
            case 1:
                members[name], members[other] = members[other], members[name]
            case 2:
                new = rng.choice(
                    ["x", "0", "", "<b>", "\x1b[2J", "\ud83d", "\U0001f600", "a" * 300]
                )
                members[re.sub(r"[^/.]+(?=[^/]*$)", new, name, count=1) or "x"] = members[name]
            case 3:
                parts = name.split("/")
                rng.shuffle(parts)
                members["/".join(parts)] = members.pop(name)
            case _:
                members[name] = damage(name, members[name], rng, members[other])
    return members


def zipped(members):
    """Pack members, whatever their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name.encode("utf-8", "replace").decode()), data)
    return buffer.getvalue()


def unzipped(path):
    """Return the members of a zip that are files."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if info.file_size}
