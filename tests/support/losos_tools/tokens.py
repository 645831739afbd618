"""Secrets of tests: sound ones, made from a word, so that a failure names whose they are."""

import base64

# Two public keys: the base64 of 32 bytes, which is all a Noise key has to be here.
NOISE_KEY = base64.b64encode(bytes(range(32))).decode()
OTHER_NOISE_KEY = base64.b64encode(bytes(range(32, 64))).decode()


def token(whose):
    """A token of 40 characters that is this one's alone."""
    return f"token-of-{whose}-".ljust(40, "x")


def relay_pass(hour, digit="a"):
    """A relay pass of the right shape; nobody here judges it."""
    return f"v1.{hour}.{digit * 64}"
