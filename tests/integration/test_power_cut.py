"""What a power cut would leave: who is merely killed loses nothing that the kernel holds, so only the
order of the steps tells."""

import pytest
from losos_tools.crashing import CrashingEdge

COMMITTED = {"box.token", "tenants.json", "registry.json", "server.toml", "losos.yml"}


@pytest.fixture
def steps(make_edge):
    """Every step of a call that enrols a box, and of the passes after it."""
    crash = CrashingEdge(make_edge(start=False, enrol=True))
    crash.start()
    crash.strike("count", 0, crash.change(lambda: crash.edge.register("box"), {"box": "box.losos.test"}), 0, (2,))
    return crash.injector.steps()


def making_of(steps):
    """For each file that took its name: the name, what was done to it before, and the next step."""
    begun = {}
    for step, following in zip(steps, [*steps[1:], None]):
        if step.call == "rename":
            yield step.target, begun.pop(step.target), following
        elif step.path != str(step.target) and step.call != "chown":
            begun.setdefault(step.target, []).append(step.call)


def test_a_file_is_on_the_disk_with_its_mode_before_it_takes_its_name(steps):
    made = list(making_of(steps))
    assert COMMITTED <= {path.name for path, _, _ in made}
    for path, before, _ in made:
        # What is in /run is gone after a power cut anyway.
        lasting = ["fsync"] if path.parent.name != "run" else []
        assert before == ["open", "chmod", "write", *lasting], path


def test_a_name_is_on_the_disk_before_anything_else_is_done(steps):
    for path, _, following in making_of(steps):
        if path.parent.name != "run":
            assert (following.call, following.path) == ("fsync", str(path.parent)), path
