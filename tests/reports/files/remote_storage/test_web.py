"""Files at https://, of a server on this machine, where http:// will do."""

import gzip
import io
import pickle
import time
import zipfile
from contextlib import suppress

import pytest

from reports import load
from reports.files import ranged
from reports.files.archive import open_tree, open_within
from reports.files.errors import LoadError
from reports.files.packed import zipped as files_of_zip
from reports.files.remote_storage import web
from tests.reports.files.remote_storage.serving import respond, send_range, serving

CSV = b"question_id,sample,correct\n" + b"".join(
    b"%d,%d,%d\n" % (row, slot, row % 2) for row in range(20) for slot in range(2)
)


@pytest.fixture(scope="module")
def server():
    with serving() as files:
        yield files


@pytest.fixture
def files(server, monkeypatch):
    """Give an empty server that is not waited for."""
    for each in (server.held, server.odd, server.tags, server.asked):
        each.clear()
    monkeypatch.setattr(ranged, "_PAUSE", 0)
    monkeypatch.setattr(web, "_TIMEOUTS", (1, 0.3))
    return server


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def apart(tree):
    """Return the files of a tree as another process has them."""
    return pickle.loads(pickle.dumps(tree.keep()))


def fault(files, path="/a.csv"):
    """Return why a file cannot be loaded."""
    with pytest.raises(LoadError) as refused:
        load(files.url + path)
    return str(refused.value)


def test_a_file_is_read_like_one_on_this_machine(files):
    files.held["/runs/a.csv"] = CSV
    (run,) = load(f"{files.url}/runs/a.csv").runs
    (same,) = load(("a.csv", CSV)).runs
    assert run.outcomes.digest == same.outcomes.digest
    assert run.dataset == "a"


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zipped({"runs/a.csv": data})])
def test_what_is_packed_is_unpacked(files, pack):
    files.held["/a"] = pack(CSV)
    assert load(f"{files.url}/a").runs[0].outcomes.shape == (20, 2)


def test_an_empty_file_is_said_to_be(files):
    files.held["/a.csv"] = b""
    assert "is empty" in fault(files)


def test_of_a_zip_only_its_directory_and_what_is_read_is_fetched(files):
    large = bytes(1 << 22)
    inner = zipped({"a.csv": CSV})
    files.held["/a.zip"] = zipped({"b.bin": large, "a.csv": CSV, "c.bin": large, "d.eval": inner})
    tree = open_tree(f"{files.url}/a.zip")
    assert tree.read("a.csv") == CSV
    assert tree.files["c.bin"] == len(large)
    assert files.sent < 1 << 17
    assert open_within(tree, "d.eval").read("a.csv") == CSV
    with apart(tree).open("a.csv") as file:
        assert file.read() == CSV
    assert files.sent < 1 << 18


def test_what_is_read_in_order_comes_in_few_ranges_and_once(files):
    data = bytes(range(256)) * (1 << 16)
    files.held["/a.bin"] = data
    with apart(open_tree(f"{files.url}/a.bin")).open("a.bin") as file:
        files.asked.clear()
        assert b"".join(iter(lambda: file.read(10_000), b"")) == data
    assert len(files.asked) < 12
    assert files.sent == len(data)


def test_what_is_read_here_and_there_comes_in_small_ranges(files):
    data = bytes(range(256)) * (1 << 16)
    files.held["/a.bin"] = data
    with open_tree(f"{files.url}/a.bin").open("a.bin") as file:
        files.asked.clear()
        for place in range(0, len(data), 1 << 20):
            file.seek(place + 7)
            assert file.read(3) == data[place + 7 : place + 10]
        assert files.sent <= 16 << 14
        file.seek(5)
        assert file.read(3 << 20) == data[5 : 5 + (3 << 20)]
    assert files.sent < 4 << 20


def test_a_file_that_was_changed_since_is_said_to_be(files):
    files.held["/a.bin"] = bytes(1 << 21)
    tree = open_tree(f"{files.url}/a.bin")
    assert open_tree(f"{files.url}/a.bin").digest == tree.digest
    files.tags["/a.bin"] = '"another"'
    with apart(tree).open("a.bin") as file, pytest.raises(LoadError, match="was changed since"):
        file.read(1)
    assert open_tree(f"{files.url}/a.bin").digest != tree.digest
    files.held["/a.bin"] = bytes(10)
    with apart(tree).open("a.bin") as file, pytest.raises(LoadError, match="was changed since"):
        file.seek(1 << 20) and file.read(1)


def test_a_redirect_is_followed_on_the_same_host(files):
    files.held["/b.csv"] = CSV
    files.odd["/a.csv"] = lambda request: respond(request, 302, Location="/b.csv?part=1")
    files.odd["/b.csv?part=1"] = lambda request: respond(request, 307, Location="b.csv")
    assert load(f"{files.url}/a.csv").runs[0].outcomes.shape == (20, 2)
    files.odd["/a.csv"] = lambda request: respond(request, 302, Location="/a.csv")
    assert "redirects too many times" in fault(files)


@pytest.mark.parametrize(
    "place",
    [
        *("http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "data:text/csv,a"),
        *("//evil.example/a.csv", "https://evil.example/", "http://localhost:{port}/a.csv"),
        *("http://127.0.0.1:1/a.csv", "http://me@127.0.0.1:{port}/b.csv", "http://[", "s3://a/b"),
        "https://127.0.0.1:{port}/b.csv",
    ],
)
def test_no_redirect_leads_to_another_host(files, place):
    place = place.format(port=files.url.rpartition(":")[2])
    files.odd["/a.csv"] = lambda request: respond(request, 302, Location=place)
    assert "redirects to another host, which kofn does not follow" in fault(files)
    assert [path for path, *_ in files.asked] == ["/a.csv"]


def test_a_redirect_while_a_file_is_read_leads_nowhere_either(files):
    files.held["/a.bin"] = bytes(1 << 21)
    tree = open_tree(f"{files.url}/a.bin")
    files.odd["/a.bin"] = lambda request: respond(request, 302, Location="http://127.0.0.1:1/")
    with apart(tree).open("a.bin") as file, pytest.raises(LoadError, match="to another host"):
        file.read(1)


def without_ranges(request):
    respond(request, 200, CSV)


def packed(request):
    body = gzip.compress(CSV)
    said = {"Content_Range": f"bytes 0-0/{len(body)}", "Content_Encoding": "gzip"}
    respond(request, 206, body[:1], **said)


def another_range(request):
    respond(request, 206, CSV[:1], Content_Range=f"bytes 5-5/{len(CSV)}")


def too_short(request):
    respond(request, 206, CSV[:1], Content_Range=f"bytes 0-286/{len(CSV)}", Content_Length=287)


def endless(request):
    request.send_response(206)
    request.send_header("Content-Range", f"bytes 0-286/{len(CSV)}")
    request.end_headers()
    endless_body(request)


def endless_body(request):
    with suppress(OSError):
        while True:
            request.wfile.write(bytes(1 << 16))


def silent(request):
    time.sleep(1)
    request.close_connection = True


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (without_ranges, "cannot send parts of a file"),
        (packed, "cannot send parts of a file"),
        (another_range, "another range of bytes than requested"),
        (silent, "does not answer in time"),
        (lambda request: respond(request, 401), "may not be read without credentials"),
        (lambda request: respond(request, 403), "may not be read"),
        (lambda request: respond(request, 404), "does not exist"),
        (lambda request: respond(request, 418), "cannot be read (status 418)"),
        (
            lambda request: respond(request, 503),
            "is not available from its server at the moment (status 503)",
        ),
    ],
)
def test_why_a_file_cannot_be_read_is_one_sentence(files, answer, said):
    files.odd["/a.csv"] = answer
    told = fault(files)
    assert told.startswith(f"{files.url}/a.csv: ")
    assert said in told


@pytest.mark.parametrize("answer", [too_short, endless])
def test_a_body_that_is_not_as_long_as_it_says_is_not_taken(files, answer):
    files.held["/a.bin"] = CSV
    tree = open_tree(f"{files.url}/a.bin")
    files.odd["/a.bin"] = answer
    with apart(tree).open("a.bin") as file, pytest.raises(LoadError, match=r"length|cut off"):
        file.read()


def test_what_broke_once_is_asked_for_again(files):
    files.held["/a.csv"] = CSV
    answers = [lambda request: respond(request, 503)]

    def answer(request):
        if answers:
            answers.pop()(request)
        else:
            send_range(request, files)

    files.odd["/a.csv"] = answer
    assert load(f"{files.url}/a.csv").runs[0].outcomes.shape == (20, 2)


def test_a_server_that_drips_is_not_waited_for(files, monkeypatch):
    monkeypatch.setattr(ranged, "_PATIENCE", 0.2)
    files.held["/a.bin"] = CSV
    tree = open_tree(f"{files.url}/a.bin")

    def drip(request):
        request.send_response(206)
        request.send_header("Content-Range", f"bytes 0-{len(CSV) - 1}/{len(CSV)}")
        request.send_header("Content-Length", str(len(CSV)))
        request.end_headers()
        for _ in range(50):
            request.wfile.write(b"1")
            time.sleep(0.01)

    files.odd["/a.bin"] = drip
    with apart(tree).open("a.bin") as file, pytest.raises(LoadError, match="comes too slowly"):
        file.read()


def test_the_body_of_a_redirect_is_not_read(files):
    files.held["/b.csv"] = CSV

    def leading(request):
        request.send_response(302)
        request.send_header("Location", "/b.csv")
        request.end_headers()
        endless_body(request)

    files.odd["/a.csv"] = leading
    assert load(f"{files.url}/a.csv").runs[0].outcomes.shape == (20, 2)


def test_nobody_there_is_one_sentence():
    with pytest.raises(LoadError, match="cannot be reached"):
        load("http://127.0.0.1:9/a.csv")


def test_a_zip_with_a_directory_without_end_is_refused_before_it_is_fetched(files, monkeypatch):
    monkeypatch.setattr(files_of_zip, "_DIRECTORY", 1 << 20)
    data = bytearray(zipped({"a.csv": CSV}) + bytes(2 << 20))
    end = data.rfind(b"PK\x05\x06", 0, 1 << 12)
    record = bytearray(data[end : end + 22])
    record[12:20] = (len(data) - 22).to_bytes(4, "little") + bytes(4)
    files.held["/a.zip"] = bytes(data[:-22]) + bytes(record)
    assert "holds more than" in fault(files, "/a.zip")
    assert files.sent < 1 << 18


def test_parameters_are_not_shown(files):
    files.held["/a.csv?signature=hunter2"] = CSV
    assert load(f"{files.url}/a.csv?signature=hunter2").runs[0].dataset == "a"
    assert "hunter2" not in fault(files, "/b.csv?signature=hunter2")
