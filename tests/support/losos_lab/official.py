"""What makes a hub official, and whom it vouches for."""

import json
import time
import uuid

from losos_tools.signing import SigningKey

from .edge import write_secret

ACCOUNT = "acct_1Lab"


class Official:
    """Gives a hub that does not run yet its identity, its vouch file and the flags for them."""

    def __init__(self, hub, folder):
        self._hub = hub
        self._folder = folder
        self._root_file = folder / "root.key"
        self.root_public = folder / "root.key.pub"
        self._key_file = hub.state / "identity.key"
        self._cert_file = hub.state / "identity.cert.json"
        self.vouch_file = hub.state / "vouched.json"
        self._root = None
        self._uuids = {}

    @property
    def url(self):
        return f"https://{self._hub.names.public_host}"

    def prepare(self):
        self._folder.mkdir(mode=0o700)
        self._tool("identity", "keygen", "--identity-key-file", self._root_file, "--root")
        self._public = self._tool("identity", "keygen", "--identity-key-file",
                                  self._key_file).out.strip()
        self._root = SigningKey(self._folder, "root", self._root_file.read_text().strip())
        self._hub.more_flags += ["--identity-key-file", self._key_file,
                                 "--identity-cert-file", self._cert_file,
                                 "--vouch-file", self.vouch_file]
        self.install(days=90)

    def install(self, days):
        """The root signs, and the hub's operator installs what it printed."""
        signed = self._tool(
            "identity", "sign", "--root-private-key-file", self._root_file, "--name", "LosOS",
            "--url", self.url, "--public-key", self._public, "--days", days).out
        self._tool("identity", "install", "--identity-key-file", self._key_file,
                   "--identity-cert-file", self._cert_file, "--root-key-file", self.root_public,
                   given=signed)

    def let_expire(self, seconds):
        """A certificate that ends so soon; `sign` counts in days."""
        ends = int(time.time()) + seconds
        new = self._cert_file.with_name(".identity.cert.json.new")
        new.write_text(json.dumps(self._root.certificate("LosOS", self.url, self._public, ends)))
        new.rename(self._cert_file)
        return ends

    def vouch(self, box_id, *flags):
        self._tool("vouch", "set", "--vouch-file", self.vouch_file, box_id,
                   "--account-id", ACCOUNT, "--box-uuid",
                   self._uuids.setdefault(box_id, str(uuid.uuid4())), *flags)

    def disown(self, box_id):
        self._tool("vouch", "remove", "--vouch-file", self.vouch_file, box_id)

    def _tool(self, *args, **options):
        return self._hub.tool("losos-registrar", *args, **options)


def write_relay_pass(box, relay_pass):
    """As lososd-pathd leaves it for losos-announce."""
    box.relay_pass.unlink(missing_ok=True)
    write_secret(box.relay_pass, relay_pass)
