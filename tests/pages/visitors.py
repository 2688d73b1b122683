"""A visitor without a browser: speaks to a real server as Streamlit's own page does."""

import re
import time
import urllib.request
from contextlib import contextmanager
from itertools import chain
from socket import create_connection
from urllib.parse import urlsplit
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

WAIT = 60
"""Seconds for an answer, on a machine that may be busy."""
_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@contextmanager
def visiting(address, origin="", session=None, cookie="", query="", host=""):
    """Connect as a visitor, and have the page run.

    Parameters
    ----------
    address : str
        Of the server: http://host:port.
    origin : str or None
        The page that connects, if any; by default one of the server.
    session : str, optional
        Of the visitor who comes back.
    cookie : str, optional
        That a proxy gave to the visitor.
    query : str, optional
        Of the address they come by.
    host : str, optional
        By which they ask for the server, if not by its address.
    """
    there = urlsplit(address)
    with (
        create_connection((there.hostname, there.port)) as connection,
        connect(
            f"ws://{host or there.netloc}/_stcore/stream",
            sock=connection,
            origin=address if origin == "" else origin,
            subprotocols=["streamlit", *(["without-token", session] if session else [])],
            additional_headers={"Cookie": cookie} if cookie else None,
            max_size=None,
            proxy=None,
            open_timeout=WAIT,
            ping_interval=None,  # no browser does, nor leaves a server that is late
        ) as socket,
    ):
        visitor, first = Visitor(address, socket, cookie), BackMsg()
        first.rerun_script.query_string = query
        visitor.run(first)
        yield visitor


class Visitor:
    """What a visitor was shown last, and what they do.

    Attributes
    ----------
    elements : list of Element
        All that was sent since the page began to run last.
    places : dict
        Those that are still shown, by where they are on the page.
    """

    def __init__(self, address, socket, cookie=""):
        self.elements, self.places = [], {}
        self._address, self._socket, self._cookie = address, socket, cookie
        self._again, self._at = {}, ("", "")

    @property
    def query(self):
        """The query of the page's address."""
        return self._at[0]

    @property
    def shown(self):
        return "\n".join(map(str, self.elements))

    def upload(self, name, data):
        """Give the page a file, as one chosen in the first place to choose files."""
        place = self.send(name, [data])
        file = FileUploaderState()
        info = file.uploaded_file_info.add(name=name, size=len(data), file_id=place.split("/")[-1])
        info.file_urls.file_id = info.file_id
        info.file_urls.upload_url = info.file_urls.delete_url = place
        uploader = next(each for each in self.elements if each.HasField("file_uploader"))
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(
            id=uploader.file_uploader.id, file_uploader_state_value=file
        )
        self.run(message)

    def send(self, name, parts):
        """Send a file in parts to the server; the page is not told. Return its place there."""
        place = f"/_stcore/upload_file/{self.session}/{uuid4()}"
        with urllib.request.urlopen(f"{self._address}/_stcore/health") as answer:
            token = re.search("_streamlit_xsrf=([^;]+)", answer.headers["Set-Cookie"])[1]
        what = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        body = chain([f"--cut\r\n{what}\r\n\r\n".encode()], parts, [b"\r\n--cut--\r\n"])
        headers = {
            "Content-Type": "multipart/form-data; boundary=cut",
            "Cookie": f"_streamlit_xsrf={token}; {self._cookie}",
            "X-Xsrftoken": token,
        }
        request = urllib.request.Request(f"{self._address}{place}", body, headers, method="PUT")
        urllib.request.urlopen(request).close()
        return place

    def leave(self):
        """Close the connection."""
        self._socket.close()

    def run(self, message):
        """Have the page run, and wait until it has come to its end."""
        message.rerun_script.SetInParent()
        self._at = message.rerun_script.query_string, self._at[1]
        self._socket.send(message.SerializeToString())
        while self._hear() != ForwardMsg.FINISHED_SUCCESSFULLY:
            pass

    def settle(self):
        """Have parts of the page run that ask for it every so often, until none does."""
        while self._again:
            time.sleep(min(self._again.values()))
            self.look()

    def look(self):
        """Have the parts of the page run that ask for it every so often."""
        for part in [*self._again]:
            if part in self._again:
                message = BackMsg()
                message.rerun_script.query_string, message.rerun_script.page_script_hash = self._at
                message.rerun_script.fragment_id = part
                message.rerun_script.is_auto_rerun = True
                self._socket.send(message.SerializeToString())
                while self._hear() not in _ENDS:
                    pass

    def _hear(self):
        """Take what the server says next; return how the page ended if it did."""
        answer = ForwardMsg.FromString(self._socket.recv(WAIT))
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self._at = self._at[0], answer.new_session.page_script_hash
        if kind == "page_info_changed":
            self._at = answer.page_info_changed.query_string, self._at[1]
        if kind == "new_session" and not answer.metadata.run.fragment_ids:
            self.session = answer.new_session.initialize.session_id
            self.elements, self.places, self._again = [], {}, {}
        elif kind == "auto_rerun":
            self._again[answer.auto_rerun.fragment_id] = answer.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for part in answer.stop_auto_rerun.fragment_ids:
                self._again.pop(part, None)
        elif kind == "delta":
            self.elements.append(answer.delta.new_element)
            self._put(tuple(answer.metadata.delta_path), answer.delta.new_element)
        return answer.script_finished if kind == "script_finished" else None

    def _put(self, place, element):
        """Show an element in the place of another, with what that held."""
        if place in self.places:
            for old in [old for old in self.places if old[: len(place)] == place]:
                del self.places[old]
        self.places[place] = element
