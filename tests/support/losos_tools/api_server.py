"""A stand-in for a mesh's API server, over TLS: it answers what a test wants it to, also what no
API server would."""

import ssl

from .stand_in import StandIn, reply

NODES = "/api/v1/nodes/"
SECRETS = "/api/v1/namespaces/kube-system/secrets/"


def paths_of(node):
    """What is to be deleted of a node, in this order."""
    return [NODES + node, f"{SECRETS}{node}.node-password.rke2"]


class StandInApiServer(StandIn):
    """Knows every object; `certificate` is a pair of files, as an Authority issues them."""

    def __init__(self, certificate):
        super().__init__(tls=self.context(certificate))
        self.url = f"https://127.0.0.1:{self.port}"
        self.answer_all()

    @staticmethod
    def context(certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        return context

    def answer_all(self, answer=None, nodes=("mattbox", "zoe")):
        """Answers the same to every deletion; without one as the real server does."""
        if answer is None:
            answer = reply(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})
        self.answers = {path: answer for node in nodes for path in paths_of(node)}
        self.requests.clear()

    def deleted(self):
        """The paths somebody wanted to delete, in their order."""
        return [request.path for request in list(self.requests) if request.method == "DELETE"]
