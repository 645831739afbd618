"""A network of a test's own: only loopback, with as many addresses on it as the test needs."""

import concurrent.futures
import ctypes
import subprocess

_CLONE_NEWNET = 0x40000000


def in_a_network_of_its_own(addresses, act, prefixes=()):
    """Runs act() in a thread whose network has only loopback, with further addresses on it; of an
    IPv4 one loopback owns the whole prefix, of IPv6 what is in `prefixes`."""
    def enter():
        if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "cannot make a network namespace")
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        for address in addresses:
            subprocess.run(["ip", "addr", "add", address, "dev", "lo"], check=True)
        for prefix in prefixes:
            subprocess.run(["ip", "-6", "route", "add", "local", prefix, "dev", "lo"], check=True)
            with open("/proc/sys/net/ipv6/ip_nonlocal_bind", "w", encoding="ascii") as file:
                file.write("1")
        return act()

    # The namespace is the thread's alone, and goes with it.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(enter).result()
