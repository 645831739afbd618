"""The door to the mesh in front of a real API server that lets nobody do more than its role says."""

import pathlib

import pytest
from losos_lab.kube import ApiServer, place
from losos_tools import until, write_text
from losos_tools.mesh import AGENT_TOKEN, SERVER_ADDR, WINDOW, MeshEdge

ROLE = pathlib.Path(__file__).resolve().parents[2] / "units" / "losos-registrar-rbac.yaml"
ACCOUNT = "losos-registrar"


def takes_secret(server, token):
    """Whether somebody can delete a Secret that is no node's password."""
    if server.call("GET", place("Secret", "precious")).status == 404:
        server.make({"apiVersion": "v1", "kind": "Secret", "metadata": {
            "name": "precious", "namespace": "kube-system"}})
    return server.call("DELETE", place("Secret", "precious"), bearer=token).status == 200


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One for all tests, with the role we ship."""
    server = ApiServer(tmp_path_factory.mktemp("kube"))
    try:
        server.apply(ROLE)
        token = server.token_of(ACCOUNT)
        until(lambda: not takes_secret(server, token), "the policy to be in force")
        yield server
    finally:
        server.close()


@pytest.fixture
def edge(server, tmp_path):
    """An edge with a token of the account we ship."""
    edge = MeshEdge(tmp_path / "edge", server.url, server.authority.root_file,
                    members=["mattbox", "zoe"])
    write_text(edge.kube_token_file, server.token_of(ACCOUNT))
    edge.start()
    yield edge
    edge.close()


def test_a_join_takes_away_what_the_node_left_and_touches_no_other(server, edge):
    server.make_node("mattbox")
    server.make_node("somebody")
    answer = edge.join(**WINDOW)
    assert answer.status == 200, answer
    assert answer.json() == {"server_addr": SERVER_ADDR, "token": AGENT_TOKEN,
                             "node_name": "mattbox"}
    assert server.traces("mattbox") == set()
    assert server.traces("somebody") == {"Node", "Secret"}
    assert edge.windows()["mattbox"]["window_start"] == "22:00"
    until(lambda: "mattbox" in edge.nodes(), "compute-windows.json to name the node")


def test_who_left_nothing_joins_all_the_same(server, edge):
    assert server.traces("zoe") == set()
    assert edge.join("zoe").status == 200


@pytest.mark.parametrize("binding, left, word", [
    ("ClusterRoleBinding", {"Node", "Secret"}, "Node"),
    ("RoleBinding", {"Secret"}, "Secret"),
])
def test_without_the_role_nobody_joins_and_both_sides_are_told_why(server, edge, binding, left,
                                                                   word):
    server.make_node("zoe")
    token = server.token_of(ACCOUNT)

    def may_delete():
        said = server.call("DELETE", place(word, "never-there"), bearer=token)
        return {403: False, 404: True}[said.status]

    bound = server.call("GET", place(binding, ACCOUNT)).json()
    assert server.call("DELETE", place(binding, ACCOUNT)).status == 200
    try:
        until(lambda: not may_delete(), "the role to be lost")
        answer = edge.join("zoe")
        assert answer.status == 503, answer
    finally:
        del bound["metadata"]["resourceVersion"], bound["metadata"]["uid"]
        server.make(bound)
        until(may_delete, "the role to be back")
    assert "lacks the role" in answer.text and "(403)" in answer.text
    assert AGENT_TOKEN not in answer.text
    assert "zoe" not in edge.windows()
    assert server.traces("zoe") == left
    edge.wait_fault(f"delete a {word}" if word == "Node" else word, "lacks the role")
    assert edge.join("zoe").status == 200
    until(lambda: not edge.faults("mesh"), "the fault to be gone")
    assert server.traces("zoe") == set()


def test_a_token_that_is_not_known_opens_no_door(server, edge):
    server.make_node("mattbox")
    write_text(edge.kube_token_file, "nobody-here-knows-this-token-at-all-0123")
    answer = edge.join()
    assert answer.status == 503 and "does not know the token" in answer.text
    assert server.traces("mattbox") == {"Node", "Secret"}
    write_text(edge.kube_token_file, server.token_of(ACCOUNT))
    assert edge.join().status == 200
    assert server.traces("mattbox") == set()


def test_another_authority_than_the_servers_opens_no_door(server, edge, tmp_path):
    server.make_node("mattbox")
    right = edge.flags["kube_ca_file"].read_text(encoding="ascii")
    mine = write_text(tmp_path / "pinned.pem", right)
    edge.flags["kube_ca_file"] = mine
    edge.restart()
    assert edge.join("zoe").status == 200
    write_text(mine, server.certificate.read_text(encoding="ascii"))
    answer = edge.join()
    assert answer.status == 503
    edge.wait_fault(server.url, "certificate is not trusted")
    assert server.traces("mattbox") == {"Node", "Secret"}
    write_text(mine, right)
    assert edge.join().status == 200


def test_a_server_that_dies_closes_the_door_until_it_is_back(server, edge):
    server.make_node("mattbox")
    server.kill()
    try:
        answer = edge.join()
        assert answer.status == 503, answer
        assert edge.register("mattbox").status == 200
        edge.wait_fault(server.url, "did not answer")
    finally:
        server.start()
    until(lambda: edge.join().status == 200, "the door to be open again")
    assert server.traces("mattbox") == set()


@pytest.mark.parametrize("method, path", [
    ("GET", place("Secret")), ("GET", place("Secret", "someone.node-password.rke2")),
    ("GET", "/api/v1/secrets"), ("GET", place("Secret") + "?watch=1"),
    ("DELETE", place("Secret")), ("DELETE", place("Secret", "s", "default")),
    ("GET", place("Node")), ("GET", place("Node", "somebody")), ("DELETE", place("Node")),
    ("DELETE", place("Pod", "p", "default")), ("DELETE", place("Pod", "p")),
    ("GET", place("Pod")), ("DELETE", place("Namespace", "default")),
    ("DELETE", place("ServiceAccount", ACCOUNT)), ("DELETE", place("ClusterRole", ACCOUNT)),
    ("GET", place("RoleBinding")),
])
def test_the_role_is_good_for_nothing_else(server, method, path):
    said = server.call(method, path, bearer=server.token_of(ACCOUNT))
    assert said.status == 403, said


def test_of_secrets_it_takes_none_but_node_passwords(server):
    token = server.token_of(ACCOUNT)
    assert not takes_secret(server, token)
    said = server.call("DELETE", place("Secret", "precious"), bearer=token)
    assert said.status == 403 and "no Secret but a node's password" in said.json()["message"]
    assert server.call("GET", place("Secret", "precious")).status == 200
    assert server.call("DELETE", place("Secret", "precious")).status == 200, "others still may"


@pytest.mark.parametrize("kind", ["Node", "Secret", "Pod", "ClusterRoleBinding"])
def test_the_role_makes_nothing(server, kind):
    body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "made"}}
    said = server.call("POST", place(kind), body, bearer=server.token_of(ACCOUNT))
    assert said.status == 403, said


@pytest.mark.parametrize("namespace, more", [
    ("kube-system", [{"verbs": ["delete"], "apiGroups": [""], "resources": ["secrets"]}]),
    ("default", []),
])
def test_the_role_gives_two_verbs_beside_what_every_account_may(server, namespace, more):
    def rules(bearer):
        said = server.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                           {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview",
                            "spec": {"namespace": namespace}}, bearer=bearer)
        assert said.status == 201, said
        return said.json()["status"]["resourceRules"]

    if server.call("GET", place("ServiceAccount", "nobody", "default")).status == 404:
        server.make({"apiVersion": "v1", "kind": "ServiceAccount",
                     "metadata": {"name": "nobody", "namespace": "default"}})
    usual = rules(server.token_of("nobody", "default"))
    ours = [rule for rule in rules(server.token_of(ACCOUNT)) if rule not in usual]
    wanted = [{"verbs": ["delete"], "apiGroups": [""], "resources": ["nodes"]}, *more]
    assert sorted(ours, key=str) == sorted(wanted, key=str)
