# SPDX-License-Identifier: MIT
"""Pseudo-terminals for programs under test."""
import os
import pty
import threading

END = b"\0"


class Terminal:
    """A pseudo-terminal; a program gets `side` as its standard output or error.

    `side` stays open here until everything is read. If the program were the only one to have it open,
    a read at the moment of its exit could report the end before the last bytes (a race in Linux).
    """

    def __init__(self):
        self.main, self.side = pty.openpty()

    def read(self, process):
        """Everything that is written until the process has exited."""
        def mark_end():
            process.wait()
            os.write(self.side, END)

        waiting = threading.Thread(target=mark_end)
        waiting.start()
        shown = b""
        while not shown.endswith(END):
            shown += os.read(self.main, 65536)
        waiting.join()
        os.close(self.side)
        os.close(self.main)
        return shown.removesuffix(END)
