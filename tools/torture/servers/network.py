"""Runs a case again in a network of its own, in which this machine has the address of the metadata service of a cloud.

So the case sees whether a client connects to that address, and the client reaches no real service.
"""

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile

from client import Dead, Hang, Untried
from wire import Weak

METADATA = "169.254.169.254"
INSIDE = "HOSTILE_SERVERS_OWN_NETWORK"

# From <linux/sockios.h> and <linux/if.h>.
SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1


def again(case, command, scale):
    """Runs a case in a network of its own."""
    run = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "result.json")
        words = ["unshare", "--user", "--map-root-user", "--net", sys.executable, run, "--only", case, "--scale", str(scale)]
        try:
            ended = subprocess.run([*words, "--out", out, "--", *command], env={**os.environ, INSIDE: "1"}, capture_output=True)
            with open(out) as file:
                result = json.load(file)["results"][0]
        except FileNotFoundError as error:
            reason = error if error.filename != out else ended.stderr.decode(errors="replace")
            raise Untried(f"cannot make a network of its own: {reason}") from None
    if result["grade"] != "OK":
        raise {"WEAK": Weak, "HANG": Hang, "DEAD": Dead}[result["grade"]](result["note"])
    return result["note"]


def is_inside():
    return INSIDE in os.environ


def set_up():
    """Starts the loopback interface of the new network, with the metadata address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))
        fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16sH2x4s16x", b"lo:0", socket.AF_INET, socket.inet_aton(METADATA)))
