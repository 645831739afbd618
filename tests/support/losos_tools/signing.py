"""Ed25519 by OpenSSL: a second implementation of what identities are made of."""

import subprocess

_PUBLIC_HEAD = "302a300506032b6570032100"
_PRIVATE_HEAD = "302e020100300506032b657004220420"


def _openssl(*args, given=None):
    return subprocess.run(["openssl", *map(str, args)], input=given, check=True,
                          capture_output=True).stdout


class SigningKey:
    """A key pair; a fresh one, or that of a seed in hex."""

    def __init__(self, folder, name, seed=None):
        self._pem = folder / f"{name}.pem"
        if seed is None:
            self._pem.write_bytes(_openssl("genpkey", "-algorithm", "ed25519"))
        else:
            self._pem.write_bytes(_openssl("pkey", "-inform", "DER",
                                           given=bytes.fromhex(_PRIVATE_HEAD + seed)))
        self.document = _openssl("pkey", "-in", self._pem, "-outform", "DER").hex()
        self.seed = self.document.removeprefix(_PRIVATE_HEAD)
        public = _openssl("pkey", "-in", self._pem, "-pubout", "-outform", "DER").hex()
        self.public = public.removeprefix(_PUBLIC_HEAD)
        self._text = folder / f"{name}.text"

    def sign(self, text):
        """The signature in hex. OpenSSL signs files only: it has to know their size."""
        self._text.write_bytes(text.encode())
        return _openssl("pkeyutl", "-sign", "-rawin", "-inkey", self._pem, "-in", self._text).hex()

    def certificate(self, name, url, public_key, not_after):
        """A certificate by this key as the root."""
        text = f"losos-edge-identity-v1\n{name}\n{url}\n{public_key}\n{not_after}\n"
        return {"name": name, "url": url, "public_key": public_key, "not_after": not_after,
                "signature": self.sign(text)}


def is_signed(folder, public_key, text, signature):
    """Whether the owner of a public key in hex signed the text."""
    files = {"key.der": bytes.fromhex(_PUBLIC_HEAD + public_key), "signature":
             bytes.fromhex(signature), "text": text.encode()}
    for name, content in files.items():
        (folder / f"check.{name}").write_bytes(content)
    asked = subprocess.run(
        ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey",
         folder / "check.key.der", "-sigfile", folder / "check.signature", "-in",
         folder / "check.text"], check=False, capture_output=True)
    return asked.returncode == 0
