"""Ctrl-C at any moment: one line and no trace, whatever a library that is loading makes of it."""

from __future__ import annotations

import _thread
import signal
import sys
from threading import Timer


class Interrupts:
    """Hears every interrupt of the main thread from now on.

    Attributes
    ----------
    seen : whether there was one. While modules are loaded Python may turn it into another error, of
        which only this tells; where it would be lost in a callback it is sent again
    """

    def __init__(self) -> None:
        self.seen = False
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            _on_interrupt(self._heard)
            self._others, sys.unraisablehook = sys.unraisablehook, self._lost

    def _heard(self, *_: object) -> None:
        self.seen = True
        raise KeyboardInterrupt

    def _lost(self, lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, KeyboardInterrupt):
            # After this hook, in which it would be lost again.
            Timer(0.05, _thread.interrupt_main).start()
        else:
            self._others(lost)


def end_quietly() -> None:
    """From here on an interrupt ends the process as it ends any other, without a trace."""
    _on_interrupt(signal.SIG_DFL)


def _on_interrupt(handler: signal._HANDLER) -> None:
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:
        return  # not the main thread, which no interrupt reaches
