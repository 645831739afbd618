# A gateway that no hub knows, a box and a phone on one LAN. Run by nobody yet.
{ pkgs, self }:

let
  gateway = "192.168.1.2"; # the second node by name
  boxName = "mattbox.acme.losos.example";
in
pkgs.testers.runNixOSTest {
  name = "losos-edge-lan";

  nodes = {
    gateway.imports = [ self.nixosModules.edge-gateway ];

    box = {
      imports = [ self.nixosModules.box ];
      losos.proxy = {
        enable = true;
        applianceId = "mattbox";
        hostname = boxName;
      };
      services.nginx = {
        enable = true;
        virtualHosts.default.locations."/".return = "200 'Hello from mattbox\\n'";
      };
    };

    phone.environment.systemPackages = [ pkgs.curl ];
  };

  testScript = ''
    # A gateway answers with a certificate of its own making.
    page = (
        "curl --silent --show-error --fail --insecure --max-time 10 "
        "--resolve ${boxName}:443:${gateway} https://${boxName}/"
    )

    start_all()
    gateway.wait_for_unit("losos-gateway.target")
    box.wait_for_unit("losos-box.target")

    with subtest("a box that nobody listed is taken in"):
        phone.wait_until_succeeds(f"{page} | grep 'Hello from mattbox'", timeout=120)
        assert "mattbox\t${boxName}\t" in gateway.succeed("losos-edge boxes")
        assert "LOSOS_EDGE_PATH_SOURCE=lan" in box.succeed("cat /run/losos/edge-path.env")

    with subtest("the tunnel is encrypted, and the box knows the gateway again"):
        assert box.succeed("ls /var/secrets/losos-edge-pins").strip()
        box.succeed("grep -q noise /run/losos-rathole/client.toml")

    with subtest("no uplink is set, and none runs"):
        assert "uplink: not set" in gateway.succeed("losos-edge status")
        gateway.fail("systemctl is-active losos-rathole-uplink.service")

    with subtest("a box that is forgotten enrols again"):
        gateway.succeed("losos-edge forget mattbox")
        gateway.wait_until_succeeds("losos-edge boxes | grep mattbox", timeout=120)
        phone.wait_until_succeeds(page, timeout=60)

    with subtest("a gateway that stops says so, and the box's tunnel with it"):
        gateway.succeed("systemctl stop losos-gateway.target")
        box.wait_until_succeeds("test -e /run/losos/edge-none", timeout=120)
        box.wait_until_fails("systemctl is-active losos-rathole-client.service", timeout=60)
        gateway.succeed("systemctl start losos-gateway.target")
        phone.wait_until_succeeds(page, timeout=120)
  '';
}
