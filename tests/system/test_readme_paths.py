"""The README's owner paths, typed word for word on three machines where nothing is set up. What the
page only tells, as that a token is handed over, is done here before the section that needs it."""

import re

import pytest
from losos_lab import parts
from losos_system import BOX, SPOKE, setting_up, until
from losos_system.readme import read_paths

README = (parts.ROOT / "README.md").read_text(encoding="utf-8")
PATHS = read_paths(README)
# The one line of "on each machine" that is not done by the making of the machines' disks.
ON_EACH = "systemd-sysusers && systemd-tmpfiles --create"
URL = re.compile(r"curl https://([^/]+)(/\S*)$")


def prepare(federation):
    """What the README takes for granted, or has told before."""
    assert f"\n{ON_EACH}\n" in README
    for machine in federation.machines:
        machine.run(ON_EACH)
    setting_up.certify(federation.hub, federation.authority)
    setting_up.web_server(federation.box)
    for edge, example in ((federation.hub, "hub"), (federation.gateway, "gateway")):
        # A host of containers lets nobody open as many files as the packaged range of ports needs.
        edge.run("echo 'port-range = \"20000-20999\"' >> "
                 f"/usr/share/losos/losos-registrar.{example}.toml")


def hand_over(source, target):
    """A token goes from one machine to root's home on another."""
    (machine, path), (other, name) = source, target
    token = until(lambda: machine.run(f"cat {path}", expect=None).out, f"the token {path}")
    other.write(f"/root/{name}", token, 0o600)


BEFORE = {
    "The hub's operator": prepare,
    "The gateway's owner": lambda all_three: hand_over(
        (all_three.hub, f"/etc/losos/tokens/{SPOKE}"), (all_three.gateway, f"{SPOKE}.token")),
    "When the gateway is gone": lambda all_three: hand_over(
        (all_three.box, "/var/secrets/losos-proxy-token"), (all_three.hub, f"{BOX}.token")),
}


def look(federation, step):
    """What is printed on the step's machine."""
    if step.machine != "visitor":
        return getattr(federation, step.machine).run(step.command).out
    answer = federation.visitor.request(*URL.match(step.command).groups())
    return answer.body.decode()


def walk(federation, step):
    """Types a line. A look at how things stand is repeated until they stand as the page shows: a
    reader types slower than this."""
    if not step.shown or "uplink set" in step.command:
        assert look(federation, step) == step.shown, step
        return
    seen = ""

    def is_as_shown():
        nonlocal seen
        seen = look(federation, step)
        return step.is_answered_by(seen)
    until(is_as_shown, lambda: f"{step}\n{step.shown}\nbut it says\n{seen}", 30, 0.1)


@pytest.mark.parametrize("heading", PATHS)
def test_what_the_readme_types_answers_as_it_shows(federation, heading):
    if heading in BEFORE:
        BEFORE[heading](federation)
    for step in PATHS[heading]:
        walk(federation, step)


def test_no_unit_has_failed_at_the_end_of_the_readme(federation):
    for machine in federation.machines:
        assert machine.failed_units() == [], machine.tail()


def test_every_path_of_the_readme_is_walked():
    assert list(PATHS) == ["The hub's operator", "The gateway's owner", "The box's owner",
                           "And a visitor", "When the gateway is gone"]
    assert set(BEFORE) <= set(PATHS)
