"""The lab's own maker of certificates, for names whose certificate must be there beforehand."""

import subprocess


def _openssl(*args):
    subprocess.run(["openssl", *map(str, args)], check=True, capture_output=True)


class Authority:
    def __init__(self, folder):
        folder.mkdir()
        self._folder = folder
        self._count = 0
        self.root_file = folder / "root.pem"
        self._root_key = folder / "root.key"
        _openssl("req", "-x509", *self._new_key(self._root_key), "-days", "2",
                 "-subj", "/CN=the lab's own root", "-out", self.root_file)

    def issue(self, names, addresses=(), expired=False):
        """One certificate for all the names and addresses; returns the paths of certificate and
        key."""
        self._count += 1
        base = self._folder / f"leaf{self._count}"
        certificate, key = base.with_suffix(".pem"), base.with_suffix(".key")
        request, extensions = base.with_suffix(".csr"), base.with_suffix(".ext")
        alternatives = [f"DNS:{name}" for name in names] + [f"IP:{each}" for each in addresses]
        extensions.write_text("subjectAltName=" + ",".join(alternatives))
        _openssl("req", *self._new_key(key), "-subj", "/CN=lab", "-out", request)
        if expired:
            self._sign_for_the_past(request, extensions, certificate)
        else:
            _openssl("x509", "-req", "-in", request, "-CA", self.root_file, "-CAkey",
                     self._root_key, "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out",
                     certificate)
        return certificate, key

    def _sign_for_the_past(self, request, extensions, certificate):
        """Only openssl's ca takes both dates, whatever its version, and it keeps a database."""
        config, index = self._folder / "past.cnf", self._folder / "past.index"
        index.touch()
        config.write_text("[ca]\ndefault_ca = past\n[past]\ndefault_md = sha256\npolicy = any\n"
                          "rand_serial = yes\n"
                          f"database = {index}\nnew_certs_dir = {self._folder}\n"
                          "[any]\ncommonName = supplied\n")
        _openssl("ca", "-batch", "-notext", "-config", config, "-cert",
                 self.root_file, "-keyfile", self._root_key, "-startdate", "20200101000000Z",
                 "-enddate", "20200201000000Z", "-extfile", extensions, "-in", request, "-out",
                 certificate)

    @staticmethod
    def _new_key(path):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path]
