"""Types lines and Tab into an interactive shell, as a person would, and waits for what the terminal is to show then.

Usage: complete.py SHELL SHARE LINE SHOWN...     SHARE: a folder of completions as `make install` lays it out
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

READY = "ready> "
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}


def preparation(shell, share):
    """What is typed before the lines."""
    if shell == "bash":
        quiet = ["enable-bracketed-paste off", "bell-style none", "show-all-if-ambiguous on", "page-completions off"]
        settings = [f"bind 'set {setting}'" for setting in quiet]
        return settings + [f"BASH_COMPLETION_USER_DIR='{share}/bash-completion'", ". /usr/share/bash-completion/bash_completion"]
    if shell == "zsh":
        folder = f"{share}/zsh/site-functions"
        return ["unsetopt beep", "LISTMAX=1000", f"fpath=('{folder}' $fpath)", "autoload -Uz compinit", "compinit -D -u"]
    return [f"source '{share}/fish/vendor_completions.d/jisui.fish'"]


def read(terminal, wanted, most=20):
    """What is shown until something wanted is, or for so many seconds."""
    shown, begin = b"", time.time()
    while time.time() - begin < most and wanted not in plain(shown):
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                shown += os.read(terminal, 1 << 16)
            except OSError:
                break
    return plain(shown)


def plain(shown):
    """Text without what moves the cursor or colors it."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\x07\x0e\x0f\r]", "", shown.decode(errors="replace"))


def main():
    shell, share, lines = sys.argv[1], sys.argv[2], sys.argv[3:]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", PS1="> ", PROMPT="> ")
        os.execvp(START[shell][0], START[shell])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 300, 200, 0, 0))
    # What is typed shows, too: the word comes together only when the line is carried out.
    for line in preparation(shell, share) + ['echo "rea""dy"']:
        os.write(terminal, line.encode() + b"\n")
    failed = "ready" not in read(terminal, "ready", 60)
    if failed:
        print(f"{shell} does not start")
    for line, wanted in zip(lines[::2], lines[1::2]):
        # A line that ends is carried out as it is completed.
        os.write(terminal, line.rstrip("\n").encode() + (b"\t\n" if line.endswith("\n") else b"\t"))
        shown = read(terminal, wanted)
        if wanted not in shown:
            print(f"{line!r} and Tab show no {wanted!r} but:\n{shown}")
            failed = True
        os.write(terminal, b"\x15")
    os.close(terminal)
    os.waitpid(child, 0)
    return failed


sys.exit(main())
