"""A real API server of Kubernetes and the etcd it keeps everything in, on loopback: all of a mesh
that our registrar ever talks to."""

import http.client
import json
import pathlib
import ssl
import subprocess

import yaml
from losos_tools.registrar import Reservation
from losos_tools.waiting import until

from .authority import Authority
from .parts import part

# Where objects of a kind are made and found.
_PLACES = {
    "Node": "/api/v1/nodes",
    "Namespace": "/api/v1/namespaces",
    "Pod": "/api/v1/namespaces/{}/pods",
    "Secret": "/api/v1/namespaces/{}/secrets",
    "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "ValidatingAdmissionPolicy":
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding":
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/rolebindings",
}
_ADMIN = "the-administrator-of-the-whole-mesh-0123456789"


class Said:
    """What the API server answered."""

    def __init__(self, status, body):
        self.status, self.body = status, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


def place(kind, name=None, namespace="kube-system"):
    """The path of an object, or of all of its kind."""
    path = _PLACES[kind].format(namespace)
    return path if name is None else f"{path}/{name}"


class ApiServer:
    """Up from the start; RBAC decides who may do what, as in any mesh."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.authority = Authority(self.folder / "authority")
        self.certificate, self._key = self.authority.issue(["localhost"], ["127.0.0.1"])
        self._ports = {name: Reservation() for name in ("api", "client", "peer")}
        self.port = self._ports["api"].port
        self.url = f"https://127.0.0.1:{self.port}"
        self._context = ssl.create_default_context(cafile=self.authority.root_file)
        self._accounts_key = self.folder / "accounts.key"
        subprocess.run(["openssl", "genrsa", "-out", self._accounts_key, "2048"], check=True,
                       capture_output=True)
        (self.folder / "tokens.csv").write_text(f"{_ADMIN},admin,admin,system:masters\n",
                                                encoding="ascii")
        self._etcd = self._run("etcd", self._etcd_flags())
        self._server = None
        self.start()

    def _etcd_flags(self):
        client, peer = (f"http://127.0.0.1:{self._ports[name].port}" for name in ("client", "peer"))
        return [f"--data-dir={self.folder / 'etcd'}", f"--listen-client-urls={client}",
                f"--advertise-client-urls={client}", f"--listen-peer-urls={peer}",
                f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=default={peer}",
                "--unsafe-no-fsync"]

    def _server_flags(self):
        return [f"--etcd-servers=http://127.0.0.1:{self._ports['client'].port}",
                "--bind-address=127.0.0.1", f"--secure-port={self.port}",
                f"--tls-cert-file={self.certificate}", f"--tls-private-key-file={self._key}",
                "--service-account-issuer=https://mesh.test",
                f"--service-account-key-file={self._accounts_key}",
                f"--service-account-signing-key-file={self._accounts_key}",
                f"--token-auth-file={self.folder / 'tokens.csv'}", "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.99.0.0/24",
                # Pods get no token here: there is nobody who would run them.
                "--disable-admission-plugins=ServiceAccount"]

    def _run(self, program, flags):
        with open(self.folder / f"{program}.log", "ab") as log:
            return subprocess.Popen([part(program), *flags], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, cwd=self.folder, start_new_session=True)

    def start(self):
        """Starts the API server and waits until it takes calls, and its own roles are made."""
        self._server = self._run("kube-apiserver", self._server_flags())
        until(self._is_ready, lambda: f"the API server to be ready; it said {self.tail()}", 120)

    def _is_ready(self):
        assert self._server.poll() is None, self.tail()
        try:
            return self.call("GET", "/readyz").status == 200 and \
                self.call("GET", place("Namespace", "kube-system")).status == 200
        except OSError:
            return False

    def tail(self):
        return "\n".join((self.folder / "kube-apiserver.log").read_text(
            encoding="utf-8", errors="replace").splitlines()[-10:])

    def kill(self):
        """Ends the API server without notice."""
        self._server.kill()
        self._server.wait()

    def close(self):
        for process in (self._server, self._etcd):
            if process is not None:
                process.kill()
                process.wait()
        for port in self._ports.values():
            port.close()

    # --- calls ---

    def call(self, method, path, body=None, bearer=_ADMIN):
        """One call, by the administrator unless somebody else's token is given."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60,
                                                 context=self._context)
        try:
            connection.request(method, path, None if body is None else json.dumps(body),
                               {"Authorization": f"Bearer {bearer}",
                                "Content-Type": "application/json"})
            answer = connection.getresponse()
            return Said(answer.status, answer.read())
        finally:
            connection.close()

    def make(self, document):
        """Makes one object."""
        made = self.call("POST", place(document["kind"], namespace=document["metadata"].get(
            "namespace", "default")), document)
        assert made.status == 201, made

    def apply(self, path):
        """Makes every object of a file in YAML."""
        with open(path, encoding="utf-8") as stream:
            for document in yaml.safe_load_all(stream):
                self.make(document)

    def make_node(self, name):
        """A node and the Secret with its password, as rke2 leaves them."""
        self.make({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}})
        self.make({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "stringData": {
            "hash": "what the node's password hashes to"}, "metadata": {
                "name": f"{name}.node-password.rke2", "namespace": "kube-system"}})

    def traces(self, name):
        """What is there of a node: of itself, and of its password."""
        found = {"Node": place("Node", name),
                 "Secret": place("Secret", f"{name}.node-password.rke2")}
        return {kind for kind, path in found.items() if self.call("GET", path).status == 200}

    def token_of(self, account, namespace="kube-system"):
        """A token of a service account, signed by the API server."""
        said = self.call("POST", place("ServiceAccount", account, namespace) + "/token",
                         {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                          "spec": {"expirationSeconds": 3600}})
        assert said.status == 201, said
        return said.json()["status"]["token"]
