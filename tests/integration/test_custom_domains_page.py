"""losos-custom-domains(7), typed word for word: by the operator of a hub with a real Knot, and by
the owner of a box. What the page tells and does not type, as that the hub is made official and that
the box registers, is done here before the step that needs it. Directories, ports and the hub's URL
are this test's own."""

import re
import shutil
import subprocess

import pytest
from losos_tools import OfficialEdge, token, until, write_text
from losos_tools.process import BIN_DIR, ROOT, environment
from losos_tools.registrar import Reservation
from walkthrough import steps_of

PAGE = ROOT / "man" / "losos-custom-domains.7"
BLOCK = re.compile(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", re.MULTILINE | re.DOTALL)
SHIPPED = ("etc/losos/losos-registrar.hub.toml", "knot/knot.conf")
RECORD = re.compile(r"^(\S+)\. \d+ IN (\S+) (.+)$", re.MULTILINE)
DOMAIN = "cloud.example.org"
# Whatever the page names by its path.
PLACES = ("/usr/share/losos", "/etc/losos", "/etc/knot", "/etc/rathole", "/var/lib/losos-registrar",
          "/var/lib/losos-dns", "/var/lib/knot", "/var/secrets", "/run/knot")


def blocks():
    """What the page's operation shows: lists of steps, and texts without any."""
    text = PAGE.read_text(encoding="utf-8")
    operation = re.search(r"^\.Sh OPERATION\n(.*?)^\.Sh ", text, re.MULTILINE | re.DOTALL)[1]
    shown = [block.replace("\\e", "\\") for block in BLOCK.findall(operation)]
    return [steps_of(block) or block for block in shown]


class Walk:
    """Both machines in one directory: what a page calls /etc/losos is below it."""

    def __init__(self, edge, sockets):
        self.root = edge.folder / "root"
        self.edge = edge
        self.official = OfficialEdge(edge)
        self.knot_port = Reservation()
        self._knot = None
        self._sockets = sockets
        for place in PLACES:
            (self.root / place[1:]).mkdir(parents=True)
        (self.root / "bin").mkdir()
        self._place_programs()
        self._place_what_is_there_before()
        edge.flags = {"config": self.at("/etc/losos/losos-registrar.toml")}

    def close(self):
        self.stop_knot()
        self.knot_port.close()
        self.official.close()

    def at(self, place):
        return self.root / place[1:]

    def _place_what_is_there_before(self):
        """A hub that runs, a box with its token, and that token in the operator's hands."""
        state, etc = self.at("/var/lib/losos-registrar"), self.at("/etc/losos")
        for name in SHIPPED:
            shutil.copy(ROOT / "units" / name, self.at("/usr/share/losos"))
        shutil.copy(self.at("/usr/share/losos/losos-registrar.hub.toml"),
                    etc / "losos-registrar.toml")
        (etc / "tokens").mkdir()
        write_text(etc / "tokens" / "acme", token("acme") + "\n")
        write_text(state / "bootstrap.token", token("bootstrap") + "\n")
        self.run(f"losos-registrar noise keygen --noise-private-key-file {state}/noise.key")
        for name in (self.root / "mattbox.token", self.at("/var/secrets/losos-proxy-token")):
            write_text(name, token("mattbox") + "\n")

    def _place_programs(self):
        # What curl is called with, as every list of processes shows it.
        self._place("curl", f'printf "%s\\n" "$@" >> {self.root}/argv',
                    f'exec {shutil.which("curl")} "$@"')
        config = self.at("/etc/losos/losos-registrar.toml")
        self._place("losos-registrar",
                    f'exec {BIN_DIR}/losos-registrar "$@" --config {config}')

    def _place(self, program, *lines):
        write_text(self.root / "bin" / program, "\n".join(["#!/bin/sh", *lines, ""]), 0o755)

    def localised(self, text):
        for place in PLACES:
            text = text.replace(f"{place}/", f"{self.at(place)}/")
        return text

    def run(self, command):
        done = subprocess.run(
            ["sh", "-euc", command], cwd=self.root, capture_output=True, text=True, check=False,
            env=environment({"PATH": f"{self.root}/bin:{BIN_DIR}:/usr/sbin:/usr/bin:/sbin:/bin"}))
        # A check may have something to say of the machine it runs on.
        is_silent = not done.stderr or "registrar check" in command
        assert done.returncode == 0 and is_silent, (command, done)
        return done.stdout

    # --- the hub ---

    def configure(self):
        """The flags that differ here from a hub's own."""
        config = self.at("/etc/losos/losos-registrar.toml")
        text = self.localised(config.read_text(encoding="utf-8"))
        text = text.replace("127.0.0.1:8443", f"127.0.0.1:{self.edge.port}")
        text = text.replace("https://cloudflare-dns.com/dns-query", self.official.resolver.url)
        # No more than a host of containers lets rathole open files for.
        text = text.replace('#port-range = "20000-29999"', 'port-range = "20000-20999"')
        places = {"registry": self.at("/var/lib/losos-registrar") / "registry.json",
                  "run-dir": self.edge.run_dir, "traefik-dir": self.edge.traefik,
                  "domain-check-waiting": "1s"}
        write_text(config, text + "".join(f'{key} = "{value}"\n' for key, value in places.items()))

    def certify(self):
        """As losos-edge-identity(7) has it."""
        state = self.at("/var/lib/losos-registrar")
        for name in ("identity.key", "identity.cert.json"):
            shutil.copy(self.edge.state / name, state)

    def start_knot(self):
        config = self.at("/etc/knot/knot.conf")
        text = config.read_text(encoding="utf-8")
        for pattern, own in ((r"^    user: .*\n", ""), (r"rundir: .*", f"rundir: {self._sockets}"),
                             (r"listen: .*", f"listen: 127.0.0.1@{self.knot_port.port}")):
            text, count = re.subn(pattern, own, text, flags=re.MULTILINE)
            assert count == 1, (pattern, text)
        write_text(config, re.sub(r'"(/var/lib/[\w-]+)', lambda m: f'"{self.at(m[1])}', text))
        with open(self.root / "knot.log", "wb") as log:
            self._knot = subprocess.Popen(["/usr/sbin/knotd", "-c", str(config)], stdout=log,
                                          stderr=log)
        until((self._sockets / "knot.sock").exists, "Knot to take commands")

    def stop_knot(self):
        if self._knot is not None:
            self._knot.terminate()
            self._knot.wait(20)

    def systemctl(self, words):
        """The units the page names, and no others."""
        assert words[0] == "restart", words
        if words[1] == "knot":
            self.start_knot()
        else:
            assert words[1] == "losos-registrar", words
            self.edge.start(config=False)

    def reload_zones(self):
        """As losos-dns-reload.service does whenever a zone has changed."""
        subprocess.run([ROOT / "units/libexec/reload-zones", self.at("/var/lib/losos-dns"),
                        self._sockets / "knot.sock", self._sockets / "began"], check=True,
                       capture_output=True)

    # --- the page ---

    def type(self, step):
        words = step.command.split()
        if words[0] == "systemctl":
            self.systemctl(words[1:])
            return
        command = self.localised(step.command).replace("https://edge.losos.example", self.edge.url)
        command = command.replace(" -o losos-edge", "")
        command = command.replace("@edge.losos.example", f"@127.0.0.1 -p {self.knot_port.port}")
        if "losos-registrar check" in command:
            self.certify()
            self.configure()
        if not step.shown or words[1] in ("add", "remove"):
            assert self.run(command) == step.shown, step
            return
        seen = ""

        def is_as_shown():
            nonlocal seen
            if words[0] == "kdig":
                self.reload_zones()
            seen = self.run(command)
            return seen == step.shown
        until(is_as_shown, lambda: f"{step}\n{step.shown}\nbut it says\n{seen}")

    def put_records(self, text):
        """What the owner of the domain puts into it."""
        for name, kind, data in RECORD.findall(text):
            self.official.resolver.records[(name, kind)] = [data]


@pytest.fixture
def walk(make_edge, memory_disk):
    one = Walk(make_edge(start=False), memory_disk)
    yield one
    one.close()


def test_the_page_brings_a_domain_up_as_it_says_and_takes_it_down_again(walk):
    delegation, *others = blocks()
    seen = set()
    for block in others:
        if isinstance(block, str):
            walk.put_records(block)
            continue
        for step in block:
            if step.machine == "box" and "box" not in seen:
                assert walk.edge.register("mattbox", "mattbox.losos.example").status == 200
            seen.add(step.machine)
            if step.command.startswith("./domains remove"):
                until(lambda: DOMAIN in walk.edge.routers().values(), "the router")
            walk.type(step)
    assert seen == {"hub", "box"}
    until(lambda: DOMAIN not in walk.edge.routers().values(), "the router to go")
    # The parent's record leads to a name server the zone itself has.
    zone = (walk.at("/var/lib/losos-dns") / "boxes.losos.example.zone").read_text(encoding="utf-8")
    assert delegation.replace(" 3600 ", " ") in zone
    argv = (walk.root / "argv").read_text(encoding="utf-8")
    assert set(re.findall(r"/domains/(\w+)", argv)) == {"add", "list", "remove"}
    assert token("mattbox") not in argv
    assert walk.edge.faults() == []
