"""The server process that a client starts: copies between its standard streams and a socket.

`relay.py SOCKET [--stubborn]`. A stubborn process ignores the end of its input, a lost socket and the signals that can be ignored.
"""

import os
import signal
import socket
import sys
import threading

stubborn = "--stubborn" in sys.argv
if stubborn:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])


def to_socket():
    while data := os.read(0, 1 << 16):
        peer.sendall(data)
    peer.shutdown(socket.SHUT_WR)


threading.Thread(target=to_socket, daemon=True).start()
try:
    while data := peer.recv(1 << 16):
        while data:
            data = data[os.write(1, data) :]
except OSError:
    pass
while stubborn:
    signal.pause()
os._exit(0)
