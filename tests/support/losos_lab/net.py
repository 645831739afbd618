"""The addresses of a lab's machines, in one family or in both."""

from dataclasses import dataclass

V4 = {"hub": "198.51.100.1/24", "gateway": "198.51.100.2/24", "lan": "192.168.77.1/24",
      "box": "192.168.77.10/24", "visitors": "203.0.113.1/24", "visitor": "203.0.113.7/24"}
V6 = {"hub": "2001:db8:100::1/64", "gateway": "2001:db8:100::2/64", "lan": "fd77::1/64",
      "box": "fd77::10/64", "visitors": "2001:db8:203::1/64", "visitor": "2001:db8:203::7/64"}


@dataclass(frozen=True)
class Net:
    """`tables`: the families there are; machines speak the first one with each other. `any`: the
    wildcard that rathole and a gateway's registrar listen on; None: rathole on 0.0.0.0, a gateway's
    registrar on its LAN."""
    tables: tuple = (V4,)
    any: str = None

    def all(self, machine):
        """Every address of a machine, with its prefix length."""
        return [table[machine] for table in self.tables]

    def of(self, machine):
        """The address a machine is spoken to at."""
        return self.all(machine)[0].split("/")[0]

    def has_v4(self):
        return V4 in self.tables

    def has_v6(self):
        return V6 in self.tables


def at(address, port):
    """`address:port`, IPv6 in brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
