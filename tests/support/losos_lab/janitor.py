"""Takes a lab down when the process that built it is gone, however that happened.

Started by the lab with a pipe on standard input that nothing is ever written to: end of file means
the lab's process has ended. After an orderly end there is nothing left to do.
"""

import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from losos_lab import space  # noqa: E402


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin.buffer.read()
    space.take_down(sys.argv[1])


if __name__ == "__main__":
    main()
