# An official hub with a zone that Knot serves, and somebody who asks it. Run by nobody yet.
{ pkgs, self }:

let
  hub = "192.168.1.2"; # the second node by name
  zone = "boxes.losos.example";
  state = "/var/lib/losos-registrar";
in
pkgs.testers.runNixOSTest {
  name = "losos-edge-dns";

  nodes = {
    hub = {
      imports = [ self.nixosModules.edge ];
      losos.edge = {
        enable = true;
        publicDomain = "losos.example";
        acmeEmail = "hostmaster@losos.example";
        tenants.zoe = {
          hostname = "zoe.losos.example";
          tokenFile = "/etc/losos/tokens/zoe";
        };
        identity = {
          keyFile = "${state}/identity.key";
          certFile = "${state}/identity.cert.json";
        };
        dns = {
          enable = true;
          inherit zone;
          nameservers = [ "edge.losos.example" ];
          ipv4 = [ hub ];
          # Nobody is asked for proofs here.
          checkUrl = null;
        };
      };
      environment.etc."losos/tokens/zoe" = {
        text = "zoe-zoe-zoe-zoe-zoe-zoe-zoe-zoe-zoe-zoe";
        mode = "0600";
        user = "losos-edge";
      };
    };

    asker.environment.systemPackages = [ pkgs.knot-dns ];
  };

  testScript = ''
    import hashlib

    uuid = "6f1f6d1c-0d2b-4a55-9c3a-000000000001"
    label = hashlib.sha256(f"losos-box-dns-v1\n{uuid}\n".encode()).digest()[:8].hex()

    def ask(name, kind):
        return f"kdig +short @${hub} {name} {kind}"

    start_all()
    hub.wait_for_unit("losos-registrar.service")
    hub.wait_for_unit("knot.service")

    with subtest("a hub that is not official serves a bare zone"):
        asker.wait_until_succeeds(f"{ask('${zone}', 'SOA')} | grep edge.losos.example", timeout=60)
        assert not asker.succeed(ask("${zone}", "A")).strip()

    with subtest("it becomes official"):
        hub.succeed("losos-registrar identity keygen --root --identity-key-file /root/root.key")
        hub.succeed("losos-registrar identity keygen --identity-key-file ${state}/identity.key > /root/key")
        hub.succeed(
            "losos-registrar identity sign --root-private-key-file /root/root.key --name LosOS "
            "--url https://edge.losos.example --public-key $(cat /root/key) --days 365 "
            "> /root/cert.json"
        )
        hub.succeed(
            "losos-registrar identity install --root-key-file /root/root.key.pub "
            "--identity-key-file ${state}/identity.key "
            "--identity-cert-file ${state}/identity.cert.json < /root/cert.json"
        )
        hub.succeed("systemctl restart losos-registrar.service")
        asker.wait_until_succeeds(f"{ask('${zone}', 'A')} | grep ${hub}", timeout=60)

    with subtest("a box that is vouched for has a name, at once and without a restart"):
        hub.succeed(
            "losos-registrar vouch set --vouch-file ${state}/vouched.json zoe "
            f"--account-id account --box-uuid {uuid}"
        )
        asker.wait_until_succeeds(f"{ask(label + '.${zone}', 'A')} | grep ${hub}", timeout=60)

    with subtest("a box that is vouched for no longer has none"):
        hub.succeed("losos-registrar vouch remove --vouch-file ${state}/vouched.json zoe")
        asker.wait_until_fails(f"{ask(label + '.${zone}', 'A')} | grep ${hub}", timeout=60)
  '';
}
