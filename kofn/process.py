"""The command as a process, which ends cleanly whatever happens.

Readers and numerics, which take a second to import, come once Ctrl-C is listened for.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import time

from kofn import lazy_imports
from kofn.extras import how_to_install

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, NoReturn, TextIO

    from typing_extensions import Buffer

    from metrics.data.words import Text

UNUSABLE = 2
"""And never 1, which is a gate that fails."""
INTERRUPTED, CLOSED_PIPE = 130, 141
"""As a shell reports a process that was ended by Ctrl-C, or by the pipe that it wrote to."""
SOON = 0.01
"""Seconds until it is raised again."""
UNCOUNTED = 100_000
"""New objects among which no garbage is looked for: what is imported is none."""
PATIENCE = 1
"""Seconds after a first Ctrl-C from which on another ends the process at once."""


class Interrupts:
    """Ctrl-C, raised where it is pressed, and again where Python could only have reported it.

    Attributes
    ----------
    first : float or None
        When it was pressed first.
    announced : bool
        Whether it was said that it ended the process.
    """

    def __init__(self) -> None:
        self.first: float | None = None
        self.announced = False
        self._report = sys.unraisablehook

    def listen(self) -> None:
        """Listen for it, unless whoever started the process has it ignored."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            atexit.register(self._leave)  # before any other, so that it comes after all of them
            signal.signal(signal.SIGINT, self._press)
            sys.unraisablehook = self._raise_again

    def _leave(self) -> None:
        """End with the status; Python would end by the signal if it came while some text ran."""
        if self.announced:
            os._exit(INTERRUPTED)

    def _press(self, _number: int, _frame: FrameType | None) -> None:
        if self.first is None:
            self.first = time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self.first > PATIENCE:
            os._exit(INTERRUPTED)

    def _raise_again(self, lost: sys.UnraisableHookArgs) -> None:
        """Raise what was pressed while an object was destroyed, or the like, a little later."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            from threading import Timer

            self.first = None
            Timer(SOON, signal.raise_signal, [signal.SIGINT]).start()
        else:
            self._report(lost)


class OutputStream(io.RawIOBase):
    """Where a stream writes to; from its first failure on that is nowhere.

    stream: As Python opened it; None where it was closed.

    Attributes
    ----------
    failure : OSError or None
        Why something could not be written.
    """

    def __init__(self, stream: TextIO | None) -> None:
        if stream is None:
            stream = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
        assert isinstance(stream, io.TextIOWrapper)
        self.failure: OSError | None = None
        self._stream = stream
        raw: Any = getattr(stream.buffer, "raw", stream.buffer)  # the same where it is unbuffered
        self._raw: io.FileIO = raw

    def text(self) -> io.TextIOWrapper:
        """Return the stream that writes there."""
        return io.TextIOWrapper(
            io.BufferedWriter(self),
            self._stream.encoding,
            "backslashreplace",
            line_buffering=self._stream.line_buffering,
        )

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def isatty(self) -> bool:
        """Say whether it is a terminal."""
        return self._raw.isatty()

    def fileno(self) -> int:
        """Return what the system knows it by."""
        return self._raw.fileno()

    def write(self, data: Buffer, /) -> int | None:
        """Write to where it leads."""
        if self.failure is None:
            try:
                return self._raw.write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


def start() -> NoReturn:
    """Run the command, and end the process; where it cannot go on, with a line that says why."""
    interrupts, fault = Interrupts(), None
    out, errors = OutputStream(sys.stdout), OutputStream(sys.stderr)
    status: object = UNUSABLE
    try:
        interrupts.listen()
        gc.set_threshold(UNCOUNTED)
        sys.stdout, sys.stderr = out.text(), errors.text()
        lazy_imports.install()
        from kofn.command import main

        status = main()
        sys.stdout.flush()
    except SystemExit as ended:
        status = ended.code
    except BaseException as error:
        fault = error
    if interrupts.first is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done
    sys.stdout.flush()
    failure = out.failure or errors.failure
    if interrupts.first is not None and status != 0:  # a server is ended by it, and in order
        status, interrupts.announced = INTERRUPTED, True
        from metrics.data.words import Text

        _announce(Text("kofn was interrupted."))
    elif isinstance(failure, BrokenPipeError):
        status = CLOSED_PIPE
    elif failure:
        status = UNUSABLE
        from metrics.data.words import Text

        _announce(Text("error: the output cannot be written: {reason}.", reason=failure.strerror))
    elif isinstance(fault, ModuleNotFoundError) and (sentence := how_to_install(fault.name)):
        print(f"error: {sentence}", file=sys.stderr)
    elif fault:
        sys.excepthook(type(fault), fault, fault.__traceback__)
    sys.exit(status)  # type: ignore[arg-type]


def _announce(sentence: Text) -> None:
    """Say what ended the process, in the language that was asked for."""
    from kofn.writing.languages import asked_for, catalogue
    from metrics.data.words import reading_in

    language, _given = asked_for(sys.argv[1:], os.environ)
    with reading_in(catalogue(language)):
        print(sentence, file=sys.stderr, flush=True)
