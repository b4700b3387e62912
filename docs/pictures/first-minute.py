#!/usr/bin/env python3
"""Draws docs/pictures/first-minute.svg from a real run of the calculator example in a terminal (tmux)."""

import html
import os
import re
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/debug/examples/calculator"
SOCKET = f"first-minute-{os.getpid()}"
COLUMNS, ROWS = 96, 40
LINES = [
    "calculator",
    "calculator call divide a=1 b=4",
    "calculator call divide a=1 b=0; echo $?",
    "calculator call statistics numbers=1 numbers=5",
    "calculator list",
    "calculator check",
]


def tmux(*arguments):
    return subprocess.run(["tmux", "-L", SOCKET, *arguments], check=True, capture_output=True, text=True).stdout


def screen():
    return tmux("capture-pane", "-p", "-J", "-S", "-")


def wait_for_prompts(count):
    deadline = time.monotonic() + 60
    while len(re.findall(r"^\$", screen(), re.M)) < count:
        if time.monotonic() > deadline:
            raise SystemExit(f"the shell does not come back:\n{screen()}")
        time.sleep(0.02)


def record():
    shell = f"env PS1='$ ' PATH={PROGRAM.parent}:/usr/bin:/bin HOME=/nonexistent sh"
    tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), shell)
    try:
        wait_for_prompts(1)
        for number, line in enumerate(LINES):
            tmux("send-keys", "-l", line)
            tmux("send-keys", "Enter")
            wait_for_prompts(number + 2)
        return screen()
    finally:
        tmux("kill-server")


def draw(text):
    # Where the project happens to stand is nobody's business.
    text = text.replace(str(PROGRAM.parent), "~/.cargo/bin").rstrip().removesuffix("$").rstrip()
    lines = text.split("\n")
    width, height = COLUMNS * 8 + 32, len(lines) * 18 + 32
    rows = []
    for number, line in enumerate(lines):
        colour = "#7ee787" if line.startswith("$ ") else "#e6edf3"
        rows.append(f'<text x="16" y="{30 + number * 18}" fill="{colour}">{html.escape(line)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13" xml:space="preserve">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n' + "\n".join(rows) + "\n</svg>\n"
    )


if __name__ == "__main__":
    (Path(__file__).parent / "first-minute.svg").write_text(draw(record()))
