"""docs/backup.md, done as its reader does: its commands, word for word, with a real registrar. Only the
root of the machine and the names of its directories are this test's own."""

import re
import shutil
import subprocess

import pytest
from losos_tools import mode_of, run, token, write_text
from losos_tools.process import BIN_DIR, ROOT, environment

PAGE = ROOT / "docs" / "backup.md"
PROMPT = re.compile(r"^ *(hub|new)# (.*)$", re.MULTILINE)
PLACES = {"etc/losos": "etc", "etc/traefik/dynamic": "traefik", "var/lib/losos-registrar": "state"}


def commands(machine):
    return [line for where, line in PROMPT.findall(PAGE.read_text(encoding="utf-8")) if where == machine]


class Machine:
    """The hub, and where its files lie: a directory that stands for /."""

    def __init__(self, edge, carried):
        self.edge, self.root, self.carried = edge, edge.folder, carried

    def type(self, line):
        """Runs a line of the page. What starts and stops units starts and stops the registrar."""
        if line.startswith("systemctl "):
            return self._systemctl(line.split())
        if line.startswith("losos-registrar check"):
            done = run("losos-registrar", "check", *self.edge.arguments())
            assert done.code == 0, done
            return done.out
        for written, meant in PLACES.items():
            line = re.sub(rf"(?<![\w/]){written}\b", meant, line)
        line = line.replace("cd / ", f"cd {self.root} ").replace("/root/", f"{self.carried}/")
        done = subprocess.run(["sh", "-euc", line], capture_output=True, text=True, check=False,
                              env=environment({"PATH": f"{BIN_DIR}:/usr/bin:/bin"}))
        assert done.returncode == 0, (line, done)
        return done.stdout

    def _systemctl(self, words):
        assert words[-1] == "losos-hub.target", words
        running = self.edge.daemon is not None and self.edge.daemon.running()
        if words[1] in ("stop", "disable"):
            return self.edge.stop() if running else 0
        assert words[1:3] == ["enable", "--now"] and not running, words
        return self.edge.start()

    def burn(self):
        """Another machine at the same place: nothing of the old one is left."""
        for path in self.root.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
        for folder in (self.edge.etc, self.edge.state, self.edge.run_dir, self.edge.traefik,
                       self.edge.rathole):
            folder.mkdir()


@pytest.fixture
def machine(make_edge, tmp_path):
    edge = make_edge("hub", start=False, tenants={
        "acme": {"hostname": "acme.losos.test", "relay_zone": "acme.losos.test"}, "zoe": {}})
    key = edge.state / "noise.key"
    assert run("losos-registrar", "noise", "keygen", "--noise-private-key-file", key).code == 0
    edge.flags["noise_private_key_file"] = key
    write_text(edge.traefik / "losos-register.yml", "http: {}\n")
    certificates = edge.folder / "var/lib/losos-traefik"
    certificates.mkdir(parents=True)
    write_text(certificates / "acme.json", "{}\n")
    carried = tmp_path / "carried"
    carried.mkdir()
    edge.start()
    return Machine(edge, carried)


def ports(edge):
    return {name: row["port"] for name, row in edge.rows().items()}


def test_a_hub_comes_back_elsewhere_with_its_ports_tokens_and_key(machine):
    edge = machine.edge
    boxes = [("anna", "anna.acme.losos.test"), ("mattbox", "mattbox.acme.losos.test")]
    # Somebody leaves, so that the ports of the others are not just the lowest ones.
    assert edge.register("zoe").status == 200
    assert edge.relay("acme", boxes).status == 200
    assert edge.register("acme").status == 200
    assert edge.relay("acme", boxes[1:]).status == 200
    before, key = ports(edge), edge.get("/noise-public-key").text
    save, protect, look, stop = commands("hub")

    machine.type(save)
    machine.type(protect)
    assert mode_of(machine.carried / "losos-backup.tar.gz") == 0o600
    assert "registry.json" in machine.type(look)
    machine.type(stop)
    machine.burn()
    for line in commands("new")[:-1]:
        machine.type(line)

    assert commands("new")[-1] == "losos-edge doctor | tail -n 1"
    assert ports(edge) == before
    assert edge.get("/noise-public-key").text == key
    assert mode_of(edge.state / "noise.key") == 0o600
    assert (edge.folder / "var/lib/losos-traefik/acme.json").is_file()
    assert edge.services() == before
    # The tokens are the old ones, and no other will do.
    assert edge.register("zoe").json() == {"rathole_port": before["zoe"]}
    assert edge.post("/heartbeat", {"appliance_id": "zoe", "token": token("other")}).status == 401
    assert edge.relay("acme", boxes[1:]).json()["accepted"][0]["rathole_port"] == before["acme.mattbox"]


def test_a_backup_that_is_cut_short_is_seen(machine):
    save, look = commands("hub")[0], commands("hub")[2]
    machine.type(save)
    archive = machine.carried / "losos-backup.tar.gz"
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(AssertionError):
        machine.type(look)
