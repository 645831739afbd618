"""Fixtures of the integration ring: real tools on loopback, each test with files of its own."""

import functools
import os
import pathlib
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from losos_tools import Daemon, Gateway, OfficialEdge, Pathd, Registrar, StandIn  # noqa: E402
from losos_tools import box as live_box  # noqa: E402
from losos_tools.announcing import Box  # noqa: E402
from losos_tools.relaying import RelayHub  # noqa: E402

_started = pytest.StashKey[list]()


def pytest_configure(config):
    config.addinivalue_line("markers", "root: needs root, for a mount or a network namespace")


def pytest_collection_modifyitems(items):
    if os.geteuid() == 0 or os.environ.get("CI"):
        return
    for item in items:
        if item.get_closest_marker("root"):
            item.add_marker(pytest.mark.skip(reason="not run: it needs root"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        for daemon in item.stash.get(_started, []):
            report.sections.append((f"what {daemon.tool} said", daemon.log()[-4000:]))


@pytest.fixture
def memory_disk():
    """A directory in memory, for tests that write far more often than any of our programs."""
    with tempfile.TemporaryDirectory(prefix="losos-test-", dir="/dev/shm") as folder:
        yield pathlib.Path(folder)


@pytest.fixture
def make_edge(request, tmp_path):
    """Makes registrars, each in a folder of its own; they are killed at the end."""
    made = []
    request.node.stash.setdefault(_started, [])

    def make(name="edge", start=True, kind=Registrar, **options):
        edge = kind(tmp_path / name, **options)
        made.append(edge)
        if start:
            edge.start(wait=False)
            request.node.stash[_started].append(edge.daemon)
            edge.daemon.wait_ready()
        return edge

    yield make
    for edge in made:
        edge.close()


@pytest.fixture
def gateway(tmp_path):
    return Gateway(tmp_path / "gateway")


@pytest.fixture
def linked(gateway, shared_edge):
    """A gateway that two boxes are live on and whose uplink is the shared hub."""
    gateway.set_uplink(shared_edge.url)
    gateway.write_live([live_box("two", 20002), live_box("one", 20001)])
    return gateway


@pytest.fixture
def make_official(request, make_edge):
    """Makes registrars that a root calls official, with a zone, a resolver and a vouch file; `flags`
    are further flags of serve."""
    def make(start=True, flags=None, tenants=("mattbox", "zoe"), **options):
        official = OfficialEdge(make_edge(start=False, tenants=tenants, **options), **(flags or {}))
        request.addfinalizer(official.close)
        if start:
            official.edge.start()
        return official
    return make


@pytest.fixture
def make_hub(make_edge):
    """Makes hubs with a route table."""
    return functools.partial(make_edge, "hub", kind=RelayHub)


@pytest.fixture(scope="module")
def shared_edge(request, tmp_path_factory):
    """The registrar a module's tests share; the module names its options in SHARED_EDGE."""
    edge = Registrar(tmp_path_factory.mktemp("shared"), **request.module.SHARED_EDGE)
    edge.start()
    yield edge
    edge.close()


@pytest.fixture
def daemon(request, tmp_path):
    """Starts a tool that keeps running; it is killed at the end."""
    request.node.stash.setdefault(_started, [])
    started = request.node.stash[_started]
    mine = []

    def start(tool, *args, **options):
        process = Daemon(tmp_path, tool, args, **options)
        started.append(process)
        mine.append(process)
        return process

    yield start
    for process in mine:
        process.kill()


@pytest.fixture
def bare(tmp_path):
    """A machine on which nothing of an edge was ever started."""
    gateway = Gateway(tmp_path / "bare")
    gateway.live_file.unlink()
    gateway.status_file.unlink()
    return gateway


@pytest.fixture
def stand_in():
    """Makes stand-ins for edges that are not there."""
    made = []

    def make(answers=None):
        made.append(StandIn(answers))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def a_box(tmp_path):
    """A box with losos-announce, which is started when the test says so."""
    box = Box(tmp_path / "box")
    yield box
    box.close()


@pytest.fixture
def box(request, tmp_path):
    """Makes boxes with a lososd-pathd that looks for their edge often; they are killed at the end."""
    request.node.stash.setdefault(_started, [])
    made = []

    def make(edge=None, name="box", folder=None, start=True, **flags):
        made.append(Pathd(folder or tmp_path / name, edge, **{"probe_interval": "100ms", **flags}))
        if start:
            made[-1].start(wait=False)
            request.node.stash[_started].append(made[-1].daemon)
            made[-1].daemon.wait_ready()
        return made[-1]

    yield make
    for each in made:
        each.close()
