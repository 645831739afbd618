"""An edge whose boxes can join a mesh."""

from .files import read_json, write_text
from .registrar import Registrar
from .tokens import token

AGENT_TOKEN = "K10" + "a" * 64 + "::node:" + "b" * 32
KUBE_TOKEN = "kube-token-of-the-registrar." + "k" * 900
SERVER_ADDR = "https://mesh.losos.test:9345"
WINDOW = {"share_compute": True, "window_start": "22:00", "window_end": "06:00",
          "window_tz": "Europe/Berlin"}


class MeshEdge(Registrar):
    """Its members are tenants that may join; `kube_api` is the API server's URL, `kube_ca` the file
    with who signed its certificate."""

    def __init__(self, folder, kube_api, kube_ca, members=("mattbox",), tenants=None, **options):
        rows = {member: {"cluster": True} for member in members} | dict(tenants or {})
        super().__init__(folder, tenants=rows, **options)
        self.agent_token_file = write_text(self.etc / "agent.token", AGENT_TOKEN + "\n")
        self.kube_token_file = write_text(self.etc / "kube.token", KUBE_TOKEN + "\n")
        self.windows_file = self.state / "compute-windows.json"
        self.flags = {"mesh_agent_token_file": self.agent_token_file,
                      "mesh_server_addr": SERVER_ADDR, "kube_api": kube_api,
                      "kube_token_file": self.kube_token_file, "kube_ca_file": kube_ca,
                      "compute_windows_file": self.windows_file, **self.flags}

    def join(self, member="mattbox", **fields):
        return self.post("/cluster/join", {"appliance_id": member, "token": token(member),
                                           "node_name": member, **fields})

    def windows(self):
        """What the registry holds, by member."""
        return self.registry()["compute_windows"]

    def nodes(self):
        """What compute-windows.json holds, by node."""
        return {node["node_name"]: node for node in read_json(self.windows_file)["nodes"]}

    def is_idle(self, member="mattbox"):
        return self.nodes()[member]["idle"]
