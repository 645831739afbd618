"""The bytes of long streams: both ends can make them, and no two blocks of a stream are alike."""

import hashlib
import random

BLOCK = 1 << 20
_SHIFTS = 2 * BLOCK
_BYTES = memoryview(random.Random("losos").randbytes(_SHIFTS + BLOCK))


def blocks(size):
    """A stream of that many bytes. A lost, doubled or misplaced block changes its checksum."""
    for number in range(-(-size // BLOCK)):
        # An odd step over a power of two meets every start once.
        start = number * 7919 % _SHIFTS
        yield _BYTES[start:start + min(BLOCK, size - number * BLOCK)]


def checksum(size):
    digest = hashlib.sha256()
    for block in blocks(size):
        digest.update(block)
    return digest.hexdigest()
