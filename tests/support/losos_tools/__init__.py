"""Our tools as the integration ring runs them: real processes on loopback, in one directory."""

from .faults import ERRNO_OF, FaultInjector, leftovers
from .files import mode_of, read_json, snapshot, write_json, write_text
from .gateway import Gateway, box
from .http import Answer, RawConnection, call
from .official import OfficialEdge, proof, zone_name
from .pathd import Pathd
from .process import Daemon, Done, run
from .registrar import Registrar
from .resolver import Resolver
from .signing import SigningKey, is_signed
from .stand_in import HangUp, StandIn, reply
from .tokens import NOISE_KEY, OTHER_NOISE_KEY, relay_pass, token
from .waiting import TimedOut, until

__all__ = ["ERRNO_OF", "NOISE_KEY", "OTHER_NOISE_KEY", "Answer", "Daemon", "Done", "FaultInjector",
           "Gateway", "HangUp", "OfficialEdge", "Pathd", "RawConnection", "Registrar", "Resolver",
           "SigningKey", "StandIn", "TimedOut", "box", "call", "is_signed", "leftovers", "mode_of",
           "proof", "read_json", "relay_pass", "reply", "run", "snapshot", "token", "until",
           "write_json", "write_text", "zone_name"]
