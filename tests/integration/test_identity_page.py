"""losos-edge-identity(7), walked as its reader does: its commands, word for word, on two machines.
Only the edge's URL and the directory of its state are this test's own."""

import re
import subprocess

import pytest
from losos_tools import until
from losos_tools.process import BIN_DIR, ROOT, environment

PAGE = ROOT / "man" / "losos-edge-identity.7"
SECTION = re.compile(r"^\.Ss Making an edge official\n(.*?)^\.S[sh] ", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", re.MULTILINE | re.DOTALL)


def blocks():
    section = SECTION.search(PAGE.read_text(encoding="utf-8"))[1]
    return [text.replace("\\e\n", "\\\n") for text in BLOCK.findall(section)]


class Walk:
    """A directory for each machine, and the one edge."""

    def __init__(self, folder, edge):
        self.folder, self.edge = folder, edge
        self.public = None
        for name in ("root", "edge", "elsewhere"):
            (folder / name).mkdir()

    def type(self, machine, text):
        for written, meant in (("/var/lib/losos-registrar", str(self.edge.state)),
                               ("https://edge.losos.example", self.edge.url),
                               ("<64 hex digits>", self.public)):
            if written in text:
                text = text.replace(written, meant)
        done = subprocess.run(
            ["sh", "-euc", text], cwd=self.folder / machine, capture_output=True, text=True,
            check=False, env=environment({"PATH": f"{BIN_DIR}:/usr/bin:/bin"}))
        assert (done.returncode, done.stderr) == (0, ""), (text, done)
        return done.stdout

    def bring(self, machine, *names):
        for name in names:
            (self.folder / machine / name).write_bytes((self.folder / "root" / name).read_bytes())


@pytest.fixture
def walk(tmp_path, make_edge):
    edge = make_edge(start=False)
    edge.flags["identity_key_file"] = edge.state / "identity.key"
    edge.flags["identity_cert_file"] = edge.state / "identity.cert.json"
    (tmp_path / "walk").mkdir()
    return Walk(tmp_path / "walk", edge)


def test_an_edge_becomes_official_by_the_commands_of_the_page(walk):
    make_root, make_key, sign, install, verify = blocks()
    root = walk.type("root", make_root)
    assert (walk.folder / "root" / "root.key.pub").read_text() == root
    walk.public = walk.type("edge", make_key).strip()
    walk.type("root", sign)
    walk.bring("edge", "cert.json", "root.key.pub")
    shown = walk.type("edge", install)
    assert walk.public in shown and walk.edge.url in shown
    walk.edge.start()
    walk.bring("elsewhere", "root.key.pub")
    until(lambda: walk.edge.status()["identity"], "the registrar to show its certificate")
    assert f"{walk.edge.url} is official: LosOS" in walk.type("elsewhere", verify)
    assert walk.edge.faults("identity") == []


def test_a_new_certificate_is_taken_in_the_same_way_without_a_restart(walk):
    make_root, make_key, sign, install, _ = blocks()
    walk.type("root", make_root)
    walk.public = walk.type("edge", make_key).strip()
    walk.edge.start()
    for days, is_late in (("20", True), ("365", False)):
        walk.type("root", sign.replace("--days 365", f"--days {days}"))
        walk.bring("edge", "cert.json", "root.key.pub")
        walk.type("edge", install)
        until(lambda late=is_late: bool(walk.edge.faults("expires on")) == late
              and walk.edge.status()["identity"], f"a certificate of {days} days to be followed")
